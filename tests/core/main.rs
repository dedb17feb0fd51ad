//! The tests that need no window.

mod support;

mod architecture;
mod bvh;
mod clips;
mod demo;
mod fbx;
mod gltf_read;
mod gltf_write;
mod history;
mod ops;
mod rig;
mod session;
