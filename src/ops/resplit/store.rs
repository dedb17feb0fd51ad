//! Computed keys, rounded and stored.

use std::sync::Arc;

use glam::{DQuat, DVec3};

use crate::motion::transform::nearer;
use crate::motion::{BoneIndex, Clip, Interpolation, Origin, Property, Times, Track};

/// Stores linear keys; keys that never change by more than rounding become one.
pub fn put(
    out: &mut Clip,
    bone: BoneIndex,
    property: Property,
    times: &Arc<Times>,
    times_from: Option<Origin>,
    values: Vec<f32>,
) {
    let width = property.width();
    let constant = values.chunks_exact(width).all(|value| {
        value.iter().zip(&values[..width]).all(|(a, b)| (a - b).abs() <= 2.0 * f32::EPSILON * (1.0 + b.abs()))
    });
    let track = if constant && times.len() > 1 {
        Track {
            times: Arc::new(Times::single(times.first())),
            values: values[..width].into(),
            interpolation: Interpolation::Linear,
            times_from: None,
            values_from: None,
        }
    } else {
        Track {
            times: times.clone(),
            values: values.into(),
            interpolation: Interpolation::Linear,
            times_from,
            values_from: None,
        }
    };
    out.set_track(bone, property, track);
}

/// Rounded for storage.
pub fn vec3_values(values: &[DVec3]) -> Vec<f32> {
    let mut rounded = Vec::with_capacity(3 * values.len());
    values.iter().for_each(|v| rounded.extend_from_slice(&[v.x as f32, v.y as f32, v.z as f32]));
    rounded
}

/// Rounded for storage, neighbouring keys in one hemisphere: readers that blend without a check take the short way all the same.
pub fn quat_values(rotations: &[DQuat]) -> Vec<f32> {
    let mut previous = rotations.first().copied().unwrap_or(DQuat::IDENTITY);
    let mut rounded = Vec::with_capacity(4 * rotations.len());
    for &q in rotations {
        previous = nearer(q, previous);
        rounded.extend_from_slice(&previous.to_array().map(|part| part as f32));
    }
    rounded
}
