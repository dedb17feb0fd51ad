//! How sure a rig is, which family it is of, and the reason in words.

use glam::DVec3;

use super::reading::Reading;
use super::tables::{FAMILIES, Family, Part};
use super::trunk::{PelvisBy, Roles};
use super::{Rig, Role, Side};
use crate::motion::skeleton::BoneIndex;

/// What detection noticed beside the roles.
pub(super) struct Evidence {
    pub(super) pelvis_by: Option<PelvisBy>,
    /// Thighs of a creature with more than two legs.
    pub(super) many_legs: Vec<BoneIndex>,
    /// Whether the file declares roles.
    pub(super) declared: bool,
    pub(super) notes: Vec<String>,
}

/// Left and right may differ by this share of the leg's length.
const MIRROR_TOLERANCE: f64 = 0.1;
/// The names of this many bones are searched for the mark of a family.
const MARK_BONES: usize = 512;

const SIDES: [Side; 2] = [Side::Left, Side::Right];

fn leg_roles(side: Side) -> [Role; 4] {
    [Role::Thigh(side), Role::Calf(side), Role::Foot(side), Role::Toe(side)]
}

/// Mean length of the legs in the reference pose, thigh to calf to foot, metres; a leg without a foot counts its thigh
/// twice. `None` where no leg has an extent.
pub(super) fn leg_length(positions: &[DVec3], roles: &Roles) -> Option<f64> {
    let length = |side: Side| {
        let at = |role: Role| roles.get(&role).map(|bone| positions[bone.get()]);
        let (thigh, calf) = (at(Role::Thigh(side))?, at(Role::Calf(side))?);
        let upper = thigh.distance(calf);
        Some(upper + at(Role::Foot(side)).map_or(upper, |foot| calf.distance(foot)))
    };
    let lengths: Vec<f64> = SIDES.into_iter().filter_map(length).collect();
    let mean = lengths.iter().sum::<f64>() / lengths.len() as f64;
    (mean > 1e-6).then_some(mean)
}

/// Family, confidence and reason. Confidence is half the share of pelvis and leg roles that a name, the file or a
/// person gave, and half the share of leg roles that stand below the one above them, left mirroring right.
pub(super) fn judge(reading: &Reading<'_>, roles: &Roles, evidence: Evidence) -> (String, f64, String) {
    let Evidence { pelvis_by, many_legs, declared, mut notes } = evidence;
    let missing: Vec<Role> = std::iter::once(Role::Pelvis)
        .chain(SIDES.into_iter().flat_map(leg_roles))
        .filter(|role| !roles.contains_key(role))
        .collect();
    let mirror = Mirror::of(reading, roles);
    let named = |role: &Role| roles.get(role).is_some_and(|&bone| is_by_name(reading, *role, bone, pelvis_by));
    let (mut names, mut relations) = (usize::from(named(&Role::Pelvis)), 0);
    for side in SIDES {
        names += leg_roles(side).iter().filter(|role| named(role)).count();
        let chain = [Role::Pelvis, Role::Thigh(side), Role::Calf(side), Role::Foot(side), Role::Toe(side)];
        relations += chain
            .windows(2)
            .filter(|pair| {
                let found = roles.get(&pair[0]).zip(roles.get(&pair[1]));
                found.is_some_and(|(&above, &below)| reading.lineage.below(below, above))
                    && !mirror.uneven.contains(&pair[0])
            })
            .count();
    }
    let confidence = 0.5 * names as f64 / 9.0 + 0.5 * relations as f64 / 8.0;

    let family = family_of(reading, roles).map_or("", |family| family.name);
    let mut reason = Vec::new();
    if !many_legs.is_empty() {
        reason.push(many_legs_text(reading, &many_legs));
    } else if SIDES.iter().all(|&side| !roles.contains_key(&Role::Thigh(side))) {
        reason.push(no_legs_text(reading, roles));
    } else {
        reason.push(recognised_text(reading, roles, family, declared));
        if !missing.is_empty() {
            let list: Vec<String> = missing.iter().map(Role::to_string).collect();
            reason.push(format!("not found: {}", list.join(", ")));
        }
        if !reading.front_legs.is_empty() {
            reason.push("it has front legs too: the hind legs are taken as the legs".into());
        }
    }
    reason.append(&mut notes);
    reason.extend(mirror.text);
    let family = if confidence < Rig::UNKNOWN { String::new() } else { family.to_owned() };
    (family, confidence, reason.join("; "))
}

fn is_by_name(reading: &Reading<'_>, role: Role, bone: BoneIndex, pelvis_by: Option<PelvisBy>) -> bool {
    if reading.settled.contains_key(&role) {
        return true;
    }
    match role {
        Role::Pelvis => pelvis_by == Some(PelvisBy::Name),
        Role::Thigh(_) => reading.hits[bone.get()].is_some_and(|hit| hit.part == Part::Thigh),
        _ => true,
    }
}

