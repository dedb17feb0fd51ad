//! The panel *Steps*: what is done to the selected output, first to last; each step can be switched, changed, moved
//! and taken out, and all of them be copied to other clips.

pub mod draft;
pub mod model;

use std::sync::Arc;

use eframe::egui::{self, Align, Key, Modifiers, RichText, ScrollArea, Sense, TextStyle, Ui, vec2};
use lucide_icons::Icon;

use super::actions::settings::{SettingsContext, op_settings_ui};
use super::report::report_ui;
use crate::ops::{ClipId, Op, Step};
use crate::session::{Action, Change, Session, Shown};
use crate::ui::asks::Asks;
use crate::ui::dock::{empty_ui, padded};
use crate::ui::icons::Named as _;
use crate::ui::icons::{icon, icon_button, labelled, labelled_button};
use crate::ui::rows::{icon_in, line_in, take_left};
use crate::ui::text::tr;
use crate::ui::theme::{RHYTHM, ROW_HEIGHT, palette};
use draft::Draft;
use model::{State, StepRow, dropped, gap_at, rows};

/// State of the panel.
#[derive(Default)]
pub struct StepsPanel {
    draft: Option<Draft>,
    /// Steps to be pasted.
    copied: Vec<Step>,
    /// The step that is dragged.
    dragged: Option<usize>,
    /// Paths of the bones of the skeleton in view, made anew when it is another.
    bones: (Option<usize>, Vec<String>),
}

impl StepsPanel {
    /// Draws it.
    pub fn ui(&mut self, ui: &mut Ui, session: &Session, asks: &mut Asks) {
        padded(ui, |ui| {
            let shown = session.selection().shown();
            let Some((clip, entry)) = shown.and_then(|clip| Some((clip, session.document().clip(clip)?.clone())))
            else {
                self.close(session, asks);
                empty_ui(ui, tr("Select a clip to see its steps."));
                return;
            };
            self.head_ui(ui, session, &entry.name, entry.steps(), asks);
            let Some(_) = entry.output() else {
                self.close(session, asks);
                empty_ui(ui, tr("A take is as it is in its file. An action makes a clip of it, with steps."));
                return;
            };
            if self.draft.as_ref().is_some_and(|draft| draft.clip != clip || draft.step >= entry.steps().len()) {
                self.close(session, asks);
            }
            if let Some(draft) = &mut self.draft {
                draft.follow(session);
                // Down rather than pressed: the window may have taken the event, and a drag ends with it at once.
                if ui.input(|input| input.key_down(Key::Escape)) {
                    draft.cancel(asks);
                }
            }
            if entry.steps().is_empty() {
                empty_ui(ui, tr("Nothing is done to it yet: see Actions."));
                return;
            }
            let evaluation = match session.shown(clip) {
                Shown::Ready(evaluation) => Some(evaluation),
                Shown::Computing(_) | Shown::Absent => None,
            };
            // While settings are changed, the rows say what they are now.
            let as_shown = session.shown_document().clip(clip).unwrap_or(&entry);
            let rows = rows(as_shown.steps(), evaluation.as_deref());
            ScrollArea::vertical().auto_shrink(false).show(ui, |ui| self.list_ui(ui, session, clip, &rows, asks));
        });
    }

    /// Closes the open settings; a change under way is made.
    fn close(&mut self, session: &Session, asks: &mut Asks) {
        if let Some(mut draft) = self.draft.take() {
            draft.finish(session, asks);
        }
    }

    /// The clip's name, and what is done with all of its steps.
    fn head_ui(&mut self, ui: &mut Ui, session: &Session, name: &str, steps: &[Arc<Step>], asks: &mut Asks) {
        ui.horizontal(|ui| {
            ui.with_layout(egui::Layout::right_to_left(Align::Center), |ui| {
                self.paste_ui(ui, session, asks);
                let copy =
                    ui.add_enabled_ui(!steps.is_empty(), |ui| icon_button(ui, Icon::Copy, tr("Copy the steps"), false));
                if copy.inner.clicked() {
                    self.copied = steps.iter().map(|step| Step::clone(step)).collect();
                    let lines: Vec<String> = self.copied.iter().map(Step::canonical).collect();
                    ui.copy_text(format!("[{}]", lines.join(",\n")));
                }
                ui.with_layout(egui::Layout::left_to_right(Align::Center), |ui| {
                    ui.add(egui::Label::new(RichText::new(name).strong()).truncate()).on_hover_text(name);
                });
            });
        });
    }

