//! The panel *Rig*: who plays which role and how sure that is, and the tree of bones.

pub mod model;
mod picker;

use std::collections::HashSet;
use std::sync::Arc;

use eframe::egui::{Align, Color32, Rect, RichText, TextStyle, Ui, vec2};

use crate::edit::{Document, OpenFile, RoleChoice};
use crate::motion::{Rig, Role, Side, Skeleton};
use crate::ops::{ClipId, Evaluation};
use crate::session::{Action, Change, Session};
use crate::ui::asks::Asks;
use crate::ui::dock::{empty_ui, padded};
use crate::ui::icons::labelled;
use crate::ui::rows::{List, fold_ui, indent, line_in, row_response, search_ui, take_left, take_right};
use crate::ui::text::tr;
use crate::ui::theme::{Palette, RHYTHM, palette};
use lucide_icons::Icon;
use model::{BoneRow, RoleRow, Sureness, bone_rows, role_name, role_rows, side_letter, sureness};
use picker::{bone_picker, shown_name};

/// State of the panel.
#[derive(Default)]
pub struct RigPanel {
    search: String,
    /// Paths of bones whose children are folded away.
    closed: HashSet<String>,
    roles_closed: bool,
    bones_closed: bool,
    list: List,
    /// The bone as last seen: another was chosen elsewhere, and is to be shown.
    seen: Option<String>,
    /// The take's own rig, found anew when take or document are others.
    take: Option<(Arc<Document>, ClipId, Arc<Evaluation>)>,
}

/// One line of the list.
enum Line {
    Roles,
    Role(RoleRow),
    Bones,
    Bone(BoneRow),
}

/// What lines are drawn from.
struct Shown<'a> {
    open: &'a OpenFile,
    /// Of the file.
    own: &'a Skeleton,
    /// Of the clip in view, with what its steps inserted.
    skeleton: &'a Skeleton,
    rig: &'a Rig,
    chosen: Option<&'a str>,
}

impl RigPanel {
    /// Draws it.
    pub fn ui(&mut self, ui: &mut Ui, session: &Session, asks: &mut Asks) {
        padded(ui, |ui| {
            let document = session.shown_document().clone();
            let Some(evaluation) = session.evaluation_in_view() else {
                empty_ui(ui, tr("Select a clip to see its rig."));
                return;
            };
            let clip = session.clip_in_view();
            let Some((clip, (open, _))) = clip.and_then(|clip| Some((clip, document.take_of(clip)?))) else { return };
            let Some(take) = self.take(session, &document, clip) else { return };
            summary_ui(ui, &take.rig);
            search_ui(ui, tr("Search roles and bones"), &mut self.search);
            let chosen = session.view().bone.clone();
            let shown = Shown {
                open,
                own: &take.clip.skeleton,
                skeleton: &evaluation.clip.skeleton,
                rig: &evaluation.rig,
                chosen: chosen.as_deref(),
            };
            self.unfold_chosen(&shown);
            let lines = self.lines(&document, &take.rig, &shown);
            self.reveal_chosen(&lines, &shown);
            let mut list = std::mem::take(&mut self.list);
            let keys = list.ui(ui, tr("Roles and bones"), lines.len(), |ui, nth, place| {
                if let Some(line) = lines.get(nth) {
                    self.line_ui(ui, line, place, &shown, session, asks);
                }
            });
            if let Some((go, _)) = keys {
                let bones: Vec<&BoneRow> = lines.iter().filter_map(bone_of).collect();
                let now = bones.iter().position(|row| shown.chosen == Some(shown.skeleton.path(row.bone)));
                if let Some(next) = go.from(now, bones.len(), list.page()).and_then(|next| bones.get(next)) {
                    choose(session, asks, shown.skeleton.path(next.bone));
                }
            }
            self.list = list;
        });
    }

    /// The take behind a clip: its rig is the file's, without what steps inserted. A take has no steps, so nothing is
    /// computed here.
    fn take(&mut self, session: &Session, document: &Arc<Document>, clip: ClipId) -> Option<Arc<Evaluation>> {
        let entry = document.clip(clip)?;
        let take = entry.output().map_or(clip, |output| output.source);
        let known = self.take.as_ref().filter(|(on, of, _)| Arc::ptr_eq(on, document) && *of == take);
        if let Some((_, _, evaluation)) = known {
            return Some(evaluation.clone());
        }
        let evaluation = session.evaluate(take)?;
        self.take = Some((document.clone(), take, evaluation.clone()));
        Some(evaluation)
    }

