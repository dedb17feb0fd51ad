//! How high a foot's joints are when its sole is on the floor, from the reference pose.
//!
//! The height of a sole in a clip is the lower of ankle and ball, each less its own height over the floor of the
//! reference pose: a foot that rolls over its ball stays at 0. A reference pose need not stand on the floor (motion
//! capture often has its origin in the pelvis); then the lowest joint of the legs is taken for the floor, which is too
//! high by the thickness of the sole, and [`Soles::grounded`] says so.

use super::gait::leg_length_of;
use crate::motion::{BoneIndex, Rig, Role, Side, Skeleton};

/// A reference pose stands on the floor when its lowest leg joint is this far above it at most, in leg lengths…
const HIGHEST_SOLE: f64 = 0.15;
/// …and this far below.
const DEEPEST_SOLE: f64 = 0.05;

/// Heights of one foot's joints above its sole, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sole {
    /// Of the foot bone.
    pub ankle_m: f64,
    /// Of the joint after it, where there is one.
    pub toe_m: Option<f64>,
}

impl Sole {
    /// Height of the sole with ankle and toe at these heights, metres.
    pub fn height_m(&self, ankle_m: f64, toe_m: Option<f64>) -> f64 {
        let heel = ankle_m - self.ankle_m;
        match (toe_m, self.toe_m) {
            (Some(toe), Some(rest)) => heel.min(toe - rest),
            _ => heel,
        }
    }
}

/// Both feet's soles on one skeleton.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Soles {
    /// Left, right; `None` where the foot is unknown.
    pub feet: [Option<Sole>; 2],
    /// Whether the reference pose stands on the floor at height 0, so that heights are those of the sole.
    pub grounded: bool,
}

impl Soles {
    /// From the reference pose.
    pub fn of(skeleton: &Skeleton, rig: &Rig) -> Self {
        let reference = skeleton.reference_component();
        let height = |bone: BoneIndex| reference[bone.get()].translation.y;
        let sides = [Side::Left, Side::Right];
        let feet = sides.map(|side| rig.bone(Role::Foot(side)));
        // Toes and what ends them are below the foot; so may be a prop, which must not be the floor.
        let near = |bone: &BoneIndex| skeleton.bone(*bone).is_joint || feet.contains(&Some(*bone));
        let below = skeleton.indices().filter(|&bone| feet.iter().flatten().any(|&f| skeleton.is_at_or_above(f, bone)));
        let lowest = below.filter(near).map(height).fold(f64::INFINITY, f64::min);
        let leg = leg_length_of(skeleton, rig);
        let grounded = (-DEEPEST_SOLE * leg..=HIGHEST_SOLE * leg).contains(&lowest);
        let floor = if grounded || !lowest.is_finite() { 0.0 } else { lowest };
        let sole = |side: Side| {
            let ankle_m = height(rig.bone(Role::Foot(side))?) - floor;
            Some(Sole { ankle_m, toe_m: rig.bone(Role::Toe(side)).map(|toe| height(toe) - floor) })
        };
        Self { feet: sides.map(sole), grounded }
    }
}
