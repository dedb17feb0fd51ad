//! What several tests share.

pub mod rig_text;
