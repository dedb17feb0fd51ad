//! An even path under a swaying one, for the camera to follow.

use glam::{DAffine3, DVec3};

/// Three running means of `2·half_width + 1` samples, which together are nearly a Gaussian. Beyond the ends a loop is
/// carried on by `round`, what one round adds; anything else is reflected in its end points.
pub fn low_pass(path: &[DVec3], half_width: usize, round: Option<DAffine3>) -> Vec<DVec3> {
    let n = path.len();
    if n < 3 || half_width == 0 {
        return path.to_vec();
    }
    // The window is never longer than the path, of which it may be a small part.
    let half_width = half_width.min((n - 1) / 3).max(1);
    let margin = 3 * half_width;
    let beyond = |i: isize| -> DVec3 {
        let last = n as isize - 1;
        match (i, round) {
            (0.., _) if i <= last => path[i as usize],
            (..0, Some(round)) => round.inverse().transform_point3(path[(i + last).max(0) as usize]),
            (_, Some(round)) => round.transform_point3(path[(i - last).min(last) as usize]),
            (..0, None) => 2.0 * path[0] - path[(-i).min(last) as usize],
            (_, None) => 2.0 * path[n - 1] - path[(2 * last - i).max(0) as usize],
        }
    };
    let mut now: Vec<DVec3> = (-(margin as isize)..(n + margin) as isize).map(beyond).collect();
    for _ in 0..3 {
        now = running_mean(&now, half_width);
    }
    now
}

/// Without the ends, for which the window would reach outside: shorter by `2·half_width`.
fn running_mean(values: &[DVec3], half_width: usize) -> Vec<DVec3> {
    let width = 2 * half_width + 1;
    let mut sum: DVec3 = values[..width].iter().sum();
    let mut means = vec![sum / width as f64];
    for i in width..values.len() {
        sum += values[i] - values[i - width];
        means.push(sum / width as f64);
    }
    means
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_straight_path_stays_and_a_sway_goes() {
        let path: Vec<DVec3> =
            (0..61).map(|i| DVec3::new((i as f64 * 1.3).sin() * 0.03, 0.0, i as f64 * 0.05)).collect();
        let even = low_pass(&path, 5, None);
        assert_eq!(even.len(), path.len());
        for (i, p) in even.iter().enumerate() {
            assert!((p.z - i as f64 * 0.05).abs() < 1e-9, "{i}: {p}");
        }
        assert!(even[30].x.abs() < 0.003);
    }

    #[test]
    fn the_seam_of_a_loop_is_even_too() {
        let round = DAffine3::from_translation(DVec3::new(0.0, 0.0, 3.0));
        let at = |i: f64| DVec3::new((i / 60.0 * std::f64::consts::TAU * 2.0).cos() * 0.03, 0.0, i * 0.05);
        let path: Vec<DVec3> = (0..61).map(|i| at(f64::from(i))).collect();
        let even = low_pass(&path, 4, Some(round));
        assert!(round.transform_point3(even[0]).distance(even[60]) < 1e-9);
    }
}
