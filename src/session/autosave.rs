//! The desk, saved by itself after every change, and found again when the program did not end as it should.
//!
//! Every running program has a folder's two files to itself: the desk as a project, and a lock that the system lets go
//! when the process ends, however it ends. A desk without a lock held belongs to nobody: it is offered again.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::Session;
use super::project::{ProjectError, write_atomically};
use crate::edit::{Document, Selection};

/// Ending of desks.
const DESK: &str = "desk";
/// Ending of locks.
const LOCK: &str = "lock";

/// Saves the desk of one running program.
pub struct Autosave {
    folder: PathBuf,
    desk: PathBuf,
    lock: PathBuf,
    /// Held as long as the program runs.
    _held: File,
    /// What was saved last.
    saved: Option<(Arc<Document>, Selection)>,
}

/// A desk whose program is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recoverable {
    /// The desk, as a project.
    pub path: PathBuf,
    /// When it was saved last.
    pub when: SystemTime,
}

impl Autosave {
    /// For this process, in a folder that is made when it is not there.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn new(folder: &Path) -> Result<Self, ProjectError> {
        let io = |source| ProjectError::Io { verb: "write", path: folder.to_owned(), source };
        std::fs::create_dir_all(folder).map_err(io)?;
        for number in 0..10_000 {
            let stem = format!("{}-{number}", std::process::id());
            let (lock, desk) = (folder.join(format!("{stem}.{LOCK}")), folder.join(format!("{stem}.{DESK}")));
            // A number that an earlier process had is not taken over: its desk may still be wanted.
            if desk.exists() {
                continue;
            }
            let held = OpenOptions::new().create(true).truncate(false).write(true).open(&lock).map_err(io)?;
            match held.try_lock() {
                Ok(()) => return Ok(Self { folder: folder.to_owned(), desk, lock, _held: held, saved: None }),
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(source)) => return Err(io(source)),
            }
        }
        Err(io(std::io::Error::other("no free name")))
    }

    /// Saves the desk when it is another than at the last time; whether it did. When it returns, the process may be
    /// killed without losing anything.
    ///
    /// # Errors
    /// The disk said no; it is tried again at the next call.
    pub fn save(&mut self, session: &Session) -> Result<bool, ProjectError> {
        let (document, selection) = (session.document(), session.selection());
        if self.saved.as_ref().is_some_and(|(d, s)| Arc::ptr_eq(d, document) && s == selection) {
            return Ok(false);
        }
        if document.files().is_empty() {
            match std::fs::remove_file(&self.desk) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(ProjectError::Io { verb: "write", path: self.desk.clone(), source: error });
                }
                _ => {}
            }
        } else {
            // Absolute paths: the desk lies nowhere near its files. No hashes: this is done after every change.
            write_atomically(&self.desk, &session.project_text(Path::new("/"), false), false)?;
        }
        self.saved = Some((document.clone(), selection.clone()));
        Ok(true)
    }

    /// The program ends as it should: nothing is offered again.
    pub fn finish(self) {
        // Left behind, they would be offered once more, which does no harm.
        let _desk = std::fs::remove_file(&self.desk);
        let _lock = std::fs::remove_file(&self.lock);
    }

    /// Desks in the folder whose programs are gone, the latest first.
    pub fn recoverable(&self) -> Vec<Recoverable> {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut found: Vec<Recoverable> = entries
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|ending| ending == DESK) && *path != self.desk)
            .filter(|path| is_free(&path.with_extension(LOCK)))
            .filter_map(|path| Some(Recoverable { when: path.metadata().ok()?.modified().ok()?, path }))
            .collect();
        found.sort_by_key(|desk| std::cmp::Reverse(desk.when));
        found
    }

    /// Forgets a desk that nobody wants.
    pub fn discard(&self, desk: &Recoverable) {
        let _desk = std::fs::remove_file(&desk.path);
        let _lock = std::fs::remove_file(desk.path.with_extension(LOCK));
    }
}

/// Whether nobody holds a lock.
fn is_free(lock: &Path) -> bool {
    match File::open(lock) {
        Ok(file) => file.try_lock().is_ok(),
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    }
}
