//! The project file: which files are open, every output with its steps, names, roles and marks, as text that can lie
//! under version control.
//!
//! Nothing computed is in it. Paths are relative to the project where they can be, with `/` on every system. Numbers of
//! clips stay what they were, so a project that is opened and saved is the same text again. History starts anew.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::demo::demo_file;
use super::open::on_desk;
use super::record::sha256_text;
use super::{NoticeKind, Outcome, Session, SessionError};
use crate::edit::{ClipEntry, ClipKind, Document, History, Ids, NewFile, OpenFile, Output, Selection, SkeletonKey};
use crate::formats::{self, ReadError, ReadOptions};
use crate::motion::{FileId, Format, RoleOverrides};
use crate::ops::{ClipId, Progress, Step};

/// Of this form; a newer one is refused.
const VERSION: u32 = 1;
/// Larger texts are no projects: a thousand clips with ten steps each are two megabytes.
const MOST_BYTES: u64 = 256 << 20;

/// Why a project was not saved or opened.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    /// The disk said no.
    #[error("cannot {verb} {}", path.display())]
    Io {
        /// Read or write.
        verb: &'static str,
        /// The project.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// Not a project, or a damaged one.
    #[error("{reason}: {}", path.display())]
    Text {
        /// What is wrong with it, with line and column.
        reason: String,
        /// The project.
        path: PathBuf,
    },
    /// Saving would overwrite something else.
    #[error("{} is there already and is no project: choose another name", .0.display())]
    NotAProject(PathBuf),
}

/// The text.
#[derive(Debug, Serialize, Deserialize)]
struct Project {
    /// The version of the form.
    stridesmith: u32,
    files: Vec<FileRecord>,
    outputs: Vec<OutputRecord>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    roles: Vec<RolesRecord>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    selected: Vec<ClipId>,
}

#[derive(Debug, Serialize, Deserialize)]
struct FileRecord {
    /// `None`: the built-in character.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sha256: Option<String>,
    takes: Vec<TakeRecord>,
}

#[derive(Debug, Serialize, Deserialize)]
struct TakeRecord {
    id: ClipId,
    /// Index in the file.
    take: usize,
    name: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct OutputRecord {
    id: ClipId,
    name: String,
    source: ClipId,
    parent: ClipId,
    steps: Vec<Step>,
}

#[derive(Debug, Serialize, Deserialize)]
struct RolesRecord {
    skeleton: SkeletonKey,
    roles: RoleOverrides,
}

/// What a project came to.
pub(super) struct Restored {
    path: Option<PathBuf>,
    result: Result<(Document, Vec<ClipId>, Vec<String>), SessionError>,
}

impl Session {
    /// The project as text, with paths as seen from `folder`. With `hashes` each file's contents are named too, which
    /// takes a moment for large files the first time.
    pub fn project_text(&self, folder: &Path, hashes: bool) -> String {
        let document = self.document();
        let files = document.files().iter().map(|open| file_record(document, open, folder, hashes)).collect();
        let outputs = document.clips().filter_map(|clip| {
            let output = clip.output()?;
            let steps = output.steps.iter().map(|step| Step::clone(step)).collect();
            Some(OutputRecord {
                id: clip.id,
                name: clip.name.clone(),
                source: output.source,
                parent: output.parent,
                steps,
            })
        });
        let roles = document.all_overrides().iter();
        let roles = roles.map(|(skeleton, roles)| RolesRecord { skeleton: skeleton.clone(), roles: roles.clone() });
        let project = Project {
            stridesmith: VERSION,
            files,
            outputs: outputs.collect(),
            roles: roles.collect(),
            selected: self.selection().clips.clone(),
        };
        // Plain data, which JSON always takes.
        serde_json::to_string_pretty(&project).unwrap_or_default() + "\n"
    }

    /// The project that is open.
    pub fn project_path(&self) -> Option<&Path> {
        self.project.as_deref()
    }

