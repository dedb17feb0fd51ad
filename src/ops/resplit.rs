//! Gives the root new motion and re-solves what hangs from it, so that nothing else is seen to move.
//!
//! With `m` and `n` the root's old and new local transform, a child keeps its place when its local transform becomes
//! `n⁻¹∘m∘local`; what stands above the root cancels. Everything is solved against the new root as stored, rounded
//! keys and all, so rounding does not add up, and at every key of the child, so only the stretch between two keys can
//! be off; there it is checked, and a key added where it would be seen.

use std::sync::Arc;

use glam::{DAffine3, DQuat, DVec3};
use serde::{Deserialize, Serialize};

use super::grid::Grid;
use super::{OpError, Progress, find_bone};
use crate::motion::transform::{nearer, rotation_angle, slerp};
use crate::motion::{
    BoneIndex, ChainSampler, Clip, FrameRate, Interpolation, Property, Rig, Times, Track, Transform, chain_to,
};

/// Between keys a point may be off by this much, metres: half of what is promised, so that a step may follow a step.
pub const BETWEEN_KEYS_M: f64 = 5e-5;
/// Between keys a rotation may be off by this much, radians: 0.005°, half of what is promised.
pub const BETWEEN_KEYS_RAD: f64 = 8.7e-5;
/// How often a frame may be halved to stay within.
const LEVELS: u32 = 5;

/// How often a stretch of time may be halved: down to a frame, and then [`LEVELS`] times more.
pub(super) fn levels(secs: f64, rate: FrameRate) -> u32 {
    LEVELS + (secs * rate.fps()).max(1.0).log2().ceil() as u32
}

/// What becomes of one child of the root.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChildMode {
    /// It stays where it is in component space.
    #[default]
    Keep,
    /// It keeps its local transform as of the first key and goes where the root goes.
    Ride,
    /// Its track is left as it is.
    LeaveTrack,
}

/// A child of the root that is not to be kept in place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChildRule {
    /// Path or name.
    pub bone: String,
    /// What becomes of it.
    pub mode: ChildMode,
}

/// New local motion of the root.
pub struct NewRoot {
    /// Keys.
    pub grid: Grid,
    /// Local transform per key.
    pub local: Vec<Transform>,
    /// Whether the rotation is written; otherwise the root keeps its rotation track.
    pub turns: bool,
}

/// The clip with the root's motion replaced and its children re-solved. Returns the very clip when the root would
/// not move by more than rounding.
///
/// # Errors
/// Too many keys, an unknown bone in a rule, or cancelled.
pub fn resplit(
    clip: &Arc<Clip>,
    root: BoneIndex,
    rig: &Rig,
    new_root: &NewRoot,
    rules: &[ChildRule],
    progress: &Progress,
) -> Result<Arc<Clip>, OpError> {
    if is_already(clip, root, new_root) {
        return Ok(clip.clone());
    }
    let children: Vec<BoneIndex> = clip.skeleton.children(root).collect();
    new_root.grid.check_size(children.len() + 1)?;
    let modes = child_modes(clip, root, rules)?;
    let mut out = Clip::clone(clip);
    write_root(&mut out, root, new_root);
    // The children read the new root while they are written: they are solved against this copy.
    let rooted = out.clone();
    for (i, &child) in children.iter().enumerate() {
        progress.check()?;
        progress.set(i as f64 / children.len() as f64);
        match modes.iter().find(|(bone, _)| *bone == child).map_or(ChildMode::Keep, |(_, mode)| *mode) {
            ChildMode::LeaveTrack => {}
            ChildMode::Ride => ride(&mut out, child),
            ChildMode::Keep if rides_with_root(clip, rig, child) => {
                let fixed = ChainSampler::of_bone(clip, child).first_local_at(clip.range.start_secs);
                for below in clip.skeleton.children(child) {
                    Solve::new(clip, &rooted, root, new_root, below, fixed)?.run(&mut out)?;
                }
            }
            ChildMode::Keep => {
                Solve::new(clip, &rooted, root, new_root, child, Transform::IDENTITY)?.run(&mut out)?;
            }
        }
    }
    Ok(Arc::new(out))
}

/// An IK root that stands still rides with the root: its local transform is what engines expect there.
pub fn rides_with_root(clip: &Clip, rig: &Rig, bone: BoneIndex) -> bool {
    rig.ik_roots.contains(&bone) && ChainSampler::of_bone(clip, bone).is_static()
}

