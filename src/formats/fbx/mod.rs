//! FBX, binary and ASCII, by way of ufbx: in go the file's bytes, out comes a [`SourceFile`].
//!
//! *Asked of ufbx*: right-handed Y-up axes (+Z is the front of a file that says where its front is), metres,
//! `MODIFY_GEOMETRY` (no scale is left on the top nodes and bone axes are not touched), no other file is opened, memory
//! bounded by the file's size. Scale inheritance is ours ([`bones`]): ufbx would insert helper nodes for it.
//!
//! *Bones*: every node with a bone attribute, of a skin, or animated in some take, and all nodes above one; every node
//! when there is none. [`crate::motion::Bone::node`] is ufbx's typed id, the node's place in `ufbx_scene.nodes`.
//!
//! *Takes*: each animation stack is a clip, its layers evaluated; see [`takes`] for the range and [`sample`] for the
//! key times. Times are the file's own.
//!
//! *Origins*: see [`Channel`].

mod bones;
mod corners;
mod curves;
mod mesh;
mod sample;
mod space;
mod takes;

use std::path::Path;
use std::sync::{Arc, OnceLock};

use ufbx::{ErrorType, FileFormat, InheritModeHandling, LoadOpts, MirrorAxis, SceneRoot, SpaceConversion};

use super::{Limits, ReadError, ReadOptions};
use crate::motion::{FileId, Format, Property, SkeletonError, SourceFile, Warning, WarningKind};

/// What an [`crate::motion::Origin::channel`] of an FBX file names: the curves of one property of one node in one take,
/// in all layers. A track has `times_from` where its times are those of that channel, and `values_from` only where the
/// channel alone gives its values: one layer, no pivot that mixes rotation into translation, no animated pre-rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channel {
    /// Number of the animation stack, below [`Channel::MAX_TAKES`].
    pub take: u32,
    /// ufbx's typed id of the node, below [`Channel::MAX_NODES`].
    pub node: u32,
    /// Which property.
    pub property: Property,
}

impl Channel {
    /// Nodes that the numbering has room for.
    pub const MAX_NODES: u64 = 1 << 16;
    /// Takes that the numbering has room for.
    pub const MAX_TAKES: u64 = 1 << 14;

    /// `take · 2¹⁸ + node · 3 + slot`.
    pub fn number(self) -> u32 {
        (self.take << 18) + self.node * 3 + self.property.slot() as u32
    }

    /// Undoes [`Self::number`].
    pub fn of_number(number: u32) -> Self {
        let below = number & ((1 << 18) - 1);
        let property = Property::ALL[(below % 3) as usize];
        Self { take: number >> 18, node: below / 3, property }
    }
}

/// Reads an FBX file of version 3.0 to 7.7 from memory.
///
/// # Errors
/// Bytes that are no FBX, end too early or break its structure; more nodes, takes, keys, vertices or memory than
/// [`Limits`] allow; a scene without nodes.
pub fn read(id: FileId, path: &Path, bytes: Arc<[u8]>, options: &ReadOptions) -> Result<SourceFile, ReadError> {
    let limits = &options.limits;
    let refuse = Refusal { file: path.display().to_string() };
    let scene = load(&bytes, limits, &refuse)?;
    let mut findings = Findings::default();
    space::tell_of(&scene, &mut findings);
    tell_of_ufbx(&scene, &mut findings);

    let drives = takes::Drives::gather(&scene, &mut findings);
    let rest = bones::Rest::new(&scene, &drives, &refuse, &mut findings)?;
    let skeleton = bones::read(&scene, &rest, &drives, &refuse)?;
    let clips = takes::read(id, &scene, &rest, &skeleton, &drives, limits, &refuse, &mut findings)?;
    let drawn = mesh::read(&scene, &skeleton, limits, &refuse, &mut findings)?;

    Ok(SourceFile {
        id,
        path: path.to_owned(),
        modified: None,
        description: space::description(&scene),
        space: space::file_space(&scene),
        bytes,
        side_files: Vec::new(),
        format: Format::Fbx,
        skeleton: skeleton.skeleton,
        clips,
        meshes: drawn.meshes,
        skins: drawn.skins,
        materials: drawn.materials,
        textures: drawn.textures,
        declared_roles: Vec::new(),
        warnings: findings.0,
        hash: OnceLock::new(),
    })
}

