//! Meshes: those that stand in one place and share a skin become the primitives of one.

use std::collections::HashMap;

use crate::formats::gltf_write::data::{Accessor, float_bytes};
use crate::motion::{Mesh as SourceMesh, Transform};

use super::Author;
use super::document::{Attributes, Mesh, Node, Primitive};

const ARRAY: Option<u32> = Some(34962);
const ELEMENTS: Option<u32> = Some(34963);
const FLOAT: u32 = 5126;

/// Views that all meshes share, one per kind of number.
struct Views {
    vertices: HashMap<&'static str, usize>,
    indices: HashMap<u32, usize>,
}

impl Author<'_> {
    /// All meshes with triangles, their nodes, and the materials they use.
    pub(super) fn meshes(&mut self) {
        let mut views = Views { vertices: HashMap::new(), indices: HashMap::new() };
        let mut materials = HashMap::new();
        let meshes = &self.file.meshes;
        let mut at = 0;
        while at < meshes.len() {
            let first = &meshes[at];
            let same = |mesh: &&SourceMesh| {
                (&mesh.name, mesh.carried_by, mesh.at, mesh.skin)
                    == (&first.name, first.carried_by, first.at, first.skin)
            };
            let group = meshes[at..].iter().take_while(same).count();
            let mut primitives = Vec::with_capacity(group);
            for mesh in &meshes[at..at + group] {
                // What one mesh of a group lacks, the node they share cannot give.
                let is_skinned = self.skin(first).is_some() && self.skin(mesh).is_some();
                if let Some(mut primitive) = self.primitive(mesh, is_skinned, &mut views) {
                    primitive.material = mesh.material.and_then(|number| self.material(number, &mut materials));
                    primitives.push(primitive);
                }
            }
            if !primitives.is_empty() {
                self.document.meshes.push(Mesh { name: first.name.clone(), primitives });
                self.mesh_node(first, self.document.meshes.len() - 1);
            }
            at += group;
        }
    }

    /// The number in the file of the skin that a mesh hangs on.
    fn skin(&self, mesh: &SourceMesh) -> Option<usize> {
        let count = mesh.positions.len();
        let is_complete = mesh.joints.len() == count && mesh.weights.len() == count;
        mesh.skin.filter(|_| is_complete).and_then(|skin| *self.skin_numbers.get(skin as usize)?)
    }

    fn mesh_node(&mut self, mesh: &SourceMesh, number: usize) {
        let skin = self.skin(mesh);
        // A skinned mesh's own transform is not looked at, so it has none and stands on top (glTF 2.0 §3.7.3.3).
        let at = if skin.is_some() { Transform::IDENTITY } else { Transform::from_affine(mesh.at) };
        let node = Node { mesh: Some(number), skin, ..Node::new(&mesh.name, at) };
        self.document.nodes.push(node);
        let node = self.document.nodes.len() - 1;
        match mesh.carried_by.filter(|_| skin.is_none()) {
            Some(bone) => self.document.nodes[self.united.source_bone(bone).get()].children.push(node),
            None => self.document.scenes[0].nodes.push(node),
        }
    }

    fn primitive(&mut self, mesh: &SourceMesh, is_skinned: bool, views: &mut Views) -> Option<Primitive> {
        let count = mesh.positions.len();
        let triangles: Vec<u32> = mesh
            .indices
            .chunks_exact(3)
            .filter(|triangle| triangle.iter().all(|i| (*i as usize) < count))
            .flatten()
            .copied()
            .collect();
        if triangles.is_empty() {
            return None;
        }
        let positions: Vec<[f32; 3]> = mesh.positions.iter().map(|p| p.map(finite)).collect();
        let mut bounds = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
        for position in &positions {
            for axis in 0..3 {
                bounds[0][axis] = bounds[0][axis].min(position[axis]);
                bounds[1][axis] = bounds[1][axis].max(position[axis]);
            }
        }
        let [min, max] = bounds.map(|bound| bound.map(f64::from).to_vec());
        let vec3 = |min, max| Accessor { component_type: FLOAT, count, shape: "VEC3", min, max, ..Accessor::default() };
        let mut attributes = Attributes {
            position: self.vertices(views, "position", &float_bytes(positions.as_flattened()), vec3(min, max)),
            ..Attributes::default()
        };
        if mesh.normals.len() == count {
            let normals: Vec<[f32; 3]> = mesh.normals.iter().map(|n| unit(*n)).collect();
            let bytes = float_bytes(normals.as_flattened());
            attributes.normal = Some(self.vertices(views, "normal", &bytes, vec3(Vec::new(), Vec::new())));
        }
        if mesh.uvs.len() == count {
            let uvs: Vec<[f32; 2]> = mesh.uvs.iter().map(|uv| uv.map(finite)).collect();
            let accessor = Accessor { component_type: FLOAT, count, shape: "VEC2", ..Accessor::default() };
            attributes.uv = Some(self.vertices(views, "uv", &float_bytes(uvs.as_flattened()), accessor));
        }
        if is_skinned {
            let joints = mesh.skin.map_or(0, |skin| self.file.skins[skin as usize].joints.len());
            let (joint_bytes, weight_bytes) = influences(mesh, joints);
            let vec4 = |component_type| Accessor { component_type, count, shape: "VEC4", ..Accessor::default() };
            attributes.joints = Some(self.vertices(views, "joints", &joint_bytes, vec4(5123)));
            attributes.weights = Some(self.vertices(views, "weights", &weight_bytes, vec4(FLOAT)));
        }
        let indices = self.indices(views, &triangles, count);
        Some(Primitive { attributes, indices, material: None })
    }

    fn vertices(&mut self, views: &mut Views, kind: &'static str, bytes: &[u8], accessor: Accessor) -> usize {
        // One view per attribute: accessors of one view of vertices would need a common stride.
        let data = &mut self.data;
        let view = *views.vertices.entry(kind).or_insert_with(|| data.view_with_stride(ARRAY, stride(kind)));
        data.accessor(view, bytes, accessor)
    }

    fn indices(&mut self, views: &mut Views, triangles: &[u32], vertices: usize) -> usize {
        // The greatest 16-bit index is not allowed (glTF 2.0 §3.7.2.1).
        let is_short = vertices <= 65_535;
        let component_type = if is_short { 5123 } else { 5125 };
        let bytes: Vec<u8> = if is_short {
            triangles.iter().flat_map(|i| (*i as u16).to_le_bytes()).collect()
        } else {
            triangles.iter().flat_map(|i| i.to_le_bytes()).collect()
        };
        let data = &mut self.data;
        let view = *views.indices.entry(component_type).or_insert_with(|| data.view(ELEMENTS));
        let accessor = Accessor { component_type, count: triangles.len(), shape: "SCALAR", ..Accessor::default() };
        data.accessor(view, &bytes, accessor)
    }
}

