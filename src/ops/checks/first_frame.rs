//! A first frame that does not belong to the motion: the T-pose that capture systems and exporters put there.

use glam::DVec3;

use super::text::length;
use super::{CheckId, CheckInput, Severity, Verdict};
use crate::motion::transform::{ground, yaw_rotation};
use crate::motion::{BoneIndex, Role, Side};
use crate::ops::gait::leg_length;

/// A jump is at least so far, in leg lengths…
const JUMP: f64 = 0.15;
/// …and so many times as far as the largest of the steps after it.
const TIMES: f64 = 5.0;
/// A pose is the reference pose when its joints are on average within this share of a leg.
const SAME_POSE: f64 = 0.06;
/// An arm is straight when shoulder and hand are this far apart, in arm lengths…
const STRAIGHT: f64 = 0.94;
/// …and level when they differ by less than this in height.
const LEVEL: f64 = 0.25;

pub(super) fn check(input: &CheckInput<'_>, out: &mut Verdict) {
    let (clip, rig, frames) = (input.clip, input.rig, input.motion.frames);
    let Some(pelvis) = rig.bone(Role::Pelvis).filter(|_| frames.count >= 4) else { return };
    let is_body = |role: &Role| {
        !matches!(
            role,
            Role::Root | Role::IkFootRoot | Role::IkFoot(_) | Role::IkHandRoot | Role::IkHandGun | Role::IkHand(_)
        )
    };
    let watched: Vec<BoneIndex> = rig.roles.iter().filter(|(role, _)| is_body(role)).map(|(_, &bone)| bone).collect();
    let poses: Vec<Vec<DVec3>> = (0..4)
        .map(|frame| {
            let pose = clip.component_at(frames.secs(frame));
            watched.iter().map(|&bone| pose.position(bone)).collect()
        })
        .collect();
    let leg_m = leg_length(clip, rig);
    let steps: Vec<f64> = poses.windows(2).map(|pair| farthest(&pair[0], &pair[1])).collect();
    let after = steps[1].max(steps[2]);
    if steps[0] < JUMP * leg_m || steps[0] < TIMES * after {
        return;
    }
    let at = watched.iter().position(|&bone| bone == pelvis).unwrap_or(0);
    let skeleton = &clip.skeleton;
    let rests = [skeleton.reference_component(), skeleton.node_pose_component()];
    let is_rest = rests.iter().any(|rest| {
        let rest: Vec<DVec3> = watched.iter().map(|bone| rest[bone.get()].translation).collect();
        apart(&poses[0], &rest, at) < SAME_POSE * leg_m
    });
    let (what, text) = match (is_t_pose(input), is_rest) {
        (true, _) => ("a T-pose", "T-pose first frame"),
        (false, true) => ("the reference pose", "first frame is the reference pose"),
        (false, false) => ("another pose", "first frame jumps"),
    };
    out.part(CheckId::FirstFrame, Severity::Warning, text);
    let title = format!("The first frame is {what}: {} from the second", length(steps[0]));
    let detail = format!(
        "The next frames are {} apart at most. It spoils loops, travel and the start of a blend: cut the first frame \
         off where the clip was made.",
        length(after)
    );
    out.note(CheckId::FirstFrame, Severity::Warning, title, detail).at(frames.secs(1));
}

/// Whether both arms are held out level and straight in the first frame.
fn is_t_pose(input: &CheckInput<'_>) -> bool {
    let pose = input.clip.component_at(input.motion.frames.start_secs);
    [Side::Left, Side::Right].into_iter().all(|side| {
        let joints = [Role::UpperArm(side), Role::Forearm(side), Role::Hand(side)].map(|role| input.rig.bone(role));
        let [Some(upper), Some(fore), Some(hand)] = joints.map(|bone| bone.map(|bone| pose.position(bone))) else {
            return false;
        };
        let (arm, length) = (hand - upper, upper.distance(fore) + fore.distance(hand));
        arm.length() > STRAIGHT * length && arm.y.abs() < LEVEL * length
    })
}

fn farthest(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
}

/// Mean distance of two poses, the bone number `at` of both at one place and the turn about up that brings them
/// nearest: the sums over the ground of dot and cross products are its cosine and sine.
fn apart(a: &[DVec3], b: &[DVec3], at: usize) -> f64 {
    let pairs = || a.iter().zip(b).map(|(p, q)| (*p - a[at], *q - b[at]));
    let cosine: f64 = pairs().map(|(p, q)| ground(p).dot(ground(q))).sum();
    let sine: f64 = pairs().map(|(p, q)| ground(q).cross(ground(p)).y).sum();
    let turn = yaw_rotation(sine.atan2(cosine));
    pairs().map(|(p, q)| p.distance(turn * q)).sum::<f64>() / a.len().max(1) as f64
}
