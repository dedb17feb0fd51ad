//! How lanes are drawn; each at most a mark per column of pixels.

use eframe::egui::{Align, Align2, Painter, Rect, Sense, Shape, Stroke, TextStyle, Ui, Vec2, pos2};

use super::lanes::{Lane, key_places};
use crate::motion::{Clip, Property, Side, Times};
use crate::ui::rows::{line_in, take_left};
use crate::ui::text::tr;
use crate::ui::theme::{RHYTHM, palette};
use crate::ui::time_axis::TimeScale;

/// Half of a diamond's diagonal, points.
const DIAMOND: f32 = 4.0;
/// Keys nearer than this are drawn as strokes, points.
const APART: f32 = DIAMOND * 2.0 + 1.0;

/// What a lane is of, in the gutter.
pub fn lane_name(ui: &Ui, place: Rect, lane: &Lane<'_>) {
    let colours = palette(ui.ctx());
    let mut left = place.with_max_x(place.right() - RHYTHM / 2.0);
    let leaf = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let (letter, colour, name, hint) = match lane {
        Lane::Contacts { bone, side } => {
            let (letter, colour) = side_mark(ui, *side);
            (letter, colour, leaf(bone), format!("{} {}", tr("On the ground"), leaf(bone)))
        }
        Lane::Markers { track } => ("", colours.text, (*track).to_owned(), format!("{} {track}", tr("Markers of"))),
        Lane::Keys { bone, property, .. } => {
            let (letter, of) = match property {
                Property::Translation => (tr("T"), tr("Translation keys of")),
                Property::Rotation => (tr("R"), tr("Rotation keys of")),
                Property::Scale => (tr("S"), tr("Scale keys of")),
            };
            (letter, colours.accent, (*bone).to_owned(), format!("{of} {bone}"))
        }
        Lane::NoBone => ("", colours.faint, tr("Keys").to_owned(), tr("Keys of the bone that is selected").to_owned()),
    };
    if !letter.is_empty() {
        line_in(ui, take_left(&mut left, RHYTHM * 1.5), letter, &TextStyle::Small, colour, Align::Min);
    }
    line_in(ui, left, &name, &TextStyle::Small, colours.faint, Align::Min);
    let response = ui.interact(place, ui.make_persistent_id(("lane", &hint)), Sense::HOVER);
    let label = hint.clone();
    response.widget_info(move || eframe::egui::WidgetInfo::labeled(eframe::egui::Role::Label, true, &label));
    response.on_hover_text(hint);
}

fn side_mark(ui: &Ui, side: Option<Side>) -> (&'static str, eframe::egui::Color32) {
    let colours = palette(ui.ctx());
    match side {
        Some(Side::Left) => (tr("L"), colours.left),
        Some(Side::Right) => (tr("R"), colours.right),
        None => ("", colours.root),
    }
}

/// A line of text in a lane that holds nothing.
pub fn remark(ui: &Ui, painter: &Painter, place: Rect, text: &str) {
    let at = place.left_center() + Vec2::new(RHYTHM * 4.0, 0.0);
    painter.text(at, Align2::LEFT_CENTER, text, TextStyle::Small.resolve(ui.style()), palette(ui.ctx()).faint);
}

/// Diamonds at keys, or strokes where those would touch.
pub fn keys(ui: &Ui, painter: &Painter, place: Rect, times: &Times, scale: &TimeScale) {
    let colour = palette(ui.ctx()).accent;
    let places = key_places(times, scale, 1.0 / ui.ctx().pixels_per_point().max(0.5));
    let nearest = places.windows(2).map(|pair| pair[1] - pair[0]).fold(f32::INFINITY, f32::min);
    let y = place.center().y;
    for x in places {
        if nearest < APART {
            painter.vline(x, place.shrink2(Vec2::new(0.0, 4.0)).y_range(), Stroke::new(1.0, colour));
            continue;
        }
        let corners = [(0.0, -DIAMOND), (DIAMOND, 0.0), (0.0, DIAMOND), (-DIAMOND, 0.0)];
        let corners = corners.map(|(dx, dy)| pos2(x + dx, y + dy)).to_vec();
        painter.add(Shape::convex_polygon(corners, colour, Stroke::NONE));
    }
}

/// Bars while a foot is on the ground.
pub fn contacts(
    ui: &Ui,
    painter: &Painter,
    place: Rect,
    clip: &Clip,
    bone: &str,
    side: Option<Side>,
    scale: &TimeScale,
) {
    let (letter, colour) = side_mark(ui, side);
    let font = TextStyle::Small.resolve(ui.style());
    let mut drawn_to = f32::NEG_INFINITY;
    for contact in clip.contacts.iter().filter(|contact| contact.bone == bone) {
        let (from, to) =
            (scale.x(contact.start_secs), scale.x(contact.end_secs).max(scale.x(contact.start_secs) + 1.0));
        // Contacts come in order of time: one that ends in a column that is filled adds nothing.
        if to < place.left() || from > place.right() || to <= drawn_to + 0.5 {
            continue;
        }
        drawn_to = to;
        let bar = Rect::from_x_y_ranges(from..=to, place.y_range()).shrink2(Vec2::new(0.0, 1.0));
        painter.rect_filled(bar, 2.0, colour.gamma_multiply(0.55));
        let seen = bar.intersect(place);
        if seen.width() > RHYTHM * 2.0 {
            painter.text(seen.center(), Align2::CENTER_CENTER, letter, font.clone(), palette(ui.ctx()).text);
        }
    }
}

/// Flags at markers; names where they do not touch.
pub fn markers(ui: &Ui, painter: &Painter, place: Rect, clip: &Clip, track: &str, scale: &TimeScale) {
    let colours = palette(ui.ctx());
    let font = TextStyle::Small.resolve(ui.style());
    let (mut last, mut named_to) = (f32::NEG_INFINITY, f32::NEG_INFINITY);
    for marker in clip.markers.iter().filter(|marker| marker.track == track && scale.sees(marker.time_secs)) {
        let x = scale.x(marker.time_secs);
        if (x - last).abs() < 1.0 {
            continue;
        }
        last = x;
        painter.vline(x, place.y_range(), Stroke::new(1.0, colours.accent));
        let flag = [pos2(x, place.top()), pos2(x + RHYTHM / 2.0, place.top() + 3.0), pos2(x, place.top() + 6.0)];
        painter.add(Shape::convex_polygon(flag.to_vec(), colours.accent, Stroke::NONE));
        let from = x + RHYTHM * 0.75;
        // Too near to the name before: the flag alone, before a galley is laid out for nothing.
        if from < named_to {
            continue;
        }
        let galley = painter.layout_no_wrap(marker.name.clone(), font.clone(), colours.text);
        named_to = from + galley.size().x + RHYTHM;
        painter.galley(pos2(from, place.center().y - galley.size().y / 2.0), galley, colours.text);
    }
}
