//! The steps of an output as rows, and where a dragged one goes.

use std::sync::Arc;

use crate::ops::path::{PathMode, PathSettings, Vertical, YawSource};
use crate::ops::resplit::ChildRule;
use crate::ops::root_motion::{RootSettings, RootStart};
use crate::ops::{Evaluation, Op, Report, Step};
use crate::ui::fields::last_part;
use crate::ui::text::tr;

/// How a step fares.
#[derive(Clone, Debug, PartialEq)]
pub enum State {
    /// It is switched off.
    Off,
    /// Done.
    Done(Report),
    /// It refused, and why.
    Refused(String),
    /// One before it refused.
    NotTried,
    /// Its result is on its way.
    Computing,
}

/// A step of the list.
#[derive(Clone, Debug, PartialEq)]
pub struct StepRow {
    /// Operation and settings.
    pub step: Arc<Step>,
    /// The settings that matter, in a few words.
    pub summary: String,
    /// How it fares.
    pub state: State,
}

/// Rows for steps and what they came to; `None` while that is not known.
pub fn rows(steps: &[Arc<Step>], result: Option<&Evaluation>) -> Vec<StepRow> {
    let refused = result.and_then(|result| result.refused.as_ref());
    let state = |nth: usize, step: &Step| {
        let Some(result) = result else { return if step.on { State::Computing } else { State::Off } };
        match (refused, result.reports.get(nth).and_then(Option::as_ref)) {
            _ if !step.on => State::Off,
            (Some(refusal), _) if refusal.step == nth => State::Refused(refusal.error.to_string()),
            (_, Some(report)) => State::Done(report.clone()),
            (Some(_), None) => State::NotTried,
            (None, None) => State::Computing,
        }
    };
    let row = |(nth, step): (usize, &Arc<Step>)| StepRow {
        step: step.clone(),
        summary: summary(&step.op),
        state: state(nth, step),
    };
    steps.iter().enumerate().map(row).collect()
}

/// The settings that matter, and those that are not as they are by default.
pub fn summary(op: &Op) -> String {
    let mut parts = Vec::new();
    match op {
        Op::Extract(op) => {
            path_parts(&op.path, &mut parts);
            root_parts(&op.root, &mut parts);
        }
        Op::InPlace(op) => {
            path_parts(&op.path, &mut parts);
            root_parts(&op.root, &mut parts);
        }
        Op::BakeToHips(op) => rule_parts(&op.children, &mut parts),
        Op::MoveToOrigin(op) => {
            parts.push(match (op.turn, op.shift) {
                (true, true) => tr("place and heading").into(),
                (true, false) => tr("heading alone").into(),
                (false, true) => tr("place alone").into(),
                (false, false) => tr("nothing").into(),
            });
            bone_part(op.travel_bone.as_deref(), &mut parts);
        }
        Op::StartAtZero(_) => {}
    }
    parts.join(" · ")
}

fn path_parts(path: &PathSettings, parts: &mut Vec<String>) {
    parts.push(match (path.path, path.sigma_secs) {
        (PathMode::Raw, _) => tr("raw").into(),
        (PathMode::Smoothed, None) => tr("smoothed").into(),
        (PathMode::Smoothed, Some(sigma)) => format!("{} {sigma:.3} s", tr("smoothed, σ")),
        (PathMode::ConstantSpeed, _) => tr("constant speed").into(),
    });
    match path.yaw {
        YawSource::Auto => {}
        YawSource::None => parts.push(tr("no turning").into()),
        YawSource::PelvisDelta => parts.push(tr("turns with the pelvis").into()),
        YawSource::Travel => parts.push(tr("turns with the travel").into()),
        YawSource::Typed { yaw_deg } => parts.push(format!("{} {yaw_deg:.1}°", tr("faces"))),
    }
    match path.vertical {
        Vertical::Off => {}
        Vertical::On => parts.push(tr("height follows").into()),
        Vertical::Clamped => parts.push(tr("height follows above ground").into()),
    }
    match (path.lock_x, path.lock_z) {
        (false, false) => {}
        (true, false) => parts.push(tr("x locked").into()),
        (false, true) => parts.push(tr("z locked").into()),
        (true, true) => parts.push(tr("x and z locked").into()),
    }
    bone_part(path.travel_bone.as_deref(), parts);
}

fn root_parts(root: &RootSettings, parts: &mut Vec<String>) {
    match root.start {
        RootStart::Auto => {}
        RootStart::Relative => parts.push(tr("starts where it was").into()),
        RootStart::UnderPelvis => parts.push(tr("starts under the pelvis").into()),
    }
    rule_parts(&root.children, parts);
}

fn rule_parts(rules: &[ChildRule], parts: &mut Vec<String>) {
    match rules.len() {
        0 => {}
        1 => parts.push(tr("1 rule for a child").into()),
        n => parts.push(format!("{n} {}", tr("rules for children"))),
    }
}

fn bone_part(bone: Option<&str>, parts: &mut Vec<String>) {
    parts.extend(bone.map(|bone| format!("{} {}", tr("travel of"), last_part(bone))));
}

/// The gap between rows that the pointer is nearest to: 0 above the first, `middles.len()` below the last. `middles`
/// are the heights of the middles of the rows, from the top.
pub fn gap_at(middles: &[f32], y: f32) -> usize {
    middles.iter().filter(|&&middle| middle < y).count()
}

/// The place a step gets when it is dropped into a gap; `None` when that is where it is.
pub fn dropped(from: usize, gap: usize) -> Option<usize> {
    let to = if gap > from { gap - 1 } else { gap };
    (to != from).then_some(to)
}
