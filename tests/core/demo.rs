//! The generator against its own truth, and the leg solve against closed forms.

use std::f64::consts::{FRAC_PI_2, PI};

use glam::{DAffine3, DQuat, DVec3};
use stridesmith::motion::demo::{
    Carrier, Demo, DemoError, DemoSpec, Encoding, Family, Gait, Sole, Truth, generate, generate_set,
};
use stridesmith::motion::leg_ik::{Leg, LegOptions, reach};
use stridesmith::motion::transform::{angle_between, rotation_angle, wrap_angle, yaw_rotation};
use stridesmith::motion::{
    Clip, ComponentPose, Cycle, FileId, FrameRate, Interpolation, LocalPose, Property, Role, Sampler, Side, Times,
};

const SIDES: [Side; 2] = [Side::Left, Side::Right];

fn make(spec: &DemoSpec) -> Demo {
    generate(spec, FileId(0)).unwrap()
}

fn spec_of(gait: Gait, family: Family) -> DemoSpec {
    DemoSpec { rate: FrameRate::new(60.0).unwrap(), ..DemoSpec::new(gait, family) }
}

/// Every gait, the edges of its speeds, and every setting off its default.
fn varied() -> Vec<DemoSpec> {
    let mut specs = Vec::new();
    for gait in Gait::ALL {
        let usual = spec_of(gait, Family::Unreal);
        specs.push(usual.clone());
        if gait != Gait::TurnInPlace {
            let speeds = gait.speeds_m_s();
            for speed_m_s in [*speeds.start(), *speeds.end()] {
                specs.push(DemoSpec { speed_m_s, ..usual.clone() });
            }
        }
        specs.push(DemoSpec {
            heading_rad: 2.3,
            origin: DVec3::new(-3.0, 0.0, 1.5),
            phase: 0.37,
            radius_m: -2.5,
            turn_rad: -FRAC_PI_2,
            first_key_secs: 1.0 / 30.0,
            ..usual
        });
    }
    specs
}

/// Even times from the first key to the last.
fn instants(truth: &Truth, per_second: f64) -> impl Iterator<Item = f64> + use<> {
    let (start, end) = (truth.start_secs, truth.end_secs);
    let n = ((end - start) * per_second).round() as usize;
    (0..=n).map(move |i| start + (end - start) * i as f64 / n as f64)
}

fn position(truth: &Truth, pose: &ComponentPose, role: Role) -> DVec3 {
    pose.position(truth.bone(role).unwrap())
}

/// Bend of a knee, 0 for a straight leg.
fn knee_rad(truth: &Truth, pose: &ComponentPose, side: Side) -> f64 {
    let at = |role| position(truth, pose, role);
    let (thigh, calf) = (at(Role::Calf(side)) - at(Role::Thigh(side)), at(Role::Foot(side)) - at(Role::Calf(side)));
    thigh.cross(calf).length().atan2(thigh.dot(calf))
}

/// A point of the sole, wherever the foot is.
fn sole(truth: &Truth, pose: &ComponentPose, side: Side, sole: Sole) -> DVec3 {
    let offset = truth.planted.iter().find(|p| p.sole == sole && p.side == side).unwrap().offset;
    pose.0[truth.bone(Role::Foot(side)).unwrap().get()].transform_point3(offset)
}

fn plants(truth: &Truth, side: Side, sole: Sole) -> Vec<(f64, f64)> {
    let of_foot = truth.planted.iter().filter(|p| p.side == side && p.sole == sole);
    of_foot.map(|p| (p.start_secs, p.end_secs)).collect()
}

/// Landings inside the clip.
fn landings(truth: &Truth) -> Vec<(f64, Side)> {
    let both = SIDES.map(|side| plants(truth, side, Sole::Heel).into_iter().map(move |(start, _)| (start, side)));
    both.into_iter().flatten().filter(|(start, _)| *start > truth.start_secs).collect()
}

