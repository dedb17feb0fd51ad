//! Biovision hierarchies: a tree of joints with a table of channel values, one row per frame.
//!
//! The way through: [`parse`] scans bytes into a [`Bvh`] in the file's own units (hierarchy, then rows into one dense
//! channel table); [`Bvh::guess_space`] finds unit and up axis, which the format does not state; [`Bvh::skeleton`] and
//! [`Bvh::clip`] turn the table into bones and tracks. [`read`] does all of it.
//!
//! What holds (M. Meredith and S. Maddock, *Motion Capture File Formats Explained*, 2001, and what files really hold):
//! * A joint's rotation is the product of its axis rotations in listed order, left to right, degrees, column vectors.
//! * Position channels *replace* the OFFSET of their axis ([`ReadOptions::add_positions_to_offset`]: are added to it);
//!   axes without one keep the OFFSET. Of two channels for one position axis the later counts.
//! * The node pose is OFFSET without rotation, and every joint is a bone; an End Site is none.
//! * A joint with rotation channels gets a rotation track. A top joint with position channels gets a translation
//!   track, a deeper one only where it leaves its OFFSET visibly: exporters write six channels for every joint.
//! * All tracks share one [`Times::Uniform`](crate::motion::Times::Uniform) that starts at 0.
//!
//! **Origins**: [`Origin::channel`](crate::motion::Origin) is `2 × joint` for a translation and `2 × joint + 1` for a
//! rotation; a joint's number is its place among the file's ROOTs and JOINTs, also [`Bone::node`] and the bone's index.
//!
//! [`Bone::node`]: crate::motion::Bone::node

mod convert;
mod frame_time;
mod hierarchy;
mod number;
mod rows;
mod scan;
mod space;

use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::{Limits, ReadError, ReadOptions};
use crate::motion::{FileId, Format, FrameRate, SourceFile, Warning};

pub use hierarchy::{Axis, Channel, Joint};
pub use scan::ParseError;
pub use space::Guess;

/// A file's contents in its own units and axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Bvh {
    /// In file order, which puts parents before children; never empty.
    pub joints: Vec<Joint>,
    /// Channels of all joints together: the width of a row.
    pub width: usize,
    /// Rows of the table; 0 for a file without motion, or without channels.
    pub frames: usize,
    /// Lengths in file units, angles in degrees, all finite. Shape `[frames × width]`.
    pub table: Vec<f32>,
    /// Distance of rows in seconds, the rounding of the text undone.
    pub frame_secs: f64,
    /// `1 / frame_secs`.
    pub rate: FrameRate,
    /// What was odd and what was done about it.
    pub warnings: Vec<Warning>,
}

impl Bvh {
    /// One frame's channel values. Shape `[width]`.
    pub fn row(&self, frame: usize) -> &[f32] {
        &self.table[frame * self.width..(frame + 1) * self.width]
    }
}

/// Scans a file's bytes into hierarchy and channel table, in the file's own units.
///
/// # Errors
/// [`ParseError::Malformed`] with the line where the text stops being a BVH; [`ParseError::TooLarge`] beyond a limit.
/// Memory stays within a small multiple of the file's size.
pub fn parse(bytes: &[u8], limits: &Limits) -> Result<Bvh, ParseError> {
    let mut scan = scan::Scanner::new(bytes);
    let mut warnings = Vec::new();
    let joints = hierarchy::read(&mut scan, limits, &mut warnings)?;
    let head = rows::read_head(&mut scan, &mut warnings)?;
    let rest: Vec<f32> = joints.iter().flat_map(Joint::resting_channels).collect();
    let width = rest.len();
    let table = rows::read(&scan, &rest, &head, limits, &mut warnings)?;
    let frames = table.len().checked_div(width).unwrap_or(0);
    let (frame_secs, rate) = frame_time::resolve(&head, frames, &mut warnings);
    Ok(Bvh { joints, width, frames, table, frame_secs, rate, warnings })
}

/// Opens a file. One without motion has a skeleton and no clip.
///
/// # Errors
/// See [`parse`]; `path` names the file.
pub fn read(id: FileId, path: &Path, bytes: Arc<[u8]>, options: &ReadOptions) -> Result<SourceFile, ReadError> {
    let mut bvh = parse(&bytes, &options.limits).map_err(|error| error.in_file(path))?;
    let mut warnings = std::mem::take(&mut bvh.warnings);
    let guess = bvh.guess_space(options, &mut warnings);
    let skeleton = bvh.skeleton(&guess.space).map_err(|error| ReadError::Malformed {
        file: path.display().to_string(),
        place: "HIERARCHY".into(),
        reason: error.to_string(),
        advice: String::new(),
    })?;
    let mut file = SourceFile {
        id,
        path: path.to_owned(),
        modified: None,
        bytes,
        side_files: Vec::new(),
        format: Format::Bvh,
        description: format!("BVH, {} joints, {} channels, {} frames", bvh.joints.len(), bvh.width, bvh.frames),
        space: guess.space,
        skeleton: Arc::new(skeleton),
        clips: Vec::new(),
        meshes: Vec::new(),
        skins: Vec::new(),
        materials: Vec::new(),
        textures: Vec::new(),
        declared_roles: Vec::new(),
        warnings,
        hash: OnceLock::new(),
    };
    let name = file.stem();
    file.clips.extend(bvh.clip(id, name, &file.skeleton, &guess, options).map(Arc::new));
    Ok(file)
}
