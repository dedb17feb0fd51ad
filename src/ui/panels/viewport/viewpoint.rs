//! The camera of the view: it circles a point that goes with the figure, and gets where commands send it.

use std::f64::consts::FRAC_PI_2;

use eframe::egui::Rect;
use glam::DVec3;

use super::staging::Staging;
use crate::motion::transform::wrap_angle;
use crate::motion::{FileId, Side};
use crate::render::{Camera, View};
use crate::ui::commands::{CameraView, Command};

/// A move takes so long.
const GLIDE_SECS: f64 = 0.15;
/// Room round the joints for skin, hair and hats, heights of the figure.
const SKIN: f64 = 0.06;

/// Where the camera is.
#[derive(Debug)]
pub struct Viewpoint {
    /// Its focus is told from the anchor.
    now: Camera,
    /// Where it comes from, where it goes, and for how many seconds it has been on its way.
    way: Option<(Camera, Camera, f64)>,
    /// The point on the floor that goes with the figure, world.
    anchor: DVec3,
    /// The file whose figure has been framed: each once.
    framed: Option<FileId>,
    /// Of the picture, points.
    size: [f64; 2],
}

impl Default for Viewpoint {
    fn default() -> Self {
        let now = Camera::new(DVec3::Y, 4.0);
        Self { now, way: None, anchor: DVec3::ZERO, framed: None, size: [1.0, 1.0] }
    }
}

impl Viewpoint {
    /// The camera in the world.
    pub fn camera(&self) -> Camera {
        Camera { focus: self.anchor + self.now.focus, ..self.now }
    }

    /// The point on the floor that goes with the figure, world.
    pub fn anchor(&self) -> DVec3 {
        self.anchor
    }

    /// Moves the camera where a hand put it; what a hand does is not smoothed.
    pub fn place(&mut self, camera: &Camera) {
        self.now = Camera { focus: camera.focus - self.anchor, ..*camera };
        self.way = None;
    }

    /// Goes on with a move; whether there is more to come.
    pub fn advance(&mut self, secs: f64) -> bool {
        let Some((from, to, elapsed)) = &mut self.way else { return false };
        *elapsed += secs;
        let u = (*elapsed / GLIDE_SECS).min(1.0);
        if u < 1.0 {
            self.now = between(from, to, u * u * (3.0 - 2.0 * u));
            return true;
        }
        (self.now, self.way) = (*to, None);
        false
    }

    /// Goes with the figure, and frames the figure of a file that was not seen before.
    pub fn follow(&mut self, staging: &Staging<'_>, rect: Rect, follows: bool) {
        self.size = [f64::from(rect.width()), f64::from(rect.height())];
        let new = staging.file() != self.framed;
        if follows || new {
            self.anchor = staging.followed();
        }
        if new {
            self.framed = staging.file();
            (self.now, self.way) = (self.framing(&self.now, staging), None);
        }
    }

    /// Carries out what is about the camera.
    pub fn command(&mut self, command: Command, staging: &Staging<'_>) {
        let target = self.way.map_or(self.now, |(_, to, _)| to);
        let to = match command {
            Command::FrameFigure => self.framing(&target, staging),
            Command::Camera(view) => self.seen_from(view, &target, staging),
            Command::Orthographic => return (self.now, self.way) = (target.switched(), None),
            _ => return,
        };
        self.way = Some((self.now, to, 0.0));
    }

    /// From the same side, everything of the figure in the picture.
    fn framing(&self, from: &Camera, staging: &Staging<'_>) -> Camera {
        from.framed(box_of(staging).map(|corner| corner - self.anchor), self.size)
    }

    fn seen_from(&self, view: CameraView, now: &Camera, staging: &Staging<'_>) -> Camera {
        match view {
            CameraView::Front => now.looking(View::Front),
            CameraView::Side => now.looking(View::Side),
            CameraView::Top => now.looking(View::Top),
            CameraView::ThreeQuarter => now.looking(View::ThreeQuarter),
            CameraView::LeftFoot => self.at_foot(Side::Left, FRAC_PI_2, now, staging),
            CameraView::RightFoot => self.at_foot(Side::Right, -FRAC_PI_2, now, staging),
        }
    }

    /// From its own side, the eye just over the floor, as one kneels down to see a foot slide.
    fn at_foot(&self, side: Side, yaw_rad: f64, now: &Camera, staging: &Staging<'_>) -> Camera {
        let height = staging.shown().course.height_m;
        let place = staging.mean_foot(side).unwrap_or(self.anchor) - self.anchor;
        let reach = DVec3::new(0.1, 0.1, 0.3) * height;
        let level = Camera { yaw_rad, pitch_rad: 0.03, ..*now };
        level.framed([place - reach * DVec3::new(1.0, 0.2, 1.0), place + reach], self.size)
    }
}

/// Between two places, the shorter way round.
fn between(from: &Camera, to: &Camera, u: f64) -> Camera {
    Camera {
        focus: from.focus.lerp(to.focus, u),
        yaw_rad: from.yaw_rad + wrap_angle(to.yaw_rad - from.yaw_rad) * u,
        pitch_rad: from.pitch_rad + (to.pitch_rad - from.pitch_rad) * u,
        // By ratio: half way between 1 m and 100 m is 10 m to the eye.
        distance: from.distance * (to.distance / from.distance).powf(u),
        ..*to
    }
}

/// Corners of what is seen of the figure, with room for the skin that lies round the joints; world.
fn box_of(staging: &Staging<'_>) -> [DVec3; 2] {
    let actor = staging.shown();
    let height = actor.course.height_m;
    let seen = actor.looks.iter().zip(staging.world()).filter(|(look, _)| look.seen);
    let (low, high) = seen
        .map(|(_, bone)| bone.translation)
        .filter(|p| p.is_finite())
        .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)));
    // A single node, such as a ball, has no size: there is no telling how big it is.
    if !low.is_finite() || low.distance(high) < 0.2 * height {
        let at = staging.followed();
        return [at - DVec3::new(0.5, 0.0, 0.5) * height, at + DVec3::new(0.5, 1.0, 0.5) * height];
    }
    [low - DVec3::splat(SKIN * height), high + DVec3::splat(SKIN * height)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_ends_where_it_was_sent_and_goes_the_shorter_way_round() {
        let mut viewpoint = Viewpoint::default();
        let from = Camera { yaw_rad: 6.2, ..viewpoint.now };
        let to = Camera { yaw_rad: 0.2, distance: 90.0, ..from };
        viewpoint.way = Some((from, to, 0.0));
        assert!(viewpoint.advance(0.1));
        assert!((6.2..6.7).contains(&viewpoint.now.yaw_rad), "{}", viewpoint.now.yaw_rad);
        assert!(!viewpoint.advance(0.1));
        assert_eq!(viewpoint.now, to);
    }
}
