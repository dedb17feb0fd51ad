//! From rest to rest: start and stop, a turn on the spot, a stagger.

use glam::DVec3;

use super::body::Motion;
use super::feet::{Plant, standing};
use super::fit::{standing_height, step_height};
use super::mannequin::sign;
use super::plan::{REST_SECS, STANDING_HALF_WIDTH_M, footstep, on_frame, still};
use super::profile::{Knot, Profile};
use super::style::Style;
use super::travel::Travel;
use super::{DemoSpec, Gait};
use crate::motion::transform::yaw_rotation;

/// A standing foot's heel rises this long before it lifts, as a share of the swing that follows.
const HEEL_RISE_SHARE: f64 = 0.6;

/// Stands, makes some steps, stands again.
pub(super) fn between_rests(spec: &DemoSpec) -> Motion {
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
    // The path begins when the first foot lifts; the last two steps come down where it ends.
    let moving = [REST_SECS + HEEL_RISE_SHARE * swing_secs, strikes[steps - 2] + style.over_at * stance_secs];
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
