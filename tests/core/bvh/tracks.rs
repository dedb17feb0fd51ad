//! Channel values to rotations, places and tracks.

use std::sync::Arc;

use glam::{DQuat, DVec3};
use stridesmith::formats::ReadOptions;
use stridesmith::motion::transform::angle_between;
use stridesmith::motion::{BoneIndex, Property, SourceFile, Times, Track};

use super::{FILE, one_joint, read, read_with};

fn track(file: &SourceFile, bone: u32, property: Property) -> Option<&Arc<Track>> {
    file.clips[0].track(BoneIndex(bone), property)
}

fn rotation(channels: &str, row: &str) -> DQuat {
    let file = read(&one_joint("0 0 0", channels, &[row]));
    track(&file, 0, Property::Rotation).unwrap().quat_key(0)
}

fn assert_same(found: DQuat, expected: DQuat) {
    assert!(angle_between(found, expected) < 1e-6, "{found} is not {expected}");
}

#[test]
fn rotations_multiply_in_listed_order() {
    let zxy = "Zrotation Xrotation Yrotation";
    let q = rotation(zxy, "90 90 0");
    assert_same(q, DQuat::from_xyzw(0.5, 0.5, 0.5, 0.5));
    assert!((q * DVec3::Y).abs_diff_eq(DVec3::Z, 1e-6));
    assert!((q * DVec3::X).abs_diff_eq(DVec3::Y, 1e-6));
    assert!((q * DVec3::Z).abs_diff_eq(DVec3::X, 1e-6));
    let q = rotation(zxy, "90 0 90");
    assert_same(q, DQuat::from_xyzw(-0.5, 0.5, 0.5, 0.5));
    assert!((q * DVec3::X).abs_diff_eq(DVec3::NEG_Z, 1e-6));
    assert!((q * DVec3::Z).abs_diff_eq(DVec3::Y, 1e-6));
}

#[test]
fn every_order_and_repeated_axes_are_the_product_of_their_matrices() {
    let about = |axis: char, deg: f64| match axis {
        'X' => DQuat::from_rotation_x(deg.to_radians()),
        'Y' => DQuat::from_rotation_y(deg.to_radians()),
        _ => DQuat::from_rotation_z(deg.to_radians()),
    };
    let angles = [33.25, -118.5, 71.125];
    for order in ["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", "XYX", "ZXZ", "YY", "Z", "ZZZ"] {
        let channels: Vec<String> = order.chars().map(|axis| format!("{axis}rotation")).collect();
        let row: Vec<String> = angles.iter().take(order.len()).map(f64::to_string).collect();
        let expected = order.chars().zip(angles).fold(DQuat::IDENTITY, |q, (axis, deg)| q * about(axis, deg));
        assert_same(rotation(&channels.join(" "), &row.join(" ")), expected);
    }
}

#[test]
fn positions_replace_the_offset_or_are_added_to_it() {
    let text = one_joint("1 2 3", "Xposition Yposition Zposition", &["10 0 0"]);
    let place = |file: &SourceFile| track(file, 0, Property::Translation).unwrap().vec3_key(0);
    assert_eq!(place(&read(&text)), DVec3::new(10.0, 0.0, 0.0));
    let add = ReadOptions { metres_per_unit: Some(1.0), add_positions_to_offset: true, ..ReadOptions::default() };
    assert_eq!(place(&read_with(&text, &add).unwrap()), DVec3::new(11.0, 2.0, 3.0));
}

#[test]
fn axes_without_a_position_channel_keep_the_offset() {
    let file = read(&one_joint("1 2 3", "Yposition Zrotation Xposition", &["20 0 10", "21 0 11"]));
    let track = track(&file, 0, Property::Translation).unwrap();
    assert_eq!(track.vec3_key(1), DVec3::new(11.0, 21.0, 3.0));
}

#[test]
fn the_node_pose_is_the_offset_without_rotation() {
    let file = read(&one_joint("1 2 3", "Zrotation Xposition Yposition Zposition", &["90 4 5 6"]));
    let bone = file.skeleton.bone(BoneIndex(0));
    assert_eq!(bone.node_pose.translation, DVec3::new(1.0, 2.0, 3.0));
    assert_eq!(bone.node_pose.rotation, DQuat::IDENTITY);
    assert!(bone.is_joint && bone.bind_pose.is_none());
    assert_eq!(bone.node, Some(0));
}

