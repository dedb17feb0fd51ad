//! Extraction and in place on clips whose answer is known.

use std::f64::consts::{FRAC_PI_2, TAU};

use glam::{DQuat, DVec3};
use stridesmith::motion::transform::{angle_between, yaw_rotation};
use stridesmith::motion::{BoneIndex, Clip, Cycle, Property, Rig, Skeleton, TimeRange};
use stridesmith::ops::path::{Padding, PathMode, PathSettings, Vertical, YawSource};
use stridesmith::ops::root_motion::{BakeToHips, Extract, InPlace, RootSettings, RootStart};
use stridesmith::ops::{OpOutput, curves};

use crate::support::build::{Builder, bone, run, small_rig};
use crate::support::pose_check::compare;

const ROOT: BoneIndex = BoneIndex(0);
const PELVIS: BoneIndex = BoneIndex(1);
const COVERED: fn(&str) -> bool = |name| !matches!(name, "root" | "ik_foot_root");

fn settings(path: PathMode, yaw: YawSource) -> PathSettings {
    PathSettings { path, yaw, ..PathSettings::default() }
}

fn extract(clip: &std::sync::Arc<Clip>, rig: &Rig, path: PathSettings, start: RootStart) -> OpOutput {
    let op = Extract { path, root: RootSettings { start, ..RootSettings::default() } };
    run(clip, rig, |input, progress| op.apply(input, progress))
}

fn in_place(clip: &std::sync::Arc<Clip>, rig: &Rig, path: PathSettings, start: RootStart) -> OpOutput {
    let op = InPlace { path, root: RootSettings { start, ..RootSettings::default() } };
    run(clip, rig, |input, progress| op.apply(input, progress))
}

fn root_at(clip: &Clip, secs: f64) -> DVec3 {
    clip.component_at(secs).position(ROOT)
}

#[test]
fn re_solving_is_the_inverse_of_the_root() {
    // Root (3, 0, 4) turned by 90°, pelvis at (3.5, 1, 4.2) turned by Y90·X−90.
    let (skeleton, rig) = small_rig();
    let tilt = DQuat::from_axis_angle(DVec3::X, -FRAC_PI_2);
    let clip = Builder::new(&skeleton, 1.0, 2)
        .moves(1, |t| DVec3::new(3.5, 1.0, 4.2) * t)
        .turns(1, |t| yaw_rotation(FRAC_PI_2 * t) * tilt)
        .done();
    let out = extract(&clip, &rig, settings(PathMode::Raw, YawSource::PelvisDelta), RootStart::Relative).clip;
    let root = out.component_at(1.0).0[0];
    let local = root.inverse() * out.component_at(1.0).0[1];
    assert!((root.translation - DVec3::new(3.5, 0.0, 4.2)).length() < 1e-6);
    assert!((local.translation - DVec3::new(0.0, 1.0, 0.0)).length() < 1e-6, "{local:?}");
    let key = out.track(PELVIS, Property::Rotation).unwrap().quat_key(0);
    assert!(angle_between(key, tilt) < 1e-6);
}

#[test]
fn constant_velocity_is_its_own_average() {
    let (skeleton, rig) = small_rig();
    let clip = Builder::new(&skeleton, 30.0, 31).moves(1, |t| DVec3::new(0.0, 1.0, 1.5 * t)).done();
    for mode in [PathMode::Raw, PathMode::Smoothed, PathMode::ConstantSpeed] {
        let out = extract(&clip, &rig, settings(mode, YawSource::None), RootStart::Relative).clip;
        for i in 0..=30 {
            let t = f64::from(i) / 30.0;
            assert!((root_at(&out, t) - DVec3::new(0.0, 0.0, 1.5 * t)).length() < 1e-6);
            let pelvis = out.track(PELVIS, Property::Translation).unwrap().vec3_key(0);
            assert!((pelvis - DVec3::Y).length() < 1e-6);
        }
        compare(&clip, &out, COVERED).assert_invisible("constant velocity");
        let still = in_place(&clip, &rig, settings(mode, YawSource::None), RootStart::Relative).clip;
        let pelvis: Vec<DVec3> = (0..=30).map(|i| still.component_at(f64::from(i) / 30.0).position(PELVIS)).collect();
        assert!(pelvis.iter().all(|p| (*p - DVec3::Y).length() < 1e-6));
    }
}

