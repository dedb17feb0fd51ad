//! The bind pose in component space, whatever space the inverse bind matrices were written in.

use glam::{DAffine3, DMat4, DQuat, DVec3};
use serde_json::json;
use stridesmith::motion::BoneIndex;

use super::read;
use crate::support::gltf_build::Build;

/// An armature with a chain of four joints in a bound pose of its own, its node pose bent by `bend` per joint.
/// `scene_from_mesh` is the space the inverse bind matrices are written in; `armature` stands above the joints.
fn character(armature: DAffine3, scene_from_mesh: DAffine3, bend: f64) -> (Build, Vec<DAffine3>) {
    let mut build = Build::new();
    let columns = |affine: DAffine3| DMat4::from(affine).to_cols_array().map(|x| x as f32);
    build.node(json!({ "name": "armature", "matrix": columns(armature), "children": [1] }));
    let mut bind = Vec::new();
    let mut above = armature;
    for i in 0..4 {
        let step = DVec3::new(0.01, 0.3 + 0.05 * f64::from(i), 0.02);
        let bound = DQuat::from_rotation_z(0.2 * f64::from(i));
        let posed = bound * DQuat::from_rotation_x(if i > 0 { bend } else { 0.0 });
        let children = if i < 3 { json!([i + 2]) } else { json!([]) };
        build.node(json!({ "translation": step.as_vec3().to_array(), "rotation": posed.as_quat().to_array(), "children": children }));
        above *= DAffine3::from_rotation_translation(bound, step);
        bind.push(above);
    }
    let inverse: Vec<f32> =
        bind.iter().flat_map(|bind| columns((scene_from_mesh.inverse() * *bind).inverse())).collect();
    let matrices = build.floats(&inverse, "MAT4");
    build.element("skins", json!({ "joints": [1, 2, 3, 4], "inverseBindMatrices": matrices }));
    build.node(json!({ "name": "body", "skin": 0, "matrix": columns(scene_from_mesh) }));
    (build, bind)
}

fn check(build: &Build, expected: &[DAffine3], tolerance: f64) {
    let file = read(&build.glb());
    let size = expected.iter().map(|bind| bind.translation.length()).fold(1.0, f64::max);
    for (joint, expected) in expected.iter().enumerate() {
        let bone = file.skeleton.bone(BoneIndex(joint as u32 + 1));
        let bind = bone.bind_pose.unwrap();
        assert!(bind.abs_diff_eq(*expected, tolerance * size), "{joint}: {bind} is not {expected}");
    }
    assert_eq!(file.skeleton.bones()[0].bind_pose, None, "no joint, no bind pose");
}

#[test]
fn bound_in_the_scene() {
    for armature in [DAffine3::IDENTITY, DAffine3::from_scale(DVec3::splat(0.38))] {
        for bend in [0.0, 0.5] {
            let (build, bind) = character(armature, DAffine3::IDENTITY, bend);
            check(&build, &bind, 1e-5);
        }
    }
}

#[test]
fn bound_in_the_space_of_a_large_z_up_armature_and_its_mesh() {
    // FBX2glTF: armature and mesh both stand at scale 100, a quarter turn about X, and bones are hundredths long.
    let turned = DAffine3::from_scale_rotation_translation(
        DVec3::splat(100.0),
        DQuat::from_rotation_x(-std::f64::consts::FRAC_PI_2),
        DVec3::ZERO,
    );
    for bend in [0.0, 0.5] {
        let (build, bind) = character(turned, turned, bend);
        check(&build, &bind, 1e-4);
    }
}

#[test]
fn bound_below_a_turned_node_without_scale() {
    // Collada's Z_UP node: lengths agree with the identity, directions do not.
    let turned = DAffine3::from_rotation_x(-std::f64::consts::FRAC_PI_2);
    let (mut build, bind) = character(turned, turned, 0.0);
    build.json["nodes"][5].as_object_mut().unwrap().remove("matrix");
    check(&build, &bind, 1e-5);
}

#[test]
fn bound_in_a_space_that_no_node_has() {
    // Inverse bind matrices in centimetres, nodes in metres, and nothing in the file that says so.
    let centimetres = DAffine3::from_scale(DVec3::splat(0.01));
    let (mut build, bind) = character(DAffine3::IDENTITY, centimetres, 0.0);
    build.json["nodes"][5].as_object_mut().unwrap().remove("matrix");
    check(&build, &bind, 1e-4);
}

#[test]
fn skins_without_matrices_bind_nothing() {
    let (mut build, _) = character(DAffine3::IDENTITY, DAffine3::IDENTITY, 0.0);
    build.json["skins"][0].as_object_mut().unwrap().remove("inverseBindMatrices");
    let file = read(&build.glb());
    assert!(file.skeleton.bones().iter().all(|bone| bone.bind_pose.is_none()));
    assert!(file.skins[0].inverse_binds.iter().all(|bind| *bind == DAffine3::IDENTITY));
    assert_eq!(file.skins[0].joints.len(), 4);
}
