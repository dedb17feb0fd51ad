//! The generator against its own truth, and the leg solve against closed forms.

use std::f64::consts::{FRAC_PI_2, PI};

use glam::{DQuat, DVec3};
use stridesmith::motion::demo::{
    Carrier, Demo, DemoError, DemoSpec, Encoding, Family, Gait, Sole, Truth, generate, generate_set,
};
use stridesmith::motion::leg_ik::{Leg, LegOptions, reach};
use stridesmith::motion::transform::{angle_between, rotation_angle, wrap_angle};
use stridesmith::motion::{
    Clip, ComponentPose, Cycle, FileId, FrameRate, Interpolation, LocalPose, Role, Sampler, Side, Times,
};

const SIDES: [Side; 2] = [Side::Left, Side::Right];

fn make(spec: &DemoSpec) -> Demo {
    generate(spec, FileId(0)).unwrap()
}

fn spec_of(gait: Gait, family: Family) -> DemoSpec {
    DemoSpec { rate: FrameRate::new(60.0).unwrap(), ..DemoSpec::new(gait, family) }
}

/// Every gait, and the edges of its speeds.
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

#[test]
fn report() {
    if std::env::var_os("DEMO_REPORT").is_none() {
        return;
    }
    for spec in varied() {
        let demo = make(&spec);
        let truth = demo.truth();
        let mut unreached: f64 = 0.0;
        let mut unreached_at = 0.0;
        let mut lowest = [f64::INFINITY; 3];
        let mut height = (f64::INFINITY, 0.0f64);
        let mut knee = (f64::INFINITY, 0.0f64);
        for t in instants(truth, 500.0) {
            let pose = truth.pose(t);
            if truth.unreached_m(t) > unreached {
                unreached = truth.unreached_m(t);
                unreached_at = t;
            }
            for side in SIDES {
                let foot = truth.bone(Role::Foot(side)).unwrap();
                for (i, sole) in [Sole::Heel, Sole::Ball].into_iter().enumerate() {
                    let p = truth.planted.iter().find(|p| p.sole == sole && p.side == side).unwrap();
                    lowest[i] = lowest[i].min(pose.0[foot.get()].transform_point3(p.offset).y);
                }
                let k = knee_rad(truth, &pose, side);
                knee = (knee.0.min(k), knee.1.max(k));
            }
            let h = position(truth, &pose, Role::Pelvis).y;
            height = (height.0.min(h), height.1.max(h));
        }
        let contact: Vec<f64> = truth
            .planted
            .iter()
            .filter(|p| p.sole == Sole::Heel && p.start_secs > truth.start_secs)
            .map(|p| knee_rad(truth, &truth.pose(p.start_secs), p.side).to_degrees())
            .collect();
        let rise: Vec<f64> = truth
            .planted
            .iter()
            .filter(|p| p.sole == Sole::Ball && p.end_secs < truth.end_secs)
            .map(|p| {
                let heel = truth.planted.iter().find(|h| h.sole == Sole::Heel && h.side == p.side).unwrap();
                let foot = truth.bone(Role::Foot(p.side)).unwrap();
                truth.pose(p.end_secs).0[foot.get()].transform_point3(heel.offset).y
            })
            .collect();
        println!(
            "{:13} v={:.2} unreached {:.4}@{:.3}/{:.3} low heel {:.3} ball {:.3} pelvis {:.3}..{:.3} knee {:.1}..{:.1} contact {:.1?} heelrise {:.3?}",
            spec.gait.name(),
            spec.speed_m_s,
            unreached,
            unreached_at,
            truth.end_secs,
            lowest[0],
            lowest[1],
            height.0,
            height.1,
            knee.0.to_degrees(),
            knee.1.to_degrees(),
            contact,
            rise
        );
    }
    if let Some(path) = std::env::var_os("DEMO_DUMP") {
        let all: Vec<DemoSpec> = Gait::ALL.iter().map(|&g| spec_of(g, Family::Unreal)).collect();
        let demo = generate_set(&all, FileId(0)).unwrap();
        let mut out = std::fs::File::create(path).unwrap();
        stridesmith::formats::dump::write(&mut out, &demo.file.skeleton, &demo.file.clips, None).unwrap();
    }
}
