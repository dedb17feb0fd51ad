//! The node tree, and the skeleton that is cut from it.
//!
//! Bones are the nodes that are a joint, are animated, play a declared humanoid part, or stand above one; all nodes
//! when there is no such node. Their order is the file's as far as parents before children allows: of the nodes whose
//! parent is placed, the one with the lowest index comes next. Which scene a node belongs to does not matter, and
//! nodes under no scene are taken like the others: animations do not care either.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use glam::{DAffine3, DMat4, DQuat, DVec3};
use gltf::json::animation::Property as Path;
use gltf::json::scene::Node;
use gltf::json::validation::Checked;

use super::bind::{self, NodeSkin};
use super::findings::Findings;
use super::{Document, ReadError};
use crate::motion::{Bone, BoneIndex, Role, Skeleton, SkeletonError, Skin, Transform, WarningKind};

/// All nodes as a forest.
pub(super) struct Tree {
    /// Per node.
    pub(super) parent: Vec<Option<u32>>,
    /// Node indices, parents before children.
    order: Vec<u32>,
    /// Per node, the file's own transform.
    pub(super) local: Vec<Transform>,
    /// Per node, multiplied up to the scene.
    pub(super) component: Vec<DAffine3>,
}

impl Tree {
    /// # Errors
    /// A node with two parents, a node above itself, or a hierarchy deeper than the limit.
    pub(super) fn new(document: &Document<'_>, findings: &mut Findings) -> Result<Self, ReadError> {
        let parent = parents(document, findings)?;
        let order = file_order(document, &parent)?;
        let local: Vec<Transform> =
            document.root.nodes.iter().enumerate().map(|(i, node)| transform(node, i, findings)).collect();
        let mut component = vec![DAffine3::IDENTITY; parent.len()];
        for &node in &order {
            let own = local[node as usize].to_affine();
            component[node as usize] = parent[node as usize].map_or(own, |above| component[above as usize] * own);
        }
        Ok(Self { parent, order, local, component })
    }

    /// From a node's parent up to the top.
    pub(super) fn above(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(self.parent[node as usize], |&node| self.parent[node as usize])
    }
}

fn parents(document: &Document<'_>, findings: &mut Findings) -> Result<Vec<Option<u32>>, ReadError> {
    let nodes = &document.root.nodes;
    let mut parent = vec![None; nodes.len()];
    for (i, node) in nodes.iter().enumerate() {
        for (k, child) in node.children.iter().flatten().enumerate() {
            let place = || format!("nodes[{i}].children[{k}]");
            let Some(slot) = parent.get_mut(child.value()) else {
                findings.add(WarningKind::Repaired, "children that do not exist were left out", place);
                continue;
            };
            if let Some(other) = slot.replace(i as u32) {
                let reason = format!("node {} is a child of node {other} already", child.value());
                let advice = "each node may have one parent: export the file again";
                return Err(document.malformed(place(), reason, advice));
            }
        }
    }
    Ok(parent)
}

fn file_order(document: &Document<'_>, parent: &[Option<u32>]) -> Result<Vec<u32>, ReadError> {
    let nodes = &document.root.nodes;
    let mut depth = vec![1u64; nodes.len()];
    let mut order = Vec::with_capacity(nodes.len());
    let tops = parent.iter().enumerate().filter(|(_, parent)| parent.is_none());
    let mut ready: BinaryHeap<Reverse<u32>> = tops.map(|(node, _)| Reverse(node as u32)).collect();
    while let Some(Reverse(node)) = ready.pop() {
        order.push(node);
        for child in nodes[node as usize].children.iter().flatten() {
            let Some(below) = depth.get(node as usize).map(|depth| depth + 1) else { continue };
            let Some(slot) = depth.get_mut(child.value()) else { continue };
            *slot = below;
            if below > document.limits.depth {
                return Err(document.too_large("the nodes are nested too deeply", below, document.limits.depth));
            }
            ready.push(Reverse(child.value() as u32));
        }
    }
    if order.len() == nodes.len() {
        return Ok(order);
    }
    let mut placed = vec![false; nodes.len()];
    order.iter().for_each(|&node| placed[node as usize] = true);
    // Every node that is left has a parent, so going up that many steps ends on the circle.
    let start = placed.iter().position(|placed| !placed).unwrap_or(0) as u32;
    let on_circle = (0..nodes.len()).fold(start, |node, _| parent[node as usize].unwrap_or(node));
    let advice = "the nodes must be a tree: export the file again";
    Err(document.malformed(format!("nodes[{on_circle}]"), "the node stands above itself", advice))
}

