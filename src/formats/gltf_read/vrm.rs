//! Humanoid roles that a file declares: VRM 0.x, VRM 1.0 and VRM animations.
//!
//! `gltf-json` keeps no unknown extensions, so this part of the JSON is parsed a second time, only in files that use
//! one of them. Source: the VRM 0.0 and VRM 1.0 specifications, "humanoid".

use std::collections::BTreeMap;

use gltf::json::Root;
use serde::Deserialize;

use super::findings::Findings;
use crate::motion::{Role, Side, WarningKind};

#[derive(Deserialize)]
struct Outer {
    #[serde(default)]
    extensions: Extensions,
}

#[derive(Default, Deserialize)]
struct Extensions {
    #[serde(rename = "VRM")]
    vrm0: Option<Character<Vec<NamedBone>>>,
    #[serde(rename = "VRMC_vrm")]
    vrm1: Option<Character<BTreeMap<String, Option<BoneNode>>>>,
    #[serde(rename = "VRMC_vrm_animation")]
    animation: Option<Character<BTreeMap<String, Option<BoneNode>>>>,
}

#[derive(Deserialize)]
struct Character<Bones> {
    humanoid: Humanoid<Bones>,
}

#[derive(Deserialize)]
struct Humanoid<Bones> {
    #[serde(rename = "humanBones")]
    bones: Bones,
}

#[derive(Deserialize)]
struct NamedBone {
    bone: String,
    node: u32,
}

#[derive(Deserialize)]
struct BoneNode {
    node: u32,
}

/// Roles and the nodes that play them; empty for a file that declares none.
pub(super) fn read(json: &[u8], root: &Root, findings: &mut Findings) -> Vec<(Role, u32)> {
    let names = ["VRM", "VRMC_vrm", "VRMC_vrm_animation"];
    let Some(used) = root.extensions_used.iter().find(|used| names.contains(&used.as_str())) else {
        return Vec::new();
    };
    let extensions = match serde_json::from_slice::<Outer>(json) {
        Ok(outer) => outer.extensions,
        Err(_) => {
            let message = "the humanoid bones cannot be read; roles are guessed from names instead";
            findings.add(WarningKind::Dropped, message, || format!("extensions.{used}"));
            return Vec::new();
        }
    };
    if extensions.vrm0.is_some() {
        let message = "VRM 0 characters look along −Z; nothing was turned";
        findings.add(WarningKind::Axes, message, || "extensions.VRM".into());
    }
    let old = extensions.vrm0.into_iter().flat_map(|character| character.humanoid.bones);
    let new = extensions.vrm1.into_iter().chain(extensions.animation);
    let new = new.flat_map(|character| character.humanoid.bones);
    let named = old.map(|bone| (bone.bone, bone.node));
    let named = named.chain(new.filter_map(|(name, bone)| Some((name, bone?.node))));
    let mut roles: Vec<(Role, u32)> = Vec::new();
    for (name, node) in named {
        let Some(role) = role(&name) else { continue };
        if (node as usize) < root.nodes.len() && !roles.iter().any(|(known, _)| *known == role) {
            roles.push((role, node));
        }
    }
    roles
}

/// The role of a VRM bone name; `None` for those without one here (`chest`, `jaw`, fingers…).
fn role(name: &str) -> Option<Role> {
    let (side, part) = match (name.strip_prefix("left"), name.strip_prefix("right")) {
        (Some(part), _) => (Side::Left, part),
        (_, Some(part)) => (Side::Right, part),
        _ => {
            return match name {
                "hips" => Some(Role::Pelvis),
                "spine" => Some(Role::Spine),
                "neck" => Some(Role::Neck),
                "head" => Some(Role::Head),
                _ => None,
            };
        }
    };
    Some(match part {
        "UpperLeg" => Role::Thigh(side),
        "LowerLeg" => Role::Calf(side),
        "Foot" => Role::Foot(side),
        "Toes" => Role::Toe(side),
        "Shoulder" => Role::Clavicle(side),
        "UpperArm" => Role::UpperArm(side),
        "LowerArm" => Role::Forearm(side),
        "Hand" => Role::Hand(side),
        _ => return None,
    })
}
