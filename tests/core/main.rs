//! The tests that need no window.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    clippy::print_stderr,
    missing_docs,
    reason = "tests"
)]

mod support;

mod architecture;
mod bvh;
mod checks;
mod cli;
mod clips;
mod command_line;
mod demo;
mod derived;
mod faults;
mod fbx;
mod gltf_read;
mod gltf_write;
mod history;
mod ops;
mod peers;
mod playback;
mod rig;
mod session;
