//! What several tests share.

pub mod build;
pub mod bvh_text;
pub mod clips;
pub mod desk;
pub mod exports;
pub mod fbx_ascii;
pub mod gltf_build;
pub mod json_schema;
pub mod pose_check;
pub mod rig_text;
pub mod validator;
