//! At which times a property is sampled, so that straight lines between the samples are the file's curves.
//!
//! *Source keys* inside the clip's range are kept at their own times. *Constant* segments: when a property has no
//! other kind, its track steps at the source keys; else the jump becomes two samples one millisecond apart. *Linear*
//! segments of translation and scale need nothing between. *Cubic* segments, and linear ones of Euler angles, are
//! sampled on the frames of the file's rate, and finer where a frame turns by more than a quarter: the authored way
//! round is followed, also through 270°. Only between neighbouring frames an Euler jump that lands on nearly the same
//! rotation (a wrap or a flip of densely keyed angles) takes the short way. *Extrapolation* other than holding the end
//! keys is sampled on frames. At an end of the range that cuts a curve there is a sample.

use ufbx::{AnimCurve, AnimValue, ExtrapolationMode, Interpolation, Keyframe, RotationOrder};

use crate::motion::TimeRange;

/// Frames of one segment beyond which they are thinned out: half an hour without a key.
const MAX_FRAMES: f64 = 65_536.0;
/// Keys this close together are the file's own sampling, and nothing is put between them.
const DENSE_FRAMES: f64 = 1.5;
/// A frame may turn by this much before it is divided.
const QUARTER_DEG: f64 = 90.0;
/// An Euler jump between frames that ends within this angle is a wrap, not a spin.
const WRAP_DEG: f64 = 60.0;
/// Width of a jump in a track that does not step.
const JUMP_SECS: f64 = 1e-3;

/// How a straight segment of a curve shows in the sampled property.
#[derive(Clone, Copy)]
pub(super) enum Bend {
    /// As a straight line.
    Straight,
    /// As a curve.
    Curved,
    /// As Euler angles of this order.
    Euler(RotationOrder),
}

/// Where in time the clip lies.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub range: TimeRange,
    pub fps: f64,
    /// Samples that one property may have.
    pub most: usize,
}

/// The sample times of one property.
pub(super) struct Stamps {
    window: Window,
    /// Seconds, and whether the time must stay.
    at: Vec<(f64, bool)>,
    /// Just before or after a jump; not needed by a track that steps.
    jumps: Vec<f64>,
    jumps_at_all: bool,
    only_jumps: bool,
    /// Wraps of Euler angles that took the short way.
    pub wraps: u32,
    /// The property would have more samples than allowed.
    pub is_full: bool,
}

impl Stamps {
    pub fn new(window: Window) -> Self {
        let (at, jumps) = (Vec::new(), Vec::new());
        Self { window, at, jumps, jumps_at_all: false, only_jumps: true, wraps: 0, is_full: false }
    }

    /// Adds what one set of curves asks for.
    pub fn add(&mut self, value: &AnimValue, bend: Bend) {
        for curve in value.curves.iter().flatten() {
            self.add_curve(curve, value, bend);
        }
    }

    fn add_curve(&mut self, curve: &AnimCurve, value: &AnimValue, bend: Bend) {
        let keys = &curve.keyframes;
        let (Some(first), Some(last)) = (keys.first(), keys.last()) else { return };
        let TimeRange { start_secs, end_secs } = self.window.range;
        for key in keys {
            self.keep(key.time);
        }
        for pair in keys.windows(2) {
            if pair[1].time > start_secs && pair[0].time < end_secs {
                self.add_segment(&pair[0], &pair[1], value, bend);
            }
        }
        if first.time < start_secs {
            self.keep(start_secs);
        } else if curve.pre_extrapolation.mode != ExtrapolationMode::Constant {
            self.keep(start_secs);
            self.add_frames(start_secs, first.time, 1.0);
        }
        if last.time > end_secs {
            self.keep(end_secs);
        } else if curve.post_extrapolation.mode != ExtrapolationMode::Constant {
            self.keep(end_secs);
            self.add_frames(last.time, end_secs, 1.0);
        }
    }

