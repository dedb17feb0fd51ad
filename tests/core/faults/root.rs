//! Who carries the travel, and where the root stands.

use std::process::Command;

use glam::DQuat;
use stridesmith::motion::demo::{Carrier, Family, Gait};
use stridesmith::motion::transform::{angle_between, yaw_rotation};
use stridesmith::ops::cycle::guess_cycle;
use stridesmith::ops::path::Vertical;
use stridesmith::ops::travel_share::travel_share;
use stridesmith::ops::{BakeToHips, OpInput, OpOutput, Progress};

use super::*;
use crate::support::build::{Builder, bone, small_rig};
use crate::support::pose_check::compare;

fn run(clip: &Arc<Clip>, rig: &Rig, op: &Op) -> OpOutput {
    op.apply(&OpInput { clip, rig, source_clip: clip }, &Progress::default()).unwrap()
}

/// Positions of a bone at the frames of a clip.
fn places(clip: &Clip, bone: BoneIndex) -> Vec<DVec3> {
    let n = (clip.range.duration_secs() * clip.rate.fps()).round() as usize;
    let at = |i: usize| clip.range.start_secs + clip.range.duration_secs() * i as f64 / n as f64;
    (0..=n).map(|i| clip.component_at(at(i)).position(bone)).collect()
}

#[test]
fn a_loop_whose_travel_is_on_its_pelvis_is_found_and_the_carrier_named() {
    let (desk, truth) = Desk::of_demo(&DemoSpec::new(Gait::Walk, Family::Mixamo));
    let (clip, result) = (desk.source(), desk.evaluate(desk.take));
    let share = travel_share(&clip, &result.rig, truth.bone(Role::Pelvis).unwrap()).unwrap();
    assert!(share.pelvis > 0.999 && (share.net_m - truth.net_displacement.length()).abs() < 0.01, "{share:?}");
    let forgotten = Clip { cycle: Cycle::None, ..Clip::clone(&clip) };
    assert_eq!(guess_cycle(&forgotten, &result.rig), Cycle::LastRepeatsFirst, "travel does not hide the loop");
    // Nothing was blended towards the first pose on opening.
    let end = clip.component_at(truth.end_secs);
    let largest =
        (0..clip.skeleton.len()).map(|b| end.0[b].translation.distance(truth.pose(truth.end_secs).0[b].translation));
    assert!(largest.fold(0.0, f64::max) < 1e-5);
}

#[test]
fn an_added_root_lies_on_the_ground_below_or_before_the_pelvis_and_is_not_glued_to_it() {
    for family in [Family::Mixamo, Family::Bvh] {
        let spec =
            DemoSpec { origin: DVec3::new(2.0, 0.0, -3.0), heading_rad: 0.6, ..DemoSpec::new(Gait::Run, family) };
        for (start, first) in
            [(RootStart::Auto, spec.origin), (RootStart::UnderPelvis, spec.origin), (RootStart::Relative, DVec3::ZERO)]
        {
            let (mut desk, truth) = Desk::of_demo(&spec);
            let out = desk.apply(extract(path(PathMode::Smoothed, YawSource::None), start));
            let written = desk.export(out);
            let root = places(&written.clip, written.bone("root"));
            assert!(root.iter().all(|p| p.y.abs() < 1e-6), "{family:?} {start:?}: on the ground");
            assert!(root[0].distance(first) < 0.05, "{family:?} {start:?}: starts at {}", root[0]);
            let net = root[root.len() - 1] - root[0];
            assert!(net.distance(truth.net_displacement) < 0.02, "{family:?} {start:?}: {net}");
            let hips = places(&written.clip, written.rig.travel_bone.unwrap());
            let heights = hips.iter().map(|p| p.y).fold((f64::INFINITY, 0.0_f64), |(l, h), y| (l.min(y), h.max(y)));
            assert!(heights.1 - heights.0 > 0.5 * truth.bob_m, "the hips bob, the root does not");
        }
    }
}

