//! Files that break the rules, one way each: what opens, what is said about it, and where it is said.

use base64::Engine;
use serde_json::{Value, json};
use std::path::Path;
use stridesmith::formats::{Limits, ReadOptions, gltf_read};
use stridesmith::motion::{BoneIndex, FileId, FrameRate, Interpolation, Origin, Property, WarningKind};

use super::{Table, only_clip, read, try_read, warned};
use crate::support::gltf_build::{Build, glb};

const SECOND: [f32; 2] = [0.0, 1.0];
const MOVE: [f32; 6] = [0.0, 0.0, 0.0, 1.0, 2.0, 3.0];

/// Two nodes, one above the other, and a channel for the lower one.
fn two_bones() -> Build {
    let mut build = Build::new();
    build.node(json!({ "name": "hips", "children": [1] }));
    build.node(json!({ "name": "leg" }));
    let animation = build.animation(json!({ "name": "walk" }));
    build.keys(animation, 1, "translation", &SECOND, &MOVE, "LINEAR");
    build
}

fn origin(channel: u32) -> Option<Origin> {
    Some(Origin { file: FileId(7), channel })
}

fn set_aside(why: &str) -> String {
    format!("channels set aside and kept for writing back: {why}")
}

#[test]
fn channels_without_a_node_are_set_aside_and_keep_their_number() {
    let mut build = two_bones();
    let target = build.json["animations"][0]["channels"][0]["target"].clone();
    let channels = build.json["animations"][0]["channels"].as_array_mut().unwrap();
    channels[0]["target"] = json!({ "path": "translation" });
    channels.push(json!({ "sampler": 0, "target": target }));
    let second = build.animation(json!({ "name": "run" }));
    build.keys(second, 0, "scale", &SECOND, &[1.0; 6], "LINEAR");
    let file = read(&build.glb());
    let expected = ("animations[0].channels[0]".to_owned(), set_aside("they name no node"), 1);
    assert_eq!(warned(&file, WarningKind::SetAside), [expected]);
    let track = file.clips[0].track(BoneIndex(1), Property::Translation).unwrap();
    assert_eq!((track.times_from, track.values_from), (origin(1), origin(1)));
    let scale = file.clips[1].track(BoneIndex(0), Property::Scale).unwrap();
    assert_eq!(scale.values_from, origin(2), "numbers run on over the animations");
    assert_eq!(file.clips[1].take, Some(1));
}

#[test]
fn pointer_channels_are_set_aside_with_and_without_a_node() {
    for target in [json!({ "path": "pointer" }), json!({ "path": "pointer", "node": 0 })] {
        let mut build = two_bones();
        build.json["extensionsUsed"] = json!(["KHR_animation_pointer"]);
        let mut target = target;
        target["extensions"] = json!({ "KHR_animation_pointer": { "pointer": "/materials/0/alphaCutoff" } });
        let times = build.floats(&[0.0, 9.0], "SCALAR");
        let output = build.floats(&[0.0, 1.0], "SCALAR");
        build.channel(0, target.clone(), times, output, "LINEAR");
        build.channel(0, target, times, output, "LINEAR");
        let file = read(&build.glb());
        let why = set_aside("they move something by KHR_animation_pointer");
        assert_eq!(warned(&file, WarningKind::SetAside), [("animations[0].channels[1]".to_owned(), why, 2)]);
        assert_eq!(file.clips[0].range.end_secs, 1.0, "what is shown makes the range");
        assert_eq!(file.warnings[0].to_string().matches("and 1 more").count(), 1);
    }
}

#[test]
fn an_animation_of_nothing_but_pointers_keeps_its_range() {
    let mut build = two_bones();
    build.json["extensionsUsed"] = json!(["KHR_animation_pointer"]);
    build.json["animations"][0]["channels"][0]["target"] = json!({ "path": "pointer" });
    let file = read(&build.glb());
    assert_eq!(file.clips[0].range.end_secs, 1.0);
    assert_eq!(file.skeleton.len(), 2, "nothing moves, so all nodes are there");
}

