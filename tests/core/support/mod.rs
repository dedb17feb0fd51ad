//! What several tests share.

pub mod build;
pub mod desk;
pub mod gltf_build;
pub mod pose_check;
pub mod rig_text;
