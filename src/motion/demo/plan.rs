//! From what is asked for to a motion: the path, and the footsteps along it.
//!
//! A footstep is planned where the body will be when it stands over the foot. The gaits that repeat are planned here,
//! those between two rests and the jump in files of their own; [`fit`] then finds the height of the pelvis.

use std::f64::consts::FRAC_PI_2;

use glam::DVec3;

use super::body::Motion;
use super::feet::Plant;
use super::fit::step_height;
use super::mannequin::{ANKLE_HEIGHT_M, sign};
use super::profile::{Knot, Profile};
use super::style::Style;
use super::travel::Travel;
use super::{DemoError, DemoSpec, Gait, fit, jump, rests};
use crate::motion::transform::{ground, yaw_rotation};

/// A pause before the first step and after the last one.
pub(super) const REST_SECS: f64 = 0.5;
/// Feet of someone who stands, from the middle.
pub(super) const STANDING_HALF_WIDTH_M: f64 = 0.09;

/// Plans a motion.
pub(super) fn plan(spec: &DemoSpec) -> Result<Motion, DemoError> {
    spec.check()?;
    let mut motion = match spec.gait {
        Gait::Walk | Gait::Jog | Gait::Run | Gait::Arc | Gait::StrafeLeft | Gait::StrafeRight => cyclic(spec),
        Gait::StartStop | Gait::TurnInPlace | Gait::Stagger => rests::between_rests(spec),
        Gait::Jump => jump::jump(spec),
    };
    fit::fit(&mut motion);
    Ok(motion)
}

/// A course that stands at the origin.
pub(super) fn still(spec: &DemoSpec) -> Travel {
    Travel {
        distance: Profile::constant(0.0),
        aside: Profile::constant(0.0),
        turn: Profile::constant(0.0),
        radius_m: None,
        movement_rad: 0.0,
        heading_rad: spec.heading_rad,
        origin: ground(spec.origin),
    }
}

/// The next whole frame.
pub(super) fn on_frame(spec: &DemoSpec, secs: f64) -> f64 {
    (secs * spec.rate.fps()).round().max(1.0) / spec.rate.fps()
}

/// Strides that repeat.
fn cyclic(spec: &DemoSpec) -> Motion {
    let mut style = Style::of(spec.gait).at_speed(spec.speed_m_s);
    let stride_secs = on_frame(spec, style.stride_secs(spec.speed_m_s));
    let movement_rad = match spec.gait {
        Gait::StrafeLeft => FRAC_PI_2,
        Gait::StrafeRight => -FRAC_PI_2,
        _ => 0.0,
    };
    if movement_rad != 0.0 {
        // Wide enough that the trailing foot, half a stride later, comes down beside the leading one.
        style.half_width_m = style.half_width_m.max(0.25 * spec.speed_m_s * stride_secs + 0.055);
    }
    let travel = Travel {
        distance: Profile::line(spec.speed_m_s),
        radius_m: (spec.gait == Gait::Arc).then_some(spec.radius_m),
        movement_rad,
        ..still(spec)
    };
    let mut motion = Motion {
        style,
        travel,
        phase: Profile::through(vec![Knot::moving(0.0, spec.phase, 1.0 / stride_secs)]),
        vigour: Profile::constant(1.0),
        height: Profile::constant(0.0),
        lean: Profile::constant(0.0),
        arms: Profile::constant(0.0),
        feet: [Vec::new(), Vec::new()],
        duration_secs: f64::from(spec.cycles) * stride_secs,
    };
    for side in 0..2 {
        // Two strides more at both ends: the first and the last swing come from and go to a step outside the clip.
        let steps = (-2..=i64::from(spec.cycles) + 2).map(|n| {
            let land_secs = (n as f64 + 0.5 * side as f64 - spec.phase) * stride_secs;
            footstep(&motion, side, land_secs, stride_secs, [1.0, 1.0])
        });
        motion.feet[side] = steps.collect();
    }
    let first = 1.0 - spec.phase;
    let heights = [0, 1].map(|side| step_height(&motion, side, (first + 0.5 * side as f64) * stride_secs, stride_secs));
    motion.height = Profile::constant(heights[0].min(heights[1]));
    motion
}

/// A footstep that lands at a time, where the path will be when the body is over it. `roll`: how much of the gait's
/// roll there is on landing and on lifting.
pub(super) fn footstep(motion: &Motion, side: usize, land_secs: f64, stride_secs: f64, roll: [f64; 2]) -> Plant {
    let style = &motion.style;
    let stance_secs = style.duty * stride_secs;
    let over_secs = land_secs + style.over_at * stance_secs;
    let path = motion.travel.at(over_secs);
    let width = STANDING_HALF_WIDTH_M + (style.half_width_m - STANDING_HALF_WIDTH_M) * motion.vigour.value(over_secs);
    let beside = DVec3::new(sign(side) * width, ANKLE_HEIGHT_M, 0.0);
    Plant {
        land_secs,
        flat_secs: land_secs + style.flat_at * stance_secs,
        rise_secs: land_secs + style.rise_at * stance_secs,
        lift_secs: land_secs + stance_secs,
        ankle: path.position + yaw_rotation(path.yaw_rad) * beside,
        yaw_rad: path.yaw_rad + sign(side) * style.toe_out_rad,
        strike_rad: style.strike_rad * roll[0],
        push_rad: style.push_rad * roll[1],
        arrival: DVec3::ZERO,
    }
}
