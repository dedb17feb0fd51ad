//! The root's heading: rolls, full turns, stances that face aside, paths that turn.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use glam::DQuat;
use stridesmith::motion::demo::{Family, Gait};
use stridesmith::motion::transform::{angle_between, rotation_of, wrap_angle, yaw_rotation};
use stridesmith::ops::{OpInput, OpOutput, Progress};
use stridesmith::session::record;

use super::in_place::followed;
use super::*;
use crate::support::build::{Builder, small_rig};
use crate::support::pose_check::compare;

const COVERED: fn(&str) -> bool = |name| !matches!(name, "root" | "ik_foot_root");

fn run(clip: &Arc<Clip>, rig: &Rig, op: &Op) -> OpOutput {
    op.apply(&OpInput { clip, rig, source_clip: clip }, &Progress::default()).unwrap()
}

/// Up axis of the root at each frame as it differs from up, and its heading since the first key, unwrapped.
fn root_turns(clip: &Clip) -> (f64, Vec<f64>) {
    let root = clip.skeleton.find("root").unwrap();
    let n = (clip.range.duration_secs() * clip.rate.fps()).round() as usize;
    let (mut tilt, mut headings, mut last) = (0.0_f64, Vec::new(), 0.0);
    let first = rotation_of(&clip.component_at(clip.range.start_secs).0[root.get()]);
    for i in 0..=n {
        let secs = clip.range.start_secs + clip.range.duration_secs() * i as f64 / n as f64;
        let turn = rotation_of(&clip.component_at(secs).0[root.get()]) * first.conjugate();
        tilt = tilt.max((turn * DVec3::Y).distance(DVec3::Y));
        let forward = turn * DVec3::Z;
        let heading = forward.x.atan2(forward.z);
        last += wrap_angle(heading - last);
        headings.push(last);
    }
    (tilt, headings)
}

/// 37 keys in a second, on which a whole turn has a key at exactly half a turn.
fn acrobat(rotation: impl Fn(f64) -> DQuat) -> (Arc<Clip>, Rig) {
    let (skeleton, rig) = small_rig();
    let hop = |t: f64| DVec3::new(0.0, 1.0 + 1.6 * t * (1.0 - t), 1.2 * t);
    (Builder::new(&skeleton, 36.0, 37).moves(1, hop).turns(1, rotation).done(), rig)
}

/// As a file with normalised 16-bit rotations holds it.
fn quantised(clip: &Clip) -> Arc<Clip> {
    let pelvis = BoneIndex(1);
    let track = clip.track(pelvis, Property::Rotation).unwrap();
    let values: Vec<f32> = track.values.iter().map(|v| (v * 32767.0).round() / 32767.0).collect();
    let mut out = clip.clone();
    out.set_track(pelvis, Property::Rotation, Track { values: values.into(), ..Track::clone(track) });
    Arc::new(out)
}

#[test]
fn the_root_stays_upright_and_keeps_its_heading_through_a_somersault() {
    let heading = yaw_rotation(25_f64.to_radians());
    let pitch = |t: f64| heading * DQuat::from_rotation_x(TAU * t);
    let cartwheel = |t: f64| heading * DQuat::from_rotation_z(TAU * t);
    // A bind rotation of the pelvis's own makes no difference.
    let bound = DQuat::from_rotation_z(FRAC_PI_2) * yaw_rotation(0.4);
    let turned = move |t: f64| heading * DQuat::from_rotation_x(-TAU * t) * bound;
    let moves: [(&str, &dyn Fn(f64) -> DQuat); 3] =
        [("forward", &pitch), ("cartwheel", &cartwheel), ("backward", &turned)];
    for (name, rotation) in moves {
        let (clip, rig) = acrobat(rotation);
        for (clip, coarse) in [(clip.clone(), false), (quantised(&clip), true)] {
            for mode in [PathMode::Raw, PathMode::Smoothed, PathMode::ConstantSpeed] {
                let what = format!("{name} {mode:?} {}", if coarse { "16 bit" } else { "" });
                let output = run(&clip, &rig, &extract(path(mode, YawSource::PelvisDelta), RootStart::Relative));
                let (tilt, headings) = root_turns(&output.clip);
                assert!(tilt < 1e-6, "{what}: the root tilts by {tilt}");
                let most = headings.iter().fold(0.0_f64, |most, yaw| most.max(yaw.abs())).to_degrees();
                assert!(most < if coarse { 0.5 } else { 0.01 }, "{what}: the root turns by {most}°");
                let flagged = output.report.notes.iter().any(|note| note.contains("upside down at 1 keys"));
                assert!(flagged, "{what}: {:?}", output.report.notes);
                compare(&clip, &output.clip, COVERED).assert_invisible(&what);
            }
        }
    }
}

