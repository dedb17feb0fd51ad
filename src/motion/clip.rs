//! An animation: tracks on a skeleton, with what was found in it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::marks::{Contact, Curve, Marker};
use super::pose::{ComponentPose, LocalPose, Sampler};
use super::skeleton::{BoneIndex, Skeleton};
use super::time::{FrameRate, TimeRange};
use super::track::{Property, Track};

/// Whether and how a clip repeats. Set on opening as a guess, edited as a step; operations read it and never guess.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cycle {
    /// It does not.
    #[default]
    None,
    /// The last key is the first pose again.
    LastRepeatsFirst,
    /// The first pose would come one frame after the last key.
    OneShort,
}

/// An animation. Stores tracks, never a dense grid; an operation passes untouched `Arc`s on.
#[derive(Clone, Debug)]
pub struct Clip {
    /// The file's own name of the take.
    pub name: String,
    /// What the tracks drive.
    pub skeleton: Arc<Skeleton>,
    /// Per bone: translation, rotation, scale ([`Property::slot`]). Shape `[bones]`.
    pub tracks: Vec<[Option<Arc<Track>>; 3]>,
    /// The file's own times, first key to last unless the file says otherwise.
    pub range: TimeRange,
    /// Frames per second; key times need not lie on its frames.
    pub rate: FrameRate,
    /// Whether it repeats.
    pub cycle: Cycle,
    /// Intervals in which a foot stays put.
    pub contacts: Vec<Contact>,
    /// Named instants.
    pub markers: Vec<Marker>,
    /// Named numbers over time.
    pub curves: Vec<Curve>,
    /// Number of the take in its file; `None` for a clip that was generated.
    pub take: Option<u32>,
}

impl Clip {
    /// A clip without tracks.
    pub fn empty(name: impl Into<String>, skeleton: Arc<Skeleton>, range: TimeRange, rate: FrameRate) -> Self {
        let tracks = vec![[None, None, None]; skeleton.len()];
        Self {
            name: name.into(),
            skeleton,
            tracks,
            range,
            rate,
            cycle: Cycle::None,
            contacts: Vec::new(),
            markers: Vec::new(),
            curves: Vec::new(),
            take: None,
        }
    }

    /// One track.
    pub fn track(&self, bone: BoneIndex, property: Property) -> Option<&Arc<Track>> {
        self.tracks[bone.get()][property.slot()].as_ref()
    }

    /// Replaces one track. Values and times that are bitwise the old ones keep the old track, origins and all.
    pub fn set_track(&mut self, bone: BoneIndex, property: Property, track: Track) {
        let slot = &mut self.tracks[bone.get()][property.slot()];
        if let Some(old) = slot {
            let same_values = old.values.len() == track.values.len()
                && old.values.iter().zip(track.values.iter()).all(|(a, b)| a.to_bits() == b.to_bits());
            if same_values && old.interpolation == track.interpolation && *old.times == *track.times {
                return;
            }
        }
        *slot = Some(Arc::new(track));
    }

    /// Component-space pose at one time; for many times keep a [`Sampler`].
    pub fn component_at(&self, secs: f64) -> ComponentPose {
        let mut local = LocalPose::node_pose(&self.skeleton);
        Sampler::new(self).local(secs, &mut local);
        let mut component = ComponentPose::new(&self.skeleton);
        component.set(&self.skeleton, &local);
        component
    }

    /// Bytes of keys this clip alone would hold, for caches.
    pub fn heap_bytes(&self) -> usize {
        let values: usize = self.tracks.iter().flatten().flatten().map(|track| track.values.len() * 4).sum();
        values + self.tracks.len() * size_of::<[Option<Arc<Track>>; 3]>()
    }
}
