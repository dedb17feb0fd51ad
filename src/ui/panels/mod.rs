//! The panels: each a struct of view state that reads the session and asks for what it wants.

pub mod actions;
pub mod checks;
pub mod clips;
pub mod history;
pub mod report;
pub mod rig;
pub mod speed;
pub mod steps;
pub mod timeline;
pub mod travel;
pub mod viewport;

use eframe::egui::Ui;

use super::asks::Asks;
use super::dock::Pane;
use crate::session::Session;

/// All panels.
#[derive(Default)]
#[expect(missing_docs, reason = "named as they are titled")]
pub struct Panels {
    pub clips: clips::ClipsPanel,
    pub rig: rig::RigPanel,
    pub viewport: viewport::ViewportPanel,
    pub timeline: timeline::TimelinePanel,
    pub travel: travel::TravelPanel,
    pub speed: speed::SpeedPanel,
    pub checks: checks::ChecksPanel,
    pub actions: actions::ActionsPanel,
    pub steps: steps::StepsPanel,
    pub history: history::HistoryPanel,
}

impl Panels {
    /// Draws one.
    pub fn ui(&mut self, pane: Pane, ui: &mut Ui, session: &Session, asks: &mut Asks) {
        match pane {
            Pane::Clips => self.clips.ui(ui, session, asks),
            Pane::Rig => self.rig.ui(ui, session, asks),
            Pane::Viewport => self.viewport.ui(ui, session, asks),
            Pane::Timeline => self.timeline.ui(ui, session, asks),
            Pane::Travel => self.travel.ui(ui, session, asks),
            Pane::Speed => self.speed.ui(ui, session, asks),
            Pane::Checks => self.checks.ui(ui, session, asks),
            Pane::Actions => self.actions.ui(ui, session, asks),
            Pane::Steps => self.steps.ui(ui, session, asks),
            Pane::History => self.history.ui(ui, session, asks),
        }
    }
}