#[test]
fn unknown_required_extensions_do_not_keep_clips_shut() {
    let mut build = two_bones();
    build.json["extensionsRequired"] = json!(["ACME_secret", "KHR_mesh_quantization"]);
    let file = read(&build.glb());
    assert_eq!(file.clips[0].tracks.iter().flatten().flatten().count(), 1);
    let said = warned(&file, WarningKind::SetAside);
    assert_eq!((said.len(), said[0].0.as_str()), (1, "extensionsRequired"));
    assert!(said[0].1.contains("ACME_secret") && !said[0].1.contains("KHR_mesh_quantization"));
}

#[test]
fn indices_out_of_range_cost_their_channel_alone() {
    type Break = fn(&mut Value);
    let broken: [(&str, Break, &str); 6] = [
        ("sampler", |json| json["animations"][0]["channels"][1]["sampler"] = json!(99), "sampler"),
        ("node", |json| json["animations"][0]["channels"][1]["target"]["node"] = json!(99), "node"),
        ("input", |json| json["animations"][0]["samplers"][1]["input"] = json!(99), "accessors[99]"),
        ("output", |json| json["animations"][0]["samplers"][1]["output"] = json!(99), "accessors[99]"),
        ("view", |json| json["accessors"][3]["bufferView"] = json!(99), "bufferViews[99]"),
        ("buffer", |json| json["bufferViews"][3]["buffer"] = json!(99), "buffers[99]"),
    ];
    for (what, break_it, named) in broken {
        let mut build = two_bones();
        build.keys(0, 0, "translation", &SECOND, &MOVE, "LINEAR");
        break_it(&mut build.json);
        let file = read(&build.glb());
        assert_eq!(file.clips[0].tracks.iter().flatten().flatten().count(), 1, "{what}");
        assert_eq!(file.warnings.len(), 1, "{what}: {:?}", file.warnings);
        assert_eq!(file.warnings[0].place, "animations[0].channels[1]", "{what}");
        assert!(file.warnings[0].message.contains(named), "{what}: {}", file.warnings[0]);
    }
}

#[test]
fn accessors_beyond_their_bytes_cost_their_channels() {
    let cases: [fn(&mut Value); 6] = [
        |json| json["accessors"][1]["count"] = json!(3),
        |json| json["accessors"][1]["count"] = json!(u64::MAX / 2),
        |json| json["accessors"][1]["byteOffset"] = json!(4),
        |json| json["accessors"][1]["byteOffset"] = json!(u64::MAX - 2),
        |json| json["bufferViews"][1]["byteLength"] = json!(1u64 << 40),
        |json| json["bufferViews"][1]["byteStride"] = json!(4),
    ];
    for break_it in cases {
        let mut build = two_bones();
        break_it(&mut build.json);
        let file = read(&build.glb());
        assert!(file.clips[0].tracks.iter().flatten().flatten().next().is_none());
        assert_eq!(warned(&file, WarningKind::Dropped).len(), 1, "{:?}", file.warnings);
    }
}

#[test]
fn zeros_without_bytes_are_bounded() {
    let mut build = two_bones();
    let output = &mut build.json["accessors"][1];
    output.as_object_mut().unwrap().remove("bufferView");
    output["count"] = json!(1u64 << 33);
    let file = read(&build.glb());
    assert!(file.warnings[0].message.contains("memory"), "{:?}", file.warnings);
}

#[test]
fn json_the_crate_refuses_is_mended() {
    // Whole numbers with a point, a null, a texture whose only source is an extension, a broken material and camera.
    let mut build = two_bones();
    build.json["materials"] = json!([{ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } }, 3]);
    build.json["textures"] = json!([{ "extensions": { "EXT_texture_webp": { "source": 0 } } }]);
    build.json["cameras"] = json!([{ "type": "perspective" }]);
    build.json["nodes"][0]["skin"] = Value::Null;
    build.json["accessors"][0]["count"] = json!(2.0);
    let file = read(&build.glb());
    assert_eq!(file.clips[0].tracks.iter().flatten().flatten().count(), 1);
    assert_eq!(file.materials.len(), 2);
    let said: Vec<String> = warned(&file, WarningKind::Dropped).into_iter().map(|(place, _, _)| place).collect();
    assert_eq!(said, ["materials[1]", "materials[0]"]);
}