    fn paste_ui(&self, ui: &mut Ui, session: &Session, asks: &mut Asks) {
        let clips = &session.selection().clips;
        let count = self.copied.len();
        ui.add_enabled_ui(count > 0 && !clips.is_empty(), |ui| {
            let menu = ui.menu_button(icon(Icon::ClipboardPaste), |ui| {
                let outputs = clips.iter().all(|&clip| is_output(session, clip));
                let of = format!("{count} {}", if count == 1 { tr("step") } else { tr("steps") });
                let onto = match clips.len() {
                    1 => tr("the selected clip").to_owned(),
                    n => format!("{n} {}", tr("selected clips")),
                };
                let here = egui::Button::new(format!("{} {of} {} {onto}", tr("Add"), tr("to")));
                let here = ui.add_enabled(outputs, here);
                let here = here.on_disabled_hover_text(tr("A take is never changed: make new clips"));
                if here.clicked() {
                    asks.act(apply(&self.copied, clips, true));
                }
                if ui.button(format!("{} {onto} {} {of}", tr("Make new clips of"), tr("with"))).clicked() {
                    asks.act(apply(&self.copied, clips, false));
                }
            });
            let hint = if count == 0 { tr("Copy steps of a clip first") } else { tr("Paste the steps") };
            menu.response.accessible_name(tr("Paste the steps")).on_hover_text(hint);
        });
    }

    fn list_ui(&mut self, ui: &mut Ui, session: &Session, clip: ClipId, rows: &[StepRow], asks: &mut Asks) {
        let mut middles = Vec::with_capacity(rows.len());
        let mut edges = Vec::with_capacity(rows.len() + 1);
        for (nth, row) in rows.iter().enumerate() {
            let top = ui.cursor().top();
            ui.push_id(nth, |ui| self.step_ui(ui, session, clip, rows.len(), nth, row, asks));
            edges.push(top);
            middles.push((top + ui.cursor().top()) / 2.0);
        }
        edges.push(ui.cursor().top());
        self.drop_ui(ui, clip, &middles, &edges, asks);
    }

    /// The line where a dragged step would go, and its going there.
    fn drop_ui(&mut self, ui: &Ui, clip: ClipId, middles: &[f32], edges: &[f32], asks: &mut Asks) {
        let Some(from) = self.dragged else { return };
        let (at, down) = ui.input(|input| (input.pointer.interact_pos(), input.pointer.primary_down()));
        let to = at.and_then(|at| {
            let gap = gap_at(middles, at.y);
            Some((gap, dropped(from, gap)?))
        });
        if !down {
            self.dragged = None;
            if let Some((_, to)) = to {
                asks.act(Action::Change(Change::MoveStep { clip, from, to }));
                self.draft = None;
            }
        } else if let Some((gap, _)) = to
            && let Some(&y) = edges.get(gap)
        {
            let y = y - ui.spacing().item_spacing.y / 2.0;
            ui.painter().hline(ui.max_rect().x_range(), y, (2.0, palette(ui.ctx()).accent));
        }
    }