/// What the keys say at a time.
fn keyed(clip: &Clip, secs: f64) -> ComponentPose {
    clip.component_at(secs)
}

/// Farthest apart that two poses put a bone.
fn apart_m(a: &ComponentPose, b: &ComponentPose) -> f64 {
    a.0.iter().zip(&b.0).map(|(a, b)| a.translation.distance(b.translation)).fold(0.0, f64::max)
}

// The motion itself

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

// The path

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

// The keys

#[test]
fn keys_hold_planted_points_as_well_as_f32_can() {
    for spec in varied() {
        let demo = make(&DemoSpec { origin: DVec3::ZERO, ..spec.clone() });
        let (truth, clip) = (demo.truth(), &demo.file.clips[0]);
        let mut sampler = Sampler::new(clip);
        let mut local = LocalPose::node_pose(&clip.skeleton);
        let mut pose = ComponentPose::new(&clip.skeleton);
        let (mut at_keys, mut between): (f64, f64) = (0.0, 0.0);
        for point in &truth.planted {
            let bone = clip.skeleton.find_path(&point.bone).unwrap();
            // Half a step of f32 at the travel's size, and the roundings of the leg's rotations.
            let allowed = 1.5e-7 + 6e-8 * point.position.length();
            for (i, secs) in instants(truth, 240.0).enumerate() {
                if !(point.start_secs..=point.end_secs).contains(&secs) {
                    continue;
                }
                sampler.local(secs, &mut local);
                pose.set(&clip.skeleton, &local);
                let off = pose.0[bone.get()].transform_point3(point.offset).distance(point.position);
                let frame = 1.0 / 60.0;
                if i % 4 == 0 {
                    assert!(off < allowed, "{:?}: {off} m at {secs}", spec.gait);
                    at_keys = at_keys.max(off);
                } else if secs > point.start_secs + frame && secs < point.end_secs - frame {
                    // The frame in which a foot lands or lifts cuts a corner.
                    between = between.max(off);
                }
            }
        }
        println!("{:13} {:.2} m/s: {at_keys:.1e} m at keys, {between:.1e} m between", spec.gait.name(), spec.speed_m_s);
        // Between keys slerp cuts corners with the square of what a leg turns in a frame.
        let pace_m_s = if spec.gait == Gait::Jump { 3.0 } else { spec.speed_m_s };
        let allowed = 1e-3 * (pace_m_s / 1.8).max(1.0).powi(2);
        assert!(between < allowed, "{:?}: {between}", spec.gait);
    }
}

#[test]
fn linear_keys_are_the_motion_and_bones_keep_their_lengths() {
    for family in [Family::Unreal, Family::Mixamo, Family::Bvh] {
        for gait in Gait::ALL {
            let demo = make(&DemoSpec { first_key_secs: 1.0 / 30.0, ..spec_of(gait, family) });
            let (truth, clip) = (demo.truth(), &demo.file.clips[0]);
            assert_eq!(clip.range.start_secs, 1.0 / 30.0);
            for secs in instants(truth, 60.0) {
                let pose = keyed(clip, secs);
                assert!(apart_m(&pose, &truth.pose(secs)) < 1e-6, "{family:?} {gait:?} at {secs}");
            }
            for bone in clip.skeleton.indices() {
                let moves = clip.track(bone, Property::Translation).is_some();
                let name = &clip.skeleton.bone(bone).name;
                let may = name == "pelvis" || name.ends_with("Hips") || name.starts_with("ik_");
                assert!(!moves || may, "{name} is not of one length");
            }
        }
    }
}

#[test]
fn families_put_equal_roles_in_equal_places() {
    for gait in Gait::ALL {
        let demos = [Family::Unreal, Family::Mixamo, Family::Bvh].map(|family| make(&spec_of(gait, family)));
        for secs in instants(demos[0].truth(), 20.0) {
            let poses = [0, 1, 2].map(|i| demos[i].truth().pose(secs));
            for (role, _) in &demos[1].truth().roles {
                let at = [0, 1, 2].map(|i| position(demos[i].truth(), &poses[i], *role));
                assert!(at[0].distance(at[1]) < 1e-12 && at[0].distance(at[2]) < 1e-12, "{gait:?} {role:?}");
            }
        }
    }
}

