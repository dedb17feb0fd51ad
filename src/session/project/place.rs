//! Where things lie as seen from a project, and writing a text so that a crash leaves the old one or the new one.

use std::io::Write as _;
use std::path::{Component, Path, PathBuf};

use super::ProjectError;

/// The folder of a file, absolute.
pub(super) fn folder_of(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    absolute(folder)
}

pub(super) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// A path as seen from `folder`, with `/` on every system; whole when both have no folder in common.
pub(super) fn written_path(path: &Path, folder: &Path) -> String {
    let (path, folder) = (absolute(path), absolute(folder));
    let (ours, theirs): (Vec<_>, Vec<_>) = (path.components().collect(), folder.components().collect());
    let shared = ours.iter().zip(&theirs).take_while(|(a, b)| a == b).count();
    let named = |part: &Component<'_>| matches!(part, Component::Normal(_));
    if !ours.iter().take(shared).any(named) {
        let whole = path.to_string_lossy();
        return if cfg!(windows) { whole.replace('\\', "/") } else { whole.into_owned() };
    }
    let up = std::iter::repeat_n("..".to_owned(), theirs.len() - shared);
    let down = ours[shared..].iter().map(|part| part.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}

/// Where a written path leads, without the `..` that stand between names.
pub(super) fn read_path(written: &str, folder: &Path) -> PathBuf {
    let mut path = PathBuf::new();
    for part in folder.join(written).components() {
        match part {
            // Above a link it would lead elsewhere; there the system finds its own way.
            Component::ParentDir if !path.is_symlink() && path.file_name().is_some() => {
                path.pop();
            }
            part => path.push(part),
        }
    }
    path
}

/// Written beside, synced and moved over. Where a link is, the file it leads to is written.
pub(in crate::session) fn write_atomically(path: &Path, text: &str) -> Result<(), ProjectError> {
    let io = |source| ProjectError::Io { verb: "write", path: path.to_owned(), source };
    let target = if path.is_symlink() { path.canonicalize().map_err(io)? } else { path.to_owned() };
    let folder = folder_of(&target);
    let mut builder = tempfile::Builder::new();
    builder.prefix(".stridesmith-").suffix(".tmp");
    // A temporary file is for its owner alone; a saved one is as any other that a program makes.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(&folder).map_err(io)?;
    file.write_all(text.as_bytes()).map_err(io)?;
    file.as_file().sync_all().map_err(io)?;
    file.persist(&target).map_err(|error| io(error.error))?;
    // Only so that the name outlives a power cut; systems that cannot sync a folder keep it in their own time.
    if let Ok(folder) = std::fs::File::open(&folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}
