//! Taking an export back: the previous version of an updated file returns, a new file goes out of the way. Nothing is
//! deleted.

use std::path::{Path, PathBuf};

use super::super::WriteError;
use super::update::{BACKUP_FOLDER, Backup, OldFile, ours, rename_into_empty};
use super::{folder_of, io_error, sync_folder};

/// What became of an export that was undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undone {
    /// The previous version lies there again; the version that was undone is in `set_aside`.
    PutBack {
        /// A folder in [`BACKUP_FOLDER`].
        set_aside: PathBuf,
    },
    /// There was no previous version: the file was moved, with its sidecar and the files beside it.
    SetAside {
        /// A folder in [`BACKUP_FOLDER`].
        folder: PathBuf,
    },
}

/// Undoes what [`publish`](super::publish()) or [`update`](super::update()) did: `sha256` and `backup` are those of the
/// [`Published`](super::Published) that is undone. On any doubt everything stays, or is put back, as it was.
///
/// # Errors
/// [`WriteError::NotUndone`] when the file is no longer the one that was written, or the previous version is no longer
/// the one that was kept; [`WriteError::Io`].
pub fn undo(main: &Path, sha256: &str, backup: Option<&Path>) -> Result<Undone, WriteError> {
    let refuse = |reason: String| WriteError::NotUndone { path: main.to_owned(), reason };
    if !main.exists() {
        return Err(refuse("it is no longer there".into()));
    }
    let now = ours(main).map_err(|error| as_refusal(main, "", error))?;
    // Its sidecar may be as new as the file: another run of this program updated both.
    if now.first().is_none_or(|file| file.sha256 != sha256) {
        return Err(refuse("another export has replaced it since".into()));
    }
    let previous = match backup {
        Some(folder) => {
            let kept = folder.join(main.file_name().unwrap_or_default());
            Some((folder, ours(&kept).map_err(|error| as_refusal(main, "the previous version: ", error))?))
        }
        None => None,
    };
    let home = folder_of(main);
    let stem = main.file_stem().unwrap_or_default().to_string_lossy();
    if let Some((_, previous)) = &previous {
        // Checked before anything moves: a file that came between must not stop the way back half-way.
        let in_the_way =
            previous.iter().find(|old| home.join(&old.name).exists() && !now.iter().any(|new| new.name == old.name));
        if let Some(old) = in_the_way {
            return Err(refuse(format!("another file is called {} now", old.name)));
        }
    }
    let aside = Backup::take(home, &stem, now)?;
    let Some((folder, previous)) = previous else { return Ok(Undone::SetAside { folder: aside.folder }) };
    if let Err(error) = move_all(folder, home, &previous) {
        aside.put_back()?;
        return Err(error);
    }
    // Goes only when it is empty, which is the point.
    let _ = std::fs::remove_dir(folder);
    sync_folder(&home.join(BACKUP_FOLDER));
    Ok(Undone::PutBack { set_aside: aside.folder })
}

/// The main file last, so that nobody opens it without the others; all of them or none.
fn move_all(from: &Path, to: &Path, files: &[OldFile]) -> Result<(), WriteError> {
    for (done, file) in files.iter().rev().enumerate() {
        let target = to.join(&file.name);
        if let Err(error) = rename_into_empty(&from.join(&file.name), &target) {
            for back in files.iter().rev().take(done) {
                let there = to.join(&back.name);
                rename_into_empty(&there, &from.join(&back.name)).map_err(io_error(&there))?;
            }
            return Err(io_error(&target)(error));
        }
    }
    sync_folder(to);
    Ok(())
}

fn as_refusal(main: &Path, of: &str, error: WriteError) -> WriteError {
    match error {
        WriteError::NotOurs { reason, .. } => {
            WriteError::NotUndone { path: main.to_owned(), reason: format!("{of}{reason}") }
        }
        WriteError::Io { path, source } if source.kind() == std::io::ErrorKind::NotFound => WriteError::NotUndone {
            path: main.to_owned(),
            reason: format!("{of}{} is missing", path.file_name().unwrap_or_default().to_string_lossy()),
        },
        other => other,
    }
}