/// hips, a leg with six channels, a foot with three, a toe with none; the leg's position is `leg` in the last row.
fn leg(leg: &str) -> String {
    let six = "CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation";
    format!(
        "HIERARCHY ROOT hips {{ OFFSET 0 1 0 {six} JOINT leg {{ OFFSET 0.5 -0.5 0 {six} JOINT foot {{ OFFSET 0 -0.5 0 \
         CHANNELS 3 Zrotation Yrotation Xrotation JOINT toe {{ OFFSET 0 0 0.2 CHANNELS 0 End Site {{ OFFSET 0 0 0.1 \
         }} }} }} }} }}\nMOTION\nFrames: 2\nFrame Time: 0.04\n\
         0 1 0 0 0 0  0.5 -0.5 0 0 0 0  1 2 3\n0 1 0 0 0 0  {leg} 0 0 0  4 5 6\n"
    )
}

#[test]
fn a_track_exists_where_something_can_move() {
    let file = read(&leg("0.5 -0.5 0"));
    let has = |bone, property| track(&file, bone, property).is_some();
    // A top keeps its place although it stands still; a deeper joint that never leaves its OFFSET has none.
    assert!(has(0, Property::Translation) && has(0, Property::Rotation));
    assert!(!has(1, Property::Translation) && has(1, Property::Rotation));
    assert!(!has(2, Property::Translation) && has(2, Property::Rotation));
    assert!(!has(3, Property::Translation) && !has(3, Property::Rotation));
    assert!(file.clips[0].tracks.iter().all(|tracks| tracks[Property::Scale.slot()].is_none()));
}

#[test]
fn a_deeper_joint_that_leaves_its_offset_has_a_translation_track() {
    let file = read(&leg("0.5 -0.5 0.0001"));
    let moved = track(&file, 1, Property::Translation).unwrap();
    assert!(moved.vec3_key(1).abs_diff_eq(DVec3::new(0.5, -0.5, 0.0001), 1e-9));
    // A ten-millionth of the height is rounding.
    assert!(track(&read(&leg("0.5 -0.5 0.0000001")), 1, Property::Translation).is_none());
}

#[test]
fn tracks_share_their_times_and_know_their_channel() {
    let file = read(&leg("0.5 -0.4 0"));
    let clip = &file.clips[0];
    let first = &track(&file, 0, Property::Translation).unwrap().times;
    assert_eq!(**first, Times::Uniform { start: 0.0, step: 0.04, n: 2 });
    let mut channels = Vec::new();
    for track in clip.tracks.iter().flatten().flatten() {
        assert!(Arc::ptr_eq(&track.times, first));
        let origin = track.values_from.unwrap();
        assert_eq!(Some(origin), track.times_from);
        assert_eq!(origin.file, FILE);
        channels.push(origin.channel);
    }
    assert_eq!(channels, [0, 1, 2, 3, 5]);
    assert_eq!((clip.name.as_str(), clip.take), ("walk 01", Some(0)));
    assert_eq!((clip.range.start_secs, clip.range.end_secs), (0.0, 0.04));
    assert!((clip.rate.fps() - 25.0).abs() < 1e-12);
}

#[test]
fn rotations_do_not_change_sign_between_keys() {
    let rows: Vec<String> = (0..100).map(|i| format!("{} {}", i % 9 * 5, i * 17 % 360)).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let file = read(&one_joint("0 0 0", "Yrotation Zrotation", &rows));
    let track = track(&file, 0, Property::Rotation).unwrap();
    let keys: Vec<DQuat> = track.values.chunks_exact(4).map(|v| glam::Quat::from_slice(v).as_dquat()).collect();
    assert!(keys[0].w >= 0.0);
    assert!(keys.windows(2).all(|pair| pair[0].dot(pair[1]) >= 0.0));
    assert!(keys.iter().any(|q| q.w < -0.5), "the turn is long enough to leave the first half");
}

#[test]
fn several_roots_are_several_tops() {
    let text = "HIERARCHY ROOT a { OFFSET 1 0 0 CHANNELS 1 Xposition } ROOT b { OFFSET 0 2 0 CHANNELS 2 Yposition \
                Zrotation JOINT c { OFFSET 0 3 0 } }\nMOTION\nFrames: 1\nFrame Time: 0.1\n7 8 90\n";
    let file = read(text);
    let parents: Vec<_> = file.skeleton.bones().iter().map(|bone| bone.parent.map(|p| p.0)).collect();
    assert_eq!(parents, [None, None, Some(1)]);
    let pose = file.clips[0].component_at(0.0);
    assert_eq!(pose.position(BoneIndex(0)), DVec3::new(7.0, 0.0, 0.0));
    assert!(pose.position(BoneIndex(2)).abs_diff_eq(DVec3::new(-3.0, 8.0, 0.0), 1e-6));
}