    fn lines(&self, document: &Document, rig: &Rig, shown: &Shown<'_>) -> Vec<Line> {
        let mut lines = vec![Line::Roles];
        if !self.roles_closed {
            let rows = role_rows(document, &shown.open.skeleton, rig, shown.own, &self.search);
            lines.extend(rows.into_iter().map(Line::Role));
        }
        lines.push(Line::Bones);
        if !self.bones_closed {
            let rows = bone_rows(shown.skeleton, shown.rig, &self.closed, &self.search);
            lines.extend(rows.into_iter().map(Line::Bone));
        }
        lines
    }

    /// What hides a bone that was chosen elsewhere, in the 3D view, is opened.
    fn unfold_chosen(&mut self, shown: &Shown<'_>) {
        let bone = shown.chosen.and_then(|path| shown.skeleton.find_path(path));
        if self.seen.as_deref() == shown.chosen {
            return;
        }
        if let Some(bone) = bone {
            for above in shown.skeleton.ancestors(bone) {
                self.closed.remove(shown.skeleton.path(above));
            }
        }
    }

    fn reveal_chosen(&mut self, lines: &[Line], shown: &Shown<'_>) {
        if self.seen.as_deref() == shown.chosen {
            return;
        }
        self.seen = shown.chosen.map(str::to_owned);
        let chosen = |row: &BoneRow| shown.chosen == Some(shown.skeleton.path(row.bone));
        if let Some(nth) = lines.iter().position(|line| bone_of(line).is_some_and(chosen)) {
            self.list.reveal(nth);
        }
    }

    fn line_ui(
        &mut self,
        ui: &mut Ui,
        line: &Line,
        place: Rect,
        shown: &Shown<'_>,
        session: &Session,
        asks: &mut Asks,
    ) {
        match line {
            Line::Roles => {
                let text = format!("{} ({})", tr("Roles"), shown.rig.roles.len());
                heading_ui(ui, place, &text, &mut self.roles_closed);
            }
            Line::Bones => {
                let text = format!("{} ({})", tr("Bones"), shown.skeleton.len());
                heading_ui(ui, place, &text, &mut self.bones_closed);
            }
            Line::Role(row) => role_ui(ui, row, place, shown, session, asks),
            Line::Bone(row) => {
                let path = shown.skeleton.path(row.bone);
                if bone_ui(ui, row, place, shown, session, asks) && !self.closed.remove(path) {
                    self.closed.insert(path.to_owned());
                }
            }
        }
    }
}

fn bone_of(line: &Line) -> Option<&BoneRow> {
    match line {
        Line::Bone(row) => Some(row),
        Line::Roles | Line::Bones | Line::Role(_) => None,
    }
}

fn choose(session: &Session, asks: &mut Asks, path: &str) {
    asks.view(session.view(), |view| view.bone = Some(path.to_owned()));
}

/// What was recognised, how surely, and by what.
fn summary_ui(ui: &mut Ui, rig: &Rig) {
    let colours = palette(ui.ctx());
    let family = if rig.family.is_empty() { tr("Unknown rig") } else { &rig.family };
    let percent = (rig.confidence * 100.0).round();
    let (symbol, colour, verdict) = match sureness(rig) {
        Sureness::Sure => (Icon::CircleCheck, colours.good, tr("recognised")),
        Sureness::Doubtful => (Icon::TriangleAlert, colours.warning, tr("uncertain: look at the roles below")),
        Sureness::Unknown => (Icon::CircleAlert, colours.error, tr("not recognised: choose at least pelvis and legs")),
    };
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(labelled(symbol, family)).color(colour).strong());
        ui.label(format!("{percent:.0} % · {verdict}"));
    });
    if !rig.reason.is_empty() {
        let reason = RichText::new(&rig.reason).color(colours.faint);
        ui.add(eframe::egui::Label::new(reason).truncate()).on_hover_text(&rig.reason);
    }
}

fn heading_ui(ui: &Ui, mut place: Rect, text: &str, closed: &mut bool) {
    let id = ui.make_persistent_id(("heading", text));
    let response = row_response(ui, place, id, text, false);
    let triangle = take_left(&mut place, RHYTHM * 2.0);
    let folded = fold_ui(ui, triangle, id.with("fold"), text, !*closed).clicked();
    line_in(ui, place, text, &TextStyle::Button, palette(ui.ctx()).text, Align::Min);
    if folded || response.clicked() {
        *closed = !*closed;
    }
}

