//! Clips as animations.

use std::sync::Arc;

use crate::formats::ExportClip;
use crate::formats::gltf_write::identity_tracks;
use crate::motion::{BoneIndex, Clip, Interpolation, Property, TimeRange, Times, Track};

use super::Author;
use super::crop::crop;
use super::document::{Animation, Channel, Extras, Sampler, Target};

const PATHS: [&str; 3] = ["translation", "rotation", "scale"];

#[derive(Default)]
struct Parts {
    channels: Vec<Channel>,
    samplers: Vec<Sampler>,
}

impl Author<'_> {
    /// One animation.
    pub(super) fn clip(&mut self, export: &ExportClip) -> Result<(), String> {
        let clip = &*export.clip;
        let range = clip.range;
        if range.start_secs < 0.0 {
            return Err(format!(
                "it starts at {} s, and glTF has no time before 0: apply \"start at 0\" first",
                range.start_secs
            ));
        }
        let mut parts = Parts::default();
        let (mut first, mut last) = (f64::INFINITY, f64::NEG_INFINITY);
        let mut free = None;
        let holds_root = export.patch.is_none() && self.united.root_to_hold().is_some();
        for (bone, tracks) in clip.skeleton.indices().zip(&clip.tracks) {
            for property in Property::ALL {
                let Some(track) = &tracks[property.slot()] else {
                    free = free.or(Some((bone, property)));
                    continue;
                };
                let cropped = crop(track, property, range);
                let track = cropped.as_ref().unwrap_or(track);
                first = first.min(track.times.first());
                last = last.max(track.times.last());
                let node = self.united.bone(export, bone).get();
                self.put(&mut parts, node, property, track)?;
            }
        }
        if holds_root && let Some(root) = &self.united.root {
            for (property, track) in identity_tracks(range.start_secs) {
                self.put(&mut parts, root.above.get(), property, &track)?;
            }
        }
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-6;
        if !(near(first, range.start_secs) && near(last, range.end_secs)) {
            self.hold(&mut parts, export, free, range)?;
        }
        self.document.animations.push(Animation {
            name: export.name.clone(),
            channels: parts.channels,
            samplers: parts.samplers,
            extras: Extras { stridesmith: export.record.clone() },
        });
        Ok(())
    }

    fn put(&mut self, parts: &mut Parts, node: usize, property: Property, track: &Track) -> Result<(), String> {
        let input = self.data.times(&track.times)?;
        let output = self.data.values(track, property, self.options.rotation_encoding);
        let interpolation = match track.interpolation {
            Interpolation::Step => "STEP",
            Interpolation::Linear => "LINEAR",
            Interpolation::CubicSpline => "CUBICSPLINE",
        };
        parts.samplers.push(Sampler { input, interpolation, output });
        let sampler = parts.samplers.len() - 1;
        parts.channels.push(Channel { sampler, target: Target { node, path: PATHS[property.slot()] } });
        Ok(())
    }

    /// Keys that say nothing but how long the clip is: a bone held where it rests, on a property without a track.
    fn hold(
        &mut self,
        parts: &mut Parts,
        export: &ExportClip,
        free: Option<(BoneIndex, Property)>,
        range: TimeRange,
    ) -> Result<(), String> {
        let Some((bone, property)) = free else { return Ok(()) };
        let track = held(&export.clip, bone, property, range).ok_or("its range is not a time")?;
        self.put(parts, self.united.bone(export, bone).get(), property, &track)
    }
}

fn held(clip: &Clip, bone: BoneIndex, property: Property, range: TimeRange) -> Option<Track> {
    let pose = clip.skeleton.bone(bone).node_pose;
    let value: Vec<f32> = match property {
        Property::Translation => pose.translation.to_array().map(|c| c as f32).to_vec(),
        Property::Rotation => pose.rotation.normalize().to_array().map(|c| c as f32).to_vec(),
        Property::Scale => pose.scale.to_array().map(|c| c as f32).to_vec(),
    };
    let ends =
        if range.end_secs > range.start_secs { vec![range.start_secs, range.end_secs] } else { vec![range.start_secs] };
    let times = Arc::new(Times::from_keys(ends)?);
    let values = value.repeat(times.len()).into();
    Track::new(property, times, values, Interpolation::Linear).ok()
}
