use std::collections::BTreeMap;
use std::sync::Arc;

use glam::{DQuat, DVec3};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use stridesmith::formats::deliver::{Target, export_gltf};
use stridesmith::formats::glb_author::{self, AuthorOptions};
use stridesmith::formats::gltf_write::{Written, write};
use stridesmith::formats::proof::{TimesAs, Tolerance, prove};
use stridesmith::formats::publish::BACKUP_FOLDER;
use stridesmith::formats::{Export, ExportClip, WriteError};
use stridesmith::motion::*;

use crate::support::exports::*;
use crate::support::gltf_build::{self, Build};
use crate::support::validator::assert_clean;

/// JSON text and binary chunk of a GLB.
fn split(glb: &[u8]) -> (String, Vec<u8>) {
    let word = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!(word(8), glb.len());
    let end = 20 + word(12);
    let bin = if glb.len() > end { glb[end + 8..end + 8 + word(end)].to_vec() } else { Vec::new() };
    (String::from_utf8(glb[20..end].to_vec()).unwrap(), bin)
}

fn value(glb: &[u8]) -> Value {
    serde_json::from_str(&split(glb).0).unwrap()
}

type Raw = BTreeMap<String, Box<RawValue>>;

fn raw_list(top: &Raw, key: &str) -> Vec<String> {
    let list: Vec<Box<RawValue>> = serde_json::from_str(top[key].get()).unwrap();
    list.iter().map(|item| item.get().to_owned()).collect()
}

/// A GLB with two animations, and text that no serialiser would write.
fn source() -> SourceFile {
    let made = character();
    let walk = walk(&made.skeleton);
    let mut idle = walk.clone();
    idle.name = "Idle".into();
    idle.tracks[1] = [None, None, None];
    let clips = [exported("Walk", walk, None), exported("Idle", idle, None)];
    let glb = glb_author::write(&made, &clips, &AuthorOptions::default()).unwrap().bytes;
    let (json, bin) = split(&glb);
    let odd = "{ \"extras\" : {\"keep\":1.50e+00 , \"\\u00e9\":[ ]} ,\r\n\t\"asset\" :";
    let json = json.replacen("{\"asset\":", odd, 1).replacen("\"name\":\"Spine\"", "\"name\":\"Sp\\u0069ne\"", 1);
    read("walk.glb", &gltf_build::glb(json.trim_end().as_bytes(), &[&bin]))
}

fn put(source: &SourceFile, clips: &[ExportClip], alone: bool) -> Written {
    write(&Export { source, clips, alone }, "out").unwrap()
}

/// The clip with one leg turned, and nothing else.
fn one_leg_turned(clip: &Clip) -> Clip {
    let leg = clip.skeleton.find("Leg_L").unwrap();
    let old = Arc::clone(clip.track(leg, Property::Rotation).unwrap());
    let turn = DQuat::from_rotation_y(0.3);
    let values: Vec<f32> =
        (0..old.times.len()).flat_map(|i| (turn * old.quat_key(i)).to_array()).map(|c| c as f32).collect();
    let mut new = Track::new(Property::Rotation, Arc::clone(&old.times), values.into(), old.interpolation).unwrap();
    new.times_from = old.times_from;
    let mut clip = clip.clone();
    clip.set_track(leg, Property::Rotation, new);
    clip
}

#[test]
fn an_unedited_export_copies_the_bytes() {
    let source = source();
    let written = put(&source, &[], false);
    assert!(written.main == *source.bytes && written.side.is_empty());
}

