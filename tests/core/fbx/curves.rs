//! Keys to tracks: what is kept, what is sampled, and how Euler curves and layers become one track.

use glam::{DQuat, DVec3};
use stridesmith::motion::{Interpolation, WarningKind};

use super::*;
use crate::support::fbx_ascii::{Curve, Key, Kind, Layer, Node, Scene, TICKS_PER_SECOND, Take};

fn one_take(curves: Vec<Curve>) -> SourceFile {
    let mut scene = Scene::of_bone(|_| ());
    scene.takes = vec![Take::simple("Take", None, curves)];
    read(&scene)
}

fn keys(kind: Kind, points: &[(f64, f64)]) -> Vec<Key> {
    points.iter().map(|&(secs, value)| Key { secs, value, kind }).collect()
}

fn times(track: &Track) -> Vec<f64> {
    track.times.iter().collect()
}

#[test]
fn linear_keys_are_kept_as_they_are() {
    // Off every frame grid, in whole ticks.
    let ticks = [0i64, 1_592_626_132, 3_185_252_264, 9_000_000_001];
    let points: Vec<(f64, f64)> =
        ticks.iter().enumerate().map(|(i, &t)| (t as f64 / TICKS_PER_SECOND, i as f64 * 3.0)).collect();
    let file = one_take(vec![Curve::linear(0, 'T', 0, &points), Curve::linear(0, 'S', 1, &points)]);
    for property in [Property::Translation, Property::Scale] {
        let track = track(&file.clips[0], BoneIndex(0), property);
        assert_eq!(times(track), points.iter().map(|p| p.0).collect::<Vec<_>>());
        assert_eq!(track.interpolation, Interpolation::Linear);
    }
    let x: Vec<f32> =
        track(&file.clips[0], BoneIndex(0), Property::Translation).values.chunks(3).map(|v| v[0]).collect();
    assert_eq!(x, [0.0, 0.03, 0.06, 0.09]);
}

#[test]
fn a_constant_curve_is_a_step_track() {
    let points = [(0.0, 1.0), (0.5, 5.0), (0.75, 2.0)];
    let others = [(0.0, 7.0), (0.25, 8.0), (0.75, 9.0)];
    let curves = vec![
        Curve::new(0, 'T', 0, keys(Kind::Constant, &points)),
        Curve::new(0, 'T', 2, keys(Kind::Constant, &others)),
    ];
    let file = one_take(curves);
    let track = track(&file.clips[0], BoneIndex(0), Property::Translation);
    assert_eq!(track.interpolation, Interpolation::Step);
    assert_eq!(times(track), [0.0, 0.25, 0.5, 0.75]);
    for (secs, x, z) in
        [(0.0, 1.0, 7.0), (0.249, 1.0, 7.0), (0.25, 1.0, 8.0), (0.499_999, 1.0, 8.0), (0.5, 5.0, 8.0), (0.75, 2.0, 9.0)]
    {
        assert_near(local_at(&file.clips[0], BoneIndex(0), secs).translation, DVec3::new(x, 0.0, z) * 0.01, 1e-7);
    }
}

#[test]
fn constant_rotation_steps_too() {
    let file = one_take(vec![Curve::new(0, 'R', 2, keys(Kind::Constant, &[(0.0, 0.0), (1.0, 90.0), (2.0, 0.0)]))]);
    let track = track(&file.clips[0], BoneIndex(0), Property::Rotation);
    assert_eq!((track.interpolation, times(track)), (Interpolation::Step, vec![0.0, 1.0, 2.0]));
    let turned = |secs| local_at(&file.clips[0], BoneIndex(0), secs).rotation;
    assert_same_rotation(turned(0.999), DQuat::IDENTITY, 1e-6);
    assert_same_rotation(turned(1.5), DQuat::from_rotation_z(90f64.to_radians()), 1e-6);
}

