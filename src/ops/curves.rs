//! The path of a clip as curves: what was taken from the character can be put back from them.

use glam::DVec3;

use super::path::ChosenPath;
use crate::motion::transform::{ground, wrap_angle, yaw_rotation};
use crate::motion::{Curve, Cycle, Times};

/// Speed, distance, and the velocities from which the path can be rebuilt; `headings` is which way the root faces at
/// each key, radians.
///
/// *Speed* is the central difference, one-sided at the ends, across the seam of a loop. *Distance* is the length of
/// the path from its start. *VelocityForward*, *VelocitySideways* (left positive) and *YawRate* at key `i` are the
/// planar logarithm of the root's step to key `i + 1` in its own frame over its time, so that their exponential
/// rebuilds the root's motion exactly; the last key repeats the one before. `root` is where the root goes, per key of
/// the path: a root that stands beside the path swings round it when it turns, and whoever has only the clip in place
/// knows the root alone. *Height* is what the root rises above its first key, where it rises.
pub fn path_curves(path: &ChosenPath, root: &[DVec3], headings: &[f64], with_height: bool, cycle: Cycle) -> Vec<Curve> {
    let times = &path.grid.times;
    let points: Vec<DVec3> = path.points.iter().map(|&p| ground(p)).collect();
    let (forward, sideways, yaw_rate) = velocities(times, root, headings);
    let curve = |name: &str, unit: &str, values: Vec<f64>| Curve {
        name: name.into(),
        unit: unit.into(),
        keys: times.iter().zip(values).collect(),
    };
    let mut speeds = speed(times, &points);
    if cycle != Cycle::None && speeds.len() > 2 {
        let last = speeds.len() - 1;
        let seam = 0.5 * (speeds[0] + speeds[last]);
        (speeds[0], speeds[last]) = (seam, seam);
    }
    let mut curves = vec![
        curve("Speed", "m/s", speeds),
        curve("Distance", "m", distance(&points)),
        curve("VelocityForward", "m/s", forward),
        curve("VelocitySideways", "m/s", sideways),
        curve("YawRate", "rad/s", yaw_rate),
    ];
    if with_height {
        curves.push(curve("Height", "m", path.points.iter().map(|p| p.y).collect()));
    }
    curves
}

/// Central difference of the path, m/s; one-sided at the ends.
pub fn speed(times: &Times, points: &[DVec3]) -> Vec<f64> {
    let n = points.len();
    (0..n)
        .map(|i| {
            let (a, b) = (i.saturating_sub(1), (i + 1).min(n - 1));
            let secs = times.at(b) - times.at(a);
            if secs > 0.0 { points[a].distance(points[b]) / secs } else { 0.0 }
        })
        .collect()
}

/// Length of the path from its start, metres.
pub fn distance(points: &[DVec3]) -> Vec<f64> {
    let mut sum = 0.0;
    (0..points.len())
        .map(|i| {
            sum += if i == 0 { 0.0 } else { points[i].distance(points[i - 1]) };
            sum
        })
        .collect()
}

/// Forward and sideways velocity (m/s, left positive) and yaw rate (rad/s) of each step on the ground, in the frame of
/// its start.
pub fn velocities(times: &Times, points: &[DVec3], yaw: &[f64]) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let n = points.len();
    let column = || Vec::with_capacity(n);
    let (mut forward, mut sideways, mut yaw_rate) = (column(), column(), column());
    for i in 0..n.saturating_sub(1) {
        let secs = times.at(i + 1) - times.at(i);
        let turn = wrap_angle(yaw[i + 1] - yaw[i]);
        let step = points[i + 1] - points[i];
        // Into the frame of the step's start: turned back by its yaw.
        let (sine, cosine) = if yaw[i] == 0.0 { (0.0, 1.0) } else { yaw[i].sin_cos() };
        let (x, z) = (step.x * cosine - step.z * sine, step.z * cosine + step.x * sine);
        let (x, z) = if turn == 0.0 { (x, z) } else { planar_log(x, z, turn) };
        forward.push(z / secs);
        sideways.push(x / secs);
        yaw_rate.push(turn / secs);
    }
    for column in [&mut forward, &mut sideways, &mut yaw_rate] {
        column.push(column.last().copied().unwrap_or_default());
    }
    (forward, sideways, yaw_rate)
}

/// The path that starts at `start` facing `yaw` and follows the velocities: the inverse of [`velocities`].
pub fn integrate(
    times: &Times,
    start: DVec3,
    start_yaw: f64,
    velocities: &(Vec<f64>, Vec<f64>, Vec<f64>),
) -> (Vec<DVec3>, Vec<f64>) {
    let (forward, sideways, yaw_rate) = velocities;
    let (mut points, mut yaws) = (vec![start], vec![start_yaw]);
    for i in 0..times.len() - 1 {
        let secs = times.at(i + 1) - times.at(i);
        let turn = yaw_rate[i] * secs;
        let (x, z) = planar_exp(sideways[i] * secs, forward[i] * secs, turn);
        points.push(points[i] + yaw_rotation(yaws[i]) * DVec3::new(x, 0.0, z));
        yaws.push(yaws[i] + turn);
    }
    (points, yaws)
}

/// Displacement of a body that moves with constant velocity `(x, z)` in its own frame while it turns by `turn`:
/// the integral of the turning frame over one unit of time.
fn planar_exp(x: f64, z: f64, turn: f64) -> (f64, f64) {
    let (a, b) = sinc_pair(turn);
    (a * x + b * z, a * z - b * x)
}

/// Inverse of [`planar_exp`].
fn planar_log(x: f64, z: f64, turn: f64) -> (f64, f64) {
    let (a, b) = sinc_pair(turn);
    let square = a * a + b * b;
    if square < 1e-12 {
        // A whole turn within one step: no constant velocity does that, the straight one stands in.
        return (x, z);
    }
    ((a * x - b * z) / square, (a * z + b * x) / square)
}

/// `sin θ/θ` and `(1 − cos θ)/θ`.
fn sinc_pair(angle: f64) -> (f64, f64) {
    if angle.abs() < 1e-4 {
        let square = angle * angle;
        return (1.0 - square / 6.0, angle * (0.5 - square / 24.0));
    }
    let (sine, cosine) = angle.sin_cos();
    (sine / angle, (1.0 - cosine) / angle)
}
