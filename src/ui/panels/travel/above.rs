//! The view from above: both paths with start, end and where the playhead is, on a grid of metres.

use eframe::egui::{
    Align2, Color32, Painter, PointerButton, Pos2, Rect, Response, RichText, Sense, Shape, Stroke, StrokeKind,
    TextStyle, Ui, Vec2, WidgetInfo, pos2,
};

use super::map::{Ground, Map, bounds, heading, nearest};
use crate::session::derived::Trail;
use crate::session::{Session, Transport};
use crate::ui::asks::Asks;
use crate::ui::graph::plot::{LINE, read_out, time_text};
use crate::ui::shown_motion::{Even, ShownMotion, Timed};
use crate::ui::text::tr;
use crate::ui::theme::{RHYTHM, palette};
use crate::ui::time_axis::TimeAxis;
use crate::ui::time_axis::ruler::{shown_frame, step_keys};
use crate::ui::time_axis::ticks::{decimals, number};

/// Least distance of lines of the grid, points.
const GRID: f32 = 36.0;
/// The least that is seen when all is, metres: the sway of one who stands does not fill the view.
const LEAST_M: f64 = 0.5;
/// Radius of the dot at the playhead, points.
const DOT: f32 = 4.0;
/// Length of the line that shows where it faces, points.
const HEADING: f32 = 16.0;
/// A path so near to the pointer is read, points.
const NEAR: f32 = 24.0;
/// See [`nearest`].
const PATIENCE: f32 = 10.0;

/// State of the view.
#[derive(Default)]
pub struct Above {
    /// What is looked at more closely; `None`: all of both paths.
    close: Option<(Ground, f64)>,
}

/// One path.
struct Path<'a> {
    name: &'static str,
    colour: Color32,
    trail: &'a Trail,
    /// From the result's time to the trail's.
    time: Even,
    yaw_rad: Option<Timed<'a>>,
    /// Times of the result, and points: at most two per column of pixels.
    line: Vec<(f64, Pos2)>,
}

impl Above {
    /// Draws it.
    #[expect(clippy::too_many_arguments, reason = "what a plot gets, and which paths are shown")]
    pub fn ui(
        &mut self,
        ui: &Ui,
        place: Rect,
        motion: &ShownMotion,
        shown: [bool; 2],
        axis: &mut TimeAxis,
        session: &Session,
        asks: &mut Asks,
    ) {
        let response = ui.interact(place, ui.make_persistent_id("travel from above"), Sense::click_and_drag());
        let mut now = motion.now(session.playback());
        let name = tr("Travel from above");
        response.widget_info(|| WidgetInfo::slider(ui.is_enabled(), shown_frame(axis, now), name));
        step_keys(ui, &response, axis, now, asks);
        let map = self.navigated(ui, &response, motion, shown);
        let paths = paths(ui, motion, shown, &map);
        if let Some(secs) = scrubbed(ui, &response, &paths, axis, now) {
            asks.transport(Transport::Seek(secs));
            now = secs;
        }
        paint_ground(ui, &map);
        let painter = ui.painter_at(place);
        for (nth, path) in paths.iter().enumerate() {
            // The one below is wider, so that both are seen where they agree.
            let width = if nth + 1 < paths.len() { LINE * 2.0 } else { LINE };
            paint_path(ui, &painter, path, &map, now, width);
        }
        if response.has_focus() {
            painter.rect_stroke(place, 0.0, (1.0, palette(ui.ctx()).accent), StrokeKind::Inside);
        }
        if let Some(at) = response.hover_pos() {
            read_out_ui(&response, axis, &map, &paths, at, now);
        }
    }

