//! Skeletons, IK bones, who carries the travel, and what comes with the file.

use glam::{DQuat, DVec3};
use stridesmith::motion::demo::{Carrier, DemoError, DemoSpec, Family, Gait, generate, generate_set};
use stridesmith::motion::transform::{angle_between, rotation_angle, yaw_rotation};
use stridesmith::motion::{FileId, Role, Side};

use super::{SIDES, instants, keyed, make, position, spec_of};

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
