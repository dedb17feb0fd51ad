//! How high the legs let the pelvis ride, and how fast the heels come down.
//!
//! The pelvis is put so high that the knee has the gait's bend when the heel lands, and lower where a trailing or a
//! standing leg could not reach.

use glam::DVec3;

use super::body::{Motion, hip_from_pelvis, leg_length_m};
use super::mannequin::ANKLE_HEIGHT_M;
use crate::motion::transform::ground;

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

/// Makes every foot reachable at every instant, given heights that suit the landings.
pub(super) fn fit(motion: &mut Motion) {
    time_arrivals(motion);
    for _ in 0..LOWERINGS {
        if !lower_to_reach(motion) {
            break;
        }
        time_arrivals(motion);
    }
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

/// Height of the pelvis, without its bob, at which a leg has a bend of the knee.
fn height_for(motion: &Motion, side: usize, secs: f64, knee_rad: f64) -> f64 {
    let (pelvis, rotation) = motion.pelvis(secs, 0.0);
    let hip = pelvis + rotation * hip_from_pelvis(side);
    let ankle = motion.foot(side, secs).ankle;
    let reach = leg_length_m(knee_rad);
    ankle.y + (reach * reach - ground(ankle - hip).length_squared()).max(0.0).sqrt() - hip.y
}

/// Height over which not even a leg that stands upright would keep its bend.
pub(super) fn standing_height(motion: &Motion, secs: f64) -> f64 {
    let bob = motion.vigour.value(secs).powi(2) * motion.style.bob_m;
    ANKLE_HEIGHT_M + leg_length_m(STANDING_KNEE_RAD) - hip_from_pelvis(0).y - bob
}

/// Height that fits a step: the gait's knee for the foot that lands, enough leg for the other one, which lifts soon.
pub(super) fn step_height(motion: &Motion, side: usize, land_secs: f64, stride_secs: f64) -> f64 {
    let other = 1 - side;
    let mut lifts = motion.feet[other].iter().map(|plant| plant.lift_secs);
    let lift_secs = lifts.find(|lift| (lift - land_secs).abs() < 0.45 * stride_secs);
    let trailing = lift_secs.map_or(f64::INFINITY, |secs| height_for(motion, other, secs, LIFTING_KNEE_RAD));
    height_for(motion, side, land_secs, motion.style.knee_rad).min(trailing).min(standing_height(motion, land_secs))
}
