//! Gives the root new motion and re-solves what hangs from it, so that nothing else is seen to move.
//!
//! With `m` and `n` the root's old and new local transform, a child keeps its place when its local transform becomes
//! `n⁻¹∘m∘local`; what stands above the root cancels. Everything is solved against the new root as stored, rounded
//! keys and all, so rounding does not add up, and at every key of the child, so only the stretch between two keys can
//! be off; there it is checked, and a key added where it would be seen.

mod solve;
mod store;

use std::sync::Arc;

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

use super::grid::Grid;
use super::{OpError, Progress, find_bone};
use crate::motion::transform::{rotation_angle, slerp};
use crate::motion::{BoneIndex, ChainSampler, Clip, Property, Rig, Times, Transform};
use solve::Solver;
use store::put;

pub(super) use solve::levels;
pub(super) use store::{quat_values, vec3_values};

/// Between keys a point may be off by this much, metres: half of what is promised, so that a step may follow a step.
pub const BETWEEN_KEYS_M: f64 = 5e-5;
/// Between keys a rotation may be off by this much, radians: 0.005°, half of what is promised.
pub const BETWEEN_KEYS_RAD: f64 = 8.7e-5;

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
    let modes = child_modes(clip, root, rules)?;
    let old = RootKeys::of(clip, root, new_root)?;
    if old.is_already(new_root) {
        return Ok(clip.clone());
    }
    let children: Vec<BoneIndex> = clip.skeleton.children(root).collect();
    old.grid.check_size(children.len() + 1)?;
    let mut out = Clip::clone(clip);
    write_root(&mut out, root, new_root);
    // The children read the new root while they are written: they are solved against this copy.
    let rooted = out.clone();
    let solver = Solver::new(clip, &rooted, root, new_root.turns, &old);
    for (i, &child) in children.iter().enumerate() {
        progress.check()?;
        progress.set(i as f64 / children.len() as f64);
        match modes.iter().find(|(bone, _)| *bone == child).map_or(ChildMode::Keep, |(_, mode)| *mode) {
            ChildMode::LeaveTrack => {}
            ChildMode::Ride => ride(&mut out, child),
            ChildMode::Keep if rides_with_root(clip, rig, child) => {
                let fixed = ChainSampler::of_bone(clip, child).first_local_at(clip.range.start_secs);
                for below in clip.skeleton.children(child) {
                    solver.solve(below, fixed, &mut out)?;
                }
            }
            ChildMode::Keep => solver.solve(child, Transform::IDENTITY, &mut out)?,
        }
    }
    Ok(Arc::new(out))
}

/// Whether a root, at the keys it has and those it is to have, already is where it is to be.
///
/// # Errors
/// Too many keys.
pub(super) fn is_already(clip: &Clip, root: BoneIndex, new_root: &NewRoot) -> Result<bool, OpError> {
    Ok(RootKeys::of(clip, root, new_root)?.is_already(new_root))
}

/// The root as it was, at every key that it had or is to have.
struct RootKeys {
    grid: Grid,
    local: Vec<Transform>,
}

impl RootKeys {
    fn of(clip: &Clip, root: BoneIndex, new_root: &NewRoot) -> Result<Self, OpError> {
        let mut chain = ChainSampler::of_bone(clip, root);
        let grid = Grid::union(chain.moving_tracks(), &[&new_root.grid], clip.rate, clip.range.start_secs)?;
        let local = if chain.is_static() {
            vec![chain.first_local_at(grid.times.first()); grid.times.len()]
        } else {
            grid.times.iter().map(|secs| chain.first_local_at(secs)).collect()
        };
        Ok(Self { grid, local })
    }

    /// Whether the root already is where it is to be.
    fn is_already(&self, new_root: &NewRoot) -> bool {
        let same_keys = Arc::ptr_eq(&self.grid.times, &new_root.grid.times);
        self.grid.times.iter().zip(&self.local).enumerate().all(|(i, (secs, is))| {
            let to_be = if same_keys { new_root.local[i] } else { new_root.at(secs) };
            is.translation.abs_diff_eq(to_be.translation, 1e-6 * (1.0 + is.translation.length()))
                && (!new_root.turns || rotation_angle(is.rotation.conjugate() * to_be.rotation) <= 2e-6)
        })
    }
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

/// Stores the root's new keys, its rotation only where it turns.
pub(super) fn write_root(out: &mut Clip, root: BoneIndex, new_root: &NewRoot) {
    let times = &new_root.grid.times;
    let from = new_root.grid.times_from;
    let positions: Vec<DVec3> = new_root.local.iter().map(|local| local.translation).collect();
    put(out, root, Property::Translation, times, from, vec3_values(&positions));
    if new_root.turns {
        let rotations: Vec<DQuat> = new_root.local.iter().map(|local| local.rotation).collect();
        put(out, root, Property::Rotation, times, from, quat_values(&rotations));
    }
}
