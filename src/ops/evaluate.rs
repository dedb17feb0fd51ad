//! From a source clip and a list of steps to the clip of an output, step by step.
//!
//! Each step gets the clip and the rig the one before it left; an inserted bone moves the rig's indices along. What
//! was computed before is asked for in a [`StepStore`], so that editing the last step computes only that one.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::{OpError, OpInput, Progress, Report, SkeletonPatch, Step};
use crate::motion::{Clip, Rig};

/// What a chain of steps comes to after one of them.
#[derive(Clone, Debug)]
pub struct StepResult {
    /// The clip after the step.
    pub clip: Arc<Clip>,
    /// Roles on its skeleton.
    pub rig: Arc<Rig>,
    /// The bone that some step of the chain inserted.
    pub patch: Option<SkeletonPatch>,
    /// One report per step that was on, first to last.
    pub reports: Vec<Report>,
    /// Bytes of keys that this step made, beside those it shares with its input.
    pub own_bytes: usize,
}

/// A result, or why the step refused.
pub type StepOutcome = Result<Arc<StepResult>, OpError>;

/// Remembers outcomes. Knows by itself which chain it is asked about; `step` is the index in that chain.
pub trait StepStore {
    /// The outcome of the steps up to and with `step`, if it was computed before.
    fn get(&self, step: usize) -> Option<StepOutcome>;
    /// Keeps it; never called for a step that was cancelled.
    fn put(&self, step: usize, outcome: &StepOutcome);
}

/// Remembers nothing.
pub struct NoStore;

impl StepStore for NoStore {
    fn get(&self, _step: usize) -> Option<StepOutcome> {
        None
    }

    fn put(&self, _step: usize, _outcome: &StepOutcome) {}
}

/// Which step refused, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// Index in the list of steps.
    pub step: usize,
    /// Why.
    pub error: OpError,
}

/// The clip of an output.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The result; where a step refused, the result of the steps before it.
    pub clip: Arc<Clip>,
    /// Roles on its skeleton.
    pub rig: Arc<Rig>,
    /// The bone that was inserted on the way, if one was.
    pub patch: Option<SkeletonPatch>,
    /// Per step; `None` for one that is off, refused, or behind one that refused.
    pub reports: Vec<Option<Report>>,
    /// The step that refused; those behind it were not tried.
    pub refused: Option<Refusal>,
}

/// Computes the steps that are on, one after the other.
pub fn evaluate(
    source: &Arc<Clip>,
    rig: &Arc<Rig>,
    steps: &[Arc<Step>],
    progress: &Progress,
    store: &dyn StepStore,
) -> Evaluation {
    let on: Vec<usize> = (0..steps.len()).filter(|&i| steps[i].on).collect();
    let mut now =
        Arc::new(StepResult { clip: source.clone(), rig: rig.clone(), patch: None, reports: Vec::new(), own_bytes: 0 });
    let mut refused = None;
    // The latest known result saves all before it; a known refusal ends the chain as a new one would.
    let known = on.iter().enumerate().rev().find_map(|(nth, &i)| match store.get(i) {
        Some(Ok(result)) => Some((nth + 1, result)),
        _ => None,
    });
    let mut next = 0;
    if let Some((after, result)) = known {
        (next, now) = (after, result);
    }
    for &step in &on[next..] {
        let outcome = store.get(step).unwrap_or_else(|| {
            let outcome = run(&steps[step], &now, source, progress);
            if outcome.as_ref().err() != Some(&OpError::Cancelled) {
                store.put(step, &outcome);
            }
            outcome
        });
        match outcome {
            Ok(result) => now = result,
            Err(error) => {
                refused = Some(Refusal { step, error });
                break;
            }
        }
    }
    let mut reports = vec![None; steps.len()];
    for (&step, report) in on.iter().zip(&now.reports) {
        reports[step] = Some(report.clone());
    }
    Evaluation { clip: now.clip.clone(), rig: now.rig.clone(), patch: now.patch.clone(), reports, refused }
}

fn run(step: &Step, before: &StepResult, source: &Arc<Clip>, progress: &Progress) -> StepOutcome {
    progress.check()?;
    let input = OpInput { clip: &before.clip, rig: &before.rig, source_clip: source };
    // An operation owns nothing that outlives it, so after a panic nothing is left half done.
    let output = catch_unwind(AssertUnwindSafe(|| step.op.apply(&input, progress)))
        .unwrap_or_else(|panic| Err(OpError::Failed(panic_text(&*panic))))?;
    let (mut rig, mut patch) = (before.rig.clone(), before.patch.clone());
    if let Some(SkeletonPatch::InsertRoot { above, name, .. }) = &output.skeleton {
        if let Some(SkeletonPatch::InsertRoot { name: earlier, .. }) = &patch {
            return Err(OpError::Needs(format!(
                "an earlier step inserted the bone \"{earlier}\", and a file can be given only one: \
                 switch that step off, or use its bone instead of inserting \"{name}\""
            )));
        }
        let at = before.clip.skeleton.find_path(above).ok_or_else(|| OpError::Setting {
            setting: "above",
            reason: format!("there is no bone \"{above}\" to insert \"{name}\" above"),
        })?;
        rig = Arc::new(before.rig.after_insertion(at, &output.clip.skeleton));
        patch = output.skeleton;
    }
    let own_bytes = own_bytes(&output.clip, &before.clip);
    let mut reports = before.reports.clone();
    reports.push(output.report);
    Ok(Arc::new(StepResult { clip: output.clip, rig, patch, reports, own_bytes }))
}

/// Bytes that go when `clip` goes and `before` stays.
fn own_bytes(clip: &Arc<Clip>, before: &Arc<Clip>) -> usize {
    if Arc::ptr_eq(clip, before) {
        return 0;
    }
    let old: std::collections::HashSet<*const f32> =
        before.tracks.iter().flatten().flatten().map(|track| track.values.as_ptr()).collect();
    let tracks = clip.tracks.iter().flatten().flatten();
    let values: usize =
        tracks.filter(|track| !old.contains(&track.values.as_ptr())).map(|track| size_of_val(&*track.values)).sum();
    values + size_of_val(&*clip.tracks)
}

/// What a panic said.
pub fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no reason given".into())
}
