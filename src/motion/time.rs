//! Time: seconds as `f64`. Frames exist only through a [`FrameRate`].

use serde::{Deserialize, Serialize};

/// Frames per second; always finite and positive.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct FrameRate(f64);

impl FrameRate {
    /// What a clip has when nothing else is known.
    pub const FALLBACK: Self = Self(30.0);

    /// `None` unless `fps` is finite and in 1e-3…1e6.
    pub fn new(fps: f64) -> Option<Self> {
        (fps.is_finite() && (1e-3..=1e6).contains(&fps)).then_some(Self(fps))
    }

    /// Frames per second.
    pub fn fps(self) -> f64 {
        self.0
    }

    /// Length of one frame in seconds.
    pub fn frame_secs(self) -> f64 {
        1.0 / self.0
    }
}

impl TryFrom<f64> for FrameRate {
    type Error = String;
    fn try_from(fps: f64) -> Result<Self, String> {
        Self::new(fps).ok_or_else(|| format!("{fps} is not a frame rate"))
    }
}

impl From<FrameRate> for f64 {
    fn from(rate: FrameRate) -> Self {
        rate.0
    }
}

/// A stretch of time, seconds, `start_secs ≤ end_secs`, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimeRange {
    /// First instant.
    pub start_secs: f64,
    /// Last instant.
    pub end_secs: f64,
}

impl TimeRange {
    /// Length in seconds.
    pub fn duration_secs(self) -> f64 {
        self.end_secs - self.start_secs
    }

    /// The nearest time inside.
    pub fn clamp(self, secs: f64) -> f64 {
        secs.max(self.start_secs).min(self.end_secs)
    }
}

/// Key times of a track, strictly increasing, at least one; shared between tracks by `Arc`.
#[derive(Clone, Debug, PartialEq)]
pub enum Times {
    /// `start + i·step` for `i < n`; `step > 0`, `n ≥ 1`.
    Uniform {
        /// First key, seconds.
        start: f64,
        /// Distance of keys, seconds.
        step: f64,
        /// Number of keys.
        n: usize,
    },
    /// Any strictly increasing times, seconds.
    Keys(Box<[f64]>),
}

impl Times {
    /// A single key.
    pub fn single(secs: f64) -> Self {
        Self::Keys(Box::new([secs]))
    }

    /// Number of keys, never 0.
    #[expect(clippy::len_without_is_empty, reason = "a track has at least one key")]
    pub fn len(&self) -> usize {
        match self {
            Self::Uniform { n, .. } => *n,
            Self::Keys(keys) => keys.len(),
        }
    }

    /// Time of key `i`, seconds.
    pub fn at(&self, i: usize) -> f64 {
        match self {
            Self::Uniform { start, step, .. } => start + i as f64 * step,
            Self::Keys(keys) => keys[i],
        }
    }

    /// First key, seconds.
    pub fn first(&self) -> f64 {
        self.at(0)
    }

    /// Last key, seconds.
    pub fn last(&self) -> f64 {
        self.at(self.len() - 1)
    }

    /// All times in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = f64> + '_ {
        (0..self.len()).map(|i| self.at(i))
    }

    /// Where `secs` lies: the key at or before it, and the fraction 0…1 of the way to the next. Before the first key
    /// and from the last on the fraction is 0: the ends are held. Exactly on a key the fraction is exactly 0.
    pub fn locate(&self, secs: f64) -> (usize, f64) {
        let last = self.len() - 1;
        match self {
            Self::Uniform { start, step, .. } => {
                let x = (secs - start) / step;
                if x.is_nan() || x <= 0.0 {
                    return (0, 0.0);
                }
                if x >= last as f64 {
                    return (last, 0.0);
                }
                // The division may round across a key: correct by comparing with the key times themselves.
                let mut i = x as usize;
                if secs < self.at(i) {
                    i -= 1;
                } else if secs >= self.at(i + 1) {
                    i += 1;
                }
                if i >= last {
                    return (last, 0.0);
                }
                let (from, to) = (self.at(i), self.at(i + 1));
                (i, ((secs - from) / (to - from)).clamp(0.0, 1.0))
            }
            Self::Keys(keys) => {
                if secs.is_nan() || secs <= keys[0] {
                    return (0, 0.0);
                }
                if secs >= keys[last] {
                    return (last, 0.0);
                }
                let i = keys.partition_point(|&key| key <= secs) - 1;
                (i, (secs - keys[i]) / (keys[i + 1] - keys[i]))
            }
        }
    }

    /// As [`Self::locate`], trying the segment of `hint` and the next before it searches: playback goes forward.
    pub fn locate_near(&self, secs: f64, hint: usize) -> (usize, f64) {
        let last = self.len() - 1;
        for i in hint..(hint + 2).min(last) {
            let (from, to) = (self.at(i), self.at(i + 1));
            if secs == from {
                return (i, 0.0);
            }
            if from < secs && secs < to {
                return (i, ((secs - from) / (to - from)).min(1.0));
            }
        }
        self.locate(secs)
    }

    /// The same times if `keys` are strictly increasing, finite and not empty.
    pub fn from_keys(keys: Vec<f64>) -> Option<Self> {
        let increasing = keys.windows(2).all(|pair| pair[0] < pair[1]);
        (!keys.is_empty() && keys.iter().all(|t| t.is_finite()) && increasing)
            .then(|| Self::Keys(keys.into_boxed_slice()))
    }
}

/// The usual rates, slowest first.
pub const USUAL_RATES: [f64; 9] = [24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 100.0, 120.0, 240.0];

/// Rate of a set of key times: the smallest usual rate on whose frames, counted from the first key, at least 95 % of
/// the keys lie (within 2 % of a frame, f32 times included). `None` when no usual rate fits or there is one key.
pub fn guess_rate(times: &[f64]) -> Option<FrameRate> {
    let first = *times.first()?;
    if times.len() < 2 {
        return None;
    }
    USUAL_RATES.into_iter().find_map(|fps| {
        let on_frame = times
            .iter()
            .filter(|&&t| {
                let frames = (t - first) * fps;
                (frames - frames.round()).abs() <= 0.02
            })
            .count();
        (on_frame * 100 >= times.len() * 95).then_some(FrameRate(fps))
    })
}
