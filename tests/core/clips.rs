//! clips
