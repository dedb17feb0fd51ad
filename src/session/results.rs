//! Computed steps, kept by what they were computed from.
//!
//! The key of a step is a hash over the whole chain that leads to it: file, take, role corrections, then every step
//! that is on as canonical JSON with its version, and the keys of the clips it reads. Equal keys mean equal results,
//! so nothing is ever invalidated: an edit asks for other keys, undo asks for the old ones again.
//!
//! A file's number stands for its contents: it is never reused and the file behind it never changes. Hashing the
//! bytes instead would be slower and wrong, since a result's tracks name the very file they come from.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use sha2::{Digest, Sha256};

use crate::ops::evaluate::StepOutcome;

/// What a result was computed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ResultKey([u8; 32]);

impl ResultKey {
    /// From the parts of a chain; each part is hashed with its length, so no two lists of parts meet.
    pub fn of(parts: &[&[u8]]) -> Self {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        Self(hash.finalize().into())
    }

    /// For hashing into another key.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// What a result weighs beside its keys: the struct, its report, its place here.
const OVERHEAD_BYTES: usize = 1024;

struct Entry {
    outcome: StepOutcome,
    bytes: usize,
    used: u64,
}

#[derive(Default)]
struct Inner {
    entries: HashMap<ResultKey, Entry>,
    /// Oldest use first.
    by_use: BTreeMap<u64, ResultKey>,
    pinned: HashSet<ResultKey>,
    clock: u64,
    bytes: usize,
    computed: u64,
}

/// The results; shared between threads. Drops the least recently used beyond a number of bytes, never a pinned one.
pub struct Results {
    limit_bytes: usize,
    inner: Mutex<Inner>,
}

impl Default for Results {
    fn default() -> Self {
        Self::new(Self::LIMIT_BYTES)
    }
}

impl Results {
    /// One GiB.
    pub const LIMIT_BYTES: usize = 1 << 30;

    /// Empty.
    pub fn new(limit_bytes: usize) -> Self {
        Self { limit_bytes, inner: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // Every change below is complete before anything can panic.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The outcome of a chain, if it is here; counts as a use.
    pub fn get(&self, key: &ResultKey) -> Option<StepOutcome> {
        let mut inner = self.lock();
        let inner = &mut *inner;
        let entry = inner.entries.get_mut(key)?;
        inner.by_use.remove(&entry.used);
        inner.clock += 1;
        entry.used = inner.clock;
        inner.by_use.insert(entry.used, *key);
        Some(entry.outcome.clone())
    }

    /// Keeps a newly computed outcome.
    pub fn put(&self, key: ResultKey, outcome: &StepOutcome) {
        let mut inner = self.lock();
        inner.computed += 1;
        inner.clock += 1;
        let bytes = OVERHEAD_BYTES + outcome.as_ref().map_or(0, |result| result.own_bytes);
        let used = inner.clock;
        if let Some(old) = inner.entries.insert(key, Entry { outcome: outcome.clone(), bytes, used }) {
            inner.by_use.remove(&old.used);
            inner.bytes -= old.bytes;
        }
        inner.by_use.insert(used, key);
        inner.bytes += bytes;
        self.make_room(&mut inner);
    }

    /// What is shown now and must stay; replaces the earlier set.
    pub fn pin(&self, keys: impl IntoIterator<Item = ResultKey>) {
        let mut inner = self.lock();
        inner.pinned = keys.into_iter().collect();
        self.make_room(&mut inner);
    }

    fn make_room(&self, inner: &mut Inner) {
        let mut after = 0;
        while inner.bytes > self.limit_bytes {
            let Some((&used, &key)) = inner.by_use.range(after + 1..).next() else { break };
            after = used;
            if !inner.pinned.contains(&key)
                && let Some(entry) = inner.entries.remove(&key)
            {
                inner.by_use.remove(&used);
                inner.bytes -= entry.bytes;
            }
        }
    }

    /// How many outcomes were ever computed and kept.
    pub fn computed(&self) -> u64 {
        self.lock().computed
    }

    /// Bytes held now.
    pub fn bytes(&self) -> usize {
        self.lock().bytes
    }

    /// Outcomes held now.
    pub fn len(&self) -> usize {
        self.lock().entries.len()
    }

    /// Whether none is held.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
