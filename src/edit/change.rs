//! Edits: every change to the document as data.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::Serialize;

use super::EditError;
use super::document::{ClipEntry, ClipKind, Document, OpenFile, Output, SkeletonKey};
use super::reads::{find_cycle, readers, reads_of};
use super::take_names::take_names;
use crate::motion::{FileId, Role};
use crate::ops::naming::{file_safe, same_name};
use crate::ops::{ClipId, Op, Step};

/// A file to be put on the desk.
#[derive(Clone, Debug, Serialize)]
pub struct NewFile {
    /// The file.
    pub open: OpenFile,
    /// Numbers for its takes, one each.
    pub takes: Vec<ClipId>,
}

/// Who plays a role.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoleChoice {
    /// Whom the detection finds.
    Detected,
    /// Nobody, whatever the detection finds.
    Nobody,
    /// The bone of a path, or of a name that only one bone has.
    Bone(String),
}

/// A change to the document. New numbers come with it, from [`super::Ids`], so that applying it twice to one document
/// gives the same result.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "edit", rename_all = "snake_case")]
#[expect(missing_docs, reason = "fields are what their names say; variants are described")]
pub enum Edit {
    /// Puts files and their takes on the desk.
    Open { files: Vec<NewFile> },
    /// Takes a file off, with its takes and all that was made of them.
    Close { file: FileId },
    /// Takes rows off together. Refused while others read one of them.
    Remove { clips: Vec<ClipId> },
    /// A new output: the parent's steps and these. Without a name it gets one by the pattern.
    AddOutput { id: ClipId, parent: ClipId, steps: Vec<Step>, name: Option<String> },
    /// A copy of a row: of an output with its steps, of a take an output without any.
    Duplicate { id: ClipId, clip: ClipId },
    /// Another name, made safe as a file name for an output.
    Rename { clip: ClipId, name: String },
    /// A step into an output, before step `at`, or behind the last.
    AddStep { clip: ClipId, at: Option<usize>, step: Step },
    /// Other settings, or another operation, for a step; it stays on or off.
    SetStep { clip: ClipId, step: usize, op: Op },
    /// Switches a step on or off.
    ToggleStep { clip: ClipId, step: usize, on: bool },
    /// Puts a step where another is now.
    MoveStep { clip: ClipId, from: usize, to: usize },
    /// Takes a step out.
    DeleteStep { clip: ClipId, step: usize },
    /// A role correction, for all files with that skeleton.
    SetRole { skeleton: SkeletonKey, role: Role, choice: RoleChoice },
}

impl Edit {
    /// For the menu: "Undo" and this.
    pub fn label(&self) -> String {
        match self {
            Self::Open { files } if files.len() == 1 => {
                format!("Open {}", files.first().map(|new| new.open.file.file_name()).unwrap_or_default())
            }
            Self::Open { files } => format!("Open {} files", files.len()),
            Self::Close { .. } => "Close file".into(),
            Self::Remove { clips } if clips.len() == 1 => "Remove clip".into(),
            Self::Remove { clips } => format!("Remove {} clips", clips.len()),
            Self::AddOutput { steps, .. } => steps.last().map_or("New output", |step| step.op.label()).into(),
            Self::Duplicate { .. } => "Duplicate clip".into(),
            Self::Rename { name, .. } => format!("Rename to {name}"),
            Self::AddStep { step, .. } => format!("{} here", step.op.label()),
            Self::SetStep { op, .. } => format!("Change {}", op.label().to_lowercase()),
            Self::ToggleStep { on: true, .. } => "Switch step on".into(),
            Self::ToggleStep { on: false, .. } => "Switch step off".into(),
            Self::MoveStep { .. } => "Move step".into(),
            Self::DeleteStep { .. } => "Delete step".into(),
            Self::SetRole { role, .. } => format!("Set role {role:?}"),
        }
    }

    /// The document with the change; what is not touched is shared with `document`.
    ///
    /// # Errors
    /// See [`EditError`]; nothing has changed then.
    pub fn apply(&self, document: &Document) -> Result<Document, EditError> {
        Self::apply_all(std::slice::from_ref(self), document)
    }

    /// One edit after the other; all of them or none. A thousand cost one copy of the desk, not a thousand.
    ///
    /// # Errors
    /// The first refusal.
    pub fn apply_all(edits: &[Self], document: &Document) -> Result<Document, EditError> {
        let mut new = document.clone();
        for edit in edits {
            edit.change(&mut new)?;
        }
        Ok(new)
    }

