//! What each bone of a skeleton is to the eye: left, right or neither, drawn or not.

use crate::motion::{BoneIndex, Rig, Role, Side, Skeleton};

/// One bone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoneLook {
    /// Whose colour it has.
    pub side: Option<Side>,
    /// Whether a line goes to it from its parent. None does to the pelvis and to other bones that hang from the root,
    /// nor to IK bones: such lines say nothing about the body.
    pub joined: bool,
    /// Whether it can be seen and picked.
    pub seen: bool,
}

/// Shape `[bones]`.
pub fn bone_looks(skeleton: &Skeleton, rig: &Rig) -> Vec<BoneLook> {
    let ik = ik_bones(skeleton, rig);
    let above_body = above_body(skeleton, rig);
    let any_joint = skeleton.bones().iter().any(|bone| bone.is_joint);
    let mut looks: Vec<BoneLook> = Vec::with_capacity(skeleton.len());
    let sides = sides(rig);
    for bone in skeleton.indices() {
        let parent = skeleton.parent(bone);
        let own_side = sides.iter().find(|(b, _)| *b == bone).map(|(_, side)| *side);
        let side = own_side.or_else(|| parent.and_then(|parent| looks[parent.get()].side));
        let counts = |b: BoneIndex| skeleton.bone(b).is_joint || !any_joint;
        let body = !ik[bone.get()] && !above_body[bone.get()];
        let joined = body
            && parent.is_some_and(|parent| !ik[parent.get()] && !above_body[parent.get()] && counts(parent))
            && (counts(bone) || counts_below(skeleton, bone));
        looks.push(BoneLook { side, joined, seen: body && counts(bone) });
    }
    looks
}

/// An end node that a format adds behind the last joint is no joint itself, yet a limb ends there.
fn counts_below(skeleton: &Skeleton, bone: BoneIndex) -> bool {
    skeleton.parent(bone).is_some_and(|parent| skeleton.bone(parent).is_joint)
}

/// Bones that bear a side by their role; what hangs from them has the same.
fn sides(rig: &Rig) -> Vec<(BoneIndex, Side)> {
    let sided = |(role, &bone): (&Role, &BoneIndex)| {
        // An IK bone marks a place; what hangs from it is no limb.
        let is_ik = matches!(role, Role::IkFoot(_) | Role::IkHand(_));
        role.side().filter(|_| !is_ik).map(|side| (bone, side))
    };
    rig.roles.iter().filter_map(sided).collect()
}

/// IK bones and what hangs from them.
fn ik_bones(skeleton: &Skeleton, rig: &Rig) -> Vec<bool> {
    let is_ik = |role: &Role| {
        matches!(role, Role::IkFootRoot | Role::IkFoot(_) | Role::IkHandRoot | Role::IkHandGun | Role::IkHand(_))
    };
    let mut ik = vec![false; skeleton.len()];
    let named = rig.roles.iter().filter(|(role, _)| is_ik(role)).map(|(_, &bone)| bone);
    let tops = named.chain(rig.ik_roots.iter().copied()).chain(rig.ik_pairs.iter().map(|pair| pair.ik));
    tops.for_each(|bone| ik[bone.get()] = true);
    for bone in skeleton.indices() {
        if let Some(parent) = skeleton.parent(bone) {
            ik[bone.get()] |= ik[parent.get()];
        }
    }
    ik
}

/// The root and everything above the pelvis; nothing where no pelvis is known.
fn above_body(skeleton: &Skeleton, rig: &Rig) -> Vec<bool> {
    let mut above = vec![false; skeleton.len()];
    let body = rig.bone(Role::Pelvis).or(rig.travel_bone);
    // Daz and Character Creator hang the pelvis below a hip that carries the travel: that one is body.
    let top = match (body, rig.travel_bone) {
        (Some(pelvis), Some(travel)) if skeleton.is_at_or_above(travel, pelvis) => Some(travel),
        (body, _) => body,
    };
    for bone in top.into_iter().flat_map(|top| skeleton.ancestors(top)).chain(rig.root()) {
        above[bone.get()] = true;
    }
    above
}