    /// Where the ground lies after the wheel, the middle button and a double-click.
    fn navigated(&mut self, ui: &Ui, response: &Response, motion: &ShownMotion, shown: [bool; 2]) -> Map {
        let trails = [motion.raw().filter(|_| shown[0]), motion.chosen().filter(|_| shown[1])];
        let fitted = Map::fitted(response.rect, bounds(trails.into_iter().flatten()), LEAST_M);
        let before = self.close.map_or(fitted, |(middle, points_per_metre)| Map { middle, points_per_metre, ..fitted });
        let mut map = before;
        if let Some(at) = response.hover_pos() {
            let (zoom, scroll) = ui.input(|input| (f64::from(input.zoom_delta()), input.smooth_scroll_delta()));
            map = map.zoomed(zoom, at).panned(scroll);
        }
        if response.dragged_by(PointerButton::Middle) {
            map = map.panned(response.drag_delta());
        }
        if map != before {
            self.close = Some((map.middle, map.points_per_metre));
        }
        if response.double_clicked() {
            self.close = None;
            map = fitted;
        }
        map
    }
}

fn paths<'a>(ui: &Ui, motion: &'a ShownMotion, shown: [bool; 2], map: &Map) -> Vec<Path<'a>> {
    let colours = palette(ui.ctx());
    let most = (map.place.width().max(map.place.height()) * ui.ctx().pixels_per_point().clamp(0.5, 8.0)) as usize * 2;
    let path = |name, colour, trail: &'a Trail, time: Even, yaw_rad: Option<Timed<'a>>| {
        let range = time.range(motion.evaluation.clip.range);
        let frames = trail.picked(range, most.clamp(64, 16384));
        let line = frames.into_iter().filter_map(|frame| {
            let [x, _, z] = trail.point(frame);
            let seen = x.is_finite() && z.is_finite();
            seen.then(|| (time.back(trail.frames().secs(frame)), map.point([x.into(), z.into()])))
        });
        Path { name, colour, trail, time, yaw_rad, line: line.collect() }
    };
    let raw = motion.raw().filter(|_| shown[0]).map(|trail| {
        let yaw = motion.raw_series(|take| take.travel_yaw.as_ref());
        path(tr("Raw"), colours.raw, trail, motion.take_time, yaw)
    });
    let chosen = motion.chosen().filter(|_| shown[1]).map(|trail| {
        let yaw = motion.chosen_series(|result| result.root_yaw.as_ref());
        path(tr("Chosen"), colours.chosen, trail, Even::SAME, yaw)
    });
    raw.into_iter().chain(chosen).collect()
}

