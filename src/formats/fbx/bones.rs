//! Which nodes are bones, and where they stand in the node pose and the bind pose.
//!
//! *Scale inheritance.* FBX knows three kinds. `RSrs` is the ordinary product of matrices. `Rrs` (Maya's segment scale
//! compensate) leaves the parent's own scale out of the child's scale, while the child's place still goes through the
//! parent's whole matrix: here the child's scale is divided by the parent's, which is exact while the parent's scale is
//! uniform, animated or not. Where it is not, dividing would shear: such a parent is *bare*, its own scale is left out
//! of the bone and multiplied into the places of its children instead, so that all places and rotations stay exact and
//! only the parent's own skin loses its stretch. `RrSs` multiplies scales per axis, the same for uniform scales.

use std::sync::Arc;

use glam::{DAffine3, DMat3, DQuat, DVec3};
use ufbx::{AnimOpts, AnimRoot, InheritMode, Node, PropOverrideDesc, RotationOrder};

use super::takes::Drives;
use super::{Findings, ReadError, Refusal};
use crate::motion::transform::is_uniform;
use crate::motion::{Bone, BoneIndex, Skeleton, Transform, WarningKind};

/// Evaluates nodes; without an animation, that is the node pose.
pub(super) struct Rest<'s> {
    scene: &'s ufbx::Scene,
    /// Nodes whose rotation order is spheric, which ufbx evaluates to no rotation at all; XYZ is put in its place.
    spheric: Vec<u32>,
    /// The node pose with that put right; only where it is needed.
    anim: Option<AnimRoot>,
    /// Whose own scale is left out of the bone. Shape `[nodes]`.
    is_bare: Vec<bool>,
}

impl<'s> Rest<'s> {
    pub fn new(
        scene: &'s ufbx::Scene,
        drives: &Drives<'_>,
        refuse: &Refusal,
        findings: &mut Findings,
    ) -> Result<Self, ReadError> {
        let mut rest = Self { scene, spheric: Vec::new(), anim: None, is_bare: vec![false; scene.nodes.count] };
        for node in &scene.nodes {
            if node.rotation_order == RotationOrder::Spheric && node.use_rotation_space {
                rest.spheric.push(node.element.element_id);
                let message = "the spheric rotation order is read as XYZ";
                findings.add(WarningKind::Repaired, &node.element.name, message);
            }
            let compensated = node.children.into_iter().filter(|child| is_compensated(child)).count();
            let stretches = !is_uniform(vec3(node.local_transform.scale)) || drives.stretches(node.element.typed_id);
            if compensated > 0 && stretches {
                let is_bare = compensated == node.children.count;
                rest.is_bare[node.element.typed_id as usize] = is_bare;
                let message = if is_bare {
                    "scale that is not uniform and that no child inherits moves the children but is not shown itself"
                } else {
                    "scale that is not uniform and that some children inherit and others do not may shear the latter"
                };
                findings.add(WarningKind::Dropped, &node.element.name, message);
            }
        }
        rest.anim = rest.with_layers(&[], refuse)?;
        Ok(rest)
    }

    /// Whether the node's own scale is left out of its bone.
    pub fn is_bare(&self, node: &Node) -> bool {
        self.is_bare[node.element.typed_id as usize]
    }

    /// The parent whose scale this node's own is divided by.
    pub fn divides_by<'n>(&self, node: &'n Node) -> Option<&'n Node> {
        node.parent.as_deref().filter(|parent| is_compensated(node) && !self.is_bare(parent))
    }

    /// The parent whose scale goes into this node's place.
    pub fn stretched_by<'n>(&self, node: &'n Node) -> Option<&'n Node> {
        node.parent.as_deref().filter(|parent| self.is_bare(parent))
    }

    /// An animation of some layers (typed ids) with the spheric order put right; `None` where ufbx's own will do.
    pub fn with_layers(&self, layers: &[u32], refuse: &Refusal) -> Result<Option<AnimRoot>, ReadError> {
        if self.spheric.is_empty() {
            return Ok(None);
        }
        let order = |&element_id| PropOverrideDesc {
            element_id,
            prop_name: "RotationOrder".into(),
            ..PropOverrideDesc::default()
        };
        let opts = AnimOpts {
            layer_ids: layers.to_vec().into(),
            prop_overrides: self.spheric.iter().map(order).collect::<Vec<_>>().into(),
            ..AnimOpts::default()
        };
        let broken = |error: ufbx::Error| {
            refuse.malformed(
                "Objects/AnimationStack",
                &format!("the layers cannot be evaluated ({})", &*error.description),
                "",
            )
        };
        ufbx::create_anim(self.scene, opts).map(Some).map_err(broken)
    }

    /// A node's transform in the node pose, local, in our space.
    pub fn local(&self, node: &Node) -> Transform {
        let file = match &self.anim {
            Some(anim) if !node.is_root => ufbx::evaluate_transform(anim, node, 0.0),
            _ => node.local_transform,
        };
        let mut local = transform(&file);
        if self.is_bare(node) {
            local.scale = DVec3::ONE;
        } else if let Some(parent) = self.divides_by(node) {
            local.scale /= divisor(vec3(parent.local_transform.scale));
        }
        if let Some(parent) = self.stretched_by(node) {
            local.translation *= vec3(parent.local_transform.scale);
        }
        local
    }
}

/// Whether a node's scale leaves out its parent's own.
fn is_compensated(node: &Node) -> bool {
    node.original_inherit_mode == InheritMode::IgnoreParentScale && node.parent.as_ref().is_some_and(|up| !up.is_root)
}

