//! Lists of many rows: what they share in looks and keys. Only rows that are seen are laid out; the list as a whole,
//! not each row, is what Tab leads to, so that a thousand rows are one stop.

use std::ops::Range;

use eframe::egui::{
    Align, EventFilter, FontId, Id, Key, Modifiers, Rect, Response, Role, ScrollArea, Sense, TextStyle, Ui, WidgetInfo,
    pos2,
    text::{LayoutJob, TextWrapping},
};
use eframe::egui::{Color32, Vec2};
use lucide_icons::Icon;

use super::icons::{icon, icon_button, labelled};
use super::text::tr;
use super::theme::{RHYTHM, ROW_HEIGHT, palette};

/// Where keys lead in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "named as the keys are")]
pub enum Go {
    Up,
    Down,
    PageUp,
    PageDown,
}

impl Go {
    /// The row this leads to, of `count`, from `now`; from nowhere to the first.
    pub fn from(self, now: Option<usize>, count: usize, page: usize) -> Option<usize> {
        let last = count.checked_sub(1)?;
        let Some(now) = now else { return Some(0) };
        Some(match self {
            Self::Up => now.saturating_sub(1),
            Self::Down => (now + 1).min(last),
            Self::PageUp => now.saturating_sub(page),
            Self::PageDown => (now + page).min(last),
        })
    }
}

/// State of a list: where it is scrolled to, and whether the arrows are its own.
#[derive(Default)]
pub struct List {
    offset: f32,
    height: f32,
    /// Scroll so far that this row is seen.
    reveal: Option<usize>,
    /// The pointer was last pressed in it. A click takes no focus, for Space and the arrows to the sides are the
    /// playhead's.
    pressed: bool,
}

impl List {
    /// Scrolls, when it is drawn next, as far as it takes to see this row.
    pub fn reveal(&mut self, row: usize) {
        self.reveal = Some(row);
    }

    /// Rows that are seen at once.
    pub fn page(&self) -> usize {
        ((self.height / ROW_HEIGHT) as usize).max(1)
    }

    /// Draws rows of [`ROW_HEIGHT`] in all the room there is; `row_ui` draws those that are seen, each in its place.
    /// Answers where keys lead, and whether Shift was held.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        name: &str,
        count: usize,
        mut row_ui: impl FnMut(&mut Ui, usize, Rect),
    ) -> Option<(Go, bool)> {
        let place = ui.available_rect_before_wrap();
        let id = ui.make_persistent_id(("list", name));
        let response = ui.interact(place, id, Sense::focusable_noninteractive());
        response.widget_info(|| WidgetInfo::labeled(Role::List, true, name));
        if response.has_focus() {
            let filter = EventFilter { vertical_arrows: true, ..EventFilter::default() };
            ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
            let colour = palette(ui.ctx()).accent;
            ui.painter().rect_stroke(place, 0.0, (1.0, colour), eframe::egui::StrokeKind::Inside);
        }
        self.height = place.height();
        let mut area = ScrollArea::vertical().auto_shrink(false).id_salt(name);
        if let Some(offset) = self.reveal.take().and_then(|row| scrolled_to(row, self.offset, self.height)) {
            area = area.vertical_scroll_offset(offset);
        }
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            let output = area.show_rows(ui, ROW_HEIGHT, count, |ui, seen: Range<usize>| {
                for row in seen {
                    let (_, place) = ui.allocate_space(Vec2::new(ui.available_width(), ROW_HEIGHT));
                    row_ui(ui, row, place);
                }
            });
            self.offset = output.state.clamped_offset().y;
        });
        self.keys(ui, place, response.has_focus())
    }

    fn keys(&mut self, ui: &Ui, place: Rect, has_focus: bool) -> Option<(Go, bool)> {
        let pressed = ui.input(|input| input.pointer.any_pressed().then(|| input.pointer.interact_pos()).flatten());
        if let Some(at) = pressed {
            self.pressed = place.contains(at) && ui.rect_contains_pointer(place);
        }
        let nobody = ui.memory(|memory| memory.focused().is_none());
        if !(has_focus || self.pressed && nobody) {
            return None;
        }
        let keys = [
            (Key::ArrowUp, Go::Up),
            (Key::ArrowDown, Go::Down),
            (Key::PageUp, Go::PageUp),
            (Key::PageDown, Go::PageDown),
        ];
        ui.input_mut(|input| {
            keys.into_iter().find_map(|(key, go)| {
                // Shift first: a key asked for without it is found with it too.
                if input.consume_key(Modifiers::SHIFT, key) {
                    return Some((go, true));
                }
                input.consume_key(Modifiers::NONE, key).then_some((go, false))
            })
        })
    }
}

