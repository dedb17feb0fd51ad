//! Where an axis is marked: steps of 1, 2 and 5, as dense as labels allow without touching.

use super::{TimeAxis, TimeScale};

/// One mark.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// Where, points.
    pub place: f32,
    /// What stands there; empty for a mark between two that are named.
    pub label: String,
}

/// The smallest step of 1, 2 or 5 times a power of ten that is not below `least`; 1 where there is no such.
pub fn nice_step(least: f64) -> f64 {
    if !(least.is_finite() && least > 0.0) {
        return 1.0;
    }
    let power = 10f64.powi(least.log10().floor() as i32);
    // A step that fits but for rounding fits.
    let fits = |step: &f64| *step >= least * (1.0 - 1e-9);
    [power, 2.0 * power, 5.0 * power].into_iter().find(fits).unwrap_or(10.0 * power)
}

/// Digits behind the point that tell multiples of a step apart.
pub fn decimals(step: f64) -> usize {
    if step > 0.0 && step < 1.0 { ((-step.log10() - 1e-9).ceil() as usize).min(9) } else { 0 }
}

/// A number with as many digits as its step needs; never "-0".
pub fn number(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let zero = text.chars().all(|c| matches!(c, '-' | '0' | '.'));
    if zero { text.trim_start_matches('-').to_owned() } else { text }
}

/// Room between labels, in widths of a digit.
const GAP_DIGITS: f32 = 2.5;
/// Unnamed marks are no denser, points.
const DENSEST: f64 = 6.0;

/// Marks on whole frames, named by their numbers. `digit_width`: of the font of labels, points.
pub fn frame_ticks(axis: &TimeAxis, scale: &TimeScale, digit_width: f32) -> Vec<Tick> {
    let (from, to) = (axis.frames(scale.seen.start_secs), axis.frames(scale.seen.end_secs));
    let first = axis.first_frame as f64;
    let widest = [from, to].map(|frame| number(frame + first, 0).len()).into_iter().max().unwrap_or(1);
    let points_per_frame = f64::from(scale.right - scale.left) / (to - from).max(1e-9);
    let least = f64::from((widest as f32 + GAP_DIGITS) * digit_width) / points_per_frame;
    let step = nice_step(least.max(1.0));
    let minor = [10.0, 5.0, 2.0].into_iter().map(|parts| step / parts).find(|minor| {
        // A mark between frames would mark nothing.
        minor.fract() == 0.0 && minor * points_per_frame >= DENSEST
    });
    // Labels stand on round numbers as people count them, whatever the first frame's is.
    let place = |number: f64| scale.x(axis.frame_secs(number - first));
    between(from.max(0.0) + first, to.min(axis.last_frame() as f64) + first, step, minor, place, |value| {
        number(value, 0)
    })
}

/// Marks on round seconds since the clip's first instant, with their unit.
pub fn second_ticks(axis: &TimeAxis, scale: &TimeScale, digit_width: f32) -> Vec<Tick> {
    let start = axis.clip().start_secs;
    let (from, to) = (scale.seen.start_secs - start, scale.seen.end_secs - start);
    let points_per_sec = 1.0 / scale.secs_per_point();
    let label = |decimals: usize| move |secs: f64| format!("{} s", number(secs, decimals));
    let mut step = nice_step(f64::from(digit_width * (3.0 + GAP_DIGITS)) / points_per_sec);
    // A finer step has longer labels: widen until they fit. Each round grows the step, and labels shrink with it.
    for _ in 0..40 {
        let widest = [from, to].map(|secs| label(decimals(step))(secs).len()).into_iter().max().unwrap_or(1);
        let fitting = nice_step(f64::from((widest as f32 + GAP_DIGITS) * digit_width) / points_per_sec);
        if fitting <= step {
            break;
        }
        step = fitting;
    }
    let minor = [10.0, 5.0, 2.0].into_iter().map(|parts| step / parts).find(|minor| minor * points_per_sec >= DENSEST);
    let end = axis.clip().duration_secs();
    between(from.max(0.0), to.min(end), step, minor, |secs| scale.x(start + secs), label(decimals(step)))
}

/// Marks at multiples of `step` from `from` to `to`, and unnamed ones at multiples of `minor`, which divides it.
fn between(
    from: f64,
    to: f64,
    step: f64,
    minor: Option<f64>,
    place: impl Fn(f64) -> f32,
    label: impl Fn(f64) -> String,
) -> Vec<Tick> {
    let dense = minor.unwrap_or(step);
    let parts = (step / dense).round() as i64;
    let slack = 1e-6;
    let (first, last) = ((from / dense - slack).ceil(), (to / dense + slack).floor());
    // More marks than any screen has points are a fault of the numbers, not a picture.
    if !(first.is_finite() && last.is_finite()) || last - first > 1e5 {
        return Vec::new();
    }
    (first as i64..=last as i64)
        .map(|nth| {
            let value = nth as f64 * dense;
            let named = nth.rem_euclid(parts) == 0;
            Tick { place: place(value), label: if named { label(value) } else { String::new() } }
        })
        .collect()
}

/// Marks of a value axis: multiples of a round step, at least `least_gap` points apart. `place`: where a value lies.
pub fn value_ticks(low: f64, high: f64, points_per_unit: f64, least_gap: f64, place: impl Fn(f64) -> f32) -> Vec<Tick> {
    let step = nice_step(least_gap / points_per_unit.max(1e-12));
    let digits = decimals(step);
    between(low, high, step, None, place, |value| number(value, digits))
}
