//! How far two clips can be apart at most, without posing either.
//!
//! Most of what is read back has the very keys that were written: then only rounded times and node transforms tell
//! the two apart, and what that does at one time follows from the steps between keys. Errors add up along a chain of
//! bones as `‖M'₁M'₂ − M₁M₂‖ ≤ ‖M'₁ − M₁‖·‖M'₂‖ + ‖M₁‖·‖M'₂ − M₂‖`. The bound is larger than the difference, so it can
//! let pass only what is alike; what it does not let pass has to be posed and looked at.

use std::sync::Arc;

use glam::{DQuat, DVec3};

use super::Tolerance;
use crate::motion::transform::{angle_between, nearer};
use crate::motion::{BoneIndex, Clip, Interpolation, Property, Times, Track};

/// Two clips whose bones differ by little and by known amounts.
pub(super) struct Bound<'c> {
    /// Key times of ours and theirs that go together.
    groups: Vec<(&'c Arc<Times>, &'c Arc<Times>)>,
    /// Per group, where the time asked for last lies.
    places: Vec<Place>,
    bones: Vec<Bone>,
    /// Per bone, at the time asked for last.
    off: Vec<Off>,
}

/// Where a time lies among the keys of ours and theirs.
#[derive(Clone, Copy)]
struct Place {
    keys: (usize, usize),
    /// How far apart, in steps from key to key.
    apart: f64,
}

struct Bone {
    /// Place of the parent among the bones.
    parent: Option<usize>,
    translation: Part,
    rotation: Part,
    scale: Part,
    /// The longest translation.
    length: f64,
    /// The largest and the smallest scale.
    sizes: (f64, f64),
}

/// How one property differs.
enum Part {
    /// By no more than this, at all times.
    Still(f64),
    /// Stepped tracks with the same keys, of a group: not at all while they are at the same key.
    Stepped(usize),
    /// Linear tracks with the same keys, of a group, and how far it is from each key to the next.
    Linear(usize, Box<[f64]>),
}

/// A bone in component space: `M` its matrix, ours, and how far theirs may be off.
#[derive(Clone, Copy)]
struct Off {
    /// At least `‖M‖`.
    most: f64,
    /// At most the length of `M`'s shortest axis.
    least: f64,
    /// At least `‖M' − M‖`.
    matrix: f64,
    /// At least the distance of the two places.
    distance: f64,
}

impl<'c> Bound<'c> {
    /// `None` where some bone's keys are not the same, or its parent is another.
    pub(super) fn new(ours: &'c Clip, theirs: &'c Clip, pairs: &[(BoneIndex, BoneIndex)]) -> Option<Self> {
        let mut place_of = vec![None; ours.skeleton.len()];
        let mut bound = Self { groups: Vec::new(), places: Vec::new(), bones: Vec::new(), off: Vec::new() };
        for (i, &(a, b)) in pairs.iter().enumerate() {
            let parent = match (ours.skeleton.parent(a), theirs.skeleton.parent(b)) {
                (None, None) => None,
                (Some(above), Some(their_above)) => {
                    Some(place_of[above.get()].filter(|&at: &usize| pairs[at].1 == their_above)?)
                }
                _ => return None,
            };
            place_of[a.get()] = Some(i);
            let mut part = |property| bound.part((ours, a), (theirs, b), property);
            let (translation, rotation, scale) =
                (part(Property::Translation)?, part(Property::Rotation)?, part(Property::Scale)?);
            let lengths = vectors(ours, a, Property::Translation).map(|v| v.length());
            let sizes = vectors(ours, a, Property::Scale).map(|v| (v.abs().max_element(), v.abs().min_element()));
            bound.bones.push(Bone {
                parent,
                translation,
                rotation,
                scale,
                length: lengths.fold(0.0, f64::max),
                sizes: sizes.fold((0.0, f64::INFINITY), |(most, least), (m, l)| (most.max(m), least.min(l))),
            });
        }
        Some(bound)
    }

    fn part(&mut self, ours: (&'c Clip, BoneIndex), theirs: (&'c Clip, BoneIndex), property: Property) -> Option<Part> {
        let moving = |(clip, bone): (&'c Clip, BoneIndex)| {
            clip.track(bone, property).map(|track| &**track).filter(|track| !track.is_constant(property))
        };
        let (our, their) = match (moving(ours), moving(theirs)) {
            (None, None) => return Some(Part::Still(still_apart(ours, theirs, property))),
            (Some(our), Some(their)) => (our, their),
            _ => return None,
        };
        let same = our.interpolation == their.interpolation
            && our.times.len() == their.times.len()
            && our.values == their.values;
        let group = same.then(|| self.group(&our.times, &their.times))?;
        match our.interpolation {
            Interpolation::Step => Some(Part::Stepped(group)),
            Interpolation::Linear => Some(Part::Linear(group, steps(our, property))),
            Interpolation::CubicSpline => None,
        }
    }

