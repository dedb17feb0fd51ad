//! From the text of a project to a desk: files are read again, takes found in them, outputs put on them.
//!
//! The text may be damaged or changed by hand: whatever it says, the answer is a desk or an error that names the place.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use serde::Deserialize;

use super::ProjectError;
use super::form::{Absent, FileRecord, OutputRecord, Project, TakeRecord, VERSION};
use super::place::{folder_of, read_path};
use crate::edit::{ClipEntry, ClipKind, Document, NewFile, OpenFile, Output, SkeletonKey};
use crate::formats::{self, ReadError, ReadOptions};
use crate::motion::{FileId, RoleOverrides, SourceFile};
use crate::ops::{ClipId, Progress};
use crate::session::demo::{demo_file, demo_file_of, is_modest};
use crate::session::fingerprint::Fingerprint;
use crate::session::open::on_desk;
use crate::session::record::sha256_text;
use crate::session::{SessionError, error_text};

/// Larger texts are no projects: a thousand clips with ten steps each are two megabytes.
const MOST_BYTES: u64 = 64 << 20;
/// More files are no desk.
pub(super) const MOST_FILES: u32 = 1 << 16;
/// Numbers of clips above are left to takes that are not on the desk.
const MOST_NUMBER: u32 = 1 << 31;

/// What a project came to.
pub(in crate::session) struct Restored {
    pub(super) path: PathBuf,
    pub(super) named: bool,
    pub(super) result: Result<Desk, SessionError>,
}

/// A desk as a project has it.
pub(super) struct Desk {
    pub(super) document: Document,
    pub(super) selected: Vec<ClipId>,
    /// Where clips were exported to, and whether they have not changed since.
    pub(super) exported: Vec<(ClipId, PathBuf, bool)>,
    pub(super) absent: Absent,
    pub(super) next_clip: u32,
    pub(super) saved_as: Option<PathBuf>,
    /// Of outputs whose file has not changed.
    pub(super) fingerprints: BTreeMap<ClipId, Fingerprint>,
    pub(super) said: Vec<String>,
}

/// A file of a project, read again.
struct ReadAgain {
    open: OpenFile,
    /// Another content than when the project was saved.
    changed: bool,
}

pub(super) fn restore(
    path: &Path,
    first: FileId,
    options: &ReadOptions,
    progress: &Progress,
) -> Result<Desk, SessionError> {
    let project = read_project(path)?;
    let folder = folder_of(path);
    let done = AtomicUsize::new(0);
    let count = project.files.len().max(1) as f64;
    let read = |(nth, record): (usize, &FileRecord)| {
        progress.check().ok()?;
        // Below MOST_FILES.
        let file = read_file(record, FileId(first.0 + nth as u32), &folder, options);
        progress.set((1 + done.fetch_add(1, Ordering::Relaxed)) as f64 / count);
        Some(file)
    };
    let files: Option<Vec<_>> = project.files.par_iter().enumerate().map(read).collect();
    let files = files.filter(|_| progress.check().is_ok());
    let files = files.ok_or_else(|| SessionError::Cancelled("opening the project".into()))?;
    Ok(desk(project, files, path)?)
}

fn read_project(path: &Path) -> Result<Project, ProjectError> {
    let text = read_text(path)?;
    head_of(&text, path)?;
    let project: Project = serde_json::from_slice(&text).map_err(|error| damaged(path, &error))?;
    let refuse = |reason: String| ProjectError::Text { reason, path: path.to_owned() };
    if project.files.len() > MOST_FILES as usize {
        return Err(refuse(format!("{} files are too many for a project", project.files.len())));
    }
    let takes = project.files.iter().flat_map(|file| &file.takes).map(|take| take.id);
    let mut given = BTreeSet::new();
    for id in takes.chain(project.outputs.iter().map(|output| output.id)) {
        if id.0 >= MOST_NUMBER {
            return Err(refuse(format!("the project is damaged: {} is no number of a clip", id.0)));
        }
        if !given.insert(id) {
            return Err(refuse(format!("the project is damaged: the clip number {} is given twice", id.0)));
        }
    }
    Ok(project)
}