#[test]
fn a_jump_beside_a_line_takes_a_millisecond_and_the_line_stays_straight() {
    let file = one_take(vec![
        Curve::new(0, 'T', 0, keys(Kind::Constant, &[(0.0, 0.0), (0.5, 10.0), (1.0, 10.0)])),
        Curve::linear(0, 'T', 1, &[(0.0, 0.0), (1.0, 100.0)]),
        Curve::new(0, 'T', 2, keys(Kind::ConstantNext, &[(0.0, 0.0), (1.0, 30.0)])),
    ]);
    let track = track(&file.clips[0], BoneIndex(0), Property::Translation);
    assert_eq!((track.interpolation, times(track)), (Interpolation::Linear, vec![0.0, 0.001, 0.499, 0.5, 1.0]));
    for (secs, x, z) in [
        (0.0, 0.0, 0.0),
        (0.001, 0.0, 30.0),
        (0.3, 0.0, 30.0),
        (0.499, 0.0, 30.0),
        (0.5, 10.0, 30.0),
        (1.0, 10.0, 30.0),
    ] {
        let truth = DVec3::new(x, 100.0 * secs, z) * 0.01;
        assert_near(local_at(&file.clips[0], BoneIndex(0), secs).translation, truth, 1e-7);
    }
}

/// Hermite spline from (0, a) to (d, b) with slopes m, n.
fn hermite(a: f64, m: f64, b: f64, n: f64, d: f64, secs: f64) -> f64 {
    let u = secs / d;
    let (u2, u3) = (u * u, u * u * u);
    a * (2.0 * u3 - 3.0 * u2 + 1.0) + m * d * (u3 - 2.0 * u2 + u) + b * (3.0 * u2 - 2.0 * u3) + n * d * (u3 - u2)
}

#[test]
fn cubic_curves_are_exact_on_the_files_frames() {
    for (time_mode, fps) in [(6, 30.0), (11, 24.0), (3, 60.0)] {
        let mut scene = Scene::of_bone(|_| ());
        scene.time_mode = time_mode;
        let cubic = |slopes: (f64, f64)| {
            vec![
                Key { secs: 0.0, value: 10.0, kind: Kind::Cubic(slopes.0, slopes.1) },
                Key { secs: 2.0, value: 50.0, kind: Kind::Linear },
            ]
        };
        let curves = vec![Curve::new(0, 'T', 0, cubic((-80.0, 30.0))), Curve::new(0, 'R', 1, cubic((60.0, -45.0)))];
        scene.takes = vec![Take::simple("Take", None, curves)];
        let file = read(&scene);
        let clip = &file.clips[0];
        assert_eq!(clip.rate.fps(), fps);
        assert_eq!(track(clip, BoneIndex(0), Property::Translation).times.len(), 2 * fps as usize + 1);
        for frame in 0..=2 * fps as usize {
            let secs = frame as f64 / fps;
            let local = local_at(clip, BoneIndex(0), secs);
            let x = hermite(10.0, -80.0, 50.0, 30.0, 2.0, secs);
            // FBX writes a third as 3333/10000, so the spline is a Hermite spline to five digits.
            assert_near(local.translation, DVec3::X * x * 0.01, 2e-6);
            let y = hermite(10.0, 60.0, 50.0, -45.0, 2.0, secs);
            assert_same_rotation(local.rotation, DQuat::from_rotation_y(y.to_radians()), 2e-6);
        }
    }
}

#[test]
fn densely_keyed_cubics_get_no_further_keys() {
    let points: Vec<(f64, f64)> = (0..=30).map(|i| (f64::from(i) / 29.0, f64::from(i * i % 7))).collect();
    let file = one_take(vec![
        Curve::new(0, 'T', 0, keys(Kind::Cubic(1.0, 1.0), &points)),
        Curve::new(0, 'R', 0, keys(Kind::Cubic(1.0, 1.0), &points)),
    ]);
    for property in [Property::Translation, Property::Rotation] {
        assert_eq!(track(&file.clips[0], BoneIndex(0), property).times.len(), 31);
    }
}

