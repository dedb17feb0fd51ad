//! The times at which an operation rewrites tracks: a view for one operation, never stored.
//!
//! The union of the key times of the tracks read; constant tracks have none. Inside a cubic segment every frame of
//! the clip's rate is added, and a jump of a stepped track becomes two keys 1 ms apart, since what is rewritten is
//! linear between keys.

use std::sync::Arc;

use super::OpError;
use crate::motion::{FrameRate, Interpolation, Origin, Property, Times, Track};

/// More keys × bones than this are refused.
pub const MAX_SAMPLES: u64 = 4_000_000;

/// How long before a jump the old value is keyed, seconds.
const JUMP_SECS: f64 = 1e-3;

/// Key times for rewritten tracks, and where they come from when they are a source track's own.
#[derive(Clone, Debug)]
pub struct Grid {
    /// At least one time.
    pub times: Arc<Times>,
    /// Set when `times` are those of an untouched track.
    pub times_from: Option<Origin>,
    /// Whether some track read is neither linear nor constant: then between keys nothing is exact by construction.
    pub curved: bool,
}

/// Times nearer than this are one key: 10 µs, or four steps of an `f32` that holds the time.
fn merge_secs(secs: f64) -> f64 {
    (4.0 * f64::from(f32::EPSILON) * secs.abs()).max(1e-5)
}

impl Grid {
    /// Union over `tracks` (with the property each drives) and `others`; `fallback`, the clip's start, when nothing
    /// moves.
    ///
    /// # Errors
    /// Too many samples.
    pub fn union<'a>(
        tracks: impl Iterator<Item = (Property, &'a Track)>,
        others: &[&Grid],
        rate: FrameRate,
        fallback: f64,
    ) -> Result<Self, OpError> {
        let mut shared: Option<(&Arc<Times>, Option<Origin>)> =
            others.first().map(|grid| (&grid.times, grid.times_from));
        let mut all_shared = true;
        let mut curved = others.iter().any(|grid| grid.curved);
        let mut extra: Vec<f64> = Vec::new();
        let mut sets: Vec<&Arc<Times>> = others.iter().map(|grid| &grid.times).collect();
        for (property, track) in tracks {
            if track.is_constant(property) {
                continue;
            }
            match track.interpolation {
                Interpolation::Linear => {}
                Interpolation::Step => {
                    curved = true;
                    add_jumps(track, property, &mut extra);
                }
                Interpolation::CubicSpline => {
                    curved = true;
                    add_frames(track, rate, fallback, &mut extra)?;
                }
            }
            if shared.is_none() {
                shared = Some((&track.times, track.times_from));
            }
            sets.push(&track.times);
        }
        if let Some((first, _)) = shared {
            all_shared &= sets.iter().all(|times| Arc::ptr_eq(times, first) || ***times == **first);
        }
        match shared {
            None => Ok(Self { times: Arc::new(Times::single(fallback)), times_from: None, curved }),
            Some((times, from)) if all_shared && extra.is_empty() => {
                Ok(Self { times: times.clone(), times_from: from, curved })
            }
            Some(_) => {
                let mut all = extra;
                let mut seen: Vec<*const Times> = Vec::new();
                for times in sets {
                    if !seen.contains(&Arc::as_ptr(times)) {
                        seen.push(Arc::as_ptr(times));
                        all.extend(times.iter());
                    }
                }
                Ok(Self { times: Arc::new(Times::Keys(merged(all).into())), times_from: None, curved })
            }
        }
    }

    /// Refuses a grid whose keys for `bones` bones would be too many.
    ///
    /// # Errors
    /// Too many samples.
    pub fn check_size(&self, bones: usize) -> Result<(), OpError> {
        let samples = self.times.len() as u64 * bones as u64;
        if samples > MAX_SAMPLES { Err(OpError::TooLarge { samples, limit: MAX_SAMPLES }) } else { Ok(()) }
    }
}

/// Sorted, with times that are too near to be two keys merged into the earlier one.
fn merged(mut all: Vec<f64>) -> Vec<f64> {
    all.sort_by(f64::total_cmp);
    let mut kept: Vec<f64> = Vec::with_capacity(all.len());
    for secs in all {
        if kept.last().is_none_or(|&last| secs - last > merge_secs(secs)) {
            kept.push(secs);
        }
    }
    kept
}

fn add_jumps(track: &Track, property: Property, extra: &mut Vec<f64>) {
    let width = property.width();
    let n = track.times.len();
    for i in 1..n {
        if track.values[(i - 1) * width..i * width] != track.values[i * width..(i + 1) * width] {
            let (before, at) = (track.times.at(i - 1), track.times.at(i));
            // Late in a very long clip 1 ms would be merged away.
            let jump = JUMP_SECS.max(2.0 * merge_secs(at));
            extra.push((at - jump).max((before + at) * 0.5));
        }
    }
}

/// Frames of `rate` strictly inside the track, counted from `from` so that those of several tracks coincide.
fn add_frames(track: &Track, rate: FrameRate, from: f64, extra: &mut Vec<f64>) -> Result<(), OpError> {
    let (first, last) = (track.times.first(), track.times.last());
    let frames = ((last - first) * rate.fps()).ceil();
    if frames > MAX_SAMPLES as f64 {
        return Err(OpError::TooLarge { samples: frames as u64, limit: MAX_SAMPLES });
    }
    let next = ((first - from) * rate.fps()).floor() + 1.0;
    extra.extend((0..frames as usize).map(|i| from + (next + i as f64) / rate.fps()).filter(|&secs| secs < last));
    Ok(())
}