fn child_modes(clip: &Clip, root: BoneIndex, rules: &[ChildRule]) -> Result<Vec<(BoneIndex, ChildMode)>, OpError> {
    rules
        .iter()
        .map(|rule| {
            let bone = find_bone(clip, "children", &rule.bone)?;
            if clip.skeleton.parent(bone) == Some(root) {
                Ok((bone, rule.mode))
            } else {
                let reason =
                    format!("\"{}\" is not a child of the root \"{}\"", rule.bone, clip.skeleton.bone(root).name);
                Err(OpError::Setting { setting: "children", reason })
            }
        })
        .collect()
}

/// A rider keeps the local transform of the first key: one constant key per track it had.
fn ride(out: &mut Clip, child: BoneIndex) {
    let local = ChainSampler::of_bone(out, child).first_local_at(out.range.start_secs);
    let times = Arc::new(Times::single(out.range.start_secs));
    for property in Property::ALL {
        if out.track(child, property).is_some_and(|track| !track.is_constant(property)) {
            let values = match property {
                Property::Translation => vec3_values(&[local.translation]),
                Property::Rotation => quat_values(&[local.rotation]),
                Property::Scale => vec3_values(&[local.scale]),
            };
            put(out, child, property, &times, None, values);
        }
    }
}

/// Whether the root, at its old keys and its new ones, already is where it is to be.
fn is_already(clip: &Clip, root: BoneIndex, new_root: &NewRoot) -> bool {
    let mut old = ChainSampler::of_bone(clip, root);
    let old_keys: Vec<&Times> = old.moving_tracks().map(|(_, track)| &*track.times).collect();
    old_keys.into_iter().chain([&*new_root.grid.times]).flat_map(Times::iter).all(|secs| {
        let (is, to_be) = (old.first_local_at(secs), new_root.at(secs));
        is.translation.abs_diff_eq(to_be.translation, 1e-6 * (1.0 + is.translation.length()))
            && (!new_root.turns || rotation_angle(is.rotation.conjugate() * to_be.rotation) <= 2e-6)
    })
}

impl NewRoot {
    /// Between keys as it will be stored.
    fn at(&self, secs: f64) -> Transform {
        let (i, u) = self.grid.times.locate(secs);
        let (a, b) = (self.local[i], self.local[(i + 1).min(self.local.len() - 1)]);
        Transform {
            translation: a.translation.lerp(b.translation, u),
            rotation: if u > 0.0 { slerp(a.rotation, b.rotation, u) } else { a.rotation },
            scale: a.scale,
        }
    }
}

fn write_root(out: &mut Clip, root: BoneIndex, new_root: &NewRoot) {
    let times = &new_root.grid.times;
    let from = new_root.grid.times_from;
    let positions: Vec<DVec3> = new_root.local.iter().map(|local| local.translation).collect();
    put(out, root, Property::Translation, times, from, vec3_values(&positions));
    if new_root.turns {
        let rotations: Vec<DQuat> = new_root.local.iter().map(|local| local.rotation).collect();
        put(out, root, Property::Rotation, times, from, quat_values(&rotations));
    }
}

/// Stores linear keys; keys that never change by more than rounding become one.
fn put(
    out: &mut Clip,
    bone: BoneIndex,
    property: Property,
    times: &Arc<Times>,
    times_from: Option<crate::motion::Origin>,
    values: Vec<f32>,
) {
    let width = property.width();
    let constant = values.chunks_exact(width).all(|value| {
        value.iter().zip(&values[..width]).all(|(a, b)| (a - b).abs() <= 2.0 * f32::EPSILON * (1.0 + b.abs()))
    });
    let track = if constant && times.len() > 1 {
        Track {
            times: Arc::new(Times::single(times.first())),
            values: values[..width].into(),
            interpolation: Interpolation::Linear,
            times_from: None,
            values_from: None,
        }
    } else {
        Track {
            times: times.clone(),
            values: values.into(),
            interpolation: Interpolation::Linear,
            times_from,
            values_from: None,
        }
    };
    out.set_track(bone, property, track);
}

/// Rounded for storage.
pub(super) fn vec3_values(values: &[DVec3]) -> Vec<f32> {
    values.iter().flat_map(|v| [v.x as f32, v.y as f32, v.z as f32]).collect()
}

