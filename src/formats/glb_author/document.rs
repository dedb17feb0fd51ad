//! The JSON of a glTF file, as far as this program makes one (glTF 2.0 §5).

use serde::Serialize;
use serde_json::value::RawValue;

use crate::formats::sidecar::Record;
use crate::motion::Transform;

/// The outermost object.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Document {
    pub asset: Asset,
    pub scene: usize,
    pub scenes: Vec<Scene>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<Node>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skins: Vec<Skin>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub meshes: Vec<Mesh>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub materials: Vec<Material>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub textures: Vec<Texture>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<Image>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub animations: Vec<Animation>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub accessors: Vec<Box<RawValue>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub buffer_views: Vec<Box<RawValue>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub buffers: Vec<Buffer>,
}

impl Document {
    /// An empty one with one scene.
    pub fn new(asset: Asset) -> Self {
        Self {
            asset,
            scene: 0,
            scenes: vec![Scene { nodes: Vec::new() }],
            nodes: Vec::new(),
            skins: Vec::new(),
            meshes: Vec::new(),
            materials: Vec::new(),
            textures: Vec::new(),
            images: Vec::new(),
            animations: Vec::new(),
            accessors: Vec::new(),
            buffer_views: Vec::new(),
            buffers: Vec::new(),
        }
    }
}

/// JSON text as a part of a document.
pub fn raw(text: String) -> Option<Box<RawValue>> {
    RawValue::from_string(text).ok()
}

#[derive(Serialize)]
pub struct Asset {
    pub version: &'static str,
    pub generator: &'static str,
}

#[derive(Serialize)]
pub struct Scene {
    pub nodes: Vec<usize>,
}

#[derive(Default, Serialize)]
pub struct Node {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translation: Option<[f64; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotation: Option<[f64; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<[f64; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skin: Option<usize>,
}

impl Node {
    /// A node with a transform, rounded to `f32`; parts that change nothing are left out.
    pub fn new(name: &str, transform: Transform) -> Self {
        // An f32 written as f64 has the digits that give it back exactly in every reader.
        let single = |v: f64| f64::from(v as f32);
        let Transform { translation, rotation, scale } = transform;
        let said = transform.is_finite();
        Self {
            name: name.to_owned(),
            translation: (said && translation != Transform::IDENTITY.translation)
                .then(|| translation.to_array().map(single)),
            rotation: (said && rotation != Transform::IDENTITY.rotation)
                .then(|| rotation.normalize().to_array().map(single)),
            scale: (said && scale != Transform::IDENTITY.scale).then(|| scale.to_array().map(single)),
            ..Self::default()
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Skin {
    pub joints: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inverse_bind_matrices: Option<usize>,
}

#[derive(Serialize)]
pub struct Mesh {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    pub primitives: Vec<Primitive>,
}

#[derive(Serialize)]
pub struct Primitive {
    pub attributes: Attributes,
    pub indices: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub material: Option<usize>,
}

#[derive(Default, Serialize)]
pub struct Attributes {
    #[serde(rename = "POSITION")]
    pub position: usize,
    #[serde(rename = "NORMAL", skip_serializing_if = "Option::is_none")]
    pub normal: Option<usize>,
    #[serde(rename = "TEXCOORD_0", skip_serializing_if = "Option::is_none")]
    pub uv: Option<usize>,
    #[serde(rename = "JOINTS_0", skip_serializing_if = "Option::is_none")]
    pub joints: Option<usize>,
    #[serde(rename = "WEIGHTS_0", skip_serializing_if = "Option::is_none")]
    pub weights: Option<usize>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Material {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    pub pbr_metallic_roughness: Pbr,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alpha_mode: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Pbr {
    pub base_color_factor: [f64; 4],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_color_texture: Option<TextureInfo>,
    pub metallic_factor: f64,
    pub roughness_factor: f64,
}

#[derive(Serialize)]
pub struct TextureInfo {
    pub index: usize,
}

#[derive(Serialize)]
pub struct Texture {
    pub source: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Image {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    pub buffer_view: usize,
    pub mime_type: &'static str,
}

#[derive(Serialize)]
pub struct Animation {
    pub name: String,
    pub channels: Vec<Channel>,
    pub samplers: Vec<Sampler>,
    pub extras: Extras,
}

#[derive(Serialize)]
pub struct Extras {
    pub stridesmith: Record,
}

#[derive(Serialize)]
pub struct Channel {
    pub sampler: usize,
    pub target: Target,
}

#[derive(Serialize)]
pub struct Target {
    pub node: usize,
    pub path: &'static str,
}

#[derive(Serialize)]
pub struct Sampler {
    pub input: usize,
    pub interpolation: &'static str,
    pub output: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Buffer {
    pub byte_length: usize,
}