#[test]
fn the_families_skeletons_are_what_they_are_called_after() {
    let file = |family| make(&spec_of(Gait::Walk, family)).file;
    let (unreal, mixamo, bvh) = (file(Family::Unreal), file(Family::Mixamo), file(Family::Bvh));
    assert_eq!(
        unreal.skeleton.path(unreal.skeleton.find("ik_hand_l").unwrap()),
        "root/ik_hand_root/ik_hand_gun/ik_hand_l"
    );
    assert!(mixamo.skeleton.find("mixamorig:LeftUpLeg").is_some() && mixamo.skeleton.find("root").is_none());
    assert_eq!(bvh.skeleton.bones()[0].name, "Hips");
    for file in [&unreal, &mixamo, &bvh] {
        let node = file.skeleton.node_pose_component();
        for (bone, at) in file.skeleton.bones().iter().zip(&node) {
            assert!(bone.is_joint && bone.bind_pose.unwrap().abs_diff_eq(*at, 1e-12), "{}", bone.name);
            assert!((bone.node_pose.rotation.length() - 1.0).abs() < 1e-12);
        }
        // A person of 1.8 m with the character's left at +X, toes towards +Z.
        let by_end = |end: &str| {
            file.skeleton
                .indices()
                .find(|&b| file.skeleton.bone(b).name.ends_with(end))
                .map(|b| node[b.get()].translation)
        };
        let (foot, toe) = match by_end(":LeftFoot").or(by_end("LeftFoot")) {
            Some(foot) => (foot, by_end("LeftToeBase").unwrap()),
            None => (by_end("foot_l").unwrap(), by_end("ball_l").unwrap()),
        };
        assert!(foot.x > 0.05 && toe.z > foot.z + 0.1 && toe.y < foot.y);
        let head = by_end("head").or(by_end("Head")).unwrap();
        assert!((1.55..1.65).contains(&head.y), "{head}");
    }
    assert!(bvh.skeleton.bones().iter().all(|bone| bone.node_pose.rotation == DQuat::IDENTITY));
    let turned = unreal.skeleton.bones().iter().filter(|bone| rotation_angle(bone.node_pose.rotation) > 0.05).count();
    assert!(turned > 20, "{turned} bones have axes of their own");
}

#[test]
fn ik_bones_lie_on_the_bones_they_mark() {
    for carrier in [Carrier::Pelvis, Carrier::Root, Carrier::Nobody] {
        let demo = make(&DemoSpec { carrier, ..spec_of(Gait::Arc, Family::Unreal) });
        let (truth, clip) = (demo.truth(), &demo.file.clips[0]);
        for secs in instants(truth, 60.0) {
            let pose = keyed(clip, secs);
            let mut pairs = vec![(Role::IkHandGun, Role::Hand(Side::Right))];
            for side in SIDES {
                pairs.extend([(Role::IkFoot(side), Role::Foot(side)), (Role::IkHand(side), Role::Hand(side))]);
            }
            for (ik, fk) in pairs {
                let (ik, fk) = (truth.bone(ik).unwrap(), truth.bone(fk).unwrap());
                assert!(pose.position(ik).distance(pose.position(fk)) < 1e-6, "{carrier:?} at {secs}");
                assert!(angle_between(pose.rotation(ik), pose.rotation(fk)) < 1e-6);
            }
            let roots = [Role::Root, Role::IkFootRoot, Role::IkHandRoot].map(|r| pose.0[truth.bone(r).unwrap().get()]);
            assert!(roots[0].abs_diff_eq(roots[1], 1e-9) && roots[0].abs_diff_eq(roots[2], 1e-9));
        }
    }
}

