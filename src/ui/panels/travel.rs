//! The panel *Travel*: raw against chosen path, from above with equal axes, and per axis over time.

pub mod above;
pub mod map;

use eframe::egui::{Color32, RichText, Ui, pos2};

use crate::session::Session;
use crate::session::derived::{Derived, Series};
use crate::ui::asks::Asks;
use crate::ui::dock::{empty_ui, padded};
use crate::ui::graph::plot::{Line, Plot, legend_item, stack_ui};
use crate::ui::shown_motion::{ShownMotion, Timed};
use crate::ui::text::tr;
use crate::ui::theme::{RHYTHM, palette};
use crate::ui::time_axis::TimeAxis;
use above::Above;

/// Shares of the width that the view from above takes at least and at most.
const ABOVE_SHARE: [f32; 2] = [0.28, 0.42];
/// Width of the view from above by its height, between those.
const ABOVE_ASPECT: f32 = 1.4;

/// State of the panel.
pub struct TravelPanel {
    raw: bool,
    chosen: bool,
    /// Which quantities are plotted.
    plotted: [bool; 4],
    above: Above,
}

impl Default for TravelPanel {
    fn default() -> Self {
        Self { raw: true, chosen: true, plotted: [true; 4], above: Above::default() }
    }
}

/// One quantity over time.
struct Quantity {
    name: &'static str,
    label: &'static str,
    hint: &'static str,
    unit: &'static str,
    factor: f64,
    digits: usize,
    least_span: f64,
    raw: fn(&Derived) -> Option<&Series>,
    chosen: fn(&Derived) -> Option<&Series>,
}

/// What is plotted over time, from top to bottom.
fn quantities() -> [Quantity; 4] {
    let metres = |name, label, hint, raw, chosen| Quantity {
        name,
        label,
        hint,
        unit: "m",
        factor: 1.0,
        digits: 3,
        least_span: 0.02,
        raw,
        chosen,
    };
    [
        metres(
            tr("x plot"),
            tr("x"),
            tr("To the left of +Z, metres: the character's left when it faces forward"),
            |take| take.travel.as_ref().map(|trail| &trail.x),
            |result| result.root.as_ref().map(|trail| &trail.x),
        ),
        metres(
            tr("z plot"),
            tr("z"),
            tr("Forward, metres"),
            |take| take.travel.as_ref().map(|trail| &trail.z),
            |result| result.root.as_ref().map(|trail| &trail.z),
        ),
        metres(
            tr("Height plot"),
            tr("height"),
            tr("Height above the scene's origin, metres"),
            |take| take.travel.as_ref().map(|trail| &trail.y),
            |result| result.root.as_ref().map(|trail| &trail.y),
        ),
        Quantity {
            name: tr("Yaw plot"),
            label: tr("yaw"),
            hint: tr("Turn about up against the reference pose, degrees; to the left is positive"),
            unit: "°",
            factor: 1f64.to_degrees(),
            digits: 1,
            least_span: 2.0,
            raw: |take| take.travel_yaw.as_ref(),
            chosen: |result| result.root_yaw.as_ref(),
        },
    ]
}

impl TravelPanel {
    /// Draws it.
    pub fn ui(&mut self, ui: &mut Ui, session: &Session, axis: &mut TimeAxis, asks: &mut Asks) {
        let Some(motion) = ShownMotion::of(session) else {
            return empty_ui(ui, tr("Open a clip to see where it goes"));
        };
        if !motion.is_measured() {
            return empty_ui(ui, tr("Measuring…"));
        }
        let clip = &motion.evaluation.clip;
        axis.look_at(clip.range, clip.rate);
        padded(ui, |ui| {
            self.header_ui(ui, &motion);
            let place = ui.available_rect_before_wrap();
            let [least, most] = ABOVE_SHARE.map(|share| place.width() * share);
            let any = self.plotted.contains(&true);
            let width = if any { (place.height() * ABOVE_ASPECT).clamp(least, most) } else { place.width() };
            let (left, right) = place.split_left_right_at_x(place.left() + width);
            self.above.ui(ui, left, &motion, [self.raw, self.chosen], axis, session, asks);
            if any {
                let right = eframe::egui::Rect::from_min_max(pos2(right.left() + RHYTHM, right.top()), right.max);
                let plots = self.plots(ui, &motion);
                stack_ui(ui, right, &plots, axis, session, asks);
            }
        });
    }

    fn header_ui(&mut self, ui: &mut Ui, motion: &ShownMotion) {
        let colours = palette(ui.ctx());
        ui.horizontal(|ui| {
            legend_item(ui, tr("Raw"), tr("Where the source's pelvis goes"), colours.raw, &mut self.raw);
            if motion.chosen().is_some() {
                legend_item(ui, tr("Chosen"), tr("Where the result's root goes"), colours.chosen, &mut self.chosen);
            } else {
                ui.label(RichText::new(tr("No root")).small().color(colours.faint));
            }
            ui.separator();
            for (name, on) in quantities().map(|quantity| quantity.label).into_iter().zip(&mut self.plotted) {
                ui.toggle_value(on, RichText::new(name).small()).on_hover_text(tr("Shows the plot or hides it"));
            }
        });
    }

    fn plots<'a>(&self, ui: &Ui, motion: &'a ShownMotion) -> Vec<(f32, Plot<'a>)> {
        let colours = palette(ui.ctx());
        let line =
            |name, colour: Color32, values: Option<Timed<'a>>| values.map(|values| Line { name, values, colour });
        let shown = quantities().into_iter().zip(self.plotted).filter(|(_, on)| *on).map(|(quantity, _)| quantity);
        shown
            .map(|quantity| {
                let raw = line(tr("Raw"), colours.raw, motion.raw_series(quantity.raw).filter(|_| self.raw));
                let chosen = motion.chosen_series(quantity.chosen).filter(|_| self.chosen);
                let lines = raw.into_iter().chain(line(tr("Chosen"), colours.chosen, chosen)).collect();
                let Quantity { name, label, hint, unit, factor, digits, least_span, .. } = quantity;
                (1.0, Plot { name, label, hint, unit, factor, digits, least_span, from_zero: false, lines })
            })
            .collect()
    }
}
