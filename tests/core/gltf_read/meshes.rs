//! What the preview gets: triangles, skins, colours, images.

use glam::{DAffine3, DVec3};
use serde_json::{Value, json};
use std::path::Path;
use stridesmith::formats::{Limits, NoFetch, ReadOptions, gltf_read};
use stridesmith::motion::{BoneIndex, FileId, SourceFile, WarningKind};

use super::{Table, read, warned};
use crate::support::gltf_build::Build;

const SQUARE: [f32; 12] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0];

/// A square on a node below an animated one, with these members for its primitive.
fn square(members: Value) -> Build {
    let mut build = Build::new();
    build.node(json!({ "name": "bone", "translation": [0, 1, 0], "children": [1] }));
    build.node(json!({ "name": "holder", "translation": [0, 0, 2], "children": [2] }));
    build.node(json!({ "mesh": 0, "scale": [3, 3, 3] }));
    let animation = build.animation(json!({}));
    build.keys(animation, 0, "translation", &[0.0], &[0.0; 3], "LINEAR");
    let positions = build.floats(&SQUARE, "VEC3");
    let mut primitive = members;
    primitive["attributes"]["POSITION"] = json!(positions);
    build.element("meshes", json!({ "name": "square", "primitives": [primitive] }));
    build
}

fn indices(build: &mut Build, numbers: &[u16]) -> usize {
    let bytes: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
    build.raw(&bytes, 5123, "SCALAR", numbers.len(), false)
}

#[test]
fn stiff_meshes_hang_on_the_nearest_bone() {
    let mut build = square(json!({}));
    let corners = indices(&mut build, &[0, 1, 2, 2, 1, 3]);
    build.json["meshes"][0]["primitives"][0]["indices"] = json!(corners);
    let file = read(&build.glb());
    assert_eq!(file.warnings, []);
    let mesh = &file.meshes[0];
    assert_eq!((mesh.name.as_str(), mesh.carried_by, mesh.skin), ("square", Some(BoneIndex(0)), None));
    let expected = DAffine3::from_translation(DVec3::Z * 2.0) * DAffine3::from_scale(DVec3::splat(3.0));
    assert_eq!(mesh.at, expected);
    assert_eq!(
        (mesh.positions.len(), mesh.positions[3], &mesh.indices[..]),
        (4, [1.0, 1.0, 0.0], &[0, 1, 2, 2, 1, 3][..])
    );
}

#[test]
fn strips_and_fans_become_triangles_and_lines_are_left_out() {
    let triangles = |mode: u32| {
        let file = read(&square(json!({ "mode": mode })).glb());
        (file.meshes.first().map(|mesh| mesh.indices.clone()), warned(&file, WarningKind::Dropped))
    };
    assert_eq!(triangles(4), (Some(vec![0, 1, 2]), vec![]));
    assert_eq!(triangles(5), (Some(vec![0, 1, 2, 1, 3, 2]), vec![]));
    assert_eq!(triangles(6), (Some(vec![1, 2, 0, 2, 3, 0]), vec![]));
    let (lines, said) = triangles(1);
    assert_eq!((lines, said[0].0.as_str()), (None, "meshes[0].primitives[0]"));
}

#[test]
fn quantised_attributes_are_decoded() {
    let mut build = square(json!({}));
    build.json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
    let positions: Vec<u8> =
        [[1i16, -2, 3, 0], [4, 5, 6, 0], [7, 8, 9, 0]].concat().iter().flat_map(|n| n.to_le_bytes()).collect();
    let position = build.raw(&positions, 5122, "VEC3", 3, false);
    let normal = build.raw(&[127, 0, 0, 0, 0, 0x81, 0, 0, 0, 0, 127, 0], 5120, "VEC3", 3, true);
    let uv = build.raw(&[0, 255, 0, 0, 51, 51, 0, 0, 255, 0, 0, 0], 5121, "VEC2", 3, true);
    for (accessor, stride) in [(position, 8), (normal, 4), (uv, 4)] {
        let view = build.json["accessors"][accessor]["bufferView"].as_u64().unwrap() as usize;
        build.json["bufferViews"][view]["byteStride"] = json!(stride);
    }
    build.json["meshes"][0]["primitives"][0]["attributes"] =
        json!({ "POSITION": position, "NORMAL": normal, "TEXCOORD_0": uv });
    let file = read(&build.glb());
    assert_eq!(file.warnings, []);
    let mesh = &file.meshes[0];
    assert_eq!(mesh.positions, [[1.0, -2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]);
    assert_eq!(mesh.normals, [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]]);
    assert_eq!(mesh.uvs, [[0.0, 1.0], [0.2, 0.2], [1.0, 0.0]]);
}

fn skinned() -> Build {
    let mut build = square(json!({}));
    build.element("skins", json!({ "joints": [0, 1] }));
    build.json["nodes"][2]["skin"] = json!(0);
    let joints = build.raw(&[0, 1, 0, 0, 1, 0, 0, 0, 0, 9, 0, 0, 5, 0, 0, 0], 5121, "VEC4", 4, false);
    let rows = [[0.5, 0.5, 0.0, 0.0], [2.0, 0.0, 0.0, 0.0], [0.25, 0.75, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]];
    let weights = build.floats(&rows.concat(), "VEC4");
    let attributes = &mut build.json["meshes"][0]["primitives"][0]["attributes"];
    attributes["JOINTS_0"] = json!(joints);
    attributes["WEIGHTS_0"] = json!(weights);
    build
}

