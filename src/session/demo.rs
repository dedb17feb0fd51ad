//! The built-in character as a file on the desk.

use crate::motion::demo::{DemoError, DemoSpec, Family, Gait, generate_set};
use crate::motion::{FileId, SourceFile};

/// The built-in character in all its gaits.
///
/// # Errors
/// None with the settings given here.
pub fn demo_file(id: FileId) -> Result<SourceFile, DemoError> {
    let specs = Gait::ALL.map(|gait| DemoSpec::new(gait, Family::Unreal));
    Ok(generate_set(&specs, id)?.file)
}