    /// A refusal may leave a part of the change behind: `new` is thrown away then.
    fn change(&self, new: &mut Document) -> Result<(), EditError> {
        match self {
            Self::Open { files } => open(new, files)?,
            Self::Close { file } => close(new, *file)?,
            Self::Remove { clips } => remove(new, &clips.iter().copied().collect(), None)?,
            Self::AddOutput { id, parent, steps, name } => {
                add_output(new, *id, *parent, steps, name.as_deref())?;
            }
            Self::Duplicate { id, clip } => duplicate(new, *id, *clip)?,
            Self::Rename { clip, name } => rename(new, *clip, name)?,
            Self::AddStep { clip, at, step } => change_steps(new, *clip, |steps| {
                let at = at.unwrap_or(steps.len());
                if at > steps.len() {
                    return Err(at);
                }
                steps.insert(at, Arc::new(step.clone()));
                Ok(())
            })?,
            Self::SetStep { clip, step, op } => {
                let change = |old: &Step| (old.op != *op).then(|| Step { op: op.clone(), on: old.on });
                change_step(new, *clip, *step, change)?;
            }
            Self::ToggleStep { clip, step, on } => {
                let change = |old: &Step| (old.on != *on).then(|| Step { op: old.op.clone(), on: *on });
                change_step(new, *clip, *step, change)?;
            }
            Self::MoveStep { clip, from, to } => change_steps(new, *clip, |steps| {
                let missing = [*from, *to].into_iter().find(|&step| step >= steps.len());
                missing.map_or(Ok(()), Err)?;
                let step = steps.remove(*from);
                steps.insert(*to, step);
                Ok(())
            })?,
            Self::DeleteStep { clip, step } => change_steps(new, *clip, |steps| {
                if *step >= steps.len() {
                    return Err(*step);
                }
                steps.remove(*step);
                Ok(())
            })?,
            Self::SetRole { skeleton, role, choice } => set_role(new, skeleton, *role, choice)?,
        }
        Ok(())
    }
}

fn open(document: &mut Document, files: &[NewFile]) -> Result<(), EditError> {
    for NewFile { open, takes } in files {
        if document.file(open.file.id).is_some() {
            return Err(EditError::NumberTaken(open.file.id.0));
        }
        for ((take, take_name), &id) in take_names(&open.file).into_iter().enumerate().zip(takes) {
            let kind = ClipKind::Take { file: open.file.id, take, moving: take_name.moving };
            insert(document, ClipEntry { id, name: take_name.name, kind })?;
        }
        Arc::make_mut(&mut document.files).push(open.clone());
    }
    Ok(())
}

fn close(document: &mut Document, file: FileId) -> Result<(), EditError> {
    let open = document.file(file).ok_or(EditError::FileGone(file))?.clone();
    let of_file = |id| document.take_of(id).is_some_and(|(open, _)| open.file.id == file);
    let leaving = document.clips().map(|clip| clip.id).filter(|&id| of_file(id)).collect();
    remove(document, &leaving, Some(open.file.file_name()))?;
    Arc::make_mut(&mut document.files).retain(|open| open.file.id != file);
    Ok(())
}

/// `as_what` names them in a refusal; a single row has its own name.
fn remove(document: &mut Document, leaving: &BTreeSet<ClipId>, as_what: Option<String>) -> Result<(), EditError> {
    let mut names = Vec::new();
    for &id in leaving {
        names.push(entry(document, id)?.name.clone());
    }
    let readers = readers(document, leaving);
    if !readers.is_empty() {
        let name = as_what.unwrap_or_else(|| names.join("\", \""));
        return Err(EditError::StillRead { name, readers });
    }
    if leaving.is_empty() {
        return Ok(());
    }
    let old = document.clips.clone();
    // An output whose parent goes hangs on the nearest clip above that stays; its take does.
    let stays = |mut id: ClipId| {
        while let Some(output) = old.get(&id).filter(|_| leaving.contains(&id)).and_then(|clip| clip.output()) {
            id = output.parent;
        }
        id
    };
    let clips = Arc::make_mut(&mut document.clips);
    clips.retain(|id, _| !leaving.contains(id));
    for clip in clips.values_mut() {
        if let ClipKind::Output(output) = &clip.kind {
            let parent = stays(output.parent);
            if parent != output.parent {
                let kind = ClipKind::Output(Output { parent, ..output.clone() });
                *clip = Arc::new(ClipEntry { kind, ..ClipEntry::clone(clip) });
            }
        }
    }
    Ok(())
}

fn add_output(
    document: &mut Document,
    id: ClipId,
    parent: ClipId,
    added: &[Step],
    name: Option<&str>,
) -> Result<(), EditError> {
    let above = entry(document, parent)?.clone();
    let source = above.output().map_or(parent, |output| output.source);
    let mut steps = above.steps().to_vec();
    for step in added {
        refuse_unwritable(step)?;
        steps.push(Arc::new(step.clone()));
    }
    let name = match name {
        Some(name) => document.free_name(&checked_name(name)?),
        None => document.name_for(&above, &steps),
    };
    insert(document, ClipEntry { id, name, kind: ClipKind::Output(Output { source, parent, steps }) })?;
    refuse_cycle(document, id)
}

