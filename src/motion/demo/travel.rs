//! Where the character goes: ground path and facing over time, in closed form.

use glam::{DAffine3, DVec3};

use super::profile::Profile;
use crate::motion::transform::yaw_rotation;

/// The path at one instant, component space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathPoint {
    /// On the ground, under the pelvis without its sway; metres.
    pub position: DVec3,
    /// Facing, about +Y from +Z; unwrapped, radians.
    pub yaw_rad: f64,
    /// On the ground, metres per second.
    pub velocity: DVec3,
}

impl PathPoint {
    /// Metres per second.
    pub fn speed_m_s(&self) -> f64 {
        self.velocity.length()
    }

    /// Component space from the path's own frame.
    pub fn frame(&self) -> DAffine3 {
        DAffine3::from_rotation_translation(yaw_rotation(self.yaw_rad), self.position)
    }
}

/// A path: distance along a line or a circle, swaying aside, with a facing of its own.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Travel {
    /// Metres along the course.
    pub distance: Profile,
    /// Metres to the left of the course.
    pub aside: Profile,
    /// Facing beside what the course turns, radians.
    pub turn: Profile,
    /// Radius of a circle to the left (negative: right), or a line.
    pub radius_m: Option<f64>,
    /// Direction of travel against the facing: +π/2 goes to the left.
    pub movement_rad: f64,
    /// Facing at the start.
    pub heading_rad: f64,
    /// The course's start, metres.
    pub origin: DVec3,
}

impl Travel {
    pub(super) fn at(&self, secs: f64) -> PathPoint {
        let (distance, speed) = self.distance.sample(secs);
        let (aside, aside_speed) = self.aside.sample(secs);
        let (on_course, course_yaw) = match self.radius_m {
            None => (DVec3::new(0.0, 0.0, distance), 0.0),
            Some(radius) => {
                let yaw = distance / radius;
                (radius * DVec3::new(1.0 - yaw.cos(), 0.0, yaw.sin()), yaw)
            }
        };
        let course = yaw_rotation(course_yaw);
        // The point aside of a circle's course is on a circle of its own, and that much faster or slower.
        let along = speed * (1.0 - self.radius_m.map_or(0.0, |radius| aside / radius));
        let placed = yaw_rotation(self.heading_rad + self.movement_rad);
        PathPoint {
            position: self.origin + placed * (on_course + course * DVec3::new(aside, 0.0, 0.0)),
            yaw_rad: self.heading_rad + course_yaw + self.turn.value(secs),
            velocity: placed * (course * DVec3::new(aside_speed, 0.0, along)),
        }
    }
}
