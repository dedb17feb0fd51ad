//! Meshes for the preview: triangles with normals, one set of texture coordinates and four joints per vertex.
//!
//! Only the preview reads them, so whatever cannot be decoded is a warning and never an error.

use glam::DAffine3;
use gltf::json::mesh::{Mode, Primitive, Semantic};
use gltf::json::validation::Checked;

use super::Document;
use super::accessor::View;
use super::bind::NodeSkin;
use super::findings::Findings;
use super::scene::{Scene, Tree};
use crate::motion::{BoneIndex, Mesh, WarningKind};

/// One mesh per node and primitive.
pub(super) fn read(
    document: &Document<'_>,
    tree: &Tree,
    scene: &Scene,
    skins: &[NodeSkin],
    findings: &mut Findings,
) -> Vec<Mesh> {
    let mut meshes = Vec::new();
    let mut vertices_left = document.limits.vertices;
    for (i, node) in document.root.nodes.iter().enumerate() {
        let Some(index) = node.mesh else { continue };
        let Some(mesh) = document.root.get(index) else {
            let message = "nodes that carry a mesh that does not exist";
            findings.add(WarningKind::Dropped, message, || format!("nodes[{i}].mesh"));
            continue;
        };
        let worn = node.skin.map(|skin| skin.value());
        let skin = worn.filter(|worn| skins.get(*worn).is_some_and(|skin| skin.joints.iter().any(Option::is_some)));
        if worn.is_some() && skin.is_none() {
            let message = "nodes that wear a skin that does not exist or has no joints";
            findings.add(WarningKind::Dropped, message, || format!("nodes[{i}].skin"));
        }
        for (k, primitive) in mesh.primitives.iter().enumerate() {
            let place = || format!("meshes[{}].primitives[{k}]", index.value());
            let decode = || Geometry { document, primitive, vertices_left }.decode(skin.map(|skin| &skins[skin]));
            let mut decoded = match decode() {
                Ok(decoded) => decoded,
                Err(why) => {
                    findings.add(WarningKind::Dropped, &format!("meshes not shown: {why}"), place);
                    continue;
                }
            };
            vertices_left -= decoded.mesh.positions.len() as u64;
            for message in decoded.losses.drain(..) {
                findings.add(WarningKind::Dropped, message, place);
            }
            let mut mesh_of_node = decoded.mesh;
            mesh_of_node.name = mesh.name.clone().or_else(|| node.name.clone()).unwrap_or_default();
            mesh_of_node.material = primitive.material.map(|material| material.value() as u32);
            if mesh_of_node.joints.is_empty() {
                (mesh_of_node.carried_by, mesh_of_node.at) = carrier(tree, scene, i as u32);
            } else {
                // §3.7.3.3: the transform of a node that wears a skin is ignored.
                mesh_of_node.skin = skin.map(|skin| skin as u32);
            }
            meshes.push(mesh_of_node);
        }
    }
    meshes
}

/// The nearest bone at or above a node, and the node's transform relative to it.
fn carrier(tree: &Tree, scene: &Scene, node: u32) -> (Option<BoneIndex>, DAffine3) {
    let mut below = DAffine3::IDENTITY;
    for at in std::iter::once(node).chain(tree.above(node)) {
        if let Some(bone) = scene.bone_of(at) {
            return (Some(bone), below);
        }
        below = tree.local[at as usize].to_affine() * below;
    }
    (None, below)
}

struct Geometry<'d> {
    document: &'d Document<'d>,
    primitive: &'d Primitive,
    vertices_left: u64,
}

struct Decoded {
    mesh: Mesh,
    losses: Vec<&'static str>,
}

