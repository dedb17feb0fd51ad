//! Export: clips of one source into one new file, written by `formats`, which proves and publishes it.
//!
//! A job computes what is missing, builds the [`Export`] and hands it on; what comes back are the files that lie on
//! disk and what is to be said of them. No document changes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use super::plan::Plan;
use super::record::{is_untouched, record};
use super::results::ResultKey;
use super::{ExportRequest, NoticeKind, Outcome, Session, SessionError, error_text};
use crate::edit::{ClipEntry, EditError, OpenFile};
use crate::formats::deliver::{Delivered, Target, export_gltf};
use crate::formats::{Export, ExportClip, WriteError};
use crate::motion::{FileId, Format};
use crate::ops::naming::suffix_chain;
use crate::ops::{ClipId, OpError, Progress};

/// Clips that go into one file.
pub(super) struct Bundle {
    pub open: OpenFile,
    pub clips: Vec<(Arc<ClipEntry>, usize, Plan)>,
    pub folder: PathBuf,
    pub stem: String,
    /// The file to replace, if one is.
    pub update: Option<PathBuf>,
    alone: bool,
}

/// Where a clip was written to, and what it was then.
pub(super) struct Written {
    pub path: PathBuf,
    pub key: ResultKey,
}

/// What came of one bundle.
pub(super) struct Exported {
    clips: Vec<(ClipId, ResultKey)>,
    result: Result<Delivered, SessionError>,
}

impl Session {
    /// Where a clip was last written to in this session.
    pub fn exported_to(&self, clip: ClipId) -> Option<&Path> {
        self.exported.get(&clip).map(|written| written.path.as_path())
    }

    pub(super) fn start_export(&mut self, request: &ExportRequest) -> Result<(), SessionError> {
        let bundles = self.bundles(request)?;
        let label = match request.clips.len() {
            1 => format!("Exporting {}", bundles.first().map_or("", |bundle| bundle.stem.as_str())),
            n => format!("Exporting {n} clips"),
        };
        self.jobs.start(label, move |progress| {
            let count = bundles.len() as f64;
            let one = |(nth, bundle): (usize, Bundle)| {
                let done = bundle.write(progress);
                progress.set((nth + 1) as f64 / count);
                done
            };
            // One file after the other: which number a name gets must not depend on which thread was faster.
            Outcome::Exported(bundles.into_iter().enumerate().map(one).collect())
        });
        Ok(())
    }

    /// The clips by source, each with what it takes to write it.
    pub(super) fn bundles(&self, request: &ExportRequest) -> Result<Vec<Bundle>, SessionError> {
        if request.clips.is_empty() {
            return Err(SessionError::NothingSelected);
        }
        let document = self.document();
        let mut by_file: BTreeMap<FileId, Bundle> = BTreeMap::new();
        for &id in &request.clips {
            let gone = EditError::ClipGone(id);
            let entry = document.clip(id).ok_or(gone.clone())?;
            let (open, take) = document.take_of(id).ok_or(gone.clone())?;
            let plan = self.plan(document, id).ok_or(gone)?;
            let bundle = match by_file.entry(open.file.id) {
                std::collections::btree_map::Entry::Occupied(there) => there.into_mut(),
                std::collections::btree_map::Entry::Vacant(free) => free.insert(Bundle {
                    folder: folder_for(open, request)?,
                    open: open.clone(),
                    clips: Vec::new(),
                    stem: String::new(),
                    update: None,
                    alone: request.alone,
                }),
            };
            bundle.clips.push((entry.clone(), take, plan));
        }
        let mut bundles: Vec<Bundle> = by_file.into_values().collect();
        for bundle in &mut bundles {
            refuse_format(bundle.open.file.format, request.format).map_err(|error| bundle.failed(error))?;
            bundle.stem = bundle.stem();
            if request.update {
                bundle.update = self.file_to_update(bundle);
            }
        }
        Ok(bundles)
    }

    /// Where all the bundle's clips were written before, else the file that has the name; else there is nothing to
    /// update and a new file is written.
    fn file_to_update(&self, bundle: &Bundle) -> Option<PathBuf> {
        let mut before = bundle.clips.iter().map(|(entry, _, _)| self.exported_to(entry.id));
        let first = before.next().flatten();
        match first {
            Some(path) if before.all(|other| other == Some(path)) => Some(path.to_owned()),
            _ => {
                let ending = if bundle.open.file.format == Format::Gltf { "gltf" } else { "glb" };
                let path = bundle.folder.join(format!("{}.{ending}", bundle.stem));
                path.exists().then_some(path)
            }
        }
    }

