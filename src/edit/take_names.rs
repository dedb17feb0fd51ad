//! What a take is called on the desk, and whether anything moves in it.
//!
//! The take's own name, unless it is one that exporters write for want of a better, or the take is the only moving
//! one of its file: then the file's stem. `Armature|` style prefixes are cut.

use crate::motion::{Clip, Interpolation, Property, SourceFile, Track};
use crate::ops::naming::{free_name, name_key};

/// Below this a number has not moved: a tenth of a millimetre of noise is not motion, nor is a ten-thousandth of a
/// quaternion's component (0.01°).
const STILL: f32 = 1e-4;

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

/// Whether any bone of the clip moves.
pub fn moves(clip: &Clip) -> bool {
    clip.tracks.iter().any(|slots| {
        Property::ALL.into_iter().any(|property| slots[property.slot()].as_ref().is_some_and(|t| varies(t, property)))
    })
}

fn varies(track: &Track, property: Property) -> bool {
    if track.interpolation == Interpolation::CubicSpline {
        return !track.is_constant(property);
    }
    let width = property.width();
    let first = &track.values[..width];
    let near = |value: &[f32], sign: f32| value.iter().zip(first).all(|(v, f)| (v - sign * f).abs() <= STILL);
    // q and −q are one rotation.
    let still = |value: &[f32]| near(value, 1.0) || (property == Property::Rotation && near(value, -1.0));
    !track.values.chunks_exact(width).all(still)
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
