//! Meshes and skins, for the preview and for writing a character into another format.

use std::sync::Arc;

use glam::DAffine3;

use super::skeleton::BoneIndex;

/// A triangle mesh in the space of its own node, metres.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// The file's name.
    pub name: String,
    /// Bone that carries it when it has no skin; `None`: it stands still at `at`.
    pub carried_by: Option<BoneIndex>,
    /// Component-space transform of the mesh's node in the node pose (or relative to `carried_by`).
    pub at: DAffine3,
    /// Index into [`super::SourceFile::skins`].
    pub skin: Option<u32>,
    /// Vertices.
    pub positions: Vec<[f32; 3]>,
    /// One per vertex, or none at all.
    pub normals: Vec<[f32; 3]>,
    /// One per vertex, or none at all.
    pub uvs: Vec<[f32; 2]>,
    /// Per vertex, indices into [`Skin::joints`], or none at all.
    pub joints: Vec<[u16; 4]>,
    /// Per vertex, summing to 1, or none at all.
    pub weights: Vec<[f32; 4]>,
    /// Triangles.
    pub indices: Vec<u32>,
    /// Index into [`super::SourceFile::materials`].
    pub material: Option<u32>,
}

/// Which bones pull at a mesh, and from where.
#[derive(Clone, Debug, Default)]
pub struct Skin {
    /// The bones.
    pub joints: Vec<BoneIndex>,
    /// Per joint: joint space from mesh space at the bind pose.
    pub inverse_binds: Vec<DAffine3>,
}

/// Base colour only; the preview needs no more.
#[derive(Clone, Debug)]
pub struct Material {
    /// The file's name.
    pub name: String,
    /// Linear RGBA, 0…1.
    pub base_color: [f32; 4],
    /// Index into [`super::SourceFile::textures`].
    pub base_texture: Option<u32>,
}

/// An image as it stands in the file, still encoded (PNG or JPEG).
#[derive(Clone, Debug)]
pub struct Texture {
    /// The file's name or URI.
    pub name: String,
    /// Encoded bytes.
    pub bytes: Arc<[u8]>,
}
