//! Cut and flipped bytes: the answer is `Ok` or `Err`, soon, and never a panic.

use proptest::prelude::{ProptestConfig, any, proptest};
use serde_json::json;

use super::try_read;
use crate::support::gltf_build::Build;

/// A file with a bit of everything.
fn everything() -> Vec<u8> {
    let mut build = Build::new();
    build.node(json!({ "name": "root", "children": [1], "matrix": [1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1] }));
    build.node(json!({ "name": "hips", "children": [2, 3], "rotation": [0, 0, 0, 1] }));
    build.node(json!({ "name": "leg", "translation": [0, 1, 0] }));
    build.node(json!({ "mesh": 0, "skin": 0 }));
    let walk = build.animation(json!({ "name": "walk" }));
    build.keys(walk, 1, "translation", &[0.0, 0.5, 1.0], &[0.5; 9], "LINEAR");
    build.keys(walk, 2, "rotation", &[0.0, 0.5], &[0.5; 24], "CUBICSPLINE");
    let input = build.floats(&[0.0, 1.0], "SCALAR");
    let output = build.raw(&[0, 0, 0, 127, 127, 0, 0, 0], 5120, "VEC4", 2, true);
    build.channel(walk, json!({ "node": 1, "path": "rotation" }), input, output, "STEP");
    build.channel(walk, json!({ "path": "pointer" }), input, output, "STEP");
    let positions = build.floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0], "VEC3");
    let indices = build.raw(&[0, 1, 2], 5121, "SCALAR", 3, false);
    let joints = build.raw(&[0, 1, 0, 0].repeat(3), 5121, "VEC4", 3, false);
    let weights = build.floats(&[0.5, 0.5, 0.0, 0.0].repeat(3), "VEC4");
    let identity = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    let matrices = build.floats(&identity.repeat(2), "MAT4");
    build.element("skins", json!({ "joints": [1, 2], "inverseBindMatrices": matrices }));
    let attributes = json!({ "POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": weights });
    build.element("meshes", json!({ "primitives": [{ "attributes": attributes, "indices": indices, "material": 0 }] }));
    let image = build.view(b"\x89PNG\r\n\x1a\n");
    build.element("images", json!({ "bufferView": image, "mimeType": "image/png" }));
    build.element("textures", json!({ "source": 0 }));
    build.element("materials", json!({ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } }));
    let sparse = json!({
        "count": 1, "indices": { "bufferView": 1, "componentType": 5121 }, "values": { "bufferView": 0 } });
    build.element("accessors", json!({ "componentType": 5126, "type": "VEC3", "count": 2, "sparse": sparse }));
    let sampler = build.json["accessors"].as_array().unwrap().len() - 1;
    build.channel(walk, json!({ "node": 2, "path": "scale" }), input, sampler, "LINEAR");
    build.json["extensionsUsed"] = json!(["VRMC_vrm"]);
    build.json["extensions"] = json!({ "VRMC_vrm": { "humanoid": { "humanBones": { "hips": { "node": 1 } } } } });
    build.glb()
}

#[test]
fn every_cut_is_survived() {
    let whole = everything();
    let file = try_read(&whole).unwrap();
    assert_eq!(file.clips[0].tracks.iter().flatten().flatten().count(), 4, "{:?}", file.warnings);
    assert_eq!((file.meshes.len(), file.textures.len(), file.declared_roles.len()), (1, 1, 1));
    for length in 0..whole.len() {
        let _ = try_read(&whole[..length]);
    }
}

#[test]
fn every_flipped_byte_is_survived() {
    let whole = everything();
    let mut bytes = whole.clone();
    for at in 0..whole.len() {
        // Digits into other digits, structure into rubbish, sizes into huge ones.
        for value in [b'9', b'-', b'"', 0xFF, whole[at] ^ 1] {
            bytes[at] = value;
            let _ = try_read(&bytes);
        }
        bytes[at] = whole[at];
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn several_changes_at_once_are_survived(changes: Vec<(u16, u8)>, cut in any::<u16>()) {
        let mut bytes = everything();
        for (at, value) in changes {
            let at = usize::from(at) % bytes.len();
            bytes[at] = value;
        }
        if cut % 4 == 0 {
            bytes.truncate(usize::from(cut) % bytes.len());
        }
        let _ = try_read(&bytes);
    }
}
