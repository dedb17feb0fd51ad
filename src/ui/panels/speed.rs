//! The panel *Speed*: how fast the source's pelvis and the result's root go over the ground, and how far.

use eframe::egui::Ui;

use crate::session::Session;
use crate::session::derived::Derived;
use crate::ui::asks::Asks;
use crate::ui::dock::{empty_ui, padded};
use crate::ui::graph::plot::{Line, Plot, legend_item, stack_ui};
use crate::ui::shown_motion::{ShownMotion, Timed};
use crate::ui::text::tr;
use crate::ui::theme::palette;
use crate::ui::time_axis::TimeAxis;

/// State of the panel.
pub struct SpeedPanel {
    raw: bool,
    chosen: bool,
}

impl Default for SpeedPanel {
    fn default() -> Self {
        Self { raw: true, chosen: true }
    }
}

impl SpeedPanel {
    /// Draws it.
    pub fn ui(&mut self, ui: &mut Ui, session: &Session, axis: &mut TimeAxis, asks: &mut Asks) {
        let Some(motion) = ShownMotion::of(session) else { return empty_ui(ui, tr("Open a clip to see its speed")) };
        if !motion.is_measured() {
            return empty_ui(ui, tr("Measuring…"));
        }
        let clip = &motion.evaluation.clip;
        axis.look_at(clip.range, clip.rate);
        padded(ui, |ui| {
            self.legend_ui(ui, &motion);
            let place = ui.available_rect_before_wrap();
            let plots = [(3.0, self.speed_plot(ui, &motion)), (2.0, self.distance_plot(ui, &motion))];
            stack_ui(ui, place, &plots, axis, session, asks);
        });
    }

    fn legend_ui(&mut self, ui: &mut Ui, motion: &ShownMotion) {
        let colours = palette(ui.ctx());
        ui.horizontal(|ui| {
            let mean = |of: Option<Timed<'_>>| {
                let (series, frames) = of.map(|distance| (distance.series, distance.series.frames()))?;
                let secs = frames.end_secs - frames.start_secs;
                let metres = series.values().last().copied()?;
                (secs > 0.0).then(|| f64::from(metres) / secs)
            };
            let text = |name: &str, mean: Option<f64>| match mean {
                Some(mean) => format!("{name}, {} {mean:.2} m/s", tr("mean")),
                None => name.to_owned(),
            };
            let raw = text(tr("Raw"), mean(motion.raw_series(Derived::travel_distance)));
            legend_item(ui, &raw, tr("The source's pelvis over the ground"), colours.raw, &mut self.raw);
            if motion.chosen().is_some() {
                let chosen = text(tr("Chosen"), mean(motion.chosen_series(Derived::root_distance)));
                legend_item(ui, &chosen, tr("The result's root over the ground"), colours.chosen, &mut self.chosen);
            } else {
                ui.label(eframe::egui::RichText::new(tr("No root")).small().color(colours.faint));
            }
        });
    }

    fn lines<'a>(&self, ui: &Ui, raw: Option<Timed<'a>>, chosen: Option<Timed<'a>>) -> Vec<Line<'a>> {
        let colours = palette(ui.ctx());
        let raw = raw.filter(|_| self.raw).map(|values| Line { name: tr("Raw"), values, colour: colours.raw });
        let chosen =
            chosen.filter(|_| self.chosen).map(|values| Line { name: tr("Chosen"), values, colour: colours.chosen });
        raw.into_iter().chain(chosen).collect()
    }

    fn speed_plot<'a>(&self, ui: &Ui, motion: &'a ShownMotion) -> Plot<'a> {
        let raw = motion.raw_series(|take| take.travel_speed.as_ref());
        let chosen = motion.chosen_series(|result| result.root_speed.as_ref());
        Plot {
            name: tr("Speed plot"),
            label: tr("speed"),
            hint: tr("Speed over the ground, metres per second"),
            unit: "m/s",
            factor: 1.0,
            digits: 2,
            least_span: 0.1,
            from_zero: true,
            lines: self.lines(ui, raw, chosen),
        }
    }

    fn distance_plot<'a>(&self, ui: &Ui, motion: &'a ShownMotion) -> Plot<'a> {
        let raw = motion.raw_series(Derived::travel_distance);
        let chosen = motion.chosen_series(Derived::root_distance);
        Plot {
            name: tr("Distance plot"),
            label: tr("distance"),
            hint: tr("Length of the path over the ground so far, metres"),
            unit: "m",
            factor: 1.0,
            digits: 3,
            least_span: 0.1,
            from_zero: true,
            lines: self.lines(ui, raw, chosen),
        }
    }
}
