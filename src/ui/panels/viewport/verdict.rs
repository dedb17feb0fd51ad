//! The verdict line: what the checks say of the clip, each part a way to its check, and the fix beside it.

use eframe::egui::{Button, RichText, Ui};
use lucide_icons::Icon;

use crate::ops::checks::{Severity, Verdict};
use crate::ui::asks::Asks;
use crate::ui::commands::Command;
use crate::ui::dock::Pane;
use crate::ui::icons::Named as _;
use crate::ui::icons::labelled;
use crate::ui::text::tr;
use crate::ui::theme::Palette;

/// Draws it, wrapped where the view is narrow.
pub fn verdict_ui(ui: &mut Ui, verdict: &Verdict, asks: &mut Asks, colours: &Palette) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        ui.spacing_mut().button_padding.x = 3.0;
        for (n, part) in verdict.parts.iter().enumerate() {
            if n > 0 {
                ui.label(RichText::new("·").color(colours.faint));
            }
            let colour = match part.severity {
                Severity::Info => colours.text,
                Severity::Advice => colours.warning,
                Severity::Warning => colours.error,
            };
            let button = Button::new(RichText::new(&part.text).color(colour)).frame_when_inactive(false);
            let response = ui.add(button);
            let response = match verdict.finding(part.id) {
                Some(finding) => response.on_hover_text(format!("{}\n{}", finding.title, finding.detail)),
                None => response,
            };
            if response.clicked() {
                asks.run(Command::ShowPane(Pane::Checks));
            }
        }
        if !verdict.suggested.is_empty() {
            let steps: Vec<&str> = verdict.suggested.iter().map(|step| step.op.label()).collect();
            let fix = Button::new(labelled(Icon::WandSparkles, tr("Suggested fix"))).selected(true);
            if ui.add(fix).named(tr("Suggested fix")).on_hover_text(steps.join(", ")).clicked() {
                asks.run(Command::SuggestedFix);
            }
        }
    });
}
