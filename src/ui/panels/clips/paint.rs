//! How the heads and the rows of the table look.

use eframe::egui::{Align, Color32, Rect, Response, Role, Sense, TextStyle, Ui, Vec2, WidgetInfo};
use lucide_icons::Icon;

use super::columns::Column;
use super::facts::Travel;
use super::model::{Order, Row, What};
use crate::motion::time::USUAL_RATES;
use crate::session::Session;
use crate::ui::rows::{fold_ui, icon_in, indent, line_in, row_response, take_left, take_right};
use crate::ui::text::tr;
use crate::ui::theme::{RHYTHM, ROW_HEIGHT, palette};

/// Room for an icon.
const ICON: f32 = RHYTHM * 2.0;

/// The heads of the columns; the one that was clicked.
pub fn heads_ui(ui: &mut Ui, columns: &[(Column, f32)], order: Order) -> Option<Column> {
    let (mut place, _) = ui.allocate_exact_size(Vec2::new(ui.available_width(), ROW_HEIGHT), Sense::hover());
    let colours = palette(ui.ctx());
    ui.painter().hline(place.x_range(), place.bottom(), (1.0, colours.line));
    let mut asked = None;
    for &(column, width) in columns {
        let mut cell = take_left(&mut place, width);
        let id = ui.make_persistent_id(("head", column));
        let response = ui.interact(cell, id, Sense::click());
        let sorted = order.by == Some(column);
        let name = format!("{} {}", tr("Sort by"), column.title().to_lowercase());
        response.widget_info(|| WidgetInfo::selected(Role::Button, true, sorted, &name));
        let colour = if response.hovered() || response.has_focus() || sorted { colours.text } else { colours.faint };
        let align = if column == Column::Name { Align::Min } else { Align::Max };
        let arrow = match (sorted, order.descending) {
            (false, _) => String::new(),
            (true, false) => crate::ui::icons::icon(Icon::ChevronUp),
            (true, true) => crate::ui::icons::icon(Icon::ChevronDown),
        };
        if column != Column::Name {
            take_right(&mut cell, RHYTHM / 2.0);
        }
        line_in(ui, cell, &format!("{}{arrow}", column.title()), &TextStyle::Small, colour, align);
        if response.on_hover_text(format!("{}\n{}", column.hint(), tr("Click to sort."))).clicked() {
            asked = Some(column);
        }
    }
    asked
}

/// What came of drawing a row.
pub struct Painted {
    /// The row as a whole.
    pub response: Response,
    /// Its triangle was clicked.
    pub folded: bool,
    /// Where the name is.
    pub name_place: Rect,
}

/// Draws a row; without its name and badges where a field hides them.
pub fn row_ui(
    ui: &mut Ui,
    session: &Session,
    row: &Row,
    place: Rect,
    columns: &[(Column, f32)],
    marked: bool,
    hides_name: bool,
) -> Painted {
    let id = ui.make_persistent_id(row.what);
    let mut response = row_response(ui, place, id, &row.name, marked);
    let colours = palette(ui.ctx());
    let mut left = place;
    let mut name_place = place;
    let mut folded = false;
    let mut elided = false;
    for &(column, width) in columns {
        let mut cell = take_left(&mut left, width);
        if column != Column::Name {
            if matches!(row.what, What::Clip(_)) {
                let colour = if row.still || row.beside { colours.faint } else { colours.text };
                take_right(&mut cell, RHYTHM / 2.0);
                line_in(ui, cell, &column.text(&row.facts), &TextStyle::Body, colour, Align::Max);
            }
            continue;
        }
        take_left(&mut cell, indent(row.depth));
        let triangle = take_left(&mut cell, ICON);
        if let Some(open) = row.open {
            let name = format!("{} {}", tr("What is beneath"), row.name);
            folded = fold_ui(ui, triangle, id.with("fold"), &name, open).clicked();
        }
        if !hides_name {
            for (nth, badge) in badges(session, row).into_iter().enumerate().rev() {
                badge_ui(ui, take_right(&mut cell, ICON), id.with(("badge", nth)), &badge);
            }
            let colour = if row.still || row.beside { colours.faint } else { colours.text };
            elided = line_in(ui, cell, &row.name, &TextStyle::Body, colour, Align::Min);
        }
        name_place = cell;
    }
    if !hides_name {
        response = response.on_hover_ui(|ui| about_ui(ui, session, row, elided));
    }
    Painted { response, folded, name_place }
}

/// An icon that says one thing of a clip.
struct Badge {
    icon: Icon,
    name: String,
    colour: fn(&crate::ui::theme::Palette) -> Color32,
}

fn badges(session: &Session, row: &Row) -> Vec<Badge> {
    let mut badges = Vec::new();
    let Some(clip) = row.clip() else { return badges };
    if row.still {
        badges.push(Badge { icon: Icon::Moon, name: tr("Still: nothing moves in it").into(), colour: |p| p.faint });
    }
    match row.facts.travel {
        Some(Travel::RootMotion) => {
            badges.push(Badge { icon: Icon::Footprints, name: tr("Root motion").into(), colour: |p| p.root });
        }
        Some(Travel::InPlace) => {
            badges.push(Badge { icon: Icon::Pin, name: tr("In place").into(), colour: |p| p.faint });
        }
        None => {}
    }
    if row.facts.is_loop && !row.still {
        badges.push(Badge { icon: Icon::Repeat, name: tr("Loop").into(), colour: |p| p.faint });
    }
    if let Some(fps) = row.facts.fps.filter(|fps| !USUAL_RATES.iter().any(|usual| (usual - fps).abs() < 0.05)) {
        let name = format!("{} ({fps:.2} fps)", tr("Unusual rate: engines will resample it"));
        badges.push(Badge { icon: Icon::Gauge, name, colour: |p| p.warning });
    }
    if let Some(path) = session.exported_to(clip) {
        let name = format!("{} {}", tr("Exported:"), path.display());
        badges.push(Badge { icon: Icon::Download, name, colour: |p| p.good });
    }
    badges
}

fn badge_ui(ui: &Ui, place: Rect, id: eframe::egui::Id, badge: &Badge) {
    let response = ui.interact(place, id, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &badge.name));
    icon_in(ui, place, badge.icon, (badge.colour)(palette(ui.ctx())));
    response.on_hover_text(&badge.name);
}

/// The whole name where it was cut, and where the clip comes from.
fn about_ui(ui: &mut Ui, session: &Session, row: &Row, elided: bool) {
    let document = session.document();
    let open = match row.what {
        What::File(file) => document.file(file),
        What::Clip(clip) => document.take_of(clip).map(|(open, _)| open),
    };
    if elided {
        ui.strong(&row.name);
    }
    let Some(open) = open else { return };
    ui.label(open.file.path.display().to_string());
    if !open.file.description.is_empty() {
        ui.weak(&open.file.description);
    }
    if let Some(entry) = row.clip().and_then(|clip| document.clip(clip)) {
        for step in entry.steps() {
            let off = if step.on { String::new() } else { format!(" ({})", tr("off")) };
            ui.weak(format!("{}{off}", tr(step.op.label())));
        }
    }
}
