//! The axis of time that the timeline and all plots share: which part of the clip is seen, where an instant lies in
//! points, and where frames and seconds are marked. Numbers alone; [`ruler`] draws them.

pub mod ruler;
pub mod ticks;

use crate::motion::{FrameRate, TimeRange};

/// Which part of a clip's time is seen. One for all plots, so that they zoom together.
#[derive(Clone, Debug)]
pub struct TimeAxis {
    /// Number of the first frame, as people count: 0, 1 or 1001.
    pub first_frame: i64,
    clip: TimeRange,
    rate: FrameRate,
    seen: TimeRange,
}

impl Default for TimeAxis {
    fn default() -> Self {
        let none = TimeRange { start_secs: 0.0, end_secs: 0.0 };
        let mut axis = Self { first_frame: 0, clip: none, rate: FrameRate::FALLBACK, seen: none };
        axis.fit();
        axis
    }
}

impl TimeAxis {
    /// Room before and behind the clip when all of it is seen, as a share of its length.
    const MARGIN: f64 = 0.03;
    /// No fewer frames than this are seen at once.
    const FEWEST_FRAMES: f64 = 3.0;

    /// Turns to a clip. What is seen stays as it was while the clip's range and rate do: so a setting can be tried
    /// while looking closely.
    pub fn look_at(&mut self, clip: TimeRange, rate: FrameRate) {
        let finite = clip.start_secs.is_finite() && clip.end_secs.is_finite();
        if finite && (clip != self.clip || rate != self.rate) {
            (self.clip, self.rate) = (clip, rate);
            self.fit();
        }
    }

    /// The clip's range.
    pub fn clip(&self) -> TimeRange {
        self.clip
    }

    /// The clip's frame rate.
    pub fn rate(&self) -> FrameRate {
        self.rate
    }

    /// What is seen, seconds.
    pub fn seen(&self) -> TimeRange {
        self.seen
    }

    /// All of the clip is seen.
    pub fn fit(&mut self) {
        self.seen = self.fitted();
    }

    /// Whether all of the clip is seen.
    pub fn is_fitted(&self) -> bool {
        self.seen == self.fitted()
    }

    fn fitted(&self) -> TimeRange {
        let (clip, fewest) = (self.clip, Self::FEWEST_FRAMES * self.rate.frame_secs());
        let length = clip.duration_secs();
        let room = (length * Self::MARGIN).max((fewest - length) / 2.0);
        TimeRange { start_secs: clip.start_secs - room, end_secs: clip.end_secs + room }
    }

    /// Shows `factor` times as much detail; the instant `around_secs` stays where it is, unless an end of the clip
    /// would come inside the view.
    pub fn zoom(&mut self, factor: f64, around_secs: f64) {
        if !(factor.is_finite() && factor > 0.0 && around_secs.is_finite()) {
            return;
        }
        let whole = self.fitted().duration_secs();
        let fewest = (Self::FEWEST_FRAMES * self.rate.frame_secs()).min(whole);
        let length = (self.seen.duration_secs() / factor).clamp(fewest, whole);
        let share = (around_secs - self.seen.start_secs) / self.seen.duration_secs();
        self.place(around_secs - share * length, length);
    }

    /// Moves what is seen by so many seconds, as far as the clip goes.
    pub fn pan(&mut self, by_secs: f64) {
        if by_secs.is_finite() {
            self.place(self.seen.start_secs + by_secs, self.seen.duration_secs());
        }
    }

    /// A part of the clip fills the view, with a little room.
    pub fn show(&mut self, part: TimeRange) {
        let fewest = Self::FEWEST_FRAMES * self.rate.frame_secs();
        let length = (part.duration_secs() * (1.0 + 2.0 * Self::MARGIN)).max(fewest);
        if length.is_finite() {
            self.place((part.start_secs + part.end_secs - length) / 2.0, length);
        }
    }

    /// As little as it takes to see an instant.
    pub fn reveal(&mut self, secs: f64) {
        let by = (secs - self.seen.end_secs).max(0.0) + (secs - self.seen.start_secs).min(0.0);
        self.pan(by);
    }

    fn place(&mut self, start_secs: f64, length: f64) {
        let whole = self.fitted();
        if length >= whole.duration_secs() {
            self.seen = whole;
            return;
        }
        let start_secs = start_secs.clamp(whole.start_secs, whole.end_secs - length);
        self.seen = TimeRange { start_secs, end_secs: start_secs + length };
    }

    /// Frames since the first instant, fractions included; the first is 0, whatever people call it.
    pub fn frames(&self, secs: f64) -> f64 {
        (secs - self.clip.start_secs) * self.rate.fps()
    }

    /// When a frame is, counted from 0.
    pub fn frame_secs(&self, frame: f64) -> f64 {
        self.clip.start_secs + frame * self.rate.frame_secs()
    }

    /// The last whole frame inside the clip, counted from 0.
    pub fn last_frame(&self) -> i64 {
        // A clip's end is often stored as f32: a frame that ends a hair short is a frame.
        (self.frames(self.clip.end_secs) + 0.02).floor() as i64
    }

    /// The nearest frame of the clip, or its end, which need not lie on a frame.
    pub fn snapped(&self, secs: f64) -> f64 {
        let secs = self.clip.clamp(secs);
        let frame = self.clip.clamp(self.frame_secs(self.frames(secs).round()));
        let end = self.clip.end_secs;
        if (secs - end).abs() < (secs - frame).abs() { end } else { frame }
    }

    /// The axis laid out between two places.
    pub fn scale(&self, left: f32, right: f32) -> TimeScale {
        TimeScale { left, right: right.max(left + 1.0), seen: self.seen }
    }
}

/// The axis on the screen: instants and places, points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeScale {
    /// Where the seen part starts.
    pub left: f32,
    /// Where it ends.
    pub right: f32,
    /// The seen part, seconds.
    pub seen: TimeRange,
}

impl TimeScale {
    /// Where an instant lies. Far outside it is as far as matters: a shape there is not seen.
    pub fn x(&self, secs: f64) -> f32 {
        let share = (secs - self.seen.start_secs) / self.seen.duration_secs();
        self.left + (share * f64::from(self.right - self.left)).clamp(-1e5, 1e5) as f32
    }

    /// The instant at a place.
    pub fn secs(&self, x: f32) -> f64 {
        self.seen.start_secs + f64::from(x - self.left) * self.secs_per_point()
    }

    /// Seconds per point.
    pub fn secs_per_point(&self) -> f64 {
        self.seen.duration_secs() / f64::from(self.right - self.left)
    }

    /// Columns of pixels it covers, at most 16384.
    pub fn columns(&self, pixels_per_point: f32) -> usize {
        ((self.right - self.left) * pixels_per_point.clamp(0.5, 8.0)).clamp(1.0, 16384.0) as usize
    }

    /// Whether an instant is seen.
    pub fn sees(&self, secs: f64) -> bool {
        self.seen.start_secs <= secs && secs <= self.seen.end_secs
    }
}