#[test]
fn text_in_another_encoding_is_read() {
    let build = two_bones();
    let json = build.json.to_string().replace("\"byteLength\":0", &format!("\"byteLength\":{}", build.bin.len()));
    let at = json.find("hips").unwrap();
    let mut latin = json.into_bytes();
    latin[at] = 0xFC;
    let file = read(&glb(&latin, &[&build.bin]));
    assert_eq!(file.skeleton.bones()[0].name, "\u{FFFD}ips");
    assert_eq!(file.warnings[0].kind, WarningKind::Repaired);
    assert_eq!(file.clips[0].tracks.iter().flatten().flatten().count(), 1);
}

#[test]
fn a_byte_order_mark_and_padding_do_no_harm() {
    let build = two_bones();
    let mut json = b"\xEF\xBB\xBF".to_vec();
    json.extend(build.json.to_string().into_bytes());
    json.extend([0, 0, b' ', b'\n', 0]);
    assert_eq!(read(&glb(&json, &[&build.bin])).clips.len(), 1);
}

#[test]
fn several_bin_chunks_and_none() {
    let mut build = two_bones();
    let second: Vec<u8> = MOVE.iter().flat_map(|n| (n * 2.0).to_le_bytes()).collect();
    build.element("buffers", json!({ "byteLength": 24 }));
    build.json["bufferViews"][1] = json!({ "buffer": 1, "byteLength": 24 });
    let json = build.json.to_string();
    let file = read(&glb(json.as_bytes(), &[&build.bin, &second]));
    assert_eq!(file.clips[0].track(BoneIndex(1), Property::Translation).unwrap().values[5], 6.0);
    let refused = try_read(&glb(json.as_bytes(), &[])).unwrap_err().to_string();
    assert!(refused.contains("buffers[0]") && refused.contains("BIN chunk"), "{refused}");
    // A file without animation needs none.
    let mut build = Build::new();
    build.node(json!({ "name": "alone" }));
    build.json["buffers"] = json!([]);
    let file = read(&glb(build.json.to_string().as_bytes(), &[]));
    assert_eq!((file.skeleton.len(), file.clips.len()), (1, 0));
}

#[test]
fn cut_files_say_so() {
    let whole = two_bones().glb();
    let missing = try_read(&whole[..whole.len() - 4]).unwrap();
    assert!(missing.warnings.iter().any(|warning| warning.message.contains("cut off")), "{:?}", missing.warnings);
    let refused = try_read(&whole[..100]).unwrap_err().to_string();
    assert!(refused.contains("byte 12") && refused.contains("made.glb"), "{refused}");
    let refused = try_read(&whole[..10]).unwrap_err().to_string();
    assert!(refused.contains("byte 8"), "{refused}");
    let mut old = whole.clone();
    old[4] = 1;
    assert!(try_read(&old).unwrap_err().to_string().contains("version 1"));
    let mut build = two_bones();
    build.json["asset"]["version"] = json!("1.0");
    assert!(try_read(&build.glb()).unwrap_err().to_string().contains("glTF 1.0"));
    let refused = try_read(b"{ \"asset\": { \"version\": \"2.0\" }, }").unwrap_err().to_string();
    assert!(refused.contains("line 1 column"), "{refused}");
}

fn read_gltf(json: &[u8], table: &Table) -> Result<stridesmith::motion::SourceFile, stridesmith::formats::ReadError> {
    gltf_read::read(FileId(7), Path::new("made.gltf"), json.into(), table, &ReadOptions::default())
}

