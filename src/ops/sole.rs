//! Where the soles are, from the reference pose.
//!
//! Two points of each foot are on the floor in the reference pose: one below the ankle, which goes with the foot bone,
//! and one below the ball, which goes with the joint after it. The height of a sole is that of the lower point: a foot
//! that rolls over its ball stays at 0, one that lies on its side is not below the floor. A reference pose need not
//! stand on the floor (motion capture often has its origin in the pelvis); then the lowest joint of the legs is taken
//! for the floor, which is too high by the thickness of the sole, and [`Soles::grounded`] says so. Nor need it stand
//! at all: where one foot is lifted, the lower one says how high ankle and ball are.

use glam::{DAffine3, DVec3};

use super::gait::leg_length_of;
use crate::motion::{BoneIndex, Rig, Role, Side, Skeleton};

/// A reference pose stands on the floor when its lowest leg joint is this far above it at most, in leg lengths…
const HIGHEST_SOLE: f64 = 0.15;
/// …and this far below.
const DEEPEST_SOLE: f64 = 0.05;
/// Feet that differ in height by more than this, in leg lengths, do not stand.
const LEVEL: f64 = 0.04;

/// Points of one foot that are on the floor in the reference pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sole {
    /// Below the ankle, in the foot bone's local space, metres.
    pub ankle: DVec3,
    /// Below the ball, in the local space of the joint after the foot, where there is one.
    pub ball: Option<DVec3>,
}

impl Sole {
    /// Height of the lower point with the bones at these component-space transforms, metres.
    pub fn height_m(&self, foot: &DAffine3, toe: Option<&DAffine3>) -> f64 {
        let ankle = foot.transform_point3(self.ankle).y;
        match (toe, self.ball) {
            (Some(toe), Some(ball)) => ankle.min(toe.transform_point3(ball).y),
            _ => ankle,
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
        let sides = [Side::Left, Side::Right];
        let feet = sides.map(|side| rig.bone(Role::Foot(side)));
        // Toes and what ends them are below the foot; so may be a prop, which must not be the floor.
        let counts = |bone: &BoneIndex| skeleton.bone(*bone).is_joint || feet.contains(&Some(*bone));
        let below = skeleton.indices().filter(|&bone| feet.iter().flatten().any(|&f| skeleton.is_at_or_above(f, bone)));
        let heights = below.filter(counts).map(|bone| reference[bone.get()].translation.y);
        let lowest = heights.fold(f64::INFINITY, f64::min);
        let leg = leg_length_of(skeleton, rig);
        let height = |role: Role| rig.bone(role).map(|bone| reference[bone.get()].translation.y);
        let pairs = [Role::Foot, Role::Toe].map(|role: fn(Side) -> Role| sides.map(|side| height(role(side))));
        let apart = |pair: &[Option<f64>; 2]| pair[0].zip(pair[1]).map_or(0.0, |(left, right)| (left - right).abs());
        let stands = pairs.iter().all(|pair| apart(pair) < LEVEL * leg);
        let on_floor = (-DEEPEST_SOLE * leg..=HIGHEST_SOLE * leg).contains(&lowest);
        let floor = if on_floor || !lowest.is_finite() { 0.0 } else { lowest };
        let [ankle_m, ball_m] = pairs.map(|pair| pair.into_iter().flatten().fold(f64::INFINITY, f64::min) - floor);
        let under = |bone: BoneIndex, height_m: f64| {
            let joint = reference[bone.get()];
            // A bone of scale 0 has no inside.
            let point = joint.inverse().transform_point3(joint.translation - DVec3::Y * height_m);
            Some(point).filter(|point| point.is_finite())
        };
        let sole = |side: Side| {
            let ankle = under(rig.bone(Role::Foot(side))?, ankle_m)?;
            Some(Sole { ankle, ball: rig.bone(Role::Toe(side)).and_then(|toe| under(toe, ball_m)) })
        };
        let grounded = on_floor && stands;
        Self { feet: sides.map(sole), grounded }
    }
}
