//! "Hips not found": every spelling, files without keys, and picking by hand.

use serde_json::json;
use stridesmith::edit::RoleChoice;
use stridesmith::ops::{MoveToOrigin, StartAtZero};
use stridesmith::session::error_text;

use super::*;
use crate::support::gltf_build::Build;

/// Hips with two legs, called so; in keys, hips go 1.2 m forward.
fn character(hips: &str, keyed: bool, has_skin: bool) -> Vec<u8> {
    let mut build = Build::new();
    if has_skin {
        build.element("skins", json!({ "joints": [1, 2, 3, 4, 5, 6, 7, 8] }));
    }
    build.node(json!({ "name": "Scene", "children": [1] }));
    build.node(json!({ "name": hips, "translation": [0, 0.95, 0], "children": [2, 5, 8] }));
    for (side, x) in [("Left", 0.1), ("Right", -0.1)] {
        let first = 2 + 3 * usize::from(side == "Right");
        build.node(json!({ "name": format!("{side}UpLeg"), "translation": [x, 0, 0], "children": [first + 1] }));
        build.node(json!({ "name": format!("{side}Leg"), "translation": [0, -0.45, 0], "children": [first + 2] }));
        build.node(json!({ "name": format!("{side}Foot"), "translation": [0, -0.45, 0] }));
    }
    build.node(json!({ "name": "Spine", "translation": [0, 0.2, 0] }));
    let animation = build.animation(json!({ "name": "walk" }));
    if keyed {
        let keys: Vec<f32> = (0..=30).map(|i| i as f32 / 30.0).collect();
        let places: Vec<f32> = keys.iter().flat_map(|t| [0.0, 0.95, 1.2 * t]).collect();
        build.keys(animation, 1, "translation", &keys, &places, "LINEAR");
    }
    build.glb()
}

const SPELLINGS: [&str; 9] = [
    "Hips",
    "mixamorig:Hips",
    "mixamorig_Hips",
    "mixamorig9:Hips",
    "Pelvis",
    "pelvis",
    "hip",
    "bip01 Pelvis",
    "Bip001 Pelvis",
];

#[test]
fn hips_of_every_spelling_give_their_travel_to_a_root() {
    for name in SPELLINGS {
        let mut desk = Desk::of_bytes("walk.glb", &character(name, true, false));
        let out = desk.apply(extract(path(PathMode::Smoothed, YawSource::Auto), RootStart::Auto));
        let written = desk.export(out);
        let root = written.rig.root().map(|root| written.clip.skeleton.bone(root).name.clone());
        assert_eq!(root.as_deref(), Some("root"), "{name}");
        assert!((written.position("root", 1.0).z - 1.2).abs() < 1e-5, "{name}");
        assert!(written.position(name, 1.0).distance(DVec3::new(0.0, 0.95, 1.2)) < 1e-5, "{name}");
    }
}

#[test]
fn a_clip_without_keys_opens_and_goes_through_every_operation() {
    for (name, has_skin) in [("Hips", true), ("bip01 Pelvis", true), ("Hips", false)] {
        let mut desk = Desk::of_bytes("still.glb", &character(name, false, has_skin));
        assert!(desk.source().tracks.iter().flatten().all(Option::is_none));
        let rest = desk.source().component_at(0.0).position(desk.file().skeleton.find(name).unwrap());
        let mut ops = vec![
            extract(path(PathMode::Smoothed, YawSource::Auto), RootStart::Auto),
            extract(path(PathMode::Raw, YawSource::PelvisDelta), RootStart::UnderPelvis),
            extract(path(PathMode::ConstantSpeed, YawSource::Travel), RootStart::Relative),
        ];
        let moved = desk.apply(Op::StartAtZero(StartAtZero::default()));
        assert!(Arc::ptr_eq(&desk.evaluate(moved).clip, &desk.source()), "it is at 0 already");
        if has_skin {
            // Without a skin only what it keys is a bone when the file is read again.
            ops.push(Op::MoveToOrigin(MoveToOrigin::default()));
            ops.push(in_place(path(PathMode::Smoothed, YawSource::Auto), RootStart::Auto));
        }
        for op in ops {
            let label = op.label();
            let out = desk.apply(op);
            let written = desk.export(out);
            assert!(written.position(name, 0.0).distance(rest) < 1e-6, "{label}");
            assert!(written.bone("RightFoot") < BoneIndex(20), "{label}: all bones are there");
            assert_eq!(written.clip.range.duration_secs(), 0.0, "{label}");
        }
    }
}

#[test]
fn unknown_hips_are_refused_with_the_way_out_and_picked_by_hand() {
    // Names that say nothing, for hips and legs alike.
    let mut build = Build::new();
    for i in 0..5 {
        let children = if i < 4 { json!([i + 1]) } else { json!([]) };
        build.node(json!({ "name": format!("b{i}"), "translation": [0.1, 0.3, 0], "children": children }));
    }
    let animation = build.animation(json!({ "name": "walk" }));
    build.keys(animation, 2, "translation", &[0.0, 1.0], &[0.0, 0.3, 0.0, 0.0, 0.3, 1.2], "LINEAR");
    let mut desk = Desk::of_bytes("walk.glb", &build.glb());
    let op = || extract(path(PathMode::Raw, YawSource::None), RootStart::Auto);
    assert_eq!(desk.evaluate(desk.take).rig.travel_bone, None);
    let refused = desk.session.handle(Action::Change(Change::apply(op(), vec![desk.take]))).unwrap_err();
    let text = error_text(&refused);
    assert!(text.contains("name the bone that carries the travel"), "{text}");
    let skeleton = desk.session.document().files()[0].skeleton.clone();
    let choice = RoleChoice::Bone("b0/b1/b2".into());
    desk.session.handle(Action::Change(Change::SetRole { skeleton, role: Role::Pelvis, choice })).unwrap();
    let out = desk.apply(op());
    let written = desk.export(out);
    let travelled = written.position("root", 1.0) - written.position("root", 0.0);
    assert!(travelled.distance(DVec3::new(0.0, 0.0, 1.2)) < 1e-5, "{travelled}");
}
