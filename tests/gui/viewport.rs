//! The 3D view: what stands where, who is picked, what dragging does. Without a device but for the pictures.

mod input;
mod places;
mod real;

use std::sync::Arc;

use eframe::egui::{Theme, Vec2};
use egui_kittest::Harness;
use stridesmith::motion::demo::{Carrier, Demo, DemoSpec, Family, Gait, generate};
use stridesmith::motion::{FileId, SourceFile};
use stridesmith::session::{JobMode, Session};
use stridesmith::ui::asks::Asks;
use stridesmith::ui::commands::Command;
use stridesmith::ui::panels::viewport::ViewportPanel;
use stridesmith::ui::theme;

/// A gait of our own, and what is true of it.
pub fn demo(gait: Gait, family: Family, carrier: Carrier) -> Demo {
    generate(&DemoSpec { carrier, ..DemoSpec::new(gait, family) }, FileId(0)).unwrap()
}

/// A session that shows the only take of a file.
pub fn session_of(file: SourceFile) -> Session {
    let mut session = Session::new(JobMode::Inline);
    session.open_generated(|id| SourceFile { id, ..file }).unwrap();
    session
}

/// The panel alone, over a session.
pub struct Stage {
    pub panel: ViewportPanel,
    pub session: Session,
    pub commands: Vec<Command>,
    themed: bool,
}

/// The panel fills the harness; it is paused where the clip begins.
pub fn stage(session: Session, size: Vec2) -> Harness<'static, Stage> {
    let mut stage = Stage { panel: ViewportPanel::default(), session, commands: Vec::new(), themed: false };
    stage.session.handle(stridesmith::session::Action::Transport(stridesmith::session::Transport::Pause)).unwrap();
    Harness::builder().with_size(size).with_theme(Theme::Dark).build_ui_state(
        |ui, stage: &mut Stage| {
            if !stage.themed {
                theme::install(ui.ctx());
                stage.themed = true;
                return;
            }
            let mut asks = Asks::default();
            stage.panel.ui(ui, &stage.session, &mut asks);
            for action in asks.actions {
                stage.session.handle(action).unwrap();
            }
            for &command in &asks.commands {
                stage.panel.command(command, &stage.session);
            }
            stage.commands.extend(asks.commands);
        },
        stage,
    )
}

/// The clip and the rig of what a session shows.
pub fn shown(session: &Session) -> Arc<stridesmith::ops::Evaluation> {
    session.evaluation_in_view().unwrap()
}