    pub(super) fn save_project(&mut self, path: &Path) -> Result<(), SessionError> {
        // What is there is replaced only when it is a project.
        if path.exists() {
            read_text(path).map_err(|_| ProjectError::NotAProject(path.to_owned()))?;
        }
        let folder = folder_of(path);
        write_atomically(path, &self.project_text(&folder, true), true)?;
        self.project = Some(path.to_owned());
        self.history.set_saved();
        self.notice(NoticeKind::Done, format!("Saved {}", path.display()), None);
        Ok(())
    }

    /// `named`: the desk takes the project's name, and is saved there from then on.
    pub(super) fn start_open_project(&mut self, path: PathBuf, named: bool) {
        let options = self.read_options.clone();
        // Numbers of files are never used twice in a run: what was computed from other files stays theirs.
        let first = self.ids.file();
        let label = format!("Opening {}", path.file_name().unwrap_or_default().to_string_lossy());
        self.jobs.start(label, move |progress| {
            let result = restore(&path, first, &options, progress);
            Outcome::Restored(Restored { path: named.then_some(path), result })
        });
    }

    pub(super) fn finish_open_project(&mut self, restored: Restored) -> Result<(), SessionError> {
        let (document, selected, said) = restored.result?;
        self.cancel_preview();
        self.ids = Ids::beyond(&document);
        let clips = selected.into_iter().filter(|&clip| document.clip(clip).is_some()).collect();
        self.history = History::new(document, History::LIMIT);
        self.history.select(Selection { clips });
        self.history.set_saved();
        self.exported.clear();
        self.ready.clear();
        self.project = restored.path;
        for text in said {
            self.notice(NoticeKind::Warning, text, None);
        }
        Ok(())
    }
}

fn file_record(document: &Document, open: &OpenFile, folder: &Path, hashes: bool) -> FileRecord {
    let file = &open.file;
    let takes = document.takes(file.id).filter_map(|(id, _)| match &document.clip(id)?.kind {
        ClipKind::Take { take, .. } => Some(TakeRecord { id, take: *take, name: document.clip(id)?.name.clone() }),
        ClipKind::Output(_) => None,
    });
    let generated = file.format == Format::Generated;
    FileRecord {
        path: (!generated).then(|| relative(&file.path, folder)),
        sha256: (hashes && !generated).then(|| sha256_text(file)),
        takes: takes.collect(),
    }
}

fn restore(
    path: &Path,
    first: FileId,
    options: &ReadOptions,
    progress: &Progress,
) -> Result<(Document, Vec<ClipId>, Vec<String>), SessionError> {
    let text = read_text(path)?;
    let project: Project = serde_json::from_str(&text).map_err(|error| damaged(path, &error))?;
    let folder = folder_of(path);
    let mut said = Vec::new();
    let (mut files, mut names) = (Vec::new(), BTreeMap::new());
    let mut nameless = u32::MAX;
    let count = project.files.len().max(1) as f64;
    for (nth, record) in project.files.into_iter().enumerate() {
        progress.check().map_err(|_| SessionError::Cancelled("opening the project".into()))?;
        let id = FileId(first.0 + nth as u32);
        match read_file(&record, id, &folder, options, &mut said) {
            Ok(open) => {
                let mut takes: Vec<ClipId> = Vec::new();
                let by_index: BTreeMap<usize, &TakeRecord> =
                    record.takes.iter().map(|take| (take.take, take)).collect();
                for index in 0..open.file.clips.len() {
                    match by_index.get(&index) {
                        Some(take) => {
                            takes.push(take.id);
                            names.insert(take.id, take.name.clone());
                        }
                        // It was taken off the desk, or is new in the file: a number from the far end, without a name.
                        None => {
                            nameless -= 1;
                            takes.push(ClipId(nameless));
                        }
                    }
                }
                files.push(NewFile { open, takes });
            }
            Err(error) => said.push(format!("{}; what was made of it is left out", super::error_text(&error))),
        }
        progress.set((nth + 1) as f64 / count);
    }
    let outputs = project.outputs.into_iter().map(|record| ClipEntry {
        id: record.id,
        name: record.name,
        kind: ClipKind::Output(Output {
            source: record.source,
            parent: record.parent,
            steps: record.steps.into_iter().map(Arc::new).collect(),
        }),
    });
    let roles = project.roles.into_iter().map(|record| (record.skeleton, record.roles)).collect();
    let (document, left_out) = Document::restored(files, &names, outputs.collect(), roles)?;
    if !left_out.is_empty() {
        said.push(format!("left out, because what they were made of is not there: {}", left_out.join(", ")));
    }
    Ok((document, project.selected, said))
}

fn read_file(
    record: &FileRecord,
    id: FileId,
    folder: &Path,
    options: &ReadOptions,
    said: &mut Vec<String>,
) -> Result<OpenFile, ReadError> {
    let Some(written) = &record.path else {
        // The settings of the built-in character are sound.
        return demo_file(id).map(on_desk).map_err(|error| ReadError::UnknownFormat {
            reason: error.to_string(),
            file: "the built-in character".into(),
        });
    };
    let path = folder.join(written);
    let open = formats::open(id, &path, options).map(on_desk)?;
    if record.sha256.as_ref().is_some_and(|hash| *hash != sha256_text(&open.file)) {
        said.push(format!(
            "{} is another than when the project was saved: its steps now apply to it as it is",
            path.display()
        ));
    }
    Ok(open)
}

/// Text of a file that begins as a project does.
fn read_text(path: &Path) -> Result<String, ProjectError> {
    let io = |source| ProjectError::Io { verb: "read", path: path.to_owned(), source };
    let size = std::fs::metadata(path).map_err(io)?.len();
    let text_error = |reason: String| ProjectError::Text { reason, path: path.to_owned() };
    if size > MOST_BYTES {
        return Err(text_error(format!("{size} bytes are too many for a project")));
    }
    let text = std::fs::read_to_string(path).map_err(io)?;
    /// The one field that every version has.
    #[derive(Deserialize)]
    struct Head {
        stridesmith: u32,
    }
    let head: Head = serde_json::from_str(&text).map_err(|error| damaged(path, &error))?;
    if head.stridesmith > VERSION {
        return Err(text_error(format!("it was saved by a newer program (form {})", head.stridesmith)));
    }
    Ok(text)
}

fn damaged(path: &Path, error: &serde_json::Error) -> ProjectError {
    ProjectError::Text { reason: format!("it is no project, or a damaged one ({error})"), path: path.to_owned() }
}

/// Written beside and moved over: a crash leaves the old text or the new one. `sync`: also when the power goes.
pub(super) fn write_atomically(path: &Path, text: &str, sync: bool) -> Result<(), ProjectError> {
    let io = |source| ProjectError::Io { verb: "write", path: path.to_owned(), source };
    let mut file = tempfile::NamedTempFile::new_in(folder_of(path)).map_err(io)?;
    file.write_all(text.as_bytes()).map_err(io)?;
    if sync {
        file.as_file().sync_all().map_err(io)?;
    }
    file.persist(path).map_err(|error| io(error.error))?;
    Ok(())
}

fn folder_of(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned())
}

/// As seen from `folder`; as it is when both have no folder in common.
fn relative(path: &Path, folder: &Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let (ours, theirs): (Vec<_>, Vec<_>) = (path.components().collect(), folder.components().collect());
    let shared = ours.iter().zip(&theirs).take_while(|(a, b)| a == b).count();
    let named = |part: &Component<'_>| matches!(part, Component::Normal(_));
    if !ours.iter().take(shared).any(named) {
        return path.to_string_lossy().into_owned();
    }
    let up = std::iter::repeat_n("..".to_owned(), theirs.len() - shared);
    let down = ours[shared..].iter().map(|part| part.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}
