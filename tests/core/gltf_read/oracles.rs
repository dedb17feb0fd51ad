//! Interpolation and number formats with known results (glTF 2.0 §3.11 and appendix C).

use glam::{DQuat, DVec3};
use serde_json::json;
use stridesmith::motion::transform::angle_between;
use stridesmith::motion::{BoneIndex, Interpolation, Property, Times};

use super::{only_clip, read};
use crate::support::gltf_build::Build;

fn one_channel(path: &str, times: &[f32], values: &[f32], interpolation: &str) -> Build {
    let mut build = Build::new();
    let node = build.node(json!({ "name": "bone" }));
    let animation = build.animation(json!({ "name": "take" }));
    build.keys(animation, node, path, times, values, interpolation);
    build
}

fn rotation_at(build: &Build, secs: f64) -> DQuat {
    only_clip(build).component_at(secs).rotation(BoneIndex(0))
}

fn same_rotation(a: DQuat, b: [f64; 4]) {
    let b = DQuat::from_array(b);
    assert!(angle_between(a, b) < 1e-6, "{a} is not {b}");
}

#[test]
fn linear_rotation_is_slerp_the_shorter_way() {
    let h = std::f32::consts::FRAC_1_SQRT_2;
    let build = one_channel("rotation", &[0.0, 1.0], &[0.0, 0.0, 0.0, 1.0, 0.0, h, 0.0, h], "LINEAR");
    same_rotation(rotation_at(&build, 0.5), [0.0, 0.382_683_4, 0.0, 0.923_879_5]);
    // 270° about Y, written with w < 0: the shorter way is −90°.
    let build = one_channel("rotation", &[0.0, 1.0], &[0.0, 0.0, 0.0, 1.0, 0.0, h, 0.0, -h], "LINEAR");
    same_rotation(rotation_at(&build, 0.5), [0.0, -0.382_683_4, 0.0, 0.923_879_5]);
}

#[test]
fn cubic_splines_follow_their_tangents() {
    let x_at = |values: &[f32], secs: f64| {
        let build = one_channel("translation", &[0.0, 2.0], values, "CUBICSPLINE");
        only_clip(&build).component_at(secs).position(BoneIndex(0)).x
    };
    let key = |a: f32, v: f32, b: f32| [a, 0.0, 0.0, v, 0.0, 0.0, b, 0.0, 0.0];
    let spline = |a: [f32; 9], b: [f32; 9]| [a, b].concat();
    let straight = spline(key(0.0, 0.0, 5.0), key(5.0, 10.0, 0.0));
    let flat = spline(key(0.0, 0.0, 0.0), key(0.0, 10.0, 0.0));
    for (secs, expected, eased) in [(0.5, 2.5, 1.5625), (1.0, 5.0, 5.0), (1.5, 7.5, 8.4375)] {
        assert!((x_at(&straight, secs) - expected).abs() < 1e-12);
        assert!((x_at(&flat, secs) - eased).abs() < 1e-12);
    }
    // At the middle: (v₀ + v₁)/2 + t_d (b₀ − a₁)/8. The first a and the last b play no part.
    let any = spline(key(99.0, 1.0, 3.0), key(-4.0, 2.0, 77.0));
    assert!((x_at(&any, 1.0) - (1.5 + 2.0 * (3.0 + 4.0) / 8.0)).abs() < 1e-12);
}

#[test]
fn steps_hold_and_ends_are_held() {
    let build = one_channel("translation", &[1.0, 2.0], &[1.0, 0.0, 0.0, 5.0, 0.0, 0.0], "STEP");
    let clip = only_clip(&build);
    for (secs, x) in [(0.0, 1.0), (1.0, 1.0), (1.999_999, 1.0), (2.0, 5.0), (9.0, 5.0)] {
        assert_eq!(clip.component_at(secs).position(BoneIndex(0)), DVec3::new(x, 0.0, 0.0));
    }
    assert_eq!((clip.range.start_secs, clip.range.end_secs), (1.0, 2.0), "the file's own times are kept");
}

#[test]
fn normalised_integers_are_fractions() {
    let stored = |component: u32, bytes: &[u8]| {
        let mut build = Build::new();
        let node = build.node(json!({}));
        let animation = build.animation(json!({}));
        let input = build.floats(&[0.0], "SCALAR");
        let output = build.raw(bytes, component, "VEC4", 1, true);
        build.channel(animation, json!({ "node": node, "path": "rotation" }), input, output, "LINEAR");
        only_clip(&build).track(BoneIndex(0), Property::Rotation).unwrap().values.to_vec()
    };
    let i16s = |numbers: [i16; 4]| numbers.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<u8>>();
    assert_eq!(stored(5122, &i16s([-32768, -32767, 0, 32767])), [-1.0, -1.0, 0.0, 1.0]);
    assert_eq!(stored(5120, &[0x80, 0x81, 0, 127]), [-1.0, -1.0, 0.0, 1.0]);
    assert_eq!(stored(5121, &[0, 51, 255, 255]), [0.0, 0.2, 1.0, 1.0]);
    let u16s: Vec<u8> = [0u16, 13107, 65535, 65535].iter().flat_map(|n| n.to_le_bytes()).collect();
    assert_eq!(stored(5123, &u16s), [0.0, 0.2, 1.0, 1.0]);
}

