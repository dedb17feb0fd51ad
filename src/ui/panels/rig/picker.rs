//! A drop-down of all bones, with a field to search in.

use eframe::egui::{self, Align, RichText, TextStyle, Ui};

use crate::edit::RoleChoice;
use crate::motion::{BoneIndex, Skeleton};
use crate::ui::rows::{line_in, row_response};
use crate::ui::text::tr;
use crate::ui::theme::{RHYTHM, ROW_HEIGHT, palette};

/// Bones shown at once before the list scrolls.
const SHOWN: f32 = 10.0;

/// Draws it in the room there is. Answers what was chosen.
pub fn bone_picker(
    ui: &mut Ui,
    name: &str,
    skeleton: &Skeleton,
    bone: Option<BoneIndex>,
    choice: &RoleChoice,
) -> Option<RoleChoice> {
    let colours = palette(ui.ctx());
    let text = match bone {
        Some(bone) => RichText::new(shown_name(skeleton, bone)),
        None => RichText::new(tr("nobody")).color(colours.faint),
    };
    let search_id = ui.make_persistent_id((name, "search"));
    let combo = egui::ComboBox::from_id_salt(name)
        .selected_text(text)
        .width(ui.available_width())
        .truncate()
        .close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside);
    let shown = combo.show_ui(ui, |ui| {
        let mut search: String = ui.data(|data| data.get_temp(search_id)).unwrap_or_default();
        let before = search.clone();
        let field = ui.add(egui::TextEdit::singleline(&mut search).hint_text(tr("Search bones")));
        let field = field.accessible_name(tr("Search bones"));
        if ui.memory(|memory| memory.focused().is_none()) {
            field.request_focus();
        }
        if search != before {
            ui.data_mut(|data| data.insert_temp(search_id, search.clone()));
        }
        let mut chosen = None;
        if ui.selectable_label(*choice == RoleChoice::Detected, tr("As detected")).clicked() {
            chosen = Some(RoleChoice::Detected);
        }
        if ui.selectable_label(*choice == RoleChoice::Nobody, tr("Nobody")).clicked() {
            chosen = Some(RoleChoice::Nobody);
        }
        ui.separator();
        chosen = chosen.or(bones_ui(ui, skeleton, bone, &search));
        if chosen.is_some() {
            ui.data_mut(|data| data.remove_temp::<String>(search_id));
            ui.close();
        }
        chosen
    });
    shown.response.accessible_name(name);
    shown.inner.flatten()
}

/// Only the rows that are seen: a skeleton may have thousands.
fn bones_ui(ui: &mut Ui, skeleton: &Skeleton, bone: Option<BoneIndex>, search: &str) -> Option<RoleChoice> {
    let search = search.trim().to_lowercase();
    let named: Vec<BoneIndex> =
        skeleton.indices().filter(|&bone| skeleton.bone(bone).name.to_lowercase().contains(&search)).collect();
    if named.is_empty() {
        ui.weak(tr("No bone is called that."));
    }
    let mut chosen = None;
    ui.spacing_mut().item_spacing.y = 0.0;
    let area = egui::ScrollArea::vertical().max_height(SHOWN * ROW_HEIGHT);
    area.show_rows(ui, ROW_HEIGHT, named.len(), |ui, seen| {
        ui.set_min_width(RHYTHM * 24.0);
        for &candidate in named.get(seen).unwrap_or_default() {
            let size = egui::vec2(ui.available_width(), ROW_HEIGHT);
            let (_, place) = ui.allocate_space(size);
            let name = shown_name(skeleton, candidate);
            let id = ui.make_persistent_id(("bone", candidate));
            let response = row_response(ui, place, id, &name, bone == Some(candidate));
            let colour = palette(ui.ctx()).text;
            line_in(ui, place.shrink2(egui::vec2(RHYTHM / 2.0, 0.0)), &name, &TextStyle::Body, colour, Align::Min);
            if response.on_hover_text(skeleton.path(candidate)).clicked() {
                chosen = Some(RoleChoice::Bone(skeleton.path(candidate).to_owned()));
            }
        }
    });
    chosen
}

/// A bone without a name goes by its number.
pub fn shown_name(skeleton: &Skeleton, bone: BoneIndex) -> String {
    match skeleton.bone(bone).name.as_str() {
        "" => format!("#{}", bone.get()),
        name => name.to_owned(),
    }
}
