//! The project file: which files are open, every output with its steps, names, roles and marks, as text that can lie
//! under version control.
//!
//! Nothing computed is in it but fingerprints of results. Paths are relative to the project where they can be, with `/`
//! on every system. Numbers of clips stay what they were, so a project that is opened and saved is the same text
//! again. What cannot be loaded is said, kept, and saved again. History starts anew.

mod compare;
mod form;
mod place;
mod restore;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use super::derived::Deriving;
use super::export::Written;
use super::fingerprint::Fingerprint;
use super::plan::{Plan, result_key};
use super::{NoticeKind, Outcome, Session, SessionError};
use crate::edit::{Document, History, Selection};
use crate::motion::Format;
use crate::ops::{ClipId, Progress};

pub(super) use compare::Compared;
pub(super) use form::{Absent, Contents};
pub(super) use place::write_atomically;
pub(super) use restore::{Desk, Restored, summary};

use place::folder_of;
use restore::{head_of, read_text};

/// Ending of project files, without the dot.
pub const ENDING: &str = "stridesmith";

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

/// What came of saving.
pub(super) struct Saved {
    path: PathBuf,
    document: Arc<Document>,
    results: BTreeMap<ClipId, Fingerprint>,
    /// What the text could not say.
    said: Vec<String>,
    result: Result<(), SessionError>,
}

/// Which saving wrote a path last: an earlier one that is slower must not undo it.
pub(super) type SaveTurns = Arc<Mutex<BTreeMap<PathBuf, u64>>>;

impl Session {
    /// The project as text, with paths as seen from `folder`. With `hashes` each file's contents are named too, which
    /// takes a moment for large files the first time.
    pub fn project_text(&self, folder: &Path, hashes: bool) -> String {
        Contents { saved_as: None, ..self.contents() }.text(folder, hashes, &self.known_results())
    }

    /// The project that is open.
    pub fn project_path(&self) -> Option<&Path> {
        self.project.as_deref()
    }

    /// The desk that this one was brought back from, after [`super::Action::Recover`].
    pub fn recovered_from(&self) -> Option<&Path> {
        self.recovered_from.as_deref()
    }

    /// Whether the desk is another than the one that was saved or opened last; an empty new desk is not.
    pub fn is_changed_since_saved(&self) -> bool {
        !self.history.is_saved()
    }

    pub(super) fn contents(&self) -> Contents {
        Contents {
            document: self.document().clone(),
            selection: self.selection().clone(),
            exported: self.exported.clone(),
            absent: self.absent.clone(),
            next_clip: self.ids.next_clip(),
            saved_as: self.project.clone(),
        }
    }

    /// Fingerprints of clips that have not changed since they were taken.
    fn known_results(&self) -> BTreeMap<ClipId, Fingerprint> {
        let document = self.document();
        let known = self.fingerprints.iter().filter(|(clip, (key, _))| result_key(document, **clip) == Some(*key));
        known.map(|(&clip, (_, fingerprint))| (clip, fingerprint.clone())).collect()
    }

    pub(super) fn start_save_project(&mut self, path: &Path) {
        let path = place::absolute(path);
        let contents = Contents { saved_as: None, ..self.contents() };
        let known = self.known_results();
        let outputs = contents.document.clips().filter(|clip| clip.output().is_some() && !known.contains_key(&clip.id));
        // What was dropped from the store is not computed again: saving is quick, and a fingerprint is no truth.
        let ready = outputs.filter_map(|clip| Some((clip.id, self.plan(&contents.document, clip.id)?)));
        let ready: Vec<(ClipId, Plan)> = ready.filter(|(_, plan)| plan.is_ready()).collect();
        self.saves += 1;
        let (turn, turns) = (self.saves, self.save_turns.clone());
        let label = format!("Saving {}", path.file_name().unwrap_or_default().to_string_lossy());
        self.jobs.start(label, move |progress| {
            let taken = ready.par_iter().filter_map(|(clip, plan)| Some((*clip, fingerprint(plan, progress)?)));
            let results = known.into_iter().chain(taken.collect::<Vec<_>>()).collect();
            let said = unsayable(&contents.document);
            let result = save(&path, &contents, &results, turn, &turns);
            Outcome::Saved(Saved { path, document: contents.document, results, said, result })
        });
    }

