//! The whole body at one instant: pelvis on its path, trunk and arms in counter-swing, legs reaching for planned feet.

use std::f64::consts::{FRAC_PI_2, TAU};

use glam::{DQuat, DVec3};

use super::feet::{FootPose, Plant, foot_at};
use super::mannequin::{
    ANKLE_FROM_KNEE, ARM, BodyPose, HEAD, KNEE_FROM_HIP, LEG, NECK, PARTS, PELVIS, SPINE, mirrored, offset, sign,
};
use super::profile::Profile;
use super::style::Style;
use super::travel::Travel;
use crate::motion::leg_ik::{Leg, LegOptions, LegReach, reach};
use crate::motion::transform::{slerp, yaw_rotation};

/// A motion in closed form; time runs from 0 to `duration_secs` and may be asked for a little beyond.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Motion {
    pub style: Style,
    pub travel: Travel,
    /// Strides: the left heel comes down at whole numbers, the right one at halves.
    pub phase: Profile,
    /// 0 at rest … 1 in full gait: scales sway, bob, swing of pelvis and arms.
    pub vigour: Profile,
    /// Height of the pelvis without its bob.
    pub height: Profile,
    /// Trunk forward and arms forward, beside the gait's own.
    pub lean: Profile,
    pub arms: Profile,
    /// Left, right.
    pub feet: [Vec<Plant>; 2],
    pub duration_secs: f64,
}

/// What swings with the gait at one instant.
struct Beat {
    phase: f64,
    vigour: f64,
}

impl Beat {
    /// Once a stride, greatest at `peak` strides after the left heel came down.
    fn once(&self, amplitude: f64, peak: f64) -> f64 {
        self.vigour * amplitude * (TAU * (self.phase - peak)).cos()
    }

    /// Twice a stride, greatest at `peak`; with the square of the vigour, as a step's drop goes with its length.
    fn twice(&self, amplitude: f64, peak: f64) -> f64 {
        self.vigour * self.vigour * amplitude * (2.0 * TAU * (self.phase - peak)).cos()
    }
}

impl Motion {
    fn beat(&self, secs: f64) -> Beat {
        Beat { phase: self.phase.value(secs), vigour: self.vigour.value(secs) }
    }

    /// The pelvis as it would be with the given height.
    pub(super) fn pelvis(&self, secs: f64, height_m: f64) -> (DVec3, DQuat) {
        let style = &self.style;
        let beat = self.beat(secs);
        let path = self.travel.at(secs);
        // Over the standing foot in mid-stance; highest between two steps of a walk, lowest there in a run.
        let aside = beat.once(style.sway_m, 0.5 * style.duty);
        let lowest = if style.bounces { 0.5 * style.duty } else { 0.4 * (style.duty - 0.5) };
        let up = height_m + beat.twice(style.bob_m, lowest + 0.25);
        let yaw = path.yaw_rad - beat.once(style.pelvis_yaw_rad, 0.0);
        let roll = beat.once(style.pelvis_roll_rad, 0.25 * style.duty);
        let lean = 0.5 * self.lean_rad(&beat, secs);
        let sideways = yaw_rotation(path.yaw_rad + self.travel.movement_rad) * DVec3::X;
        let rotation = yaw_rotation(yaw) * DQuat::from_rotation_z(roll) * DQuat::from_rotation_x(lean);
        (path.position + aside * sideways + DVec3::Y * up, rotation)
    }

    fn lean_rad(&self, beat: &Beat, secs: f64) -> f64 {
        beat.vigour * self.style.lean_rad + self.lean.value(secs)
    }

    /// One foot as planned.
    pub(super) fn foot(&self, side: usize, secs: f64) -> FootPose {
        foot_at(&self.feet[side], self.style.swing, secs)
    }

    /// One leg reaching for its foot.
    pub(super) fn leg(&self, side: usize, secs: f64) -> LegReach {
        let (pelvis, rotation) = self.pelvis(secs, self.height.value(secs));
        reach_foot(side, pelvis, rotation, self.foot(side, secs).ankle)
    }