/// Rounded for storage, neighbouring keys in one hemisphere: readers that blend without a check take the short way all the same.
pub(super) fn quat_values(rotations: &[DQuat]) -> Vec<f32> {
    let mut previous = rotations.first().copied().unwrap_or(DQuat::IDENTITY);
    rotations
        .iter()
        .flat_map(|&q| {
            previous = nearer(q, previous);
            [previous.x as f32, previous.y as f32, previous.z as f32, previous.w as f32]
        })
        .collect()
}

/// Re-solves one bone below the root.
struct Solve<'c> {
    bone: BoneIndex,
    /// What stands, still, between the root and the bone.
    between: Transform,
    old_root: ChainSampler<'c>,
    new_root: ChainSampler<'c>,
    local: ChainSampler<'c>,
    grid: Grid,
    /// Root and child are straight lines between the keys and the root does not turn: exact there by construction.
    exact_between: bool,
    turns: bool,
    metres: f64,
    reach_m: f64,
    rate: FrameRate,
}

impl<'c> Solve<'c> {
    fn new(
        clip: &'c Clip,
        rooted: &'c Clip,
        root: BoneIndex,
        new_root: &NewRoot,
        bone: BoneIndex,
        between: Transform,
    ) -> Result<Self, OpError> {
        let (old, new) = (ChainSampler::of_bone(clip, root), ChainSampler::of_bone(rooted, root));
        let local = ChainSampler::of_bone(clip, bone);
        let turns = new_root.turns;
        // While the root's rotation stays, only the child's translation is rewritten, on the keys that move it.
        let wanted = |(property, _): &(Property, &Track)| turns || *property == Property::Translation;
        let tracks = local.moving_tracks().filter(wanted).chain(old.moving_tracks());
        let grid = Grid::union(tracks, &[&new_root.grid], clip.rate, clip.range.start_secs)?;
        let root_turns =
            old.moving_tracks().chain(new.moving_tracks()).any(|(property, _)| property != Property::Translation);
        let exact_between = !grid.curved && !root_turns;
        let above = clip.skeleton.parent(root).map_or(DAffine3::IDENTITY, |parent| {
            ChainSampler::new(clip, &chain_to(&clip.skeleton, parent)).last_at(clip.range.start_secs)
        });
        let metres = above.matrix3.determinant().abs().cbrt().max(1e-9);
        let reach_m = if turns { reach(clip, bone) } else { 0.0 };
        Ok(Self {
            bone,
            between,
            old_root: old,
            new_root: new,
            local,
            grid,
            exact_between,
            turns,
            metres,
            reach_m,
            rate: clip.rate,
        })
    }

    /// `n⁻¹∘m` seen from below what stands between.
    fn correction(&mut self, secs: f64) -> Transform {
        let (m, n) = (self.old_root.first_local_at(secs), self.new_root.first_local_at(secs));
        let (m, n) = (m.compose(self.between), n.compose(self.between));
        let uniform = (n.scale - DVec3::splat(n.scale.x)).length() <= 1e-9 * n.scale.x.abs();
        if uniform {
            return n.inverse().compose(m);
        }
        Transform::from_affine(n.to_affine().inverse() * m.to_affine())
    }

    fn solved(&mut self, secs: f64) -> Transform {
        let correction = self.correction(secs);
        let local = self.local.first_local_at(secs);
        let mut solved = correction.compose(local);
        if !self.turns {
            solved.rotation = local.rotation;
        }
        solved
    }

    fn run(mut self, out: &mut Clip) -> Result<(), OpError> {
        let mut secs: Vec<f64> = self.grid.times.iter().collect();
        let mut keys: Vec<Transform> = secs.iter().map(|&secs| self.solved(secs)).collect();
        for i in 1..keys.len() {
            keys[i].rotation = nearer(keys[i].rotation, keys[i - 1].rotation);
        }
        if !keys.iter().all(|key| key.is_finite()) {
            let reason = "the root is scaled to nothing at some key, so nothing can hang from it".to_owned();
            return Err(OpError::Needs(reason));
        }
        if self.is_unchanged(&secs, &keys) {
            return Ok(());
        }
        let (mut times, mut from) = (self.grid.times.clone(), self.grid.times_from);
        if !self.exact_between {
            let n = secs.len();
            self.refine(&mut secs, &mut keys);
            if secs.len() != n {
                (times, from) = (Arc::new(Times::Keys(secs.clone().into())), None);
                Grid { times: times.clone(), times_from: None, curved: true }.check_size(1)?;
            }
        }
        let positions: Vec<DVec3> = keys.iter().map(|key| key.translation).collect();
        put(out, self.bone, Property::Translation, &times, from, vec3_values(&positions));
        if self.turns {
            let rotations: Vec<DQuat> = keys.iter().map(|key| key.rotation).collect();
            put(out, self.bone, Property::Rotation, &times, from, quat_values(&rotations));
        }
        Ok(())
    }

