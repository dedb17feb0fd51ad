//! The floor: its lines, its shadow, and what sinks into it.

use glam::{DAffine3, DVec2, DVec3};
use stridesmith::render::{Camera, Ground, Palette, Scene, View, towards_light};

use super::subject::{PIXELS, SIZE, at, bone, cuboid, file, flat, merged, offscreen, seen};

fn scene() -> Scene {
    let mut camera = Camera::new(DVec3::new(0.0, 0.3, 0.0), 5.0).looking(View::ThreeQuarter);
    camera.pitch_rad = 0.7;
    let mut scene = Scene::new(camera, Palette::light());
    scene.ground = Some(Ground { grid: false, axes: false, ..Ground::default() });
    scene
}

fn from_above() -> Scene {
    let camera = Camera::new(DVec3::ZERO, 4.0).looking(View::Top).switched();
    Scene { camera, ..scene() }
}

fn brightness(pixel: [u8; 3]) -> i32 {
    pixel.iter().map(|&channel| i32::from(channel)).sum()
}

#[test]
fn a_shadow_lies_where_the_light_throws_it_and_darkens_once() {
    // High enough that, from above, nothing of the shadow is hidden by what throws it.
    let middle = DVec3::new(0.3, 1.5, 0.2);
    let part = cuboid(middle.as_vec3().to_array(), [0.15; 3]);
    let alone = file(vec![bone(None, [0.0; 3])], vec![part.clone()]);
    let double = file(vec![bone(None, [0.0; 3])], vec![merged(&[part.clone(), part])]);
    let mut device = offscreen();
    let mut darkest = Vec::new();
    for source in [alone, double] {
        let mut lit = from_above();
        lit.figures.push(flat(&source));
        let mut unlit = lit.clone();
        unlit.shadow = false;
        let (with, without) = (device.image(&lit, SIZE).unwrap(), device.image(&unlit, SIZE).unwrap());
        let (mut sum, mut weight, mut most) = (DVec3::ZERO, 0.0, 0);
        for (x, y, pixel) in with.enumerate_pixels() {
            let pixel = [pixel.0[0], pixel.0[1], pixel.0[2]];
            let at_pixel = DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
            let darker = brightness(at(&without, at_pixel)) - brightness(pixel);
            assert!(darker >= 0, "a shadow lightens nothing");
            sum += lit.camera.ray(at_pixel, PIXELS).at_height(0.0).unwrap() * f64::from(darker);
            (weight, most) = (weight + f64::from(darker), most.max(darker));
        }
        let expected = middle - towards_light() / towards_light().y * middle.y;
        let found = sum / weight;
        assert!(found.distance(expected) < 0.02, "shadow at {found} instead of {expected}");
        darkest.push(most);
    }
    assert!(darkest[0] > 60, "it can be seen: {darkest:?}");
    assert_eq!(darkest[0], darkest[1], "two parts over one another darken once");
}

#[test]
fn ghosts_throw_no_shadow_and_a_planted_foot_throws_a_sharp_one() {
    let mut device = offscreen();
    let mut ghostly = from_above();
    let source = file(vec![bone(None, [0.0; 3])], vec![cuboid([0.0, 0.2, 0.0], [0.2; 3])]);
    ghostly.figures.push(flat(&source));
    ghostly.figures[0].style.opacity = 0.4;
    let beside = DVec3::new(-0.235, 0.0, -0.1);
    let plain = device.image(&Scene { figures: Vec::new(), ..ghostly.clone() }, SIZE).unwrap();
    let image = device.image(&ghostly, SIZE).unwrap();
    assert_eq!(seen(&ghostly, &image, beside), seen(&ghostly, &plain, beside));
    ghostly.figures[0].style.opacity = 1.0;
    let image = device.image(&ghostly, SIZE).unwrap();
    let dark = brightness(seen(&ghostly, &plain, beside)) - brightness(seen(&ghostly, &image, beside));
    assert!(dark > 40, "right beside the box it is dark: {dark}");
}

#[test]
fn soles_below_the_floor_are_seen_and_tinted() {
    let source = file(vec![bone(None, [0.0; 3])], vec![cuboid([0.0, 0.0, 0.0], [0.3, 0.1, 0.3])]);
    let mut scene = scene();
    scene.palette.below_floor = [1.0, 0.0, 0.0, 1.0];
    scene.shadow = false;
    scene.figures.push(flat(&source));
    let mut device = offscreen();
    let is_red = |pixel: [u8; 3]| pixel[0] > 150 && pixel[1] < 120;
    let image = device.image(&scene, SIZE).unwrap();
    let (above, below) = (DVec3::new(0.3, 0.06, 0.0), DVec3::new(0.3, -0.06, 0.0));
    assert!(!is_red(seen(&scene, &image, above)) && is_red(seen(&scene, &image, below)));
    scene.figures[0].below_floor_tint = false;
    let image = device.image(&scene, SIZE).unwrap();
    assert!(!is_red(seen(&scene, &image, below)));
    // Lifted out of the floor, nothing is wrong any more.
    scene.figures[0].below_floor_tint = true;
    scene.figures[0].world_from_component = DAffine3::from_translation(DVec3::Y * 0.1);
    let image = device.image(&scene, SIZE).unwrap();
    assert!(!is_red(seen(&scene, &image, DVec3::new(0.3, 0.04, 0.0))));
}

#[test]
fn grid_lines_run_every_metre_through_the_origin_and_scroll_with_it() {
    let mut scene = scene();
    scene.camera = Camera::new(DVec3::ZERO, 6.0).looking(View::Top).switched();
    scene.shadow = false;
    let mut device = offscreen();
    for origin in [[0.0, 0.0], [0.35, -0.8], [1234.35, -77.8]] {
        scene.ground = Some(Ground { origin, axes: false, ..Ground::default() });
        let image = device.image(&scene, SIZE).unwrap();
        let line = |x: f64| brightness(seen(&scene, &image, DVec3::new(x, 0.0, origin[1].fract() + 0.25)));
        let shift = origin[0].fract();
        for x in [-1.0, 0.0, 1.0] {
            assert!(line(shift + x) < line(shift + x + 0.25) - 30, "a line at {}: {origin:?}", shift + x);
        }
    }
}

#[test]
fn axes_have_their_colours() {
    let mut scene = scene();
    scene.ground = Some(Ground::default());
    scene.shadow = false;
    let image = offscreen().image(&scene, SIZE).unwrap();
    let (x, z) = (seen(&scene, &image, DVec3::X * 0.55), seen(&scene, &image, DVec3::Z * 0.55));
    assert!(x[0] > x[2] + 40 && z[2] > z[0] + 40, "x {x:?}, z {z:?}");
}

#[test]
fn seen_from_the_side_the_floor_is_one_line() {
    let mut scene = scene();
    scene.camera = Camera::new(DVec3::ZERO, 4.0).looking(View::Side).switched();
    scene.ground = Some(Ground { height_m: 0.5, ..Ground::default() });
    let image = offscreen().image(&scene, SIZE).unwrap();
    let column: Vec<u32> = (0..SIZE[1]).filter(|&y| image.get_pixel(40, y) != image.get_pixel(40, 0)).collect();
    let expected = scene.camera.project(DVec3::Y * 0.5, PIXELS).unwrap().0.y;
    assert!((1..=3).contains(&column.len()), "{column:?}");
    assert!(column.iter().all(|&y| (f64::from(y) + 0.5 - expected).abs() <= 1.6), "{column:?} around {expected}");
}
