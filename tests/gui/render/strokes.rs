//! Lines, discs, arrows and bones.

use glam::{DVec2, DVec3};
use stridesmith::motion::BoneIndex;
use stridesmith::render::{Arrow, BoneShape, Depth, Disc, Polyline, Scene, View, bones::bone_at};

use super::subject::{PIXELS, SIZE, bone, centroid, cuboid, empty, encoded, file, flat, near, offscreen, seen};

const RED: [f32; 4] = [1.0, 0.0, 0.0, 1.0];

fn front() -> Scene {
    let mut scene = empty();
    scene.camera = scene.camera.looking(View::Front).switched();
    scene.palette.background = [0.0, 0.0, 0.0, 1.0];
    scene
}

fn line(scene: &Scene, points: &[[f64; 3]], color: [f32; 4], width: f32, depth: Depth) -> Polyline {
    let points = points.iter().map(|&point| scene.relative(DVec3::from(point))).collect();
    Polyline { points, colors: vec![color], width, depth }
}

#[test]
fn a_line_is_as_wide_as_asked_on_any_screen() {
    let mut device = offscreen();
    for (width, pixels_per_point) in [(3.0, 1.0), (3.0, 2.0), (8.0, 1.0)] {
        let mut scene = front();
        scene.pixels_per_point = pixels_per_point;
        scene.lines.push(line(&scene, &[[-0.8, 0.9, 0.0], [0.8, 0.9, 0.0]], RED, width, Depth::Tested));
        let image = device.image(&scene, SIZE).unwrap();
        // Linear light over a column is coverage in pixels.
        let light: f64 = (0..SIZE[1]).map(|y| (f64::from(image.get_pixel(160, y).0[0]) / 255.0).powf(2.2)).sum();
        let expected = f64::from(width * pixels_per_point);
        assert!((light - expected).abs() < 0.15 * expected, "{light} pixels instead of {expected}");
    }
}

#[test]
fn a_translucent_line_does_not_double_where_it_bends() {
    let mut scene = front();
    let bends = [[-0.7, 0.5, 0.0], [-0.2, 1.2, 0.0], [0.1, 0.6, 0.0], [0.6, 1.3, 0.0], [0.7, 0.6, 0.0]];
    scene.lines.push(line(&scene, &bends, [1.0, 1.0, 1.0, 0.4], 12.0, Depth::Tested));
    let image = offscreen().image(&scene, SIZE).unwrap();
    let full = encoded([0.4; 3]);
    let brightest = image.pixels().map(|pixel| pixel.0[0]).max().unwrap();
    assert!(brightest.abs_diff(full[0]) <= 1, "{brightest} instead of {}", full[0]);
    for corner in &bends[1..4] {
        assert!(near(seen(&scene, &image, DVec3::from(*corner)), full, 2), "no hole at {corner:?}");
    }
}

#[test]
fn colours_run_along_a_line() {
    let mut scene = front();
    let mut run = line(&scene, &[[-0.8, 0.9, 0.0], [0.8, 0.9, 0.0]], RED, 6.0, Depth::Tested);
    run.colors = vec![RED, [0.0, 0.0, 1.0, 1.0]];
    scene.lines.push(run);
    let image = offscreen().image(&scene, SIZE).unwrap();
    let middle = seen(&scene, &image, DVec3::new(0.0, 0.9, 0.0));
    assert!(near(middle, encoded([0.5, 0.0, 0.5]), 4), "{middle:?}");
}

#[test]
fn what_is_behind_is_hidden_or_dimmed_as_asked() {
    let wall = file(vec![bone(None, [0.0; 3])], vec![cuboid([0.0, 0.9, 0.5], [0.4; 3])]);
    let mut device = offscreen();
    let middle = DVec3::new(0.0, 0.9, 0.9);
    let mut wall_only = front();
    wall_only.figures.push(flat(&wall));
    let plain = device.image(&wall_only, SIZE).unwrap();
    let plain = seen(&wall_only, &plain, middle);
    for depth in [Depth::Tested, Depth::XRay] {
        let mut scenes = [wall_only.clone(), wall_only.clone(), wall_only.clone()];
        let ends = [[-0.3, 0.9, -0.2], [0.3, 0.9, -0.2]];
        scenes[0].lines.push(line(&wall_only, &ends, RED, 8.0, depth));
        scenes[1].discs.push(Disc {
            center: wall_only.relative(DVec3::new(0.0, 0.9, -0.2)),
            normal: [0.0, 0.0, 2.0],
            radius_m: 0.1,
            inner_m: 0.0,
            color: RED,
            depth,
        });
        scenes[2].arrows.push(Arrow {
            from: wall_only.relative(DVec3::from(ends[0])),
            to: wall_only.relative(DVec3::from(ends[1])),
            width_m: 0.1,
            color: RED,
            depth,
        });
        for (i, scene) in scenes.iter().enumerate() {
            let image = device.image(scene, SIZE).unwrap();
            let pixel = seen(scene, &image, middle);
            let dimmed = pixel[0] > plain[0] && pixel[1] < plain[1] && pixel[1] > 40;
            match depth {
                Depth::Tested => assert_eq!(pixel, plain, "{i} is hidden"),
                Depth::XRay => assert!(dimmed, "{i} shines through: {pixel:?} over {plain:?}"),
            }
        }
    }
}

