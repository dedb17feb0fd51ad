//! What several tests share.

pub mod build;
pub mod exports;
pub mod gltf_build;
pub mod json_schema;
pub mod pose_check;
pub mod validator;