#[test]
fn a_root_above_the_floor_keeps_its_height_and_the_feet_theirs() {
    // A reference pose centred on the pelvis: the component's origin is at hip height, the feet are below it.
    let bones = vec![
        bone("Armature", None, [0.0; 3], DQuat::IDENTITY),
        bone("Hips", Some(0), [0.0; 3], DQuat::IDENTITY),
        bone("LeftFoot", Some(1), [0.1, -0.9, 0.0], DQuat::IDENTITY),
    ];
    let skeleton = Arc::new(Skeleton::new(bones).unwrap());
    let mut rig = Rig { travel_bone: Some(BoneIndex(1)), ..Rig::default() };
    rig.roles.insert(Role::Pelvis, BoneIndex(1));
    let clip = Builder::new(&skeleton, 30.0, 31).moves(1, |t| DVec3::new(0.0, 0.02 * (9.0 * t).sin(), t)).done();
    let out = run(&clip, &rig, &extract(path(PathMode::Smoothed, YawSource::None), RootStart::UnderPelvis)).clip;
    compare(&clip, &out, |_| true).assert_invisible("centred on the pelvis");
    assert!(places(&out, BoneIndex(1)).iter().all(|p| p.y.abs() < 1e-6), "the root stays at the height it was given");
}

#[test]
fn feet_do_not_sink_when_rotation_is_extracted() {
    for (gait, family) in
        [(Gait::Arc, Family::Mixamo), (Gait::Arc, Family::Unreal), (Gait::TurnInPlace, Family::Unreal)]
    {
        let (mut desk, truth) = Desk::of_demo(&DemoSpec::new(gait, family));
        let before = desk.source();
        let (pelvis, foot) = (truth.bone(Role::Pelvis).unwrap(), truth.bone(Role::Foot(Side::Left)).unwrap());
        let [pelvis_name, foot_name] = [pelvis, foot].map(|bone| before.skeleton.bone(bone).name.clone());
        for mode in [PathMode::Raw, PathMode::Smoothed, PathMode::ConstantSpeed] {
            let out = desk.apply(extract(path(mode, YawSource::PelvisDelta), RootStart::Auto));
            let result = desk.evaluate(out);
            let after = &result.clip;
            let root = result.rig.root().unwrap();
            let [new_pelvis, new_foot] = [&pelvis_name, &foot_name].map(|name| after.skeleton.find(name).unwrap());
            for i in 0..=60 {
                let secs = truth.start_secs + (truth.end_secs - truth.start_secs) * f64::from(i) / 60.0;
                let (was, is) = (before.component_at(secs), after.component_at(secs));
                // Seen from the root, which only turns about up: heights and tilts are what they were.
                let from_root = is.0[root.get()].inverse();
                let rest = after.skeleton.reference_component()[root.get()];
                let up = |v: DVec3| (rest * from_root).transform_vector3(v);
                assert!(up(DVec3::Y).distance(DVec3::Y) < 1e-6, "{gait:?}: the root is upright");
                for (old, new) in [(pelvis, new_pelvis), (foot, new_foot)] {
                    assert!((was.position(old).y - is.position(new).y).abs() < 5e-5, "{gait:?} {mode:?}");
                    assert!(((was.rotation(old) * DVec3::X).y - (is.rotation(new) * DVec3::X).y).abs() < 2e-4);
                    assert!(((was.rotation(old) * DVec3::Z).y - (is.rotation(new) * DVec3::Z).y).abs() < 2e-4);
                }
            }
        }
    }
}

