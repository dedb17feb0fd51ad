//! Puts files on disk so that nothing is ever overwritten, lost or half written.
//!
//! [`publish`] writes temporary files in the target folder, syncs them, lets a proof read them back, and gives them
//! a free name without replacing what is there; the file that opens the others comes last. [`update()`] replaces a file
//! that was published here before, and only if it is still what was written; the previous one goes to a backup folder.
//! This is the one place that renames files.

mod names;
mod update;

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;

use crate::motion::{SourceFile, Warning, WarningKind};
use crate::ops::naming::file_safe;

use super::sidecar::{Beside, Output, Record, Sidecar};
use super::{Fetch, FolderFetch, Limits, WriteError};
use names::numbered;

pub use update::{BACKUP_FOLDER, can_update, update};

/// Ending of sidecars.
pub const SIDECAR_ENDING: &str = ".stridesmith.json";

/// Files that belong together, named by one stem.
#[derive(Debug, Default)]
pub struct Package {
    /// The file that opens the others: its ending (`.glb`) and bytes.
    pub main: (String, Vec<u8>),
    /// Files that it names: endings and bytes.
    pub beside: Vec<(String, Vec<u8>)>,
    /// What the sidecar says of its clips; `None`: no sidecar.
    pub records: Option<Vec<Record>>,
    /// Files that it names under names of their own (a source's textures): written where they are missing, refused
    /// where another file has the name.
    pub companions: Vec<(String, Arc<[u8]>)>,
}

impl Package {
    fn endings(&self) -> Vec<String> {
        let sidecar = self.records.as_ref().map(|_| SIDECAR_ENDING.to_owned());
        self.beside.iter().chain([&self.main]).map(|(ending, _)| ending.clone()).chain(sidecar).collect()
    }
}

/// What lies on disk under temporary names, for a proof to read.
pub struct ReadBack {
    /// Name the main file will have.
    pub name: String,
    /// Its bytes, as read from disk.
    pub main: Arc<[u8]>,
    beside: Vec<(String, Arc<[u8]>)>,
    folder: FolderFetch,
}

impl ReadBack {
    /// The sidecar, when there is one that can be read.
    pub fn sidecar(&self) -> Option<Sidecar> {
        let (_, text) = self.beside.iter().find(|(name, _)| name.ends_with(SIDECAR_ENDING))?;
        Sidecar::read(text).ok()
    }
}

impl Fetch for ReadBack {
    fn fetch(&self, name: &str) -> Result<Arc<[u8]>, String> {
        match self.beside.iter().find(|(known, _)| known == name) {
            Some((_, bytes)) => Ok(Arc::clone(bytes)),
            None => self.folder.fetch(name),
        }
    }
}

/// What was published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Published {
    /// The file itself.
    pub main: PathBuf,
    /// The files written with it, sidecar included.
    pub beside: Vec<PathBuf>,
    /// Where the previous version lies, after an update.
    pub backup: Option<PathBuf>,
}

/// Makes a package for a stem: file names that stand inside files depend on it.
pub type Make<'a> = &'a mut dyn FnMut(&str) -> Result<Package, WriteError>;

/// Reads a package back and compares.
pub type Proof<'a> = &'a mut dyn FnMut(&ReadBack) -> Result<(), WriteError>;

/// The stem that [`publish`] would take now for files of these endings; `also_taken` are lower-case names that will be
/// given away before. `None` when none is free. A folder that is not there yet has all names free.
///
/// # Errors
/// The folder cannot be read.
pub fn free_stem(
    folder: &Path,
    stem: &str,
    endings: &[&str],
    also_taken: &HashSet<String>,
) -> Result<Option<String>, WriteError> {
    let stem = file_safe(stem);
    let taken = if folder.exists() { names_in(folder).map_err(io_error(folder))? } else { HashSet::new() };
    let is_free = |candidate: &String| {
        let names = endings.iter().map(|ending| format!("{candidate}{ending}").to_lowercase());
        names.into_iter().all(|name| !taken.contains(&name) && !also_taken.contains(&name))
    };
    Ok((0..=9999).map(|number| numbered(&stem, number)).find(is_free))
}

