//! Transform stack, rotation orders, pivots, units, axes, scale inheritance: motion's §8.4 oracles and products of
//! matrices written out here.

use glam::{DAffine3, DMat3, DQuat, DVec3};
use stridesmith::motion::{FileSpace, WarningKind};

use super::*;
use crate::support::fbx_ascii::{Axes, Curve, MAX_Z_UP, MAYA_Y_UP, Node, Scene, Take};

fn rotation_of_bone(edit: impl FnOnce(&mut Node)) -> DQuat {
    let file = read(&Scene::of_bone(edit));
    file.skeleton.bones()[0].node_pose.rotation
}

#[test]
fn order_xyz_turns_x_first_and_zyx_turns_z_first() {
    let xyz = rotation_of_bone(|bone| bone.rotation = [90.0, 0.0, 90.0]);
    assert_same_rotation(xyz, DQuat::from_xyzw(0.5, 0.5, 0.5, 0.5), 1e-12);
    let zyx = rotation_of_bone(|bone| (bone.rotation, bone.rotation_order) = ([90.0, 0.0, 90.0], 5));
    assert_same_rotation(zyx, DQuat::from_xyzw(0.5, -0.5, 0.5, 0.5), 1e-12);
    assert_near(zyx * DVec3::Y, DVec3::NEG_X, 1e-12);
}

#[test]
fn pre_rotation_stands_before_and_post_rotation_is_inverted() {
    let pre = rotation_of_bone(|bone| (bone.pre_rotation, bone.rotation) = ([-90.0, 0.0, 0.0], [0.0, 0.0, 90.0]));
    assert_same_rotation(pre, DQuat::from_xyzw(-0.5, 0.5, 0.5, 0.5), 1e-12);
    assert_near(pre * DVec3::X, DVec3::NEG_Z, 1e-12);
    let post = rotation_of_bone(|bone| (bone.post_rotation, bone.rotation) = ([0.0, 0.0, 30.0], [0.0, 0.0, 90.0]));
    assert_same_rotation(post, DQuat::from_rotation_z(60f64.to_radians()), 1e-12);
}

#[test]
fn pivots_are_folded_into_one_bone() {
    let turned =
        read(&Scene::of_bone(|bone| (bone.rotation_pivot, bone.rotation) = ([1.0, 0.0, 0.0], [0.0, 0.0, 90.0])));
    assert_eq!(turned.skeleton.len(), 1);
    assert_near(turned.skeleton.bones()[0].node_pose.translation, DVec3::new(0.01, -0.01, 0.0), 1e-12);
    let scaled = read(&Scene::of_bone(|bone| (bone.scaling_pivot, bone.scaling) = ([1.0, 0.0, 0.0], [2.0; 3])));
    assert_near(scaled.skeleton.bones()[0].node_pose.translation, DVec3::new(-0.01, 0.0, 0.0), 1e-12);
}

/// T·Roff·Rp·Rpre·R·Rpost⁻¹·Rp⁻¹·Soff·Sp·S·Sp⁻¹ in file units.
fn stack(node: &Node, t: [f64; 3], r: [f64; 3], s: [f64; 3]) -> DAffine3 {
    let at = |v: [f64; 3]| DAffine3::from_translation(DVec3::from_array(v));
    let turn = DAffine3::from_quat;
    let (pre, own, post) = if node.rotation_active {
        (euler(0, node.pre_rotation), euler(node.rotation_order, r), euler(0, node.post_rotation))
    } else {
        (DQuat::IDENTITY, euler(0, r), DQuat::IDENTITY)
    };
    at(t)
        * at(node.rotation_offset)
        * at(node.rotation_pivot)
        * turn(pre)
        * turn(own)
        * turn(post.inverse())
        * at(node.rotation_pivot).inverse()
        * at(node.scaling_offset)
        * at(node.scaling_pivot)
        * DAffine3::from_scale(DVec3::from_array(s))
        * at(node.scaling_pivot).inverse()
}

fn twisted(order: i32) -> Node {
    Node {
        rotation_order: order,
        translation: [3.0, -7.0, 11.0],
        rotation: [25.0, -130.0, 71.0],
        scaling: [1.5, 0.5, 2.0],
        pre_rotation: [-90.0, 12.0, 33.0],
        post_rotation: [5.0, -17.0, 140.0],
        rotation_pivot: [1.0, 2.0, -3.0],
        rotation_offset: [0.5, 0.25, -0.125],
        scaling_pivot: [-2.0, 1.0, 4.0],
        scaling_offset: [0.75, -1.5, 2.25],
        ..Node::limb("bone", None)
    }
}

