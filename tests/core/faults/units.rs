//! Lengths and bone axes through the whole chain: file, extraction, file.

use glam::DQuat;
use stridesmith::motion::demo::{Family, Gait};
use stridesmith::motion::transform::angle_between;
use stridesmith::ops::travel_share::travel_share;
use stridesmith::ops::{OpInput, Progress};

use super::*;
use crate::support::bvh_text::bvh_text;
use crate::support::fbx_ascii::{Curve, Node, Scene, Take};
use crate::support::pose_check::compare;

/// Hips at a time, metres.
fn hips(secs: f64) -> DVec3 {
    DVec3::new(0.02 * (6.3 * secs).sin(), 0.95 + 0.02 * (12.6 * secs).cos(), 1.5 * secs)
}

/// A walker below an armature, in a file whose unit is so many centimetres.
pub(super) fn walker(unit_cm: f64, armature_scale: f64) -> Scene {
    // File units of the armature's children per metre.
    let k = 100.0 / (unit_cm * armature_scale);
    let limb =
        |name: &str, parent, at: [f64; 3]| Node { translation: at.map(|v| v * k), ..Node::limb(name, Some(parent)) };
    let mut nodes = vec![
        Node { scaling: [armature_scale; 3], ..Node::limb("Armature", None).of_class("Null") },
        limb("Hips", 0, [0.0, 0.95, 0.0]),
        limb("Spine", 1, [0.0, 0.2, 0.0]),
    ];
    for (side, x) in [("Left", 0.1), ("Right", -0.1)] {
        let first = nodes.len();
        nodes.push(limb(&format!("{side}UpLeg"), 1, [x, -0.03, 0.0]));
        nodes.push(limb(&format!("{side}Leg"), first, [0.0, -0.43, 0.0]));
        nodes.push(limb(&format!("{side}Foot"), first + 1, [0.0, -0.42, 0.0]));
    }
    let frames = || (0..=60).map(|i| f64::from(i) / 30.0);
    let mut curves: Vec<Curve> = (0..3)
        .map(|axis| {
            let points: Vec<(f64, f64)> = frames().map(|t| (t, hips(t)[axis] * k)).collect();
            Curve::linear(1, 'T', axis, &points)
        })
        .collect();
    for (leg, phase) in [(3, 0.0), (6, 3.1)] {
        let points: Vec<(f64, f64)> = frames().map(|t| (t, 25.0 * (6.3 * t + phase).sin())).collect();
        curves.push(Curve::linear(leg, 'R', 0, &points));
    }
    let mut scene = Scene::new(nodes);
    scene.unit_scale = unit_cm;
    scene.takes = vec![Take::simple("walk", None, curves)];
    scene
}

#[test]
fn travel_in_centimetres_is_the_same_before_and_after_for_every_unit_and_armature_scale() {
    for unit_cm in [1.0, 2.54, 100.0] {
        for armature_scale in [1.0, 0.01, 100.0] {
            let what = format!("unit {unit_cm} cm, armature scale {armature_scale}");
            let mut desk = Desk::of_bytes("walk.fbx", &walker(unit_cm, armature_scale).bytes());
            let before = desk.source();
            let pelvis = before.skeleton.find("Hips").unwrap();
            for i in 0..=60 {
                let secs = f64::from(i) / 30.0;
                let off = before.component_at(secs).position(pelvis).distance(hips(secs));
                assert!(off < 1e-5, "{what}: the hips are read {off} m off");
            }
            for start in [RootStart::UnderPelvis, RootStart::Relative] {
                let out = desk.apply(extract(path(PathMode::Raw, YawSource::None), start));
                let written = desk.export(out);
                assert_same_motion(&before, &written.clip, &what);
                let travelled = (written.position("root", 2.0) - written.position("root", 0.0)) * 100.0;
                let expected = ((hips(2.0) - hips(0.0)) * 100.0).with_y(0.0);
                assert!(travelled.distance(expected) < 0.005, "{what} {start:?}: {travelled} cm is not {expected}");
                let share = travel_share(&written.clip, &written.rig, written.bone("Hips")).unwrap();
                assert!(share.root > 0.99 && (share.net_m - 3.0).abs() < 1e-4, "{what}: {share:?}");
                let largest = written.curve("Distance").last().unwrap().1;
                assert!((largest - 3.0).abs() < 0.02 && written.record.metres_per_unit == 1.0, "{what}: {largest}");
            }
            let out = desk.apply(in_place(path(PathMode::Raw, YawSource::None), RootStart::UnderPelvis));
            let still = desk.export(out);
            let first = still.position("Hips", 0.0);
            for i in 0..=60 {
                let secs = f64::from(i) / 30.0;
                let hips_at = still.position("Hips", secs);
                assert!((hips_at - first).with_y(0.0).length() < 2e-5, "{what}: {hips_at} at {secs}");
                assert!((hips_at.y - hips(secs).y).abs() < 2e-5, "{what}: the hips keep their height");
            }
        }
    }
}