#[test]
fn the_authored_way_round_is_followed() {
    // However far, and however few frames it takes; a slerp between the ends would go the other way.
    for (turn_deg, secs) in [(270.0, 1.0), (270.0, 1.0 / 30.0), (-400.0, 1.0 / 15.0), (3600.0, 1.0), (181.0, 0.1)] {
        let file = one_take(vec![Curve::linear(0, 'R', 2, &[(0.0, 0.0), (secs, turn_deg)])]);
        for part in 0..=16 {
            let u = f64::from(part) / 16.0;
            let truth = DQuat::from_rotation_z((turn_deg * u).to_radians());
            assert_same_rotation(local_at(&file.clips[0], BoneIndex(0), secs * u).rotation, truth, 1e-5);
        }
        let quats: Vec<DQuat> = (0..track(&file.clips[0], BoneIndex(0), Property::Rotation).times.len())
            .map(|i| track(&file.clips[0], BoneIndex(0), Property::Rotation).quat_key(i))
            .collect();
        assert!(quats.windows(2).all(|pair| pair[0].dot(pair[1]) > 0.0), "one hemisphere");
        assert!(file.warnings.is_empty());
    }
}

#[test]
fn a_fast_cubic_spin_is_followed_too() {
    let cubic = vec![
        Key { secs: 0.0, value: 0.0, kind: Kind::Cubic(0.0, 0.0) },
        Key { secs: 0.2, value: 1000.0, kind: Kind::Linear },
    ];
    let file = one_take(vec![Curve::new(0, 'R', 0, cubic)]);
    for frame in 0..=6 {
        let secs = f64::from(frame) / 30.0;
        let truth = DQuat::from_rotation_x(hermite(0.0, 0.0, 1000.0, 0.0, 0.2, secs).to_radians());
        assert_same_rotation(local_at(&file.clips[0], BoneIndex(0), secs).rotation, truth, 1e-5);
    }
    let rotation = track(&file.clips[0], BoneIndex(0), Property::Rotation);
    let most = (1..rotation.times.len())
        .map(|i| stridesmith::motion::transform::angle_between(rotation.quat_key(i - 1), rotation.quat_key(i)))
        .fold(0.0, f64::max);
    assert!(most < 91f64.to_radians(), "no two samples are further apart than a quarter: {}", most.to_degrees());
}

#[test]
fn wraps_of_dense_euler_keys_go_the_short_way_and_are_said() {
    // A steady 4° per frame about z, written as angles in −180…180.
    let points: Vec<(f64, f64)> =
        (0..90).map(|i| (f64::from(i) / 30.0, (f64::from(i) * 4.0 + 180.0) % 360.0 - 180.0)).collect();
    assert!(points.windows(2).any(|pair| pair[1].1 < pair[0].1));
    let file = one_take(vec![Curve::linear(0, 'R', 2, &points)]);
    assert_eq!(track(&file.clips[0], BoneIndex(0), Property::Rotation).times.len(), 90);
    for half_frame in 0..=178 {
        let secs = f64::from(half_frame) / 60.0;
        let truth = DQuat::from_rotation_z((secs * 120.0).to_radians());
        assert_same_rotation(local_at(&file.clips[0], BoneIndex(0), secs).rotation, truth, 1e-5);
    }
    assert_eq!(warned(&file, WarningKind::Repaired, "the short way").count, 1);
}

#[test]
fn three_euler_angles_at_once_are_exact_on_frames_in_every_order() {
    for rotation_order in 0..6 {
        let mut scene = Scene::of_bone(|bone| bone.rotation_order = rotation_order);
        let ends = [[10.0, -20.0, 30.0], [200.0, 95.0, -150.0]];
        let curves =
            (0..3).map(|axis| Curve::linear(0, 'R', axis, &[(0.0, ends[0][axis]), (1.0, ends[1][axis])])).collect();
        scene.takes = vec![Take::simple("Take", None, curves)];
        let file = read(&scene);
        for frame in 0..=30 {
            let u = f64::from(frame) / 30.0;
            let truth = euler(rotation_order, std::array::from_fn(|i| ends[0][i] + (ends[1][i] - ends[0][i]) * u));
            assert_same_rotation(local_at(&file.clips[0], BoneIndex(0), u).rotation, truth, 1e-6);
        }
    }
}

