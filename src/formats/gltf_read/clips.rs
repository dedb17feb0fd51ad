//! Animations to clips: one clip per animation, one track per channel that moves a bone.

use std::sync::Arc;

use gltf::json::animation::{Animation, Channel, Interpolation as Between, Property as Path, Sampler};
use gltf::json::validation::Checked;

use super::accessor::Fault;
use super::findings::Findings;
use super::keys::{Cache, Keys, Mended, Values, is_zero};
use super::mend::NOWHERE;
use super::scene::Scene;
use super::{Document, ReadError};
use crate::formats::sidecar::rate_in_extras;
use crate::motion::time::guess_rate;
use crate::motion::{
    BoneIndex, Clip, FileId, FrameRate, Interpolation, Origin, Property, TimeRange, Times, Track, WarningKind,
};

/// All animations of the file.
///
/// # Errors
/// More clips × bones than memory is allowed for, and files none of whose channels can be read because their bytes
/// are missing or compressed.
pub(super) fn read(
    document: &Document<'_>,
    file: FileId,
    scene: &Scene,
    findings: &mut Findings,
) -> Result<Vec<Arc<Clip>>, ReadError> {
    let slots = (document.root.animations.len() as u64).saturating_mul(scene.skeleton.len() as u64);
    let table = slots.saturating_mul(size_of::<[Option<Arc<Track>>; 3]>() as u64);
    if !document.allow(table) {
        return Err(document.too_large(
            "too many animations of too many bones, bytes",
            table,
            document.limits.decoded_bytes,
        ));
    }
    let cache = Cache::new(document);
    let mut reader = Reader {
        document,
        scene,
        findings,
        cache,
        next: Origin { file, channel: 0 },
        tracks: 0,
        numbers: 0,
        steps: MOST_STEPS,
        missing: None,
    };
    let clips: Vec<Arc<Clip>> =
        document.root.animations.iter().enumerate().map(|(take, animation)| reader.clip(take, animation)).collect();
    if reader.numbers > document.limits.samples {
        return Err(document.too_large("too many numbers in all channels", reader.numbers, document.limits.samples));
    }
    match reader.missing {
        Some(fault) if reader.tracks == 0 => {
            let reason = format!("no animation can be read because {}", fault.reason);
            let advice = "put the file it names beside it, or export again without compression";
            Err(document.malformed(fault.place, reason, advice))
        }
        _ => Ok(clips),
    }
}

struct Reader<'d, 'f> {
    document: &'d Document<'d>,
    scene: &'f Scene,
    findings: &'f mut Findings,
    cache: Cache<'d>,
    /// Origin of the channel at hand.
    next: Origin,
    tracks: usize,
    /// Numbers in all tracks so far, shared ones each time: each track looks at all of its own.
    numbers: u64,
    /// What may still be walked over to find rates.
    steps: usize,
    /// The first channel whose bytes are not at hand.
    missing: Option<Fault>,
}

/// What a channel is to a clip.
enum Use {
    Track(BoneIndex, Property),
    /// Morph weights move no bone; the writer keeps them.
    Weights,
    /// Set aside, for this reason.
    Aside(&'static str),
}

impl Reader<'_, '_> {
    fn clip(&mut self, take: usize, animation: &Animation) -> Arc<Clip> {
        let name = match animation.name.as_deref() {
            Some(name) if !name.is_empty() => name.to_owned(),
            _ => format!("Animation {}", take + 1),
        };
        let nothing = TimeRange { start_secs: 0.0, end_secs: 0.0 };
        let mut clip = Clip::empty(name, Arc::clone(&self.scene.skeleton), nothing, FrameRate::FALLBACK);
        clip.take = Some(take as u32);
        let (mut shown, mut aside) = (KeyTimes::default(), KeyTimes::default());
        for (i, channel) in animation.channels.iter().enumerate() {
            let place = Place { take, channel: i };
            match self.purpose(channel, &clip) {
                Use::Track(bone, property) => {
                    if let Some(track) = self.track(animation, channel, property, place) {
                        shown.add(&track.times);
                        clip.tracks[bone.get()][property.slot()] = Some(Arc::new(track));
                        self.tracks += 1;
                    }
                }
                Use::Weights => {
                    if let Some(sampler) = self.sampler(animation, channel, place) {
                        match self.cache.keys(sampler.input.value()) {
                            Ok(keys) => shown.add(&keys.times),
                            Err(fault) => self.unreadable(fault, place),
                        }
                    }
                }
                Use::Aside(why) => {
                    let message = format!("channels set aside and kept for writing back: {why}");
                    self.findings.add(WarningKind::SetAside, &message, || place.path());
                    let sampler = animation.samplers.get(channel.sampler.value());
                    if let Some(Ok(keys)) = sampler.map(|sampler| self.cache.keys(sampler.input.value())) {
                        aside.add(&keys.times);
                    }
                }
            }
            self.next.channel = self.next.channel.saturating_add(1);
        }
        // What is set aside makes the clip's range only where nothing else does.
        let times = if shown.is_empty() { aside } else { shown };
        if let Some(range) = times.range() {
            clip.range = range;
            let said = animation.extras.as_ref().and_then(|extras| rate_in_extras(extras.get()));
            clip.rate = said.unwrap_or_else(|| times.rate(&mut self.steps));
        }
        Arc::new(clip)
    }

