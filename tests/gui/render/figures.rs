//! Meshes: where they appear, how they bend, in which colours.

use glam::{DAffine3, DQuat, DVec2, DVec3};
use image::{Rgba, RgbaImage};
use stridesmith::motion::{BoneIndex, Mesh};
use stridesmith::render::{Model, with_alpha};

use super::subject::{
    PIXELS, SIZE, at, bone, centroid, cuboid, empty, encoded, file, flat, material, merged, near, offscreen, png, seen,
    skin,
};

const BACKGROUND: [u8; 3] = [0x1c, 0x1e, 0x22];

#[test]
fn a_carried_mesh_stands_where_the_camera_projects_it() {
    let mesh = Mesh { carried_by: Some(BoneIndex(1)), ..cuboid([0.0; 3], [0.1; 3]) };
    let source = file(vec![bone(None, [0.0; 3]), bone(Some(0), [0.4, 1.2, 0.3])], vec![mesh]);
    let mut device = offscreen();
    let mut scene = empty();
    scene.figures.push(flat(&source));
    // Far from home: positions must not be rounded to where the world is.
    for far in [DVec3::ZERO, DVec3::new(5000.0, 0.0, -7000.0)] {
        scene.camera.focus = DVec3::new(0.0, 0.9, 0.0) + far;
        scene.origin = scene.camera.focus;
        scene.figures[0].world_from_component = DAffine3::from_translation(far);
        for camera in [scene.camera, scene.camera.switched()] {
            scene.camera = camera;
            let image = device.image(&scene, SIZE).unwrap();
            let (middle, pixels) = centroid(&image, |pixel| pixel != BACKGROUND).unwrap();
            let (expected, scale) = camera.project(far + DVec3::new(0.4, 1.2, 0.3), PIXELS).unwrap();
            assert!(middle.distance(expected) < 0.8, "{middle} instead of {expected}");
            let area = pixels as f64 / (0.2 * scale).powi(2);
            assert!((1.0..2.0).contains(&area), "a cube seen over its corner covers 1 to 1.7 faces, not {area}");
        }
    }
}

/// Each dot has its own colour: where it is in the picture is compared with skinning in f64.
#[test]
fn the_card_bends_a_mesh_as_mathematics_says() {
    const DOTS: usize = 12;
    let bones = vec![bone(None, [0.0, 0.4, 0.0]), bone(Some(0), [0.0, 0.5, 0.0]), bone(Some(1), [0.1, 0.4, 0.1])];
    let mut mesh = Mesh { skin: Some(0), material: Some(0), ..Mesh::default() };
    let mut truth: Vec<(DVec3, [usize; 4], [f64; 4])> = Vec::new();
    for dot in 0..DOTS {
        let along = dot as f32 / DOTS as f32;
        let middle = [0.25 * (along * 9.0).sin(), 0.3 + 1.1 * along, 0.25 * (along * 9.0).cos()];
        let part = cuboid(middle, [0.014; 3]);
        let base = mesh.positions.len() as u32;
        let weights = [0.1 + 0.5 * along, 0.9 - 0.8 * along, 0.3 * along, 0.0];
        let sum: f32 = weights.iter().sum();
        let weights = weights.map(|weight| weight / sum);
        mesh.indices.extend(part.indices.iter().map(|index| base + index));
        for position in part.positions {
            mesh.positions.push(position);
            mesh.joints.push([2, 0, 1, 0]);
            mesh.weights.push(weights);
            mesh.uvs.push([(dot as f32 + 0.5) / DOTS as f32, 0.5]);
        }
        truth.push((DVec3::from(middle.map(f64::from)), [2, 0, 1, 0], weights.map(f64::from)));
    }
    let mut source = file(bones, vec![mesh]);
    // The skin's order of joints is not the skeleton's.
    source.skins.push(skin(&source.skeleton, &[1, 2, 0]));
    source.materials.push(material([1.0; 4], Some(0)));
    let color =
        |dot: usize| [(40 + dot * 18) as u8, (250 - dot * 20) as u8, if dot.is_multiple_of(2) { 255 } else { 90 }];
    source.textures.push(png(&RgbaImage::from_fn(DOTS as u32, 1, |x, _| {
        let [r, g, b] = color(x as usize);
        Rgba([r, g, b, 255])
    })));

    let mut figure = flat(&source);
    let bound = source.skeleton.node_pose_component();
    let turn = |x, y, z| DAffine3::from_quat(DQuat::from_euler(glam::EulerRot::XYZ, x, y, z));
    let stretch = DAffine3::from_scale(DVec3::new(1.2, 0.8, 1.1));
    let pose =
        [bound[0] * turn(0.2, -0.4, 0.1), bound[1] * turn(0.5, 0.3, -0.6) * stretch, bound[2] * turn(0.0, 0.9, 0.4)];
    figure.pose = pose.to_vec().into();
    figure.world_from_component = turn(0.0, 0.5, 0.0);
    let world = figure.world_from_component;
    let mut scene = empty();
    scene.figures.push(figure);
    let image = offscreen().image(&scene, [1280, 960]).unwrap();
    let joints = [1usize, 2, 0];
    for (dot, (middle, indices, weights)) in truth.into_iter().enumerate() {
        let mut skinned = DVec3::ZERO;
        for (index, weight) in indices.into_iter().zip(weights) {
            let joint = joints[index];
            skinned += weight * (pose[joint] * bound[joint].inverse()).transform_point3(middle);
        }
        let expected = scene.camera.project(world.transform_point3(skinned), [1280.0, 960.0]).unwrap().0;
        let (seen, pixels) =
            centroid(&image, |pixel| near(pixel, color(dot), 2)).unwrap_or_else(|| panic!("dot {dot} is not seen"));
        assert!(seen.distance(expected) < 1.0 && pixels > 30, "dot {dot}: {seen} instead of {expected}, {pixels} px");
    }
}

