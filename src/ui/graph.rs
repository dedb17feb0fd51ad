//! Values over time: an axis of values, lines of at most two points per column of pixels, and read-outs.
//!
//! Layout is here, as numbers ([`ValueAxis`], [`trace`]); [`plot`] paints it.

pub mod plot;

use eframe::egui::{Pos2, pos2};

use super::shown_motion::Timed;
use super::time_axis::TimeScale;
use super::time_axis::ticks::{Tick, value_ticks};

/// Least distance of two values named on an axis, points.
const VALUE_GAP: f64 = 14.0;

/// Which value lies how high.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueAxis {
    /// At the bottom.
    pub low: f64,
    /// At the top.
    pub high: f64,
    /// Where the top is, points.
    pub top: f32,
    /// Where the bottom is, points.
    pub bottom: f32,
}

impl ValueAxis {
    /// Room above and below the values, as a share of their span.
    const MARGIN: f64 = 0.08;

    /// Holds all `extremes`, and spans at least `least`, so that the noise of what stands still does not fill the plot.
    pub fn around(extremes: impl IntoIterator<Item = (f64, f64)>, least: f64, top: f32, bottom: f32) -> Self {
        let all = extremes.into_iter().filter(|(low, high)| low.is_finite() && high.is_finite());
        let (low, high) =
            all.reduce(|all, more| (all.0.min(more.0), all.1.max(more.1))).unwrap_or((-least / 2.0, least / 2.0));
        let span = (high - low).max(least) * (1.0 + 2.0 * Self::MARGIN);
        let middle = (low + high) / 2.0;
        Self { low: middle - span / 2.0, high: middle + span / 2.0, top, bottom: bottom.max(top + 1.0) }
    }

    /// Points per unit.
    pub fn points_per_unit(&self) -> f64 {
        f64::from(self.bottom - self.top) / (self.high - self.low)
    }

    /// Where a value lies.
    pub fn y(&self, value: f64) -> f32 {
        (f64::from(self.bottom) - (value - self.low) * self.points_per_unit()).clamp(-1e5, 1e5) as f32
    }

    /// Values to be named.
    pub fn ticks(&self) -> Vec<Tick> {
        value_ticks(self.low, self.high, self.points_per_unit(), VALUE_GAP, |value| self.y(value))
    }
}

/// The points of a line: one per frame where frames are wider than columns, else the extremes of each column.
pub fn trace(line: Timed<'_>, factor: f64, scale: &TimeScale, columns: usize, values: &ValueAxis) -> Vec<Pos2> {
    let (frames, seen) = (line.series.frames(), line.time.range(scale.seen));
    let last = (frames.count - 1) as f64;
    let (from, to) = (frames.place(seen.start_secs).max(0.0), frames.place(seen.end_secs).min(last));
    if from > to || from.is_nan() || to.is_nan() {
        return Vec::new();
    }
    let y = |value: f32| values.y(f64::from(value) * factor);
    let mut points = Vec::new();
    if to - from <= columns as f64 {
        for frame in from.floor() as usize..=to.ceil() as usize {
            let value = line.series.values()[frame];
            if value.is_finite() {
                points.push(pos2(scale.x(line.time.back(frames.secs(frame))), y(value)));
            }
        }
        return points;
    }
    let width = (scale.right - scale.left) / columns as f32;
    for (column, extremes) in line.series.columns(seen, columns).enumerate() {
        let Some((low, high)) = extremes.filter(|(low, high)| low.is_finite() && high.is_finite()) else { continue };
        let x = scale.left + (column as f32 + 0.5) * width;
        let (low, high) = (pos2(x, y(low)), pos2(x, y(high)));
        // The end that lies nearer to where the line is comes first.
        let rising = points.last().is_none_or(|before: &Pos2| (before.y - low.y).abs() <= (before.y - high.y).abs());
        let (first, second) = if rising { (low, high) } else { (high, low) };
        points.push(first);
        if first.y != second.y {
            points.push(second);
        }
    }
    points
}
