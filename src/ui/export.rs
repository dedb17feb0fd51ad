//! The dialog *Export*: which clips, into which folder, and the names that will be written, before anything is.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use eframe::egui::{self, Context, Key, RichText, ScrollArea, Ui};
use lucide_icons::Icon;

use super::asks::Asks;
use super::icons::{Named as _, icon, labelled, labelled_button};
use super::text::tr;
use super::theme::{RHYTHM, ROW_HEIGHT, palette};
use crate::edit::Document;
use crate::ops::ClipId;
use crate::session::{Action, ExportRequest, PlannedFile, Session, error_text};

/// Names are looked up on the disk again after this.
const LOOK_AGAIN: Duration = Duration::from_secs(2);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    Selected,
    Ends,
}

/// State of the dialog.
pub struct ExportDialog {
    open: bool,
    which: Which,
    beside: bool,
    /// As typed.
    folder: String,
    alone: bool,
    plan: Option<Plan>,
}

/// What would be written, and for what it was found out.
struct Plan {
    request: ExportRequest,
    document: Arc<Document>,
    looked: Instant,
    /// New files, and with files of ours updated.
    new: Result<Vec<PlannedFile>, String>,
    update: Result<Vec<PlannedFile>, String>,
}

impl Default for ExportDialog {
    fn default() -> Self {
        Self { open: false, which: Which::Selected, beside: true, folder: String::new(), alone: false, plan: None }
    }
}

/// What the dialog wants of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportAsk {
    /// The desktop's dialog for a folder.
    Browse,
}

impl ExportDialog {
    /// Opens it, for the selected clips or for all ends.
    pub fn open(&mut self, all: bool, folder: Option<PathBuf>) {
        self.open = true;
        self.which = if all { Which::Ends } else { Which::Selected };
        if let Some(folder) = folder {
            self.set_folder(&folder);
        }
        self.plan = None;
    }

    /// The folder that was chosen.
    pub fn set_folder(&mut self, folder: &Path) {
        self.beside = false;
        self.folder = folder.display().to_string();
    }

    /// The folder, when one was chosen.
    pub fn folder(&self) -> Option<PathBuf> {
        (!self.beside && !self.folder.trim().is_empty()).then(|| super::dialogs::as_path(&self.folder))
    }

    /// Draws it when it is open.
    pub fn ui(&mut self, context: &Context, session: &Session, asks: &mut Asks) -> Option<ExportAsk> {
        if !self.open {
            return None;
        }
        let mut ask = None;
        let mut done = false;
        let modal = egui::Modal::new(egui::Id::unique("export")).show(context, |ui| {
            ui.set_width(560.0);
            ui.heading(tr("Export"));
            ui.add_space(RHYTHM);
            ask = self.settings_ui(ui, session);
            ui.add_space(RHYTHM);
            self.refresh_plan(session);
            self.names_ui(ui);
            ui.add_space(RHYTHM);
            done = self.buttons_ui(ui, asks);
        });
        if done || modal.should_close() {
            self.open = false;
        }
        ask
    }

