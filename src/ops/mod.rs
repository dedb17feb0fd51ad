//! Clip in, clip out: every operation is a serialisable struct of settings with a `Default` and a pure `apply`.
//!
//! An operation states what it needs and refuses with that reason rather than doing nothing. It reads the clip and
//! the rig it is given, no file, clock or random number, and hands untouched tracks on by `Arc`.

pub mod checks;
pub mod curves;
pub mod cycle;
pub mod evaluate;
pub mod filter;
pub mod gait;
pub mod grid;
pub mod heading;
pub mod ik_follow;
pub mod naming;
pub mod path;
pub mod place;
pub mod resplit;
pub mod role_motion;
pub mod root_motion;
pub mod smooth;
pub mod sole;
pub mod start_at_zero;
pub mod step;
pub mod still;
pub mod time_map;
pub mod travel_share;
pub mod yaw;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use serde::{Deserialize, Serialize};

use crate::motion::{BoneIndex, Clip, Rig, Transform};

pub use evaluate::{Evaluation, Refusal, evaluate};
pub use naming::{Suffix, SuffixKind};
pub use path::PathMode;
pub use place::MoveToOrigin;
pub use root_motion::{BakeToHips, Extract, InPlace};
pub use start_at_zero::StartAtZero;
pub use step::{ClipId, Step};
pub use time_map::TimeMap;

/// Every operation with its settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum Op {
    /// See [`Extract`].
    Extract(Extract),
    /// See [`InPlace`].
    InPlace(InPlace),
    /// See [`BakeToHips`].
    BakeToHips(BakeToHips),
    /// See [`MoveToOrigin`].
    MoveToOrigin(MoveToOrigin),
    /// See [`StartAtZero`].
    StartAtZero(StartAtZero),
}

impl Op {
    /// Computes the clip after this operation.
    ///
    /// # Errors
    /// See the operation.
    pub fn apply(&self, input: &OpInput<'_>, progress: &Progress) -> Result<OpOutput, OpError> {
        match self {
            Self::Extract(op) => op.apply(input, progress),
            Self::InPlace(op) => op.apply(input, progress),
            Self::BakeToHips(op) => op.apply(input, progress),
            Self::MoveToOrigin(op) => op.apply(input, progress),
            Self::StartAtZero(op) => op.apply(input, progress),
        }
    }

    /// Grows whenever the same settings give other numbers than before.
    pub fn version(&self) -> u32 {
        match self {
            Self::Extract(_)
            | Self::InPlace(_)
            | Self::BakeToHips(_)
            | Self::MoveToOrigin(_)
            | Self::StartAtZero(_) => 1,
        }
    }

    /// For menus and the history.
    pub fn label(&self) -> &'static str {
        match self {
            Self::Extract(_) => "Extract root motion",
            Self::InPlace(_) => "In place",
            Self::BakeToHips(_) => "Bake root motion to hips",
            Self::MoveToOrigin(_) => "Move to origin",
            Self::StartAtZero(_) => "Start at 0",
        }
    }

    /// What it adds to the name of its output; `None`: nothing.
    pub fn suffix(&self) -> Option<Suffix> {
        let (kind, text) = match self {
            Self::Extract(op) if op.path.path == PathMode::Raw => (SuffixKind::Travel, "_RM"),
            Self::Extract(op) if op.path.path == PathMode::Smoothed => (SuffixKind::Travel, "_RMSmooth"),
            Self::Extract(_) => (SuffixKind::Travel, "_RMConst"),
            Self::InPlace(_) => (SuffixKind::Travel, "_InPlace"),
            Self::BakeToHips(_) => (SuffixKind::Travel, "_Hips"),
            Self::MoveToOrigin(_) => (SuffixKind::Place, "_Origin"),
            Self::StartAtZero(_) => (SuffixKind::Start, "_Start0"),
        };
        Some(Suffix::fixed(kind, text))
    }

    /// Where it takes the instants of `clip`, its input.
    pub fn time_map(&self, clip: &Clip) -> TimeMap {
        match self {
            Self::StartAtZero(_) => StartAtZero::time_map(clip),
            Self::Extract(_) | Self::InPlace(_) | Self::BakeToHips(_) | Self::MoveToOrigin(_) => TimeMap::Identity,
        }
    }

    /// The other clips it reads.
    pub fn reads(&self) -> Vec<ClipId> {
        Vec::new()
    }
}