impl Geometry<'_> {
    /// # Errors
    /// Why nothing can be shown.
    fn decode(&self, skin: Option<&NodeSkin>) -> Result<Decoded, String> {
        let mode = match self.primitive.mode {
            Checked::Valid(mode @ (Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan)) => mode,
            _ => return Err("they are points or lines".into()),
        };
        let positions = self.attribute(Semantic::Positions)?.ok_or("they have no positions")?;
        if positions.is_empty_shell() && self.document.uses("KHR_draco_mesh_compression") {
            return Err("they are compressed with KHR_draco_mesh_compression, which is not read here".into());
        }
        if positions.count as u64 > self.vertices_left {
            return Err(format!("all together they have more than {} vertices", self.document.limits.vertices));
        }
        let mut mesh =
            Mesh { positions: positions.vectors().ok_or("their positions are not three numbers")?, ..Mesh::default() };
        let n = mesh.positions.len();
        let mut losses = Vec::new();
        mesh.normals = self.vectors(Semantic::Normals, n, "meshes without readable normals", &mut losses);
        mesh.uvs = self.vectors(Semantic::TexCoords(0), n, "meshes without readable texture coordinates", &mut losses);
        if let Some(skin) = skin {
            self.weigh(&mut mesh, skin, &mut losses);
        }
        let corners = match self.primitive.indices {
            Some(accessor) => {
                let view = View::new(self.document, accessor.value()).map_err(|fault| fault.reason)?;
                view.integers().ok_or("their indices are not whole numbers")?
            }
            None => (0..n as u32).collect(),
        };
        mesh.indices = triangles(mode, corners);
        // All of them, rather than up to the first: that search looks at many at once.
        let beyond = u32::try_from(n).unwrap_or(u32::MAX);
        if mesh.indices.iter().fold(false, |any, &corner| any | (corner >= beyond)) {
            losses.push("triangles with corners that do not exist");
            let proper = mesh.indices.chunks_exact(3).filter(|corners| corners.iter().all(|&c| (c as usize) < n));
            mesh.indices = proper.flatten().copied().collect();
        }
        Ok(Decoded { mesh, losses })
    }

    fn attribute(&self, semantic: Semantic) -> Result<Option<View<'_>>, String> {
        let accessor = self.primitive.attributes.get(&Checked::Valid(semantic));
        accessor.map(|accessor| View::new(self.document, accessor.value())).transpose().map_err(|fault| fault.reason)
    }

    /// One vector per vertex; none at all, and a loss where the file has some, when they cannot be used.
    fn vectors<const N: usize>(
        &self,
        semantic: Semantic,
        n: usize,
        loss: &'static str,
        losses: &mut Vec<&'static str>,
    ) -> Vec<[f32; N]> {
        match self.attribute(semantic) {
            Ok(None) => Vec::new(),
            Ok(Some(view)) if view.count == n => view.vectors().unwrap_or_else(|| {
                losses.push(loss);
                Vec::new()
            }),
            _ => {
                losses.push(loss);
                Vec::new()
            }
        }
    }

    /// Joints and weights, the weights brought to a sum of 1.
    fn weigh(&self, mesh: &mut Mesh, skin: &NodeSkin, losses: &mut Vec<&'static str>) {
        let n = mesh.positions.len();
        let joints = self.attribute(Semantic::Joints(0)).ok().flatten().filter(|view| view.count == n);
        let joints = joints.and_then(|view| view.fours());
        let weights = self.vectors::<4>(Semantic::Weights(0), n, "meshes without readable weights", losses);
        let Some(joints) = joints.filter(|_| weights.len() == n) else {
            losses.push("meshes that wear a skin and say not how; they are carried stiffly");
            return;
        };
        if self.primitive.attributes.contains_key(&Checked::Valid(Semantic::Joints(1))) {
            losses.push("joints beyond four per vertex; the preview bends a little differently");
        }
        (mesh.joints, mesh.weights) = (joints, weights);
        if settle(&mut mesh.joints, &mut mesh.weights, skin.joints.len()) {
            losses.push("vertices that hang on joints the skin does not have");
        }
    }
}

/// Clears what cannot pull, and brings each vertex's weights to a sum of 1; a vertex that nothing pulls at follows the
/// first joint. Whether some hang on joints beyond the `known` ones.
fn settle(joints: &mut [[u16; 4]], weights: &mut [[f32; 4]], known: usize) -> bool {
    // `u16::MAX` stands for all joints beyond it.
    let known = u16::try_from(known).unwrap_or(u16::MAX);
    let mut strangers = false;
    // Masks for branches: weights are zero here and there, so a branch would be guessed wrong every few vertices.
    for (joint, weight) in joints.as_flattened_mut().iter_mut().zip(weights.as_flattened_mut()) {
        let (pulls, is_known) = (*weight > 0.0, *joint < known);
        strangers |= pulls & !is_known;
        let mask = u32::from(pulls & is_known).wrapping_neg();
        *weight = f32::from_bits(weight.to_bits() & mask);
        *joint &= mask as u16;
    }
    for weights in weights {
        let [a, b, c, d] = *weights;
        let sum = a + b + c + d;
        *weights = if sum > 0.0 && sum.is_finite() { weights.map(|w| w / sum) } else { [1.0, 0.0, 0.0, 0.0] };
    }
    strangers
}

/// Corners of separate triangles, §3.7.2.1.
fn triangles(mode: Mode, corners: Vec<u32>) -> Vec<u32> {
    let whole = corners.len() / 3 * 3;
    let turn = |i: usize, a: u32, b: u32, c: u32| if i.is_multiple_of(2) { [a, b, c] } else { [a, c, b] };
    match mode {
        Mode::TriangleStrip => {
            corners.windows(3).enumerate().flat_map(|(i, corner)| turn(i, corner[0], corner[1], corner[2])).collect()
        }
        Mode::TriangleFan => {
            corners.get(1..).unwrap_or_default().windows(2).flat_map(|edge| [edge[0], edge[1], corners[0]]).collect()
        }
        _ => {
            let mut corners = corners;
            corners.truncate(whole);
            corners
        }
    }
}
