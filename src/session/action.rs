//! What a person can ask for. Menus, shortcuts, the palette, scripts and the command line all yield [`Action`]s.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::jobs::JobId;
use super::playback::Transport;
use super::view::View;
use crate::edit::{Document, Edit, EditError, RoleChoice, SkeletonKey};
use crate::motion::{FileId, Format, Role};
use crate::ops::{ClipId, Op, Step};

/// Anything a person can ask for; [`super::Session::handle`] is the only place that carries it out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Open files; what they hold comes onto the desk in one transaction.
    Open(Vec<PathBuf>),
    /// Read a file that names no unit once more, with so many metres per unit.
    ReadAgain {
        /// The file.
        file: FileId,
        /// Of its numbers.
        metres_per_unit: f64,
    },
    /// One transaction. Ends a preview that is under way, unmade.
    Change(Change),
    /// Show what a change would give. A further one replaces it; each starts from the committed document.
    Preview(Change),
    /// Make the previewed change a transaction.
    Commit,
    /// Forget the previewed change.
    Cancel,
    /// One transaction back; a preview under way is cancelled first.
    Undo,
    /// One transaction forward.
    Redo,
    /// To where so many transactions are done.
    JumpTo(usize),
    /// Mark rows, the shown one first.
    Select(Vec<ClipId>),
    /// Move the playhead.
    Transport(Transport),
    /// Show something else of the clip, or in another way.
    View(View),
    /// Write clips into new files.
    Export(ExportRequest),
    /// Stop a job.
    CancelJob(JobId),
}

/// What to write, and where.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ExportRequest {
    /// The clips; those of one source share a file.
    pub clips: Vec<ClipId>,
    /// Where to; beside each source when `None`.
    pub folder: Option<PathBuf>,
    /// Format; each source's own when `None`.
    pub format: Option<Format>,
    /// Leave the sources' other clips out.
    pub alone: bool,
    /// Replace files that this program wrote and nobody changed since; everything else gets a new name.
    pub update: bool,
}

/// A change to the document as a person means it; numbers and names are given when it is made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "fields are what their names say; variants are described")]
pub enum Change {
    /// Steps on clips: a new output for each, or, `here`, into the outputs themselves.
    Apply { steps: Vec<Step>, clips: Vec<ClipId>, here: bool },
    /// Other settings for a step.
    SetStep { clip: ClipId, step: usize, op: Op },
    /// A step on or off.
    ToggleStep { clip: ClipId, step: usize, on: bool },
    /// A step to another place.
    MoveStep { clip: ClipId, from: usize, to: usize },
    /// A step away.
    DeleteStep { clip: ClipId, step: usize },
    /// Another name.
    Rename { clip: ClipId, name: String },
    /// Copies.
    Duplicate { clips: Vec<ClipId> },
    /// Off the desk; no file is touched.
    Remove { clips: Vec<ClipId> },
    /// Who plays a role.
    SetRole { skeleton: SkeletonKey, role: Role, choice: RoleChoice },
    /// A file off the desk, with its takes and all that was made of them.
    Close { file: FileId },
}

impl Change {
    /// One operation on clips, a new output for each.
    pub fn apply(op: Op, clips: Vec<ClipId>) -> Self {
        Self::Apply { steps: vec![Step::new(op)], clips, here: false }
    }

    /// One operation into the outputs themselves.
    pub fn apply_here(op: Op, clips: Vec<ClipId>) -> Self {
        Self::Apply { steps: vec![Step::new(op)], clips, here: true }
    }

    /// The edits it comes to on `document`, the rows it leaves marked if it marks any, and its label.
    /// `new_clip` gives numbers for new rows.
    pub(super) fn plan(&self, document: &Document, new_clip: &mut dyn FnMut() -> ClipId) -> PlannedChange {
        let one = |edit: Edit, marks: Vec<ClipId>| PlannedChange { label: edit.label(), edits: vec![edit], marks };
        match self.clone() {
            Self::Apply { steps, clips, here } => {
                let mut marks = Vec::new();
                let mut edits = Vec::new();
                for &clip in &clips {
                    if here {
                        marks.push(clip);
                        edits.extend(steps.iter().map(|step| Edit::AddStep { clip, at: None, step: step.clone() }));
                    } else {
                        let id = new_clip();
                        marks.push(id);
                        edits.push(Edit::AddOutput { id, parent: clip, steps: steps.clone(), name: None });
                    }
                }
                let what = match steps.as_slice() {
                    [step] => step.op.label().to_owned(),
                    steps => format!("{} steps", steps.len()),
                };
                let label = match (clips.len(), here) {
                    (1, false) => what,
                    (1, true) => format!("{what} here"),
                    (n, _) => format!("{what} on {n} clips"),
                };
                PlannedChange { label, edits, marks }
            }
            Self::Duplicate { clips } => {
                let edits: Vec<(ClipId, Edit)> = clips
                    .iter()
                    .map(|&clip| {
                        let id = new_clip();
                        (id, Edit::Duplicate { id, clip })
                    })
                    .collect();
                let label = match clips.len() {
                    1 => "Duplicate clip".into(),
                    n => format!("Duplicate {n} clips"),
                };
                let (marks, edits) = edits.into_iter().unzip();
                PlannedChange { label, edits, marks }
            }
            Self::SetStep { clip, step, op } => one(Edit::SetStep { clip, step, op }, vec![]),
            Self::ToggleStep { clip, step, on } => one(Edit::ToggleStep { clip, step, on }, vec![]),
            Self::MoveStep { clip, from, to } => one(Edit::MoveStep { clip, from, to }, vec![]),
            Self::DeleteStep { clip, step } => one(Edit::DeleteStep { clip, step }, vec![]),
            Self::Rename { clip, name } => one(Edit::Rename { clip, name }, vec![]),
            Self::SetRole { skeleton, role, choice } => one(Edit::SetRole { skeleton, role, choice }, vec![]),
            Self::Remove { clips } => {
                let next = neighbours(document, |clip| clips.contains(&clip));
                one(Edit::Remove { clips }, next)
            }
            Self::Close { file } => {
                let of_file = |clip| document.take_of(clip).is_some_and(|(open, _)| open.file.id == file);
                one(Edit::Close { file }, neighbours(document, of_file))
            }
        }
    }

    /// The step whose result a preview of this change is about to show.
    pub(super) fn clip(&self) -> Option<ClipId> {
        match self {
            Self::SetStep { clip, .. }
            | Self::ToggleStep { clip, .. }
            | Self::MoveStep { clip, .. }
            | Self::DeleteStep { clip, .. }
            | Self::Rename { clip, .. } => Some(*clip),
            _ => None,
        }
    }
}

/// A change, ready to be made.
pub(super) struct PlannedChange {
    pub label: String,
    pub edits: Vec<Edit>,
    /// Empty: the marks stay, less what went.
    pub marks: Vec<ClipId>,
}

impl PlannedChange {
    /// The document with all of it.
    pub fn apply(&self, document: &Document) -> Result<Document, EditError> {
        Edit::apply_all(&self.edits, document)
    }
}

/// The row above the first that goes, or else the first below: the eye stays where it was.
fn neighbours(document: &Document, goes: impl Fn(ClipId) -> bool) -> Vec<ClipId> {
    let rows = document.listing();
    let first = rows.iter().position(|&row| goes(row)).unwrap_or(0);
    let above = rows[..first].iter().rev();
    above.chain(&rows[first..]).find(|&&row| !goes(row)).copied().into_iter().collect()
}
