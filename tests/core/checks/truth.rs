//! Generated clips of which everything is known.

use glam::DVec3;
use stridesmith::motion::demo::{Carrier, Family, Gait};
use stridesmith::ops::ClipId;
use stridesmith::session::{Action, Change};

use super::*;

fn line(spec: &DemoSpec) -> String {
    judge(generated(spec)).line()
}

#[test]
fn the_line_of_every_gait_is_what_was_generated() {
    let unreal = |gait| line(&DemoSpec::new(gait, Family::Unreal));
    assert_eq!(unreal(Gait::Walk), "Travel on hips 100 % · root stands still · 1.40 m/s forward · loop, gap 0.0 cm");
    let jog = DemoSpec { speed_m_s: 3.0, ..DemoSpec::new(Gait::Jog, Family::Mixamo) };
    assert_eq!(line(&jog), "Travel on hips 100 % · no root · 3.00 m/s forward · loop, gap 0.0 cm");
    let left = unreal(Gait::StrafeLeft);
    assert!(left.contains(" m/s left · loop"), "{left}");
    let right = unreal(Gait::StrafeRight);
    assert!(right.contains(" m/s right · loop"), "{right}");
    let stagger = unreal(Gait::Stagger);
    assert!(stagger.contains(" m/s backward"), "{stagger}");
    let turn = unreal(Gait::TurnInPlace);
    assert!(turn.starts_with("in place · turns 90° left"), "{turn}");
    let arc = DemoSpec { radius_m: -2.0, speed_m_s: 1.2, ..DemoSpec::new(Gait::Arc, Family::Bvh) };
    let text = line(&arc);
    let truth = demo::generate(&arc, FileId(0)).unwrap();
    let degrees = truth.truth().net_yaw_rad.to_degrees();
    assert!(degrees < -45.0 && text.contains(&format!("turns {:.0}° right", -degrees)), "{text}, {degrees}");
    assert!(text.contains("1.20 m/s forward") || text.contains("1.19 m/s forward"), "{text}");
}

#[test]
fn whoever_carries_the_travel_is_named() {
    let of = |carrier| judge(generated(&DemoSpec { carrier, ..DemoSpec::new(Gait::Walk, Family::Unreal) }));
    let root = of(Carrier::Root);
    assert!(root.line().starts_with("Travel on root ") && root.line().contains("1.40 m/s forward"), "{}", root.line());
    assert!(root.suggested.is_empty(), "{:?}", root.suggested);
    assert!(
        found(&root, CheckId::Root).title.contains("faces the way it travels"),
        "{:?}",
        root.finding(CheckId::Root)
    );
    let nobody = of(Carrier::Nobody);
    assert_eq!(nobody.line(), "in place · loop, gap 0.0 cm");
    assert_eq!(ops(&of(Carrier::Pelvis)), ["Extract root motion"]);
}

/// Gaits, families and carriers, at the origin and away from it.
fn varied() -> Vec<DemoSpec> {
    let mut specs = Vec::new();
    for gait in Gait::ALL {
        for family in [Family::Unreal, Family::Mixamo, Family::Bvh] {
            let usual = DemoSpec::new(gait, family);
            specs.push(usual.clone());
            specs.push(DemoSpec {
                heading_rad: 2.3,
                origin: DVec3::new(-3.0, 0.0, 1.5),
                phase: 0.37,
                first_key_secs: 1.0 / 30.0,
                ..usual
            });
        }
    }
    specs
}

#[test]
fn what_is_suggested_can_be_done_and_then_nothing_is_left_to_do() {
    for spec in varied() {
        let mut session = desk(generated(&spec));
        let before = session.checks(ClipId(0)).unwrap();
        assert!(before.severity() < Some(Severity::Warning), "{spec:?}: {}", before.line());
        if spec.first_key_secs > 0.0 {
            assert_eq!(ops(&before).last(), Some(&"Start at 0"));
            assert!(ops(&before).contains(&"Move to origin"), "{spec:?}: {}", before.line());
        }
        if before.suggested.is_empty() {
            continue;
        }
        let change = Change::Apply { steps: before.suggested.clone(), clips: vec![ClipId(0)], here: false };
        session.handle(Action::Change(change)).unwrap();
        let after = session.checks(session.selection().shown().unwrap()).unwrap();
        assert!(after.suggested.is_empty(), "{spec:?}\n{}\n{}\n{:?}", before.line(), after.line(), after.suggested);
        assert!(!after.line().contains("Travel on hips"), "{}", after.line());
    }
}

#[test]
fn soles_are_on_the_floor_to_half_a_centimetre() {
    for family in [Family::Unreal, Family::Mixamo, Family::Bvh] {
        for gait in [Gait::Walk, Gait::Run, Gait::Jump, Gait::StrafeLeft] {
            let verdict = judge(generated(&DemoSpec::new(gait, family)));
            let floor = found(&verdict, CheckId::Floor);
            assert!(floor.title.starts_with("Soles reach the floor"), "{gait:?} {family:?}: {}", floor.title);
        }
    }
}

#[test]
fn a_verdict_survives_being_written_down() {
    let verdict = judge(generated(&DemoSpec::new(Gait::Walk, Family::Mixamo)));
    let text = serde_json::to_string(&*verdict).unwrap();
    assert_eq!(serde_json::from_str::<Verdict>(&text).unwrap(), *verdict);
}
