//! Skins, and the bind pose in component space.
//!
//! A skin says where each joint stood when the mesh was bound, as seen from the mesh: `joint ⟵ mesh` is the inverse
//! bind matrix `B⁻¹`. The specification leaves open where that mesh space lies in the scene, and files differ: for
//! Blender's it is the scene itself, for FBX2glTF's the mesh's node (scale 100, Z up), for Collada's and Sketchfab's a
//! node above the armature. So a transform `X` (scene ⟵ mesh) is chosen, once per skin, and the bind pose of a joint
//! is `X·B`. Candidates are the identity, the nodes that wear the skin, and the nodes above the joints. The one wins under
//! which the bind pose is most like the node pose (distances between joints, directions, places; medians, since the
//! node pose may be a posed one), the identity where nothing is clearly better. When even the winner has other bone
//! lengths than the nodes, it is scaled to them.

use glam::{DAffine3, DMat4, DVec3};

use super::Document;
use super::accessor::View;
use super::findings::Findings;
use super::scene::Tree;
use crate::motion::WarningKind;
use crate::motion::transform::{angle_between, rotation_of};

/// A skin whose joints are still nodes.
pub(super) struct NodeSkin {
    /// Node indices; `None` where the file names a node that does not exist.
    pub(super) joints: Vec<Option<u32>>,
    /// Joint space from mesh space, one per joint.
    pub(super) inverse_binds: Vec<DAffine3>,
    /// Whether the file states them; else they are identities, as the specification says, and no bind pose.
    stated: bool,
}

/// All skins of the file.
pub(super) fn read_skins(document: &Document<'_>, findings: &mut Findings) -> Vec<NodeSkin> {
    let nodes = document.root.nodes.len();
    let mut skins = Vec::new();
    for (i, skin) in document.root.skins.iter().enumerate() {
        let mut joint = |index: usize| {
            let known = (index < nodes).then_some(index as u32);
            if known.is_none() {
                let message = "joints that do not exist; what they move stands still";
                findings.add(WarningKind::Repaired, message, || format!("skins[{i}].joints"));
            }
            known
        };
        let joints: Vec<Option<u32>> = skin.joints.iter().map(|index| joint(index.value())).collect();
        let place = || format!("skins[{i}].inverseBindMatrices");
        let read = skin.inverse_bind_matrices.map(|accessor| matrices(document, accessor.value()));
        let mut inverse_binds = match read {
            Some(Ok(matrices)) => matrices,
            Some(Err(reason)) => {
                let message = format!("inverse bind matrices cannot be read because {reason}");
                findings.add(WarningKind::Dropped, &message, place);
                Vec::new()
            }
            None => Vec::new(),
        };
        let stated = !inverse_binds.is_empty();
        if stated && inverse_binds.len() < joints.len() {
            let message = "there are fewer inverse bind matrices than joints; the rest is taken for identity";
            findings.add(WarningKind::Repaired, message, place);
        }
        inverse_binds.resize(joints.len(), DAffine3::IDENTITY);
        skins.push(NodeSkin { joints, inverse_binds, stated });
    }
    skins
}

fn matrices(document: &Document<'_>, accessor: usize) -> Result<Vec<DAffine3>, String> {
    let view = View::new(document, accessor).map_err(|fault| fault.reason)?;
    let matrices = view.vectors::<16>().ok_or("they are not 4 × 4")?;
    Ok(matrices.iter().map(|m| DAffine3::from_mat4(DMat4::from_cols_array(&m.map(f64::from)))).collect())
}

/// Per node, its component-space bind pose from the first skin that covers it.
pub(super) fn bind_poses(
    document: &Document<'_>,
    tree: &Tree,
    skins: &[NodeSkin],
    findings: &mut Findings,
) -> Vec<Option<DAffine3>> {
    let mut poses = vec![None; tree.parent.len()];
    for (i, skin) in skins.iter().enumerate().filter(|(_, skin)| skin.stated) {
        let joints: Vec<Joint> = bound_joints(tree, skin);
        if joints.len() < skin.joints.iter().flatten().count() {
            let message = "inverse bind matrices without an inverse; those joints have no bind pose";
            findings.add(WarningKind::Dropped, message, || format!("skins[{i}].inverseBindMatrices"));
        }
        let Some(scene_from_mesh) = scene_from_mesh(document, tree, i, &joints) else { continue };
        for joint in &joints {
            let pose = scene_from_mesh * joint.bind;
            let slot = &mut poses[joint.node as usize];
            if slot.is_none() && pose.is_finite() {
                *slot = Some(pose);
            }
        }
    }
    poses
}

struct Joint {
    node: u32,
    /// Mesh space from joint space, when bound.
    bind: DAffine3,
    /// Component space from joint space, in the node pose.
    node_pose: DAffine3,
}

