//! Plots on the screen: lines over time one below the other, their legend, and what they are at the pointer.

use eframe::egui::{
    Align2, Color32, Id, PopupAnchor, Rect, Response, RichText, Role, Sense, Shape, Stroke, TextStyle, Tooltip, Ui,
    Vec2, WidgetInfo, pos2,
};

use super::{ValueAxis, trace};
use crate::session::Session;
use crate::ui::asks::Asks;
use crate::ui::shown_motion::Timed;
use crate::ui::text::tr;
use crate::ui::theme::{RHYTHM, ROW_HEIGHT, palette};
use crate::ui::time_axis::ruler::{
    GUTTER, Rows, TimeArea, digit_width, paint_outside, paint_playhead, ruler_ui, shown_frame, time_area,
};
use crate::ui::time_axis::ticks::{Tick, frame_ticks, number};
use crate::ui::time_axis::{TimeAxis, TimeScale};

/// Width of lines, points.
pub const LINE: f32 = 1.5;
/// Between two plots, points.
const BETWEEN: f32 = RHYTHM / 4.0;

/// A line of a plot.
pub struct Line<'a> {
    /// In the legend and in read-outs.
    pub name: &'static str,
    /// What it is of.
    pub values: Timed<'a>,
    /// How it is drawn.
    pub colour: Color32,
}

/// A plot of one quantity.
pub struct Plot<'a> {
    /// What a screen reader says of it.
    pub name: &'static str,
    /// Beside it.
    pub label: &'static str,
    /// Explains it.
    pub hint: &'static str,
    /// Of its values.
    pub unit: &'static str,
    /// From a series' values to those in the unit.
    pub factor: f64,
    /// Digits behind the point in read-outs.
    pub digits: usize,
    /// At least so much is spanned, in the unit.
    pub least_span: f64,
    /// Whether 0 is always seen.
    pub from_zero: bool,
    /// The later over the earlier.
    pub lines: Vec<Line<'a>>,
}

impl Plot<'_> {
    fn value_axis(&self, place: Rect) -> ValueAxis {
        let of_line = |line: &Line<'_>| {
            let (low, high) = line.values.series.extremes();
            (f64::from(low) * self.factor, f64::from(high) * self.factor)
        };
        let zero = (self.from_zero || self.lines.is_empty()).then_some((0.0, 0.0));
        ValueAxis::around(self.lines.iter().map(of_line).chain(zero), self.least_span, place.top(), place.bottom())
    }

    /// A value as it is read.
    pub fn text(&self, value: f64) -> String {
        let space = if self.unit == "°" { "" } else { " " };
        format!("{}{space}{}", number(value, self.digits), self.unit)
    }

    /// Draws it: names and values in the gutter, lines to the right of it, and what they are at the pointer.
    #[expect(clippy::too_many_arguments, reason = "a place on the screen, a place in time, and the frame's two ends")]
    pub fn ui(
        &self,
        ui: &Ui,
        place: Rect,
        axis: &mut TimeAxis,
        scale: &TimeScale,
        marks: &[Tick],
        session: &Session,
        asks: &mut Asks,
    ) -> TimeArea {
        let colours = palette(ui.ctx());
        let (gutter, well) = place.split_left_right_at_x(scale.left);
        let area = time_area(ui, well, self.name, axis, scale, session, asks);
        let painter = ui.painter_at(place);
        painter.rect_filled(well, 0.0, colours.well);
        for mark in marks.iter().filter(|mark| !mark.label.is_empty() && well.x_range().contains(mark.place)) {
            painter.vline(mark.place, well.y_range(), Stroke::new(1.0, colours.line.gamma_multiply(0.6)));
        }
        let values = self.value_axis(well.shrink2(Vec2::new(0.0, 2.0)));
        self.paint_values(ui, gutter, well, &values);
        let painter = painter.with_clip_rect(well);
        let columns = scale.columns(ui.ctx().pixels_per_point());
        for (nth, line) in self.lines.iter().enumerate() {
            let points = trace(line.values, self.factor, scale, columns, &values);
            if let [point] = points[..] {
                painter.circle_filled(point, RHYTHM / 3.0, line.colour);
            } else {
                // The one below is wider, so that both are seen where they agree.
                let width = if nth + 1 < self.lines.len() { LINE * 2.0 } else { LINE };
                painter.add(Shape::line(points, Stroke::new(width, line.colour)));
            }
        }
        paint_outside(ui, well, axis, scale, session);
        if let Some(secs) = area.hovered.filter(|_| !self.lines.is_empty()) {
            self.read_out_ui(ui, &area.response, axis, scale, well, axis.clip().clamp(secs), &values);
        }
        area
    }

    fn paint_values(&self, ui: &Ui, gutter: Rect, well: Rect, values: &ValueAxis) {
        let colours = palette(ui.ctx());
        let painter = ui.painter_at(gutter.union(well));
        let font = TextStyle::Small.resolve(ui.style());
        // From low to high, upwards on the screen.
        let mut free = f32::INFINITY;
        for tick in values.ticks() {
            painter.hline(well.x_range(), tick.place, Stroke::new(1.0, colours.line));
            let galley = painter.layout_no_wrap(tick.label, font.clone(), colours.faint);
            let height = galley.size().y;
            // A name at the edge moves inside: a plot of little height would say no values at all.
            let top = (tick.place - height / 2.0).clamp(gutter.top(), (gutter.bottom() - height).max(gutter.top()));
            if well.y_range().contains(tick.place) && top + height <= free {
                free = top;
                painter.galley(pos2(gutter.right() - RHYTHM / 2.0 - galley.size().x, top), galley, colours.faint);
            }
        }
        let name = ui.interact(gutter, ui.make_persistent_id(("plot", self.name)), Sense::HOVER);
        name.on_hover_text(self.hint);
        let at = gutter.left_center();
        // Name above unit where there is height for two lines.
        if gutter.height() >= font.size * 2.6 {
            painter.text(at, Align2::LEFT_BOTTOM, self.label, font.clone(), colours.text);
            painter.text(at, Align2::LEFT_TOP, self.unit, font, colours.faint);
        } else {
            painter.text(at, Align2::LEFT_CENTER, self.label, font, colours.text);
        }
    }

    #[expect(clippy::too_many_arguments, reason = "where the pointer is, in both axes")]
    fn read_out_ui(
        &self,
        ui: &Ui,
        response: &Response,
        axis: &TimeAxis,
        scale: &TimeScale,
        well: Rect,
        secs: f64,
        values: &ValueAxis,
    ) {
        let colours = palette(ui.ctx());
        let painter = ui.painter_at(well);
        painter.vline(scale.x(secs), well.y_range(), Stroke::new(1.0, colours.faint.gamma_multiply(0.5)));
        for line in &self.lines {
            let value = f64::from(line.values.at(secs)) * self.factor;
            painter.circle_filled(pos2(scale.x(secs), values.y(value)), RHYTHM / 3.0, line.colour);
        }
        read_out(response, |ui| {
            ui.label(time_text(axis, secs));
            for line in &self.lines {
                let value = f64::from(line.values.at(secs)) * self.factor;
                ui.label(RichText::new(format!("{}  {}", line.name, self.text(value))).color(line.colour));
            }
        });
    }
}

