//! What a result was, in few numbers: enough to tell later whether the same steps still give the same clip, and about
//! how far it is off when they do not.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::motion::{ChainSampler, Clip, Property, Rig, Role, Side, chain_to};
use crate::ops::Evaluation;

/// Per metre, as positions are written: tenths of a millimetre.
const PER_METRE: f64 = 1e4;
/// Positions are taken at so many instants, first and last included.
const INSTANTS: usize = 3;
/// Whose positions are taken: the bones that operations move.
const WATCHED: [Role; 4] = [Role::Root, Role::Pelvis, Role::Foot(Side::Left), Role::Foot(Side::Right)];

/// A result in few numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// Over everything that a file would hold of the clip, hexadecimal.
    hash: String,
    /// Component positions of root, pelvis and feet at the start, the middle and the end, instant by instant, as far as
    /// the rig knows them; tenths of a millimetre.
    tenths_mm: Vec<[i32; 3]>,
}

/// How two results differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Difference {
    /// Root, pelvis or a foot is so far elsewhere, metres, rounded to a tenth of a millimetre. 0 when the difference is
    /// too small to show there, or is in other bones.
    Metres(f64),
    /// Other bones play these parts.
    Roles,
}

impl Fingerprint {
    /// Of a result.
    pub fn of(result: &Evaluation) -> Self {
        Self { hash: hash(&result.clip), tenths_mm: positions(&result.clip, &result.rig) }
    }

    /// `None` when the two are the same to the last bit.
    pub fn difference(&self, now: &Self) -> Option<Difference> {
        if self.hash == now.hash {
            return None;
        }
        if self.tenths_mm.len() != now.tenths_mm.len() {
            return Some(Difference::Roles);
        }
        let apart = |(a, b): (&[i32; 3], &[i32; 3])| {
            let squares = a.iter().zip(b).map(|(a, b)| (f64::from(*a) - f64::from(*b)).powi(2));
            squares.sum::<f64>().sqrt()
        };
        let most = self.tenths_mm.iter().zip(&now.tenths_mm).map(apart).fold(0.0, f64::max);
        Some(Difference::Metres(most / PER_METRE))
    }
}

fn hash(clip: &Clip) -> String {
    let mut hash = Sha256::new();
    let mut bytes = Vec::new();
    for (bone, slots) in clip.tracks.iter().enumerate() {
        for property in Property::ALL {
            let Some(track) = &slots[property.slot()] else { continue };
            bytes.clear();
            for number in [bone, property.slot(), track.interpolation as usize, track.times.len()] {
                bytes.extend_from_slice(&(number as u64).to_le_bytes());
            }
            bytes.extend(track.times.iter().flat_map(f64::to_le_bytes));
            bytes.extend(track.values.iter().flat_map(|value| value.to_le_bytes()));
            hash.update(&bytes);
        }
    }
    // Plain data, which JSON always takes.
    let marks = serde_json::to_vec(&(clip.range, clip.rate, clip.cycle, &clip.contacts, &clip.markers, &clip.curves));
    hash.update(marks.unwrap_or_default());
    // Half of it: results never meet by chance, and the text stays readable.
    hash.finalize()[..16].iter().map(|byte| format!("{byte:02x}")).collect()
}

fn positions(clip: &Clip, rig: &Rig) -> Vec<[i32; 3]> {
    let bones = WATCHED.into_iter().filter_map(|role| rig.bone(role));
    let mut chains: Vec<ChainSampler<'_>> =
        bones.map(|bone| ChainSampler::for_position(clip, &chain_to(&clip.skeleton, bone))).collect();
    let mut all = Vec::with_capacity(INSTANTS * chains.len());
    for instant in 0..INSTANTS {
        let secs = clip.range.start_secs + clip.range.duration_secs() * instant as f64 / (INSTANTS - 1) as f64;
        for chain in &mut chains {
            // The conversion keeps to the ends of its range.
            all.push(chain.last_position_at(secs).to_array().map(|metres| (metres * PER_METRE).round() as i32));
        }
    }
    all
}
