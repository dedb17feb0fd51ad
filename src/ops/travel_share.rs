//! Who carries the travel: what stands above the root, the root, or the pelvis.

use glam::{DAffine3, DVec3};

use super::OpError;
use super::grid::Grid;
use crate::motion::transform::ground;
use crate::motion::{BoneIndex, ChainSampler, Clip, Rig, chain_to};

/// Shares of the travel, 0…1 each, together 1; all 0 when nothing travels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TravelShare {
    /// Nodes above the root, or above the travel bone where there is no root.
    pub above: f64,
    /// The root against its parent.
    pub root: f64,
    /// The travel bone against the root.
    pub pelvis: f64,
    /// Net travel of the travel bone on the ground, metres.
    pub net_m: f64,
    /// Length of its path on the ground, metres.
    pub path_m: f64,
    /// Net direction about +Y from +Z, radians; 0 without travel.
    pub direction_rad: f64,
}

/// Measures the shares as the lengths of three paths on the ground, each as if the other two stood as at the first
/// key: what stands above the root, the root against its parent, and the travel bone against the root. Sway is part of a path, so a share is never
/// quite nothing; net travel says whether a clip goes anywhere.
///
/// # Errors
/// Too many keys.
pub fn travel_share(clip: &Clip, rig: &Rig, travel: BoneIndex) -> Result<TravelShare, OpError> {
    let chain = chain_to(&clip.skeleton, travel);
    let mut sampler = ChainSampler::new(clip, &chain);
    let grid = Grid::union(sampler.moving_tracks(), &[], clip.rate, clip.range.start_secs)?;
    let root = rig.root().and_then(|root| chain.iter().position(|&bone| bone == root));
    let last = chain.len() - 1;
    let mut component = Vec::new();
    // The first key's node above the root, root against it, and travel bone against the root.
    let mut held: Option<[DAffine3; 2]> = None;
    let mut before: Option<[DVec3; 4]> = None;
    let (mut start, mut end) = (DVec3::ZERO, DVec3::ZERO);
    let mut lengths = [0.0; 4];
    for secs in grid.times.iter() {
        sampler.all_at(secs, &mut component);
        let pelvis = component[last];
        let above = match root {
            Some(0) => DAffine3::IDENTITY,
            Some(i) => component[i - 1],
            None if last > 0 => component[last - 1],
            None => DAffine3::IDENTITY,
        };
        let of_root = root.map_or(above, |i| component[i]);
        let [first_above, first_root] = *held.get_or_insert([above, above.inverse() * of_root]);
        let placed_root = first_above * first_root;
        let at = [
            (above * first_root).translation,
            (first_above * (above.inverse() * of_root)).translation,
            (placed_root * (of_root.inverse() * pelvis)).translation,
            pelvis.translation,
        ]
        .map(ground);
        if let Some(was) = before {
            for (length, (at, was)) in lengths.iter_mut().zip(at.iter().zip(&was)) {
                *length += at.distance(*was);
            }
        } else {
            start = at[3];
        }
        before = Some(at);
        end = at[3];
    }
    let net = end - start;
    let path_m = lengths[3];
    let sum: f64 = lengths[..3].iter().sum();
    if sum.is_nan() || sum < 1e-6 {
        return Ok(TravelShare::default());
    }
    Ok(TravelShare {
        above: lengths[0] / sum,
        root: lengths[1] / sum,
        pelvis: lengths[2] / sum,
        net_m: net.length(),
        path_m,
        direction_rad: if net.length() > 1e-6 { net.x.atan2(net.z) } else { 0.0 },
    })
}
