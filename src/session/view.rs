//! What of a clip is shown, and how: the person's choice, kept with the session and not undone.

use serde::{Deserialize, Serialize};

/// How a clip that travels is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TravelView {
    /// The figure goes on round after round, turn and way adding up.
    #[default]
    Travels,
    /// The figure stays and the ground moves under it.
    Treadmill,
    /// Each round starts where the file starts.
    AsInFile,
}

/// How the source is shown beside what became of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ghost {
    /// It is not.
    #[default]
    Off,
    /// Over the result, translucent.
    Over,
    /// Beside it.
    Beside,
}

/// What is drawn in the 3D view, and in which way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct View {
    /// How travel is shown.
    pub travel: TravelView,
    /// Speed of the treadmill's ground, m/s; `None`: the clip's own.
    pub treadmill_m_s: Option<f64>,
    /// Draw the meshes.
    pub mesh: bool,
    /// Draw the bones.
    pub bones: bool,
    /// Draw the ways of pelvis and feet.
    pub trails: bool,
    /// Draw the raw and the chosen path.
    pub paths: bool,
    /// Draw the grid.
    pub grid: bool,
    /// Draw the shadow.
    pub shadow: bool,
    /// The source beside the result.
    pub ghost: Ghost,
    /// Show the source instead of the result, while a key is held.
    #[serde(skip)]
    pub flipped: bool,
    /// Keep the figure in the middle.
    pub follow: bool,
    /// The bone that is looked at, by its path.
    #[serde(skip)]
    pub bone: Option<String>,
}

impl Default for View {
    fn default() -> Self {
        Self {
            travel: TravelView::default(),
            treadmill_m_s: None,
            mesh: true,
            bones: false,
            trails: true,
            paths: true,
            grid: true,
            shadow: true,
            ghost: Ghost::Off,
            flipped: false,
            follow: true,
            bone: None,
        }
    }
}
