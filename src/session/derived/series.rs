//! Numbers per frame with a pyramid of their extremes, so that an hour is drawn as fast as a second.

use crate::motion::TimeRange;
use crate::ops::role_motion::Frames;

/// Blocks of one level that make one of the next.
const FACTOR: usize = 4;

/// One number per frame, linear between frames, and its extremes over ever longer stretches.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    frames: Frames,
    values: Vec<f32>,
    /// Level `k`: smallest and largest of each `4^(k+1)` frames; the last block of a level may be shorter.
    levels: Vec<Vec<[f32; 2]>>,
}

const NOTHING: [f32; 2] = [f32::INFINITY, f32::NEG_INFINITY];

fn joined(a: [f32; 2], b: [f32; 2]) -> [f32; 2] {
    [a[0].min(b[0]), a[1].max(b[1])]
}

impl Series {
    /// `values`: one per frame.
    pub fn new(frames: Frames, values: Vec<f32>) -> Self {
        debug_assert_eq!(frames.count, values.len());
        let mut levels: Vec<Vec<[f32; 2]>> = Vec::new();
        let mut below: Vec<[f32; 2]> =
            values.chunks(FACTOR).map(|block| block.iter().fold(NOTHING, |all, &v| joined(all, [v, v]))).collect();
        while below.len() > 1 {
            let above =
                below.chunks(FACTOR).map(|block| block.iter().fold(NOTHING, |all, &v| joined(all, v))).collect();
            levels.push(std::mem::replace(&mut below, above));
        }
        levels.push(below);
        Self { frames, values, levels }
    }

    /// When the frames are.
    pub fn frames(&self) -> &Frames {
        &self.frames
    }

    /// One value per frame.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// The value at an instant, linear between frames; past the ends the end values.
    pub fn at(&self, secs: f64) -> f32 {
        self.at_place(self.frames.place(secs))
    }

    fn at_place(&self, place: f64) -> f32 {
        let last = self.values.len() - 1;
        let place = if place > 0.0 { place.min(last as f64) } else { 0.0 };
        let frame = (place as usize).min(last);
        let u = (place - frame as f64) as f32;
        if u == 0.0 { self.values[frame] } else { self.values[frame] * (1.0 - u) + self.values[frame + 1] * u }
    }

    /// Smallest and largest value of the whole series.
    pub fn extremes(&self) -> (f32, f32) {
        let [low, high] = self.span(0, self.values.len());
        (low, high)
    }

    /// Smallest and largest value of the line through the frames, within each of `pixels` even parts of `range`.
    /// Neighbouring parts meet in one value, so vertical strokes from low to high draw an unbroken line however near
    /// or far one looks. `None` for a part before the first frame or behind the last.
    pub fn columns(&self, range: TimeRange, pixels: usize) -> impl Iterator<Item = Option<(f32, f32)>> + '_ {
        let width = range.duration_secs() / pixels.max(1) as f64;
        let last = (self.values.len() - 1) as f64;
        (0..pixels).map(move |column| {
            let from = self.frames.place(range.start_secs + column as f64 * width);
            let to = self.frames.place(range.start_secs + (column + 1) as f64 * width);
            if to < 0.0 || from > last || from > to || from.is_nan() || to.is_nan() {
                return None;
            }
            let (from, to) = (from.max(0.0), to.min(last));
            let ends = [self.at_place(from), self.at_place(to)];
            let inside = self.span(from.ceil() as usize, to.floor() as usize + 1);
            let [low, high] = ends.iter().fold(inside, |all, &v| joined(all, [v, v]));
            Some((low, high))
        })
    }

    /// Extremes of the frames `from..to`; at most six numbers of each level are looked at.
    fn span(&self, mut from: usize, mut to: usize) -> [f32; 2] {
        let mut found = NOTHING;
        for level in 0..=self.levels.len() {
            let block = |i: usize| match level {
                0 => [self.values[i]; 2],
                _ => self.levels[level - 1][i],
            };
            let is_top = level == self.levels.len();
            while from < to && (is_top || !from.is_multiple_of(FACTOR)) {
                found = joined(found, block(from));
                from += 1;
            }
            while from < to && !to.is_multiple_of(FACTOR) {
                to -= 1;
                found = joined(found, block(to));
            }
            if from >= to {
                break;
            }
            (from, to) = (from / FACTOR, to / FACTOR);
        }
        found
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let levels: usize = self.levels.iter().map(|level| size_of_val(level.as_slice())).sum();
        size_of_val(self.values.as_slice()) + levels
    }
}