fn load(bytes: &[u8], limits: &Limits, refuse: &Refusal) -> Result<SceneRoot, ReadError> {
    if bytes.is_empty() {
        return Err(refuse.malformed("byte 0", "the file is empty", ""));
    }
    // Without the binary mark it can only be the ASCII form, which has no control characters.
    let head = &bytes[..bytes.len().min(256)];
    if !head.starts_with(b"Kaydara FBX Binary") && head.iter().any(|byte| matches!(byte, 0..=8 | 14..=31)) {
        return Err(refuse.not_fbx());
    }
    // Arrays are deflated up to a thousandfold, but real files never come near that.
    let memory = (64 << 20) + 64 * bytes.len() as u64;
    let memory = memory.min(limits.decoded_bytes.max(1));
    let mut load = LoadOpts::default();
    load.temp_allocator.memory_limit = usize::try_from(memory).unwrap_or(usize::MAX);
    load.result_allocator.memory_limit = load.temp_allocator.memory_limit;
    load.file_format = FileFormat::Fbx;
    load.load_external_files = false;
    load.node_depth_limit = u32::try_from(limits.depth).unwrap_or(u32::MAX).max(1);
    load.target_axes = space::TARGET_AXES;
    load.target_unit_meters = 1.0;
    load.space_conversion = SpaceConversion::ModifyGeometry;
    load.handedness_conversion_axis = MirrorAxis::X;
    load.inherit_mode_handling = InheritModeHandling::Preserve;
    load.generate_missing_normals = true;
    load.clean_skin_weights = true;
    let scene = ufbx::load_memory(bytes, load).map_err(|error| refuse.of_ufbx(&error, bytes.len(), memory, limits))?;
    refuse.above("nodes", scene.nodes.count, limits.nodes.min(Channel::MAX_NODES))?;
    refuse.above("takes", scene.anim_stacks.count, limits.clips.min(Channel::MAX_TAKES))?;
    Ok(scene)
}

fn tell_of_ufbx(scene: &ufbx::Scene, findings: &mut Findings) {
    for warning in &scene.metadata.warnings {
        let place = scene.elements.get(warning.element_id as usize).map_or("", |element| element.name.as_ref());
        let count = u32::try_from(warning.count.max(1)).unwrap_or(u32::MAX);
        findings.add_many(WarningKind::Repaired, place, &format!("ufbx: {}", &*warning.description), count);
    }
}

/// Warnings so far; the same sentence twice is one warning with a count.
#[derive(Default)]
struct Findings(Vec<Warning>);

impl Findings {
    fn add(&mut self, kind: WarningKind, place: &str, message: &str) {
        self.add_many(kind, place, message, 1);
    }

    fn add_many(&mut self, kind: WarningKind, place: &str, message: &str, count: u32) {
        if let Some(same) = self.0.iter_mut().find(|w| w.kind == kind && w.message == message) {
            same.count = same.count.saturating_add(count);
        } else {
            self.0.push(Warning { kind, place: place.into(), message: message.into(), count });
        }
    }
}

/// Makes errors that name the file.
struct Refusal {
    file: String,
}

impl Refusal {
    fn above(&self, what: &str, asked: usize, limit: u64) -> Result<(), ReadError> {
        if asked as u64 <= limit {
            return Ok(());
        }
        Err(ReadError::TooLarge {
            file: self.file.clone(),
            what: format!("too many {what}"),
            asked: asked as u64,
            limit,
        })
    }

    fn not_fbx(&self) -> ReadError {
        ReadError::UnknownFormat { file: self.file.clone(), reason: "the contents are not FBX".into() }
    }

    fn malformed(&self, place: &str, reason: &str, advice: &str) -> ReadError {
        let (file, place) = (self.file.clone(), place.to_owned());
        ReadError::Malformed { file, place, reason: reason.to_owned(), advice: advice.to_owned() }
    }

    fn of_skeleton(&self, error: &SkeletonError) -> ReadError {
        self.malformed("Objects/Model", &error.to_string(), "export the skeleton along with the animation")
    }

    fn of_ufbx(&self, error: &ufbx::Error, length: usize, memory: u64, limits: &Limits) -> ReadError {
        const AGAIN: &str = "export it again as FBX 2014 or newer, binary";
        let too_large =
            |what: &str, asked, limit| ReadError::TooLarge { file: self.file.clone(), what: what.into(), asked, limit };
        match error.type_ {
            ErrorType::MemoryLimit | ErrorType::AllocationLimit | ErrorType::OutOfMemory => {
                too_large("unpacking the file takes too much memory, bytes", memory.saturating_add(1), memory)
            }
            ErrorType::NodeDepthLimit => {
                too_large("the hierarchy is too deep", limits.depth.saturating_add(1), limits.depth)
            }
            ErrorType::TruncatedFile => {
                let place = format!("byte {length}");
                self.malformed(&place, "the file ends in the middle", "copy it again, it may have been cut off")
            }
            ErrorType::UnrecognizedFileFormat => self.not_fbx(),
            ErrorType::UnsupportedVersion => self.malformed("the header", "this version of FBX cannot be read", AGAIN),
            _ => {
                self.malformed("some record", &format!("the FBX structure is broken ({})", &*error.description), AGAIN)
            }
        }
    }
}
