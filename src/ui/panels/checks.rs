//! The panel *Checks*: what is wrong with the clip in view, what to do about it, and one button for all of it.

use std::collections::HashSet;
use std::sync::Arc;

use eframe::egui::{self, RichText, ScrollArea, Ui};
use lucide_icons::Icon;

use crate::edit::RoleChoice;
use crate::ops::checks::{Finding, Fix, Severity, Verdict};
use crate::ops::{ClipId, Step};
use crate::session::{Action, Change, Session, Transport};
use crate::ui::asks::Asks;
use crate::ui::commands::Command;
use crate::ui::dock::{empty_ui, padded};
use crate::ui::icons::{icon, labelled, labelled_button};
use crate::ui::text::tr;
use crate::ui::theme::{Palette, RHYTHM, palette};

/// State of the panel.
#[derive(Default)]
pub struct ChecksPanel {
    /// Suggested steps that are not wanted, by what they are called; for the clip they were unticked for.
    unticked: (Option<ClipId>, HashSet<&'static str>),
}

impl ChecksPanel {
    /// Draws it.
    pub fn ui(&mut self, ui: &mut Ui, session: &Session, asks: &mut Asks) {
        padded(ui, |ui| {
            let Some(clip) = session.clip_in_view() else {
                empty_ui(ui, tr("Open a file to see what is wrong with it."));
                return;
            };
            let Some(verdict) = session.checks(clip) else {
                ui.horizontal(|ui| {
                    ui.spinner();
                    ui.label(tr("Looking at the clip"));
                });
                return;
            };
            if self.unticked.0 != Some(clip) {
                self.unticked = (Some(clip), HashSet::new());
            }
            ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                self.suggested_ui(ui, clip, &verdict, session, asks);
                for (nth, finding) in in_order(&verdict).into_iter().enumerate() {
                    ui.push_id(nth, |ui| finding_ui(ui, clip, finding, session, asks));
                }
            });
        });
    }

    /// The steps that *Suggested fix* applies.
    pub fn suggested(&self, session: &Session) -> Option<Change> {
        let clip = session.clip_in_view()?;
        let verdict = session.checks(clip)?;
        let wanted = |step: &&Step| self.unticked.0 != Some(clip) || !self.unticked.1.contains(step.op.label());
        let steps: Vec<Step> = verdict.suggested.iter().filter(wanted).cloned().collect();
        (!steps.is_empty()).then(|| Change::Apply { steps, clips: vec![clip], here: false })
    }

    fn suggested_ui(&mut self, ui: &mut Ui, clip: ClipId, verdict: &Arc<Verdict>, session: &Session, asks: &mut Asks) {
        let colours = palette(ui.ctx());
        if verdict.suggested.is_empty() {
            let text = match verdict.severity() {
                Some(Severity::Warning | Severity::Advice) => tr("Nothing here is put right by a step."),
                _ => tr("Nothing needs doing."),
            };
            ui.label(RichText::new(labelled(Icon::CircleCheck, text)).color(colours.faint));
            ui.add_space(RHYTHM / 2.0);
            return;
        }
        let frame = egui::Frame::new().fill(colours.accent_fill.gamma_multiply(0.5)).corner_radius(4);
        frame.inner_margin(RHYTHM).show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.label(RichText::new(tr("Suggested fix")).strong());
            for step in &verdict.suggested {
                let name = step.op.label();
                let mut on = !self.unticked.1.contains(name);
                if ui.checkbox(&mut on, tr(name)).changed() {
                    if on {
                        self.unticked.1.remove(name)
                    } else {
                        self.unticked.1.insert(name)
                    };
                }
            }
            // A preview is not the clip that would be fixed.
            let committed = session.document().clip(clip).is_some();
            let any = committed && self.suggested(session).is_some();
            ui.horizontal(|ui| {
                let apply = egui::Button::new(labelled(Icon::WandSparkles, tr("Apply"))).fill(colours.accent_fill);
                let apply = ui.add_enabled(any, apply);
                apply.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, any, tr("Apply the suggested fix")));
                if apply.on_hover_text(tr("Makes a new clip with the ticked steps")).clicked() {
                    asks.run(Command::SuggestedFix);
                }
                let both = ui.add_enabled(any, egui::Button::new(tr("Apply and export…")));
                if both.on_hover_text(tr("Makes the clip, then asks where to write it")).clicked() {
                    asks.run(Command::SuggestedFix);
                    asks.run(Command::Export);
                }
            });
        });
        ui.add_space(RHYTHM / 2.0);
    }
}

/// The gravest first, in the order of the checks among equals.
fn in_order(verdict: &Verdict) -> Vec<&Finding> {
    let mut findings: Vec<&Finding> = verdict.findings.iter().collect();
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    findings
}

/// Symbol and colour of a severity.
pub fn sign(severity: Severity, colours: &Palette) -> (Icon, egui::Color32) {
    match severity {
        Severity::Info => (Icon::Info, colours.faint),
        Severity::Advice => (Icon::Lightbulb, colours.accent),
        Severity::Warning => (Icon::TriangleAlert, colours.warning),
    }
}

fn finding_ui(ui: &mut Ui, clip: ClipId, finding: &Finding, session: &Session, asks: &mut Asks) {
    let colours = palette(ui.ctx());
    let (symbol, colour) = sign(finding.severity, colours);
    ui.horizontal_top(|ui| {
        ui.label(RichText::new(icon(symbol)).color(colour));
        ui.vertical(|ui| {
            ui.label(RichText::new(&finding.title).strong());
            ui.label(RichText::new(&finding.detail).color(colours.faint));
            if finding.fix.is_none() && finding.at_secs.is_none() {
                return;
            }
            ui.horizontal_wrapped(|ui| {
                if let Some((label, action)) = finding.fix.as_ref().and_then(|fix| fixing(fix, clip, session))
                    && labelled_button(ui, Icon::Wrench, &label).clicked()
                {
                    asks.act(action);
                }
                if let Some(secs) = finding.at_secs
                    && labelled_button(ui, Icon::Eye, tr("Show")).on_hover_text(tr("Goes there and pauses")).clicked()
                {
                    asks.transport(Transport::Pause);
                    asks.transport(Transport::Seek(secs));
                }
            });
        });
    });
    ui.add_space(RHYTHM / 2.0);
}

/// What the button of a fix says and does.
fn fixing(fix: &Fix, clip: ClipId, session: &Session) -> Option<(String, Action)> {
    let (open, _) = session.document().take_of(clip)?;
    Some(match fix {
        Fix::Steps(steps) => {
            let names: Vec<&str> = steps.iter().map(|step| tr(step.op.label())).collect();
            (names.join(", "), Action::Change(Change::Apply { steps: steps.clone(), clips: vec![clip], here: false }))
        }
        Fix::Role { role, bone } => {
            let name = bone.rsplit('/').next().unwrap_or(bone);
            let choice = RoleChoice::Bone(bone.clone());
            let change = Change::SetRole { skeleton: open.skeleton.clone(), role: *role, choice };
            (format!("{} {name} = {}", tr("Set"), role), Action::Change(change))
        }
        Fix::MetresPerUnit(metres) => {
            let action = Action::ReadAgain { file: open.file.id, metres_per_unit: *metres };
            (format!("{} {metres} {}", tr("Read with"), tr("m per unit")), action)
        }
    })
}
