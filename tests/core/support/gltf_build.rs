//! glTF files made in code: JSON beside a growing buffer.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    clippy::needless_pass_by_value,
    reason = "tests, and functions only tests call"
)]

use serde_json::{Value, json};

/// A glTF file under construction: `json` is free to be changed, `bin` grows through the functions here.
pub struct Build {
    pub json: Value,
    pub bin: Vec<u8>,
}

impl Build {
    /// No nodes, no animations.
    pub fn new() -> Self {
        let json = json!({
            "asset": { "version": "2.0", "generator": "hand" },
            "nodes": [], "animations": [], "accessors": [], "bufferViews": [],
            "buffers": [{ "byteLength": 0 }],
        });
        Self { json, bin: Vec::new() }
    }

    fn push(&mut self, array: &str, element: Value) -> usize {
        if self.json[array].is_null() {
            self.json[array] = json!([]);
        }
        let array = self.json[array].as_array_mut().unwrap();
        array.push(element);
        array.len() - 1
    }

    /// A node with these members; its index.
    pub fn node(&mut self, members: Value) -> usize {
        self.push("nodes", members)
    }

    /// Any other top-level element; its index.
    pub fn element(&mut self, array: &str, members: Value) -> usize {
        self.push(array, members)
    }

    /// A view of these bytes, aligned to four.
    pub fn view(&mut self, bytes: &[u8]) -> usize {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        let offset = self.bin.len();
        self.bin.extend_from_slice(bytes);
        self.push("bufferViews", json!({ "buffer": 0, "byteOffset": offset, "byteLength": bytes.len() }))
    }

    /// An accessor over raw bytes.
    pub fn raw(&mut self, bytes: &[u8], component: u32, kind: &str, count: usize, normalized: bool) -> usize {
        let view = self.view(bytes);
        self.push(
            "accessors",
            json!({ "bufferView": view, "componentType": component, "type": kind, "count": count, "normalized": normalized }),
        )
    }

    /// An accessor over `f32`s.
    pub fn floats(&mut self, numbers: &[f32], kind: &str) -> usize {
        let width = match kind {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.raw(&bytes, 5126, kind, numbers.len() / width, false)
    }

    /// An animation without channels; its index.
    pub fn animation(&mut self, members: Value) -> usize {
        let mut members = members;
        members["channels"] = json!([]);
        members["samplers"] = json!([]);
        self.push("animations", members)
    }

    /// A channel of an animation, from two accessors.
    pub fn channel(&mut self, animation: usize, target: Value, input: usize, output: usize, interpolation: &str) {
        let animation = &mut self.json["animations"][animation];
        let samplers = animation["samplers"].as_array_mut().unwrap();
        samplers.push(json!({ "input": input, "output": output, "interpolation": interpolation }));
        let sampler = samplers.len() - 1;
        animation["channels"].as_array_mut().unwrap().push(json!({ "sampler": sampler, "target": target }));
    }

    /// A channel with key times and values in new accessors.
    pub fn keys(
        &mut self,
        animation: usize,
        node: usize,
        path: &str,
        times: &[f32],
        values: &[f32],
        interpolation: &str,
    ) {
        let input = self.floats(times, "SCALAR");
        let output = self.floats(values, if path == "rotation" { "VEC4" } else { "VEC3" });
        self.channel(animation, json!({ "node": node, "path": path }), input, output, interpolation);
    }

    /// One GLB: header, JSON chunk, BIN chunk (none when there are no bytes).
    pub fn glb(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        if json["buffers"][0]["byteLength"] == 0 {
            json["buffers"][0]["byteLength"] = json!(self.bin.len());
        }
        let chunks: &[&[u8]] = if self.bin.is_empty() { &[] } else { &[&self.bin] };
        glb(json.to_string().as_bytes(), chunks)
    }

    /// A `.gltf` whose buffer is behind `uri`.
    pub fn gltf(&self, uri: &str) -> Vec<u8> {
        let mut json = self.json.clone();
        json["buffers"][0] = json!({ "byteLength": self.bin.len(), "uri": uri });
        json.to_string().into_bytes()
    }
}

/// A GLB of a JSON chunk and any number of BIN chunks.
pub fn glb(json: &[u8], bins: &[&[u8]]) -> Vec<u8> {
    let mut file = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
    let mut chunk = |kind: &[u8; 4], bytes: &[u8], padding: u8| {
        file.extend((bytes.len().next_multiple_of(4) as u32).to_le_bytes());
        file.extend(kind);
        file.extend(bytes);
        file.resize(file.len().next_multiple_of(4), padding);
    };
    chunk(b"JSON", json, b' ');
    bins.iter().for_each(|bin| chunk(b"BIN\0", bin, 0));
    let length = file.len() as u32;
    file[8..12].copy_from_slice(&length.to_le_bytes());
    file
}
