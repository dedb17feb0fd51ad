//! Each bound of [`Limits`] is kept by every reader it concerns.

use serde_json::json;
use stridesmith::formats::{FolderFetch, Limits, NoFetch, ReadError};

use super::units::walker;
use super::*;
use crate::support::fbx_ascii::{Node, SkinnedMesh};
use crate::support::gltf_build::Build;

/// A chain of three nodes; two animations of 10 keys; a mesh of four vertices.
fn glb() -> Vec<u8> {
    let mut build = Build::new();
    build.node(json!({ "name": "a", "children": [1], "mesh": 0 }));
    build.node(json!({ "name": "b", "children": [2] }));
    build.node(json!({ "name": "c" }));
    let corners = build.floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0], "VEC3");
    let order: Vec<u8> = [0_u16, 1, 2, 0, 2, 3].iter().flat_map(|i| i.to_le_bytes()).collect();
    let indices = build.raw(&order, 5123, "SCALAR", 6, false);
    build.element("meshes", json!({ "primitives": [{ "attributes": { "POSITION": corners }, "indices": indices }] }));
    let times: Vec<f32> = (0..10).map(|i| i as f32 / 30.0).collect();
    for name in ["one", "two"] {
        let animation = build.animation(json!({ "name": name }));
        build.keys(animation, 2, "translation", &times, &[0.5; 30], "LINEAR");
    }
    build.glb()
}

/// The walker with a square of two triangles.
fn fbx() -> Vec<u8> {
    let mut scene = walker(1.0, 1.0);
    let node = scene.nodes.len();
    scene.nodes.push(Node::limb("Body", None).of_class("Mesh"));
    let points = vec![[0.0, 0.0, 0.0], [10.0, 0.0, 0.0], [10.0, 10.0, 0.0], [0.0, 10.0, 0.0]];
    scene.mesh = Some(SkinnedMesh { node, points, polygons: vec![vec![0, 1, 2, 3]], clusters: vec![] });
    scene.bytes()
}

fn bvh() -> Vec<u8> {
    let joint = "CHANNELS 3 Zrotation Xrotation Yrotation";
    let rows = "0 90 0 1 2 3 4 5 6\n".repeat(10);
    format!(
        "HIERARCHY\nROOT a {{ OFFSET 0 0 0 CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n\
         JOINT b {{ OFFSET 0 10 0 {joint}\nEnd Site {{ OFFSET 0 5 0 }} }} }}\nMOTION\nFrames: 10\nFrame Time: 0.0333333\n{rows}"
    )
    .into_bytes()
}

fn read(name: &str, bytes: &[u8], limits: Limits) -> Result<SourceFile, ReadError> {
    let options = ReadOptions { limits, ..ReadOptions::default() };
    formats::read(FileId(0), Path::new(name), bytes.into(), &NoFetch, &options)
}

/// What the file asks for, when it is too much.
#[track_caller]
fn asked(result: Result<SourceFile, ReadError>, limit: u64, what: &str) -> u64 {
    match result {
        Err(error @ ReadError::TooLarge { .. }) => {
            let text = error.to_string();
            let ReadError::TooLarge { asked, limit: told, .. } = error else { unreachable!() };
            assert_eq!(told, limit, "{what}: {text}");
            assert!(asked > limit && text.contains("made."), "{what}: {text}");
            asked
        }
        Err(other) => panic!("{what}: {other}"),
        Ok(_) => panic!("{what}: read without a word"),
    }
}

type Field = fn(&mut Limits, u64);
const NODES: Field = |limits, to| limits.nodes = to;
const DEPTH: Field = |limits, to| limits.depth = to;
const CLIPS: Field = |limits, to| limits.clips = to;
const SAMPLES: Field = |limits, to| limits.samples = to;
const VERTICES: Field = |limits, to| limits.vertices = to;
const DECODED: Field = |limits, to| limits.decoded_bytes = to;

fn with(field: Field, to: u64) -> Limits {
    let mut limits = Limits::default();
    field(&mut limits, to);
    limits
}

