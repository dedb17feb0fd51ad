//! Colours: bands around the limbs, cut along their borders so that each has a clean edge.
//!
//! A border is where a height, or a distance along a limb, has a given value. Vertices near it are moved onto it along
//! the skin, edges that still cross it are cut where they do, and every triangle lies on one side in the end.

use std::collections::HashMap;

use glam::DVec3;

use super::super::mannequin::{ARM, BodyPose, LEG};
use super::nets::Net;
use super::sculpture::Sculpture;

/// What a triangle is painted with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Paint {
    Body,
    /// Where the body bends.
    Joint,
    Left,
    Right,
}

impl Paint {
    pub(super) const ALL: [Self; 4] = [Self::Body, Self::Joint, Self::Left, Self::Right];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Body => "body",
            Self::Joint => "joints",
            Self::Left => "left",
            Self::Right => "right",
        }
    }

    /// Linear RGBA. Teal and orange stay apart for every kind of colour blindness: one is bluish, the other yellowish,
    /// and the orange is the lighter one.
    pub(super) fn base_color(self) -> [f32; 4] {
        match self {
            Self::Body => [0.60, 0.58, 0.55, 1.0],
            Self::Joint => [0.075, 0.085, 0.10, 1.0],
            Self::Left => [0.0, 0.24, 0.27, 1.0],
            Self::Right => [0.86, 0.27, 0.02, 1.0],
        }
    }
}

/// Along what a band is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Along {
    /// Height over the floor, of trunk and head.
    Trunk,
    /// From the shoulder.
    Arm,
    /// Down from the hip.
    Leg,
}

/// From, to in metres; bands of a limb do not overlap.
const BANDS: [(Along, f64, f64, Option<Paint>); 8] = [
    (Along::Trunk, 1.085, 1.135, Some(Paint::Joint)),
    (Along::Trunk, 1.532, 1.560, Some(Paint::Joint)),
    (Along::Arm, 0.255, 0.305, Some(Paint::Joint)),
    (Along::Arm, 0.505, 0.530, Some(Paint::Joint)),
    (Along::Leg, 0.415, 0.490, Some(Paint::Joint)),
    (Along::Leg, 0.790, 0.820, Some(Paint::Joint)),
    // No paint of its own: the side's.
    (Along::Arm, 0.150, 0.180, None),
    (Along::Leg, 0.270, 0.305, None),
];

/// A vertex nearer to a border than this is moved onto it.
const SNAP_M: f64 = 0.0015;

/// Measures points along the limbs.
struct Ruler<'a> {
    sculpture: &'a Sculpture,
    shoulder: DVec3,
    arm: DVec3,
    hip_y: f64,
}

impl Ruler<'_> {
    /// What a point of the skin belongs to.
    fn limb(&self, p: DVec3) -> Along {
        let fields = self.sculpture.fields(p);
        if fields.arm < fields.trunk.min(fields.leg) {
            Along::Arm
        } else if fields.leg < fields.trunk {
            Along::Leg
        } else {
            Along::Trunk
        }
    }

    fn measure(&self, along: Along, p: DVec3) -> f64 {
        match along {
            Along::Trunk => p.y,
            Along::Arm => (DVec3::new(p.x.abs(), p.y, p.z) - self.shoulder).dot(self.arm),
            Along::Leg => self.hip_y - p.y,
        }
    }

    /// The way in which the measure grows.
    fn direction(&self, along: Along, p: DVec3) -> DVec3 {
        match along {
            Along::Trunk => DVec3::Y,
            Along::Arm => DVec3::new(self.arm.x * p.x.signum(), self.arm.y, self.arm.z),
            Along::Leg => -DVec3::Y,
        }
    }

    /// Along the skin to a border; the normal there, too.
    fn onto_border(&self, mut p: DVec3, along: Along, border: f64) -> (DVec3, DVec3) {
        for _ in 0..2 {
            let (distance, normal) = self.sculpture.probe(p);
            let direction = self.direction(along, p);
            let within = direction - normal * direction.dot(normal);
            p -= normal * distance + within * ((self.measure(along, p) - border) / within.length_squared().max(0.1));
        }
        (p, self.sculpture.probe(p).1)
    }
}

