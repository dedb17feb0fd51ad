//! Keys stay where the file has them, through extraction and export; moving them is a step of its own.

use serde_json::json;
use stridesmith::motion::demo::{Encoding, Family, Gait};
use stridesmith::ops::StartAtZero;

use super::units::walker;
use super::*;
use crate::support::gltf_build::Build;

/// A walker of three bones, keyed at these times.
fn keyed_at(times: &[f32]) -> Vec<u8> {
    let mut build = Build::new();
    build.node(json!({ "name": "Hips", "translation": [0, 0.95, 0], "children": [1] }));
    build.node(json!({ "name": "LeftUpLeg", "translation": [0.1, 0, 0], "children": [2] }));
    build.node(json!({ "name": "LeftLeg", "translation": [0, -0.45, 0] }));
    let animation = build.animation(json!({ "name": "walk" }));
    let places: Vec<f32> = times.iter().flat_map(|t| [0.02 * (7.0 * t).sin(), 0.95, 1.3 * t]).collect();
    build.keys(animation, 0, "translation", times, &places, "LINEAR");
    let turns: Vec<f32> = times
        .iter()
        .flat_map(|t| glam::DQuat::from_rotation_x(f64::from((7.0 * t).sin())).to_array().map(|v| v as f32))
        .collect();
    build.keys(animation, 1, "rotation", times, &turns, "LINEAR");
    build.glb()
}

fn bits(track: &Track) -> Vec<u64> {
    track.times.iter().map(f64::to_bits).collect()
}

/// Every moving track of a clip has just these key times.
#[track_caller]
fn assert_keys(clip: &Clip, times: &[f32], what: &str) {
    let expected: Vec<u64> = times.iter().map(|&t| f64::from(t).to_bits()).collect();
    let mut moving = 0;
    for (bone, tracks) in clip.skeleton.indices().zip(&clip.tracks) {
        for property in Property::ALL {
            let Some(track) = tracks[property.slot()].as_ref().filter(|track| track.times.len() > 1) else { continue };
            moving += 1;
            assert_eq!(bits(track), expected, "{what}: {} {property:?}", clip.skeleton.path(bone));
        }
    }
    assert!(moving >= 1, "{what}: only {moving} tracks move");
}

#[test]
fn twenty_nine_frames_at_24_fps_keep_their_times_bit_for_bit() {
    let frames: Vec<f32> = (0..29).map(|i| i as f32 / 24.0).collect();
    // As others write them: a running sum, which lies on no frame exactly, and a clip with a gap.
    let mut sum = 0.0_f32;
    let summed: Vec<f32> = (0..29)
        .map(|_| {
            sum += 1.0 / 24.0;
            sum - 1.0 / 24.0
        })
        .collect();
    let gaps: Vec<f32> = frames.iter().copied().filter(|t| (t * 24.0) as u32 % 5 != 3).collect();
    for times in [frames, summed, gaps] {
        let mut desk = Desk::of_bytes("walk.glb", &keyed_at(&times));
        assert_keys(&desk.source(), &times, "as read");
        assert_eq!(desk.source().rate.fps(), 24.0);
        for mode in [PathMode::Raw, PathMode::Smoothed] {
            let out = desk.apply(extract(path(mode, YawSource::None), RootStart::Auto));
            let written = desk.export(out);
            assert_keys(&written.clip, &times, &format!("{mode:?}"));
            assert_eq!(written.clip.rate.fps(), 24.0);
            assert_eq!(written.clip.range, desk.source().range);
            let out = desk.apply(in_place(path(mode, YawSource::None), RootStart::Auto));
            assert_keys(&desk.export(out).clip, &times, &format!("in place {mode:?}"));
        }
        // A root that turns may need keys between, never instead.
        let out = desk.apply(extract(path(PathMode::Raw, YawSource::Travel), RootStart::Auto));
        let written = desk.export(out);
        let all = bits(written.clip.track(written.bone("root"), Property::Rotation).unwrap());
        assert!(times.iter().all(|&t| all.contains(&f64::from(t).to_bits())));
    }
}

