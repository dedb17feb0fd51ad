//! A gesture: preview, preview … commit or cancel. Nothing of it reaches the history but the commit.

use std::sync::Arc;

use super::action::{Change, PlannedChange};
use super::{NoticeKind, Session, SessionError};
use crate::edit::Document;
use crate::ops::ClipId;

/// A change that is shown and not made.
pub(super) struct Preview {
    pub change: Change,
    pub planned: PlannedChange,
    /// The committed document with the change.
    pub document: Arc<Document>,
    /// The rows that show the change.
    pub touched: Vec<ClipId>,
    /// Numbers that this gesture gave to new rows: they stay the same from one preview to the next.
    numbers: Vec<ClipId>,
}

impl Session {
    /// Starts from the committed document, never from the preview before. A refused change leaves no preview.
    pub(super) fn start_preview(&mut self, change: Change) -> Result<(), SessionError> {
        let mut numbers = self.preview.take().map(|earlier| earlier.numbers).unwrap_or_default();
        let committed = self.document().clone();
        let mut used = 0;
        let planned = change.plan(&committed, &mut || {
            if used == numbers.len() {
                numbers.push(self.ids.clip());
            }
            used += 1;
            numbers[used - 1]
        });
        let document = planned.apply(&committed)?;
        let touched = planned.touched(&change, &document);
        self.preview = Some(Preview { change, planned, document: Arc::new(document), touched, numbers });
        // Computing the new rows cancels what was computed for the old ones.
        Ok(())
    }

    /// Makes the change. What the preview has computed is found in the store by what it was computed from.
    pub(super) fn commit_preview(&mut self) -> Result<(), SessionError> {
        let Some(preview) = self.preview.take() else { return Err(SessionError::NoPreview) };
        if matches!(preview.change, Change::Apply { .. }) {
            let change = preview.change.clone();
            self.preview = Some(preview);
            let done = self.change(&change);
            self.preview = None;
            return done;
        }
        self.commit(&preview.planned)
    }

    pub(super) fn cancel_preview(&mut self) {
        self.preview = None;
    }

    /// After the committed document has changed under a preview, by a job that ended.
    pub(super) fn rebase_preview(&mut self) {
        if let Some(change) = self.preview.as_ref().map(|preview| preview.change.clone())
            && let Err(error) = self.start_preview(change)
        {
            self.notice(NoticeKind::Warning, format!("the preview was ended: {error}"), None);
        }
    }
}
