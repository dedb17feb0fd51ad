//! After a project was opened: whether its steps still give what they gave when it was saved.

use super::super::fingerprint::{Difference, Fingerprint};
use super::super::plan::Plan;
use super::super::{NoticeKind, Outcome, Session};
use crate::ops::{ClipId, OpError};

/// Named one by one up to so many; the rest are counted.
const MOST_NAMED: usize = 8;

/// Clips that come out differently, and how.
pub(in crate::session) struct Compared(Vec<(ClipId, Change)>);

enum Change {
    Differs(Difference),
    Refused(String),
}

impl Session {
    /// Computes what has a fingerprint, clip after clip, beside everything else that is going on.
    pub(super) fn start_compare(&mut self) {
        let document = self.document().clone();
        let with_plan = |(&clip, (_, print)): (&ClipId, &(_, Fingerprint))| {
            Some((clip, print.clone(), self.plan(&document, clip)?))
        };
        let clips: Vec<(ClipId, Fingerprint, Plan)> = self.fingerprints.iter().filter_map(with_plan).collect();
        if clips.is_empty() {
            return;
        }
        self.jobs.start(format!("Comparing {} results with the project's", clips.len()), move |progress| {
            let mut changed = Vec::new();
            for (nth, (clip, then, plan)) in clips.iter().enumerate() {
                if progress.check().is_err() {
                    break;
                }
                let result = plan.run(&progress.part());
                let change = match &result.refused {
                    Some(refusal) if refusal.error == OpError::Cancelled => None,
                    Some(refusal) => Some(Change::Refused(refusal.error.to_string())),
                    None => then.difference(&Fingerprint::of(&result)).map(Change::Differs),
                };
                changed.extend(change.map(|change| (*clip, change)));
                progress.set((nth + 1) as f64 / clips.len() as f64);
            }
            Outcome::Compared(Compared(changed))
        });
    }

    pub(in crate::session) fn finish_compare(&mut self, Compared(changed): Compared) {
        let mut left = 0;
        for (nth, (clip, change)) in changed.into_iter().enumerate() {
            let Some(entry) = self.document().clip(clip).cloned() else { continue };
            if nth >= MOST_NAMED {
                left += 1;
                continue;
            }
            let what = match change {
                Change::Differs(Difference::Metres(metres)) if metres < 1e-4 => {
                    "has come to differ by less than 0.1 mm at root, pelvis and feet".to_owned()
                }
                Change::Differs(Difference::Metres(metres)) => {
                    format!("has come to differ by up to {:.1} mm at root, pelvis and feet", metres * 1e3)
                }
                Change::Differs(Difference::Roles) => "has come to stand on other bones".to_owned(),
                Change::Refused(reason) => format!("has come to be refused ({reason})"),
            };
            let text = format!("since the project was saved, \"{}\" {what}: look before you export", entry.name);
            self.notice(NoticeKind::Warning, text, Some(clip));
        }
        if left > 0 {
            let text = format!("and {left} more clips differ from what they were");
            self.notice(NoticeKind::Warning, text, None);
        }
    }
}
