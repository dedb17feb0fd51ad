//! What the table says of a clip beside its name.

use crate::edit::{ClipKind, Document};
use crate::motion::Cycle;
use crate::ops::{ClipId, Op, Step};
use crate::session::{Derived, Session, Shown, Trail};

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

/// What is known of a row without computing anything: from its file, from what its steps say, and, once it has been
/// looked at, from what was measured.
pub fn facts(session: &Session, id: ClipId) -> Facts {
    let mut facts = without_results(session.document(), id);
    if let Some((derived, _)) = session.known(id) {
        add_measured(&mut facts, &derived);
    }
    // What is shown during a preview is not what the desk holds.
    if session.previewed().is_none()
        && let Shown::Ready(evaluation) = session.shown(id)
    {
        let clip = &evaluation.clip;
        facts = with_length(facts, clip.range.duration_secs(), clip.rate.fps());
        facts.is_loop = clip.cycle != Cycle::None;
    }
    facts
}

fn add_measured(facts: &mut Facts, derived: &Derived) {
    let secs = derived.frames.end_secs - derived.frames.start_secs;
    let turn = if derived.root_travels { &derived.root_yaw } else { &derived.travel_yaw };
    let span = |values: &[f32]| Some(f64::from(values.last()? - values.first()?));
    facts.turn_deg = turn.as_ref().and_then(|yaw| span(yaw.values())).map(f64::to_degrees);
    if derived.root_travels {
        facts.travel = Some(Travel::RootMotion);
    }
    // The root's path has no sway in it; the hips' has, and only how far they come counts.
    let way = match (derived.root_travels, &derived.distance, &derived.travel) {
        (true, Some(distance), _) => span(distance.values()),
        (_, _, Some(trail)) => Some(net_m(trail)),
        _ => None,
    };
    facts.speed_m_s = way.filter(|_| secs > 0.0).map(|metres| metres / secs);
}

/// From the first frame to the last, on the ground.
fn net_m(trail: &Trail) -> f64 {
    let [a, b] = [0, trail.frames().count.saturating_sub(1)].map(|frame| trail.point(frame).map(f64::from));
    (b[0] - a[0]).hypot(b[2] - a[2])
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
