//! History: transactions that hold what was before and after, and the one place where the document changes.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::document::Document;
use crate::ops::ClipId;

/// What is marked on the desk; undo and redo restore it with the document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Selection {
    /// Marked rows, the shown one first.
    pub clips: Vec<ClipId>,
}

impl Selection {
    /// One row.
    pub fn one(clip: ClipId) -> Self {
        Self { clips: vec![clip] }
    }

    /// The row that is shown.
    pub fn shown(&self) -> Option<ClipId> {
        self.clips.first().copied()
    }
}

/// A document and what is marked on it.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// The desk.
    pub document: Arc<Document>,
    /// The marks.
    pub selection: Selection,
}

/// One step of the history.
#[derive(Clone, Debug)]
pub struct Transaction {
    /// For the menu.
    pub label: String,
    /// Where undo leads.
    pub before: Snapshot,
    /// Where redo leads.
    pub after: Snapshot,
}

impl std::fmt::Display for Transaction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.label)
    }
}

/// Steps are never merged: a drag is one already, and two drags are two.
impl undo::Edit for Transaction {
    type Target = Snapshot;
    type Output = ();

    fn edit(&mut self, target: &mut Snapshot) {
        *target = self.after.clone();
    }

    fn undo(&mut self, target: &mut Snapshot) {
        *target = self.before.clone();
    }
}

/// The line of transactions, and where on it the desk stands.
#[derive(Debug)]
pub struct History {
    record: undo::Record<Transaction>,
    now: Snapshot,
}

impl Default for History {
    fn default() -> Self {
        Self::new(Document::default(), Self::LIMIT)
    }
}

impl History {
    /// Older transactions are forgotten.
    pub const LIMIT: usize = 10_000;

    /// A history that starts at a document and remembers at most `limit` (at least 1) transactions.
    pub fn new(document: Document, limit: usize) -> Self {
        let record = undo::Record::builder().limit(limit.max(1)).build();
        Self { record, now: Snapshot { document: Arc::new(document), selection: Selection::default() } }
    }

    /// The desk as it stands.
    pub fn document(&self) -> &Arc<Document> {
        &self.now.document
    }

    /// What is marked.
    pub fn selection(&self) -> &Selection {
        &self.now.selection
    }

    /// Marks other rows. No transaction: undo brings back the marks there were when the next one was made.
    pub fn select(&mut self, selection: Selection) {
        self.now.selection = selection;
    }

    /// Makes a transaction; what was undone is forgotten. A document equal to today's makes none, and the answer
    /// is `false`.
    pub fn commit(&mut self, label: impl Into<String>, document: Document, selection: Selection) -> bool {
        if document == *self.now.document {
            return false;
        }
        let after = Snapshot { document: Arc::new(document), selection };
        let transaction = Transaction { label: label.into(), before: self.now.clone(), after };
        self.record.edit(&mut self.now, transaction);
        true
    }

    /// One step back; the label of what was undone.
    pub fn undo(&mut self) -> Option<String> {
        let label = self.undo_label()?.to_owned();
        self.record.undo(&mut self.now);
        Some(label)
    }

    /// One step forward; the label of what was done again.
    pub fn redo(&mut self) -> Option<String> {
        let label = self.redo_label()?.to_owned();
        self.record.redo(&mut self.now);
        Some(label)
    }

    /// To where `index` transactions are done; `false` when there are not so many.
    pub fn jump_to(&mut self, index: usize) -> bool {
        let known = index <= self.len();
        if known {
            self.record.go_to(&mut self.now, index);
        }
        known
    }

    /// How many transactions are remembered.
    pub fn len(&self) -> usize {
        self.record.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.record.is_empty()
    }

    /// How many of them are done.
    pub fn head(&self) -> usize {
        self.record.head()
    }

    /// All remembered transactions, oldest first.
    pub fn transactions(&self) -> impl Iterator<Item = &Transaction> {
        self.record.entries().map(AsRef::as_ref)
    }

    /// What undo would undo.
    pub fn undo_label(&self) -> Option<&str> {
        self.label_at(self.head().checked_sub(1)?)
    }

    /// What redo would do again.
    pub fn redo_label(&self) -> Option<&str> {
        self.label_at(self.head())
    }

    fn label_at(&self, index: usize) -> Option<&str> {
        self.record.get_entry(index).map(|entry| AsRef::<Transaction>::as_ref(entry).label.as_str())
    }

    /// Notes that the desk as it stands is on disk.
    pub fn set_saved(&mut self) {
        self.record.set_saved();
    }

    /// How many transactions were done when it was saved; `None` when that is not to be reached any more.
    pub fn saved(&self) -> Option<usize> {
        self.record.saved()
    }

    /// Whether the desk stands where it was saved.
    pub fn is_saved(&self) -> bool {
        self.record.is_saved()
    }
}
