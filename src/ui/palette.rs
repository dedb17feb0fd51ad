//! The palette: every command by its name or by what else people call it.

use eframe::egui::{self, Align2, Context, Key, RichText, ScrollArea};

use super::commands::{Command, Entry, refusal};
use super::icons::icon;
use super::keys::Keymap;
use super::text::tr;
use super::theme::{ROW_HEIGHT, palette};
use crate::session::Session;

/// State of the palette.
#[derive(Default)]
pub struct CommandPalette {
    open: bool,
    search: String,
    chosen: usize,
}

impl CommandPalette {
    /// Opens it, empty.
    pub fn open(&mut self) {
        *self = Self { open: true, ..Self::default() };
    }

    /// Draws it when it is open; the command that was chosen.
    pub fn ui(&mut self, context: &Context, table: &[Entry], keys: &Keymap, session: &Session) -> Option<Command> {
        if !self.open {
            return None;
        }
        let mut given = None;
        let area = egui::Modal::default_area(egui::Id::unique("palette")).anchor(Align2::CENTER_TOP, [0.0, 80.0]);
        let modal = egui::Modal::new(egui::Id::unique("palette")).area(area);
        let response = modal.show(context, |ui| {
            ui.set_width(520.0);
            // The list is walked through while the field keeps the focus.
            let (up, down, enter) = ui.input_mut(|input| {
                let none = egui::Modifiers::NONE;
                let mut pressed = |key| input.consume_key(none, key);
                (pressed(Key::ArrowUp), pressed(Key::ArrowDown), pressed(Key::Enter))
            });
            let hint = tr("Find a command…");
            let field = egui::TextEdit::singleline(&mut self.search).hint_text(hint).desired_width(f32::INFINITY);
            let field = ui.add(field);
            if field.changed() {
                self.chosen = 0;
            }
            field.request_focus();
            field.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, tr("Find a command… field")));
            let found = matches(table, &self.search);
            self.chosen = match (up, down) {
                (true, _) => self.chosen.saturating_sub(1),
                (_, true) => self.chosen + 1,
                _ => self.chosen,
            }
            .min(found.len().saturating_sub(1));
            ScrollArea::vertical().max_height(ROW_HEIGHT * 14.0).auto_shrink([false, true]).show(ui, |ui| {
                for (nth, entry) in found.iter().enumerate() {
                    let why_not = refusal(entry.command, session);
                    let text = entry.icon.map_or_else(String::new, icon);
                    let label = format!("{text:<2}  {}", entry.label);
                    let button = egui::Button::new(label)
                        .selected(nth == self.chosen)
                        .frame_when_inactive(nth == self.chosen)
                        .right_text(RichText::new(keys.text(entry.command)).color(palette(ui.ctx()).faint))
                        .min_size(egui::vec2(ui.available_width(), ROW_HEIGHT));
                    let row = ui.add_enabled(why_not.is_none(), button);
                    if nth == self.chosen && (up || down) {
                        row.scroll_to_me(None);
                    }
                    row.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, why_not.is_none(), entry.label));
                    let row = row.on_hover_text(entry.tooltip).on_disabled_hover_text(why_not.unwrap_or_default());
                    if why_not.is_none() && (row.clicked() || (enter && nth == self.chosen)) {
                        given = Some(entry.command);
                    }
                }
                if found.is_empty() {
                    ui.label(RichText::new(tr("No command is called that")).color(palette(ui.ctx()).faint));
                }
            });
        });
        if response.should_close() || given.is_some() {
            self.open = false;
        }
        given
    }
}

/// The commands that fit, best first: a label that starts so, a word of it that does, the words in any place of label,
/// synonyms or explanation, and the letters in that order.
pub fn matches<'a>(table: &'a [Entry], search: &str) -> Vec<&'a Entry> {
    let wanted = search.trim().to_lowercase();
    let rank = |entry: &Entry| -> Option<u8> {
        let label = entry.label.to_lowercase();
        let around = format!("{label} {} {} {}", entry.synonyms, entry.tooltip.to_lowercase(), entry.id);
        let words: Vec<&str> = wanted.split_whitespace().collect();
        if label.starts_with(&wanted) {
            Some(0)
        } else if label.split_whitespace().any(|word| word.starts_with(&wanted)) {
            Some(1)
        } else if words.iter().all(|word| label.contains(word)) {
            Some(2)
        } else if words.iter().all(|word| entry.synonyms.contains(word)) {
            Some(3)
        } else if words.iter().all(|word| around.contains(word)) {
            Some(4)
        } else if in_order(&label, &wanted) {
            Some(5)
        } else {
            None
        }
    };
    let mut found: Vec<(u8, &Entry)> = table.iter().filter_map(|entry| Some((rank(entry)?, entry))).collect();
    found.sort_by_key(|(rank, _)| *rank);
    found.into_iter().map(|(_, entry)| entry).collect()
}

/// Whether the letters occur one after the other.
fn in_order(text: &str, letters: &str) -> bool {
    let mut rest = text.chars();
    letters.chars().filter(|letter| !letter.is_whitespace()).all(|letter| rest.any(|other| other == letter))
}
