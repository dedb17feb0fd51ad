//! The application: session, docks and panels, and the one place that carries out what panels ask for. The commands
//! are in a file of their own.

mod run;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use eframe::egui::{self, Panel, Ui};

use super::asks::Asks;
use super::commands::{Command, Entry, table};
use super::dialogs::{Dialogs, PROJECT_ENDING, Purpose};
use super::dock::Pane;
use super::export::{ExportAsk, ExportDialog};
use super::help::Help;
use super::keys::Keymap;
use super::leave::{Leave, LeaveAsk};
use super::menu::{Ticks, menu_bar};
use super::palette::CommandPalette;
use super::panels::Panels;
use super::recover::Recovery;
use super::replace::{Replace, ReplaceAsk};
use super::settings::Settings;
use super::status::status_bar;
use super::text::tr;
use super::theme::{self, BAR_HEIGHT};
use super::toasts::{Toast, ToastAsk, Toasts};
use crate::session::autosave::{Autosave, Recoverable};
use crate::session::{Action, Change, JobMode, NoticeKind, Session, SessionError, error_text};

/// Settings are written so long after the last change.
const SETTINGS_AFTER: Duration = Duration::from_secs(2);

/// The window's state.
pub struct App {
    /// The application without a window.
    pub session: Session,
    settings: Settings,
    /// Where settings are kept; `None`: nowhere, as in tests.
    folder: Option<PathBuf>,
    /// The settings as last written, and when they were first seen to differ.
    written: (String, Option<Instant>),
    table: Vec<Entry>,
    keys: Keymap,
    panels: Panels,
    palette: CommandPalette,
    dialogs: Dialogs,
    export: ExportDialog,
    leave: Leave,
    replace: Replace,
    help: Help,
    toasts: Toasts,
    autosave: Option<Autosave>,
    /// Whether it was said that the desk is not saved by itself.
    unsaved_said: bool,
    recovery: Recovery,
    /// A desk that is being brought back: forgotten once it is saved as ours.
    recovered: Option<Recoverable>,
}

impl App {
    /// In a window that opens, with jobs on threads.
    pub fn start(creation: &eframe::CreationContext<'_>, files: Vec<PathBuf>, demo: bool) -> Self {
        let mut session = Session::new(JobMode::Threads);
        let context = creation.egui_ctx.clone();
        session.set_waker(Arc::new(move || context.request_repaint()));
        let folder = Settings::folder();
        let mut app = Self::new(&creation.egui_ctx, session, folder);
        app.use_device(creation.wgpu_render_state.as_ref());
        if !files.is_empty() {
            app.open_files(files);
        }
        if demo {
            app.run(&creation.egui_ctx, Command::OpenDemo);
        }
        app
    }

    /// With a session that is there already, and settings kept in `folder`; in tests jobs run in line and nothing is
    /// kept.
    pub fn new(context: &egui::Context, mut session: Session, folder: Option<PathBuf>) -> Self {
        theme::install(context);
        let (settings, fault) = folder.as_deref().map(Settings::load).unwrap_or_default();
        theme::choose(context, settings.theme);
        drop(session.handle(Action::View(settings.view.clone())));
        let table = table();
        let mut toasts = Toasts::default();
        let mut error =
            |text| toasts.push(Toast { kind: NoticeKind::Error, text, clip: None, undo_at: None, file: None });
        if let Some(fault) = fault {
            error(fault);
        }
        let autosave = folder.as_deref().map(|folder| Autosave::new(&folder.join("desks"))).transpose();
        let autosave = autosave.unwrap_or_else(|fault| {
            error(format!("{}: {}", tr("The desk is not saved by itself"), error_text(&fault)));
            None
        });
        let keys = keys(&table, folder.as_deref()).unwrap_or_else(|fault| {
            error(fault);
            Keymap::standard(&table)
        });
        let mut panels = Panels::default();
        panels.time.first_frame = settings.first_frame;
        Self {
            session,
            settings,
            folder,
            written: (String::new(), None),
            table,
            keys,
            panels,
            palette: CommandPalette::default(),
            dialogs: Dialogs::default(),
            export: ExportDialog::default(),
            leave: Leave::default(),
            replace: Replace::default(),
            help: Help::default(),
            toasts,
            recovery: Recovery::new(autosave.as_ref()),
            autosave,
            unsaved_said: false,
            recovered: None,
        }
    }

