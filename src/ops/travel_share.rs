//! Who carries the travel: what stands above the root, the root, or the pelvis.

use glam::DVec3;

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

/// Measures the shares as the lengths of three paths on the ground: of the node above the root, of the root seen from
/// its parent's first place, and of the travel bone seen from the root. Sway is part of a path, so a share is never
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
    let mut before: Option<[DVec3; 3]> = None;
    let (mut start, mut end) = (DVec3::ZERO, DVec3::ZERO);
    let mut lengths = [0.0; 3];
    let mut path_m = 0.0;
    for secs in grid.times.iter() {
        sampler.all_at(secs, &mut component);
        let pelvis = component[last].translation;
        let (above, of_root) = match root {
            Some(0) => (DVec3::ZERO, component[0].translation),
            Some(i) => (component[i - 1].translation, component[i].translation),
            None if last > 0 => (component[last - 1].translation, component[last - 1].translation),
            None => (DVec3::ZERO, DVec3::ZERO),
        };
        let at = [ground(above), ground(of_root), ground(pelvis)];
        if let Some(was) = before {
            let steps = [at[0] - was[0], at[1] - was[1], at[2] - was[2]];
            lengths[0] += steps[0].length();
            lengths[1] += (steps[1] - steps[0]).length();
            lengths[2] += (steps[2] - steps[1]).length();
            path_m += steps[2].length();
        } else {
            start = at[2];
        }
        before = Some(at);
        end = at[2];
    }
    let net = end - start;
    let sum: f64 = lengths.iter().sum();
    if sum < 1e-6 {
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
