//! Replacing a file that was published here before, with the previous version kept.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::super::WriteError;
use super::super::sidecar::{Beside, Sidecar};
use super::names::numbered;
use super::{Make, Proof, Published, SIDECAR_ENDING, Staged, folder_of, hash_text, io_error, sync_folder};

/// Where [`update`] keeps previous versions, beside the file.
pub const BACKUP_FOLDER: &str = ".stridesmith-backup";

/// Replaces a file that [`publish`](super::publish()) wrote, if its sidecar names it and its hash still matches; the previous version,
/// with its sidecar and files beside it, goes to a folder of its own in [`BACKUP_FOLDER`]. On any doubt everything is
/// put back as it was.
///
/// # Errors
/// [`WriteError::NotOurs`] when the file may not be replaced; else as [`publish`](super::publish()).
pub fn update(main: &Path, make: Make<'_>, proof: Proof<'_>) -> Result<Published, WriteError> {
    let old = ours(main)?;
    let folder = folder_of(main);
    let name = main.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let stem = main.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut staged = Staged::new(folder, &stem, make(&stem)?)?;
    if staged.main_name() != name {
        return Err(not_ours(main, format!("the new file would be called {}", staged.main_name())));
    }
    for new in staged.names() {
        if folder.join(&new).exists() && !old.iter().any(|file| file.name == new) {
            return Err(not_ours(&folder.join(new), "it was not written with the file to be updated".into()));
        }
    }
    proof(&staged.read_back()?)?;
    let backup = Backup::take(folder, &stem, old)?;
    match staged.persist() {
        Ok(published) => Ok(Published { backup: Some(backup.folder), ..published }),
        Err(error) => {
            backup.put_back()?;
            Err(error)
        }
    }
}

/// Whether [`update`] would replace a file: it was written here and nobody changed it or its files since.
///
/// # Errors
/// [`WriteError::NotOurs`] with the reason why not; [`WriteError::Io`].
pub fn can_update(main: &Path) -> Result<(), WriteError> {
    ours(main).map(drop)
}

/// A file that is to go to the backup.
struct OldFile {
    name: String,
    sha256: String,
}

/// Proves that a file is what [`publish`](super::publish()) wrote, with all its files.
fn ours(main: &Path) -> Result<Vec<OldFile>, WriteError> {
    let folder = folder_of(main);
    let name = main.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let sidecar_name = format!("{}{SIDECAR_ENDING}", main.file_stem().unwrap_or_default().to_string_lossy());
    let sidecar = fs::read(folder.join(&sidecar_name))
        .map_err(|_| not_ours(main, format!("there is no {sidecar_name} beside it")))?;
    let output = Sidecar::read(&sidecar).ok().and_then(|sidecar| sidecar.output().cloned());
    let output = output
        .filter(|output| output.file == name)
        .ok_or_else(|| not_ours(main, format!("{sidecar_name} does not speak of it")))?;
    let mut files = vec![OldFile { name: output.file, sha256: output.sha256 }];
    files.extend(output.beside.into_iter().map(|Beside { file, sha256 }| OldFile { name: file, sha256 }));
    for OldFile { name, sha256 } in &files {
        let path = folder.join(name);
        // A sidecar from elsewhere must not make us move other people's files.
        if Path::new(name).components().count() != 1 || name.contains(['/', '\\']) {
            return Err(not_ours(main, format!("{sidecar_name} names a file elsewhere, \"{name}\"")));
        }
        let bytes = fs::read(&path).map_err(io_error(&path))?;
        if fs::metadata(&path).map_err(io_error(&path))?.permissions().readonly() {
            return Err(not_ours(&path, "it is read-only".into()));
        }
        if hash_text(&bytes) != *sha256 {
            return Err(not_ours(&path, "it was changed since it was written".into()));
        }
    }
    files.push(OldFile { name: sidecar_name, sha256: hash_text(&sidecar) });
    Ok(files)
}

/// Old files, moved out of the way.
struct Backup {
    home: PathBuf,
    folder: PathBuf,
    // In the order in which they were moved: the main file first, so that nobody opens it without the others.
    moved: Vec<OldFile>,
}

impl Backup {
    fn take(home: &Path, stem: &str, old: Vec<OldFile>) -> Result<Self, WriteError> {
        let folder = new_folder(&home.join(BACKUP_FOLDER), stem)?;
        let mut backup = Self { home: home.to_owned(), folder, moved: Vec::new() };
        for file in old {
            match backup.move_in(&file) {
                Ok(()) => backup.moved.push(file),
                Err(error) => {
                    backup.put_back()?;
                    return Err(error);
                }
            }
        }
        sync_folder(&backup.folder);
        Ok(backup)
    }

    fn move_in(&self, file: &OldFile) -> Result<(), WriteError> {
        let (from, to) = (self.home.join(&file.name), self.folder.join(&file.name));
        rename_into_empty(&from, &to).map_err(io_error(&from))?;
        // Between hash and rename someone may have saved over it.
        match fs::read(&to) {
            Ok(bytes) if hash_text(&bytes) == file.sha256 => Ok(()),
            _ => {
                rename_into_empty(&to, &from).map_err(io_error(&to))?;
                Err(not_ours(&from, "it was changed while it was being updated".into()))
            }
        }
    }

    fn put_back(self) -> Result<(), WriteError> {
        for file in self.moved.iter().rev() {
            let (from, to) = (self.folder.join(&file.name), self.home.join(&file.name));
            rename_into_empty(&from, &to).map_err(io_error(&from))?;
        }
        // Both only go when they are empty, which is the point.
        let _ = fs::remove_dir(&self.folder);
        let _ = fs::remove_dir(self.home.join(BACKUP_FOLDER));
        sync_folder(&self.home);
        Ok(())
    }
}

/// Renames where the target is known to be absent: a folder made for it, or the place the file was taken from.
#[expect(clippy::disallowed_methods, reason = "refuses when the target exists")]
fn rename_into_empty(from: &Path, to: &Path) -> io::Result<()> {
    if to.symlink_metadata().is_ok() {
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, format!("{} is in the way", to.display())));
    }
    fs::rename(from, to)
}

fn new_folder(parent: &Path, stem: &str) -> Result<PathBuf, WriteError> {
    fs::create_dir_all(parent).map_err(io_error(parent))?;
    for number in 1..=9999 {
        let folder = parent.join(numbered(stem, number));
        match fs::create_dir(&folder) {
            Ok(()) => return Ok(folder),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(io_error(&folder)(error)),
        }
    }
    Err(WriteError::NoFreeName { first: stem.to_owned(), folder: parent.to_owned() })
}

fn not_ours(path: &Path, reason: String) -> WriteError {
    WriteError::NotOurs { path: path.to_owned(), reason }
}