#[test]
fn a_bvh_travels_as_far_in_every_unit_it_may_be_in() {
    let (made, truth) = Desk::of_demo(&DemoSpec::new(Gait::Walk, Family::Bvh));
    let text = bvh_text(&made.source());
    for metres_per_unit in [None, Some(0.01), Some(0.0254), Some(1.0)] {
        let mut desk = Desk::of_bytes("walk.bvh", text.as_bytes());
        desk.session.read_options.metres_per_unit = metres_per_unit;
        let name = desk.folder.path().join("again.bvh");
        put(&name, text.as_bytes());
        desk.session.handle(Action::Open(vec![name])).unwrap();
        desk.take = desk.session.selection().shown().unwrap();
        let before = desk.source();
        let out = desk.apply(extract(path(PathMode::Smoothed, YawSource::None), RootStart::UnderPelvis));
        let written = desk.export(out);
        assert_same_motion(&before, &written.clip, &format!("{metres_per_unit:?}"));
        let travelled = written.position("root", written.clip.range.end_secs) - written.position("root", 0.0);
        let expected = truth.net_displacement * (metres_per_unit.unwrap_or(0.01) / 0.01);
        assert!(travelled.distance(expected) < 0.01 * expected.length(), "{metres_per_unit:?}: {travelled}");
    }
}

/// The same motion on bones that are each turned about axes of their own, by what they are turned.
fn rolled(clip: &Clip, noise: &mut Noise) -> (Arc<Clip>, Vec<DQuat>) {
    let mut random = || {
        let axis = DVec3::new(noise.next(), noise.next(), noise.next()).normalize_or(DVec3::X);
        DQuat::from_axis_angle(axis, 3.0 * noise.next())
    };
    let rolls: Vec<DQuat> = clip.skeleton.indices().map(|_| random()).collect();
    let above =
        |bone: BoneIndex| clip.skeleton.parent(bone).map_or(DQuat::IDENTITY, |parent| rolls[parent.get()].conjugate());
    let bones = clip.skeleton.indices().map(|i| {
        let bone = clip.skeleton.bone(i);
        let node = bone.node_pose;
        let node_pose = Transform::rigid(above(i) * node.translation, above(i) * node.rotation * rolls[i.get()]);
        let roll = glam::DAffine3::from_quat(rolls[i.get()]);
        Bone { node_pose, bind_pose: bone.bind_pose.map(|bind| bind * roll), ..bone.clone() }
    });
    let skeleton = Arc::new(Skeleton::new(bones.collect()).unwrap());
    let mut out = Clip { skeleton, ..clip.clone() };
    for i in clip.skeleton.indices() {
        for property in [Property::Translation, Property::Rotation] {
            let Some(track) = clip.track(i, property) else { continue };
            let key = |k: usize| match property {
                Property::Translation => (above(i) * track.vec3_key(k)).to_array().map(|v| v as f32).to_vec(),
                _ => (above(i) * track.quat_key(k) * rolls[i.get()]).to_array().map(|v| v as f32).to_vec(),
            };
            let values: Vec<f32> = (0..track.times.len()).flat_map(key).collect();
            out.set_track(i, property, Track { values: values.into(), values_from: None, ..Track::clone(track) });
        }
    }
    (Arc::new(out), rolls)
}

#[test]
fn bones_of_any_roll_are_left_as_they_are_and_the_root_does_not_know_of_them() {
    let mut noise = Noise(11);
    for (gait, family) in [(Gait::Arc, Family::Unreal), (Gait::Walk, Family::Mixamo), (Gait::Stagger, Family::Unreal)] {
        let (desk, _) = Desk::of_demo(&DemoSpec { heading_rad: 0.7, ..DemoSpec::new(gait, family) });
        let plain = desk.source();
        let rig = (*desk.evaluate(desk.take).rig).clone();
        for _ in 0..3 {
            let (clip, rolls) = rolled(&plain, &mut noise);
            for (mode, yaw) in [(PathMode::Raw, YawSource::PelvisDelta), (PathMode::Smoothed, YawSource::Travel)] {
                let what = format!("{gait:?} {family:?} {mode:?}");
                let op = extract(path(mode, yaw), RootStart::Auto);
                let run = |clip: &Arc<Clip>| {
                    op.apply(&OpInput { clip, rig: &rig, source_clip: clip }, &Progress::default()).unwrap()
                };
                let (expected, found) = (run(&plain), run(&clip));
                compare(&clip, &found.clip, |name| name != "root" && !name.starts_with("ik_")).assert_invisible(&what);
                let root = found.clip.skeleton.find("root").unwrap();
                for i in 0..=20 {
                    let secs = plain.range.start_secs + plain.range.duration_secs() * f64::from(i) / 20.0;
                    let (a, b) = (expected.clip.component_at(secs), found.clip.component_at(secs));
                    assert!(a.position(root).distance(b.position(root)) < 2e-5, "{what}: the root goes elsewhere");
                    // An inserted root has no roll, and moves the bones behind it by one.
                    let shift = found.clip.skeleton.len() - rolls.len();
                    for (old, roll) in rolls.iter().enumerate() {
                        let bone = BoneIndex((old + shift) as u32);
                        let as_before = a.rotation(bone) * *roll;
                        assert!(angle_between(as_before, b.rotation(bone)) < 2e-5, "{what}: a bone was re-oriented");
                    }
                }
            }
        }
    }
}
