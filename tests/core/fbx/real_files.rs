//! Files of the wild, where they are at hand.

use std::path::PathBuf;

use stridesmith::motion::WarningKind;

use super::*;

/// The folder of shared clips.
pub fn clips_folder() -> PathBuf {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/clips");
    std::env::var_os("STRIDESMITH_CLIPS").map_or_else(beside, PathBuf::from)
}

/// Rows of the manifest: path and number of takes.
pub fn listed() -> Vec<(String, usize)> {
    let Ok(manifest) = std::fs::read_to_string(clips_folder().join("MANIFEST.tsv")) else {
        eprintln!("skipped: no clips in {}", clips_folder().display());
        return Vec::new();
    };
    let mut lines = manifest.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let head = lines.next().unwrap_or_default();
    let column = |name: &str| head.iter().position(|title| *title == name).unwrap();
    let (path, takes) = (column("path"), column("n_clips"));
    let is_fbx = |row: &Vec<&str>| row[path].to_ascii_lowercase().ends_with(".fbx");
    lines.filter(is_fbx).map(|row| (row[path].to_owned(), row[takes].parse().unwrap_or(0))).collect()
}

pub fn open_clip(name: &str) -> Option<SourceFile> {
    let path = clips_folder().join(name);
    if !path.exists() {
        eprintln!("skipped: {name} is not at hand");
        return None;
    }
    Some(formats::open(FILE, &path, &ReadOptions::default()).unwrap())
}

#[test]
fn every_file_opens_with_all_its_takes_and_sane_tracks() {
    for (name, takes) in listed() {
        let file = open_clip(&name).unwrap();
        assert_eq!(file.clips.len(), takes, "{name}");
        assert!(
            file.skeleton.bones().iter().any(|bone| bone.is_joint) || name.contains("cube") || file.skeleton.len() < 4,
            "{name}"
        );
        for clip in &file.clips {
            let slack = 1e-9;
            for track in clip.tracks.iter().flatten().flatten() {
                assert!(
                    track.times.first() >= clip.range.start_secs - slack
                        && track.times.last() <= clip.range.end_secs + slack,
                    "{name}"
                );
                assert!(track.times_from.is_some());
            }
            let pose = clip.component_at(0.5 * (clip.range.start_secs + clip.range.end_secs));
            assert!(pose.0.iter().all(|at| at.is_finite()), "{name} {}", clip.name);
        }
        for mesh in &file.meshes {
            assert!(mesh.indices.iter().all(|&i| (i as usize) < mesh.positions.len()), "{name}");
            assert!(
                mesh.joints.len() == mesh.weights.len()
                    && (mesh.joints.is_empty() || mesh.joints.len() == mesh.positions.len())
            );
        }
    }
}

#[test]
fn characters_stand_upright_facing_forward_and_as_tall_as_people() {
    for (name, hips, left, right) in [
        ("ToadSageDan+Shinobi-RPG1/Start Walking.fbx", "mixamorig:Hips", "mixamorig:LeftFoot", "mixamorig:RightFoot"),
        ("guillaumeblanc+ozz-animation/media/fbx/pab/walk.fbx", "Hips", "LeftFoot", "RightFoot"),
        (
            "PacktPublishing+Game-Development-Projects-with-Unreal-Engine/Chapter02/Exercise2.03/ExerciseFiles/ThirdPersonWalk.FBX",
            "pelvis",
            "foot_l",
            "foot_r",
        ),
    ] {
        let Some(file) = open_clip(name) else { continue };
        let node_pose = file.skeleton.node_pose_component();
        let at = |bone_name: &str| node_pose[bone(&file, bone_name).get()].translation;
        assert!((0.8..1.2).contains(&at(hips).y), "{name}: hips at {}", at(hips));
        assert!(at(left).x > at(right).x + 0.05, "{name}: the left foot is to +X");
        assert!(at(left).y < 0.3);
    }
}

/// ufbx's evaluation of whole scenes: layers, pivots and all three kinds of scale inheritance, but none of our reading.
#[test]
fn poses_agree_with_ufbx_evaluating_the_whole_scene() {
    let off_frame = [
        "pab/jog",
        "pab/run",
        "pab/locomotions",
        "ThirdPerson",
        "Woman",
        "Zombie",
        "91_48",
        "template",
        "Pivot180",
        "TurnShort",
    ];
    for (name, _) in listed() {
        let file = open_clip(&name).unwrap();
        let scene = ufbx::load_memory(&file.bytes, ufbx::LoadOpts::default()).ok().unwrap();
        for (clip, stack) in file.clips.iter().zip(&scene.anim_stacks).take(4) {
            let frames = (clip.range.duration_secs() * clip.rate.fps()).floor();
            // Where keys lie off the frames only the first instant is a sample of every track.
            let parts = if off_frame.iter().any(|part| name.contains(part)) { 1 } else { 4 };
            for part in 0..parts {
                let secs = clip.range.start_secs + (frames * f64::from(part) / 4.0).floor() / clip.rate.fps();
                let pose = clip.component_at(secs);
                let posed =
                    ufbx::evaluate_scene(&scene, &stack.anim, secs, ufbx::EvaluateOpts::default()).ok().unwrap();
                let reach = pose.0.iter().map(|at| at.translation.length()).fold(0.01, f64::max);
                for (bone, ours) in file.skeleton.bones().iter().zip(&pose.0) {
                    let m = posed.nodes[bone.node.unwrap() as usize].node_to_world;
                    let theirs = file.space.rotation * DVec3::new(m.m03, m.m13, m.m23) * file.space.metres_per_unit;
                    let apart = (theirs - ours.translation).length() / reach;
                    assert!(apart < 1e-5, "{name} {} {} at {secs}: {apart:.2e}", clip.name, bone.name);
                }
            }
        }
    }
}

#[test]
fn ascii_6100_and_binary_7500_of_one_scene_give_equal_clips() {
    let (Some(old), Some(new)) = (
        open_clip("ufbx+ufbx/data/maya_game_sausage_6100_ascii_combined.fbx"),
        open_clip("ufbx+ufbx/data/maya_game_sausage_7500_binary_combined.fbx"),
    ) else {
        return;
    };
    let names = |file: &SourceFile| file.skeleton.bones().iter().map(|b| b.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&old), names(&new));
    assert_eq!(old.clips.len(), 3);
    for (a, b) in old.clips.iter().zip(&new.clips) {
        assert_eq!(a.name, b.name);
        assert!(
            (a.range.start_secs - b.range.start_secs).abs() < 1e-9
                && (a.range.end_secs - b.range.end_secs).abs() < 1e-9
        );
        assert_eq!(a.rate, b.rate);
        for quarter in 0..=4 * 20 {
            let secs = a.range.start_secs + f64::from(quarter) / 96.0;
            let (a, b) = (a.component_at(secs), b.component_at(secs));
            for (a, b) in a.0.iter().zip(&b.0) {
                assert_near(a.translation, b.translation, 1e-7);
                assert_same_matrix(a.matrix3, b.matrix3, 2e-6);
            }
        }
    }
}

#[test]
fn a_take_shorter_than_its_keys_is_shown_as_the_take_and_said() {
    let Some(file) = open_clip("guillaumeblanc+ozz-animation/media/fbx/pab/jog.fbx") else { return };
    let range = file.clips[0].range;
    assert!(range.start_secs == 0.0 && (range.end_secs - 0.8).abs() < 1e-9);
    let warning = warned(&file, WarningKind::Timing, "0.0000 to 0.8000 s");
    assert!(warning.message.contains("0.0000 to 3.3333 s"));
}
