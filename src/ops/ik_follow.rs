//! IK bones go where the bones they mark go.
//!
//! A bone such as `ik_foot_l` that stood on `foot_l` in the source keeps its offset to it. Where both hang from the
//! root they are re-solved alike and nothing is left to do; what is left are IK bones beside the root's branch, whose
//! partners an operation has moved.

use std::sync::Arc;

use glam::{DAffine3, DQuat};

use super::OpError;
use super::grid::Grid;
use super::resplit::{quat_values, vec3_values};
use crate::motion::rig::IkPair;
use crate::motion::transform::{angle_between, rotation_of};
use crate::motion::{BoneIndex, ChainSampler, Clip, Interpolation, Property, Rig, Track, Transform, chain_to};

/// An IK bone within this of its partner marks it, metres.
const MARKS_M: f64 = 0.01;
/// An IK bone turned by less than this against its partner marks it, radians.
const MARKS_RAD: f64 = 2.0 * std::f64::consts::PI / 180.0;

/// `after` with every IK bone back at the offset that it had to its partner in `before`; both on one skeleton.
/// Pairs that `moved_alike` says were moved together are not looked at.
///
/// # Errors
/// Too many keys.
pub fn follow(
    before: &Clip,
    after: Arc<Clip>,
    rig: &Rig,
    moved_alike: impl Fn(IkPair) -> bool,
) -> Result<Arc<Clip>, OpError> {
    let mut pairs: Vec<IkPair> = rig.ik_pairs.iter().copied().filter(|&pair| !moved_alike(pair)).collect();
    // Parents first: `ik_hand_gun` carries `ik_hand_l`.
    pairs.sort_by_key(|pair| pair.ik);
    let mut clip = after;
    for pair in pairs {
        if let Some(moved) = followed(before, &clip, pair)? {
            clip = Arc::new(moved);
        }
    }
    Ok(clip)
}

fn followed(before: &Clip, after: &Clip, pair: IkPair) -> Result<Option<Clip>, OpError> {
    let chain = |bone: BoneIndex| chain_to(&before.skeleton, bone);
    let (ik_chain, fk_chain) = (chain(pair.ik), chain(pair.fk));
    let (mut old_ik, mut old_fk) = (ChainSampler::new(before, &ik_chain), ChainSampler::new(before, &fk_chain));
    let (mut new_ik, mut new_fk) = (ChainSampler::new(after, &ik_chain), ChainSampler::new(after, &fk_chain));
    let tracks = old_ik.moving_tracks().chain(old_fk.moving_tracks()).chain(new_fk.moving_tracks());
    let grid = Grid::union(tracks, &[], before.rate, before.range.start_secs)?;
    grid.check_size(2)?;
    let mut keys = Vec::with_capacity(grid.times.len());
    let mut is_off = false;
    for secs in grid.times.iter() {
        let (ik, fk) = (old_ik.last_at(secs), old_fk.last_at(secs));
        let marks = ik.translation.distance(fk.translation) <= MARKS_M
            && angle_between(rotation_of(&ik), rotation_of(&fk)) <= MARKS_RAD;
        if !marks {
            return Ok(None);
        }
        let wanted = new_fk.last_at(secs) * (fk.inverse() * ik);
        let is = new_ik.last_at(secs);
        let tolerance = 1e-5 * (1.0 + wanted.translation.length());
        is_off |= is.translation.distance(wanted.translation) > tolerance
            || angle_between(rotation_of(&is), rotation_of(&wanted)) > 1e-5;
        keys.push(wanted);
    }
    if !is_off {
        return Ok(None);
    }
    let above = after.skeleton.parent(pair.ik).map(|parent| ChainSampler::new(after, &chain(parent)));
    Ok(Some(written(after, pair.ik, &grid, &keys, above)))
}

fn written(
    after: &Clip,
    bone: BoneIndex,
    grid: &Grid,
    component: &[DAffine3],
    mut above: Option<ChainSampler<'_>>,
) -> Clip {
    let local: Vec<Transform> = grid
        .times
        .iter()
        .zip(component)
        .map(|(secs, wanted)| {
            let parent = above.as_mut().map_or(DAffine3::IDENTITY, |chain| chain.last_at(secs));
            Transform::from_affine(parent.inverse() * *wanted)
        })
        .collect();
    let mut out = after.clone();
    let rotations: Vec<DQuat> = local.iter().map(|key| key.rotation).collect();
    let positions: Vec<_> = local.iter().map(|key| key.translation).collect();
    let values = [(Property::Translation, vec3_values(&positions)), (Property::Rotation, quat_values(&rotations))];
    for (property, values) in values {
        let track = Track {
            times: grid.times.clone(),
            values: values.into(),
            interpolation: Interpolation::Linear,
            times_from: grid.times_from,
            values_from: None,
        };
        out.set_track(bone, property, track);
    }
    out
}
