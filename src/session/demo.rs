//! The built-in character as a file on the desk.
//!
//! Such a file's bytes are its recipe, so that a project can make it again.

use crate::motion::demo::{DemoError, DemoSpec, Family, Gait, generate_set};
use crate::motion::{FileId, Format, SourceFile};

/// The built-in character in all its gaits.
///
/// # Errors
/// None with the settings given here.
pub fn demo_file(id: FileId) -> Result<SourceFile, DemoError> {
    demo_file_of(&Gait::ALL.map(|gait| DemoSpec::new(gait, Family::Unreal)), id)
}

/// Clips of the built-in character.
///
/// # Errors
/// See [`DemoError`].
pub fn demo_file_of(specs: &[DemoSpec], id: FileId) -> Result<SourceFile, DemoError> {
    // Plain numbers, which JSON always takes; without a recipe the file is only not made again by a project.
    let recipe = serde_json::to_vec(specs).unwrap_or_default();
    Ok(SourceFile { bytes: recipe.into(), ..generate_set(specs, id)?.file })
}

/// How a file was made, if it was made here.
pub fn recipe_of(file: &SourceFile) -> Option<Vec<DemoSpec>> {
    (file.format == Format::Generated).then(|| serde_json::from_slice(&file.bytes).ok()).flatten()
}

/// Whether a recipe, which may come from a damaged project, asks for no more than a person would make.
pub(super) fn is_modest(specs: &[DemoSpec]) -> bool {
    const MOST_CLIPS: usize = 100;
    const MOST_KEYS: f64 = 200_000.0;
    // A stride takes about a second.
    let keys: f64 = specs.iter().map(|spec| f64::from(spec.cycles) * spec.rate.fps()).sum();
    specs.len() <= MOST_CLIPS && keys <= MOST_KEYS
}
