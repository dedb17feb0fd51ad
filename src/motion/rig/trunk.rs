//! Pelvis, spine, arms and head, the bone that carries the travel, and the root above them.

use std::collections::BTreeMap;

use super::lineage::Lineage;
use super::reading::Reading;
use super::tables::Part;
use super::{Role, Side};
use crate::motion::skeleton::BoneIndex;

pub(super) type Roles = BTreeMap<Role, BoneIndex>;

/// How the pelvis was found.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PelvisBy {
    Settled,
    Name,
    /// It is where the thighs meet; no bone with a pelvis's name carries them.
    Thighs,
}

/// The deepest bone with a pelvis's name that carries the thighs, else the bone where the thighs meet, unless that lies
/// on the floor.
pub(super) fn find_pelvis(
    reading: &Reading<'_>,
    roles: &Roles,
    thighs: &[BoneIndex],
    leg_length_m: Option<f64>,
) -> Option<(BoneIndex, PelvisBy)> {
    if let Some(&settled) = reading.settled.get(&Role::Pelvis) {
        return settled.map(|bone| (bone, PelvisBy::Settled));
    }
    let lineage = &reading.lineage;
    let named = reading.candidates(Part::Pelvis, None).iter().copied().filter(|&b| !reading.is_taken(b));
    let Some((&first, others)) = thighs.split_first() else {
        return reading.topmost(named).map(|bone| (bone, PelvisBy::Name));
    };
    let carrying = named.filter(|&b| thighs.iter().all(|&thigh| lineage.below(thigh, b)));
    if let Some(bone) = carrying.max_by_key(|&b| lineage.depth(b)) {
        return Some((bone, PelvisBy::Name));
    }
    let mut meet = others.iter().try_fold(first, |meet, &thigh| lineage.meet(meet, thigh))?;
    // One thigh alone, an IK handle around the body, or a thigh that carries the other: one further up.
    while thighs.contains(&meet) || reading.names[meet.get()].ik {
        meet = lineage.ancestors(meet).next()?;
    }
    // Control rigs have bones of no use to a skin between pelvis and thighs, at the origin for all a file says of them.
    let on_floor = on_floor(reading, roles, meet, leg_length_m) && !reading.names[meet.get()].speaks_of(Part::Spine);
    (!on_floor && is_bone_above(reading, meet, first)).then_some((meet, PelvisBy::Thighs))
}

/// Whether a bone above `bone` belongs to the skeleton rather than to the scene around it: a joint, or below one. Where
/// the file calls nothing a joint, everything belongs.
fn is_bone_above(reading: &Reading<'_>, above: BoneIndex, bone: BoneIndex) -> bool {
    !reading.is_joint(bone)
        || std::iter::once(above).chain(reading.lineage.ancestors(above)).any(|b| reading.is_joint(b))
}

/// Clavicle, upper arm, forearm and hand of one side, below `base`.
pub(super) fn find_arm(reading: &Reading<'_>, side: Side, base: Option<BoneIndex>, roles: &mut Roles) {
    let lineage = &reading.lineage;
    let some = Some(side);
    let inside = |b: BoneIndex| base.is_none_or(|base| lineage.below(b, base));
    let shoulder = reading.candidates(Part::Shoulder, some).iter().copied().filter(|&b| inside(b));
    let shoulder = shoulder.min_by_key(|&b| reading.order(b));
    let called_arm = reading.pick(Role::UpperArm(side), Part::UpperArm, some, inside);
    let free_shoulder = shoulder.filter(|&b| !reading.is_taken(b));
    let upper = called_arm.or(if reading.settled.contains_key(&Role::UpperArm(side)) { None } else { free_shoulder });
    let under =
        |above: Option<BoneIndex>| move |b: BoneIndex| above.is_none_or(|above| lineage.below(b, above)) && inside(b);
    let forearm = reading.pick(Role::Forearm(side), Part::Forearm, some, under(upper));
    let hand = reading.pick(Role::Hand(side), Part::Hand, some, under(forearm.or(upper)));
    let above_arm = |b: BoneIndex| upper.is_none_or(|upper| lineage.below(upper, b)) && inside(b);
    let clavicle = reading.pick(Role::Clavicle(side), Part::Clavicle, some, above_arm).or_else(|| {
        let settled = reading.settled.contains_key(&Role::Clavicle(side));
        free_shoulder.filter(|&b| !settled && Some(b) != upper && above_arm(b))
    });
    let found = [
        (Role::Clavicle(side), clavicle),
        (Role::UpperArm(side), upper),
        (Role::Forearm(side), forearm),
        (Role::Hand(side), hand),
    ];
    roles.extend(found.into_iter().filter_map(|(role, bone)| Some((role, bone?))));
}

