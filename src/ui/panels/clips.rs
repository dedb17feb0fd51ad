//! The panel *Clips*: files, their takes and what was made of them, in a table.

pub mod columns;
pub mod facts;
pub mod marks;
pub mod model;
mod paint;

use std::path::Path;
use std::sync::Arc;

use eframe::egui::{self, Key, Rect, RichText, Ui};

use crate::edit::{Document, Edit};
use crate::ops::ClipId;
use crate::session::command_line::{calls, shell_line};
use crate::session::{Action, Change, Session};
use crate::ui::asks::Asks;
use crate::ui::commands::Command;
use crate::ui::dock::{empty_ui, padded};
use crate::ui::rows::{List, escaped, search_ui, typing};
use crate::ui::text::tr;
use crate::ui::theme::{RHYTHM, palette};
use columns::{Column, fitting, table_text};
use facts::facts;
use marks::{How, Marks, clicked, moved};
use model::{Folds, Order, Row, What, rows};
use paint::{Painted, heads_ui, row_ui};

/// A name that is being typed.
pub(super) struct Renaming {
    clip: ClipId,
    text: String,
    /// The field is to take the keyboard, with all of the name marked.
    fresh: bool,
}

/// What rows were made from; other rows are needed when any of it is another.
#[derive(PartialEq)]
struct Made {
    order: Order,
    filter: String,
    folds: Folds,
    marked: Vec<ClipId>,
    measured: u64,
}

/// State of the panel.
#[derive(Default)]
pub struct ClipsPanel {
    filter: String,
    order: Order,
    folds: Folds,
    list: List,
    anchor: Option<ClipId>,
    cursor: Option<ClipId>,
    renaming: Option<Renaming>,
    /// The marks as last seen: others were made elsewhere, and are to be shown.
    seen: Vec<ClipId>,
    rows: Arc<Vec<Row>>,
    made: Option<(Arc<Document>, Made)>,
}

impl ClipsPanel {
    /// Draws it.
    pub fn ui(&mut self, ui: &mut Ui, session: &Session, asks: &mut Asks) {
        padded(ui, |ui| {
            if session.document().files().is_empty() {
                empty_ui(ui, tr("Drop FBX, glTF, GLB or BVH files here."));
                ui.vertical_centered(|ui| {
                    if ui.button(tr("Open…")).clicked() {
                        asks.run(Command::Open);
                    }
                    if ui.button(tr("Open the demo character")).clicked() {
                        asks.run(Command::OpenDemo);
                    }
                });
                return;
            }
            search_ui(ui, tr("Filter clips"), &mut self.filter);
            self.follow_marks(session);
            let rows = self.rows(session);
            let columns = fitting(ui.available_width());
            if let Some(column) = heads_ui(ui, &columns, self.order) {
                self.order = self.order.clicked(column);
            }
            if rows.is_empty() {
                empty_ui(ui, tr("No clip has that in its name."));
                return;
            }
            self.table_ui(ui, session, &rows, &columns, asks);
        });
    }

    /// Puts a field over the name of the clip that is shown, to type another.
    pub fn start_rename(&mut self, session: &Session) {
        if let Some(entry) = session.selection().shown().and_then(|clip| session.document().clip(clip)) {
            self.folds.unfold(session.document(), entry.id);
            self.renaming = Some(Renaming { clip: entry.id, text: entry.name.clone(), fresh: true });
        }
    }

    /// The clips that the filter leaves, top to bottom.
    pub fn listed(&mut self, session: &Session) -> Vec<ClipId> {
        self.rows(session).iter().filter_map(Row::clip).collect()
    }

    /// Rows, made anew when what they are made from is another.
    fn rows(&mut self, session: &Session) -> Arc<Vec<Row>> {
        let document = session.document();
        let made = Made {
            order: self.order,
            filter: self.filter.clone(),
            folds: self.folds.clone(),
            marked: session.selection().clips.clone(),
            measured: session.derived_store().measured(),
        };
        let known = self.made.as_ref().is_some_and(|(on, of)| Arc::ptr_eq(on, document) && *of == made);
        if !known {
            let facts = |clip| facts(session, clip);
            self.rows = Arc::new(rows(document, &facts, self.order, &self.filter, &self.folds));
            self.made = Some((document.clone(), made));
        }
        self.rows.clone()
    }

