//! A number over time in closed form: quintic pieces between knots.
//!
//! Value, rate and acceleration are given at each knot and met exactly, so what is built of these is smooth to the
//! second derivative. Source: quintic Hermite interpolation.

/// What is known of the number at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Knot {
    pub secs: f64,
    pub value: f64,
    pub rate: f64,
    pub accel: f64,
}

impl Knot {
    /// At rest.
    pub(super) fn still(secs: f64, value: f64) -> Self {
        Self { secs, value, rate: 0.0, accel: 0.0 }
    }

    /// Passing through at a steady rate.
    pub(super) fn moving(secs: f64, value: f64, rate: f64) -> Self {
        Self { secs, value, rate, accel: 0.0 }
    }
}

/// Knots in order of time, at least one; outside them the number goes on at the end knot's rate.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Profile(Vec<Knot>);

impl Profile {
    pub(super) fn constant(value: f64) -> Self {
        Self(vec![Knot::still(0.0, value)])
    }

    pub(super) fn line(rate: f64) -> Self {
        Self(vec![Knot::moving(0.0, 0.0, rate)])
    }

    /// Of no knots at all: zero.
    pub(super) fn through(knots: Vec<Knot>) -> Self {
        if knots.is_empty() { Self::constant(0.0) } else { Self(knots) }
    }

    /// Rest, then from 0 to 1 between the first two times, back between the last two, rest.
    pub(super) fn plateau(up: [f64; 2], down: [f64; 2]) -> Self {
        Self(vec![
            Knot::still(up[0], 0.0),
            Knot::still(up[1], 1.0),
            Knot::still(down[0], 1.0),
            Knot::still(down[1], 0.0),
        ])
    }

    /// At least one.
    pub(super) fn knots(&self) -> &[Knot] {
        &self.0
    }

    /// Takes an amount off the value of each knot.
    pub(super) fn lower(&mut self, by: &[f64]) {
        for (knot, by) in self.0.iter_mut().zip(by) {
            knot.value -= by;
        }
    }

    pub(super) fn value(&self, secs: f64) -> f64 {
        self.sample(secs).0
    }

    /// Value and rate.
    pub(super) fn sample(&self, secs: f64) -> (f64, f64) {
        let next = self.0.partition_point(|knot| knot.secs <= secs);
        if next == 0 || next == self.0.len() {
            let end = self.0[next.saturating_sub(1)];
            return (end.value + end.rate * (secs - end.secs), end.rate);
        }
        quintic(self.0[next - 1], self.0[next], secs)
    }
}

/// Value and rate between two knots.
pub(super) fn quintic(from: Knot, to: Knot, secs: f64) -> (f64, f64) {
    let span = to.secs - from.secs;
    let u = (secs - from.secs) / span;
    let (c0, c1, c2) = (from.value, from.rate * span, 0.5 * from.accel * span * span);
    let value_left = to.value - (c0 + c1 + c2);
    let rate_left = to.rate * span - (c1 + 2.0 * c2);
    let accel_left = to.accel * span * span - 2.0 * c2;
    let c3 = 10.0 * value_left - 4.0 * rate_left + 0.5 * accel_left;
    let c4 = -15.0 * value_left + 7.0 * rate_left - accel_left;
    let c5 = 6.0 * value_left - 3.0 * rate_left + 0.5 * accel_left;
    let value = c0 + u * (c1 + u * (c2 + u * (c3 + u * (c4 + u * c5))));
    let rate = c1 + u * (2.0 * c2 + u * (3.0 * c3 + u * (4.0 * c4 + u * 5.0 * c5)));
    (value, rate / span)
}

/// From 0 to 1 for `u` from 0 to 1, at rest at both ends, held outside.
pub(super) fn ease(u: f64) -> f64 {
    let u = u.clamp(0.0, 1.0);
    u * u * u * (10.0 + u * (6.0 * u - 15.0))
}