#[test]
fn roots_at_any_depth_under_scaled_and_moving_nodes_deform_nothing() {
    let turned = DQuat::from_rotation_x(-std::f64::consts::FRAC_PI_2);
    for armature_scale in [0.01, 1.0, 100.0] {
        let unit = 1.0 / armature_scale;
        let mut armature = bone("Armature", Some(0), [0.0; 3], turned);
        armature.node_pose.scale = DVec3::splat(armature_scale);
        let mut doubled = bone("scaler", Some(3), [0.0; 3], DQuat::from_rotation_z(0.3));
        doubled.node_pose.scale = DVec3::splat(2.0);
        let bones = vec![
            bone("Scene", None, [0.5, 0.0, 1.0], yaw_rotation(0.4)),
            armature,
            bone("motion", Some(1), [0.0; 3], DQuat::IDENTITY),
            bone("root", Some(2), [0.0; 3], DQuat::IDENTITY),
            doubled,
            bone("Hips", Some(4), [0.0, 0.0, 0.475 * unit], DQuat::IDENTITY),
            bone("Spine", Some(5), [0.0, 0.0, 0.1 * unit], DQuat::IDENTITY),
            bone("Prop", Some(3), [0.2 * unit, 0.0, 0.5 * unit], DQuat::IDENTITY),
        ];
        let skeleton = Arc::new(Skeleton::new(bones).unwrap());
        for has_root in [true, false] {
            let mut rig = Rig { travel_bone: Some(BoneIndex(5)), ..Rig::default() };
            rig.roles.insert(Role::Pelvis, BoneIndex(5));
            if has_root {
                rig.roles.insert(Role::Root, BoneIndex(3));
            }
            let clip = Builder::new(&skeleton, 30.0, 31)
                .moves(2, |t| DVec3::new(0.1 * t, -0.8 * t, 0.0) * unit)
                .turns(2, |t| DQuat::from_rotation_z(0.5 * t))
                .moves(5, |t| DVec3::new(0.02 * (9.0 * t).sin(), -0.3 * t, 0.475 + 0.01 * (18.0 * t).cos()) * unit)
                .turns(5, |t| DQuat::from_rotation_x(0.2 * (9.0 * t).sin()) * DQuat::from_rotation_z(0.3 * t))
                .turns(6, |t| DQuat::from_rotation_x(0.3 * (9.0 * t).sin()))
                .done();
            for (mode, yaw) in [(PathMode::Raw, YawSource::PelvisDelta), (PathMode::Smoothed, YawSource::None)] {
                let what = format!("scale {armature_scale}, root {has_root}, {mode:?}");
                let output = run(&clip, &rig, &extract(path(mode, yaw), RootStart::UnderPelvis));
                assert_eq!(output.skeleton.is_some(), !has_root);
                compare(&clip, &output.clip, |name| name != "root").assert_invisible(&what);
                // The root is found by its name: inserted or not, it follows the hips over the ground.
                let (root, hips) = (output.clip.skeleton.find("root"), clip.skeleton.find("Hips").unwrap());
                let root = if has_root { root.unwrap() } else { output.clip.skeleton.find("root_01").unwrap() };
                if mode == PathMode::Raw {
                    let (roots, hips) = (places(&output.clip, root), places(&clip, hips));
                    let off = roots.iter().zip(&hips).map(|(r, h)| (*r - *h).with_y(0.0).length()).fold(0.0, f64::max);
                    assert!(off < 1e-4, "{what}: {off}");
                }
            }
        }
    }
}

#[test]
fn a_noisy_root_is_split_again_into_a_smooth_root_and_the_rest() {
    let (skeleton, rig) = small_rig();
    let body = |t: f64| DVec3::new(0.02 * (6.3 * t).sin(), 1.0, 1.4 * t);
    let mut noise = Noise(3);
    let jitter: Vec<DVec3> = (0..61).map(|_| DVec3::new(noise.next(), 0.0, noise.next()) * 0.03).collect();
    let root = |t: f64| DVec3::new(0.0, 0.0, 1.4 * t) + jitter[(t * 30.0).round() as usize];
    let clip = Builder::new(&skeleton, 30.0, 61).moves(0, root).moves(1, |t| body(t) - root(t)).done();
    let path = PathSettings { sigma_secs: Some(0.25), ..path(PathMode::Smoothed, YawSource::None) };
    let out = run(&clip, &rig, &extract(path, RootStart::Relative)).clip;
    compare(&clip, &out, |name| name != "root" && name != "ik_foot_root").assert_invisible("split again");
    let roughness = |clip: &Clip| {
        let at = places(clip, BoneIndex(0));
        at.windows(3).map(|w| (w[0] - w[1] * 2.0 + w[2]).length()).fold(0.0, f64::max)
    };
    assert!(roughness(&clip) > 0.05 && roughness(&out) < 1e-3, "{} {}", roughness(&clip), roughness(&out));
}

