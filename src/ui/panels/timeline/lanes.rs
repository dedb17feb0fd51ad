//! Which lanes the timeline has, and where the keys of one lie: numbers, tested without a window.

use crate::motion::{Clip, Property, Rig, Role, Side, Times, Track};
use crate::ui::time_axis::TimeScale;

/// A lane below the ruler.
#[derive(Clone, Debug)]
pub enum Lane<'a> {
    /// When a foot is on the ground.
    Contacts {
        /// Path of the bone.
        bone: &'a str,
        /// Whose foot it is, where a role says so.
        side: Option<Side>,
    },
    /// Named instants of one track.
    Markers {
        /// Its name.
        track: &'a str,
    },
    /// Keys of the bone that is looked at.
    Keys {
        /// Its name.
        bone: &'a str,
        /// Of what.
        property: Property,
        /// `None`: it has none.
        track: Option<&'a Track>,
    },
    /// No bone is looked at.
    NoBone,
}

/// A clip's lanes: contacts per bone, the left before the right, markers per track, then the keys of `bone`, a path.
pub fn lanes<'a>(clip: &'a Clip, rig: &Rig, bone: Option<&str>) -> Vec<Lane<'a>> {
    let mut bones: Vec<&str> = Vec::new();
    for contact in &clip.contacts {
        if !bones.contains(&contact.bone.as_str()) {
            bones.push(&contact.bone);
        }
    }
    let mut lanes: Vec<Lane<'a>> =
        bones.into_iter().map(|bone| Lane::Contacts { bone, side: side_of(clip, rig, bone) }).collect();
    lanes.sort_by_key(|lane| match lane {
        Lane::Contacts { side: Some(side), .. } => *side as usize,
        _ => 2,
    });
    let mut tracks: Vec<&str> = Vec::new();
    for marker in &clip.markers {
        if !tracks.contains(&marker.track.as_str()) {
            tracks.push(&marker.track);
        }
    }
    lanes.extend(tracks.into_iter().map(|track| Lane::Markers { track }));
    // A step that inserts a bone changes paths, not names.
    let name = |path: &str| path.rsplit('/').next().and_then(|name| clip.skeleton.find(name));
    let found = bone.and_then(|path| clip.skeleton.find_path(path).or_else(|| name(path)));
    match found {
        None => lanes.push(Lane::NoBone),
        Some(index) => lanes.extend(Property::ALL.map(|property| Lane::Keys {
            bone: &clip.skeleton.bone(index).name,
            property,
            track: clip.track(index, property).map(|track| &**track),
        })),
    }
    lanes
}

/// The side of the foot or toe that a contact's bone plays.
fn side_of(clip: &Clip, rig: &Rig, path: &str) -> Option<Side> {
    let bone = clip.skeleton.find_path(path)?;
    rig.roles.iter().find_map(|(role, of)| match role {
        Role::Foot(side) | Role::Toe(side) | Role::IkFoot(side) if *of == bone => Some(*side),
        _ => None,
    })
}

/// Where the keys that are seen lie, from left to right, at most one in every `column` points: an hour of keys is as
/// few marks as a second of them.
pub fn key_places(times: &Times, scale: &TimeScale, column: f32) -> Vec<f32> {
    let count = times.len();
    let first_from = |secs: f64| {
        let (key, _) = times.locate(secs);
        if times.at(key) < secs { key + 1 } else { key }
    };
    let mut places = Vec::new();
    let mut key = first_from(scale.seen.start_secs);
    while key < count && times.at(key) <= scale.seen.end_secs {
        let place = scale.x(times.at(key));
        places.push(place);
        // The next is the first behind this column; at least the next at all, however times round.
        let behind = scale.left + (((place - scale.left) / column).floor() + 1.0) * column;
        key = first_from(scale.secs(behind)).max(key + 1);
    }
    places
}
