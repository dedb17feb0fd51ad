//! Polygon corners to vertices and triangles.
//!
//! FBX lets each corner of a polygon have its own normal and texture place. Corners of one vertex that agree in both
//! become one vertex of ours, so that a mesh is drawn, and written, with about as many vertices as it was modelled with.
//! The first corner of each vertex makes ours of the same number, before the others are looked at; few of those differ
//! from it, and they add vertices behind.

use glam::{DAffine3, Vec3};

use super::bones::vec3;
use crate::motion::Mesh;

/// The vertices of one mesh, and which of them each corner is.
pub(super) struct Corners<'m> {
    mesh: &'m ufbx::Mesh,
    positions: Vec<[f32; 3]>,
    /// Per vertex of ours.
    carried: Vec<Carried>,
    /// Per vertex of ours: the one of the file.
    sources: Vec<u32>,
    /// Per corner: the vertex of ours.
    of_corner: Vec<u32>,
    /// Whether each vertex is a corner of some triangle.
    all_used: bool,
    /// Of the face at hand, as corners.
    triangles: Vec<u32>,
}

/// What a corner carries: its normal, in mesh space and of any length, and its texture place.
#[derive(Clone, Copy)]
struct Carried {
    normal: [f32; 3],
    uv: [f32; 2],
}

impl<'m> Corners<'m> {
    /// `node_from_mesh`: the geometric transform.
    pub(super) fn new(mesh: &'m ufbx::Mesh, node_from_mesh: Option<&DAffine3>) -> Self {
        let attributes = Attributes::new(mesh);
        let mut all_used = mesh.num_line_faces == 0 && mesh.num_point_faces == 0;
        let firsts = (0..mesh.vertices.len() as u32).map(|vertex| {
            let first = mesh.vertex_first_index.get(vertex as usize).map_or(usize::MAX, |&first| first as usize);
            all_used &= mesh.vertex_indices.get(first) == Some(&vertex);
            attributes.at(first)
        });
        // Room for one twin in eight vertices, which is more than most meshes have.
        let mut carried: Vec<Carried> = Vec::with_capacity(mesh.vertices.len() / 8 * 9);
        carried.extend(firsts);
        let mut twins = Twins { newest: vec![NONE; carried.len()], made: Vec::new() };
        let of_corner = mesh.vertex_indices.iter().enumerate().map(|(corner, &source)| {
            let here = attributes.at(corner);
            match carried.get(source as usize) {
                Some(first) if first.is_same(&here) => source,
                _ => twins.of(source, here),
            }
        });
        let of_corner = of_corner.collect();
        carried.extend(twins.made.iter().map(|twin| twin.carried));
        let sources: Vec<u32> =
            (0..mesh.vertices.len() as u32).chain(twins.made.iter().map(|twin| twin.source)).collect();
        let place = |source: &u32| {
            let position = vec3(mesh.vertices[*source as usize]);
            node_from_mesh.map_or(position, |g| g.transform_point3(position)).as_vec3().to_array()
        };
        let positions = sources.iter().map(place).collect();
        Self { mesh, positions, carried, sources, of_corner, all_used, triangles: Vec::new() }
    }

    /// The triangles of `faces`, about `expected`.
    pub(super) fn triangles(&mut self, expected: usize, faces: impl Iterator<Item = ufbx::Face>) -> Vec<u32> {
        let mut triangles = Vec::with_capacity(expected.min(self.mesh.num_triangles) * 3);
        for face in faces {
            let begin = face.index_begin as usize;
            match self.of_corner.get(begin..begin.saturating_add(face.num_indices as usize)) {
                Some(&[a, b, c]) => triangles.extend_from_slice(&[a, b, c]),
                Some(&[a, b, c, d]) => triangles.extend(quad([a, b, c, d], &self.positions)),
                Some(corners) if corners.len() > 4 => {
                    self.triangles.resize((corners.len() - 2) * 3, 0);
                    let n = ufbx::triangulate_face(&mut self.triangles, self.mesh, face) as usize * 3;
                    triangles.extend(self.triangles[..n].iter().map(|&corner| self.of_corner[corner as usize]));
                }
                _ => {}
            }
        }
        triangles
    }

    /// All vertices of the mesh, without triangles; whether each is in use; per vertex, the one of the file.
    pub(super) fn finish(self, node_from_mesh: Option<&DAffine3>) -> (Mesh, bool, Vec<u32>) {
        let turn = node_from_mesh.map(|g| g.matrix3.inverse().transpose());
        let unit = |normal: [f32; 3]| {
            let normal = Vec3::from_array(normal);
            let turned = turn.map_or(normal, |turn| (turn * normal.as_dvec3()).as_vec3());
            turned.normalize_or(Vec3::Y).to_array()
        };
        let normals = self.carried.iter().map(|carried| unit(carried.normal));
        let uvs = self.carried.iter().map(|carried| carried.uv);
        let vertices = Mesh {
            positions: self.positions,
            normals: if self.mesh.vertex_normal.exists { normals.collect() } else { Vec::new() },
            uvs: if self.mesh.vertex_uv.exists { uvs.collect() } else { Vec::new() },
            ..Mesh::default()
        };
        (vertices, self.all_used, self.sources)
    }
}

/// Vertices beyond the first of each vertex of the file.
struct Twins {
    /// Per vertex of the file: the last one in `made`.
    newest: Vec<u32>,
    made: Vec<Twin>,
}