#[test]
fn sway_stays_in_the_pelvis() {
    let (skeleton, rig) = small_rig();
    let clip =
        Builder::new(&skeleton, 60.0, 241).moves(1, |t| DVec3::new(0.02 * (TAU * 2.0 * t).sin(), 1.0, 1.5 * t)).done();
    let path =
        PathSettings { sigma_secs: Some(0.25), padding: Padding::Odd, ..settings(PathMode::Smoothed, YawSource::None) };
    let out = in_place(&clip, &rig, path, RootStart::Relative).clip;
    // Least squares of the interior against sine and cosine of the sway.
    let (mut ss, mut sx, mut cc, mut cx) = (0.0, 0.0, 0.0, 0.0);
    for i in 60..180 {
        let t = f64::from(i) / 60.0;
        let x = out.component_at(t).position(PELVIS).x;
        let (s, c) = (TAU * 2.0 * t).sin_cos();
        ss += s * s;
        sx += s * x;
        cc += c * c;
        cx += c * x;
    }
    let amplitude = f64::hypot(sx / ss, cx / cc);
    assert!((amplitude - 0.019856824).abs() < 2e-8, "{amplitude}");
}

#[test]
fn a_turn_in_place_goes_to_the_root() {
    let (skeleton, rig) = small_rig();
    let clip = Builder::new(&skeleton, 30.0, 31)
        .moves(1, |_| DVec3::new(0.0, 1.0, 0.0))
        .turns(1, |t| yaw_rotation(FRAC_PI_2 * t))
        .done();
    for yaw in [YawSource::Auto, YawSource::PelvisDelta] {
        let out = extract(&clip, &rig, settings(PathMode::Raw, yaw), RootStart::Relative).clip;
        for i in 0..=30 {
            let t = f64::from(i) / 30.0;
            let root = out.component_at(t).rotation(ROOT);
            assert!(angle_between(root, yaw_rotation(FRAC_PI_2 * t)) < 1e-6);
        }
        let pelvis = out.track(PELVIS, Property::Rotation).unwrap();
        assert_eq!(pelvis.times.len(), 1, "the pelvis's local rotation is constant");
        compare(&clip, &out, COVERED).assert_invisible("turn in place");
    }
}

/// A walk with bob, sway and turn, off the origin, with every child of the root animated and a root that moves too.
fn rich(skeleton: &std::sync::Arc<Skeleton>, root_moves: bool) -> std::sync::Arc<Clip> {
    let mut builder = Builder::new(skeleton, 30.0, 46)
        .moves(1, |t| {
            let angle = 0.7 * t;
            DVec3::new(
                2.0 + 3.0 * (1.0 - angle.cos()) + 0.02 * (7.0 * t).sin(),
                0.95 + 0.03 * (14.0 * t).cos(),
                3.0 * angle.sin(),
            )
        })
        .turns(1, |t| {
            yaw_rotation(0.7 * t + 0.1 * (7.0 * t).sin()) * DQuat::from_axis_angle(DVec3::X, 0.2 * (5.0 * t).sin())
        })
        .turns(3, |t| DQuat::from_axis_angle(DVec3::X, 0.5 * (7.0 * t).sin()))
        .turns(6, |t| DQuat::from_axis_angle(DVec3::X, -0.5 * (7.0 * t).sin()))
        .moves(10, |t| DVec3::new(0.1, 0.1 + 0.05 * (7.0 * t).sin(), 2.0 * t))
        .moves(11, |t| DVec3::new(0.3, 1.2, 2.1 * t))
        .turns(11, |t| DQuat::from_axis_angle(DVec3::Z, 2.0 * t));
    if root_moves {
        builder = builder.moves(0, |t| DVec3::new(0.4 * t, 0.1 * t, 0.5 * t * t)).turns(0, |t| yaw_rotation(-0.4 * t));
    }
    builder.done()
}

fn all_settings() -> Vec<(PathSettings, RootStart)> {
    let mut all = Vec::new();
    for path in [PathMode::Raw, PathMode::Smoothed, PathMode::ConstantSpeed] {
        for yaw in [YawSource::None, YawSource::PelvisDelta, YawSource::Travel, YawSource::Typed { yaw_deg: 40.0 }] {
            for vertical in [Vertical::Off, Vertical::On, Vertical::Clamped] {
                for start in [RootStart::Relative, RootStart::UnderPelvis] {
                    all.push((PathSettings { vertical, ..settings(path, yaw) }, start));
                }
            }
        }
    }
    all.push((PathSettings { lock_x: true, ..settings(PathMode::Raw, YawSource::None) }, RootStart::Auto));
    all
}

