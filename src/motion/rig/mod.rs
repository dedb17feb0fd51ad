//! Which bone plays which part, how sure we are, and why.
//!
//! [`Rig::detect`] reads names and hierarchy; [`Rig::with_travel`] then looks at a clip for who carries the travel;
//! [`RoleOverrides`] are the corrections a person made, kept per skeleton. What a rig without known names, or with
//! more than two legs, needs is left to the person, and [`Rig::reason`] says so.

mod detect;
mod ik;
mod legs;
mod lineage;
mod names;
mod reading;
mod score;
mod tables;
mod travel;
mod trunk;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::skeleton::{BoneIndex, Skeleton};

/// Left or right, as the character sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The character's left, +X when it faces +Z.
    Left,
    /// The character's right.
    Right,
}

/// The part a bone plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the field's own")]
pub enum Role {
    Root,
    Pelvis,
    Thigh(Side),
    Calf(Side),
    Foot(Side),
    Toe(Side),
    Spine,
    Neck,
    Head,
    Clavicle(Side),
    UpperArm(Side),
    Forearm(Side),
    Hand(Side),
    IkFootRoot,
    IkFoot(Side),
    IkHandRoot,
    IkHandGun,
    IkHand(Side),
}

impl Role {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        let single = [
            Self::Root,
            Self::Pelvis,
            Self::Spine,
            Self::Neck,
            Self::Head,
            Self::IkFootRoot,
            Self::IkHandRoot,
            Self::IkHandGun,
        ];
        let paired = [
            Self::Thigh,
            Self::Calf,
            Self::Foot,
            Self::Toe,
            Self::Clavicle,
            Self::UpperArm,
            Self::Forearm,
            Self::Hand,
            Self::IkFoot,
            Self::IkHand,
        ];
        let of_side = move |side| paired.into_iter().map(move |role| role(side));
        single.into_iter().chain(of_side(Side::Left)).chain(of_side(Side::Right))
    }

    /// Its side, if it has one.
    pub fn side(self) -> Option<Side> {
        match self {
            Self::Thigh(side)
            | Self::Calf(side)
            | Self::Foot(side)
            | Self::Toe(side)
            | Self::Clavicle(side)
            | Self::UpperArm(side)
            | Self::Forearm(side)
            | Self::Hand(side)
            | Self::IkFoot(side)
            | Self::IkHand(side) => Some(side),
            Self::Root
            | Self::Pelvis
            | Self::Spine
            | Self::Neck
            | Self::Head
            | Self::IkFootRoot
            | Self::IkHandRoot
            | Self::IkHandGun => None,
        }
    }
}

impl std::fmt::Display for Role {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (part, side) = match *self {
            Self::Root => ("root", None),
            Self::Pelvis => ("pelvis", None),
            Self::Thigh(side) => ("thigh", Some(side)),
            Self::Calf(side) => ("calf", Some(side)),
            Self::Foot(side) => ("foot", Some(side)),
            Self::Toe(side) => ("toe", Some(side)),
            Self::Spine => ("spine", None),
            Self::Neck => ("neck", None),
            Self::Head => ("head", None),
            Self::Clavicle(side) => ("clavicle", Some(side)),
            Self::UpperArm(side) => ("upper arm", Some(side)),
            Self::Forearm(side) => ("forearm", Some(side)),
            Self::Hand(side) => ("hand", Some(side)),
            Self::IkFootRoot => ("IK foot root", None),
            Self::IkFoot(side) => ("IK foot", Some(side)),
            Self::IkHandRoot => ("IK hand root", None),
            Self::IkHandGun => ("IK hand gun", None),
            Self::IkHand(side) => ("IK hand", Some(side)),
        };
        match side {
            Some(Side::Left) => write!(f, "left {part}"),
            Some(Side::Right) => write!(f, "right {part}"),
            None => f.write_str(part),
        }
    }
}

/// Corrections a person made: a role and the path of its bone, or `None` for "nobody plays it".
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoleOverrides(pub Vec<(Role, Option<String>)>);

/// An IK bone and the bone whose place it marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IkPair {
    /// Such as `ik_foot_l`.
    pub ik: BoneIndex,
    /// Such as `foot_l`.
    pub fk: BoneIndex,
}

/// Who plays what on one skeleton.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rig {
    /// Such as "Unreal mannequin"; empty when unknown.
    pub family: String,
    /// 0…1: half for the share of pelvis and leg roles found by name, half for the share of them in their place in the
    /// hierarchy with left like right. See [`Self::SURE`] and [`Self::UNKNOWN`].
    pub confidence: f64,
    /// In words, for the user: what it was recognised by, or what is missing.
    pub reason: String,
    /// The roles found.
    pub roles: BTreeMap<Role, BoneIndex>,
    /// Bone whose component-space motion is the travel: usually the pelvis, `hip` above it in Daz and CC rigs.
    pub travel_bone: Option<BoneIndex>,
    /// IK bones that mark another bone's place.
    pub ik_pairs: Vec<IkPair>,
    /// Bones with nothing but IK bones below them: they ride with the root.
    pub ik_roots: Vec<BoneIndex>,
}

impl Rig {
    /// From this confidence on a rig is taken as found.
    pub const SURE: f64 = 0.6;
    /// Below this confidence a rig counts as unknown; from here to [`Self::SURE`] a person is asked to look at it.
    pub const UNKNOWN: f64 = 0.1;

    /// The bone of a role.
    pub fn bone(&self, role: Role) -> Option<BoneIndex> {
        self.roles.get(&role).copied()
    }

    /// The root, when the rig has one of its own.
    pub fn root(&self) -> Option<BoneIndex> {
        self.bone(Role::Root)
    }

    /// The same rig on the skeleton that [`Skeleton::with_bone_above`] made, with the inserted bone as root.
    #[must_use]
    pub fn after_insertion(&self, above: BoneIndex, skeleton: &Skeleton) -> Self {
        debug_assert!(above.get() + 1 < skeleton.len());
        let shift = |b: BoneIndex| Skeleton::index_after_insertion(above, b);
        let mut rig = self.clone();
        for bone in rig.roles.values_mut() {
            *bone = shift(*bone);
        }
        rig.travel_bone = rig.travel_bone.map(shift);
        for pair in &mut rig.ik_pairs {
            *pair = IkPair { ik: shift(pair.ik), fk: shift(pair.fk) };
        }
        for bone in &mut rig.ik_roots {
            *bone = shift(*bone);
        }
        rig.roles.insert(Role::Root, above);
        rig
    }
}
