//! What three.js and Babylon.js see, on the shared clips: component-space poses of every bone at 30 frames per second.
//!
//! Both programs count time from the file's zero, hold the first key before it and end at the last key, so ours is
//! sampled at the same file times. They run under node from a cache folder (`PEERS_HOME`); where that is absent the
//! tests say so and pass.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use glam::{DQuat, DVec3};
use serde_json::Value;
use stridesmith::motion::transform::angle_between;
use stridesmith::motion::{Clip, ComponentPose, LocalPose, Sampler, SourceFile};

use super::clips::{gltf_files, opened};

const FPS: u32 = 30;
/// Distance as part of the extent of all bones over the clip, and angle in degrees.
const BARS: (f64, f64) = (2e-6, 1e-3);

/// Where a peer does not see what we see, and why.
struct Exception {
    file: &'static str,
    peer: &'static str,
    what: Tolerated,
    why: &'static str,
}

#[derive(Clone, Copy, PartialEq)]
enum Tolerated {
    /// These bones are not in the peer's dump.
    MissingBones(usize),
    /// The peer's takes are not ours.
    WholeFile,
    /// Rotations may differ by this many degrees.
    Degrees(f64),
    /// Positions may differ by this part of the extent.
    Extent(f64),
}

const EXCEPTIONS: [Exception; 0] = [];

fn tolerated(path: &Path, peer: &str) -> Vec<Tolerated> {
    let of_file = EXCEPTIONS.iter().filter(|exception| path.ends_with(exception.file) && exception.peer == peer);
    of_file
        .map(|exception| {
            println!("{}, {peer}: {}", exception.file, exception.why);
            exception.what
        })
        .collect()
}

fn scripts() -> Option<PathBuf> {
    let home = std::env::var_os("PEERS_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache/stridesmith-peers")))?;
    let scripts = home.join("js");
    let there = scripts.join("three_dump.mjs").is_file() && scripts.join("node_modules").is_dir();
    if !there {
        println!("skipped: no peers in {}", scripts.display());
    }
    there.then_some(scripts)
}

/// A peer's dump of all takes, or of one.
fn dump(scripts: &Path, peer: &str, file: &Path, take: Option<usize>) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("dump.json");
    let mut node = Command::new("node");
    node.current_dir(scripts).arg(format!("{peer}_dump.mjs")).arg(file.canonicalize().unwrap());
    if let Some(take) = take {
        node.args(["--anim", &take.to_string()]);
    }
    let run = node.arg("-o").arg(&out).args(["--fps", &FPS.to_string()]).output().unwrap();
    assert!(run.status.success(), "{peer} on {}: {}", file.display(), String::from_utf8_lossy(&run.stderr));
    serde_json::from_slice(&std::fs::read(&out).unwrap()).unwrap()
}

/// Names from the top, since names alone repeat; nodes without one are called by their number, as the peers do.
fn our_paths(file: &SourceFile) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    for bone in file.skeleton.bones() {
        let name = if bone.name.is_empty() { format!("node{}", bone.node.unwrap()) } else { bone.name.clone() };
        let path = bone.parent.map_or(name.clone(), |parent| format!("{}/{name}", paths[parent.get()]));
        paths.push(path);
    }
    paths
}

