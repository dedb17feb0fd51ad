//! One bone's transform, and the few rotation functions everything else is made of.
//!
//! Angles are `2·atan2(|v|, |w|)`, never an arccosine, whose floor is 3e-8 rad even in `f64`.

use glam::{DAffine3, DMat3, DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// Translation, rotation and scale relative to the parent, applied in the order scale, rotation, translation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Transform {
    /// Metres.
    pub translation: DVec3,
    /// Unit quaternion.
    pub rotation: DQuat,
    /// Per axis, before the rotation.
    pub scale: DVec3,
}

impl Transform {
    /// The transform that changes nothing.
    pub const IDENTITY: Self = Self { translation: DVec3::ZERO, rotation: DQuat::IDENTITY, scale: DVec3::ONE };

    /// A rotation followed by a translation.
    pub fn rigid(translation: DVec3, rotation: DQuat) -> Self {
        Self { translation, rotation, scale: DVec3::ONE }
    }

    /// As a matrix.
    pub fn to_affine(self) -> DAffine3 {
        DAffine3::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }

    /// The nearest translation, rotation and scale; a mirrored basis puts the minus sign on x. Shear is lost.
    pub fn from_affine(affine: DAffine3) -> Self {
        let (scale, rotation) = split_linear(affine.matrix3);
        Self { translation: affine.translation, rotation, scale }
    }

    /// `self ∘ inner`: `inner` applied first. Exact unless `self` has a non-uniform scale and `inner` a rotation.
    #[inline]
    pub fn compose(self, inner: Self) -> Self {
        Self {
            translation: self.translation + self.rotation * (self.scale * inner.translation),
            rotation: normalized(self.rotation * inner.rotation),
            scale: self.scale * inner.scale,
        }
    }

    /// The transform that undoes this one; exact for uniform scale. A zero scale has no inverse and gives non-finite numbers.
    pub fn inverse(self) -> Self {
        let rotation = self.rotation.conjugate();
        let scale = self.scale.recip();
        Self { translation: -(scale * (rotation * self.translation)), rotation, scale }
    }

    /// Whether every number is finite.
    pub fn is_finite(self) -> bool {
        self.translation.is_finite() && self.rotation.is_finite() && self.scale.is_finite()
    }
}

/// The rotation of a component-space transform, scale removed. Columns are normalised; a mirrored basis flips x.
pub fn rotation_of(affine: &DAffine3) -> DQuat {
    split_linear(affine.matrix3).1
}

fn split_linear(m: DMat3) -> (DVec3, DQuat) {
    let lengths = DVec3::new(m.x_axis.length(), m.y_axis.length(), m.z_axis.length());
    let sign = if m.determinant() < 0.0 { -1.0 } else { 1.0 };
    let scale = DVec3::new(lengths.x * sign, lengths.y, lengths.z);
    if lengths.min_element() <= f64::MIN_POSITIVE {
        return (scale, DQuat::IDENTITY);
    }
    let inverse = scale.recip();
    let unit = DMat3::from_cols(m.x_axis * inverse.x, m.y_axis * inverse.y, m.z_axis * inverse.z);
    (scale, normalized(DQuat::from_mat3(&unit)))
}

/// `q/|q|`. What is off by its rounding alone, the usual case, takes one Newton step of `1/√x`, which is as exact as
/// the square root and the division it stands for.
fn normalized(q: DQuat) -> DQuat {
    let square = q.length_squared();
    if (square - 1.0).abs() < 1e-8 { q * (1.5 - 0.5 * square) } else { q * square.sqrt().recip() }
}

/// Whether a scale is the same along all axes, to a part in 10⁴.
pub fn is_uniform(scale: DVec3) -> bool {
    scale.max_element() - scale.min_element() <= 1e-4 * scale.abs().max_element()
}

/// Ground-plane part of a vector: `v − (v·up)up` with +Y up.
pub fn ground(v: DVec3) -> DVec3 {
    DVec3::new(v.x, 0.0, v.z)
}

