//! Making a leg reach: the analytic two-bone solve, with a knee that never pops.
//!
//! In: where hip, knee and ankle are, and where the ankle should be, in component space. Out: how far thigh and calf
//! turn, and how much was out of reach. The foot's own rotation, twist bones and the toe are left to the caller:
//! the foot keeps its component rotation, children of thigh and calf follow by themselves.
//!
//! Source: the law of cosines, as every two-bone solver; the soft knee is an exponential approach to full extension
//! that starts no earlier than the source leg was already stretched, so an unchanged target changes nothing.

use glam::{DQuat, DVec3};

use super::transform::{direction_or, shortest_arc};

/// Farther from its target than this, a foot is *unreached* (metres).
pub const UNREACHED_M: f64 = 1e-4;

/// Nearer than this the ankle is where it should be, and the leg is left untouched (metres).
const UNTOUCHED_M: f64 = 1e-9;

/// A leg as it stands, component space, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leg {
    /// Thigh bone.
    pub hip: DVec3,
    /// Calf bone.
    pub knee: DVec3,
    /// Foot bone.
    pub ankle: DVec3,
}

/// How a leg may reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LegOptions {
    /// Share of the leg's full length over which the knee approaches straight softly; 0 lets it snap straight.
    pub softness: f64,
    /// How much longer both segments may become for a target out of reach; 1 never stretches.
    pub max_stretch: f64,
    /// Knee's hinge axis (thigh × calf in the reference pose, carried by the thigh's rotation), component space: says
    /// where to bend when the leg is straight. For a leg along −Y, +X bends the knee towards +Z.
    pub hinge: Option<DVec3>,
    /// Where the character looks, component space: the last resort for a straight leg.
    pub forward: DVec3,
}

impl Default for LegOptions {
    fn default() -> Self {
        Self { softness: 0.02, max_stretch: 1.0, hinge: None, forward: DVec3::Z }
    }
}

/// What the solve found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LegReach {
    /// New place of the calf bone.
    pub knee: DVec3,
    /// New place of the foot bone: the target, where it can be reached.
    pub ankle: DVec3,
    /// Turn of the thigh, component space: `thigh_turn * old` is the new component rotation.
    pub thigh_turn: DQuat,
    /// Turn of the calf, component space: `calf_turn * old` is the new component rotation.
    pub calf_turn: DQuat,
    /// Factor on both segments' lengths, 1 unless stretched.
    pub stretch: f64,
    /// How far the ankle stays short of the target, metres.
    pub residual_m: f64,
}

impl LegReach {
    /// Whether the foot visibly misses its target.
    pub fn is_unreached(&self) -> bool {
        self.residual_m > UNREACHED_M
    }
}

/// Turns a leg so that its ankle comes to `target`, or as near as its length allows on the straight line to it.
///
/// A target within 1e-9 m of the ankle gives exactly the leg as it was. The knee keeps the side on which it was bent;
/// a leg shorter than its segments' difference stays at that difference. Zero-length segments are allowed.
pub fn reach(leg: &Leg, target: DVec3, options: &LegOptions) -> LegReach {
    if leg.ankle.distance(target) <= UNTOUCHED_M {
        let (knee, ankle) = (leg.knee, leg.ankle);
        let still = DQuat::IDENTITY;
        return LegReach { knee, ankle, thigh_turn: still, calf_turn: still, stretch: 1.0, residual_m: 0.0 };
    }
    let thigh = leg.knee - leg.hip;
    let calf = leg.ankle - leg.knee;
    let to_target = target - leg.hip;
    let distance = to_target.length();
    let full = thigh.length() + calf.length();
    let stretch = if distance > full && full > 0.0 { (distance / full).min(options.max_stretch.max(1.0)) } else { 1.0 };
    let (a, c) = (thigh.length() * stretch, calf.length() * stretch);

    let old_line = leg.ankle - leg.hip;
    let aim = if distance < 1e-6 { direction_or(old_line, DVec3::NEG_Y) } else { to_target / distance };
    let length = reached_length(distance, a, c, old_line.length(), options.softness);

    let swing = shortest_arc(direction_or(old_line, aim), aim);
    let swung_thigh = swing * thigh;
    let bend = bend_direction(swung_thigh, aim, swing, options);

    // Both are 0 only for a thigh of no length or a leg folded flat, where any angle ends at the same place.
    let twice = 2.0 * a * length;
    let cosine = if twice > 0.0 { ((a * a + length * length - c * c) / twice).clamp(-1.0, 1.0) } else { 0.0 };
    let sine = (1.0 - cosine * cosine).sqrt();
    let knee = leg.hip + a * (cosine * aim + sine * bend);
    let ankle = leg.hip + length * aim;

    let thigh_turn = between(swung_thigh, knee - leg.hip) * swing;
    let calf_turn = between(thigh_turn * calf, ankle - knee) * thigh_turn;
    LegReach { knee, ankle, thigh_turn, calf_turn, stretch, residual_m: (distance - length).max(0.0) }
}

/// Distance hip to ankle for a target at `distance`: itself while the leg is well bent, approaching `a + c` softly.
fn reached_length(distance: f64, a: f64, c: f64, old_length: f64, softness: f64) -> f64 {
    let full = a + c;
    let soft_from = (full - softness.max(0.0) * full).max(old_length.min(full));
    if distance < soft_from {
        return distance.max((a - c).abs());
    }
    let room = full - soft_from;
    if room <= 0.0 {
        return distance.min(full);
    }
    (soft_from + room * (1.0 - (-(distance - soft_from) / room).exp())).min(full)
}

/// Unit direction, square to `aim`, to which the knee bends.
fn bend_direction(swung_thigh: DVec3, aim: DVec3, swing: DQuat, options: &LegOptions) -> DVec3 {
    let reject = |v: DVec3| v - v.dot(aim) * aim;
    let bent = reject(swung_thigh);
    if bent.length() >= 1e-4 * swung_thigh.length() && bent.length_squared() > 0.0 {
        return bent / bent.length();
    }
    let from_hinge = options.hinge.map(|hinge| aim.cross(swing * hinge)).filter(|v| v.length_squared() >= 1e-12);
    let forward = from_hinge.unwrap_or_else(|| reject(options.forward));
    // A leg kicked straight along the line of sight, without a hinge: square to it, by the rule of `shortest_arc`.
    direction_or(forward, shortest_arc(DVec3::Y, aim) * DVec3::Z)
}

/// Shortest turn between two directions of any length; none where one of them has no direction.
fn between(from: DVec3, to: DVec3) -> DQuat {
    match (from.try_normalize(), to.try_normalize()) {
        (Some(a), Some(b)) => shortest_arc(a, b),
        _ => DQuat::IDENTITY,
    }
}
