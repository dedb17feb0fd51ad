//! The axis as people handle it: a ruler, a playhead, and areas in which time is dragged, panned and zoomed.

use eframe::egui::{
    EventFilter, FontId, Key, Modifiers, Painter, PointerButton, Pos2, Rect, Response, Sense, Shape, Stroke, TextStyle,
    Ui, WidgetInfo, accesskit, pos2,
};

use super::ticks::{Tick, frame_ticks, second_ticks};
use super::{TimeAxis, TimeScale};
use crate::session::{Session, Transport};
use crate::ui::asks::Asks;
use crate::ui::text::tr;
use crate::ui::theme::{RHYTHM, palette};

/// Height of a row of marks, points.
pub const MARK_ROW: f32 = RHYTHM * 2.0;
/// Width left of the axis for names and values, points.
pub const GUTTER: f32 = RHYTHM * 10.0;
/// Frames that an arrow with Shift moves.
const STRIDE: i32 = 10;
/// Zoom of one press of an arrow.
const KEY_ZOOM: f64 = 1.25;

/// What happened in an area of time.
pub struct TimeArea {
    /// For menus and the like.
    pub response: Response,
    /// The instant the playhead was dragged to in this frame.
    pub sought: Option<f64>,
    /// The instant under the pointer.
    pub hovered: Option<f64>,
}

/// An area in which dragging moves the playhead (frame by frame, freely with Shift), the wheel pans, Ctrl and the wheel
/// zoom around the pointer, the middle button drags what is seen, and a double-click shows all. With the focus of the
/// keyboard arrows to the sides step, those up and down zoom. `name` is what a screen reader says.
pub fn time_area(
    ui: &Ui,
    place: Rect,
    name: &str,
    axis: &mut TimeAxis,
    scale: &TimeScale,
    session: &Session,
    asks: &mut Asks,
) -> TimeArea {
    let id = ui.make_persistent_id(("time", name));
    let response = ui.interact(place, id, Sense::click_and_drag());
    let now = session.playback().secs;
    response.widget_info(|| WidgetInfo::slider(ui.is_enabled(), shown_frame(axis, now), name));
    navigate(ui, &response, axis, scale);
    step_keys(ui, &response, axis, now, asks);
    let pointer = response.interact_pointer_pos();
    let primary = ui.input(|input| input.pointer.primary_down());
    let mut sought = None;
    if let Some(at) = pointer.filter(|_| response.is_pointer_button_down_on() && primary) {
        let free = ui.input(|input| input.modifiers.shift);
        let secs = axis.clip().clamp(scale.secs(at.x));
        let secs = if free { secs } else { axis.snapped(secs) };
        asks.transport(Transport::Seek(secs));
        sought = Some(secs);
    }
    if response.double_clicked() {
        axis.fit();
    }
    if response.has_focus() {
        let colour = palette(ui.ctx()).accent;
        ui.painter().rect_stroke(place, 0.0, (1.0, colour), eframe::egui::StrokeKind::Inside);
    }
    let hovered = response.hover_pos().filter(|_| sought.is_none()).map(|at| scale.secs(at.x));
    TimeArea { response, sought, hovered }
}

/// A frame's number as it is shown, fractions included.
pub fn shown_frame(axis: &TimeAxis, secs: f64) -> f64 {
    axis.frames(secs) + axis.first_frame as f64
}

fn navigate(ui: &Ui, response: &Response, axis: &mut TimeAxis, scale: &TimeScale) {
    if let Some(at) = response.hover_pos() {
        let (zoom, scroll) = ui.input(|input| (f64::from(input.zoom_delta()), input.smooth_scroll_delta()));
        if zoom != 1.0 {
            axis.zoom(zoom, scale.secs(at.x));
        }
        let by = f64::from(scroll.x + scroll.y);
        if by != 0.0 {
            axis.pan(-by * scale.secs_per_point());
        }
    }
    if response.dragged_by(PointerButton::Middle) {
        axis.pan(-f64::from(response.drag_delta().x) * scale.secs_per_point());
    }
}

/// What arrows and screen readers ask of an area that has the focus of the keyboard: to the sides step, by ten with
/// Shift; up and down zoom.
pub fn step_keys(ui: &Ui, response: &Response, axis: &mut TimeAxis, now: f64, asks: &mut Asks) {
    let asked = |action| ui.input(|input| input.num_accesskit_action_requests(response.id, action)) as i32;
    let mut steps = asked(accesskit::Action::Increment) - asked(accesskit::Action::Decrement);
    if response.has_focus() {
        let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
        let pressed = |modifiers, key| ui.input_mut(|input| input.count_and_consume_key(modifiers, key)) as i32;
        for (modifiers, frames) in [(Modifiers::SHIFT, STRIDE), (Modifiers::NONE, 1)] {
            let (on, back) = (pressed(modifiers, Key::ArrowRight), pressed(modifiers, Key::ArrowLeft));
            steps += frames * (on - back);
        }
        let zoom = pressed(Modifiers::NONE, Key::ArrowUp) - pressed(Modifiers::NONE, Key::ArrowDown);
        if zoom != 0 {
            axis.zoom(KEY_ZOOM.powi(zoom), now);
        }
    }
    if steps != 0 {
        asks.transport(Transport::Step(steps));
        axis.reveal(axis.clip().clamp(now + f64::from(steps) * axis.rate().frame_secs()));
    }
}