/// The instant the playhead is dragged to along the nearer path; frame by frame, freely with Shift.
fn scrubbed(ui: &Ui, response: &Response, paths: &[Path<'_>], axis: &TimeAxis, now: f64) -> Option<f64> {
    let (primary, free) = ui.input(|input| (input.pointer.primary_down(), input.modifiers.shift));
    let at = response.interact_pointer_pos().filter(|_| primary && response.is_pointer_button_down_on())?;
    let (secs, _) = nearest_of(paths, at, now)?;
    Some(if free { axis.clip().clamp(secs) } else { axis.snapped(secs) })
}

fn nearest_of(paths: &[Path<'_>], at: Pos2, now: f64) -> Option<(f64, f32)> {
    paths.iter().filter_map(|path| nearest(&path.line, at, now, PATIENCE)).min_by(|a, b| a.1.total_cmp(&b.1))
}

fn paint_ground(ui: &Ui, map: &Map) {
    let colours = palette(ui.ctx());
    let place = map.place;
    let painter = ui.painter_at(place);
    painter.rect_filled(place, 0.0, colours.well);
    let step = map.step(GRID);
    let [across, upwards] = map.grid(step);
    let font = TextStyle::Small.resolve(ui.style());
    for tick in &across {
        painter.vline(tick.place, place.y_range(), Stroke::new(1.0, colours.line));
    }
    for tick in &upwards {
        painter.hline(place.x_range(), tick.place, Stroke::new(1.0, colours.line));
    }
    // Names of the grid's lines stand below and on the left, away from each other in the corner.
    let (bottom, left) = (place.bottom() - 2.0, place.left() + 2.0);
    let mut corner = 0.0;
    for tick in &upwards {
        let galley = painter.layout_no_wrap(tick.label.clone(), font.clone(), colours.faint);
        let at = pos2(left, tick.place - galley.size().y);
        if at.y > place.top() + galley.size().y && tick.place < bottom - galley.size().y {
            corner = galley.size().x.max(corner);
            painter.galley(at, galley, colours.faint);
        }
    }
    let mut taken = f32::INFINITY;
    for tick in &across {
        let galley = painter.layout_no_wrap(tick.label.clone(), font.clone(), colours.faint);
        let at = pos2(tick.place + 2.0, bottom - galley.size().y);
        let right = at.x + galley.size().x;
        if at.x > left + corner + RHYTHM && right < place.right() && right < taken {
            taken = at.x - RHYTHM;
            painter.galley(at, galley, colours.faint);
        }
    }
    let axes = [
        (place.left_top() + Vec2::splat(2.0), Align2::LEFT_TOP, tr("z, m")),
        (place.right_bottom() - Vec2::new(2.0, 2.0 + font.size * 1.4), Align2::RIGHT_BOTTOM, tr("x, m")),
    ];
    for (at, align, text) in axes {
        painter.text(at, align, text, font.clone(), colours.text);
    }
    paint_scale(ui, &painter, map, step);
}

/// A bar as long as one step of the grid.
fn paint_scale(ui: &Ui, painter: &Painter, map: &Map, step: f64) {
    let colours = palette(ui.ctx());
    let length = (step * map.points_per_metre) as f32;
    let to = map.place.right_top() + Vec2::new(-RHYTHM, RHYTHM);
    let from = pos2(to.x - length, to.y);
    let stroke = Stroke::new(1.0, colours.text);
    painter.line_segment([from, to], stroke);
    for end in [from, to] {
        painter.vline(end.x, end.y - RHYTHM / 4.0..=end.y + RHYTHM / 4.0, stroke);
    }
    let digits = decimals(step);
    let text = format!("{} m", number(step, digits));
    let font = TextStyle::Small.resolve(ui.style());
    painter.text(pos2((from.x + to.x) / 2.0, to.y + 2.0), Align2::CENTER_TOP, text, font, colours.text);
}

fn paint_path(ui: &Ui, painter: &Painter, path: &Path<'_>, map: &Map, now: f64, width: f32) {
    let points = path.line.iter().map(|(_, point)| *point).collect();
    painter.add(Shape::line(points, Stroke::new(width, path.colour)));
    let stroke = Stroke::new(LINE, path.colour);
    // A ring where it starts, a square where it ends.
    if let (Some((_, start)), Some((_, end))) = (path.line.first(), path.line.last()) {
        painter.circle(*start, DOT, palette(ui.ctx()).well, stroke);
        painter.rect_filled(Rect::from_center_size(*end, Vec2::splat(DOT * 1.6)), 0.0, path.colour);
    }
    let [x, _, z] = path.trail.at(path.time.map(now));
    if !(x.is_finite() && z.is_finite()) {
        return;
    }
    let at = map.point([x.into(), z.into()]);
    if let Some(yaw) = path.yaw_rad.map(|yaw| f64::from(yaw.at(now))).filter(|yaw| yaw.is_finite()) {
        painter.line_segment(heading(at, yaw, HEADING), Stroke::new(LINE * 1.5, path.colour));
    }
    painter.circle(at, DOT, path.colour, Stroke::new(1.0, palette(ui.ctx()).playhead));
}

fn read_out_ui(response: &Response, axis: &TimeAxis, map: &Map, paths: &[Path<'_>], at: Pos2, now: f64) {
    let text = |at: Ground| format!("x {} m, z {} m", number(at[0], 3), number(at[1], 3));
    let near = nearest_of(paths, at, now).filter(|(_, away)| *away <= NEAR);
    read_out(response, |ui| match near {
        Some((secs, _)) => {
            ui.label(time_text(axis, secs));
            for path in paths {
                let [x, _, z] = path.trail.at(path.time.map(secs));
                let line = format!("{}  {}", path.name, text([x.into(), z.into()]));
                ui.label(RichText::new(line).color(path.colour));
            }
        }
        None => {
            ui.label(text(map.ground(at)));
        }
    });
}
