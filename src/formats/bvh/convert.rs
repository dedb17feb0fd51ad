//! From the channel table to bones and tracks.

use std::sync::Arc;

use glam::{DQuat, DVec3};

use super::Bvh;
use super::hierarchy::{Axis, Channel, Joint};
use super::space::Guess;
use crate::formats::{ReadOptions, axes};
use crate::motion::{
    Bone, BoneIndex, Clip, FileId, FileSpace, Interpolation, Origin, Property, Skeleton, SkeletonError, TimeRange,
    Times, Track, Transform,
};

/// A deeper joint's positions become a track when they leave its OFFSET by more than this part of the figure's
/// height: 1e-4 units, the usual bound, of a person in centimetres is as much, and the sum over a chain stays unseen.
const VISIBLE: f64 = 1e-6;

impl Joint {
    /// The joint's local translation (file units) and rotation for one row of the table.
    fn local(&self, row: &[f32], add_positions: bool) -> (DVec3, DQuat) {
        let mut translation = self.offset;
        let mut rotation = [0.0, 0.0, 0.0, 1.0];
        for (channel, &value) in self.channels.iter().zip(&row[self.first_column..]) {
            let value = f64::from(value);
            match *channel {
                Channel::Position(axis) => {
                    let from = if add_positions { self.offset[axis as usize] } else { 0.0 };
                    translation[axis as usize] = from + value;
                }
                Channel::Rotation(axis) => rotation = turned(rotation, axis, value),
                Channel::Scale(_) => {}
            }
        }
        (translation, DQuat::from_array(rotation))
    }
}

/// `q · (turn about an axis)`, x y z w: the quaternion product with the axis' two zeros left out.
#[inline]
fn turned(q: [f64; 4], axis: Axis, angle_deg: f64) -> [f64; 4] {
    let (sin, cos) = (angle_deg.to_radians() * 0.5).sin_cos();
    let (a, b, c) = match axis {
        Axis::X => (0, 1, 2),
        Axis::Y => (1, 2, 0),
        Axis::Z => (2, 0, 1),
    };
    let mut product = [0.0; 4];
    product[a] = q[a] * cos + q[3] * sin;
    product[b] = q[b] * cos + q[c] * sin;
    product[c] = q[c] * cos - q[b] * sin;
    product[3] = q[3] * cos - q[a] * sin;
    product
}

impl Bvh {
    /// Place and rotation of every joint above the tops, file units, at a frame or as OFFSETs alone put it. Shape
    /// `[joints]`.
    pub(super) fn component(&self, frame: Option<usize>, add_positions: bool) -> Vec<(DVec3, DQuat)> {
        let mut component: Vec<(DVec3, DQuat)> = Vec::with_capacity(self.joints.len());
        for joint in &self.joints {
            let (translation, rotation) = match frame {
                Some(frame) => joint.local(self.row(frame), add_positions),
                None => (joint.offset, DQuat::IDENTITY),
            };
            component.push(match joint.parent.map(|parent| component[parent as usize]) {
                Some((at, turn)) => (at + turn * translation, turn * rotation),
                None => (translation, rotation),
            });
        }
        component
    }

    /// One bone per joint; the node pose is its OFFSET, in metres, without rotation but the file's own at the tops.
    ///
    /// # Errors
    /// More joints than a skeleton may have bones.
    pub fn skeleton(&self, space: &FileSpace) -> Result<Skeleton, SkeletonError> {
        let bones = self.joints.iter().enumerate().map(|(i, joint)| {
            let offset = Transform::rigid(joint.offset, DQuat::IDENTITY);
            Bone {
                name: joint.name.clone(),
                parent: joint.parent.map(BoneIndex),
                node_pose: into_ours(space, joint, offset),
                bind_pose: None,
                is_joint: true,
                node: Some(i as u32),
            }
        });
        Skeleton::new(bones.collect())
    }

    /// The table as tracks; `None` without rows. `skeleton` is that of [`Self::skeleton`] for the same space.
    ///
    /// Rotations are continuous in sign, the first with w ≥ 0; see the module for which tracks there are and how
    /// their origins are numbered. Values are rounded to `f32` once.
    pub fn clip(
        &self,
        file: FileId,
        name: String,
        skeleton: &Arc<Skeleton>,
        guess: &Guess,
        options: &ReadOptions,
    ) -> Option<Clip> {
        let last = self.frames.checked_sub(1)?;
        let times = Arc::new(Times::Uniform { start: 0.0, step: self.frame_secs, n: self.frames });
        let range = TimeRange { start_secs: 0.0, end_secs: times.at(last) };
        let mut clip = Clip::empty(name, Arc::clone(skeleton), range, self.rate);
        clip.take = Some(0);
        for (i, keys) in self.keys(guess, options).into_iter().enumerate() {
            let parts = [(Property::Translation, keys.translations), (Property::Rotation, keys.rotations)];
            for (channel, (property, values)) in (2 * i as u32..).zip(parts) {
                let Some(values) = values else { continue };
                clip.tracks[i][property.slot()] =
                    Track::new(property, Arc::clone(&times), values.into(), Interpolation::Linear)
                        .ok()
                        .map(|track| Arc::new(track.with_origin(Origin { file, channel })));
            }
        }
        Some(clip)
    }

    /// Row by row, because that is how the table lies in memory.
    fn keys(&self, guess: &Guess, options: &ReadOptions) -> Vec<Keys> {
        let mut all: Vec<Keys> = self.joints.iter().map(|joint| Keys::for_joint(joint, self.frames)).collect();
        for frame in 0..self.frames {
            let row = self.row(frame);
            for (joint, keys) in self.joints.iter().zip(&mut all) {
                let (translation, rotation) = joint.local(row, options.add_positions_to_offset);
                keys.strayed = keys.strayed.max((translation - joint.offset).abs().max_element());
                let ours = into_ours(&guess.space, joint, Transform::rigid(translation, rotation));
                keys.push(ours);
            }
        }
        for (joint, keys) in self.joints.iter().zip(&mut all) {
            if joint.parent.is_some() && keys.strayed <= VISIBLE * guess.height {
                keys.translations = None;
            }
        }
        all
    }
}

fn into_ours(space: &FileSpace, joint: &Joint, file: Transform) -> Transform {
    match joint.parent {
        None => axes::top_transform_in(space, file),
        Some(_) => axes::deep_transform_in(space, file),
    }
}

/// One joint's keys on their way into tracks.
struct Keys {
    translations: Option<Vec<f32>>,
    rotations: Option<Vec<f32>>,
    before: DQuat,
    /// The farthest from OFFSET along any axis, file units.
    strayed: f64,
}

impl Keys {
    fn for_joint(joint: &Joint, frames: usize) -> Self {
        Self {
            translations: joint.has_position().then(|| Vec::with_capacity(3 * frames)),
            rotations: joint.has_rotation().then(|| Vec::with_capacity(4 * frames)),
            before: DQuat::IDENTITY,
            strayed: 0.0,
        }
    }

    fn push(&mut self, local: Transform) {
        if let Some(values) = &mut self.translations {
            values.extend(local.translation.to_array().map(|v| v as f32));
        }
        if let Some(values) = &mut self.rotations {
            // q and −q are one rotation: the one nearer to the key before, so that nothing between keys goes round.
            let q = crate::motion::transform::nearer(local.rotation, self.before);
            self.before = q;
            values.extend(q.to_array().map(|v| v as f32));
        }
    }
}