#[test]
fn whoever_carries_the_travel_the_split_is_exact() {
    let spec = |carrier| DemoSpec { carrier, heading_rad: -0.6, ..spec_of(Gait::Arc, Family::Unreal) };
    let [pelvis, root, nobody] = [Carrier::Pelvis, Carrier::Root, Carrier::Nobody].map(|c| make(&spec(c)));
    let truth = pelvis.truth();
    let root_bone = truth.bone(Role::Root).unwrap();
    let start = truth.path(truth.start_secs).frame();
    for secs in instants(truth, 60.0) {
        let poses = [&pelvis, &root, &nobody].map(|demo| keyed(&demo.file.clips[0], secs));
        let path = truth.path(secs);
        assert!(poses[1].position(root_bone).distance(path.position) < 1e-6);
        let turned = poses[1].rotation(root_bone) * poses[0].rotation(root_bone).conjugate();
        assert!(angle_between(turned, yaw_rotation(path.yaw_rad)) < 1e-6);
        for role in [Role::Pelvis, Role::Head, Role::Foot(Side::Left), Role::Hand(Side::Right)] {
            let at = |i: usize| position(truth, &poses[i], role);
            assert!(at(0).distance(at(1)) < 1e-6, "{role:?}");
            let returned = (path.frame() * start.inverse()).transform_point3(at(2));
            assert!(at(0).distance(returned) < 1e-6, "{role:?} in place");
        }
    }
    assert!(matches!(
        generate(&DemoSpec { carrier: Carrier::Root, ..spec_of(Gait::Walk, Family::Bvh) }, FileId(0)),
        Err(DemoError::NoRoot(Family::Bvh))
    ));
}

#[test]
fn a_cubic_clip_has_few_keys_and_keeps_its_tolerance() {
    for gait in [Gait::Walk, Gait::Run, Gait::Jump, Gait::Stagger] {
        let mut counts = Vec::new();
        for tolerance_m in [0.005, 0.001] {
            let encoding = Encoding::CubicSpline { tolerance_m };
            let demo = make(&DemoSpec { encoding, ..spec_of(gait, Family::Unreal) });
            let (truth, clip) = (demo.truth(), &demo.file.clips[0]);
            let pelvis = clip.track(truth.bone(Role::Pelvis).unwrap(), Property::Rotation).unwrap();
            assert_eq!(pelvis.interpolation, Interpolation::CubicSpline);
            let worst = instants(truth, 1000.0).map(|t| apart_m(&keyed(clip, t), &truth.pose(t))).fold(0.0, f64::max);
            // Checked at seven instants of each piece: the worst instant may lie between them.
            assert!(worst < 1.25 * tolerance_m, "{gait:?}: {worst} for {tolerance_m}");
            let dense = ((truth.end_secs - truth.start_secs) * 60.0) as usize;
            assert!(pelvis.times.len() < dense * 2 / 3, "{gait:?}: {} of {dense} keys", pelvis.times.len());
            counts.push(pelvis.times.len());
        }
        assert!(counts[0] <= counts[1], "{counts:?}");
    }
}

#[test]
fn steps_hold_and_i16_lies_on_its_grid() {
    let step = make(&DemoSpec { encoding: Encoding::Step, ..spec_of(Gait::Walk, Family::Mixamo) });
    let clip = &step.file.clips[0];
    let hips = step.truth().bone(Role::Pelvis).unwrap();
    let at = |secs| keyed(clip, secs).position(hips);
    assert_eq!(at(0.1 + 1e-6), at(0.1 + 0.015));
    assert!(at(0.1 + 1e-6).distance(at(0.1 + 0.018)) > 0.01);

    let coarse = make(&DemoSpec { encoding: Encoding::LinearI16, ..spec_of(Gait::Walk, Family::Mixamo) });
    let clip = &coarse.file.clips[0];
    let mut off_grid: f64 = 0.0;
    for tracks in &clip.tracks {
        for value in tracks[1].iter().flat_map(|track| track.values.iter()) {
            let steps = f64::from(*value) * 32767.0;
            off_grid = off_grid.max((steps - steps.round()).abs());
        }
    }
    assert!(off_grid < 2e-3, "{off_grid}");
    let truth = coarse.truth();
    let worst = instants(truth, 60.0).map(|t| apart_m(&keyed(clip, t), &truth.pose(t))).fold(0.0, f64::max);
    assert!(worst < 3e-4 && worst > 1e-6, "{worst}");
}

