//! Rotations of FBX files through to the exported GLB, and files that lie on their back.

use glam::DQuat;
use stridesmith::motion::transform::{angle_between, rotation_of};

use super::units::walker;
use super::*;
use crate::support::fbx_ascii::{Curve, Key, Kind, MAX_Z_UP, Node, Scene, Take};

/// In the order XYZ the turn about x comes first.
fn euler_xyz(degrees: [f64; 3]) -> DQuat {
    let [x, y, z] = degrees.map(f64::to_radians);
    DQuat::from_rotation_z(z) * DQuat::from_rotation_y(y) * DQuat::from_rotation_x(x)
}

/// The walker with these curves on the spine, extracted and read back.
fn through_the_house(curves: Vec<Curve>, edit: impl FnOnce(&mut Node)) -> Written {
    let mut scene = walker(1.0, 1.0);
    edit(&mut scene.nodes[2]);
    scene.takes[0].layers[0].curves.extend(curves);
    let mut desk = Desk::of_bytes("walk.fbx", &scene.bytes());
    let out = desk.apply(extract(path(PathMode::Smoothed, YawSource::None), RootStart::UnderPelvis));
    desk.export(out)
}

/// The spine's transform below the hips.
fn spine(written: &Written, secs: f64) -> glam::DAffine3 {
    let pose = written.clip.component_at(secs);
    pose.0[written.bone("Hips").get()].inverse() * pose.0[written.bone("Spine").get()]
}

#[test]
fn spins_beyond_a_whole_turn_and_steps_beyond_half_a_turn_arrive_as_authored() {
    // 400° in a second, 270° within a frame and back, between steadily turning keys.
    let spin = [(0.0, 0.0), (1.0, 400.0), (1.5, 400.0), (1.5 + 1.0 / 30.0, 670.0), (1.8, 670.0), (2.0, 400.0)];
    let written = through_the_house(vec![Curve::linear(2, 'R', 1, &spin)], |_| ());
    for i in 0..=480 {
        let secs = f64::from(i) / 240.0;
        let after = spin.iter().position(|key| key.0 >= secs).unwrap().max(1);
        let ((t0, a), (t1, b)) = (spin[after - 1], spin[after]);
        let angle = a + (b - a) * ((secs - t0) / (t1 - t0)).clamp(0.0, 1.0);
        let found = rotation_of(&spine(&written, secs));
        let off = angle_between(found, euler_xyz([0.0, angle, 0.0])).to_degrees();
        assert!(off < 0.05, "{secs}: {off}° off");
    }
}

#[test]
fn a_shoulder_through_gimbal_lock_turns_as_its_curves_say() {
    // The middle angle goes through 90° while the outer two turn.
    let ends = [[10.0, 40.0, -20.0], [70.0, 140.0, 60.0]];
    let curves =
        (0..3).map(|axis| Curve::linear(2, 'R', axis, &[(0.0, ends[0][axis]), (2.0, ends[1][axis])])).collect();
    let written = through_the_house(curves, |_| ());
    let mut before: Option<DQuat> = None;
    for frame in 0..=60 {
        let secs = f64::from(frame) / 30.0;
        let angles = std::array::from_fn(|i| ends[0][i] + (ends[1][i] - ends[0][i]) * secs / 2.0);
        let found = rotation_of(&spine(&written, secs));
        let off = angle_between(found, euler_xyz(angles));
        assert!(off < 1e-4, "frame {frame}: {off} rad off");
        assert!(before.is_none_or(|before| angle_between(before, found) < 0.1), "frame {frame} jumps");
        before = Some(found);
    }
}

