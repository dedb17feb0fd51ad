//! Long work: in line for tests and the command line, on threads for the window.
//!
//! A job gets everything it needs when it starts, and a [`Progress`] to report to; what it returns is taken in later,
//! by the one thread that owns the session. It never touches the session itself.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use serde::{Deserialize, Serialize};

use crate::ops::Progress;
use crate::ops::evaluate::panic_text;

/// Number of a job; only grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct JobId(pub u64);

/// Where jobs run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum JobMode {
    /// On the caller's thread, done when they have started: nothing waits, nothing races.
    #[default]
    Inline,
    /// Each on a thread of its own.
    Threads,
}

/// A job that has not been taken in yet.
#[derive(Clone, Debug)]
pub struct JobStatus {
    /// Its number.
    pub id: JobId,
    /// For the status bar.
    pub label: String,
    /// Shared with the job.
    pub progress: Arc<Progress>,
}

/// A job that has come to its end.
pub struct EndedJob<T> {
    /// Its number.
    pub id: JobId,
    /// As the status bar showed it.
    pub label: String,
    /// What it returned, or what it said when it panicked.
    pub end: Result<T, String>,
}

/// Called from a job's thread when it ends, so that a sleeping window looks.
pub type Waker = Arc<dyn Fn() + Send + Sync>;

/// The running jobs.
pub struct Jobs<T> {
    mode: JobMode,
    next: u64,
    running: Vec<JobStatus>,
    sender: Sender<(JobId, Result<T, String>)>,
    receiver: Receiver<(JobId, Result<T, String>)>,
    waker: Option<Waker>,
}

impl<T: Send + 'static> Jobs<T> {
    /// None yet.
    pub fn new(mode: JobMode) -> Self {
        let (sender, receiver) = channel();
        Self { mode, next: 0, running: Vec::new(), sender, receiver, waker: None }
    }

    /// Where they run.
    pub fn mode(&self) -> JobMode {
        self.mode
    }

    /// Who is to be told when one ends.
    pub fn set_waker(&mut self, waker: Waker) {
        self.waker = Some(waker);
    }

    /// Starts one. Where no thread can be had it runs in line.
    pub fn start(&mut self, label: String, work: impl FnOnce(&Progress) -> T + Send + 'static) -> JobId {
        let id = JobId(self.next);
        self.next += 1;
        let progress = Arc::new(Progress::default());
        self.running.push(JobStatus { id, label, progress: progress.clone() });
        let (sender, waker) = (self.sender.clone(), self.waker.clone());
        // A slot, because a thread that cannot be spawned drops its closure and the work with it.
        let slot = Arc::new(std::sync::Mutex::new(Some(work)));
        let run = {
            let slot = slot.clone();
            move || {
                let work = slot.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
                let Some(work) = work else { return };
                let end = catch_unwind(AssertUnwindSafe(|| work(&progress))).map_err(|panic| panic_text(&*panic));
                // The session may be gone; then nobody wants the result.
                if sender.send((id, end)).is_ok()
                    && let Some(waker) = waker
                {
                    waker();
                }
            }
        };
        match self.mode {
            JobMode::Inline => run(),
            JobMode::Threads => {
                let retry = run.clone();
                if std::thread::Builder::new().name(format!("job {}", id.0)).spawn(run).is_err() {
                    retry();
                }
            }
        }
        id
    }

    /// Asks one to stop; it ends when it notices.
    pub fn cancel(&self, id: JobId) {
        if let Some(job) = self.running.iter().find(|job| job.id == id) {
            job.progress.cancel();
        }
    }

    /// Those not taken in yet, oldest first.
    pub fn running(&self) -> &[JobStatus] {
        &self.running
    }

    /// Takes in one that has ended, if one has.
    pub fn take_ended(&mut self) -> Option<EndedJob<T>> {
        let (id, end) = self.receiver.try_recv().ok()?;
        Some(self.remove(id, end))
    }

    /// Waits for the next end; `None` when nothing runs.
    pub fn wait(&mut self) -> Option<EndedJob<T>> {
        if self.running.is_empty() {
            return None;
        }
        let (id, end) = self.receiver.recv().ok()?;
        Some(self.remove(id, end))
    }

    fn remove(&mut self, id: JobId, end: Result<T, String>) -> EndedJob<T> {
        let at = self.running.iter().position(|job| job.id == id);
        let label = at.map(|at| self.running.remove(at).label).unwrap_or_default();
        EndedJob { id, label, end }
    }
}

impl<T> Drop for Jobs<T> {
    fn drop(&mut self) {
        for job in &self.running {
            job.progress.cancel();
        }
    }
}