#[test]
fn all_six_orders_agree_with_the_product_of_matrices_at_rest_and_animated() {
    for order in 0..6 {
        for rotation_active in [true, false] {
            let node = Node { rotation_active, ..twisted(order) };
            let mut scene = Scene::new(vec![node.clone()]);
            let (t, r, s) = ([10.0, 20.0, -30.0], [170.0, 40.0, -300.0], [0.25, 3.0, 1.25]);
            let curves = [('T', node.translation, t), ('R', node.rotation, r), ('S', node.scaling, s)];
            let ends = |property, from: [f64; 3], to: [f64; 3]| {
                (0..3).map(move |axis| Curve::linear(0, property, axis, &[(0.0, from[axis]), (2.0, to[axis])]))
            };
            let curves = curves.into_iter().flat_map(|(property, from, to)| ends(property, from, to)).collect();
            scene.takes = vec![Take::simple("Take", Some((0.0, 2.0)), curves)];
            let file = read(&scene);
            let rest = file.skeleton.bones()[0].node_pose.to_affine();
            check(rest, stack(&node, node.translation, node.rotation, node.scaling), 1e-12);
            // Every frame is a sample, pivots and Euler angles and all.
            for frame in 0..=60 {
                let secs = f64::from(frame) / 30.0;
                let mix = |a: [f64; 3], b: [f64; 3]| std::array::from_fn(|i| a[i] + (b[i] - a[i]) * secs / 2.0);
                let truth = stack(&node, mix(node.translation, t), mix(node.rotation, r), mix(node.scaling, s));
                check(component_at(&file.clips[0], BoneIndex(0), secs), truth, 1e-6);
            }
        }
    }
}

#[track_caller]
fn check(metres: DAffine3, centimetres: DAffine3, tolerance: f64) {
    assert_near(metres.translation, centimetres.translation * 0.01, tolerance);
    assert_same_matrix(metres.matrix3, centimetres.matrix3, tolerance * 10.0);
}

#[test]
fn the_spheric_order_is_read_as_xyz_and_said() {
    let node = Node { rotation_order: 0, ..twisted(0) };
    let mut scene = Scene::new(vec![Node { rotation_order: 6, ..node.clone() }]);
    let curve = Curve::linear(0, 'R', 1, &[(0.0, -130.0), (1.0, 20.0)]);
    scene.takes = vec![Take::simple("Take", None, vec![curve])];
    let file = read(&scene);
    let truth = |y: f64| stack(&node, node.translation, [25.0, y, 71.0], node.scaling);
    check(file.skeleton.bones()[0].node_pose.to_affine(), truth(-130.0), 1e-12);
    check(component_at(&file.clips[0], BoneIndex(0), 1.0), truth(20.0), 1e-6);
    check(component_at(&file.clips[0], BoneIndex(0), 0.5), truth(-55.0), 1e-6);
    warned(&file, WarningKind::Repaired, "spheric");
}

#[test]
fn a_hundred_units_are_one_a_hundred_or_two_and_a_half_metres() {
    for (unit_scale, metres) in [(1.0, 1.0), (100.0, 100.0), (2.54, 2.54)] {
        let mut scene = Scene::of_bone(|bone| bone.translation = [0.0, 100.0, 0.0]);
        scene.unit_scale = unit_scale;
        let curve = Curve::linear(0, 'T', 0, &[(0.0, 0.0), (1.0, 50.0)]);
        scene.takes = vec![Take::simple("Take", None, vec![curve])];
        let file = read(&scene);
        assert_near(file.skeleton.bones()[0].node_pose.translation, DVec3::Y * metres, 1e-9);
        // Travel goes through the same unit as the rest pose, and no scale is left anywhere.
        let last = local_at(&file.clips[0], BoneIndex(0), 1.0);
        assert_near(last.translation, DVec3::new(0.5 * metres, metres, 0.0), 1e-6 * metres);
        assert_near(last.scale, DVec3::ONE, 0.0);
        assert!((file.space.metres_per_unit - unit_scale * 0.01).abs() < 1e-12);
        assert_eq!(unit_scale == 1.0, file.warnings.is_empty(), "{:?}", file.warnings);
        if unit_scale != 1.0 {
            warned(&file, WarningKind::Units, &format!("{} m", unit_scale * 0.01));
        }
    }
}

fn in_axes(axes: Axes) -> SourceFile {
    let mut hips = Node::limb("hips", None);
    hips.translation = [1.0, 2.0, 3.0];
    let mut leg = Node::limb("leg", Some(0));
    leg.translation = [10.0, 0.0, -20.0];
    let mut scene = Scene::new(vec![hips, leg]);
    scene.axes = axes;
    let curve = Curve::linear(0, 'T', 1, &[(0.0, 2.0), (1.0, 102.0)]);
    scene.takes = vec![Take::simple("Take", None, vec![curve])];
    read(&scene)
}

