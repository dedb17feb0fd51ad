//! IK feet that do not go where the feet go: engines that solve the legs from them pull the feet away.

use super::text::{capital, length};
use super::{CheckId, CheckInput, Severity, Verdict};
use crate::motion::{ChainSampler, Role, Side, chain_to};
use crate::ops::{OpError, Progress};

/// An IK foot within this of its foot marks it, metres.
const MARKS_M: f64 = 0.01;
/// As many instants are looked at, evenly spread.
const MOST_INSTANTS: usize = 4096;

pub(super) fn check(input: &CheckInput<'_>, progress: &Progress, out: &mut Verdict) -> Result<(), OpError> {
    let (clip, rig) = (input.clip, input.rig);
    let mut worst: Option<(f64, f64)> = None;
    let mut each = Vec::new();
    for (side, name) in [(Side::Left, "left"), (Side::Right, "right")] {
        progress.check()?;
        let Some((ik, fk)) = rig.bone(Role::IkFoot(side)).zip(rig.bone(Role::Foot(side))) else { continue };
        let [mut ik, mut fk] = [ik, fk].map(|bone| ChainSampler::for_position(clip, &chain_to(&clip.skeleton, bone)));
        let frames = input.motion.frames;
        let stride = frames.count.div_ceil(MOST_INSTANTS).max(1);
        let apart = (0..frames.count).step_by(stride).map(|frame| {
            let secs = frames.secs(frame);
            (secs, ik.last_at(secs).translation.distance(fk.last_at(secs).translation))
        });
        let Some((secs, distance)) = apart.max_by(|a, b| a.1.total_cmp(&b.1)) else { continue };
        each.push(format!("{name} {}", length(distance)));
        if worst.is_none_or(|(_, most)| distance > most) {
            worst = Some((secs, distance));
        }
    }
    let Some((secs, distance)) = worst.filter(|(_, distance)| *distance > MARKS_M) else { return Ok(()) };
    out.part(CheckId::IkFeet, Severity::Advice, format!("IK feet off by {}", length(distance)));
    let title = format!("IK feet do not follow the feet: {}", each.join(", "));
    let detail = "Largest distance of each IK foot from the foot that it marks. An engine that solves the legs from the \
                  IK feet will pull the feet there.";
    out.note(CheckId::IkFeet, Severity::Advice, capital(&title), detail).at(secs);
    Ok(())
}