    fn purpose(&self, channel: &Channel, clip: &Clip) -> Use {
        let target = &channel.target;
        let property = match target.path {
            Checked::Valid(Path::Translation) => Some(Property::Translation),
            Checked::Valid(Path::Rotation) => Some(Property::Rotation),
            Checked::Valid(Path::Scale) => Some(Property::Scale),
            Checked::Valid(Path::MorphTargetWeights) => None,
            Checked::Invalid if self.document.uses("KHR_animation_pointer") => {
                return Use::Aside("they move something by KHR_animation_pointer");
            }
            Checked::Invalid => return Use::Aside("they move something that glTF 2.0 does not know"),
        };
        let node = target.node.value() as u32;
        if node == NOWHERE {
            return Use::Aside("they name no node");
        }
        if node as usize >= self.document.root.nodes.len() {
            return Use::Aside("they name a node that does not exist");
        }
        let Some(property) = property else { return Use::Weights };
        match self.scene.bone_of(node) {
            // §3.11 forbids two channels for one property.
            Some(bone) if clip.track(bone, property).is_some() => Use::Aside("another channel moves the same property"),
            Some(bone) => Use::Track(bone, property),
            None => Use::Aside("they name a node that is no bone"),
        }
    }

    fn sampler<'a>(&mut self, animation: &'a Animation, channel: &Channel, place: Place) -> Option<&'a Sampler> {
        let sampler = animation.samplers.get(channel.sampler.value());
        if sampler.is_none() {
            let message = "channels set aside and kept for writing back: they name a sampler that does not exist";
            self.findings.add(WarningKind::SetAside, message, || place.path());
        }
        sampler
    }

    fn track(&mut self, animation: &Animation, channel: &Channel, property: Property, place: Place) -> Option<Track> {
        let sampler = self.sampler(animation, channel, place)?;
        let read = self.cache.keys(sampler.input.value());
        let read = read.and_then(|keys| Ok((keys, self.cache.values(sampler.output.value())?)));
        let (keys, values) = match read {
            Ok(both) => both,
            Err(fault) => {
                self.unreadable(fault, place);
                return None;
            }
        };
        if values.width != property.width() {
            let message = format!("channels left out: values of {} numbers for {property:?}", values.width);
            self.findings.add(WarningKind::Dropped, &message, || place.path());
            return None;
        }
        self.numbers = self.numbers.saturating_add(values.numbers.len() as u64);
        if self.numbers > self.document.limits.samples {
            return None;
        }
        let interpolation = match sampler.interpolation {
            Checked::Valid(Between::Step) => Interpolation::Step,
            Checked::Valid(Between::Linear) => Interpolation::Linear,
            Checked::Valid(Between::CubicSpline) => Interpolation::CubicSpline,
            Checked::Invalid => {
                let message = "an interpolation that glTF 2.0 does not know is taken for LINEAR";
                self.findings.add(WarningKind::Repaired, message, || place.path());
                Interpolation::Linear
            }
        };
        as_stored(&keys, &values, property, interpolation)
            .map(|track| track.with_origin(self.next))
            .or_else(|| self.mended(&keys, &values, property, interpolation, place))
    }

    fn unreadable(&mut self, fault: Fault, place: Place) {
        let message = format!("channels left out: {} {}", fault.place, fault.reason);
        self.findings.add(WarningKind::Dropped, &message, || place.path());
        if fault.missing {
            self.missing.get_or_insert(fault);
        }
    }

    /// The slow way, for channels that break a rule: key by key, with what was done about it. Its keys are no longer
    /// the file's, so it keeps no origin, save that of its times where they are whole.
    fn mended(
        &mut self,
        keys: &Keys,
        values: &Values,
        property: Property,
        interpolation: Interpolation,
        place: Place,
    ) -> Option<Track> {
        let width = property.width();
        let cubic = interpolation == Interpolation::CubicSpline;
        let (stride, value_at) = if cubic { (3 * width, width) } else { (width, 0) };
        let mut say = |kind, message: &str| self.findings.add(kind, message, || place.path());
        if !self.document.allow((keys.times.len() as u64).saturating_mul(8 + 4 * stride as u64)) {
            say(WarningKind::Dropped, "channels left out: mending them takes too much memory");
            return None;
        }
        let mut mended = Mended::new(keys, &values.numbers, stride, value_at, property == Property::Rotation);
        if keys.kept.is_some() {
            say(WarningKind::Repaired, "key times do not increase: sorted, and one key kept of those at one time");
        }
        if mended.without_value > 0 {
            say(WarningKind::Repaired, "there are fewer values than key times; the keys without a value are left out");
        } else if keys.kept.is_none() && values.numbers.len() > keys.times.len().saturating_mul(stride) {
            say(WarningKind::Repaired, "there are more values than key times; the values without a key are left out");
        }
        if mended.not_finite > 0 {
            say(WarningKind::Repaired, "keys whose value is not a finite number are left out");
        }
        if mended.zero_rotations > 0 {
            say(WarningKind::Repaired, "rotations 0 0 0 0 are taken for no rotation");
        }
        let mut interpolation = interpolation;
        if cubic && mended.times.len() == 1 {
            say(WarningKind::Repaired, "a cubic spline of one key is taken for a constant");
            interpolation = Interpolation::Linear;
            mended.values = mended.values[value_at..value_at + width].to_vec();
        }
        let whole = mended.times.len() == keys.times.len();
        let times = if whole { Some(Arc::clone(&keys.times)) } else { Times::from_keys(mended.times).map(Arc::new) };
        let track = times.and_then(|times| Track::new(property, times, mended.values.into(), interpolation).ok());
        if track.is_none() {
            say(WarningKind::Dropped, "channels left out: none of their keys can be used");
        }
        let times_from = (whole && keys.kept.is_none()).then_some(self.next);
        track.map(|track| Track { times_from, ..track })
    }
}