#[test]
fn sparse_accessors_replace_elements_of_their_base_or_of_zeros() {
    for with_base in [true, false] {
        let mut build = one_channel("translation", &[0.0, 1.0, 2.0], &[1.0; 9], "LINEAR");
        let indices = build.view(&2u16.to_le_bytes());
        let values: Vec<u8> = [7.0f32, 8.0, 9.0].iter().flat_map(|n| n.to_le_bytes()).collect();
        let values = build.view(&values);
        let output = &mut build.json["accessors"][1];
        output["sparse"] = json!({
            "count": 1,
            "indices": { "bufferView": indices, "componentType": 5123 },
            "values": { "bufferView": values },
        });
        if !with_base {
            output.as_object_mut().unwrap().remove("bufferView");
        }
        let clip = only_clip(&build);
        let base = f32::from(u8::from(with_base));
        let expected = [base, base, base, base, base, base, 7.0, 8.0, 9.0];
        assert_eq!(*clip.track(BoneIndex(0), Property::Translation).unwrap().values, expected);
    }
}

#[test]
fn strided_views_and_offsets_are_honoured() {
    let mut build = one_channel("translation", &[0.0, 1.0], &[0.0; 6], "LINEAR");
    let numbers = [9.0f32, 1.0, 2.0, 3.0, 9.0, 4.0, 5.0, 6.0];
    let bytes: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
    let view = build.view(&bytes);
    build.json["bufferViews"][view]["byteStride"] = json!(16);
    let output = &mut build.json["accessors"][1];
    output["bufferView"] = json!(view);
    output["byteOffset"] = json!(4);
    let clip = only_clip(&build);
    assert_eq!(*clip.track(BoneIndex(0), Property::Translation).unwrap().values, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
}

#[test]
fn times_are_exact_and_shared() {
    let mut build = Build::new();
    let (a, b) = (build.node(json!({ "name": "a" })), build.node(json!({ "name": "b" })));
    let animation = build.animation(json!({}));
    let times = [1.0f32 / 24.0, 0.1, 1.0 / 3.0];
    build.keys(animation, a, "translation", &times, &[0.0; 9], "LINEAR");
    build.keys(animation, b, "translation", &times, &[0.0; 9], "LINEAR");
    let input = build.json["animations"][0]["samplers"][0]["input"].as_u64().unwrap() as usize;
    let output = build.floats(&[1.0; 9], "VEC3");
    build.channel(animation, json!({ "node": b, "path": "scale" }), input, output, "STEP");
    let clip = only_clip(&build);
    let track = |bone, property| clip.track(BoneIndex(bone), property).unwrap();
    let first = track(0, Property::Translation);
    assert_eq!(*first.times, Times::from_keys(times.map(f64::from).to_vec()).unwrap());
    assert!(std::sync::Arc::ptr_eq(&first.times, &track(1, Property::Scale).times), "one accessor");
    assert!(std::sync::Arc::ptr_eq(&first.times, &track(1, Property::Translation).times), "equal content");
    assert_eq!(track(1, Property::Scale).interpolation, Interpolation::Step);
}

#[test]
fn values_are_kept_as_stored() {
    let values = [0.0, 0.0, 0.0, 2.0, 0.0, 3.0, 0.0, 0.0];
    let build = one_channel("rotation", &[0.0, 1.0], &values, "LINEAR");
    let clip = only_clip(&build);
    assert_eq!(*clip.track(BoneIndex(0), Property::Rotation).unwrap().values, values);
    same_rotation(clip.component_at(1.0).rotation(BoneIndex(0)), [0.0, 1.0, 0.0, 0.0]);
}

#[test]
fn matrices_are_taken_apart() {
    let mut build = Build::new();
    // Columns: 2·(Z), 3·(X), 4·(Y), a quarter turn that takes X to Z.
    let matrix = json!([0, 0, 2, 0, 3, 0, 0, 0, 0, 4, 0, 0, 5, 6, 7, 1]);
    build.node(json!({ "matrix": matrix }));
    let file = read(&build.glb());
    assert_eq!(file.warnings, []);
    let pose = file.skeleton.bones()[0].node_pose;
    assert!(pose.scale.abs_diff_eq(DVec3::new(2.0, 3.0, 4.0), 1e-12));
    assert_eq!(pose.translation, DVec3::new(5.0, 6.0, 7.0));
    assert!((pose.rotation * DVec3::X).abs_diff_eq(DVec3::Z, 1e-12));
    assert!((pose.rotation * DVec3::Y).abs_diff_eq(DVec3::X, 1e-12));
}