#[test]
fn nothing_is_seen_to_move_and_both_outputs_share_the_character() {
    let (skeleton, rig) = small_rig();
    for root_moves in [false, true] {
        let clip = rich(&skeleton, root_moves);
        for (path, start) in all_settings() {
            let what = format!("{path:?} {start:?} root moves {root_moves}");
            let out = extract(&clip, &rig, path.clone(), start).clip;
            compare(&clip, &out, COVERED).assert_invisible(&what);
            let still = in_place(&clip, &rig, path, start).clip;
            for bone in skeleton.indices().filter(|&b| b != ROOT) {
                for property in Property::ALL {
                    let (a, b) = (out.track(bone, property), still.track(bone, property));
                    let same = match (a, b) {
                        (Some(a), Some(b)) => a.values == b.values && *a.times == *b.times,
                        (None, None) => true,
                        _ => false,
                    };
                    assert!(same, "{what}: {} {property:?}", skeleton.path(bone));
                }
            }
            let places: Vec<DVec3> = (0..=45).map(|i| root_at(&still, f64::from(i) / 30.0)).collect();
            assert!(places.iter().all(|p| p.distance(places[0]) < 1e-6), "{what}: the root of in place moves");
        }
    }
}

#[test]
fn extraction_is_idempotent() {
    let (skeleton, rig) = small_rig();
    let clip = rich(&skeleton, true);
    for (path, start) in all_settings() {
        if path.path == PathMode::ConstantSpeed {
            continue;
        }
        let once = extract(&clip, &rig, path.clone(), start).clip;
        let twice = extract(&once, &rig, path.clone(), RootStart::Relative).clip;
        let what = format!("{path:?} {start:?}");
        // Keys that the first run put between frames are keys of the second, where the root may be a hair beside the
        // line it was on; on the frames it is the same.
        compare(&clip, &twice, COVERED).assert_invisible(&what);
        let frames = |clip: &Clip| -> Vec<DVec3> { (0..=45).map(|i| root_at(clip, f64::from(i) / 30.0)).collect() };
        for (x, y) in frames(&once).iter().zip(frames(&twice)) {
            assert!(x.distance(y) <= 1e-5 * (1.0 + x.length()), "{what}: {x} {y}");
        }
    }
}

#[test]
fn baking_back_restores_the_character() {
    let (skeleton, rig) = small_rig();
    let clip = rich(&skeleton, false);
    let out = extract(&clip, &rig, settings(PathMode::Smoothed, YawSource::PelvisDelta), RootStart::Relative).clip;
    let back = run(&out, &rig, |input, progress| BakeToHips::default().apply(input, progress)).clip;
    compare(&clip, &back, COVERED).assert_invisible("baked back");
    assert!(back.track(ROOT, Property::Translation).is_none_or(|track| track.is_constant(Property::Translation)));
    assert!(back.track(ROOT, Property::Rotation).is_none_or(|track| track.is_constant(Property::Rotation)));
}

#[test]
fn ik_roots_ride_and_their_children_stay() {
    let (skeleton, rig) = small_rig();
    let clip = rich(&skeleton, false);
    let out = extract(&clip, &rig, settings(PathMode::Raw, YawSource::PelvisDelta), RootStart::Relative).clip;
    assert!(out.tracks[9].iter().all(Option::is_none), "ik_foot_root keeps its local transform");
    let largest = compare(&clip, &out, |name| matches!(name, "ik_foot_l" | "prop"));
    largest.assert_invisible("IK foot and prop");
    let at = out.component_at(1.0);
    let local = at.0[0].inverse() * at.0[11];
    let expected = at.0[0].inverse() * clip.component_at(1.0).0[11];
    assert!(local.translation.distance(expected.translation) < 1e-5);
}

#[test]
fn one_key_is_a_clip_too() {
    let (skeleton, rig) = small_rig();
    let clip = Builder::new(&skeleton, 30.0, 1).moves(1, |_| DVec3::new(0.05, 1.0, 0.0)).done();
    let out = extract(&clip, &rig, settings(PathMode::Smoothed, YawSource::Auto), RootStart::Auto).clip;
    compare(&clip, &out, |_| true).assert_invisible("one key");
    assert!(out.tracks[0].iter().all(Option::is_none), "the root is already where it should be");
}

#[test]
fn under_the_pelvis_and_auto() {
    let (skeleton, rig) = small_rig();
    let far = Builder::new(&skeleton, 30.0, 31).moves(1, |t| DVec3::new(5.0, 1.0, -3.0 + t)).done();
    let near = Builder::new(&skeleton, 30.0, 31).moves(1, |t| DVec3::new(0.05, 1.0, t)).done();
    let path = || settings(PathMode::Raw, YawSource::None);
    let start = |clip| root_at(&extract(clip, &rig, path(), RootStart::Auto).clip, 0.0);
    assert!(start(&far).distance(DVec3::new(5.0, 0.0, -3.0)) < 1e-6, "recorded away from the origin");
    assert!(start(&near).length() < 1e-6, "authored at its root");
}