#[test]
fn one_replaced_track_changes_only_that() {
    let source = source();
    let clip = one_leg_turned(&source.clips[0]);
    let written = put(&source, &[exported("Walk_Turned", clip.clone(), None)], false);
    assert_clean("one_track.glb", &written.main);
    let ((old_text, old_bin), (new_text, new_bin)) = (split(&source.bytes), split(&written.main));
    assert!(new_bin.starts_with(&old_bin), "old data must stay where it is");
    // Only the 31 new rotations: the times are the source's.
    assert_eq!(new_bin.len(), old_bin.len() + 31 * 16);
    assert!(new_text.starts_with("{ \"extras\" : {\"keep\":1.50e+00 , \"\\u00e9\":[ ]} ,\r\n\t\"asset\" :"));
    let (old, new): (Raw, Raw) = (serde_json::from_str(&old_text).unwrap(), serde_json::from_str(&new_text).unwrap());
    assert!(old.keys().eq(new.keys()));
    for (key, text) in &old {
        match key.as_str() {
            "animations" | "accessors" | "bufferViews" => {
                let (old, new) = (raw_list(&old, key), raw_list(&new, key));
                assert_eq!((new.len(), &new[..old.len()]), (old.len() + 1, &old[..]), "{key}");
            }
            "buffers" => assert_eq!(new[key].get(), format!("[{{\"byteLength\":{}}}]", new_bin.len())),
            _ => assert_eq!(text.get(), new[key].get(), "{key}"),
        }
    }
    let added: Value = serde_json::from_str(raw_list(&new, "animations").last().unwrap()).unwrap();
    let was: Value = serde_json::from_str(&raw_list(&old, "animations")[0]).unwrap();
    assert_eq!(added["channels"].as_array().unwrap().len(), 5);
    let sampler_of = |animation: &Value, node: u64, path: &str| {
        let channels = animation["channels"].as_array().unwrap();
        let channel = channels.iter().find(|c| c["target"]["node"] == node && c["target"]["path"] == path).unwrap();
        animation["samplers"][channel["sampler"].as_u64().unwrap() as usize].clone()
    };
    for channel in was["channels"].as_array().unwrap() {
        let (node, path) = (channel["target"]["node"].as_u64().unwrap(), channel["target"]["path"].as_str().unwrap());
        let (before, after) = (sampler_of(&was, node, path), sampler_of(&added, node, path));
        if node == 3 {
            assert_eq!(before["input"], after["input"]);
            assert_ne!(before["output"], after["output"]);
        } else {
            assert_eq!(before, after);
        }
    }
    let back = read("back.glb", &written.main);
    assert_eq!((back.clips.len(), written.takes.as_slice(), back.clips[2].name.as_str()), (3, &[2][..], "Walk_Turned"));
    let report = prove(&clip, &back.clips[2], TimesAs::F32, &Tolerance::default()).unwrap();
    assert!(report.distance_m < 1e-9, "{report:?}");
    prove(&source.clips[1], &back.clips[1], TimesAs::F32, &Tolerance::default()).unwrap();
    let record = added["extras"]["stridesmith"].clone();
    assert_eq!((record["schema"].as_u64(), record["markers"].as_array().map(Vec::len)), (Some(1), Some(0)));
}

#[test]
fn a_retimed_clip_keeps_its_values_in_place() {
    let source = source();
    let mut clip = Clip::clone(&source.clips[0]);
    for track in clip.tracks.iter_mut().flatten().flatten() {
        let times: Vec<f64> = track.times.iter().map(|t| t / 1.1).collect();
        let mut new = Track::clone(track);
        new.times = Arc::new(Times::from_keys(times).unwrap());
        new.times_from = None;
        if new.interpolation == Interpolation::CubicSpline {
            new.values_from = None;
        }
        *track = Arc::new(new);
    }
    let written = put(&source, &[exported("Walk_Rate110", clip.clone(), None)], true);
    assert_clean("retimed.glb", &written.main);
    let (old_bin, new_bin) = (split(&source.bytes).1, split(&written.main).1);
    // 31 times shared by three tracks, 3 each of spline and steps, and the spline's own values.
    assert_eq!(new_bin.len() - old_bin.len(), (31 + 3 + 3) * 4 + 9 * 16);
    let back = read("back.glb", &written.main);
    prove(&clip, &back.clips[0], TimesAs::F32, &Tolerance::default()).unwrap();
}

#[test]
fn writing_alone_is_a_fixed_point() {
    let source = source();
    let clip = exported("Walk_Turned", one_leg_turned(&source.clips[0]), None);
    let once = put(&source, std::slice::from_ref(&clip), true);
    let back = read("once.glb", &once.main);
    assert_eq!(back.clips.len(), 1);
    let again = ExportClip { clip: Arc::clone(&back.clips[0]), ..clip };
    let twice = put(&back, &[again], true);
    assert!(once.main == twice.main, "{}\n{}", split(&once.main).0, split(&twice.main).0);
}

#[test]
fn alone_without_clips_leaves_no_animations() {
    let source = source();
    let written = put(&source, &[], true);
    assert_clean("none.glb", &written.main);
    assert!(value(&written.main).get("animations").is_none());
    assert_eq!(split(&written.main).1, split(&source.bytes).1);
}

