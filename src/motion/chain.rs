//! One chain of bones evaluated over many times, without the rest of the skeleton.

use glam::{DAffine3, DVec3};

use super::clip::Clip;
use super::skeleton::{BoneIndex, Skeleton};
use super::time::Times;
use super::track::{Property, Track};
use super::transform::Transform;

/// Evaluates the bones from a topmost node down to one bone. Static links are folded once, tracks that share key
/// times are located once per time, and going forward in time costs no search.
pub struct ChainSampler<'c> {
    links: Vec<Link<'c>>,
    groups: Vec<Group<'c>>,
    /// How many links stand still before the first one that moves, and all of those as one.
    still: (usize, DAffine3),
}

struct Link<'c> {
    base: Transform,
    base_affine: DAffine3,
    moving: bool,
    tracks: [Option<(&'c Track, usize)>; 3],
}

struct Group<'c> {
    times: &'c Times,
    key: usize,
    fraction: f64,
}

/// The bones from the topmost node down to `bone`, itself included.
pub fn chain_to(skeleton: &Skeleton, bone: BoneIndex) -> Vec<BoneIndex> {
    let mut chain: Vec<BoneIndex> = std::iter::once(bone).chain(skeleton.ancestors(bone)).collect();
    chain.reverse();
    chain
}

impl<'c> ChainSampler<'c> {
    /// `chain` is in order, each bone the parent of the next; the first need not be a top, then the result is
    /// relative to its parent.
    pub fn new(clip: &'c Clip, chain: &[BoneIndex]) -> Self {
        Self::of_properties(clip, chain, &Property::ALL)
    }

    /// One property of a single bone over time; the others stay at the node pose.
    pub fn of_property(clip: &'c Clip, bone: BoneIndex, property: Property) -> Self {
        Self::of_properties(clip, &[bone], &[property])
    }

    /// Good for the position of the chain's last bone alone: what turns or scales only that is left out.
    pub fn for_position(clip: &'c Clip, chain: &[BoneIndex]) -> Self {
        let mut sampler = Self::new(clip, &chain[..chain.len() - 1]);
        let last = Self::of_properties(clip, &chain[chain.len() - 1..], &[Property::Translation]);
        let known = sampler.groups.len();
        sampler.groups.extend(last.groups);
        sampler.links.extend(last.links.into_iter().map(|mut link| {
            link.tracks.iter_mut().flatten().for_each(|(_, group)| *group += known);
            link
        }));
        Self::of_links(sampler.links, sampler.groups)
    }

    fn of_properties(clip: &'c Clip, chain: &[BoneIndex], properties: &[Property]) -> Self {
        let mut groups: Vec<Group<'c>> = Vec::new();
        let links = chain
            .iter()
            .map(|&bone| {
                let mut base = clip.skeleton.bone(bone).node_pose;
                let mut tracks = [None, None, None];
                for &property in properties {
                    let Some(track) = clip.tracks[bone.get()][property.slot()].as_deref() else { continue };
                    if track.is_constant(property) {
                        set(&mut base, property, track, 0, 0.0);
                        continue;
                    }
                    let times: &'c Times = &track.times;
                    let known = groups.iter().position(|group| std::ptr::eq(group.times, times));
                    let group = known.unwrap_or_else(|| {
                        groups.push(Group { times, key: 0, fraction: 0.0 });
                        groups.len() - 1
                    });
                    tracks[property.slot()] = Some((track, group));
                }
                Link { base, base_affine: base.to_affine(), moving: tracks.iter().any(Option::is_some), tracks }
            })
            .collect();
        Self::of_links(links, groups)
    }

    fn of_links(links: Vec<Link<'c>>, groups: Vec<Group<'c>>) -> Self {
        let n = links.iter().take_while(|link| !link.moving).count();
        let still = links[..n].iter().fold(DAffine3::IDENTITY, |above, link| above * link.base_affine);
        Self { links, groups, still: (n, still) }
    }

    /// A single bone's local transform over time.
    pub fn of_bone(clip: &'c Clip, bone: BoneIndex) -> Self {
        Self::new(clip, &[bone])
    }

    /// Whether nothing in the chain ever moves.
    pub fn is_static(&self) -> bool {
        self.links.iter().all(|link| !link.moving)
    }

    /// The tracks that move the chain, with what they drive.
    pub fn moving_tracks(&self) -> impl Iterator<Item = (Property, &'c Track)> + '_ {
        self.links.iter().flat_map(|link| {
            Property::ALL
                .into_iter()
                .filter_map(|property| link.tracks[property.slot()].map(|(track, _)| (property, track)))
        })
    }

    /// Transform of the chain's last bone above its first bone's parent: component space for a chain from the top.
    pub fn last_at(&mut self, secs: f64) -> DAffine3 {
        self.locate(secs);
        let (n, still) = self.still;
        self.links[n..].iter().fold(still, |above, link| above * link.affine(&self.groups))
    }

    /// Where [`Self::last_at`] puts the last bone: what it is turned and scaled by is not looked at.
    pub fn last_position_at(&mut self, secs: f64) -> DVec3 {
        self.locate(secs);
        let (n, still) = self.still;
        let Some((last, before)) = self.links[n..].split_last() else { return still.translation };
        let above = before.iter().fold(still, |above, link| above * link.affine(&self.groups));
        above.transform_point3(last.vec3(Property::Translation, last.base.translation, &self.groups))
    }

    /// As [`Self::last_at`] for every bone of the chain.
    pub fn all_at(&mut self, secs: f64, component: &mut Vec<DAffine3>) {
        self.locate(secs);
        component.clear();
        let mut above = DAffine3::IDENTITY;
        for link in &self.links {
            above *= link.affine(&self.groups);
            component.push(above);
        }
    }

    /// Local transform of the first bone of the chain.
    pub fn first_local_at(&mut self, secs: f64) -> Transform {
        self.locate(secs);
        self.links[0].local(&self.groups)
    }

    fn locate(&mut self, secs: f64) {
        for group in &mut self.groups {
            (group.key, group.fraction) = group.times.locate_near(secs, group.key);
        }
    }
}

impl Link<'_> {
    fn local(&self, groups: &[Group<'_>]) -> Transform {
        let rotation = match self.tracks[Property::Rotation.slot()] {
            Some((track, group)) => track.quat_at(groups[group].key, groups[group].fraction),
            None => self.base.rotation,
        };
        Transform {
            translation: self.vec3(Property::Translation, self.base.translation, groups),
            rotation,
            scale: self.vec3(Property::Scale, self.base.scale, groups),
        }
    }

    fn vec3(&self, property: Property, still: DVec3, groups: &[Group<'_>]) -> DVec3 {
        match self.tracks[property.slot()] {
            Some((track, group)) => track.vec3_at(groups[group].key, groups[group].fraction),
            None => still,
        }
    }

    fn affine(&self, groups: &[Group<'_>]) -> DAffine3 {
        if self.moving { self.local(groups).to_affine() } else { self.base_affine }
    }
}

fn set(transform: &mut Transform, property: Property, track: &Track, key: usize, fraction: f64) {
    match property {
        Property::Translation => transform.translation = track.vec3_at(key, fraction),
        Property::Rotation => transform.rotation = track.quat_at(key, fraction),
        Property::Scale => transform.scale = track.vec3_at(key, fraction),
    }
}
