//! Making changes: at once where nothing needs to be computed, and, where steps are applied to clips, after a job has
//! found out which clips the steps refuse.

use rayon::prelude::*;

use super::action::{Change, PlannedChange};
use super::plan::Plan;
use super::{NoticeKind, Outcome, Session, SessionError};
use crate::edit::{Document, EditError};
use crate::ops::{ClipId, Evaluation, OpError, Progress, Refusal, Step};

/// What came of steps on clips.
pub(super) struct Applied {
    steps: Vec<Step>,
    here: bool,
    /// Why the clip is left out, if it is: the label of the step that refused, and what it said.
    clips: Vec<(ClipId, Option<(String, OpError)>)>,
}

impl Session {
    /// Makes a change, or starts the job that will.
    pub(super) fn change(&mut self, change: &Change) -> Result<(), SessionError> {
        match change {
            Change::Apply { steps, clips, here } => self.apply(change, steps, clips, *here),
            Change::Duplicate { clips } | Change::Remove { clips } if clips.is_empty() => {
                Err(SessionError::NothingSelected)
            }
            _ => {
                let document = self.document().clone();
                let planned = change.plan(&document, &mut || self.ids.clip());
                self.commit(&planned)
            }
        }
    }

    fn apply(&mut self, change: &Change, steps: &[Step], clips: &[ClipId], here: bool) -> Result<(), SessionError> {
        if clips.is_empty() {
            return Err(SessionError::NothingSelected);
        }
        // What is computed is a trial: the same edits on today's document. The edits for the document of the day the
        // job ends are made then, with the names that are free then.
        let document = self.document().clone();
        let mut ids = self.ids.clone();
        let planned = change.plan(&document, &mut || ids.clip());
        let trial = planned.apply(&document)?;
        let plans: Vec<(ClipId, Plan)> = clips
            .iter()
            .zip(&planned.marks)
            .filter_map(|(&clip, &result)| Some((clip, self.plan(&trial, result)?)))
            .collect();
        let (steps, label) = (steps.to_vec(), planned.label);
        if plans.iter().all(|(_, plan)| plan.is_ready()) {
            return self.finish_apply(try_all(&plans, steps, here, &Progress::default()));
        }
        self.jobs.start(label, move |progress| Outcome::Applied(try_all(&plans, steps, here, progress)));
        Ok(())
    }

    /// One transaction for all clips that are still there and did not refuse.
    pub(super) fn finish_apply(&mut self, applied: Applied) -> Result<(), SessionError> {
        let document = self.document().clone();
        let mut taken = Vec::new();
        let mut refused = Vec::new();
        for (clip, refusal) in applied.clips {
            match (document.clip(clip), refusal) {
                (_, Some((_, OpError::Cancelled))) => return Err(SessionError::Cancelled("the action".into())),
                (None, _) => refused.push((clip, EditError::ClipGone(clip).into())),
                (Some(entry), Some((step, error))) => {
                    refused.push((clip, SessionError::Op { step, clip: entry.name.clone(), error }));
                }
                (Some(_), None) => taken.push(clip),
            }
        }
        if taken.is_empty() {
            let mut errors = refused.into_iter();
            let first = errors.next().map(|(_, error)| error);
            self.notice_all(errors);
            return first.map_or(Ok(()), Err);
        }
        let change = Change::Apply { steps: applied.steps, clips: taken, here: applied.here };
        let planned = match self.preview.take_if(|preview| preview.change == change) {
            // The preview has shown this very change: it keeps its number.
            Some(preview) => preview.planned,
            None => change.plan(&document, &mut || self.ids.clip()),
        };
        self.commit(&planned)?;
        self.notice_all(refused.into_iter());
        Ok(())
    }

    fn notice_all(&mut self, errors: impl Iterator<Item = (ClipId, SessionError)>) {
        for (clip, error) in errors {
            self.notice(NoticeKind::Error, error.to_string(), Some(clip));
        }
    }
}

/// Clips side by side, each in order of its steps: the same results whatever the number of threads.
fn try_all(plans: &[(ClipId, Plan)], steps: Vec<Step>, here: bool, progress: &Progress) -> Applied {
    let done = std::sync::atomic::AtomicUsize::new(0);
    let run = |(clip, plan): &(ClipId, Plan)| {
        let evaluation = match plans.len() {
            1 => plan.run(progress),
            _ => plan.run(&progress.part()),
        };
        let so_far = 1 + done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        progress.set(so_far as f64 / plans.len() as f64);
        (*clip, refusal_of(plan, evaluation))
    };
    Applied { steps, here, clips: plans.par_iter().map(run).collect() }
}

fn refusal_of(plan: &Plan, evaluation: Evaluation) -> Option<(String, OpError)> {
    let Refusal { step, error } = evaluation.refused?;
    Some((plan.step_label(step), error))
}

impl PlannedChange {
    /// The rows whose results it changes or makes: those to compute for a preview.
    pub(super) fn touched(&self, change: &Change, document: &Document) -> Vec<ClipId> {
        let rows = change.clip().into_iter().chain(self.marks.iter().copied());
        rows.filter(|&clip| document.clip(clip).is_some()).collect()
    }
}
