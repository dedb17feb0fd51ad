//! The desk, saved by itself after every change, and found again when the program did not end as it should.
//!
//! Every running program has a folder's two files to itself: the desk as a project, and a lock that the system lets go
//! when the process ends, however it ends. A desk without a lock held belongs to nobody: it is offered again. Writing
//! is done by a thread of its own, latest desk first, so that no frame waits for a disk.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::SystemTime;

use super::Session;
use super::project::{Contents, ProjectError, summary, write_atomically};

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
    /// What the writer was given last.
    given: Option<Contents>,
    shared: Arc<Shared>,
    writer: Option<JoinHandle<()>>,
}

/// A desk whose program is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recoverable {
    /// The desk, as a project.
    pub path: PathBuf,
    /// When it was saved last.
    pub when: SystemTime,
    /// Its files and how many clips were made, or why it cannot be read.
    pub summary: String,
}

/// Between the window's thread and the writer's.
#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// Not begun yet. A newer desk takes its place.
    waiting: Option<Contents>,
    writing: bool,
    /// Of the latest writing.
    failed: Option<ProjectError>,
    /// The program ends: what waits is written, then the writer goes.
    ending: bool,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // Every change is complete before anything can panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    fn write_all(&self, desk: &Path) {
        loop {
            let mut state = self.state();
            let contents = loop {
                match state.waiting.take() {
                    Some(contents) => break contents,
                    None if state.ending => return,
                    None => state = self.wait(state),
                }
            };
            state.writing = true;
            drop(state);
            let result = write(desk, &contents);
            let mut state = self.state();
            state.writing = false;
            state.failed = result.err();
            self.changed.notify_all();
        }
    }
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
                Ok(()) => return Self::with_lock(folder, desk, lock, held).map_err(io),
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(source)) => return Err(io(source)),
            }
        }
        Err(io(std::io::Error::other("no free name")))
    }

    fn with_lock(folder: &Path, desk: PathBuf, lock: PathBuf, held: File) -> std::io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let work = {
            let (shared, desk) = (shared.clone(), desk.clone());
            move || shared.write_all(&desk)
        };
        let writer = Some(std::thread::Builder::new().name("autosave".into()).spawn(work)?);
        Ok(Self { folder: folder.to_owned(), desk, lock, _held: held, given: None, shared, writer })
    }

    /// Gives the desk to the writer when it is another than at the last call; does not wait. `true` when the desk as it
    /// is now lies on disk: then the process may be killed without losing anything. The window calls it every frame.
    ///
    /// # Errors
    /// The disk said no; the next call tries again.
    pub fn save(&mut self, session: &Session) -> Result<bool, ProjectError> {
        let now = session.contents();
        let mut state = self.shared.state();
        if let Some(error) = state.failed.take() {
            self.given = None;
            return Err(error);
        }
        if self.given.as_ref().is_some_and(|given| given.is_same(&now)) {
            return Ok(state.waiting.is_none() && !state.writing);
        }
        state.waiting = Some(now.clone());
        self.given = Some(now);
        self.shared.changed.notify_all();
        Ok(false)
    }

    /// Waits until what was given to the writer lies on disk.
    ///
    /// # Errors
    /// The disk said no.
    pub fn flush(&mut self) -> Result<(), ProjectError> {
        let mut state = self.shared.state();
        while state.waiting.is_some() || state.writing {
            state = self.shared.wait(state);
        }
        match state.failed.take() {
            None => Ok(()),
            Some(error) => {
                self.given = None;
                Err(error)
            }
        }
    }

    /// The program ends as it should: nothing is offered again.
    pub fn finish(mut self) {
        self.stop();
        // Left behind, they would be offered once more, which does no harm.
        let _desk = std::fs::remove_file(&self.desk);
        let _lock = std::fs::remove_file(&self.lock);
    }

    fn stop(&mut self) {
        self.shared.state().ending = true;
        self.shared.changed.notify_all();
        if let Some(writer) = self.writer.take() {
            // A panic in it was said where it happened, and what it wrote is whole.
            let _ended = writer.join();
        }
    }

    /// Desks in the folder whose programs are gone, the latest first.
    pub fn recoverable(&self) -> Vec<Recoverable> {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut found: Vec<Recoverable> = entries
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|ending| ending == DESK) && *path != self.desk)
            .filter(|path| is_free(&path.with_extension(LOCK)))
            .filter_map(|path| {
                let when = path.metadata().ok()?.modified().ok()?;
                let summary = summary(&path).unwrap_or_else(|error| error.to_string());
                Some(Recoverable { path, when, summary })
            })
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

impl Drop for Autosave {
    fn drop(&mut self) {
        self.stop();
    }
}

fn write(desk: &Path, contents: &Contents) -> Result<(), ProjectError> {
    if !contents.is_empty() {
        // Absolute paths: the desk lies nowhere near its files. No hashes: this is done after every change.
        let text = contents.text(Path::new("/"), false, &std::collections::BTreeMap::new());
        return write_atomically(desk, &text);
    }
    match std::fs::remove_file(desk) {
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
            Err(ProjectError::Io { verb: "write", path: desk.to_owned(), source })
        }
        _ => Ok(()),
    }
}

/// Whether nobody holds a lock.
fn is_free(lock: &Path) -> bool {
    match File::open(lock) {
        Ok(file) => file.try_lock().is_ok(),
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    }
}
