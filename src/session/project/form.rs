//! What stands in a project: the records, and their text.
//!
//! JSON, one take, step, role list or export per line, always in the same order: a changed setting is one changed line.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;

use super::place::written_path;
use crate::edit::{ClipKind, Document, OpenFile, Selection, SkeletonKey};
use crate::motion::demo::DemoSpec;
use crate::motion::{Format, RoleOverrides, SourceFile};
use crate::ops::{ClipId, Step};
use crate::session::demo::recipe_of;
use crate::session::export::Written;
use crate::session::fingerprint::Fingerprint;
use crate::session::plan::result_key;
use crate::session::record::sha256_text;

/// Of this form; a newer one is refused.
pub(super) const VERSION: u32 = 1;

/// The text. Fields that a later program adds are passed over.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Project {
    /// The version of the form; it stands first, so that a person sees what the file is.
    pub stridesmith: u32,
    /// Of a desk that was saved by itself: the project that it will be saved to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub saved_as: Option<PathBuf>,
    pub files: Vec<FileRecord>,
    pub outputs: Vec<OutputRecord>,
    #[serde(default, skip_serializing_if = "Vec::is_empty", serialize_with = "a_line_each")]
    pub roles: Vec<RolesRecord>,
    #[serde(default, skip_serializing_if = "Vec::is_empty", serialize_with = "a_line_each")]
    pub exported: Vec<ExportedRecord>,
    #[serde(default, skip_serializing_if = "Vec::is_empty", serialize_with = "in_one_line")]
    pub selected: Vec<ClipId>,
    /// The number of the next new clip: those below are never given again.
    #[serde(default)]
    pub next_clip: u32,
}

/// A file: by its path, or the recipe of one that was made in memory.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct FileRecord {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// Of a format that names no unit: the one it was read with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metres_per_unit: Option<f64>,
    /// The built-in character's clips; without path and this: those that it comes with.
    #[serde(default, skip_serializing_if = "Vec::is_empty", serialize_with = "a_line_each")]
    pub built_in: Vec<DemoSpec>,
    #[serde(serialize_with = "a_line_each")]
    pub takes: Vec<TakeRecord>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct TakeRecord {
    pub id: ClipId,
    /// Index in the file.
    pub take: usize,
    /// On the desk.
    pub name: String,
    /// In the file, by which it is found when the file has changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_file: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct OutputRecord {
    pub id: ClipId,
    pub name: String,
    pub source: ClipId,
    pub parent: ClipId,
    #[serde(serialize_with = "a_line_each")]
    pub steps: Vec<Step>,
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "in_one_line")]
    pub result: Option<Fingerprint>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct RolesRecord {
    pub skeleton: SkeletonKey,
    pub roles: RoleOverrides,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ExportedRecord {
    pub clip: ClipId,
    pub path: String,
    /// Whether the clip has not changed since.
    pub current: bool,
}

/// What a project names and this run could not load: kept, and written again when the project is saved.
#[derive(Clone, Debug, Default)]
pub(in crate::session) struct Absent {
    /// Files that could not be read, with absolute paths.
    pub(super) files: Vec<FileRecord>,
    /// Takes that an open file lacks, by its absolute path.
    pub(super) takes: BTreeMap<PathBuf, Vec<TakeRecord>>,
    /// What was made of either.
    pub(super) outputs: Vec<OutputRecord>,
}

impl Absent {
    /// Above all numbers in it.
    pub(super) fn next_clip(&self) -> u32 {
        let takes = self.files.iter().flat_map(|file| &file.takes).chain(self.takes.values().flatten());
        let ids = takes.map(|take| take.id).chain(self.outputs.iter().map(|output| output.id));
        ids.map(|id| id.0.saturating_add(1)).max().unwrap_or(0)
    }
}

/// Everything that a project says, shared with the session: it can be written down on another thread.
#[derive(Clone)]
pub(in crate::session) struct Contents {
    pub(super) document: Arc<Document>,
    pub(super) selection: Selection,
    pub(super) exported: Arc<BTreeMap<ClipId, Written>>,
    pub(super) absent: Arc<Absent>,
    pub(super) next_clip: u32,
    /// Only for a desk that is saved by itself.
    pub(super) saved_as: Option<PathBuf>,
}

impl Contents {
    /// Whether there is nothing to lose.
    pub(in crate::session) fn is_empty(&self) -> bool {
        self.document.files().is_empty() && self.absent.files.is_empty()
    }

    /// Whether both have the same text, found out without writing it.
    pub(in crate::session) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.document, &other.document)
            && Arc::ptr_eq(&self.exported, &other.exported)
            && Arc::ptr_eq(&self.absent, &other.absent)
            && self.selection == other.selection
            && self.saved_as == other.saved_as
    }

    /// The text, with paths as seen from `folder`. With `hashes` each file's contents are named too, which takes a
    /// moment for large files the first time.
    pub(in crate::session) fn text(
        &self,
        folder: &Path,
        hashes: bool,
        results: &BTreeMap<ClipId, Fingerprint>,
    ) -> String {
        let document = &*self.document;
        let mut files: Vec<FileRecord> = document
            .files()
            .iter()
            .filter_map(|open| {
                let mut record = file_record(document, open, folder, hashes)?;
                let absent = self.absent.takes.get(&open.file.path).into_iter().flatten();
                record.takes.extend(absent.cloned());
                record.takes.sort_by_key(|take| take.id);
                Some(record)
            })
            .collect();
        files.extend(self.absent.files.iter().map(|record| {
            let path = record.path.as_ref().map(|path| written_path(Path::new(path), folder));
            FileRecord { path, ..record.clone() }
        }));
        let mut outputs: Vec<OutputRecord> = self.absent.outputs.clone();
        outputs.extend(document.clips().filter_map(|clip| {
            let output = clip.output()?;
            let steps = output.steps.iter().map(|step| Step::clone(step)).collect();
            let (source, parent, result) = (output.source, output.parent, results.get(&clip.id).cloned());
            Some(OutputRecord { id: clip.id, name: clip.name.clone(), source, parent, steps, result })
        }));
        outputs.sort_by_key(|output| output.id);
        let roles = document.all_overrides().iter();
        let roles = roles.map(|(skeleton, roles)| RolesRecord { skeleton: skeleton.clone(), roles: roles.clone() });
        let exported = self.exported.iter().filter(|(clip, _)| document.clip(**clip).is_some());
        let exported = exported.map(|(&clip, written)| ExportedRecord {
            clip,
            path: written_path(&written.path, folder),
            current: written.key.is_some() && written.key == result_key(document, clip),
        });
        let project = Project {
            stridesmith: VERSION,
            saved_as: self.saved_as.clone(),
            files,
            outputs,
            roles: roles.collect(),
            exported: exported.collect(),
            selected: self.selection.clips.clone(),
            next_clip: self.next_clip,
        };
        // Plain data, which JSON always takes; a path that is no text is the one exception, and stays away.
        let text = serde_json::to_string_pretty(&project);
        text.or_else(|_| serde_json::to_string_pretty(&Project { saved_as: None, ..project })).unwrap_or_default()
            + "\n"
    }
}

