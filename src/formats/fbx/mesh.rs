//! Meshes, skins, materials and embedded textures, for the preview.
//!
//! One mesh per instance and material, triangulated, in metres in the space of its node with the geometric transform
//! applied; at most four weights per vertex, normalised. Images beside the file are not opened.

use std::collections::HashMap;
use std::sync::Arc;

use glam::{DAffine3, DVec3};

use super::bones::{Bones, affine, vec3};
use super::{Findings, ReadError, Refusal};
use crate::formats::Limits;
use crate::motion::{BoneIndex, Material, Mesh, Skin, Texture, WarningKind};

/// What is drawn.
#[derive(Default)]
pub(super) struct Drawn {
    pub meshes: Vec<Mesh>,
    pub skins: Vec<Skin>,
    pub materials: Vec<Material>,
    pub textures: Vec<Texture>,
}

pub(super) fn read(
    scene: &ufbx::Scene,
    bones: &Bones,
    limits: &Limits,
    refuse: &Refusal,
    findings: &mut Findings,
) -> Result<Drawn, ReadError> {
    let instances = scene.meshes.iter().map(|mesh| (mesh, mesh.element.instances.count));
    let corners = instances.fold(0usize, |sum, (mesh, n)| sum.saturating_add(mesh.num_triangles.saturating_mul(3 * n)));
    // A closed mesh has two triangles per vertex; many more on few vertices would fill the memory all the same.
    refuse.above("triangles", corners / 3, limits.vertices.saturating_mul(4))?;
    let mut vertices = 0;
    let mut drawn = Drawn::default();
    read_materials(scene, &mut drawn, findings);
    let component = bones.skeleton.node_pose_component();
    for mesh in &scene.meshes {
        if !mesh.blend_deformers.is_empty() {
            let message = "blend shapes are kept in the file but not shown";
            findings.add(WarningKind::SetAside, &mesh.element.name, message);
        }
        for node in &mesh.element.instances {
            let before = drawn.meshes.len();
            read_instance(mesh, node, bones, &component, &mut drawn, findings);
            vertices += drawn.meshes[before..].iter().map(|part| part.positions.len()).sum::<usize>();
            refuse.above("vertices", vertices, limits.vertices)?;
        }
    }
    Ok(drawn)
}

fn read_instance(
    mesh: &ufbx::Mesh,
    node: &ufbx::Node,
    bones: &Bones,
    component: &[DAffine3],
    drawn: &mut Drawn,
    findings: &mut Findings,
) {
    if !mesh.vertex_position.exists || mesh.num_triangles == 0 {
        return;
    }
    let weights = mesh.skin_deformers.iter().next().and_then(|skin| Weights::new(skin, bones, findings));
    let (carried_by, at) = place(node, bones, component);
    let skin = weights.as_ref().map(|weights| {
        drawn.skins.push(weights.skin.clone());
        drawn.skins.len() as u32 - 1
    });
    let (carried_by, at) = match carried_by {
        Some(bone) if skin.is_some() => (None, component[bone.get()] * at),
        other => (other, at),
    };
    let geometry = node.has_geometry_transform.then(|| affine(&node.geometry_to_node));
    let mut corners = Corners::new(mesh, geometry);
    for (slot, faces) in parts(mesh) {
        let mut part = corners.triangles(faces);
        if part.indices.is_empty() {
            continue;
        }
        if let Some(weights) = &weights {
            (part.joints, part.weights) = corners.sources.iter().map(|&vertex| weights.of_vertex(vertex)).unzip();
        }
        part.name =
            if node.element.name.is_empty() { mesh.element.name.to_string() } else { node.element.name.to_string() };
        (part.carried_by, part.at, part.skin) = (carried_by, at, skin);
        let material = node.materials.get(slot).or_else(|| mesh.materials.get(slot));
        part.material = material.map(|material| material.element.typed_id);
        drawn.meshes.push(part);
    }
}

/// The nearest bone at or above a node, and the node's transform below it, in the node pose.
fn place(node: &ufbx::Node, bones: &Bones, component: &[DAffine3]) -> (Option<BoneIndex>, DAffine3) {
    let mut below = DAffine3::IDENTITY;
    let mut up = Some(node);
    while let Some(node) = up.filter(|node| !node.is_root) {
        if let Some(bone) = bones.of_node[node.element.typed_id as usize] {
            debug_assert!(bone.get() < component.len());
            return (Some(bone), below);
        }
        below = affine(&node.node_to_parent) * below;
        up = node.parent.as_deref();
    }
    (None, below)
}

