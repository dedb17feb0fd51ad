//! The application: session, docks and panels, and the one place that carries out what panels ask for.

use std::path::PathBuf;
use std::sync::Arc;

use eframe::egui::{self, Ui};

use super::asks::Asks;
use super::commands::Command;
use super::dock::Dock;
use super::panels::Panels;
use super::theme::{self, ThemeChoice};
use crate::session::{Action, JobMode, Session};

/// The window's state.
pub struct App {
    /// The application without a window.
    pub session: Session,
    dock: Dock,
    panels: Panels,
}

impl App {
    /// In a window that opens, with jobs on threads.
    pub fn start(creation: &eframe::CreationContext<'_>, files: Vec<PathBuf>, demo: bool) -> Self {
        let mut session = Session::new(JobMode::Threads);
        let context = creation.egui_ctx.clone();
        session.set_waker(Arc::new(move || context.request_repaint()));
        let mut app = Self::with_session(&creation.egui_ctx, session, files);
        if demo {
            app.run(Command::OpenDemo);
        }
        app
    }

    /// With a session that is there already; for tests, whose jobs run in line.
    pub fn with_session(context: &egui::Context, session: Session, files: Vec<PathBuf>) -> Self {
        theme::install(context);
        theme::choose(context, ThemeChoice::Dark);
        let mut app = Self { session, dock: Dock::default(), panels: Panels::default() };
        if !files.is_empty() {
            app.act(Action::Open(files));
        }
        app
    }

    /// Draws the whole window and carries out what was asked for.
    pub fn show(&mut self, ui: &mut Ui) {
        self.session.poll();
        let elapsed = f64::from(ui.input(|input| input.stable_dt.min(0.1)));
        if self.session.tick(elapsed) {
            ui.ctx().request_repaint();
        }
        let mut asks = Asks::default();
        self.dock.ui(ui, &mut self.panels, &self.session, &mut asks);
        let anything = !asks.actions.is_empty() || !asks.commands.is_empty();
        for action in asks.actions {
            self.act(action);
        }
        for command in asks.commands {
            self.run(command);
        }
        if anything {
            ui.ctx().request_repaint();
        }
    }

    fn act(&mut self, action: Action) {
        let _refused = self.session.handle(action);
    }

    fn run(&mut self, command: Command) {
        match command {
            Command::ShowPane(pane) => self.dock.show(pane),
            Command::OpenDemo => {
                if let Ok(file) = super::demo_file(crate::motion::FileId(0)) {
                    let _refused = self.session.open_generated(|id| crate::motion::SourceFile { id, ..file });
                }
            }
            Command::FrameFigure | Command::Camera(_) | Command::Orthographic | Command::Navigation(_) => {
                self.panels.viewport.command(command, &self.session);
            }
            Command::Follow => {
                let mut view = self.session.view().clone();
                view.follow = !view.follow;
                self.act(Action::View(view));
            }
            _ => {}
        }
    }
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut Ui, frame: &mut eframe::Frame) {
        self.panels.viewport.use_device(frame.wgpu_render_state());
        self.show(ui);
    }
}
