//! Who carries the travel, whether there is a root, how fast the clip goes and which way, how far it turns.

use std::f64::consts::{FRAC_PI_4, PI};

use glam::DVec3;

use super::text::{capital, degrees, length, percent};
use super::{CheckId, CheckInput, Fix, Severity, Verdict};
use crate::motion::transform::{ground, wrap_angle, yaw_rotation};
use crate::motion::{BoneIndex, ChainSampler, Role, Side};
use crate::ops::gait::leg_length;
use crate::ops::path::travel_bone;
use crate::ops::role_motion::Points;
use crate::ops::travel_share::{TravelShare, travel_share};
use crate::ops::{Extract, Op};

/// A body that ends nearer than this share of a leg to where it started has not travelled…
const TRAVEL_SHARE: f64 = 0.25;
/// …unless it was so far away on the way, in leg lengths.
const THERE_AND_BACK: f64 = 1.0;
/// A root that the hips leave by less than this share of their own way goes with them.
const FOLLOWS_SHARE: f64 = 0.3;
/// Hips with less than this share of the travel sway around the root.
const SWAY_SHARE: f64 = 0.1;
/// From this turn on a clip is one that turns, radians.
const TURNS_RAD: f64 = 20.0 * PI / 180.0;
/// A root that faces this far from every eighth of a turn off its travel is worth a look, radians.
const ASKEW_RAD: f64 = 8.0 * PI / 180.0;

/// What the other checks want to know of the travel.
pub(super) struct Course {
    pub travel_bone: BoneIndex,
    /// Whether the body goes anywhere.
    pub travels: bool,
    /// Net turn, radians.
    pub turn_rad: f64,
    /// Mean speed along the body's own way, m/s.
    pub speed_m_s: f64,
    /// Angle from where the character looks to its travel, left positive, radians; `None` without one direction.
    pub movement_rad: Option<f64>,
    pub leg_m: f64,
}

impl Course {
    pub fn turns(&self) -> bool {
        self.turn_rad.abs() >= TURNS_RAD
    }
}

pub(super) fn check(input: &CheckInput<'_>, out: &mut Verdict) -> Option<Course> {
    let (clip, rig, motion) = (input.clip, input.rig, input.motion);
    let Some((bone, points)) = travel_bone(clip, rig, None).ok().zip(motion.travel.as_ref()) else {
        out.part(CheckId::Rig, Severity::Warning, "pelvis unknown");
        let reason = if rig.reason.is_empty() { "its names are unknown" } else { &rig.reason };
        let detail = format!(
            "{}. Pick the pelvis and the feet by hand; travel, floor and loop are not judged.",
            capital(reason)
        );
        out.note(CheckId::Rig, Severity::Warning, "No bone is known to be the pelvis", detail);
        return None;
    };
    let leg_m = leg_length(clip, rig);
    let yaw = motion.travel_yaw.as_deref().unwrap_or_default();
    let turn_rad = f64::from(yaw.last().copied().unwrap_or(0.0) - yaw.first().copied().unwrap_or(0.0));
    // Hips that fall, or sit down, leave the feet where they are.
    let feet = mid_feet(input);
    let travels = goes(points, leg_m) && feet.is_none_or(|feet| goes(&feet, leg_m));
    let mut course = Course { travel_bone: bone, travels, turn_rad, speed_m_s: 0.0, movement_rad: None, leg_m };
    if out.finding(CheckId::Still).is_some() {
        return Some(course);
    }
    if travels {
        let share = travel_share(clip, rig, bone).unwrap_or_default();
        carriers(input, points, &share, &course, out);
        root(input, points, out);
        speed(input, points, &mut course, out);
    } else {
        in_place(input, points, out);
    }
    if course.turns() {
        let way = if turn_rad > 0.0 { "left" } else { "right" };
        let text = format!("turns {} {way}", degrees(turn_rad.abs()));
        out.part(CheckId::Turn, Severity::Info, text.as_str());
        let detail = format!(
            "Net turn of \"{}\" about the vertical, from the first frame to the last.",
            clip.skeleton.bone(bone).name
        );
        out.note(CheckId::Turn, Severity::Info, capital(&text), detail);
    }
    Some(course)
}

