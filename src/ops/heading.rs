//! Which way a clip goes and faces, as one number.

use super::OpError;
use super::gait::leg_length;
use super::path::{facing, measure};
use super::yaw::{circular_mean, snap};
use crate::motion::transform::{ground, wrap_angle};
use crate::motion::{BoneIndex, Clip, Rig};

/// Heading of a clip and what it was made of; angles in radians about +Y, 0 is +Z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Heading {
    /// Direction the clip is said to go in.
    pub heading: f64,
    /// Travel against mean facing, snapped to 45°: 0 forward, ±90° strafe, 180° backwards. 0 without travel.
    pub movement_angle: f64,
    /// Circular mean of the facing.
    pub mean_facing: f64,
    /// Net travel on the ground, metres.
    pub travel_m: f64,
}

/// Direction of net travel less the movement angle, if the clip travels more than half a leg; else the mean facing.
/// Never the first frame's pelvis, which is up to 11° off on runs.
///
/// # Errors
/// Too many keys.
pub fn heading(clip: &Clip, rig: &Rig, travel_bone: BoneIndex) -> Result<Heading, OpError> {
    let measured = measure(clip, travel_bone)?;
    let facings = facing(clip, rig, &measured);
    let mean_facing = circular_mean(facings.into_iter()).map_or(0.0, |(mean, _)| mean);
    let net = ground(measured.positions[measured.positions.len() - 1] - measured.positions[0]);
    let travel_m = net.length();
    if travel_m <= 0.5 * leg_length(clip, rig) {
        return Ok(Heading { heading: mean_facing, movement_angle: 0.0, mean_facing, travel_m });
    }
    let direction = net.x.atan2(net.z);
    let movement_angle = snap(wrap_angle(direction - mean_facing), std::f64::consts::FRAC_PI_4);
    Ok(Heading { heading: wrap_angle(direction - movement_angle), movement_angle, mean_facing, travel_m })
}
