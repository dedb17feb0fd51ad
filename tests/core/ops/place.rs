//! Move to origin.

use glam::DVec3;
use stridesmith::motion::transform::yaw_rotation;
use stridesmith::motion::{BoneIndex, Cycle};
use stridesmith::ops::cycle::guess_cycle;
use stridesmith::ops::gait::stride_period;
use stridesmith::ops::place::MoveToOrigin;

use crate::support::build::{Builder, run, small_rig};

#[test]
fn the_heading_becomes_forward_and_the_start_the_origin() {
    let (skeleton, rig) = small_rig();
    for facing in [0.0, 1.2, -2.5] {
        for (strafe, expected) in
            [(0.0, DVec3::Z), (std::f64::consts::FRAC_PI_2, DVec3::X), (std::f64::consts::PI, DVec3::NEG_Z)]
        {
            let clip = Builder::new(&skeleton, 30.0, 31)
                .moves(1, move |t| {
                    DVec3::new(3.0, 1.0, -2.0) + yaw_rotation(facing + strafe) * DVec3::new(0.0, 0.0, 2.0 * t)
                })
                // The first frame looks aside: it must not decide.
                .turns(1, move |t| yaw_rotation(facing + 0.15 * (std::f64::consts::TAU * t).cos()))
                .done();
            let out = run(&clip, &rig, |input, progress| MoveToOrigin::default().apply(input, progress)).clip;
            let (first, last) = (out.component_at(0.0), out.component_at(1.0));
            let pelvis = BoneIndex(1);
            assert!(first.position(pelvis).distance(DVec3::Y) < 1e-5, "{}", first.position(pelvis));
            let travel = last.position(pelvis) - first.position(pelvis);
            assert!(travel.distance(expected * 2.0) < 1e-4, "facing {facing} strafe {strafe}: {travel}");
            // Rigid: distances inside the pose stay.
            let before = clip.component_at(0.37);
            let after = out.component_at(0.37);
            for bone in 2..9 {
                let was = before.position(BoneIndex(bone)).distance(before.position(pelvis));
                let is = after.position(BoneIndex(bone)).distance(after.position(pelvis));
                assert!((was - is).abs() < 1e-6);
            }
        }
    }
}

#[test]
fn gait_and_cycle_are_found() {
    let (skeleton, rig) = small_rig();
    let swing = |sign: f64, period: f64| {
        move |t: f64| {
            let phase = std::f64::consts::TAU * t / period;
            glam::DQuat::from_axis_angle(DVec3::X, sign * 0.5 * phase.sin())
        }
    };
    let lift = |offset: f64, period: f64| {
        move |t: f64| {
            let phase = std::f64::consts::TAU * (t / period + offset);
            glam::DQuat::from_axis_angle(DVec3::X, 0.4 * (1.0 - phase.cos()))
        }
    };
    let clip = |secs: f64, period: f64| {
        Builder::new(&skeleton, 30.0, (secs * 30.0).round() as usize + 1)
            .moves(1, move |t| DVec3::new(0.0, 1.0, 1.3 * t))
            .turns(3, swing(1.0, period))
            .turns(6, swing(-1.0, period))
            .turns(4, lift(0.0, period))
            .turns(7, lift(0.5, period))
    };
    for (secs, period) in [(4.0, 1.0), (3.0, 1.2), (2.4, 0.8)] {
        let found = stride_period(&clip(secs, period).clip, &rig).unwrap();
        assert!((found - period).abs() < 0.02 * period, "{secs} s of {period}: {found}");
    }
    // Longer than a minute: judged by its beginning, at the right scale.
    let found = stride_period(&clip(150.0, 1.0).clip, &rig).unwrap();
    assert!((found - 1.0).abs() < 0.02, "{found}");
    // One cycle and nothing more: only the other foot can tell.
    let found = stride_period(&clip(1.0, 1.0).clip, &rig).unwrap();
    assert!((found - 1.0).abs() < 0.1, "{found}");

    assert_eq!(guess_cycle(&clip(2.0, 1.0).clip, &rig), Cycle::LastRepeatsFirst);
    assert_eq!(guess_cycle(&clip(2.0 - 1.0 / 30.0, 1.0).clip, &rig), Cycle::OneShort);
    assert_eq!(guess_cycle(&clip(1.4, 1.0).clip, &rig), Cycle::None);
    // An idle breathes on planted feet and comes back: a loop. What does not move at all is none.
    let idle = Builder::new(&skeleton, 30.0, 61)
        .moves(1, |t| DVec3::new(0.0, 1.0 + 0.01 * (std::f64::consts::PI * t).sin(), 0.0))
        .moves(5, |t| DVec3::new(0.0, -0.45 - 0.01 * (std::f64::consts::PI * t).sin(), 0.0))
        .moves(8, |t| DVec3::new(0.0, -0.45 - 0.01 * (std::f64::consts::PI * t).sin(), 0.0))
        .done();
    assert_eq!(guess_cycle(&idle, &rig), Cycle::LastRepeatsFirst);
    let still = Builder::new(&skeleton, 30.0, 31).moves(1, |_| DVec3::Y).done();
    assert_eq!(guess_cycle(&still, &rig), Cycle::None);
    assert_eq!(stride_period(&still, &rig), None);
}

#[test]
fn absurd_times_are_no_reason_to_eat_memory() {
    let (skeleton, rig) = small_rig();
    for end in [1e7, 1e12, 1e18, 1e300] {
        let clip = Builder::at(&skeleton, 24.0, vec![0.0, end])
            .moves(1, |t| DVec3::new(0.0, 1.0, t / end))
            .turns(3, |t| glam::DQuat::from_rotation_x(t / end))
            .done();
        let _ = (guess_cycle(&clip, &rig), stride_period(&clip, &rig));
    }
}

#[test]
fn what_moves_beside_the_root_is_moved_along() {
    use crate::support::build::bone;
    let up = glam::DQuat::IDENTITY;
    let bones = vec![
        bone("Armature", None, [0.0; 3], up),
        bone("Hips", Some(0), [0.0, 1.0, 0.0], up),
        bone("Foot_L", Some(1), [0.1, -0.9, 0.0], up),
        bone("ik_foot_l", Some(0), [0.1, 0.1, 0.0], up),
    ];
    let skeleton = std::sync::Arc::new(stridesmith::motion::Skeleton::new(bones).unwrap());
    let mut rig = stridesmith::motion::Rig { travel_bone: Some(BoneIndex(1)), ..Default::default() };
    rig.roles.insert(stridesmith::motion::Role::Pelvis, BoneIndex(1));
    let at = |t: f64| DVec3::new(5.0 + t, 1.0, -2.0);
    let clip = Builder::new(&skeleton, 30.0, 31).moves(1, at).moves(3, |t| at(t) + DVec3::new(0.1, -0.9, 0.0)).done();
    let out = run(&clip, &rig, |input, progress| MoveToOrigin::default().apply(input, progress)).clip;
    for t in [0.0, 0.4, 1.0] {
        let pose = out.component_at(t);
        assert!(pose.position(BoneIndex(2)).distance(pose.position(BoneIndex(3))) < 1e-5);
    }
    assert!(out.component_at(0.0).position(BoneIndex(1)).distance(DVec3::Y) < 1e-5);
}
