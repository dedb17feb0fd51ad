//! One transform per bone at one time, and how a clip is evaluated to it.

use glam::{DAffine3, DQuat, DVec3};

use super::clip::Clip;
use super::skeleton::{BoneIndex, Skeleton};
use super::time::Times;
use super::track::{Property, Track};
use super::transform::{Transform, rotation_of};

/// Transforms relative to the parents. Shape `[bones]`.
#[derive(Clone, Debug, PartialEq)]
pub struct LocalPose(pub Vec<Transform>);

impl LocalPose {
    /// The file's own node transforms.
    pub fn node_pose(skeleton: &Skeleton) -> Self {
        Self(skeleton.bones().iter().map(|bone| bone.node_pose).collect())
    }
}

/// Transforms above the topmost node, metres. Shape `[bones]`.
#[derive(Clone, Debug, PartialEq)]
pub struct ComponentPose(pub Vec<DAffine3>);

impl ComponentPose {
    /// Filled by [`Self::set`].
    pub fn new(skeleton: &Skeleton) -> Self {
        Self(vec![DAffine3::IDENTITY; skeleton.len()])
    }

    /// Multiplies the chains up: one pass, parents before children.
    pub fn set(&mut self, skeleton: &Skeleton, local: &LocalPose) {
        self.0.resize(skeleton.len(), DAffine3::IDENTITY);
        for (i, (bone, transform)) in skeleton.bones().iter().zip(&local.0).enumerate() {
            let own = transform.to_affine();
            self.0[i] = bone.parent.map_or(own, |parent| self.0[parent.get()] * own);
        }
    }

    /// Position of a bone, metres.
    pub fn position(&self, bone: BoneIndex) -> DVec3 {
        self.0[bone.get()].translation
    }

    /// Rotation of a bone, scale removed.
    pub fn rotation(&self, bone: BoneIndex) -> DQuat {
        rotation_of(&self.0[bone.get()])
    }
}

struct Channel<'c> {
    bone: u32,
    group: u32,
    property: Property,
    track: &'c Track,
}

/// Evaluates a clip at any time: past the ends the end keys are held, bones without a track keep the node pose.
///
/// Tracks that share key times are located once per pose, and constant tracks are folded into the base pose, so
/// random access costs what forward playback costs.
pub struct Sampler<'c> {
    base: LocalPose,
    groups: Vec<&'c Times>,
    located: Vec<(u32, f64)>,
    channels: Vec<Channel<'c>>,
}

impl<'c> Sampler<'c> {
    /// Groups the clip's tracks by their key times.
    pub fn new(clip: &'c Clip) -> Self {
        Self::of_bones(clip, |_| true)
    }

    /// As [`Self::new`], for the tracks of some bones only; the others keep the node pose.
    pub fn of_bones(clip: &'c Clip, wanted: impl Fn(BoneIndex) -> bool) -> Self {
        let mut base = LocalPose::node_pose(&clip.skeleton);
        let mut groups: Vec<&'c Times> = Vec::new();
        let mut group_of = std::collections::HashMap::new();
        let mut channels = Vec::new();
        for (bone, tracks) in clip.skeleton.indices().zip(&clip.tracks) {
            if !wanted(bone) {
                continue;
            }
            for property in Property::ALL {
                let Some(track) = tracks[property.slot()].as_deref() else { continue };
                if track.is_constant(property) {
                    put(&mut base.0[bone.get()], property, track, 0, 0.0);
                    continue;
                }
                let times: &'c Times = &track.times;
                let group = *group_of.entry(std::ptr::from_ref(times)).or_insert_with(|| {
                    groups.push(times);
                    groups.len() as u32 - 1
                });
                channels.push(Channel { bone: bone.0, group, property, track });
            }
        }
        let located = vec![(0, 0.0); groups.len()];
        Self { base, groups, located, channels }
    }

    /// Writes the local pose at `secs` (the file's time) into `pose`.
    pub fn local(&mut self, secs: f64, pose: &mut LocalPose) {
        for (times, place) in self.groups.iter().zip(&mut self.located) {
            let (key, u) = times.locate(secs);
            *place = (key as u32, u);
        }
        pose.0.clone_from(&self.base.0);
        for channel in &self.channels {
            let (key, u) = self.located[channel.group as usize];
            put(&mut pose.0[channel.bone as usize], channel.property, channel.track, key as usize, u);
        }
    }
}

fn put(transform: &mut Transform, property: Property, track: &Track, key: usize, u: f64) {
    match property {
        Property::Translation => transform.translation = track.vec3_at(key, u),
        Property::Rotation => transform.rotation = track.quat_at(key, u),
        Property::Scale => transform.scale = track.vec3_at(key, u),
    }
}
