//! All shared glTF and GLB clips open, with the number of clips that their manifest states.

use std::path::PathBuf;

use stridesmith::formats::{ReadOptions, open};
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

/// Path and number of clips of each glTF file there.
pub fn gltf_files() -> Vec<(PathBuf, usize)> {
    let Some(folder) = folder() else { return Vec::new() };
    let manifest = std::fs::read_to_string(folder.join("MANIFEST.tsv")).unwrap();
    let mut lines = manifest.lines();
    let column = |name: &str, header: &str| header.split('\t').position(|field| field == name).unwrap();
    let header = lines.next().unwrap();
    let (path, clips) = (column("path", header), column("n_clips", header));
    lines
        .map(|line| line.split('\t').collect::<Vec<_>>())
        .filter(|row| row[path].ends_with(".glb") || row[path].ends_with(".gltf"))
        .map(|row| (folder.join(row[path]), row[clips].parse().unwrap()))
        .collect()
}

pub fn opened(path: &std::path::Path) -> SourceFile {
    open(FileId(1), path, &ReadOptions::default()).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// What is said about files that are not as they should be: file name, part of the message.
const REMARKS: [(&str, &str); 4] = [
    // Images that are not among the shared files.
    ("interpolation_test.gltf", "cannot read"),
    ("24_animation_pointer.gltf", "KHR_animation_pointer"),
    ("character.glb", "Textures/colormap.png"),
    ("Astronaut_FinnTheFrog-transformed.glb", "KHR_draco_mesh_compression"),
];

#[test]
fn all_open_with_all_their_clips() {
    for (path, clips) in gltf_files() {
        let file = opened(&path);
        let name = file.file_name();
        assert_eq!(file.clips.len(), clips, "{name}");
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

/// Known from the manifest: file name, first clip's range, rate.
#[test]
fn ranges_and_rates_are_the_files_own() {
    let known = [
        ("Med_MovementBasic.glb", 1.0 / 30.0, 30.0),
        ("boxman.glb", 0.0, 24.0),
        ("CesiumMan.glb", 0.0, 24.0),
        ("kaiju-animations.glb", 1.0 / 30.0, 30.0),
    ];
    for (path, _) in gltf_files() {
        let Some((name, start, fps)) = known.iter().find(|(name, ..)| path.ends_with(name)) else { continue };
        let clip = opened(&path).clips[0].clone();
        assert!((clip.range.start_secs - start).abs() < 1e-4, "{name} starts at {}", clip.range.start_secs);
        assert_eq!(clip.rate.fps(), *fps, "{name}");
    }
}

/// Where the node pose is the pose the mesh was bound in, the bind pose must be the node pose, whatever space the file
/// wrote it in: file name, tolerance as part of the character's size.
#[test]
fn bind_poses_stand_where_the_nodes_stand() {
    let bound = ["Fox.glb", "CesiumMan.glb", "boxman.glb", "player.glb", "robot.glb", "animations-mixamo-default.glb"];
    for (path, _) in gltf_files() {
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
    for (path, _) in gltf_files() {
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
