//! Start at 0: the one operation that moves a clip in time without touching a value.

use std::collections::HashMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{OpError, OpInput, OpOutput, Progress, Report, TimeMap};
use crate::motion::{Clip, TimeRange, Times, Track};

/// Moves keys, range, contacts, markers and curves so that the first key of all tracks is at 0 s. Values stay byte for
/// byte; tracks keep the origin of their values and lose that of their times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StartAtZero {}

impl StartAtZero {
    /// Every time, less the first key's.
    pub fn time_map(clip: &Clip) -> TimeMap {
        match first_key_secs(clip) {
            0.0 => TimeMap::Identity,
            first => TimeMap::Affine { scale: 1.0, offset_secs: -first },
        }
    }

    /// The clip itself, by `Arc`, when it starts at 0 already.
    ///
    /// # Errors
    /// When someone cancels, or when keys lie so close together that the moved times could not tell them apart.
    pub fn apply(&self, input: &OpInput<'_>, progress: &Progress) -> Result<OpOutput, OpError> {
        let first = first_key_secs(input.clip);
        let mut report = Report::default();
        report.figure("moved by", -first, "s");
        if first == 0.0 {
            report.note("The first key is at 0 already.");
            return Ok(OpOutput { clip: input.clip.clone(), skeleton: None, report });
        }
        let mut clip = Clip::clone(input.clip);
        // Tracks that share their times go on sharing them.
        let mut moved: HashMap<*const Times, Arc<Times>> = HashMap::new();
        for slot in clip.tracks.iter_mut().flatten().flatten() {
            progress.check()?;
            let times = match moved.get(&Arc::as_ptr(&slot.times)) {
                Some(times) => times.clone(),
                None => {
                    let times = Arc::new(shifted(&slot.times, first)?);
                    moved.insert(Arc::as_ptr(&slot.times), times.clone());
                    times
                }
            };
            *slot = Arc::new(Track { times, times_from: None, ..Track::clone(slot) });
        }
        clip.range = TimeRange { start_secs: clip.range.start_secs - first, end_secs: clip.range.end_secs - first };
        Self::time_map(input.clip).carry(&mut clip);
        Ok(OpOutput { clip: Arc::new(clip), skeleton: None, report })
    }
}

/// First key of all tracks; the start of the range for a clip without tracks.
pub(super) fn first_key_secs(clip: &Clip) -> f64 {
    let firsts = clip.tracks.iter().flatten().flatten().map(|track| track.times.first());
    firsts.reduce(f64::min).unwrap_or(clip.range.start_secs)
}

fn shifted(times: &Times, first: f64) -> Result<Times, OpError> {
    match times {
        Times::Uniform { start, step, n } => Ok(Times::Uniform { start: start - first, step: *step, n: *n }),
        Times::Keys(keys) => Times::from_keys(keys.iter().map(|t| t - first).collect()).ok_or_else(|| {
            OpError::Needs("some keys are too close together to be moved in time: resample the clip first".into())
        }),
    }
}
