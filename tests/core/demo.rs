//! The generator against its own truth, and the leg solve that its legs are made with.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "functions that tests share are tests, too")]

mod families;
mod figure;
mod keys;
mod leg_ik;
mod motion;
mod path;

use std::f64::consts::FRAC_PI_2;

use glam::DVec3;
use stridesmith::motion::demo::{Demo, DemoSpec, Family, Gait, Sole, Truth, generate};
use stridesmith::motion::{Clip, ComponentPose, FileId, FrameRate, Role, Side};

const SIDES: [Side; 2] = [Side::Left, Side::Right];

fn make(spec: &DemoSpec) -> Demo {
    generate(spec, FileId(0)).unwrap()
}

fn spec_of(gait: Gait, family: Family) -> DemoSpec {
    DemoSpec { rate: FrameRate::new(60.0).unwrap(), ..DemoSpec::new(gait, family) }
}

/// Every gait, the edges of its speeds, and every setting off its default.
fn varied() -> Vec<DemoSpec> {
    let mut specs = Vec::new();
    for gait in Gait::ALL {
        let usual = spec_of(gait, Family::Unreal);
        specs.push(usual.clone());
        if gait != Gait::TurnInPlace {
            let speeds = gait.speeds_m_s();
            for speed_m_s in [*speeds.start(), *speeds.end()] {
                specs.push(DemoSpec { speed_m_s, ..usual.clone() });
            }
        }
        specs.push(DemoSpec {
            heading_rad: 2.3,
            origin: DVec3::new(-3.0, 0.0, 1.5),
            phase: 0.37,
            radius_m: -2.5,
            turn_rad: -FRAC_PI_2,
            first_key_secs: 1.0 / 30.0,
            ..usual
        });
    }
    specs
}

/// Even times from the first key to the last.
fn instants(truth: &Truth, per_second: f64) -> impl Iterator<Item = f64> + use<> {
    let (start, end) = (truth.start_secs, truth.end_secs);
    let n = ((end - start) * per_second).round() as usize;
    (0..=n).map(move |i| start + (end - start) * i as f64 / n as f64)
}

fn position(truth: &Truth, pose: &ComponentPose, role: Role) -> DVec3 {
    pose.position(truth.bone(role).unwrap())
}

/// Bend of a knee, 0 for a straight leg.
fn knee_rad(truth: &Truth, pose: &ComponentPose, side: Side) -> f64 {
    let at = |role| position(truth, pose, role);
    let (thigh, calf) = (at(Role::Calf(side)) - at(Role::Thigh(side)), at(Role::Foot(side)) - at(Role::Calf(side)));
    thigh.cross(calf).length().atan2(thigh.dot(calf))
}

/// A point of the sole, wherever the foot is.
fn sole(truth: &Truth, pose: &ComponentPose, side: Side, sole: Sole) -> DVec3 {
    let offset = truth.planted.iter().find(|p| p.sole == sole && p.side == side).unwrap().offset;
    pose.0[truth.bone(Role::Foot(side)).unwrap().get()].transform_point3(offset)
}

fn plants(truth: &Truth, side: Side, sole: Sole) -> Vec<(f64, f64)> {
    let of_foot = truth.planted.iter().filter(|p| p.side == side && p.sole == sole);
    of_foot.map(|p| (p.start_secs, p.end_secs)).collect()
}

/// Landings inside the clip.
fn landings(truth: &Truth) -> Vec<(f64, Side)> {
    let both = SIDES.map(|side| plants(truth, side, Sole::Heel).into_iter().map(move |(start, _)| (start, side)));
    both.into_iter().flatten().filter(|(start, _)| *start > truth.start_secs).collect()
}

/// What the keys say at a time.
fn keyed(clip: &Clip, secs: f64) -> ComponentPose {
    clip.component_at(secs)
}

/// Farthest apart that two poses put a bone.
fn apart_m(a: &ComponentPose, b: &ComponentPose) -> f64 {
    a.0.iter().zip(&b.0).map(|(a, b)| a.translation.distance(b.translation)).fold(0.0, f64::max)
}
