//! What several tests share.

pub mod exports;
pub mod gltf_build;
pub mod json_schema;
pub mod validator;
