//! Which bone carries the travel, by looking at a clip.

use glam::{DMat3, DVec3};

use super::lineage::Lineage;
use super::names::{BoneName, read_names};
use super::score::leg_length;
use super::trunk::holds_the_body;
use super::{Rig, Role, RoleOverrides};
use crate::motion::clip::Clip;
use crate::motion::skeleton::BoneIndex;
use crate::motion::track::Property;
use crate::motion::transform::ground;

/// A bone that strays less than this share of the leg's length over the ground sways; more is travel.
const TRAVEL_SHARE: f64 = 0.25;
/// Keys of one track that are looked at, evenly spread.
const MAX_KEYS: usize = 512;

impl Rig {
    /// The same rig with root and travel bone chosen by whose translation in `clip` moves over the ground, for a clip
    /// on the skeleton of [`Rig::detect`]. Only a bone's own track counts, so a bone that is carried is no carrier.
    ///
    /// * No root, and a node above the skeleton moves (an armature animated as an object): it is the root.
    /// * A root that stands still, and below it one called root or reference that moves: the latter is the root.
    /// * Between root and pelvis the bone that moves farthest carries the travel (`hip`, `Bip001`).
    ///
    /// A clip in which nothing travels changes nothing, nor does one on another skeleton. A root that a person set, or
    /// denied, in `overrides` stays.
    #[must_use]
    pub fn with_travel(&self, clip: &Clip, overrides: &RoleOverrides) -> Self {
        let mut rig = self.clone();
        let skeleton = &clip.skeleton;
        let (Some(pelvis), Some(travel)) = (self.bone(Role::Pelvis), self.travel_bone) else { return rig };
        if self.roles.values().any(|bone| bone.get() >= skeleton.len()) || travel.get() >= skeleton.len() {
            return rig;
        }
        let reference = skeleton.reference_component();
        let positions: Vec<DVec3> = reference.iter().map(|affine| affine.translation).collect();
        let Some(leg_m) = leg_length(&positions, &self.roles) else { return rig };
        let lineage = Lineage::new(skeleton);
        let strays = |bone: BoneIndex| {
            let linear = skeleton.parent(bone).map_or(DMat3::IDENTITY, |parent| reference[parent.get()].matrix3);
            stray_m(clip, bone, linear)
        };
        let way: Vec<(BoneIndex, f64)> =
            std::iter::once(pelvis).chain(lineage.ancestors(pelvis)).map(|bone| (bone, strays(bone))).collect();
        let moves = |bone: BoneIndex| way.iter().any(|&(b, stray)| b == bone && stray > TRAVEL_SHARE * leg_m);

        let above_travel: Vec<BoneIndex> = lineage.ancestors(travel).collect();
        let names = read_names(skeleton);
        let settled = overrides.0.iter().any(|(role, _)| *role == Role::Root);
        let new_root = if settled {
            None
        } else {
            better_root(self, &lineage, &names, travel, &above_travel, moves, |b| skeleton.bone(b).is_joint)
        };
        if let Some(root) = new_root {
            rig.roles.insert(Role::Root, root);
            rig.reason.push_str(&format!("; \"{}\" carries the travel as root", skeleton.bone(root).name));
        }
        let under_root = |b: BoneIndex| rig.root().is_none_or(|root| lineage.below(b, root));
        let between = way.iter().filter(|&&(b, stray)| under_root(b) && stray > TRAVEL_SHARE * leg_m);
        let is_bone = |b: BoneIndex| skeleton.bone(b).is_joint || !skeleton.bone(pelvis).is_joint;
        let farthest = between.filter(|(b, _)| is_bone(*b)).max_by(|a, b| a.1.total_cmp(&b.1));
        if let Some(&(bone, _)) = farthest {
            rig.travel_bone = Some(bone);
        }
        rig
    }
}

fn better_root(
    rig: &Rig,
    lineage: &Lineage,
    names: &[BoneName],
    travel: BoneIndex,
    above_travel: &[BoneIndex],
    moves: impl Fn(BoneIndex) -> bool,
    is_joint: impl Fn(BoneIndex) -> bool,
) -> Option<BoneIndex> {
    let bare = |b: BoneIndex| {
        let towards = above_travel.iter().copied().take_while(|&x| x != b).last().unwrap_or(travel);
        holds_the_body(lineage, &rig.roles, towards)
    };
    match rig.root() {
        Some(root) if moves(root) => None,
        Some(root) => above_travel.iter().copied().find(|&b| {
            // Biped's centre of mass moves below a root that stands still, and is no root for that.
            let is_biped = names[b.get()].words.iter().any(|word| word == "bip");
            lineage.below(b, root) && names[b.get()].is_root() && !is_biped && moves(b) && bare(b)
        }),
        // From the top: the first that moves takes everything with it.
        None => above_travel.iter().rev().copied().find(|&b| moves(b) && (!is_joint(b) || bare(b))),
    }
}

/// Farthest that a bone's own translation gets from its first key over the ground, metres; `linear` takes its parent's
/// space to component space.
fn stray_m(clip: &Clip, bone: BoneIndex, linear: DMat3) -> f64 {
    let Some(track) = clip.track(bone, Property::Translation) else { return 0.0 };
    let n = track.times.len();
    let first = track.vec3_key(0);
    let step = n.div_ceil(MAX_KEYS).max(1);
    let keys = (0..n).step_by(step).chain(std::iter::once(n - 1));
    keys.map(|i| ground(linear * (track.vec3_key(i) - first)).length()).fold(0.0, f64::max)
}
