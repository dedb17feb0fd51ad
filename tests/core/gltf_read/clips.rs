//! All shared glTF and GLB clips open, with the number of clips that their manifest states.

use std::path::PathBuf;

use stridesmith::formats::{ReadOptions, open};
use stridesmith::motion::time::USUAL_RATES;
use stridesmith::motion::{FileId, SourceFile};

/// The folder of the shared clips, `None` (said aloud) where there is none.
pub fn folder() -> Option<PathBuf> {
    let named = std::env::var_os("STRIDESMITH_CLIPS").map(PathBuf::from);
    let folder = named.unwrap_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/clips")));
    let there = folder.join("MANIFEST.tsv").is_file();
    if !there {
        println!("skipped: no clips in {}", folder.display());
    }
    there.then_some(folder)
}

/// What the manifest says of a glTF file.
struct Row {
    path: PathBuf,
    clips: usize,
    fps: String,
    duration: String,
}

fn rows() -> Vec<Row> {
    let Some(folder) = folder() else { return Vec::new() };
    let manifest = std::fs::read_to_string(folder.join("MANIFEST.tsv")).unwrap();
    let mut lines = manifest.lines();
    let header: Vec<&str> = lines.next().unwrap().split('\t').collect();
    let column = |name: &str| header.iter().position(|field| *field == name).unwrap();
    let (path, clips, fps, duration) = (column("path"), column("n_clips"), column("fps"), column("duration_s"));
    lines
        .map(|line| line.split('\t').collect::<Vec<_>>())
        .filter(|row| row[path].ends_with(".glb") || row[path].ends_with(".gltf"))
        .map(|row| Row {
            path: folder.join(row[path]),
            clips: row[clips].parse().unwrap(),
            fps: row[fps].into(),
            duration: row[duration].into(),
        })
        .collect()
}

/// The shared glTF files.
pub fn gltf_files() -> Vec<PathBuf> {
    rows().into_iter().map(|row| row.path).collect()
}

pub fn opened(path: &std::path::Path) -> SourceFile {
    open(FileId(1), path, &ReadOptions::default()).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// What is said about files that are not as they should be: file name, part of the message. The shared clips come
/// without the images of some.
const REMARKS: [(&str, &str); 7] = [
    ("24_animation_pointer.gltf", "KHR_animation_pointer"),
    ("24_animation_pointer.gltf", "base-colour images not shown: cannot read"),
    ("Astronaut_FinnTheFrog-transformed.glb", "KHR_draco_mesh_compression"),
    ("character.glb", "base-colour images not shown: cannot read"),
    ("interpolation_test.gltf", "base-colour images not shown: cannot read"),
    ("Animation_NodeMisc_02.gltf", "base-colour images not shown: cannot read"),
    ("Animation_NodeMisc_03.gltf", "base-colour images not shown: cannot read"),
];

#[test]
fn all_open_with_all_their_clips() {
    for row in rows() {
        let file = opened(&row.path);
        let name = file.file_name();
        assert_eq!(file.clips.len(), row.clips, "{name}");
        for warning in &file.warnings {
            let expected = REMARKS.iter().any(|(of, part)| *of == name && warning.message.contains(part));
            assert!(expected, "{name}: {warning}");
        }
        for clip in &file.clips {
            assert!(!clip.name.is_empty() && clip.range.end_secs >= clip.range.start_secs, "{name}: {clip:?}");
            let animated = clip.tracks.iter().flatten().flatten().count();
            assert!(animated > 0 || name.contains("pointer"), "{name}: {} moves nothing", clip.name);
        }
    }
}

/// The manifest was made by another program. Where it found an unusual rate (sparse, hand-made keys) ours is not judged.
#[test]
fn rates_and_durations_are_those_of_the_manifest() {
    for row in rows() {
        let file = opened(&row.path);
        let name = file.file_name();
        let durations = file.clips.iter().map(|clip| clip.range.duration_secs());
        let (shortest, longest) = durations.fold((f64::INFINITY, 0.0f64), |(a, b), d| (a.min(d), b.max(d)));
        let (low, high) = row.duration.split_once('-').unwrap_or((&row.duration, &row.duration));
        for (ours, theirs) in [(shortest, low), (longest, high)] {
            let theirs: f64 = theirs.parse().unwrap();
            assert!((ours - theirs).abs() <= 0.005 * theirs, "{name}: {ours} s, by the manifest {theirs} s");
        }
        let theirs = row.fps.parse().ok().filter(|fps| USUAL_RATES.contains(fps));
        if let Some(theirs) = theirs {
            assert_eq!(file.clips[0].rate.fps(), theirs, "{name}");
        }
    }
}

/// Ghost frames before the first key: a clip starts where its keys do, and its times stay.
#[test]
fn clips_start_at_their_first_key() {
    for (name, start) in
        [("Med_MovementBasic.glb", 1.0 / 30.0), ("boxman.glb", 0.0), ("kaiju-animations.glb", 1.0 / 30.0)]
    {
        for path in gltf_files().into_iter().filter(|path| path.ends_with(name)) {
            let range = opened(&path).clips[0].range;
            assert!((range.start_secs - start).abs() < 1e-6, "{name} starts at {}", range.start_secs);
        }
    }
}

/// Where the node pose is the pose the mesh was bound in, the bind pose must be the node pose, whatever space the file
/// wrote it in: file name, tolerance as part of the character's size.
#[test]
fn bind_poses_stand_where_the_nodes_stand() {
    let bound = ["Fox.glb", "CesiumMan.glb", "boxman.glb", "player.glb", "robot.glb", "animations-mixamo-default.glb"];
    for path in gltf_files() {
        if !bound.iter().any(|name| path.ends_with(name)) {
            continue;
        }
        let file = opened(&path);
        let nodes = file.skeleton.node_pose_component();
        let size = nodes.iter().map(|node| node.translation.length()).fold(0.0, f64::max);
        for (bone, node) in file.skeleton.bones().iter().zip(&nodes) {
            let Some(bind) = bone.bind_pose else { continue };
            assert!(bind.abs_diff_eq(*node, 1e-5 * size), "{}: {}: {bind} is not {node}", path.display(), bone.name);
        }
    }
}

/// Bone lengths of the reference pose agree with those of the node pose on every shared character.
#[test]
fn bind_poses_have_the_nodes_bone_lengths() {
    for path in gltf_files() {
        let file = opened(&path);
        let nodes = file.skeleton.node_pose_component();
        let mut ratios: Vec<f64> = Vec::new();
        for (bone, node) in file.skeleton.bones().iter().zip(&nodes) {
            let Some(above) = bone.parent else { continue };
            let parent = file.skeleton.bone(above);
            if let (Some(bind), Some(above_bind)) = (bone.bind_pose, parent.bind_pose) {
                let there = node.translation.distance(nodes[above.get()].translation);
                if there > 1e-6 {
                    ratios.push(bind.translation.distance(above_bind.translation) / there);
                }
            }
        }
        ratios.sort_by(f64::total_cmp);
        if let Some(middle) = ratios.get(ratios.len() / 2) {
            assert!((middle - 1.0).abs() < 0.02, "{}: bind lengths are {middle} of the nodes'", path.display());
        }
    }
}
