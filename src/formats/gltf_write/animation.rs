//! One new animation: the take it came from as base, its channels copied where they have an origin, encoded where not.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use crate::motion::{BoneIndex, Clip, Interpolation, Origin, Property, Times, Track};

use super::super::ExportClip;
use super::super::unite::United;
use super::data::{NewData, RotationEncoding, json};
use super::source::{Animation, Channel, SamplerAccessors, Source};
use super::splice::{Members, Splice, string};

/// What all new animations of a file share.
pub struct Context<'t, 'a> {
    /// The file that is patched.
    pub source: &'a Source<'t>,
    /// Bones of the file to be written.
    pub united: &'a United,
    /// Number of the node of the inserted root.
    pub root_node: u32,
    /// Where new keys go.
    pub data: NewData,
    /// Nodes that channels made here drive.
    pub driven: BTreeSet<u32>,
}

/// An animation's text, and how many channels were carried over because they drive no bone.
pub struct Written {
    /// JSON.
    pub text: String,
    /// Morph weights, pointers, channels without node.
    pub carried: u32,
}

struct Parts {
    channels: Vec<String>,
    samplers: Vec<String>,
    known: HashMap<String, usize>,
}

impl Parts {
    fn sampler(&mut self, text: String) -> usize {
        let next = self.samplers.len();
        let index = *self.known.entry(text.clone()).or_insert(next);
        if index == next {
            self.samplers.push(text);
        }
        index
    }
}

impl Context<'_, '_> {
    /// The animation of one clip.
    ///
    /// # Errors
    /// A reason.
    pub fn animation(&mut self, export: &ExportClip) -> Result<Written, String> {
        let take = export.clip.take.and_then(|take| self.source.animations.get(take as usize));
        let mut wanted = self.wanted(export)?;
        let mut parts = Parts { channels: Vec::new(), samplers: Vec::new(), known: HashMap::new() };
        let mut carried = 0;
        for channel in take.map_or(&[][..], |take| &take.channels) {
            let key = channel.target.map(|(node, property)| (node, property.slot()));
            if let Some(track) = key.and_then(|key| wanted.remove(&key)) {
                self.put(&mut parts, &track, channel.target, Some(channel.text))?;
            } else if let Some(sampler) = channel.sampler.filter(|_| !self.was_read(export, channel)) {
                // One without a sampler does nothing anywhere.
                let sampler = parts.sampler(sampler.to_owned());
                parts.channels.push(with_sampler(channel.text, sampler)?);
                carried += 1;
            }
        }
        for ((node, slot), track) in wanted {
            self.put(&mut parts, &track, Some((node, Property::ALL[slot])), None)?;
        }
        if parts.channels.is_empty() {
            self.put_nothing(&mut parts, &export.clip)?;
        }
        let text = self.assemble(export, take, &parts).map_err(|e| e.to_string())?;
        Ok(Written { text, carried })
    }