#[test]
fn weights_are_brought_to_one_and_strange_joints_let_go() {
    let file = read(&skinned().glb());
    let mesh = &file.meshes[0];
    assert_eq!((mesh.skin, mesh.carried_by, mesh.at), (Some(0), None, DAffine3::IDENTITY));
    assert_eq!(mesh.joints, [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]);
    let first = [1.0, 0.0, 0.0, 0.0];
    assert_eq!(mesh.weights, [[0.5, 0.5, 0.0, 0.0], first, first, first]);
    assert_eq!(file.skins[0].joints, [BoneIndex(0), BoneIndex(1)]);
    assert_eq!(warned(&file, WarningKind::Dropped).len(), 1);
}

#[test]
fn skins_that_are_not_there_leave_the_mesh_stiff() {
    let mut build = skinned();
    build.json["nodes"][2]["skin"] = json!(4);
    let file = read(&build.glb());
    assert_eq!((file.meshes[0].skin, file.meshes[0].carried_by), (None, Some(BoneIndex(1))));
    assert_eq!(warned(&file, WarningKind::Dropped)[0].0, "nodes[2].skin");
}

#[test]
fn draco_meshes_are_reported_and_clips_still_open() {
    let mut build = skinned();
    build.json["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]);
    let primitive = &mut build.json["meshes"][0]["primitives"][0];
    let position = primitive["attributes"]["POSITION"].as_u64().unwrap() as usize;
    primitive["extensions"] =
        json!({ "KHR_draco_mesh_compression": { "bufferView": 0, "attributes": { "POSITION": 0 } } });
    build.json["accessors"][position].as_object_mut().unwrap().remove("bufferView");
    let file = read(&build.glb());
    assert_eq!((file.meshes.len(), file.clips[0].tracks.iter().flatten().flatten().count()), (0, 1));
    let said = warned(&file, WarningKind::Dropped);
    assert!(said.len() == 1 && said[0].1.contains("KHR_draco_mesh_compression"), "{said:?}");
}

#[test]
fn meshes_beyond_the_limit_are_left_out() {
    let options = ReadOptions { limits: Limits { vertices: 3, ..Limits::default() }, ..ReadOptions::default() };
    let bytes = square(json!({})).glb();
    let file = gltf_read::read(FileId(0), Path::new("made.glb"), bytes.into(), &NoFetch, &options).unwrap();
    assert_eq!((file.meshes.len(), file.clips.len()), (0, 1));
    assert!(file.warnings[0].message.contains("more than 3 vertices"));
}

#[test]
fn broken_triangles_and_attributes_are_left_out() {
    let mut build = square(json!({}));
    let corners = indices(&mut build, &[0, 1, 2, 2, 1, 44, 3]);
    let uv = build.floats(&[0.0, 1.0], "VEC2");
    let primitive = &mut build.json["meshes"][0]["primitives"][0];
    primitive["indices"] = json!(corners);
    primitive["attributes"]["TEXCOORD_0"] = json!(uv);
    let file = read(&build.glb());
    assert_eq!((&file.meshes[0].indices[..], file.meshes[0].uvs.len()), (&[0, 1, 2][..], 0));
    assert_eq!(warned(&file, WarningKind::Dropped).len(), 2);
}

const PNG: &[u8] = b"\x89PNG\r\n\x1a\nrest";
const JPEG: &[u8] = b"\xFF\xD8\xFF\xE0rest";

fn painted(build: &mut Build, images: Value) {
    let count = images.as_array().unwrap().len();
    build.json["images"] = images;
    build.json["textures"] = (0..count).map(|i| json!({ "source": i })).collect();
    build.json["materials"] = (0..count)
        .map(|i| {
            json!({ "name": format!("m{i}"), "pbrMetallicRoughness": {
            "baseColorFactor": [0.5, 0.25, 1, 1], "baseColorTexture": { "index": i } } })
        })
        .collect();
    build.json["meshes"][0]["primitives"][0]["material"] = json!(0);
}

fn read_beside(build: &Build) -> SourceFile {
    let table = Table([("walk.bin", build.bin.clone()), ("skin 1.jpg", JPEG.to_vec())].into());
    let json = build.gltf("walk.bin");
    gltf_read::read(FileId(0), Path::new("made.gltf"), json.into(), &table, &ReadOptions::default()).unwrap()
}

#[test]
fn images_come_from_views_uris_and_files_and_may_be_missing() {
    let mut build = square(json!({}));
    let view = build.view(PNG);
    painted(
        &mut build,
        json!([
            { "bufferView": view, "mimeType": "image/png", "name": "inside" },
            { "uri": "data:image/png;base64,iVBORw0KGgo=" },
            { "uri": "skin%201.jpg" },
            { "uri": "gone.png" },
            { "uri": "data:image/webp;base64,UklGRg==" },
        ]),
    );
    let file = read_beside(&build);
    let textures: Vec<(&str, usize)> =
        file.textures.iter().map(|texture| (texture.name.as_str(), texture.bytes.len())).collect();
    assert_eq!(textures, [("inside", PNG.len()), ("", 8), ("skin 1.jpg", JPEG.len())]);
    let used: Vec<Option<u32>> = file.materials.iter().map(|material| material.base_texture).collect();
    assert_eq!(used, [Some(0), Some(1), Some(2), None, None]);
    assert_eq!((file.materials[0].name.as_str(), file.materials[0].base_color), ("m0", [0.5, 0.25, 1.0, 1.0]));
    assert_eq!(file.meshes[0].material, Some(0));
    let said: Vec<String> = warned(&file, WarningKind::Dropped).into_iter().map(|(place, _, _)| place).collect();
    assert_eq!(said, ["materials[3]", "materials[4]"]);
    let names: Vec<&str> = file.side_files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["walk.bin", "skin%201.jpg"]);
}
