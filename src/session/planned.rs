//! What an export would write, found out before anything is written; and what has not been exported yet.

use std::collections::HashSet;
use std::path::PathBuf;

use super::export::Bundle;
use super::{ExportRequest, Session, SessionError};
use crate::formats::publish::{SIDECAR_ENDING, can_update, free_stem};
use crate::motion::Format;
use crate::ops::ClipId;

/// A file that an export would write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedFile {
    /// The clips in it.
    pub clips: Vec<ClipId>,
    /// Where it will lie, if nobody takes the name before.
    pub path: PathBuf,
    /// Whether a file of ours is replaced, its previous version kept.
    pub update: bool,
    /// Why a file that was to be updated gets a new name instead.
    pub note: Option<String>,
}

impl Session {
    /// The files that a request would write, in the order in which they are written. Looks at the folders, writes
    /// nothing.
    ///
    /// # Errors
    /// As the export itself: nothing selected, no folder, another format than can be written.
    pub fn export_plan(&self, request: &ExportRequest) -> Result<Vec<PlannedFile>, SessionError> {
        let mut given: HashSet<String> = HashSet::new();
        let mut files = Vec::new();
        for bundle in self.bundles(request)? {
            let clips = bundle.clips.iter().map(|(entry, _, _)| entry.id).collect();
            let mut note = None;
            if let Some(path) = &bundle.update {
                match can_update(path) {
                    Ok(()) => {
                        files.push(PlannedFile { clips, path: path.clone(), update: true, note });
                        continue;
                    }
                    Err(error) => note = Some(error.to_string()),
                }
            }
            let write = |error| SessionError::Write { file: bundle.open.file.file_name(), error };
            let endings = endings(&bundle);
            let stem = free_stem(&bundle.folder, &bundle.stem, endings, &given).map_err(write)?;
            let stem = stem.unwrap_or_else(|| bundle.stem.clone());
            given.extend(endings.iter().map(|ending| format!("{stem}{ending}").to_lowercase()));
            let path = bundle.folder.join(format!("{stem}{}", endings[0]));
            files.push(PlannedFile { clips, path, update: false, note });
        }
        Ok(files)
    }

    /// The ends whose clip, as it is now, lies in no file that this session wrote; in the order of the desk.
    pub fn unexported(&self) -> Vec<ClipId> {
        let document = self.document();
        let is_new = |clip: &ClipId| {
            let now = self.plan(document, *clip).map(|plan| plan.key());
            self.exported.get(clip).is_none_or(|written| Some(written.key) != now)
        };
        document.ends().into_iter().filter(is_new).collect()
    }
}

/// Of the files that are written together; the one that opens the others first.
fn endings(bundle: &Bundle) -> &'static [&'static str] {
    match bundle.open.file.format {
        Format::Gltf => &[".gltf", ".bin", SIDECAR_ENDING],
        _ => &[".glb", SIDECAR_ENDING],
    }
}
