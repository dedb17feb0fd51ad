//! The bar of what loops: two ends that are dragged, and a part between them that moves as a whole.

use eframe::egui::{CursorIcon, EventFilter, Key, Modifiers, Rect, Response, Role, Sense, Ui, WidgetInfo};

use crate::motion::TimeRange;
use crate::session::{Session, Transport};
use crate::ui::asks::Asks;
use crate::ui::text::tr;
use crate::ui::theme::{RHYTHM, palette};
use crate::ui::time_axis::ruler::shown_frame;
use crate::ui::time_axis::{TimeAxis, TimeScale};

/// Width of an end, points.
const HANDLE: f32 = RHYTHM;

/// What of it is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "named as they are")]
pub enum Part {
    Start,
    End,
    Whole,
}

/// What loops after `part` of `span` was moved to `to_secs`, on whole frames, at least one frame long and inside the
/// clip; of the whole it is the start that goes there. `None`: the whole clip.
pub fn moved(part: Part, span: TimeRange, to_secs: f64, axis: &TimeAxis) -> Option<TimeRange> {
    let (clip, frame) = (axis.clip(), axis.rate().frame_secs());
    let to = axis.snapped(to_secs);
    let length = span.duration_secs();
    let new = match part {
        Part::Start => TimeRange { start_secs: to.min(span.end_secs - frame).max(clip.start_secs), ..span },
        Part::End => TimeRange { end_secs: to.max(span.start_secs + frame).min(clip.end_secs), ..span },
        Part::Whole => {
            let start_secs = to.min(clip.end_secs - length).max(clip.start_secs);
            TimeRange { start_secs, end_secs: start_secs + length }
        }
    };
    // Rounding of a sum is no part of the clip left out.
    let same = |a: f64, b: f64| (a - b).abs() < frame * 1e-3;
    let is_whole = same(new.start_secs, clip.start_secs) && same(new.end_secs, clip.end_secs);
    (!is_whole && new.start_secs < new.end_secs).then_some(new)
}

/// State of the bar: what is dragged, and from which instant to which end.
#[derive(Default)]
pub struct LoopBar {
    /// Seconds from the pointer to what is moved.
    grab_secs: f64,
}

impl LoopBar {
    /// Draws it.
    pub fn ui(&mut self, ui: &Ui, place: Rect, axis: &TimeAxis, scale: &TimeScale, session: &Session, asks: &mut Asks) {
        let colours = palette(ui.ctx());
        let looped = session.playback().looped.is_some();
        let span = session.playback().span(axis.clip());
        let (from, to) = (scale.x(span.start_secs), scale.x(span.end_secs));
        let painter = ui.painter_at(place);
        painter.rect_filled(place, 0.0, colours.panel);
        let inside = |rect: Rect| rect.intersect(place);
        let strip = place.shrink2(eframe::egui::vec2(0.0, RHYTHM / 4.0));
        let bar = Rect::from_x_y_ranges(from..=to, strip.y_range());
        let start = Rect::from_x_y_ranges(from - HANDLE..=from, place.y_range());
        let end = Rect::from_x_y_ranges(to..=to + HANDLE, place.y_range());
        // A clip of one frame has no part to loop.
        if axis.clip().duration_secs() <= axis.rate().frame_secs() * 1.001 {
            painter.rect_filled(bar, 0.0, colours.line);
            return;
        }
        painter.rect_filled(bar, 0.0, if looped { colours.accent_fill } else { colours.line });
        for (part, rect, at, name) in [
            (Part::Whole, bar, span.start_secs, tr("Loop range")),
            (Part::Start, start, span.start_secs, tr("Loop start")),
            (Part::End, end, span.end_secs, tr("Loop end")),
        ] {
            let seen = inside(rect);
            if !seen.is_positive() {
                continue;
            }
            let response = self.part_ui(ui, part, seen, at, span, name, axis, scale, asks);
            if part != Part::Whole {
                let lively = response.hovered() || response.dragged() || response.has_focus();
                let colour = if lively || looped { colours.accent } else { colours.faint };
                painter.rect_filled(rect, 2.0, colour);
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "one of three parts, told apart by all of them")]
    fn part_ui(
        &mut self,
        ui: &Ui,
        part: Part,
        place: Rect,
        at: f64,
        span: TimeRange,
        name: &str,
        axis: &TimeAxis,
        scale: &TimeScale,
        asks: &mut Asks,
    ) -> Response {
        let id = ui.make_persistent_id(("loop", part));
        let response = ui.interact(place, id, Sense::click_and_drag());
        match part {
            Part::Whole => response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), name)),
            _ => response.widget_info(|| WidgetInfo::slider(ui.is_enabled(), shown_frame(axis, at), name)),
        }
        let pointer = response.interact_pointer_pos().map(|pointer| scale.secs(pointer.x));
        if response.drag_started()
            && let Some(pressed) = ui.input(|input| input.pointer.press_origin())
        {
            self.grab_secs = at - scale.secs(pressed.x);
        }
        if let Some(pointer) = pointer.filter(|_| response.dragged()) {
            asks.transport(Transport::Loop(moved(part, span, pointer + self.grab_secs, axis)));
        }
        if response.double_clicked() {
            asks.transport(Transport::Loop(None));
        }
        let frames = arrows(ui, &response);
        if frames != 0 {
            let to = at + f64::from(frames) * axis.rate().frame_secs();
            asks.transport(Transport::Loop(moved(part, span, to, axis)));
        }
        let cursor = if part == Part::Whole { CursorIcon::Grab } else { CursorIcon::ResizeHorizontal };
        let hint = match part {
            Part::Start => tr("Drag: what loops starts here. Double-click: the whole clip loops"),
            Part::End => tr("Drag: what loops ends here. Double-click: the whole clip loops"),
            Part::Whole => tr("What loops. Drag to move it. Double-click: the whole clip loops"),
        };
        response.on_hover_cursor(cursor).on_hover_text(hint)
    }
}

/// Frames that arrows ask for while a part has the focus of the keyboard.
fn arrows(ui: &Ui, response: &Response) -> i32 {
    if !response.has_focus() {
        return 0;
    }
    let filter = EventFilter { horizontal_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    let pressed = |key| ui.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, key)) as i32;
    pressed(Key::ArrowRight) - pressed(Key::ArrowLeft)
}