#[test]
fn a_set_shares_its_skeleton_and_names_differ() {
    let specs = [Gait::Walk, Gait::Run, Gait::Walk].map(|gait| spec_of(gait, Family::Unreal));
    let demo = generate_set(&specs, FileId(4)).unwrap();
    let names: Vec<&str> = demo.file.clips.iter().map(|clip| clip.name.as_str()).collect();
    assert_eq!(names, ["walk", "run", "walk_01"]);
    assert_eq!(demo.file.clips.iter().map(|clip| clip.take).collect::<Vec<_>>(), [Some(0), Some(1), Some(2)]);
    for clip in &demo.file.clips {
        assert!(std::sync::Arc::ptr_eq(&clip.skeleton, &demo.file.skeleton));
    }
    assert_eq!(demo.file.path.to_str(), Some("walk.glb"));
    assert!(matches!(generate_set(&[], FileId(0)), Err(DemoError::Nothing)));
    let mixed = [spec_of(Gait::Walk, Family::Unreal), spec_of(Gait::Walk, Family::Bvh)];
    assert!(matches!(generate_set(&mixed, FileId(0)), Err(DemoError::MixedFamilies(..))));
}

#[test]
fn nonsense_is_refused_and_the_same_spec_gives_the_same_bytes() {
    let usual = spec_of(Gait::Walk, Family::Unreal);
    for spec in [
        DemoSpec { speed_m_s: f64::NAN, ..usual.clone() },
        DemoSpec { speed_m_s: 9.0, ..usual.clone() },
        DemoSpec { cycles: 0, ..usual.clone() },
        DemoSpec { cycles: u32::MAX, ..usual.clone() },
        DemoSpec { radius_m: 0.0, ..usual.clone() },
        DemoSpec { origin: DVec3::splat(f64::INFINITY), ..usual.clone() },
        DemoSpec { first_key_secs: -1.0, ..usual.clone() },
    ] {
        let refused = generate(&spec, FileId(0)).unwrap_err();
        assert!(matches!(refused, DemoError::OutOfRange { .. }), "{refused}");
    }
    let values = || {
        let clip = make(&usual).file.clips[0].clone();
        clip.tracks.iter().flatten().flatten().flat_map(|t| t.values.iter().map(|v| v.to_bits())).collect::<Vec<_>>()
    };
    assert_eq!(values(), values());
}

#[test]
fn the_figure_is_skinned_to_every_part() {
    for family in [Family::Unreal, Family::Mixamo, Family::Bvh] {
        let file = make(&spec_of(Gait::Walk, family)).file;
        let (mesh, skin) = (&file.meshes[0], &file.skins[0]);
        assert_eq!(mesh.positions.len(), 22 * 24);
        assert_eq!(mesh.joints.len(), mesh.positions.len());
        assert!(mesh.indices.iter().all(|&i| (i as usize) < mesh.positions.len()));
        let used: std::collections::BTreeSet<u16> = mesh.joints.iter().map(|j| j[0]).collect();
        assert_eq!(used.len(), 22);
        for (joint, inverse) in skin.joints.iter().zip(&skin.inverse_binds) {
            let bind = file.skeleton.bone(*joint).bind_pose.unwrap();
            assert!((bind * *inverse).abs_diff_eq(DAffine3::IDENTITY, 1e-12));
        }
        let heights = mesh.positions.iter().map(|p| p[1]);
        let (low, high) = heights.fold((f32::MAX, f32::MIN), |(low, high), y| (low.min(y), high.max(y)));
        assert!(low > -0.02 && (1.75..1.85).contains(&high), "{low}..{high}");
        // Outward faces: the volume by the divergence theorem is positive.
        let corner = |i: u32| glam::Vec3::from(mesh.positions[i as usize]).as_dvec3();
        let volume: f64 = mesh.indices.chunks(3).map(|t| corner(t[0]).dot(corner(t[1]).cross(corner(t[2])))).sum();
        assert!(volume > 0.0, "{volume}");
    }
}