/// Who carries it; extraction is suggested where the pelvis leaves the root, or there is none.
fn carriers(input: &CheckInput<'_>, points: &Points, share: &TravelShare, course: &Course, out: &mut Verdict) {
    let (clip, rig) = (input.clip, input.rig);
    let leaves_root = match (&input.motion.root, &input.motion.root_yaw) {
        (Some(root), Some(yaw)) => {
            // A root on a smoothed path may be half a step from the hips at times, and yet go where they go.
            let left_m = stray_from_root_m(points, root, yaw);
            let follows = left_m < FOLLOWS_SHARE * stray_m(points) || left_m < TRAVEL_SHARE * course.leg_m;
            share.pelvis > SWAY_SHARE && !follows
        }
        _ => true,
    };
    let mut shares = [("root", share.root), ("hips", share.pelvis), ("armature", share.above)];
    shares.sort_by(|a, b| b.1.total_cmp(&a.1));
    let shown: Vec<String> = shares
        .iter()
        .enumerate()
        // What the pelvis does around a root that carries it is sway, not travel.
        .filter(|&(i, &(_, part))| part >= 0.005 && (i == 0 || leaves_root))
        .map(|(_, &(who, part))| format!("{who} {}", percent(part)))
        .collect();
    let text = format!("Travel on {}", shown.join(", "));
    let on_armature = share.above > 0.5;
    let severity = if leaves_root || on_armature { Severity::Advice } else { Severity::Info };
    out.part(CheckId::Travel, severity, text.as_str());
    let numbers = format!(
        "{} over the ground, along a path of {}; carried by nodes above {} {}, root {}, hips {} (lengths of their paths).",
        length(share.net_m),
        length(share.path_m),
        if rig.root().is_some() { "the root" } else { "the hips" },
        percent(share.above),
        percent(share.root),
        percent(share.pelvis)
    );
    if on_armature {
        let detail = format!(
            "{numbers} Engines drop the motion of a node above the skeleton: make that node the root, or move its keys to the hips where the clip was made."
        );
        let carrier =
            clip.skeleton.ancestors(course.travel_bone).filter(|&b| !ChainSampler::of_bone(clip, b).is_static()).last();
        let finding = out.note(CheckId::Travel, severity, text, detail);
        if let Some(carrier) = carrier.filter(|_| rig.root().is_none()) {
            finding.fix(Fix::Role { role: Role::Root, bone: clip.skeleton.path(carrier).to_owned() });
        }
    } else if leaves_root {
        let op = Op::Extract(Extract::default());
        let detail =
            format!("{numbers} Engines read root motion from the root alone: extract it to move the travel there.");
        out.note(CheckId::Travel, severity, text, detail).fix_by(op.clone());
        // Where a step has put travel on the root, how well it follows is the person's choice: not asked for again.
        let decided = share.root > SWAY_SHARE && !std::sync::Arc::ptr_eq(input.clip, input.take);
        if !decided {
            out.suggest(op);
        }
    } else {
        let detail = format!("{numbers} The hips sway around the root and stay with it: this is root motion.");
        out.note(CheckId::Travel, severity, text, detail);
    }
}

fn in_place(input: &CheckInput<'_>, points: &Points, out: &mut Verdict) {
    out.part(CheckId::Travel, Severity::Info, "in place");
    let title = format!("Stays in place: the hips stray {} from where they start", length(stray_m(points)));
    let detail = "The body ends where it started, or the feet stay where they are. Sway and bob are on the hips.";
    out.note(CheckId::Travel, Severity::Info, title, detail);
    if input.rig.root().is_none() {
        no_root(out);
    }
}

fn no_root(out: &mut Verdict) {
    out.part(CheckId::Root, Severity::Info, "no root");
    let detail = "No bone above the hips is a root of its own. Extract root motion adds one, on the ground.";
    out.note(CheckId::Root, Severity::Info, "The skeleton has no root bone", detail);
}

/// Whether there is a root, and where it faces when it travels.
fn root(input: &CheckInput<'_>, travel: &Points, out: &mut Verdict) {
    let Some(bone) = input.rig.root() else { return no_root(out) };
    let name = &input.clip.skeleton.bone(bone).name;
    let (Some(points), Some(yaw)) = (&input.motion.root, &input.motion.root_yaw) else { return };
    if stray_m(points) < 0.1 * stray_m(travel) {
        out.part(CheckId::Root, Severity::Info, "root stands still");
        let title = format!("Root \"{name}\" stands still");
        out.note(CheckId::Root, Severity::Info, title, "The travel is not on it, though it is there to carry it.");
        return;
    }
    let Some((angle, deviation)) = body_direction(points, yaw, reference_facing(input)).and_then(Way::angle) else {
        return;
    };
    let off = wrap_angle(angle - (angle / FRAC_PI_4).round() * FRAC_PI_4);
    let severity = if off.abs() > ASKEW_RAD { Severity::Advice } else { Severity::Info };
    let title = if angle.abs() < 2_f64.to_radians() {
        format!("Root \"{name}\" faces the way it travels, ±{}", degrees(deviation))
    } else {
        let side = if angle > 0.0 { "right" } else { "left" };
        format!("Root \"{name}\" faces {} to the {side} of its travel, ±{}", degrees(angle.abs()), degrees(deviation))
    };
    if severity == Severity::Advice {
        let side = if angle > 0.0 { "right" } else { "left" };
        out.part(CheckId::Root, severity, format!("root {} {side} of travel", degrees(angle.abs())));
    }
    let detail = "Mean and spread of the angle from the root's facing to its travel, weighted by distance. A strafe is \
                  at ±90°, a walk backwards at 180°; an odd angle is a stance that was put on the root.";
    out.note(CheckId::Root, severity, title, detail);
}

