//! The leg solve against closed forms.

use std::f64::consts::FRAC_PI_2;

use glam::{DQuat, DVec3};
use stridesmith::motion::leg_ik::{Leg, LegOptions, reach};
use stridesmith::motion::transform::rotation_angle;

/// Numbers without pattern, the same every run.
fn scattered(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    ((*seed >> 11) as f64) / ((1u64 << 53) as f64) * 2.0 - 1.0
}

fn scattered_vector(seed: &mut u64) -> DVec3 {
    DVec3::new(scattered(seed), scattered(seed), scattered(seed))
}

fn straight_leg() -> Leg {
    Leg { hip: DVec3::new(0.0, 5.0, 0.0), knee: DVec3::new(0.0, 2.0, 0.0), ankle: DVec3::new(0.0, -2.0, 0.0) }
}

const HARD: LegOptions = LegOptions { softness: 0.0, max_stretch: 1.0, hinge: Some(DVec3::X), forward: DVec3::Z };

#[test]
fn a_three_four_five_leg_bends_to_a_right_angle() {
    let leg = straight_leg();
    let solved = reach(&leg, DVec3::ZERO, &HARD);
    assert!(solved.knee.distance(DVec3::new(0.0, 3.2, 2.4)) < 1e-14, "{}", solved.knee);
    assert!(solved.ankle.length() < 1e-14 && solved.residual_m == 0.0);
    let interior = (leg.hip - solved.knee).angle_between(solved.ankle - solved.knee);
    assert!((interior - FRAC_PI_2).abs() < 1e-12);
    assert!((rotation_angle(solved.thigh_turn).to_degrees() - 53.130_102_354).abs() < 1e-9);
    // Without a hinge a straight leg bends to where the character looks.
    let forward = reach(&leg, DVec3::ZERO, &LegOptions { hinge: None, ..HARD });
    assert!(forward.knee.distance(solved.knee) < 1e-12);
}

#[test]
fn equal_segments_obey_the_cosine_rule() {
    let leg = Leg { hip: DVec3::ZERO, knee: DVec3::new(0.0, -40.0, 0.0), ankle: DVec3::new(0.0, -80.0, 0.0) };
    let solved = reach(&leg, DVec3::new(0.0, -60.0, 0.0), &HARD);
    assert!((solved.knee.normalize_or_zero().dot(DVec3::NEG_Y) - 0.75).abs() < 1e-15);
}

#[test]
fn out_of_reach_is_straight_soft_or_stretched() {
    let leg = straight_leg();
    let target = leg.hip + DVec3::new(0.0, -8.0, 0.0);
    let hard = reach(&leg, target, &HARD);
    assert_eq!(hard.residual_m, 1.0);
    assert!(hard.is_unreached());
    assert!(hard.ankle.distance(DVec3::new(0.0, -2.0, 0.0)) < 1e-12);
    // Source leg bent, so that softness applies: m = 6.86 of 7.
    let bent = Leg { knee: DVec3::new(0.0, 3.2, 2.4), ankle: DVec3::ZERO, ..leg };
    let soft = reach(&bent, target, &LegOptions { softness: 0.02, ..HARD });
    assert!((soft.residual_m - 1.000_040_713).abs() < 1e-9, "{}", soft.residual_m);
    let stretched = reach(&leg, target, &LegOptions { max_stretch: 1.2, ..HARD });
    assert!((stretched.stretch - 8.0 / 7.0).abs() < 1e-15 && stretched.residual_m < 1e-12);
    assert!(stretched.ankle.distance(target) < 1e-12);
    assert!((stretched.knee.distance(leg.hip) - 3.0 * 8.0 / 7.0).abs() < 1e-12);
    let capped = reach(&leg, target, &LegOptions { max_stretch: 1.02, ..HARD });
    assert!((capped.residual_m - (8.0 - 7.14)).abs() < 1e-12);
}

#[test]
fn a_soft_knee_is_smooth_and_never_shortens_the_source() {
    let leg = Leg { hip: DVec3::ZERO, knee: DVec3::new(0.0, -0.44, 0.2), ankle: DVec3::new(0.0, -0.7, 0.0) };
    let full = leg.knee.length() + leg.knee.distance(leg.ankle);
    let options = LegOptions::default();
    let length = |x: f64| reach(&leg, DVec3::new(0.0, -x, 0.0), &options).ankle.length();
    // Slope 1 where the softness begins, and no jump anywhere.
    let from = full * 0.98;
    assert!(from > 0.75 && (length(from - 1e-3) - (from - 1e-3)).abs() < 1e-12);
    assert!(((length(from + 1e-5) - length(from - 1e-5)) / 2e-5 - 1.0).abs() < 1e-3);
    let mut last = length(0.5);
    for i in 1..=1000 {
        let now = length(0.5 + 0.001 * f64::from(i));
        assert!(now >= last && now - last < 0.001 + 1e-9 && now <= full);
        last = now;
    }
    // A source leg that is straighter than the softness allows keeps every millimetre of its length.
    let straight = Leg { knee: DVec3::new(0.0, -0.44, 0.01), ankle: DVec3::new(0.0, -0.8, 0.0), ..leg };
    let full = straight.knee.length() + straight.knee.distance(straight.ankle);
    let turned = DQuat::from_rotation_x(0.3) * straight.ankle;
    let solved = reach(&straight, turned, &options);
    assert!(straight.ankle.length() > 0.98 * full && solved.residual_m < 1e-12, "{}", solved.residual_m);
}