    /// The body with its root at the component's origin.
    pub(super) fn body(&self, secs: f64) -> BodyPose {
        let style = &self.style;
        let beat = self.beat(secs);
        let path_yaw = self.travel.at(secs).yaw_rad;
        let lean = self.lean_rad(&beat, secs);
        let (pelvis, pelvis_rotation) = self.pelvis(secs, self.height.value(secs));

        let mut rotations = [DQuat::IDENTITY; PARTS];
        rotations[PELVIS] = pelvis_rotation;
        let chest = yaw_rotation(path_yaw + beat.once(style.chest_yaw_rad, 0.0)) * DQuat::from_rotation_x(lean);
        for (&i, share) in SPINE.iter().zip([1.0 / 3.0, 2.0 / 3.0, 1.0]) {
            rotations[i] = slerp(pelvis_rotation, chest, share);
        }
        rotations[HEAD] = yaw_rotation(path_yaw) * DQuat::from_rotation_x(0.15 * lean);
        rotations[NECK] = slerp(chest, rotations[HEAD], 0.5);

        let resting = 1.0 - beat.vigour;
        for (side, arm) in ARM.iter().enumerate() {
            // Against the leg of the same side: furthest forward when the other heel comes down.
            let swing = -sign(side) * beat.once(1.0, 0.0);
            let forward = swing * style.arm_swing_rad + beat.vigour * style.arm_forward_rad + self.arms.value(secs);
            let elbow = style.elbow_rad * beat.vigour + 0.2 * resting + swing * style.elbow_swing_rad;
            let out = style.arm_out_rad * beat.vigour + 0.14 * resting;
            let hanging = DQuat::from_rotation_z(-sign(side) * (FRAC_PI_2 - out));
            rotations[arm[0]] = chest;
            rotations[arm[1]] = chest * DQuat::from_rotation_x(-forward) * hanging;
            rotations[arm[2]] = chest * DQuat::from_rotation_x(-forward - elbow) * hanging;
            rotations[arm[3]] = chest * DQuat::from_rotation_x(-forward - 1.1 * elbow) * hanging;
        }
        for (side, leg) in LEG.iter().enumerate() {
            let foot = self.foot(side, secs);
            let solved = reach_foot(side, pelvis, pelvis_rotation, foot.ankle);
            rotations[leg[0]] = solved.thigh_turn * pelvis_rotation;
            rotations[leg[1]] = solved.calf_turn * pelvis_rotation;
            rotations[leg[2]] = foot.foot;
            rotations[leg[3]] = foot.toe;
        }
        BodyPose::assembled((DVec3::ZERO, DQuat::IDENTITY), pelvis, rotations)
    }
}

fn reach_foot(side: usize, pelvis: DVec3, rotation: DQuat, ankle: DVec3) -> LegReach {
    let hip = pelvis + rotation * hip_from_pelvis(side);
    let knee = hip + rotation * KNEE_FROM_HIP;
    let leg = Leg { hip, knee, ankle: knee + rotation * ANKLE_FROM_KNEE };
    reach(&leg, ankle, &LegOptions { softness: 0.0, ..LegOptions::default() })
}

/// Hip joint, in the pelvis's T-pose axes.
pub(super) fn hip_from_pelvis(side: usize) -> DVec3 {
    debug_assert_eq!(mirrored(offset(LEG[0][0]), side), offset(LEG[side][0]));
    offset(LEG[side][0])
}

/// Distance hip to ankle at which the knee is bent by an angle.
pub(super) fn leg_length_m(knee_rad: f64) -> f64 {
    let (a, c) = (KNEE_FROM_HIP.length(), ANKLE_FROM_KNEE.length());
    (a * a + c * c + 2.0 * a * c * knee_rad.cos()).sqrt()
}
