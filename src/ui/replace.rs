//! The question before another desk takes the place of one that was changed: history goes with the desk.

use eframe::egui::{self, Context};
use lucide_icons::Icon;

use super::icons::labelled_button;
use super::text::tr;
use super::theme::RHYTHM;
use crate::session::{Action, Session};

/// The desk that waits for the answer.
#[derive(Default)]
pub struct Replace {
    waiting: Option<Action>,
}

/// What the person answered.
#[derive(Clone, Debug, PartialEq)]
pub enum ReplaceAsk {
    /// The desk may go.
    Go(Action),
    /// To save it first; then ask again.
    Save,
}

impl Replace {
    /// Whether an action must wait: it replaces a desk that holds unsaved changes. Then the question is asked.
    pub fn holds(&mut self, action: &Action, session: &Session) -> bool {
        let replaces = matches!(action, Action::OpenProject(_) | Action::Recover(_));
        let holds = replaces && session.is_changed_since_saved() && session.document().clips().len() > 0;
        if holds {
            self.waiting = Some(action.clone());
        }
        holds
    }

    /// Asks when there is something to ask.
    pub fn ui(&mut self, context: &Context, session: &Session) -> Option<ReplaceAsk> {
        let action = self.waiting.clone()?;
        if !session.is_changed_since_saved() {
            // It has been saved in the meantime.
            self.waiting = None;
            return Some(ReplaceAsk::Go(action));
        }
        let (mut answer, mut done) = (None, false);
        let modal = egui::Modal::new(egui::Id::unique("replace")).show(context, |ui| {
            ui.set_width(440.0);
            ui.heading(tr("The desk was changed and not saved"));
            ui.add_space(RHYTHM);
            ui.label(tr("What is opened takes its place, and its history goes with it."));
            ui.add_space(RHYTHM);
            ui.horizontal(|ui| {
                if labelled_button(ui, Icon::Save, tr("Save it first…")).clicked() {
                    answer = Some(ReplaceAsk::Save);
                }
                if ui.button(tr("Replace it")).clicked() {
                    answer = Some(ReplaceAsk::Go(action));
                    done = true;
                }
                if ui.button(tr("Stay")).clicked() {
                    ui.close();
                }
            });
        });
        if done || modal.should_close() {
            self.waiting = None;
        }
        answer
    }
}
