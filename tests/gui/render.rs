//! From draw list to pixels, on whatever device there is (here software Vulkan); any complaint of the device fails.

mod cli;
mod figures;
mod floor;
mod pictures;
mod real;
mod strokes;
mod subject;
