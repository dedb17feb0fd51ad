//! Rows of settings: a name on the left, a control on the right. Each explains itself on hover, shows its unit, can be
//! typed, dragged, and reset by a double-click on its name.

use std::ops::RangeInclusive;

use eframe::egui::{self, Align, Layout, Response, RichText, Ui};

use super::text::tr;
use super::theme::{ROW_HEIGHT, palette};

/// What happened to settings in one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    /// A value is another than before.
    pub changed: bool,
    /// A gesture has ended: a drag released, a choice made, a typed value taken.
    pub ended: bool,
}

impl Touched {
    /// Both.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self { changed: self.changed || other.changed, ended: self.ended || other.ended }
    }

    /// A choice: changed and ended at once.
    fn at_once(changed: bool) -> Self {
        Self { changed, ended: changed }
    }
}

/// What a row says beside its control.
#[derive(Clone, Copy)]
pub struct About {
    /// On the left; what a screen reader says of the control.
    pub name: &'static str,
    /// On hover.
    pub hint: &'static str,
}

/// A name with its explanation.
pub fn about(name: &'static str, hint: &'static str) -> About {
    About { name, hint }
}

/// The row; `true` when a double-click on the name asks for the default.
pub fn row(ui: &mut Ui, about: About, control: impl FnOnce(&mut Ui, &Response)) -> bool {
    let mut reset = false;
    ui.horizontal(|ui| {
        let wide = ui.available_width();
        let name_width = (wide * 0.42).min(150.0);
        let colour = palette(ui.ctx()).faint;
        let name = ui
            .allocate_ui_with_layout(egui::vec2(name_width, ROW_HEIGHT), Layout::left_to_right(Align::Center), |ui| {
                ui.set_min_width(name_width);
                let text = egui::Label::new(RichText::new(about.name).color(colour)).truncate();
                ui.add(text.sense(egui::Sense::click()))
            })
            .inner;
        reset = name.double_clicked();
        let name = name.on_hover_text(format!("{}\n{}", about.hint, tr("Double-click to reset.")));
        control(ui, &name);
    });
    reset
}

/// One of several, in a drop-down.
pub fn choice<T: Copy + PartialEq>(
    ui: &mut Ui,
    about: About,
    value: &mut T,
    default: T,
    of: &[(T, &str, &str)],
) -> Touched {
    let before = *value;
    let reset = row(ui, about, |ui, name| {
        let shown = of.iter().find(|(option, _, _)| option == value).map_or("", |(_, label, _)| label);
        let combo = egui::ComboBox::from_id_salt(about.name).selected_text(shown).width(ui.available_width());
        let response = combo.truncate().show_ui(ui, |ui| {
            for (option, label, hint) in of {
                ui.selectable_value(value, *option, *label).on_hover_text(*hint);
            }
        });
        response.response.labelled_by(name.id).on_hover_text(about.hint);
    });
    if reset {
        *value = default;
    }
    Touched::at_once(*value != before)
}

/// On or off.
pub fn toggle(ui: &mut Ui, about: About, value: &mut bool, default: bool) -> Touched {
    let before = *value;
    let response = ui.checkbox(value, about.name).on_hover_text(about.hint);
    if response.double_clicked() {
        *value = default;
    }
    Touched::at_once(*value != before)
}

/// How a number is shown and what it may be.
#[derive(Clone)]
pub struct Number {
    /// Behind the digits.
    pub unit: &'static str,
    /// Limits.
    pub range: RangeInclusive<f64>,
    /// Per point dragged.
    pub speed: f64,
    /// Digits behind the point.
    pub digits: usize,
}

/// A number.
pub fn number(ui: &mut Ui, about: About, value: &mut f64, default: f64, how: &Number) -> Touched {
    let mut touched = Touched::default();
    let reset = row(ui, about, |ui, name| {
        touched = drag(ui, value, how, name, about.hint);
    });
    if reset && *value != default {
        *value = default;
        touched = Touched { changed: true, ended: true };
    }
    touched
}