#[test]
fn buffers_lie_beside_or_inside() {
    let build = two_bones();
    let beside = Table([("a b/walk 1.bin", build.bin.clone())].into());
    for uri in ["a%20b/walk%201.bin", "a b/walk 1.bin", "a%20b\\walk%201.bin"] {
        let file = read_gltf(&build.gltf(uri), &beside).unwrap();
        assert_eq!(file.clips[0].tracks.iter().flatten().flatten().count(), 1);
        assert_eq!(file.side_files, [(uri.to_owned(), build.bin.as_slice().into())]);
    }
    let nothing = Table([].into());
    let base64 = base64::engine::general_purpose::STANDARD.encode(&build.bin);
    let escaped: String = build.bin.iter().map(|byte| format!("%{byte:02X}")).collect();
    for uri in [
        format!("data:application/octet-stream;base64,{base64}"),
        format!("DATA:;base64,{}", base64.trim_end_matches('=')),
        format!("data:application/gltf-buffer,{escaped}"),
    ] {
        let file = read_gltf(&build.gltf(&uri), &nothing).unwrap();
        assert_eq!(file.clips[0].track(BoneIndex(1), Property::Translation).unwrap().values[3..], [1.0, 2.0, 3.0]);
        assert_eq!(file.side_files, []);
    }
    let refused = read_gltf(&build.gltf("walk.bin"), &nothing).unwrap_err().to_string();
    for part in ["walk.bin", "buffers[0]", "made.gltf", "put the file it names beside it"] {
        assert!(refused.contains(part), "{refused}");
    }
}

#[test]
fn compressed_animations_are_refused_by_name() {
    let mut build = two_bones();
    build.json["extensionsRequired"] = json!(["EXT_meshopt_compression"]);
    build.json["buffers"] = json!([{ "byteLength": 8 }, { "byteLength": 99 }]);
    for view in build.json["bufferViews"].as_array_mut().unwrap() {
        view["buffer"] = json!(1);
    }
    let refused = try_read(&build.glb()).unwrap_err().to_string();
    assert!(refused.contains("EXT_meshopt_compression") && refused.contains("without compression"), "{refused}");
}

/// A rotation channel with these times, and what the reader made of it.
fn repaired(times: &[f32], values: &[f32], interpolation: &str) -> (stridesmith::motion::Track, Vec<String>) {
    let mut build = two_bones();
    build.keys(0, 0, "rotation", times, values, interpolation);
    let file = read(&build.glb());
    let said = warned(&file, WarningKind::Repaired);
    assert!(said.iter().all(|(place, _, _)| place == "animations[0].channels[1]"), "{said:?}");
    let track = file.clips[0].track(BoneIndex(0), Property::Rotation).unwrap();
    (track.as_ref().clone(), said.into_iter().map(|(_, message, _)| message).collect())
}

fn turns(ys: &[f32]) -> Vec<f32> {
    ys.iter().flat_map(|y| [0.0, *y, 0.0, 1.0]).collect()
}

#[test]
fn unsorted_doubled_and_lost_times_are_mended() {
    let times = [2.0, 0.0, f32::NAN, 1.0, 1.0, f32::INFINITY];
    let (track, said) = repaired(&times, &turns(&[0.2, 0.0, 0.9, 0.1, 0.15, 0.8]), "LINEAR");
    assert_eq!(track.times.iter().collect::<Vec<_>>(), [0.0, 1.0, 2.0]);
    assert_eq!(*track.values, turns(&[0.0, 0.15, 0.2]), "of two keys at one time the later stays");
    assert_eq!((track.times_from, track.values_from), (None, None));
    assert_eq!(said.len(), 1, "{said:?}");
}

#[test]
fn values_that_are_no_numbers_or_too_few_are_mended() {
    let (track, said) = repaired(&[0.0, 1.0, 2.0], &turns(&[0.0, f32::NAN, 0.2]), "LINEAR");
    assert_eq!(track.times.iter().collect::<Vec<_>>(), [0.0, 2.0]);
    assert_eq!((track.times_from, track.values_from, said.len()), (None, None, 1));
    let (track, said) = repaired(&[0.0, 1.0, 2.0], &turns(&[0.0, 0.1]), "LINEAR");
    assert_eq!(track.times.len(), 2);
    assert!(said[0].contains("fewer values"), "{said:?}");
    let (track, said) = repaired(&[0.0, 1.0], &turns(&[0.0, 0.1, 0.2]), "LINEAR");
    assert_eq!((track.times.len(), track.times_from), (2, origin(1)));
    assert!(said[0].contains("more values"), "{said:?}");
}

