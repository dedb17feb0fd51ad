//! The panel *Actions*: one card per operation. The settings of the open card are previewed in the 3D view, the plots
//! and the read-outs as they change; Apply makes a clip of them.

pub mod card;
pub mod settings;

use std::sync::Arc;

use eframe::egui::{self, RichText, ScrollArea, Ui};
use lucide_icons::Icon;

use super::super::dock::{empty_ui, padded};
use super::super::icons::{labelled, labelled_button};
use super::super::text::tr;
use super::super::theme::{RHYTHM, palette};
use crate::edit::Document;
use crate::ops::resplit::ChildRule;
use crate::ops::{ClipId, Op, Step};
use crate::session::{Action, Change, Session, Shown};
use crate::ui::asks::Asks;
use crate::ui::commands::{Card, Command};
use crate::ui::icons::Named as _;
use card::{CARDS, CardInfo, default_op};
use settings::{SettingsContext, op_settings_ui};

/// State of the panel.
pub struct ActionsPanel {
    /// Settings per card, kept while the window is open.
    drafts: Vec<(Card, Op)>,
    /// The card whose settings are previewed.
    open: Option<Card>,
    /// What was last asked of the session, and on which document: a refusal is not asked for again.
    asked: Option<(Change, Arc<Document>)>,
    /// Why the session would not preview it.
    refused: Option<String>,
    /// Paths of the bones of the skeleton in view, made anew when it is another.
    bones: (Option<usize>, Vec<String>),
}

impl Default for ActionsPanel {
    fn default() -> Self {
        Self {
            drafts: CARDS.iter().map(|info| (info.card, default_op(info.card))).collect(),
            open: None,
            asked: None,
            refused: None,
            bones: (None, Vec::new()),
        }
    }
}