/// The channel as the file has it, when that is a proper track.
fn as_stored(keys: &Keys, values: &Values, property: Property, interpolation: Interpolation) -> Option<Track> {
    if keys.kept.is_some() {
        return None;
    }
    let numbers = &values.numbers;
    if property == Property::Rotation {
        let width = property.width();
        // Of a cubic spline only the middle third of each key is a rotation.
        let (stride, at) = if interpolation == Interpolation::CubicSpline { (3 * width, width) } else { (width, 0) };
        if numbers.chunks_exact(stride).any(|key| is_zero(&key[at..at + width])) {
            return None;
        }
    }
    Track::new(property, Arc::clone(&keys.times), Arc::clone(numbers), interpolation).ok()
}

/// Where a channel stands in the JSON.
#[derive(Clone, Copy)]
struct Place {
    take: usize,
    channel: usize,
}

impl Place {
    fn path(self) -> String {
        format!("animations[{}].channels[{}]", self.take, self.channel)
    }
}

/// Key times of a clip's channels, each shared set once.
#[derive(Default)]
struct KeyTimes(Vec<Arc<Times>>);

impl KeyTimes {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn add(&mut self, times: &Arc<Times>) {
        // Channels that share times mostly stand together; a set met again further on costs one subset test.
        if !self.0.iter().rev().take(8).any(|known| Arc::ptr_eq(known, times)) {
            self.0.push(Arc::clone(times));
        }
    }

    /// From the first key to the last.
    fn range(&self) -> Option<TimeRange> {
        let start = self.0.iter().map(|times| times.first()).reduce(f64::min)?;
        let end = self.0.iter().map(|times| times.last()).reduce(f64::max)?;
        Some(TimeRange { start_secs: start, end_secs: end })
    }

    /// The rate of all key times; `steps` is what may still be walked over for it, in all clips together.
    fn rate(&self, steps: &mut usize) -> FrameRate {
        guess_rate(&self.union(steps)).unwrap_or(FrameRate::FALLBACK)
    }

    /// All key times, ascending: those of the longest set, up to [`MOST_KEYS`], and of the others within them. Sets
    /// that hold nothing new, the usual case, cost one walk. Without steps left only the longest counts: a rate can
    /// be told from that.
    fn union(&self, steps: &mut usize) -> Vec<f64> {
        let Some(longest) = self.0.iter().max_by_key(|times| times.len()) else { return Vec::new() };
        let mut union: Vec<f64> = longest.iter().take(MOST_KEYS).collect();
        let end = if longest.len() > MOST_KEYS { union[MOST_KEYS - 1] } else { f64::INFINITY };
        for times in self.0.iter().filter(|times| !Arc::ptr_eq(times, longest)) {
            let Some(left) = steps.checked_sub(union.len() + times.len().min(MOST_KEYS)) else { break };
            *steps = left;
            let within = || times.iter().take(MOST_KEYS).take_while(|time| *time <= end);
            if !is_subset(within(), &union) {
                union.extend(within());
                union.sort_unstable_by(f64::total_cmp);
                union.dedup();
            }
        }
        union
    }
}

/// Keys of one set that tell a rate: minutes of it.
const MOST_KEYS: usize = 16_384;
/// Keys walked over for the rates of all clips of a file.
const MOST_STEPS: usize = 20_000_000;

fn is_subset(mut times: impl Iterator<Item = f64>, sorted: &[f64]) -> bool {
    let mut rest = sorted.iter();
    times.all(|time| rest.find(|known| **known >= time) == Some(&time))
}
