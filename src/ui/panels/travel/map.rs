//! The ground on the screen, from above, axes equal: +Z up, +X, the character's left, to the left. Numbers alone.

use eframe::egui::{Pos2, Rect, Vec2, pos2, vec2};

use crate::session::derived::Trail;
use crate::ui::time_axis::ticks::{Tick, decimals, nice_step, number};

/// A place on the ground, metres, component space: `x` and `z`.
pub type Ground = [f64; 2];

/// Where the ground lies on the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Map {
    /// What it is drawn in.
    pub place: Rect,
    /// What lies in the middle of it.
    pub middle: Ground,
    /// Scale of both axes.
    pub points_per_metre: f64,
}

impl Map {
    /// Nearest and farthest look, points per metre.
    const SCALES: [f64; 2] = [1e-4, 1e5];
    /// Room around what is fitted, points.
    const ROOM: f32 = 20.0;

    /// All of `bounds` (lowest and highest) is seen, and at least `least_m` metres.
    pub fn fitted(place: Rect, bounds: [Ground; 2], least_m: f64) -> Self {
        let [low, high] = bounds;
        let span = |axis: usize| (high[axis] - low[axis]).max(least_m);
        let room = (place.size() - Vec2::splat(2.0 * Self::ROOM)).max(Vec2::splat(1.0));
        let scale = (f64::from(room.x) / span(0)).min(f64::from(room.y) / span(1));
        let middle = [0, 1].map(|axis| (low[axis] + high[axis]) / 2.0);
        Self { place, middle, points_per_metre: scale.clamp(Self::SCALES[0], Self::SCALES[1]) }
    }

    /// Where a place on the ground is seen.
    pub fn point(&self, at: Ground) -> Pos2 {
        let away = |axis: usize| ((at[axis] - self.middle[axis]) * self.points_per_metre).clamp(-1e5, 1e5) as f32;
        self.place.center() - vec2(away(0), away(1))
    }

    /// Which place on the ground is seen there.
    pub fn ground(&self, at: Pos2) -> Ground {
        let away = self.place.center() - at;
        [
            self.middle[0] + f64::from(away.x) / self.points_per_metre,
            self.middle[1] + f64::from(away.y) / self.points_per_metre,
        ]
    }

    /// `factor` times as large; what is seen at `around` stays there.
    #[must_use]
    pub fn zoomed(self, factor: f64, around: Pos2) -> Self {
        if !(factor.is_finite() && factor > 0.0) {
            return self;
        }
        let fixed = self.ground(around);
        let scale = (self.points_per_metre * factor).clamp(Self::SCALES[0], Self::SCALES[1]);
        let away = self.place.center() - around;
        let middle = [fixed[0] - f64::from(away.x) / scale, fixed[1] - f64::from(away.y) / scale];
        Self { middle, points_per_metre: scale, ..self }
    }

    /// The ground moves by so many points.
    #[must_use]
    pub fn panned(self, by: Vec2) -> Self {
        let middle = [
            self.middle[0] + f64::from(by.x) / self.points_per_metre,
            self.middle[1] + f64::from(by.y) / self.points_per_metre,
        ];
        Self { middle, ..self }
    }

    /// Distance of two lines of the grid, metres: at least `least` points.
    pub fn step(&self, least: f32) -> f64 {
        nice_step(f64::from(least) / self.points_per_metre)
    }

    /// Lines of the grid that are seen: across at values of `x`, and upwards at values of `z`, with their names.
    pub fn grid(&self, step: f64) -> [Vec<Tick>; 2] {
        let corners = [self.ground(self.place.right_bottom()), self.ground(self.place.left_top())];
        let digits = decimals(step);
        [0, 1].map(|axis| {
            let (first, last) = ((corners[0][axis] / step).ceil(), (corners[1][axis] / step).floor());
            if !(first.is_finite() && last.is_finite()) || last - first > 1e4 {
                return Vec::new();
            }
            let place = |value: f64| {
                let at = self.point([value, value]);
                if axis == 0 { at.x } else { at.y }
            };
            let tick = |nth: i64| nth as f64 * step;
            (first as i64..=last as i64)
                .map(|nth| Tick { place: place(tick(nth)), label: number(tick(nth), digits) })
                .collect()
        })
    }
}

/// Lowest and highest `x` and `z` of some trails; a metre around the origin where there are none.
pub fn bounds<'a>(trails: impl Iterator<Item = &'a Trail>) -> [Ground; 2] {
    let of_trail = |trail: &Trail| {
        let ((x0, x1), (z0, z1)) = (trail.x.extremes(), trail.z.extremes());
        [[f64::from(x0), f64::from(z0)], [f64::from(x1), f64::from(z1)]]
    };
    let finite = |bounds: &[Ground; 2]| bounds.as_flattened().iter().all(|value| value.is_finite());
    let joined = trails
        .map(of_trail)
        .filter(finite)
        .reduce(|[a, b], [c, d]| [[a[0].min(c[0]), a[1].min(c[1])], [b[0].max(d[0]), b[1].max(d[1])]]);
    joined.unwrap_or([[-0.5, -0.5], [0.5, 0.5]])
}

/// The instant at which a path passes nearest to a point of the screen, and how far from it, points. `path`: times and
/// points, in order of time. Where it passes more than once, the time nearest to `now` counts: `patience` points more
/// are as good as a whole path's time less.
pub fn nearest(path: &[(f64, Pos2)], to: Pos2, now: f64, patience: f32) -> Option<(f64, f32)> {
    let (first, last) = (path.first()?, path.last()?);
    let length = (last.0 - first.0).max(f64::MIN_POSITIVE);
    let score = |secs: f64, away: f32| away + patience * ((secs - now).abs() / length).min(1.0) as f32;
    let mut best = (first.0, first.1.distance(to));
    for pair in path.windows(2) {
        let [(from_secs, from), (to_secs, end)] = [pair[0], pair[1]];
        let along = end - from;
        let share =
            if along.length_sq() > 0.0 { ((to - from).dot(along) / along.length_sq()).clamp(0.0, 1.0) } else { 0.0 };
        let at = from + along * share;
        let (secs, away) = (from_secs + (to_secs - from_secs) * f64::from(share), at.distance(to));
        if score(secs, away) < score(best.0, best.1) {
            best = (secs, away);
        }
    }
    Some(best)
}

/// The points of an arrow's shaft of `length` points that leaves `from` in the direction of a yaw.
pub fn heading(from: Pos2, yaw_rad: f64, length: f32) -> [Pos2; 2] {
    // Turned to the left by yaw from +Z, which is up on the screen.
    let (sin, cos) = yaw_rad.sin_cos();
    [from, pos2(from.x - sin as f32 * length, from.y - cos as f32 * length)]
}
