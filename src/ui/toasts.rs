//! Notes in the corner: what was done, with "Show" and "Undo", and what went wrong, which stays until it is read.

use std::path::PathBuf;

use eframe::egui::{self, Align2, Context, Frame, Order, RichText};
use lucide_icons::Icon;

use super::icons::{icon, icon_button};
use super::text::tr;
use super::theme::{RHYTHM, palette};
use crate::ops::ClipId;
use crate::session::{NoticeKind, Session};

/// How long a note stays when nobody points at it, seconds.
const STAYS_SECS: f64 = 6.0;
/// More than this are not shown together; the oldest that may go goes.
const MOST: usize = 6;

/// One note.
#[derive(Clone, Debug)]
pub struct Toast {
    /// Done, warning or error.
    pub kind: NoticeKind,
    /// What it says.
    pub text: String,
    /// What "Show" shows.
    pub clip: Option<ClipId>,
    /// "Undo" takes this transaction back, as long as it is the last: how many were done after it.
    pub undo_at: Option<usize>,
    /// "Show in folder", and "Undo export" while the session remembers writing it.
    pub file: Option<PathBuf>,
}

/// What a person wants of a note.
#[derive(Clone, Debug, PartialEq)]
pub enum ToastAsk {
    /// To see the clip.
    Show(ClipId),
    /// The change back.
    Undo,
    /// The folder of a file.
    Reveal(PathBuf),
    /// The file away, or its previous version back.
    UndoExport(PathBuf),
}

struct Shown {
    toast: Toast,
    /// Seconds it has been looked at.
    age_secs: f64,
    number: u64,
}

/// The notes that are shown.
#[derive(Default)]
pub struct Toasts {
    shown: Vec<Shown>,
    next: u64,
}

impl Toasts {
    /// Adds one. An equal one that is shown already starts anew instead.
    pub fn push(&mut self, toast: Toast) {
        self.shown.retain(|shown| shown.toast.text != toast.text);
        self.shown.push(Shown { toast, age_secs: 0.0, number: self.next });
        self.next += 1;
        while self.shown.len() > MOST {
            let goes = self.shown.iter().position(|shown| shown.toast.kind != NoticeKind::Error).unwrap_or(0);
            self.shown.remove(goes);
        }
    }

    /// The texts, oldest first.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.shown.iter().map(|shown| shown.toast.text.as_str())
    }

    /// Draws them; what is wanted of one.
    pub fn ui(&mut self, context: &Context, session: &Session) -> Option<ToastAsk> {
        // What was undone is no news any more.
        let head = session.history().head();
        self.shown.retain(|shown| shown.toast.undo_at.is_none_or(|at| at <= head));
        if self.shown.is_empty() {
            return None;
        }
        let mut ask = None;
        let mut closed = None;
        let area = egui::Area::new(egui::Id::unique("toasts"))
            .order(Order::Foreground)
            .anchor(Align2::RIGHT_BOTTOM, [-RHYTHM * 2.0, -RHYTHM * 5.0]);
        let response = area.show(context, |ui| {
            for shown in &self.shown {
                ui.push_id(shown.number, |ui| {
                    if toast_ui(ui, &shown.toast, session, &mut ask) {
                        closed = Some(shown.number);
                    }
                });
            }
        });
        self.shown.retain(|shown| Some(shown.number) != closed);
        // Time stands still while someone reads.
        if !response.response.contains_pointer() {
            let elapsed = context.input(|input| f64::from(input.stable_dt.min(0.1)));
            for shown in &mut self.shown {
                shown.age_secs += elapsed;
            }
            let may_go = |shown: &Shown| shown.toast.kind != NoticeKind::Error;
            self.shown.retain(|shown| !may_go(shown) || shown.age_secs < STAYS_SECS);
            if let Some(left) =
                self.shown.iter().filter(|s| may_go(s)).map(|s| STAYS_SECS - s.age_secs).min_by(f64::total_cmp)
            {
                // Woken now and then, for time is only counted in frames.
                context.request_repaint_after(std::time::Duration::from_secs_f64(left.clamp(0.05, 0.1)));
            }
        }
        ask
    }
}

/// `true`: close it.
fn toast_ui(ui: &mut egui::Ui, toast: &Toast, session: &Session, ask: &mut Option<ToastAsk>) -> bool {
    let colours = palette(ui.ctx());
    let (symbol, colour) = match toast.kind {
        NoticeKind::Done => (Icon::CircleCheck, colours.good),
        NoticeKind::Warning => (Icon::TriangleAlert, colours.warning),
        NoticeKind::Error => (Icon::CircleX, colours.error),
    };
    let mut close = false;
    let frame = Frame::popup(ui.style()).stroke(egui::Stroke::new(1.0, colour)).inner_margin(RHYTHM);
    frame.show(ui, |ui| {
        ui.set_width(380.0);
        ui.horizontal_top(|ui| {
            ui.label(RichText::new(icon(symbol)).color(colour));
            ui.vertical(|ui| {
                ui.set_width(320.0);
                ui.label(&toast.text);
                ui.horizontal(|ui| {
                    if let Some(clip) = toast.clip
                        && ui.small_button(tr("Show")).clicked()
                    {
                        *ask = Some(ToastAsk::Show(clip));
                        close = true;
                    }
                    if toast.undo_at == Some(session.history().head()) && ui.small_button(tr("Undo")).clicked() {
                        *ask = Some(ToastAsk::Undo);
                        close = true;
                    }
                    if let Some(file) = &toast.file
                        && ui.small_button(tr("Show in folder")).clicked()
                    {
                        *ask = Some(ToastAsk::Reveal(file.clone()));
                    }
                    if let Some(file) = toast.file.as_ref().filter(|file| session.can_undo_export(file))
                        && ui.small_button(tr("Undo export")).clicked()
                    {
                        *ask = Some(ToastAsk::UndoExport(file.clone()));
                        close = true;
                    }
                    if toast.kind != NoticeKind::Done && ui.small_button(tr("Copy")).clicked() {
                        ui.ctx().copy_text(toast.text.clone());
                    }
                });
            });
            close |= icon_button(ui, Icon::X, tr("Dismiss"), false).clicked();
        });
    });
    close
}