#[test]
fn zero_rotations_and_lone_spline_keys_are_mended() {
    let mut values = turns(&[0.1, 0.2]);
    values[4..].fill(0.0);
    let (track, said) = repaired(&[0.0, 1.0], &values, "LINEAR");
    assert_eq!(track.values[4..], [0.0, 0.0, 0.0, 1.0]);
    assert_eq!((track.times_from, track.values_from, said.len()), (origin(1), None, 1), "the times are the file's");
    let spline = [[9.0; 4], [0.0, 0.6, 0.0, 0.8], [9.0; 4]].concat();
    let (track, said) = repaired(&[0.5], &spline, "CUBICSPLINE");
    assert_eq!((track.interpolation, &*track.values), (Interpolation::Linear, &[0.0, 0.6, 0.0, 0.8][..]));
    assert!(said[0].contains("one key"), "{said:?}");
    // A zero tangent is no zero rotation.
    let mut build = two_bones();
    let spline = [[0.0; 4], [0.0, 0.6, 0.0, 0.8], [0.0; 4]].concat().repeat(2);
    build.keys(0, 0, "rotation", &SECOND, &spline, "CUBICSPLINE");
    assert_eq!(only_clip(&build).track(BoneIndex(0), Property::Rotation).unwrap().values_from, origin(1));
}

#[test]
fn wrong_kinds_and_doubles_cost_their_channel() {
    let mut build = two_bones();
    let input = build.floats(&SECOND, "SCALAR");
    let output = build.floats(&MOVE, "VEC3");
    build.channel(0, json!({ "node": 0, "path": "rotation" }), input, output, "LINEAR");
    build.channel(0, json!({ "node": 1, "path": "translation" }), input, output, "LINEAR");
    build.channel(0, json!({ "node": 0, "path": "scale" }), output, output, "WAVY");
    let file = read(&build.glb());
    let places: Vec<&str> = file.warnings.iter().map(|warning| warning.place.as_str()).collect();
    assert_eq!(places, (1..4).map(|i| format!("animations[0].channels[{i}]")).collect::<Vec<_>>());
    assert_eq!(file.clips[0].tracks.iter().flatten().flatten().count(), 1);
}

#[test]
fn morph_weights_are_no_tracks_but_count_for_numbers_and_range() {
    let mut build = two_bones();
    let input = build.floats(&[0.5, 4.0], "SCALAR");
    let output = build.floats(&[0.0, 1.0], "SCALAR");
    let animation = &mut build.json["animations"][0];
    animation["channels"]
        .as_array_mut()
        .unwrap()
        .insert(0, json!({ "sampler": 1, "target": { "node": 0, "path": "weights" } }));
    animation["samplers"].as_array_mut().unwrap().push(json!({ "input": input, "output": output }));
    let clip = only_clip(&build);
    assert_eq!((clip.range.start_secs, clip.range.end_secs), (0.0, 4.0));
    assert_eq!(clip.track(BoneIndex(1), Property::Translation).unwrap().values_from, origin(1));
    assert_eq!(clip.tracks.iter().flatten().flatten().count(), 1);
}

#[test]
fn unnamed_animations_are_numbered() {
    let mut build = two_bones();
    build.animation(json!({ "name": "" }));
    build.animation(json!({}));
    let names: Vec<String> = read(&build.glb()).clips.iter().map(|clip| clip.name.clone()).collect();
    assert_eq!(names, ["walk", "Animation 2", "Animation 3"]);
}

