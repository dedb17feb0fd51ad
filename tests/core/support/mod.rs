//! What several tests share.

pub mod bvh_text;
