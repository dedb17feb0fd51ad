//! From a signed distance field to a closed mesh: naive surface nets over the left half, mirrored.
//!
//! A vertex in every cell of a grid through which the surface goes, a face around every edge of the grid that it
//! crosses (Gibson, *Constrained elastic surface nets*, 1998; the mean of the crossings as a start). A few rounds of
//! smoothing along the surface even the triangles out, and each vertex is put back onto it.

use std::collections::HashMap;

use glam::{DVec3, IVec3};

use super::loft::step;
use super::sculpture::Sculpture;

/// Width of a cell.
const CELL_M: f64 = 0.017;
/// Corners of the left half that is searched; x from the plane of symmetry.
const LOW_M: DVec3 = DVec3::new(0.0, -0.1, -0.19);
const HIGH_M: DVec3 = DVec3::new(0.86, 1.83, 0.35);
/// Cells of a block that is skipped whole where the surface is far, along each axis.
const BLOCK: i32 = 4;
/// Distances are of the first order only: this many times as far is far enough.
const DOUBT: f64 = 1.6;
const ROUNDS: usize = 5;

/// A closed mesh.
#[derive(Clone, Debug, Default)]
pub(super) struct Net {
    pub positions: Vec<DVec3>,
    /// Of the skin, outward.
    pub normals: Vec<DVec3>,
    /// Counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// The skin of a sculpture.
pub(super) fn skin(sculpture: &Sculpture) -> Net {
    let lens = Lens { hand: sculpture.hand };
    let samples = sample(sculpture, &lens);
    let mut half = Half::default();
    let mut at = HashMap::new();
    // In the order of the cells, whatever the map's: the same shape gives the same bytes.
    for cell in cells() {
        if let Some(position) = crossing(&samples, cell) {
            at.insert(cell, half.positions.len());
            half.positions.push(lens.seen(position));
        }
    }
    half.quads = faces(&samples, &at, half.positions.len());
    half.even_out(sculpture);
    half.mirrored(sculpture)
}

fn counts() -> IVec3 {
    ((HIGH_M - LOW_M) / CELL_M).ceil().as_ivec3()
}

fn corner_m(corner: IVec3) -> DVec3 {
    LOW_M + corner.as_dvec3() * CELL_M
}

fn cells() -> impl Iterator<Item = IVec3> {
    let n = counts();
    (0..n.x).flat_map(move |x| (0..n.y).flat_map(move |y| (0..n.z).map(move |z| IVec3::new(x, y, z))))
}

/// Shows the grid a hand twice as thick and half as long again as it is, and more of the rows just over the floor and
/// of the toes: they are slim beside a body.
///
/// Smooth and one to one, and the plane of symmetry stays itself: what is closed through the lens is closed without it.
struct Lens {
    /// Where the hand begins, and which way it points.
    hand: (DVec3, DVec3),
}

impl Lens {
    /// Where a point of the grid really is.
    fn seen(&self, p: DVec3) -> DVec3 {
        let (wrist, along) = self.hand;
        let from = p - wrist;
        let t = from.dot(along);
        let aside = from - along * t;
        let strength = 1.0 - step(aside.length(), 0.15, 0.42);
        let to_hand =
            -aside * (0.5 * strength * step(t, -0.12, 0.01)) - along * (0.75 * strength * half(t + 0.05, 0.05));
        p + to_hand + DVec3::new(0.0, half(0.09 - p.y, 0.03), -half(p.z - 0.1, 0.03))
    }
}

/// Half of what a length is over zero, once it is well over `softness`.
fn half(length: f64, softness: f64) -> f64 {
    let over = length.max(0.0);
    0.5 * over * over / (over + softness)
}

/// The field at the corners of the grid.
struct Samples {
    size: IVec3,
    values: Vec<f64>,
}

impl Samples {
    fn index(&self, corner: IVec3) -> usize {
        ((corner.x * self.size.y + corner.y) * self.size.z + corner.z) as usize
    }

