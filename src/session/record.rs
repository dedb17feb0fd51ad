//! What the sidecar says of an exported clip beyond what the clip itself says: where it came from, who carries the
//! travel, what a loop adds, and its steps.

use glam::{DAffine3, DQuat};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::formats::sidecar::{Delta, Record, Root, RootMode, Source, Step as StepRecord, YawSource as YawRecord};
use crate::motion::transform::rotation_of;
use crate::motion::{ChainSampler, Clip, Cycle, SourceFile, chain_to};
use crate::ops::path::{PathMode, PathSettings, YawSource};
use crate::ops::yaw::twist_of_delta;
use crate::ops::{Evaluation, Op, Report, Step};

/// Of the root's way, for the turn of a loop.
const MOST_SAMPLES: f64 = 4096.0;

/// The record of a clip made from take number `take` of `file` by `steps`.
pub fn record(file: &SourceFile, take: usize, steps: &[std::sync::Arc<Step>], result: &Evaluation) -> Record {
    let take_name = file.clips.get(take).map(|clip| clip.name.clone()).unwrap_or_default();
    let source = Source { file: file.file_name(), sha256: sha256_text(file), clip: take_name };
    let mut record = Record::of(&result.clip, source);
    record.root = root(steps, result);
    record.cycle.delta = loop_delta(result);
    record.steps = steps.iter().filter(|step| step.on).map(|step| step_record(step)).collect();
    record
}

/// SHA-256 of the file's bytes, hexadecimal; computed once per file.
pub fn sha256_text(file: &SourceFile) -> String {
    let hash = file.hash.get_or_init(|| Sha256::digest(&file.bytes).into());
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The settings keep the version beside them, so that the step can be made again from the record.
fn step_record(step: &Step) -> StepRecord {
    let mut settings: serde_json::Map<String, Value> = serde_json::from_str(&step.canonical()).unwrap_or_default();
    let op = settings.remove("op").and_then(|op| op.as_str().map(str::to_owned)).unwrap_or_default();
    StepRecord { op, settings: Value::Object(settings) }
}

/// By the last step that decided over the travel.
fn root(steps: &[std::sync::Arc<Step>], result: &Evaluation) -> Root {
    let skeleton = &result.clip.skeleton;
    let bone = result.rig.root().map(|root| skeleton.bone(root).name.clone()).unwrap_or_default();
    let reported = steps.iter().zip(&result.reports).rev().filter_map(|(step, report)| Some((step, report.as_ref()?)));
    let decided = reported.into_iter().find_map(|(step, report)| match &step.op {
        Op::Extract(op) => Some((&op.path, report, mode_of(op.path.path))),
        Op::InPlace(op) => Some((&op.path, report, RootMode::InPlace)),
        _ => None,
    });
    let Some((path, report, mode)) = decided else { return Root { bone, ..Root::default() } };
    Root {
        bone,
        mode,
        yaw: yaw_of(path, report),
        sigma_s: figure(report, "sigma").unwrap_or(0.0),
        mean_speed_m_s: figure(report, "mean speed").unwrap_or(0.0),
    }
}

fn mode_of(path: PathMode) -> RootMode {
    match path {
        PathMode::Raw => RootMode::Raw,
        PathMode::Smoothed => RootMode::Smoothed,
        PathMode::ConstantSpeed => RootMode::ConstantSpeed,
    }
}

fn yaw_of(path: &PathSettings, report: &Report) -> YawRecord {
    match path.yaw {
        YawSource::None => YawRecord::None,
        // Auto takes the pelvis's turn or none, and a turn is reported.
        YawSource::Auto if figure(report, "net turn").is_none() => YawRecord::None,
        YawSource::Auto | YawSource::PelvisDelta => YawRecord::PelvisDelta,
        YawSource::Travel => YawRecord::Travel,
        YawSource::Typed { .. } => YawRecord::Fixed,
    }
}

fn figure(report: &Report, name: &str) -> Option<f64> {
    report.figures.iter().find(|figure| figure.name == name).map(|figure| figure.value)
}

/// How far the root goes and turns from the start of one round to the start of the next, component space.
fn loop_delta(result: &Evaluation) -> Delta {
    let (clip, Some(root)) = (&result.clip, result.rig.root()) else { return Delta::default() };
    if clip.cycle == Cycle::None {
        return Delta::default();
    }
    let mut chain = ChainSampler::new(clip, &chain_to(&clip.skeleton, root));
    let frames = clip.range.duration_secs() * clip.rate.fps();
    // Enough to tell which way round a turn goes, and no more than a plot shows.
    let steps = frames.round().clamp(1.0, MOST_SAMPLES) as usize;
    let secs = |i: usize| clip.range.start_secs + clip.range.duration_secs() * (i as f64 / steps as f64);
    let poses: Vec<DAffine3> = (0..=steps).map(|i| chain.last_at(secs(i))).collect();
    let rotations: Vec<DQuat> = poses.iter().map(rotation_of).collect();
    let yaw = twist_of_delta(&rotations).0.angles;
    let mut travel = poses[steps].translation - poses[0].translation;
    let mut turn = yaw[steps];
    if clip.cycle == Cycle::OneShort {
        // The step from the last key to the next round's first is not in the clip: taken as long as the one before.
        travel += poses[steps].translation - poses[steps - 1].translation;
        turn += yaw[steps] - yaw[steps - 1];
    }
    Delta { translation: travel.to_array(), yaw_deg: turn.to_degrees() }
}

/// Whether a clip's steps leave it as it is in its file.
pub fn is_untouched(clip: &Clip, file: &SourceFile, take: usize) -> bool {
    file.clips.get(take).is_some_and(|source| std::ptr::eq(&**source, clip))
}