#[test]
fn counts_are_bounded_in_every_format() {
    let files = [("made.glb", glb()), ("made.fbx", fbx()), ("made.bvh", bvh())];
    for (name, bytes) in &files {
        read(name, bytes, Limits::default()).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    let [glb, fbx, bvh] = [0, 1, 2].map(|i| (files[i].0, &*files[i].1));
    // Where the number is known beforehand, it is told, and just enough is enough.
    for ((name, bytes), what, field, exactly) in [
        (glb, "nodes", NODES, Some(3)),
        (fbx, "nodes", NODES, Some(11)),
        (bvh, "nodes", NODES, None),
        (glb, "depth", DEPTH, None),
        (fbx, "depth", DEPTH, None),
        (bvh, "depth", DEPTH, None),
        (glb, "clips", CLIPS, Some(2)),
        (fbx, "clips", CLIPS, Some(1)),
        (glb, "samples", SAMPLES, None),
        (fbx, "samples", SAMPLES, None),
        (bvh, "samples", SAMPLES, None),
        (fbx, "vertices", VERTICES, Some(4)),
        (glb, "decoded bytes", DECODED, None),
        (fbx, "decoded bytes", DECODED, None),
    ] {
        let what = format!("{what} of {name}");
        let few = exactly.map_or(1, |n: u64| n - 1);
        let needs = asked(read(name, bytes, with(field, few)), few, &what);
        if let Some(exactly) = exactly {
            assert_eq!(needs, exactly, "{what}");
            assert!(read(name, bytes, with(field, exactly)).is_ok(), "{what}: just enough");
        }
    }
    // A file whose drawing would cost too much still shows its clips.
    let file = read("made.glb", glb.1, with(VERTICES, 3)).unwrap();
    assert!(file.meshes.is_empty() && file.clips.len() == 2);
    assert!(file.warnings.iter().any(|w| w.kind == WarningKind::Dropped && w.message.contains("3 vertices")));
    assert_eq!(read("made.glb", glb.1, with(VERTICES, 4)).unwrap().meshes.len(), 1);
}

#[test]
fn the_file_itself_is_measured_before_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in [("made.glb", glb()), ("made.fbx", fbx()), ("made.bvh", bvh())] {
        let path = folder.path().join(name);
        put(&path, &bytes);
        let size = bytes.len() as u64;
        let open = |file_bytes| {
            let limits = Limits { file_bytes, ..Limits::default() };
            formats::open(FileId(0), &path, &ReadOptions { limits, ..ReadOptions::default() })
        };
        assert_eq!(asked(open(size - 1), size - 1, name), size);
        assert!(open(size).is_ok(), "{name}");
    }
}

#[test]
fn side_files_are_bounded_each_and_together() {
    let mut build = Build::new();
    build.node(json!({ "name": "a" }));
    let animation = build.animation(json!({ "name": "one" }));
    build.keys(animation, 0, "translation", &[0.0, 1.0], &[0.0; 6], "LINEAR");
    build.json["images"] = json!([{ "uri": "skin.png" }]);
    build.json["textures"] = json!([{ "source": 0 }]);
    build.json["materials"] = json!([{ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } }]);
    let folder = tempfile::tempdir().unwrap();
    let (bin, png) = (build.bin.len() as u64, exports::PNG.len() as u64);
    put(&folder.path().join("keys.bin"), &build.bin);
    put(&folder.path().join("skin.png"), exports::PNG);
    let text = build.gltf("keys.bin");
    let open = |side_bytes| {
        let limits = Limits { side_bytes, ..Limits::default() };
        let fetch = FolderFetch::new(folder.path(), limits.clone());
        let options = ReadOptions { limits, ..ReadOptions::default() };
        formats::read(FileId(0), Path::new("made.gltf"), text.as_slice().into(), &fetch, &options)
    };
    let file = open(bin + png).unwrap();
    assert_eq!((file.textures.len(), file.warnings.len()), (1, 0), "{:?}", file.warnings);
    // Each fits, both do not: the picture is left out with a word.
    let file = open(bin + png - 1).unwrap();
    assert_eq!((file.textures.len(), file.clips.len()), (0, 1));
    assert!(file.warnings.iter().any(|w| w.message.contains("too large")), "{:?}", file.warnings);
    // Without its keys there is nothing to open.
    let refused = open(bin - 1).unwrap_err().to_string();
    assert!(refused.contains("keys.bin") && refused.contains(&(bin - 1).to_string()), "{refused}");
}

#[test]
fn json_nested_without_end_gets_an_answer() {
    for member in ["extras", "nodes", "asset", "unknown"] {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let deep = format!("{}0{}", open.repeat(200_000), close.repeat(200_000));
            for text in [
                format!("{{\"asset\":{{\"version\":\"2.0\"}},\"nodes\":[{{}}],\"{member}\":{deep}}}"),
                format!("{{\"asset\":{{\"version\":\"2.0\"}},\"nodes\":[{{\"extras\":{deep}}}]}}"),
                format!("{{\"{member}\":{}", open.repeat(200_000)),
            ] {
                if let Err(error) = read("made.gltf", text.as_bytes(), Limits::default()) {
                    assert!(error.to_string().contains("made.gltf"), "{error}");
                }
            }
        }
    }
}