#[test]
fn vertical_travel_and_its_clamp() {
    let (skeleton, rig) = small_rig();
    let clip = Builder::new(&skeleton, 30.0, 31).moves(1, |t| DVec3::new(0.0, 1.0 + 0.5 * (TAU * t).sin(), t)).done();
    let height = |vertical, t: f64| {
        let path = PathSettings { vertical, ..settings(PathMode::Raw, YawSource::None) };
        root_at(&extract(&clip, &rig, path, RootStart::Relative).clip, t).y
    };
    for t in [0.2, 0.5, 0.7] {
        let risen = 0.5 * (TAU * t).sin();
        assert!((height(Vertical::On, t) - risen).abs() < 2e-3);
        assert!((height(Vertical::Clamped, t) - risen.max(0.0)).abs() < 2e-3);
        assert!(height(Vertical::Off, t).abs() < 1e-9);
    }
}

#[test]
fn a_bone_between_root_and_pelvis_takes_its_other_children_along() {
    // hip carries spine and pelvis, as Daz and CC rigs have it: both tracks stay as they are.
    let up = DQuat::IDENTITY;
    let bones = vec![
        bone("root", None, [0.0; 3], up),
        bone("hip", Some(0), [0.0, 1.0, 0.0], up),
        bone("pelvis", Some(1), [0.0; 3], up),
        bone("spine", Some(1), [0.0, 0.1, 0.0], up),
    ];
    let skeleton = std::sync::Arc::new(Skeleton::new(bones).unwrap());
    let mut rig = Rig::default();
    rig.roles.insert(stridesmith::motion::Role::Root, BoneIndex(0));
    rig.roles.insert(stridesmith::motion::Role::Pelvis, BoneIndex(2));
    rig.travel_bone = Some(BoneIndex(1));
    let clip = Builder::new(&skeleton, 30.0, 31)
        .moves(1, |t| DVec3::new(0.0, 1.0, 1.4 * t))
        .turns(2, |t| yaw_rotation(0.2 * (7.0 * t).sin()))
        .turns(3, |t| yaw_rotation(-0.2 * (7.0 * t).sin()))
        .done();
    let out = extract(&clip, &rig, settings(PathMode::Smoothed, YawSource::None), RootStart::Auto).clip;
    for bone in [2, 3] {
        let (before, after) = (&clip.tracks[bone][1], &out.tracks[bone][1]);
        assert!(std::sync::Arc::ptr_eq(before.as_ref().unwrap(), after.as_ref().unwrap()));
    }
    compare(&clip, &out, |name| name != "root").assert_invisible("hip");
}

#[test]
fn a_root_is_added_where_there_is_none() {
    let up = DQuat::IDENTITY;
    let turned = DQuat::from_axis_angle(DVec3::X, -FRAC_PI_2);
    for armature_scale in [1.0, 100.0, 0.01] {
        let mut armature = bone("Armature", None, [0.0; 3], turned);
        armature.node_pose.scale = DVec3::splat(armature_scale);
        let unit = 1.0 / armature_scale;
        let bones = vec![
            armature,
            bone("Hips", Some(0), [0.0, 0.0, unit], up),
            bone("Spine", Some(1), [0.0, 0.0, 0.2 * unit], up),
        ];
        let skeleton = std::sync::Arc::new(Skeleton::new(bones).unwrap());
        let mut rig = Rig { travel_bone: Some(BoneIndex(1)), ..Rig::default() };
        rig.roles.insert(stridesmith::motion::Role::Pelvis, BoneIndex(1));
        // In the armature's space up is +z and forward −y.
        let clip = Builder::new(&skeleton, 30.0, 31)
            .moves(1, |t| DVec3::new(0.02 * (9.0 * t).sin(), -1.4 * t, 1.0) * unit)
            .turns(1, |t| DQuat::from_axis_angle(DVec3::Z, 0.6 * t))
            .done();
        for yaw in [YawSource::None, YawSource::PelvisDelta] {
            let output = extract(&clip, &rig, settings(PathMode::Smoothed, yaw), RootStart::Auto);
            assert!(output.skeleton.is_some());
            let out = output.clip;
            assert_eq!(out.skeleton.bone(BoneIndex(1)).name, "root");
            compare(&clip, &out, |_| true).assert_invisible(&format!("armature scale {armature_scale}"));
            let at = |t: f64| out.component_at(t).position(BoneIndex(1));
            let travelled = at(1.0) - at(0.0);
            assert!((travelled - DVec3::new(0.0, 0.0, 1.4)).length() < 0.03, "{travelled}");
            assert!(travelled.y.abs() < 1e-5);
        }
    }
}