    fn group(&mut self, our: &'c Arc<Times>, their: &'c Arc<Times>) -> usize {
        let known = self.groups.iter().position(|(a, b)| Arc::ptr_eq(a, our) && Arc::ptr_eq(b, their));
        known.unwrap_or_else(|| {
            self.groups.push((our, their));
            self.places.push(Place { keys: (0, 0), apart: 0.0 });
            self.groups.len() - 1
        })
    }

    /// At our time `secs` and theirs, `written`: the largest distance and angle there can be, metres and radians, if
    /// they are within `tolerance` at every bone.
    pub(super) fn within(&mut self, secs: f64, written: f64, tolerance: &Tolerance) -> Option<(f64, f64)> {
        for ((ours, theirs), place) in self.groups.iter().zip(&mut self.places) {
            let (a, u) = ours.locate_near(secs, place.keys.0);
            let (b, v) = theirs.locate_near(written, place.keys.1);
            *place = Place { keys: (a, b), apart: (a as f64 + u - b as f64 - v).abs() };
        }
        self.off.clear();
        let (mut distance_m, mut angle_rad) = (0.0_f64, 0.0_f64);
        for bone in &self.bones {
            let off = bone.off(bone.parent.map(|parent| self.off[parent]), &self.places)?;
            // Axes of length 1 that are apart by δ have been turned by no more than 2δ.
            let angle = 2.0 * off.matrix / off.least;
            // Written so that a NaN is not within.
            let within = off.distance <= tolerance.distance_m && angle <= tolerance.angle_rad.min(tolerance.scale);
            if !within {
                return None;
            }
            (distance_m, angle_rad) = (distance_m.max(off.distance), angle_rad.max(angle));
            self.off.push(off);
        }
        Some((distance_m, angle_rad))
    }
}

impl Bone {
    /// `None` where a stepped track may be on either side of a jump.
    fn off(&self, parent: Option<Off>, places: &[Place]) -> Option<Off> {
        let (most, least) = self.sizes;
        let moved = self.translation.apart(places)?;
        let matrix = most * self.rotation.apart(places)? + self.scale.apart(places)?;
        let Some(parent) = parent else { return Some(Off { most, least, matrix, distance: moved }) };
        Some(Off {
            most: parent.most * most,
            least: parent.least * least,
            matrix: parent.matrix * (most + matrix) + parent.most * matrix,
            distance: parent.distance + parent.matrix * (self.length + moved) + parent.most * moved,
        })
    }
}

impl Part {
    fn apart(&self, places: &[Place]) -> Option<f64> {
        match self {
            Self::Still(apart) => Some(*apart),
            Self::Stepped(group) => {
                let (a, b) = places[*group].keys;
                (a == b).then_some(0.0)
            }
            Self::Linear(group, steps) => {
                let Place { keys: (a, b), apart } = places[*group];
                let step = |key: usize| steps[key.min(steps.len() - 1)];
                match a.abs_diff(b) {
                    0 => Some(apart * step(a)),
                    1 => Some(apart * (step(a) + step(b))),
                    _ => None,
                }
            }
        }
    }
}

/// From each key of a linear track to the next: the distance, or at least the angle in radians. An angle is
/// `4·asin(c/2)` for the chord `c` of the quaternions, at most `2.23·c` for those that are at right angles at most.
fn steps(track: &Track, property: Property) -> Box<[f64]> {
    let keys = 1..track.times.len();
    if property == Property::Rotation {
        let chord = |a: DQuat, b: DQuat| (nearer(b, a) - a).length();
        return keys.map(|i| 2.25 * chord(track.quat_key(i - 1), track.quat_key(i))).collect();
    }
    keys.map(|i| track.vec3_key(i - 1).distance(track.vec3_key(i))).collect()
}

fn still_apart(ours: (&Clip, BoneIndex), theirs: (&Clip, BoneIndex), property: Property) -> f64 {
    if property == Property::Rotation {
        let rotation = |(clip, bone): (&Clip, BoneIndex)| {
            clip.track(bone, property).map_or(clip.skeleton.bone(bone).node_pose.rotation, |track| track.quat_key(0))
        };
        return angle_between(rotation(ours), rotation(theirs));
    }
    let first = |(clip, bone)| vectors(clip, bone, property).next().unwrap_or(DVec3::NAN);
    first(ours).distance(first(theirs))
}

/// All keys of a bone's translation or scale, or the one of the node.
fn vectors(clip: &Clip, bone: BoneIndex, property: Property) -> impl Iterator<Item = DVec3> + '_ {
    let node = clip.skeleton.bone(bone).node_pose;
    let still = if property == Property::Scale { node.scale } else { node.translation };
    let track = clip.track(bone, property);
    let n = track.map_or(1, |track| track.times.len());
    (0..n).map(move |i| track.map_or(still, |track| track.vec3_key(i)))
}