    /// Draws the 3D view with the window's graphics device, when it has one.
    pub fn use_device(&mut self, state: Option<&eframe::egui_wgpu::RenderState>) {
        self.panels.viewport.use_device(state);
    }

    /// The notes that are shown, oldest first.
    pub fn toast_texts(&self) -> Vec<String> {
        self.toasts.texts().map(str::to_owned).collect()
    }

    /// Draws the whole window and carries out what was asked for.
    pub fn show(&mut self, ui: &mut Ui) {
        let context = ui.ctx().clone();
        self.session.poll();
        self.take_notices();
        self.take_dropped(&context);
        let elapsed = f64::from(context.input(|input| input.stable_dt.min(0.1)));
        if self.session.tick(elapsed) {
            context.request_repaint();
        }
        let mut asks = Asks::default();
        // While the camera flies, letters steer it.
        if !self.panels.viewport.is_flying() {
            self.keys.pressed(&context).into_iter().for_each(|command| asks.run(command));
        }
        self.frame_ui(ui, &mut asks);
        self.floating_ui(&context, &mut asks);
        let anything = !asks.actions.is_empty() || !asks.commands.is_empty();
        for action in asks.actions {
            self.act(action);
        }
        for command in asks.commands {
            self.run(&context, command);
        }
        for path in asks.reveals {
            self.reveal(&path);
        }
        if anything {
            self.take_notices();
            context.request_repaint();
        }
        self.keep_desk();
        self.keep_settings(&context);
    }

    fn frame_ui(&mut self, ui: &mut Ui, asks: &mut Asks) {
        let ticks = Ticks { theme: self.settings.theme, navigation: self.settings.navigation };
        Panel::top("menus").exact_size(BAR_HEIGHT).show(ui, |ui| {
            menu_bar(ui, &self.table, &self.keys, ticks, &self.session, asks);
        });
        Panel::bottom("status").exact_size(BAR_HEIGHT - 4.0).show(ui, |ui| status_bar(ui, &self.session, asks));
        self.panels.viewport.remember(&self.settings);
        self.settings.dock.ui(ui, &mut self.panels, &self.session, asks);
    }

    fn floating_ui(&mut self, context: &egui::Context, asks: &mut Asks) {
        if let Some(command) = self.palette.ui(context, &self.table, &self.keys, &self.session) {
            asks.run(command);
        }
        self.help.ui(context, &self.table, &self.keys);
        if let Some((purpose, paths)) = self.dialogs.ui(context) {
            self.answered(purpose, paths);
        }
        let ask = self.export.ui(context, &self.session, asks);
        if let Some(folder) = self.export.folder() {
            self.settings.export_folder = Some(folder);
        }
        if ask == Some(ExportAsk::Browse) {
            self.dialogs.ask(context, Purpose::ExportFolder, self.last_folder().as_deref());
        }
        if let Some(desk) = self.recovery.ui(context, self.autosave.as_ref()) {
            asks.act(Action::Recover(desk.path.clone()));
            self.recovered = Some(desk);
        }
        if self.leave.ui(context, &self.session) == Some(LeaveAsk::Export) {
            asks.run(Command::ExportAll);
        }
        match self.replace.ui(context, &self.session) {
            Some(ReplaceAsk::Go(action)) => self.replacing(action),
            Some(ReplaceAsk::Save) => asks.run(Command::SaveProject),
            None => {}
        }
        match self.toasts.ui(context, &self.session) {
            Some(ToastAsk::Show(clip)) => asks.act(Action::Select(vec![clip])),
            Some(ToastAsk::Undo) => asks.act(Action::Undo),
            Some(ToastAsk::Reveal(path)) => self.reveal(&path),
            Some(ToastAsk::UndoExport(path)) => asks.act(Action::UndoExport(path)),
            None => {}
        }
    }