#[test]
fn the_rate_is_that_of_all_key_times() {
    let mut build = two_bones();
    let thirds: Vec<f32> = (0..=30).map(|i| i as f32 / 30.0).collect();
    build.keys(0, 0, "scale", &thirds, &vec![1.0; thirds.len() * 3], "LINEAR");
    assert_eq!(only_clip(&build).rate, FrameRate::new(30.0).unwrap());
    // Fewer keys than the others have, all of them half-way.
    let between: Vec<f32> = (0..20).map(|i| (2 * i + 1) as f32 / 60.0).collect();
    build.keys(0, 0, "translation", &between, &vec![1.0; between.len() * 3], "LINEAR");
    assert_eq!(only_clip(&build).rate, FrameRate::new(60.0).unwrap());
}

#[test]
fn bones_are_joints_animated_nodes_and_what_stands_above_in_file_order() {
    let mut build = Build::new();
    // As Blender writes: children before their parents, the armature last, a mesh between.
    build.node(json!({ "name": "foot" }));
    build.node(json!({ "name": "leg", "children": [0, 2] }));
    build.node(json!({ "name": "shoe mesh" }));
    build.node(json!({ "name": "hips", "children": [1] }));
    build.node(json!({ "name": "ball, joint of a skin", "children": [] }));
    build.node(json!({ "name": "armature", "children": [4, 3] }));
    build.node(json!({ "name": "lamp" }));
    build.element("skins", json!({ "joints": [4] }));
    let animation = build.animation(json!({}));
    build.keys(animation, 0, "translation", &SECOND, &MOVE, "LINEAR");
    let file = read(&build.glb());
    let bones: Vec<(Option<u32>, Option<u32>, bool)> = file
        .skeleton
        .bones()
        .iter()
        .map(|bone| (bone.node, bone.parent.map(|parent| parent.0), bone.is_joint))
        .collect();
    assert_eq!(
        bones,
        [
            (Some(5), None, false),
            (Some(3), Some(0), false),
            (Some(1), Some(1), false),
            (Some(0), Some(2), false),
            (Some(4), Some(0), true)
        ]
    );
}

#[test]
fn nodes_that_are_no_tree_are_refused_with_their_place() {
    let refuse = |nodes: Value| {
        let mut build = two_bones();
        build.json["nodes"] = nodes;
        try_read(&build.glb()).unwrap_err().to_string()
    };
    let twice = refuse(json!([{ "children": [2] }, { "children": [2] }, {}]));
    assert!(twice.contains("nodes[1].children[0]") && twice.contains("child of node 0"), "{twice}");
    let circle = refuse(json!([{}, { "children": [2] }, { "children": [3] }, { "children": [2] }]));
    assert!(circle.contains("nodes[2].children[0]") || circle.contains("nodes[3]"), "{circle}");
    let circle = refuse(json!([{}, { "children": [2] }, { "children": [1] }]));
    assert!(circle.contains("stands above itself"), "{circle}");
    let alone = refuse(json!([{ "children": [0] }]));
    assert!(alone.contains("nodes[0]"), "{alone}");
    let deep: Vec<Value> = (1..=600).map(|child| json!({ "children": [child] })).chain([json!({})]).collect();
    assert!(refuse(json!(deep)).contains("512"));
    let none = refuse(json!([]));
    assert!(none.contains("no bones"), "{none}");
    let mut build = two_bones();
    build.json["nodes"][1]["children"] = json!([77]);
    assert_eq!(warned(&read(&build.glb()), WarningKind::Repaired)[0].0, "nodes[1].children[0]");
}

#[test]
fn counts_beyond_the_limits_are_refused() {
    let read_with = |limits: Limits| {
        let options = ReadOptions { limits, ..ReadOptions::default() };
        let bytes = two_bones().glb();
        gltf_read::read(FileId(0), Path::new("made.glb"), bytes.into(), &super::NoFetch, &options)
    };
    let tight: [Limits; 5] = [
        Limits { nodes: 1, ..Limits::default() },
        Limits { clips: 0, ..Limits::default() },
        Limits { depth: 1, ..Limits::default() },
        Limits { decoded_bytes: 40, ..Limits::default() },
        Limits { samples: 5, ..Limits::default() },
    ];
    for limits in tight {
        let refused = read_with(limits).unwrap_err().to_string();
        assert!(refused.contains("limit"), "{refused}");
    }
}