#[test]
fn a_travel_shared_by_root_and_pelvis_is_shown_in_shares_and_can_be_joined() {
    let (skeleton, _) = small_rig();
    let clip = Builder::new(&skeleton, 30.0, 31)
        .moves(0, |t| DVec3::new(0.0, 0.0, t))
        .moves(1, |t| DVec3::new(0.0, 1.0, 0.5 * t))
        .done();
    let mut desk = Desk::of_clip(&clip);
    let shares = |written: &Written| {
        let share = travel_share(&written.clip, &written.rig, written.bone("pelvis")).unwrap();
        assert!((share.above + share.root + share.pelvis - 1.0).abs() < 1e-12, "{share:?}");
        (share.root, share.pelvis)
    };
    let written = desk.export(desk.take);
    let (root, pelvis) = shares(&written);
    assert!((root - 2.0 / 3.0).abs() < 1e-6 && (pelvis - 1.0 / 3.0).abs() < 1e-6, "{root} {pelvis}");

    let info =
        Command::new(env!("CARGO_BIN_EXE_stridesmith")).args(["info", "--json"]).arg(&written.file.path).output();
    let info: serde_json::Value = serde_json::from_slice(&info.unwrap().stdout).unwrap();
    let travel = &info[0]["takes"][0]["travel"];
    let told = ["above_share", "root_share", "pelvis_share"].map(|name| travel[name].as_f64().unwrap());
    assert!((told.iter().sum::<f64>() - 1.0).abs() < 1e-9 && (told[1] - 2.0 / 3.0).abs() < 1e-6, "{told:?}");

    let joined = desk.apply(extract(path(PathMode::Smoothed, YawSource::None), RootStart::Relative));
    let (root, pelvis) = shares(&desk.export(joined));
    assert!(root > 0.999 && pelvis < 1e-3, "{root} {pelvis}");
}

#[test]
fn three_outputs_stay_three_clips_and_none_loses_its_root_motion() {
    let (mut desk, truth) = Desk::of_demo(&DemoSpec::new(Gait::Walk, Family::Unreal));
    let net = truth.net_displacement.length();
    let moving = desk.apply(extract(path(PathMode::Smoothed, YawSource::None), RootStart::Auto));
    let still = desk.apply(in_place(path(PathMode::Smoothed, YawSource::None), RootStart::Auto));
    let baked = desk.apply_to(moving, Op::BakeToHips(BakeToHips::default()));
    let request = ExportRequest {
        clips: vec![moving, still, baked],
        folder: Some(desk.folder.path().to_owned()),
        ..ExportRequest::default()
    };
    // Looking at one after the other changes none of them.
    for clip in [moving, still, baked, moving] {
        desk.session.handle(Action::Select(vec![clip])).unwrap();
        desk.evaluate(clip);
    }
    desk.session.handle(Action::Export(request)).unwrap();
    let path = desk.session.exported_to(baked).unwrap().to_owned();
    assert_eq!(desk.session.exported_to(moving), Some(&*path), "one file for all");
    let file = formats::open(FileId(9), &path, &ReadOptions::default()).unwrap();
    let root = file.skeleton.find("root").unwrap();
    let pelvis = file.skeleton.find("pelvis").unwrap();
    let travels: Vec<(f64, f64)> = [moving, still, baked]
        .iter()
        .map(|&id| {
            let name = &desk.session.document().clip(id).unwrap().name;
            let clip = file.clips.iter().find(|clip| clip.name == *name).unwrap();
            let travelled = |bone| {
                let all = places(clip, bone);
                all[0].with_y(0.0).distance(all[all.len() - 1].with_y(0.0))
            };
            (travelled(root), travelled(pelvis))
        })
        .collect();
    for (found, expected) in travels.iter().zip([(net, net), (0.0, 0.0), (0.0, net)]) {
        assert!((found.0 - expected.0).abs() < 0.02 && (found.1 - expected.1).abs() < 0.02, "{travels:?}");
    }
}

