//! Thigh, calf, foot and toe of each side, and how many legs there are.

use super::names::Limb;
use super::reading::Reading;
use super::tables::{Part, Strength};
use super::{Role, Side};
use crate::motion::skeleton::BoneIndex;

/// A chain called a leg that ends higher above the first leg's end than this share of its length is none, but an arm
/// with a copied name.
const REACH: f64 = 0.5;

/// One leg as found.
#[derive(Clone, Debug, Default)]
pub(super) struct Leg {
    pub(super) thigh: Option<BoneIndex>,
    pub(super) calf: Option<BoneIndex>,
    pub(super) foot: Option<BoneIndex>,
    pub(super) toe: Option<BoneIndex>,
    /// Thighs of further legs on this side, as complete as this one.
    pub(super) others: Vec<BoneIndex>,
}

impl Leg {
    fn parts_below(&self) -> usize {
        [self.calf, self.foot, self.toe].iter().flatten().count()
    }
}

/// The leg of one side.
pub(super) fn find_leg(reading: &Reading<'_>, side: Side) -> Leg {
    if let Some(&settled) = reading.settled.get(&Role::Thigh(side)) {
        return leg_below(reading, side, settled);
    }
    let thighs = thighs(reading, side);
    let legs: Vec<Leg> = thighs.iter().map(|&thigh| leg_below(reading, side, Some(thigh))).collect();
    let best = legs.iter().zip(&thighs).min_by_key(|(leg, thigh)| {
        let said = reading.hits[thigh.get()].map(|hit| hit.strength) > Some(Strength::Weak);
        // A hip above an upper leg has as many parts below: the stronger word decides first.
        (std::cmp::Reverse(said), std::cmp::Reverse(leg.parts_below()), reading.order(**thigh))
    });
    let Some((best, &thigh)) = best else { return leg_below(reading, side, None) };
    let mut best = best.clone();
    let length_m = best.foot.or(best.calf).map_or(0.0, |end| reading.distance(thigh, end));
    for (leg, &rival) in legs.iter().zip(&thighs) {
        let apart = reading.lineage.apart(thigh, rival) && best.others.iter().all(|&o| reading.lineage.apart(o, rival));
        // A control rig beside the skeleton, and another character of the same names, are no further legs.
        let ghost = reading.is_joint(thigh) && !reading.is_joint(rival);
        let double = reading.name(rival) == reading.name(thigh);
        if apart && !ghost && !double && leg.calf.is_some() && leg.parts_below() >= best.parts_below() {
            let reaches = lowest_m(reading, leg).zip(lowest_m(reading, &best));
            if reaches.is_none_or(|(rival_m, own_m)| rival_m - own_m < REACH * length_m) {
                best.others.push(rival);
            }
        }
    }
    best
}

/// Height of the lowest joint of a leg, metres.
fn lowest_m(reading: &Reading<'_>, leg: &Leg) -> Option<f64> {
    let joints = [leg.thigh, leg.calf, leg.foot, leg.toe];
    joints.iter().flatten().map(|b| reading.positions[b.get()].y).reduce(f64::min)
}

fn thighs(reading: &Reading<'_>, side: Side) -> Vec<BoneIndex> {
    let mut thighs: Vec<BoneIndex> = reading.candidates(Part::Thigh, Some(side)).to_vec();
    if thighs.is_empty() {
        // `LeftLeg01` above `LeftLeg02`: numbered instead of named.
        let bare: Vec<BoneIndex> = reading
            .candidates(Part::Calf, Some(side))
            .iter()
            .copied()
            .filter(|b| reading.hits[b.get()].is_some_and(|hit| hit.strength == Strength::Bare))
            .collect();
        let above = |a: BoneIndex| bare.iter().any(|&b| reading.lineage.below(b, a));
        thighs = bare.iter().copied().filter(|&b| above(b)).collect();
        // A leg of one piece.
        if thighs.is_empty() {
            thighs = bare;
        }
    }
    thighs.retain(|&b| !reading.is_taken(b));
    if thighs.iter().any(|b| reading.names[b.get()].limb == Some(Limb::Hind)) {
        thighs.retain(|b| reading.names[b.get()].limb == Some(Limb::Hind));
    }
    thighs
}

fn leg_below(reading: &Reading<'_>, side: Side, thigh: Option<BoneIndex>) -> Leg {
    let below =
        |above: Option<BoneIndex>| move |b: BoneIndex| above.is_none_or(|above| reading.lineage.below(b, above));
    let calf = reading.pick(Role::Calf(side), Part::Calf, Some(side), below(thigh));
    let foot = reading.pick(Role::Foot(side), Part::Foot, Some(side), below(calf.or(thigh)));
    let toe = foot.and_then(|foot| toe_below(reading, side, foot));
    Leg { thigh, calf, foot, toe, ..Leg::default() }
}

/// The joint after the foot. Below an *ankle* a *foot* is the ball (SMPL, digitigrade animals), and so is a second
/// foot where nothing is called a toe.
pub(super) fn toe_below(reading: &Reading<'_>, side: Side, foot: BoneIndex) -> Option<BoneIndex> {
    if let Some(&settled) = reading.settled.get(&Role::Toe(side)) {
        return settled;
    }
    let below = |part: Part| {
        let bones = reading.candidates(part, Some(side)).iter().copied();
        bones.filter(move |&b| reading.lineage.below(b, foot) && !reading.is_taken(b))
    };
    let is_ankle = reading.hits[foot.get()].is_some_and(|hit| hit.word == "ankle");
    if is_ankle {
        return reading.topmost(below(Part::Toe).chain(below(Part::Foot)));
    }
    below(Part::Toe).min_by_key(|&b| reading.order(b)).or_else(|| reading.topmost(below(Part::Foot)))
}

/// A foot that is no child of its leg but follows it by IK, as in many low-poly packs (`Foot.L` under the root).
pub(super) fn foot_apart(reading: &Reading<'_>, side: Side, leg: &Leg) -> Option<BoneIndex> {
    let top = leg.calf.or(leg.thigh)?;
    let accept = |b: BoneIndex| reading.lineage.apart(b, top);
    reading.pick(Role::Foot(side), Part::Foot, Some(side), accept)
}