    /// An animation of the source with the inserted root held at identity, so that it shows what it showed.
    ///
    /// # Errors
    /// A reason.
    pub fn hold_root<'t>(
        &mut self,
        animation: &Animation<'t>,
        splice: &mut Splice<'t>,
        start_secs: f64,
    ) -> Result<(), String> {
        let mut parts = Parts { channels: Vec::new(), samplers: Vec::new(), known: HashMap::new() };
        // Samplers added here are numbered after those that are there.
        parts.samplers = vec![String::new(); animation.samplers.len()];
        for (property, track) in identity_tracks(start_secs.max(0.0)) {
            self.put(&mut parts, &track, Some((self.root_node, property)), None)?;
        }
        let samplers = &parts.samplers[animation.samplers.len()..];
        splice.append_to(&animation.members, "channels", &parts.channels).map_err(|e| e.to_string())?;
        splice.append_to(&animation.members, "samplers", samplers).map_err(|e| e.to_string())
    }

    /// The node of a bone of the united skeleton.
    pub fn node(&self, bone: BoneIndex) -> Option<u32> {
        match &self.united.root {
            Some(root) if root.above == bone => Some(self.root_node),
            _ => self.united.skeleton.bone(bone).node,
        }
    }

    fn wanted(&self, export: &ExportClip) -> Result<BTreeMap<(u32, usize), Arc<Track>>, String> {
        let mut wanted = BTreeMap::new();
        for (bone, tracks) in export.clip.skeleton.indices().zip(&export.clip.tracks) {
            for (slot, track) in tracks.iter().enumerate() {
                let Some(track) = track else { continue };
                let node = self.node(self.united.bone(export, bone)).ok_or_else(|| {
                    format!("the bone \"{}\" has no node in the file", export.clip.skeleton.path(bone))
                })?;
                wanted.insert((node, slot), Arc::clone(track));
            }
        }
        if export.patch.is_none() && self.united.root_to_hold().is_some() {
            for (property, track) in identity_tracks(export.clip.range.start_secs.max(0.0)) {
                wanted.insert((self.root_node, property.slot()), Arc::new(track));
            }
        }
        Ok(wanted)
    }

    /// Whether the reader made a track of a channel; then a clip without it is one that lost it on purpose.
    fn was_read(&self, export: &ExportClip, channel: &Channel<'_>) -> bool {
        let file = self.source.file;
        let Some((node, property)) = channel.target else { return false };
        let Some(bone) = file.skeleton.indices().find(|b| file.skeleton.bone(*b).node == Some(node)) else {
            return false;
        };
        let read = file.clips.iter().find(|clip| clip.take == export.clip.take);
        read.is_some_and(|clip| clip.track(bone, property).is_some())
    }

    fn put(
        &mut self,
        parts: &mut Parts,
        track: &Track,
        target: Option<(u32, Property)>,
        base: Option<&str>,
    ) -> Result<(), String> {
        let Some((node, property)) = target else { return Ok(()) };
        let sampler = self.sampler(track, property)?;
        let sampler = parts.sampler(sampler);
        let channel = match base {
            Some(text) => with_sampler(text, sampler)?,
            None => {
                let path = ["translation", "rotation", "scale"][property.slot()];
                format!("{{\"sampler\":{sampler},\"target\":{{\"node\":{node},\"path\":\"{path}\"}}}}")
            }
        };
        self.driven.insert(node);
        parts.channels.push(channel);
        Ok(())
    }

    fn sampler(&mut self, track: &Track, property: Property) -> Result<String, String> {
        let id = self.source.file.id;
        let of = |origin: Option<Origin>| {
            origin.filter(|origin| origin.file == id).and_then(|origin| self.source.channel(origin.channel))
        };
        let (times_from, values_from) = (of(track.times_from), of(track.values_from));
        let input = times_from.and_then(|channel| self.input(channel, track));
        let output = values_from.and_then(|channel| self.output(channel, track, property));
        if let (Some(input), Some(output), Some(channel)) = (input, output, values_from) {
            let own = channel.accessors() == Some(SamplerAccessors { input, output });
            if let Some(text) = channel.sampler.filter(|text| own && says(text, track.interpolation)) {
                return Ok(text.to_owned());
            }
        }
        let input = input.map_or_else(|| self.data.times(&track.times), Ok)?;
        let output = output.unwrap_or_else(|| self.data.values(track, property, RotationEncoding::F32));
        let how = interpolation(track.interpolation);
        Ok(format!("{{\"input\":{input},\"interpolation\":\"{how}\",\"output\":{output}}}"))
    }

    /// The source's accessor of key times, where it still has as many keys as the track.
    fn input(&self, channel: &Channel<'_>, track: &Track) -> Option<usize> {
        let input = channel.accessors()?.input;
        (self.source.accessor(input)?.count == track.times.len()).then_some(input)
    }

    /// The source's accessor of values, where it can stand for the track's.
    fn output(&self, channel: &Channel<'_>, track: &Track, property: Property) -> Option<usize> {
        let output = channel.accessors()?.output;
        let accessor = self.source.accessor(output)?;
        let cubic = track.interpolation == Interpolation::CubicSpline;
        let fits = accessor.count * property.width() == track.values.len()
            && accessor.shape == if property == Property::Rotation { "VEC4" } else { "VEC3" }
            && channel.is_cubic() == cubic;
        fits.then_some(output)
    }

    /// A clip without keys: glTF wants a channel, so bones are held where they rest. Those are the ends of all chains
    /// that no skin uses, since what neither a skin nor a channel names may be taken for no bone; else the first one.
    fn put_nothing(&mut self, parts: &mut Parts, clip: &Clip) -> Result<(), String> {
        let skeleton = Arc::clone(&self.united.skeleton);
        let mut is_end = vec![true; skeleton.len()];
        skeleton.bones().iter().filter_map(|bone| bone.parent).for_each(|parent| is_end[parent.get()] = false);
        let mut held: Vec<BoneIndex> =
            skeleton.indices().filter(|&bone| is_end[bone.get()] && !skeleton.bone(bone).is_joint).collect();
        if held.is_empty() {
            held.extend(skeleton.indices().find(|&bone| self.node(bone).is_some()));
        }
        let (start, end) = (clip.range.start_secs, clip.range.end_secs);
        let times = Times::from_keys(if end > start { vec![start, end] } else { vec![start] });
        let times = Arc::new(times.ok_or("its range is not a time")?);
        for bone in held {
            let node = self.node(bone).ok_or("the file has no node to animate")?;
            let q = skeleton.bone(bone).node_pose.rotation.normalize().to_array().map(|c| c as f32);
            let values: Arc<[f32]> = q.repeat(times.len()).into();
            let track = Track::new(Property::Rotation, Arc::clone(&times), values, Interpolation::Linear)
                .map_err(|e| e.to_string())?;
            self.put(parts, &track, Some((node, Property::Rotation)), None)?;
        }
        Ok(())
    }

    fn assemble(
        &self,
        export: &ExportClip,
        take: Option<&Animation<'_>>,
        parts: &Parts,
    ) -> Result<String, serde_json::Error> {
        let text = take.map_or("{}", |take| take.text);
        let members = Members::parse(text)?;
        let mut splice = Splice::new(text);
        splice.set(&members, "name", string(&export.name));
        splice.set(&members, "channels", format!("[{}]", parts.channels.join(",")));
        splice.set(&members, "samplers", format!("[{}]", parts.samplers.join(",")));
        let record = json(&export.record);
        match members.get("extras").and_then(|extras| Members::parse(extras).ok()) {
            Some(extras) => splice.set(&extras, "stridesmith", record),
            None => splice.set(&members, "extras", format!("{{\"stridesmith\":{record}}}")),
        }
        Ok(splice.finish())
    }
}

