//! Asking for files: the desktop's own dialog, on a thread so that the window goes on; a field to type a path into
//! where the desktop has none.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use eframe::egui::{self, Context, Key};

use super::text::tr;
use super::theme::RHYTHM;

/// What is asked for, and so what becomes of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Clips to open.
    Open,
    /// A project to open.
    OpenProject,
    /// Where to save the project.
    SaveProject,
    /// A folder to export into.
    ExportFolder,
}

impl Purpose {
    fn title(self) -> &'static str {
        match self {
            Self::Open => tr("Open clips"),
            Self::OpenProject => tr("Open project"),
            Self::SaveProject => tr("Save project as"),
            Self::ExportFolder => tr("Export into folder"),
        }
    }
}

/// Endings of files that are read.
pub const CLIP_ENDINGS: [&str; 4] = ["fbx", "glb", "gltf", "bvh"];
/// Ending of projects.
pub const PROJECT_ENDING: &str = "stridesmith";
/// A dialog that says nothing this soon was never shown: no desktop portal answers.
const NEVER_SHOWN: Duration = Duration::from_millis(250);

struct Waiting {
    purpose: Purpose,
    since: Instant,
    answer: Receiver<Vec<PathBuf>>,
}

/// The dialog that is open, if one is.
#[derive(Default)]
pub struct Dialogs {
    waiting: Option<Waiting>,
    typed: Option<(Purpose, String)>,
}

impl Dialogs {
    /// Asks with the desktop's dialog, starting in a folder.
    pub fn ask(&mut self, context: &Context, purpose: Purpose, folder: Option<&Path>) {
        if self.waiting.is_some() {
            return;
        }
        let (sender, answer) = channel();
        let (context, folder) = (context.clone(), folder.map(Path::to_owned));
        let spawned = std::thread::Builder::new().name("file dialog".into()).spawn(move || {
            // The window may be gone; then nobody wants the answer.
            let _sent = sender.send(pick(purpose, folder.as_deref()));
            context.request_repaint();
        });
        match spawned {
            Ok(_) => self.waiting = Some(Waiting { purpose, since: Instant::now(), answer }),
            Err(_) => self.ask_typed(purpose, String::new()),
        }
    }

    /// Asks for a typed path.
    pub fn ask_typed(&mut self, purpose: Purpose, path: String) {
        self.typed = Some((purpose, path));
    }

    /// Draws the field when it is open; what was answered.
    pub fn ui(&mut self, context: &Context) -> Option<(Purpose, Vec<PathBuf>)> {
        if let Some(waiting) = &self.waiting {
            match waiting.answer.try_recv() {
                Ok(paths) => {
                    let (purpose, at_once) = (waiting.purpose, waiting.since.elapsed() < NEVER_SHOWN);
                    self.waiting = None;
                    if !paths.is_empty() {
                        return Some((purpose, paths));
                    }
                    if at_once {
                        self.ask_typed(purpose, String::new());
                    }
                }
                Err(std::sync::mpsc::TryRecvError::Empty) => {}
                Err(std::sync::mpsc::TryRecvError::Disconnected) => self.waiting = None,
            }
        }
        self.typed_ui(context)
    }

    fn typed_ui(&mut self, context: &Context) -> Option<(Purpose, Vec<PathBuf>)> {
        let (purpose, text) = self.typed.as_mut()?;
        let purpose = *purpose;
        let mut answer = None;
        let modal = egui::Modal::new(egui::Id::unique("path")).show(context, |ui| {
            ui.set_width(560.0);
            ui.heading(purpose.title());
            ui.add_space(RHYTHM);
            let hint = match purpose {
                Purpose::Open => tr("Path of an FBX, glTF, GLB or BVH file"),
                Purpose::OpenProject | Purpose::SaveProject => tr("Path of a .stridesmith file"),
                Purpose::ExportFolder => tr("Path of a folder"),
            };
            let field = ui.add(egui::TextEdit::singleline(text).hint_text(hint).desired_width(f32::INFINITY));
            let entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            if !entered {
                field.request_focus();
            }
            field.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, hint));
            ui.add_space(RHYTHM);
            let path = as_path(text);
            let there = match purpose {
                Purpose::Open | Purpose::OpenProject => path.is_file(),
                Purpose::SaveProject => path.parent().is_some_and(Path::is_dir),
                Purpose::ExportFolder => !text.trim().is_empty(),
            };
            ui.horizontal(|ui| {
                let ok = ui.add_enabled(there, egui::Button::new(tr("OK")));
                let ok = ok.on_disabled_hover_text(tr("There is no such file"));
                if ok.clicked() || (entered && there) {
                    answer = Some(path.clone());
                }
                if ui.button(tr("Cancel")).clicked() {
                    ui.close();
                }
                if !there && !text.trim().is_empty() {
                    let colour = super::theme::palette(ui.ctx()).warning;
                    ui.label(egui::RichText::new(tr("There is no such file")).color(colour));
                }
            });
        });
        if answer.is_some() || modal.should_close() {
            self.typed = None;
        }
        answer.map(|path| (purpose, vec![path]))
    }
}

fn pick(purpose: Purpose, folder: Option<&Path>) -> Vec<PathBuf> {
    let mut dialog = rfd::FileDialog::new().set_title(purpose.title());
    if let Some(folder) = folder {
        dialog = dialog.set_directory(folder);
    }
    let project = (tr("Stridesmith project"), &[PROJECT_ENDING]);
    match purpose {
        Purpose::Open => {
            let upper = CLIP_ENDINGS.map(str::to_ascii_uppercase);
            let endings: Vec<&str> = CLIP_ENDINGS.into_iter().chain(upper.iter().map(String::as_str)).collect();
            dialog.add_filter(tr("Clips"), &endings).pick_files().unwrap_or_default()
        }
        Purpose::OpenProject => dialog.add_filter(project.0, project.1).pick_file().into_iter().collect(),
        Purpose::SaveProject => dialog.add_filter(project.0, project.1).save_file().into_iter().collect(),
        Purpose::ExportFolder => dialog.pick_folder().into_iter().collect(),
    }
}

/// A typed or pasted path: quotes and `file://` cut, `~` the home folder.
pub fn as_path(text: &str) -> PathBuf {
    let text = text.trim().trim_matches(['"', '\'']);
    let text = text.strip_prefix("file://").unwrap_or(text);
    match text.strip_prefix("~/").zip(directories::BaseDirs::new()) {
        Some((rest, dirs)) => dirs.home_dir().join(rest),
        None => PathBuf::from(text),
    }
}
