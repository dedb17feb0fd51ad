//! A file as it was read: never changed, shared, its bytes kept.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use glam::DQuat;
use serde::{Deserialize, Serialize};

use super::clip::Clip;
use super::mesh::{Material, Mesh, Skin, Texture};
use super::rig::Role;
use super::skeleton::{BoneIndex, Skeleton};

/// Number of an opened file; only grows and is never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FileId(pub u32);

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// glTF 2.0, one binary file.
    Glb,
    /// glTF 2.0, JSON with buffers beside it or inside.
    Gltf,
    /// Autodesk FBX, binary or ASCII.
    Fbx,
    /// Biovision hierarchy.
    Bvh,
    /// Made by this program in memory.
    Generated,
}

/// How the file's own space relates to ours: a file point `p` is `rotation * p * metres_per_unit` here.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FileSpace {
    /// Metres per unit of length in the file.
    pub metres_per_unit: f64,
    /// From the file's axes to ours.
    pub rotation: DQuat,
    /// Whether the file's axes are left-handed (mirrored on the way in).
    pub left_handed: bool,
}

impl FileSpace {
    /// Metres, +Y up, +Z forward, right-handed.
    pub const OURS: Self = Self { metres_per_unit: 1.0, rotation: DQuat::IDENTITY, left_handed: false };
}

/// What kind of thing a reader has to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WarningKind {
    /// Units were guessed or converted.
    Units,
    /// Axes were guessed or converted.
    Axes,
    /// Rate, range or key times are not what the file says.
    Timing,
    /// Something was mended: NaN keys, unsorted times, wrong counts.
    Repaired,
    /// Something is there that is not shown, but kept for writing back.
    SetAside,
    /// Something is lost here.
    Dropped,
}

/// Lossy but usable: what was odd, where, how often, and what was done about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Warning {
    /// What kind.
    pub kind: WarningKind,
    /// The place in the file: a JSON path, a line, a node's name. The first one, when there are several.
    pub place: String,
    /// A sentence without the place.
    pub message: String,
    /// How often.
    pub count: u32,
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.message)?;
        match (self.place.is_empty(), self.count) {
            (true, _) => Ok(()),
            (false, 0 | 1) => write!(f, " ({})", self.place),
            (false, n) => write!(f, " ({} and {} more)", self.place, n - 1),
        }
    }
}

/// A file as it was read.
#[derive(Debug)]
pub struct SourceFile {
    /// Its number.
    pub id: FileId,
    /// Where it lay.
    pub path: PathBuf,
    /// Modification time when it was read.
    pub modified: Option<SystemTime>,
    /// The whole file; the handle is closed.
    pub bytes: Arc<[u8]>,
    /// Other files it refers to, by the name it uses for them.
    pub side_files: Vec<(String, Arc<[u8]>)>,
    /// What it is.
    pub format: Format,
    /// In words: version and the program that wrote it.
    pub description: String,
    /// Its space.
    pub space: FileSpace,
    /// One tree for the scene.
    pub skeleton: Arc<Skeleton>,
    /// Every take, in file order. Empty for a file without animation.
    pub clips: Vec<Arc<Clip>>,
    /// What is drawn.
    pub meshes: Vec<Mesh>,
    /// Its skins.
    pub skins: Vec<Skin>,
    /// Its materials.
    pub materials: Vec<Material>,
    /// Its base-colour images.
    pub textures: Vec<Texture>,
    /// Roles that the file itself declares (VRM humanoid): the best source of truth.
    pub declared_roles: Vec<(Role, BoneIndex)>,
    /// What the reader has to say.
    pub warnings: Vec<Warning>,
    /// Filled on first use.
    pub hash: OnceLock<[u8; 32]>,
}

impl SourceFile {
    /// File name without folders, for messages.
    pub fn file_name(&self) -> String {
        self.path.file_name().map_or_else(|| "(unnamed)".into(), |name| name.to_string_lossy().into_owned())
    }

    /// File name without folders and extension, for output names.
    pub fn stem(&self) -> String {
        self.path.file_stem().map_or_else(|| "clip".into(), |name| name.to_string_lossy().into_owned())
    }
}
