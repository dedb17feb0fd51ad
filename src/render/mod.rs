//! Pictures of characters: a plain draw list ([`scene`]), the camera that looks at it, and wgpu drawing it.
//!
//! Knows [`crate::motion`] alone: no egui, no files, no session. The window draws through [`Gpu`], the command line
//! and the tests through [`offscreen`].

pub mod bones;
pub mod camera;
pub mod gpu;
pub mod model;
pub mod offscreen;
mod picture;
pub mod portrait;
pub mod scene;

pub use bones::bone_shapes;
pub use camera::{Camera, Projection, Ray, View};
pub use gpu::Gpu;
pub use model::Model;
pub use offscreen::{Offscreen, RenderError};
pub use portrait::Portrait;
pub use scene::{
    Arrow, BoneShape, Color, Depth, Disc, Figure, FigureStyle, Ground, Palette, Polyline, Scene, rgb, towards_light,
    with_alpha,
};
