//! What the table says of a clip beside its name.

use crate::edit::{ClipKind, Document};
use crate::motion::Cycle;
use crate::ops::{ClipId, Op, Step};
use crate::session::{Session, Shown};

/// Who carries the travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Travel {
    /// The root.
    RootMotion,
    /// Nobody.
    InPlace,
}

/// Numbers of a clip; `None` where they are not known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Facts {
    /// Last key after the first.
    pub duration_secs: Option<f64>,
    /// Frames from the first to the last, both counted.
    pub frames: Option<f64>,
    /// Frames per second.
    pub fps: Option<f64>,
    /// Mean speed over the ground.
    pub speed_m_s: Option<f64>,
    /// Net turn, to the left positive.
    pub turn_deg: Option<f64>,
    /// Whether it repeats.
    pub is_loop: bool,
    /// Who carries the travel.
    pub travel: Option<Travel>,
}

/// What is known of a row without computing anything.
pub fn facts(session: &Session, id: ClipId) -> Facts {
    let document = session.document();
    let mut facts = without_results(document, id);
    let changed_by_preview = !std::sync::Arc::ptr_eq(document, session.shown_document());
    if let Shown::Ready(evaluation) = session.shown(id)
        && !changed_by_preview
    {
        let clip = &evaluation.clip;
        facts = with_length(facts, clip.range.duration_secs(), clip.rate.fps());
        facts.is_loop = clip.cycle != Cycle::None;
        for figure in evaluation.reports.iter().flatten().flat_map(|report| &report.figures) {
            match figure.name.as_str() {
                "mean speed" => facts.speed_m_s = Some(figure.value),
                "net turn" => facts.turn_deg = Some(figure.value),
                _ => {}
            }
        }
    }
    facts
}

/// From the take, and from what the steps say they do.
fn without_results(document: &Document, id: ClipId) -> Facts {
    let mut facts = Facts::default();
    let (Some(entry), Some((open, take))) = (document.clip(id), document.take_of(id)) else { return facts };
    let Some(clip) = open.file.clips.get(take) else { return facts };
    let on = || entry.steps().iter().filter(|step| step.on);
    if on().all(|step| keeps_length(&step.op)) {
        facts = with_length(facts, clip.range.duration_secs(), clip.rate.fps());
        facts.is_loop = clip.cycle != Cycle::None;
    }
    facts.travel = on().rev().find_map(|step| decided(step)).flatten();
    facts
}

fn with_length(facts: Facts, duration_secs: f64, fps: f64) -> Facts {
    let frames = (duration_secs * fps).round() + 1.0;
    Facts { duration_secs: Some(duration_secs), frames: Some(frames), fps: Some(fps), ..facts }
}

/// Whether a clip is as long, as dense and as much of a loop after it as before.
fn keeps_length(op: &Op) -> bool {
    match op {
        Op::Extract(_) | Op::InPlace(_) | Op::BakeToHips(_) | Op::MoveToOrigin(_) | Op::StartAtZero(_) => true,
    }
}

/// Who carries the travel after a step that decides over it: baked to the hips, nobody can say from the step alone.
#[expect(clippy::option_option, reason = "no decision is not the decision that nothing can be said")]
fn decided(step: &Step) -> Option<Option<Travel>> {
    match step.op {
        Op::Extract(_) => Some(Some(Travel::RootMotion)),
        Op::InPlace(_) => Some(Some(Travel::InPlace)),
        Op::BakeToHips(_) => Some(None),
        Op::MoveToOrigin(_) | Op::StartAtZero(_) => None,
    }
}

/// Whether a row is a take in which nothing moves.
pub fn is_still(document: &Document, id: ClipId) -> bool {
    matches!(document.clip(id).map(|entry| &entry.kind), Some(ClipKind::Take { moving: false, .. }))
}
