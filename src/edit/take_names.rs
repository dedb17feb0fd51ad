//! What a take is called on the desk, and whether anything moves in it.
//!
//! The take's own name, unless it is one that exporters write for want of a better, or the take is the only moving
//! one of its file: then the file's stem. `Armature|` style prefixes are cut.

use crate::motion::SourceFile;
use crate::ops::naming::{free_name, name_key};
pub use crate::ops::still::moves;

/// A take's name on the desk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakeName {
    /// Unique among the takes of the file.
    pub name: String,
    /// Whether anything moves in it; still takes are listed last.
    pub moving: bool,
}

/// Names for all takes of a file, in file order.
pub fn take_names(file: &SourceFile) -> Vec<TakeName> {
    let moving: Vec<bool> = file.clips.iter().map(|clip| moves(clip)).collect();
    let only_one = moving.iter().filter(|&&moves| moves).count() == 1;
    let mut taken = std::collections::HashSet::new();
    let mut names = vec![String::new(); file.clips.len()];
    // Moving takes choose first: the one that people want should not get the number.
    let order = (0..names.len()).filter(|&i| moving[i]).chain((0..names.len()).filter(|&i| !moving[i]));
    for i in order {
        let own = without_prefix(&file.clips[i].name);
        let wish = if is_generic(own) || (moving[i] && only_one) { file.stem() } else { own.to_owned() };
        let name = free_name(&wish, |name| taken.contains(&name_key(name)));
        taken.insert(name_key(&name));
        names[i] = name;
    }
    names.into_iter().zip(moving).map(|(name, moving)| TakeName { name, moving }).collect()
}

/// `Armature|Walk` → `Walk`, `Armature|mixamo.com|Layer0` → `mixamo.com`: Blender joins object, action and layer.
fn without_prefix(name: &str) -> &str {
    let name = name.trim();
    let Some((_, rest)) = name.split_once('|') else { return name };
    match rest.rsplit_once('|') {
        Some((action, layer)) if layer.eq_ignore_ascii_case("Layer0") || layer.eq_ignore_ascii_case("BaseLayer") => {
            action.rsplit_once('|').map_or(action, |(_, last)| last)
        }
        Some((_, last)) => last,
        None => rest,
    }
}

fn is_generic(name: &str) -> bool {
    const GENERIC: [&str; 5] = ["mixamo.com", "Take 001", "Unreal Take", "Animation", "Scene"];
    name.is_empty() || GENERIC.iter().any(|generic| name.eq_ignore_ascii_case(generic))
}
