//! Real clips by other people, where they are at hand.

use std::path::{Path, PathBuf};

/// The folder, or `None` after saying that the test was skipped.
pub fn folder() -> Option<PathBuf> {
    let given = std::env::var_os("STRIDESMITH_CLIPS").map(PathBuf::from);
    let folder = given.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/clips"));
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: no clips in {} (set STRIDESMITH_CLIPS)", folder.display());
    None
}

/// Every file that a reader is for, sorted by its path below the folder.
pub fn all() -> Vec<PathBuf> {
    let Some(folder) = folder() else { return Vec::new() };
    let mut found = Vec::new();
    let mut pending = vec![folder];
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let extension = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
            if path.is_dir() {
                pending.push(path);
            } else if matches!(extension.as_str(), "glb" | "gltf" | "fbx" | "bvh") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Path below the folder.
#[allow(dead_code, reason = "the window's tests share this file and need no short names")]
pub fn short(path: &Path) -> String {
    let folder = folder().unwrap();
    path.strip_prefix(folder).unwrap().display().to_string()
}
