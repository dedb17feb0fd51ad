//! Undoing an export: the previous version of an updated file comes back, a new file goes to the backup folder, and the
//! clips count again as what they were before.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::export::Written;
use super::{NoticeKind, Outcome, Session, SessionError};
use crate::formats::WriteError;
use crate::formats::publish::{Undone, undo};
use crate::ops::ClipId;

/// An export of this run of the program.
pub(super) struct Export {
    pub path: PathBuf,
    /// Of the file as it was written.
    pub sha256: String,
    /// Where the previous version lies, if it was an update.
    pub backup: Option<PathBuf>,
    /// The clips, and what was known of each before.
    pub before: Vec<(ClipId, Option<Written>)>,
}

/// What came of undoing one.
pub(super) struct UndoneExport {
    path: PathBuf,
    sha256: String,
    result: Result<Undone, WriteError>,
}

impl Session {
    /// Whether [`super::Action::UndoExport`] of a file may work: it was written by this run of the program.
    pub fn can_undo_export(&self, path: &Path) -> bool {
        self.exports.iter().any(|export| export.path == path)
    }

    pub(super) fn start_undo_export(&mut self, path: &Path) -> Result<(), SessionError> {
        let export = self.exports.iter().rev().find(|export| export.path == path);
        let Some(Export { path, sha256, backup, .. }) = export else {
            return Err(SessionError::NoExport(path.to_owned()));
        };
        let (path, sha256, backup) = (path.clone(), sha256.clone(), backup.clone());
        let label = format!("Undoing the export of {}", path.file_name().unwrap_or_default().to_string_lossy());
        self.jobs.start(label, move |_| {
            let result = undo(&path, &sha256, backup.as_deref());
            Outcome::UndoneExport(UndoneExport { path, sha256, result })
        });
        Ok(())
    }

    pub(super) fn finish_undo_export(&mut self, undone: UndoneExport) -> Result<(), SessionError> {
        let UndoneExport { path, sha256, result } = undone;
        let undone = result.map_err(SessionError::UndoExport)?;
        let is_it = |export: &Export| export.path == path && export.sha256 == sha256;
        let export = self.exports.iter().rposition(is_it).map(|at| self.exports.remove(at));
        let show = export.as_ref().and_then(|export| export.before.first()).map(|(clip, _)| *clip);
        for (clip, before) in export.into_iter().flat_map(|export| export.before) {
            // A clip that was written elsewhere since is there still.
            if self.exported_to(clip) == Some(&*path) {
                let exported = Arc::make_mut(&mut self.exported);
                match before {
                    Some(written) => exported.insert(clip, written),
                    None => exported.remove(&clip),
                };
            }
        }
        let text = match undone {
            Undone::PutBack { .. } => format!("The previous version is back: {}", path.display()),
            Undone::SetAside { folder } => format!("Took back {}; it lies in {}", path.display(), folder.display()),
        };
        self.notice(NoticeKind::Done, text, show);
        Ok(())
    }
}