fn their_paths(dump: &Value) -> HashMap<String, usize> {
    let names: Vec<&str> = dump["names"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    let parents: Vec<i64> = dump["parents"].as_array().unwrap().iter().map(|i| i.as_i64().unwrap()).collect();
    let path = |mut node: usize| {
        let mut path = names[node].to_owned();
        while parents[node] >= 0 {
            node = parents[node] as usize;
            path = format!("{}/{path}", names[node]);
        }
        path
    };
    let mut paths = HashMap::new();
    for node in 0..names.len() {
        paths.entry(path(node)).or_insert(node);
    }
    paths
}

fn numbers<const N: usize>(value: &Value) -> [f64; N] {
    std::array::from_fn(|i| value[i].as_f64().unwrap())
}

/// Largest distance as part of the extent, and largest angle in degrees, with the bone it is at.
fn differences(
    clip: &Clip,
    take: usize,
    dump: &Value,
    bones: &[(usize, usize)],
    names: &[String],
) -> [(f64, String); 2] {
    let times = dump[format!("a{take}/time")].as_array().unwrap();
    let mut sampler = Sampler::new(clip);
    let mut local = LocalPose::node_pose(&clip.skeleton);
    let mut pose = ComponentPose::new(&clip.skeleton);
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let mut worst = [(0.0, String::new()), (0.0, String::new())];
    for (frame, time) in times.iter().enumerate() {
        sampler.local(time.as_f64().unwrap().min(clip.range.end_secs), &mut local);
        pose.set(&clip.skeleton, &local);
        for &(ours, theirs) in bones {
            let bone = stridesmith::motion::BoneIndex(ours as u32);
            let position = pose.position(bone);
            (low, high) = (low.min(position), high.max(position));
            let there = DVec3::from_array(numbers(&dump[format!("a{take}/wld_pos")][frame][theirs]));
            let [w, x, y, z] = numbers(&dump[format!("a{take}/wld_rot")][frame][theirs]);
            let turn = angle_between(pose.rotation(bone), DQuat::from_xyzw(x, y, z, w).normalize()).to_degrees();
            for (worst, found) in worst.iter_mut().zip([position.distance(there), turn]) {
                if !(found <= worst.0) {
                    *worst = (found, format!("{} at {time} s", names[ours]));
                }
            }
        }
    }
    worst[0].0 /= (high - low).max_element().max(1e-9);
    worst
}

fn compare(path: &Path, peer: &str, scripts: &Path, problems: &mut Vec<String>) {
    let file = opened(path);
    let allowed = tolerated(path, peer);
    if allowed.contains(&Tolerated::WholeFile) {
        return;
    }
    // The three.js script leaves what one take moved where it was, so takes that move different things need a
    // process each.
    let moved = |clip: &Clip| clip.tracks.iter().flatten().map(Option::is_some).collect::<Vec<bool>>();
    let alone = peer == "three" && file.clips.iter().any(|clip| moved(clip) != moved(&file.clips[0]));
    let mut dump = dump(scripts, peer, path, None);
    if alone {
        for take in 0..file.clips.len() {
            let one = self::dump(scripts, peer, path, Some(take));
            for part in ["time", "wld_pos", "wld_rot"] {
                let key = format!("a{take}/{part}");
                dump[&key] = one[&key].clone();
            }
        }
    }
    let (ours, theirs) = (our_paths(&file), their_paths(&dump));
    let bones: Vec<(usize, usize)> =
        ours.iter().enumerate().filter_map(|(i, path)| Some((i, *theirs.get(path)?))).collect();
    let name = file.file_name();
    let missing = allowed.iter().find_map(|t| if let Tolerated::MissingBones(n) = t { Some(*n) } else { None });
    if bones.len() + missing.unwrap_or(0) < ours.len() {
        let lost: Vec<&String> = ours.iter().filter(|path| !theirs.contains_key(*path)).take(3).collect();
        problems.push(format!("{name}: {peer} has {} of {} bones, not {lost:?}", bones.len(), ours.len()));
    }
    let mut worst = (0.0f64, 0.0f64);
    for clip in &file.clips {
        let take = clip.take.unwrap() as usize;
        if clip.tracks.iter().flatten().flatten().next().is_none() {
            continue;
        }
        if dump[format!("a{take}/time")].is_null() {
            problems.push(format!("{name}: {peer} has no take {take}"));
            continue;
        }
        let [(extent, at), (degrees, turned)] = differences(clip, take, &dump, &bones, &ours);
        worst = (worst.0.max(extent), worst.1.max(degrees));
        let bars = allowed.iter().fold(BARS, |bars, t| match t {
            Tolerated::Extent(extent) => (*extent, bars.1),
            Tolerated::Degrees(degrees) => (bars.0, *degrees),
            _ => bars,
        });
        if !(extent <= bars.0 && degrees <= bars.1) {
            problems.push(format!(
                "{name}, {}: {peer} differs by {extent:.2e} ({at}) and {degrees:.2e}° ({turned})",
                clip.name
            ));
        }
    }
    println!("{name}: {peer} agrees to {:.1e} of the extent and {:.1e}°", worst.0, worst.1);
}

fn compare_all(wanted: impl Fn(&Path) -> bool) {
    let Some(scripts) = scripts() else { return };
    let mut problems = Vec::new();
    for (path, _) in gltf_files().into_iter().filter(|(path, _)| wanted(path)) {
        compare(&path, "three", &scripts, &mut problems);
        if path.extension().is_some_and(|extension| extension == "glb") {
            compare(&path, "babylon", &scripts, &mut problems);
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Small files that together hold every interpolation, a scaled armature, a matrix node and unnamed nodes.
#[test]
fn peers_see_the_same_on_a_few_files() {
    let few = ["interpolation_test.gltf", "animations-mixamo-default.glb", "CesiumMan.glb", "Fox.glb"];
    compare_all(|path| few.iter().any(|name| path.ends_with(name)));
}

#[test]
#[ignore = "a minute of node processes"]
fn peers_see_the_same_on_all_files() {
    compare_all(|_| true);
}
