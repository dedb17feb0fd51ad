//! A skeleton as octahedra, and which of them lies under the cursor.

use glam::{DAffine3, DVec2, DVec3};

use super::camera::Camera;
use super::scene::{BoneShape, Color, Figure};
use crate::motion::{BoneIndex, Rig, Skeleton};

/// Octahedra from each joint to its children, a diamond where there is none to reach for: at the ends, at the root
/// and at IK bones, from which a line to the next bone would be no limb.
///
/// `pose` is component space, shape `[bones]`. `color` may leave bones out with `None`; the shape from a bone to its
/// child has the bone's colour and number.
pub fn bone_shapes(
    skeleton: &Skeleton,
    rig: &Rig,
    pose: &[DAffine3],
    color: impl Fn(BoneIndex) -> Option<Color>,
) -> Vec<BoneShape> {
    let is_ik = |bone: BoneIndex| rig.ik_pairs.iter().any(|pair| pair.ik == bone) || rig.ik_roots.contains(&bone);
    // Where the file says which nodes are bones, others (cameras, props, the scene) are none.
    let told = skeleton.bones().iter().any(|bone| bone.is_joint);
    let shown = |bone: BoneIndex| !told || skeleton.bone(bone).is_joint;
    let at = |bone: BoneIndex| pose.get(bone.get()).map(|at| at.translation).filter(|at| at.is_finite());
    let size = body_size(skeleton, pose, &shown);
    let mut has_limb = vec![false; skeleton.len()];
    let mut shapes = Vec::new();
    for child in skeleton.indices().filter(|&child| shown(child) && !is_ik(child)) {
        let Some(parent) = skeleton.parent(child).filter(|&parent| shown(parent) && !is_ik(parent)) else { continue };
        if Some(parent) == rig.root() {
            continue;
        }
        let (Some(from), Some(to), Some(color)) = (at(parent), at(child), color(parent)) else { continue };
        let length = from.distance(to);
        if length < size * 1e-4 {
            continue;
        }
        has_limb[parent.get()] = true;
        let width = (length * 0.17).clamp(size * 0.004, size * 0.032);
        shapes.push(shape(parent, from, to, width, color));
    }
    for bone in skeleton.indices().filter(|&bone| shown(bone) && !has_limb[bone.get()]) {
        if let (Some(at), Some(color)) = (at(bone), color(bone)) {
            let width = if Some(bone) == rig.root() || is_ik(bone) { 0.018 } else { 0.007 };
            shapes.push(shape(bone, at, at, size * width, color));
        }
    }
    shapes
}

fn shape(bone: BoneIndex, from: DVec3, to: DVec3, width: f64, color: Color) -> BoneShape {
    let (from, to) = (from.as_vec3().to_array(), to.as_vec3().to_array());
    BoneShape { bone, from, to, width_m: width as f32, color, selected: false }
}

/// Height of a person, or the largest extent of whatever it is: shapes are as thick as the body is big.
fn body_size(skeleton: &Skeleton, pose: &[DAffine3], shown: &impl Fn(BoneIndex) -> bool) -> f64 {
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for (bone, at) in skeleton.indices().zip(pose) {
        if shown(bone) && at.translation.is_finite() {
            (low, high) = (low.min(at.translation), high.max(at.translation));
        }
    }
    let size = (high - low).max_element();
    if size.is_finite() { size.clamp(0.01, 10.0) } else { 1.0 }
}

/// The bone whose shape lies nearest to a pixel, within a few pixels of it; of several the foremost.
pub fn bone_at(figure: &Figure, camera: &Camera, size: [f64; 2], pixel: DVec2) -> Option<BoneIndex> {
    const SLACK_PX: f64 = 4.0;
    let place = |point: [f32; 3]| {
        let world = figure.world_from_component.transform_point3(DVec3::from(point.map(f64::from)));
        camera.project(world, size).map(|(at, scale)| (at, scale, camera.eye().distance(world)))
    };
    let mut best: Option<(f64, f64, BoneIndex)> = None;
    for bone in &figure.bones {
        let (Some((from, scale, depth)), Some((to, ..))) = (place(bone.from), place(bone.to)) else { continue };
        let along = to - from;
        let t = ((pixel - from).dot(along) / along.length_squared().max(1e-12)).clamp(0.0, 1.0);
        let outside = (pixel.distance(from + along * t) - f64::from(bone.width_m) * 0.5 * scale).max(0.0);
        let nearer = best.is_none_or(|(far, behind, _)| outside < far - 0.5 || (outside < far + 0.5 && depth < behind));
        if outside <= SLACK_PX && nearer {
            best = Some((outside, depth, bone.bone));
        }
    }
    best.map(|(.., bone)| bone)
}