#[test]
fn sparse_cubic_keys_stay_where_they_are_on_bones_that_were_not_asked_about() {
    let spec =
        DemoSpec { encoding: Encoding::CubicSpline { tolerance_m: 1e-3 }, ..DemoSpec::new(Gait::Walk, Family::Mixamo) };
    let (mut desk, truth) = Desk::of_demo(&spec);
    let before = desk.source();
    let out = desk.apply(extract(path(PathMode::Smoothed, YawSource::None), RootStart::Auto));
    let written = desk.export(out);
    for role in [Role::Thigh(Side::Left), Role::Foot(Side::Right), Role::Spine] {
        let bone = truth.bone(role).unwrap();
        let old = before.track(bone, Property::Rotation).unwrap();
        let new = written.clip.track(written.bone(&before.skeleton.bone(bone).name), Property::Rotation).unwrap();
        assert_eq!((new.interpolation, new.times.len()), (Interpolation::CubicSpline, old.times.len()), "{role}");
        assert_eq!(new.values, old.values, "{role}");
    }
}

#[test]
fn a_first_key_at_one_thirtieth_is_kept_and_only_start_at_0_moves_it() {
    let times: Vec<f32> = (1..=31).map(|i| i as f32 / 30.0).collect();
    let mut desk = Desk::of_bytes("walk.glb", &keyed_at(&times));
    let first = f64::from(times[0]);
    assert_eq!(desk.source().range.start_secs, first, "no ghost frame before the first key");
    let out = desk.apply(extract(path(PathMode::Smoothed, YawSource::None), RootStart::Auto));
    let written = desk.export(out);
    assert_keys(&written.clip, &times, "extracted");
    assert_eq!(written.clip.range.start_secs, first);
    // Whoever plays the clip starts it at its first key, and the sidecar counts from there.
    assert_eq!(written.curve("Speed")[0].0, 0.0);
    assert!((written.record.duration_s - 1.0).abs() < 1e-6);

    let moved = desk.apply_to(out, Op::StartAtZero(StartAtZero::default()));
    let written = desk.export(moved);
    let from_zero: Vec<f32> = times.iter().map(|&t| (f64::from(t) - first) as f32).collect();
    assert_keys(&written.clip, &from_zero, "start at 0");
    assert_eq!((written.clip.range.start_secs, written.curve("Speed")[0].0), (0.0, 0.0));
    let (a, b) = (desk.evaluate(out).clip.clone(), &written.clip);
    for &t in &times {
        let (was, is) = (a.component_at(f64::from(t)), b.component_at(f64::from(t) - first));
        assert!((0..a.skeleton.len()).all(|bone| was.0[bone].abs_diff_eq(is.0[bone], 1e-5)), "the poses move along");
    }
}

#[test]
fn a_take_of_an_fbx_that_starts_at_frame_1_of_24_keeps_its_frames() {
    let mut scene = walker(1.0, 1.0);
    scene.time_mode = 11;
    let time = |i: usize| (i + 1) as f64 / 24.0;
    for curve in &mut scene.takes[0].layers[0].curves {
        curve.keys.truncate(29);
        curve.keys.iter_mut().enumerate().for_each(|(i, key)| key.secs = time(i));
    }
    let mut desk = Desk::of_bytes("walk.fbx", &scene.bytes());
    let before = desk.source();
    assert!((before.range.start_secs - time(0)).abs() < 1e-10 && before.rate.fps() == 24.0);
    let times: Vec<f32> = (0..29).map(|i| time(i) as f32).collect();
    let out = desk.apply(extract(path(PathMode::Smoothed, YawSource::None), RootStart::UnderPelvis));
    let written = desk.export(out);
    assert_keys(&written.clip, &times, "FBX to GLB");
    assert_same_motion(&before, &written.clip, "FBX to GLB");
}
