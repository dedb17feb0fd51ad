//! Feet over time: planted on heel and ball, rolled from one to the other, swung to the next place.
//!
//! A planted foot turns about a point of its sole that does not move: the heel until the foot is flat, the ball from
//! when the heel rises. In the air the point that leads moves along the sole from ball to heel, at rest at both ends,
//! so that foot and ankle are smooth through push-off and landing.

use glam::{DQuat, DVec3};

use super::mannequin::{ANKLE_HEIGHT_M, BALL_FROM_ANKLE, HEEL_FROM_ANKLE};
use super::profile::{Knot, ease, quintic};
use crate::motion::transform::yaw_rotation;

/// One foot on one place of the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Plant {
    /// The heel comes down; −∞ for a foot that stands from the start.
    pub land_secs: f64,
    /// The ball is down too.
    pub flat_secs: f64,
    /// The heel leaves.
    pub rise_secs: f64,
    /// The ball leaves; +∞ for a foot that stands to the end.
    pub lift_secs: f64,
    /// The ankle while the foot is flat.
    pub ankle: DVec3,
    /// Where the toes point.
    pub yaw_rad: f64,
    /// Toes up on landing.
    pub strike_rad: f64,
    /// Heel up on lifting.
    pub push_rad: f64,
}

/// How a foot moves through the air.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Swing {
    /// Height of the ball over its place on the ground, halfway through; metres.
    pub clearance_m: f64,
    /// Heel up at most, a quarter of the way.
    pub peak_rad: f64,
}

/// A foot at one instant, component space; rotations are those from the T-pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FootPose {
    pub ankle: DVec3,
    pub foot: DQuat,
    pub toe: DQuat,
}

/// Share of the swing at which the toes point down most.
const PEAK_AT: f64 = 0.25;

impl Plant {
    /// Component space from the flat foot's, at the ankle.
    fn flat(&self, from_ankle: DVec3) -> DVec3 {
        self.ankle + yaw_rotation(self.yaw_rad) * from_ankle
    }

    /// The heel's place on the ground.
    pub(super) fn heel(&self) -> DVec3 {
        self.flat(HEEL_FROM_ANKLE)
    }

    /// The ball's place.
    pub(super) fn ball(&self) -> DVec3 {
        self.flat(BALL_FROM_ANKLE)
    }

    fn landing(&self) -> Knot {
        let rate = -0.7 * self.strike_rad / (self.flat_secs - self.land_secs);
        Knot::moving(self.land_secs, self.strike_rad, rate)
    }

    fn lifting(&self) -> Knot {
        Knot::moving(self.lift_secs, -self.push_rad, -1.8 * self.push_rad / (self.lift_secs - self.rise_secs))
    }

    fn pose(&self, secs: f64) -> FootPose {
        let yaw = yaw_rotation(self.yaw_rad);
        let about = |pitch_rad: f64, pivot: DVec3, from_ankle: DVec3, toe: DQuat| {
            let foot = yaw * pitched(pitch_rad);
            FootPose { ankle: pivot - foot * from_ankle, foot, toe }
        };
        if secs < self.flat_secs {
            let pitch = quintic(self.landing(), Knot::still(self.flat_secs, 0.0), secs).0;
            about(pitch, self.heel(), HEEL_FROM_ANKLE, yaw * pitched(pitch))
        } else if secs > self.rise_secs {
            let pitch = quintic(Knot::still(self.rise_secs, 0.0), self.lifting(), secs).0;
            about(pitch, self.ball(), BALL_FROM_ANKLE, yaw)
        } else {
            FootPose { ankle: self.ankle, foot: yaw, toe: yaw }
        }
    }
}

/// The foot at any time; `plants` in order of time, standing at least at one place throughout `secs`' surroundings.
pub(super) fn foot_at(plants: &[Plant], swing: Swing, secs: f64) -> FootPose {
    let next = plants.partition_point(|plant| plant.land_secs <= secs);
    let Some(now) = next.checked_sub(1).map(|i| plants[i]) else { return plants[0].pose(plants[0].land_secs) };
    match plants.get(next) {
        Some(to) if secs > now.lift_secs => swung(&now, to, swing, secs),
        _ => now.pose(secs.min(now.lift_secs)),
    }
}

fn swung(from: &Plant, to: &Plant, swing: Swing, secs: f64) -> FootPose {
    let span = to.land_secs - from.lift_secs;
    let at = |u: f64, height_m: f64| {
        let pitch = swing_pitch(from, to, swing, from.lift_secs + u * span);
        let yaw = yaw_rotation(from.yaw_rad + (to.yaw_rad - from.yaw_rad) * ease(u));
        let foot = yaw * pitched(pitch);
        let leading = BALL_FROM_ANKLE.lerp(HEEL_FROM_ANKLE, ease((u - 0.4) / 0.6));
        // Pushed off with a jolt, set down gently: rate 0 at both ends, acceleration 0 at the landing only.
        let along = u * u * (6.0 + u * (3.0 * u - 8.0));
        let lifted = 32.0 * u * u * (1.0 - u).powi(3);
        let place = from.ball().lerp(to.heel(), along) + DVec3::Y * (height_m * lifted);
        FootPose { ankle: place - foot * leading, foot, toe: yaw * pitched(pitch * ease(2.0 * u)) }
    };
    let unlifted = at(0.5, 0.0);
    let ball_over_place = (unlifted.ankle + unlifted.foot * BALL_FROM_ANKLE).y - from.ball().y;
    at((secs - from.lift_secs) / span, swing.clearance_m - ball_over_place)
}

/// Toes up, radians.
fn swing_pitch(from: &Plant, to: &Plant, swing: Swing, secs: f64) -> f64 {
    let peak_secs = from.lift_secs + PEAK_AT * (to.land_secs - from.lift_secs);
    let peak = Knot::still(peak_secs, -swing.peak_rad.max(from.push_rad));
    let (a, b) = if secs < peak_secs { (from.lifting(), peak) } else { (peak, to.landing()) };
    quintic(a, b, secs).0
}

/// Toes up by an angle.
fn pitched(toes_up_rad: f64) -> DQuat {
    DQuat::from_rotation_x(-toes_up_rad)
}

/// A foot that stands at one place until it lifts, or from when it lands.
pub(super) fn standing(place: DVec3, yaw_rad: f64) -> Plant {
    Plant {
        land_secs: f64::NEG_INFINITY,
        flat_secs: f64::NEG_INFINITY,
        rise_secs: f64::INFINITY,
        lift_secs: f64::INFINITY,
        ankle: DVec3::new(place.x, ANKLE_HEIGHT_M, place.z),
        yaw_rad,
        strike_rad: 0.0,
        push_rad: 0.0,
    }
}
