//! Frames per second: whether the keys lie on the frames of the rate that the clip says it has.

use super::text::fps;
use super::{CheckId, CheckInput, Severity, Verdict};
use crate::motion::time::guess_rate;
use crate::motion::{Property, Times};

/// More keys than this are not looked at.
const MOST_KEYS: usize = 100_000;
/// A key this near to a frame is on it, in frames.
const ON_FRAME: f64 = 0.02;
/// As many keys as this share lie on frames, or the rate is not the keys'.
const MOST_ON: f64 = 0.95;
/// Fewer keys say nothing.
const FEWEST_KEYS: usize = 5;

pub(super) fn check(input: &CheckInput<'_>, out: &mut Verdict) {
    // A matter of the file: operations add keys where curves need them.
    let rate = input.take.rate.fps();
    let Some(times) = densest(input) else { return };
    if on_frames(&times, rate) >= MOST_ON {
        return;
    }
    let (keys, sure) = match (guess_rate(&times), even_rate(&times)) {
        (Some(guess), _) => (guess.fps(), true),
        (None, Some(even)) => (even, true),
        (None, None) => (0.0, false),
    };
    if !sure {
        let title = format!("Keys do not lie on the frames of {}", fps(rate));
        let detail = "They lie on no even grid: set by hand, reduced, or retimed. Nothing is resampled; between keys the \
                      file's own interpolation holds.";
        out.note(CheckId::Rate, Severity::Info, title, detail).at(times[0]);
        return;
    }
    out.part(CheckId::Rate, Severity::Advice, format!("keys at {}, file at {}", fps(keys), fps(rate)));
    let title = format!("Keys are spaced for {}, the file says {}", fps(keys), fps(rate));
    let detail = format!(
        "{:.0} % of the keys lie on frames of {}. A program that samples the file at its own rate shows poses between \
         the keys and may lose the last frame.",
        100.0 * on_frames(&times, rate),
        fps(rate)
    );
    out.note(CheckId::Rate, Severity::Advice, title, detail).at(times[0]);
}

/// Key times of the take's track that has most of them.
fn densest(input: &CheckInput<'_>) -> Option<Vec<f64>> {
    let mut best: Option<&Times> = None;
    for slots in &input.take.tracks {
        for property in Property::ALL {
            let Some(track) = slots[property.slot()].as_deref() else { continue };
            if !track.is_constant(property) && best.is_none_or(|best| track.times.len() > best.len()) {
                best = Some(&track.times);
            }
        }
    }
    let best = best.filter(|times| times.len() >= FEWEST_KEYS)?;
    Some(best.iter().take(MOST_KEYS).collect())
}

/// Share of the times that lie on frames, counted from the first.
fn on_frames(times: &[f64], rate: f64) -> f64 {
    let on = times.iter().filter(|&&t| {
        let frames = (t - times[0]) * rate;
        (frames - frames.round()).abs() <= ON_FRAME
    });
    on.count() as f64 / times.len() as f64
}

/// The rate of keys that are evenly spaced, whatever it is.
fn even_rate(times: &[f64]) -> Option<f64> {
    let step = (times[times.len() - 1] - times[0]) / (times.len() - 1) as f64;
    let rate = 1.0 / step;
    (rate.is_finite() && on_frames(times, rate) >= MOST_ON).then_some(rate)
}
