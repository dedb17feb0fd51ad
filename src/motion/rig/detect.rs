//! [`Rig::detect`]: settled roles first, then the legs, from them the pelvis, from it trunk, travel and root.

use std::collections::BTreeMap;

use super::legs::{Leg, find_leg, foot_apart, toe_below};
use super::reading::Reading;
use super::score::{Evidence, judge, leg_length};
use super::trunk::{self, PelvisBy, Roles};
use super::{Rig, Role, RoleOverrides, Side, ik};
use crate::motion::skeleton::{BoneIndex, Skeleton};

const SIDES: [Side; 2] = [Side::Left, Side::Right];

impl Rig {
    /// Finds the roles of a skeleton by its bones' names, checked against its hierarchy and reference pose.
    ///
    /// `declared` are roles that the file states (VRM humanoid): they win over names, and `overrides` win over
    /// everything. An override whose bone is not in this skeleton is passed over and named in [`Rig::reason`].
    ///
    /// Never fails: what was not found is missing from [`Rig::roles`], lowers the confidence and is said in the reason.
    /// Time is linear in the number of bones.
    pub fn detect(skeleton: &Skeleton, declared: &[(Role, BoneIndex)], overrides: &RoleOverrides) -> Self {
        let mut notes = Vec::new();
        let settled = settle(skeleton, declared, overrides, &mut notes);
        let reading = Reading::new(skeleton, settled);
        let mut roles: Roles = reading.settled.iter().filter_map(|(&role, &bone)| Some((role, bone?))).collect();

        let mut legs = SIDES.map(|side| find_leg(&reading, side));
        let many_legs = take_many_legs(&reading, &mut legs);
        let mut apart = Vec::new();
        for (side, leg) in SIDES.into_iter().zip(&mut legs) {
            if leg.foot.is_none() {
                leg.foot = foot_apart(&reading, side, leg);
                leg.toe = leg.foot.and_then(|foot| toe_below(&reading, side, foot));
                apart.extend(leg.foot.map(|foot| format!("\"{}\"", reading.name(foot))));
            }
            let parts = [Role::Thigh(side), Role::Calf(side), Role::Foot(side), Role::Toe(side)];
            let bones = [leg.thigh, leg.calf, leg.foot, leg.toe];
            roles.extend(parts.into_iter().zip(bones).filter_map(|(role, bone)| Some((role, bone?))));
        }
        if !apart.is_empty() {
            let feet = apart.join(" and ");
            notes.push(format!(
                "{feet} do not hang on the legs: IK moves them, so turning a leg leaves its foot behind"
            ));
        }
        let length_m = leg_length(&reading.positions, &roles);

        let thighs: Vec<BoneIndex> = legs.iter().filter_map(|leg| leg.thigh).collect();
        let pelvis = trunk::find_pelvis(&reading, &roles, &thighs, length_m);
        if let Some((pelvis, by)) = pelvis {
            roles.insert(Role::Pelvis, pelvis);
            notes.extend((by == PelvisBy::Thighs).then(|| pelvis_note(&reading, pelvis)));
        }
        let pelvis_bone = pelvis.map(|(bone, _)| bone);
        let top = pelvis_bone.map(|bone| reading.lineage.ancestors(bone).last().unwrap_or(bone));
        for side in SIDES {
            trunk::find_arm(&reading, side, top, &mut roles);
        }
        trunk::find_spine(&reading, pelvis_bone, &mut roles);
        ik::find_ik_roles(&reading, &mut roles);

        let travel_bone = trunk::find_travel_bone(&reading, &roles, length_m);
        let root = travel_bone.and_then(|travel| trunk::find_root(&reading, &roles, travel, length_m));
        if let Some(root) = root {
            roles.insert(Role::Root, root);
        }
        let ik_roots = ik::roots(&reading, &roles, root);
        let evidence =
            Evidence { pelvis_by: pelvis.map(|(_, by)| by), many_legs, declared: !declared.is_empty(), notes };
        let (family, confidence, reason) = judge(&reading, &roles, evidence);
        let mut rig = Self { family, confidence, reason, roles, travel_bone, ik_pairs: Vec::new(), ik_roots };
        rig.ik_pairs = ik::pairs(&rig);
        rig
    }
}

/// What the file declares, and over it what a person said.
fn settle(
    skeleton: &Skeleton,
    declared: &[(Role, BoneIndex)],
    overrides: &RoleOverrides,
    notes: &mut Vec<String>,
) -> BTreeMap<Role, Option<BoneIndex>> {
    let inside = declared.iter().filter(|(_, bone)| bone.get() < skeleton.len());
    let mut settled: BTreeMap<Role, Option<BoneIndex>> = inside.map(|&(role, bone)| (role, Some(bone))).collect();
    for (role, path) in &overrides.0 {
        match path.as_deref().map(|path| (path, skeleton.find(path))) {
            None => drop(settled.insert(*role, None)),
            Some((_, Some(bone))) => {
                // A person who gives a declared bone another part takes its old part from it.
                settled.retain(|_, old| *old != Some(bone));
                settled.insert(*role, Some(bone));
            }
            Some((path, None)) => notes.push(format!(
                "the {role} was set by hand to \"{path}\", which is not in this skeleton: pick it again or clear it"
            )),
        }
    }
    settled
}

/// More than two legs: none is taken, since any pair would be a guess. Gives the thighs of all, left ones first.
fn take_many_legs(reading: &Reading<'_>, legs: &mut [Leg; 2]) -> Vec<BoneIndex> {
    if legs.iter().all(|leg| leg.others.is_empty()) {
        return Vec::new();
    }
    let thighs = legs.iter().flat_map(|leg| leg.thigh.into_iter().chain(leg.others.iter().copied())).collect();
    *legs = SIDES.map(|side| {
        let settled = |role: Role| reading.settled.get(&role).copied().flatten();
        Leg {
            thigh: settled(Role::Thigh(side)),
            calf: settled(Role::Calf(side)),
            foot: settled(Role::Foot(side)),
            toe: settled(Role::Toe(side)),
            ..Leg::default()
        }
    });
    thighs
}

fn pelvis_note(reading: &Reading<'_>, pelvis: BoneIndex) -> String {
    let name = reading.name(pelvis);
    let named = reading.candidates(super::tables::Part::Pelvis, None).first();
    match named {
        Some(&named) => format!(
            "\"{name}\" carries the legs, \"{}\" does not: the first is taken as the pelvis",
            reading.name(named)
        ),
        None => format!("no bone is called a pelvis: \"{name}\" is where the legs meet"),
    }
}