fn bound_joints(tree: &Tree, skin: &NodeSkin) -> Vec<Joint> {
    let joint = |(node, inverse): (&Option<u32>, &DAffine3)| {
        let node = (*node)?;
        let bind = inverse.inverse();
        bind.is_finite().then(|| Joint { node, bind, node_pose: tree.component[node as usize] })
    };
    skin.joints.iter().zip(&skin.inverse_binds).filter_map(joint).collect()
}

/// More candidates or joints would tell no more.
const MOST_CANDIDATES: usize = 12;
const MOST_JOINTS: usize = 256;
/// A candidate must beat the one before by this much (radians, relative length): the node pose may be posed.
const CLEARLY: f64 = 0.05;
/// Bone lengths this far apart (natural logarithm, 5 %) cannot both be the character's.
const OTHER_LENGTHS: f64 = 0.05;

fn scene_from_mesh(document: &Document<'_>, tree: &Tree, skin: usize, joints: &[Joint]) -> Option<DAffine3> {
    let first = joints.first()?;
    let wearers = document.root.nodes.iter().enumerate();
    let wearers = wearers.filter(|(_, node)| node.skin.is_some_and(|worn| worn.value() == skin)).map(|(i, _)| i as u32);
    let mut candidates = vec![DAffine3::IDENTITY];
    for node in wearers.chain(tree.above(first.node)) {
        let candidate = tree.component[node as usize];
        let usable = candidate.is_finite() && candidate.matrix3.determinant().abs() > 1e-30;
        if usable && !candidates.iter().any(|known| known.abs_diff_eq(candidate, 1e-9)) {
            candidates.push(candidate);
        }
        if candidates.len() == MOST_CANDIDATES {
            break;
        }
    }
    let sample: Vec<&Joint> = joints.iter().step_by(joints.len().div_ceil(MOST_JOINTS)).collect();
    let mut best = (f64::INFINITY, DAffine3::IDENTITY, 0.0);
    for candidate in candidates {
        let unlike = Unlikeness::of(candidate, &sample);
        if unlike.total() < best.0 - CLEARLY || best.0.is_infinite() {
            best = (unlike.total(), candidate, unlike.log_length);
        }
    }
    let (_, chosen, log_length) = best;
    if log_length.abs() <= OTHER_LENGTHS || !log_length.is_finite() {
        return Some(chosen);
    }
    Some(DAffine3::from_scale(DVec3::splat(log_length.exp())) * chosen)
}

/// How far the bind pose under one candidate is from the node pose.
struct Unlikeness {
    /// Median of ln(distance in the node pose / distance in the bind pose), between joints that follow one another.
    log_length: f64,
    /// Median angle between a joint's two directions, radians.
    angle: f64,
    /// Median distance between a joint's two places, as part of the character's size.
    distance: f64,
}

impl Unlikeness {
    fn of(scene_from_mesh: DAffine3, joints: &[&Joint]) -> Self {
        let bind: Vec<DAffine3> = joints.iter().map(|joint| scene_from_mesh * joint.bind).collect();
        let pairs = || joints.iter().zip(&bind);
        let lengths = pairs().zip(pairs().skip(1)).filter_map(|((node_a, bind_a), (node_b, bind_b))| {
            let there = node_a.node_pose.translation.distance(node_b.node_pose.translation);
            let here = bind_a.translation.distance(bind_b.translation);
            (there > 1e-9 && here > 1e-9).then(|| (there / here).ln())
        });
        let scale = |affine: &DAffine3| affine.matrix3.determinant().abs().cbrt();
        let by_scale = || median(pairs().map(|(joint, bind)| (scale(&joint.node_pose) / scale(bind)).ln()));
        let places = joints.iter().map(|joint| joint.node_pose.translation);
        let (low, high) =
            places.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), place| (low.min(place), high.max(place)));
        let size = (high - low).max_element().max(1e-9);
        Self {
            // A lone joint has no distances; its scale must do.
            log_length: median(lengths).or_else(by_scale).unwrap_or(0.0),
            angle: median(pairs().map(|(joint, bind)| angle_between(rotation_of(&joint.node_pose), rotation_of(bind))))
                .unwrap_or(0.0),
            distance: median(
                pairs().map(|(joint, bind)| joint.node_pose.translation.distance(bind.translation) / size),
            )
            .unwrap_or(0.0),
        }
    }

    fn total(&self) -> f64 {
        // A candidate a hundred times too large is no worse than one that is five times too large.
        self.log_length.abs().min(1.5) + self.angle + self.distance.min(1.5)
    }
}

fn median(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let mut numbers: Vec<f64> = numbers.filter(|number| number.is_finite()).collect();
    let middle = numbers.len() / 2;
    (!numbers.is_empty()).then(|| *numbers.select_nth_unstable_by(middle, f64::total_cmp).1)
}
