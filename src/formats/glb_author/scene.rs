//! Bones as nodes, skins, and what stands on top of the scene.

use std::collections::HashSet;

use glam::DAffine3;

use crate::formats::gltf_write::{inverse_bind, matrix_bytes};
use crate::motion::{BoneIndex, Skeleton, Transform};

use super::Author;
use super::document::{Node, Skin};

impl Author<'_> {
    /// One node per bone, in order.
    pub(super) fn bones(&mut self) {
        let skeleton = &self.united.skeleton;
        self.document.nodes = skeleton.bones().iter().map(|bone| Node::new(&bone.name, bone.node_pose)).collect();
        for bone in skeleton.indices() {
            if let Some(parent) = skeleton.parent(bone) {
                self.document.nodes[parent.get()].children.push(bone.get());
            }
        }
    }

    /// The source's skins, save empty ones, which glTF does not have, and every bone that none of them names: without
    /// a skin other programs would see a loose node and no bone.
    pub(super) fn skins(&mut self) {
        let (united, file) = (self.united, self.file);
        let reference = united.skeleton.reference_component();
        let mut loose = self.loose_joints();
        for skin in &file.skins {
            self.skin_numbers.push((!skin.joints.is_empty()).then_some(self.document.skins.len()));
            let Some(&first) = skin.joints.first() else { continue };
            let mut joints: Vec<usize> = skin.joints.iter().map(|b| united.source_bone(*b).get()).collect();
            let mut matrices: Vec<u8> = skin.inverse_binds.iter().flat_map(matrix_bytes).collect();
            if let Some(root) = &united.root
                && let Some(place) = skin.joints.iter().position(|joint| *joint == root.above)
            {
                joints.push(root.above.get());
                loose.retain(|joint| *joint != root.above);
                let below = skin.inverse_binds.get(place).copied();
                matrices.extend(matrix_bytes(&inverse_bind(file, united, root, below)));
            }
            // Loose bones of this tree, bound where the reference pose has them; no vertex hangs on them.
            let top = top_of(&united.skeleton, united.source_bone(first));
            let component_from_mesh =
                skin.inverse_binds.first().map(|inverse| reference[united.source_bone(first).get()] * *inverse);
            loose.retain(|&joint| {
                let own = top_of(&united.skeleton, joint) == top;
                if own {
                    joints.push(joint.get());
                    let inverse = reference[joint.get()].inverse() * component_from_mesh.unwrap_or_default();
                    matrices.extend(matrix_bytes(&if inverse.is_finite() { inverse } else { DAffine3::IDENTITY }));
                }
                !own
            });
            let complete = matrices.len() == joints.len() * 64;
            let inverse_bind_matrices = complete.then(|| self.data.matrices(&matrices));
            self.document.skins.push(Skin { joints, inverse_bind_matrices });
        }
        while let Some(&first) = loose.first() {
            // A file without skins is one skeleton, whatever its tops; beside skins each tree has its own.
            let whole = self.document.skins.is_empty();
            let top = top_of(&united.skeleton, first);
            let own = |joint: &BoneIndex| whole || top_of(&united.skeleton, *joint) == top;
            let joints: Vec<usize> = loose.iter().copied().filter(own).map(BoneIndex::get).collect();
            loose.retain(|joint| !own(joint));
            // The node pose is where it was "bound".
            let component = united.skeleton.node_pose_component();
            let inverses = joints.iter().map(|joint| component[*joint].inverse());
            let finite = inverses.clone().all(|inverse| inverse.is_finite());
            let bytes: Vec<u8> = inverses.flat_map(|inverse| matrix_bytes(&inverse)).collect();
            let inverse_bind_matrices = finite.then(|| self.data.matrices(&bytes));
            self.document.skins.push(Skin { joints, inverse_bind_matrices });
        }
    }

    /// Bones that the source calls bones and no skin names, on the united skeleton, in order.
    fn loose_joints(&self) -> Vec<BoneIndex> {
        let skeleton = &self.united.skeleton;
        let skins = self.file.skins.iter().flat_map(|skin| &skin.joints);
        let bound: HashSet<BoneIndex> = skins.map(|joint| self.united.source_bone(*joint)).collect();
        skeleton.indices().filter(|&b| skeleton.bone(b).is_joint && !bound.contains(&b)).collect()
    }

    /// The scene's top nodes. Joints of one skin need a common ancestor (glTF 2.0 §3.7.3.1), so several tops get one
    /// node above them where a skin reaches into more than one.
    pub(super) fn tops(&mut self) {
        let skeleton = &self.united.skeleton;
        let mut top_of: Vec<usize> = Vec::with_capacity(skeleton.len());
        for (i, bone) in skeleton.bones().iter().enumerate() {
            top_of.push(bone.parent.map_or(i, |parent| top_of[parent.get()]));
        }
        let spans = |skin: &Skin| skin.joints.iter().any(|joint| top_of[*joint] != top_of[skin.joints[0]]);
        let tops: Vec<usize> = (0..skeleton.len()).filter(|i| top_of[*i] == *i).collect();
        let is_spanned = self.document.skins.iter().any(spans);
        let mut scene = std::mem::take(&mut self.document.scenes[0].nodes);
        if is_spanned {
            let above = Node { children: tops, ..Node::new("Armature", Transform::IDENTITY) };
            self.document.nodes.push(above);
            scene.insert(0, self.document.nodes.len() - 1);
        } else {
            scene.splice(0..0, tops);
        }
        self.document.scenes[0].nodes = scene;
    }
}

fn top_of(skeleton: &Skeleton, bone: BoneIndex) -> BoneIndex {
    skeleton.ancestors(bone).last().unwrap_or(bone)
}