/// Puts files and records together.
fn desk(project: Project, files: Vec<Result<ReadAgain, ReadError>>, path: &Path) -> Result<Desk, ProjectError> {
    let folder = &*folder_of(path);
    let mut said = Vec::new();
    let mut absent = Absent::default();
    let (mut new, mut names, mut changed) = (Vec::new(), BTreeMap::new(), BTreeSet::new());
    let mut nameless = u32::MAX;
    for (mut record, file) in project.files.into_iter().zip(files) {
        record.path = record.path.map(|path| read_path(&path, folder).to_string_lossy().into_owned());
        let ReadAgain { open, changed: is_changed } = match file {
            Ok(read) => read,
            Err(error) => {
                said.push(format!(
                    "{}. What was made of it is not shown, and kept in the project: put the file back and open the \
                     project again",
                    error_text(&error)
                ));
                absent.files.push(record);
                continue;
            }
        };
        if is_changed {
            changed.insert(open.file.id);
            said.push(format!(
                "{} has changed since the project was saved: the steps now apply to it as it is",
                open.file.path.display()
            ));
        }
        let found = find_takes(&record.takes, &open.file);
        let mut takes = vec![None; open.file.clips.len()];
        for (take, at) in record.takes.into_iter().zip(found) {
            match at {
                Some(at) => {
                    takes[at] = Some(take.id);
                    names.insert(take.id, take.name);
                }
                None => {
                    said.push(format!(
                        "{} has no take \"{}\" any more: what was made of it is not shown, and kept in the project",
                        open.file.path.display(),
                        take.in_file.as_ref().unwrap_or(&take.name)
                    ));
                    absent.takes.entry(open.file.path.clone()).or_default().push(take);
                }
            }
        }
        // Takes that were taken off the desk get numbers from the far end, and go.
        let numbered = takes.into_iter().map(|take| {
            take.unwrap_or_else(|| {
                nameless -= 1;
                ClipId(nameless)
            })
        });
        new.push(NewFile { takes: numbered.collect(), open });
    }
    let roles = project.roles.into_iter().map(|record| (record.skeleton, tidy(record.roles)));
    let roles: BTreeMap<SkeletonKey, RoleOverrides> = roles.filter(|(_, roles)| !roles.0.is_empty()).collect();
    let entries = project.outputs.iter().map(entry_of).collect();
    // Numbers were looked at above, and takes of files have different ones.
    let (document, left_out) = Document::restored(new, &names, entries, roles).map_err(|error| ProjectError::Text {
        reason: format!("the project is damaged: {error}"),
        path: path.to_owned(),
    })?;
    let left_out: BTreeSet<ClipId> = left_out.into_iter().collect();
    let mut fingerprints = BTreeMap::new();
    for output in project.outputs {
        if left_out.contains(&output.id) {
            absent.outputs.push(output);
            continue;
        }
        if let Some(entry) = document.clip(output.id).filter(|entry| entry.name != output.name) {
            said.push(format!(
                "\"{}\" is called \"{}\" now: its name was not free or not safe",
                output.name, entry.name
            ));
        }
        let is_new = document.take_of(output.id).is_none_or(|(open, _)| changed.contains(&open.file.id));
        fingerprints.extend(output.result.filter(|_| !is_new).map(|result| (output.id, result)));
    }
    said.extend(left_out_text(&absent));
    let here = |clip: &ClipId| document.clip(*clip).is_some();
    let exported = project.exported.into_iter().filter(|record| here(&record.clip));
    let exported = exported.map(|record| {
        let is_new = document.take_of(record.clip).is_none_or(|(open, _)| changed.contains(&open.file.id));
        (record.clip, read_path(&record.path, folder), record.current && !is_new)
    });
    let mut marked = BTreeSet::new();
    let selected = project.selected.into_iter().filter(|clip| here(clip) && marked.insert(*clip)).collect();
    let next_clip = project.next_clip.min(MOST_NUMBER).max(absent.next_clip());
    let (exported, saved_as) = (exported.collect(), project.saved_as);
    Ok(Desk { exported, selected, absent, next_clip, saved_as, fingerprints, said, document })
}

fn left_out_text(absent: &Absent) -> Option<String> {
    const MOST_NAMED: usize = 10;
    let names: Vec<&str> = absent.outputs.iter().map(|output| output.name.as_str()).collect();
    let more = names.len().saturating_sub(MOST_NAMED);
    let named = names.iter().take(MOST_NAMED).map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    (!names.is_empty()).then(|| format!("not shown, because what they are made of is not there: {named}{more}"))
}

fn entry_of(record: &OutputRecord) -> ClipEntry {
    let steps = record.steps.iter().cloned().map(Arc::new).collect();
    let kind = ClipKind::Output(Output { source: record.source, parent: record.parent, steps });
    ClipEntry { id: record.id, name: record.name.clone(), kind }
}

/// One correction per role, in the order in which edits keep them.
fn tidy(mut roles: RoleOverrides) -> RoleOverrides {
    roles.0.sort();
    roles.0.dedup_by_key(|(role, _)| *role);
    roles
}