#[test]
fn discs_and_rings_have_their_radii() {
    let mut scene = front();
    let disc = |x: f64, inner_m| Disc {
        center: scene.relative(DVec3::new(x, 0.9, 0.0)),
        normal: [0.0, 0.0, 1.0],
        radius_m: 0.3,
        inner_m,
        color: RED,
        depth: Depth::Tested,
    };
    scene.discs = vec![disc(-0.5, 0.0), disc(0.5, 0.2)];
    let image = offscreen().image(&scene, SIZE).unwrap();
    let red = |x: f64| seen(&scene, &image, DVec3::new(x, 0.9, 0.0))[0] > 200;
    assert!(red(-0.5) && red(-0.22) && !red(-0.18));
    assert!(!red(0.5) && !red(0.68) && red(0.75) && !red(0.82));
    // sRGB 188 is half the light.
    let (_, pixels) = centroid(&image, |pixel| pixel[0] > 188).unwrap();
    let (_, scale) = scene.camera.project(DVec3::new(0.0, 0.9, 0.0), PIXELS).unwrap();
    let expected = std::f64::consts::PI * scale * scale * (0.09 + 0.09 - 0.04);
    assert!((pixels as f64 / expected - 1.0).abs() < 0.03, "{pixels} pixels instead of {expected}");
}

#[test]
fn an_arrow_points_where_it_points() {
    let mut scene = front();
    scene.arrows.push(Arrow {
        from: scene.relative(DVec3::new(-0.6, 0.9, 0.0)),
        to: scene.relative(DVec3::new(0.6, 0.9, 0.0)),
        width_m: 0.05,
        color: RED,
        depth: Depth::Tested,
    });
    let image = offscreen().image(&scene, SIZE).unwrap();
    let height = |x: f64| {
        let column = scene.camera.project(DVec3::new(x, 0.9, 0.0), PIXELS).unwrap().0.x as u32;
        (0..SIZE[1]).filter(|&y| image.get_pixel(column, y).0[0] > 60).count()
    };
    let (_, scale) = scene.camera.project(DVec3::ZERO, PIXELS).unwrap();
    let shaft = 0.05 * scale;
    assert!((height(0.0) as f64 - shaft).abs() <= 1.5, "{} is not {shaft}", height(0.0));
    assert!(height(0.4) as f64 > 2.0 * shaft && height(0.58) < height(0.4), "the head is wide and then pointed");
    assert_eq!(height(0.64), 0);
    assert_eq!(height(-0.64), 0);
}

#[test]
fn bones_are_seen_through_the_mesh_and_hide_one_another() {
    let mut figure = flat(&file(vec![bone(None, [0.0; 3])], vec![cuboid([0.0, 0.9, 0.0], [0.5; 3])]));
    let shape = |number: u32, z: f32, color| BoneShape {
        bone: BoneIndex(number),
        from: [0.0, 0.5, z],
        to: [0.0, 1.3, z],
        width_m: 0.3,
        color,
        selected: false,
    };
    figure.bones = vec![shape(0, 0.2, RED), shape(1, -0.2, [0.0, 0.0, 1.0, 1.0])];
    let mut scene = front();
    scene.camera = scene.camera.switched();
    scene.figures.push(figure);
    let mut device = offscreen();
    let image = device.image(&scene, SIZE).unwrap();
    let pixel = seen(&scene, &image, DVec3::new(0.02, 0.7, 0.2));
    assert!(pixel[0] > 100 && pixel[2] < 90, "the nearer one: {pixel:?}");
    scene.figures[0].bones[0].selected = true;
    scene.palette.selected = [0.0, 1.0, 0.0, 1.0];
    let image = device.image(&scene, SIZE).unwrap();
    let pixel = seen(&scene, &image, DVec3::new(0.02, 0.7, 0.2));
    assert!(pixel[1] > 100 && pixel[0] < 90, "{pixel:?}");

    let at = |world: DVec3| scene.camera.project(world, PIXELS).unwrap().0;
    let pick = |pixel: DVec2| bone_at(&scene.figures[0], &scene.camera, PIXELS, pixel);
    assert_eq!(pick(at(DVec3::new(0.02, 0.7, 0.2))), Some(BoneIndex(0)));
    assert_eq!(pick(DVec2::new(5.0, 5.0)), None);
}

#[test]
fn a_line_that_passes_the_eye_is_cut_not_mirrored() {
    let mut scene = empty();
    scene.camera = scene.camera.looking(View::Front);
    scene.palette.background = [0.0, 0.0, 0.0, 1.0];
    // From before the camera to far behind it, along the floor below the eye.
    scene.lines.push(line(&scene, &[[0.0, 0.0, 0.0], [0.0, 0.0, 40.0]], RED, 3.0, Depth::Tested));
    let image = offscreen().image(&scene, SIZE).unwrap();
    let start = scene.camera.project(DVec3::ZERO, PIXELS).unwrap().0;
    for (_, y, pixel) in image.enumerate_pixels() {
        assert!(pixel.0[0] < 30 || f64::from(y) >= start.y - 3.0, "nothing above where it starts");
    }
    assert!(image.get_pixel(160, SIZE[1] - 1).0[0] > 200, "it leaves at the bottom");
}
