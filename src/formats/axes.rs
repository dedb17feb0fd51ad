//! From a file's units and axes to ours and back: here and nowhere else.

use glam::{DMat3, DQuat, DVec3};

use crate::motion::{FileSpace, Transform};

/// A top node's local transform, from the file's space to ours: turned and scaled.
pub fn top_transform_in(space: &FileSpace, file: Transform) -> Transform {
    Transform {
        translation: space.rotation * file.translation * space.metres_per_unit,
        rotation: (space.rotation * file.rotation).normalize(),
        scale: file.scale,
    }
}

/// A deeper node's local transform, from the file's space to ours: only its length unit differs.
pub fn deep_transform_in(space: &FileSpace, file: Transform) -> Transform {
    Transform { translation: file.translation * space.metres_per_unit, ..file }
}

/// Undoes [`top_transform_in`].
pub fn top_transform_out(space: &FileSpace, ours: Transform) -> Transform {
    let back = space.rotation.conjugate();
    Transform {
        translation: back * ours.translation / space.metres_per_unit,
        rotation: (back * ours.rotation).normalize(),
        scale: ours.scale,
    }
}

/// Undoes [`deep_transform_in`].
pub fn deep_transform_out(space: &FileSpace, ours: Transform) -> Transform {
    Transform { translation: ours.translation / space.metres_per_unit, ..ours }
}

/// The rotation that takes a file's right-handed axes, given as where its own right, up and forward point, to ours
/// (right −X, up +Y, forward +Z).
pub fn rotation_from_axes(right: DVec3, up: DVec3, forward: DVec3) -> DQuat {
    let file = DMat3::from_cols(right, up, forward);
    let ours = DMat3::from_cols(DVec3::NEG_X, DVec3::Y, DVec3::Z);
    DQuat::from_mat3(&(ours * file.transpose())).normalize()
}
