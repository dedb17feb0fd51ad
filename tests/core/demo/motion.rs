//! The motion before it is put into keys: feet, knees, pelvis.

use glam::{DQuat, DVec3};
use stridesmith::motion::demo::{DemoSpec, Family, Gait, Sole};
use stridesmith::motion::transform::yaw_rotation;
use stridesmith::motion::{Role, Side};

use super::{SIDES, instants, knee_rad, landings, make, plants, position, sole, spec_of, varied};

#[test]
fn planted_points_do_not_move_and_lie_on_the_ground() {
    for spec in varied() {
        let demo = make(&spec);
        let truth = demo.truth();
        assert!(truth.planted.len() >= 6, "{:?}", spec.gait);
        for point in &truth.planted {
            let bone = demo.file.skeleton.find_path(&point.bone).unwrap();
            for i in 0..=20 {
                let secs = point.start_secs + (point.end_secs - point.start_secs) * f64::from(i) / 20.0;
                let at = truth.pose(secs).0[bone.get()].transform_point3(point.offset);
                assert!(at.distance(point.position) < 1e-9, "{:?} {point:?} at {secs}: {at}", spec.gait);
            }
            let height_m = match point.sole {
                Sole::Heel => 0.0,
                Sole::Ankle => 0.085,
                Sole::Ball => 0.02,
            };
            assert!((point.position.y - height_m).abs() < 1e-12, "{point:?}");
        }
    }
}

#[test]
fn every_foot_is_reached_and_none_goes_through_the_floor() {
    for spec in varied() {
        let demo = make(&spec);
        let truth = demo.truth();
        for secs in instants(truth, 400.0) {
            assert!(truth.unreached_m(secs) < 1e-12, "{spec:?} at {secs}: {}", truth.unreached_m(secs));
            let pose = truth.pose(secs);
            for side in SIDES {
                let (heel, ball) = (sole(truth, &pose, side, Sole::Heel), sole(truth, &pose, side, Sole::Ball));
                assert!(heel.y > -1e-3 && ball.y > 0.019, "{spec:?} at {secs}: heel {}, ball {}", heel.y, ball.y);
            }
        }
    }
}

#[test]
fn knees_bend_forward_and_turn_smoothly() {
    for spec in varied() {
        let demo = make(&spec);
        let truth = demo.truth();
        let mut before: Option<[f64; 2]> = None;
        let mut fastest: f64 = 0.0;
        for secs in instants(truth, 240.0) {
            let pose = truth.pose(secs);
            let pelvis = pose.0[truth.bone(Role::Pelvis).unwrap().get()];
            let bends = SIDES.map(|side| {
                let at = |role| position(truth, &pose, role);
                let (hip, knee, ankle) = (at(Role::Thigh(side)), at(Role::Calf(side)), at(Role::Foot(side)));
                let line = ankle - hip;
                let out = knee - hip - line * ((knee - hip).dot(line) / line.length_squared());
                let faces = yaw_rotation(truth.path(secs).yaw_rad) * DVec3::Z;
                assert!(out.dot(faces) > 0.0, "{:?} at {secs}: the knee bends to {out}, under {pelvis}", spec.gait);
                knee_rad(truth, &pose, side)
            });
            if let Some(before) = before {
                for (a, b) in before.iter().zip(bends) {
                    fastest = fastest.max((a - b).abs() * 240.0);
                }
            }
            before = Some(bends);
        }
        println!("{:13} {:.2} m/s: knees turn at {fastest:.1} rad/s at most", spec.gait.name(), spec.speed_m_s);
        // A sprinter's knee reaches 20; a leg that pops through straight turns tens of degrees between two instants.
        assert!(fastest < 32.0, "{:?}: {fastest}", spec.gait);
    }
}

#[test]
fn a_walk_has_the_knee_the_heel_and_the_toe_of_one() {
    for spec in [
        spec_of(Gait::Walk, Family::Unreal),
        DemoSpec { speed_m_s: 0.7, ..spec_of(Gait::Walk, Family::Unreal) },
        DemoSpec { speed_m_s: 1.8, ..spec_of(Gait::Walk, Family::Unreal) },
    ] {
        let demo = make(&spec);
        let truth = demo.truth();
        for (secs, side) in landings(truth) {
            let knee = knee_rad(truth, &truth.pose(secs), side).to_degrees();
            assert!((knee - 5.0).abs() < 0.1, "{} m/s: {knee} degrees at {secs}", spec.speed_m_s);
        }
        for side in SIDES {
            for (_, lift) in plants(truth, side, Sole::Ball).into_iter().filter(|(_, end)| *end < truth.end_secs) {
                let rise = sole(truth, &truth.pose(lift), side, Sole::Heel).y;
                assert!((0.06..=0.10).contains(&rise), "heel rise {rise}");
                let middle = lift + 0.5 * (1.0 - truth.duty) * truth.stride_secs.unwrap();
                if middle < truth.end_secs {
                    let clearance = sole(truth, &truth.pose(middle), side, Sole::Ball).y - 0.02;
                    assert!((clearance - 0.02).abs() < 1e-9, "toe clearance {clearance}");
                }
            }
        }
        // The heel comes down first, toes up.
        let (secs, side) = landings(truth)[0];
        let up =
            sole(truth, &truth.pose(secs), side, Sole::Ball).y - sole(truth, &truth.pose(secs), side, Sole::Heel).y;
        assert!(up > 0.02 + 0.02, "the ball is {up} above the heel");
    }
}

