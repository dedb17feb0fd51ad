//! Makes a GLB from the parts of a file in another format: skeleton, skins, meshes, materials, textures and clips.
//!
//! Nodes `0…bones` are the bones of the united skeleton in their order, so a bone's index is its node's number. The
//! same input gives the same bytes. glTF 2.0; our convention inside is glTF's own, so nothing is converted.

mod clip;
mod crop;
mod document;
mod material;
mod mesh;
mod scene;

use std::collections::HashMap;

use crate::motion::{SourceFile, Warning};

use super::gltf_write::data::{Finished, NewData};
use super::gltf_write::glb;
use super::sidecar::GENERATOR;
use super::unite::United;
use super::{ExportClip, WriteError};
use document::{Asset, Buffer, Document, raw};

pub use super::gltf_write::data::RotationEncoding;

/// What to write, and how.
#[derive(Clone, Copy, Debug)]
pub struct AuthorOptions {
    /// How the keys of rotations are stored.
    pub rotation_encoding: RotationEncoding,
    /// Whether meshes, materials and textures go with the skeleton.
    pub meshes: bool,
}

impl Default for AuthorOptions {
    fn default() -> Self {
        Self { rotation_encoding: RotationEncoding::F32, meshes: true }
    }
}

/// A GLB, ready to be published.
#[derive(Debug)]
pub struct Authored {
    /// The whole file. The animation of `clips[i]` has number `i`.
    pub bytes: Vec<u8>,
    /// What could not go along.
    pub warnings: Vec<Warning>,
}

/// What the parts of a file are put into.
struct Author<'a> {
    file: &'a SourceFile,
    united: &'a United,
    options: &'a AuthorOptions,
    data: NewData,
    document: Document,
    // Per skin of the source, its number here.
    skin_numbers: Vec<Option<usize>>,
    // Source textures already in, by their number there.
    images: HashMap<u32, usize>,
    warnings: Vec<Warning>,
}

/// Writes a whole GLB. Clips are cut to their range, and hold a bone to its end where their keys end earlier, so that
/// the range survives in a format that has none.
///
/// # Errors
/// [`WriteError::Unsupported`] when clips do not share a skeleton, start before 0, or the file would pass 4 GiB.
pub fn write(file: &SourceFile, clips: &[ExportClip], options: &AuthorOptions) -> Result<Authored, WriteError> {
    let united = United::of(file, clips)?;
    let mut author = Author {
        file,
        united: &united,
        options,
        data: NewData::new(0, 0),
        document: Document::new(Asset { version: "2.0", generator: GENERATOR }),
        skin_numbers: Vec::new(),
        images: HashMap::new(),
        warnings: Vec::new(),
    };
    author.bones();
    author.skins();
    if options.meshes {
        author.meshes();
    }
    author.tops();
    for clip in clips {
        let part = |reason| WriteError::Unsupported { what: format!("the clip \"{}\"", clip.name), reason };
        author.clip(clip).map_err(part)?;
    }
    let Author { data, mut document, warnings, .. } = author;
    let Finished { views, accessors, bytes } = data.finish(0, 0);
    document.buffer_views = views.into_iter().filter_map(raw).collect();
    document.accessors = accessors.into_iter().filter_map(raw).collect();
    if !bytes.is_empty() {
        document.buffers = vec![Buffer { byte_length: bytes.len() }];
    }
    let whole = |reason| WriteError::Unsupported { what: file.file_name(), reason };
    let text = serde_json::to_string(&document).map_err(|e| whole(e.to_string()))?;
    let bytes = glb(text, &bytes).map_err(whole)?;
    Ok(Authored { bytes, warnings })
}
