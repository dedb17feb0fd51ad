//! Files that were opened, newest first, for the menu and the empty window.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// The list. What lies nowhere now stays: a drive may be plugged in again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<PathBuf>", into = "Vec<PathBuf>")]
pub struct Recent(Vec<PathBuf>);

impl Recent {
    /// So many are remembered.
    pub const MOST: usize = 20;

    /// Puts a file first; one that is known already moves up.
    pub fn add(&mut self, path: &Path) {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        self.forget(&path);
        self.0.insert(0, path);
        self.0.truncate(Self::MOST);
    }

    /// Takes one off the list.
    pub fn forget(&mut self, path: &Path) {
        self.0.retain(|known| known != path);
    }

    /// Newest first.
    pub fn paths(&self) -> &[PathBuf] {
        &self.0
    }

    /// Each with whether it is there now. Asks the disk: not for every frame.
    pub fn look(&self) -> Vec<(PathBuf, bool)> {
        self.0.iter().map(|path| (path.clone(), path.exists())).collect()
    }
}

/// A file of settings may have been changed by hand.
impl From<Vec<PathBuf>> for Recent {
    fn from(paths: Vec<PathBuf>) -> Self {
        let mut recent = Self::default();
        paths.iter().take(Self::MOST).rev().for_each(|path| recent.add(path));
        recent
    }
}

impl From<Recent> for Vec<PathBuf> {
    fn from(recent: Recent) -> Self {
        recent.0
    }
}