/// Where each take is in the file: at its index with its name, else where its name is, else at its index. No two are at
/// one place.
fn find_takes(takes: &[TakeRecord], file: &SourceFile) -> Vec<Option<usize>> {
    let named = |take: &TakeRecord, at: usize| {
        file.clips.get(at).is_some_and(|clip| clip.name == *take.in_file.as_ref().unwrap_or(&take.name))
    };
    let mut by_name: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, clip) in file.clips.iter().enumerate().rev() {
        by_name.insert(&clip.name, at);
    }
    let mut claimed = BTreeSet::new();
    let mut found = vec![None; takes.len()];
    let mut claim = |found: &mut Vec<Option<usize>>, place: &dyn Fn(&TakeRecord) -> Option<usize>| {
        for (take, found) in takes.iter().zip(found.iter_mut()).filter(|(_, found)| found.is_none()) {
            *found = place(take).filter(|&at| at < file.clips.len() && claimed.insert(at));
        }
    };
    claim(&mut found, &|take| named(take, take.take).then_some(take.take));
    claim(&mut found, &|take| by_name.get(take.in_file.as_ref().unwrap_or(&take.name).as_str()).copied());
    claim(&mut found, &|take| Some(take.take));
    found
}

fn read_file(record: &FileRecord, id: FileId, folder: &Path, options: &ReadOptions) -> Result<ReadAgain, ReadError> {
    let Some(written) = &record.path else {
        let made = match record.built_in.as_slice() {
            [] => demo_file(id),
            specs if is_modest(specs) => demo_file_of(specs, id),
            specs => {
                return Err(ReadError::TooLarge {
                    file: "the built-in character".into(),
                    what: "too much to make, clips".into(),
                    asked: specs.len() as u64,
                    limit: 100,
                });
            }
        };
        return match made {
            Ok(file) => Ok(ReadAgain { open: on_desk(file), changed: false }),
            Err(error) => {
                Err(ReadError::UnknownFormat { reason: error.to_string(), file: "the built-in character".into() })
            }
        };
    };
    let unit = record.metres_per_unit.filter(|metres| metres.is_finite() && *metres > 0.0);
    let options = ReadOptions { metres_per_unit: unit.or(options.metres_per_unit), ..options.clone() };
    let open = formats::open(id, &read_path(written, folder), &options).map(on_desk)?;
    let other_size = record.bytes.is_some_and(|bytes| bytes != open.file.bytes.len() as u64);
    let changed = other_size || record.sha256.as_ref().is_some_and(|hash| *hash != sha256_text(&open.file));
    Ok(ReadAgain { open, changed })
}

/// What a project is about, for a question: its files and how many clips were made.
pub(in crate::session) fn summary(path: &Path) -> Result<String, ProjectError> {
    let project = read_project(path)?;
    let name = |record: &FileRecord| {
        let path = record.path.as_ref().map(|path| path.rsplit('/').next().unwrap_or_default().to_owned());
        path.unwrap_or_else(|| "the built-in character".into())
    };
    let files = match project.files.as_slice() {
        [] => "no file".to_owned(),
        [file] => name(file),
        [file, rest @ ..] => format!("{} and {} more", name(file), rest.len()),
    };
    Ok(match project.outputs.len() {
        0 => files,
        1 => format!("{files}, one clip made"),
        made => format!("{files}, {made} clips made"),
    })
}

/// Bytes of a file that is not too large for a project.
pub(super) fn read_text(path: &Path) -> Result<Vec<u8>, ProjectError> {
    let io = |source| ProjectError::Io { verb: "read", path: path.to_owned(), source };
    let size = std::fs::metadata(path).map_err(io)?.len();
    if size > MOST_BYTES {
        let reason = format!("{size} bytes are too many for a project");
        return Err(ProjectError::Text { reason, path: path.to_owned() });
    }
    std::fs::read(path).map_err(io)
}

/// Proves that a text begins as a project does, of a form that is known.
pub(super) fn head_of(text: &[u8], path: &Path) -> Result<(), ProjectError> {
    /// The one field that every version has.
    #[derive(Deserialize)]
    struct Head {
        stridesmith: u32,
    }
    let head: Head = serde_json::from_slice(text).map_err(|error| damaged(path, &error))?;
    if head.stridesmith > VERSION {
        let form = head.stridesmith;
        let reason = format!("it was saved by a newer program (form {form}, here {VERSION} is known): use that one");
        return Err(ProjectError::Text { reason, path: path.to_owned() });
    }
    Ok(())
}

fn damaged(path: &Path, error: &serde_json::Error) -> ProjectError {
    ProjectError::Text { reason: format!("it is no project, or a damaged one ({error})"), path: path.to_owned() }
}