#[test]
fn an_inserted_root_moves_nothing_and_other_clips_stay() {
    let source = source();
    for reference in [Transform::IDENTITY, Transform::rigid(DVec3::new(1.0, 20.0, 3.0), DQuat::from_rotation_z(0.4))] {
        let (mut clip, patch) = with_root(&source.clips[0], "Hips", reference, DVec3::new(0.1, -4.0, 0.0));
        let still = track(Property::Rotation, &[0.5], &[0.0, 0.0, 0.0, 1.0], Interpolation::Linear);
        clip.set_track(BoneIndex(1), Property::Rotation, still);
        let clips =
            [exported("Walk_RM", clip.clone(), Some(patch)), exported("Idle_2", (*source.clips[1]).clone(), None)];
        let written = put(&source, &clips, false);
        assert_clean("root.glb", &written.main);
        let json = value(&written.main);
        let root = json["nodes"].as_array().unwrap().len() - 1;
        assert_eq!(json["nodes"][root]["name"], "root");
        assert_eq!(json["nodes"][root]["children"], json!([1]));
        assert_eq!(json["nodes"][0]["children"], json!([root]));
        assert_eq!(json["skins"][0]["joints"], json!([1, 2, 3, 4, root]));
        let back = read("back.glb", &written.main);
        assert_eq!(
            back.clips.iter().map(|c| c.name.as_str()).collect::<Vec<_>>(),
            ["Walk", "Idle", "Walk_RM", "Idle_2"]
        );
        prove(&clip, &back.clips[2], TimesAs::F32, &Tolerance::default()).unwrap();
        for (before, after) in [(0, 0), (1, 1), (0, 2), (1, 3)] {
            let (distance, angle) = largest_difference(&source.clips[before], &back.clips[after]);
            assert!(distance < 1e-6 && angle < 1e-6, "{reference:?}: {after} is off by {distance} m, {angle} rad");
        }
        // Where the root was bound: on its parent, which stands at the origin here.
        let root_bind = back.skins[0].inverse_binds[4].inverse();
        let expected = source.skeleton.node_pose_component()[0] * reference.to_affine();
        assert!(root_bind.abs_diff_eq(expected, 1e-6), "{root_bind} {expected}");
        for (old, new) in source.skins[0].inverse_binds.iter().zip(&back.skins[0].inverse_binds) {
            assert_eq!(old, new);
        }
    }
}

#[test]
fn a_top_bone_and_a_skin_rooted_in_it_get_the_root_above() {
    let mut build = Build::new();
    let hips = build.node(json!({ "name": "Hips", "children": [1], "translation": [0, 1, 0] }));
    build.node(json!({ "name": "Leg" }));
    build.element("scenes", json!({ "nodes": [0] }));
    build.element("skins", json!({ "joints": [0, 1], "skeleton": 0 }));
    let take = build.animation(json!({ "name": "Walk" }));
    build.keys(take, hips, "translation", &[0.0, 1.0], &[0.0, 1.0, 0.0, 0.0, 1.0, 2.0], "LINEAR");
    for accessor in build.json["accessors"].as_array_mut().unwrap() {
        accessor.as_object_mut().unwrap().remove("normalized");
    }
    build.json["accessors"][0]["min"] = json!([0.0]);
    build.json["accessors"][0]["max"] = json!([1.0]);
    let source = read("hips.glb", &build.glb());
    let (clip, patch) = with_root(&source.clips[0], "Hips", Transform::IDENTITY, DVec3::Z * 2.0);
    let written = put(&source, &[exported("Walk_RM", clip, Some(patch))], true);
    assert_clean("top.glb", &written.main);
    let json = value(&written.main);
    assert_eq!(json["scenes"][0]["nodes"], json!([2]));
    assert_eq!((&json["skins"][0]["skeleton"], &json["skins"][0]["joints"]), (&json!(2), &json!([0, 1, 2])));
    assert!(json["skins"][0].get("inverseBindMatrices").is_none());
}

/// Node 0 is moved, its weights and something by pointer too; one channel names no node.
fn with_strangers() -> Build {
    let mut build = Build::new();
    build.node(json!({ "name": "Hips", "mesh": 0 }));
    build.element("scenes", json!({ "nodes": [0] }));
    build.json["extensionsUsed"] = json!(["KHR_animation_pointer"]);
    let take = build.animation(json!({ "name": "Walk", "extras": { "mine": 1 } }));
    build.keys(take, 0, "translation", &[0.0, 1.0], &[0.0; 6], "LINEAR");
    let (input, output) = (build.floats(&[0.0, 0.5], "SCALAR"), build.floats(&[0.0, 1.0], "SCALAR"));
    build.channel(take, json!({ "node": 0, "path": "weights" }), input, output, "STEP");
    let pointer =
        json!({ "path": "pointer", "extensions": { "KHR_animation_pointer": { "pointer": "/materials/0/x" } } });
    build.channel(take, pointer, input, output, "LINEAR");
    build.channel(take, json!({ "path": "rotation", "extras": "nobody" }), input, output, "LINEAR");
    build
}