    fn settings_ui(&mut self, ui: &mut Ui, session: &Session) -> Option<ExportAsk> {
        let mut ask = None;
        let (selected, ends) = (session.selection().clips.len(), session.document().ends().len());
        ui.horizontal(|ui| {
            ui.radio_value(&mut self.which, Which::Selected, format!("{} ({selected})", tr("Selected clips")));
            ui.radio_value(&mut self.which, Which::Ends, format!("{} ({ends})", tr("All that was made")))
                .on_hover_text(tr("Every clip that no other was made from"));
        });
        ui.horizontal(|ui| {
            ui.radio_value(&mut self.beside, true, tr("Beside each source"));
            ui.radio_value(&mut self.beside, false, tr("Into a folder"));
        });
        if !self.beside {
            ui.horizontal(|ui| {
                let width = ui.available_width() - 110.0;
                let field = egui::TextEdit::singleline(&mut self.folder).desired_width(width).hint_text(tr("Folder"));
                let field = ui.add(field);
                field.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, tr("Folder")));
                if labelled_button(ui, Icon::FolderOpen, tr("Browse…")).clicked() {
                    ask = Some(ExportAsk::Browse);
                }
            });
        }
        let alone = ui.checkbox(&mut self.alone, tr("Only these clips, not a copy of the whole source"));
        alone.on_hover_text(tr("Leaves the other clips of the source file out"));
        let colour = palette(ui.ctx()).faint;
        ui.label(
            RichText::new(tr("A glTF stays a glTF; everything else becomes a GLB. No source is changed."))
                .color(colour),
        );
        ask
    }

    fn clips(&self, session: &Session) -> Vec<ClipId> {
        match self.which {
            Which::Selected => session.selection().clips.clone(),
            Which::Ends => session.document().ends(),
        }
    }

    fn refresh_plan(&mut self, session: &Session) {
        let clips = self.clips(session);
        let request = ExportRequest { clips, folder: self.folder(), format: None, alone: self.alone, update: false };
        let document = session.document();
        let known = self.plan.as_ref().is_some_and(|plan| {
            plan.request == request && Arc::ptr_eq(&plan.document, document) && plan.looked.elapsed() < LOOK_AGAIN
        });
        if !known {
            let update = ExportRequest { update: true, ..request.clone() };
            let look = |request: &ExportRequest| session.export_plan(request).map_err(|error| error_text(&error));
            let (new, update) = (look(&request), look(&update));
            self.plan = Some(Plan { request, document: document.clone(), looked: Instant::now(), new, update });
        }
    }

    fn names_ui(&self, ui: &mut Ui) {
        let Some(plan) = &self.plan else { return };
        let colours = palette(ui.ctx());
        ui.label(RichText::new(tr("Will be written")).strong());
        let files = match &plan.new {
            Ok(files) => files,
            Err(why) => {
                ui.label(RichText::new(why).color(colours.warning));
                return;
            }
        };
        let list = ScrollArea::vertical().max_height(ROW_HEIGHT * 6.0).auto_shrink([false, true]);
        list.show_rows(ui, ROW_HEIGHT, files.len(), |ui, rows| {
            for file in files.get(rows).unwrap_or_default() {
                ui.horizontal(|ui| {
                    ui.label(RichText::new(icon(Icon::FilePlus)).color(colours.good));
                    let name = file.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                    let label = egui::Label::new(name).truncate();
                    ui.add(label).on_hover_text(file.path.display().to_string());
                    if let Some(folder) = file.path.parent().filter(|_| self.beside) {
                        let text = RichText::new(folder.display().to_string()).color(colours.faint);
                        ui.add(egui::Label::new(text).truncate()).on_hover_text(folder.display().to_string());
                    }
                });
            }
        });
        for note in plan.update.iter().flatten().filter_map(|file| file.note.as_ref()) {
            ui.label(RichText::new(note).color(colours.warning));
        }
    }

    /// `true` when the dialog is done.
    fn buttons_ui(&self, ui: &mut Ui, asks: &mut Asks) -> bool {
        let Some(plan) = &self.plan else { return false };
        let colours = palette(ui.ctx());
        let updated: Vec<&PlannedFile> = plan.update.iter().flatten().filter(|file| file.update).collect();
        let mut done = false;
        ui.horizontal(|ui| {
            let mut export = |update: bool| {
                asks.act(Action::Export(ExportRequest { update, ..plan.request.clone() }));
                done = true;
            };
            let can = plan.new.as_ref().is_ok_and(|files| !files.is_empty());
            let enter = ui.input(|input| input.key_pressed(Key::Enter)) && !ui.ctx().text_edit_focused();
            if !updated.is_empty() {
                let text = match updated.as_slice() {
                    [one] => format!("{} {}", tr("Update"), one.path.file_name().unwrap_or_default().to_string_lossy()),
                    several => format!("{} {} {}", tr("Update"), several.len(), tr("files")),
                };
                let hint = tr("Replaces what this program wrote and nobody changed since; the old version is kept");
                let button = egui::Button::new(labelled(Icon::RefreshCw, &text)).fill(colours.accent_fill);
                if ui.add(button).named(&text).on_hover_text(hint).clicked() || enter {
                    export(true);
                }
                if ui.add_enabled(can, egui::Button::new(tr("Export as new"))).clicked() {
                    export(false);
                }
            } else {
                let button = egui::Button::new(labelled(Icon::Download, tr("Export"))).fill(colours.accent_fill);
                if ui.add_enabled(can, button).named(tr("Export")).clicked() || (enter && can) {
                    export(false);
                }
            }
            if ui.button(tr("Cancel")).clicked() {
                ui.close();
            }
        });
        done
    }
}