    /// Marks that were made elsewhere, by an action or an undo, are unfolded and scrolled to.
    fn follow_marks(&mut self, session: &Session) {
        let marked = &session.selection().clips;
        if self.seen == *marked {
            return;
        }
        self.seen.clone_from(marked);
        let Some(&shown) = marked.first() else { return };
        if self.cursor.is_none_or(|cursor| !marked.contains(&cursor)) {
            (self.anchor, self.cursor) = (Some(shown), Some(shown));
            self.folds.unfold(session.document(), shown);
        }
        if let Some(row) = self.rows(session).iter().position(|row| row.clip() == self.cursor) {
            self.list.reveal(row);
        }
    }

    fn table_ui(&mut self, ui: &mut Ui, session: &Session, rows: &[Row], columns: &[(Column, f32)], asks: &mut Asks) {
        let mut list = std::mem::take(&mut self.list);
        let keys = list.ui(ui, tr("Clips on the desk"), rows.len(), |ui, nth, place| {
            let Some(row) = rows.get(nth) else { return };
            self.one_row_ui(ui, session, rows, row, place, columns, asks);
        });
        if let Some((go, extend)) = keys {
            let order: Vec<ClipId> = rows.iter().filter_map(Row::clip).collect();
            let marks = Marks { clips: session.selection().clips.clone(), anchor: self.anchor, cursor: self.cursor };
            if let Some(marks) = moved(&marks, &order, go, extend, list.page()) {
                self.mark(marks, asks);
                if let Some(row) = rows.iter().position(|row| row.clip() == self.cursor) {
                    list.reveal(row);
                }
            }
        }
        self.list = list;
    }

    fn mark(&mut self, marks: Marks, asks: &mut Asks) {
        (self.anchor, self.cursor) = (marks.anchor, marks.cursor);
        self.seen.clone_from(&marks.clips);
        asks.act(Action::Select(marks.clips));
    }

    #[expect(clippy::too_many_arguments, reason = "a row needs all that its table has")]
    fn one_row_ui(
        &mut self,
        ui: &mut Ui,
        session: &Session,
        rows: &[Row],
        row: &Row,
        place: Rect,
        columns: &[(Column, f32)],
        asks: &mut Asks,
    ) {
        let renaming = self.renaming.as_mut().filter(|renaming| row.clip() == Some(renaming.clip));
        let marked = row.clip().is_some_and(|clip| session.selection().clips.contains(&clip));
        let hides = renaming.is_some();
        let Painted { response, folded, name_place } = row_ui(ui, session, row, place, columns, marked, hides);
        if let Some(renaming) = renaming {
            if rename_ui(ui, session, renaming, name_place, asks) {
                self.renaming = None;
            }
            return;
        }
        if folded {
            self.folds.toggle(row.what);
        } else if response.double_clicked() {
            match row.what {
                What::Clip(clip) => {
                    self.renaming = Some(Renaming { clip, text: row.name.clone(), fresh: true });
                }
                What::File(_) => self.folds.toggle(row.what),
            }
        } else if response.clicked() {
            let how = ui.input(|input| match input.modifiers {
                held if held.shift => How::Extend,
                held if held.command => How::Toggle,
                _ => How::Alone,
            });
            self.click(session, rows, row, how, asks);
        } else if response.secondary_clicked() && !marked {
            self.click(session, rows, row, How::Alone, asks);
        }
        response.context_menu(|ui| self.menu_ui(ui, session, rows, row, asks));
    }

    fn click(&mut self, session: &Session, rows: &[Row], row: &Row, how: How, asks: &mut Asks) {
        match row.what {
            What::Clip(clip) => {
                let order: Vec<ClipId> = rows.iter().filter_map(Row::clip).collect();
                self.mark(clicked(&session.selection().clips, &order, self.anchor, clip, how), asks);
            }
            What::File(file) => {
                let takes: Vec<ClipId> = session.document().takes(file).map(|(clip, _)| clip).collect();
                if !takes.is_empty() {
                    let (anchor, cursor) = (takes.first().copied(), takes.last().copied());
                    self.mark(Marks { clips: takes, anchor, cursor }, asks);
                }
            }
        }
    }