#[test]
fn transforms_that_are_no_numbers_are_mended() {
    let mut build = two_bones();
    build.json["nodes"][0]["rotation"] = json!([0, 0, 0, 0]);
    build.json["nodes"][1]["translation"] = json!([1e300, 0, 0]);
    let file = read(&build.glb());
    assert_eq!(warned(&file, WarningKind::Repaired).len(), 2);
    assert!(file.skeleton.bones().iter().all(|bone| bone.node_pose.is_finite()));
}

#[test]
fn the_description_names_version_and_writer() {
    assert_eq!(read(&two_bones().glb()).description, "glTF 2.0, hand");
}

#[test]
fn vrm_humanoids_declare_roles() {
    use stridesmith::motion::{Role, Side};
    let zero = json!({ "VRM": { "humanoid": { "humanBones": [
        { "bone": "hips", "node": 0 }, { "bone": "leftUpperLeg", "node": 1 }, { "bone": "jaw", "node": 1 },
        { "bone": "rightFoot", "node": 99 } ] } } });
    let one = json!({ "VRMC_vrm": { "specVersion": "1.0", "humanoid": { "humanBones": {
        "hips": { "node": 0 }, "leftUpperLeg": { "node": 1 }, "leftThumbMetacarpal": { "node": 1 } } } } });
    for (name, extensions) in [("VRM", zero), ("VRMC_vrm", one)] {
        let mut build = two_bones();
        build.json["extensionsUsed"] = json!([name]);
        build.json["extensions"] = extensions;
        let mut roles = read(&build.glb()).declared_roles;
        roles.sort();
        assert_eq!(roles, [(Role::Pelvis, BoneIndex(0)), (Role::Thigh(Side::Left), BoneIndex(1))], "{name}");
    }
}

/// A node, hips below it and legs below those, the node scaled by `above` and the hips by `hips`.
fn scaled_body(above: [f64; 3], hips: [f64; 3]) -> Build {
    let mut build = Build::new();
    build.node(json!({ "name": "Armature", "children": [1], "scale": above }));
    build.node(json!({ "name": "Hips", "children": [2, 5, 8], "translation": [0, 1, 0], "scale": hips }));
    for (side, x, first) in [("Left", 0.1, 2), ("Right", -0.1, 5)] {
        build.node(json!({ "name": format!("{side}UpLeg"), "children": [first + 1], "translation": [x, -0.1, 0] }));
        build.node(json!({ "name": format!("{side}Leg"), "children": [first + 2], "translation": [0, -0.4, 0] }));
        build.node(json!({ "name": format!("{side}Foot"), "translation": [0, -0.4, 0] }));
    }
    build.node(json!({ "name": "Spine", "translation": [0, 0.2, 0] }));
    build
}

#[test]
fn uneven_scale_above_the_pelvis_is_told() {
    let warnings = |build: &Build| {
        let file = crate::support::exports::read("body.glb", &build.glb());
        let uneven = file.warnings.into_iter().filter(|warning| warning.message.contains("scale above the pelvis"));
        uneven.map(|warning| (warning.kind, warning.place, warning.count)).collect::<Vec<_>>()
    };
    let told = vec![(WarningKind::Dropped, "Armature".to_owned(), 1)];
    assert_eq!(warnings(&scaled_body([1.0, 2.0, 1.0], [1.0; 3])), told);
    assert_eq!(warnings(&scaled_body([0.01; 3], [1.0; 3])), []);
    // On the pelvis and below it is another matter: it shears nothing that a root is put under.
    assert_eq!(warnings(&scaled_body([1.0; 3], [1.0, 2.0, 1.0])), []);
    let mut build = scaled_body([1.0; 3], [1.0; 3]);
    let animation = build.animation(json!({ "name": "squash" }));
    for leaf in [4, 7, 8] {
        build.keys(animation, leaf, "translation", &SECOND, &MOVE, "LINEAR");
    }
    build.keys(animation, 0, "scale", &SECOND, &[1.0, 1.0, 1.0, 1.0, 0.5, 1.0], "LINEAR");
    assert_eq!(warnings(&build), told);
}
