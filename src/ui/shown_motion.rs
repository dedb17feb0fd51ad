//! What plots show: the motion of the result in view, *chosen*, against that of the take it was made from, *raw*.

use std::sync::Arc;

use crate::motion::TimeRange;
use crate::ops::Evaluation;
use crate::session::derived::{Derived, Series, Trail};
use crate::session::{Playback, Session};

/// The clip in view with what was measured of it, as far as it is known.
pub struct ShownMotion {
    /// The clip and its rig.
    pub evaluation: Arc<Evaluation>,
    /// Motion of the result.
    pub result: Option<Arc<Derived>>,
    /// Motion of the take, in the take's own time: see [`Self::take_time`].
    pub take: Option<Arc<Derived>>,
    /// From the result's time to the take's.
    pub take_time: Even,
}

impl ShownMotion {
    /// `None` when no clip is in view.
    pub fn of(session: &Session) -> Option<Self> {
        let evaluation = session.evaluation_in_view()?;
        let clip = session.clip_in_view()?;
        let take = session.shown_document().take_of(clip).and_then(|(open, take)| open.file.clips.get(take).cloned());
        // All steps there are move time evenly, so that the ends say what becomes of every instant.
        let take_time = take.map_or(Even::SAME, |take| Even::between(evaluation.clip.range, take.range));
        Some(Self { result: session.derived(clip), take: session.derived_take(clip), evaluation, take_time })
    }

    /// The clip's instant that is shown.
    pub fn now(&self, playback: &Playback) -> f64 {
        self.evaluation.clip.range.clamp(playback.secs)
    }

    /// Whether anything was measured.
    pub fn is_measured(&self) -> bool {
        self.result.is_some() || self.take.is_some()
    }

    /// Where the source's travel bone, the pelvis in most rigs, goes.
    pub fn raw(&self) -> Option<&Trail> {
        self.take.as_ref()?.travel.as_deref()
    }

    /// Where the root goes in the result, whether it travels or stays.
    pub fn chosen(&self) -> Option<&Trail> {
        self.result.as_ref()?.root.as_ref()
    }

    /// A series of the take.
    pub fn raw_series(&self, pick: impl FnOnce(&Derived) -> Option<&Series>) -> Option<Timed<'_>> {
        Some(Timed { series: pick(self.take.as_deref()?)?, time: self.take_time })
    }

    /// A series of the result.
    pub fn chosen_series(&self, pick: impl FnOnce(&Derived) -> Option<&Series>) -> Option<Timed<'_>> {
        Some(Timed { series: pick(self.result.as_deref()?)?, time: Even::SAME })
    }
}

/// An even map of time: `t` becomes `scale·t + offset_secs`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Even {
    /// Positive.
    pub scale: f64,
    /// Seconds.
    pub offset_secs: f64,
}

impl Even {
    /// Every instant stays.
    pub const SAME: Self = Self { scale: 1.0, offset_secs: 0.0 };

    /// Takes one range to another; where either is an instant, start to start.
    pub fn between(from: TimeRange, to: TimeRange) -> Self {
        if from == to {
            return Self::SAME;
        }
        let scale = to.duration_secs() / from.duration_secs();
        let scale = if scale.is_finite() && scale > 0.0 { scale } else { 1.0 };
        Self { scale, offset_secs: to.start_secs - scale * from.start_secs }
    }

    /// Where an instant goes.
    pub fn map(self, secs: f64) -> f64 {
        self.scale * secs + self.offset_secs
    }

    /// Where it came from.
    pub fn back(self, secs: f64) -> f64 {
        (secs - self.offset_secs) / self.scale
    }

    /// Where a stretch goes.
    pub fn range(self, range: TimeRange) -> TimeRange {
        TimeRange { start_secs: self.map(range.start_secs), end_secs: self.map(range.end_secs) }
    }
}

/// A series, and the way from the time on screen to its own.
#[derive(Clone, Copy)]
pub struct Timed<'a> {
    /// In its own time.
    pub series: &'a Series,
    /// From the result's time to the series'.
    pub time: Even,
}

impl Timed<'_> {
    /// The value at an instant of the result.
    pub fn at(&self, secs: f64) -> f32 {
        self.series.at(self.time.map(secs))
    }
}
