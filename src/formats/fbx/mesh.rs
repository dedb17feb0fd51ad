//! Meshes, skins, materials and embedded textures, for the preview.
//!
//! One mesh per instance and material, triangulated, in metres in the space of its node with the geometric transform
//! applied; at most four weights per vertex, normalised. Images beside the file are not opened.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use glam::{DAffine3, DVec3};
use rayon::prelude::*;

use super::bones::{Bones, affine, vec3};
use super::corners::{Corners, part_of};
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
    scene: &ufbx::SceneRoot,
    bones: &Bones,
    limits: &Limits,
    refuse: &Refusal,
    findings: &mut Findings,
) -> Result<Drawn, ReadError> {
    // A closed mesh has two triangles and four corners per vertex; many more on few vertices, or vertices without
    // triangles, would fill the memory all the same.
    let total = |size: fn(&ufbx::Mesh) -> usize| {
        let sizes = scene.meshes.iter().map(|mesh| size(mesh).saturating_mul(mesh.element.instances.count));
        sizes.fold(0, usize::saturating_add)
    };
    let most = limits.vertices.saturating_mul(4);
    refuse.above("triangles", total(|mesh| mesh.num_triangles), most)?;
    refuse.above("corners", total(|mesh| mesh.num_indices), most)?;
    refuse.above("points", total(|mesh| mesh.num_vertices), most)?;
    let mut drawn = Drawn::default();
    read_materials(scene, &mut drawn, findings);
    let component = bones.skeleton.node_pose_component();
    let vertices = AtomicUsize::new(0);
    let at_node = |&(mesh, instance): &(usize, usize)| {
        let mesh = &scene.meshes[mesh];
        let read = Instance::read(mesh, &mesh.element.instances[instance], bones, &component);
        let own: usize = read.parts.iter().map(|part| part.positions.len()).sum();
        refuse.above("vertices", vertices.fetch_add(own, Ordering::Relaxed) + own, limits.vertices)?;
        Ok(read)
    };
    let all = scene.meshes.iter().enumerate();
    let all: Vec<_> = all.flat_map(|(mesh, m)| (0..m.element.instances.count).map(move |i| (mesh, i))).collect();
    let instances: Result<Vec<Instance>, ReadError> = all.par_iter().map(at_node).collect();
    for instance in instances? {
        instance.findings.0.into_iter().for_each(|w| findings.add_many(w.kind, &w.place, &w.message, w.count));
        let skin = instance.skin.map(|skin| {
            drawn.skins.push(skin);
            drawn.skins.len() as u32 - 1
        });
        drawn.meshes.extend(instance.parts.into_iter().map(|part| Mesh { skin, ..part }));
    }
    for mesh in scene.meshes.iter().filter(|mesh| !mesh.blend_deformers.is_empty()) {
        let message = "blend shapes are kept in the file but not shown";
        findings.add(WarningKind::SetAside, &mesh.element.name, message);
    }
    Ok(drawn)
}

/// A mesh at one of its nodes, by material slot.
#[derive(Default)]
struct Instance {
    parts: Vec<Mesh>,
    skin: Option<Skin>,
    findings: Findings,
}

impl Instance {
    fn read(mesh: &ufbx::Mesh, node: &ufbx::Node, bones: &Bones, component: &[DAffine3]) -> Self {
        let mut read = Self::default();
        if mesh.vertices.is_empty() || mesh.num_triangles == 0 {
            return read;
        }
        let deformer = mesh.skin_deformers.iter().next();
        let weights = deformer.and_then(|deformer| Weights::new(deformer, bones, &mut read.findings));
        let (carried_by, at) = match place(node, bones, component) {
            (Some(bone), at) if weights.is_some() => (None, component[bone.get()] * at),
            other => other,
        };
        let geometry = node.has_geometry_transform.then(|| affine(&node.geometry_to_node));
        let mut corners = Corners::new(mesh, geometry.as_ref());
        let mut slots = Vec::new();
        for part in &mesh.material_parts {
            let faces = part.face_indices.iter().filter_map(|&face| mesh.faces.get(face as usize).copied());
            slots.push(corners.triangles(part.num_triangles, faces));
        }
        if slots.is_empty() {
            slots.push(corners.triangles(mesh.num_triangles, mesh.faces.iter().copied()));
        }
        let (mut whole, all_used, sources) = corners.finish(geometry.as_ref());
        if let Some(weights) = &weights {
            weights.hang(&sources, &mut whole);
        }
        let is_one = all_used && slots.len() == 1;
        let mut place = vec![u32::MAX; if is_one { 0 } else { whole.positions.len() }];
        let name = [&node.element.name, &mesh.element.name].into_iter().find(|name| !name.is_empty());
        for (slot, indices) in slots.into_iter().enumerate().filter(|(_, indices)| !indices.is_empty()) {
            let part = if is_one {
                Mesh { indices, ..std::mem::take(&mut whole) }
            } else {
                part_of(&whole, indices, &mut place)
            };
            let name = name.map(|name| name.to_string()).unwrap_or_default();
            let material = node.materials.get(slot).or_else(|| mesh.materials.get(slot));
            let material = material.map(|material| material.element.typed_id);
            read.parts.push(Mesh { name, carried_by, at, material, ..part });
        }
        read.skin = weights.map(|weights| weights.skin);
        read
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

    /// Hangs a part on the skin; `sources` says which vertex of the file each of its vertices is.
    fn hang(&self, sources: &[u32], part: &mut Mesh) {
        part.joints.reserve_exact(sources.len());
        part.weights.reserve_exact(sources.len());
        for &source in sources {
            let (joints, weights) = self.of_vertex(source);
            part.joints.push(joints);
            part.weights.push(weights);
        }
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
