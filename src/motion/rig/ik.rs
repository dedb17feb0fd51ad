//! IK bones: what they mark, and which of them ride with the root.

use super::names::{BoneName, Limb};
use super::reading::Reading;
use super::tables;
use super::trunk::Roles;
use super::{IkPair, Rig, Role, Side};
use crate::motion::skeleton::BoneIndex;

/// The IK role of a name: `ik_foot_root`, `ik_foot_l`, `ik_hand_root`, `ik_hand_gun`, `ik_hand_l` and their like, of
/// the hind legs where front and rear are told apart. Controls such as `foot_ik.L` are none.
fn ik_role(name: &BoneName) -> Option<Role> {
    if name.limb == Some(Limb::Front) {
        return None;
    }
    let told: Vec<&str> = name
        .words
        .iter()
        .map(String::as_str)
        .filter(|word| !tables::is_filler(word) && tables::limb_of(word).is_none())
        .collect();
    match (told.as_slice(), name.side) {
        (["ik", "foot", "root"], None) => Some(Role::IkFootRoot),
        (["ik", "foot"], Some(side)) => Some(Role::IkFoot(side)),
        (["ik", "hand", "root"], None) => Some(Role::IkHandRoot),
        (["ik", "hand", "gun"], _) => Some(Role::IkHandGun),
        (["ik", "hand"], Some(side)) => Some(Role::IkHand(side)),
        _ => None,
    }
}

/// Adds the IK roles; the first bone of a name wins.
pub(super) fn find_ik_roles(reading: &Reading<'_>, roles: &mut Roles) {
    for (bone, name) in reading.skeleton.indices().zip(&reading.names).filter(|(_, name)| name.ik) {
        let Some(role) = ik_role(name) else { continue };
        if !reading.settled.contains_key(&role) && !reading.is_taken(bone) {
            roles.entry(role).or_insert(bone);
        }
    }
}

/// IK bones with the bones they mark; the gun is held in the right hand.
pub(super) fn pairs(rig: &Rig) -> Vec<IkPair> {
    let marks = [
        (Role::IkFoot(Side::Left), Role::Foot(Side::Left)),
        (Role::IkFoot(Side::Right), Role::Foot(Side::Right)),
        (Role::IkHandGun, Role::Hand(Side::Right)),
        (Role::IkHand(Side::Left), Role::Hand(Side::Left)),
        (Role::IkHand(Side::Right), Role::Hand(Side::Right)),
    ];
    let pair = |(ik, fk): (Role, Role)| Some(IkPair { ik: rig.bone(ik)?, fk: rig.bone(fk)? });
    marks.into_iter().filter_map(pair).collect()
}

/// Children of the root below which there are IK bones and nothing else, in the skeleton's order.
pub(super) fn roots(reading: &Reading<'_>, roles: &Roles, root: Option<BoneIndex>) -> Vec<BoneIndex> {
    let Some(root) = root else { return Vec::new() };
    // For every bone: how many below it are no IK bones. Children stand behind their parents.
    let skeleton = reading.skeleton;
    let mut others = vec![0_u32; skeleton.len()];
    for bone in skeleton.indices().rev() {
        let own = u32::from(!reading.names[bone.get()].ik);
        if let Some(parent) = skeleton.parent(bone) {
            others[parent.get()] += others[bone.get()] + own;
        }
    }
    let played = |b: BoneIndex| {
        roles.iter().any(|(role, &bone)| bone == b && !matches!(role, Role::IkFootRoot | Role::IkHandRoot))
    };
    skeleton
        .indices()
        .filter(|&b| skeleton.parent(b) == Some(root) && reading.lineage.descendants(b) > 0)
        .filter(|&b| others[b.get()] == 0 && !played(b))
        .collect()
}
