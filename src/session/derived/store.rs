//! Keeps what was measured, and sees to it that every shown result is.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use super::Derived;
use crate::motion::SourceFile;
use crate::ops::checks::{CheckInput, Verdict, check};
use crate::ops::gait::leg_length;
use crate::ops::role_motion::RoleMotion;
use crate::ops::{ClipId, Evaluation, OpError, Progress};
use crate::session::jobs::JobId;
use crate::session::results::ResultKey;
use crate::session::{JobMode, Outcome, Session};

/// All that was measured of one result.
#[derive(Clone)]
pub(in crate::session) struct Looked {
    key: ResultKey,
    derived: Arc<Derived>,
    verdict: Arc<Verdict>,
}

impl Looked {
    fn at(
        key: ResultKey,
        file: &SourceFile,
        take: usize,
        evaluation: &Evaluation,
        progress: &Progress,
    ) -> Result<Self, OpError> {
        let (clip, rig) = (&evaluation.clip, &evaluation.rig);
        // Sampling is most of the work; what follows sets no fraction of its own.
        let motion = RoleMotion::measure(clip, rig, progress)?;
        let source = file.clips.get(take).unwrap_or(clip);
        let verdict = check(&CheckInput { file, take: source, clip, rig, motion: &motion }, progress)?;
        let derived = Derived::from_motion(motion, leg_length(clip, rig), progress)?;
        Ok(Self { key, derived: Arc::new(derived), verdict: Arc::new(verdict) })
    }

    fn bytes(&self) -> usize {
        self.derived.bytes() + self.verdict.bytes()
    }
}

/// What was measured, by what it was measured from; forgets the least recently used beyond a number of bytes.
pub struct DerivedStore {
    limit_bytes: usize,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    entries: HashMap<ResultKey, (u64, Looked)>,
    clock: u64,
    bytes: usize,
    measured: u64,
}

impl Default for DerivedStore {
    fn default() -> Self {
        Self::new(Self::LIMIT_BYTES)
    }
}

impl DerivedStore {
    /// 256 MiB.
    pub const LIMIT_BYTES: usize = 256 << 20;

    /// Empty.
    pub fn new(limit_bytes: usize) -> Self {
        Self { limit_bytes, inner: Mutex::default() }
    }

