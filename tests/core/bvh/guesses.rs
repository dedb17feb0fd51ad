//! Unit and up axis.

use glam::DVec3;
use stridesmith::formats::ReadOptions;
use stridesmith::motion::{BoneIndex, SourceFile, WarningKind};

use super::{parse, read_with, warned};

/// A figure `height` tall that stands along `up` in its OFFSETs, head on top, and turns by `row` (z, x, y).
fn figure(height: f64, up: DVec3, row: &str) -> String {
    let at = |v: DVec3| format!("OFFSET {} {} {}", v.x, v.y, v.z);
    let half = up * height * 0.5;
    let turn = "CHANNELS 3 Zrotation Xrotation Yrotation";
    format!(
        "HIERARCHY ROOT Hips {{ OFFSET 0 0 0 CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation \
         JOINT Spine {{ {} {turn} End Site {{ {} }} }} JOINT LeftFoot {{ {} {turn} }} }}\n\
         MOTION\nFrames: 1\nFrame Time: 0.04\n1 2 3 {row} 0 0 0 0 0 0\n",
        at(half * 0.5),
        at(half * 0.5),
        at(-half)
    )
}

fn open(text: &str) -> SourceFile {
    read_with(text, &ReadOptions::default()).unwrap()
}

#[test]
fn the_unit_follows_from_the_height() {
    let cases = [
        (0.5, 1.0, "metres"),
        (1.7, 1.0, "metres"),
        (3.0, 1.0, "metres"),
        (5.6, 0.3048, "feet"),
        (11.0, 0.05644, "CMU"),
        (17.0, 0.1, "decimetres"),
        (30.0, 0.05644, "CMU"),
        (44.0, 0.05644, "CMU"),
        (66.0, 0.0254, "inches"),
        (52.0, 0.01, "centimetres"),
        (170.0, 0.01, "centimetres"),
        (299.0, 0.01, "centimetres"),
        (1700.0, 0.001, "millimetres"),
    ];
    for (height, metres, name) in cases {
        let file = open(&figure(height, DVec3::Y, "0 0 0"));
        assert_eq!(file.space.metres_per_unit, metres, "{height}");
        warned(&file.warnings, WarningKind::Units, name);
        let foot = file.skeleton.bone(BoneIndex(2)).node_pose.translation;
        assert!((foot.y + height * 0.5 * metres).abs() < 1e-9);
        let place = file.clips[0].component_at(0.0).position(BoneIndex(0));
        assert!(place.abs_diff_eq(DVec3::new(1.0, 2.0, 3.0) * metres, 1e-4 * metres));
    }
}

#[test]
fn a_unit_that_is_given_is_not_guessed() {
    let given = |metres| ReadOptions { metres_per_unit: Some(metres), ..ReadOptions::default() };
    let file = read_with(&figure(170.0, DVec3::Y, "0 0 0"), &given(0.5)).unwrap();
    assert_eq!(file.space.metres_per_unit, 0.5);
    assert_eq!(file.warnings, []);
    for nonsense in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let file = read_with(&figure(170.0, DVec3::Y, "0 0 0"), &given(nonsense)).unwrap();
        assert_eq!(file.space.metres_per_unit, 0.01);
        warned(&file.warnings, WarningKind::Units, "cannot be meant");
    }
    // No height, no guess worth a number: a point.
    let point = open("HIERARCHY ROOT a { OFFSET 5 5 5 }");
    assert_eq!(point.space.metres_per_unit, 0.01);
}

#[test]
fn a_figure_that_stands_along_z_is_stood_up() {
    let file = open(&figure(1.7, DVec3::Z, "0 0 90"));
    warned(&file.warnings, WarningKind::Axes, "+Z");
    let rest = file.skeleton.node_pose_component();
    assert!(rest[2].translation.abs_diff_eq(DVec3::new(0.0, -0.85, 0.0), 1e-9));
    // Turned about x: left stays left, the file's up (1, 2, 3)·z becomes ours, its −y our forward.
    let pose = file.clips[0].component_at(0.0);
    assert!(pose.position(BoneIndex(0)).abs_diff_eq(DVec3::new(1.0, 3.0, -2.0), 1e-6));
    let bvh = parse(&figure(1.7, DVec3::Z, "0 0 90")).unwrap();
    let unturned = bvh.skeleton(&stridesmith::motion::FileSpace::OURS).unwrap().node_pose_component();
    assert!((file.space.rotation * unturned[2].translation).abs_diff_eq(rest[2].translation, 1e-12));
}

#[test]
fn a_figure_that_stands_along_y_is_left_alone() {
    assert_eq!(open(&figure(170.0, DVec3::Y, "0 0 70")).space.rotation, glam::DQuat::IDENTITY);
}

#[test]
fn motion_and_offsets_are_both_asked() {
    // A root that turns OFFSETs along z upright: nothing to turn.
    let upright = open(&figure(170.0, DVec3::Z, "0 -90 0"));
    assert_eq!(upright.space.rotation, glam::DQuat::IDENTITY);
    warned(&upright.warnings, WarningKind::Axes, "the motion stands along +Y");
    // A figure that lies down is not a file that stands along z.
    let lying = open(&figure(170.0, DVec3::Y, "0 90 0"));
    assert_eq!(lying.space.rotation, glam::DQuat::IDENTITY);
    warned(&lying.warnings, WarningKind::Axes, "the skeleton stands along +Y");
    assert_eq!(lying.space.metres_per_unit, 0.01);
    // Bone axes along x say nothing: the motion decides, and its height gives the unit.
    let bones_along_x = open(&figure(170.0, DVec3::X, "0 0 90"));
    assert_eq!(bones_along_x.space.metres_per_unit, 0.01);
    warned(&bones_along_x.warnings, WarningKind::Axes, "along -Z");
}

#[test]
fn props_do_not_count() {
    let prop = "ROOT camera { OFFSET 0 0 5000 JOINT lens { OFFSET 0 0 900 } }";
    let text = figure(170.0, DVec3::Y, "0 0 0").replace("MOTION", &format!("{prop}\nMOTION"));
    let file = open(&text);
    assert_eq!((file.space.metres_per_unit, file.space.rotation), (0.01, glam::DQuat::IDENTITY));
}
