//! Which bone is under the pointer.

use eframe::egui::{Pos2, Rect};
use glam::{DAffine3, DVec2, DVec3};

use super::anatomy::BoneLook;
use super::orbit::Orbit;
use crate::motion::{BoneIndex, Skeleton};

/// A bone farther from the pointer than this is not meant, points.
const REACH_POINTS: f64 = 10.0;
/// One that is this share of the camera's distance nearer to the eye wins over one a point nearer to the pointer.
const DEPTH_PER_POINT: f64 = 0.01;

/// A camera as seen from the screen.
#[derive(Clone, Copy, Debug)]
pub struct Eye {
    /// What it looks at, world, metres.
    pub focus: DVec3,
    /// Where from.
    pub orbit: Orbit,
    /// Without perspective.
    pub orthographic: bool,
    /// The picture on the screen.
    pub rect: Rect,
}

impl Eye {
    /// Where a point of the world comes to lie, and its distance from the eye along the view; `None` behind the eye.
    pub fn project(&self, point: DVec3) -> Option<(DVec2, f64)> {
        let frame = self.orbit.frame();
        let off = point - self.focus;
        let depth = self.orbit.distance - off.dot(frame.back);
        let at_focus = self.orbit.picture_height();
        let seen = if self.orthographic { at_focus } else { at_focus * depth / self.orbit.distance };
        if !self.orthographic && depth < 1e-3 * self.orbit.distance {
            return None;
        }
        let points = f64::from(self.rect.height()) / seen;
        let middle = self.rect.center();
        let x = f64::from(middle.x) + off.dot(frame.right) * points;
        let y = f64::from(middle.y) - off.dot(frame.up) * points;
        Some((DVec2::new(x, y), depth))
    }
}

/// The bone meant by a pointer, in the front where several are: each reaches from its joint to those of its children.
/// `world` holds the bones' places. Shapes `[bones]`.
pub fn bone_at(
    eye: &Eye,
    skeleton: &Skeleton,
    looks: &[BoneLook],
    world: &[DAffine3],
    pointer: Pos2,
) -> Option<BoneIndex> {
    let pointer = DVec2::new(f64::from(pointer.x), f64::from(pointer.y));
    let projected: Vec<Option<(DVec2, f64)>> = world.iter().map(|bone| eye.project(bone.translation)).collect();
    let mut best: Option<(f64, BoneIndex)> = None;
    let mut offer = |bone: BoneIndex, points: f64, depth: f64| {
        let score = points + depth / (eye.orbit.distance * DEPTH_PER_POINT);
        if points <= REACH_POINTS && best.is_none_or(|(least, _)| score < least) {
            best = Some((score, bone));
        }
    };
    for bone in skeleton.indices() {
        let look = looks[bone.get()];
        let Some((joint, depth)) = projected[bone.get()] else { continue };
        if look.seen {
            offer(bone, joint.distance(pointer), depth);
        }
        let Some(parent) = skeleton.parent(bone).filter(|parent| look.joined && looks[parent.get()].seen) else {
            continue;
        };
        if let Some((from, from_depth)) = projected[parent.get()] {
            let (points, u) = distance_to_segment(pointer, from, joint);
            offer(parent, points, from_depth + (depth - from_depth) * u);
        }
    }
    best.map(|(_, bone)| bone)
}

fn distance_to_segment(point: DVec2, a: DVec2, b: DVec2) -> (f64, f64) {
    let along = b - a;
    let length_squared = along.length_squared();
    let u = if length_squared > 0.0 { ((point - a).dot(along) / length_squared).clamp(0.0, 1.0) } else { 0.0 };
    (point.distance(a + along * u), u)
}