#[test]
fn colours_are_those_of_material_and_picture() {
    let quad = |x: f32, material: u32, u: f32| {
        let part = cuboid([x, 0.9, 0.0], [0.2; 3]);
        Mesh { uvs: vec![[u, 0.5]; part.positions.len()], material: Some(material), ..part }
    };
    let mut source =
        file(vec![bone(None, [0.0; 3])], vec![quad(-0.6, 0, 0.25), quad(0.0, 1, 0.75), quad(0.6, 2, 0.25)]);
    source.textures.push(png(&RgbaImage::from_fn(2, 2, |x, _| {
        Rgba(if x == 0 { [200, 30, 60, 255] } else { [10, 20, 240, 255] })
    })));
    source
        .textures
        .push(stridesmith::motion::Texture { name: "broken".into(), bytes: b"\x89PNG\r\n\x1a\nno".as_slice().into() });
    source.materials.push(material([1.0, 1.0, 1.0, 1.0], Some(0)));
    source.materials.push(material([0.5, 0.5, 0.5, 1.0], Some(0)));
    source.materials.push(material([0.0, 0.25, 0.0, 1.0], Some(1)));
    let mut scene = empty();
    scene.camera = scene.camera.looking(stridesmith::render::View::Front);
    scene.figures.push(flat(&source));
    let notes = &scene.figures[0].model.notes;
    assert!(notes.len() == 1 && notes[0].contains("\"broken\""), "{notes:?}");
    let image = offscreen().image(&scene, SIZE).unwrap();
    let see = |x: f64| seen(&scene, &image, DVec3::new(x, 0.9, 0.2));
    assert!(near(see(-0.6), [200, 30, 60], 1), "{:?}", see(-0.6));
    // Half the light of sRGB 240 is 0.5 × 0.8714.
    assert!(near(see(0.0)[2..].repeat(3).try_into().unwrap(), encoded([0.5 * 0.8714; 3]), 1), "{:?}", see(0.0));
    assert!(near(see(0.6), encoded([0.0, 0.25, 0.0]), 1), "plain colour where the picture is broken");
}

#[test]
fn a_ghost_shows_its_front_alone() {
    // Two boxes behind one another, and one alone.
    let mesh = merged(&[
        cuboid([-0.3, 0.9, 0.3], [0.15; 3]),
        cuboid([-0.3, 0.9, -0.3], [0.15; 3]),
        cuboid([0.5, 0.9, 0.0], [0.15; 3]),
    ]);
    let mut figure = flat(&file(vec![bone(None, [0.0; 3])], vec![mesh]));
    figure.style.opacity = 0.5;
    figure.style.tint = Some([1.0; 4]);
    let mut scene = empty();
    scene.camera = scene.camera.looking(stridesmith::render::View::Front);
    scene.figures.push(figure);
    let mut device = offscreen();
    let image = device.image(&scene, SIZE).unwrap();
    let back = scene.palette.background;
    let half = encoded([0, 1, 2].map(|i| 0.5 + 0.5 * f64::from(back[i])));
    for x in [-0.3, 0.5] {
        let pixel = seen(&scene, &image, DVec3::new(x, 0.9, 0.1));
        assert!(near(pixel, half, 2), "{pixel:?} instead of {half:?} at {x}");
    }
    // Solid again, nothing of the background is left.
    scene.figures[0].style.opacity = 1.0;
    let image = device.image(&scene, SIZE).unwrap();
    assert!(near(seen(&scene, &image, DVec3::new(0.5, 0.9, 0.1)), [255; 3], 1));
}