    fn is_unchanged(&mut self, secs: &[f64], keys: &[Transform]) -> bool {
        secs.iter().zip(keys).all(|(&secs, key)| {
            let local = self.local.first_local_at(secs);
            key.translation.abs_diff_eq(local.translation, 1e-9 * (1.0 + local.translation.length()))
                && rotation_angle(key.rotation.conjugate() * local.rotation) <= 1e-9
        })
    }

    /// Halves segments in whose middle the bone, or what hangs from it, would be seen to move.
    fn refine(&mut self, secs: &mut Vec<f64>, keys: &mut Vec<Transform>) {
        let (mut new_secs, mut new_keys) = (Vec::with_capacity(secs.len()), Vec::with_capacity(secs.len()));
        for i in 0..secs.len() {
            new_secs.push(secs[i]);
            new_keys.push(keys[i]);
            if i + 1 < secs.len() {
                let levels = levels(secs[i + 1] - secs[i], self.rate);
                self.split((secs[i], keys[i]), (secs[i + 1], keys[i + 1]), levels, &mut new_secs, &mut new_keys);
            }
        }
        (*secs, *keys) = (new_secs, new_keys);
    }

    fn split(
        &mut self,
        a: (f64, Transform),
        b: (f64, Transform),
        levels: u32,
        secs: &mut Vec<f64>,
        keys: &mut Vec<Transform>,
    ) {
        // A jump of a stepped track is 1 ms wide: nothing is to be seen inside it.
        if levels == 0 || b.0 - a.0 < 2e-3 || [0.25, 0.5, 0.75].into_iter().all(|u| self.is_near(a, b, u)) {
            return;
        }
        let middle = 0.5 * (a.0 + b.0);
        let mut key = self.solved(middle);
        key.rotation = nearer(key.rotation, a.1.rotation);
        self.split(a, (middle, key), levels - 1, secs, keys);
        secs.push(middle);
        keys.push(key);
        self.split((middle, key), b, levels - 1, secs, keys);
    }

    /// Whether the interpolated keys put the bone where it was, with everything it carries.
    fn is_near(&mut self, a: (f64, Transform), b: (f64, Transform), u: f64) -> bool {
        let secs = a.0 + u * (b.0 - a.0);
        let local = self.local.first_local_at(secs);
        let shown = Transform {
            translation: a.1.translation.lerp(b.1.translation, u),
            rotation: if self.turns { slerp(a.1.rotation, b.1.rotation, u) } else { local.rotation },
            scale: local.scale,
        };
        let (m, n) = (self.old_root.first_local_at(secs), self.new_root.first_local_at(secs));
        let between = self.between;
        let (was, is) = (m.compose(between).compose(local), n.compose(between).compose(shown));
        let angle = rotation_angle(was.rotation.conjugate() * is.rotation);
        let distance = was.translation.distance(is.translation) * self.metres;
        angle <= BETWEEN_KEYS_RAD && distance + angle * self.reach_m <= BETWEEN_KEYS_M
    }
}

/// How far anything below `bone` can be from it, metres: the longest chain, which no pose exceeds. Where a
/// translation is keyed its longest key counts.
fn reach(clip: &Clip, bone: BoneIndex) -> f64 {
    let reference = clip.skeleton.reference_component();
    let mut farthest = 0.0_f64;
    let mut below: Vec<Option<f64>> = vec![None; clip.skeleton.len()];
    below[bone.get()] = Some(0.0);
    for child in clip.skeleton.indices().skip(bone.get() + 1) {
        let Some(parent) = clip.skeleton.parent(child) else { continue };
        let Some(so_far) = below[parent.get()] else { continue };
        let still = reference[child.get()].translation.distance(reference[parent.get()].translation);
        let length = clip.track(child, Property::Translation).map_or(still, |track| {
            let scale = reference[parent.get()].matrix3.determinant().abs().cbrt();
            let keyed = (0..track.times.len()).map(|i| track.vec3_key(i).length()).fold(0.0, f64::max);
            still.max(keyed * scale)
        });
        below[child.get()] = Some(so_far + length);
        farthest = farthest.max(so_far + length);
    }
    farthest
}
