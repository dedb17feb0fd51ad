//! Node pose, bind pose and reference pose are three things, and none is a frame of a clip.

use glam::{DAffine3, DMat4, DQuat};
use serde_json::json;
use stridesmith::formats::bvh;
use stridesmith::motion::transform::{angle_between, rotation_of};

use super::*;
use crate::support::gltf_build::Build;

/// Hips, spine and arm: nodes in an A-pose, a skin bound in a T-pose, two takes that each move another bone.
fn bound_elsewhere(has_skin: bool) -> Vec<u8> {
    let mut build = Build::new();
    let quat = |q: DQuat| q.as_quat().to_array();
    build.node(json!({ "name": "Hips", "translation": [0, 1, 0], "children": [1] }));
    build.node(json!({ "name": "Spine", "translation": [0, 0.3, 0], "children": [2] }));
    build.node(
        json!({ "name": "LeftArm", "translation": [0.2, 0.1, 0], "rotation": quat(DQuat::from_rotation_z(-0.8)) }),
    );
    if has_skin {
        let binds = [[0.0, 1.0, 0.0], [0.0, 1.3, 0.0], [0.2, 1.4, 0.0]];
        let inverse: Vec<f32> = binds
            .iter()
            .flat_map(|at| DMat4::from(DAffine3::from_translation(-DVec3::from(*at))).to_cols_array().map(|v| v as f32))
            .collect();
        let matrices = build.floats(&inverse, "MAT4");
        build.element("skins", json!({ "joints": [0, 1, 2], "inverseBindMatrices": matrices }));
        build.node(json!({ "name": "Body", "skin": 0 }));
    }
    for (take, bone, first) in [("wave", 2, 1.2), ("bow", 1, 0.9)] {
        let animation = build.animation(json!({ "name": take }));
        let turns: Vec<f32> = [first, 1.5].iter().flat_map(|a| quat(DQuat::from_rotation_x(*a))).collect();
        build.keys(animation, bone, "rotation", &[0.0, 1.0], &turns, "LINEAR");
    }
    build.glb()
}

#[test]
fn bones_without_tracks_take_the_node_pose_never_a_frame_and_never_another_take() {
    for has_skin in [true, false] {
        let desk = Desk::of_bytes("poses.glb", &bound_elsewhere(has_skin));
        let file = desk.file();
        let [spine, arm] = ["Spine", "LeftArm"].map(|name| file.skeleton.find(name).unwrap());
        let local = |clip: &Clip, bone: BoneIndex, secs: f64| {
            let mut pose = LocalPose::node_pose(&clip.skeleton);
            Sampler::new(clip).local(secs, &mut pose);
            pose.0[bone.get()].rotation
        };
        let node_arm = DQuat::from_rotation_z(-0.8);
        let (wave, bow) = (&file.clips[0], &file.clips[1]);
        for secs in [0.0, 0.5, 1.0] {
            assert!(angle_between(local(wave, spine, secs), DQuat::IDENTITY) < 1e-6, "the other take's spine");
            assert!(angle_between(local(bow, arm, secs), node_arm) < 1e-6, "the other take's arm, or the bind pose");
        }
        assert!(angle_between(local(wave, arm, 0.0), DQuat::from_rotation_x(1.2)) < 1e-6);
        // The reference pose is where the skin was bound, or the nodes where nothing was; the takes do not matter.
        let reference = rotation_of(&file.skeleton.reference_component()[arm.get()]);
        let expected = if has_skin { DQuat::IDENTITY } else { node_arm };
        assert!(angle_between(reference, expected) < 1e-5, "skin {has_skin}");
        assert_eq!(file.skeleton.bone(arm).bind_pose.is_some(), has_skin);
    }
}