// The leg solve

/// Numbers without pattern, the same every run.
fn scattered(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    ((*seed >> 11) as f64) / ((1u64 << 53) as f64) * 2.0 - 1.0
}

fn scattered_vector(seed: &mut u64) -> DVec3 {
    DVec3::new(scattered(seed), scattered(seed), scattered(seed))
}

fn straight_leg() -> Leg {
    Leg { hip: DVec3::new(0.0, 5.0, 0.0), knee: DVec3::new(0.0, 2.0, 0.0), ankle: DVec3::new(0.0, -2.0, 0.0) }
}

const HARD: LegOptions = LegOptions { softness: 0.0, max_stretch: 1.0, hinge: Some(DVec3::X), forward: DVec3::Z };

#[test]
fn a_three_four_five_leg_bends_to_a_right_angle() {
    let leg = straight_leg();
    let solved = reach(&leg, DVec3::ZERO, &HARD);
    assert!(solved.knee.distance(DVec3::new(0.0, 3.2, 2.4)) < 1e-14, "{}", solved.knee);
    assert!(solved.ankle.length() < 1e-14 && solved.residual_m == 0.0);
    let interior = (leg.hip - solved.knee).angle_between(solved.ankle - solved.knee);
    assert!((interior - FRAC_PI_2).abs() < 1e-12);
    assert!((rotation_angle(solved.thigh_turn).to_degrees() - 53.130_102_354).abs() < 1e-9);
    // Without a hinge a straight leg bends to where the character looks.
    let forward = reach(&leg, DVec3::ZERO, &LegOptions { hinge: None, ..HARD });
    assert!(forward.knee.distance(solved.knee) < 1e-12);
}

#[test]
fn equal_segments_obey_the_cosine_rule() {
    let leg = Leg { hip: DVec3::ZERO, knee: DVec3::new(0.0, -40.0, 0.0), ankle: DVec3::new(0.0, -80.0, 0.0) };
    let solved = reach(&leg, DVec3::new(0.0, -60.0, 0.0), &HARD);
    assert!((solved.knee.normalize_or_zero().dot(DVec3::NEG_Y) - 0.75).abs() < 1e-15);
}

#[test]
fn out_of_reach_is_straight_soft_or_stretched() {
    let leg = straight_leg();
    let target = leg.hip + DVec3::new(0.0, -8.0, 0.0);
    let hard = reach(&leg, target, &HARD);
    assert_eq!(hard.residual_m, 1.0);
    assert!(hard.is_unreached());
    assert!(hard.ankle.distance(DVec3::new(0.0, -2.0, 0.0)) < 1e-12);
    // Source leg bent, so that softness applies: m = 6.86 of 7.
    let bent = Leg { knee: DVec3::new(0.0, 3.2, 2.4), ankle: DVec3::ZERO, ..leg };
    let soft = reach(&bent, target, &LegOptions { softness: 0.02, ..HARD });
    assert!((soft.residual_m - 1.000_040_713).abs() < 1e-9, "{}", soft.residual_m);
    let stretched = reach(&leg, target, &LegOptions { max_stretch: 1.2, ..HARD });
    assert!((stretched.stretch - 8.0 / 7.0).abs() < 1e-15 && stretched.residual_m < 1e-12);
    assert!(stretched.ankle.distance(target) < 1e-12);
    assert!((stretched.knee.distance(leg.hip) - 3.0 * 8.0 / 7.0).abs() < 1e-12);
    let capped = reach(&leg, target, &LegOptions { max_stretch: 1.02, ..HARD });
    assert!((capped.residual_m - (8.0 - 7.14)).abs() < 1e-12);
}

