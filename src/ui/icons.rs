//! Icons, as letters of a font of their own behind every text font.

use eframe::egui;
use lucide_icons::Icon;

/// An icon as text.
pub fn icon(icon: Icon) -> String {
    char::from(icon).to_string()
}

/// Icon and text, for buttons and menus.
pub fn labelled(with: Icon, text: &str) -> String {
    format!("{}  {text}", char::from(with))
}

/// A small button with an icon alone; `name` is what a screen reader says, what tests look for, and the first line of
/// the tooltip.
pub fn icon_button(ui: &mut egui::Ui, with: Icon, name: &str, selected: bool) -> egui::Response {
    let button = egui::Button::new(icon(with)).selected(selected).frame_when_inactive(selected);
    let response = ui.add(button);
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, ui.is_enabled(), selected, name));
    response.on_hover_text(name)
}