#[test]
fn nobody_sinks_to_reach_a_foot() {
    for spec in varied().into_iter().filter(|spec| spec.gait != Gait::Jump) {
        let demo = make(&spec);
        let truth = demo.truth();
        let heights = instants(truth, 100.0).map(|secs| position(truth, &truth.pose(secs), Role::Pelvis).y);
        let (low, high) = heights.fold((f64::MAX, f64::MIN), |(low, high), h| (low.min(h), high.max(h)));
        println!("{:13} {:.2} m/s: pelvis {low:.3}..{high:.3}", spec.gait.name(), spec.speed_m_s);
        assert!(low > 0.82 && high < 1.01, "{:?} {}: {low}..{high}", spec.gait, spec.speed_m_s);
    }
}

#[test]
fn running_has_flight_and_walking_has_not() {
    for (gait, flies) in [(Gait::Walk, false), (Gait::Jog, true), (Gait::Run, true), (Gait::StrafeLeft, false)] {
        let demo = make(&spec_of(gait, Family::Unreal));
        let truth = demo.truth();
        let contacts = truth.contacts();
        let airborne = instants(truth, 500.0)
            .filter(|secs| !contacts.iter().any(|c| (c.start_secs..=c.end_secs).contains(secs)))
            .count();
        assert_eq!(airborne > 0, flies, "{gait:?}: {airborne}");
    }
}

#[test]
fn running_knees_have_the_bend_they_promise() {
    for gait in [Gait::Jog, Gait::Run] {
        let demo = make(&spec_of(gait, Family::Unreal));
        let truth = demo.truth();
        for (secs, side) in landings(truth) {
            let knee = knee_rad(truth, &truth.pose(secs), side);
            assert!((knee - truth.knee_at_contact_rad).abs() < 0.01, "{gait:?}: {knee}");
        }
    }
}

#[test]
fn a_jump_falls_as_things_fall() {
    let demo = make(&spec_of(Gait::Jump, Family::Unreal));
    let truth = demo.truth();
    let lift = plants(truth, Side::Left, Sole::Ball)[0].1;
    let land = landings(truth)[0].0;
    let height = |secs: f64| position(truth, &truth.pose(secs), Role::Pelvis).y;
    let h = 0.01;
    for i in 1..10 {
        let secs = lift + (land - lift) * f64::from(i) / 10.0;
        let fall = (height(secs + h) - 2.0 * height(secs) + height(secs - h)) / (h * h);
        assert!((fall + 9.81).abs() < 1e-6, "{fall} m/s² at {secs}");
        assert!((truth.path(secs).speed_m_s() - 1.5).abs() < 1e-9);
    }
}

#[test]
fn sway_and_bob_are_what_the_truth_says() {
    for gait in [Gait::Walk, Gait::Run] {
        let demo = make(&DemoSpec { heading_rad: 0.7, ..spec_of(gait, Family::Unreal) });
        let truth = demo.truth();
        let mut aside = [f64::MAX, f64::MIN];
        let mut up = [f64::MAX, f64::MIN];
        for secs in instants(truth, 2000.0) {
            let path = truth.path(secs);
            let local = path.frame().inverse().transform_point3(position(truth, &truth.pose(secs), Role::Pelvis));
            assert!(local.z.abs() < 1e-12, "the pelvis leads its path by {}", local.z);
            aside = [aside[0].min(local.x), aside[1].max(local.x)];
            up = [up[0].min(local.y), up[1].max(local.y)];
        }
        assert!((aside[1] - truth.sway_m).abs() < 1e-6 && (aside[0] + truth.sway_m).abs() < 1e-6, "{aside:?}");
        assert!((up[1] - up[0] - 2.0 * truth.bob_m).abs() < 1e-6, "{up:?}");
        assert!(truth.sway_m > 0.005 && truth.bob_m > 0.01);
    }
}

#[test]
fn a_walks_head_is_steadier_than_its_pelvis_and_arms_oppose_legs() {
    let demo = make(&spec_of(Gait::Walk, Family::Unreal));
    let truth = demo.truth();
    let rest = demo.file.skeleton.reference_component();
    let turn = |secs: f64, role: Role| {
        let bone = truth.bone(role).unwrap();
        let q = truth.pose(secs).rotation(bone) * DQuat::from_mat3(&rest[bone.get()].matrix3).conjugate();
        2.0 * q.y.atan2(q.w)
    };
    let range = |role| {
        let turns: Vec<f64> = instants(truth, 100.0).map(|secs| turn(secs, role)).collect();
        turns.iter().copied().fold(f64::MIN, f64::max) - turns.iter().copied().fold(f64::MAX, f64::min)
    };
    assert!(range(Role::Head) < 1e-9 && range(Role::Pelvis) > 0.1);
    let pose = truth.pose(truth.start_secs);
    let z = |role| position(truth, &pose, role).z;
    assert!(z(Role::Foot(Side::Left)) > z(Role::Foot(Side::Right)) + 0.4);
    assert!(z(Role::Hand(Side::Right)) > z(Role::Hand(Side::Left)) + 0.3);
}
