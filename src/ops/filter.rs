//! The Gaussian of [`super::smooth`] on key times that need not be even.
//!
//! Uneven keys are read on an even grid of the clip's rate, smoothed there, and the result is read at the keys again.

use std::borrow::Cow;

use glam::DVec3;

use super::grid::MAX_SAMPLES;
use super::smooth::{Extension, smooth, smooth_turning_loop};
use crate::motion::{Clip, Cycle, Times};

/// A filter for the numbers at one set of key times.
#[derive(Clone)]
pub struct Filter {
    /// σ in seconds; 0 leaves everything as it is.
    pub sigma_secs: f64,
    sigma_samples: f64,
    extension: Extension,
    /// A loop's first pose would come one sample after its last.
    one_short: bool,
    /// Keys as places on an even grid of so many samples; `None` when the keys are that grid.
    uneven: Option<(Vec<f64>, usize)>,
}

impl Filter {
    /// For numbers at `times`.
    pub fn new(clip: &Clip, times: &Times, sigma_secs: f64, extension: Extension) -> Self {
        let n = times.len();
        let (first, last) = (times.first(), times.last());
        let one_short = clip.cycle == Cycle::OneShort && extension == Extension::PeriodicWithDrift;
        let identity = Self { sigma_secs, sigma_samples: 0.0, extension, one_short, uneven: None };
        if n < 2 || sigma_secs <= 0.0 {
            return identity;
        }
        let step = (last - first) / (n - 1) as f64;
        // Keys denser than the clip's rate were added between its frames; the frames decide how it is smoothed.
        let dense = (n - 1) as f64 > ((last - first) * clip.rate.fps()).round();
        let even = !dense && (1..n).all(|i| (times.at(i) - first - i as f64 * step).abs() <= 1e-4 * step + 1e-6);
        if even {
            return Self { sigma_samples: sigma_secs / step, ..identity };
        }
        let fps = clip.rate.fps().min(240.0);
        let samples = ((last - first) * fps).round().clamp(1.0, MAX_SAMPLES as f64);
        let step = (last - first) / samples;
        let places = times.iter().map(|secs| (secs - first) / step).collect();
        Self { sigma_samples: sigma_secs / step, uneven: Some((places, samples as usize + 1)), ..identity }
    }

    /// This filter, or one of 0.25 s where this one does nothing.
    pub fn or_default(&self, clip: &Clip, times: &Times) -> Cow<'_, Self> {
        if self.sigma_secs > 0.0 {
            Cow::Borrowed(self)
        } else {
            Cow::Owned(Self::new(clip, times, 0.25, self.extension))
        }
    }

    /// Smoothed numbers at the keys.
    pub fn apply(&self, values: &[f64]) -> Vec<f64> {
        if self.sigma_samples <= 0.0 {
            return values.to_vec();
        }
        let even = self.to_even(values);
        let n = even.len();
        let mut smoothed = match self.closed(&even) {
            Some(closed) => smooth(&closed, self.sigma_samples, self.extension),
            None => smooth(&even, self.sigma_samples, self.extension),
        };
        smoothed.truncate(n);
        self.at_keys(smoothed)
    }

    /// Smoothed path on the ground, y 0. `yaw` is what the root turns with, or empty: a loop that turns is carried on
    /// turning.
    pub fn ground_path(&self, positions: &[DVec3], yaw: &[f64]) -> Vec<DVec3> {
        let column = |pick: fn(&DVec3) -> f64| positions.iter().map(pick).collect::<Vec<f64>>();
        let (x, z) = (column(|p| p.x), column(|p| p.z));
        let net_turn = match yaw {
            [first, .., last] => last - first,
            _ => 0.0,
        };
        let turning = self.extension == Extension::PeriodicWithDrift && net_turn != 0.0 && self.sigma_samples > 0.0;
        let (x, z) = if turning {
            let (x, z) = (self.to_even(&x), self.to_even(&z));
            let n = x.len();
            let (x, z) = (self.closed(&x).unwrap_or(x.into_owned()), self.closed(&z).unwrap_or(z.into_owned()));
            let net_turn = if self.one_short { net_turn * n as f64 / (n - 1) as f64 } else { net_turn };
            let points: Vec<(f64, f64)> = x.into_iter().zip(z).collect();
            let mut smoothed = smooth_turning_loop(&points, self.sigma_samples, net_turn);
            smoothed.truncate(n);
            let (x, z) = smoothed.into_iter().unzip();
            (self.at_keys(x), self.at_keys(z))
        } else {
            (self.apply(&x), self.apply(&z))
        };
        x.into_iter().zip(z).map(|(x, z)| DVec3::new(x, 0.0, z)).collect()
    }

    /// With the sample that repeats the first, one step after the last, where the clip lacks it.
    fn closed(&self, even: &[f64]) -> Option<Vec<f64>> {
        let n = even.len();
        if !self.one_short || n < 2 {
            return None;
        }
        // The missing step is like its neighbours on both sides of the seam.
        let step = 0.5 * ((even[n - 1] - even[n - 2]) + (even[1] - even[0]));
        let mut closed = even.to_vec();
        closed.push(even[n - 1] + step);
        Some(closed)
    }

    fn to_even<'v>(&self, values: &'v [f64]) -> Cow<'v, [f64]> {
        let Some((places, n)) = &self.uneven else { return Cow::Borrowed(values) };
        let mut even = Vec::with_capacity(*n);
        let mut key = 0;
        for i in 0..*n {
            let place = i as f64;
            while key + 2 < places.len() && places[key + 1] <= place {
                key += 1;
            }
            let u = ((place - places[key]) / (places[key + 1] - places[key])).clamp(0.0, 1.0);
            even.push(values[key] + u * (values[key + 1] - values[key]));
        }
        Cow::Owned(even)
    }

    fn at_keys(&self, smoothed: Vec<f64>) -> Vec<f64> {
        let Some((places, n)) = &self.uneven else { return smoothed };
        let mut at_keys: Vec<f64> = places
            .iter()
            .map(|&place| {
                let i = (place as usize).min(n - 2);
                smoothed[i] + (place - i as f64) * (smoothed[i + 1] - smoothed[i])
            })
            .collect();
        // The ends of the even grid are the ends of the keys; keep them exact.
        let last = at_keys.len() - 1;
        at_keys[0] = smoothed[0];
        at_keys[last] = smoothed[n - 1];
        at_keys
    }
}
