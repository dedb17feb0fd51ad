//! A character ready for drawing, built once per file and shared.

use glam::DVec3;

use crate::motion::SourceFile;

/// Vertices, skins and pictures of one file, laid out for the graphics card.
#[derive(Debug)]
pub struct Model {
    id: u64,
    /// Corner and opposite corner of the meshes in the node pose, component space; `None` without meshes.
    pub bounds: Option<[DVec3; 2]>,
    /// What could not be drawn as the file says.
    pub notes: Vec<String>,
}

impl PartialEq for Model {
    /// Models are compared by identity: one is built per file and shared.
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Model {
    /// Lays a file's meshes out and decodes its pictures; slow for big files, so call it off the window's thread.
    pub fn new(_source: &SourceFile) -> Self {
        Self { id: 0, bounds: None, notes: Vec::new() }
    }
}
