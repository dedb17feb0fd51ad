//! Which bone is under the pointer.

use eframe::egui::{Pos2, Rect};
use glam::{DAffine3, DVec2, DVec3};

use super::anatomy::BoneLook;
use crate::motion::{BoneIndex, Skeleton};
use crate::render::Camera;

/// A bone farther from the pointer than this is not meant, points.
const REACH_POINTS: f64 = 10.0;
/// One that is this share of the camera's distance nearer to the eye wins over one a point nearer to the pointer.
const DEPTH_PER_POINT: f64 = 0.01;

/// From this share of a bone's length on, its child's joint is meant.
const JOINT_SHARE: f64 = 0.85;

/// A camera with its picture's place on the screen.
#[derive(Clone, Copy, Debug)]
pub struct Eye {
    /// In the world.
    pub camera: Camera,
    /// Points.
    pub rect: Rect,
}

impl Eye {
    /// Where a point of the world comes to lie, points, and how deep in the picture; `None` behind the eye.
    pub fn project(&self, world: DVec3) -> Option<(DVec2, f64)> {
        let size = [f64::from(self.rect.width()), f64::from(self.rect.height())];
        let (pixel, _) = self.camera.project(world, size)?;
        let corner = DVec2::new(f64::from(self.rect.left()), f64::from(self.rect.top()));
        let towards = (self.camera.focus - self.camera.eye()) / self.camera.distance;
        Some((corner + pixel, (world - self.camera.eye()).dot(towards)))
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
        let score = points + depth / (eye.camera.distance * DEPTH_PER_POINT);
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
            // Near its end a bone shares the place with the joint of the next, which is the one that is meant there.
            offer(
                if u > JOINT_SHARE && look.seen { bone } else { parent },
                points,
                from_depth + (depth - from_depth) * u,
            );
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
