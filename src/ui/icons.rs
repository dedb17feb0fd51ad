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

/// A button with icon and text.
pub fn labelled_button(ui: &mut egui::Ui, with: Icon, text: &str) -> egui::Response {
    ui.button(labelled(with, text)).named(text)
}

/// Gives a control the name that a screen reader says and tests look for: without the icon's letter, which is none.
pub trait Named {
    /// A button's name.
    fn named(self, name: &str) -> Self;
}

impl Named for egui::Response {
    fn named(self, name: &str) -> Self {
        self.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, self.enabled(), name));
        self
    }
}

/// A small button with an icon alone; `name` is what a screen reader says, what tests look for, and the first line of
/// the tooltip.
pub fn icon_button(ui: &mut egui::Ui, with: Icon, name: &str, selected: bool) -> egui::Response {
    let button = egui::Button::new(icon(with)).selected(selected).frame_when_inactive(selected);
    let response = ui.add(button);
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, ui.is_enabled(), selected, name));
    response.on_hover_text(name)
}
