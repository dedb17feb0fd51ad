//! Tests of the window, by accessible label, on software Vulkan where they look at pixels.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "tests")]

mod clips;
mod history_panel;
mod render;
mod rig_panel;
mod steps;
mod support;
mod viewport;
mod window;