    /// `stale`: the desk that was saved is gone.
    pub(super) fn finish_save_project(&mut self, saved: Saved, stale: bool) -> Result<(), SessionError> {
        saved.result?;
        self.notice(NoticeKind::Done, format!("Saved {}", saved.path.display()), None);
        saved.said.into_iter().for_each(|text| self.notice(NoticeKind::Warning, text, None));
        if stale {
            return Ok(());
        }
        for (clip, fingerprint) in saved.results {
            if let Some(key) = result_key(&saved.document, clip) {
                self.fingerprints.insert(clip, (key, fingerprint));
            }
        }
        // A change that was made meanwhile is not in the file.
        if Arc::ptr_eq(&saved.document, self.document()) {
            self.history.set_saved();
        }
        self.project = Some(saved.path);
        Ok(())
    }

    /// `named`: the desk takes the project's name, and is saved there from then on; else it is one that was saved by
    /// itself.
    pub(super) fn start_open_project(&mut self, path: PathBuf, named: bool) {
        let options = self.read_options.clone();
        // What is computed from a file is known by its number: none is given twice in a run.
        let first = self.ids.files(restore::MOST_FILES);
        let label = format!("Opening {}", path.file_name().unwrap_or_default().to_string_lossy());
        if let Some(earlier) = self.opening_project.take() {
            self.jobs.cancel(earlier);
        }
        let job = self.jobs.start(label, move |progress| {
            let result = restore::restore(&path, first, &options, progress);
            Outcome::Restored(Restored { path, named, result })
        });
        self.opening_project = Some(job);
    }

    pub(super) fn finish_open_project(&mut self, restored: Restored) -> Result<(), SessionError> {
        let Restored { path, named, result } = restored;
        let desk = result?;
        self.replace_desk();
        self.ids = self.ids.restored(&desk.document, desk.next_clip);
        self.history = History::new(desk.document, History::LIMIT);
        self.history.select(Selection { clips: desk.selected });
        let document = self.document().clone();
        let written = |(clip, path, current): (ClipId, PathBuf, bool)| {
            let key = current.then(|| result_key(&document, clip)).flatten();
            (clip, Written { path, key })
        };
        self.exported = Arc::new(desk.exported.into_iter().map(written).collect());
        self.absent = Arc::new(desk.absent);
        let fingerprint = |(clip, print)| Some((clip, (result_key(&document, clip)?, print)));
        self.fingerprints = desk.fingerprints.into_iter().filter_map(fingerprint).collect();
        if named {
            (self.project, self.recovered_from) = (Some(path), None);
            self.history.set_saved();
        } else {
            (self.project, self.recovered_from) = (desk.saved_as, Some(path));
            self.history.clear_saved();
        }
        desk.said.into_iter().for_each(|text| self.notice(NoticeKind::Warning, text, None));
        self.start_compare();
        Ok(())
    }

    /// Takes everything away that belongs to the desk there was, its jobs included: their numbers mean other clips now.
    fn replace_desk(&mut self) {
        self.cancel_preview();
        self.of_another_desk.extend(self.jobs.running().iter().map(|job| job.id));
        // Exports and savings under way were wanted, and go on.
        self.computing.drain().for_each(|(_, job)| self.jobs.cancel(job));
        self.ready.clear();
        self.deriving = Deriving::default();
    }
}

/// `None` for a result that is a refusal, or was dropped meanwhile.
fn fingerprint(plan: &Plan, progress: &Progress) -> Option<Fingerprint> {
    let result = plan.is_ready().then(|| plan.run(&progress.part()))?;
    result.refused.is_none().then(|| Fingerprint::of(&result))
}

fn save(
    path: &Path,
    contents: &Contents,
    results: &BTreeMap<ClipId, Fingerprint>,
    turn: u64,
    turns: &SaveTurns,
) -> Result<(), SessionError> {
    let text = contents.text(&folder_of(path), true, results);
    let mut turns = turns.lock().unwrap_or_else(PoisonError::into_inner);
    if turns.get(path).is_some_and(|&last| last > turn) {
        return Ok(());
    }
    // What is there is replaced only when it is a project.
    if path.exists() {
        let there = read_text(path)?;
        head_of(&there, path).map_err(|_| ProjectError::NotAProject(path.to_owned()))?;
    }
    write_atomically(path, &text)?;
    turns.insert(path.to_owned(), turn);
    Ok(())
}

/// What of a desk no text can say.
fn unsayable(document: &Document) -> Vec<String> {
    let files = document.files().iter().map(|open| &open.file);
    files
        .filter_map(|file| match file.format {
            Format::Generated if super::demo::recipe_of(file).is_none() => {
                Some(format!("{} was made in memory and is not in the project: export its clips", file.file_name()))
            }
            Format::Generated => None,
            _ if file.path.to_str().is_none() => Some(format!(
                "the project will not find this file again, because its name is no proper text; give it another: {}",
                file.path.display()
            )),
            _ => None,
        })
        .collect()
}