#[test]
fn channels_that_drive_no_bone_are_carried() {
    let source = read("strangers.glb", &with_strangers().glb());
    let mut clip = Clip::clone(&source.clips[0]);
    let moved = track(Property::Translation, &[0.0, 2.0], &[0.0, 0.0, 0.0, 1.0, 2.0, 3.0], Interpolation::Linear);
    clip.set_track(BoneIndex(0), Property::Translation, moved);
    clip.range.end_secs = 2.0;
    let written = put(&source, &[exported("Long", clip, None)], false);
    let json = value(&written.main);
    let (old, new) = (&json["animations"][0], &json["animations"][1]);
    assert_eq!(new["extras"]["mine"], 1);
    assert_eq!(new["extras"]["stridesmith"]["generator"], "stridesmith 0.1.0");
    for i in 0..4 {
        assert_eq!(old["channels"][i]["target"], new["channels"][i]["target"]);
        let sampler = |animation: &Value| {
            animation["samplers"][animation["channels"][i]["sampler"].as_u64().unwrap() as usize].clone()
        };
        assert_eq!(sampler(old) == sampler(new), i > 0, "{i}");
    }
    assert_eq!(written.warnings.len(), 1, "the weights' times are no longer the clip's, and that is said");
    let back = read("back.glb", &written.main);
    assert_eq!(back.clips[1].component_at(2.0).position(BoneIndex(0)), DVec3::new(1.0, 2.0, 3.0));
}

#[test]
fn an_untouched_channel_keeps_what_its_author_noted() {
    let mut build = with_strangers();
    build.json["animations"][0]["channels"].as_array_mut().unwrap().truncate(1);
    build.json["animations"][0]["channels"][0]["extras"] = json!({ "seen": true });
    build.json["animations"][0]["samplers"][0]["extras"] = json!("by hand");
    let source = read("noted.glb", &build.glb());
    let written = put(&source, &[exported("Again", Clip::clone(&source.clips[0]), None)], false);
    let json = value(&written.main);
    let (old, new) = (&json["animations"][0], &json["animations"][1]);
    assert_eq!(old["channels"][0], new["channels"][0]);
    assert_eq!(old["samplers"][0], new["samplers"][0]);
    assert_eq!(new["samplers"][0]["extras"], "by hand");
}

#[test]
fn a_text_file_keeps_its_mark_and_its_last_line_end() {
    let mut build = with_strangers();
    build.json["animations"][0]["channels"].as_array_mut().unwrap().truncate(1);
    let data = base64_of(&build.bin);
    let text = format!("\u{feff}{}\r\n", String::from_utf8(build.gltf(&data)).unwrap());
    let source = read("marked.gltf", text.as_bytes());
    let written = put(&source, &[exported("Again", Clip::clone(&source.clips[0]), None)], false);
    let new = String::from_utf8(written.main).unwrap();
    assert!(new.starts_with("\u{feff}{") && new.ends_with("}\r\n"));
}

fn base64_of(bytes: &[u8]) -> String {
    use base64::Engine;
    format!("data:application/octet-stream;base64,{}", base64::engine::general_purpose::STANDARD.encode(bytes))
}

#[test]
fn a_track_that_was_taken_out_stays_out() {
    let source = source();
    let mut clip = Clip::clone(&source.clips[0]);
    let spine = clip.skeleton.find("Spine").unwrap();
    clip.tracks[spine.get()] = [None, None, None];
    let json = value(&put(&source, &[exported("Stiff", clip, None)], true).main);
    let nodes: Vec<&Value> =
        json["animations"][0]["channels"].as_array().unwrap().iter().map(|c| &c["target"]["node"]).collect();
    assert_eq!(nodes, [1, 3, 4]);
}

