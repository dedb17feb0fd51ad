//! The keys of one property of one bone.

use std::sync::Arc;

use glam::{DQuat, DVec3, DVec4};
use serde::{Deserialize, Serialize};

use super::source::FileId;
use super::time::Times;
use super::transform::slerp;

/// Which part of a local transform a track drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Property {
    /// Metres, three numbers per key.
    Translation,
    /// Unit quaternion x y z w, four numbers per key.
    Rotation,
    /// Per axis, three numbers per key.
    Scale,
}

impl Property {
    /// In the order of [`super::Clip::tracks`].
    pub const ALL: [Self; 3] = [Self::Translation, Self::Rotation, Self::Scale];

    /// Place in [`super::Clip::tracks`].
    pub fn slot(self) -> usize {
        self as usize
    }

    /// Numbers per value.
    pub fn width(self) -> usize {
        if self == Self::Rotation { 4 } else { 3 }
    }
}

/// What happens between two keys; glTF 2.0 appendix C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Interpolation {
    /// The earlier key's value.
    Step,
    /// Straight line; rotations by slerp, the shorter way.
    Linear,
    /// Hermite spline: three values per key (in-tangent, value, out-tangent), tangents per second.
    CubicSpline,
}

/// Where in a source file a track's times or values come from. Opaque here: readers number the channels of a file by
/// a rule of their own, and the writer of the same format knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Origin {
    /// The file.
    pub file: FileId,
    /// The channel, by the reader's numbering.
    pub channel: u32,
}

/// The keys of one property of one bone. New values clear `values_from`, new times clear `times_from`; a writer
/// copies what still has an origin in the file it patches and encodes the rest.
#[derive(Clone, Debug)]
pub struct Track {
    /// Key times.
    pub times: Arc<Times>,
    /// `times.len() × width` numbers, three times as many for [`Interpolation::CubicSpline`].
    pub values: Arc<[f32]>,
    /// Between keys.
    pub interpolation: Interpolation,
    /// Source of the times, while they are the source's.
    pub times_from: Option<Origin>,
    /// Source of the values, while they are the source's.
    pub values_from: Option<Origin>,
}

/// Why a track could not be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrackError {
    /// The number of values does not fit the number of keys.
    ValueCount {
        /// What the keys ask for.
        expected: usize,
        /// What was there.
        found: usize,
    },
    /// A cubic spline needs two keys.
    OneKeySpline,
    /// Some value is not finite.
    NotFinite {
        /// The key.
        key: usize,
    },
}

impl std::fmt::Display for TrackError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::ValueCount { expected, found } => write!(f, "{found} values where the keys need {expected}"),
            Self::OneKeySpline => write!(f, "a cubic spline of one key"),
            Self::NotFinite { key } => write!(f, "a value of key {key} is not a finite number"),
        }
    }
}

impl std::error::Error for TrackError {}

impl Track {
    /// A track without origin.
    ///
    /// # Errors
    /// The number of values must fit, and all must be finite.
    pub fn new(
        property: Property,
        times: Arc<Times>,
        values: Arc<[f32]>,
        interpolation: Interpolation,
    ) -> Result<Self, TrackError> {
        let cubic = interpolation == Interpolation::CubicSpline;
        let stride = property.width() * if cubic { 3 } else { 1 };
        let expected = times.len().saturating_mul(stride);
        if values.len() != expected {
            return Err(TrackError::ValueCount { expected, found: values.len() });
        }
        if cubic && times.len() < 2 {
            return Err(TrackError::OneKeySpline);
        }
        if let Some(bad) = values.iter().position(|v| !v.is_finite()) {
            return Err(TrackError::NotFinite { key: bad / stride });
        }
        Ok(Self { times, values, interpolation, times_from: None, values_from: None })
    }

    /// The same keys, marked as coming from a channel of a file.
    #[must_use]
    pub fn with_origin(mut self, origin: Origin) -> Self {
        self.times_from = Some(origin);
        self.values_from = Some(origin);
        self
    }

