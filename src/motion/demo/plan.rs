//! From what is asked for to a motion: the path, the footsteps along it, and the height that they allow.
//!
//! A footstep is planned where the body will be when it stands over the foot. Then the pelvis is put so high that the
//! knee has the gait's bend when the heel comes down, and lower where a trailing or a standing leg could not reach.

use std::f64::consts::FRAC_PI_2;

use glam::DVec3;

use super::body::{Motion, hip_from_pelvis, leg_length_m};
use super::feet::{Plant, standing};
use super::mannequin::{ANKLE_HEIGHT_M, sign};
use super::profile::{Knot, Profile};
use super::style::Style;
use super::travel::Travel;
use super::{DemoError, DemoSpec, Gait};
use crate::motion::transform::{ground, yaw_rotation};

/// A pause before the first step and after the last one.
const REST_SECS: f64 = 0.5;
/// A standing foot's heel rises this long before it lifts, as a share of the swing that follows.
const HEEL_RISE_SHARE: f64 = 0.6;
/// Bend of the knees of someone who stands.
const STANDING_KNEE_RAD: f64 = 0.16;
/// A trailing leg is stretched no further than this when its foot lifts.
const LIFTING_KNEE_RAD: f64 = 0.1;
/// No leg is ever stretched further than this.
const STRAIGHTEST_KNEE_RAD: f64 = 0.05;
/// Lowering moves what the next landing looks like; a few rounds settle it.
const LOWERINGS: usize = 4;

/// A heel lands faster than its leg shortens by this factor and this much, so that the leg still stretches a little
/// while it swings in.
const ARRIVAL_FACTOR: f64 = 1.2;
const ARRIVAL_EXCESS_M_S: f64 = 0.08;

/// Plans a motion.
pub(super) fn plan(spec: &DemoSpec) -> Result<Motion, DemoError> {
    spec.check()?;
    let mut motion = match spec.gait {
        Gait::Walk | Gait::Jog | Gait::Run | Gait::Arc | Gait::StrafeLeft | Gait::StrafeRight => cyclic(spec),
        Gait::StartStop | Gait::TurnInPlace | Gait::Stagger => between_rests(spec),
        Gait::Jump => jump(spec),
    };
    time_arrivals(&mut motion);
    for _ in 0..LOWERINGS {
        if !lower_to_reach(&mut motion) {
            break;
        }
        time_arrivals(&mut motion);
    }
    Ok(motion)
}

/// Where a leg would have to be straighter than it can, or nearly, the height is lowered at the knots around. Says
/// whether it was.
fn lower_to_reach(motion: &mut Motion) -> bool {
    const CHECKS_PER_SEC: f64 = 120.0;
    let checks = (motion.duration_secs * CHECKS_PER_SEC).ceil() as usize;
    let mut lowering = vec![0.0_f64; motion.height.knots().len()];
    for secs in (0..=checks).map(|i| i as f64 / CHECKS_PER_SEC) {
        let reachable =
            (0..2).map(|side| height_for(motion, side, secs, STRAIGHTEST_KNEE_RAD)).fold(f64::MAX, f64::min);
        let excess = motion.height.value(secs) - reachable;
        let after = motion.height.knots().partition_point(|knot| knot.secs <= secs);
        for around in [after.saturating_sub(1), after.min(lowering.len() - 1)] {
            lowering[around] = lowering[around].max(excess);
        }
    }
    motion.height.lower(&lowering);
    lowering.iter().any(|&by| by > 0.0)
}

/// Lets each heel land along its leg as fast as the leg is about to shorten: so the leg was not longer before.
fn time_arrivals(motion: &mut Motion) {
    const STEP_SECS: f64 = 1e-4;
    for side in 0..2 {
        for i in 0..motion.feet[side].len() {
            let plant = motion.feet[side][i];
            if plant.land_secs.is_infinite() {
                continue;
            }
            let leg = |secs: f64| {
                let (pelvis, rotation) = motion.pelvis(secs, motion.height.value(secs));
                motion.foot(side, secs).ankle - (pelvis + rotation * hip_from_pelvis(side))
            };
            let (at, after) = (leg(plant.land_secs), leg(plant.land_secs + STEP_SECS));
            let shortening_m_s = (at.length() - after.length()) / STEP_SECS;
            let arrival_m_s = ARRIVAL_FACTOR * shortening_m_s.max(0.0) + ARRIVAL_EXCESS_M_S;
            motion.feet[side][i].arrival = at.normalize_or(DVec3::ZERO) * arrival_m_s;
        }
    }
}

