//! What each command does.

use std::path::Path;

use eframe::egui;

use super::super::asks::Asks;
use super::super::commands::Command;
use super::super::dialogs::Purpose;
use super::super::dock::{Dock, Pane};
use super::super::panels::clips::command_lines;
use super::super::text::tr;
use super::super::theme;
use super::App;
use crate::motion::{FileId, SourceFile};
use crate::session::demo::demo_file;
use crate::session::{Action, Change, Ghost, NoticeKind, Transport, error_text};

impl App {
    /// Carries a command out.
    pub(super) fn run(&mut self, context: &egui::Context, command: Command) {
        use Command as C;
        let clips = || self.session.selection().clips.clone();
        match command {
            C::Open => self.dialogs.ask(context, Purpose::Open, self.last_folder().as_deref()),
            C::OpenProject => self.dialogs.ask(context, Purpose::OpenProject, self.last_folder().as_deref()),
            C::SaveProject => match self.session.project_path().map(Path::to_owned) {
                Some(path) => self.act(Action::SaveProject(path)),
                None => self.dialogs.ask(context, Purpose::SaveProject, self.last_folder().as_deref()),
            },
            C::SaveProjectAs => self.dialogs.ask(context, Purpose::SaveProject, self.last_folder().as_deref()),
            C::OpenPath => self.dialogs.ask_typed(Purpose::Open, String::new()),
            C::OpenDemo => match demo_file(FileId(0)) {
                Ok(file) => {
                    if let Err(error) = self.session.open_generated(|id| SourceFile { id, ..file }) {
                        self.note(NoticeKind::Error, error_text(&error));
                    }
                }
                Err(error) => self.note(NoticeKind::Error, error.to_string()),
            },
            C::Export | C::ExportAll => {
                // A file made in memory lies nowhere: its clips need a folder.
                let folder = self.last_folder().is_none().then(|| self.settings.folder_for_exports());
                self.export.open(command == C::ExportAll, folder);
            }
            C::Quit => context.send_viewport_cmd(egui::ViewportCommand::Close),
            C::Undo => self.act(Action::Undo),
            C::Redo => self.act(Action::Redo),
            C::Duplicate => self.act(Action::Change(Change::Duplicate { clips: clips() })),
            C::Remove => self.act(Action::Change(Change::Remove { clips: clips() })),
            C::SelectAll => {
                let listed = self.panels.clips.listed(&self.session);
                self.act(Action::Select(listed));
            }
            C::Rename => self.panels.clips.start_rename(&self.session),
            C::CopyCommandLine => match command_lines(&self.session, &clips()) {
                Ok(lines) => context.copy_text(lines),
                Err(why) => self.note(NoticeKind::Warning, why),
            },
            C::SuggestedFix => match self.panels.checks.suggested(&self.session) {
                Some(change) => self.act(Action::Change(change)),
                None => self.note(NoticeKind::Done, tr("The checks suggest nothing for this clip").to_owned()),
            },
            C::Card(card) => {
                self.settings.dock.show(Pane::Actions);
                self.panels.actions.open(card);
            }
            C::ApplyCard | C::ApplyCardHere => {
                let mut asks = Asks::default();
                self.panels.actions.apply(command == C::ApplyCardHere, &self.session, &mut asks);
                asks.actions.into_iter().for_each(|action| self.act(action));
            }
            C::CancelCard => {
                let mut asks = Asks::default();
                self.panels.actions.close(&mut asks);
                // Another panel's gesture is cancelled too: it sees that its preview is gone.
                if asks.actions.is_empty() && self.session.previewed().is_some() {
                    asks.act(Action::Cancel);
                }
                asks.actions.into_iter().for_each(|action| self.act(action));
            }
            C::Theme(choice) => {
                self.settings.theme = choice;
                theme::choose(context, choice);
            }
            C::Navigation(preset) => self.settings.navigation = preset,
            C::FrameFigure | C::Camera(_) | C::Orthographic => self.panels.viewport.command(command, &self.session),
            C::ResetLayout => self.settings.dock = Dock::default(),
            C::ShowPane(pane) => self.settings.dock.show(pane),
            C::Palette => self.palette.open(),
            C::Help => self.help.open(),
            C::About => self.help.open_about(),
            _ => self.run_playback(command),
        }
    }

    /// Commands about the playhead and about what is drawn.
    fn run_playback(&mut self, command: Command) {
        use Command as C;
        let speed = |faster| Transport::Speed(self.session.playback().next_speed(faster));
        let transport = match command {
            C::PlayPause => Transport::Toggle,
            C::PlayForwards => Transport::Forwards,
            C::PlayBackwards => Transport::Backwards,
            C::Pause => Transport::Pause,
            C::NextFrame => Transport::Step(1),
            C::PreviousFrame => Transport::Step(-1),
            C::NextTenFrames => Transport::Step(10),
            C::PreviousTenFrames => Transport::Step(-10),
            C::FirstFrame => Transport::First,
            C::LastFrame => Transport::Last,
            C::LoopFromHere => Transport::LoopFromHere,
            C::LoopToHere => Transport::LoopToHere,
            C::LoopAll => Transport::Loop(None),
            C::Slower => speed(false),
            C::Faster => speed(true),
            _ => return self.run_view(command),
        };
        self.act(Action::Transport(transport));
    }

    fn run_view(&mut self, command: Command) {
        use Command as C;
        let mut view = self.session.view().clone();
        let toggled = |now: Ghost, to: Ghost| if now == to { Ghost::Off } else { to };
        match command {
            C::ToggleMesh => view.mesh = !view.mesh,
            C::ToggleBones => view.bones = !view.bones,
            C::ToggleTrails => view.trails = !view.trails,
            C::TogglePaths => view.paths = !view.paths,
            C::ToggleGrid => view.grid = !view.grid,
            C::ToggleShadow => view.shadow = !view.shadow,
            C::ToggleGhost => view.ghost = toggled(view.ghost, Ghost::Over),
            C::GhostBeside => view.ghost = toggled(view.ghost, Ghost::Beside),
            C::Follow => view.follow = !view.follow,
            C::Travel(travel) => view.travel = travel,
            _ => return,
        }
        self.act(Action::View(view));
    }
}