/// Which rows of marks a ruler has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Rows {
    /// Frames above seconds.
    FramesAndSeconds,
    /// Frames alone, for plots, where room is short.
    Frames,
}

impl Rows {
    /// Points.
    pub fn height(self) -> f32 {
        if self == Self::FramesAndSeconds { MARK_ROW * 2.0 } else { MARK_ROW }
    }
}

/// A ruler that fills `place`, with a menu on the right button for what frames are called.
pub fn ruler_ui(
    ui: &Ui,
    place: Rect,
    rows: Rows,
    axis: &mut TimeAxis,
    scale: &TimeScale,
    session: &Session,
    asks: &mut Asks,
) -> TimeArea {
    let colours = palette(ui.ctx());
    let area = time_area(ui, place, tr("Ruler"), axis, scale, session, asks);
    let painter = ui.painter_at(place);
    painter.rect_filled(place, 0.0, colours.panel);
    let font = TextStyle::Small.resolve(ui.style());
    let digit = digit_width(&painter, &font);
    let (top, rest) = place.split_top_bottom_at_y(place.top() + MARK_ROW);
    paint_marks(&painter, top, &frame_ticks(axis, scale, digit), &font, [colours.text, colours.faint]);
    if rows == Rows::FramesAndSeconds {
        paint_marks(&painter, rest, &second_ticks(axis, scale, digit), &font, [colours.faint, colours.line]);
    }
    area.response.context_menu(|ui| menu_ui(ui, axis, session));
    area
}

fn menu_ui(ui: &mut Ui, axis: &mut TimeAxis, session: &Session) {
    let choices = [(0, tr("First frame is 0")), (1, tr("First frame is 1")), (1001, tr("First frame is 1001"))];
    for (number, label) in choices {
        if ui.radio(axis.first_frame == number, label).clicked() {
            axis.first_frame = number;
            ui.close();
        }
    }
    ui.separator();
    if ui.button(tr("Show the whole clip")).clicked() {
        axis.fit();
        ui.close();
    }
    let part = session.playback().looped;
    if ui.add_enabled(part.is_some(), eframe::egui::Button::new(tr("Show what loops"))).clicked() {
        if let Some(part) = part {
            axis.show(part);
        }
        ui.close();
    }
}

/// Width of a digit; digits are all as wide.
pub fn digit_width(painter: &Painter, font: &FontId) -> f32 {
    painter.layout_no_wrap("0".to_owned(), font.clone(), eframe::egui::Color32::PLACEHOLDER).size().x
}

fn paint_marks(painter: &Painter, place: Rect, ticks: &[Tick], font: &FontId, colours: [eframe::egui::Color32; 2]) {
    let [text, line] = colours;
    for tick in ticks {
        let length = if tick.label.is_empty() { RHYTHM / 4.0 } else { RHYTHM / 2.0 };
        painter.vline(tick.place, place.bottom() - length..=place.bottom(), Stroke::new(1.0, line));
        if tick.label.is_empty() {
            continue;
        }
        let galley = painter.layout_no_wrap(tick.label.clone(), font.clone(), text);
        let (width, height) = (galley.size().x, galley.size().y);
        let at = pos2(tick.place - width / 2.0, place.center().y - height / 2.0 - 1.0);
        // A number that is cut off is another number.
        if at.x >= place.left() && at.x + width <= place.right() {
            painter.galley(at, galley, text);
        }
    }
}

/// The line of the playhead; with a head where a ruler ends at `head`.
pub fn paint_playhead(ui: &Ui, place: Rect, scale: &TimeScale, secs: f64, head: Option<f32>) {
    if !scale.sees(secs) {
        return;
    }
    let (x, colour) = (scale.x(secs), palette(ui.ctx()).playhead);
    let painter = ui.painter().with_clip_rect(ui.clip_rect());
    painter.vline(x, place.y_range(), Stroke::new(1.0, colour));
    if let Some(y) = head {
        let half = RHYTHM * 0.625;
        let corner = |dx: f32, dy: f32| Pos2::new(x + dx, y + dy);
        let points = vec![corner(-half, -half), corner(half, -half), corner(0.0, 0.0)];
        painter.add(Shape::convex_polygon(points, colour, Stroke::NONE));
    }
}

/// Darkens what lies outside the clip, and, lightly, what does not loop.
pub fn paint_outside(ui: &Ui, place: Rect, axis: &TimeAxis, scale: &TimeScale, session: &Session) {
    let colours = palette(ui.ctx());
    let looped = session.playback().span(axis.clip());
    for (part, strength) in [(axis.clip(), 0.5), (looped, 0.35)] {
        let colour = colours.line.gamma_multiply(strength);
        let (from, to) = (scale.x(part.start_secs), scale.x(part.end_secs));
        let before = Rect::from_x_y_ranges(place.left()..=from.clamp(place.left(), place.right()), place.y_range());
        let behind = Rect::from_x_y_ranges(to.clamp(place.left(), place.right())..=place.right(), place.y_range());
        for outside in [before, behind].into_iter().filter(|outside| outside.width() > 0.0) {
            ui.painter().rect_filled(outside, 0.0, colour);
        }
    }
}