/// A course that stands at the origin.
fn still(spec: &DemoSpec) -> Travel {
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
fn on_frame(spec: &DemoSpec, secs: f64) -> f64 {
    (secs * spec.rate.fps()).round().max(1.0) / spec.rate.fps()
}

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
fn footstep(motion: &Motion, side: usize, land_secs: f64, stride_secs: f64, roll: [f64; 2]) -> Plant {
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

/// Feet of someone who stands, from the middle.
const STANDING_HALF_WIDTH_M: f64 = 0.09;

/// Height of the pelvis, without its bob, at which a leg has a bend of the knee.
fn height_for(motion: &Motion, side: usize, secs: f64, knee_rad: f64) -> f64 {
    let (pelvis, rotation) = motion.pelvis(secs, 0.0);
    let hip = pelvis + rotation * hip_from_pelvis(side);
    let ankle = motion.foot(side, secs).ankle;
    let reach = leg_length_m(knee_rad);
    ankle.y + (reach * reach - ground(ankle - hip).length_squared()).max(0.0).sqrt() - hip.y
}

/// Height over which not even a leg that stands upright would keep its bend.
fn standing_height(motion: &Motion, secs: f64) -> f64 {
    let bob = motion.vigour.value(secs).powi(2) * motion.style.bob_m;
    ANKLE_HEIGHT_M + leg_length_m(STANDING_KNEE_RAD) - hip_from_pelvis(0).y - bob
}

/// Height that fits a step: the gait's knee for the foot that lands, enough leg for the other one, which lifts soon.
fn step_height(motion: &Motion, side: usize, land_secs: f64, stride_secs: f64) -> f64 {
    let other = 1 - side;
    let lifts = motion.feet[other].iter().map(|plant| plant.lift_secs);
    let lift_secs = lifts.filter(|lift| (lift - land_secs).abs() < 0.45 * stride_secs).next();
    let trailing = lift_secs.map_or(f64::INFINITY, |secs| height_for(motion, other, secs, LIFTING_KNEE_RAD));
    height_for(motion, side, land_secs, motion.style.knee_rad).min(trailing).min(standing_height(motion, land_secs))
}

/// Stands, makes some steps, stands again.
fn between_rests(spec: &DemoSpec) -> Motion {
    let style = Style::of(spec.gait).at_speed(spec.speed_m_s);
    let stride_secs = on_frame(spec, style.stride_secs(spec.speed_m_s));
    let (stance_secs, swing_secs) = (style.duty * stride_secs, (1.0 - style.duty) * stride_secs);
    let steps = match spec.gait {
        Gait::StartStop => 2 * spec.cycles + 4,
        Gait::Stagger => 2 * spec.cycles + 3,
        _ => 4,
    } as usize;
    let strikes: Vec<f64> = (0..steps)
        .map(|k| {
            let uneven = if spec.gait == Gait::Stagger { 0.06 * (2.1 * k as f64).sin() } else { 0.0 };
            REST_SECS + (1.0 + HEEL_RISE_SHARE) * swing_secs + (0.5 * k as f64 + uneven) * stride_secs
        })
        .collect();
    let last = strikes[steps - 1];
    // The last two steps come down where the path ends.
    let moving = [REST_SECS, strikes[steps - 2] + style.over_at * stance_secs];
    // The foot on the inside of a turn opens it.
    let first_side = usize::from(!(spec.gait == Gait::TurnInPlace && spec.turn_rad > 0.0));
    let side_of = |k: usize| (first_side + k) % 2;

    let phases = strikes.iter().enumerate();
    let phases =
        phases.map(|(k, &secs)| Knot::moving(secs, 0.5 * (first_side + k) as f64, 1.0 / stride_secs)).collect();
    let settled = last + 0.35 * stride_secs;
    let mut motion = Motion {
        style,
        travel: course_between(spec, moving, stride_secs),
        phase: Profile::through(phases),
        vigour: Profile::plateau([moving[0], moving[0] + stride_secs], [moving[1] - stride_secs, settled]),
        height: Profile::constant(0.0),
        lean: Profile::constant(0.0),
        arms: Profile::constant(0.0),
        feet: [Vec::new(), Vec::new()],
        duration_secs: on_frame(spec, settled + REST_SECS),
    };
    let start = motion.travel.at(0.0);
    for side in 0..2 {
        let beside = yaw_rotation(start.yaw_rad) * DVec3::new(sign(side) * STANDING_HALF_WIDTH_M, 0.0, 0.0);
        let mut plants = vec![standing(start.position + beside, start.yaw_rad + sign(side) * style.toe_out_rad)];
        plants.extend((0..steps).filter(|&k| side_of(k) == side).map(|k| {
            let vigour = |secs: f64| motion.vigour.value(secs);
            let lifted = vigour(strikes[k] + stance_secs).max(0.5);
            footstep(&motion, side, strikes[k], stride_secs, [vigour(strikes[k]), lifted])
        }));
        motion.feet[side] = between_standing(plants, swing_secs, &style);
    }
    let mut heights = vec![Knot::still(moving[0], standing_height(&motion, 0.0))];
    heights.extend(
        strikes.iter().enumerate().map(|(k, &s)| Knot::still(s, step_height(&motion, side_of(k), s, stride_secs))),
    );
    heights.push(Knot::still(settled, standing_height(&motion, settled)));
    motion.height = Profile::through(heights);
    motion
}

/// Lets each foot leave in time for its next landing; the first stands from the start and the last to the end.
fn between_standing(mut plants: Vec<Plant>, swing_secs: f64, style: &Style) -> Vec<Plant> {
    let landings: Vec<f64> = plants.iter().skip(1).map(|plant| plant.land_secs).collect();
    for (plant, next) in plants.iter_mut().zip(landings) {
        plant.lift_secs = next - swing_secs;
        if plant.land_secs.is_infinite() {
            plant.push_rad = 0.5 * style.push_rad;
            plant.rise_secs = plant.lift_secs - HEEL_RISE_SHARE * swing_secs;
        } else {
            plant.rise_secs = plant.land_secs + style.rise_at * (plant.lift_secs - plant.land_secs);
        }
    }
    if let Some(end) = plants.last_mut() {
        (end.rise_secs, end.lift_secs) = (f64::INFINITY, f64::INFINITY);
    }
    plants
}

fn course_between(spec: &DemoSpec, [start, end]: [f64; 2], stride_secs: f64) -> Travel {
    let course = still(spec);
    let speed = spec.speed_m_s;
    let span = end - start;
    match spec.gait {
        Gait::StartStop => {
            let ramp = 0.5 * (span - f64::from(spec.cycles) * stride_secs);
            let whole = speed * (span - ramp);
            let distance = Profile::through(vec![
                Knot::still(start, 0.0),
                Knot::moving(start + ramp, 0.5 * speed * ramp, speed),
                Knot::moving(end - ramp, whole - 0.5 * speed * ramp, speed),
                Knot::still(end, whole),
            ]);
            Travel { distance, ..course }
        }
        Gait::TurnInPlace => {
            let turn = Profile::through(vec![Knot::still(start, 0.0), Knot::still(end, spec.turn_rad)]);
            Travel { turn, ..course }
        }
        _ => {
            let at = |share: f64| start + share * span;
            let back = -speed * span;
            let distance = Profile::through(vec![
                Knot::still(start, 0.0),
                Knot::moving(at(0.25), 0.28 * back, -1.2 * speed),
                Knot::moving(at(0.5), 0.46 * back, -0.5 * speed),
                Knot::moving(at(0.78), 0.82 * back, -1.3 * speed),
                Knot::still(end, back),
            ]);
            let knots = |values: [(f64, f64); 4]| {
                Profile::through(values.map(|(share, value)| Knot::still(at(share), value)).to_vec())
            };
            let aside = knots([(0.0, 0.0), (0.3, 0.08), (0.65, -0.06), (1.0, 0.02)]);
            let turn = knots([(0.0, 0.0), (0.35, 0.2), (0.75, -0.12), (1.0, 0.1)]);
            Travel { distance, aside, turn, ..course }
        }
    }
}

/// Crouches, leaps forward with both feet along a parabola, absorbs the landing and stands up.
fn jump(spec: &DemoSpec) -> Motion {
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