struct Twin {
    carried: Carried,
    source: u32,
    /// The one made before from the same vertex.
    before: u32,
}

const NONE: u32 = u32::MAX;
/// Twins a corner is compared with. A vertex with more was made to make the search endless.
const MOST_TWINS: usize = 64;

impl Twins {
    /// The vertex of ours that carries what a corner of `source` does: one made already, or a new one.
    #[cold]
    fn of(&mut self, source: u32, carried: Carried) -> u32 {
        let first = self.newest.len() as u32;
        // ufbx has made sure that each corner has a vertex.
        let Some(newest) = self.newest.get_mut(source as usize) else { return 0 };
        let mut at = *newest;
        for _ in 0..MOST_TWINS {
            let Some(twin) = self.made.get(at as usize) else { break };
            if twin.carried.is_same(&carried) {
                return first + at;
            }
            at = twin.before;
        }
        let before = std::mem::replace(newest, self.made.len() as u32);
        self.made.push(Twin { carried, source, before });
        first + *newest
    }
}

impl Carried {
    /// All five compared at once: they mostly are the same.
    #[inline]
    fn is_same(&self, other: &Self) -> bool {
        let ([a, b, c], [u, v]) = (self.normal, self.uv);
        let ([x, y, z], [s, t]) = (other.normal, other.uv);
        (a == x) & (b == y) & (c == z) & (u == s) & (v == t)
    }
}

/// Where what corners carry is looked up.
struct Attributes<'m> {
    normals: PerCorner<'m, ufbx::Vec3>,
    uvs: PerCorner<'m, ufbx::Vec2>,
}

impl<'m> Attributes<'m> {
    fn new(mesh: &'m ufbx::Mesh) -> Self {
        let (normal, uv) = (&mesh.vertex_normal, &mesh.vertex_uv);
        Self {
            normals: PerCorner::new(normal.exists, &normal.values, &normal.indices),
            uvs: PerCorner::new(uv.exists, &uv.values, &uv.indices),
        }
    }

    #[inline]
    fn at(&self, corner: usize) -> Carried {
        let normal = self.normals.at(corner).unwrap_or(&ufbx::Vec3 { x: 0.0, y: 0.0, z: 0.0 });
        let uv = self.uvs.at(corner).unwrap_or(&ufbx::Vec2 { x: 0.0, y: 0.0 });
        Carried {
            normal: [normal.x as f32, normal.y as f32, normal.z as f32],
            // FBX counts v from the bottom of the image, we from the top.
            uv: [uv.x as f32, (1.0 - uv.y) as f32],
        }
    }
}

/// An attribute that each corner looks up.
struct PerCorner<'m, T> {
    values: &'m [T],
    indices: &'m [u32],
}

impl<'m, T> PerCorner<'m, T> {
    fn new(exists: bool, values: &'m [T], indices: &'m [u32]) -> Self {
        Self { values, indices: if exists { indices } else { &[] } }
    }

    #[inline]
    fn at(&self, corner: usize) -> Option<&'m T> {
        self.values.get(*self.indices.get(corner)? as usize)
    }
}

/// Two triangles for four corners: cut along the shorter diagonal, or along the only one that lies inside.
#[inline]
fn quad([a, b, c, d]: [u32; 4], positions: &[[f32; 3]]) -> [u32; 6] {
    let at = |vertex: u32| Vec3::from_array(positions[vertex as usize]);
    let (pa, pb, pc, pd) = (at(a), at(b), at(c), at(d));
    let (ac, bd) = (pc - pa, pd - pb);
    // A diagonal lies inside when the other two corners lie on either side of it: then both triangles face one way.
    let inside = |cut: Vec3, left: Vec3, right: Vec3| left.cross(cut).dot(cut.cross(right));
    let (by_ac, by_bd) = (inside(ac, pb - pa, pd - pa), inside(bd, pc - pb, pa - pb));
    let is_shorter = ac.length_squared() <= bd.length_squared();
    let is_bent = by_ac.min(by_bd) < 0.0;
    let cut_ac = (is_bent & (by_ac >= by_bd)) | (!is_bent & is_shorter);
    // Which way it goes cannot be guessed, so the choice is where to begin on the ring, and no branch.
    let (ring, i) = ([a, b, c, d, a], usize::from(!cut_ac));
    [ring[i], ring[i + 1], ring[i + 2], ring[i + 2], ring[i + 3], ring[i]]
}

/// The vertices that `indices` name, in the order they come, and the triangles among them. `place` holds
/// [`u32::MAX`] for each vertex of the whole, before and after.
pub(super) fn part_of(whole: &Mesh, mut indices: Vec<u32>, place: &mut [u32]) -> Mesh {
    fn pick<T: Copy>(values: &[T], kept: &[u32]) -> Vec<T> {
        kept.iter().filter_map(|&vertex| values.get(vertex as usize).copied()).collect()
    }
    let mut kept = Vec::new();
    for index in &mut indices {
        let slot = &mut place[*index as usize];
        if *slot == NONE {
            *slot = kept.len() as u32;
            kept.push(*index);
        }
        *index = *slot;
    }
    kept.iter().for_each(|&vertex| place[vertex as usize] = NONE);
    Mesh {
        positions: pick(&whole.positions, &kept),
        normals: pick(&whole.normals, &kept),
        uvs: pick(&whole.uvs, &kept),
        joints: pick(&whole.joints, &kept),
        weights: pick(&whole.weights, &kept),
        indices,
        ..Mesh::default()
    }
}