#[test]
fn a_soft_knee_is_smooth_and_never_shortens_the_source() {
    let leg = Leg { hip: DVec3::ZERO, knee: DVec3::new(0.0, -0.44, 0.2), ankle: DVec3::new(0.0, -0.7, 0.0) };
    let full = leg.knee.length() + leg.knee.distance(leg.ankle);
    let options = LegOptions::default();
    let length = |x: f64| reach(&leg, DVec3::new(0.0, -x, 0.0), &options).ankle.length();
    // Slope 1 where the softness begins, and no jump anywhere.
    let from = full * 0.98;
    assert!(from > 0.75 && (length(from - 1e-3) - (from - 1e-3)).abs() < 1e-12);
    assert!(((length(from + 1e-5) - length(from - 1e-5)) / 2e-5 - 1.0).abs() < 1e-3);
    let mut last = length(0.5);
    for i in 1..=1000 {
        let now = length(0.5 + 0.001 * f64::from(i));
        assert!(now >= last && now - last < 0.001 + 1e-9 && now <= full);
        last = now;
    }
    // A source leg that is straighter than the softness allows keeps every millimetre of its length.
    let straight = Leg { knee: DVec3::new(0.0, -0.44, 0.01), ankle: DVec3::new(0.0, -0.8, 0.0), ..leg };
    let full = straight.knee.length() + straight.knee.distance(straight.ankle);
    let turned = DQuat::from_rotation_x(0.3) * straight.ankle;
    let solved = reach(&straight, turned, &options);
    assert!(straight.ankle.length() > 0.98 * full && solved.residual_m < 1e-12, "{}", solved.residual_m);
}

#[test]
fn an_unchanged_target_changes_nothing() {
    let mut seed = 7;
    for _ in 0..50 {
        let hip = scattered_vector(&mut seed);
        let knee = hip + scattered_vector(&mut seed);
        let ankle = knee + scattered_vector(&mut seed);
        let leg = Leg { hip, knee, ankle };
        let solved = reach(&leg, ankle + DVec3::splat(5e-10), &LegOptions::default());
        assert!(solved.thigh_turn == DQuat::IDENTITY && solved.calf_turn == DQuat::IDENTITY);
        assert!(solved.knee == knee && solved.ankle == ankle && solved.residual_m == 0.0 && solved.stretch == 1.0);
        // A hair further away the solve runs, and still changes next to nothing.
        let hair = reach(&leg, ankle + DVec3::new(2e-9, 0.0, 0.0), &LegOptions::default());
        assert!(rotation_angle(hair.thigh_turn) < 1e-6 && rotation_angle(hair.calf_turn) < 1e-6);
    }
}

#[test]
fn three_hundred_legs_reach_their_targets_by_their_turns() {
    let mut seed = 1;
    let mut reached = 0;
    while reached < 300 {
        let hip = scattered_vector(&mut seed);
        let thigh = scattered_vector(&mut seed) * 0.5;
        let calf = scattered_vector(&mut seed) * 0.5;
        let target = hip + scattered_vector(&mut seed) * 0.8;
        let leg = Leg { hip, knee: hip + thigh, ankle: hip + thigh + calf };
        let distance = target.distance(hip);
        let (a, c) = (thigh.length(), calf.length());
        if distance > a + c - 1e-6 || distance < (a - c).abs() + 1e-6 || a < 0.05 || c < 0.05 {
            continue;
        }
        let solved = reach(&leg, target, &HARD);
        let by_turns = hip + solved.thigh_turn * thigh + solved.calf_turn * calf;
        assert!(by_turns.distance(target) < 1e-12, "{leg:?}: off by {}", by_turns.distance(target));
        assert!((hip + solved.thigh_turn * thigh).distance(solved.knee) < 1e-12);
        assert!(solved.residual_m == 0.0);
        // The knee keeps its side of the line from hip to ankle, swung with it.
        let side = |knee: DVec3, aim: DVec3| (knee - hip) - aim * (knee - hip).dot(aim);
        let (old_aim, aim) = ((leg.ankle - hip).normalize_or_zero(), (target - hip).normalize_or_zero());
        let swung = DQuat::from_rotation_arc(old_aim, aim) * side(leg.knee, old_aim);
        assert!(side(solved.knee, aim).angle_between(swung) < 1e-5 || side(solved.knee, aim).length() < 1e-6);
        reached += 1;
    }
}