#[test]
fn a_driven_node_says_its_transform_in_parts() {
    let mut build = Build::new();
    build.node(json!({ "name": "Hips", "matrix": [1,0,0,0, 0,0,-1,0, 0,1,0,0, 2,3,4,1], "extras": 7 }));
    build.element("scenes", json!({ "nodes": [0] }));
    build
        .json
        .as_object_mut()
        .unwrap()
        .retain(|key, _| !["animations", "accessors", "bufferViews", "buffers"].contains(&key.as_str()));
    let source = read("matrix.glb", &gltf_build::glb(build.json.to_string().as_bytes(), &[]));
    let mut clip = Clip::empty(
        "Turn",
        Arc::clone(&source.skeleton),
        TimeRange { start_secs: 0.0, end_secs: 1.0 },
        FrameRate::FALLBACK,
    );
    clip.set_track(
        BoneIndex(0),
        Property::Scale,
        track(Property::Scale, &[0.0, 1.0], &[1.0, 1.0, 1.0, 2.0, 2.0, 2.0], Interpolation::Linear),
    );
    let written = put(&source, &[exported("Turn", clip.clone(), None)], false);
    assert_clean("matrix.glb", &written.main);
    let node = &value(&written.main)["nodes"][0];
    assert!(node.get("matrix").is_none() && node["extras"] == 7, "{node}");
    let back = read("back.glb", &written.main);
    prove(&clip, &back.clips[0], TimesAs::F32, &Tolerance::default()).unwrap();
}

#[test]
fn a_clip_without_keys_is_written_and_keeps_its_range() {
    let source = source();
    let range = TimeRange { start_secs: 0.25, end_secs: 1.75 };
    let clip = Clip::empty("Still", Arc::clone(&source.skeleton), range, FrameRate::FALLBACK);
    let written = put(&source, &[exported("Still", clip.clone(), None)], true);
    assert_clean("still.glb", &written.main);
    let back = read("back.glb", &written.main);
    assert_eq!(back.clips[0].range, range);
    prove(&clip, &back.clips[0], TimesAs::F32, &Tolerance::default()).unwrap();
}

#[test]
fn keys_that_fall_together_in_32_bits_move_apart_or_are_refused() {
    let source = source();
    let clip_at = |times: &[f64]| {
        let range = TimeRange { start_secs: times[0], end_secs: times[times.len() - 1] };
        let mut clip = Clip::empty("Far", Arc::clone(&source.skeleton), range, FrameRate::FALLBACK);
        let values: Vec<f32> = (0..times.len()).flat_map(|i| [i as f32, 0.0, 0.0]).collect();
        clip.set_track(
            BoneIndex(1),
            Property::Translation,
            track(Property::Translation, times, &values, Interpolation::Linear),
        );
        exported("Far", clip, None)
    };
    // One step of f32 is 2⁻¹¹ s here.
    let clips = [clip_at(&[4096.0, 4096.0001, 4097.0])];
    let written = put(&source, &clips, true);
    assert_clean("far.glb", &written.main);
    let back = read("back.glb", &written.main);
    let times: Vec<f64> = back.clips[0].track(BoneIndex(1), Property::Translation).unwrap().times.iter().collect();
    assert_eq!(times, [4096.0, 4096.0 + 2.0_f64.powi(-11), 4097.0]);
    let dense: Vec<f64> = (0..10).map(|i| 4096.0 + f64::from(i) * 1e-5).collect();
    let clips = [clip_at(&dense)];
    let refused = write(&Export { source: &source, clips: &clips, alone: true }, "out").unwrap_err();
    assert!(matches!(&refused, WriteError::Unsupported { what, .. } if what.contains("Far")), "{refused}");
    let clips = [clip_at(&[-0.5, 1.0])];
    assert!(
        write(&Export { source: &source, clips: &clips, alone: true }, "out")
            .unwrap_err()
            .to_string()
            .contains("start at 0")
    );
}

/// `walk.gltf` with `old data.bin` beside it, in a folder.
fn text_source(folder: &std::path::Path) -> SourceFile {
    let (json, bin) = split(&source().bytes);
    let uri = format!("[{{\"byteLength\":{},\"uri\":\"old%20data.bin\"}}]", bin.len());
    let json = json.replacen(&format!("[{{\"byteLength\":{}}}]", bin.len()), &uri, 1);
    for (name, bytes) in [("old data.bin", bin.as_slice()), ("walk.gltf", json.trim_end().as_bytes())] {
        std::io::Write::write_all(&mut std::fs::File::create(folder.join(name)).unwrap(), bytes).unwrap();
    }
    read_in(folder, "walk.gltf")
}