#[test]
fn light_falls_from_above_and_normals_are_found_where_none_are_given() {
    let source = file(vec![bone(None, [0.0; 3])], vec![cuboid([0.0, 0.9, 0.0], [0.4; 3])]);
    let mut figure = flat(&source);
    figure.style.lit = true;
    let mut scene = empty();
    scene.camera.pitch_rad = 0.6;
    scene.figures.push(figure);
    let image = offscreen().image(&scene, SIZE).unwrap();
    let light = |at: DVec3| seen(&scene, &image, at).map(u32::from).iter().sum::<u32>();
    let (top, left) = (light(DVec3::new(0.0, 1.3, 0.0)), light(DVec3::new(0.4, 0.9, 0.0)));
    assert!(top > left + 30, "top {top}, side {left}");
}

#[test]
fn models_are_uploaded_once_and_dropped_with_their_last_owner() {
    let source = file(vec![bone(None, [0.0; 3])], vec![cuboid([0.0, 0.9, 0.0], [0.3; 3])]);
    let mut device = offscreen();
    let mut scene = empty();
    scene.figures.push(flat(&source));
    device.image(&scene, SIZE).unwrap();
    let mut twice = scene.figures[0].clone();
    twice.world_from_component = DAffine3::from_translation(DVec3::X);
    scene.figures.push(twice);
    device.image(&scene, SIZE).unwrap();
    assert_eq!(device.gpu().models(), 1);
    scene.figures.clear();
    let empty_image = device.image(&scene, SIZE).unwrap();
    scene.figures.push(flat(&source));
    device.image(&scene, SIZE).unwrap();
    assert_eq!(device.gpu().models(), 1, "the first one went with its last figure");
    assert!(empty_image.pixels().all(|pixel| pixel.0[..3] == BACKGROUND));
}

#[test]
fn broken_meshes_and_poses_are_survived() {
    let mut mesh = Mesh { skin: Some(0), material: Some(9), ..cuboid([0.0, 0.9, 0.0], [0.3; 3]) };
    mesh.indices.extend([0, 1, 4_000_000_000, 7]);
    mesh.joints = vec![[77, 0, 3, 0]; 8];
    mesh.weights = vec![[f32::NAN, -1.0, 0.0, 0.0]; 8];
    let orphan = Mesh { skin: Some(12), carried_by: Some(BoneIndex(99)), ..cuboid([0.0, 0.3, 0.0], [0.1; 3]) };
    let mut source = file(vec![bone(None, [0.0; 3])], vec![mesh, orphan, Mesh::default()]);
    source.skins.push(stridesmith::motion::Skin { joints: vec![BoneIndex(5)], inverse_binds: Vec::new() });
    let mut scene = empty();
    scene.figures.push(flat(&source));
    scene.figures[0].pose = Vec::new().into();
    let mut device = offscreen();
    let image = device.image(&scene, SIZE).unwrap();
    assert_ne!(seen(&scene, &image, DVec3::new(0.0, 0.9, 0.0)), BACKGROUND, "what can be drawn is");
    scene.figures[0].pose = vec![DAffine3::from_scale(DVec3::splat(f64::NAN))].into();
    device.image(&scene, SIZE).unwrap();
    scene.figures[0].pose = vec![DAffine3::from_scale(DVec3::ZERO)].into();
    device.image(&scene, SIZE).unwrap();
}

#[test]
fn the_box_around_a_pose_holds_every_vertex_of_it() {
    let source = super::subject::box_person();
    let model = Model::new(&source);
    let turned: Vec<DAffine3> = model
        .node_pose()
        .0
        .iter()
        .enumerate()
        .map(|(i, at)| *at * DAffine3::from_rotation_y(i as f64) * DAffine3::from_rotation_x(0.4 * i as f64))
        .collect();
    let [low, high] = model.bounds(&turned).unwrap();
    let mut reached = [DVec3::INFINITY, DVec3::NEG_INFINITY];
    for mesh in &source.meshes {
        for position in &mesh.positions {
            let at = turned[mesh.carried_by.unwrap().get()];
            let point = at.transform_point3(DVec3::from(position.map(f64::from)));
            assert!(point.cmpge(low - 1e-6).all() && point.cmple(high + 1e-6).all(), "{point} outside {low} {high}");
            reached = [reached[0].min(point), reached[1].max(point)];
        }
    }
    assert!((high - low).length() < 1.5 * (reached[1] - reached[0]).length(), "no larger than it has to be");
}

#[test]
fn what_is_tinted_takes_the_tint_by_its_alpha() {
    let mut figure = flat(&file(vec![bone(None, [0.0; 3])], vec![cuboid([0.0, 0.9, 0.0], [0.3; 3])]));
    figure.style.tint = Some(with_alpha([1.0, 0.0, 0.0, 1.0], 0.5));
    let mut scene = empty();
    scene.palette.clay = [0.0, 0.6, 0.0, 1.0];
    scene.figures.push(figure);
    let image = offscreen().image(&scene, SIZE).unwrap();
    let pixel = at(&image, DVec2::new(160.0, 120.0));
    assert!(near(pixel, encoded([0.5, 0.3, 0.0]), 1), "{pixel:?}");
}
