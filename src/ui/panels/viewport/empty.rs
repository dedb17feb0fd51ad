//! The view before anything is open: what to drop, where to begin, which keys to know.

use std::path::PathBuf;

use eframe::egui::{Align, Button, Layout, RichText, Ui, UiBuilder, vec2};
use lucide_icons::Icon;

use crate::session::{Action, Session};
use crate::ui::asks::Asks;
use crate::ui::commands::Command;
use crate::ui::icons::Named as _;
use crate::ui::icons::{icon, labelled};
use crate::ui::text::tr;
use crate::ui::theme::{RHYTHM, palette};

/// So many recent files are listed.
const MOST_RECENT: usize = 6;

/// Draws it in the middle of what `ui` has.
pub fn empty_ui(ui: &mut Ui, session: &Session, recent: &[PathBuf], asks: &mut Asks) {
    let whole = ui.max_rect();
    let colours = palette(ui.ctx());
    let column = whole.shrink2(vec2(whole.width() * 0.1, (whole.height() * 0.16).min(RHYTHM * 12.0)));
    let layout = Layout::top_down(Align::Center);
    ui.scope_builder(UiBuilder::new().max_rect(column).layout(layout), |ui| {
        if let Some(job) = session.jobs().first() {
            ui.spinner();
            ui.label(RichText::new(&job.label).heading());
            return;
        }
        if session.document().clips().len() > 0 {
            ui.label(RichText::new(tr("Select a clip")).heading());
            ui.label(RichText::new(tr("It is shown here, with what is wrong with it.")).color(colours.faint));
            return;
        }
        ui.label(RichText::new(icon(Icon::Footprints)).size(RHYTHM * 5.0).color(colours.accent));
        ui.add_space(RHYTHM);
        ui.label(RichText::new(tr("Drop clips here")).heading());
        ui.label(RichText::new(tr("FBX, glTF, GLB or BVH, as many as you like")).color(colours.faint));
        ui.add_space(RHYTHM * 2.0);
        let open = Button::new(labelled(Icon::FolderOpen, tr("Open…"))).selected(true);
        if ui.add(open).named(tr("Open…")).on_hover_text("Ctrl+O").clicked() {
            asks.run(Command::Open);
        }
        let demo = Button::new(labelled(Icon::PersonStanding, tr("Demo character")));
        if ui
            .add(demo)
            .named(tr("Demo character"))
            .on_hover_text(tr("A mannequin in every gait, made on the spot"))
            .clicked()
        {
            asks.run(Command::OpenDemo);
        }
        if !recent.is_empty() {
            ui.add_space(RHYTHM * 2.0);
            ui.label(RichText::new(tr("Opened before")).color(colours.faint));
            for path in recent.iter().take(MOST_RECENT) {
                let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
                let row = Button::new(&*name).frame_when_inactive(false).truncate();
                if ui.add(row).on_hover_text(path.display().to_string()).clicked() {
                    asks.act(Action::Open(vec![path.clone()]));
                }
            }
        }
        ui.add_space(RHYTHM * 2.0);
        let hints = [
            tr("Space plays · F frames the figure · Ctrl+P finds every command"),
            tr("Your files are never changed: what is fixed is written beside them"),
        ];
        for hint in hints {
            ui.label(RichText::new(hint).small().color(colours.faint));
        }
    });
}
