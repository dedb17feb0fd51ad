//! Bones without keys evaluate to the file's node pose; where that is not their bind pose, the mesh shows it.

use super::text::length;
use super::{CheckId, CheckInput, Severity, Verdict};
use crate::motion::transform::{angle_between, rotation_of};
use crate::motion::{BoneIndex, Property};

/// Farther off is seen, metres.
const OFF_M: f64 = 0.001;
/// Turned by more is seen, radians.
const OFF_RAD: f64 = 0.5 * std::f64::consts::PI / 180.0;

pub(super) fn check(input: &CheckInput<'_>, out: &mut Verdict) {
    let clip = input.clip;
    let skeleton = &clip.skeleton;
    let reference = skeleton.reference_component();
    let mut off: Vec<(BoneIndex, f64, f64)> = Vec::new();
    for bone in skeleton.indices() {
        let entry = skeleton.bone(bone);
        // Only where the parent was bound too is the bind pose a local transform.
        let Some((bound, parent)) = entry.bind_pose.zip(entry.parent) else { continue };
        if skeleton.bone(parent).bind_pose.is_none() {
            continue;
        }
        let above = reference[parent.get()];
        let node = above * entry.node_pose.to_affine();
        let untracked = |property: Property| clip.track(bone, property).is_none();
        let distance = node.translation.distance(bound.translation);
        let turn = angle_between(rotation_of(&node), rotation_of(&bound));
        let distance = if untracked(Property::Translation) { distance } else { 0.0 };
        let turn = if untracked(Property::Rotation) { turn } else { 0.0 };
        if distance > OFF_M || turn > OFF_RAD {
            off.push((bone, distance, turn));
        }
    }
    let name = |bone: BoneIndex| skeleton.bone(bone).name.as_str();
    let worst_turn = off.iter().max_by(|a, b| a.2.total_cmp(&b.2));
    let Some((farthest, turned)) = off.iter().max_by(|a, b| a.1.total_cmp(&b.1)).zip(worst_turn) else { return };
    let mut said = Vec::new();
    if farthest.1 > OFF_M {
        said.push(format!("{} by {}", name(farthest.0), length(farthest.1)));
    }
    if turned.2 > OFF_RAD {
        said.push(format!("{} by {:.1}°", name(turned.0), turned.2.to_degrees()));
    }
    let bones =
        if off.len() == 1 { "1 bone without keys stands" } else { &format!("{} bones without keys stand", off.len()) };
    let title = format!("{bones} off the bind pose: {}", said.join(", "));
    let detail = "The take has no keys for them, so they stay as the file's nodes are, and the mesh is bent there though \
                  nothing animates it.";
    out.note(CheckId::RestPose, Severity::Advice, title, detail);
}
