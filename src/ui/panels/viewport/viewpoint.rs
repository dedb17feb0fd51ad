//! The camera of the view: an orbit round a point that goes with the figure, and where commands send it.

use std::f64::consts::FRAC_PI_2;

use eframe::egui::Rect;
use glam::{DAffine3, DVec3};

use super::orbit::{Glide, Orbit};
use super::pick::Eye;
use super::staging::Staging;
use crate::motion::transform::ground;
use crate::motion::{FileId, Side};
use crate::ui::commands::{CameraView, Command};

/// A little above the horizon: the ground is seen, heights still compare.
const LEVEL_RAD: f64 = 0.06;

/// Where the camera is.
#[derive(Debug, Default)]
pub struct Viewpoint {
    glide: Glide,
    /// The point on the ground that goes with the figure, world.
    anchor: DVec3,
    /// Without perspective.
    pub orthographic: bool,
    /// The file whose figure has been framed: each once.
    framed: Option<FileId>,
    aspect: f64,
}

impl Viewpoint {
    /// The camera now.
    pub fn orbit(&self) -> Orbit {
        self.glide.now()
    }

    /// The point on the ground that goes with the figure, world.
    pub fn anchor(&self) -> DVec3 {
        self.anchor
    }

    /// What the camera looks at, world.
    pub fn focus(&self) -> DVec3 {
        self.anchor + self.orbit().offset
    }

    /// The camera with the picture's place on the screen.
    pub fn eye(&self, rect: Rect) -> Eye {
        Eye { focus: self.focus(), orbit: self.orbit(), orthographic: self.orthographic, rect }
    }

    /// Moves the camera where a hand put it.
    pub fn place(&mut self, orbit: Orbit) {
        self.glide.jump(orbit);
    }

    /// Goes on with a move; whether there is more to come.
    pub fn advance(&mut self, secs: f64) -> bool {
        self.glide.advance(secs)
    }

    /// Goes with the figure, and frames the figure of a file that was not seen before.
    pub fn follow(&mut self, staging: &Staging<'_>, rect: Rect, follows: bool) {
        self.aspect = f64::from(rect.width()) / f64::from(rect.height().max(1.0));
        let new = staging.file() != self.framed;
        if follows || new {
            self.anchor = staging.followed();
        }
        if new {
            self.framed = staging.file();
            let side =
                Orbit { yaw_rad: Orbit::default().yaw_rad, pitch_rad: Orbit::default().pitch_rad, ..self.orbit() };
            self.glide.jump(self.framing(&side, staging));
        }
    }

    /// Carries out what is about the camera.
    pub fn command(&mut self, command: Command, staging: &Staging<'_>) {
        match command {
            Command::FrameFigure => {
                let to = self.framing(&self.glide.target(), staging);
                self.glide.go(to);
            }
            Command::Camera(view) => {
                let to = self.seen_from(view, staging);
                self.glide.go(to);
            }
            Command::Orthographic => self.orthographic = !self.orthographic,
            _ => {}
        }
    }

    fn framing(&self, from: &Orbit, staging: &Staging<'_>) -> Orbit {
        let (centre, radius) = ball(staging);
        from.framing(centre - self.anchor, radius, self.aspect)
    }

    fn seen_from(&self, view: CameraView, staging: &Staging<'_>) -> Orbit {
        let now = self.glide.target();
        let towards = |yaw_rad, pitch_rad| Orbit { yaw_rad, pitch_rad, ..now };
        match view {
            CameraView::Front => towards(0.0, LEVEL_RAD),
            CameraView::Side => towards(FRAC_PI_2, LEVEL_RAD),
            CameraView::Top => towards(0.0, FRAC_PI_2),
            CameraView::ThreeQuarter => towards(Orbit::default().yaw_rad, Orbit::default().pitch_rad),
            CameraView::LeftFoot => self.at_foot(Side::Left, FRAC_PI_2, &now, staging),
            CameraView::RightFoot => self.at_foot(Side::Right, -FRAC_PI_2, &now, staging),
        }
    }

    /// From its own side, the eye just over the floor, as one kneels down to see a foot slide.
    fn at_foot(&self, side: Side, yaw_rad: f64, now: &Orbit, staging: &Staging<'_>) -> Orbit {
        let actor = staging.shown();
        let height = actor.course.height_m;
        let place = staging.mean_foot(side).unwrap_or(self.anchor);
        let offset = place - self.anchor + DVec3::Y * (0.06 * height);
        Orbit { yaw_rad, pitch_rad: LEVEL_RAD * 0.5, ..now.framing(offset, 0.28 * height, self.aspect) }
    }
}

/// A ball round what is seen of the figure, world. Joints lie inside the skin: there is room for it.
fn ball(staging: &Staging<'_>) -> (DVec3, f64) {
    let actor = staging.shown();
    let seen = actor.looks.iter().zip(staging.world()).filter(|(look, _)| look.seen);
    let (low, high) = seen
        .map(|(_, bone): (_, &DAffine3)| bone.translation)
        .filter(|p| p.is_finite())
        .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)));
    let height = actor.course.height_m;
    if !low.is_finite() {
        return (staging.followed() + DVec3::Y * 0.5 * height, 0.6 * height);
    }
    // A person is as tall as the ball is wide; a horse is longer than it is tall.
    let middle = 0.5 * (low + high);
    let extent = (high.y - low.y).max(ground(high - low).length());
    (middle, (0.56 * extent).max(0.2 * height))
}
