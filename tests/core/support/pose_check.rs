//! Is the character still where it was? The largest difference over all bones, never a percentile.

use std::sync::Arc;

use stridesmith::motion::transform::{angle_between, rotation_of};
use stridesmith::motion::{BoneIndex, Clip, ComponentPose, LocalPose, Sampler, Times, Track};

/// Largest differences of two clips, by bone path.
#[derive(Clone, Debug, Default)]
pub struct Largest {
    /// `|Δp| / (1 + |p|)` at keys.
    pub key_m: f64,
    /// Radians at keys.
    pub key_rad: f64,
    /// Metres at ¼, ½, ¾ between keys.
    pub between_m: f64,
    /// Radians there.
    pub between_rad: f64,
    /// Where the worst was.
    pub place: String,
}

/// Compares every bone of `before` that `covered` names with the bone of the same name in `after`, at the key times of
/// `before` and at three points between. A time at which what was rewritten above a bone has no key counts as between
/// keys for that bone. Bones whose component scale is (nearly) nothing have no rotation.
pub fn compare(before: &Clip, after: &Clip, covered: impl Fn(&str) -> bool) -> Largest {
    let times = key_times(before);
    let pairs: Vec<(usize, usize)> = before
        .skeleton
        .indices()
        .filter(|&b| covered(&before.skeleton.bone(b).name))
        .filter_map(|b| {
            let bone = before.skeleton.bone(b);
            // An inserted root lengthens the paths below it: match by the reader's node number, else by name.
            let other = after.skeleton.indices().find(|&o| {
                let other = after.skeleton.bone(o);
                if bone.node.is_some() {
                    other.node == bone.node
                } else {
                    other.node.is_none() && other.name == bone.name
                }
            })?;
            Some((b.get(), other.get()))
        })
        .collect();
    assert!(!pairs.is_empty(), "no bone to compare");
    let rewritten: Vec<Vec<Arc<Times>>> = pairs.iter().map(|&(i, j)| rewritten_above(before, after, i, j)).collect();
    let (mut a, mut b) = (Posed::new(before), Posed::new(after));
    let mut largest = Largest::default();
    let mut look = |secs: f64, at_key: bool| {
        let (before_pose, after_pose) = (a.at(secs).clone(), b.at(secs).clone());
        for (&(i, j), rewritten) in pairs.iter().zip(&rewritten) {
            let at_key = at_key && rewritten.iter().all(|times| has_key(times, secs));
            let (old, new) = (&before_pose.0[i], &after_pose.0[j]);
            let distance = old.translation.distance(new.translation);
            let smallest = (0..3).map(|c| old.matrix3.col(c).length()).fold(f64::INFINITY, f64::min);
            let angle = if smallest < 1e-6 { 0.0 } else { angle_between(rotation_of(old), rotation_of(new)) };
            let name = &before.skeleton.bones()[i].name;
            if at_key {
                let relative = distance / (1.0 + old.translation.length());
                if relative > largest.key_m || angle > largest.key_rad {
                    largest.place = format!("{name} at key {secs:.4}");
                }
                largest.key_m = largest.key_m.max(relative);
                largest.key_rad = largest.key_rad.max(angle);
            } else {
                if distance > largest.between_m || angle > largest.between_rad {
                    largest.place = format!("{name} between keys at {secs:.4}");
                }
                largest.between_m = largest.between_m.max(distance);
                largest.between_rad = largest.between_rad.max(angle);
            }
        }
    };
    for (i, &secs) in times.iter().enumerate() {
        look(secs, true);
        if let Some(&next) = times.get(i + 1).filter(|&&next| next - secs > 2e-3) {
            for u in [0.25, 0.5, 0.75] {
                look(secs + u * (next - secs), false);
            }
        }
    }
    largest
}

/// Key times of the moving tracks at or above a bone that the two clips do not share.
fn rewritten_above(before: &Clip, after: &Clip, i: usize, j: usize) -> Vec<Arc<Times>> {
    let above = |clip: &Clip, bone: usize| -> Vec<Arc<Track>> {
        let bone = BoneIndex(bone as u32);
        let bones = std::iter::once(bone).chain(clip.skeleton.ancestors(bone));
        bones.flat_map(|b| clip.tracks[b.get()].clone()).flatten().collect()
    };
    let (old, new) = (above(before, i), above(after, j));
    let lacks = |tracks: &[Arc<Track>], track: &Arc<Track>| !tracks.iter().any(|other| Arc::ptr_eq(other, track));
    let changed = old.iter().filter(|track| lacks(&new, track)).chain(new.iter().filter(|track| lacks(&old, track)));
    changed.filter(|track| track.times.len() > 1).map(|track| track.times.clone()).collect()
}

fn has_key(times: &Times, secs: f64) -> bool {
    let (i, _) = times.locate(secs + 1e-6);
    (times.at(i) - secs).abs() <= 2e-6 || secs < times.first() || secs > times.last()
}

/// Distinct key times of all moving tracks, or the start of a clip that does not move.
pub fn key_times(clip: &Clip) -> Vec<f64> {
    let mut times: Vec<f64> = clip
        .tracks
        .iter()
        .flat_map(|tracks| stridesmith::motion::Property::ALL.map(|p| (p, &tracks[p.slot()])))
        .filter_map(|(p, track)| track.as_ref().filter(|track| !track.is_constant(p)))
        .flat_map(|track| track.times.iter().collect::<Vec<_>>())
        .collect();
    times.sort_by(f64::total_cmp);
    times.dedup_by(|b, a| *b - *a < 1e-5);
    if times.is_empty() {
        times.push(clip.range.start_secs);
    }
    times
}

/// A clip with room for its poses.
pub struct Posed<'c> {
    clip: &'c Clip,
    sampler: Sampler<'c>,
    local: LocalPose,
    component: ComponentPose,
}

impl<'c> Posed<'c> {
    pub fn new(clip: &'c Clip) -> Self {
        Self {
            clip,
            sampler: Sampler::new(clip),
            local: LocalPose::node_pose(&clip.skeleton),
            component: ComponentPose::new(&clip.skeleton),
        }
    }

    pub fn at(&mut self, secs: f64) -> &ComponentPose {
        self.sampler.local(secs, &mut self.local);
        self.component.set(&self.clip.skeleton, &self.local);
        &self.component
    }
}

impl Largest {
    /// The bars: 1e-5·(1+|p|) m and 1e-5 rad at keys, 0.1 mm and 0.01° between.
    pub fn assert_invisible(&self, what: &str) {
        assert!(self.key_m <= 1e-5 && self.key_rad <= 1e-5, "{what}: at keys {self:?}");
        assert!(self.between_m <= 1e-4 && self.between_rad <= 0.01_f64.to_radians(), "{what}: between keys {self:?}");
    }
}