#[test]
fn text_files_get_a_second_buffer_beside_the_first() {
    let home = tempfile::tempdir().unwrap();
    let source = text_source(home.path());
    let clips = [exported("Walk_Turned", one_leg_turned(&source.clips[0]), None)];
    let export = Export { source: &source, clips: &clips, alone: false };
    let delivered = export_gltf(&export, Target::New { folder: home.path(), stem: "walk RM" }).unwrap();
    assert_eq!(delivered.published.main, home.path().join("walk RM.gltf"));
    let json: Value = serde_json::from_slice(&std::fs::read(&delivered.published.main).unwrap()).unwrap();
    assert_eq!(json["buffers"][0]["uri"], "old%20data.bin");
    assert_eq!(json["buffers"][1], json!({ "byteLength": 31 * 16, "uri": "walk%20RM.bin" }));
    if let Some(found) = crate::support::validator::findings(&delivered.published.main) {
        assert!(found.is_empty(), "{found:?}");
    }
    // In another folder the old buffer comes along.
    let other = tempfile::tempdir().unwrap();
    export_gltf(&export, Target::New { folder: other.path(), stem: "walk" }).unwrap();
    let back = read_in(other.path(), "walk.gltf");
    prove(&clips[0].clip, &back.clips[2], TimesAs::F32, &Tolerance::default()).unwrap();
    assert_eq!(
        std::fs::read(other.path().join("old data.bin")).unwrap(),
        std::fs::read(home.path().join("old data.bin")).unwrap()
    );
}

#[test]
fn a_text_file_in_one_piece_stays_in_one_piece() {
    let mut build = with_strangers();
    build.json["animations"][0]["channels"].as_array_mut().unwrap().truncate(1);
    let source = read("one.gltf", &build.gltf(&base64_of(&build.bin)));
    let mut clip = Clip::clone(&source.clips[0]);
    let moved = track(Property::Translation, &[0.0, 1.0], &[0.0, 0.0, 0.0, 1.0, 2.0, 3.0], Interpolation::Linear);
    clip.set_track(BoneIndex(0), Property::Translation, moved);
    let written = put(&source, &[exported("Moved", clip.clone(), None)], false);
    assert!(written.side.is_empty());
    let back = read("back.gltf", &written.main);
    prove(&clip, &back.clips[1], TimesAs::F32, &Tolerance::default()).unwrap();
}

#[test]
fn a_whole_export_is_proved_published_and_updated() {
    let home = tempfile::tempdir().unwrap();
    let source = source();
    let (clip, patch) = with_root(&source.clips[0], "Hips", Transform::IDENTITY, DVec3::new(0.0, -4.0, 0.0));
    let clips = [exported("Walk_RM", clip, Some(patch))];
    let export = Export { source: &source, clips: &clips, alone: true };
    let first = export_gltf(&export, Target::New { folder: home.path(), stem: "walk_RM" }).unwrap();
    assert_eq!(first.published.beside, [home.path().join("walk_RM.stridesmith.json")]);
    let clips = [exported("Walk_Turned", one_leg_turned(&source.clips[0]), None)];
    let changed = Export { clips: &clips, ..export };
    let second = export_gltf(&changed, Target::Update(&first.published.main)).unwrap();
    assert_eq!(second.published.main, first.published.main);
    assert!(home.path().join(BACKUP_FOLDER).join("walk_RM_01/walk_RM.glb").exists());
    assert_eq!(read_in(home.path(), "walk_RM.glb").clips[0].name, "Walk_Turned");
    // From another format a GLB is made.
    let made = character();
    let clips = [exported("Walk", walk(&made.skeleton), None)];
    let export = Export { source: &made, clips: &clips, alone: false };
    let authored = export_gltf(&export, Target::New { folder: home.path(), stem: "made" }).unwrap();
    assert_eq!(authored.published.main, home.path().join("made.glb"));
    // What is read back is compared, not only parsed.
    let mut wrong = walk(&made.skeleton);
    wrong.markers.push(Marker { track: "FootSync".into(), name: "foot_r".into(), time_secs: 0.9, ours: true });
    let record = exported("Walk", walk(&made.skeleton), None).record;
    let clips = [ExportClip { record, ..exported("Walk", wrong, None) }];
    let export = Export { source: &made, clips: &clips, alone: false };
    let error = export_gltf(&export, Target::New { folder: home.path(), stem: "never" }).unwrap_err();
    assert!(matches!(error, WriteError::Proof(_)), "{error}");
    assert!(
        !std::fs::read_dir(home.path()).unwrap().any(|e| e.unwrap().file_name().to_string_lossy().contains("never"))
    );
}
