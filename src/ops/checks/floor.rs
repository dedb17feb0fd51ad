//! How far the soles are above or below the floor when they are lowest.

use super::text::{capital, cm};
use super::{CheckId, CheckInput, Severity, Verdict};
use crate::ops::gait::leg_length;

/// Less is not seen, metres.
const SEEN_M: f64 = 0.005;
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
    let uneven = lowest.iter().map(|(_, _, height)| height - low).fold(0.0, f64::max);
    if !motion.grounded {
        let detail = "The reference pose does not stand on the floor at height 0, so the thickness of the soles is not \
                      known; its lowest leg joint was taken for the floor, which makes soles seem 1 to 3 cm too high.";
        let title = format!("Soles at their lowest: {each}, give or take their thickness");
        let severity = if low.abs() > 0.1 { Severity::Advice } else { Severity::Info };
        if severity == Severity::Advice {
            out.part(CheckId::Floor, severity, format!("floor about {}", cm(low)));
        }
        out.note(CheckId::Floor, severity, title, detail).at(secs);
        return;
    }
    let aloft = low > ALOFT * leg_length(input.clip, input.rig);
    let detail = if aloft {
        "Measured against the reference pose, whose soles are on the floor. The feet never come near it: a jump, a \
         climb, a swim, or a clip that was moved up."
    } else {
        "Lowest height of each sole in the clip, ankle and ball measured against the reference pose, whose soles are \
         on the floor."
    };
    let (severity, text) = match low {
        _ if aloft => (Severity::Info, format!("feet {} up", cm(low))),
        _ if low.abs() < SEEN_M && uneven < SEEN_M => (Severity::Info, String::new()),
        _ if low.abs() < SEEN_M => (Severity::Info, format!("one foot {} up", cm(uneven))),
        _ => (Severity::Advice, format!("floor {}", cm(low))),
    };
    let title = match low {
        _ if aloft => format!("The feet stay above the floor: {each}"),
        low if low <= -SEEN_M => format!("Soles sink below the floor: {each}"),
        low if low >= SEEN_M => format!("Soles never reach the floor: {each}"),
        _ => format!("Soles reach the floor: {each}"),
    };
    if !text.is_empty() {
        out.part(CheckId::Floor, severity, text);
    }
    out.note(CheckId::Floor, severity, capital(&title), detail).at(secs);
}