#[test]
fn output_plus_path_is_the_input() {
    let (skeleton, rig) = small_rig();
    let clip = rich(&skeleton, false);
    let path = settings(PathMode::Smoothed, YawSource::PelvisDelta);
    let moving = extract(&clip, &rig, path.clone(), RootStart::Relative).clip;
    let still = in_place(&clip, &rig, path, RootStart::Relative).clip;
    for i in 0..=45 {
        let t = f64::from(i) / 30.0;
        let (moving, still) = (moving.component_at(t), still.component_at(t));
        let travel = moving.0[0] * still.0[0].inverse();
        for bone in 1..12 {
            let there = (travel * still.0[bone]).translation;
            assert!(there.distance(moving.0[bone].translation) < 1e-5);
        }
    }
}

#[test]
fn velocities_rebuild_the_path() {
    // A circle with a change of heading along the way: heading-relative velocities integrate back exactly.
    let times = stridesmith::motion::Times::Uniform { start: 0.0, step: 1.0 / 30.0, n: 61 };
    let yaw: Vec<f64> = (0..61).map(|i| 0.05 * f64::from(i) + 0.3 * (f64::from(i) * 0.2).sin()).collect();
    let points: Vec<DVec3> = (0..61)
        .map(|i| {
            let a = 0.05 * f64::from(i);
            DVec3::new(2.0 * (1.0 - a.cos()), 0.0, 2.0 * a.sin())
        })
        .collect();
    let velocities = curves::velocities(&times, &points, &yaw);
    let (rebuilt, turned) = curves::integrate(&times, points[0], yaw[0], &velocities);
    for i in 0..61 {
        assert!(rebuilt[i].distance(points[i]) < 1e-12 && (turned[i] - yaw[i]).abs() < 1e-12);
    }
}

#[test]
fn speed_and_distance() {
    let times = stridesmith::motion::Times::from_keys(vec![0.0, 0.5, 1.0]).unwrap();
    let points: Vec<DVec3> = times.iter().map(|t| DVec3::new(0.0, 0.0, 2.0 * t)).collect();
    assert_eq!(curves::distance(&points), [0.0, 1.0, 2.0]);
    assert_eq!(curves::speed(&times, &points), [2.0, 2.0, 2.0]);
    let n = 2000;
    let arc: Vec<DVec3> = (0..=n)
        .map(|i| {
            let a = FRAC_PI_2 * f64::from(i) / f64::from(n);
            DVec3::new(a.sin(), 0.0, a.cos())
        })
        .collect();
    let length = curves::distance(&arc)[n as usize];
    let net = arc[0].distance(arc[n as usize]);
    assert!((length - FRAC_PI_2).abs() < 1e-6 && (net - 2_f64.sqrt()).abs() < 1e-12);
    assert!((length / net - 1.1107).abs() < 5e-5);
}

#[test]
fn constant_speed_follows_a_line_or_an_arc() {
    let (skeleton, rig) = small_rig();
    // A quarter of a circle of radius 2, turning with it, at uneven speed.
    let clip = Builder::new(&skeleton, 30.0, 61)
        .moves(1, |t| {
            let a = FRAC_PI_2 * (t / 2.0) * (t / 2.0);
            DVec3::new(2.0 * (1.0 - a.cos()), 1.0, 2.0 * a.sin())
        })
        .turns(1, |t| yaw_rotation(FRAC_PI_2 * (t / 2.0) * (t / 2.0)))
        .done();
    let out = extract(&clip, &rig, settings(PathMode::ConstantSpeed, YawSource::PelvisDelta), RootStart::Relative).clip;
    for i in 0..=60 {
        let t = f64::from(i) / 30.0;
        let a = FRAC_PI_2 * t / 2.0;
        let expected = DVec3::new(2.0 * (1.0 - a.cos()), 0.0, 2.0 * a.sin());
        assert!(root_at(&out, t).distance(expected) < 1e-5, "{t}: {} is not {expected}", root_at(&out, t));
    }
    compare(&clip, &out, COVERED).assert_invisible("arc");
}

/// A walk of which the pelvis has keys from 0.5 s to 1.5 s only, in a take from 0 to 2 s.
fn held_at_both_ends(skeleton: &std::sync::Arc<Skeleton>) -> Clip {
    let times = (0..=30).map(|i| 0.5 + f64::from(i) / 30.0).collect();
    let at = |t: f64| DVec3::new(0.1 * (TAU * t).sin(), 1.0, 2.0 * (t - 0.5));
    let mut clip = Builder::at(skeleton, 30.0, times).moves(1, at).clip;
    clip.range = TimeRange { start_secs: 0.0, end_secs: 2.0 };
    clip
}