/// An instant as frame and seconds since the clip's start.
pub fn time_text(axis: &TimeAxis, secs: f64) -> String {
    let frame = number(shown_frame(axis, secs), 1);
    format!("{} {frame} · {} s", tr("Frame"), number(secs - axis.clip().start_secs, 3))
}

/// A box beside the pointer, at once and while it moves: values are read while one looks along a line.
pub fn read_out(response: &Response, contents: impl FnOnce(&mut Ui)) {
    let id: Id = response.id.with("read-out");
    Tooltip::always_open(response.ctx.clone(), response.layer_id, id, PopupAnchor::Pointer)
        .gap(RHYTHM * 2.0)
        .show(contents);
}

/// A name in a legend with the line's colour; a click hides the line, and shows it again.
pub fn legend_item(ui: &mut Ui, name: &str, hint: &str, colour: Color32, on: &mut bool) {
    let font = TextStyle::Small.resolve(ui.style());
    let text_colour = if *on { palette(ui.ctx()).text } else { palette(ui.ctx()).faint };
    let galley = ui.painter().layout_no_wrap(name.to_owned(), font, text_colour);
    let swatch = RHYTHM * 2.0;
    let size = Vec2::new(swatch + RHYTHM * 1.5 + galley.size().x, ROW_HEIGHT);
    let (place, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::CheckBox, ui.is_enabled(), *on, name));
    if response.clicked() {
        *on = !*on;
    }
    if response.hovered() || response.has_focus() {
        ui.painter().rect_filled(place, 4.0, palette(ui.ctx()).line.gamma_multiply(0.6));
    }
    let x = place.left() + RHYTHM / 2.0;
    let line = if *on { colour } else { colour.gamma_multiply(0.35) };
    ui.painter().hline(x..=x + swatch, place.center().y, Stroke::new(LINE * 2.0, line));
    let at = pos2(x + swatch + RHYTHM / 2.0, place.center().y - galley.size().y / 2.0);
    ui.painter().galley(at, galley, text_colour);
    response.on_hover_text(hint);
}

/// A ruler and plots below it, in all of `place`; heights by the plots' shares. The playhead goes through all.
pub fn stack_ui(
    ui: &Ui,
    place: Rect,
    plots: &[(f32, Plot<'_>)],
    axis: &mut TimeAxis,
    session: &Session,
    asks: &mut Asks,
) {
    let scale = axis.scale(place.left() + GUTTER, place.right());
    let (ruler, rest) = place.split_top_bottom_at_y(place.top() + Rows::Frames.height());
    let ruler = ruler.with_min_x(scale.left);
    let mut sought = ruler_ui(ui, ruler, Rows::Frames, axis, &scale, session, asks).sought;
    let digit = digit_width(ui.painter(), &TextStyle::Small.resolve(ui.style()));
    let marks = frame_ticks(axis, &scale, digit);
    let shares: f32 = plots.iter().map(|(share, _)| share).sum();
    let mut top = rest.top();
    for (share, plot) in plots {
        let height = rest.height() * share / shares;
        let place = Rect::from_x_y_ranges(rest.x_range(), top..=(top + height - BETWEEN).max(top));
        let area = plot.ui(ui, place, axis, &scale, &marks, session, asks);
        sought = sought.or(area.sought);
        top += height;
    }
    let now = sought.unwrap_or_else(|| axis.clip().clamp(session.playback().secs));
    paint_playhead(ui, rest.with_min_y(ruler.bottom()), &scale, now, Some(ruler.bottom()));
}
