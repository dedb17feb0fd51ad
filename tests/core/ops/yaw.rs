//! Twist, unwrapping, and the independence of a delta from the bone's own axes.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

use glam::{DQuat, DVec3};
use stridesmith::motion::transform::shortest_arc;
use stridesmith::ops::yaw::{twist_about_up, twist_of_delta, unwrap};

fn x(degrees: f64) -> DQuat {
    DQuat::from_axis_angle(DVec3::X, degrees.to_radians())
}
fn y(degrees: f64) -> DQuat {
    DQuat::from_axis_angle(DVec3::Y, degrees.to_radians())
}
fn z(degrees: f64) -> DQuat {
    DQuat::from_axis_angle(DVec3::Z, degrees.to_radians())
}

#[track_caller]
fn is(q: DQuat, degrees: f64) {
    for q in [q, -q] {
        let twist = twist_about_up(q).unwrap().to_degrees();
        assert!((twist - degrees).abs() < 1e-9, "{twist} is not {degrees}");
    }
}

#[test]
fn twist_values() {
    is(y(90.0), 90.0);
    is(x(90.0), 0.0);
    is(x(90.0) * y(90.0), 90.0);
    is(y(30.0) * x(60.0) * y(40.0), 70.0);
    is(x(170.0) * y(20.0), 20.0);
    is(DQuat::from_xyzw(0.0, FRAC_1_SQRT_2, 0.0, -FRAC_1_SQRT_2), -90.0);
    is(x(60.0) * y(30.0), 30.0);
    is(x(100.0) * y(30.0), 30.0);
    assert_eq!(twist_about_up(x(180.0)), None);
}

#[test]
fn a_delta_does_not_know_the_bone_s_axes() {
    for bind in [x(-90.0), z(90.0) * y(25.0), x(33.0) * z(140.0)] {
        for moved in [y(35.0), y(35.0) * x(10.0)] {
            let (yaw, held) = twist_of_delta(&[bind, moved * bind]);
            assert_eq!(held, 0);
            assert!((yaw.angles[1].to_degrees() - 35.0).abs() < 1e-9);
        }
    }
}

#[test]
fn an_undefined_twist_holds_the_one_before() {
    let (yaw, held) = twist_of_delta(&[DQuat::IDENTITY, y(20.0), x(180.0), y(30.0)]);
    assert_eq!(held, 1);
    let degrees: Vec<f64> = yaw.angles.iter().map(|a| a.to_degrees()).collect();
    assert!((degrees[2] - 20.0).abs() < 1e-9 && (degrees[3] - 30.0).abs() < 1e-9, "{degrees:?}");
}

#[test]
fn unwrapping() {
    let degrees = |d: &[f64]| -> Vec<f64> {
        let radians: Vec<f64> = d.iter().map(|a| a.to_radians()).collect();
        unwrap(&radians).angles.iter().map(|a| (a.to_degrees() * 1e6).round() / 1e6).collect()
    };
    assert_eq!(degrees(&[170.0, -175.0, -160.0, 170.0]), [170.0, 185.0, 200.0, 170.0]);
    assert_eq!(degrees(&[0.0, 90.0, 180.0, -90.0, 0.0]), [0.0, 90.0, 180.0, 270.0, 360.0]);
    // Half a turn exactly goes on as before: backwards after a backward step.
    assert_eq!(degrees(&[0.0, -90.0, 90.0]), [0.0, -90.0, -270.0]);
}

#[test]
fn pitching_through_half_a_turn_leaves_yaw_alone() {
    // A somersault: pitch 0…180° in steps, at a constant heading of 25°.
    let keys: Vec<DQuat> = (0..=18).map(|i| y(25.0) * x(f64::from(i) * 9.99)).collect();
    let (yaw, _) = twist_of_delta(&keys);
    // The delta is Y25·X·Y−25: its twist is nothing as long as it is defined.
    assert!(yaw.angles.iter().all(|a| a.abs() < 1e-9), "{:?}", yaw.angles);
}

#[test]
fn shortest_arc_of_opposites_is_the_one_agreed() {
    assert_eq!(shortest_arc(DVec3::Y, DVec3::NEG_Y) * DVec3::Y, DVec3::NEG_Y);
    let q = shortest_arc(DVec3::Z, DVec3::NEG_Z);
    // a × X = Z × X = Y.
    assert!((q.y.abs() - 1.0).abs() < 1e-15 && q.w == 0.0);
    let angle = PI - 1e-3;
    let b = DVec3::new(0.0, angle.cos(), angle.sin());
    assert!((shortest_arc(DVec3::Y, b) * DVec3::Y).distance(b) < 1e-12);
}