    fn menu_ui(&mut self, ui: &mut Ui, session: &Session, rows: &[Row], row: &Row, asks: &mut Asks) {
        let document = session.document();
        let file = match row.what {
            What::File(file) => document.file(file),
            What::Clip(clip) => document.take_of(clip).map(|(open, _)| open),
        };
        if let Some(clip) = row.clip() {
            let marked = &session.selection().clips;
            // The menu is about the marked rows, and on its first frame the row may not be one of them yet.
            let clips = if marked.contains(&clip) { marked.clone() } else { vec![clip] };
            if ui.button(tr("Rename")).clicked() {
                self.renaming = Some(Renaming { clip, text: row.name.clone(), fresh: true });
            }
            if ui.button(tr("Duplicate")).clicked() {
                asks.act(Action::Change(Change::Duplicate { clips: clips.clone() }));
            }
            if ui.button(tr("Export…")).clicked() {
                asks.run(Command::Export);
            }
            if ui.button(tr("Remove from the desk")).clicked() {
                asks.act(Action::Change(Change::Remove { clips: clips.clone() }));
            }
            ui.separator();
            command_line_ui(ui, session, &clips);
        }
        if ui.button(tr("Copy table")).on_hover_text(tr("All rows, for a spreadsheet")).clicked() {
            ui.copy_text(table_text(rows));
        }
        let exported = row.clip().and_then(|clip| session.exported_to(clip));
        if let Some(path) = exported {
            if ui.button(tr("Copy path of the exported file")).clicked() {
                ui.copy_text(path.display().to_string());
            }
            if ui.button(tr("Show the exported file in its folder")).clicked() {
                asks.reveal(path);
            }
        }
        if let Some(open) = file {
            ui.separator();
            let path: &Path = &open.file.path;
            if path.is_absolute() || path.exists() {
                if ui.button(tr("Copy path")).clicked() {
                    ui.copy_text(path.display().to_string());
                }
                if ui.button(tr("Show in its folder")).clicked() {
                    asks.reveal(path);
                }
            }
            if ui.button(tr("Close file")).on_hover_text(tr("With its takes and all made of them")).clicked() {
                asks.act(Action::Change(Change::Close { file: open.file.id }));
            }
        }
    }
}

/// One line per clip; why there is none where there is none.
pub fn command_lines(session: &Session, clips: &[ClipId]) -> Result<String, String> {
    let line = |&clip: &ClipId| {
        let calls = calls(session.document(), clip, &session.read_options, Path::new("out"));
        calls.map(|calls| shell_line(&calls)).map_err(|error| error.to_string())
    };
    let lines: Result<Vec<String>, String> = clips.iter().map(line).collect();
    lines.map(|lines| lines.join("\n"))
}

fn command_line_ui(ui: &mut Ui, session: &Session, clips: &[ClipId]) {
    let line = command_lines(session, clips);
    let button = ui.add_enabled(line.is_ok(), egui::Button::new(tr("Copy as command line")));
    match line {
        Ok(line) => {
            if button.on_hover_text(&line).clicked() {
                ui.copy_text(line);
            }
        }
        Err(why) => drop(button.on_disabled_hover_text(why)),
    }
}

/// The field over a name; whether it is to go. A name that cannot be given is said at once, and not taken.
fn rename_ui(ui: &mut Ui, session: &Session, renaming: &mut Renaming, place: Rect, asks: &mut Asks) -> bool {
    let Some(entry) = session.document().clip(renaming.clip) else { return true };
    let edit = Edit::Rename { clip: renaming.clip, name: renaming.text.clone() };
    let fault = edit.apply(session.document()).err().map(|error| error.to_string());
    let colours = palette(ui.ctx());
    let id = ui.make_persistent_id(("rename", renaming.clip));
    let colour = if fault.is_some() { colours.error } else { colours.text };
    let field = egui::TextEdit::singleline(&mut renaming.text)
        .id(id)
        .text_color(colour)
        .margin(egui::Margin::symmetric(RHYTHM as i8 / 2, 0))
        .align(egui::Align2::LEFT_CENTER)
        .event_filter(typing())
        .desired_width(place.width());
    let response = ui.put(place, field).accessible_name(tr("New name"));
    if std::mem::take(&mut renaming.fresh) {
        response.request_focus();
        let mut state = egui::text_edit::TextEditState::load(ui.ctx(), id).unwrap_or_default();
        let all = egui::text::CCursorRange::two(
            egui::text::CCursor::default(),
            egui::text::CCursor::new(renaming.text.chars().count()),
        );
        state.cursor.set_char_range(Some(all));
        state.store(ui.ctx(), id);
        return false;
    }
    if let Some(fault) = &fault {
        response.show_tooltip_text(RichText::new(fault).color(colours.error));
    }
    if escaped(ui, &response) {
        return true;
    }
    if !response.lost_focus() {
        return false;
    }
    if fault.is_some() && ui.input(|input| input.key_pressed(Key::Enter)) {
        response.request_focus();
        return false;
    }
    if fault.is_none() && renaming.text.trim() != entry.name {
        let name = renaming.text.clone();
        asks.act(Action::Change(Change::Rename { clip: renaming.clip, name }));
    }
    true
}
