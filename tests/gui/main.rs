//! Tests of the window, by accessible label, on software Vulkan where they look at pixels.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

mod plots;
mod support;
mod timeline;
mod window;