    /// Whether the value never changes: one key, or all keys equal bit for bit (tangents zero).
    pub fn is_constant(&self, property: Property) -> bool {
        let width = property.width();
        let n = self.times.len();
        if n == 1 {
            return true;
        }
        match self.interpolation {
            Interpolation::CubicSpline => {
                let first = &self.values[width..2 * width];
                self.values.chunks_exact(3 * width).enumerate().all(|(i, key)| {
                    let (into, value, out) = (&key[..width], &key[width..2 * width], &key[2 * width..]);
                    value == first
                        && (i == 0 || into.iter().all(|t| *t == 0.0))
                        && (i + 1 == n || out.iter().all(|t| *t == 0.0))
                })
            }
            Interpolation::Step | Interpolation::Linear => {
                self.values.chunks_exact(width).all(|value| value == &self.values[..width])
            }
        }
    }

    /// Value of a translation or scale track at key `i`.
    pub fn vec3_key(&self, i: usize) -> DVec3 {
        let at = self.value_offset(i, 3);
        let v = &self.values[at..at + 3];
        DVec3::new(v[0].into(), v[1].into(), v[2].into())
    }

    /// Value of a rotation track at key `i`, normalised.
    pub fn quat_key(&self, i: usize) -> DQuat {
        let at = self.value_offset(i, 4);
        let v = &self.values[at..at + 4];
        unit(DVec4::new(v[0].into(), v[1].into(), v[2].into(), v[3].into()))
    }

    fn value_offset(&self, i: usize, width: usize) -> usize {
        if self.interpolation == Interpolation::CubicSpline { (3 * i + 1) * width } else { i * width }
    }

    /// Translation or scale between key `i` and the next, `u` of the way (0…1), as found by [`Times::locate`].
    pub fn vec3_at(&self, i: usize, u: f64) -> DVec3 {
        if u == 0.0 || self.interpolation == Interpolation::Step {
            return self.vec3_key(i);
        }
        if self.interpolation == Interpolation::Linear {
            return self.vec3_key(i).lerp(self.vec3_key(i + 1), u);
        }
        self.hermite::<3>(i, u, |v| DVec4::new(v[0].into(), v[1].into(), v[2].into(), 0.0)).truncate()
    }

    /// Rotation between key `i` and the next, `u` of the way (0…1), as found by [`Times::locate`].
    pub fn quat_at(&self, i: usize, u: f64) -> DQuat {
        if u == 0.0 || self.interpolation == Interpolation::Step {
            return self.quat_key(i);
        }
        if self.interpolation == Interpolation::Linear {
            return slerp(self.quat_key(i), self.quat_key(i + 1), u);
        }
        // No hemisphere flip here: the tangents belong to the signs as written (glTF 2.0 appendix C).
        unit(self.hermite::<4>(i, u, |v| DVec4::new(v[0].into(), v[1].into(), v[2].into(), v[3].into())))
    }

    fn hermite<const W: usize>(&self, i: usize, u: f64, read: impl Fn(&[f32]) -> DVec4) -> DVec4 {
        let secs = self.times.at(i + 1) - self.times.at(i);
        let part = |n: usize| read(&self.values[n * W..(n + 1) * W]);
        let (v0, out0, in1, v1) = (part(3 * i + 1), part(3 * i + 2), part(3 * i + 3), part(3 * i + 4));
        let (u2, u3) = (u * u, u * u * u);
        v0 * (2.0 * u3 - 3.0 * u2 + 1.0)
            + out0 * (secs * (u3 - 2.0 * u2 + u))
            + v1 * (3.0 * u2 - 2.0 * u3)
            + in1 * (secs * (u3 - u2))
    }
}

/// A zero quaternion, which some exporters write for "no rotation", becomes the identity.
fn unit(v: DVec4) -> DQuat {
    let square = v.length_squared();
    // Stored keys are off by their rounding: one Newton step of 1/√x makes them unit to 1e-10 without root or division.
    if (square - 1.0).abs() < 1e-5 {
        return DQuat::from_vec4(v * (1.5 - 0.5 * square));
    }
    if square < 1e-24 { DQuat::IDENTITY } else { DQuat::from_vec4(v / square.sqrt()) }
}
