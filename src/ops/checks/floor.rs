//! How far the soles are above or below the floor when they are lowest.

use super::text::{capital, cm};
use super::{CheckId, CheckInput, Severity, Verdict};
use crate::ops::gait::leg_length;

/// Less is not seen, in leg lengths: half a centimetre on a person.
const SEEN: f64 = 0.006;
/// Nor is this little on the smallest, metres.
const LEAST_M: f64 = 0.003;
/// Feet that stay farther above the floor than this share of a leg are not meant to stand on it.
const ALOFT: f64 = 0.2;

pub(super) fn check(input: &CheckInput<'_>, out: &mut Verdict) {
    let motion = input.motion;
    let lowest: Vec<(&str, usize, f64)> = ["left", "right"]
        .into_iter()
        .zip(&motion.feet)
        .filter_map(|(side, foot)| {
            let heights = foot.as_ref()?.sole_height_m.iter().map(|&height| f64::from(height)).enumerate();
            let (frame, height) = heights.min_by(|a, b| a.1.total_cmp(&b.1))?;
            Some((side, frame, height))
        })
        .collect();
    // The foot that is farther from the floor, and the lower of both.
    let Some(&(_, frame, low)) = lowest.iter().min_by(|a, b| a.2.total_cmp(&b.2)) else { return };
    let each: Vec<String> = lowest.iter().map(|(side, _, height)| format!("{side} {}", cm(*height))).collect();
    let each = each.join(", ");
    let secs = motion.frames.secs(frame);
    let leg_m = leg_length(input.clip, input.rig);
    let seen_m = (SEEN * leg_m).max(LEAST_M);
    if !motion.grounded {
        let detail = "The reference pose does not stand with both feet on the floor at height 0, so the thickness of the soles \
                      is not well known: this may be off by some centimetres.";
        let title = format!("Soles at their lowest: {each}, give or take their thickness");
        let severity = if low.abs() > 0.12 * leg_m { Severity::Advice } else { Severity::Info };
        if severity == Severity::Advice {
            out.part(CheckId::Floor, severity, format!("floor about {}", cm(low)));
        }
        out.note(CheckId::Floor, severity, title, detail).at(secs);
        return;
    }
    let aloft = low > ALOFT * leg_m;
    let detail = if aloft {
        "Measured against the reference pose, whose soles are on the floor. The feet never come near it: a jump, a \
         climb, a swim, or a clip that was moved up."
    } else {
        "Lowest height of each sole in the clip: of two points, below ankle and ball, that are on the floor in the \
         reference pose."
    };
    let (severity, text) = match low {
        _ if aloft => (Severity::Info, format!("feet {} up", cm(low))),
        _ if low.abs() < seen_m => (Severity::Info, String::new()),
        _ => (Severity::Advice, format!("floor {}", cm(low))),
    };
    let title = match low {
        _ if aloft => format!("The feet stay above the floor: {each}"),
        low if low <= -seen_m => format!("Soles sink below the floor: {each}"),
        low if low >= seen_m => format!("Soles never reach the floor: {each}"),
        _ => format!("Soles reach the floor: {each}"),
    };
    if !text.is_empty() {
        out.part(CheckId::Floor, severity, text);
    }
    out.note(CheckId::Floor, severity, capital(&title), detail).at(secs);
}
