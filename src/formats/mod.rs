//! Bytes to a [`SourceFile`] and back; no window.
//!
//! Readers convert into the one convention inside, keep the bytes and mark every track with its origin; writers patch
//! the source's bytes, copy what has an origin in them, encode the rest, prove the result by reading it back and
//! publish it under a free name. Bad input is an error that names the file, the place in it and the way out; it never
//! panics, loops for ever or allocates by an unchecked count.

pub mod axes;
pub mod bvh;
pub mod deliver;
pub mod dump;
pub mod fbx;
pub mod fetch;
pub mod glb_author;
pub mod gltf_read;
pub mod gltf_write;
pub mod limits;
pub mod proof;
pub mod publish;
pub mod sidecar;
mod stretch;
pub mod unite;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::motion::{Clip, FileId, SourceFile};
use crate::ops::SkeletonPatch;

pub use fetch::{Fetch, FolderFetch, NoFetch};
pub use limits::Limits;

/// What a person may tell a reader that the file does not say.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// Metres per unit for formats that do not name their unit (BVH); `None`: guess from the skeleton's height.
    pub metres_per_unit: Option<f64>,
    /// BVH: add position channels to OFFSET instead of replacing it.
    pub add_positions_to_offset: bool,
    /// Bounds on what a file may ask for.
    pub limits: Limits,
}

/// Why a file was refused.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The disk said no.
    #[error("cannot read {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// Not a format that is read here.
    #[error("{reason}: {file} (FBX, glTF, GLB and BVH files can be opened)")]
    UnknownFormat {
        /// The file.
        file: String,
        /// What was seen instead.
        reason: String,
    },
    /// The file breaks the rules of its format.
    #[error("{reason} at {place} in {file}{}{advice}", if advice.is_empty() { "" } else { ": " })]
    Malformed {
        /// The file.
        file: String,
        /// Byte, line or JSON path.
        place: String,
        /// What is wrong.
        reason: String,
        /// What to do, when known.
        advice: String,
    },
    /// The file asks for more than is allowed.
    #[error("{what} ({asked}; the limit is {limit}) in {file}")]
    TooLarge {
        /// The file.
        file: String,
        /// Such as "too many bones".
        what: String,
        /// What the file asks for.
        asked: u64,
        /// What is allowed.
        limit: u64,
    },
}

/// Reads a file whole, closes it and opens it as what its contents say it is.
///
/// # Errors
/// See [`ReadError`].
pub fn open(id: FileId, path: &Path, options: &ReadOptions) -> Result<SourceFile, ReadError> {
    let io = |source| ReadError::Io { path: path.to_owned(), source };
    let meta = std::fs::metadata(path).map_err(io)?;
    if meta.len() > options.limits.file_bytes {
        return Err(ReadError::TooLarge {
            file: path.display().to_string(),
            what: "the file is too large, bytes".into(),
            asked: meta.len(),
            limit: options.limits.file_bytes,
        });
    }
    let bytes: Arc<[u8]> = std::fs::read(path).map_err(io)?.into();
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = read(id, path, bytes, &FolderFetch::new(folder, options.limits.clone()), options)?;
    file.modified = meta.modified().ok();
    Ok(file)
}

/// Opens bytes that are already in memory; `path` only names them.
///
/// # Errors
/// See [`ReadError`].
pub fn read(
    id: FileId,
    path: &Path,
    bytes: Arc<[u8]>,
    fetch: &dyn Fetch,
    options: &ReadOptions,
) -> Result<SourceFile, ReadError> {
    let head = &bytes[..bytes.len().min(4096)];
    let text = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
    let extension = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    let is_bvh = text.len() >= 9 && text[..9].eq_ignore_ascii_case(b"HIERARCHY");
    let mut file = if head.starts_with(b"glTF") || text.starts_with(b"{") {
        gltf_read::read(id, path, bytes, fetch, options)?
    } else if is_bvh || extension == "bvh" {
        bvh::read(id, path, bytes, options)?
    } else if head.starts_with(b"Kaydara FBX Binary") || extension == "fbx" || text.starts_with(b"; FBX") {
        fbx::read(id, path, bytes, options)?
    } else {
        let reason = match (bytes.is_empty(), extension.as_str()) {
            (true, _) => "the file is empty".to_owned(),
            (false, "") => "the file is of no kind that is known here".to_owned(),
            (false, other) => format!("the contents are of no kind that is known here (named .{other})"),
        };
        return Err(ReadError::UnknownFormat { file: path.display().to_string(), reason });
    };
    stretch::warn(&mut file);
    Ok(file)
}

/// One clip of an export.
#[derive(Clone, Debug)]
pub struct ExportClip {
    /// Name in the file, unique among `Export::clips`.
    pub name: String,
    /// What is written; its skeleton may be a patched one.
    pub clip: Arc<Clip>,
    /// The bone that was inserted on the way, if one was.
    pub patch: Option<SkeletonPatch>,
    /// What the sidecar says of it; also `extras.stridesmith` in glTF.
    pub record: sidecar::Record,
}

/// What to write.
#[derive(Clone, Debug)]
pub struct Export<'a> {
    /// The file that is patched.
    pub source: &'a SourceFile,
    /// The clips to add; empty, and not `alone`: the file is copied.
    pub clips: &'a [ExportClip],
    /// Leave the file's other clips out.
    pub alone: bool,
}

/// Why nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The disk said no; nothing is left behind.
    #[error("cannot write {}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// The source cannot be patched as asked.
    #[error("cannot write {what}: {reason}")]
    Unsupported {
        /// Which part.
        what: String,
        /// Why, and what can be done.
        reason: String,
    },
    /// What was read back is not what was meant; nothing was published.
    #[error("the file read back differs from what was meant to be written, so nothing was published: {0}")]
    Proof(#[from] proof::ProofError),
    /// The temporary file cannot be read back.
    #[error("the file written cannot be read back, so nothing was published")]
    ReadBack(#[from] ReadError),
    /// A file that may not be replaced.
    #[error("not updated, because {reason}: {}. Export under a new name instead", path.display())]
    NotOurs {
        /// The file.
        path: PathBuf,
        /// Why it may not.
        reason: String,
    },
    /// Every number up to 9999 is taken.
    #[error("every name from {first} to number 9999 is taken in {}", folder.display())]
    NoFreeName {
        /// The name wished for.
        first: String,
        /// The folder.
        folder: PathBuf,
    },
}
