//! Where and when the clip starts: away from the origin, off its axis, or with its first key not at 0.

use std::f64::consts::{FRAC_PI_4, PI};

use super::text::{degrees, length};
use super::travel::Course;
use super::{CheckId, CheckInput, Severity, Verdict};
use crate::motion::transform::{ground, wrap_angle};
use crate::ops::heading::heading;
use crate::ops::place::start_of;
use crate::ops::start_at_zero::first_key_secs;
use crate::ops::still::moves;
use crate::ops::{MoveToOrigin, Op, StartAtZero};

/// A root this far from the origin is off it, metres.
const OFF_M: f64 = 0.05;
/// Hips without a root this far from it, in leg lengths: nearer, an added root stands on the origin anyhow.
const OFF_LEGS: f64 = 0.25;
/// Hips of a clip in place, in leg lengths.
const FAR_LEGS: f64 = 1.0;
/// A direction of travel this far off every eighth of a turn is off its axis, radians.
const OFF_RAD: f64 = 3.0 * PI / 180.0;
/// The travel is taken for a snapped movement angle only when it is this near to it, radians.
const CLEAR_RAD: f64 = 15.0 * PI / 180.0;

pub(super) fn check(input: &CheckInput<'_>, course: Option<&Course>, out: &mut Verdict) {
    if let Some(course) = course.filter(|_| out.finding(CheckId::Still).is_none()) {
        place(input, course, out);
    }
    let first = first_key_secs(input.clip);
    if first.abs() < 1e-4 || !moves(input.clip) {
        return;
    }
    let frames = first * input.clip.rate.fps();
    let title = format!("The first key is at {first:.4} s, frame {}", frames.round());
    let detail = "Players that start at time 0 show nothing, or hold the first pose, until then.";
    let op = Op::StartAtZero(StartAtZero::default());
    out.note(CheckId::Start, Severity::Info, title, detail).at(input.clip.range.start_secs).fix_by(op.clone());
    out.suggest(op);
}

fn place(input: &CheckInput<'_>, course: &Course, out: &mut Verdict) {
    let (clip, rig) = (input.clip, input.rig);
    let start = ground(start_of(clip, rig, course.travel_bone));
    let at_root = input.motion.root.as_ref().is_some_and(|root| start.distance(ground(root.at(0))) < 1e-4);
    let limit = match (at_root, course.travels) {
        (true, _) => OFF_M,
        (false, true) => OFF_LEGS * course.leg_m,
        // Where the hips are is the pose, unless it is far out.
        (false, false) => FAR_LEGS * course.leg_m,
    };
    // A character that stands beside the origin in its reference pose belongs there.
    let reference = clip.skeleton.reference_component();
    let home = rig.root().into_iter().chain([course.travel_bone]).map(|bone| ground(reference[bone.get()].translation));
    let off_m = home.map(|home| start.distance(home)).fold(start.length(), f64::min);
    let is_off = off_m > limit;
    // The direction of a clip that turns, or goes nowhere, is not one number.
    let found = (course.travels && !course.turns()).then(|| heading(clip, rig, course.travel_bone).ok()).flatten();
    let askew = found.filter(|found| found.travel_m > 0.5 * course.leg_m).and_then(|found| {
        let direction = wrap_angle(found.heading + found.movement_angle);
        let off = wrap_angle(direction - (direction / FRAC_PI_4).round() * FRAC_PI_4);
        // Where the hips face elsewhere than the head, in a strafe or a stance, they cannot tell the heading.
        let agrees = |movement: f64| wrap_angle(movement - found.movement_angle).abs() < CLEAR_RAD;
        let clear = agrees(wrap_angle(direction - found.mean_facing)) && course.movement_rad.is_some_and(agrees);
        let turned = found.heading.abs() > OFF_RAD;
        (clear && turned && (off.abs() > OFF_RAD || found.heading.abs() > FRAC_PI_4)).then_some(found)
    });
    if !is_off && askew.is_none() {
        return;
    }
    let mut said = Vec::new();
    if is_off {
        said.push(format!("{} from the origin", length(start.length())));
    }
    if let Some(found) = askew {
        said.push(format!("heading {} off +Z", degrees(found.heading)));
    }
    let said = said.join(", ");
    let op = Op::MoveToOrigin(MoveToOrigin { turn: askew.is_some(), shift: is_off, ..MoveToOrigin::default() });
    out.part(CheckId::Start, Severity::Advice, format!("starts {said}"));
    let detail = "Clips that start at the origin and head along +Z can be swapped and blended without a jump.";
    out.note(CheckId::Start, Severity::Advice, format!("Starts {said}"), detail)
        .at(clip.range.start_secs)
        .fix_by(op.clone());
    out.suggest(op);
}