#[test]
fn an_unchanged_target_changes_nothing() {
    let mut seed = 7;
    for _ in 0..50 {
        let hip = scattered_vector(&mut seed);
        let knee = hip + scattered_vector(&mut seed);
        let ankle = knee + scattered_vector(&mut seed);
        let leg = Leg { hip, knee, ankle };
        let solved = reach(&leg, ankle + DVec3::splat(5e-10), &LegOptions::default());
        assert!(solved.thigh_turn == DQuat::IDENTITY && solved.calf_turn == DQuat::IDENTITY);
        assert!(solved.knee == knee && solved.ankle == ankle && solved.residual_m == 0.0 && solved.stretch == 1.0);
        // A hair further away the solve runs, and still changes next to nothing.
        let hair = reach(&leg, ankle + DVec3::new(2e-9, 0.0, 0.0), &LegOptions::default());
        assert!(rotation_angle(hair.thigh_turn) < 1e-6 && rotation_angle(hair.calf_turn) < 1e-6);
    }
}

#[test]
fn three_hundred_legs_reach_their_targets_by_their_turns() {
    let mut seed = 1;
    let mut reached = 0;
    while reached < 300 {
        let hip = scattered_vector(&mut seed);
        let thigh = scattered_vector(&mut seed) * 0.5;
        let calf = scattered_vector(&mut seed) * 0.5;
        let target = hip + scattered_vector(&mut seed) * 0.8;
        let leg = Leg { hip, knee: hip + thigh, ankle: hip + thigh + calf };
        let distance = target.distance(hip);
        let (a, c) = (thigh.length(), calf.length());
        if distance > a + c - 1e-6 || distance < (a - c).abs() + 1e-6 || a < 0.05 || c < 0.05 {
            continue;
        }
        let solved = reach(&leg, target, &HARD);
        let by_turns = hip + solved.thigh_turn * thigh + solved.calf_turn * calf;
        assert!(by_turns.distance(target) < 1e-12, "{leg:?}: off by {}", by_turns.distance(target));
        assert!((hip + solved.thigh_turn * thigh).distance(solved.knee) < 1e-12);
        assert!(solved.residual_m == 0.0);
        // The knee keeps its side of the line from hip to ankle, swung with it.
        let side = |knee: DVec3, aim: DVec3| (knee - hip) - aim * (knee - hip).dot(aim);
        let (old_aim, aim) = ((leg.ankle - hip).normalize_or_zero(), (target - hip).normalize_or_zero());
        let swung = DQuat::from_rotation_arc(old_aim, aim) * side(leg.knee, old_aim);
        assert!(side(solved.knee, aim).angle_between(swung) < 1e-5 || side(solved.knee, aim).length() < 1e-6);
        reached += 1;
    }
}

#[test]
fn odd_legs_give_finite_answers() {
    let at = DVec3::new;
    let zero = DVec3::ZERO;
    let legs = [
        Leg { hip: zero, knee: zero, ankle: zero },
        Leg { hip: zero, knee: zero, ankle: at(0.0, -1.0, 0.0) },
        Leg { hip: zero, knee: at(0.0, -1.0, 0.0), ankle: at(0.0, -1.0, 0.0) },
        Leg { hip: zero, knee: at(0.0, -1.0, 0.0), ankle: zero },
        Leg { hip: zero, knee: at(0.0, 0.0, 1.0), ankle: at(0.0, 0.0, 2.0) },
    ];
    for leg in legs {
        for target in [zero, at(0.0, 1e-7, 0.0), at(0.0, -0.5, 0.0), at(0.0, 0.0, 5.0), at(0.0, 3.0, 0.0)] {
            for hinge in [None, Some(DVec3::X), Some(DVec3::Z), Some(zero)] {
                let solved = reach(&leg, target, &LegOptions { hinge, ..LegOptions::default() });
                assert!(solved.knee.is_finite() && solved.ankle.is_finite(), "{leg:?} to {target}: {solved:?}");
                assert!(solved.thigh_turn.is_finite() && solved.calf_turn.is_finite() && solved.residual_m.is_finite());
                assert!(
                    (solved.thigh_turn.length() - 1.0).abs() < 1e-9 && (solved.calf_turn.length() - 1.0).abs() < 1e-9
                );
            }
        }
    }
}

#[test]
fn a_target_too_near_leaves_the_leg_folded() {
    let solved = reach(&straight_leg(), DVec3::new(0.0, 4.5, 0.0), &HARD);
    // Thigh 3, calf 4: the ankle comes no nearer than 1 to the hip.
    assert!((solved.ankle.distance(DVec3::new(0.0, 5.0, 0.0)) - 1.0).abs() < 1e-12);
}
