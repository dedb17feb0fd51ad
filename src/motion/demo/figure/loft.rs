//! Bodies of elliptical cross-section as signed distance fields, and how fields flow into each other.
//!
//! A loft is told by a table: here is the axis, at this place along it the section has this centre and these half
//! widths. Between the rows run cubic Hermite splines; half ellipsoids close the ends. Distances are those of the
//! first order, `k (k − 1) / |∇(k²/2)|` for `k = 1` on the surface (Newton's step towards it): exact on the surface,
//! near enough beside it.

use glam::DVec3;

/// Along the axis, centre in u and v, half width in u and v; metres.
pub(super) type Row = [f64; 5];

/// Where a table stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub origin: DVec3,
    pub u: DVec3,
    pub v: DVec3,
    /// Unit vectors, all three.
    pub along: DVec3,
}

impl Frame {
    /// Sections stand on a line from one point to another; `v` is made square to it.
    pub(super) fn between(from: DVec3, to: DVec3, v: DVec3) -> Self {
        let along = (to - from).normalize_or(DVec3::Y);
        let u = v.cross(along).normalize_or(DVec3::X);
        Self { origin: from, u, v: along.cross(u), along }
    }
}

/// One body.
#[derive(Clone, Debug)]
pub(super) struct Loft {
    frame: Frame,
    rows: Vec<Row>,
    /// Change of each of a row's last four numbers per metre of the axis.
    slopes: Vec<[f64; 4]>,
    /// How far the ends bulge out beyond the first and last row.
    caps: [f64; 2],
    /// A sphere around it all.
    pub centre: DVec3,
    pub radius: f64,
}

impl Loft {
    /// A table of two rows or more, in rising order.
    pub(super) fn new(frame: Frame, rows: &[Row], caps: [f64; 2]) -> Self {
        let (first, last) = (rows[0][0] - caps[0], rows[rows.len() - 1][0] + caps[1]);
        let centre = frame.origin + frame.along * (0.5 * (first + last));
        let aside = rows.iter().map(|row| row[1].hypot(row[2]) + row[3].max(row[4])).fold(0.0, f64::max);
        // A spline may swing out a little between its rows.
        let radius = (0.5 * (last - first)).hypot(1.1 * aside);
        let slopes = (0..rows.len()).map(|i| slopes_at(rows, i)).collect();
        Self { frame, rows: rows.to_vec(), slopes, caps, centre, radius }
    }

    /// An ellipsoid with its axes along x, y, z.
    pub(super) fn ellipsoid(centre: DVec3, half: DVec3) -> Self {
        let frame = Frame { origin: centre, u: DVec3::X, v: DVec3::Z, along: DVec3::Y };
        let row = |at| [at, 0.0, 0.0, half.x, half.z];
        Self::new(frame, &[row(-1e-6), row(1e-6)], [half.y; 2])
    }

    /// Signed distance to first order, negative inside; metres.
    pub(super) fn distance(&self, p: DVec3) -> f64 {
        let from = p - self.frame.origin;
        let t = from.dot(self.frame.along);
        let (first, last) = (self.rows[0][0], self.rows[self.rows.len() - 1][0]);
        let [cu, cv, a, b] = self.section(t.clamp(first, last));
        let beyond = if t < first { (first - t, self.caps[0]) } else { ((t - last).max(0.0), self.caps[1]) };
        let k = DVec3::new((from.dot(self.frame.u) - cu) / a, (from.dot(self.frame.v) - cv) / b, beyond.0 / beyond.1);
        let (length, slope) = (k.length(), (k / DVec3::new(a, b, beyond.1)).length());
        if slope < 1e-9 { -a.min(b) } else { length * (length - 1.0) / slope }
    }

    fn section(&self, t: f64) -> [f64; 4] {
        let next = self.rows.partition_point(|row| row[0] <= t).clamp(1, self.rows.len() - 1);
        let (from, to) = (&self.rows[next - 1], &self.rows[next]);
        let span = to[0] - from[0];
        let s = ((t - from[0]) / span).clamp(0.0, 1.0);
        let r = 1.0 - s;
        std::array::from_fn(|i| {
            let (m, n) = (self.slopes[next - 1][i] * span, self.slopes[next][i] * span);
            r * r * ((1.0 + 2.0 * s) * from[i + 1] + s * m) + s * s * ((3.0 - 2.0 * s) * to[i + 1] - r * n)
        })
    }
}

/// Slope at a row of the parabola through it and its neighbours; none at the ends, where a cap begins.
fn slopes_at(rows: &[Row], i: usize) -> [f64; 4] {
    if i == 0 || i + 1 == rows.len() {
        return [0.0; 4];
    }
    let (before, at, after) = (&rows[i - 1], &rows[i], &rows[i + 1]);
    let (h, g) = (at[0] - before[0], after[0] - at[0]);
    std::array::from_fn(|k| {
        let (rise, next) = ((at[k + 1] - before[k + 1]) / h, (after[k + 1] - at[k + 1]) / g);
        (rise * g + next * h) / (h + g)
    })
}

/// The lesser of two distances, rounded where they differ by less than `blend_m`, with two continuous derivatives.
pub(super) fn smooth_min(a: f64, b: f64, blend_m: f64) -> f64 {
    let h = (1.0 - (a - b).abs() / blend_m).max(0.0);
    a.min(b) - h * h * h * blend_m / 6.0
}

/// From 0 at `from` to 1 at `to`, level at both.
pub(super) fn step(x: f64, from: f64, to: f64) -> f64 {
    let s = ((x - from) / (to - from)).clamp(0.0, 1.0);
    s * s * (3.0 - 2.0 * s)
}
