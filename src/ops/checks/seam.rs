//! Whether the clip loops, and by how much its last pose misses its first.

use super::text::{cm, degrees};
use super::{CheckId, CheckInput, Severity, Verdict};
use crate::motion::transform::{angle_between, rotation_of};
use crate::motion::{BoneIndex, Cycle};
use crate::ops::cycle::Standing;
use crate::ops::gait::stride_period;

/// A gap that is seen in a loop, metres.
const SEEN_M: f64 = 0.005;
/// A clip with a gait whose ends are nearer than this might be meant as a loop, metres.
const NEARLY_M: f64 = 0.08;

/// The bone whose last place is farthest from its first, travel and turn of the hips taken out.
struct Gap {
    bone: BoneIndex,
    distance_m: f64,
    turn_rad: f64,
}

pub(super) fn check(input: &CheckInput<'_>, out: &mut Verdict) {
    // A first frame that is no part of the motion is no end of a loop either.
    let spoiled = [CheckId::Still, CheckId::FirstFrame].into_iter().any(|id| out.finding(id).is_some());
    let Some(gap) = gap(input).filter(|_| !spoiled) else { return };
    let name = &input.clip.skeleton.bone(gap.bone).name;
    let end = input.clip.range.end_secs;
    match input.clip.cycle {
        Cycle::LastRepeatsFirst => {
            let severity = if gap.distance_m > SEEN_M { Severity::Advice } else { Severity::Info };
            out.part(CheckId::Loop, severity, format!("loop, gap {}", cm(gap.distance_m)));
            let title = format!(
                "Loops; the last key repeats the first, gap {} ({name}), {}",
                cm(gap.distance_m),
                degrees(gap.turn_rad)
            );
            let detail = "The last key is the first pose again: players that show both hold it for two frames, most \
                          engines expect it. The gap is the largest of all role bones, travel and turn taken out.";
            out.note(CheckId::Loop, severity, title, detail).at(end);
        }
        Cycle::OneShort => {
            out.part(CheckId::Loop, Severity::Advice, "loop, one frame short");
            let title =
                format!("Loops one frame short: the last key is {} from the first pose ({name})", cm(gap.distance_m));
            let detail = "The first pose would come one frame after the last key. A player that goes from the last key \
                          straight to the first skips a frame; one that expects the repeated key drops one.";
            out.note(CheckId::Loop, Severity::Advice, title, detail).at(end);
        }
        Cycle::None if gap.distance_m < NEARLY_M && stride_period(input.clip, input.rig).is_some() => {
            out.part(CheckId::Loop, Severity::Advice, format!("no loop, gap {}", cm(gap.distance_m)));
            let title =
                format!("Almost a loop: the ends are {} apart ({name}), {}", cm(gap.distance_m), degrees(gap.turn_rad));
            let detail = "There is a gait and the last pose is near the first, but not near enough to be one pose.";
            out.note(CheckId::Loop, Severity::Advice, title, detail).at(end);
        }
        Cycle::None => {}
    }
}

fn gap(input: &CheckInput<'_>) -> Option<Gap> {
    let (clip, rig) = (input.clip, input.rig);
    if input.motion.frames.count < 3 {
        return None;
    }
    let pelvis = rig.travel_bone.or_else(|| rig.bone(crate::motion::Role::Pelvis))?;
    // The root of a clip that travels is where the travel is; IK bones have a check of their own.
    let below = |bone: BoneIndex| clip.skeleton.is_at_or_above(pelvis, bone);
    let mut watched: Vec<BoneIndex> = rig.roles.values().copied().filter(|&bone| below(bone)).collect();
    watched.sort_unstable();
    watched.dedup();
    let [first, last] =
        [clip.range.start_secs, clip.range.end_secs].map(|secs| Standing::of(clip, secs, pelvis, &watched));
    let pairs = watched.iter().zip(first.0.iter().zip(&last.0));
    let gaps = pairs.map(|(&bone, (a, b))| Gap {
        bone,
        distance_m: a.translation.distance(b.translation),
        turn_rad: angle_between(rotation_of(a), rotation_of(b)),
    });
    gaps.max_by(|a, b| a.distance_m.total_cmp(&b.distance_m))
}
