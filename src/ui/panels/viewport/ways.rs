//! Lines of the picture that come from numbers alone: bones, trails, paths, and which way the root faces.

use glam::DVec3;

use super::actor::Actor;
use super::staging::Performance;
use crate::motion::transform::{ground, rotation_of, yaw_rotation};
use crate::motion::{BoneIndex, Side};
use crate::ops::yaw::twist_about_up;

/// Corners nearer than this to the line between their neighbours are left out, heights of the figure.
const STRAIGHT: f64 = 0.0015;

/// A bone as a line, component space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneLine {
    /// The bone it belongs to: it ends at the joint of a child.
    pub bone: BoneIndex,
    /// Whose colour it has: that of the child, so that a clavicle is of its side from the neck on.
    pub side: Option<Side>,
    /// The bone's joint.
    pub from: DVec3,
    /// The child's.
    pub to: DVec3,
}

/// The lines of a figure.
pub fn bone_lines(performance: &Performance<'_>) -> Vec<BoneLine> {
    let actor = performance.actor;
    let skeleton = &actor.clip().skeleton;
    let at = |bone: BoneIndex| performance.pose.position(bone);
    let line = |bone: BoneIndex| {
        let look = actor.looks[bone.get()];
        let parent = skeleton.parent(bone).filter(|_| look.joined)?;
        let (from, to) = (at(parent), at(bone));
        let sound = from.is_finite() && to.is_finite();
        sound.then_some(BoneLine { bone: parent, side: look.side, from, to })
    };
    skeleton.indices().filter_map(line).collect()
}

/// Joints that end a limb: the bone, its side, its place in component space.
pub fn leaf_joints(performance: &Performance<'_>) -> Vec<(BoneIndex, Option<Side>, DVec3)> {
    let actor = performance.actor;
    let skeleton = &actor.clip().skeleton;
    let mut ends: Vec<bool> = actor.looks.iter().map(|look| look.seen).collect();
    for bone in skeleton.indices().filter(|bone| actor.looks[bone.get()].joined) {
        if let Some(parent) = skeleton.parent(bone) {
            ends[parent.get()] = false;
        }
    }
    let leaf = |bone: BoneIndex| {
        let at = performance.pose.position(bone);
        (ends[bone.get()] && at.is_finite()).then(|| (bone, actor.looks[bone.get()].side, at))
    };
    skeleton.indices().filter_map(leaf).collect()
}

/// A path with the corners it needs: Douglas and Peucker's method, without recursion.
pub fn simplified(path: &[DVec3], tolerance: f64) -> Vec<DVec3> {
    if path.len() < 3 {
        return path.to_vec();
    }
    let mut kept = vec![false; path.len()];
    (kept[0], kept[path.len() - 1]) = (true, true);
    let mut pending = vec![(0, path.len() - 1)];
    while let Some((a, b)) = pending.pop() {
        let farthest =
            (a + 1..b).map(|i| (i, distance_to_segment(path[i], path[a], path[b]))).max_by(|x, y| x.1.total_cmp(&y.1));
        if let Some((i, _)) = farthest.filter(|(_, distance)| *distance > tolerance) {
            kept[i] = true;
            pending.push((a, i));
            pending.push((i, b));
        }
    }
    path.iter().zip(kept).filter(|(_, kept)| *kept).map(|(p, _)| *p).collect()
}

fn distance_to_segment(p: DVec3, a: DVec3, b: DVec3) -> f64 {
    let along = b - a;
    let square = along.length_squared();
    let u = if square > 0.0 { ((p - a).dot(along) / square).clamp(0.0, 1.0) } else { 0.0 };
    p.distance(a + along * u)
}

/// The ways of an actor, component space, with few corners. Made once per clip.
#[derive(Clone, Debug, Default)]
pub struct Ways {
    /// Of the pelvis.
    pub pelvis: Vec<DVec3>,
    /// Of the feet, left and right.
    pub feet: [Vec<DVec3>; 2],
    /// Of the pelvis on the floor.
    pub travel: Vec<DVec3>,
    /// Of the root on the floor.
    pub root: Vec<DVec3>,
}

impl Ways {
    /// From what was sampled.
    pub fn new(course: &super::course::Course) -> Self {
        let tolerance = STRAIGHT * course.height_m;
        let sound = |path: &[DVec3]| -> Vec<DVec3> { path.iter().copied().filter(|p| p.is_finite()).collect() };
        let on_floor = |path: &[DVec3]| -> Vec<DVec3> {
            sound(path).iter().map(|&p| ground(p) + DVec3::Y * course.floor_m).collect()
        };
        Self {
            pelvis: simplified(&sound(&course.pelvis.0), tolerance),
            feet: [0, 1].map(|side| simplified(&sound(&course.feet[side].0), tolerance)),
            travel: simplified(&on_floor(&course.pelvis.0), tolerance),
            root: simplified(&on_floor(&course.root.0), tolerance),
        }
    }

    /// Whether a way leads anywhere.
    pub fn moves(way: &[DVec3], height_m: f64) -> bool {
        way.first().is_some_and(|first| way.iter().any(|p| p.distance(*first) > 0.01 * height_m))
    }
}

/// Where the root stands on the floor and which way it faces, world; `None` without a root.
pub fn root_stand(performance: &Performance<'_>) -> Option<(DVec3, DVec3)> {
    let actor: &Actor = performance.actor;
    let root = actor.rig.root()?;
    let upright = rotation_of(&actor.upright_root?);
    let turned = performance.pose.rotation(root) * upright.conjugate();
    let yaw = twist_about_up(turned)?;
    let stand = ground(performance.pose.position(root)) + DVec3::Y * actor.course.floor_m;
    let facing = yaw_rotation(yaw) * DVec3::Z;
    let place = performance.place;
    stand.is_finite().then(|| (place.transform_point3(stand), place.transform_vector3(facing)))
}
