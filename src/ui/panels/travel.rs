//! The panel *Travel*.

use eframe::egui::Ui;

use crate::session::Session;
use crate::ui::asks::Asks;
use crate::ui::dock::empty_ui;

/// State of the panel.
#[derive(Default)]
pub struct TravelPanel {}

impl TravelPanel {
    /// Draws it.
    pub fn ui(&mut self, ui: &mut Ui, _session: &Session, _asks: &mut Asks) {
        empty_ui(ui, "");
    }
}