/// Publishes under the first free of `stem`, `stem_01`, `stem_02`… in `folder`, which must exist. A name is free when
/// no file has it in any spelling of case, with any of the package's endings.
///
/// # Errors
/// What `make` and `proof` say; [`WriteError::Io`]; [`WriteError::NoFreeName`]. Then nothing new is in the folder.
pub fn publish(folder: &Path, stem: &str, make: Make<'_>, proof: Proof<'_>) -> Result<Published, WriteError> {
    let stem = file_safe(stem);
    let taken = names_in(folder).map_err(io_error(folder))?;
    // What the package is made of does not depend on its name: asked once, before the first look at the folder.
    let mut endings: Option<Vec<String>> = None;
    let is_taken = |candidate: &str, endings: &[String]| {
        endings.iter().any(|ending| taken.contains(&format!("{candidate}{ending}").to_lowercase()))
    };
    for number in 0..=9999 {
        let candidate = numbered(&stem, number);
        if endings.as_ref().is_some_and(|endings| is_taken(&candidate, endings)) {
            continue;
        }
        let package = make(&candidate)?;
        if is_taken(&candidate, endings.insert(package.endings())) {
            continue;
        }
        let mut staged = Staged::new(folder, &candidate, package)?;
        proof(&staged.read_back()?)?;
        match staged.persist() {
            Ok(published) => return Ok(published),
            // Someone was faster.
            Err(WriteError::Io { source, .. }) if source.kind() == io::ErrorKind::AlreadyExists => {}
            Err(other) => return Err(other),
        }
    }
    Err(WriteError::NoFreeName { first: stem, folder: folder.to_owned() })
}