/// Head, neck and the first bone of the spine. The spine is looked for on the way from where it leaves the pelvis (or
/// the bone that carries pelvis and spine, as in Daz and CC rigs) to the neck, the head or where the arms meet.
pub(super) fn find_spine(reading: &Reading<'_>, pelvis: Option<BoneIndex>, roles: &mut Roles) {
    let lineage = &reading.lineage;
    let outside_pelvis = |b: BoneIndex| Some(b) != pelvis;
    let beside = |b: BoneIndex| pelvis.is_none_or(|pelvis| lineage.meet(pelvis, b).is_some_and(|meet| meet != b));
    // A head control may stand beside the body: first look on it.
    let head = reading
        .pick(Role::Head, Part::Head, None, |b| pelvis.is_some_and(|pelvis| lineage.below(b, pelvis)))
        .or_else(|| reading.pick(Role::Head, Part::Head, None, beside));
    let neck = reading.pick(Role::Neck, Part::Neck, None, |b| head.is_none_or(|head| lineage.below(head, b)));
    roles.extend(head.map(|bone| (Role::Head, bone)));
    roles.extend(neck.map(|bone| (Role::Neck, bone)));
    if let Some(&settled) = reading.settled.get(&Role::Spine) {
        roles.extend(settled.map(|bone| (Role::Spine, bone)));
        return;
    }
    let arm = |side| roles.get(&Role::Clavicle(side)).or(roles.get(&Role::UpperArm(side))).copied();
    let arms = arm(Side::Left).zip(arm(Side::Right)).and_then(|(l, r)| lineage.meet(l, r));
    let is_spine = |b: BoneIndex| reading.hits[b.get()].is_some_and(|hit| hit.part == Part::Spine);
    let upper = [neck, head, arms].into_iter().flatten().filter(|&b| outside_pelvis(b)).find_map(|upper| {
        let start = pelvis.map_or(Some(upper), |pelvis| lineage.meet(pelvis, upper))?;
        let mut way = lineage.way_down(start, upper);
        way.retain(|&b| Some(b) != neck && Some(b) != head && !reading.is_taken(b));
        (!way.is_empty()).then_some(way)
    });
    let spine =
        match upper {
            Some(way) => {
                let first = |wanted: &dyn Fn(BoneIndex) -> bool| way.iter().copied().find(|&b| wanted(b));
                first(&is_spine).or_else(|| first(&|b| !reading.names[b.get()].ik))
            }
            None => {
                reading.topmost(reading.candidates(Part::Spine, None).iter().copied().filter(|&b| {
                    outside_pelvis(b) && pelvis.is_some_and(|p| lineage.below(b, p)) && !reading.is_taken(b)
                }))
            }
        };
    roles.extend(spine.map(|bone| (Role::Spine, bone)));
}

/// The bone that carries legs and spine alike: the pelvis, or the one above it when the spine branches off there and it
/// is near (`hip` above `pelvis` in Daz and CC rigs). Hips that stand right above it come first in any case.
pub(super) fn find_travel_bone(reading: &Reading<'_>, roles: &Roles, leg_length_m: Option<f64>) -> Option<BoneIndex> {
    let pelvis = roles.get(&Role::Pelvis).copied()?;
    let meet = roles.get(&Role::Spine).and_then(|&spine| reading.lineage.meet(pelvis, spine));
    // Measured from the thighs: a control rig's pelvis may lie at the origin for all a file says of it.
    let thigh = roles.get(&Role::Thigh(Side::Left)).or(roles.get(&Role::Thigh(Side::Right))).copied().unwrap_or(pelvis);
    let near = |b: BoneIndex| leg_length_m.is_none_or(|leg| reading.distance(b, thigh) < 0.75 * leg);
    let mut travel = meet.filter(|&b| near(b) && is_bone_above(reading, b, pelvis)).unwrap_or(pelvis);
    for above in reading.lineage.ancestors(travel) {
        if !near(above) || !reading.names[above.get()].speaks_of(Part::Pelvis) {
            break;
        }
        travel = above;
    }
    Some(travel)
}

/// The root: a bone above the one that carries the travel, such that the whole body hangs on one child of it. IK bones,
/// props and feet that follow by IK may hang beside that.
///
/// The topmost such joint is taken, as engines do. A node that is no joint counts only when it is called root,
/// reference or the like (an armature object named `root` becomes the root bone in engines), never as `Armature` or
/// `RootNode`. A bone that is called root and lies on the floor counts whatever hangs on it.
pub(super) fn find_root(
    reading: &Reading<'_>,
    roles: &Roles,
    travel: BoneIndex,
    leg_length_m: Option<f64>,
) -> Option<BoneIndex> {
    if let Some(&settled) = reading.settled.get(&Role::Root) {
        return settled;
    }
    let mut below = travel;
    let (mut joint, mut named) = (None, None);
    for bone in reading.lineage.ancestors(travel) {
        let name = &reading.names[bone.get()];
        let called_root = name.is_root() && (reading.is_joint(bone) || !name.is_scene());
        let free = holds_the_body(&reading.lineage, roles, below)
            || (called_root && on_floor(reading, roles, bone, leg_length_m));
        // Hips above the pelvis are its like, not a root.
        if free && !reading.is_taken(bone) && !name.speaks_of(Part::Pelvis) {
            if reading.is_joint(bone) {
                joint = Some(bone);
            } else if called_root {
                named = Some(bone);
            }
        }
        below = bone;
    }
    joint.or(named)
}

/// Whether every part of the body but feet hangs on `bone`, or is it. Feet and IK bones may stand beside it.
pub(super) fn holds_the_body(lineage: &Lineage, roles: &Roles, bone: BoneIndex) -> bool {
    roles.iter().all(|(role, &part)| {
        let beside = matches!(
            role,
            Role::Root
                | Role::Foot(_)
                | Role::Toe(_)
                | Role::IkFootRoot
                | Role::IkFoot(_)
                | Role::IkHandRoot
                | Role::IkHandGun
                | Role::IkHand(_)
        );
        beside || lineage.holds(bone, part)
    })
}

fn on_floor(reading: &Reading<'_>, roles: &Roles, bone: BoneIndex, leg_length_m: Option<f64>) -> bool {
    let feet = [Role::Foot(Side::Left), Role::Foot(Side::Right), Role::Toe(Side::Left), Role::Toe(Side::Right)];
    let height = |b: BoneIndex| reading.positions[b.get()].y;
    let floor = feet.iter().filter_map(|role| roles.get(role)).map(|&b| height(b)).reduce(f64::min);
    floor.zip(leg_length_m).is_some_and(|(floor, leg)| (height(bone) - floor).abs() < 0.3 * leg)
}
