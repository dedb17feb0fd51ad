//! glTF 2.0 (`.glb`, `.gltf`) to a [`SourceFile`]: every animation, every skin, the meshes for the preview.
//!
//! The JSON is parsed once, typed, by `gltf-json`; key values go from the file's bytes straight into the tracks. JSON
//! that the crate refuses is mended and read again (`mend.rs`). Nothing is validated up front: each index, offset and
//! count is checked where it is used, so one broken accessor costs the channels that use it and no more. glTF's space is ours,
//! so nothing is converted. Source: the Khronos glTF 2.0 specification.
//!
//! # How channels are numbered
//! [`Origin::channel`](crate::motion::Origin::channel) of a track is the running number of its channel over the
//! `channels` arrays of all `animations`, both in JSON order, from 0. *Every* element of those arrays counts, whether
//! it became a track or not: morph weights, pointer channels, channels without a node and broken ones too.
//! [`Clip::take`](crate::motion::Clip::take) is the index in `animations`, and
//! [`Bone::node`](crate::motion::Bone::node) the index in `nodes`.

mod accessor;
mod bind;
mod clips;
mod container;
mod findings;
mod keys;
mod material;
mod mend;
mod mesh;
mod scene;
mod vrm;

use std::cell::Cell;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use gltf::json::Root;

use super::{Fetch, Limits, ReadError, ReadOptions};
use crate::motion::{FileId, FileSpace, SourceFile, WarningKind};
use findings::Findings;

/// The parsed JSON with its buffers: what all parts of the reader share.
struct Document<'a> {
    root: Root,
    buffers: Vec<container::Buffer<'a>>,
    /// Name for errors.
    file: &'a str,
    limits: &'a Limits,
    /// Bytes that decoding may still take.
    budget: Cell<u64>,
}

impl Document<'_> {
    fn malformed(&self, place: String, reason: impl Into<String>, advice: &str) -> ReadError {
        malformed(self.file, place, reason, advice)
    }

    fn too_large(&self, what: &str, asked: u64, limit: u64) -> ReadError {
        ReadError::TooLarge { file: self.file.into(), what: what.into(), asked, limit }
    }

    /// Takes `bytes` from what decoding may use; `false` when that is more than is left.
    fn allow(&self, bytes: u64) -> bool {
        let left = self.budget.get().checked_sub(bytes);
        self.budget.set(left.unwrap_or(self.budget.get()));
        left.is_some()
    }

    fn uses(&self, extension: &str) -> bool {
        self.root.extensions_used.iter().chain(&self.root.extensions_required).any(|used| used == extension)
    }
}

fn malformed(file: &str, place: impl Into<String>, reason: impl Into<String>, advice: &str) -> ReadError {
    ReadError::Malformed { file: file.into(), place: place.into(), reason: reason.into(), advice: advice.into() }
}

/// Reads `bytes`; `path` only names them, `fetch` gets the `.bin` and image files beside them.
///
/// # Errors
/// A container or JSON that cannot be parsed, nodes that are no tree, counts beyond the limits, and files whose
/// animations all lie in data that is missing or compressed. Anything less is a warning in [`SourceFile::warnings`].
pub fn read(
    id: FileId,
    path: &Path,
    bytes: Arc<[u8]>,
    fetch: &dyn Fetch,
    options: &ReadOptions,
) -> Result<SourceFile, ReadError> {
    let file = path.display().to_string();
    let limits = &options.limits;
    let mut findings = Findings::default();
    let container = container::split(&bytes, &file, &mut findings)?;
    let root = mend::parse(container.json, &file, &mut findings)?;
    check_version(&root, &file)?;
    report_extensions(&root, &mut findings);
    let declared = vrm::read(container.json, &root, &mut findings);
    let format = container.format;
    let mut side_files = container::SideFiles::new(fetch, limits);
    let buffers = container::buffers(&root, &container, &mut side_files);
    let document = Document { root, buffers, file: &file, limits, budget: Cell::new(limits.decoded_bytes) };
    check_counts(&document)?;

    let tree = scene::Tree::new(&document, &mut findings)?;
    let skins = bind::read_skins(&document, &mut findings);
    let scene = scene::Scene::new(&document, &tree, &skins, &declared, &mut findings)?;
    let clips = clips::read(&document, id, &scene, &mut findings)?;
    let meshes = mesh::read(&document, &tree, &scene, &skins, &mut findings);
    let (materials, textures) = material::read(&document, &mut side_files, &mut findings);
    let declared_roles = declared.iter().filter_map(|&(role, node)| Some((role, scene.bone_of(node)?))).collect();
    let description = describe(&document.root);

    Ok(SourceFile {
        id,
        path: path.to_owned(),
        modified: None,
        bytes,
        side_files: side_files.into_held(),
        format,
        description,
        space: FileSpace::OURS,
        skins: scene.bone_skins(&skins),
        skeleton: scene.skeleton,
        clips,
        meshes,
        materials,
        textures,
        declared_roles,
        warnings: findings.into_warnings(),
        hash: OnceLock::new(),
    })
}

fn describe(root: &Root) -> String {
    match &root.asset.generator {
        Some(generator) => format!("glTF {}, {generator}", root.asset.version),
        None => format!("glTF {}", root.asset.version),
    }
}

fn check_version(root: &Root, file: &str) -> Result<(), ReadError> {
    let version = &root.asset.version;
    if version.starts_with("1.") || version.starts_with("0.") {
        let reason = format!("this is glTF {version}, and only glTF 2 is read");
        return Err(malformed(file, "asset.version", reason, "convert it to glTF 2 first"));
    }
    Ok(())
}

fn check_counts(document: &Document<'_>) -> Result<(), ReadError> {
    let (nodes, clips) = (document.root.nodes.len() as u64, document.root.animations.len() as u64);
    if nodes > document.limits.nodes {
        return Err(document.too_large("too many nodes", nodes, document.limits.nodes));
    }
    if clips > document.limits.clips {
        return Err(document.too_large("too many animations", clips, document.limits.clips));
    }
    Ok(())
}

/// Extensions without which the file is read in full, or whose absence is reported where it costs something.
const READ_WITHOUT: [&str; 12] = [
    "KHR_draco_mesh_compression",
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
    "KHR_mesh_quantization",
    "KHR_texture_transform",
    "KHR_materials_unlit",
    "KHR_texture_basisu",
    "EXT_texture_webp",
    "KHR_animation_pointer",
    "VRM",
    "VRMC_vrm",
    "VRMC_vrm_animation",
];

fn report_extensions(root: &Root, findings: &mut Findings) {
    let unknown: BTreeSet<&str> =
        root.extensions_required.iter().map(String::as_str).filter(|name| !READ_WITHOUT.contains(name)).collect();
    if !unknown.is_empty() {
        let names: Vec<&str> = unknown.into_iter().take(8).collect();
        let message = format!(
            "the file requires extensions that are not read here ({}); the clips are opened without them",
            names.join(", ")
        );
        findings.add(WarningKind::SetAside, &message, || "extensionsRequired".into());
    }
}