#[test]
fn a_somersault_that_leans_is_flagged_because_its_heading_turns_round_at_the_top() {
    // The twist of a leaning somersault really turns by a whole turn near the top, the faster the less it leans.
    for (lean_deg, fps) in [(1.0, 240.0), (5.0, 36.0), (12.0, 60.0)] {
        let (skeleton, rig) = small_rig();
        let lean = DQuat::from_rotation_z(f64::to_radians(lean_deg));
        let clip = Builder::new(&skeleton, fps, fps as usize + 1)
            .moves(1, |t| DVec3::new(0.0, 1.0, 1.2 * t))
            .turns(1, |t| DQuat::from_axis_angle(lean * DVec3::X, TAU * t))
            .done();
        let output = run(&clip, &rig, &extract(path(PathMode::Raw, YawSource::PelvisDelta), RootStart::Relative));
        let (tilt, _) = root_turns(&output.clip);
        assert!(tilt < 1e-6);
        let flagged = output.report.notes.iter().any(|note| note.contains("upside down") && note.contains("yaw off"));
        assert!(flagged, "{lean_deg}°: {:?}", output.report.notes);
        compare(&clip, &output.clip, COVERED).assert_invisible("leaning somersault");
    }
    // What never tips over is not flagged.
    let (clip, rig) = acrobat(|t| yaw_rotation(2.0 * t) * DQuat::from_rotation_x(0.9 * (7.0 * t).sin()));
    let output = run(&clip, &rig, &extract(path(PathMode::Raw, YawSource::PelvisDelta), RootStart::Relative));
    assert!(!output.report.notes.iter().any(|note| note.contains("upside down")), "{:?}", output.report.notes);
}

#[test]
fn turns_of_more_than_a_whole_turn_are_counted_through() {
    let (skeleton, _) = small_rig();
    for turn_deg in [810.0, -400.0] {
        let rate = f64::to_radians(turn_deg) / 3.0;
        let clip = Builder::new(&skeleton, 30.0, 91)
            .moves(1, |_| DVec3::new(0.0, 1.0, 0.0))
            .turns(1, |t| yaw_rotation(rate * t) * DQuat::from_rotation_x(0.1))
            .done();
        let mut desk = Desk::of_clip(&clip);
        let out = desk.apply(extract(path(PathMode::Raw, YawSource::Auto), RootStart::Relative));
        let report = desk.evaluate(out).reports[0].clone().unwrap();
        let net = report.figures.iter().find(|figure| figure.name == "net turn").unwrap().value;
        assert!((net - turn_deg).abs() < 1e-3, "{net}");
        let written = desk.export(out);
        let (_, headings) = root_turns(&written.clip);
        let whole = headings[headings.len() - 1].to_degrees();
        assert!((whole - turn_deg).abs() < 1e-3, "{whole}");
        let turned = followed(&written.record).last().unwrap().2.to_degrees();
        assert!((turned - turn_deg).abs() < 1e-3, "the yaw rate in the sidecar adds up to {turned}");
    }
}

#[test]
fn a_stance_that_faces_aside_puts_none_of_its_angle_on_the_root() {
    // The pelvis 34° aside as with a rifle, 71° as in a strafe, swinging 6° either way, going straight ahead.
    for stance_deg in [34.0_f64, -34.0, 71.0] {
        let (skeleton, rig) = small_rig();
        let swing = |t: f64| 6_f64.to_radians() * (TAU * t).sin();
        let clip = Builder::new(&skeleton, 30.0, 61)
            .moves(1, |t| DVec3::new(0.0, 1.0, 1.5 * t))
            .turns(1, |t| yaw_rotation(stance_deg.to_radians() + swing(t)) * DQuat::from_rotation_x(0.1))
            .done();
        for (yaw, mode, most) in [
            (YawSource::Auto, PathMode::Smoothed, 1e-4),
            (YawSource::PelvisDelta, PathMode::Raw, 6.01),
            (YawSource::PelvisDelta, PathMode::Smoothed, 3.5),
            (YawSource::Travel, PathMode::Smoothed, 1e-3),
        ] {
            let output = run(&clip, &rig, &extract(path(mode, yaw), RootStart::Relative));
            let root = output.clip.component_at(0.0).0[0];
            assert!(angle_between(rotation_of(&root), DQuat::IDENTITY) < 1e-6, "the root faces where it faced");
            let (_, headings) = root_turns(&output.clip);
            let largest = headings.iter().fold(0.0_f64, |most, yaw| most.max(yaw.abs())).to_degrees();
            assert!(largest <= most, "{stance_deg} {yaw:?} {mode:?}: {largest}");
            compare(&clip, &output.clip, COVERED).assert_invisible("stance");
        }
    }
    // A real strafe: the root faces ahead and the velocity is all sideways, to the left.
    let (mut desk, _) = Desk::of_demo(&DemoSpec::new(Gait::StrafeLeft, Family::Mixamo));
    let out = desk.apply(extract(path(PathMode::ConstantSpeed, YawSource::Auto), RootStart::Auto));
    let written = desk.export(out);
    let speed = written.curve("Speed")[3].1;
    assert!((written.curve("VelocitySideways")[3].1 - speed).abs() < 0.02 * speed, "left is positive");
    assert!(written.curve("VelocityForward")[3].1.abs() < 0.02 * speed);
}