#[test]
fn odd_legs_give_finite_answers() {
    let at = DVec3::new;
    let zero = DVec3::ZERO;
    let legs = [
        Leg { hip: zero, knee: zero, ankle: zero },
        Leg { hip: zero, knee: zero, ankle: at(0.0, -1.0, 0.0) },
        Leg { hip: zero, knee: at(0.0, -1.0, 0.0), ankle: at(0.0, -1.0, 0.0) },
        Leg { hip: zero, knee: at(0.0, -1.0, 0.0), ankle: zero },
        Leg { hip: zero, knee: at(0.0, 0.0, 1.0), ankle: at(0.0, 0.0, 2.0) },
    ];
    for leg in legs {
        for target in [zero, at(0.0, 1e-7, 0.0), at(0.0, -0.5, 0.0), at(0.0, 0.0, 5.0), at(0.0, 3.0, 0.0)] {
            for hinge in [None, Some(DVec3::X), Some(DVec3::Z), Some(zero)] {
                let solved = reach(&leg, target, &LegOptions { hinge, ..LegOptions::default() });
                assert!(solved.knee.is_finite() && solved.ankle.is_finite(), "{leg:?} to {target}: {solved:?}");
                assert!(solved.thigh_turn.is_finite() && solved.calf_turn.is_finite() && solved.residual_m.is_finite());
                assert!(
                    (solved.thigh_turn.length() - 1.0).abs() < 1e-9 && (solved.calf_turn.length() - 1.0).abs() < 1e-9
                );
            }
        }
    }
    let turned = wrap_angle(3.0 * PI);
    assert!((turned - PI).abs() < 1e-12);
}

#[test]
fn a_target_too_near_leaves_the_leg_folded() {
    let solved = reach(&straight_leg(), DVec3::new(0.0, 4.5, 0.0), &HARD);
    // Thigh 3, calf 4: the ankle comes no nearer than 1 to the hip.
    assert!((solved.ankle.distance(DVec3::new(0.0, 5.0, 0.0)) - 1.0).abs() < 1e-12);
}

/// Prints what each gait looks like in numbers, and dumps all of them, when asked to by environment variables.
#[test]
fn report() {
    if let Some(path) = std::env::var_os("STRIDESMITH_DEMO_DUMP") {
        let all: Vec<DemoSpec> = Gait::ALL.iter().map(|&gait| spec_of(gait, Family::Unreal)).collect();
        let demo = generate_set(&all, FileId(0)).unwrap();
        let mut out = std::fs::File::create(path).unwrap();
        stridesmith::formats::dump::write(&mut out, &demo.file.skeleton, &demo.file.clips, None).unwrap();
    }
}

#[test]
fn uniform_keys_start_at_the_first_key() {
    let demo = make(&DemoSpec { first_key_secs: 1.0 / 30.0, ..DemoSpec::new(Gait::Walk, Family::Mixamo) });
    let clip = &demo.file.clips[0];
    let hips = clip.track(demo.truth().bone(Role::Pelvis).unwrap(), Property::Rotation).unwrap();
    assert!(matches!(*hips.times, Times::Uniform { start, n: 61, .. } if start == 1.0 / 30.0), "{:?}", hips.times);
    assert!((hips.times.last() - clip.range.end_secs).abs() < 1e-12);
}