fn side_colour(colours: &Palette, side: Option<Side>) -> Color32 {
    match side {
        Some(Side::Left) => colours.left,
        Some(Side::Right) => colours.right,
        None => colours.text,
    }
}

/// A role with its letter, and the drop-down with its bone.
fn role_ui(ui: &mut Ui, row: &RoleRow, place: Rect, shown: &Shown<'_>, session: &Session, asks: &mut Asks) {
    let colours = palette(ui.ctx());
    let mut left = place;
    let mut name_place = take_left(&mut left, place.width() * 0.42);
    let side = row.role.side();
    // The bone in view may stand elsewhere, with a root inserted above it.
    let path = shown.rig.bone(row.role).map(|bone| shown.skeleton.path(bone));
    let marked = path.is_some() && path == shown.chosen;
    let id = ui.make_persistent_id(("role", row.role));
    let response = row_response(ui, name_place, id, &row.name, marked);
    let letter = take_left(&mut name_place, RHYTHM * 2.0);
    let colour = side_colour(colours, side);
    line_in(ui, letter, side.map_or("", side_letter), &TextStyle::Small, colour, Align::Center);
    if row.choice != RoleChoice::Detected {
        let by_hand = take_right(&mut name_place, RHYTHM * 2.0);
        let mark = ui.interact(by_hand, id.with("by hand"), eframe::egui::Sense::hover());
        crate::ui::rows::icon_in(ui, by_hand, Icon::Pencil, colours.accent);
        mark.on_hover_text(tr("Set by hand"));
    }
    let colour = if row.bone.is_some() { colour } else { colours.faint };
    line_in(ui, name_place, &row.name, &TextStyle::Body, colour, Align::Min);
    if response.clicked()
        && let Some(path) = path
    {
        choose(session, asks, path);
    }
    let builder = eframe::egui::UiBuilder::new().max_rect(left.shrink2(vec2(RHYTHM / 2.0, 1.0))).id_salt(row.role);
    let chosen = ui
        .scope_builder(builder, |ui| {
            let name = format!("{} {}", tr("Bone of"), row.role);
            bone_picker(ui, &name, shown.own, row.bone, &row.choice)
        })
        .inner;
    if let Some(choice) = chosen.filter(|choice| *choice != row.choice) {
        let change = Change::SetRole { skeleton: shown.open.skeleton.clone(), role: row.role, choice };
        asks.act(Action::Change(change));
    }
}

/// A bone of the tree; whether its children are to be folded or unfolded.
fn bone_ui(ui: &Ui, row: &BoneRow, place: Rect, shown: &Shown<'_>, session: &Session, asks: &mut Asks) -> bool {
    let colours = palette(ui.ctx());
    let path = shown.skeleton.path(row.bone);
    let name = shown_name(shown.skeleton, row.bone);
    let id = ui.make_persistent_id(("bone", path));
    let response = row_response(ui, place, id, &name, shown.chosen == Some(path));
    let mut left = place;
    // However deep the bone is, its name keeps some room.
    take_left(&mut left, indent(row.depth).min(place.width() * 0.5));
    let triangle = take_left(&mut left, RHYTHM * 2.0);
    let mut folds = false;
    if let Some(open) = row.open {
        let label = format!("{} {name}", tr("Bones beneath"));
        folds = fold_ui(ui, triangle, id.with("fold"), &label, open).clicked();
    }
    for &role in row.roles.iter().rev() {
        badge_ui(ui, &mut left, role, colours);
    }
    let of_mesh = shown.skeleton.bone(row.bone).is_joint;
    let colour = if of_mesh { colours.text } else { colours.faint };
    line_in(ui, left, &name, &TextStyle::Body, colour, Align::Min);
    if response.on_hover_text(path).clicked() {
        choose(session, asks, path);
    }
    folds
}

/// The role of a bone, at the right of its row, in the colour of its side.
fn badge_ui(ui: &Ui, left: &mut Rect, role: Role, colours: &Palette) {
    let text = role_name(role);
    let font = TextStyle::Small.resolve(ui.style());
    let width = ui.painter().layout_no_wrap(text.clone(), font, colours.text).size().x;
    let place = take_right(left, (width + RHYTHM).min(left.width() * 0.5));
    line_in(ui, place, &text, &TextStyle::Small, side_colour(colours, role.side()), Align::Max);
    take_right(left, RHYTHM / 2.0);
}
