//! Settings of a step while they are being changed: shown at once, made one transaction when the gesture ends.

use crate::ops::{ClipId, Op};
use crate::session::{Action, Change, Session};
use crate::ui::asks::Asks;
use crate::ui::fields::Touched;
use crate::ui::panels::actions::without_empty_rules;

/// The step whose settings are open, and what they are at this moment.
pub struct Draft {
    /// The output.
    pub clip: ClipId,
    /// Its step, from 0.
    pub step: usize,
    /// `None`: as committed.
    op: Option<Op>,
    /// A preview was asked for, and should be there.
    previewed: bool,
    /// Cancelled: what the controls say until the pointer is released is ignored.
    cancelled: bool,
}

impl Draft {
    /// The settings of a step, as they are.
    pub fn new(clip: ClipId, step: usize) -> Self {
        Self { clip, step, op: None, previewed: false, cancelled: false }
    }

    /// Whether it is for this step.
    pub fn is_for(&self, clip: ClipId, step: usize) -> bool {
        self.clip == clip && self.step == step
    }

    /// The settings to be shown; `committed` are those of the document.
    pub fn op(&self, committed: &Op) -> Op {
        self.op.as_ref().unwrap_or(committed).clone()
    }

    /// Whether the session shows them now.
    fn is_shown(&self, session: &Session) -> bool {
        matches!(session.previewed(), Some(Change::SetStep { clip, step, .. }) if self.is_for(*clip, *step))
    }

    /// At the start of a frame: a preview that was cancelled elsewhere, by Escape or by an undo, takes the draft
    /// with it.
    pub fn follow(&mut self, session: &Session) {
        if self.previewed && !self.is_shown(session) {
            (self.op, self.previewed, self.cancelled) = (None, false, true);
        }
    }

    /// After the controls were drawn over `op`. `held`: a button of the pointer is down. `typed`: a field has the
    /// keyboard. With neither, a gesture whose end was not seen has ended too.
    pub fn take(&mut self, op: Op, committed: &Op, touched: Touched, held: bool, typed: bool, asks: &mut Asks) {
        if self.cancelled {
            // The release of a cancelled drag, and a field that was left by Escape, are the last of it.
            self.cancelled = held;
            return;
        }
        let idle = !held && !typed;
        if touched.changed {
            let op = without_empty_rules(&op);
            let (clip, step) = (self.clip, self.step);
            asks.act(Action::Preview(Change::SetStep { clip, step, op }));
            self.previewed = true;
        }
        // A rule that names no bone yet is kept here alone.
        self.op = (op != *committed).then_some(op);
        if self.previewed && (touched.ended || idle && !touched.changed) {
            asks.act(Action::Commit);
            self.previewed = false;
            self.op = self.op.take().filter(|op| without_empty_rules(op) != *op);
        }
    }

    /// Forgets the change under way.
    pub fn cancel(&mut self, asks: &mut Asks) {
        if std::mem::take(&mut self.previewed) {
            asks.act(Action::Cancel);
        }
        (self.op, self.cancelled) = (None, true);
    }

    /// Before the draft goes: a change under way is made.
    pub fn finish(&mut self, session: &Session, asks: &mut Asks) {
        if std::mem::take(&mut self.previewed) && self.is_shown(session) {
            asks.act(Action::Commit);
        }
        self.op = None;
    }
}