    fn answered(&mut self, purpose: Purpose, paths: Vec<PathBuf>) {
        match purpose {
            Purpose::Open => self.open_files(paths),
            Purpose::ExportFolder => paths.into_iter().for_each(|folder| self.export.set_folder(&folder)),
            Purpose::OpenProject => paths.into_iter().for_each(|path| self.act(Action::OpenProject(path))),
            Purpose::SaveProject => paths.into_iter().for_each(|path| self.act(Action::SaveProject(with_ending(path)))),
        }
    }

    /// Opens files, and remembers them as recent.
    pub fn open_files(&mut self, paths: Vec<PathBuf>) {
        let is_project = |path: &PathBuf| path.extension().is_some_and(|ending| ending == PROJECT_ENDING);
        let (projects, paths): (Vec<_>, Vec<_>) = paths.into_iter().partition(is_project);
        projects.into_iter().for_each(|project| self.act(Action::OpenProject(project)));
        if paths.is_empty() {
            return;
        }
        self.settings.dock.show(Pane::Checks);
        for path in &paths {
            self.settings.opened(path);
        }
        self.act(Action::Open(paths));
    }

    /// Carries an action out; a refusal becomes a note that stays. One that would lose unsaved work asks first.
    fn act(&mut self, action: Action) {
        if !self.replace.holds(&action, &self.session) {
            self.replacing(action);
        }
    }

    fn replacing(&mut self, action: Action) {
        let head = self.session.history().head();
        let preview = matches!(action, Action::Preview(_));
        let makes = matches!(
            action,
            Action::Commit | Action::Change(Change::Apply { .. } | Change::Remove { .. } | Change::Close { .. })
        );
        match self.session.handle(action) {
            Ok(()) if makes && self.session.history().head() == head + 1 => self.say_done(),
            Ok(()) => {}
            // A card says itself why it cannot be previewed.
            Err(error) if preview => self.panels.actions.preview_refused(error_text(&error)),
            Err(SessionError::NoHistory(_)) => {}
            Err(error) => self.note(NoticeKind::Error, error_text(&error)),
        }
    }

    fn say_done(&mut self) {
        let history = self.session.history();
        let Some(label) = history.undo_label() else { return };
        let mut text = label.to_owned();
        let made = self.session.selection().clips.first().copied();
        if let Some(entry) = made.and_then(|clip| self.session.document().clip(clip)).filter(|e| e.output().is_some()) {
            text = format!("{text}: {}", entry.name);
        }
        let undo_at = Some(history.head());
        self.toasts.push(Toast { kind: NoticeKind::Done, text, clip: None, undo_at, file: None });
    }

    fn note(&mut self, kind: NoticeKind, text: String) {
        self.toasts.push(Toast { kind, text, clip: None, undo_at: None, file: None });
    }

    fn take_notices(&mut self) {
        for notice in self.session.take_notices() {
            let shown = self.session.selection().clips.first() == notice.clip.as_ref();
            let clip = notice.clip.filter(|_| !shown);
            // Of an export the file can be shown.
            let file = notice.clip.and_then(|clip| self.session.exported_to(clip)).map(Path::to_owned);
            let file = file.filter(|path| notice.text.ends_with(&*path.to_string_lossy()));
            self.toasts.push(Toast { kind: notice.kind, text: notice.text, clip, undo_at: None, file });
        }
    }

    fn take_dropped(&mut self, context: &egui::Context) {
        let dropped: Vec<PathBuf> =
            context.input(|input| input.raw.dropped_files.iter().map(|file| file.path().to_owned()).collect());
        if !dropped.is_empty() {
            self.open_files(dropped);
        }
    }