#[test]
fn constant_euler_curves_with_pivots_hold_place_and_rotation() {
    // About a pivot, a turn moves the bone too; the curve holds 50° from 0.5 s and −80° from 1 s.
    let (pivot, offset) = (DVec3::new(3.0, 20.0, -5.0), DVec3::new(1.0, 2.0, 0.5));
    let step = |secs, value| Key { secs, value, kind: Kind::Constant };
    let curve = Curve::new(2, 'R', 2, vec![step(0.0, 0.0), step(0.5, 50.0), step(1.0, -80.0), step(2.0, 0.0)]);
    let written = through_the_house(vec![curve], |node| {
        node.rotation_pivot = pivot.to_array();
        node.rotation_offset = offset.to_array();
        node.scaling_pivot = [0.0, 7.0, 0.0];
        node.pre_rotation = [0.0, 0.0, 30.0];
    });
    assert!(written.clip.skeleton.bones().iter().all(|bone| !bone.name.contains('$')), "no helper bones");
    for (secs, angle) in [(0.01, 0.0), (0.49, 0.0), (0.51, 50.0), (0.99, 50.0), (1.01, -80.0), (1.9, -80.0)] {
        let found = spine(&written, secs);
        let turn = euler_xyz([0.0, 0.0, 30.0]) * euler_xyz([0.0, 0.0, angle]);
        let off = angle_between(rotation_of(&found), turn);
        assert!(off < 1e-4, "{secs}: {off} rad off");
        // T · Roff · Rp · R · Rp⁻¹: where the bone's own origin comes to lie.
        let place = (DVec3::new(0.0, 20.0, 0.0) + offset + pivot - turn * pivot) * 0.01;
        assert!(found.translation.distance(place) < 1e-5, "{secs}: {} is not {place}", found.translation);
    }
}

#[test]
fn a_bind_pose_in_the_pre_rotations_of_a_z_up_file_stands_up_and_walks_forward() {
    // Up is z and the character looks along −y; every bone points along its own x, and the local rotations are zero.
    let along_x =
        |name: &str, parent, translation, pre_rotation| Node { translation, pre_rotation, ..Node::limb(name, parent) };
    let nodes = vec![
        along_x("Hips", None, [0.0, 0.0, 95.0], [0.0, -90.0, 0.0]),
        along_x("Spine", Some(0), [20.0, 0.0, 0.0], [0.0, 0.0, 10.0]),
        along_x("Head", Some(1), [40.0, 0.0, 0.0], [0.0, 0.0, -10.0]),
        along_x("LeftUpLeg", Some(0), [0.0, 0.0, 10.0], [0.0, 180.0, 0.0]),
        along_x("LeftLeg", Some(3), [45.0, 0.0, 0.0], [0.0; 3]),
        along_x("LeftFoot", Some(4), [45.0, 0.0, 0.0], [0.0; 3]),
    ];
    let mut scene = Scene::new(nodes);
    scene.axes = MAX_Z_UP;
    scene.takes = vec![Take::simple(
        "walk",
        None,
        vec![
            Curve::linear(0, 'T', 1, &[(0.0, 0.0), (1.0, -130.0)]),
            Curve::linear(4, 'R', 1, &[(0.0, 0.0), (1.0, 20.0)]),
        ],
    )];
    let mut desk = Desk::of_bytes("walk.fbx", &scene.bytes());
    let skeleton = desk.file().skeleton.clone();
    let at = |name: &str| skeleton.reference_component()[skeleton.find(name).unwrap().get()].translation;
    assert!(at("Hips").distance(DVec3::new(0.0, 0.95, 0.0)) < 1e-6, "{}", at("Hips"));
    assert!(at("Spine").distance(DVec3::new(0.0, 1.15, 0.0)) < 1e-6, "{}", at("Spine"));
    assert!(at("Head").y > 1.5 && at("LeftFoot").y < 0.06, "{} {}", at("Head"), at("LeftFoot"));
    let hips = skeleton.bone(skeleton.find("Hips").unwrap()).node_pose.rotation;
    assert!(angle_between(hips, DQuat::IDENTITY) > 1.0, "the pose is in the pre-rotation");
    let out = desk.apply(extract(path(PathMode::Raw, YawSource::None), RootStart::UnderPelvis));
    let written = desk.export(out);
    assert_same_motion(&desk.source(), &written.clip, "Z-up");
    let net = written.position("root", 1.0) - written.position("root", 0.0);
    assert!(net.distance(DVec3::new(0.0, 0.0, 1.3)) < 1e-5, "forward on the ground: {net}");
}
