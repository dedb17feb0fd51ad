//! What is written over the picture: read-outs, the axes, a bone's name, and that files may be dropped.

use eframe::egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Stroke, StrokeKind, TextStyle, Ui, pos2, vec2};
use glam::DVec3;

use super::actor::Actor;
use crate::render::Camera;
use crate::session::Playback;
use crate::ui::text::tr;
use crate::ui::theme::{Palette, RHYTHM};

/// Length of an axis, points.
const AXIS_POINTS: f32 = RHYTHM * 3.0;

/// Frame, time and speed at the playhead, in the lower left corner.
pub fn read_out(ui: &Ui, rect: Rect, actor: &Actor, playback: &Playback, first_frame: i64, colours: &Palette) {
    let clip = actor.clip();
    let frame = (playback.secs - clip.range.start_secs) * clip.rate.fps();
    let frames = clip.range.duration_secs() * clip.rate.fps();
    let speed = actor.course.speed_at(playback.secs);
    let text = format!(
        "{} {:.0} / {:.0}   {:.2} s   {:.2} m/s",
        tr("Frame"),
        frame.round() + first_frame as f64,
        frames.round() + first_frame as f64,
        playback.secs,
        speed
    );
    plate(ui, rect.left_bottom() + vec2(RHYTHM, -RHYTHM), Align2::LEFT_BOTTOM, &text, colours);
}

/// A line in the middle below the top.
pub fn hint(ui: &Ui, rect: Rect, below: f32, text: &str, colours: &Palette) {
    plate(ui, pos2(rect.center().x, rect.top() + below + RHYTHM), Align2::CENTER_TOP, text, colours);
}

/// Text on a ground that keeps it legible over anything.
pub fn plate(ui: &Ui, at: Pos2, anchor: Align2, text: &str, colours: &Palette) {
    let font = TextStyle::Body.resolve(ui.style());
    let galley = ui.painter().layout_no_wrap(text.to_owned(), font, colours.text);
    let rect = anchor.anchor_size(at, galley.size() + vec2(RHYTHM, RHYTHM / 2.0));
    ui.painter().rect_filled(rect, RHYTHM / 2.0, plate_fill(colours));
    ui.painter().galley(rect.min + vec2(RHYTHM / 2.0, RHYTHM / 4.0), galley, colours.text);
}

/// Behind what is written over the picture.
pub fn plate_fill(colours: &Palette) -> Color32 {
    colours.panel.gamma_multiply(0.82)
}

/// The world's axes in the lower right corner, as the camera sees them: x, the character's left, in the colour of left.
pub fn axes(painter: &Painter, rect: Rect, camera: &Camera, font: &FontId, colours: &Palette) {
    let middle = rect.right_bottom() - vec2(AXIS_POINTS + RHYTHM * 2.0, AXIS_POINTS + RHYTHM * 2.0);
    let mut axes = [(DVec3::X, "X", colours.left), (DVec3::Y, "Y", colours.text), (DVec3::Z, "Z", colours.chosen)];
    let view = camera.view_from_world();
    let seen = |axis: DVec3| view.transform_vector3(axis);
    // The far ones first.
    axes.sort_by(|a, b| seen(a.0).z.total_cmp(&seen(b.0).z));
    for (axis, letter, colour) in axes {
        let along = vec2(seen(axis).x as f32, -seen(axis).y as f32) * AXIS_POINTS;
        painter.line_segment([middle, middle + along], Stroke::new(1.5, colour));
        if along.length() > AXIS_POINTS * 0.2 {
            let beyond = middle + along * (1.0 + RHYTHM / along.length());
            painter.text(beyond, Align2::CENTER_CENTER, letter, font.clone(), colour);
        }
    }
}

/// That what hovers over the window can be let go.
pub fn drop_target(ui: &Ui, rect: Rect, colours: &Palette) {
    let hovering = ui.input(|input| input.raw.hovered_files.len());
    if hovering == 0 {
        return;
    }
    let painter = ui.painter();
    painter.rect_filled(rect, 0.0, colours.accent_fill.gamma_multiply(0.5));
    painter.rect_stroke(rect.shrink(2.0), RHYTHM / 2.0, Stroke::new(2.0, colours.accent), StrokeKind::Inside);
    let text =
        if hovering == 1 { tr("Drop to open").to_owned() } else { format!("{} ({hovering})", tr("Drop to open")) };
    plate(ui, rect.center(), Align2::CENTER_CENTER, &text, colours);
}