fn with_sampler(channel: &str, sampler: usize) -> Result<String, String> {
    let members = Members::parse(channel).map_err(|e| e.to_string())?;
    let mut splice = Splice::new(channel);
    splice.set(&members, "sampler", sampler.to_string());
    Ok(splice.finish())
}

/// Whether a sampler's text, extras and all, means this interpolation.
fn says(sampler: &str, interpolation_meant: Interpolation) -> bool {
    let said = Members::parse(sampler).ok().map(|members| members.text("interpolation"));
    said.is_some_and(|said| said.as_deref().unwrap_or("LINEAR") == interpolation(interpolation_meant))
}

fn interpolation(interpolation: Interpolation) -> &'static str {
    match interpolation {
        Interpolation::Step => "STEP",
        Interpolation::Linear => "LINEAR",
        Interpolation::CubicSpline => "CUBICSPLINE",
    }
}

/// One key of "no transform" for each property.
pub fn identity_tracks(secs: f64) -> impl Iterator<Item = (Property, Track)> {
    let times = Arc::new(Times::single(secs));
    let values: [&[f32]; 3] = [&[0.0, 0.0, 0.0], &[0.0, 0.0, 0.0, 1.0], &[1.0, 1.0, 1.0]];
    Property::ALL.into_iter().zip(values).map(move |(property, values)| {
        let track = Track {
            times: Arc::clone(&times),
            values: values.into(),
            interpolation: Interpolation::Linear,
            times_from: None,
            values_from: None,
        };
        (property, track)
    })
}
