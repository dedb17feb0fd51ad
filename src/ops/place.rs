//! Move to origin: the whole clip turned and shifted, rigidly, to start at the origin and head along +Z.

use std::sync::Arc;

use glam::{DAffine3, DQuat, DVec3};
use serde::{Deserialize, Serialize};

use super::heading::heading;
use super::path::travel_bone;
use super::{OpError, OpInput, OpOutput, Progress, Report};
use crate::motion::transform::{ground, yaw_rotation};
use crate::motion::{BoneIndex, ChainSampler, Clip, Interpolation, Property, Rig, Times, Track, Transform, chain_to};

/// Turns the clip's heading to +Z and brings its start to the origin, on the ground plane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct MoveToOrigin {
    /// Turn the heading to +Z.
    pub turn: bool,
    /// Bring the start to x = z = 0.
    pub shift: bool,
    /// Path or name of the bone whose travel it is; `None`: the rig's.
    pub travel_bone: Option<String>,
}

impl Default for MoveToOrigin {
    fn default() -> Self {
        Self { turn: true, shift: true, travel_bone: None }
    }
}

impl MoveToOrigin {
    /// The clip moved rigidly. The keys stay the keys: a rigid motion of the bone that carries everything is exact
    /// between them too, cubic ones included.
    ///
    /// # Errors
    /// No travel bone, too many keys.
    pub fn apply(&self, input: &OpInput<'_>, _progress: &Progress) -> Result<OpOutput, OpError> {
        let clip = input.clip;
        let mut report = Report::default();
        let travel = travel_bone(clip, input.rig, self.travel_bone.as_deref())?;
        let found = heading(clip, input.rig, travel)?;
        let start = start_of(clip, input.rig, travel);
        let turn = if self.turn { yaw_rotation(-found.heading) } else { DQuat::IDENTITY };
        let target = if self.shift { DVec3::ZERO } else { ground(start) };
        let moved = DAffine3::from_rotation_translation(turn, target - turn * ground(start));
        report.figure("heading", found.heading.to_degrees(), "°");
        report.figure("movement angle", found.movement_angle.to_degrees(), "°");
        report.figure("shift", ground(start).length(), "m");
        Ok(OpOutput { clip: Arc::new(moved_clip(clip, input.rig, travel, moved)), skeleton: None, report })
    }
}

/// Ground point at which the clip starts: the root's when it is near or carries the travel, else the travel bone's.
pub(super) fn start_of(clip: &Clip, rig: &Rig, travel: BoneIndex) -> DVec3 {
    let at = |bone| ChainSampler::new(clip, &chain_to(&clip.skeleton, bone)).last_at(clip.range.start_secs).translation;
    let Some(root) = rig.root() else { return at(travel) };
    let near = ground(at(root) - at(travel)).length() < 0.25 * super::gait::leg_length(clip, rig);
    let moves = !ChainSampler::of_bone(clip, root).is_static();
    if near || moves { at(root) } else { at(travel) }
}

/// Applies a component-space rigid motion to the bone that carries the travel and to every other branch that moves,
/// such as IK bones beside the root. What stands above each of them stands still, so the motion is constant in its
/// parent's space.
fn moved_clip(clip: &Clip, rig: &Rig, travel: BoneIndex, moved: DAffine3) -> Clip {
    let moves = |bone: BoneIndex| !ChainSampler::of_bone(clip, bone).is_static();
    let chain = chain_to(&clip.skeleton, travel);
    let root = rig.root().filter(|&root| clip.skeleton.is_at_or_above(root, travel)).unwrap_or(travel);
    let carrier = match chain.iter().copied().find(|&bone| moves(bone)) {
        Some(moving) if clip.skeleton.is_at_or_above(moving, root) => moving,
        _ => root,
    };
    let mut out = Clip::clone(clip);
    move_bone(&mut out, clip, carrier, moved);
    let mut is_moved = vec![false; clip.skeleton.len()];
    for bone in clip.skeleton.indices() {
        let carried = clip.skeleton.parent(bone).is_some_and(|parent| is_moved[parent.get()]);
        is_moved[bone.get()] = carried || bone == carrier;
        // Bones above the carrier stand still; one that moves elsewhere starts a branch of its own.
        if !is_moved[bone.get()] && moves(bone) {
            move_bone(&mut out, clip, bone, moved);
            is_moved[bone.get()] = true;
        }
    }
    out
}

fn move_bone(out: &mut Clip, clip: &Clip, bone: BoneIndex, moved: DAffine3) {
    let above = clip.skeleton.parent(bone).map_or(DAffine3::IDENTITY, |parent| {
        ChainSampler::new(clip, &chain_to(&clip.skeleton, parent)).last_at(clip.range.start_secs)
    });
    let local = Transform::from_affine(above.inverse() * moved * above);
    let node_pose = clip.skeleton.bone(bone).node_pose;
    let once = Arc::new(Times::single(clip.range.start_secs));
    let constant = |property: Property| {
        let values: Arc<[f32]> = match property {
            Property::Rotation => node_pose.rotation.to_array().map(|v| v as f32).to_vec().into(),
            _ => node_pose.translation.to_array().map(|v| v as f32).to_vec().into(),
        };
        Track { times: once.clone(), values, interpolation: Interpolation::Linear, times_from: None, values_from: None }
    };
    for property in [Property::Translation, Property::Rotation] {
        let track = out.track(bone, property).map_or_else(|| constant(property), |track| Track::clone(track));
        let turned = turned_track(&track, property, &local);
        out.set_track(bone, property, turned);
    }
}

/// The track's keys, tangents included, moved by a rigid transform.
fn turned_track(track: &Track, property: Property, moved: &Transform) -> Track {
    let width = property.width();
    let cubic = track.interpolation == Interpolation::CubicSpline;
    let mut values = Vec::with_capacity(track.values.len());
    for (i, part) in track.values.chunks_exact(width).enumerate() {
        let is_tangent = cubic && i % 3 != 1;
        if property == Property::Rotation {
            let q = DQuat::from_xyzw(part[0].into(), part[1].into(), part[2].into(), part[3].into());
            // Left multiplication is linear, so it is right for tangents too and keeps every hemisphere as it was.
            let turned = moved.rotation * q;
            values.extend(turned.to_array().map(|v| v as f32));
        } else {
            let v = DVec3::new(part[0].into(), part[1].into(), part[2].into());
            let turned = moved.rotation * v * moved.scale.x;
            let turned = if is_tangent { turned } else { turned + moved.translation };
            values.extend(turned.to_array().map(|v| v as f32));
        }
    }
    Track { values: values.into(), values_from: None, ..track.clone() }
}
