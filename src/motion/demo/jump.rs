//! A jump with both feet.

use glam::DVec3;

use super::DemoSpec;
use super::body::Motion;
use super::feet::{Plant, standing};
use super::fit::standing_height;
use super::mannequin::sign;
use super::plan::{REST_SECS, on_frame, still};
use super::profile::{Knot, Profile};
use super::style::Style;
use super::travel::Travel;
use crate::motion::transform::yaw_rotation;

/// Crouches, leaps forward with both feet along a parabola, absorbs the landing and stands up.
pub(super) fn jump(spec: &DemoSpec) -> Motion {
    const GRAVITY: f64 = 9.81;
    const FLIGHT_SECS: f64 = 0.42;
    let speed = spec.speed_m_s;
    let style = Style::of(spec.gait);
    let crouch = REST_SECS + 0.45;
    let lift = crouch + 0.24;
    let land = lift + FLIGHT_SECS;
    let absorb = land + 0.24;
    let up = absorb + 0.6;

    let pushed = 0.42 * speed * (lift - crouch);
    let flown = pushed + speed * FLIGHT_SECS;
    let whole = flown + 0.42 * speed * (absorb - land);
    let distance = Profile::through(vec![
        Knot::still(crouch, 0.0),
        Knot::moving(lift, pushed, speed),
        Knot::moving(land, flown, speed),
        Knot::still(absorb, whole),
    ]);
    let keys = |values: [f64; 6]| {
        let times = [REST_SECS, crouch, lift, land, absorb, up];
        Profile::through(times.into_iter().zip(values).map(|(secs, value)| Knot::still(secs, value)).collect())
    };
    let mut motion = Motion {
        style,
        travel: Travel { distance, ..still(spec) },
        phase: Profile::constant(0.0),
        vigour: Profile::constant(0.0),
        height: Profile::constant(0.0),
        lean: keys([0.0, 0.6, 0.2, 0.3, 0.6, 0.0]),
        arms: keys([0.0, -0.8, 1.7, 1.0, 0.3, 0.0]),
        feet: [Vec::new(), Vec::new()],
        duration_secs: on_frame(spec, up + REST_SECS),
    };
    let (start, end) = (motion.travel.at(0.0), motion.travel.at(up));
    for side in 0..2 {
        let beside = yaw_rotation(start.yaw_rad) * DVec3::new(sign(side) * style.half_width_m, 0.0, 0.0);
        let yaw = start.yaw_rad + sign(side) * style.toe_out_rad;
        let before = Plant {
            rise_secs: lift - 0.16,
            lift_secs: lift,
            push_rad: style.push_rad,
            ..standing(start.position + beside, yaw)
        };
        let after = Plant { land_secs: land, flat_secs: land, ..standing(end.position + beside, yaw) };
        motion.feet[side] = vec![before, after];
    }
    let stand = standing_height(&motion, 0.0);
    let leap = 0.5 * GRAVITY * FLIGHT_SECS;
    let flying = |secs: f64, rate: f64| Knot { secs, value: stand - 0.03, rate, accel: -GRAVITY };
    motion.height = Profile::through(vec![
        Knot::still(REST_SECS, stand),
        Knot::still(crouch, stand - 0.24),
        flying(lift, leap),
        flying(land, -leap),
        Knot::still(absorb, stand - 0.2),
        Knot::still(up, stand),
    ]);
    motion
}
