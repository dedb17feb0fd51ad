//! Whether anything moves in a clip.

use crate::motion::{Clip, Interpolation, Property, Track};

/// Below this a number has not moved: a tenth of a millimetre of noise is not motion, nor is a ten-thousandth of a
/// quaternion's component (0.01°).
const STILL: f32 = 1e-4;

/// Whether any bone of the clip moves.
pub fn moves(clip: &Clip) -> bool {
    clip.tracks.iter().any(|slots| {
        Property::ALL.into_iter().any(|property| slots[property.slot()].as_ref().is_some_and(|t| varies(t, property)))
    })
}

fn varies(track: &Track, property: Property) -> bool {
    if track.interpolation == Interpolation::CubicSpline {
        return !track.is_constant(property);
    }
    let width = property.width();
    let first = &track.values[..width];
    let near = |value: &[f32], sign: f32| value.iter().zip(first).all(|(v, f)| (v - sign * f).abs() <= STILL);
    // q and −q are one rotation.
    let still = |value: &[f32]| near(value, 1.0) || (property == Property::Rotation && near(value, -1.0));
    !track.values.chunks_exact(width).all(still)
}
