//! The panel *History*: every transaction, oldest first; a click goes to where it had just been made.

pub mod model;

use eframe::egui::{Align, Rect, TextStyle, Ui};
use lucide_icons::Icon;

use crate::edit::Transaction;
use crate::session::{Action, Session};
use crate::ui::asks::Asks;
use crate::ui::dock::padded;
use crate::ui::rows::{List, icon_in, line_in, row_response, take_left, take_right};
use crate::ui::text::tr;
use crate::ui::theme::{RHYTHM, palette};
use model::what_it_did;

/// State of the panel.
#[derive(Default)]
pub struct HistoryPanel {
    list: List,
    /// How many were done when it was last drawn: where that is another, it is scrolled to.
    seen: Option<usize>,
}

impl HistoryPanel {
    /// Draws it.
    pub fn ui(&mut self, ui: &mut Ui, session: &Session, asks: &mut Asks) {
        padded(ui, |ui| {
            let history = session.history();
            let (head, count) = (history.head(), history.len() + 1);
            if self.seen.replace(head) != Some(head) {
                self.list.reveal(head);
            }
            // The rows that are seen are asked for in order: one walk along the history does.
            let mut walk = history.transactions().enumerate();
            let mut list = std::mem::take(&mut self.list);
            let keys = list.ui(ui, tr("Transactions"), count, |ui, nth, place| {
                let transaction = nth.checked_sub(1).and_then(|at| walk.find(|(i, _)| *i == at)).map(|(_, t)| t);
                if row_ui(ui, session, nth, transaction, place) {
                    asks.act(Action::JumpTo(nth));
                }
            });
            if let Some(to) = keys.and_then(|(go, _)| go.from(Some(head), count, list.page())) {
                asks.act(Action::JumpTo(to));
            }
            self.list = list;
        });
    }
}

/// The desk after `nth` transactions; whether it was clicked.
fn row_ui(ui: &Ui, session: &Session, nth: usize, transaction: Option<&Transaction>, place: Rect) -> bool {
    let history = session.history();
    let head = history.head();
    let colours = palette(ui.ctx());
    let label = transaction.map_or(tr("Start"), |transaction| &transaction.label);
    let id = ui.make_persistent_id(("transaction", nth));
    let response = row_response(ui, place, id, label, nth == head);
    let mut left = place;
    let mark = take_left(&mut left, RHYTHM * 3.0);
    let colour = if nth > head { colours.faint } else { colours.text };
    if nth == head {
        icon_in(ui, mark, Icon::ChevronRight, colours.accent);
    }
    // The start counts as saved from the first, and says nothing.
    if nth > 0 && history.saved() == Some(nth) {
        let place = take_right(&mut left, RHYTHM * 3.0);
        let saved = ui.interact(place, id.with("saved"), eframe::egui::Sense::hover());
        let name = tr("Saved here");
        saved.widget_info(|| eframe::egui::WidgetInfo::labeled(eframe::egui::Role::Image, true, name));
        icon_in(ui, place, Icon::Save, colours.good);
        saved.on_hover_text(name);
    }
    let font = TextStyle::Body.resolve(ui.style());
    let width = ui.painter().layout_no_wrap(label.to_owned(), font, colour).size().x;
    let label_place = take_left(&mut left, width + RHYTHM);
    line_in(ui, label_place, label, &TextStyle::Body, colour, Align::Min);
    let did = transaction.map(what_it_did).unwrap_or_default();
    line_in(ui, left, &did, &TextStyle::Small, colours.faint, Align::Min);
    let hint = if did.is_empty() { label.to_owned() } else { format!("{label}\n{did}") };
    response.on_hover_text(hint).clicked()
}