#[test]
fn constant_speed_takes_the_whole_take() {
    let (skeleton, rig) = small_rig();
    let clip = std::sync::Arc::new(held_at_both_ends(&skeleton));
    let out = extract(&clip, &rig, settings(PathMode::ConstantSpeed, YawSource::None), RootStart::Relative).clip;
    for secs in [0.0, 0.25, 0.5, 1.0, 1.6, 2.0] {
        let root = root_at(&out, secs);
        assert!((root.z - secs).abs() < 1e-5 && root.x.abs() < 1e-5, "{secs}: {root}");
    }
    compare(&clip, &out, COVERED).assert_invisible("held at both ends");
}

#[test]
fn a_loop_is_as_long_as_its_take() {
    let (skeleton, rig) = small_rig();
    let short = Clip { cycle: Cycle::LastRepeatsFirst, ..held_at_both_ends(&skeleton) };
    // The same motion, with keys where the pelvis is held.
    let old = short.track(PELVIS, Property::Translation).unwrap();
    let frames: Vec<f64> = (0..=60).map(|i| f64::from(i) / 30.0).collect();
    let long = Builder::at(&skeleton, 30.0, frames)
        .moves(1, |t| {
            let (i, u) = old.times.locate(t);
            old.vec3_at(i, u)
        })
        .clip;
    let long = Clip { cycle: Cycle::LastRepeatsFirst, ..long };
    let root = |clip: Clip| {
        let path = PathSettings { sigma_secs: Some(0.2), ..settings(PathMode::Smoothed, YawSource::None) };
        let clip = std::sync::Arc::new(clip);
        let out = extract(&clip, &rig, path, RootStart::Relative).clip;
        compare(&clip, &out, COVERED).assert_invisible("loop");
        (0..=10).map(|i| root_at(&out, 0.5 + 0.1 * f64::from(i))).collect::<Vec<_>>()
    };
    for (i, (short, long)) in root(short).into_iter().zip(root(long)).enumerate() {
        assert!(short.distance(long) < 1e-3, "{i}: {short} is not {long}");
    }
}

#[test]
fn a_rotated_scaled_or_moved_clip_gives_the_same_split() {
    let (skeleton, rig) = small_rig();
    let base = rich(&skeleton, false);
    let path = || PathSettings { sigma_secs: Some(0.3), ..settings(PathMode::Smoothed, YawSource::PelvisDelta) };
    let root_path = |clip: &std::sync::Arc<Clip>| -> Vec<DVec3> {
        let out = extract(clip, &rig, path(), RootStart::UnderPelvis).clip;
        (0..=45).map(|i| root_at(&out, f64::from(i) / 30.0)).collect()
    };
    let reference = root_path(&base);
    let turn = yaw_rotation(2.1);
    let shift = DVec3::new(-4.0, 0.0, 7.0);
    let mut moved = Clip::clone(&base);
    for (property, value) in [(Property::Translation, 0), (Property::Rotation, 1)] {
        let track = base.track(PELVIS, property).unwrap();
        let values: Vec<f32> = (0..track.times.len())
            .flat_map(|i| match value {
                0 => (turn * track.vec3_key(i) + shift).to_array().map(|v| v as f32).to_vec(),
                _ => (turn * track.quat_key(i)).to_array().map(|v| v as f32).to_vec(),
            })
            .collect();
        let track = stridesmith::motion::Track { values: values.into(), values_from: None, ..(**track).clone() };
        moved.set_track(PELVIS, property, track);
    }
    for (a, b) in reference.iter().zip(root_path(&std::sync::Arc::new(moved))) {
        assert!((turn * *a + shift).distance(b) < 2e-6 * 12.0, "{a} {b}");
    }
    // Ten times as large in every length: the path is ten times as large.
    let mut large = Clip::clone(&base);
    let track = base.track(PELVIS, Property::Translation).unwrap();
    let values: Vec<f32> = track.values.iter().map(|v| v * 10.0).collect();
    large.set_track(
        PELVIS,
        Property::Translation,
        stridesmith::motion::Track { values: values.into(), values_from: None, ..(**track).clone() },
    );
    for (a, b) in reference.iter().zip(root_path(&std::sync::Arc::new(large))) {
        assert!((DVec3::new(a.x, 0.0, a.z) * 10.0).distance(DVec3::new(b.x, 0.0, b.z)) < 1e-4);
    }
}

