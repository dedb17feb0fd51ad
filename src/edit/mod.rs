//! Undoable changes: the document, the edits that make a new one, and their history.
//!
//! A [`Document`] is the whole desk and never changes. An [`Edit`] is data; applying it gives a new document that
//! shares all it did not touch. A [`History`] keeps documents, not inverses, so undo cannot be wrong by design.
//! Nothing here computes a clip, reads a file or keeps time.

pub mod change;
pub mod document;
pub mod history;
pub mod reads;
pub mod take_names;

pub use change::{Edit, NewFile, RoleChoice};
pub use document::{ClipEntry, ClipKind, Document, OpenFile, Output, SkeletonKey};
pub use history::{History, Selection, Snapshot, Transaction};

use crate::motion::FileId;
use crate::ops::ClipId;

/// Hands out numbers that no document ever had: undo takes a clip away, never its number.
#[derive(Clone, Debug, Default)]
pub struct Ids {
    next_file: u32,
    next_clip: u32,
}

impl Ids {
    /// Numbers above all that `document` holds.
    pub fn beyond(document: &Document) -> Self {
        let next_file = document.files().iter().map(|open| open.file.id.0 + 1).max().unwrap_or(0);
        let next_clip = document.clips().map(|clip| clip.id.0 + 1).max().unwrap_or(0);
        Self { next_file, next_clip }
    }

    /// From a desk that was written down with its next number; no number of a file that was given in this run is given
    /// again.
    #[must_use]
    pub fn restored(&self, document: &Document, next_clip: u32) -> Self {
        let beyond = Self::beyond(document);
        Self { next_file: beyond.next_file.max(self.next_file), next_clip: beyond.next_clip.max(next_clip) }
    }

    /// The number that the next new clip gets.
    pub fn next_clip(&self) -> u32 {
        self.next_clip
    }

    /// So many numbers for files, one after the other; the first.
    pub fn files(&mut self, count: u32) -> FileId {
        self.next_file += count;
        FileId(self.next_file - count)
    }

    /// A new number for a file.
    pub fn file(&mut self) -> FileId {
        self.next_file += 1;
        FileId(self.next_file - 1)
    }

    /// A new number for a clip.
    pub fn clip(&mut self) -> ClipId {
        self.next_clip += 1;
        ClipId(self.next_clip - 1)
    }
}

/// Why an edit was refused; the document stays as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The clip was removed, or its file closed.
    #[error("clip number {} is no longer on the desk", .0.0)]
    ClipGone(ClipId),
    /// The file was closed.
    #[error("file number {} is no longer open", .0.0)]
    FileGone(FileId),
    /// The number belongs to something else; a fault of the caller.
    #[error("the number {0} is given already")]
    NumberTaken(u32),
    /// Takes are never changed.
    #[error("\"{name}\" is a take of a file and is never changed: make an output of it and change that")]
    IsTake {
        /// The take.
        name: String,
    },
    /// Others read what would go.
    #[error("\"{name}\" is still read by {}: remove {} first", list(readers), if readers.len() == 1 { "it" } else { "them" })]
    StillRead {
        /// What would go.
        name: String,
        /// Who reads it, in the order of the desk.
        readers: Vec<String>,
    },
    /// A clip would wait for its own result.
    #[error("\"{}\" would read itself: {}", names.first().map_or("", String::as_str), names.join(" reads "))]
    Cycle {
        /// The way round, first and last the same.
        names: Vec<String>,
    },
    /// There is no such step.
    #[error("\"{name}\" has {count} steps, there is no step {}", step + 1)]
    NoStep {
        /// The output.
        name: String,
        /// Asked for, from 0.
        step: usize,
        /// How many it has.
        count: usize,
    },
    /// The settings would not come back from a project file as they are.
    #[error("{step}: a setting is not a finite number: type another")]
    Unwritable {
        /// What the step is called.
        step: String,
    },
    /// A name is needed.
    #[error("a clip needs a name")]
    EmptyName,
    /// Names are unique, whatever their case.
    #[error("another clip is called \"{name}\" already")]
    NameTaken {
        /// As the other spells it.
        name: String,
    },
    /// No open file has it.
    #[error("no open file has that skeleton")]
    NoSkeleton,
    /// The skeleton lacks it.
    #[error("the skeleton has no one bone called \"{0}\"")]
    NoBone(String),
}

fn list(names: &[String]) -> String {
    const SHOWN: usize = 5;
    let mut text = names.iter().take(SHOWN).map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN {
        text.push_str(&format!(" and {} more", names.len() - SHOWN));
    }
    text
}
