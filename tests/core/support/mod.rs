//! What several tests share.

pub mod gltf_build;
pub mod rig_text;
