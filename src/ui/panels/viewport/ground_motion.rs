//! Motions on the ground: a turn about up and a step, and what so many of them in a row come to.

use glam::{DAffine3, DVec3};

use crate::motion::transform::{ground, yaw_rotation};

/// A turn about +Y through the origin followed by a step on the ground; heights stay.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GroundMotion {
    /// Radians.
    pub yaw_rad: f64,
    /// Metres, y is 0.
    pub step: DVec3,
}

impl GroundMotion {
    /// Turns smaller than this are none: half a turn of them would need a circle of thousands of steps.
    const STRAIGHT_RAD: f64 = 1e-4;

    /// The motion that takes a thing standing at `from`, turned by `from_yaw_rad`, to `to` and `to_yaw_rad`.
    pub fn between(from: DVec3, from_yaw_rad: f64, to: DVec3, to_yaw_rad: f64) -> Self {
        let yaw_rad = crate::motion::transform::wrap_angle(to_yaw_rad - from_yaw_rad);
        Self { yaw_rad, step: ground(to) - yaw_rotation(yaw_rad) * ground(from) }
    }

    /// As a transform.
    pub fn to_affine(self) -> DAffine3 {
        DAffine3::from_rotation_translation(yaw_rotation(self.yaw_rad), self.step)
    }

    /// So many of it in a row, parts of one and backwards too: it goes evenly along a line, or round a circle.
    pub fn times(self, count: f64) -> DAffine3 {
        if self.yaw_rad.abs() < Self::STRAIGHT_RAD {
            let yaw = yaw_rotation(self.yaw_rad * count);
            return DAffine3::from_rotation_translation(yaw, self.step * count);
        }
        // The point that stays where it is, c = R·c + s. In the ground plane (I − R)⁻¹ = ½·(I + cot(θ/2)·J), where J
        // is the quarter turn in the sense of θ.
        let quarter_turned = DVec3::new(self.step.z, 0.0, -self.step.x);
        let centre = 0.5 * (self.step + quarter_turned / (0.5 * self.yaw_rad).tan());
        let turn = yaw_rotation(self.yaw_rad * count);
        DAffine3::from_rotation_translation(turn, centre - turn * centre)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_and_multiples_agree_with_repeating_it() {
        for yaw_rad in [0.0, 3e-5, 0.01, -0.7, 2.9] {
            let motion = GroundMotion { yaw_rad, step: DVec3::new(0.4, 0.0, 1.3) };
            let there = |affine: DAffine3| affine.transform_point3(DVec3::new(0.2, 1.0, -0.5));
            let once = motion.to_affine();
            assert!(there(motion.times(1.0)).distance(there(once)) < 1e-9, "{yaw_rad}");
            assert!(there(motion.times(3.0)).distance(there(once * once * once)) < 1e-6, "{yaw_rad}");
            assert!(there(motion.times(-1.0)).distance(there(once.inverse())) < 1e-9, "{yaw_rad}");
            let halves = motion.times(0.5) * motion.times(0.5);
            assert!(there(halves).distance(there(once)) < 1e-9, "{yaw_rad}");
        }
    }
}
