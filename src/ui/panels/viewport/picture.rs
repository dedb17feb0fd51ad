//! The picture of the draw list in the panel.

use eframe::egui::{Rect, Ui};

use super::flat;
use crate::render::Scene;

/// What pictures are drawn with.
#[derive(Default)]
pub struct Picture;

impl Picture {
    /// Whether meshes can be drawn; else bones stand in for them.
    pub fn draws_meshes(&self) -> bool {
        false
    }

    /// Draws it.
    pub fn ui(&self, ui: &Ui, rect: Rect, scene: &Scene) {
        flat::paint(ui.painter(), rect, scene);
    }
}
