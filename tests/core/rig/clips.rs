//! Roles on real clips.
