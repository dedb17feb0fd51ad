//! Zero-phase Gaussian smoothing of evenly sampled numbers, with ends that keep the trend.
//!
//! Kernel `w_k ∝ exp(−k²/2σ²)`, `|k| ≤ ⌊4σ + ½⌋`, normalised. Both extensions reproduce an affine sequence exactly, so
//! a path of constant velocity smooths to itself and nothing lags at the ends.

use serde::{Deserialize, Serialize};

/// How a sequence goes on beyond its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Extension {
    /// Point reflection about the end values: `x₋ₘ = 2x₀ − xₘ`. The ends stay exactly where they are.
    Odd,
    /// The sequence repeats, carried on by its net change: `x_{i+Pk} = x_i + kD`. The seam of a loop stays smooth.
    PeriodicWithDrift,
}

/// Kernel weights `w₀…w_r` for `σ` in samples; one weight of 1 for `σ ≤ 0`.
pub fn kernel(sigma_samples: f64) -> Vec<f64> {
    if sigma_samples.is_nan() || sigma_samples <= 0.0 {
        return vec![1.0];
    }
    // The bound keeps a typed σ of a day from hanging: 2048 frames either way are more than a minute at 30 fps.
    let sigma = sigma_samples.min(2048.0);
    let radius = (4.0 * sigma + 0.5).floor() as usize;
    let mut weights: Vec<f64> = (0..=radius).map(|k| (-((k * k) as f64) / (2.0 * sigma * sigma)).exp()).collect();
    let sum = weights[0] + 2.0 * weights[1..].iter().sum::<f64>();
    weights.iter_mut().for_each(|w| *w /= sum);
    weights
}

/// Value at any index of the extended sequence; `values` is not empty.
pub fn extended(values: &[f64], extension: Extension, index: isize) -> f64 {
    let n = values.len() as isize;
    if (0..n).contains(&index) {
        return values[index as usize];
    }
    if n == 1 {
        return values[0];
    }
    let span = n - 1;
    let drift = values[span as usize] - values[0];
    match extension {
        Extension::Odd => {
            let period = 2 * span;
            let turns = index.div_euclid(period);
            let j = index.rem_euclid(period);
            let inside = if j <= span {
                values[j as usize]
            } else {
                2.0 * values[span as usize] - values[(period - j) as usize]
            };
            2.0 * turns as f64 * drift + inside
        }
        Extension::PeriodicWithDrift => {
            let turns = index.div_euclid(span);
            values[index.rem_euclid(span) as usize] + turns as f64 * drift
        }
    }
}

/// The smoothed sequence, as long as `values`. With [`Extension::Odd`] the ends are exactly the given ones.
pub fn smooth(values: &[f64], sigma_samples: f64, extension: Extension) -> Vec<f64> {
    let weights = kernel(sigma_samples);
    let (n, radius) = (values.len(), weights.len() - 1);
    if n < 2 || radius == 0 {
        return values.to_vec();
    }
    let padded: Vec<f64> =
        (-(radius as isize)..(n + radius) as isize).map(|i| extended(values, extension, i)).collect();
    let mut smoothed = convolve(&padded, &weights, n);
    if extension == Extension::Odd {
        smoothed[0] = values[0];
        smoothed[n - 1] = values[n - 1];
    }
    smoothed
}

/// A path on the ground that is carried on at both ends as a loop that turns: each round goes on where the last one
/// ended, turned by `net_turn` radians about +Y. Points are (x, z); last and first are one round apart. Carried on by
/// the net travel alone, the path of a turning loop would kink at its seam by the whole turn.
pub fn smooth_turning_loop(points: &[(f64, f64)], sigma_samples: f64, net_turn: f64) -> Vec<(f64, f64)> {
    let weights = kernel(sigma_samples);
    let (n, radius) = (points.len(), weights.len() - 1);
    if n < 2 || radius == 0 {
        return points.to_vec();
    }
    let span = (n - 1) as isize;
    let (first, last) = (points[0], points[n - 1]);
    let (sine, cosine) = net_turn.sin_cos();
    // +Y turns (x, z) to (x cos + z sin, z cos − x sin).
    let onward = |(x, z): (f64, f64)| {
        let (x, z) = (x - first.0, z - first.1);
        (last.0 + x * cosine + z * sine, last.1 + z * cosine - x * sine)
    };
    let back = |(x, z): (f64, f64)| {
        let (x, z) = (x - last.0, z - last.1);
        (first.0 + x * cosine - z * sine, first.1 + z * cosine + x * sine)
    };
    // One round follows from its neighbour, so each sample costs one turn however many rounds the kernel spans.
    let mut padded = vec![(0.0, 0.0); n + 2 * radius];
    padded[radius..radius + n].copy_from_slice(points);
    for i in radius + n..padded.len() {
        padded[i] = onward(padded[i - span as usize]);
    }
    for i in (0..radius).rev() {
        padded[i] = back(padded[i + span as usize]);
    }
    let column = |pick: fn(&(f64, f64)) -> f64| convolve(&padded.iter().map(pick).collect::<Vec<_>>(), &weights, n);
    column(|p| p.0).into_iter().zip(column(|p| p.1)).collect()
}

/// The `n` middle values of `padded`, weighted with their neighbours on both sides.
fn convolve(padded: &[f64], weights: &[f64], n: usize) -> Vec<f64> {
    let radius = weights.len() - 1;
    let mut smoothed = Vec::with_capacity(n + LANES);
    for start in (0..n).step_by(LANES) {
        // So many neighbours are summed side by side in registers; the last few have a row of their own.
        let count = LANES.min(n - start);
        let at = radius + start;
        let mut sums = [0.0; LANES];
        if count == LANES {
            for (sum, value) in sums.iter_mut().zip(&padded[at..at + LANES]) {
                *sum = weights[0] * value;
            }
            for (k, weight) in weights.iter().enumerate().skip(1) {
                let (before, after) = (&padded[at - k..at - k + LANES], &padded[at + k..at + k + LANES]);
                for ((sum, a), b) in sums.iter_mut().zip(before).zip(after) {
                    *sum += weight * (a + b);
                }
            }
        } else {
            for (i, sum) in sums.iter_mut().enumerate().take(count) {
                let sides = weights.iter().enumerate().skip(1);
                let sides = sides.map(|(k, weight)| weight * (padded[at + i - k] + padded[at + i + k]));
                *sum = sides.fold(weights[0] * padded[at + i], |sum, side| sum + side);
            }
        }
        smoothed.extend_from_slice(&sums[..count]);
    }
    smoothed
}

/// Values summed side by side.
const LANES: usize = 8;