    fn with<T>(&self, what: impl FnOnce(&mut Inner) -> T) -> T {
        // Every change is complete before anything can panic.
        what(&mut self.inner.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn get(&self, key: &ResultKey) -> Option<Looked> {
        self.with(|inner| {
            inner.clock += 1;
            let (used, looked) = inner.entries.get_mut(key)?;
            *used = inner.clock;
            Some(looked.clone())
        })
    }

    fn put(&self, looked: Looked) {
        self.with(|inner| {
            inner.clock += 1;
            inner.measured += 1;
            inner.bytes += looked.bytes();
            if let Some((_, old)) = inner.entries.insert(looked.key, (inner.clock, looked)) {
                inner.bytes -= old.bytes();
            }
            // The entries are as many as clips were looked at: the oldest is found by looking at all of them.
            while inner.bytes > self.limit_bytes {
                let Some(key) = inner.entries.iter().min_by_key(|(_, (used, _))| *used).map(|(&key, _)| key) else {
                    break;
                };
                if let Some((_, old)) = inner.entries.remove(&key) {
                    inner.bytes -= old.bytes();
                }
            }
        });
    }

    /// How many results were ever measured.
    pub fn measured(&self) -> u64 {
        self.with(|inner| inner.measured)
    }

    /// Bytes held now; what is shown is held beside them.
    pub fn bytes(&self) -> usize {
        self.with(|inner| inner.bytes)
    }
}

/// What the session knows of the measuring.
#[derive(Default)]
pub(in crate::session) struct Deriving {
    store: DerivedStore,
    /// The latest of what is shown: it stays until a newer one is there.
    latest: HashMap<ClipId, Looked>,
    /// Jobs under way.
    running: HashMap<ResultKey, JobId>,
    /// Those that failed inside the program are not tried again.
    failed: HashSet<ResultKey>,
}

impl Deriving {
    /// A job has ended, in whatever way.
    pub fn ended(&mut self, job: JobId, panicked: bool) {
        for (key, _) in self.running.extract_if(|_, id| *id == job) {
            if panicked {
                self.failed.insert(key);
            }
        }
    }

    /// Takes in what a job measured.
    pub fn take_in(&mut self, looked: Result<Looked, OpError>) {
        // The only refusal is that it was cancelled, and then nobody waits for it.
        if let Ok(looked) = looked {
            self.store.put(looked);
        }
    }
}

impl Session {
    /// Motion of the bones that play a part in a clip that is shown, without waiting: `None` while it is measured for
    /// the first time; while a newer result is measured, that of the result before. With [`JobMode::Inline`] it is
    /// measured here and now, for any clip of the desk.
    pub fn derived(&self, clip: ClipId) -> Option<Arc<Derived>> {
        Some(self.looked(clip)?.derived)
    }

    /// What the checks found in a clip; as [`Self::derived`].
    pub fn checks(&self, clip: ClipId) -> Option<Arc<Verdict>> {
        Some(self.looked(clip)?.verdict)
    }

    /// What was measured of any clip of the desk since the window opened, as far as it is still held; nothing is
    /// measured for it.
    pub fn known(&self, clip: ClipId) -> Option<(Arc<Derived>, Arc<Verdict>)> {
        let looked = self.deriving.store.get(&self.plan(self.document(), clip)?.key())?;
        Some((looked.derived, looked.verdict))
    }

    /// Whether [`Self::derived`] and [`Self::checks`] are those of the result that is shown now, and not of one before.
    pub fn is_measured(&self, clip: ClipId) -> bool {
        let Some(plan) = self.plan(self.shown_document(), clip) else { return false };
        self.looked(clip).is_some_and(|looked| looked.key == plan.key())
    }

    /// The store of what was measured.
    pub fn derived_store(&self) -> &DerivedStore {
        &self.deriving.store
    }

    fn looked(&self, clip: ClipId) -> Option<Looked> {
        if self.jobs.mode() == JobMode::Threads {
            return self.deriving.latest.get(&clip).cloned();
        }
        let document = self.shown_document();
        let key = self.plan(document, clip)?.key();
        if let Some(known) = self.deriving.store.get(&key) {
            return Some(known);
        }
        let (open, take) = document.take_of(clip)?;
        let looked = Looked::at(key, &open.file, take, &*self.evaluate(clip)?, &Progress::default()).ok()?;
        self.deriving.store.put(looked.clone());
        Some(looked)
    }

    /// Takes up what has been measured of the shown results, starts what is missing and cancels what nobody waits for.
    /// `current`: the shown clips whose results are up to date.
    pub(in crate::session) fn refresh_derived(&mut self, current: &[(ClipId, ResultKey, Arc<Evaluation>)]) {
        if self.jobs.mode() == JobMode::Inline {
            return;
        }
        let shown: HashSet<ClipId> = self.shown_clips().iter().copied().collect();
        self.deriving.latest.retain(|clip, _| shown.contains(clip));
        let wanted: HashSet<ResultKey> = current.iter().map(|(_, key, _)| *key).collect();
        for (_, job) in self.deriving.running.extract_if(|key, _| !wanted.contains(key)) {
            self.jobs.cancel(job);
        }
        for (clip, key, evaluation) in current {
            if self.deriving.latest.get(clip).is_some_and(|looked| looked.key == *key) {
                continue;
            }
            if let Some(known) = self.deriving.store.get(key) {
                self.deriving.latest.insert(*clip, known);
            } else if !self.deriving.running.contains_key(key) && !self.deriving.failed.contains(key) {
                self.start_deriving(*clip, *key, evaluation.clone());
            }
        }
    }

    fn start_deriving(&mut self, clip: ClipId, key: ResultKey, evaluation: Arc<Evaluation>) {
        let document = self.shown_document();
        let Some((open, take)) = document.take_of(clip) else { return };
        let name = document.clip(clip).map(|entry| entry.name.clone()).unwrap_or_default();
        let file = open.file.clone();
        let job = self.jobs.start(format!("Measuring {name}"), move |progress| {
            Outcome::Looked(Looked::at(key, &file, take, &evaluation, progress))
        });
        self.deriving.running.insert(key, job);
    }
}