/// Faces by material slot.
fn parts(mesh: &ufbx::Mesh) -> Vec<(usize, Vec<ufbx::Face>)> {
    let in_part = |part: &ufbx::MeshPart| {
        let faces = part.face_indices.iter().filter_map(|&face| mesh.faces.get(face as usize).copied());
        (part.index as usize, faces.collect())
    };
    if mesh.material_parts.is_empty() {
        return vec![(0, mesh.faces.iter().copied().collect())];
    }
    mesh.material_parts.iter().filter(|part| part.num_triangles > 0).map(in_part).collect()
}

/// Turns polygon corners into vertices; corners that agree in all they carry become one.
struct Corners<'m> {
    mesh: &'m ufbx::Mesh,
    /// The geometric transform and what it does to normals.
    geometry: Option<(DAffine3, glam::DMat3)>,
    /// Per vertex of the file: the last of ours made from it. Ours are chained by `before`.
    newest: Vec<u32>,
    before: Vec<u32>,
    /// Per vertex of ours: the file's, and the corner it was made from.
    sources: Vec<u32>,
    corners: Vec<u32>,
    triangles: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl<'m> Corners<'m> {
    fn new(mesh: &'m ufbx::Mesh, geometry: Option<DAffine3>) -> Self {
        let newest = vec![NONE; mesh.num_vertices];
        let geometry = geometry.map(|g| (g, g.matrix3.inverse().transpose()));
        Self {
            mesh,
            geometry,
            newest,
            before: Vec::new(),
            sources: Vec::new(),
            corners: Vec::new(),
            triangles: Vec::new(),
        }
    }

    fn triangles(&mut self, faces: Vec<ufbx::Face>) -> Mesh {
        for &source in &self.sources {
            self.newest[source as usize] = NONE;
        }
        self.before.clear();
        self.sources.clear();
        self.corners.clear();
        let mut part = Mesh::default();
        let corners: usize = faces.iter().map(|face| face.num_indices as usize).sum();
        part.indices.reserve(corners);
        part.positions.reserve(corners / 4);
        part.normals.reserve(corners / 4);
        part.uvs.reserve(corners / 4);
        for face in faces.into_iter().filter(|face| face.num_indices >= 3) {
            if face.num_indices == 3 {
                self.push_triangle([face.index_begin, face.index_begin + 1, face.index_begin + 2], &mut part);
                continue;
            }
            let mut triangles = std::mem::take(&mut self.triangles);
            triangles.resize((face.num_indices as usize - 2) * 3, 0);
            let n = ufbx::triangulate_face(&mut triangles, self.mesh, face) as usize * 3;
            for corners in triangles[..n].chunks_exact(3) {
                self.push_triangle([corners[0], corners[1], corners[2]], &mut part);
            }
            self.triangles = triangles;
        }
        part
    }

    fn push_triangle(&mut self, corners: [u32; 3], part: &mut Mesh) {
        let triangle = corners.map(|corner| self.vertex(corner as usize, part));
        if let [Some(a), Some(b), Some(c)] = triangle {
            part.indices.extend([a, b, c]);
        }
    }

    fn vertex(&mut self, corner: usize, part: &mut Mesh) -> Option<u32> {
        let source = *self.mesh.vertex_indices.get(corner)?;
        let newest = *self.newest.get(source as usize)?;
        let mut twin = newest;
        while twin != NONE {
            if self.is_same(self.corners[twin as usize] as usize, corner) {
                return Some(twin);
            }
            twin = self.before[twin as usize];
        }
        let position = attribute(&self.mesh.vertex_position, corner)?;
        let position = self.geometry.as_ref().map_or(position, |(g, _)| g.transform_point3(position));
        let normal = attribute(&self.mesh.vertex_normal, corner).map(|n| {
            let n = self.geometry.as_ref().map_or(n, |(_, turn)| *turn * n);
            n.normalize_or(DVec3::Y).as_vec3().to_array()
        });
        let made = part.positions.len() as u32;
        part.positions.push(position.as_vec3().to_array());
        part.normals.extend(normal);
        part.uvs.extend(uv_of(self.mesh, corner));
        self.before.push(newest);
        self.sources.push(source);
        self.corners.push(corner as u32);
        self.newest[source as usize] = made;
        Some(made)
    }

    /// Whether two corners of one vertex carry the same normal and texture place.
    fn is_same(&self, a: usize, b: usize) -> bool {
        attribute(&self.mesh.vertex_normal, a) == attribute(&self.mesh.vertex_normal, b)
            && uv_of(self.mesh, a) == uv_of(self.mesh, b)
    }
}

fn attribute(values: &ufbx::VertexVec3, corner: usize) -> Option<DVec3> {
    let index = values.exists.then(|| values.indices.get(corner)).flatten()?;
    values.values.get(*index as usize).map(|v| vec3(*v))
}