/// Cuts the mesh along all borders and says the paint of each triangle.
pub(super) fn paint(net: &mut Net, sculpture: &Sculpture, pose: &BodyPose) -> Vec<Paint> {
    let ruler = Ruler {
        sculpture,
        shoulder: pose.positions[ARM[0][1]],
        arm: pose.rotations[ARM[0][1]] * DVec3::X,
        hip_y: pose.positions[LEG[0][0]].y,
    };
    let mut limbs = net.positions.iter().map(|&p| ruler.limb(p)).collect();
    for (along, from, to, _) in BANDS {
        for border in [from, to] {
            cut(net, &mut limbs, &ruler, along, border);
        }
    }
    let of = |triangle: &[u32; 3]| {
        let corners = triangle.map(|i| i as usize);
        let middle = corners.iter().map(|&i| net.positions[i]).sum::<DVec3>() / 3.0;
        let side = if middle.x > 0.0 { Paint::Left } else { Paint::Right };
        let covers = |along: Along, from: f64, to: f64| {
            corners.iter().all(|&i| limbs[i] == along) && (from..to).contains(&ruler.measure(along, middle))
        };
        let band = BANDS.iter().find(|&&(along, from, to, _)| covers(along, from, to));
        band.map_or(Paint::Body, |&(_, _, _, own)| own.unwrap_or(side))
    };
    net.triangles.iter().map(of).collect()
}

/// Makes one border a line of edges.
fn cut(net: &mut Net, limbs: &mut Vec<Along>, ruler: &Ruler<'_>, along: Along, border: f64) {
    let mut offsets = vec![None; net.positions.len()];
    for i in (0..offsets.len()).filter(|&i| limbs[i] == along) {
        let offset = ruler.measure(along, net.positions[i]) - border;
        let is_near = offset.abs() < SNAP_M;
        if is_near {
            (net.positions[i], net.normals[i]) = ruler.onto_border(net.positions[i], along, border);
        }
        offsets[i] = Some(if is_near { 0.0 } else { offset });
    }
    let mut middles = HashMap::new();
    let mut triangles = Vec::with_capacity(net.triangles.len() + 64);
    for triangle in &net.triangles {
        let cuts = [0, 1, 2].map(|i| {
            let corners = [triangle[i], triangle[(i + 1) % 3]];
            let (a, b) = (corners[0].min(corners[1]) as usize, corners[0].max(corners[1]) as usize);
            let (f, g): (f64, f64) = (offsets[a]?, offsets[b]?);
            (f * g < 0.0).then(|| {
                // On the edge and not on the skin: then no triangle turns over.
                *middles.entry((a, b)).or_insert_with(|| {
                    let share = f / (f - g);
                    limbs.push(along);
                    net.positions.push(net.positions[a].lerp(net.positions[b], share));
                    net.normals.push(net.normals[a].lerp(net.normals[b], share).normalize_or(DVec3::Y));
                    net.positions.len() as u32 - 1
                })
            })
        });
        split(*triangle, cuts, &mut triangles);
    }
    net.triangles = triangles;
}

/// A triangle with new vertices on some of its edges, the first from its first corner to its second.
fn split(triangle: [u32; 3], cuts: [Option<u32>; 3], into: &mut Vec<[u32; 3]>) {
    // Turned so that the cut edges come first.
    let first = (0..3).find(|&i| cuts[i].is_some() && (cuts[(i + 1) % 3].is_some() || cuts[(i + 2) % 3].is_none()));
    let turn = first.unwrap_or(0);
    let [a, b, c] = [0, 1, 2].map(|i| triangle[(turn + i) % 3]);
    match [0, 1, 2].map(|i| cuts[(turn + i) % 3]) {
        [Some(ab), Some(bc), _] => into.extend([[ab, b, bc], [a, ab, bc], [a, bc, c]]),
        [Some(ab), None, _] => into.extend([[a, ab, c], [ab, b, c]]),
        _ => into.push(triangle),
    }
}