/// Hexadecimal SHA-256.
pub fn hash_text(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Files that must lie beside a copy of a source in `folder`: names and bytes.
pub type Companions = Vec<(String, Arc<[u8]>)>;

/// Gathers the files that a source names, for a copy of it in `folder`; none when that is where the source lies. What
/// is missing there already is missing in the copy too, and said.
pub fn companions(source: &SourceFile, names: &[String], folder: &Path) -> (Companions, Vec<Warning>) {
    let home = folder_of(&source.path);
    if home.canonicalize().is_ok_and(|home| folder.canonicalize().is_ok_and(|folder| home == folder)) {
        return (Vec::new(), Vec::new());
    }
    let fetch = FolderFetch::new(home, Limits::default());
    let (mut found, mut warnings) = (Vec::with_capacity(names.len()), Vec::new());
    for name in names {
        let held = source.side_files.iter().find(|(known, _)| known == name).map(|(_, bytes)| Arc::clone(bytes));
        match held.map_or_else(|| fetch.fetch(name), Ok) {
            Ok(bytes) => found.push((name.clone(), bytes)),
            Err(message) => {
                warnings.push(Warning { kind: WarningKind::Dropped, place: name.clone(), message, count: 1 });
            }
        }
    }
    (found, warnings)
}

/// A package in temporary files, all written and synced.
struct Staged {
    folder: PathBuf,
    // Targets in the order in which they are published: the main file last.
    files: Vec<(PathBuf, NamedTempFile)>,
    made_folders: Vec<PathBuf>,
}

impl Drop for Staged {
    fn drop(&mut self) {
        self.files.clear();
        for folder in self.made_folders.iter().rev() {
            // Goes only when it is empty: then nothing was published into it.
            let _ = fs::remove_dir(folder);
        }
    }
}

impl Staged {
    fn new(folder: &Path, stem: &str, package: Package) -> Result<Self, WriteError> {
        let Package { main, beside, records, companions } = package;
        let mut staged = Self { folder: folder.to_owned(), files: Vec::new(), made_folders: Vec::new() };
        for (name, bytes) in companions {
            if !is_below(&name) {
                return Err(WriteError::Unsupported {
                    what: format!("\"{name}\""),
                    reason: "it would lie outside the folder".into(),
                });
            }
            let target = folder.join(&name);
            match fs::read(&target) {
                Ok(there) if *there == *bytes => {}
                Ok(_) => {
                    return Err(WriteError::Unsupported {
                        what: format!("into {}", folder.display()),
                        reason: format!("another file there is called \"{name}\"; choose another folder"),
                    });
                }
                Err(_) => staged.add(target, &bytes)?,
            }
        }
        let hashed =
            |(ending, bytes): &(String, Vec<u8>)| Beside { file: format!("{stem}{ending}"), sha256: hash_text(bytes) };
        if let Some(records) = records {
            let Beside { file, sha256 } = hashed(&main);
            let output = Output { file, sha256, beside: beside.iter().map(hashed).collect() };
            let text = Sidecar::new(&records, output).write();
            let text =
                text.map_err(|e| WriteError::Unsupported { what: "the sidecar".into(), reason: e.to_string() })?;
            staged.add(folder.join(format!("{stem}{SIDECAR_ENDING}")), &text)?;
        }
        for (ending, bytes) in beside.iter().chain([&main]) {
            staged.add(folder.join(format!("{stem}{ending}")), bytes)?;
        }
        Ok(staged)
    }

    fn add(&mut self, target: PathBuf, bytes: &[u8]) -> Result<(), WriteError> {
        let parent = folder_of(&target).to_owned();
        let missing: Vec<PathBuf> =
            parent.ancestors().take_while(|folder| !folder.exists()).map(Path::to_owned).collect();
        self.made_folders.extend(missing.into_iter().rev().filter(|folder| folder.starts_with(&self.folder)));
        let write = || -> io::Result<NamedTempFile> {
            fs::create_dir_all(&parent)?;
            let mut builder = tempfile::Builder::new();
            builder.prefix(".stridesmith-").suffix(".tmp");
            // A temporary file is for its owner alone; a published one is as any other that a program makes.
            #[cfg(unix)]
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
            let mut file = builder.tempfile_in(&parent)?;
            file.write_all(bytes)?;
            file.as_file().sync_all()?;
            Ok(file)
        };
        let file = write().map_err(io_error(&target))?;
        self.files.push((target, file));
        Ok(())
    }

    fn main_name(&self) -> String {
        self.names().pop().unwrap_or_default()
    }

    fn names(&self) -> Vec<String> {
        let name =
            |target: &PathBuf| target.strip_prefix(&self.folder).unwrap_or(target).to_string_lossy().into_owned();
        self.files.iter().map(|(target, _)| name(target)).collect()
    }

    fn read_back(&self) -> Result<ReadBack, WriteError> {
        let mut beside = Vec::with_capacity(self.files.len());
        for (name, (target, file)) in self.names().into_iter().zip(&self.files) {
            let bytes = fs::read(file.path()).map_err(io_error(target))?;
            beside.push((name, Arc::<[u8]>::from(bytes)));
        }
        let (name, main) = beside.pop().unwrap_or_default();
        Ok(ReadBack { name, main, beside, folder: FolderFetch::new(&self.folder, Limits::default()) })
    }

    /// Gives the files their names, without replacing any; on failure takes back those already published.
    fn persist(&mut self) -> Result<Published, WriteError> {
        let mut done: Vec<PathBuf> = Vec::with_capacity(self.files.len());
        for (target, file) in self.files.drain(..) {
            if let Err(error) = file.persist_noclobber(&target) {
                for path in &done {
                    // Made a moment ago by this loop; when even this fails there is nothing better to do.
                    let _ = fs::remove_file(path);
                }
                return Err(WriteError::Io { path: target, source: error.error });
            }
            done.push(target);
        }
        sync_folder(&self.folder);
        let main = done.pop().unwrap_or_default();
        Ok(Published { main, beside: done, backup: None })
    }
}

/// Whether a name, from a file, leads to a place in the folder.
fn is_below(name: &str) -> bool {
    let plain = Path::new(name).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    plain && !name.is_empty() && !name.contains(['\\', ':'])
}

fn names_in(folder: &Path) -> io::Result<HashSet<String>> {
    fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().to_string_lossy().to_lowercase())).collect()
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent.as_os_str() != OsStr::new("") => parent,
        _ => Path::new("."),
    }
}

fn sync_folder(folder: &Path) {
    // Only so that the names outlive a power cut; systems that cannot sync a folder keep them in their own time.
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

fn io_error(path: &Path) -> impl FnOnce(io::Error) -> WriteError + use<> {
    let path = path.to_owned();
    move |source| WriteError::Io { path, source }
}
