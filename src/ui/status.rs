//! The bar at the bottom: which clip, where in it, in which units, and what runs in the background.

use eframe::egui::{self, Align, Layout, ProgressBar, RichText, Ui};
use lucide_icons::Icon;

use super::asks::Asks;
use super::icons::icon_button;
use super::text::tr;
use super::theme::palette;
use crate::session::{Action, Session};

/// Draws the bar.
pub fn status_bar(ui: &mut Ui, session: &Session, asks: &mut Asks) {
    ui.horizontal_centered(|ui| {
        let colours = palette(ui.ctx());
        let quiet = |text: String| RichText::new(text).color(colours.faint);
        let evaluation = session.evaluation_in_view();
        let entry = session.clip_in_view().and_then(|clip| session.shown_document().clip(clip).cloned());
        match (&entry, &evaluation) {
            (Some(entry), Some(evaluation)) => {
                let (clip, playback) = (&evaluation.clip, session.playback());
                ui.add(egui::Label::new(&entry.name).truncate()).on_hover_text(&entry.name);
                let secs = clip.range.clamp(playback.secs) - clip.range.start_secs;
                let fps = clip.rate.fps();
                let last = (clip.range.duration_secs() * fps).round();
                ui.label(quiet(format!("{} {:.1} / {last}", tr("frame"), secs * fps)));
                ui.label(quiet(format!("{secs:.3} / {:.3} s", clip.range.duration_secs())));
                ui.label(quiet(format!("{} fps", trimmed(fps))));
                ui.label(quiet(tr("metres, Y up").into()));
                if let Some(refusal) = &evaluation.refused {
                    ui.label(RichText::new(refusal.error.to_string()).color(colours.error));
                }
            }
            _ => {
                ui.label(quiet(tr("No clip").into()));
            }
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            for job in session.jobs() {
                if icon_button(ui, Icon::X, &format!("{} {}", tr("Cancel"), job.label), false).clicked() {
                    asks.act(Action::CancelJob(job.id));
                }
                let bar = ProgressBar::new(job.progress.fraction() as f32).desired_width(96.0).desired_height(8.0);
                ui.add(bar);
                ui.label(quiet(job.label.clone()));
            }
            if !session.jobs().is_empty() {
                // Progress moves without anyone moving the mouse.
                ui.ctx().request_repaint_after(std::time::Duration::from_millis(50));
            }
        });
    });
}

fn trimmed(number: f64) -> String {
    let text = format!("{number:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
