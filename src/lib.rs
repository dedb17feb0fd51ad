//! Stridesmith repairs and reshapes the locomotion clips of game animators.
//!
//! # Layers, lowest first
//! A layer uses only those below it; `formats` and `edit` do not know each other, and a test reads the paths.
//!
//! | layer | what it is |
//! |---|---|
//! | [`motion`] | data and mathematics: skeletons, tracks, clips, poses, rig roles |
//! | [`ops`] | clip in, clip out: pure functions with serialisable settings |
//! | [`formats`] | bytes to a [`motion::SourceFile`] and back, proof, publishing |
//! | [`edit`] | the document, the changes to it, and their history |
//! | [`session`] | the application without a window: actions, jobs, results |
//! | `render`, `ui` | the window (feature `gui`) |
//! | [`cli`] | the command line, a thin caller of the session's parts |
//!
//! # Conventions
//! Inside there is one convention, glTF's: metres, seconds, radians, right-handed, +Y up, +Z forward, quaternions
//! x y z w, column vectors (`component_from_local * point_local`). Readers convert in and writers convert out.
//! Key values are stored as `f32`, times as `f64`; everything is computed in `f64` and rounded once.

pub mod cli;
pub mod edit;
pub mod formats;
pub mod motion;
pub mod ops;
#[cfg(feature = "gui")]
pub mod render;
pub mod session;
#[cfg(feature = "gui")]
pub mod ui;
