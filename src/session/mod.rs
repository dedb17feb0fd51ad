//! The application without a window: one [`Session`] owns the state, and [`Session::handle`] is the only place that
//! changes it.
//!
//! The window, the command line and the tests are thin callers: they read the session, push [`Action`]s and look
//! again. Long work runs as jobs over a document that never changes; a finished job comes back as an edit for today's
//! document, refused only when its clip is gone.

pub mod action;
mod apply;
pub mod command_line;
pub mod derived;
mod error;
mod export;
pub mod jobs;
mod open;
pub mod plan;
pub mod planned;
pub mod playback;
mod preview;
pub mod record;
pub mod results;
pub mod shown;
pub mod view;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::edit::{Document, EditError, History, Ids, Selection};
use crate::formats::ReadOptions;
use crate::motion::{FileId, SourceFile, TimeRange};
use crate::ops::{ClipId, Evaluation, OpError};

pub use action::{Action, Change, ExportRequest};
pub use derived::{Derived, Series, Trail};
pub use error::{Notice, NoticeKind, SessionError, error_text};
pub use jobs::{JobId, JobMode, JobStatus};
pub use planned::PlannedFile;
pub use playback::{Playback, Transport};
pub use results::Results;
pub use shown::Shown;
pub use view::{Ghost, TravelView, View};

use action::PlannedChange;
use derived::{Deriving, Looked};
use jobs::{EndedJob, Jobs, Waker};
use plan::{Plan, Rigs};
use preview::Preview;
use results::ResultKey;
use shown::ReadyClip;

/// What a job returns.
enum Outcome {
    Opened(open::Opened),
    Applied(apply::Applied),
    Exported(Vec<export::Exported>),
    /// Results are in the store; there is nothing to change.
    Computed,
    /// What plots and checks read of a result, unless it was cancelled.
    Looked(Result<Looked, OpError>),
}

/// The state of the application.
pub struct Session {
    history: History,
    ids: Ids,
    rigs: Arc<Rigs>,
    results: Arc<Results>,
    jobs: Jobs<Outcome>,
    preview: Option<Preview>,
    /// Jobs that compute what is shown, by what they compute.
    computing: HashMap<ResultKey, JobId>,
    /// The latest results of what is shown.
    ready: HashMap<ClipId, ReadyClip>,
    /// What was measured of the results.
    deriving: Deriving,
    /// Where clips were written to.
    exported: BTreeMap<ClipId, export::Written>,
    notices: Vec<Notice>,
    playback: Playback,
    view: View,
    /// How files are read.
    pub read_options: ReadOptions,
}

impl Default for Session {
    fn default() -> Self {
        Self::new(JobMode::Inline)
    }
}

impl Session {
    /// An empty desk.
    pub fn new(mode: JobMode) -> Self {
        Self::with_results(mode, Results::default())
    }

    /// An empty desk with a store of another size.
    pub fn with_results(mode: JobMode, results: Results) -> Self {
        Self {
            history: History::default(),
            ids: Ids::default(),
            rigs: Arc::default(),
            results: Arc::new(results),
            jobs: Jobs::new(mode),
            preview: None,
            computing: HashMap::new(),
            ready: HashMap::new(),
            deriving: Deriving::default(),
            exported: BTreeMap::new(),
            notices: Vec::new(),
            playback: Playback::default(),
            view: View::default(),
            read_options: ReadOptions::default(),
        }
    }

    /// Who is to be told when a job on a thread ends: then call [`Self::poll`].
    pub fn set_waker(&mut self, waker: Waker) {
        self.jobs.set_waker(waker);
    }

    /// The committed document.
    pub fn document(&self) -> &Arc<Document> {
        self.history.document()
    }

    /// The document as shown: with the preview, when there is one.
    pub fn shown_document(&self) -> &Arc<Document> {
        self.preview.as_ref().map_or_else(|| self.history.document(), |preview| &preview.document)
    }

    /// The marked rows.
    pub fn selection(&self) -> &Selection {
        self.history.selection()
    }

    /// For the history panel.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Notes that the desk as it stands is on disk.
    pub fn set_saved(&mut self) {
        self.history.set_saved();
    }

    /// The change that is being previewed.
    pub fn previewed(&self) -> Option<&Change> {
        self.preview.as_ref().map(|preview| &preview.change)
    }

    /// The playhead.
    pub fn playback(&self) -> &Playback {
        &self.playback
    }

    /// What of a clip is shown, and how.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// The row that the 3D view, the plots and the playhead are about: the first that is shown.
    pub fn clip_in_view(&self) -> Option<ClipId> {
        self.shown_clips().first().copied()
    }

    /// Its clip, as far as it is known: the latest result while a newer one is on its way.
    pub fn evaluation_in_view(&self) -> Option<Arc<Evaluation>> {
        match self.shown(self.clip_in_view()?) {
            Shown::Ready(evaluation) | Shown::Computing(Some(evaluation)) => Some(evaluation),
            Shown::Computing(None) | Shown::Absent => None,
        }
    }

    /// Moves the playhead on by some seconds of the person's time; whether it moves at all.
    pub fn tick(&mut self, real_secs: f64) -> bool {
        let Some(evaluation) = self.evaluation_in_view() else { return false };
        self.playback.advance(real_secs, evaluation.clip.range);
        self.playback.playing
    }

    fn transport(&mut self, what: Transport) {
        let evaluation = self.evaluation_in_view();
        let (range, frame_secs) = match &evaluation {
            Some(shown) => (shown.clip.range, shown.clip.rate.frame_secs()),
            None => (TimeRange { start_secs: 0.0, end_secs: 0.0 }, 1.0 / 30.0),
        };
        self.playback.transport(what, range, frame_secs);
    }

