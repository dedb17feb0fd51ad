//! What several tests share.

pub mod build;
pub mod pose_check;
