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
use std::sync::atomic::{AtomicUsize, Ordering};
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
pub(super) use restore::{Restored, summary};

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

/// A desk on its way to the disk.
pub(super) struct Saving {
    path: PathBuf,
    contents: Contents,
    results: BTreeMap<ClipId, Fingerprint>,
    /// Results without a fingerprint so far.
    missing: Vec<(ClipId, Plan)>,
    turn: u64,
    turns: SaveTurns,
}

/// What came of saving.
pub(super) struct Saved {
    saving: Saving,
    /// It was saved before, without the fingerprints of results that had to be computed first.
    again: bool,
    result: Result<(), ProjectError>,
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

    /// Waits until every project that is being saved lies on disk: the window calls it before it closes.
    pub fn wait_for_saves(&mut self) {
        while !self.saving.is_empty()
            && let Some(job) = self.jobs.wait()
        {
            self.finish_or_notice(job);
        }
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
        let results = self.known_results();
        let outputs = contents.document.clips().filter(|clip| clip.output().is_some());
        let unknown = outputs.filter(|clip| !results.contains_key(&clip.id));
        let missing = unknown.filter_map(|clip| Some((clip.id, self.plan(&contents.document, clip.id)?))).collect();
        self.saves += 1;
        let (turn, turns) = (self.saves, self.save_turns.clone());
        let label = format!("Saving {}", path.file_name().unwrap_or_default().to_string_lossy());
        let mut saving = Saving { path, contents, results, missing, turn, turns };
        let job = self.jobs.start(label, move |progress| {
            let missing = std::mem::take(&mut saving.missing);
            // Saving does not wait for anything to be computed.
            let (ready, missing): (Vec<_>, Vec<_>) = missing.into_iter().partition(|(_, plan)| plan.is_ready());
            saving.results.extend(fingerprints(&ready, progress));
            saving.missing = missing;
            let result = saving.write();
            Outcome::Saved(Saved { saving, again: false, result })
        });
        self.saving.insert(job);
    }

    /// `stale`: the desk that was saved is gone.
    pub(super) fn finish_save_project(&mut self, saved: Saved, stale: bool) -> Result<(), SessionError> {
        let Saved { saving, again, result } = saved;
        result?;
        let document = &saving.contents.document;
        if !again {
            self.notice(NoticeKind::Done, format!("Saved {}", saving.path.display()), None);
            unsayable(document).into_iter().for_each(|text| self.notice(NoticeKind::Warning, text, None));
        }
        if stale {
            return Ok(());
        }
        for (&clip, fingerprint) in &saving.results {
            if let Some(key) = result_key(document, clip) {
                self.fingerprints.insert(clip, (key, fingerprint.clone()));
            }
        }
        if again {
            return Ok(());
        }
        // A change that was made meanwhile is not in the file.
        if Arc::ptr_eq(document, self.document()) {
            self.history.set_saved();
        }
        self.project = Some(saving.path.clone());
        if !saving.missing.is_empty() {
            self.complete(saving);
        }
        Ok(())
    }

    /// Computes the results that have no fingerprint yet, and saves the same desk once more with theirs.
    fn complete(&mut self, mut saving: Saving) {
        self.jobs.start(format!("Computing {} results for the project", saving.missing.len()), move |progress| {
            let missing = std::mem::take(&mut saving.missing);
            saving.results.extend(fingerprints(&missing, progress));
            let result = if progress.check().is_ok() { saving.write() } else { Ok(()) };
            Outcome::Saved(Saved { saving, again: true, result })
        });
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

impl Saving {
    fn write(&self) -> Result<(), ProjectError> {
        let text = self.contents.text(&folder_of(&self.path), true, &self.results);
        let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        if turns.get(&self.path).is_some_and(|&last| last > self.turn) {
            return Ok(());
        }
        // What is there is replaced only when it is a project.
        if self.path.exists() {
            let there = read_text(&self.path)?;
            head_of(&there, &self.path).map_err(|error| match error {
                ProjectError::Text { .. } => ProjectError::NotAProject(self.path.clone()),
                other => other,
            })?;
        }
        write_atomically(&self.path, &text)?;
        turns.insert(self.path.clone(), self.turn);
        Ok(())
    }
}

/// A refusal has none.
fn fingerprints(clips: &[(ClipId, Plan)], progress: &Progress) -> Vec<(ClipId, Fingerprint)> {
    let done = AtomicUsize::new(0);
    let one = |(clip, plan): &(ClipId, Plan)| {
        progress.check().ok()?;
        let result = plan.run(&progress.part());
        progress.set((1 + done.fetch_add(1, Ordering::Relaxed)) as f64 / clips.len() as f64);
        result.refused.is_none().then(|| (*clip, Fingerprint::of(&result)))
    };
    clips.par_iter().filter_map(one).collect()
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
