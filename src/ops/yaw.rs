//! Twist of a rotation about the up axis, and the unwrapping of angles.

use std::f64::consts::PI;

use glam::DQuat;

use crate::motion::transform::wrap_angle;

/// Below this `y² + w²` a twist is the noise of the keys: normalised 16-bit rotations, and the delta of two of them, are
/// off by up to 5e-5. The swing is then within 0.012° of half a turn.
const UNDEFINED: f64 = 1e-8;
/// Below this `y² + w²` the swing is more than 150°, and a twist may turn by much from key to key.
const TIPPED: f64 = 0.067;

/// Twist about +Y of `q = swing·twist`, in (−π, π]; `None` where the swing is half a turn about a level axis and the
/// twist is not defined.
pub fn twist_about_up(q: DQuat) -> Option<f64> {
    (q.y * q.y + q.w * q.w >= UNDEFINED).then(|| wrap_angle(2.0 * q.y.atan2(q.w)))
}

/// Wrapped angles made continuous: each step goes the shorter way; a step of exactly half a turn goes on in the
/// direction of the last step.
pub fn unwrap(wrapped: &[f64]) -> Unwrapped {
    let mut angles = Vec::with_capacity(wrapped.len());
    let mut largest_step = 0.0_f64;
    let mut direction = 1.0;
    for (i, &raw) in wrapped.iter().enumerate() {
        if i == 0 {
            angles.push(raw);
            continue;
        }
        let mut step = wrap_angle(raw - wrapped[i - 1]);
        if PI - step.abs() < 1e-6_f64.to_radians() {
            step = step.abs() * direction;
        }
        if step != 0.0 {
            direction = step.signum();
        }
        largest_step = largest_step.max(step.abs());
        angles.push(angles[i - 1] + step);
    }
    Unwrapped { angles, largest_step }
}

/// What [`unwrap`] gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Unwrapped {
    /// Radians.
    pub angles: Vec<f64>,
    /// Beyond 170° the turn is undersampled and its direction a guess.
    pub largest_step: f64,
}

/// Yaw over time as the twist of `q(t)·q(0)⁻¹`, unwrapped, starting at 0. An undefined twist holds the one before.
/// Independent of the bone's own axes. Returns the yaw and the number of held keys.
pub fn twist_of_delta(rotations: &[DQuat]) -> (Unwrapped, usize) {
    let Some(first) = rotations.first() else {
        return (Unwrapped { angles: Vec::new(), largest_step: 0.0 }, 0);
    };
    let back = first.conjugate();
    let mut held = 0;
    let mut previous = 0.0;
    let wrapped: Vec<f64> = rotations
        .iter()
        .map(|&q| {
            previous = twist_about_up(q * back).unwrap_or_else(|| {
                held += 1;
                previous
            });
            previous
        })
        .collect();
    (unwrap(&wrapped), held)
}

/// At how many keys the rotation since the first one tips over so far that its twist may turn fast.
pub fn tipped_keys(rotations: &[DQuat]) -> usize {
    let Some(back) = rotations.first().map(|first| first.conjugate()) else { return 0 };
    rotations.iter().map(|&q| q * back).filter(|delta| delta.y * delta.y + delta.w * delta.w < TIPPED).count()
}

/// Circular mean of angles, and how much they agree (0…1).
pub fn circular_mean(angles: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let (mut sine, mut cosine, mut n) = (0.0, 0.0, 0_u32);
    for angle in angles {
        sine += angle.sin();
        cosine += angle.cos();
        n += 1;
    }
    let length = f64::hypot(sine, cosine) / f64::from(n.max(1));
    (n > 0 && length > 1e-9).then(|| (sine.atan2(cosine), length))
}

/// Nearest multiple of `step` radians.
pub fn snap(angle: f64, step: f64) -> f64 {
    (angle / step).round() * step
}
