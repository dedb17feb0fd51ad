//! Collects what the reader has to say: one warning per message, with the first place and a count.

use crate::motion::{Warning, WarningKind};

/// Messages grow with the file's own names; more different ones than this help nobody.
const MOST: usize = 200;

/// Warnings by message, in the order in which they were first met.
#[derive(Default)]
pub(super) struct Findings(Vec<Warning>);

impl Findings {
    /// Counts `message`, which must not name the place itself; `place` is asked for once per message.
    pub(super) fn add(&mut self, kind: WarningKind, message: &str, place: impl FnOnce() -> String) {
        let known = self.0.iter_mut().find(|warning| warning.kind == kind && warning.message == message);
        if let Some(known) = known {
            known.count = known.count.saturating_add(1);
        } else if self.0.len() < MOST {
            self.0.push(Warning { kind, place: place(), message: message.to_owned(), count: 1 });
        }
    }

    pub(super) fn into_warnings(self) -> Vec<Warning> {
        self.0
    }
}
