//! What the session says: why an action did nothing, and lines about those that did something.

use std::path::PathBuf;

use crate::edit::EditError;
use crate::formats::{ReadError, WriteError};
use crate::ops::{ClipId, OpError};

/// Why an action did nothing.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The document would not have it.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// A step refused on every clip it was for; the first refusal.
    #[error("{step} on \"{clip}\": {error}")]
    Op {
        /// Label of the step that refused.
        step: String,
        /// Name of the clip.
        clip: String,
        /// Why.
        #[source]
        error: OpError,
    },
    /// A project was not saved or opened.
    #[error(transparent)]
    Project(#[from] super::project::ProjectError),
    /// No file could be read; the first failure, the others are notices.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A file was not written; the first failure, the others are notices.
    #[error("nothing was exported from {file}")]
    Write {
        /// Name of the source.
        file: String,
        /// Why.
        #[source]
        error: WriteError,
    },
    /// An export was not undone.
    #[error(transparent)]
    UndoExport(WriteError),
    /// Only what this run wrote can be taken back.
    #[error("nothing to undo: the program has not exported this file since it was started: {}", .0.display())]
    NoExport(PathBuf),
    /// A file that was made in memory lies nowhere.
    #[error("choose a folder for what is exported: there is none that {0} lies in")]
    NoFolder(String),
    /// Nothing was asked for.
    #[error("no clip is selected: select one or more and try again")]
    NothingSelected,
    /// Nothing to commit.
    #[error("there is no preview to commit")]
    NoPreview,
    /// The end of the history.
    #[error("there is nothing to {0}")]
    NoHistory(&'static str),
    /// Someone pressed cancel.
    #[error("{0} was cancelled; nothing has changed")]
    Cancelled(String),
    /// A fault of this program.
    #[error("{job} failed inside this program ({reason}); nothing has changed. Please report it")]
    Panicked {
        /// What was being done.
        job: String,
        /// What the program said.
        reason: String,
    },
}

/// How a notice looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoticeKind {
    /// Something was done.
    Done,
    /// Done, with something to look at.
    Warning,
    /// Not done.
    Error,
}

/// A line for the person, shown as a toast and kept in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// How it looks.
    pub kind: NoticeKind,
    /// One sentence, paths last.
    pub text: String,
    /// The clip that "show" leads to.
    pub clip: Option<ClipId>,
}

/// An error and its causes in one line.
pub fn error_text(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let inner_text = inner.to_string();
        // A transparent variant repeats its cause.
        if !text.ends_with(&inner_text) {
            text = format!("{text}: {inner_text}");
        }
        cause = inner.source();
    }
    text
}