/// Place and heading at a time.
type Course = dyn Fn(f64) -> (DVec3, f64);

#[test]
fn heading_relative_velocities_give_back_a_circle_and_a_corner() {
    let circle = |t: f64| {
        let a = 0.9 * t;
        (DVec3::new(2.0 * (1.0 - a.cos()), 0.0, 2.0 * a.sin()), a)
    };
    // Two metres ahead, a quarter of a circle of half a metre, then on to the left.
    let corner = |t: f64| {
        let s = 1.5 * t;
        let (straight, bend) = (2.0, 0.5 * FRAC_PI_2);
        if s <= straight {
            (DVec3::new(0.0, 0.0, s), 0.0)
        } else if s <= straight + bend {
            let a = (s - straight) / 0.5;
            (DVec3::new(0.5 * (1.0 - a.cos()), 0.0, straight + 0.5 * a.sin()), a)
        } else {
            (DVec3::new(0.5 + s - straight - bend, 0.0, straight + 0.5), FRAC_PI_2)
        }
    };
    let courses: [(&str, &Course); 2] = [("circle", &circle), ("corner", &corner)];
    for (name, course) in courses {
        let (skeleton, _) = small_rig();
        // The pelvis stands beside the root, so that the root swings round it.
        let beside = DVec3::new(0.12, 1.0, -0.08);
        let clip = Builder::new(&skeleton, 30.0, 121)
            .moves(1, |t| course(t).0 + beside)
            .turns(1, |t| yaw_rotation(course(t).1))
            .done();
        for (mode, start) in [
            (PathMode::Raw, RootStart::Relative),
            (PathMode::Raw, RootStart::UnderPelvis),
            (PathMode::Smoothed, RootStart::Relative),
        ] {
            let mut desk = Desk::of_clip(&clip);
            let out = desk.apply(extract(path(mode, YawSource::PelvisDelta), start));
            let written = desk.export(out);
            let first = written.position("root", 0.0);
            let what = format!("{name} {mode:?} {start:?}");
            for (secs, at, yaw) in followed(&written.record) {
                let root = written.clip.component_at(secs).0[written.bone("root").get()];
                assert!((first + at).distance(root.translation) < 2e-5, "{what} at {secs}: {at}");
                assert!(angle_between(rotation_of(&root), yaw_rotation(yaw)) < 1e-5, "{what} at {secs}");
                if mode == PathMode::Raw && start == RootStart::UnderPelvis {
                    let expected = course(secs).0 + beside.with_y(0.0);
                    assert!((first + at).distance(expected) < 5e-5, "{what} at {secs}: {expected}");
                }
            }
        }
    }
}

#[test]
fn rounds_of_a_turning_loop_go_on_along_their_circle() {
    let spec = DemoSpec { radius_m: 2.0, cycles: 1, ..DemoSpec::new(Gait::Arc, Family::Unreal) };
    let (mut desk, truth) = Desk::of_demo(&spec);
    assert_eq!(desk.source().cycle, Cycle::LastRepeatsFirst);
    let out = desk.apply(extract(path(PathMode::Smoothed, YawSource::PelvisDelta), RootStart::UnderPelvis));
    let result = desk.evaluate(out);
    let steps = desk.session.document().clip(out).unwrap().steps().to_vec();
    let delta = record::record(desk.file(), 0, &steps, &result).cycle.delta;
    assert!((delta.yaw_deg - truth.net_yaw_rad.to_degrees()).abs() < 0.1, "{delta:?}");
    let root = result.rig.root().unwrap();
    let mut at = result.clip.component_at(truth.start_secs).position(root);
    let step = DVec3::from_array(delta.translation);
    // As many rounds as make the full circle, and the last ends where the first began.
    let rounds = TAU / delta.yaw_deg.to_radians();
    let centre =
        at + yaw_rotation(0.5 * (PI - delta.yaw_deg.to_radians())) * step / step.length() * radius(step, delta.yaw_deg);
    for round in 0..rounds.ceil() as usize {
        at += yaw_rotation(delta.yaw_deg.to_radians() * round as f64) * step;
        let off = at.distance(centre) - radius(step, delta.yaw_deg);
        assert!(off.abs() < 1e-6, "round {round}: {off} m beside the circle");
    }
    // The Gaussian of 0.39 strides draws a circle in by its gain at the turn of a stride, and no more.
    let gain = (-0.5 * (0.39 * delta.yaw_deg.to_radians()).powi(2)).exp();
    assert!((radius(step, delta.yaw_deg) - 2.0 * gain).abs() < 0.02, "{}", radius(step, delta.yaw_deg));
}

/// Of the circle on which `step` is a chord that turns by an angle.
fn radius(step: DVec3, turn_deg: f64) -> f64 {
    step.with_y(0.0).length() / (2.0 * (0.5 * turn_deg.to_radians()).sin())
}
