//! The desk of a program that did not end as it should, offered again.

use eframe::egui::{self, Context};
use lucide_icons::Icon;

use super::icons::labelled_button;
use super::text::tr;
use super::theme::RHYTHM;
use crate::session::autosave::{Autosave, Recoverable};

/// The desks that are offered.
#[derive(Default)]
pub struct Recovery {
    found: Vec<Recoverable>,
}

impl Recovery {
    /// What lies there when the window opens.
    pub fn new(autosave: Option<&Autosave>) -> Self {
        Self { found: autosave.map(Autosave::recoverable).unwrap_or_default() }
    }

    /// Asks about the latest desk, if there is one; the desk that is wanted.
    pub fn ui(&mut self, context: &Context, autosave: Option<&Autosave>) -> Option<Recoverable> {
        let desk = self.found.first()?.clone();
        let mut wanted = None;
        let mut done = false;
        let modal = egui::Modal::new(egui::Id::unique("recover")).show(context, |ui| {
            ui.set_width(440.0);
            ui.heading(tr("Bring back what was on the desk?"));
            ui.add_space(RHYTHM);
            let text = tr("The program did not end as it should. The desk was saved");
            ui.label(format!("{text} {}.", ago(&desk)));
            ui.label(&desk.summary);
            ui.add_space(RHYTHM);
            ui.horizontal(|ui| {
                if labelled_button(ui, Icon::RotateCcw, tr("Bring it back")).clicked() {
                    wanted = Some(desk.clone());
                    done = true;
                }
                if ui.button(tr("Forget it")).clicked() {
                    if let Some(autosave) = autosave {
                        autosave.discard(&desk);
                    }
                    done = true;
                }
                if ui.button(tr("Ask again next time")).clicked() {
                    ui.close();
                }
            });
        });
        if done {
            self.found.remove(0);
        } else if modal.should_close() {
            self.found.clear();
        }
        wanted
    }
}

fn ago(desk: &Recoverable) -> String {
    let minutes = desk.when.elapsed().unwrap_or_default().as_secs() / 60;
    match minutes {
        0 => tr("less than a minute ago").to_owned(),
        1..60 => format!("{minutes} {}", tr("minutes ago")),
        60..2880 => format!("{} {}", minutes / 60, tr("hours ago")),
        _ => format!("{} {}", minutes / 1440, tr("days ago")),
    }
}
