//! What panels show: results of the marked rows, or of those a preview touches, kept at hand and computed when they
//! are missing. A newer setting cancels the computation of an older one.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::plan::Plan;
use super::results::ResultKey;
use super::{JobMode, Outcome, Session};
use crate::ops::{ClipId, Evaluation, Progress};

/// A row's result, as far as it is known.
#[derive(Clone, Debug)]
pub enum Shown {
    /// Up to date. The same `Arc` until something changes.
    Ready(Arc<Evaluation>),
    /// On its way; what was shown last goes on being shown.
    Computing(Option<Arc<Evaluation>>),
    /// Not on the desk, or not among what is shown: ask [`Session::evaluate`].
    Absent,
}

pub(super) struct ReadyClip {
    key: ResultKey,
    evaluation: Arc<Evaluation>,
}

impl Session {
    /// The rows that are shown: the first of those a preview touches, else of those marked; at most
    /// [`Self::MOST_SHOWN`], for a thousand marked rows are not looked at together.
    pub fn shown_clips(&self) -> &[ClipId] {
        let rows = match &self.preview {
            Some(preview) if !preview.touched.is_empty() => &preview.touched,
            _ => &self.selection().clips,
        };
        &rows[..rows.len().min(Self::MOST_SHOWN)]
    }

    /// As many as a blend of clips compares.
    pub const MOST_SHOWN: usize = 5;

    /// The result of a row that is shown, without waiting.
    pub fn shown(&self, clip: ClipId) -> Shown {
        let Some(plan) = self.plan(self.shown_document(), clip) else { return Shown::Absent };
        match self.ready.get(&clip) {
            Some(ready) if ready.key == plan.key() => Shown::Ready(ready.evaluation.clone()),
            _ if self.computing.contains_key(&plan.key()) => {
                Shown::Computing(self.ready.get(&clip).map(|ready| ready.evaluation.clone()))
            }
            _ => Shown::Absent,
        }
    }

    /// The result of any row, computed here and now where it is not known; for the command line and tests. `None`
    /// when the row is not on the desk.
    pub fn evaluate(&self, clip: ClipId) -> Option<Arc<Evaluation>> {
        let plan = self.plan(self.shown_document(), clip)?;
        match self.ready.get(&clip) {
            Some(ready) if ready.key == plan.key() => Some(ready.evaluation.clone()),
            _ => Some(Arc::new(plan.run(&Progress::default()))),
        }
    }

    /// Pins what is shown, takes up what is ready, starts what is missing and cancels what nobody waits for any more.
    pub(super) fn refresh_shown(&mut self) {
        let document = self.shown_document().clone();
        let plans: HashMap<ClipId, Plan> =
            self.shown_clips().iter().filter_map(|&clip| Some((clip, self.plan(&document, clip)?))).collect();
        self.results.pin(plans.values().flat_map(Plan::keys));
        self.ready.retain(|clip, _| plans.contains_key(clip));
        let wanted: HashSet<ResultKey> = plans.values().map(Plan::key).collect();
        for (_, job) in self.computing.extract_if(|key, _| !wanted.contains(key)) {
            self.jobs.cancel(job);
        }
        let mut current = Vec::new();
        for (clip, plan) in plans {
            if plan.is_ready() {
                self.take_up(clip, &plan);
                let ready = self.ready.get(&clip).map(|ready| (clip, ready.key, ready.evaluation.clone()));
                current.extend(ready);
            } else if !self.computing.contains_key(&plan.key()) {
                self.start_computing(clip, plan);
            }
        }
        self.refresh_derived(&current);
    }

    /// Nothing is computed unless something was dropped from the store since the look.
    fn take_up(&mut self, clip: ClipId, plan: &Plan) {
        let key = plan.key();
        if self.ready.get(&clip).is_none_or(|ready| ready.key != key) {
            let evaluation = plan.run(&Progress::default());
            self.ready.insert(clip, ReadyClip { key, evaluation: Arc::new(evaluation) });
        }
    }

    fn start_computing(&mut self, clip: ClipId, plan: Plan) {
        if self.jobs.mode() == JobMode::Inline {
            return self.take_up(clip, &plan);
        }
        let key = plan.key();
        let name = self.shown_document().clip(clip).map(|entry| entry.name.clone()).unwrap_or_default();
        let job = self.jobs.start(format!("Computing {name}"), move |progress| {
            plan.run(progress);
            Outcome::Computed
        });
        self.computing.insert(key, job);
    }
}
