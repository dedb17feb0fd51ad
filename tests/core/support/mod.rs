//! What several tests share.

pub mod fbx_ascii;