    #[expect(clippy::too_many_arguments, reason = "a row needs to know its place among the others")]
    fn step_ui(
        &mut self,
        ui: &mut Ui,
        session: &Session,
        clip: ClipId,
        count: usize,
        nth: usize,
        row: &StepRow,
        asks: &mut Asks,
    ) {
        let colours = palette(ui.ctx());
        let open = self.draft.as_ref().is_some_and(|draft| draft.is_for(clip, nth));
        let label = tr(row.step.op.label());
        let stroke = if open { colours.accent } else { colours.line };
        let frame = egui::Frame::new().stroke((1.0, stroke)).inner_margin(RHYTHM / 2.0);
        frame.show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = RHYTHM / 4.0;
                self.handle_ui(ui, nth, label, count);
                let mut on = row.step.on;
                let check = ui.checkbox(&mut on, "").accessible_name(format!("{} {label}", tr("Do")));
                if check.on_hover_text(tr("Does the step, or leaves it out")).changed() {
                    asks.act(Action::Change(Change::ToggleStep { clip, step: nth, on }));
                }
                ui.with_layout(egui::Layout::right_to_left(Align::Center), |ui| {
                    self.menu_ui(ui, clip, nth, count, label, asks);
                    state_ui(ui, &row.state);
                    let title = title_ui(ui, nth, row, label, open);
                    if title.has_focus() {
                        self.keys(ui, clip, nth, count, asks);
                    }
                    if title.clicked() {
                        self.close(session, asks);
                        self.draft = (!open).then(|| Draft::new(clip, nth));
                    }
                });
            });
            if let State::Refused(why) = &row.state {
                ui.label(RichText::new(why).color(colours.error));
                if way_out_ui(ui, label) {
                    asks.act(Action::Change(Change::ToggleStep { clip, step: nth, on: false }));
                }
            }
            let committed = session.document().clip(clip).and_then(|entry| entry.steps().get(nth));
            if open && let Some(committed) = committed {
                self.settings_ui(ui, session, &committed.op, &row.state, asks);
            }
            if let State::Done(report) = &row.state
                && !(report.figures.is_empty() && report.notes.is_empty())
            {
                let found = egui::CollapsingHeader::new(tr("What it found")).id_salt("report").default_open(open);
                found.show(ui, |ui| report_ui(ui, report));
            }
        });
    }

    /// What the step is dragged by.
    fn handle_ui(&mut self, ui: &mut Ui, nth: usize, label: &str, count: usize) {
        let (place, response) = ui.allocate_exact_size(vec2(RHYTHM * 2.0, ROW_HEIGHT), Sense::drag());
        let name = format!("{} {label}", tr("Drag"));
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, count > 1, &name));
        let colours = palette(ui.ctx());
        let colour = if self.dragged == Some(nth) { colours.accent } else { colours.faint };
        icon_in(ui, place, Icon::GripVertical, colour);
        if response.drag_started() {
            self.dragged = Some(nth);
        }
        response
            .on_hover_and_drag_cursor(egui::CursorIcon::Grab)
            .on_hover_text(tr("Drag to another place; Alt with the arrows moves the step too"));
    }

    /// Alt with the arrows moves the step whose title has the keyboard.
    fn keys(&mut self, ui: &Ui, clip: ClipId, nth: usize, count: usize, asks: &mut Asks) {
        let (up, down) = ui.input_mut(|input| {
            (input.consume_key(Modifiers::ALT, Key::ArrowUp), input.consume_key(Modifiers::ALT, Key::ArrowDown))
        });
        let to = match (up, down) {
            (true, _) => nth.checked_sub(1),
            (false, true) => Some(nth + 1).filter(|&to| to < count),
            (false, false) => None,
        };
        if let Some(to) = to {
            self.draft = None;
            asks.act(Action::Change(Change::MoveStep { clip, from: nth, to }));
        }
    }

    fn menu_ui(&mut self, ui: &mut Ui, clip: ClipId, nth: usize, count: usize, label: &str, asks: &mut Asks) {
        let menu = ui.menu_button(icon(Icon::EllipsisVertical), |ui| {
            let mut change = None;
            let up = ui.add_enabled(nth > 0, egui::Button::new(labelled(Icon::ArrowUp, tr("Move up"))));
            let up = up.named(tr("Move up"));
            if up.clicked() {
                change = Some(Change::MoveStep { clip, from: nth, to: nth - 1 });
            }
            let down = egui::Button::new(labelled(Icon::ArrowDown, tr("Move down")));
            if ui.add_enabled(nth + 1 < count, down).named(tr("Move down")).clicked() {
                change = Some(Change::MoveStep { clip, from: nth, to: nth + 1 });
            }
            if labelled_button(ui, Icon::Trash2, tr("Delete step")).clicked() {
                change = Some(Change::DeleteStep { clip, step: nth });
            }
            if let Some(change) = change {
                self.draft = None;
                asks.act(Action::Change(change));
            }
        });
        menu.response.accessible_name(format!("{} {label}", tr("More for")));
    }

    fn settings_ui(&mut self, ui: &mut Ui, session: &Session, committed: &Op, state: &State, asks: &mut Asks) {
        if let Some(evaluation) = session.evaluation_in_view() {
            let skeleton = &evaluation.clip.skeleton;
            let key = Arc::as_ptr(skeleton) as usize;
            if self.bones.0 != Some(key) {
                let paths = skeleton.indices().map(|bone| skeleton.path(bone).to_owned()).collect();
                self.bones = (Some(key), paths);
            }
        }
        let Some(draft) = &mut self.draft else { return };
        let report = if let State::Done(report) = state { Some(report) } else { None };
        let context = SettingsContext { bones: &self.bones.1, report };
        let mut op = draft.op(committed);
        let touched = ui.scope(|ui| op_settings_ui(ui, &mut op, &context)).inner;
        let typed = ui.memory(|memory| memory.focused().is_some());
        let held = ui.input(|input| input.pointer.any_down());
        draft.take(op, committed, touched, held, typed, asks);
    }
}