    /// Jobs under way, oldest first.
    pub fn jobs(&self) -> &[JobStatus] {
        self.jobs.running()
    }

    /// The computed steps.
    pub fn results(&self) -> &Results {
        &self.results
    }

    /// Lines for the person since the last call.
    pub fn take_notices(&mut self) -> Vec<Notice> {
        std::mem::take(&mut self.notices)
    }

    /// Puts a file on the desk that was made in memory, such as the demo character. `make` gets its number.
    ///
    /// # Errors
    /// As for [`Action::Open`].
    pub fn open_generated(&mut self, make: impl FnOnce(FileId) -> SourceFile) -> Result<(), SessionError> {
        let file = make(self.ids.file());
        let opened = open::Opened::generated(file);
        let done = self.finish_open(opened);
        self.refresh_shown();
        done
    }

    /// Carries out an action. With [`JobMode::Inline`] it is done when this returns; with threads, long work has
    /// begun, and its refusal becomes a notice.
    ///
    /// # Errors
    /// The action did nothing, and why. What else is to be said of an action that did something is a [`Notice`].
    pub fn handle(&mut self, action: Action) -> Result<(), SessionError> {
        let done = match action {
            Action::Open(paths) => {
                self.start_open(paths);
                Ok(())
            }
            Action::ReadAgain { file, metres_per_unit } => self.read_again(file, metres_per_unit),
            Action::Change(change) => {
                self.cancel_preview();
                self.change(&change)
            }
            Action::Preview(change) => self.start_preview(change),
            Action::Commit => self.commit_preview(),
            Action::Cancel => {
                self.cancel_preview();
                Ok(())
            }
            Action::Undo => {
                self.cancel_preview();
                self.history.undo().map(drop).ok_or(SessionError::NoHistory("undo"))
            }
            Action::Redo => {
                self.cancel_preview();
                self.history.redo().map(drop).ok_or(SessionError::NoHistory("redo"))
            }
            Action::JumpTo(index) => {
                self.cancel_preview();
                self.history.jump_to(index).then_some(()).ok_or(SessionError::NoHistory("go to there"))
            }
            Action::Select(clips) => self.select(clips),
            Action::Transport(what) => {
                self.transport(what);
                Ok(())
            }
            Action::View(view) => {
                self.view = view;
                Ok(())
            }
            Action::Export(request) => self.start_export(&request),
            Action::CancelJob(id) => {
                self.jobs.cancel(id);
                Ok(())
            }
        };
        let ended = if self.jobs.mode() == JobMode::Inline { self.take_ended() } else { Ok(()) };
        self.refresh_shown();
        done.and(ended)
    }

    /// Takes in the jobs that have ended; whether there were any. The window calls it once per frame.
    pub fn poll(&mut self) -> bool {
        let mut any = false;
        while let Some(job) = self.jobs.take_ended() {
            any = true;
            self.finish_or_notice(job);
        }
        if any {
            self.refresh_shown();
        }
        any
    }

    /// Waits until no job runs, taking each in as it ends.
    pub fn wait(&mut self) {
        while let Some(job) = self.jobs.wait() {
            self.finish_or_notice(job);
            self.refresh_shown();
        }
    }

    fn take_ended(&mut self) -> Result<(), SessionError> {
        let mut first = Ok(());
        while let Some(job) = self.jobs.take_ended() {
            first = first.and(self.finish(job));
        }
        first
    }

    fn finish_or_notice(&mut self, job: EndedJob<Outcome>) {
        if let Err(error) = self.finish(job) {
            let asked_for = matches!(error, SessionError::Cancelled(_));
            let kind = if asked_for { NoticeKind::Done } else { NoticeKind::Error };
            self.notice(kind, error_text(&error), None);
        }
    }

    /// The only way by which a job's result reaches the document.
    fn finish(&mut self, job: EndedJob<Outcome>) -> Result<(), SessionError> {
        self.computing.retain(|_, id| *id != job.id);
        self.deriving.ended(job.id, job.end.is_err());
        match job.end {
            Ok(Outcome::Opened(opened)) => self.finish_open(opened),
            Ok(Outcome::Applied(applied)) => self.finish_apply(applied),
            Ok(Outcome::Exported(exported)) => self.finish_export(exported),
            Ok(Outcome::Computed) => Ok(()),
            Ok(Outcome::Looked(looked)) => {
                self.deriving.take_in(looked);
                Ok(())
            }
            Err(reason) => Err(SessionError::Panicked { job: job.label, reason }),
        }
    }

    fn select(&mut self, clips: Vec<ClipId>) -> Result<(), SessionError> {
        // A row that only a preview has cannot be marked: the mark would outlive it.
        if let Some(&gone) = clips.iter().find(|&&clip| self.document().clip(clip).is_none()) {
            return Err(EditError::ClipGone(gone).into());
        }
        self.history.select(Selection { clips });
        Ok(())
    }

    /// Makes a planned change one transaction. One that changes nothing makes none, and is no error.
    fn commit(&mut self, planned: &PlannedChange) -> Result<(), SessionError> {
        let document = planned.apply(self.history.document())?;
        let marks = if planned.marks.is_empty() { &self.history.selection().clips } else { &planned.marks };
        let clips = marks.iter().copied().filter(|&clip| document.clip(clip).is_some()).collect();
        self.history.commit(planned.label.clone(), document, Selection { clips });
        self.rebase_preview();
        Ok(())
    }

    fn plan(&self, document: &Document, clip: ClipId) -> Option<Plan> {
        Plan::new(document, clip, &self.rigs, &self.results)
    }

    fn notice(&mut self, kind: NoticeKind, text: impl Into<String>, clip: Option<ClipId>) {
        self.notices.push(Notice { kind, text: text.into(), clip });
    }
}