    fn at(&self, corner: IVec3) -> f64 {
        self.values[self.index(corner)]
    }
}

/// Corners far from the surface get the value of the middle of their block: only its sign is asked for.
fn sample(sculpture: &Sculpture, lens: &Lens) -> Samples {
    let size = counts() + 1;
    let mut samples = Samples { size, values: vec![0.0; (size.x * size.y * size.z) as usize] };
    let blocks = (size + BLOCK - 1) / BLOCK;
    let reach_m = DOUBT * CELL_M * 0.5 * f64::from(BLOCK + 1) * 3.0_f64.sqrt();
    for x in 0..blocks.x {
        for y in 0..blocks.y {
            for z in 0..blocks.z {
                let low = IVec3::new(x, y, z) * BLOCK;
                let high = (low + BLOCK).min(size);
                let distance = |p: DVec3| sculpture.distance(lens.seen(p));
                let middle = distance((corner_m(low) + corner_m(high - 1)) * 0.5);
                for i in low.x..high.x {
                    for j in low.y..high.y {
                        for k in low.z..high.z {
                            let corner = IVec3::new(i, j, k);
                            let index = samples.index(corner);
                            let is_near = middle.abs() < reach_m;
                            samples.values[index] = if is_near { distance(corner_m(corner)) } else { middle };
                        }
                    }
                }
            }
        }
    }
    samples
}

/// Mean of the points where the surface crosses the edges of a cell.
fn crossing(samples: &Samples, cell: IVec3) -> Option<DVec3> {
    let (mut sum, mut n) = (DVec3::ZERO, 0);
    for axis in 0..3 {
        let along = IVec3::AXES[axis];
        let (a, b) = (IVec3::AXES[(axis + 1) % 3], IVec3::AXES[(axis + 2) % 3]);
        for from in [cell, cell + a, cell + b, cell + a + b] {
            let (f, g) = (samples.at(from), samples.at(from + along));
            if (f < 0.0) != (g < 0.0) {
                sum += corner_m(from) + along.as_dvec3() * (CELL_M * f / (f - g));
                n += 1;
            }
        }
    }
    (n > 0).then(|| sum / f64::from(n))
}

/// Around each crossed edge the four cells' vertices, counter-clockwise from outside. Vertices of the right half,
/// which faces across the plane of symmetry need, are numbered after the `half` of the left.
fn faces(samples: &Samples, at: &HashMap<IVec3, usize>, half: usize) -> Vec<[usize; 4]> {
    let vertex = |cell: IVec3| {
        if cell.x < 0 {
            at.get(&IVec3::new(-1 - cell.x, cell.y, cell.z)).map(|i| i + half)
        } else {
            at.get(&cell).copied()
        }
    };
    let mut quads = Vec::new();
    for corner in cells() {
        for axis in 0..3 {
            let is_inside = samples.at(corner) < 0.0;
            if is_inside == (samples.at(corner + IVec3::AXES[axis]) < 0.0) {
                continue;
            }
            let (a, b) = (IVec3::AXES[(axis + 1) % 3], IVec3::AXES[(axis + 2) % 3]);
            let around = [corner - a - b, corner - b, corner, corner - a];
            if let [Some(i), Some(j), Some(k), Some(l)] = around.map(vertex) {
                quads.push(if is_inside { [i, j, k, l] } else { [l, k, j, i] });
            }
        }
    }
    quads
}

/// The left half and the faces across the plane.
#[derive(Default)]
struct Half {
    positions: Vec<DVec3>,
    quads: Vec<[usize; 4]>,
}

impl Half {
    fn position(&self, i: usize) -> DVec3 {
        let n = self.positions.len();
        if i < n { self.positions[i] } else { self.positions[i - n] * DVec3::new(-1.0, 1.0, 1.0) }
    }

    fn even_out(&mut self, sculpture: &Sculpture) {
        let n = self.positions.len();
        let mut neighbours = vec![Vec::new(); n];
        for quad in &self.quads {
            for i in 0..4 {
                for k in 1..4 {
                    // Faces across the plane stand here once, and their mirror images are themselves.
                    let (own, other) = (quad[i], quad[(i + k) % 4]);
                    if own < n && !neighbours[own].contains(&other) {
                        neighbours[own].push(other);
                    }
                }
            }
        }
        for _ in 0..ROUNDS {
            let moved: Vec<DVec3> = (0..n)
                .map(|i| {
                    let around = &neighbours[i];
                    let mean = around.iter().map(|&k| self.position(k)).sum::<DVec3>() / around.len().max(1) as f64;
                    let at = self.positions[i];
                    let (distance, normal) = sculpture.probe(at);
                    let shift = (mean - at) * 0.6;
                    at + shift - normal * (shift.dot(normal) + distance)
                })
                .collect();
            self.positions = moved;
        }
        for position in &mut self.positions {
            *position = sculpture.onto_skin(*position);
        }
    }

    fn mirrored(self, sculpture: &Sculpture) -> Net {
        let n = self.positions.len();
        let opposite = |i: usize| (if i < n { i + n } else { i - n }) as u32;
        let positions: Vec<DVec3> = (0..2 * n).map(|i| self.position(i)).collect();
        let mut normals: Vec<DVec3> = self.positions.iter().map(|&p| sculpture.probe(p).1).collect();
        normals.extend_from_within(..);
        for normal in &mut normals[n..] {
            normal.x = -normal.x;
        }
        // How well a triangle faces the way that the skin does.
        let facing = |triangle: [usize; 3]| {
            let [a, b, c] = triangle.map(|i| positions[i]);
            (b - a).cross(c - a).normalize_or(DVec3::ZERO).dot(triangle.iter().map(|&i| normals[i]).sum())
        };
        let mut triangles = Vec::with_capacity(4 * self.quads.len());
        for quad in &self.quads {
            let is_across = quad.iter().any(|&i| i >= n);
            let [a, b, c, d] = *quad;
            // Along the diagonal that leaves both halves nearer to the skin: round edges stay round.
            let ways = [[[a, b, c], [a, c, d]], [[b, c, d], [b, d, a]]];
            let [first, second] = ways.map(|halves| facing(halves[0]).min(facing(halves[1])));
            let halves = ways[usize::from(second > first)];
            for [a, b, c] in halves {
                triangles.push([a, b, c].map(|i| i as u32));
                if !is_across {
                    triangles.push([opposite(a), opposite(c), opposite(b)]);
                }
            }
        }
        Net { positions, normals, triangles }
    }
}
