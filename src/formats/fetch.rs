//! How a reader gets the other files its file names (`.bin`, textures): never by scheme, absolute path, or a path
//! that leaves the folder.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::limits::Limits;

/// Gives the bytes of a side file, or says why not.
pub trait Fetch {
    /// `name` as the file spells it, already percent-decoded.
    ///
    /// # Errors
    /// A sentence for the user.
    fn fetch(&self, name: &str) -> Result<Arc<[u8]>, String>;
}

/// No side files at all.
pub struct NoFetch;

impl Fetch for NoFetch {
    fn fetch(&self, name: &str) -> Result<Arc<[u8]>, String> {
        Err(format!("the file beside it, \"{name}\", is not at hand"))
    }
}

/// Side files from one folder.
pub struct FolderFetch {
    folder: PathBuf,
    limits: Limits,
}

impl FolderFetch {
    /// Files in `folder` and below.
    pub fn new(folder: &Path, limits: Limits) -> Self {
        // The parent of a bare file name is empty, and means the current folder.
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        Self { folder: folder.to_owned(), limits }
    }
}

impl Fetch for FolderFetch {
    fn fetch(&self, name: &str) -> Result<Arc<[u8]>, String> {
        let relative = Path::new(name);
        let plain = relative.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        if !plain || name.contains("://") || name.contains('\\') || name.contains(':') {
            return Err(format!("\"{name}\" is not a file in the same folder, and no other is read"));
        }
        let path = self.folder.join(relative);
        let say = |e: std::io::Error| format!("cannot read \"{name}\" beside it: {e}");
        // A link inside the folder may still lead out of it.
        let real = path.canonicalize().map_err(say)?;
        if !real.starts_with(self.folder.canonicalize().map_err(say)?) {
            return Err(format!("\"{name}\" leads out of the file's folder, and no other is read"));
        }
        let size = std::fs::metadata(&real).map_err(say)?.len();
        if size > self.limits.side_bytes {
            return Err(format!("\"{name}\" has {size} bytes; the limit is {}", self.limits.side_bytes));
        }
        std::fs::read(&real).map(Arc::from).map_err(say)
    }
}