/// Where to scroll for a row to be seen: as little as possible; `None` where it is seen already.
pub fn scrolled_to(row: usize, offset: f32, height: f32) -> Option<f32> {
    let (top, bottom) = (row as f32 * ROW_HEIGHT, (row + 1) as f32 * ROW_HEIGHT);
    if top < offset {
        Some(top)
    } else if bottom > offset + height {
        Some((bottom - height).max(0.0))
    } else {
        None
    }
}

/// A row that can be clicked: its response, and the background that says whether it is marked or pointed at.
pub fn row_response(ui: &Ui, place: Rect, id: Id, name: &str, marked: bool) -> Response {
    let response = ui.interact(place, id, Sense::CLICK);
    response.widget_info(|| WidgetInfo::selected(Role::ListItem, ui.is_enabled(), marked, name));
    let colours = palette(ui.ctx());
    if marked {
        ui.painter().rect_filled(place, 0.0, colours.accent_fill);
    } else if response.hovered() {
        ui.painter().rect_filled(place, 0.0, ui.visuals().faint_bg_color);
    }
    response
}

/// One line of text in a rectangle, cut with an ellipsis where it is too long; whether it was.
pub fn line_in(ui: &Ui, place: Rect, text: &str, style: &TextStyle, colour: Color32, align: Align) -> bool {
    if place.width() <= 0.0 {
        return !text.is_empty();
    }
    let font: FontId = style.resolve(ui.style());
    let mut job = LayoutJob::simple_singleline(text.to_owned(), font, colour);
    job.wrap = TextWrapping::truncate_at_width(place.width());
    let galley = ui.painter().layout_job(job);
    let x = match align {
        Align::Min => place.left(),
        Align::Center => place.center().x - galley.size().x / 2.0,
        Align::Max => place.right() - galley.size().x,
    };
    let at = pos2(x, place.center().y - galley.size().y / 2.0);
    let elided = galley.elided;
    ui.painter().galley(at, galley, colour);
    elided
}

/// An icon in the middle of a rectangle.
pub fn icon_in(ui: &Ui, place: Rect, with: Icon, colour: Color32) {
    line_in(ui, place, &icon(with), &TextStyle::Body, colour, Align::Center);
}

/// The triangle before a row that holds others.
pub fn fold_ui(ui: &Ui, place: Rect, id: Id, name: &str, open: bool) -> Response {
    let response = ui.interact(place, id, Sense::CLICK);
    response.widget_info(|| WidgetInfo::selected(Role::DisclosureTriangle, ui.is_enabled(), open, name));
    let colours = palette(ui.ctx());
    let colour = if response.hovered() { colours.text } else { colours.faint };
    icon_in(ui, place, if open { Icon::ChevronDown } else { Icon::ChevronRight }, colour);
    response
}

/// Takes `width` off the left of a rectangle.
pub fn take_left(place: &mut Rect, width: f32) -> Rect {
    let x = (place.left() + width).min(place.right());
    let taken = Rect::from_min_max(place.min, pos2(x, place.bottom()));
    place.min.x = x;
    taken
}

/// Takes `width` off the right of a rectangle.
pub fn take_right(place: &mut Rect, width: f32) -> Rect {
    let x = (place.right() - width).max(place.left());
    let taken = Rect::from_min_max(pos2(x, place.top()), place.max);
    place.max.x = x;
    taken
}

/// How far a row of this depth is indented.
pub fn indent(depth: usize) -> f32 {
    RHYTHM * 1.5 * depth as f32
}

/// A field to search in, with a cross that empties it.
pub fn search_ui(ui: &mut Ui, name: &'static str, text: &mut String) {
    ui.horizontal(|ui| {
        let cross = if text.is_empty() { 0.0 } else { ROW_HEIGHT + RHYTHM };
        let field = eframe::egui::TextEdit::singleline(text)
            .hint_text(labelled(Icon::Search, name))
            .desired_width((ui.available_width() - cross).max(RHYTHM));
        let response = ui.add(field.event_filter(typing())).accessible_name(name);
        let escaped = escaped(ui, &response);
        let cleared = cross > 0.0 && icon_button(ui, Icon::X, tr("Clear the search"), false).clicked();
        if escaped || cleared {
            text.clear();
        }
    });
}

/// What a field in which Escape has a meaning keeps to itself; else the keyboard would be taken from it first.
pub fn typing() -> EventFilter {
    EventFilter { horizontal_arrows: true, vertical_arrows: true, escape: true, ..EventFilter::default() }
}

/// Whether Escape was pressed in a field with [`typing`]; it has lost the keyboard then.
pub fn escaped(ui: &Ui, field: &Response) -> bool {
    let escaped = field.has_focus() && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
    if escaped {
        field.surrender_focus();
    }
    escaped
}