fn duplicate(document: &mut Document, id: ClipId, clip: ClipId) -> Result<(), EditError> {
    let old = entry(document, clip)?.clone();
    let output = match &old.kind {
        ClipKind::Output(output) => output.clone(),
        ClipKind::Take { .. } => Output { source: clip, parent: clip, steps: Vec::new() },
    };
    let name = document.free_name(&file_safe(&old.name));
    insert(document, ClipEntry { id, name, kind: ClipKind::Output(output) })
}

fn rename(document: &mut Document, id: ClipId, name: &str) -> Result<(), EditError> {
    let old = entry(document, id)?;
    let name = checked_name(name)?;
    if let Some(other) = document.clips().find(|clip| clip.id != id && same_name(&clip.name, &name)) {
        return Err(EditError::NameTaken { name: other.name.clone() });
    }
    if old.name != name {
        let renamed = ClipEntry { name, ..ClipEntry::clone(old) };
        Arc::make_mut(&mut document.clips).insert(id, Arc::new(renamed));
    }
    Ok(())
}

fn checked_name(name: &str) -> Result<String, EditError> {
    let name = name.trim();
    if name.is_empty() { Err(EditError::EmptyName) } else { Ok(file_safe(name)) }
}

fn change_step(
    document: &mut Document,
    clip: ClipId,
    step: usize,
    change: impl FnOnce(&Step) -> Option<Step>,
) -> Result<(), EditError> {
    change_steps(document, clip, |steps| {
        let old = steps.get_mut(step).ok_or(step)?;
        if let Some(new) = change(old) {
            *old = Arc::new(new);
        }
        Ok(())
    })
}

/// `change` answers with the index of a step that is not there.
fn change_steps(
    document: &mut Document,
    id: ClipId,
    change: impl FnOnce(&mut Vec<Arc<Step>>) -> Result<(), usize>,
) -> Result<(), EditError> {
    let old = entry(document, id)?;
    let output = old.output().ok_or_else(|| EditError::IsTake { name: old.name.clone() })?;
    let mut steps = output.steps.clone();
    change(&mut steps).map_err(|step| EditError::NoStep { name: old.name.clone(), step, count: output.steps.len() })?;
    for step in &steps {
        refuse_unwritable(step)?;
    }
    if steps != output.steps {
        let kind = ClipKind::Output(Output { steps, ..output.clone() });
        let changed = Arc::new(ClipEntry { kind, ..ClipEntry::clone(old) });
        Arc::make_mut(&mut document.clips).insert(id, changed);
    }
    refuse_cycle(document, id)
}

/// Results are kept by what is written of a step, and a project is nothing else.
fn refuse_unwritable(step: &Step) -> Result<(), EditError> {
    if step.can_be_written() { Ok(()) } else { Err(EditError::Unwritable { step: step.op.label().into() }) }
}

fn set_role(document: &mut Document, key: &SkeletonKey, role: Role, choice: &RoleChoice) -> Result<(), EditError> {
    let open = document.files().iter().find(|open| open.skeleton == *key).ok_or(EditError::NoSkeleton)?;
    let bone = match choice {
        RoleChoice::Detected => None,
        RoleChoice::Nobody => Some(None),
        RoleChoice::Bone(name) => {
            let skeleton = &open.file.skeleton;
            let bone = skeleton.find(name).ok_or_else(|| EditError::NoBone(name.clone()))?;
            Some(Some(skeleton.path(bone).to_owned()))
        }
    };
    let mut overrides = document.overrides(key);
    overrides.0.retain(|(corrected, _)| *corrected != role);
    overrides.0.extend(bone.map(|bone| (role, bone)));
    overrides.0.sort();
    if overrides != document.overrides(key) {
        let roles = Arc::make_mut(&mut document.roles);
        if overrides.0.is_empty() {
            roles.remove(key);
        } else {
            roles.insert(key.clone(), overrides);
        }
    }
    Ok(())
}

fn entry(document: &Document, id: ClipId) -> Result<&Arc<ClipEntry>, EditError> {
    document.clip(id).ok_or(EditError::ClipGone(id))
}

fn insert(document: &mut Document, clip: ClipEntry) -> Result<(), EditError> {
    if document.clip(clip.id).is_some() {
        return Err(EditError::NumberTaken(clip.id.0));
    }
    Arc::make_mut(&mut document.clips).insert(clip.id, Arc::new(clip));
    Ok(())
}

/// Also refuses a step that reads a clip which is not there.
fn refuse_cycle(document: &Document, id: ClipId) -> Result<(), EditError> {
    let clip = entry(document, id)?;
    for read in reads_of(clip) {
        entry(document, read)?;
    }
    let reads = |id| document.clip(id).map(|clip| reads_of(clip).into_iter().collect()).unwrap_or_default();
    match find_cycle(id, reads) {
        None => Ok(()),
        Some(way) => Err(EditError::Cycle {
            names: way.into_iter().filter_map(|id| document.clip(id)).map(|clip| clip.name.clone()).collect(),
        }),
    }
}
