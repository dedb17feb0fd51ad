//! Feet over time: planted on heel and ball, rolled from one to the other, swung to the next place.
//!
//! A planted foot turns about a point of its sole that does not move: the heel until the foot is flat, the ball from
//! when the heel rises. In the air the point that leads moves along the sole from ball to heel, so that foot and ankle
//! are smooth through push-off. The heel lands with some speed, as heels do: a nearly straight leg cannot have reached
//! a foot that waits on the ground while the hip is still coming nearer.

use glam::{DQuat, DVec3};

use super::mannequin::{ANKLE_HEIGHT_M, BALL_FROM_ANKLE, HEEL_FROM_ANKLE};
use super::profile::{Knot, ease, quintic};
use crate::motion::transform::{ground, yaw_rotation};

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
    /// Velocity of the heel just before it lands, metres per second.
    pub arrival: DVec3,
}

/// How a foot moves through the air.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Swing {
    /// Height of the ball over its place on the ground, halfway through; metres.
    pub clearance_m: f64,
    /// How much further the toes point down after the push than at its end.
    pub peak_per_push: f64,
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
/// Share of the swing at which they are raised for the landing.
const RAISED_AT: f64 = 0.8;

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
        let rolling_secs = self.flat_secs - self.land_secs;
        let rate = if rolling_secs > 0.0 { -1.5 * self.strike_rad / rolling_secs } else { 0.0 };
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
        let towards_heel = ease((u - 0.35) / 0.65);
        let leading = BALL_FROM_ANKLE.lerp(HEEL_FROM_ANKLE, towards_heel);
        let along = u * u * (3.0 - 2.0 * u);
        let lifted = 32.0 * u * u * (1.0 - u).powi(3);
        let arriving = to.arrival * (span * u * u * u * (u - 1.0));
        let (ball, heel) = (from.ball(), to.heel());
        // As high over the ground as the leading point is when the foot stands flat, and what it is lifted beside.
        let height = ball.y + (heel.y - ball.y) * towards_heel + height_m * lifted;
        let place = DVec3::Y * height + ground(ball.lerp(heel, along)) + arriving;
        FootPose { ankle: place - foot * leading, foot, toe: yaw * pitched(pitch * ease(2.0 * u)) }
    };
    let unlifted = at(0.5, 0.0);
    let ball_over_place = (unlifted.ankle + unlifted.foot * BALL_FROM_ANKLE).y - from.ball().y;
    at((secs - from.lift_secs) / span, swing.clearance_m - ball_over_place)
}

/// Toes up, radians: down most soon after the push, up again in good time not to stub them.
fn swing_pitch(from: &Plant, to: &Plant, swing: Swing, secs: f64) -> f64 {
    let at = |share: f64| from.lift_secs + share * (to.land_secs - from.lift_secs);
    let peak = Knot::still(at(PEAK_AT), -swing.peak_per_push * from.push_rad);
    let raised = Knot::still(at(RAISED_AT), 0.6 * to.strike_rad + 0.04);
    let (a, b) = if secs < peak.secs {
        (from.lifting(), peak)
    } else if secs < raised.secs {
        (peak, raised)
    } else {
        (raised, to.landing())
    };
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
        arrival: DVec3::ZERO,
    }
}
