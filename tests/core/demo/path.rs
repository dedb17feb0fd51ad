//! The travel, and what repeats.

use std::f64::consts::FRAC_PI_2;

use glam::DVec3;
use stridesmith::motion::demo::{DemoSpec, Family, Gait, Sole};
use stridesmith::motion::transform::{angle_between, yaw_rotation};
use stridesmith::motion::{Cycle, Role, Side};

use super::{apart_m, instants, keyed, make, plants, spec_of, varied};

#[test]
fn net_travel_is_speed_times_duration() {
    for gait in [Gait::Walk, Gait::Jog, Gait::Run, Gait::StrafeLeft, Gait::StrafeRight] {
        let spec = DemoSpec { heading_rad: 0.4, cycles: 3, ..spec_of(gait, Family::Mixamo) };
        let demo = make(&spec);
        let truth = demo.truth();
        let turned = match gait {
            Gait::StrafeLeft => FRAC_PI_2,
            Gait::StrafeRight => -FRAC_PI_2,
            _ => 0.0,
        };
        let expected = yaw_rotation(0.4 + turned) * DVec3::Z * spec.speed_m_s * (truth.end_secs - truth.start_secs);
        let clip = &demo.file.clips[0];
        let pelvis = truth.bone(Role::Pelvis).unwrap();
        let at = |secs| keyed(clip, secs).position(pelvis);
        let measured = at(truth.end_secs) - at(truth.start_secs);
        assert!(measured.distance(expected) < 1e-6, "{gait:?}: {measured} for {expected}");
        assert!(truth.net_displacement.distance(expected) < 1e-9);
        assert_eq!(truth.net_yaw_rad, 0.0);
    }
}

#[test]
fn an_arc_goes_round_its_circle() {
    let spec = DemoSpec { radius_m: -2.5, ..spec_of(Gait::Arc, Family::Unreal) };
    let demo = make(&spec);
    let truth = demo.truth();
    let secs = truth.end_secs - truth.start_secs;
    assert!((truth.net_yaw_rad + 1.4 * secs / 2.5).abs() < 1e-12);
    for t in instants(truth, 30.0) {
        assert!((truth.path(t).position.distance(DVec3::new(-2.5, 0.0, 0.0)) - 2.5).abs() < 1e-12);
        assert!((truth.path(t).speed_m_s() - 1.4).abs() < 1e-12);
    }
}

#[test]
fn a_turn_turns_a_quarter() {
    for sign in [1.0, -1.0] {
        let spec = DemoSpec { turn_rad: sign * FRAC_PI_2, ..spec_of(Gait::TurnInPlace, Family::Unreal) };
        let demo = make(&spec);
        let truth = demo.truth();
        let clip = &demo.file.clips[0];
        let pelvis = truth.bone(Role::Pelvis).unwrap();
        let (first, last) = (keyed(clip, truth.start_secs), keyed(clip, truth.end_secs));
        let turned = last.rotation(pelvis) * first.rotation(pelvis).conjugate();
        assert!(angle_between(turned, yaw_rotation(sign * FRAC_PI_2)) < 1e-6);
        assert!(last.position(pelvis).distance(first.position(pelvis)) < 1e-6);
        assert!(plants(truth, Side::Left, Sole::Heel).len() == 3 && plants(truth, Side::Right, Sole::Heel).len() == 3);
    }
}

#[test]
fn a_start_stop_rests_walks_and_rests() {
    let demo = make(&spec_of(Gait::StartStop, Family::Unreal));
    let truth = demo.truth();
    let (start, end) = (truth.start_secs, truth.end_secs);
    for secs in [start, start + 0.25, start + 0.49, end - 0.49, end - 0.2, end] {
        assert_eq!(truth.path(secs).speed_m_s(), 0.0, "at {secs}");
        assert!(apart_m(&truth.pose(secs), &truth.pose(if secs < 1.0 { start } else { end })) < 1e-12, "at {secs}");
    }
    assert!((truth.path(0.5 * (start + end)).speed_m_s() - 1.4).abs() < 1e-12);
    let fastest = instants(truth, 200.0).map(|t| truth.path(t).speed_m_s()).fold(0.0, f64::max);
    assert!(fastest < 1.4 + 1e-9, "{fastest}");
}

#[test]
fn the_paths_velocity_is_its_derivative() {
    for spec in varied() {
        let demo = make(&spec);
        let truth = demo.truth();
        let h = 1e-5;
        for secs in instants(truth, 37.0).skip(1) {
            let measured = (truth.path(secs + h).position - truth.path(secs - h).position) / (2.0 * h);
            assert!(measured.distance(truth.path(secs).velocity) < 1e-5, "{:?} at {secs}", spec.gait);
        }
    }
}

#[test]
fn the_end_of_a_cycle_is_its_start_carried_along() {
    for spec in varied() {
        let demo = make(&spec);
        let truth = demo.truth();
        let is_cycle = spec.gait.is_cyclic();
        assert_eq!(truth.cycle == Cycle::LastRepeatsFirst, is_cycle);
        assert_eq!(demo.file.clips[0].cycle, truth.cycle);
        if is_cycle {
            let frame = |secs| truth.path(secs).frame();
            let carried = frame(truth.end_secs) * frame(truth.start_secs).inverse();
            let (first, last) = (truth.pose(truth.start_secs), truth.pose(truth.end_secs));
            for (bone, role) in demo.file.skeleton.bones().iter().zip(first.0.iter().zip(&last.0)) {
                let stands = bone.name == "root" || bone.name.ends_with("_root");
                let expected = if stands { *role.0 } else { carried * *role.0 };
                assert!(expected.abs_diff_eq(*role.1, 1e-9), "{:?} {}", spec.gait, bone.name);
            }
        }
    }
}
