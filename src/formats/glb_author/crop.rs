//! Cutting a track to a range without changing what it shows inside.

use std::sync::Arc;

use crate::motion::{Interpolation, Property, TimeRange, Times, Track};

/// The part of a track inside a range, with keys at the range's ends where the track goes on beyond them; `None` when
/// it lies inside as it is. A piece of a straight line is a straight line, a piece of a Hermite spline is the spline
/// with the values and slopes at its ends; of rotations too, before they are normalised.
pub fn crop(track: &Track, property: Property, range: TimeRange) -> Option<Arc<Track>> {
    let times = &track.times;
    let n = times.len();
    let (start, end) = (range.start_secs, range.end_secs);
    if times.first() >= start - 1e-9 && times.last() <= end + 1e-9 {
        return None;
    }
    let width = property.width();
    let cubic = track.interpolation == Interpolation::CubicSpline;
    let stride = width * if cubic { 3 } else { 1 };
    let own = |i: usize| track.values[i * stride..(i + 1) * stride].iter().map(|v| f64::from(*v)).collect();
    let cut = |secs: f64| (secs, key_at(track, property, secs));
    let mut keys: Vec<(f64, Vec<f64>)> = Vec::with_capacity(n + 2);
    if times.first() < start {
        keys.push(cut(start));
    }
    for (i, secs) in times.iter().enumerate() {
        if (secs > start && secs < end) || (i == 0 && secs == start) {
            keys.push((secs, own(i)));
        }
    }
    if keys.is_empty() {
        keys.push(cut(start));
    }
    if times.last() >= end && end > keys[keys.len() - 1].0 {
        keys.push(cut(end));
    }
    let mut values: Vec<f32> = keys.iter().flat_map(|(_, key)| key.iter().map(|v| *v as f32)).collect();
    let keys: Vec<f64> = keys.into_iter().map(|(secs, _)| secs).collect();
    // One key is no spline: its value alone.
    let interpolation = if cubic && keys.len() == 1 {
        values = values[width..2 * width].to_vec();
        Interpolation::Linear
    } else {
        track.interpolation
    };
    let times = Arc::new(Times::from_keys(keys)?);
    Track::new(property, times, values.into(), interpolation).ok().map(Arc::new)
}

/// The numbers of a key put at `secs`: a value, for splines with the slope there on both sides.
fn key_at(track: &Track, property: Property, secs: f64) -> Vec<f64> {
    let width = property.width();
    let (i, u) = track.times.locate(secs);
    if track.interpolation != Interpolation::CubicSpline {
        return match property {
            Property::Rotation => track.quat_at(i, u).to_array().to_vec(),
            Property::Translation | Property::Scale => track.vec3_at(i, u).to_array().to_vec(),
        };
    }
    let part = |n: usize, axis: usize| f64::from(track.values[n * width + axis]);
    let mut slopes = Vec::with_capacity(width);
    let mut middle = Vec::with_capacity(width);
    for axis in 0..width {
        let v0 = part(3 * i + 1, axis);
        if u == 0.0 {
            middle.push(v0);
            slopes.push((part(3 * i, axis), part(3 * i + 2, axis)));
            continue;
        }
        let secs = track.times.at(i + 1) - track.times.at(i);
        let (m0, m1, v1) = (part(3 * i + 2, axis) * secs, part(3 * i + 3, axis) * secs, part(3 * i + 4, axis));
        let (u2, u3) = (u * u, u * u * u);
        middle.push(
            (2.0 * u3 - 3.0 * u2 + 1.0) * v0 + (u3 - 2.0 * u2 + u) * m0 + (3.0 * u2 - 2.0 * u3) * v1 + (u3 - u2) * m1,
        );
        let slope = (6.0 * u2 - 6.0 * u) * (v0 - v1) + (3.0 * u2 - 4.0 * u + 1.0) * m0 + (3.0 * u2 - 2.0 * u) * m1;
        slopes.push((slope / secs, slope / secs));
    }
    let into = slopes.iter().map(|slope| slope.0);
    let out = slopes.iter().map(|slope| slope.1);
    into.chain(middle.iter().copied()).chain(out).collect()
}
