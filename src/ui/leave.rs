//! The question on closing: clips were made and not exported.

use eframe::egui::{self, Context, ViewportCommand};
use lucide_icons::Icon;

use super::icons::labelled_button;
use super::text::tr;
use super::theme::RHYTHM;
use crate::session::Session;

/// State of the question.
#[derive(Default)]
pub struct Leave {
    asking: bool,
    /// The answer was to close all the same.
    confirmed: bool,
}

/// What the person wants before the window closes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeaveAsk {
    /// To export first.
    Export,
}

impl Leave {
    /// Holds a window that is about to close when something was not exported, and asks.
    pub fn ui(&mut self, context: &Context, session: &Session) -> Option<LeaveAsk> {
        let closing = context.input(|input| input.viewport().close_requested());
        if closing && !self.confirmed && !session.unexported().is_empty() {
            context.send_viewport_cmd(ViewportCommand::CancelClose);
            self.asking = true;
        }
        if !self.asking {
            return None;
        }
        let names: Vec<String> = session
            .unexported()
            .iter()
            .filter_map(|clip| session.document().clip(*clip))
            .map(|entry| entry.name.clone())
            .collect();
        let mut ask = None;
        let mut stay = false;
        let modal = egui::Modal::new(egui::Id::unique("leave")).show(context, |ui| {
            ui.set_width(420.0);
            ui.heading(match names.len() {
                1 => tr("One clip was not exported").to_owned(),
                n => format!("{n} {}", tr("clips were not exported")),
            });
            ui.add_space(RHYTHM);
            const SHOWN: usize = 6;
            for name in names.iter().take(SHOWN) {
                ui.add(egui::Label::new(name).truncate());
            }
            if names.len() > SHOWN {
                ui.label(format!("{} {}", tr("and"), names.len() - SHOWN));
            }
            ui.add_space(RHYTHM);
            ui.horizontal(|ui| {
                if labelled_button(ui, Icon::Download, tr("Export all…")).clicked() {
                    ask = Some(LeaveAsk::Export);
                }
                if ui.button(tr("Close without exporting")).clicked() {
                    self.confirmed = true;
                    context.send_viewport_cmd(ViewportCommand::Close);
                }
                stay = ui.button(tr("Stay")).clicked();
            });
        });
        if ask.is_some() || stay || modal.should_close() {
            self.asking = false;
        }
        ask
    }
}
