//! The zero-phase Gaussian, number by number.

use stridesmith::ops::smooth::{Extension, extended, kernel, smooth, smooth_turning_loop};

fn near(a: &[f64], b: &[f64], tolerance: f64) {
    assert_eq!(a.len(), b.len());
    for (i, (x, y)) in a.iter().zip(b).enumerate() {
        assert!((x - y).abs() <= tolerance, "index {i}: {x} is not {y}");
    }
}

#[test]
fn kernel_weights() {
    near(&kernel(1.0), &[0.3989434694, 0.2419714457, 0.0539911274, 0.0044318616, 0.0001338306], 5e-11);
    assert_eq!(kernel(0.0), [1.0]);
    assert_eq!(kernel(f64::NAN), [1.0]);
    assert!(kernel(1e12).len() < 10_000, "a typed σ must not eat memory");
}

#[test]
fn straight_lines_stay() {
    let line = [0.0, 1.0, 2.0, 3.0, 4.0];
    for extension in [Extension::Odd, Extension::PeriodicWithDrift] {
        for sigma in [0.3, 1.0, 7.0, 50.0] {
            near(&smooth(&line, sigma, extension), &line, 1e-12);
        }
    }
}

#[test]
fn odd_reflection_values() {
    let odd = |x: &[f64], sigma| smooth(x, sigma, Extension::Odd);
    near(&odd(&[0.0, 1.0, 0.0, 1.0, 0.0], 1.0), &[0.0, 0.3986758081, 0.4750791681, 0.3986758081, 0.0], 5e-11);
    near(&odd(&[0.0, 3.0, 1.0], 1.0), &[0.0, 1.2280721894, 1.0], 5e-11);
    near(&odd(&[0.0, 3.0, 1.0], 10.0), &[0.0, 0.5000206359, 1.0], 5e-11);
    let beyond: Vec<f64> = (-6..=8).map(|i| extended(&[0.0, 3.0, 1.0], Extension::Odd, i)).collect();
    let expected = [-3.0, -5.0, -2.0, 1.0, -1.0, -3.0, 0.0, 3.0, 1.0, -1.0, 2.0, 5.0, 3.0, 1.0, 4.0];
    assert_eq!(beyond, expected);
    assert_eq!(odd(&[7.0], 3.0), [7.0]);
}

#[test]
fn an_impulse_gives_the_kernel() {
    let mut impulse = [0.0; 11];
    impulse[5] = 1.0;
    let weights = kernel(1.0);
    let expected: Vec<f64> = (0..11_usize).map(|i| weights.get(i.abs_diff(5)).copied().unwrap_or(0.0)).collect();
    near(&smooth(&impulse, 1.0, Extension::Odd), &expected, 1e-12);
}

#[test]
fn gain_of_a_sine() {
    let sine: Vec<f64> = (0..201).map(|i| (std::f64::consts::TAU * f64::from(i) / 20.0).sin()).collect();
    for (sigma, gain) in [(1.0, 0.951852667), (2.0, 0.820899948), (4.0, 0.454032932)] {
        let smoothed = smooth(&sine, sigma, Extension::Odd);
        // At a crest of the interior.
        assert!((smoothed[105] / sine[105] - gain).abs() < 5e-9, "σ {sigma}: {}", smoothed[105] / sine[105]);
    }
}

#[test]
fn a_large_sigma_gives_the_chord() {
    let x = [0.0, 2.0, -1.0, 4.0, 3.0];
    let n = x.len();
    let smoothed = smooth(&x, 2.0 * (n - 1) as f64, Extension::Odd);
    let chord = |i: usize| x[0] + (x[n - 1] - x[0]) * i as f64 / (n - 1) as f64;
    let raw = (0..n).map(|i| (x[i] - chord(i)).abs()).fold(0.0, f64::max);
    for (i, value) in smoothed.iter().enumerate() {
        assert!((value - chord(i)).abs() <= 1e-4 * raw, "{i}: {value}");
    }
}

#[test]
fn a_loop_keeps_its_net_travel_and_its_seam() {
    let n = 41;
    let x: Vec<f64> =
        (0..n).map(|i| 0.05 * f64::from(i) + 0.02 * (std::f64::consts::TAU * f64::from(i) / 40.0).sin()).collect();
    let y = smooth(&x, 6.0, Extension::PeriodicWithDrift);
    assert!((y[40] - y[0] - (x[40] - x[0])).abs() < 1e-12);
    let (out, into) = (y[1] - y[0], y[40] - y[39]);
    let second_difference = (out - into).abs();
    assert!(second_difference < 0.02 * 0.16 * 0.16, "kink {second_difference}");
}

#[test]
fn a_turning_loop_stays_on_its_arc_across_the_seam() {
    // One round is a quarter of a circle; the loop goes on round and round. Smoothed, a circle is a smaller circle
    // about the same centre, so the seam has no kink and every point is equally far from the centre.
    let n = 34;
    let turn = std::f64::consts::FRAC_PI_2;
    let arc: Vec<(f64, f64)> = (0..n)
        .map(|i| {
            let a = turn * i as f64 / (n - 1) as f64;
            (3.0 * (1.0 - a.cos()), 3.0 * a.sin())
        })
        .collect();
    let smoothed = smooth_turning_loop(&arc, 12.0, turn);
    let radius = |p: &(f64, f64)| f64::hypot(p.0 - 3.0, p.1);
    let first = radius(&smoothed[0]);
    assert!(
        smoothed.iter().all(|p| (radius(p) - first).abs() < 1e-12),
        "{:?}",
        smoothed.iter().map(radius).collect::<Vec<_>>()
    );
    assert!(first < 3.0 && first > 2.0);
    // Without a turn it is what each axis gives by itself.
    let straight = smooth_turning_loop(&arc, 4.0, 0.0);
    let x: Vec<f64> = arc.iter().map(|p| p.0).collect();
    near(&straight.iter().map(|p| p.0).collect::<Vec<_>>(), &smooth(&x, 4.0, Extension::PeriodicWithDrift), 1e-12);
}
