//! A skeleton as detection sees it: names read, ancestry numbered, candidates per part at hand.

use std::collections::{BTreeMap, HashMap};

use glam::DVec3;

use super::lineage::Lineage;
use super::names::{BoneName, Limb, read_names};
use super::tables::{Hit, Part};
use super::{Role, Side};
use crate::motion::skeleton::{BoneIndex, Skeleton};

/// More bones that speak of one part are not looked at, which bounds the search on any input.
const MAX_CANDIDATES: usize = 64;

pub(super) struct Reading<'s> {
    pub(super) skeleton: &'s Skeleton,
    pub(super) lineage: Lineage,
    pub(super) names: Vec<BoneName>,
    pub(super) hits: Vec<Option<Hit>>,
    /// Reference pose, component space, metres.
    pub(super) positions: Vec<DVec3>,
    /// Roles that a person or the file has settled; `None`: nobody plays it.
    pub(super) settled: BTreeMap<Role, Option<BoneIndex>>,
    /// Thighs and the like that the name calls front ones.
    pub(super) front_legs: Vec<BoneIndex>,
    candidates: HashMap<(Part, Option<Side>), Vec<BoneIndex>>,
}

impl<'s> Reading<'s> {
    pub(super) fn new(skeleton: &'s Skeleton, settled: BTreeMap<Role, Option<BoneIndex>>) -> Self {
        let names = read_names(skeleton);
        let hits: Vec<Option<Hit>> = names.iter().map(BoneName::part).collect();
        let mut candidates: HashMap<(Part, Option<Side>), Vec<BoneIndex>> = HashMap::new();
        let mut front_legs = Vec::new();
        for ((bone, name), hit) in skeleton.indices().zip(&names).zip(&hits) {
            let Some(hit) = hit else { continue };
            // `PawedArm_A_Thigh`: where a leg's part is told to be an arm's, it is a front leg's.
            let is_front = name.limb == Some(Limb::Front) || name.says("arm");
            if hit.part.is_leg() && is_front {
                front_legs.push(bone);
                continue;
            }
            // `BackShoulder` is a part of a hind leg, `Front_Leg_Shoulder` of a front one: neither is an arm's.
            if hit.part == Part::Shoulder && name.limb.is_some() {
                continue;
            }
            let list = candidates.entry((hit.part, name.side)).or_default();
            if list.len() < MAX_CANDIDATES {
                list.push(bone);
            }
        }
        let positions = skeleton.reference_component().iter().map(|affine| affine.translation).collect();
        Self { skeleton, lineage: Lineage::new(skeleton), names, hits, positions, settled, front_legs, candidates }
    }

    pub(super) fn name(&self, bone: BoneIndex) -> &'s str {
        &self.skeleton.bone(bone).name
    }

    pub(super) fn is_joint(&self, bone: BoneIndex) -> bool {
        self.skeleton.bone(bone).is_joint
    }

    pub(super) fn distance(&self, a: BoneIndex, b: BoneIndex) -> f64 {
        self.positions[a.get()].distance(self.positions[b.get()])
    }

    /// Bones whose names speak of a part, in the skeleton's order.
    pub(super) fn candidates(&self, part: Part, side: Option<Side>) -> &[BoneIndex] {
        self.candidates.get(&(part, side)).map_or(&[], Vec::as_slice)
    }

    /// How well a bone's name speaks; smaller is better. Of equals the topmost is taken: `thigh.L` above `thigh.L.001`.
    pub(super) fn order(&self, bone: BoneIndex) -> impl Ord + use<> {
        let strength = self.hits[bone.get()].map(|hit| hit.strength);
        let deform = self.names[bone.get()].deform;
        (std::cmp::Reverse(strength), !deform, !self.is_joint(bone), self.lineage.depth(bone), bone)
    }

    /// The bone of a role: the settled one, else the best-named candidate that is accepted.
    pub(super) fn pick(
        &self,
        role: Role,
        part: Part,
        side: Option<Side>,
        accept: impl Fn(BoneIndex) -> bool,
    ) -> Option<BoneIndex> {
        if let Some(&settled) = self.settled.get(&role) {
            return settled;
        }
        let free = |b: BoneIndex| !self.is_taken(b) && accept(b);
        self.candidates(part, side).iter().copied().filter(|&b| free(b)).min_by_key(|&b| self.order(b))
    }

    /// Whether a person or the file gave the bone another part.
    pub(super) fn is_taken(&self, bone: BoneIndex) -> bool {
        self.settled.values().any(|&b| b == Some(bone))
    }

    /// Topmost of some bones.
    pub(super) fn topmost(&self, bones: impl Iterator<Item = BoneIndex>) -> Option<BoneIndex> {
        bones.min_by_key(|&b| (self.lineage.depth(b), b))
    }
}
