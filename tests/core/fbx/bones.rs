//! Which nodes become bones, the three poses, and what is drawn on them.

use glam::DAffine3;
use stridesmith::motion::{Format, WarningKind};

use super::*;
use crate::support::fbx_ascii::{Cluster, Curve, MAX_Z_UP, Node, Scene, SkinnedMesh, Take};

fn names(file: &SourceFile) -> Vec<&str> {
    file.skeleton.bones().iter().map(|bone| bone.name.as_str()).collect()
}

#[test]
fn bones_are_limbs_what_is_animated_and_all_above() {
    let mut scene = Scene::new(vec![
        Node::limb("scene", None).of_class("Null"),
        Node::limb("rig:hips", Some(0)),
        Node::limb("lonely", None).of_class("Null"),
        Node::limb("prop", Some(2)).of_class("Null"),
        Node::limb("idle", Some(0)).of_class("Null"),
        Node::limb("rig:leg", Some(1)),
    ]);
    scene.takes = vec![
        Take::simple("a", None, vec![Curve::linear(1, 'T', 0, &[(0.0, 0.0)])]),
        Take::simple("b", None, vec![Curve::linear(3, 'R', 0, &[(0.0, 0.0)])]),
    ];
    let file = read(&scene);
    assert_eq!(names(&file), ["scene", "rig:hips", "rig:leg", "lonely", "prop"]);
    let joints: Vec<bool> = file.skeleton.bones().iter().map(|bone| bone.is_joint).collect();
    assert_eq!(joints, [false, true, true, false, false]);
    assert_eq!(file.skeleton.path(BoneIndex(2)), "scene/rig:hips/rig:leg");
    assert_eq!(file.format, Format::Fbx);
    assert!(file.description.starts_with("FBX 7.5 ASCII"), "{}", file.description);
}

#[test]
fn without_bones_every_node_is_one() {
    let file =
        read(&Scene::new(vec![Node::limb("a", None).of_class("Null"), Node::limb("b", Some(0)).of_class("Null")]));
    assert_eq!(names(&file), ["a", "b"]);
}

#[test]
fn a_scene_without_nodes_is_refused() {
    let refused = open(Scene::new(vec![]).bytes()).unwrap_err().to_string();
    assert!(refused.contains("no bones") && refused.contains("walk 01.fbx"), "{refused}");
}

/// A square on two bones, bound 100 up, in inches and Z up where asked.
fn skinned(weights: [Vec<(usize, f64)>; 2]) -> Scene {
    let hips = Node { translation: [0.0, 0.0, 50.0], ..Node::limb("hips", None) };
    let leg = Node { translation: [0.0, 0.0, -10.0], ..Node::limb("leg", Some(0)) };
    let body = Node { geometric_translation: [0.0, 0.0, 1.0], ..Node::limb("body", None).of_class("Mesh") };
    let mut scene = Scene::new(vec![hips, leg, body]);
    let [on_hips, on_leg] = weights;
    scene.mesh = Some(SkinnedMesh {
        node: 2,
        points: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]],
        polygons: vec![vec![0, 1, 2, 3]],
        clusters: vec![
            Cluster { bone: 0, weights: on_hips, bind_translation: [0.0, 0.0, 100.0] },
            Cluster { bone: 1, weights: on_leg, bind_translation: [0.0, 0.0, 80.0] },
        ],
    });
    scene.axes = MAX_Z_UP;
    scene
}

#[test]
fn node_pose_and_bind_pose_are_two_things() {
    let file = read(&skinned([vec![(0, 1.0), (1, 1.0)], vec![(2, 1.0), (3, 1.0)]]));
    assert_eq!(names(&file), ["hips", "leg"]);
    let node_pose = file.skeleton.node_pose_component();
    assert_near(node_pose[0].translation, DVec3::Y * 0.5, 1e-12);
    let bind = |name| file.skeleton.bone(bone(&file, name)).bind_pose.unwrap();
    assert_near(bind("hips").translation, DVec3::Y * 1.0, 1e-12);
    assert_near(bind("leg").translation, DVec3::Y * 0.8, 1e-12);
    // Turned like the node pose is: what was Z in the file is Y here, for either.
    assert_same_matrix(bind("hips").matrix3, node_pose[0].matrix3, 1e-12);
}

#[test]
fn a_skinned_mesh_at_the_bind_pose_lies_where_it_was_bound() {
    let file = read(&skinned([vec![(0, 2.0), (1, 1.0)], vec![(1, 3.0), (2, 1.0), (3, 0.5)]]));
    let (mesh, skin) = (&file.meshes[0], &file.skins[0]);
    assert_eq!((mesh.indices.len(), mesh.positions.len()), (6, 4));
    assert!(mesh.normals.len() == 4 && mesh.carried_by.is_none() && mesh.skin == Some(0));
    for (weights, position) in mesh.weights.iter().zip(&mesh.positions) {
        assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        let shared = position[0] > 0.005 && position[1] < 0.005;
        assert_eq!(shared, weights[1] > 0.0, "{position:?} {weights:?}");
    }
    for (position, (joints, weights)) in mesh.positions.iter().zip(mesh.joints.iter().zip(&mesh.weights)) {
        let point = DVec3::new(position[0].into(), position[1].into(), position[2].into());
        let mut blended = DVec3::ZERO;
        for (&joint, &weight) in joints.iter().zip(weights) {
            let at = file.skeleton.bone(skin.joints[joint as usize]).bind_pose.unwrap();
            blended += (at * skin.inverse_binds[joint as usize]).transform_point3(point) * f64::from(weight);
        }
        let placed: DAffine3 = mesh.at;
        assert_near(blended, placed.transform_point3(point), 1e-9);
        // The geometric translation lifts the mesh by one centimetre.
        assert!((blended.y - 0.01).abs() < 1e-7, "{blended}");
    }
}

#[test]
fn a_mesh_without_skin_rides_on_its_bone() {
    let mut scene = skinned([vec![], vec![]]);
    scene.nodes[2].parent = Some(1);
    scene.mesh.as_mut().unwrap().clusters.clear();
    let file = read(&scene);
    let mesh = &file.meshes[0];
    assert_eq!((mesh.carried_by, mesh.skin), (Some(bone(&file, "leg")), None));
    let point = mesh.at.transform_point3(DVec3::ZERO);
    let leg = file.skeleton.node_pose_component()[1];
    let corner = mesh.positions.iter().map(|p| leg.transform_point3(DVec3::new(p[0].into(), p[1].into(), p[2].into())));
    assert_near(point, DVec3::ZERO, 1e-12);
    assert!(corner.into_iter().any(|p| (p - DVec3::Y * 0.41).length() < 1e-7));
}

#[test]
fn more_than_four_weights_are_cut_to_the_largest() {
    let mut scene = skinned([vec![(0, 0.1)], vec![(0, 0.2)]]);
    for k in 0..4 {
        scene.nodes.push(Node::limb(&format!("extra{k}"), Some(0)));
        let weights = vec![(0, 0.3 + 0.1 * k as f64)];
        scene.mesh.as_mut().unwrap().clusters.push(Cluster { bone: 3 + k, weights, bind_translation: [0.0; 3] });
    }
    let file = read(&scene);
    let heavy = file.meshes[0].weights.iter().find(|w| w[3] > 0.0).unwrap();
    let sum = 0.6 + 0.5 + 0.4 + 0.3;
    for (weight, share) in heavy.iter().zip([0.6, 0.5, 0.4, 0.3]) {
        assert!((f64::from(*weight) - share / sum).abs() < 1e-6, "{heavy:?}");
    }
    warned(&file, WarningKind::SetAside, "more than four");
}
