//! Scale that is not the same along all axes, above the pelvis.
//!
//! Whatever turns below such a bone is sheared, and no translation, rotation and scale say a shear: where a step
//! rewrites a bone below it, the shear goes.

use crate::motion::transform::is_uniform;
use crate::motion::{BoneIndex, Property, Rig, Role, RoleOverrides, SourceFile, Warning, WarningKind};

/// A bone above the pelvis carries at least this share of all bones: one in so many. The rest is not looked at.
const CARRIED: usize = 4;

/// Adds a warning where the pelvis stands below a bone that a node or a clip scales unevenly.
pub(super) fn warn(file: &mut SourceFile) {
    let uneven = uneven_bones(file);
    if uneven.is_empty() {
        return;
    }
    // Only now: finding the pelvis takes longer than all of this.
    let rig = Rig::detect(&file.skeleton, &file.declared_roles, &RoleOverrides::default());
    let Some(pelvis) = rig.bone(Role::Pelvis) else { return };
    let above = |bone: &&BoneIndex| **bone != pelvis && file.skeleton.is_at_or_above(**bone, pelvis);
    let count = uneven.iter().filter(above).count() as u32;
    let Some(first) = uneven.iter().find(above) else { return };
    file.warnings.push(Warning {
        kind: WarningKind::Dropped,
        place: file.skeleton.bone(*first).name.clone(),
        message:
            "a scale above the pelvis is not the same along all axes; the shear it gives to what turns below it is \
                  lost where a step rewrites that"
                .into(),
        count,
    });
}

fn uneven_bones(file: &SourceFile) -> Vec<BoneIndex> {
    let skeleton = &file.skeleton;
    let mut carried = vec![1_usize; skeleton.len()];
    for bone in skeleton.indices().rev() {
        if let Some(parent) = skeleton.parent(bone) {
            carried[parent.get()] += carried[bone.get()];
        }
    }
    let is_scaled_unevenly = |bone: BoneIndex| {
        let mut tracks = file.clips.iter().filter_map(|clip| clip.track(bone, Property::Scale));
        !is_uniform(skeleton.bone(bone).node_pose.scale)
            || tracks.any(|track| (0..track.times.len()).any(|key| !is_uniform(track.vec3_key(key))))
    };
    let carriers = skeleton.indices().filter(|bone| carried[bone.get()] * CARRIED >= skeleton.len());
    carriers.filter(|&bone| is_scaled_unevenly(bone)).collect()
}
