//! Roles of skeletons: every naming family, decoys, corrections, and what is not known.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "functions that tests share are tests, too")]

mod behaviour;
mod clips;
mod families;

use stridesmith::motion::{Rig, Role, RoleOverrides, Side, Skeleton};

use super::support::rig_text::on_side;

pub fn detect(skeleton: &Skeleton) -> Rig {
    Rig::detect(skeleton, &[], &RoleOverrides::default())
}

/// Name of the bone that plays a role, `–` for none.
pub fn played<'s>(rig: &Rig, skeleton: &'s Skeleton, role: Role) -> &'s str {
    rig.bone(role).map_or("–", |bone| &skeleton.bone(bone).name)
}

/// Expected roles as text: `Root root | Thigh thigh_{l} | …`; a sided role is checked on both sides, `–` means nobody.
pub fn assert_roles(rig: &Rig, skeleton: &Skeleton, expected: &str) {
    for item in expected.split('|') {
        let (role, name) = item.trim().split_once(' ').unwrap();
        let sides: &[Side] = &[Side::Left, Side::Right];
        let sided = |make: fn(Side) -> Role| sides.iter().map(|&side| make(side)).collect::<Vec<_>>();
        let roles = match role {
            "Root" => vec![Role::Root],
            "Pelvis" => vec![Role::Pelvis],
            "Spine" => vec![Role::Spine],
            "Neck" => vec![Role::Neck],
            "Head" => vec![Role::Head],
            "IkFootRoot" => vec![Role::IkFootRoot],
            "IkHandRoot" => vec![Role::IkHandRoot],
            "IkHandGun" => vec![Role::IkHandGun],
            "Thigh" => sided(Role::Thigh),
            "Calf" => sided(Role::Calf),
            "Foot" => sided(Role::Foot),
            "Toe" => sided(Role::Toe),
            "Clavicle" => sided(Role::Clavicle),
            "UpperArm" => sided(Role::UpperArm),
            "Forearm" => sided(Role::Forearm),
            "Hand" => sided(Role::Hand),
            "IkFoot" => sided(Role::IkFoot),
            "IkHand" => sided(Role::IkHand),
            "Travel" => {
                let travel = rig.travel_bone.map_or("–", |bone| &skeleton.bone(bone).name);
                assert_eq!(travel, name, "travel bone; {}", rig.reason);
                continue;
            }
            other => panic!("no role {other}"),
        };
        for (i, role) in roles.into_iter().enumerate() {
            assert_eq!(played(rig, skeleton, role), on_side(name, i == 0), "{role}; {}", rig.reason);
        }
    }
}