    pub(super) fn finish_export(&mut self, exported: Vec<Exported>) -> Result<(), SessionError> {
        let mut failed = None;
        let mut written = 0;
        for Exported { clips, result } in exported {
            let show = clips.first().map(|(clip, _)| *clip);
            match result {
                Ok(delivered) => {
                    written += 1;
                    let path = delivered.published.main;
                    for warning in delivered.warnings {
                        self.notice(NoticeKind::Warning, format!("{warning}: {}", path.display()), show);
                    }
                    let verb = if delivered.published.backup.is_some() { "Updated" } else { "Exported" };
                    self.notice(NoticeKind::Done, format!("{verb} {}", path.display()), show);
                    let written = |(clip, key)| (clip, Written { path: path.clone(), key });
                    self.exported.extend(clips.into_iter().map(written));
                }
                Err(cancelled @ SessionError::Cancelled(_)) => failed = failed.or(Some(cancelled)),
                Err(error) if failed.is_none() => failed = Some(error),
                Err(error) => self.notice(NoticeKind::Error, error_text(&error), show),
            }
        }
        match failed {
            Some(error) if written == 0 => Err(error),
            Some(error) => {
                self.notice(NoticeKind::Error, error_text(&error), None);
                Ok(())
            }
            None => Ok(()),
        }
    }
}

impl Bundle {
    /// A clip alone gives the file its name; several share the source's stem and what was done to all of them.
    fn stem(&self) -> String {
        if let [(entry, _, _)] = self.clips.as_slice() {
            return entry.name.clone();
        }
        let mut chains = self.clips.iter().map(|(entry, _, _)| {
            suffix_chain(entry.steps().iter().filter(|step| step.on).filter_map(|step| step.op.suffix()))
        });
        let first = chains.next().unwrap_or_default();
        let shared = if chains.all(|chain| chain == first) { first.as_str() } else { "" };
        crate::ops::naming::compose(&self.open.file.stem(), shared)
    }

    fn failed(&self, error: WriteError) -> SessionError {
        SessionError::Write { file: self.open.file.file_name(), error }
    }

    fn write(self, progress: &Progress) -> Exported {
        let clips = self.clips.iter().map(|(entry, _, plan)| (entry.id, plan.key())).collect();
        Exported { clips, result: self.try_write(progress) }
    }

    fn try_write(&self, progress: &Progress) -> Result<Delivered, SessionError> {
        let file = &*self.open.file;
        let compute = |(entry, take, plan): &(Arc<ClipEntry>, usize, Plan)| {
            let part = progress.part();
            let result = plan.run(&part);
            match &result.refused {
                Some(refusal) if refusal.error == OpError::Cancelled => {
                    return Err(SessionError::Cancelled("export".into()));
                }
                Some(refusal) => {
                    return Err(SessionError::Op {
                        step: plan.step_label(refusal.step),
                        clip: entry.name.clone(),
                        error: refusal.error.clone(),
                    });
                }
                None => {}
            }
            // A take that nothing was done to is in the copy of its file already, where a copy is what is written.
            let is_copy = !self.alone && matches!(file.format, Format::Glb | Format::Gltf);
            if is_copy && is_untouched(&result.clip, file, *take) {
                return Ok(None);
            }
            let record = record(file, *take, entry.steps(), &result);
            let (clip, patch) = (result.clip, result.patch);
            Ok(Some(ExportClip { name: entry.name.clone(), clip, patch, record }))
        };
        let computed: Result<Vec<Option<ExportClip>>, SessionError> = self.clips.par_iter().map(compute).collect();
        let clips: Vec<ExportClip> = computed?.into_iter().flatten().collect();
        progress.check().map_err(|_| SessionError::Cancelled("export".into()))?;
        let target = match &self.update {
            Some(path) => Target::Update(path),
            None => Target::New { folder: &self.folder, stem: &self.stem },
        };
        let export = Export { source: file, clips: &clips, alone: self.alone };
        export_gltf(&export, target).map_err(|error| self.failed(error))
    }
}

fn folder_for(open: &OpenFile, request: &ExportRequest) -> Result<PathBuf, SessionError> {
    match (&request.folder, open.file.format) {
        (Some(folder), _) => Ok(folder.clone()),
        (None, Format::Generated) => Err(SessionError::NoFolder(open.file.file_name())),
        (None, _) => Ok(match open.file.path.parent() {
            Some(folder) if folder.as_os_str().is_empty() => PathBuf::from("."),
            Some(folder) => folder.to_owned(),
            None => PathBuf::from("."),
        }),
    }
}

/// Each source is written in the one format that keeps most of it: a glTF is patched, everything else becomes a GLB.
fn refuse_format(source: Format, wanted: Option<Format>) -> Result<(), WriteError> {
    let written = if source == Format::Gltf { Format::Gltf } else { Format::Glb };
    match wanted {
        None => Ok(()),
        Some(wanted) if wanted == written => Ok(()),
        Some(wanted) => Err(WriteError::Unsupported {
            what: format!("{wanted:?} from a {source:?} source"),
            reason: format!("leave the format open, or ask for {written:?}"),
        }),
    }
}