#[test]
fn extracted_travel_is_in_the_exported_file_whoever_had_it_and_whatever_the_source_was() {
    let check = |desk: &mut Desk, truth: &Truth, what: &str| {
        let before = desk.source();
        let out = desk.apply(extract(path(PathMode::Smoothed, YawSource::None), RootStart::Auto));
        let written = desk.export(out);
        assert_same_motion(&before, &written.clip, what);
        let root = written.rig.root().unwrap_or_else(|| panic!("{what}: no root in the file"));
        let keys = written.clip.track(root, Property::Translation).unwrap();
        assert!(keys.times.len() > 10, "{what}: the root has keys of its own");
        let along = places(&written.clip, root);
        let net = along[along.len() - 1] - along[0];
        assert!(net.distance(truth.net_displacement) < 0.03, "{what}: {net}");
        assert_eq!(written.record.root.bone, "root");
    };
    for (family, carrier) in [
        (Family::Unreal, Carrier::Pelvis),
        (Family::Unreal, Carrier::Root),
        (Family::Mixamo, Carrier::Pelvis),
        (Family::Bvh, Carrier::Pelvis),
    ] {
        let spec = DemoSpec { carrier, ..DemoSpec::new(Gait::Walk, family) };
        let (mut made, truth) = Desk::of_demo(&spec);
        let what = format!("{family:?} {carrier:?}");
        check(&mut made, &truth, &what);
        // The same from a GLB, which is patched.
        let copy = made.export(made.take);
        let mut desk = Desk::of_bytes("walk.glb", &copy.file.bytes);
        check(&mut desk, &truth, &format!("{what} from GLB"));
        if family == Family::Bvh {
            let mut desk = Desk::of_bytes("walk.bvh", crate::support::bvh_text::bvh_text(&made.source()).as_bytes());
            check(&mut desk, &truth, "from BVH");
        }
    }
}

#[test]
fn an_added_root_is_called_as_asked_and_has_no_rotation() {
    for (asked, found) in [("root", "root"), ("RootNode", "RootNode"), ("Hips", "Hips_01"), (" ", "root")] {
        let (mut desk, _) = Desk::of_demo(&DemoSpec::new(Gait::Walk, Family::Mixamo));
        let hips = desk.file().skeleton.bones()[0].name.clone();
        let asked = if asked == "Hips" { hips.as_str() } else { asked };
        let root = RootSettings { root_name: asked.into(), ..RootSettings::default() };
        let out = desk.apply(Op::Extract(Extract { path: path(PathMode::Raw, YawSource::None), root }));
        let written = desk.export(out);
        let expected = if found == "Hips_01" { format!("{hips}_01") } else { found.to_owned() };
        let root = &written.file.skeleton.bones()[written.bone(&expected).get()];
        assert!(angle_between(root.node_pose.rotation, DQuat::IDENTITY) < 1e-7, "{root:?}");
        assert_eq!(written.rig.root(), Some(written.bone(&expected)), "{expected}: known again as the root");
        assert!(written.file.skeleton.find(&hips).is_some(), "no other bone is renamed");
    }
}

#[test]
fn vertical_travel_is_only_the_root_s_when_asked() {
    let (mut desk, truth) = Desk::of_demo(&DemoSpec::new(Gait::Jump, Family::Unreal));
    for (vertical, most) in [(Vertical::Off, 1e-6), (Vertical::On, 2.0), (Vertical::Clamped, 2.0)] {
        let out =
            desk.apply(extract(PathSettings { vertical, ..path(PathMode::Raw, YawSource::None) }, RootStart::Auto));
        let written = desk.export(out);
        let heights: Vec<f64> = places(&written.clip, written.bone("root")).iter().map(|p| p.y).collect();
        let highest = heights.iter().copied().fold(0.0, f64::max);
        let lowest = heights.iter().copied().fold(0.0, f64::min);
        assert!(highest <= most && (vertical == Vertical::Off || highest > 0.05), "{vertical:?} {highest}");
        assert!(vertical == Vertical::On || lowest > -1e-6, "{vertical:?} {lowest}");
        assert_same_motion(&desk.source(), &written.clip, &format!("{vertical:?}"));
    }
    assert_eq!(truth.cycle, Cycle::None);
}