/// The node's own transform; `matrix` is taken apart, what is not finite is replaced.
fn transform(node: &Node, index: usize, findings: &mut Findings) -> Transform {
    let place = || format!("nodes[{index}]");
    let wide = |v: [f32; 3]| DVec3::from_array(v.map(f64::from));
    let transform = match &node.matrix {
        Some(columns) => {
            let affine = DAffine3::from_mat4(DMat4::from_cols_array(&columns.map(f64::from)));
            let transform = Transform::from_affine(affine);
            let lost = (transform.to_affine().matrix3 - affine.matrix3).to_cols_array();
            let size = affine.matrix3.to_cols_array().into_iter().fold(1e-30, |most: f64, x| most.max(x.abs()));
            if lost.iter().any(|x| x.abs() > 1e-4 * size) {
                findings.add(WarningKind::Dropped, "a node matrix has shear, which is left out", place);
            }
            transform
        }
        None => {
            let given = node.rotation.map_or([0.0, 0.0, 0.0, 1.0], |rotation| rotation.0);
            let rotation = DQuat::from_array(given.map(f64::from));
            let length = rotation.length();
            if length < 1e-12 {
                let message = "a node's rotation is 0 0 0 0 and is taken for none";
                findings.add(WarningKind::Repaired, message, place);
            }
            Transform {
                translation: node.translation.map_or(DVec3::ZERO, wide),
                rotation: if length < 1e-12 { DQuat::IDENTITY } else { rotation / length },
                scale: node.scale.map_or(DVec3::ONE, wide),
            }
        }
    };
    if transform.is_finite() {
        return transform;
    }
    findings.add(WarningKind::Repaired, "a node's transform is not finite and is taken for none", place);
    Transform::IDENTITY
}

/// The skeleton, and which node is which bone.
pub(super) struct Scene {
    pub(super) skeleton: Arc<Skeleton>,
    bone_of_node: Vec<Option<BoneIndex>>,
}

impl Scene {
    /// # Errors
    /// A file without nodes.
    pub(super) fn new(
        document: &Document<'_>,
        tree: &Tree,
        skins: &[NodeSkin],
        declared: &[(Role, u32)],
        findings: &mut Findings,
    ) -> Result<Self, ReadError> {
        let n = document.root.nodes.len();
        let mut is_joint = vec![false; n];
        skins.iter().flat_map(|skin| &skin.joints).flatten().for_each(|&joint| is_joint[joint as usize] = true);
        let mut wanted = is_joint.clone();
        for channel in document.root.animations.iter().flat_map(|animation| &animation.channels) {
            let moves = !matches!(channel.target.path, Checked::Valid(Path::MorphTargetWeights) | Checked::Invalid);
            if let (true, Some(node)) = (moves, wanted.get_mut(channel.target.node.value())) {
                *node = true;
            }
        }
        for (_, node) in declared {
            if let Some(node) = wanted.get_mut(*node as usize) {
                *node = true;
            }
        }
        if !wanted.contains(&true) {
            wanted.fill(true);
        }
        for &node in tree.order.iter().rev() {
            if let (true, Some(above)) = (wanted[node as usize], tree.parent[node as usize]) {
                wanted[above as usize] = true;
            }
        }

        let bind_pose = bind::bind_poses(document, tree, skins, findings);
        let mut bone_of_node: Vec<Option<BoneIndex>> = vec![None; n];
        let mut bones: Vec<Bone> = Vec::new();
        for &node in tree.order.iter().filter(|&&node| wanted[node as usize]) {
            let i = node as usize;
            bone_of_node[i] = Some(BoneIndex(bones.len() as u32));
            bones.push(Bone {
                name: document.root.nodes[i].name.clone().unwrap_or_default(),
                parent: tree.parent[i].and_then(|above| bone_of_node[above as usize]),
                node_pose: tree.local[i],
                bind_pose: bind_pose[i],
                is_joint: is_joint[i],
                node: Some(node),
            });
        }
        let skeleton = Skeleton::new(bones).map_err(|error| match error {
            SkeletonError::TooMany(found) => {
                document.too_large("too many bones", found as u64, Skeleton::MAX_BONES as u64)
            }
            error => document.malformed("nodes".into(), error.to_string(), "a scene needs at least one node"),
        })?;
        Ok(Self { skeleton: Arc::new(skeleton), bone_of_node })
    }

    /// The bone of a node.
    pub(super) fn bone_of(&self, node: u32) -> Option<BoneIndex> {
        self.bone_of_node.get(node as usize).copied().flatten()
    }

    /// The skins with bones for nodes.
    pub(super) fn bone_skins(&self, skins: &[NodeSkin]) -> Vec<Skin> {
        let bone = |joint: &Option<u32>| joint.and_then(|node| self.bone_of(node)).unwrap_or(BoneIndex(0));
        let skin = |skin: &NodeSkin| Skin {
            joints: skin.joints.iter().map(bone).collect(),
            inverse_binds: skin.inverse_binds.clone(),
        };
        skins.iter().map(skin).collect()
    }
}
