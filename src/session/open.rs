//! Opening files: read side by side on a job, put on the desk together.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use super::action::PlannedChange;
use super::plan::detect;
use super::{NoticeKind, Outcome, Session, SessionError, error_text};
use crate::edit::{Edit, EditError, NewFile, OpenFile, SkeletonKey};
use crate::formats::{self, ReadError, ReadOptions};
use crate::motion::{Clip, Cycle, FileId, Format, RoleOverrides, SourceFile};
use crate::ops::ClipId;
use crate::ops::cycle::guess_cycle;

/// What came of some paths.
pub(super) struct Opened {
    /// `None` when it was cancelled.
    files: Option<Vec<Result<OpenFile, ReadError>>>,
    /// The file that was read again with other options: it goes, unless something was made of it.
    again: Option<FileId>,
}

impl Opened {
    /// A file that was made in memory.
    pub fn generated(file: SourceFile) -> Self {
        Self { files: Some(vec![Ok(on_desk(file))]), again: None }
    }
}

/// What is found out about a file once, off the session's thread: the key of its skeleton, and which takes are loops
/// where the file does not say.
fn on_desk(mut file: SourceFile) -> OpenFile {
    let skeleton = SkeletonKey::of(&file.skeleton);
    let rig = detect(&file, &RoleOverrides::default());
    for clip in &mut file.clips {
        let cycle = if clip.cycle == Cycle::None { guess_cycle(clip, &rig) } else { clip.cycle };
        if cycle != clip.cycle {
            *clip = Arc::new(Clip { cycle, ..Clip::clone(clip) });
        }
    }
    OpenFile { file: Arc::new(file), skeleton }
}

impl Session {
    /// Reads a file that is open once more, in another size. The file as it is goes off the desk in the same
    /// transaction, unless something was made of it.
    pub(super) fn read_again(&mut self, file: FileId, metres_per_unit: f64) -> Result<(), SessionError> {
        let open = self.document().file(file).ok_or(EditError::FileGone(file))?;
        let path = open.file.path.clone();
        let options = ReadOptions { metres_per_unit: Some(metres_per_unit), ..self.read_options.clone() };
        self.start_reading(vec![path], options, Some(file));
        Ok(())
    }

    pub(super) fn start_open(&mut self, paths: Vec<PathBuf>) {
        self.start_reading(paths, self.read_options.clone(), None);
    }

    fn start_reading(&mut self, paths: Vec<PathBuf>, options: ReadOptions, again: Option<FileId>) {
        if paths.is_empty() {
            return;
        }
        let label = match paths.as_slice() {
            [path] => format!("Opening {}", name_of(path)),
            paths => format!("Opening {} files", paths.len()),
        };
        let numbered: Vec<(FileId, PathBuf)> = paths.into_iter().map(|path| (self.ids.file(), path)).collect();
        self.jobs.start(label, move |progress| {
            let done = std::sync::atomic::AtomicUsize::new(0);
            let read = |(id, path): &(FileId, PathBuf)| {
                progress.check().ok()?;
                let file = formats::open(*id, path, &options).map(on_desk);
                let so_far = 1 + done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                progress.set(so_far as f64 / numbered.len() as f64);
                Some(file)
            };
            let files: Option<Vec<_>> = numbered.par_iter().map(read).collect();
            Outcome::Opened(Opened { files: files.filter(|_| progress.check().is_ok()), again })
        });
    }

    /// Puts what could be read on the desk, marks the first moving take, and says what could not be read.
    pub(super) fn finish_open(&mut self, Opened { files, again }: Opened) -> Result<(), SessionError> {
        let Some(files) = files else { return Err(SessionError::Cancelled("opening".into())) };
        let mut new = Vec::new();
        let mut marked: Vec<ClipId> = Vec::new();
        let mut failed = None;
        for file in files {
            match file {
                Ok(open) => match self.same_file(&open.file).filter(|_| again.is_none()) {
                    Some(known) => {
                        let text = format!("{} is open already, and has not changed", open.file.file_name());
                        marked.extend(self.first_take(known));
                        self.notice(NoticeKind::Done, text, marked.first().copied());
                    }
                    None => {
                        let takes = open.file.clips.iter().map(|_| self.ids.clip()).collect();
                        new.push(NewFile { open, takes });
                    }
                },
                Err(error) if failed.is_none() => failed = Some(error),
                Err(error) => self.notice(NoticeKind::Error, error_text(&error), None),
            }
        }
        if let Some(error) = failed {
            if new.is_empty() && marked.is_empty() {
                return Err(error.into());
            }
            self.notice(NoticeKind::Error, error_text(&error), None);
        }
        if new.is_empty() {
            return if marked.is_empty() { Ok(()) } else { self.select(marked) };
        }
        let ids: Vec<FileId> = new.iter().map(|file| file.open.file.id).collect();
        let edit = Edit::Open { files: new };
        let mut planned = PlannedChange { label: edit.label(), edits: vec![edit], marks: Vec::new() };
        if let Some(old) = again {
            planned.label = "Read in another size".into();
            if self.document().file(old).is_some() && !self.is_used(old) {
                planned.edits.insert(0, Edit::Close { file: old });
            }
        }
        // The names and which takes move are known once the edit has been applied.
        let document = planned.apply(self.document())?;
        let rows = document.listing();
        let of = |id: FileId| rows.iter().find(|&&row| document.take_of(row).is_some_and(|(o, _)| o.file.id == id));
        planned.marks = ids.into_iter().find_map(of).copied().into_iter().collect();
        self.commit(&planned)
    }

    /// An open file with the same path and the same bytes. Files made in memory have neither.
    fn same_file(&self, file: &SourceFile) -> Option<FileId> {
        if file.format == Format::Generated {
            return None;
        }
        let same = |open: &&OpenFile| {
            open.file.path == file.path && open.file.bytes == file.bytes && open.file.side_files == file.side_files
        };
        self.document().files().iter().find(same).map(|open| open.file.id)
    }

    /// Whether something was made of a file.
    fn is_used(&self, file: FileId) -> bool {
        let document = self.document();
        let mut outputs = document.clips().filter(|clip| clip.output().is_some());
        outputs.any(|clip| document.take_of(clip.id).is_some_and(|(open, _)| open.file.id == file))
    }

    fn first_take(&self, file: FileId) -> Option<ClipId> {
        let document = self.document();
        document.takes(file).max_by_key(|&(id, moving)| (moving, std::cmp::Reverse(id))).map(|(id, _)| id)
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