fn speed(input: &CheckInput<'_>, points: &Points, course: &mut Course, out: &mut Verdict) {
    let Some(facing) = &input.motion.facing else { return };
    let duration = input.clip.range.duration_secs();
    let Some(way) = body_direction(points, facing, 0.0).filter(|_| duration > 0.0) else { return };
    course.speed_m_s = way.sum.length() / duration;
    let Some((angle, _)) = way.angle() else {
        // There and back: no one direction.
        let mean = way.length_m / duration;
        course.speed_m_s = mean;
        out.part(CheckId::Speed, Severity::Info, format!("{mean:.2} m/s"));
        let title = format!("{mean:.2} m/s on average, in changing directions");
        out.note(CheckId::Speed, Severity::Info, title, format!("{} in {duration:.2} s.", length(way.length_m)));
        return;
    };
    course.movement_rad = Some(angle);
    let word = direction_word(angle);
    let text = format!("{:.2} m/s {word}", course.speed_m_s);
    out.part(CheckId::Speed, Severity::Info, text.as_str());
    let detail = format!(
        "{} in {duration:.2} s; the travel is {} from where the character faces, left positive.",
        length(way.sum.length()),
        degrees(angle)
    );
    out.note(CheckId::Speed, Severity::Info, text, detail);
}

/// The sector is narrow for diagonals: a rifle stance turns the hips by 34° and still goes forward.
fn direction_word(angle_rad: f64) -> &'static str {
    let side = angle_rad >= 0.0;
    match angle_rad.abs().to_degrees() {
        a if a <= 37.0 => "forward",
        a if a < 58.0 && side => "forward left",
        a if a < 58.0 => "forward right",
        a if a <= 122.0 && side => "left",
        a if a <= 122.0 => "right",
        a if a < 143.0 && side => "backward left",
        a if a < 143.0 => "backward right",
        _ => "backward",
    }
}

/// The way of a bone as it sees it itself: every step turned back by its facing, then added up. A walk along a circle
/// goes forward all the time, and sway cancels out over whole strides.
#[derive(Clone, Copy)]
struct Way {
    sum: DVec3,
    length_m: f64,
    spread: f64,
}

impl Way {
    /// Mean angle of the travel from the facing (left positive) and its spread, radians; `None` without one direction.
    fn angle(self) -> Option<(f64, f64)> {
        (self.sum.length() > 0.3 * self.length_m).then(|| (self.sum.x.atan2(self.sum.z), self.spread))
    }
}

/// `straight`: which way the bone faces at yaw 0, radians.
fn body_direction(points: &Points, yaw: &[f32], straight: f64) -> Option<Way> {
    if points.len() < 2 || yaw.len() != points.len() {
        return None;
    }
    let steps = || {
        (1..points.len()).map(|i| {
            let back = yaw_rotation(-f64::from(yaw[i - 1]) - straight);
            back * ground(points.at(i) - points.at(i - 1))
        })
    };
    let sum: DVec3 = steps().sum();
    let length_m: f64 = steps().map(DVec3::length).sum();
    let mean = sum.x.atan2(sum.z);
    let square: f64 = steps()
        .filter(|step| step.length() > 0.0)
        .map(|step| step.length() * wrap_angle(step.x.atan2(step.z) - mean).powi(2))
        .sum();
    Some(Way { sum, length_m, spread: if length_m > 0.0 { (square / length_m).sqrt() } else { 0.0 } })
}

/// Which way the character of the reference pose faces, about +Y from +Z: across its hips.
fn reference_facing(input: &CheckInput<'_>) -> f64 {
    let reference = input.clip.skeleton.reference_component();
    let at = |side| input.rig.bone(Role::Thigh(side)).and_then(|bone| reference.get(bone.get())).map(|b| b.translation);
    let Some((left, right)) = at(Side::Left).zip(at(Side::Right)) else { return 0.0 };
    let forward = ground(left - right).cross(DVec3::Y);
    if forward.length() < 1e-6 { 0.0 } else { forward.x.atan2(forward.z) }
}

/// Whether a point goes anywhere.
fn goes(points: &Points, leg_m: f64) -> bool {
    let net = ground(points.at(points.len() - 1) - points.at(0)).length();
    net > TRAVEL_SHARE * leg_m || stray_m(points) > THERE_AND_BACK * leg_m
}

/// Halfway between the feet, where both are known.
fn mid_feet(input: &CheckInput<'_>) -> Option<Points> {
    let [Some(left), Some(right)] = &input.motion.feet else { return None };
    let middle = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| 0.5 * (a + b)).collect();
    let (a, b) = (&left.ankle, &right.ankle);
    Some(Points { x: middle(&a.x, &b.x), y: middle(&a.y, &b.y), z: middle(&a.z, &b.z) })
}

/// Farthest over the ground from where it was at first, metres.
fn stray_m(points: &Points) -> f64 {
    let first = points.at(0);
    points.iter().map(|p| ground(p - first).length()).fold(0.0, f64::max)
}

/// Farthest that the travel bone gets from its first place as the root sees it, metres.
fn stray_from_root_m(travel: &Points, root: &Points, yaw: &[f32]) -> f64 {
    let seen = |i: usize| yaw_rotation(-f64::from(yaw[i])) * ground(travel.at(i) - root.at(i));
    let first = seen(0);
    (0..travel.len()).map(|i| (seen(i) - first).length()).fold(0.0, f64::max)
}
