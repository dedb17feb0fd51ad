//! Whether a clip repeats: a guess made once, on opening, that a person can change.

use glam::{DAffine3, DQuat};

use super::gait::foot_rises;
use super::yaw::twist_about_up;
use crate::motion::transform::{angle_between, ground, rotation_of, yaw_rotation};
use crate::motion::{BoneIndex, Clip, ComponentPose, Cycle, LocalPose, Rig, Role, Sampler, Side};

/// Ends nearer than this are the same pose, metres.
const SAME_M: f64 = 0.01;
/// Ends nearer than this are the same pose, radians.
const SAME_RAD: f64 = 3.0 * std::f64::consts::PI / 180.0;

/// Less is not motion, metres.
const MOVES_M: f64 = 5e-4;

/// Compares pelvis, feet and hands of the last key with the first, travel and turn taken out. A clip without a known
/// pelvis and feet, or in which they do not move, is never called a loop.
pub fn guess_cycle(clip: &Clip, rig: &Rig) -> Cycle {
    let Some(pelvis) = rig.travel_bone.or_else(|| rig.bone(Role::Pelvis)) else { return Cycle::None };
    let sides = [Side::Left, Side::Right];
    // A foot that does not rise is planted throughout: an idle is a loop too.
    if !sides.into_iter().all(|side| foot_rises(clip, rig, side).is_some()) {
        return Cycle::None;
    }
    let mut watched = vec![pelvis];
    watched.extend(
        sides.into_iter().flat_map(|side| [Role::Foot(side), Role::Hand(side)]).filter_map(|role| rig.bone(role)),
    );
    let frame = clip.rate.frame_secs();
    let (start, end) = (clip.range.start_secs, clip.range.end_secs);
    if end - start < 4.0 * frame {
        return Cycle::None;
    }
    let poses = [start, start + frame, end - frame, end].map(|secs| Standing::of(clip, secs, pelvis, &watched));
    let [first, second, before_last, last] = &poses;
    let middle = Standing::of(clip, 0.5 * (start + end), pelvis, &watched);
    let moves =
        [second, before_last, &middle].into_iter().any(|pose| first.steps_to(pose).iter().any(|&m| m > MOVES_M));
    if !moves {
        return Cycle::None;
    }
    if last.is_near(first) {
        return Cycle::LastRepeatsFirst;
    }
    // One short: the step across the seam is like its neighbours, for every bone watched.
    let seam = last.steps_to(first);
    let (before, after) = (before_last.steps_to(last), first.steps_to(second));
    let smooth =
        seam.iter().zip(before.iter().zip(&after)).all(|(&seam, (&a, &b))| seam <= 1.5 * a.max(b) + SAME_M * 0.1);
    if smooth { Cycle::OneShort } else { Cycle::None }
}

/// Bones seen from the pelvis's place on the ground, turned so that the pelvis does not.
pub(super) struct Standing(pub(super) Vec<DAffine3>);

impl Standing {
    pub(super) fn of(clip: &Clip, secs: f64, pelvis: BoneIndex, watched: &[BoneIndex]) -> Self {
        let mut local = LocalPose::node_pose(&clip.skeleton);
        Sampler::new(clip).local(secs, &mut local);
        let mut pose = ComponentPose::new(&clip.skeleton);
        pose.set(&clip.skeleton, &local);
        let yaw = twist_about_up(pose.rotation(pelvis) * reference_rotation(clip, pelvis).conjugate()).unwrap_or(0.0);
        let place = DAffine3::from_rotation_translation(yaw_rotation(yaw), ground(pose.position(pelvis)));
        let from = place.inverse();
        Self(watched.iter().map(|bone| from * pose.0[bone.get()]).collect())
    }

    fn is_near(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| {
            a.translation.distance(b.translation) <= SAME_M && angle_between(rotation_of(a), rotation_of(b)) <= SAME_RAD
        })
    }

    fn steps_to(&self, other: &Self) -> Vec<f64> {
        self.0.iter().zip(&other.0).map(|(a, b)| a.translation.distance(b.translation)).collect()
    }
}

fn reference_rotation(clip: &Clip, bone: BoneIndex) -> DQuat {
    rotation_of(&clip.skeleton.reference_component()[bone.get()])
}