    fn add_segment(&mut self, a: &Keyframe, b: &Keyframe, value: &AnimValue, bend: Bend) {
        let is_flat = a.value == b.value && a.right.dy == 0.0 && b.left.dy == 0.0;
        let gap = b.time - a.time;
        let is_dense = gap * self.window.fps <= DENSE_FRAMES;
        if is_flat || gap <= 0.0 {
            return;
        }
        let edge = JUMP_SECS.min(0.25 * gap);
        match (a.interpolation, bend) {
            (Interpolation::ConstantPrev, _) => {
                self.jumps_at_all = true;
                self.jumps.push(b.time - edge);
            }
            (Interpolation::ConstantNext, _) => {
                self.only_jumps = false;
                self.jumps.push(a.time + edge);
            }
            (Interpolation::Linear, Bend::Straight) => self.only_jumps = false,
            (_, Bend::Euler(order)) => {
                self.only_jumps = false;
                let parts = self.turn_parts(a, b, value, order);
                if parts > 1.0 || !is_dense {
                    self.add_frames(a.time, b.time, parts);
                }
            }
            _ => {
                self.only_jumps = false;
                if !is_dense {
                    self.add_frames(a.time, b.time, 1.0);
                }
            }
        }
    }

    /// Into how many parts a frame of this segment of Euler angles is cut.
    fn turn_parts(&mut self, a: &Keyframe, b: &Keyframe, value: &AnimValue, order: RotationOrder) -> f64 {
        // A Bézier curve stays among its four control values, and is at most three times as steep as their spread.
        let controls = [a.value, a.value + f64::from(a.right.dy), b.value - f64::from(b.left.dy), b.value];
        let spread =
            controls.iter().fold(f64::MIN, |m, v| m.max(*v)) - controls.iter().fold(f64::MAX, |m, v| m.min(*v));
        let steepness = if a.interpolation == Interpolation::Cubic { 3.0 } else { 1.0 };
        let frames = (b.time - a.time) * self.window.fps;
        if spread <= QUARTER_DEG || !spread.is_finite() {
            return 1.0;
        }
        if frames <= DENSE_FRAMES {
            let turn = |secs| {
                let q = ufbx::euler_to_quat(ufbx::evaluate_anim_value_vec3(value, secs), order);
                super::bones::quat(q)
            };
            let angle = crate::motion::transform::angle_between(turn(a.time), turn(b.time));
            if angle.to_degrees() < WRAP_DEG {
                self.wraps += u32::from((b.value - a.value).abs() > 180.0);
                return 1.0;
            }
        }
        (spread * steepness / frames.max(1.0) / QUARTER_DEG).ceil().clamp(1.0, 64.0)
    }

    /// Frames strictly between two times, each cut into `parts`, half a frame or more from both.
    fn add_frames(&mut self, from: f64, to: f64, parts: f64) {
        let span = (to - from) * self.window.fps * parts;
        let mut step = 1.0;
        while span / step > MAX_FRAMES {
            step *= 2.0;
        }
        let rate = self.window.fps * parts / step;
        let TimeRange { start_secs, end_secs } = self.window.range;
        let first = (from.max(start_secs) * rate + 0.5).ceil();
        let stop = to.min(end_secs) * rate - 0.5;
        let mut frame = first;
        while frame < stop && self.has_room() {
            self.at.push((frame / rate, parts > 1.0));
            frame += 1.0;
        }
    }

    fn keep(&mut self, secs: f64) {
        let TimeRange { start_secs, end_secs } = self.window.range;
        if secs >= start_secs && secs <= end_secs && self.has_room() {
            self.at.push((secs, true));
        }
    }

    fn has_room(&mut self) -> bool {
        self.is_full |= self.at.len() >= self.window.most;
        !self.is_full
    }

    /// The times, strictly increasing, and whether values step from one to the next. Empty without a key in range.
    pub fn finish(mut self) -> (Vec<f64>, bool) {
        let steps = self.only_jumps && self.jumps_at_all;
        if !steps {
            let range = self.window.range;
            let inside = self.jumps.iter().filter(|&&secs| secs > range.start_secs && secs < range.end_secs);
            self.at.extend(inside.map(|&secs| (secs, true)));
        }
        self.at.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        self.at.dedup_by_key(|stamp| stamp.0);
        // Frames of one curve that fall next to a key of another add nothing but length.
        let nearest = 0.25 / self.window.fps;
        let mut times: Vec<f64> = Vec::with_capacity(self.at.len());
        for (i, &(secs, must_stay)) in self.at.iter().enumerate() {
            let before = times.last().map_or(f64::INFINITY, |last| secs - last);
            let after = self.at.get(i + 1).map_or(f64::INFINITY, |next| next.0 - secs);
            if must_stay || before.min(after) >= nearest {
                times.push(secs);
            }
        }
        (times, steps)
    }
}
