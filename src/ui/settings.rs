//! What the window remembers from one day to the next: theme, habits of the mouse, layout, what is drawn, recent files.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::commands::Navigation;
use super::dock::Dock;
use super::theme::ThemeChoice;
use crate::session::View;
use crate::session::recent::Recent;

/// Everything that is remembered.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Light or dark.
    pub theme: ThemeChoice,
    /// Whose habits the mouse follows.
    pub navigation: Navigation,
    /// Where panels are.
    pub dock: Dock,
    /// What is drawn.
    pub view: View,
    /// Files that were opened, newest first.
    pub recent: Recent,
    /// The folder that was last chosen for exports.
    pub export_folder: Option<PathBuf>,
    /// Number of the first frame, as rulers show it: 0, 1 or 1001.
    pub first_frame: i64,
}

impl Settings {
    /// The folder of the program's own files for this person; `None` on a system without one.
    pub fn folder() -> Option<PathBuf> {
        directories::ProjectDirs::from("", "", "stridesmith").map(|dirs| dirs.config_dir().to_owned())
    }

    /// As written; the defaults where there is no file, and where it cannot be understood, which is said.
    pub fn load(folder: &Path) -> (Self, Option<String>) {
        let path = folder.join("settings.json");
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return (Self::default(), None),
            Err(error) => return (Self::default(), Some(format!("{error}: {}", path.display()))),
        };
        match serde_json::from_str(&text) {
            Ok(settings) => (settings, None),
            Err(error) => {
                let said = format!("the settings could not be read and are as at first ({error}): {}", path.display());
                (Self::default(), Some(said))
            }
        }
    }

    /// Written beside and moved over, so that a crash leaves the old file or the new one.
    ///
    /// # Errors
    /// The folder or the file cannot be written.
    pub fn save(&self, folder: &Path) -> std::io::Result<()> {
        std::fs::create_dir_all(folder)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        serde_json::to_writer_pretty(&mut file, self)?;
        file.flush()?;
        file.persist(folder.join("settings.json")).map_err(|error| error.error)?;
        Ok(())
    }

    /// Where clips go that no file on disk was the source of: the folder last chosen, or else the person's own.
    pub fn folder_for_exports(&self) -> PathBuf {
        let own = || directories::UserDirs::new().map(|dirs| dirs.document_dir().unwrap_or(dirs.home_dir()).to_owned());
        self.export_folder.clone().or_else(own).unwrap_or_else(std::env::temp_dir)
    }

    /// Remembers an opened file.
    pub fn opened(&mut self, path: &Path) {
        self.recent.add(path);
    }
}
