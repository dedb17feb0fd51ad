//! Tests of the window, by accessible label, on software Vulkan where they look at pixels.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::disallowed_methods, reason = "tests")]

mod clips;
mod flows;
mod history_panel;
mod plots;
#[path = "../core/support/clips.rs"]
mod real_clips;
mod render;
mod rig_panel;
mod steps;
mod support;
mod timeline;
mod viewport;
mod window;