/// A number, or what the clip itself suggests. `found` is what auto came to, when it is known.
pub fn auto_number(ui: &mut Ui, about: About, value: &mut Option<f64>, found: Option<f64>, how: &Number) -> Touched {
    let before = *value;
    let mut touched = Touched::default();
    let reset = row(ui, about, |ui, name| {
        let mut auto = value.is_none();
        let check = ui.checkbox(&mut auto, tr("auto")).labelled_by(name.id);
        check.on_hover_text(tr("As the clip itself suggests"));
        if auto != value.is_none() {
            *value = if auto {
                None
            } else {
                Some(found.unwrap_or(*how.range.start()).clamp(*how.range.start(), *how.range.end()))
            };
            touched = Touched::at_once(true);
        }
        match value {
            Some(number) => touched = touched.or(drag(ui, number, how, name, about.hint)),
            None => {
                if let Some(found) = found {
                    let colour = palette(ui.ctx()).faint;
                    ui.label(RichText::new(format!("{found:.*} {}", how.digits, how.unit)).color(colour));
                }
            }
        }
    });
    if reset {
        *value = None;
    }
    if *value != before { Touched { changed: true, ended: touched.ended || reset } } else { touched }
}

fn drag(ui: &mut Ui, value: &mut f64, how: &Number, name: &Response, hint: &str) -> Touched {
    let before = *value;
    let unit = if how.unit.is_empty() || how.unit == "°" { how.unit.to_owned() } else { format!(" {}", how.unit) };
    let field = egui::DragValue::new(value)
        .speed(how.speed)
        .range(how.range.clone())
        .max_decimals(how.digits)
        .min_decimals(how.digits.min(1))
        .suffix(unit);
    let response = ui.add(field).labelled_by(name.id).on_hover_text(hint);
    // While a number is typed each key changes it; it is taken when the field is left.
    let ended = response.drag_stopped() || response.lost_focus();
    Touched { changed: *value != before, ended }
}

/// A line of text.
pub fn text(ui: &mut Ui, about: About, value: &mut String, default: &str) -> Touched {
    let mut touched = Touched::default();
    let reset = row(ui, about, |ui, name| {
        let field = egui::TextEdit::singleline(value).desired_width(ui.available_width());
        let response = ui.add(field).labelled_by(name.id).on_hover_text(about.hint);
        touched = Touched { changed: response.changed(), ended: response.lost_focus() };
    });
    if reset && value != default {
        default.clone_into(value);
        touched = Touched { changed: true, ended: true };
    }
    touched
}

/// One of many names with a field to search in, or `None`, which `none` names.
pub fn pick_name(ui: &mut Ui, about: About, value: &mut Option<String>, none: &str, names: &[String]) -> Touched {
    let before = value.clone();
    let reset = row(ui, about, |ui, name| {
        let shown = value.as_deref().map_or(none, last_part);
        let search_id = ui.scope_id().with((about.name, "search"));
        let combo = egui::ComboBox::from_id_salt(about.name).selected_text(shown).width(ui.available_width());
        let combo = combo.truncate().close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside);
        let response = combo.show_ui(ui, |ui| {
            let mut search: String = ui.data(|data| data.get_temp(search_id)).unwrap_or_default();
            let field = egui::TextEdit::singleline(&mut search).hint_text(tr("Search"));
            let field = ui.add(field);
            let field_id = field.id;
            field.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, tr("Search")));
            if ui.memory(|memory| memory.focused().is_none()) {
                ui.memory_mut(|memory| memory.request_focus(field_id));
            }
            let wanted = search.to_lowercase();
            ui.data_mut(|data| data.insert_temp(search_id, search));
            if ui.selectable_label(value.is_none(), none).clicked() {
                *value = None;
                ui.close();
            }
            for option in names.iter().filter(|option| last_part(option).to_lowercase().contains(&wanted)) {
                let chosen = value.as_deref() == Some(option);
                if ui.selectable_label(chosen, last_part(option)).on_hover_text(option).clicked() {
                    *value = Some(option.clone());
                    ui.close();
                }
            }
        });
        response.response.labelled_by(name.id).on_hover_text(about.hint);
    });
    if reset {
        *value = None;
    }
    Touched::at_once(*value != before)
}

/// The bone's own name, of its path.
pub fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
