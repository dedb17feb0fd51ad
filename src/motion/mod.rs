//! Data and mathematics of motion; depends on glam and serde alone.
//!
//! *Local space* is relative to the parent bone. *Component space* is the space above the skeleton's topmost node:
//! the whole chain multiplied up, in metres. Local transforms are [`Transform`]s, component transforms are
//! [`glam::DAffine3`], which stay exact where a chain holds a non-uniform scale; a mix-up does not compile.

pub mod chain;
pub mod clip;
pub mod demo;
pub mod leg_ik;
pub mod marks;
pub mod mesh;
pub mod pose;
pub mod rig;
pub mod skeleton;
pub mod source;
pub mod time;
pub mod track;
pub mod transform;

pub use chain::{ChainSampler, chain_to};
pub use clip::{Clip, Cycle};
pub use marks::{Contact, Curve, Marker};
pub use mesh::{Material, Mesh, Skin, Texture};
pub use pose::{ComponentPose, LocalPose, Sampler};
pub use rig::{Rig, Role, RoleOverrides, Side};
pub use skeleton::{Bone, BoneIndex, Skeleton, SkeletonError};
pub use source::{FileId, FileSpace, Format, SourceFile, Warning, WarningKind};
pub use time::{FrameRate, TimeRange, Times};
pub use track::{Interpolation, Origin, Property, Track, TrackError};
pub use transform::Transform;
