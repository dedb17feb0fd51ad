//! Help: the user guide, which travels inside the program, every key, and what this program is.

use eframe::egui::{self, Context, Grid, RichText, ScrollArea, TextStyle, Ui};

use super::commands::Entry;
use super::keys::Keymap;
use super::text::tr;
use super::theme::{RHYTHM, palette};

/// The guide, as it stands in the repository.
const GUIDE: &str = include_str!("../../docs/guide.md");

#[derive(Clone, Copy, PartialEq, Eq)]
enum Page {
    Guide,
    Keys,
    About,
}

/// The window of help.
#[derive(Default)]
pub struct Help {
    page: Option<Page>,
}

impl Help {
    /// Opens the guide.
    pub fn open(&mut self) {
        self.page = Some(Page::Guide);
    }

    /// Opens what says which program this is.
    pub fn open_about(&mut self) {
        self.page = Some(Page::About);
    }

    /// Draws it when it is open.
    pub fn ui(&mut self, context: &Context, table: &[Entry], keys: &Keymap) {
        let Some(mut page) = self.page else { return };
        let mut open = true;
        let size = context.content_rect().size();
        let window = egui::Window::new(tr("Help")).open(&mut open).collapsible(false).resizable(true);
        window.default_size([(size.x * 0.5).min(720.0), size.y * 0.7]).default_pos([size.x * 0.25, 60.0]).show(
            context,
            |ui| {
                ui.horizontal(|ui| {
                    ui.selectable_value(&mut page, Page::Guide, tr("Guide"));
                    ui.selectable_value(&mut page, Page::Keys, tr("Keys"));
                    ui.selectable_value(&mut page, Page::About, tr("About"));
                });
                ui.separator();
                ScrollArea::vertical().id_salt(page as u8).auto_shrink(false).show(ui, |ui| match page {
                    Page::Guide => markdown_ui(ui, GUIDE),
                    Page::Keys => keys_ui(ui, table, keys),
                    Page::About => about_ui(ui),
                });
            },
        );
        self.page = open.then_some(page);
    }
}

fn keys_ui(ui: &mut Ui, table: &[Entry], keys: &Keymap) {
    ui.label(tr("Other keys can be given in keys.json in the folder of settings: { \"open\": [\"Ctrl+O\"] }."));
    if let Some(folder) = super::settings::Settings::folder() {
        ui.label(RichText::new(folder.join("keys.json").display().to_string()).monospace());
    }
    ui.add_space(RHYTHM);
    Grid::new("keys").num_columns(3).striped(true).spacing([RHYTHM * 3.0, RHYTHM / 2.0]).show(ui, |ui| {
        for entry in table {
            ui.label(entry.label).on_hover_text(entry.tooltip);
            ui.label(RichText::new(keys.text(entry.command)).strong());
            ui.label(RichText::new(entry.id).monospace().color(palette(ui.ctx()).faint));
            ui.end_row();
        }
    });
}

fn about_ui(ui: &mut Ui) {
    ui.heading(concat!("Stridesmith ", env!("CARGO_PKG_VERSION")));
    ui.label(tr("Repairs the locomotion clips of game animators. Licensed MIT or Apache-2.0, at your choice."));
    ui.label(tr("Icons: Lucide (ISC). FBX is read by ufbx. Thank you."));
}

/// The few parts of Markdown that the guide uses: headings, paragraphs, lists, tables as lines, code. Pictures are
/// for the web and left out.
fn markdown_ui(ui: &mut Ui, text: &str) {
    let mut paragraph = String::new();
    let mut in_code = false;
    for line in text.lines().chain([""]) {
        if let Some(_language) = line.strip_prefix("```") {
            flush(ui, &mut paragraph);
            in_code = !in_code;
        } else if in_code {
            ui.label(RichText::new(line).monospace());
        } else if line.starts_with("![") {
            flush(ui, &mut paragraph);
        } else if let Some(heading) = line.strip_prefix('#') {
            flush(ui, &mut paragraph);
            ui.add_space(RHYTHM);
            ui.label(RichText::new(heading.trim_start_matches('#').trim()).text_style(TextStyle::Heading).strong());
        } else if line.trim().is_empty() {
            flush(ui, &mut paragraph);
        } else if line.starts_with("* ") || line.starts_with("- ") || line.starts_with('|') || is_numbered(line) {
            flush(ui, &mut paragraph);
            paragraph.push_str(&line.replacen("* ", "•  ", usize::from(line.starts_with("* "))));
        } else {
            if !paragraph.is_empty() {
                paragraph.push(' ');
            }
            paragraph.push_str(line.trim());
        }
    }
}

fn is_numbered(line: &str) -> bool {
    line.split_once(". ").is_some_and(|(number, _)| number.chars().all(|c| c.is_ascii_digit()) && !number.is_empty())
}

fn flush(ui: &mut Ui, paragraph: &mut String) {
    if paragraph.is_empty() {
        return;
    }
    let text = std::mem::take(paragraph);
    let is_rule = text.starts_with('|') && text.chars().all(|c| matches!(c, '|' | '-' | ' ' | ':'));
    if !is_rule {
        marked_ui(ui, &text);
    }
}

/// Emphasis and code inside a line.
fn marked_ui(ui: &mut Ui, text: &str) {
    let plain = egui::TextFormat {
        font_id: TextStyle::Body.resolve(ui.style()),
        color: ui.visuals().text_color(),
        ..Default::default()
    };
    let code = egui::TextFormat { font_id: TextStyle::Monospace.resolve(ui.style()), ..plain.clone() };
    let strong = egui::TextFormat { color: palette(ui.ctx()).accent, ..plain.clone() };
    let mut job = egui::text::LayoutJob::default();
    job.wrap.max_width = ui.available_width();
    for (nth, part) in text.split('`').enumerate() {
        if nth % 2 == 1 {
            job.append(part, 0.0, code.clone());
            continue;
        }
        for (nth, part) in part.split("**").enumerate() {
            job.append(part, 0.0, if nth % 2 == 1 { strong.clone() } else { plain.clone() });
        }
    }
    ui.label(job);
}
