//! The panel *Timeline*: transport, ruler, what loops, contacts, markers and the keys of the bone that is looked at.

pub mod lanes;
pub mod loop_range;
mod paint;
mod transport;

use eframe::egui::{Rect, ScrollArea, TextStyle, Ui, Vec2, scroll_area::ScrollSource};

use crate::ops::Evaluation;
use crate::session::Session;
use crate::ui::asks::Asks;
use crate::ui::dock::{empty_ui, padded};
use crate::ui::text::tr;
use crate::ui::theme::{RHYTHM, palette};
use crate::ui::time_axis::ruler::{GUTTER, Rows, digit_width, paint_outside, paint_playhead, ruler_ui, time_area};
use crate::ui::time_axis::ticks::frame_ticks;
use crate::ui::time_axis::{TimeAxis, TimeScale};
use lanes::{Lane, lanes};
use loop_range::LoopBar;

/// Height of a lane, points.
const LANE: f32 = RHYTHM * 2.25;
/// Height of the bar of what loops, points.
const LOOP_BAR: f32 = RHYTHM * 1.5;

/// State of the panel.
#[derive(Default)]
pub struct TimelinePanel {
    loop_bar: LoopBar,
}

impl TimelinePanel {
    /// Draws it.
    pub fn ui(&mut self, ui: &mut Ui, session: &Session, axis: &mut TimeAxis, asks: &mut Asks) {
        let Some(evaluation) = session.evaluation_in_view() else {
            return empty_ui(ui, tr("Open a clip to see its time"));
        };
        axis.look_at(evaluation.clip.range, evaluation.clip.rate);
        padded(ui, |ui| {
            transport::transport_ui(ui, axis, session, asks);
            let place = ui.available_rect_before_wrap();
            self.axis_ui(ui, place, &evaluation, session, axis, asks);
        });
    }

    fn axis_ui(
        &mut self,
        ui: &mut Ui,
        place: Rect,
        evaluation: &Evaluation,
        session: &Session,
        axis: &mut TimeAxis,
        asks: &mut Asks,
    ) {
        let scale = axis.scale(place.left() + GUTTER, place.right());
        let right = place.with_min_x(scale.left);
        let (bar, rest) = right.split_top_bottom_at_y(right.top() + LOOP_BAR);
        let (ruler, rest) = rest.split_top_bottom_at_y(rest.top() + Rows::FramesAndSeconds.height());
        let mut sought = ruler_ui(ui, ruler, Rows::FramesAndSeconds, axis, &scale, session, asks).sought;
        self.loop_bar.ui(ui, bar, axis, &scale, session, asks);
        let below = place.with_min_y(rest.top());
        sought = lanes_ui(ui, below, evaluation, session, axis, &scale, asks).or(sought);
        let now = sought.unwrap_or_else(|| axis.clip().clamp(session.playback().secs));
        paint_playhead(ui, rest.with_min_y(ruler.bottom()), &scale, now, Some(ruler.bottom()));
    }
}

/// All lanes in `place`, scrolled where they are more than fit; the instant that was sought in them.
fn lanes_ui(
    ui: &mut Ui,
    place: Rect,
    evaluation: &Evaluation,
    session: &Session,
    axis: &mut TimeAxis,
    scale: &TimeScale,
    asks: &mut Asks,
) -> Option<f64> {
    let colours = palette(ui.ctx());
    let (gutter, well) = place.split_left_right_at_x(scale.left);
    let area = time_area(ui, well, tr("Lanes"), axis, scale, session, asks);
    ui.painter().rect_filled(well, 0.0, colours.well);
    let digit = digit_width(ui.painter(), &TextStyle::Small.resolve(ui.style()));
    for mark in frame_ticks(axis, scale, digit).iter().filter(|mark| !mark.label.is_empty()) {
        ui.painter().vline(mark.place, well.y_range(), (1.0, colours.line.gamma_multiply(0.6)));
    }
    let lanes = lanes(&evaluation.clip, &evaluation.rig, session.view().bone.as_deref());
    // Over the names the wheel scrolls, over time it pans.
    let over_names = ui.input(|input| input.pointer.hover_pos()).is_some_and(|at| gutter.contains(at));
    let source = ScrollSource { mouse_wheel: over_names, ..ScrollSource::default() };
    ui.scope_builder(eframe::egui::UiBuilder::new().max_rect(place), |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        ScrollArea::vertical().auto_shrink(false).scroll_source(source).id_salt("lanes").show(ui, |ui| {
            for lane in &lanes {
                let (_, place) = ui.allocate_space(Vec2::new(ui.available_width(), LANE));
                if ui.is_rect_visible(place) {
                    lane_ui(ui, place, lane, evaluation, scale);
                }
            }
        });
    });
    paint_outside(ui, well, axis, scale, session);
    area.sought
}

fn lane_ui(ui: &Ui, place: Rect, lane: &Lane<'_>, evaluation: &Evaluation, scale: &TimeScale) {
    let (name, well) = place.split_left_right_at_x(scale.left);
    paint::lane_name(ui, name, lane);
    let well = well.shrink2(Vec2::new(0.0, 1.0));
    let painter = ui.painter_at(well);
    painter.hline(well.x_range(), place.bottom(), (1.0, palette(ui.ctx()).line.gamma_multiply(0.5)));
    match lane {
        Lane::Contacts { bone, side } => paint::contacts(ui, &painter, well, &evaluation.clip, bone, *side, scale),
        Lane::Markers { track } => paint::markers(ui, &painter, well, &evaluation.clip, track, scale),
        Lane::Keys { track: Some(track), .. } => paint::keys(ui, &painter, well, &track.times, scale),
        Lane::Keys { track: None, .. } => {
            paint::remark(ui, &painter, well, tr("no track: it stays as in the node pose"));
        }
        Lane::NoBone => paint::remark(ui, &painter, well, tr("Select a bone to see its keys")),
    }
}