    /// The folder of the file in view, for dialogs to start in.
    fn last_folder(&self) -> Option<PathBuf> {
        let clip = self.session.clip_in_view()?;
        let (open, _) = self.session.shown_document().take_of(clip)?;
        open.file.path.parent().map(Path::to_owned).filter(|folder| folder.is_dir())
    }

    /// Shows a file in the desktop's file manager: its folder, which every desktop can open.
    fn reveal(&mut self, path: &Path) {
        let folder = path.parent().unwrap_or(path);
        let opener = if cfg!(target_os = "macos") {
            "open"
        } else if cfg!(windows) {
            "explorer"
        } else {
            "xdg-open"
        };
        if let Err(error) = std::process::Command::new(opener).arg(folder).spawn() {
            self.note(
                NoticeKind::Warning,
                format!("{} ({error}): {}", tr("The folder could not be shown"), folder.display()),
            );
        }
    }

    /// Saves the desk when it has changed.
    fn keep_desk(&mut self) {
        let Some(autosave) = &mut self.autosave else { return };
        match autosave.save(&self.session) {
            Ok(saved) => {
                // Given to the writer is not yet written.
                self.unsaved_said &= !saved;
                if saved
                    && let Some(desk) =
                        self.recovered.take_if(|desk| self.session.recovered_from() == Some(desk.path.as_path()))
                {
                    autosave.discard(&desk);
                }
            }
            Err(error) if !self.unsaved_said => {
                self.unsaved_said = true;
                let text = format!("{}: {}", tr("The desk is not saved by itself"), error_text(&error));
                self.note(NoticeKind::Error, text);
            }
            Err(_) => {}
        }
    }

    /// Writes the settings some time after they have changed.
    fn keep_settings(&mut self, context: &egui::Context) {
        let Some(folder) = &self.folder else { return };
        if let Some(since) = self.written.1
            && since.elapsed() < SETTINGS_AFTER
        {
            context.request_repaint_after(SETTINGS_AFTER.saturating_sub(since.elapsed()));
            return;
        }
        let due = self.written.1.is_some();
        self.settings.view.clone_from(self.session.view());
        self.settings.first_frame = self.panels.time.first_frame;
        let now = serde_json::to_string(&self.settings).unwrap_or_default();
        if now == self.written.0 {
            self.written.1 = None;
        } else if self.written.0.is_empty() {
            self.written.0 = now;
        } else if !due {
            self.written.1 = Some(Instant::now());
            context.request_repaint_after(SETTINGS_AFTER);
        } else {
            self.written = (now, None);
            if let Err(error) = self.settings.save(folder) {
                let text = format!("{} ({error}): {}", tr("The settings could not be written"), folder.display());
                self.note(NoticeKind::Warning, text);
            }
        }
    }
}

/// A name without an ending gets ours.
fn with_ending(path: PathBuf) -> PathBuf {
    if path.extension().is_some() { path } else { path.with_extension(PROJECT_ENDING) }
}

/// The keys of the table, with those of a file where there is one.
fn keys(table: &[Entry], folder: Option<&Path>) -> Result<Keymap, String> {
    let Some(path) = folder.map(|folder| folder.join("keys.json")).filter(|path| path.exists()) else {
        return Ok(Keymap::standard(table));
    };
    let said = |why: String| format!("{}: {why}: {}", tr("The keys are the usual ones"), path.display());
    let text = std::fs::read_to_string(&path).map_err(|error| said(error.to_string()))?;
    Keymap::with_file(table, &text).map_err(|error| said(error.to_string()))
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        self.show(ui);
    }

    fn on_exit(&mut self) {
        self.session.wait_for_saves();
        if let Some(autosave) = self.autosave.take() {
            autosave.finish();
        }
        self.settings.view.clone_from(self.session.view());
        self.settings.first_frame = self.panels.time.first_frame;
        if let Some(folder) = &self.folder {
            // There is nobody left to tell.
            let _saved = self.settings.save(folder);
        }
    }
}