impl ActionsPanel {
    /// Draws it.
    pub fn ui(&mut self, ui: &mut Ui, session: &Session, asks: &mut Asks) {
        padded(ui, |ui| {
            if session.selection().clips.is_empty() {
                empty_ui(ui, tr("Select a clip to see what can be done with it."));
                return;
            }
            ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                for info in &CARDS {
                    self.card_ui(ui, info, session, asks);
                }
            });
        });
        self.keep_preview(session, asks);
    }

    /// Opens a card, whose settings are previewed from then on.
    pub fn open(&mut self, card: Card) {
        self.open = Some(card);
        self.asked = None;
    }

    /// The open card.
    pub fn opened(&self) -> Option<Card> {
        self.open
    }

    /// Closes the open card; what it previewed is forgotten.
    pub fn close(&mut self, asks: &mut Asks) {
        if self.open.take().is_some() {
            asks.act(Action::Cancel);
        }
        self.asked = None;
        self.refused = None;
    }

    /// Takes what the open card shows: as a new clip, or into the clips themselves.
    pub fn apply(&mut self, here: bool, session: &Session, asks: &mut Asks) {
        let Some(change) = self.wanted(session) else { return };
        match change {
            Change::Apply { steps, clips, .. } if here => {
                asks.act(Action::Cancel);
                asks.act(Action::Change(Change::Apply { steps, clips, here: true }));
            }
            change if session.previewed() == Some(&change) => asks.act(Action::Commit),
            change => asks.act(Action::Change(change)),
        }
        self.open = None;
        self.asked = None;
        self.refused = None;
    }

    /// The session would not preview what was asked for.
    pub fn preview_refused(&mut self, why: String) {
        self.refused = Some(why);
    }

    /// What the open card would do to the marked clips.
    fn wanted(&self, session: &Session) -> Option<Change> {
        let card = self.open?;
        let clips = session.selection().clips.clone();
        let (_, op) = self.drafts.iter().find(|(of, _)| *of == card)?;
        let step = Step::new(without_empty_rules(op));
        (!clips.is_empty()).then(|| Change::Apply { steps: vec![step], clips, here: false })
    }

    /// Asks for a preview when the card, its settings, the marks or the document are others than at the last time.
    /// A preview of somebody else's is left alone.
    fn keep_preview(&mut self, session: &Session, asks: &mut Asks) {
        let Some(wanted) = self.wanted(session) else { return };
        if session.previewed().is_some_and(|change| !matches!(change, Change::Apply { .. })) {
            return;
        }
        let document = session.document();
        let known = self.asked.as_ref().is_some_and(|(asked, on)| *asked == wanted && Arc::ptr_eq(on, document));
        if !known {
            self.refused = None;
            asks.act(Action::Preview(wanted.clone()));
            self.asked = Some((wanted, document.clone()));
        }
    }

    fn card_ui(&mut self, ui: &mut Ui, info: &CardInfo, session: &Session, asks: &mut Asks) {
        let open = self.open == Some(info.card);
        let colours = palette(ui.ctx());
        let stroke = egui::Stroke::new(1.0, if open { colours.accent } else { colours.line });
        let frame = egui::Frame::new().stroke(stroke).corner_radius(4).inner_margin(RHYTHM).outer_margin(2);
        frame.show(ui, |ui| {
            ui.set_width(ui.available_width());
            let text = RichText::new(labelled(info.icon, info.label())).strong();
            let title = egui::Button::new((text, egui::Atom::grow()))
                .frame_when_inactive(false)
                .min_size(egui::vec2(ui.available_width(), 0.0));
            let title = ui.add(title);
            title.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, open, info.label()));
            if title.on_hover_text(info.about()).clicked() {
                if open { self.close(asks) } else { self.open(info.card) }
            }
            if !open {
                return;
            }
            ui.label(RichText::new(info.about()).color(colours.faint));
            ui.add_space(RHYTHM / 2.0);
            self.settings_ui(ui, info.card, session);
            ui.add_space(RHYTHM / 2.0);
            self.buttons_ui(ui, session, asks);
            self.outcome_ui(ui, session);
        });
    }

    fn settings_ui(&mut self, ui: &mut Ui, card: Card, session: &Session) {
        let evaluation = session.evaluation_in_view();
        if let Some(evaluation) = &evaluation {
            let skeleton = &evaluation.clip.skeleton;
            let key = Arc::as_ptr(skeleton) as usize;
            if self.bones.0 != Some(key) {
                let paths = skeleton.indices().map(|bone| skeleton.path(bone).to_owned()).collect();
                self.bones = (Some(key), paths);
            }
        }
        let previewing = matches!(session.previewed(), Some(Change::Apply { .. }));
        let report = evaluation.as_ref().filter(|_| previewing).and_then(|e| e.reports.last()?.as_ref());
        let context = SettingsContext { bones: &self.bones.1, report };
        if let Some((_, op)) = self.drafts.iter_mut().find(|(of, _)| *of == card) {
            // Salted: cards have settings of the same names.
            ui.push_id(card, |ui| op_settings_ui(ui, op, &context));
            if *op != default_op(card) && labelled_button(ui, Icon::RotateCcw, tr("Reset settings")).clicked() {
                *op = default_op(card);
            }
        }
    }

    fn buttons_ui(&mut self, ui: &mut Ui, session: &Session, asks: &mut Asks) {
        let clips = &session.selection().clips;
        let is_output = |id: &ClipId| session.document().clip(*id).is_some_and(|clip| clip.output().is_some());
        ui.horizontal_wrapped(|ui| {
            let colours = palette(ui.ctx());
            let text = match clips.len() {
                0 | 1 => tr("Apply").to_owned(),
                n => format!("{} ({n})", tr("Apply")),
            };
            let apply = egui::Button::new(labelled(Icon::Check, &text)).fill(colours.accent_fill);
            let apply = ui
                .add(apply)
                .named(&text)
                .on_hover_text(tr("Makes a new clip (Ctrl+Enter); with Shift, adds the step here"));
            if apply.clicked() {
                let here = ui.input(|input| input.modifiers.shift);
                asks.run(if here { Command::ApplyCardHere } else { Command::ApplyCard });
            }
            let here = ui.add_enabled(clips.iter().all(is_output), egui::Button::new(tr("Apply here")));
            let here = here.on_hover_text(tr("Adds the step to the clip itself (Ctrl+Shift+Enter)"));
            if here.on_disabled_hover_text(tr("A take is never changed: Apply makes a clip of it first")).clicked() {
                asks.run(Command::ApplyCardHere);
            }
            if ui.button(tr("Cancel")).on_hover_text(tr("Forgets the preview (Esc)")).clicked() {
                asks.run(Command::CancelCard);
            }
        });
    }

    /// What the previewed step found, or why it would not.
    fn outcome_ui(&self, ui: &mut Ui, session: &Session) {
        let colours = palette(ui.ctx());
        if let Some(why) = &self.refused {
            ui.label(RichText::new(why).color(colours.error));
            return;
        }
        if !matches!(session.previewed(), Some(Change::Apply { .. })) {
            return;
        }
        for &clip in session.shown_clips() {
            let name = session.shown_document().clip(clip).map(|entry| entry.name.clone()).unwrap_or_default();
            let evaluation = match session.shown(clip) {
                Shown::Ready(evaluation) => evaluation,
                Shown::Computing(_) | Shown::Absent => {
                    ui.horizontal(|ui| {
                        ui.spinner();
                        ui.label(name);
                    });
                    continue;
                }
            };
            let arrow = RichText::new(labelled(Icon::ArrowRight, &name)).color(colours.faint);
            ui.add(egui::Label::new(arrow).truncate()).on_hover_text(&name);
            if let Some(refusal) = &evaluation.refused {
                ui.label(RichText::new(refusal.error.to_string()).color(colours.error));
            } else if let Some(Some(report)) = evaluation.reports.last() {
                super::report::report_ui(ui, report);
            }
        }
    }
}

/// A rule that names no bone yet is not one yet.
pub(super) fn without_empty_rules(op: &Op) -> Op {
    let mut op = op.clone();
    let keep = |rules: &mut Vec<ChildRule>| rules.retain(|rule| !rule.bone.is_empty());
    match &mut op {
        Op::Extract(op) => keep(&mut op.root.children),
        Op::InPlace(op) => keep(&mut op.root.children),
        Op::BakeToHips(op) => keep(&mut op.children),
        Op::MoveToOrigin(_) | Op::StartAtZero(_) => {}
    }
    op
}
