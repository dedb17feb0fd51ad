//! The bar on top: menus, and undo and redo with the names of what they take back.

use eframe::egui::{self, Button, MenuBar, Ui};
use lucide_icons::Icon;

use super::asks::Asks;
use super::commands::{Command, Entry, Menu, refusal};
use super::icons::{labelled, labelled_button};
use super::keys::Keymap;
use super::text::tr;
use crate::session::{Ghost, Session};

/// What of the window a tick stands for.
#[derive(Clone, Copy)]
pub struct Ticks {
    /// Its theme.
    pub theme: super::theme::ThemeChoice,
    /// The habits of its mouse.
    pub navigation: super::commands::Navigation,
}

/// Draws the bar.
pub fn menu_bar(ui: &mut Ui, table: &[Entry], keys: &Keymap, ticks: Ticks, session: &Session, asks: &mut Asks) {
    MenuBar::new().ui(ui, |ui| {
        for menu in Menu::ALL {
            ui.menu_button(menu.label(), |ui| menu_ui(ui, menu, table, keys, ticks, session, asks));
        }
        ui.separator();
        let history = session.history();
        step_ui(ui, Icon::Undo2, tr("Undo"), history.undo_label(), keys, Command::Undo, asks);
        step_ui(ui, Icon::Redo2, tr("Redo"), history.redo_label(), keys, Command::Redo, asks);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let text = keys.first(Command::Palette).unwrap_or_default();
            let find = labelled_button(ui, Icon::Search, tr("Find a command…")).on_hover_text(text);
            if find.clicked() {
                asks.run(Command::Palette);
            }
        });
    });
}

fn menu_ui(ui: &mut Ui, menu: Menu, table: &[Entry], keys: &Keymap, ticks: Ticks, session: &Session, asks: &mut Asks) {
    ui.set_min_width(240.0);
    for entry in table {
        let Some((_, line)) = entry.menu.filter(|(of, _)| *of == menu) else { continue };
        if line {
            ui.separator();
        }
        let ticked = is_ticked(entry.command, ticks, session);
        let symbol = match (ticked, entry.icon) {
            (Some(true), _) => labelled(Icon::Check, entry.label),
            (Some(false), _) | (None, None) => format!("      {}", entry.label),
            (None, Some(symbol)) => labelled(symbol, entry.label),
        };
        let why_not = refusal(entry.command, session);
        let button = Button::new(symbol).shortcut_text(keys.first(entry.command).unwrap_or_default());
        let response = ui.add_enabled(why_not.is_none(), button);
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::MenuItem, why_not.is_none(), entry.label));
        let response = response.on_hover_text(entry.tooltip).on_disabled_hover_text(why_not.unwrap_or_default());
        if response.clicked() {
            asks.run(entry.command);
            ui.close();
        }
    }
}

/// Whether a command that switches something is on; `None` for one that does not.
fn is_ticked(command: Command, ticks: Ticks, session: &Session) -> Option<bool> {
    use Command as C;
    let view = session.view();
    Some(match command {
        C::ToggleMesh => view.mesh,
        C::ToggleBones => view.bones,
        C::ToggleTrails => view.trails,
        C::TogglePaths => view.paths,
        C::ToggleGrid => view.grid,
        C::ToggleShadow => view.shadow,
        C::ToggleGhost => view.ghost == Ghost::Over,
        C::GhostBeside => view.ghost == Ghost::Beside,
        C::Follow => view.follow,
        C::Travel(travel) => view.travel == travel,
        C::Theme(theme) => ticks.theme == theme,
        C::Navigation(preset) => ticks.navigation == preset,
        _ => return None,
    })
}

fn step_ui(
    ui: &mut Ui,
    symbol: Icon,
    verb: &str,
    what: Option<&str>,
    keys: &Keymap,
    command: Command,
    asks: &mut Asks,
) {
    let mut text = what.unwrap_or_default().to_owned();
    if text.chars().count() > 32 {
        text = text.chars().take(31).chain(['…']).collect();
    }
    let button = ui.add_enabled(what.is_some(), Button::new(labelled(symbol, &text)));
    let name = what.map_or_else(|| verb.to_owned(), |what| format!("{verb} {}", lower_first(what)));
    button.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, what.is_some(), &name));
    let hint = format!("{name} ({})", keys.first(command).unwrap_or_default());
    if button.on_hover_text(hint).clicked() {
        asks.run(command);
    }
}

fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}