/// What an operation reads.
#[derive(Clone, Copy)]
pub struct OpInput<'a> {
    /// The clip so far; its skeleton may already be a patched one.
    pub clip: &'a Arc<Clip>,
    /// Roles on that skeleton.
    pub rig: &'a Rig,
    /// The clip before the first step.
    pub source_clip: &'a Arc<Clip>,
}

/// What an operation gives.
#[derive(Clone, Debug)]
pub struct OpOutput {
    /// The new clip; on a new skeleton when `skeleton` says how it came about.
    pub clip: Arc<Clip>,
    /// How the skeleton was changed.
    pub skeleton: Option<SkeletonPatch>,
    /// What read-outs and tables show.
    pub report: Report,
}

/// A change to the skeleton that what follows stands on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkeletonPatch {
    /// One new bone between `above` and its parent.
    InsertRoot {
        /// Path of the bone that gets the new parent, on the skeleton before the patch.
        above: String,
        /// Name of the new bone.
        name: String,
        /// Its node pose, local.
        reference: Transform,
    },
}

/// One number of a report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// Such as "mean speed".
    pub name: String,
    /// In the unit.
    pub value: f64,
    /// Such as "m/s"; empty for a bare number.
    pub unit: String,
}

/// What an operation found and chose.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Numbers.
    pub figures: Vec<Figure>,
    /// Sentences: what auto chose, what was odd.
    pub notes: Vec<String>,
}

impl Report {
    /// Adds a number.
    pub fn figure(&mut self, name: &str, value: f64, unit: &str) {
        self.figures.push(Figure { name: name.into(), value, unit: unit.into() });
    }

    /// Adds a sentence.
    pub fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }
}

/// Why an operation refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum OpError {
    /// Something must be done first; the way out is in the text.
    #[error("{0}")]
    Needs(String),
    /// A setting makes no sense, or names what is not there.
    #[error("{setting}: {reason}")]
    Setting {
        /// Its name.
        setting: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// The result would be too large.
    #[error("the clip would need {samples} samples; the limit is {limit}. Trim it or lower its rate first")]
    TooLarge {
        /// Samples.
        samples: u64,
        /// Allowed.
        limit: u64,
    },
    /// Someone pressed cancel.
    #[error("cancelled")]
    Cancelled,
    /// A fault of this program, caught before it could take the session with it.
    #[error("this step failed inside the program ({0}): switch it off to go on, and please report it")]
    Failed(String),
}

/// How far a long computation is, and whether it should stop.
#[derive(Debug, Default)]
pub struct Progress {
    permille: AtomicU32,
    cancelled: Arc<AtomicBool>,
}

impl Progress {
    /// Progress of a part of this work: cancelled together, with a fraction of its own.
    #[must_use]
    pub fn part(&self) -> Self {
        Self { permille: AtomicU32::new(0), cancelled: self.cancelled.clone() }
    }

    /// Says how far it is, 0…1.
    pub fn set(&self, fraction: f64) {
        self.permille.store((fraction.clamp(0.0, 1.0) * 1000.0) as u32, Ordering::Relaxed);
    }

    /// How far it is, 0…1.
    pub fn fraction(&self) -> f64 {
        f64::from(self.permille.load(Ordering::Relaxed)) / 1000.0
    }

    /// Asks it to stop.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Call between bones or keys.
    ///
    /// # Errors
    /// When someone asked it to stop.
    pub fn check(&self) -> Result<(), OpError> {
        if self.cancelled.load(Ordering::Relaxed) { Err(OpError::Cancelled) } else { Ok(()) }
    }
}

/// A bone by its path, or by a name only one bone has.
pub(crate) fn find_bone(clip: &Clip, setting: &'static str, name: &str) -> Result<BoneIndex, OpError> {
    clip.skeleton
        .find(name)
        .ok_or_else(|| OpError::Setting { setting, reason: format!("there is no one bone called \"{name}\"") })
}