fn stride(kind: &str) -> u32 {
    match kind {
        "uv" | "joints" => 8,
        "weights" => 16,
        _ => 12,
    }
}

/// Joints and weights as glTF wants them: weights sum to 1, no joint twice, joint 0 where nothing pulls.
fn influences(mesh: &SourceMesh, joint_count: usize) -> (Vec<u8>, Vec<u8>) {
    let mut joint_bytes = Vec::with_capacity(mesh.joints.len() * 8);
    let mut weight_bytes = Vec::with_capacity(mesh.joints.len() * 16);
    for (joints, weights) in mesh.joints.iter().zip(&mesh.weights) {
        let mut kept: Vec<(u16, f64)> = Vec::with_capacity(4);
        for (joint, weight) in joints.iter().zip(weights) {
            let pulls = weight.is_finite() && *weight > 0.0 && usize::from(*joint) < joint_count;
            match kept.iter_mut().find(|(known, _)| known == joint) {
                _ if !pulls => {}
                Some((_, sum)) => *sum += f64::from(*weight),
                None => kept.push((*joint, f64::from(*weight))),
            }
        }
        let sum: f64 = kept.iter().map(|(_, weight)| weight).sum();
        if kept.is_empty() {
            kept.push((0, 1.0));
        }
        let scale = if sum > 0.0 { 1.0 / sum } else { 1.0 };
        kept.resize(4, (0, 0.0));
        for (joint, weight) in kept {
            joint_bytes.extend(joint.to_le_bytes());
            weight_bytes.extend(((weight * scale) as f32).to_le_bytes());
        }
    }
    (joint_bytes, weight_bytes)
}

fn finite(v: f32) -> f32 {
    if v.is_finite() { v } else { 0.0 }
}

fn unit(n: [f32; 3]) -> [f32; 3] {
    let n = n.map(|c| f64::from(finite(c)));
    let length = n.iter().map(|c| c * c).sum::<f64>().sqrt();
    // Any direction is as good as another where the file has none, and glTF wants one.
    if length < 1e-12 { [0.0, 1.0, 0.0] } else { n.map(|c| (c / length) as f32) }
}