/// `None` for a file that was made in memory in a way nobody knows.
fn file_record(document: &Document, open: &OpenFile, folder: &Path, hashes: bool) -> Option<FileRecord> {
    let file = &*open.file;
    let takes = document.takes(file.id).filter_map(|(id, _)| {
        let clip = document.clip(id)?;
        let ClipKind::Take { take, .. } = clip.kind else { return None };
        let in_file = file.clips.get(take).map(|clip| clip.name.clone());
        Some(TakeRecord { id, take, name: clip.name.clone(), in_file: in_file.filter(|name| *name != clip.name) })
    });
    let mut record = FileRecord {
        path: None,
        bytes: None,
        sha256: None,
        metres_per_unit: None,
        built_in: Vec::new(),
        takes: takes.collect(),
    };
    if file.format == Format::Generated {
        record.built_in = recipe_of(file)?;
    } else {
        record.path = Some(written_path(&file.path, folder));
        record.bytes = hashes.then_some(file.bytes.len() as u64);
        record.sha256 = hashes.then(|| sha256_text(file));
        record.metres_per_unit = chosen_unit(file);
    }
    Some(record)
}

/// BVH alone is read in the unit that a person or a guess says: written down, so that it stays.
fn chosen_unit(file: &SourceFile) -> Option<f64> {
    (file.format == Format::Bvh).then_some(file.space.metres_per_unit)
}

fn one_line<T: Serialize, E: serde::ser::Error>(value: &T) -> Result<Box<RawValue>, E> {
    serde_json::value::to_raw_value(value).map_err(E::custom)
}

fn in_one_line<T: Serialize, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    one_line::<_, S::Error>(value)?.serialize(serializer)
}

fn a_line_each<T: Serialize, S: Serializer>(values: &[T], serializer: S) -> Result<S::Ok, S::Error> {
    let lines: Result<Vec<_>, S::Error> = values.iter().map(one_line).collect();
    lines?.serialize(serializer)
}
