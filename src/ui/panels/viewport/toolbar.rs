//! The buttons in the 3D view: what is drawn, how travel is shown, where the camera stands.

use eframe::egui::{Button, DragValue, Popup, Role, Ui, Widget as _, WidgetInfo};
use lucide_icons::Icon;

use super::course::Course;
use super::treadmill::own_speed;
use crate::session::{Ghost, TravelView, View};
use crate::ui::asks::Asks;
use crate::ui::commands::{self, CameraView, Command};
use crate::ui::icons::{icon, icon_button};
use crate::ui::text::tr;

/// Speeds that can be typed, m/s.
const SPEEDS: std::ops::RangeInclusive<f64> = 0.0..=1000.0;

/// All of it in one row, wrapped where the view is narrow. Changes `view`; what is not of the view is asked for.
pub fn toolbar_ui(ui: &mut Ui, view: &mut View, course: &Course, orthographic: bool, asks: &mut Asks) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let toggle = |ui: &mut Ui, with: Icon, name: &str, on: &mut bool| {
            if icon_button(ui, with, name, *on).clicked() {
                *on = !*on;
            }
        };
        toggle(ui, Icon::PersonStanding, tr("Mesh (M)"), &mut view.mesh);
        toggle(ui, Icon::Bone, tr("Bones"), &mut view.bones);
        toggle(ui, Icon::Footprints, tr("Trails of pelvis and feet (T)"), &mut view.trails);
        toggle(ui, Icon::Route, tr("Travel paths"), &mut view.paths);
        toggle(ui, Icon::Grid3x3, tr("Grid"), &mut view.grid);
        let (with, next, name) = match view.ghost {
            Ghost::Off => (Icon::Ghost, Ghost::Over, tr("Ghost of the source over the result (G)")),
            Ghost::Over => (Icon::Ghost, Ghost::Beside, tr("Source beside the result")),
            Ghost::Beside => (Icon::Columns2, Ghost::Off, tr("Hide the source")),
        };
        if icon_button(ui, with, name, view.ghost != Ghost::Off).clicked() {
            view.ghost = next;
        }
        toggle(ui, Icon::LocateFixed, tr("Follow the figure"), &mut view.follow);
        camera_menu_ui(ui, orthographic, asks);
        travel_ui(ui, view, course);
    });
}

fn camera_menu_ui(ui: &mut Ui, orthographic: bool, asks: &mut Asks) {
    let response = icon_button(ui, Icon::Video, tr("Camera"), false);
    Popup::menu(&response).show(|ui| {
        let commands = [
            Command::FrameFigure,
            Command::Camera(CameraView::ThreeQuarter),
            Command::Camera(CameraView::Front),
            Command::Camera(CameraView::Side),
            Command::Camera(CameraView::Top),
            Command::Camera(CameraView::LeftFoot),
            Command::Camera(CameraView::RightFoot),
            Command::Orthographic,
        ];
        let table = commands::table();
        for command in commands {
            let Some(entry) = table.iter().find(|entry| entry.command == command) else { continue };
            let keys = entry.keys.first().map(|keys| ui.ctx().format_shortcut(keys)).unwrap_or_default();
            let on = command == Command::Orthographic && orthographic;
            let button = Button::new(entry.label).selected(on).shortcut_text(keys);
            if ui.add(button).on_hover_text(entry.tooltip).clicked() {
                asks.run(command);
            }
        }
    });
}

fn travel_ui(ui: &mut Ui, view: &mut View, course: &Course) {
    let name = |travel| match travel {
        TravelView::Travels => tr("Travels"),
        TravelView::Treadmill => tr("Treadmill"),
        TravelView::AsInFile => tr("As in the file"),
    };
    let tooltip = |travel| match travel {
        TravelView::Travels => tr("Round after round, the figure goes on"),
        TravelView::Treadmill => tr("The figure stays, the ground moves: the slide you see is the slide you ship"),
        TravelView::AsInFile => tr("Each round starts where it starts in the file"),
    };
    let text = format!("{} {}", name(view.travel), icon(Icon::ChevronDown));
    let response = ui.add(Button::new(text));
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, tr("How travel is shown")));
    let response = response.on_hover_text(tooltip(view.travel));
    Popup::menu(&response).show(|ui| {
        for travel in [TravelView::Travels, TravelView::Treadmill, TravelView::AsInFile] {
            let button = Button::new(name(travel)).selected(view.travel == travel);
            if ui.add(button).on_hover_text(tooltip(travel)).clicked() {
                view.travel = travel;
            }
        }
    });
    if view.travel == TravelView::Treadmill {
        let own = own_speed(course);
        let mut speed = view.treadmill_m_s.unwrap_or(own);
        let field = DragValue::new(&mut speed).speed(0.01).range(SPEEDS).max_decimals(2).suffix(" m/s").ui(ui);
        field.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, tr("Speed of the ground")));
        let field = field.on_hover_text(tr("Speed of the ground: the speed your game moves the character at"));
        if field.changed() {
            view.treadmill_m_s = Some(speed);
        }
        if view.treadmill_m_s.is_some() && icon_button(ui, Icon::RotateCcw, tr("The clip's own speed"), false).clicked()
        {
            view.treadmill_m_s = None;
        }
    }
}
