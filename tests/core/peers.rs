//! What other programs see in the files we wrote: every reader at hand against the source carried through the
//! operation in memory, never against what we read back ourselves.
//!
//! `check_export.sh` (folder in `STRIDESMITH_PEERS`, default `../shared/peers`) runs the readers that are installed in
//! `PEERS_HOME`; without them the tests say that they were skipped.
//!
//! | reader | on | why it may differ |
//! |---|---|---|
//! | Blender | few-key CUBICSPLINE | its importer drops the tangents; it is compared on the other files only |

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use stridesmith::formats::{ReadOptions, dump, open};
use stridesmith::motion::{Clip, FileId, FrameRate, Rig, RoleOverrides, TimeRange};
use stridesmith::ops::cycle::guess_cycle;
use stridesmith::ops::{Extract, InPlace, Op, OpInput, Progress};

use crate::support::clips;

fn script() -> Option<PathBuf> {
    let folder = std::env::var_os("STRIDESMITH_PEERS").map(PathBuf::from);
    let folder = folder.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/peers"));
    let home = std::env::var_os("PEERS_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache/stridesmith-peers")))?;
    let script = folder.join("check_export.sh");
    let there = script.is_file() && home.join("js/node_modules").is_dir();
    if !there {
        println!("skipped: no independent readers in {}", home.display());
    }
    there.then_some(script)
}

/// The take called `take` (or the first that moves) after an operation, in memory.
fn carried(path: &Path, take: Option<&str>, op: &Op) -> Arc<Clip> {
    let file = open(FileId(0), path, &ReadOptions::default()).unwrap();
    let none = RoleOverrides::default();
    let wanted = |clip: &&Arc<Clip>| match take {
        Some(name) => clip.name == name,
        None => clip.tracks.iter().flatten().flatten().any(|track| track.times.len() > 1),
    };
    let mut clip = Clip::clone(file.clips.iter().find(wanted).unwrap());
    let rig = Rig::detect(&file.skeleton, &file.declared_roles, &none).with_travel(&clip, &none);
    clip.cycle = guess_cycle(&clip, &rig);
    let clip = Arc::new(clip);
    let input = OpInput { clip: &clip, rig: &rig, source_clip: &clip };
    op.apply(&input, &Progress::default()).unwrap().clip
}

/// How a file is compared.
#[derive(Default)]
struct How {
    take: Option<&'static str>,
    /// Rate on whose frames the keys lie, where it is not the clip's.
    fps: Option<f64>,
    /// Bones that a reader may lack.
    missing: u32,
    /// Readers that cannot read such a file.
    skip: &'static [&'static str],
}

/// Exports with the program itself and has every reader compare.
fn check(path: &Path, how: &How, command: &str, op: &Op) {
    let take = how.take;
    let Some(script) = script() else { return };
    let folder = tempfile::tempdir().unwrap();
    let clip = carried(path, take, op);
    let rate = how.fps.and_then(FrameRate::new).unwrap_or(clip.rate);
    // Readers count from the file's zero and hold the first key before it.
    let mut clip = Clip::clone(&clip);
    clip.range = TimeRange { start_secs: 0.0, ..clip.range };
    let truth = folder.path().join("truth.json");
    let mut out = std::io::BufWriter::new(std::fs::File::create(&truth).unwrap());
    dump::write(&mut out, &clip.skeleton.clone(), &[Arc::new(clip)], Some(rate)).unwrap();
    drop(out);

    let mut run = Command::new(env!("CARGO_BIN_EXE_stridesmith"));
    run.arg(command).arg(path).arg("-o").arg(folder.path()).arg("--alone");
    if let Some(take) = take {
        run.args(["--clip", take]);
    }
    let run = run.output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let export = PathBuf::from(String::from_utf8_lossy(&run.stdout).lines().next().unwrap());

    let checked =
        Command::new("bash").arg(script).arg(&export).arg(&truth).arg(rate.fps().to_string()).output().unwrap();
    let said = String::from_utf8_lossy(&checked.stdout).into_owned();
    println!("{} {command}:\n{said}", path.display());
    assert_ne!(checked.status.code(), Some(3), "no reader ran:\n{said}");
    assert!(said.contains("errors 0 warnings 0") || !said.contains("errors"), "the validator complains:\n{said}");
    for section in said.split("-- ").skip(1) {
        let reader = section.split_whitespace().next().unwrap_or_default();
        if section.contains("not installed") || how.skip.contains(&reader) {
            continue;
        }
        assert!(!section.contains("FAIL") && !section.contains("not read"), "{} {command}: {section}", path.display());
    }
}

fn both(end: &str, how: &How) {
    let Some(path) = clips::all().into_iter().find(|path| path.ends_with(end)) else { return };
    check(&path, how, "extract", &Op::Extract(Extract::default()));
    check(&path, how, "in-place", &Op::InPlace(InPlace::default()));
}

#[test]
fn a_mixamo_fbx() {
    let end = "CaseyHofland+com.caseyhofland.tutorial.rootmotion/Samples~/Animation Setup/Walk.fbx";
    both(end, &How::default());
}

#[test]
fn an_unreal_fbx() {
    // 30 keys over 1 s: Blender is right at its keys, which lie on frames of 29 a second.
    both("ThirdPersonWalk.FBX", &How { fps: Some(29.0), ..How::default() });
}

#[test]
fn a_glb_with_uneven_keys() {
    // The armature above the root is an object in Blender, not a bone.
    both("Med_MovementBasic.glb", &How { take: Some("Rig_Medium|Walking_A"), missing: 1, ..How::default() });
}

#[test]
fn a_bvh_of_the_cmu_library() {
    both("nobuyuki83+delfem2/test_inputs/walk.bvh", &How::default());
}

#[test]
fn a_generated_glb_of_few_cubic_keys() {
    if script().is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let made = Command::new(env!("CARGO_BIN_EXE_stridesmith"))
        .args(["demo", "--gait", "walk", "--encoding", "cubic", "-o"])
        .arg(folder.path())
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let path = folder.path().join("walk.glb");
    let how = How { skip: &["blender"], ..How::default() };
    check(&path, &how, "extract", &Op::Extract(Extract::default()));
    check(&path, &how, "in-place", &Op::InPlace(InPlace::default()));
}