fn is_output(session: &Session, clip: ClipId) -> bool {
    session.document().clip(clip).is_some_and(|entry| entry.output().is_some())
}

fn apply(steps: &[Step], clips: &[ClipId], here: bool) -> Action {
    Action::Change(Change::Apply { steps: steps.to_vec(), clips: clips.to_vec(), here })
}

/// Triangle, name and summary in one button that opens the settings.
fn title_ui(ui: &mut Ui, nth: usize, row: &StepRow, label: &str, open: bool) -> egui::Response {
    let size = vec2(ui.available_width(), ROW_HEIGHT);
    let (_, mut place) = ui.allocate_space(size);
    let id = ui.make_persistent_id(("title", nth));
    let response = ui.interact(place, id, Sense::click());
    let name = format!("{} {label}", tr("Settings of"));
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::DisclosureTriangle, true, open, &name));
    let colours = palette(ui.ctx());
    if response.has_focus() {
        ui.painter().rect_stroke(place, 0.0, (1.0, colours.accent), egui::StrokeKind::Inside);
    } else if response.hovered() {
        ui.painter().rect_filled(place, 0.0, ui.visuals().faint_bg_color);
    }
    let triangle = take_left(&mut place, RHYTHM * 2.0);
    icon_in(ui, triangle, if open { Icon::ChevronDown } else { Icon::ChevronRight }, colours.faint);
    let dim = matches!(row.state, State::Off | State::NotTried);
    let colour = if dim { colours.faint } else { colours.text };
    let font = TextStyle::Button.resolve(ui.style());
    let width = ui.painter().layout_no_wrap(label.to_owned(), font, colour).size().x;
    let name_place = take_left(&mut place, width + RHYTHM);
    let elided = line_in(ui, name_place, label, &TextStyle::Button, colour, Align::Min);
    let cut = line_in(ui, place, &row.summary, &TextStyle::Small, colours.faint, Align::Min);
    if elided || cut { response.on_hover_text(format!("{label}\n{}", row.summary)) } else { response }
}

fn state_ui(ui: &mut Ui, state: &State) {
    let colours = palette(ui.ctx());
    let (symbol, colour, hint) = match state {
        State::Off | State::Done(_) => return,
        State::Computing => {
            ui.spinner();
            return;
        }
        State::Refused(_) => (Icon::CircleAlert, colours.error, tr("The step refused")),
        State::NotTried => (Icon::CircleDashed, colours.faint, tr("A step before it refused: it was not tried")),
    };
    let (place, response) = ui.allocate_exact_size(vec2(RHYTHM * 2.0, ROW_HEIGHT), Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, hint));
    icon_in(ui, place, symbol, colour);
    response.on_hover_text(hint);
}

/// The way out of a refusal that is always there.
fn way_out_ui(ui: &mut Ui, label: &str) -> bool {
    let button = ui.button(tr("Switch the step off"));
    button.accessible_name(format!("{} {label}", tr("Switch off"))).clicked()
}