/// The rotation order that counts: a node whose rotation space is off has plain XYZ.
pub(super) fn order_of(node: &Node) -> RotationOrder {
    match node.rotation_order {
        RotationOrder::Spheric => RotationOrder::Xyz,
        order if node.use_rotation_space => order,
        _ => RotationOrder::Xyz,
    }
}

/// A scale to divide by: a zero cannot be undone and is left alone.
pub(super) fn divisor(scale: DVec3) -> DVec3 {
    let keep = |s: f64| if s.abs() < 1e-9 { 1.0 } else { s };
    DVec3::new(keep(scale.x), keep(scale.y), keep(scale.z))
}

/// The skeleton and how it hangs together with ufbx's nodes.
pub(super) struct Bones {
    pub skeleton: Arc<Skeleton>,
    /// Typed id of each bone's node. Shape `[bones]`.
    pub nodes: Vec<u32>,
    /// Bone of each node, by typed id. Shape `[nodes]`.
    pub of_node: Vec<Option<BoneIndex>>,
}

/// Picks the bones, depth first in the file's order of children.
pub(super) fn read(
    scene: &ufbx::Scene,
    rest: &Rest<'_>,
    drives: &Drives<'_>,
    refuse: &Refusal,
) -> Result<Bones, ReadError> {
    let is_joint = joints(scene);
    let mut wanted: Vec<bool> =
        is_joint.iter().zip(&drives.is_animated).map(|(joint, animated)| joint | animated).collect();
    if !wanted.contains(&true) {
        wanted.fill(true);
    }
    // Parents stand before children in ufbx's list, so from the back every node is settled before its parent is.
    for node in scene.nodes.iter().rev() {
        if let Some(parent) = node.parent.as_ref().filter(|_| wanted[node.element.typed_id as usize]) {
            wanted[parent.element.typed_id as usize] = true;
        }
    }
    let bind_poses = bind_poses(scene);
    let mut bones = Vec::new();
    let mut nodes = Vec::new();
    let mut of_node = vec![None; scene.nodes.count];
    let mut stack: Vec<&Node> = vec![&scene.root_node];
    while let Some(node) = stack.pop() {
        let at = node.element.typed_id as usize;
        if !wanted[at] && !node.is_root {
            continue;
        }
        stack.extend(node.children.into_iter().collect::<Vec<_>>().into_iter().rev());
        if node.is_root {
            continue;
        }
        of_node[at] = Some(BoneIndex(bones.len() as u32));
        nodes.push(node.element.typed_id);
        bones.push(Bone {
            name: node.element.name.to_string(),
            parent: node.parent.as_ref().and_then(|parent| of_node[parent.element.typed_id as usize]),
            node_pose: finite(rest.local(node)),
            bind_pose: bind_poses[at],
            is_joint: is_joint[at],
            node: Some(node.element.typed_id),
        });
    }
    let skeleton = Skeleton::new(bones).map_err(|error| refuse.of_skeleton(&error))?;
    Ok(Bones { skeleton: Arc::new(skeleton), nodes, of_node })
}

fn joints(scene: &ufbx::Scene) -> Vec<bool> {
    let mut joint: Vec<bool> = scene.nodes.iter().map(|node| node.bone.is_some()).collect();
    for node in scene.skin_clusters.iter().filter_map(|cluster| cluster.bone_node.as_ref()) {
        joint[node.element.typed_id as usize] = true;
    }
    joint
}

/// Component space at which a skin was bound: of the first cluster that says so, else of a bind pose in the file.
fn bind_poses(scene: &ufbx::Scene) -> Vec<Option<DAffine3>> {
    let mut bind = vec![None; scene.nodes.count];
    let clusters = scene.skin_clusters.iter();
    let of_skins = clusters.filter_map(|c| c.bone_node.as_ref().map(|node| (node.element.typed_id, &c.bind_to_world)));
    let poses = scene.poses.iter().filter(|pose| pose.is_bind_pose).flat_map(|pose| pose.bone_poses.iter());
    let of_poses = poses.map(|bone| (bone.bone_node.element.typed_id, &bone.bone_to_world));
    for (node, matrix) in of_skins.chain(of_poses) {
        let matrix = affine(matrix);
        let usable = matrix.is_finite() && matrix.matrix3.determinant().abs() > 1e-18;
        let place: &mut Option<DAffine3> = &mut bind[node as usize];
        if usable && place.is_none() {
            *place = Some(matrix);
        }
    }
    bind
}

fn finite(transform: Transform) -> Transform {
    if transform.is_finite() { transform } else { Transform::IDENTITY }
}

pub(super) fn vec3(v: ufbx::Vec3) -> DVec3 {
    DVec3::new(v.x, v.y, v.z)
}

pub(super) fn quat(q: ufbx::Quat) -> DQuat {
    DQuat::from_xyzw(q.x, q.y, q.z, q.w)
}

pub(super) fn transform(t: &ufbx::Transform) -> Transform {
    Transform { translation: vec3(t.translation), rotation: quat(t.rotation), scale: vec3(t.scale) }
}

pub(super) fn affine(m: &ufbx::Matrix) -> DAffine3 {
    let linear = DMat3::from_cols(
        DVec3::new(m.m00, m.m10, m.m20),
        DVec3::new(m.m01, m.m11, m.m21),
        DVec3::new(m.m02, m.m12, m.m22),
    );
    DAffine3::from_mat3_translation(linear, DVec3::new(m.m03, m.m13, m.m23))
}

/// A node's own property, zero where it is absent.
pub(super) fn prop_vec3(node: &Node, name: &str) -> DVec3 {
    let v = ufbx::find_prop(&node.element.props, name).map_or_else(Default::default, |prop| prop.value_vec4);
    DVec3::new(v.x, v.y, v.z)
}
