//! Where the camera is: on a sphere round a point that goes with the figure. Numbers alone, no input and no drawing.

use std::f64::consts::{FRAC_PI_2, PI};

use glam::{DVec2, DVec3};

use crate::motion::transform::wrap_angle;

/// Half the vertical opening of the camera, radians; as a lens of 50 mm, at which a figure keeps its proportions.
const HALF_OPENING_RAD: f64 = 17.5 * PI / 180.0;
/// A view from above never goes over the top.
const STEEPEST_RAD: f64 = FRAC_PI_2;
/// Radians per point of dragging.
const RAD_PER_POINT: f64 = 0.008;
/// How far the distance may go, in heights of the figure.
const DISTANCES: std::ops::RangeInclusive<f64> = 0.02..=400.0;

/// The camera's place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orbit {
    /// What it looks at, from the point on the ground that goes with the figure; metres.
    pub offset: DVec3,
    /// Direction from what is looked at to the camera, about +Y; 0 in front of a figure that faces +Z, radians.
    pub yaw_rad: f64,
    /// Its height above the horizon, radians.
    pub pitch_rad: f64,
    /// Metres.
    pub distance: f64,
}

/// Right, up and back of a camera; an orthonormal right-handed frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// To the right of the picture.
    pub right: DVec3,
    /// To its top.
    pub up: DVec3,
    /// From the picture to the eye.
    pub back: DVec3,
}

impl Default for Orbit {
    fn default() -> Self {
        Self { offset: DVec3::new(0.0, 0.9, 0.0), yaw_rad: 0.7, pitch_rad: 0.2, distance: 4.0 }
    }
}

impl Orbit {
    /// Vertical opening of the camera, radians.
    pub const OPENING_RAD: f64 = 2.0 * HALF_OPENING_RAD;

    /// Its axes.
    pub fn frame(&self) -> Frame {
        let (sin_yaw, cos_yaw) = self.yaw_rad.sin_cos();
        let (sin_pitch, cos_pitch) = self.pitch_rad.sin_cos();
        let back = DVec3::new(sin_yaw * cos_pitch, sin_pitch, cos_yaw * cos_pitch);
        let right = DVec3::new(cos_yaw, 0.0, -sin_yaw);
        Frame { right, up: back.cross(right), back }
    }

    /// Height of what the picture shows at the distance of what is looked at, metres.
    pub fn picture_height(&self) -> f64 {
        2.0 * self.distance * HALF_OPENING_RAD.tan()
    }

    /// Round what is looked at, by points of dragging.
    pub fn orbit(&mut self, drag: DVec2) {
        self.yaw_rad = wrap_angle(self.yaw_rad - drag.x * RAD_PER_POINT);
        self.pitch_rad = (self.pitch_rad + drag.y * RAD_PER_POINT).clamp(-STEEPEST_RAD, STEEPEST_RAD);
    }

    /// So that what was under the pointer stays under it; `picture_points` is the picture's height in points.
    pub fn pan(&mut self, drag: DVec2, picture_points: f64) {
        let scale = self.picture_height() / picture_points.max(1.0);
        let frame = self.frame();
        self.offset += (frame.up * drag.y - frame.right * drag.x) * scale;
    }

    /// Nearer (factor below 1) or farther; the point at `towards` of the picture, from its middle in heights of the
    /// picture, right and up, stays where it is.
    pub fn dolly(&mut self, factor: f64, towards: DVec2, height_m: f64) {
        let before = self.picture_height();
        let low = DISTANCES.start() * height_m;
        let high = DISTANCES.end() * height_m;
        self.distance = (self.distance * factor).clamp(low, high);
        let frame = self.frame();
        self.offset += (frame.right * towards.x + frame.up * towards.y) * (before - self.picture_height());
    }

    /// The head turns, the eye stays.
    pub fn look(&mut self, drag: DVec2) {
        let eye = self.offset + self.frame().back * self.distance;
        self.orbit(drag * 0.5);
        self.offset = eye - self.frame().back * self.distance;
    }

    /// The eye moves along right, up and forward by so many metres.
    pub fn fly(&mut self, steps: DVec3) {
        let frame = self.frame();
        self.offset += frame.right * steps.x + DVec3::Y * steps.y - frame.back * steps.z;
    }