/// Rotation about +Y by `yaw_rad`: forward +Z turns to +X for a positive angle.
pub fn yaw_rotation(yaw_rad: f64) -> DQuat {
    DQuat::from_axis_angle(DVec3::Y, yaw_rad)
}

/// Angle of a rotation in 0…π, either sign of the quaternion.
pub fn rotation_angle(q: DQuat) -> f64 {
    2.0 * DVec3::new(q.x, q.y, q.z).length().atan2(q.w.abs())
}

/// Angle between two rotations in 0…π.
pub fn angle_between(a: DQuat, b: DQuat) -> f64 {
    rotation_angle(a.conjugate() * b)
}

/// Wraps an angle to (−π, π].
pub fn wrap_angle(angle_rad: f64) -> f64 {
    if angle_rad.abs() < std::f64::consts::PI {
        return angle_rad;
    }
    let turns = (angle_rad / std::f64::consts::TAU).round();
    let wrapped = angle_rad - turns * std::f64::consts::TAU;
    if wrapped <= -std::f64::consts::PI { wrapped + std::f64::consts::TAU } else { wrapped }
}

/// `v/|v|`, or `fallback` when `|v|² < 1e-12` (metres).
pub fn direction_or(v: DVec3, fallback: DVec3) -> DVec3 {
    let square = v.length_squared();
    if square < 1e-12 { fallback } else { v / square.sqrt() }
}

/// The shortest rotation taking unit `a` to unit `b`. Antiparallel: 180° about `a × e`, where `e` is the axis
/// (x, then y, then z) on which `a` is smallest, so that every caller and test sees the same one.
pub fn shortest_arc(a: DVec3, b: DVec3) -> DQuat {
    let cosine = a.dot(b);
    if cosine > -1.0 + 1e-9 {
        let v = a.cross(b);
        return DQuat::from_xyzw(v.x, v.y, v.z, 1.0 + cosine).normalize();
    }
    let m = a.abs();
    let e = if m.x <= m.y && m.x <= m.z {
        DVec3::X
    } else if m.y <= m.z {
        DVec3::Y
    } else {
        DVec3::Z
    };
    let axis = a.cross(e).normalize_or(DVec3::X);
    DQuat::from_xyzw(axis.x, axis.y, axis.z, 0.0)
}

/// Rotation vector (axis · angle, radians) of a rotation, the shorter way round.
pub fn log_rotation(q: DQuat) -> DVec3 {
    let q = if q.w < 0.0 { -q } else { q };
    let v = DVec3::new(q.x, q.y, q.z);
    let length = v.length();
    if length < 1e-150 {
        return 2.0 * v;
    }
    v * (2.0 * length.atan2(q.w) / length)
}

/// Rotation of a rotation vector (axis · angle, radians).
pub fn exp_rotation(v: DVec3) -> DQuat {
    DQuat::from_scaled_axis(v)
}

/// `q` or `−q`, whichever is nearer to `reference`: both are the same rotation.
pub fn nearer(q: DQuat, reference: DQuat) -> DQuat {
    if q.dot(reference) < 0.0 { -q } else { q }
}

/// Spherical interpolation the shorter way; nearly parallel rotations (dot > 0.9995) are interpolated linearly and
/// normalised, as glTF 2.0 (appendix C) allows.
pub fn slerp(a: DQuat, b: DQuat, u: f64) -> DQuat {
    let dot = a.dot(b);
    let (b, dot) = if dot < 0.0 { (-b, -dot) } else { (b, dot) };
    if dot > 0.9995 {
        return (a * (1.0 - u) + b * u).normalize();
    }
    let angle = dot.acos();
    let inverse_sine = angle.sin().recip();
    a * (((1.0 - u) * angle).sin() * inverse_sine) + b * ((u * angle).sin() * inverse_sine)
}