/// FBX counts v from the bottom of the image, we from the top.
fn uv_of(mesh: &ufbx::Mesh, corner: usize) -> Option<[f32; 2]> {
    let uv = &mesh.vertex_uv;
    let index = uv.exists.then(|| uv.indices.get(corner)).flatten()?;
    uv.values.get(*index as usize).map(|v| [v.x as f32, (1.0 - v.y) as f32])
}

/// A skin and its weights.
struct Weights<'m> {
    deformer: &'m ufbx::SkinDeformer,
    skin: Skin,
    /// Per cluster: place in `skin.joints`.
    joint_of: Vec<Option<u16>>,
}

impl<'m> Weights<'m> {
    fn new(deformer: &'m ufbx::SkinDeformer, bones: &Bones, findings: &mut Findings) -> Option<Self> {
        let mut skin = Skin::default();
        let mut joint_of = Vec::with_capacity(deformer.clusters.count);
        for cluster in &deformer.clusters {
            let bone = cluster.bone_node.as_ref().and_then(|node| bones.of_node[node.element.typed_id as usize]);
            let joint = u16::try_from(skin.joints.len()).ok();
            let (Some(bone), Some(joint)) = (bone, joint) else {
                joint_of.push(None);
                continue;
            };
            skin.joints.push(bone);
            skin.inverse_binds.push(affine(&cluster.mesh_node_to_bone));
            joint_of.push(Some(joint));
        }
        if deformer.max_weights_per_vertex > 4 {
            let message = "vertices that follow more than four bones are shown with the four that pull most";
            findings.add(WarningKind::SetAside, &deformer.element.name, message);
        }
        (!skin.joints.is_empty()).then_some(Self { deformer, skin, joint_of })
    }

    /// The four largest; a vertex that nothing pulls at follows the first joint.
    fn of_vertex(&self, vertex: u32) -> ([u16; 4], [f32; 4]) {
        let (mut joints, mut weights) = ([0; 4], [0.0; 4]);
        let Some(entry) = self.deformer.vertices.get(vertex as usize) else { return (joints, [1.0, 0.0, 0.0, 0.0]) };
        // ufbx sorts a vertex's weights, largest first.
        let listed = self.deformer.weights.iter().skip(entry.weight_begin as usize).take(entry.num_weights as usize);
        let usable = listed.filter_map(|w| {
            let joint = self.joint_of.get(w.cluster_index as usize).copied().flatten()?;
            Some((joint, w.weight))
        });
        let mut sum = 0.0;
        for (k, (joint, weight)) in usable.take(4).enumerate() {
            joints[k] = joint;
            weights[k] = weight;
            sum += weight;
        }
        if sum <= 1e-9 || !sum.is_finite() {
            return (joints, [1.0, 0.0, 0.0, 0.0]);
        }
        (joints, weights.map(|w| (w / sum) as f32))
    }
}

fn read_materials(scene: &ufbx::Scene, drawn: &mut Drawn, findings: &mut Findings) {
    let mut known: HashMap<u32, Option<u32>> = HashMap::new();
    for material in &scene.materials {
        let map = &material.pbr.base_color;
        let factor = if material.pbr.base_factor.has_value { material.pbr.base_factor.value_vec4.x } else { 1.0 };
        let color = if map.has_value {
            vec3(ufbx::Vec3 { x: map.value_vec4.x, y: map.value_vec4.y, z: map.value_vec4.z })
        } else {
            DVec3::ONE
        };
        let texture = map.texture.as_ref().filter(|_| map.texture_enabled);
        let base_texture = texture.and_then(|texture| {
            let file = texture.file_textures.iter().next().map_or(&**texture, |file| file);
            *known.entry(file.element.typed_id).or_insert_with(|| read_texture(file, drawn, findings))
        });
        // A picture replaces the colour rather than tinting it.
        let color = if base_texture.is_some() { DVec3::ONE } else { color * factor };
        let [r, g, b] = color.as_vec3().to_array();
        let name = material.element.name.to_string();
        drawn.materials.push(Material { name, base_color: [r, g, b, 1.0], base_texture });
    }
}

fn read_texture(texture: &ufbx::Texture, drawn: &mut Drawn, findings: &mut Findings) -> Option<u32> {
    let embedded =
        if texture.content.is_empty() { texture.video.as_ref().map(|v| &*v.content) } else { Some(&*texture.content) };
    let Some(bytes) = embedded.filter(|bytes| !bytes.is_empty()) else {
        findings.add(WarningKind::SetAside, &texture.element.name, "images that lie beside the file are not shown");
        return None;
    };
    let name = if texture.relative_filename.is_empty() {
        texture.element.name.to_string()
    } else {
        texture.relative_filename.to_string()
    };
    drawn.textures.push(Texture { name, bytes: Arc::from(bytes) });
    Some(drawn.textures.len() as u32 - 1)
}
