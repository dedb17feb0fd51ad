//! Export as glTF from any source, in one call: write, prove, publish.

use std::cell::RefCell;
use std::path::Path;

use crate::motion::{FileId, Format, Warning};

use super::glb_author::{self, AuthorOptions};
use super::gltf_write;
use super::proof::{ProofError, TimesAs, Tolerance, prove, prove_markers};
use super::publish::{Package, Published, ReadBack, companions, publish, update};
use super::{Export, ReadOptions, WriteError, read};

/// What came of an export.
#[derive(Clone, Debug)]
pub struct Delivered {
    /// Where it lies.
    pub published: Published,
    /// What a person should know of it.
    pub warnings: Vec<Warning>,
}

/// Where an export goes.
#[derive(Clone, Copy, Debug)]
pub enum Target<'a> {
    /// Under the first free name like `stem` in `folder`; nothing is replaced.
    New {
        /// Must exist.
        folder: &'a Path,
        /// Name without extension.
        stem: &'a str,
    },
    /// In the place of a file that was written here before.
    Update(&'a Path),
}

/// Exports clips: a glTF source is patched, from any other a GLB is made. Every clip is read back from the file on
/// disk and compared before the file gets its name.
///
/// # Errors
/// See [`WriteError`]; then nothing was changed on disk.
pub fn export_gltf(export: &Export<'_>, target: Target<'_>) -> Result<Delivered, WriteError> {
    let mut warnings = Vec::new();
    let takes = RefCell::new(Vec::new());
    let folder = match target {
        Target::New { folder, .. } => folder,
        Target::Update(main) => main.parent().unwrap_or(Path::new(".")),
    };
    let mut make = |stem: &str| {
        let (package, numbers, said) = package(export, folder, stem)?;
        warnings = said;
        *takes.borrow_mut() = numbers;
        Ok(package)
    };
    let mut proof = |back: &ReadBack| proof(export, &takes.borrow(), back);
    let published = match target {
        Target::New { folder, stem } => publish(folder, stem, &mut make, &mut proof)?,
        Target::Update(main) => update(main, &mut make, &mut proof)?,
    };
    Ok(Delivered { published, warnings })
}

fn package(export: &Export<'_>, folder: &Path, stem: &str) -> Result<(Package, Vec<u32>, Vec<Warning>), WriteError> {
    let records = Some(export.clips.iter().map(|clip| clip.record.clone()).collect());
    let source = export.source;
    if !matches!(source.format, Format::Glb | Format::Gltf) {
        let authored = glb_author::write(source, export.clips, &AuthorOptions::default())?;
        let main = (".glb".to_owned(), authored.bytes);
        let takes = (0..export.clips.len() as u32).collect();
        return Ok((Package { main, records, ..Package::default() }, takes, authored.warnings));
    }
    let written = gltf_write::write(export, stem)?;
    let names = gltf_write::side_names(source)
        .map_err(|reason| WriteError::Unsupported { what: source.file_name(), reason })?;
    let ending = if source.format == Format::Glb { ".glb" } else { ".gltf" };
    let beside = written.side.into_iter().map(|(name, bytes)| (name[stem.len()..].to_owned(), bytes)).collect();
    let (companions, missing) = companions(source, &names, folder);
    let warnings = written.warnings.into_iter().chain(missing).collect();
    let package = Package { main: (ending.to_owned(), written.main), beside, records, companions };
    Ok((package, written.takes, warnings))
}

fn proof(export: &Export<'_>, takes: &[u32], back: &ReadBack) -> Result<(), WriteError> {
    if export.clips.is_empty() && !export.alone {
        // A copy is right when its bytes are.
        return if back.main == export.source.bytes { Ok(()) } else { Err(ProofError::Copy.into()) };
    }
    let read = read(FileId(u32::MAX), Path::new(&back.name), back.main.clone(), back, &ReadOptions::default())?;
    let sidecar = back.sidecar();
    let tolerance = Tolerance::default();
    for (i, (export, take)) in export.clips.iter().zip(takes).enumerate() {
        let missing = || ProofError::MissingClip { clip: export.name.clone() };
        let found = read.clips.iter().find(|clip| clip.take == Some(*take)).ok_or_else(missing)?;
        prove(&export.clip, found, TimesAs::F32, &tolerance)?;
        let record = sidecar.as_ref().and_then(|sidecar| sidecar.records().get(i)).ok_or_else(missing)?;
        prove_markers(&export.clip, record, &tolerance)?;
    }
    Ok(())
}
