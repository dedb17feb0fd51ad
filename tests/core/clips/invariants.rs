//! On every locomotion take: extraction is not seen, in place shares the character, a second run changes nothing.

use std::sync::{Arc, Mutex};

use glam::DVec3;
use rayon::prelude::*;
use stridesmith::formats::{ReadOptions, open};
use stridesmith::motion::{BoneIndex, ChainSampler, Clip, FileId, Property, Rig, RoleOverrides, Skeleton, chain_to};
use stridesmith::ops::cycle::guess_cycle;
use stridesmith::ops::path::{PathMode, PathSettings, YawSource, measure, travel_bone};
use stridesmith::ops::root_motion::{BakeToHips, Extract, InPlace, RootSettings};
use stridesmith::ops::{OpInput, OpOutput, Progress};

use crate::support::clips;
use crate::support::pose_check::compare;

/// Takes that travel at least this far are locomotion, metres.
const TRAVELS_M: f64 = 0.3;

struct Take {
    name: String,
    clip: Arc<Clip>,
    rig: Rig,
}

fn locomotion() -> Vec<Take> {
    let mut takes = Vec::new();
    for path in clips::all() {
        let Ok(file) = open(FileId(0), &path, &ReadOptions::default()) else { continue };
        let rig = Rig::detect(&file.skeleton, &file.declared_roles, &RoleOverrides::default());
        for clip in &file.clips {
            let rig = rig.with_travel(clip, &RoleOverrides::default());
            let Ok(bone) = travel_bone(clip, &rig, None) else { continue };
            let path_points = measure(clip, bone).unwrap().positions;
            let farthest = path_points.iter().map(|p| (*p - path_points[0]).with_y(0.0).length()).fold(0.0, f64::max);
            if farthest >= TRAVELS_M {
                let mut clip = Clip::clone(clip);
                clip.cycle = guess_cycle(&clip, &rig);
                let name = format!("{} [{}]", clips::short(&path), clip.name);
                takes.push(Take { name, clip: Arc::new(clip), rig });
            }
        }
    }
    takes
}

fn run(take: &Take, clip: &Arc<Clip>, rig: &Rig, op: &stridesmith::ops::Op) -> OpOutput {
    op.apply(&OpInput { clip, rig, source_clip: &take.clip }, &Progress::default())
        .unwrap_or_else(|error| panic!("{}: {error}", take.name))
}

/// Rig on the skeleton after an operation, and the root there.
fn after(take: &Take, output: &OpOutput) -> (Rig, BoneIndex) {
    let rig = match &output.skeleton {
        Some(stridesmith::ops::SkeletonPatch::InsertRoot { above, .. }) => {
            let above = take.clip.skeleton.find_path(above).unwrap();
            take.rig.after_insertion(above, &output.clip.skeleton)
        }
        None => take.rig.clone(),
    };
    let root = rig.root().unwrap();
    (rig, root)
}

fn covered(skeleton: &Skeleton, rig: &Rig, root: BoneIndex) -> Vec<String> {
    skeleton
        .indices()
        .filter(|&bone| bone != root && !rig.ik_roots.contains(&bone))
        .map(|bone| skeleton.bone(bone).name.clone())
        .collect()
}

fn check(take: &Take, path: PathMode, yaw: YawSource) -> Result<(), String> {
    let settings = PathSettings { path, yaw, ..PathSettings::default() };
    let what = format!("{} {path:?} {yaw:?}", take.name);
    let extract = stridesmith::ops::Op::Extract(Extract { path: settings.clone(), root: RootSettings::default() });
    let in_place = stridesmith::ops::Op::InPlace(InPlace { path: settings, root: RootSettings::default() });
    let moving = run(take, &take.clip, &take.rig, &extract);
    let (rig, root) = after(take, &moving);
    let names = covered(&moving.clip.skeleton, &rig, root);
    let invisible = |before: &Clip, after: &Clip, what: &str| {
        let largest = compare(before, after, |name| names.iter().any(|n| n == name));
        let good = largest.key_m <= 1e-5
            && largest.key_rad <= 1e-5
            && largest.between_m <= 1e-4
            && largest.between_rad <= 0.01_f64.to_radians();
        if good { Ok(()) } else { Err(format!("{what}: {largest:?}")) }
    };
    // After two operations a key of the second may lie between keys of the first: there the bar between keys holds.
    let small = |before: &Clip, after: &Clip, what: &str| {
        let largest = compare(before, after, |name| names.iter().any(|n| n == name));
        let good = largest.key_m.max(largest.between_m) <= 1e-4
            && largest.key_rad.max(largest.between_rad) <= 0.01_f64.to_radians();
        if good { Ok(()) } else { Err(format!("{what}: {largest:?}")) }
    };
    invisible(&take.clip, &moving.clip, &what)?;

    let still = run(take, &take.clip, &take.rig, &in_place).clip;
    for bone in still.skeleton.indices().filter(|&bone| bone != root) {
        for property in Property::ALL {
            let (a, b) = (moving.clip.track(bone, property), still.track(bone, property));
            let same = match (a, b) {
                (Some(a), Some(b)) => a.values == b.values && *a.times == *b.times,
                (a, b) => a.is_none() && b.is_none(),
            };
            if !same {
                return Err(format!("{what}: {} differs between the outputs", still.skeleton.path(bone)));
            }
        }
    }

    let again = run(take, &moving.clip, &rig, &extract);
    if again.skeleton.is_some() {
        return Err(format!("{what}: a second root"));
    }
    invisible(&moving.clip, &again.clip, &format!("{what} twice"))?;
    small(&take.clip, &again.clip, &format!("{what} twice, against the source"))?;
    // Where the first run keyed the root, the second finds it where it is to be.
    let keys = moving.clip.track(root, Property::Translation).map(|track| track.times.clone());
    let places = |clip: &Clip| -> Vec<DVec3> {
        let mut chain = ChainSampler::new(clip, &chain_to(&clip.skeleton, root));
        keys.iter().flat_map(|times| times.iter()).map(|secs| chain.last_at(secs).translation).collect()
    };
    if path != PathMode::ConstantSpeed {
        for (x, y) in places(&moving.clip).iter().zip(places(&again.clip)) {
            if x.distance(y) > 1e-5 * (1.0 + x.length()) {
                return Err(format!("{what}: not idempotent, {x} became {y}"));
            }
        }
    }

    let baked = run(take, &moving.clip, &rig, &stridesmith::ops::Op::BakeToHips(BakeToHips::default()));
    invisible(&moving.clip, &baked.clip, &format!("{what} baked back"))?;
    small(&take.clip, &baked.clip, &format!("{what} baked back, against the source"))
}

#[test]
fn extraction_is_never_seen() {
    let takes = locomotion();
    if takes.is_empty() {
        return;
    }
    assert!(takes.len() >= 30, "only {} locomotion takes", takes.len());
    println!("{} locomotion takes", takes.len());
    let faults = Mutex::new(Vec::new());
    takes.par_iter().for_each(|take| {
        for path in [PathMode::Raw, PathMode::Smoothed, PathMode::ConstantSpeed] {
            for yaw in [YawSource::Auto, YawSource::None, YawSource::PelvisDelta, YawSource::Travel] {
                if let Err(fault) = check(take, path, yaw) {
                    faults.lock().unwrap().push(fault);
                }
            }
        }
    });
    let mut faults = faults.into_inner().unwrap();
    faults.sort();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}
