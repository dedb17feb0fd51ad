//! From mouse and keys to camera moves, in the manner of several programs.

use eframe::egui::{Event, Key, Modifiers, MouseWheelUnit, PointerButton, Response, Ui};
use glam::{DVec2, DVec3};

use crate::render::Camera;
use crate::ui::commands::Navigation;

/// Share of the distance per point of dragging.
const DOLLY_PER_POINT: f64 = 0.006;
/// Share of the distance per point of the wheel; one notch is 50 points.
const WHEEL_PER_POINT: f64 = 0.002;
/// Share of the flying speed per point of the wheel.
const SPEED_PER_POINT: f64 = 0.003;
/// A head turns less than a hand that turns an object.
const LOOK: f64 = 0.5;

/// What dragging does to the camera.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gesture {
    /// Round what is looked at.
    Orbit,
    /// Sideways.
    Pan,
    /// Nearer and farther.
    Dolly,
    /// The eye looks round and moves by keys.
    Fly,
}

/// What a button does, with the modifiers held when the drag began. A button without a meaning of its own orbits, so
/// that every mouse can: dragging with the left one never selects.
pub fn gesture(preset: Navigation, button: PointerButton, modifiers: Modifiers) -> Option<Gesture> {
    use Gesture as G;
    use PointerButton as B;
    let (alt, shift, command) = (modifiers.alt, modifiers.shift, modifiers.command || modifiers.ctrl);
    Some(match (preset, button) {
        (Navigation::Maya | Navigation::Unity, B::Primary) => G::Orbit,
        (Navigation::Maya, B::Middle) if alt || shift => G::Pan,
        (Navigation::Maya, B::Middle) => G::Orbit,
        (Navigation::Unity, B::Middle) => G::Pan,
        (Navigation::Maya | Navigation::Unity, B::Secondary) if alt => G::Dolly,
        (_, B::Secondary) => G::Fly,
        (Navigation::Blender, B::Middle) if shift => G::Pan,
        (Navigation::Blender, B::Middle) if command => G::Dolly,
        (Navigation::Blender, B::Primary | B::Middle) => G::Orbit,
        (_, B::Extra1 | B::Extra2) => return None,
    })
}

/// The mouse over the view: which drag is under way, and how fast flying goes.
#[derive(Debug)]
pub struct Hand {
    held: Option<Gesture>,
    /// Heights of the figure per second.
    speed: f64,
}

impl Default for Hand {
    fn default() -> Self {
        Self { held: None, speed: 1.0 }
    }
}

impl Hand {
    /// Whether keys steer the camera now.
    pub fn is_flying(&self) -> bool {
        self.held == Some(Gesture::Fly)
    }

    /// Moves the camera as mouse and keys say; `None` when they say nothing.
    pub fn moved(
        &mut self,
        ui: &Ui,
        response: &Response,
        preset: Navigation,
        camera: &Camera,
        height_m: f64,
    ) -> Option<Camera> {
        for button in [PointerButton::Primary, PointerButton::Middle, PointerButton::Secondary] {
            if response.drag_started_by(button) {
                self.held = gesture(preset, button, ui.input(|input| input.modifiers));
            }
        }
        if !response.dragged() {
            self.held = None;
        }
        let size = [f64::from(response.rect.width()), f64::from(response.rect.height())];
        let middle = DVec2::from_array(size) * 0.5;
        let mut moved = *camera;
        if let Some(held) = self.held {
            let drag = response.drag_delta();
            let drag = DVec2::new(f64::from(drag.x), f64::from(drag.y));
            moved = match held {
                Gesture::Orbit => moved.orbited(drag, size),
                Gesture::Pan => moved.panned(drag, size, None),
                Gesture::Dolly => moved.dollied((-(drag.x - drag.y) * DOLLY_PER_POINT).exp(), middle, size),
                Gesture::Fly => moved.looked(drag * LOOK, size).flown(self.flight(ui) * height_m),
            };
        }
        let wheel = wheel(ui, response);
        if wheel != 0.0 {
            if self.is_flying() {
                self.speed = (self.speed * (wheel * SPEED_PER_POINT).exp()).clamp(0.05, 50.0);
            } else {
                let off = response.hover_pos().unwrap_or(response.rect.center()) - response.rect.min;
                let pixel = DVec2::new(f64::from(off.x), f64::from(off.y));
                moved = moved.dollied((-wheel * WHEEL_PER_POINT).exp(), pixel, size);
            }
        }
        (moved != *camera).then_some(moved)
    }

    /// Steps to the right, up and forward of this frame, in heights of the figure.
    fn flight(&self, ui: &Ui) -> DVec3 {
        let (steps, secs, fast) = ui.input(|input| {
            let axis = |plus, minus| f64::from(i8::from(input.key_down(plus)) - i8::from(input.key_down(minus)));
            let steps = DVec3::new(axis(Key::D, Key::A), axis(Key::E, Key::Q), axis(Key::W, Key::S));
            (steps, f64::from(input.stable_dt.min(0.1)), input.modifiers.shift)
        });
        if steps != DVec3::ZERO {
            ui.ctx().request_repaint();
        }
        steps * secs * self.speed * if fast { 3.0 } else { 1.0 }
    }
}

/// Points of wheel turned over the view. With Ctrl or Shift egui makes a zoom or a sideways scroll of it, which here
/// mean the same.
fn wheel(ui: &Ui, response: &Response) -> f64 {
    if !response.contains_pointer() {
        return 0.0;
    }
    let turned = ui.input(|input| {
        let of = |event: &Event| match event {
            Event::MouseWheel { unit, delta, .. } => {
                let points = match unit {
                    MouseWheelUnit::Point => 1.0,
                    MouseWheelUnit::Line => 50.0,
                    MouseWheelUnit::Page => 400.0,
                };
                if delta.y == 0.0 { delta.x * points } else { delta.y * points }
            }
            Event::Zoom(factor) => factor.ln() * 500.0,
            _ => 0.0,
        };
        input.events.iter().map(of).sum::<f32>()
    });
    f64::from(turned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_follow_the_programs_they_are_named_for() {
        use Gesture as G;
        use PointerButton as B;
        let plain = Modifiers::NONE;
        let table = [
            (Navigation::Maya, B::Primary, Modifiers::ALT, G::Orbit),
            (Navigation::Maya, B::Middle, Modifiers::ALT, G::Pan),
            (Navigation::Maya, B::Secondary, Modifiers::ALT, G::Dolly),
            (Navigation::Maya, B::Secondary, plain, G::Fly),
            (Navigation::Maya, B::Middle, plain, G::Orbit),
            (Navigation::Blender, B::Middle, plain, G::Orbit),
            (Navigation::Blender, B::Middle, Modifiers::SHIFT, G::Pan),
            (Navigation::Blender, B::Middle, Modifiers::CTRL, G::Dolly),
            (Navigation::Unity, B::Primary, Modifiers::ALT, G::Orbit),
            (Navigation::Unity, B::Middle, plain, G::Pan),
            (Navigation::Unity, B::Secondary, Modifiers::ALT, G::Dolly),
            (Navigation::Unity, B::Secondary, plain, G::Fly),
        ];
        for (preset, button, modifiers, wanted) in table {
            assert_eq!(gesture(preset, button, modifiers), Some(wanted), "{preset:?} {button:?} {modifiers:?}");
        }
    }
}