    /// From the same side, so that a ball fills the picture; `aspect` is its width per height.
    pub fn framing(&self, offset: DVec3, radius: f64, aspect: f64) -> Self {
        let narrow = (HALF_OPENING_RAD.tan() * aspect.min(1.0)).atan();
        Self { offset, distance: radius / narrow.sin(), ..*self }
    }

    /// Between two places, the shorter way round.
    pub fn between(from: &Self, to: &Self, u: f64) -> Self {
        Self {
            offset: from.offset.lerp(to.offset, u),
            yaw_rad: from.yaw_rad + wrap_angle(to.yaw_rad - from.yaw_rad) * u,
            pitch_rad: from.pitch_rad + (to.pitch_rad - from.pitch_rad) * u,
            // By ratio: half way between 1 m and 100 m is 10 m to the eye.
            distance: from.distance * (to.distance / from.distance).powf(u),
        }
    }
}

/// A camera that gets where it is sent within a moment.
#[derive(Clone, Copy, Debug, Default)]
pub struct Glide {
    now: Orbit,
    way: Option<(Orbit, Orbit, f64)>,
}

impl Glide {
    const SECS: f64 = 0.15;

    /// Where the camera is.
    pub fn now(&self) -> Orbit {
        self.now
    }

    /// Where it will be.
    pub fn target(&self) -> Orbit {
        self.way.map_or(self.now, |(_, to, _)| to)
    }

    /// There at once; what a hand does is not smoothed.
    pub fn jump(&mut self, to: Orbit) {
        (self.now, self.way) = (to, None);
    }

    /// There in a moment.
    pub fn go(&mut self, to: Orbit) {
        self.way = Some((self.now, to, 0.0));
    }

    /// Moves on; whether there is more to come.
    pub fn advance(&mut self, secs: f64) -> bool {
        let Some((from, to, elapsed)) = &mut self.way else { return false };
        *elapsed += secs;
        let u = (*elapsed / Self::SECS).min(1.0);
        self.now = if u < 1.0 { Orbit::between(from, to, u * u * (3.0 - 2.0 * u)) } else { *to };
        if u >= 1.0 {
            self.way = None;
        }
        self.way.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axes_are_a_right_handed_frame_and_front_is_in_front() {
        for (yaw_rad, pitch_rad) in [(0.0, 0.0), (0.7, 0.2), (-2.0, 1.5), (3.0, -FRAC_PI_2), (1.0, FRAC_PI_2)] {
            let frame = Orbit { yaw_rad, pitch_rad, ..Orbit::default() }.frame();
            assert!(frame.right.cross(frame.up).distance(frame.back) < 1e-12);
            assert!((frame.up.length() - 1.0).abs() < 1e-12);
            assert!(frame.up.y >= -1e-12, "the picture stands upright");
        }
        let front = Orbit { yaw_rad: 0.0, pitch_rad: 0.0, ..Orbit::default() }.frame();
        assert_eq!((front.right, front.up, front.back), (DVec3::X, DVec3::Y, DVec3::Z));
    }

    #[test]
    fn a_dolly_keeps_the_point_under_the_pointer() {
        let mut orbit = Orbit::default();
        let at = DVec2::new(0.3, -0.2);
        let point = |o: &Orbit| o.offset + (o.frame().right * at.x + o.frame().up * at.y) * o.picture_height();
        let before = point(&orbit);
        orbit.dolly(0.5, at, 1.8);
        assert!(point(&orbit).distance(before) < 1e-12);
        assert!((orbit.distance - 2.0).abs() < 1e-12);
    }

    #[test]
    fn looking_round_keeps_the_eye() {
        let mut orbit = Orbit::default();
        let eye = |o: &Orbit| o.offset + o.frame().back * o.distance;
        let before = eye(&orbit);
        orbit.look(DVec2::new(40.0, -25.0));
        assert!(eye(&orbit).distance(before) < 1e-12);
        assert_ne!(orbit.yaw_rad, Orbit::default().yaw_rad);
    }

    #[test]
    fn a_glide_ends_where_it_was_sent() {
        let mut glide = Glide::default();
        let to = Orbit { yaw_rad: -3.0, distance: 90.0, ..Orbit::default() };
        glide.go(to);
        assert!(glide.advance(0.1));
        assert_ne!(glide.now(), to);
        assert!(!glide.advance(0.1));
        assert_eq!(glide.now(), to);
    }
}