#[test]
fn what_was_not_keyed_is_not_keyed_in_the_export_and_poses_do_not_leak_into_it() {
    let mut desk = Desk::of_bytes("poses.glb", &bound_elsewhere(true));
    let takes: Vec<ClipId> = desk.session.document().takes(desk.file().id).map(|(id, _)| id).collect();
    for (take, moving) in takes.into_iter().zip(["LeftArm", "Spine"]) {
        let before = desk.evaluate(take).clip.clone();
        let out = desk.apply_to(take, extract(path(PathMode::Raw, YawSource::None), RootStart::UnderPelvis));
        let written = desk.export(out);
        assert_same_motion(&before, &written.clip, moving);
        for bone in ["Spine", "LeftArm"] {
            let tracks = &written.clip.tracks[written.bone(bone).get()];
            assert_eq!(tracks.iter().any(Option::is_some), bone == moving, "{bone} in the take of {moving}");
        }
        let old = desk.file().skeleton.reference_component();
        let new = written.file.skeleton.reference_component();
        for name in ["Hips", "Spine", "LeftArm"] {
            let (was, is) = (desk.file().skeleton.find(name).unwrap(), written.bone(name));
            assert!(old[was.get()].abs_diff_eq(new[is.get()], 1e-5), "{name}: the bind pose stays");
        }
    }
}

#[test]
fn joints_of_one_bvh_may_each_list_their_channels_in_another_order() {
    let text = "HIERARCHY\nROOT Hips\n{\n OFFSET 0 0 0\n CHANNELS 6 Yposition Xposition Zposition Yrotation Zrotation Xrotation\n \
                JOINT Spine\n {\n  OFFSET 0 20 0\n  CHANNELS 3 Xrotation Zrotation Yrotation\n  \
                JOINT Head\n  {\n   OFFSET 0 40 0\n   CHANNELS 6 Zrotation Xposition Xrotation Yposition Yrotation Zposition\n  }\n }\n}\n\
                MOTION\nFrames: 2\nFrame Time: 0.0333333\n\
                95 1 2 10 20 30 11 21 31 12 1.5 22 41.5 32 2.5\n\
                96 3 4 15 25 35 16 26 36 17 1.6 27 41.6 37 2.6\n";
    let options = ReadOptions { metres_per_unit: Some(0.01), ..ReadOptions::default() };
    let file = bvh::read(FileId(0), Path::new("orders.bvh"), text.as_bytes().into(), &options).unwrap();
    let turn = |axis: char, degrees: f64| match axis {
        'X' => DQuat::from_rotation_x(degrees.to_radians()),
        'Y' => DQuat::from_rotation_y(degrees.to_radians()),
        _ => DQuat::from_rotation_z(degrees.to_radians()),
    };
    let joints = [
        ("Hips", [('Y', 10.0), ('Z', 20.0), ('X', 30.0)], [('Y', 15.0), ('Z', 25.0), ('X', 35.0)]),
        ("Spine", [('X', 11.0), ('Z', 21.0), ('Y', 31.0)], [('X', 16.0), ('Z', 26.0), ('Y', 36.0)]),
        ("Head", [('Z', 12.0), ('X', 22.0), ('Y', 32.0)], [('Z', 17.0), ('X', 27.0), ('Y', 37.0)]),
    ];
    for (name, first, second) in joints {
        let track = file.clips[0].track(file.skeleton.find(name).unwrap(), Property::Rotation).unwrap();
        for (key, angles) in [first, second].into_iter().enumerate() {
            let expected = angles.iter().fold(DQuat::IDENTITY, |q, &(axis, degrees)| q * turn(axis, degrees));
            assert!(angle_between(track.quat_key(key), expected) < 1e-6, "{name}");
        }
    }
    let place = |name: &str, key| {
        file.clips[0].track(file.skeleton.find(name).unwrap(), Property::Translation).unwrap().vec3_key(key)
    };
    assert!(place("Hips", 0).distance(DVec3::new(0.01, 0.95, 0.02)) < 1e-7);
    assert!(place("Hips", 1).distance(DVec3::new(0.03, 0.96, 0.04)) < 1e-7);
    assert!(place("Head", 1).distance(DVec3::new(0.016, 0.416, 0.026)) < 1e-7);
}
