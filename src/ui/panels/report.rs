//! What a step found and chose, as a small table.

use eframe::egui::{Grid, RichText, Ui};

use crate::ops::Report;
use crate::ui::theme::{RHYTHM, palette};

/// Figures with their units, then notes.
pub fn report_ui(ui: &mut Ui, report: &Report) {
    let colours = palette(ui.ctx());
    if !report.figures.is_empty() {
        Grid::new("figures").num_columns(2).min_row_height(RHYTHM * 2.0).spacing([RHYTHM * 2.0, 2.0]).show(ui, |ui| {
            for figure in &report.figures {
                ui.label(RichText::new(capitalised(&figure.name)).color(colours.faint));
                ui.label(format!("{} {}", figure_text(figure.value), figure.unit));
                ui.end_row();
            }
        });
    }
    for note in &report.notes {
        ui.label(RichText::new(capitalised(note)).color(colours.faint));
    }
}

/// Three significant digits or so, without a tail of zeros.
pub fn figure_text(value: f64) -> String {
    let digits = match value.abs() {
        v if v >= 100.0 => 0,
        v if v >= 10.0 => 1,
        v if v >= 1.0 => 2,
        _ => 3,
    };
    let text = format!("{value:.digits$}");
    // −0.000 is 0.
    let text = if text.trim_start_matches('-').chars().all(|c| c == '0' || c == '.') { "0".into() } else { text };
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
