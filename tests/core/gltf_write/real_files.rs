use std::path::{Path, PathBuf};

use glam::DVec3;
use stridesmith::formats::gltf_write::write;
use stridesmith::formats::proof::{TimesAs, Tolerance, prove};
use stridesmith::formats::{self, Export, ReadOptions};
use stridesmith::motion::*;

use crate::support::exports::*;
use crate::support::validator::{findings, findings_of};

fn real_files() -> Vec<PathBuf> {
    let home = std::env::var_os("STRIDESMITH_CLIPS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/clips"), PathBuf::from);
    let mut found = Vec::new();
    let mut folders = vec![home.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "glb") {
                found.push(path);
            }
        }
    }
    found.sort();
    if found.is_empty() {
        println!("skipped: no clips in {}", home.display());
    }
    found
}

/// The topmost joint that the clip moves along, else the topmost bone it does not.
fn travel_bone(clip: &Clip) -> Option<BoneIndex> {
    let joints = || clip.skeleton.indices().filter(|b| clip.skeleton.bone(*b).is_joint);
    let moved = |b: &BoneIndex| clip.track(*b, Property::Translation);
    joints()
        .find(|b| moved(b).is_some_and(|track| track.interpolation == Interpolation::Linear))
        .or_else(|| joints().chain(clip.skeleton.indices()).find(|b| moved(b).is_none()))
        .filter(|_| clip.range.duration_secs() > 0.0)
}

#[test]
fn a_root_in_real_files_moves_no_bone_and_upsets_no_validator() {
    let mut checked = 0;
    for path in real_files() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let source = formats::open(FileId(3), &path, &ReadOptions::default()).unwrap();
        let Some(clip) = source.clips.first() else { continue };
        let Some(above) = travel_bone(clip) else {
            println!("skipped: {name} moves no joint along");
            continue;
        };
        let above_path = source.skeleton.path(above).to_owned();
        let (patched, patch) = with_root(clip, &above_path, Transform::IDENTITY, DVec3::new(0.001, 0.0, 0.004));
        let clips = [exported("Clip_RM", patched.clone(), Some(patch))];
        let written = write(&Export { source: &source, clips: &clips, alone: false }, "out").unwrap();
        let back = read(&name, &written.main);
        let new = &back.clips[written.takes[0] as usize];
        let report =
            prove(&patched, new, TimesAs::F32, &Tolerance::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
        // Against the clip as it was, bone by bone.
        let mut farthest = 0.0_f64;
        for i in 0..=50 {
            let secs = clip.range.start_secs + clip.range.duration_secs() * f64::from(i) / 50.0;
            let (was, is) = (clip.component_at(secs), new.component_at(secs));
            for bone in source.skeleton.indices() {
                let moved =
                    back.skeleton.indices().find(|b| back.skeleton.bone(*b).node == source.skeleton.bone(bone).node);
                let (was, is) = (was.position(bone), is.position(moved.unwrap()));
                farthest = farthest.max(was.distance(is) / (1.0 + was.length()));
            }
        }
        assert!(farthest < 1e-5, "{name}: a bone moved by {farthest}");
        for (old, new) in source.clips.iter().zip(&back.clips) {
            assert_eq!((&old.name, old.range), (&new.name, new.range), "{name}");
        }
        let after = findings_of("out.glb", &written.main).unwrap_or_default();
        if !after.is_empty() {
            // A new animation may repeat what the take it came from had wrong, but bring nothing of its own.
            let before = findings(&path).unwrap();
            let fresh: Vec<_> = after.iter().filter(|(code, _)| !before.contains_key(*code)).collect();
            assert!(fresh.is_empty(), "{name}: {fresh:?}");
            println!("{name}: the source had {before:?}, now {after:?}");
        }
        println!("{name}: {} poses of {} bones, {:.2e} m", report.poses, report.bones, report.distance_m);
        checked += 1;
    }
    println!("{checked} files");
}

#[test]
fn real_files_export_their_own_clips_without_new_data() {
    for path in real_files() {
        let source = formats::open(FileId(3), &path, &ReadOptions::default()).unwrap();
        let clips: Vec<_> = source.clips.iter().map(|clip| exported(&clip.name, Clip::clone(clip), None)).collect();
        if clips.is_empty() {
            continue;
        }
        let written = write(&Export { source: &source, clips: &clips, alone: true }, "out").unwrap();
        let back = read("out.glb", &written.main);
        // Whole files keep their data to the byte; mended channels are the only ones that are encoded.
        let mended = source.clips.iter().flat_map(|clip| clip.tracks.iter().flatten().flatten());
        let whole = mended.clone().all(|track| track.values_from.is_some() && track.times_from.is_some());
        let empty = source.clips.iter().any(|clip| clip.tracks.iter().flatten().flatten().next().is_none());
        if whole && !empty {
            let sizes =
                |bytes: &[u8]| bytes.len() as i64 - i64::from(u32::from_le_bytes(bytes[12..16].try_into().unwrap()));
            assert_eq!(sizes(&written.main), sizes(&source.bytes), "{}", path.display());
        }
        for (old, new) in source.clips.iter().zip(&back.clips) {
            prove(old, new, TimesAs::F32, &Tolerance::default()).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        }
    }
}