#[test]
fn who_faces_the_files_front_faces_plus_z() {
    let maya = in_axes(MAYA_Y_UP);
    assert_eq!(maya.space, FileSpace { metres_per_unit: 0.01, ..FileSpace::OURS });
    assert!(maya.warnings.is_empty(), "{:?}", maya.warnings);

    // 3ds Max: Z up, and a character looks along −Y.
    let max = in_axes(MAX_Z_UP);
    warned(&max, WarningKind::Axes, "+Z up and −Y in front");
    let component = max.skeleton.node_pose_component();
    assert_near(component[0].translation, DVec3::new(0.01, 0.03, -0.02), 1e-12);
    assert_near(component[1].translation, DVec3::new(0.11, -0.17, -0.02), 1e-12);
    let travel = component_at(&max.clips[0], BoneIndex(0), 1.0).translation;
    assert_near(travel, DVec3::new(0.01, 0.03, -1.02), 1e-6);
    assert_near(max.space.rotation * DVec3::NEG_Y, DVec3::Z, 1e-12);
    assert_near(
        max.space.rotation * DVec3::new(1.0, 2.0, 3.0) * max.space.metres_per_unit,
        component[0].translation,
        1e-12,
    );
    // A child's own transform is the file's but for the unit.
    assert_near(max.skeleton.bones()[1].node_pose.translation, DVec3::new(0.1, 0.0, -0.2), 1e-12);

    // Z up, looking along +X.
    let x_front = in_axes(Axes { up: (2, 1), front: (0, 1), coord: (1, 1) });
    assert_near(x_front.skeleton.node_pose_component()[0].translation, DVec3::new(0.02, 0.03, 0.01), 1e-12);
    assert!(!x_front.space.left_handed);
}

#[test]
fn a_left_handed_file_is_mirrored_and_said() {
    // Right x, up z, front +y: x × z = −y.
    let file = in_axes(Axes { up: (2, 1), front: (1, 1), coord: (0, 1) });
    assert!(file.space.left_handed);
    warned(&file, WarningKind::Axes, "left-handed");
    let component = file.skeleton.node_pose_component();
    assert_near(component[0].translation, DVec3::new(0.01, 0.03, 0.02), 1e-12);
    assert_near(component[1].translation, DVec3::new(0.11, -0.17, 0.02), 1e-12);
    assert!(component.iter().all(|at| at.matrix3.determinant() > 0.0), "bones are not mirrored themselves");
}

#[test]
fn segment_scale_compensation_needs_no_helper_bones() {
    let mut parent = Node::limb("parent", None);
    parent.scaling = [2.0; 3];
    let mut child = Node::limb("child", Some(0));
    (child.inherit_type, child.translation, child.rotation) = (2, [10.0, 0.0, 0.0], [0.0, 30.0, 0.0]);
    let mut plain = Node::limb("plain", Some(0));
    plain.translation = [0.0, 10.0, 0.0];
    let tip = Node { translation: [5.0, 0.0, 0.0], ..Node::limb("tip", Some(1)) };
    let mut scene = Scene::new(vec![parent, child, plain, tip]);
    let swell = (0..3).map(|axis| Curve::linear(0, 'S', axis, &[(0.0, 2.0), (1.0, 4.0)])).collect();
    scene.takes = vec![
        Take::simple("Still", None, vec![Curve::linear(0, 'T', 0, &[(0.0, 0.0)])]),
        Take::simple("Swell", None, swell),
    ];
    let file = read(&scene);
    assert_eq!(
        file.skeleton.bones().iter().map(|b| b.name.as_str()).collect::<Vec<_>>(),
        ["parent", "child", "tip", "plain"]
    );
    for (take, secs, scale) in [(0, 0.0, 2.0), (1, 0.0, 2.0), (1, 0.4, 2.8), (1, 1.0, 4.0)] {
        let at = |name| component_at(&file.clips[take], bone(&file, name), secs);
        // The child's place goes through the parent's whole matrix, its own scale leaves the parent's out.
        assert_near(at("child").translation, DVec3::X * 0.1 * scale, 1e-6);
        assert_same_matrix(at("child").matrix3, DMat3::from_rotation_y(30f64.to_radians()), 1e-5);
        assert_near(
            at("tip").translation - at("child").translation,
            DQuat::from_rotation_y(30f64.to_radians()) * DVec3::X * 0.05,
            1e-6,
        );
        assert_same_matrix(at("plain").matrix3, DMat3::from_diagonal(DVec3::splat(scale)), 1e-5);
    }
}