#[test]
fn refusals_name_the_way_out() {
    let (skeleton, _) = small_rig();
    let clip = rich(&skeleton, false);
    let unknown = Rig { reason: "names unknown".into(), ..Rig::default() };
    let input = stridesmith::ops::OpInput { clip: &clip, rig: &unknown, source_clip: &clip };
    let progress = stridesmith::ops::Progress::default();
    let refused = Extract::default().apply(&input, &progress).unwrap_err().to_string();
    assert!(refused.contains("names unknown") && refused.contains("name the bone"), "{refused}");
    let mut op = Extract::default();
    op.path.travel_bone = Some("pelvis".into());
    assert!(op.apply(&input, &progress).is_ok());
    op.path.travel_bone = Some("nobody".into());
    assert!(op.apply(&input, &progress).unwrap_err().to_string().contains("nobody"));
    op.path = PathSettings { travel_bone: Some("pelvis".into()), sigma_secs: Some(-1.0), ..PathSettings::default() };
    assert!(op.apply(&input, &progress).is_err());
    progress.cancel();
    op.path.sigma_secs = None;
    assert_eq!(op.apply(&input, &progress).unwrap_err(), stridesmith::ops::OpError::Cancelled);
}

#[test]
fn an_ik_bone_beside_the_root_goes_after_its_partner() {
    // Hips and an IK foot side by side under an armature: the root is put above the hips alone.
    let up = DQuat::IDENTITY;
    let bones = vec![
        bone("Armature", None, [0.0; 3], up),
        bone("Hips", Some(0), [0.0, 1.0, 0.0], up),
        bone("Foot_L", Some(1), [0.1, -0.9, 0.0], up),
        bone("ik_foot_l", Some(0), [0.1, 0.1, 0.0], up),
        bone("ik_elsewhere", Some(0), [1.0, 0.1, 0.0], up),
    ];
    let skeleton = std::sync::Arc::new(Skeleton::new(bones).unwrap());
    let mut rig = Rig { travel_bone: Some(BoneIndex(1)), ..Rig::default() };
    rig.roles.insert(stridesmith::motion::Role::Pelvis, BoneIndex(1));
    let pair = |ik| stridesmith::motion::rig::IkPair { ik: BoneIndex(ik), fk: BoneIndex(2) };
    rig.ik_pairs = vec![pair(3), pair(4)];
    let at = |t: f64| DVec3::new(0.0, 1.0, 1.4 * t);
    let clip = Builder::new(&skeleton, 30.0, 31)
        .moves(1, at)
        .moves(3, |t| at(t) + DVec3::new(0.1, -0.9, 0.002))
        .moves(4, |t| DVec3::new(1.0, 0.1, t))
        .done();
    let path = settings(PathMode::Raw, YawSource::None);
    let out = in_place(&clip, &rig, path, RootStart::Auto).clip;
    // One bone was inserted before the hips: later indices grow by one.
    for i in 0..=30 {
        let pose = out.component_at(f64::from(i) / 30.0);
        let (foot, ik) = (pose.position(BoneIndex(3)), pose.position(BoneIndex(4)));
        assert!(ik.distance(foot + DVec3::new(0.0, 0.0, 0.002)) < 1e-5, "{ik} {foot}");
        assert!(foot.z.abs() < 1e-5);
    }
    let untouched = (&clip.tracks[4][0], &out.tracks[5][0]);
    assert!(std::sync::Arc::ptr_eq(untouched.0.as_ref().unwrap(), untouched.1.as_ref().unwrap()));
}

#[test]
fn a_root_that_stood_still_keeps_its_very_tracks_in_place() {
    let (skeleton, rig) = small_rig();
    let clip = Builder::new(&skeleton, 30.0, 31)
        .moves(0, |_| DVec3::new(0.1, 0.0, 0.2))
        .turns(0, |_| yaw_rotation(0.3))
        .moves(1, |t| DVec3::new(0.0, 1.0, 1.4 * t))
        .done();
    for yaw in [YawSource::None, YawSource::PelvisDelta] {
        let out = in_place(&clip, &rig, settings(PathMode::Smoothed, yaw), RootStart::Relative).clip;
        for property in [Property::Translation, Property::Rotation] {
            let (was, is) = (clip.track(ROOT, property).unwrap(), out.track(ROOT, property).unwrap());
            assert!(std::sync::Arc::ptr_eq(was, is), "{yaw:?} {property:?}");
        }
    }
}