/// The family whose words are those of the left (or only) leg: all of the bones found, four at least; where a mark
/// stands in some name, three will do.
fn family_of(reading: &Reading<'_>, roles: &Roles) -> Option<&'static Family> {
    let side = SIDES.into_iter().find(|&side| roles.contains_key(&Role::Thigh(side)))?;
    let [thigh, calf, foot, toe] = leg_roles(side);
    let bones = [Role::Pelvis, thigh, calf, foot, toe].map(|role| roles.get(&role).copied());
    let lower: Vec<String> =
        reading.skeleton.bones().iter().take(MARK_BONES).map(|bone| bone.name.to_lowercase()).collect();
    let fits = |bone: BoneIndex, words: &str| {
        let told = reading.hits[bone.get()].map(|hit| hit.word);
        let alone = &reading.names[bone.get()].words;
        words.split('|').any(|word| told.map_or_else(|| alone.iter().any(|w| w == word), |told| told == word))
            || (bones[0] == Some(bone) && words.split('|').any(|word| alone.iter().any(|w| w == word)))
    };
    let score = |family: &Family| {
        if !lower.iter().any(|name| name.contains(family.mark)) {
            return None;
        }
        let hits = bones.iter().zip(family.words).filter(|(bone, words)| bone.is_some_and(|b| fits(b, words))).count();
        let found = bones.iter().flatten().count();
        let marked = !family.mark.is_empty();
        (if marked { hits >= 3 } else { hits >= 4 && hits == found }).then_some(2 * hits + 3 * usize::from(marked))
    };
    // `max_by_key` would take the last of equals.
    FAMILIES.iter().rev().filter_map(|family| Some((score(family)?, family))).max_by_key(|(s, _)| *s).map(|(_, f)| f)
}

/// How left and right compare in the reference pose.
struct Mirror {
    /// Upper ends of segments whose lengths differ, both sides.
    uneven: Vec<Role>,
    text: Option<String>,
}

impl Mirror {
    /// The mirror plane lies between the thighs. A posed reference (first frame of a walk) is not mirrored although the
    /// legs are: only lengths, which no pose changes, count against the rig.
    fn of(reading: &Reading<'_>, roles: &Roles) -> Self {
        let none = Self { uneven: Vec::new(), text: None };
        let Some(leg_m) = leg_length(&reading.positions, roles) else { return none };
        let joints = [Role::Thigh, Role::Calf, Role::Foot, Role::Toe].map(|role: fn(Side) -> Role| {
            let at = |side| roles.get(&role(side)).map(|bone| reading.positions[bone.get()]);
            (role, at(Side::Left).zip(at(Side::Right)))
        });
        let Some((left, right)) = joints[0].1 else { return none };
        let (middle, normal) = ((left + right) / 2.0, (left - right).normalize_or_zero());
        let reflected = |p: DVec3| p - 2.0 * (p - middle).dot(normal) * normal;
        let mut uneven = Vec::new();
        let mut worst_m = 0.0_f64;
        for ends in joints.windows(2) {
            let (Some(above), Some(below)) = (ends[0].1, ends[1].1) else { continue };
            let difference_m = (above.0.distance(below.0) - above.1.distance(below.1)).abs();
            if difference_m > MIRROR_TOLERANCE * leg_m {
                uneven.extend(SIDES.map(ends[0].0));
            }
            worst_m = worst_m.max(reflected(below.0).distance(below.1));
        }
        let text = if !uneven.is_empty() {
            Some("left and right leg differ in length".to_owned())
        } else if worst_m > MIRROR_TOLERANCE * leg_m {
            Some("the reference pose is not symmetric".to_owned())
        } else {
            None
        };
        Self { uneven, text }
    }
}

fn recognised_text(reading: &Reading<'_>, roles: &Roles, family: &str, declared: bool) -> String {
    let side = if roles.contains_key(&Role::Thigh(Side::Left)) { Side::Left } else { Side::Right };
    let [thigh, calf, foot, toe] = leg_roles(side);
    let bones: Vec<&str> =
        [Role::Pelvis, thigh, calf, foot, toe].iter().filter_map(|r| roles.get(r)).map(|&b| reading.name(b)).collect();
    let by = if declared { "roles declared in the file" } else { "by its bone names" };
    let who = if family.is_empty() { "a rig of no family known here".to_owned() } else { family.to_owned() };
    format!("{who}, {by}: {}", bones.join(", "))
}

fn many_legs_text(reading: &Reading<'_>, thighs: &[BoneIndex]) -> String {
    let names: Vec<&str> = thighs.iter().take(4).map(|&b| reading.name(b)).collect();
    let dots = if thighs.len() > 4 { ", …" } else { "" };
    format!(
        "{} legs found ({}{dots}): rigs with more than two legs are not handled yet; set the legs to work on by hand",
        thighs.len(),
        names.join(", ")
    )
}

fn no_legs_text(reading: &Reading<'_>, roles: &Roles) -> String {
    let skeleton = reading.skeleton;
    let mut children = vec![0_u32; skeleton.len()];
    for parent in skeleton.bones().iter().filter_map(|bone| bone.parent) {
        children[parent.get()] += 1;
    }
    let names: Vec<&str> = skeleton.bones().iter().map(|bone| bone.name.as_str()).filter(|n| !n.is_empty()).collect();
    let shown = names.iter().take(3).copied().collect::<Vec<_>>().join(", ");
    let found: Vec<String> = roles.iter().map(|(role, &bone)| format!("{role} \"{}\"", reading.name(bone))).collect();
    let found = if found.is_empty() { String::new() } else { format!(" (found: {})", found.join(", ")) };
    if children.iter().all(|&n| n <= 1) {
        format!("no legs: the skeleton is a single chain{found}")
    } else if names.is_empty() {
        "the bones have no names: set pelvis, thighs, calves and feet by hand".to_owned()
    } else if found.is_empty() {
        format!("names unknown ({shown}, …): set pelvis, thighs, calves and feet by hand")
    } else {
        format!("no legs found by name{found}: set thighs, calves and feet by hand")
    }
}
