//! What a file may ask for, in one table.

/// Bounds on a file. A reader checks each count before it allocates by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Size of the file itself.
    pub file_bytes: u64,
    /// Size of all side files together.
    pub side_bytes: u64,
    /// Nodes of a scene.
    pub nodes: u64,
    /// Depth of the hierarchy. (JSON may be nested as deep as its parser takes it, 128 levels.)
    pub depth: u64,
    /// Takes of a file.
    pub clips: u64,
    /// Keys × channels of one take, for formats that are resampled or dense.
    pub samples: u64,
    /// Vertices of all meshes together.
    pub vertices: u64,
    /// Bytes that decoding may take beyond the file itself.
    pub decoded_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 2 << 30,
            side_bytes: 2 << 30,
            nodes: 65_536,
            depth: 512,
            clips: 4_096,
            samples: 256 << 20,
            vertices: 16 << 20,
            decoded_bytes: 2 << 30,
        }
    }
}