#[test]
fn travel_of_a_bone_in_the_body_still_puts_the_root_under_all_of_it() {
    let up = DQuat::IDENTITY;
    let bones = vec![
        bone("Hips", None, [0.0, 1.0, 0.0], up),
        bone("Spine", Some(0), [0.0, 0.2, 0.0], up),
        bone("Leg", Some(0), [0.1, -0.5, 0.0], up),
    ];
    let skeleton = std::sync::Arc::new(Skeleton::new(bones).unwrap());
    let mut rig = Rig { travel_bone: Some(BoneIndex(0)), ..Rig::default() };
    rig.roles.insert(stridesmith::motion::Role::Pelvis, BoneIndex(0));
    let clip = Builder::new(&skeleton, 30.0, 31).moves(0, |t| DVec3::new(0.0, 1.0, 1.4 * t)).done();
    let path = PathSettings { travel_bone: Some("Spine".into()), ..settings(PathMode::Raw, YawSource::None) };
    let out = extract(&clip, &rig, path, RootStart::Auto).clip;
    assert_eq!(out.skeleton.bone(BoneIndex(0)).name, "root");
    assert_eq!(out.skeleton.parent(BoneIndex(1)), Some(BoneIndex(0)));
    compare(&clip, &out, |_| true).assert_invisible("root under the body");
}

#[test]
fn a_mirrored_armature_turns_its_root_the_right_way() {
    for scale in [DVec3::new(-1.0, 1.0, 1.0), DVec3::new(1.0, 1.0, -1.0), DVec3::splat(-1.0)] {
        let up = DQuat::IDENTITY;
        let mut armature = bone("Armature", None, [0.0; 3], up);
        armature.node_pose.scale = scale;
        let bones = vec![armature, bone("root", Some(0), [0.0; 3], up), bone("Hips", Some(1), [0.0, 1.0, 0.0], up)];
        let skeleton = std::sync::Arc::new(Skeleton::new(bones).unwrap());
        let mut rig = Rig { travel_bone: Some(BoneIndex(2)), ..Rig::default() };
        rig.roles.insert(stridesmith::motion::Role::Root, BoneIndex(1));
        rig.roles.insert(stridesmith::motion::Role::Pelvis, BoneIndex(2));
        let clip = Builder::new(&skeleton, 30.0, 31)
            .moves(2, |t| DVec3::new(0.0, 1.0, 1.4 * t))
            .turns(2, |t| yaw_rotation(0.8 * t))
            .done();
        let out = extract(&clip, &rig, settings(PathMode::Raw, YawSource::PelvisDelta), RootStart::Relative).clip;
        compare(&clip, &out, |name| name == "Hips").assert_invisible(&format!("mirrored {scale}"));
        let hips = out.track(BoneIndex(2), Property::Rotation).unwrap();
        assert_eq!(hips.times.len(), 1, "{scale}: all of the turn is on the root");
    }
}

#[test]
fn a_root_held_under_a_turning_node_stands_still_between_keys_too() {
    let up = DQuat::IDENTITY;
    let bones = vec![
        bone("Armature", None, [0.0; 3], up),
        bone("root", Some(0), [1.0, 0.0, 0.0], up),
        bone("Hips", Some(1), [0.0, 1.0, 0.0], up),
    ];
    let skeleton = std::sync::Arc::new(Skeleton::new(bones).unwrap());
    let mut rig = Rig { travel_bone: Some(BoneIndex(2)), ..Rig::default() };
    rig.roles.insert(stridesmith::motion::Role::Root, BoneIndex(1));
    rig.roles.insert(stridesmith::motion::Role::Pelvis, BoneIndex(2));
    let clip = Builder::new(&skeleton, 30.0, 2).turns(0, |t| yaw_rotation(20.0 * t)).done();
    let still = in_place(&clip, &rig, settings(PathMode::Smoothed, YawSource::None), RootStart::Relative).clip;
    for i in 0..=20 {
        let at = root_at_bone(&still, f64::from(i) / 600.0, BoneIndex(1));
        assert!(at.distance(DVec3::X) < 1.1e-4, "{i}: {at}");
    }
}

fn root_at_bone(clip: &Clip, secs: f64, bone: BoneIndex) -> DVec3 {
    clip.component_at(secs).position(bone)
}

#[test]
fn velocity_curves_are_in_the_root_s_own_frame() {
    let (skeleton, rig) = small_rig();
    // The root faces 90° to the left of +Z throughout; the walk goes along +Z: to its right.
    let clip = Builder::new(&skeleton, 30.0, 31)
        .turns(0, |_| yaw_rotation(FRAC_PI_2))
        .moves(1, |t| DVec3::new(-1.5 * t, 1.0, 0.0))
        .done();
    let out = extract(&clip, &rig, settings(PathMode::Raw, YawSource::None), RootStart::Relative).clip;
    let curve = |name: &str| out.curves.iter().find(|curve| curve.name == name).unwrap().keys[3].1;
    assert!(curve("VelocityForward").abs() < 1e-6, "{}", curve("VelocityForward"));
    assert!((curve("VelocitySideways") + 1.5).abs() < 1e-6, "{}", curve("VelocitySideways"));
    assert!((curve("Speed") - 1.5).abs() < 1e-6);
}
