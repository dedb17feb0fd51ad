//! What several tests share.

pub mod rig_text;
pub mod gltf_build;