fn two_layers(blend_mode: i32, weight: f64, first: Vec<Curve>, second: Vec<Curve>) -> SourceFile {
    let mut scene = Scene::new(vec![Node { translation: [1.0, 2.0, 3.0], ..Node::limb("bone", None) }]);
    let layers =
        vec![Layer { blend_mode: 0, weight: 100.0, curves: first }, Layer { blend_mode, weight, curves: second }];
    scene.takes = vec![Take { name: "Take".into(), span: None, layers }];
    read(&scene)
}

#[test]
fn layers_add_override_and_blend() {
    let first = || vec![Curve::linear(0, 'T', 0, &[(0.0, 10.0), (1.0, 20.0)])];
    let second = || vec![Curve::linear(0, 'T', 0, &[(0.0, 0.0), (0.5, 100.0), (1.0, 0.0)])];
    for (blend_mode, weight, middle) in [
        (0, 100.0, DVec3::new(115.0, 2.0, 3.0)),
        (0, 50.0, DVec3::new(65.0, 2.0, 3.0)),
        (1, 100.0, DVec3::new(100.0, 2.0, 3.0)),
        (2, 25.0, DVec3::new(15.0 * 0.75 + 25.0, 2.0, 3.0)),
    ] {
        let file = two_layers(blend_mode, weight, first(), second());
        assert_near(local_at(&file.clips[0], BoneIndex(0), 0.5).translation, middle * 0.01, 1e-7);
        // Straight in both layers, so the keys of both are enough.
        assert_eq!(times(track(&file.clips[0], BoneIndex(0), Property::Translation)), [0.0, 0.5, 1.0]);
    }
}

#[test]
fn an_additive_layer_turns_on_top_of_the_first() {
    let first = vec![Curve::linear(0, 'R', 0, &[(0.0, 0.0), (1.0, 90.0)])];
    let second = vec![Curve::linear(0, 'R', 2, &[(0.0, 0.0), (1.0, 60.0)])];
    let file = two_layers(0, 100.0, first, second);
    for frame in 0..=30 {
        let u = f64::from(frame) / 30.0;
        let truth = DQuat::from_rotation_x((90.0 * u).to_radians()) * DQuat::from_rotation_z((60.0 * u).to_radians());
        assert_same_rotation(local_at(&file.clips[0], BoneIndex(0), u).rotation, truth, 1e-6);
    }
}

#[test]
fn curves_that_repeat_past_their_keys_do_so_inside_the_take() {
    let curve = |after| Curve { after, ..Curve::linear(0, 'T', 0, &[(0.0, 0.0), (0.5, 30.0)]) };
    for (after, at_end, take_end) in [('R', 15.0, 1.25), ('A', 75.0, 1.25), ('K', 75.0, 1.25), ('C', 30.0, 0.5)] {
        let mut scene = Scene::of_bone(|_| ());
        scene.takes = vec![Take::simple("Take", Some((0.0, 1.25)), vec![curve(after)])];
        let file = read(&scene);
        assert_eq!(file.clips[0].range.end_secs, take_end, "{after}");
        let x = local_at(&file.clips[0], BoneIndex(0), 1.25).translation.x;
        assert!((x - at_end * 0.01).abs() < 1e-7, "{after}: {x}");
    }
}

#[test]
fn a_key_that_is_no_number_is_left_out_and_said() {
    let file = one_take(vec![Curve::linear(0, 'T', 0, &[(0.0, 1.0), (0.5, 1e300), (1.0, 3.0)])]);
    assert_eq!(times(track(&file.clips[0], BoneIndex(0), Property::Translation)), [0.0, 1.0]);
    assert_eq!(warned(&file, WarningKind::Repaired, "not finite").count, 1);
}
