//! Real clips against what is known of them and against an independent reader.

use std::path::{Path, PathBuf};
use std::process::Command;

use glam::{DQuat, DVec3};
use stridesmith::formats::{self, ReadOptions};
use stridesmith::motion::transform::angle_between;
use stridesmith::motion::{LocalPose, Sampler, SourceFile};

use super::FILE;

fn folder(variable: &str, default: &str) -> PathBuf {
    let chosen = std::env::var_os(variable).map(PathBuf::from);
    chosen.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join(default))
}

/// One clip of the list that comes with the shared clips.
struct Listed {
    path: PathBuf,
    up: String,
    joints: usize,
    frames: usize,
}

/// Empty, and said so, where the clips are absent.
fn listed() -> Vec<Listed> {
    let clips = folder("STRIDESMITH_CLIPS", "../shared/clips");
    let Ok(manifest) = std::fs::read_to_string(clips.join("MANIFEST.tsv")) else {
        println!("skipped: no clips in {}", clips.display());
        return Vec::new();
    };
    let number_before = |text: &str, word: &str| -> usize {
        let before = &text[..text.find(word).unwrap()];
        before.rsplit([' ', ',']).next().unwrap().parse().unwrap()
    };
    let mut lines = manifest.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let heads = lines.next().unwrap();
    let column = |name: &str| heads.iter().position(|head| *head == name).unwrap();
    let (up, technical) = (column("up_axis"), column("technical"));
    let found: Vec<Listed> = lines
        .filter(|line| line[0].ends_with(".bvh"))
        .map(|line| Listed {
            path: clips.join(line[0]),
            up: line[up].to_owned(),
            joints: number_before(line[technical], " joints"),
            frames: number_before(line[technical], " frames"),
        })
        .collect();
    assert!(found.len() >= 16, "the list names {} BVH files", found.len());
    found
}

fn open(path: &Path) -> SourceFile {
    formats::open(FILE, path, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_clip_opens_with_the_joints_and_frames_that_are_known() {
    for clip in listed() {
        let file = open(&clip.path);
        let name = clip.path.display();
        assert_eq!(file.skeleton.len(), clip.joints, "{name}");
        assert_eq!(file.clips.len(), 1, "{name}");
        let keys = file.clips[0].tracks.iter().flatten().flatten().map(|track| track.times.len()).max();
        assert_eq!(keys, Some(clip.frames), "{name}");
        let turned = file.space.rotation != DQuat::IDENTITY;
        assert_eq!(turned, clip.up == "+Z", "{name}: {}", clip.up);
    }
}

#[test]
fn clips_have_the_size_of_people() {
    for clip in listed() {
        let file = open(&clip.path);
        let pose = file.clips[0].component_at(0.0);
        let heights = pose.0.iter().map(|bone| bone.translation.y);
        let tall = heights.clone().fold(f64::MIN, f64::max) - heights.fold(f64::MAX, f64::min);
        // One figure is 46 units tall, which is no usual unit: it becomes a small person in inches.
        assert!((1.0..2.4).contains(&tall), "{}: {tall} m at {}", clip.path.display(), file.space.metres_per_unit);
    }
}

/// What the numpy reader makes of a file: frames × joints, file space.
struct Truth {
    joints: usize,
    positions: Vec<DVec3>,
    rotations: Vec<DQuat>,
}

/// `None`, and said so, where the peers are absent.
fn truth(path: &Path) -> Option<Truth> {
    let home = std::env::var_os("PEERS_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache/stridesmith-peers")))?;
    let (python, script) =
        (home.join("py/bin/python"), folder("STRIDESMITH_PEERS", "../shared/peers").join("bvh_truth.py"));
    if !python.exists() || !script.exists() {
        println!("skipped: no {} or no {}", python.display(), script.display());
        return None;
    }
    let out = tempfile::tempdir().unwrap();
    let (npz, raw) = (out.path().join("truth.npz"), out.path().join("truth.raw"));
    run(Command::new(&python).arg(&script).args([path, &npz]));
    let flatten = "import sys, numpy as np; z = np.load(sys.argv[1]); \
                   np.concatenate([z['a0/wld_pos'], z['a0/wld_rot']], -1).astype('<f8').tofile(sys.argv[2]); \
                   print(len(z['names']))";
    let joints = run(Command::new(&python).args(["-c", flatten]).args([&npz, &raw])).trim().parse().unwrap();
    let bytes = std::fs::read(&raw).unwrap();
    let numbers: Vec<f64> = bytes.chunks_exact(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect();
    let rows = numbers.chunks_exact(7);
    Some(Truth {
        joints,
        positions: rows.clone().map(|r| DVec3::from_slice(r)).collect(),
        rotations: rows.map(|r| DQuat::from_xyzw(r[4], r[5], r[6], r[3])).collect(),
    })
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_clip_is_what_another_reader_sees() {
    for listed in listed() {
        let Some(truth) = truth(&listed.path) else { return };
        let file = open(&listed.path);
        let (clip, name) = (&file.clips[0], listed.path.display());
        assert_eq!(truth.joints, clip.skeleton.len());
        let (low, high) = truth
            .positions
            .iter()
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), &p| (low.min(p), high.max(p)));
        let extent = (high - low).max_element();
        let times = clip.tracks.iter().flatten().flatten().next().unwrap().times.clone();
        let mut sampler = Sampler::new(clip);
        let mut local = LocalPose::node_pose(&clip.skeleton);
        let back = file.space.rotation.conjugate();
        let (mut worst_place, mut worst_turn) = (0.0f64, 0.0f64);
        let frames = truth.positions.len() / truth.joints;
        // The other reader believes "Frames: 1" of a file with two rows.
        assert!(frames == times.len() || frames == 1, "{name}");
        for frame in 0..frames {
            sampler.local(times.at(frame), &mut local);
            // In f64 from here on: only the keys are ours.
            let component = clip.skeleton.component_from_local(&local.0);
            for (joint, affine) in component.iter().enumerate() {
                let at = frame * truth.joints + joint;
                let place = back * affine.translation / file.space.metres_per_unit;
                let turn = back * DQuat::from_mat3(&affine.matrix3);
                worst_place = worst_place.max(place.distance(truth.positions[at]));
                worst_turn = worst_turn.max(angle_between(turn, truth.rotations[at]).to_degrees());
            }
        }
        println!("{name}: {:.1e} of the extent, {worst_turn:.1e}°", worst_place / extent);
        assert!(worst_place <= 1e-5 * extent, "{name}: {worst_place} of {extent}");
        assert!(worst_turn <= 0.01, "{name}: {worst_turn}°");
    }
}
