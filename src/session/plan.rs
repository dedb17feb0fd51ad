//! A plan: everything it takes to compute one clip of one document, ready to travel to another thread.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::results::{ResultKey, Results};
use crate::edit::{Document, OpenFile};
use crate::motion::{Clip, FileId, Rig, RoleOverrides, SourceFile};
use crate::ops::evaluate::{StepOutcome, StepStore, evaluate};
use crate::ops::{ClipId, Evaluation, Progress, Step};

/// Rigs found so far, by file and corrections: finding one reads every name of a skeleton.
#[derive(Default)]
pub struct Rigs(Mutex<HashMap<(FileId, String), Arc<Rig>>>);

impl Rigs {
    /// The rig of a file's skeleton with a person's corrections.
    pub fn rig(&self, open: &OpenFile, overrides: &RoleOverrides) -> Arc<Rig> {
        let key = (open.file.id, overrides_text(overrides));
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(key).or_insert_with(|| Arc::new(detect(&open.file, overrides))).clone()
    }
}

/// Roles on a file's own skeleton.
pub(super) fn detect(file: &SourceFile, overrides: &RoleOverrides) -> Rig {
    Rig::detect(&file.skeleton, &file.declared_roles, overrides)
}

fn overrides_text(overrides: &RoleOverrides) -> String {
    serde_json::to_string(overrides).unwrap_or_default()
}

/// How one clip is computed.
#[derive(Clone)]
pub struct Plan {
    source: Arc<Clip>,
    rig: Arc<Rig>,
    steps: Vec<Arc<Step>>,
    /// Per step the key of the chain up to and with it; of a step that is off, that of the one before.
    keys: Vec<ResultKey>,
    take_key: ResultKey,
    results: Arc<Results>,
}

impl Plan {
    /// `None` when the clip is not in the document.
    pub fn new(document: &Document, clip: ClipId, rigs: &Rigs, results: &Arc<Results>) -> Option<Self> {
        let (open, take) = document.take_of(clip)?;
        let source = open.file.clips.get(take)?.clone();
        let rig = rigs.rig(open, &document.overrides(&open.skeleton));
        let steps = document.clip(clip)?.steps().to_vec();
        let (take_key, keys) = chain_keys(document, clip, &mut HashMap::new())?;
        Some(Self { source, rig, steps, keys, take_key, results: results.clone() })
    }

    /// What the whole clip is computed from.
    pub fn key(&self) -> ResultKey {
        self.keys.last().copied().unwrap_or(self.take_key)
    }

    /// What the take alone is computed from.
    pub fn take_key(&self) -> ResultKey {
        self.take_key
    }

    /// The take as it is, before any step.
    pub fn untouched(&self) -> Evaluation {
        let (clip, rig) = (self.source.clone(), self.rig.clone());
        Evaluation { clip, rig, patch: None, reports: Vec::new(), refused: None }
    }

    /// The keys of all results on the way.
    pub fn keys(&self) -> impl Iterator<Item = ResultKey> + '_ {
        self.keys.iter().copied()
    }

    /// What a step is called.
    pub fn step_label(&self, step: usize) -> String {
        self.steps.get(step).map(|step| step.op.label().to_owned()).unwrap_or_default()
    }

    /// Whether running it would compute nothing: the last result is here, or the refusal that it ends with.
    pub fn is_ready(&self) -> bool {
        let mut on = self.steps.iter().zip(&self.keys).filter(|(step, _)| step.on).map(|(_, key)| key).rev();
        let Some(last) = on.next() else { return true };
        self.results.get(last).is_some() || on.any(|key| matches!(self.results.get(key), Some(Err(_))))
    }

    /// Computes what is not known yet.
    pub fn run(&self, progress: &Progress) -> Evaluation {
        evaluate(&self.source, &self.rig, &self.steps, progress, self)
    }
}

impl StepStore for Plan {
    fn get(&self, step: usize) -> Option<StepOutcome> {
        self.results.get(self.keys.get(step)?)
    }

    fn put(&self, step: usize, outcome: &StepOutcome) {
        if let Some(key) = self.keys.get(step) {
            self.results.put(*key, outcome);
        }
    }
}

/// What a clip of a document is computed from; `None` when it is not there.
pub(super) fn result_key(document: &Document, clip: ClipId) -> Option<ResultKey> {
    let (take_key, keys) = chain_keys(document, clip, &mut HashMap::new())?;
    Some(keys.last().copied().unwrap_or(take_key))
}

/// The key of a clip's take, and one per step. `done` keeps the keys of clips that several others read.
fn chain_keys(
    document: &Document,
    clip: ClipId,
    done: &mut HashMap<ClipId, ResultKey>,
) -> Option<(ResultKey, Vec<ResultKey>)> {
    let (open, take) = document.take_of(clip)?;
    let overrides = overrides_text(&document.overrides(&open.skeleton));
    let take_key = ResultKey::of(&[&open.file.id.0.to_le_bytes(), &(take as u64).to_le_bytes(), overrides.as_bytes()]);
    let mut key = take_key;
    let mut keys = Vec::new();
    for step in document.clip(clip)?.steps() {
        if step.on {
            let mut read = Vec::new();
            for other in step.op.reads() {
                // The document has no cycles, so this ends.
                let other_key = match done.get(&other) {
                    Some(known) => *known,
                    None => {
                        let (take_key, keys) = chain_keys(document, other, done)?;
                        let whole = keys.last().copied().unwrap_or(take_key);
                        done.insert(other, whole);
                        whole
                    }
                };
                read.extend_from_slice(other_key.as_bytes());
            }
            key = ResultKey::of(&[key.as_bytes(), step.canonical().as_bytes(), &read]);
        }
        keys.push(key);
    }
    Some((take_key, keys))
}
