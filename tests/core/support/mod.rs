//! What several tests share.

pub mod gltf_build;
