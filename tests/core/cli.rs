//! The real binary in a fresh folder: text, files and exit code.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::support::clips;

fn stridesmith(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_stridesmith")).current_dir(folder).args(args).output().unwrap()
}

#[track_caller]
fn run(folder: &Path, args: &[&str], code: i32) -> (String, String) {
    let output = stridesmith(folder, args);
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(code), "{args:?}\nstdout: {out}\nstderr: {err}");
    (out, err)
}

/// A fresh folder with the built-in walk in it.
fn with_walk() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let (out, _) = run(folder.path(), &["demo", "--gait", "walk", "-o", "."], 0);
    assert_eq!(out.trim(), "./walk.glb");
    folder
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn info(folder: &Path, file: &str) -> Value {
    let (out, _) = run(folder, &["info", "--json", file], 0);
    serde_json::from_str::<Value>(&out).unwrap()[0].take()
}

#[test]
fn the_demo_is_made_in_every_gait() {
    let folder = tempfile::tempdir().unwrap();
    let (out, _) = run(folder.path(), &["demo", "-o", "all"], 0);
    assert_eq!(out.lines().count(), 10);
    assert_eq!(names(&folder.path().join("all")).len(), 20, "a sidecar beside each");
    let (_, err) = run(folder.path(), &["demo", "--gait", "walk", "--speed", "9", "-o", "all"], 2);
    assert!(err.contains("speed") && err.contains('9'), "{err}");
}

#[test]
fn extraction_moves_the_travel_to_the_root_and_overwrites_nothing() {
    let folder = with_walk();
    let source = std::fs::read(folder.path().join("walk.glb")).unwrap();
    let before = info(folder.path(), "walk.glb");
    let travel = &before["takes"][0]["travel"];
    assert!(travel["pelvis_share"].as_f64().unwrap() > 0.99 && travel["net_m"].as_f64().unwrap() > 2.0);

    let (out, err) = run(folder.path(), &["extract", "walk.glb", "-o", "."], 0);
    assert_eq!((out.trim(), err.as_str()), ("./walk_RMSmooth.glb", ""));
    let after = info(folder.path(), "walk_RMSmooth.glb");
    let take = after["takes"].as_array().unwrap().last().unwrap();
    assert!(take["travel"]["root_share"].as_f64().unwrap() > 0.9, "{take}");

    let (out, _) = run(folder.path(), &["extract", "walk.glb", "-o", "."], 0);
    assert_eq!(out.trim(), "./walk_RMSmooth_01.glb");
    let (out, _) = run(folder.path(), &["extract", "walk.glb", "-o", ".", "--update"], 0);
    assert_eq!(out.trim(), "./walk_RMSmooth.glb");
    assert_eq!(std::fs::read(folder.path().join("walk.glb")).unwrap(), source);

    let record: Value =
        serde_json::from_slice(&std::fs::read(folder.path().join("walk_RMSmooth.stridesmith.json")).unwrap()).unwrap();
    assert_eq!(record["source"]["file"], "walk.glb");
    assert_eq!(record["root"]["bone"], "root");
    assert_eq!(record["steps"][0]["op"], "extract");
    assert!(record["root"]["mean_speed_m_s"].as_f64().unwrap() > 1.0);
}

#[test]
fn keys_added_between_frames_do_not_change_the_rate() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), &["demo", "--gait", "arc", "-o", "."], 0);
    let args = ["extract", "arc.glb", "-o", ".", "--path", "raw", "--yaw", "pelvis", "--alone"];
    let (out, _) = run(folder.path(), &args, 0);
    assert_eq!(info(folder.path(), out.trim())["takes"][0]["fps"], 30.0);
}

#[test]
fn update_leaves_alone_what_somebody_changed() {
    let folder = with_walk();
    run(folder.path(), &["in-place", "walk.glb", "-o", "."], 0);
    let path = folder.path().join("walk_InPlace.glb");
    let mut file = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
    std::io::Write::write_all(&mut file, b"changed").unwrap();
    drop(file);
    let changed = std::fs::read(&path).unwrap();
    let output = stridesmith(folder.path(), &["in-place", "walk.glb", "-o", ".", "--update"]);
    assert_eq!(std::fs::read(&path).unwrap(), changed, "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn every_operation_runs_and_can_follow_another() {
    let folder = with_walk();
    let (out, _) = run(folder.path(), &["extract", "walk.glb", "-o", "a", "--path", "raw", "--alone"], 0);
    let extracted = out.trim().to_owned();
    assert!(extracted.ends_with("walk_RM.glb"));
    for command in ["bake-to-hips", "in-place", "to-origin", "start-at-zero", "extract"] {
        let (out, _) = run(folder.path(), &[command, &extracted, "-o", "b"], 0);
        assert!(folder.path().join(out.trim()).is_file(), "{command}: {out}");
    }
}

#[test]
fn wrong_calls_end_with_2_and_refusals_with_1() {
    let folder = with_walk();
    for wrong in [
        vec!["extract", "walk.glb"],
        vec!["extract", "-o", "."],
        vec!["extract", "walk.glb", "-o", ".", "--no-such-flag"],
        vec!["extract", "walk.glb", "-o", ".", "--yaw", "sideways"],
        vec!["extract", "walk.glb", "-o", ".", "--child", "pelvis=fly"],
        vec!["extract", "walk.glb", "-o", ".", "--role", "tail=pelvis"],
        vec!["extract", "walk.glb", "-o", ".", "--path", "raw", "--sigma", "0.2"],
        vec!["dump", "walk.glb", "-o", "x.json", "--fps", "0"],
        vec!["info", "walk.glb", "--metres-per-unit", "-1"],
    ] {
        let (_, err) = run(folder.path(), &wrong, 2);
        assert!(err.starts_with("error"), "{wrong:?}: {err}");
    }
    std::io::Write::write_all(&mut std::fs::File::create(folder.path().join("bad.glb")).unwrap(), b"glTF rubbish")
        .unwrap();
    for (refused, word) in [
        (vec!["info", "nowhere.fbx"], "nowhere.fbx"),
        (vec!["info", "bad.glb"], "bad.glb"),
        (vec!["extract", "bad.glb", "-o", "."], "bad.glb"),
        (vec!["extract", "walk.glb", "-o", ".", "--clip", "run"], "\"walk\""),
        (vec!["extract", "walk.glb", "-o", ".", "--travel-bone", "tail"], "tail"),
        (vec!["extract", "walk.glb", "-o", ".", "--role", "pelvis=tail"], "tail"),
        (vec!["extract", "walk.glb", "-o", ".", "--sigma", "-1"], "sigma"),
        (vec!["extract", "walk.glb", "-o", "walk.glb"], "walk.glb"),
    ] {
        let (_, err) = run(folder.path(), &refused, 1);
        assert!(err.contains("error: ") && err.contains(word), "{refused:?}: {err}");
    }
    // One bad file does not keep the others from being written, and is counted.
    let (out, err) = run(folder.path(), &["in-place", "bad.glb", "walk.glb", "-o", "c"], 1);
    assert_eq!(out.trim(), "c/walk_InPlace.glb");
    assert!(err.contains("1 of 2"), "{err}");
}

#[test]
fn roles_can_be_corrected() {
    let folder = with_walk();
    let (out, _) =
        run(folder.path(), &["info", "--json", "walk.glb", "--role", "left-hand=hand_r", "--role", "head="], 0);
    let info: Value = serde_json::from_str(&out).unwrap();
    let role = |name: &str| {
        let roles = info[0]["rig"]["roles"].as_array().unwrap();
        roles.iter().find(|role| role[0] == name).map(|role| role[1].as_str().unwrap().to_owned())
    };
    assert!(role("left-hand").unwrap().ends_with("/hand_r"));
    assert_eq!(role("head"), None);
}

#[test]
fn a_dump_has_the_shape_that_other_programs_share() {
    let folder = with_walk();
    run(folder.path(), &["dump", "walk.glb", "-o", "walk.json", "--fps", "10"], 0);
    let dump: Value = serde_json::from_slice(&std::fs::read(folder.path().join("walk.json")).unwrap()).unwrap();
    let bones = dump["names"].as_array().unwrap().len();
    assert_eq!(dump["parents"].as_array().unwrap().len(), bones);
    let frames = dump["a0/time"].as_array().unwrap().len();
    assert_eq!(frames, 21);
    assert_eq!(dump["a0/wld_pos"].as_array().unwrap().len(), frames);
    assert_eq!(dump["a0/wld_rot"][0].as_array().unwrap().len(), bones);
    assert_eq!(dump["a0/wld_rot"][0][0].as_array().unwrap().len(), 4);
    let (_, err) = run(folder.path(), &["dump", "walk.glb", "-o", "walk.json"], 1);
    assert!(err.contains("walk.json"), "{err}");
}

#[test]
fn completions_and_manual_follow_from_the_commands() {
    let folder = tempfile::tempdir().unwrap();
    let (out, _) = run(folder.path(), &["completions", "bash"], 0);
    assert!(out.contains("bake-to-hips") && out.contains("--travel-bone"));
    let (out, _) = run(folder.path(), &["man"], 0);
    assert!(out.contains(".TH") && out.contains("constant\\-speed"), "{out}");
    let (out, _) = run(folder.path(), &["--version"], 0);
    assert!(out.starts_with("stridesmith "));
}

/// Virtual memory that a look at any real clip may take: threads reserve more than they use.
const BOUND_KIB: u64 = 1_500_000;

#[test]
fn real_clips_are_looked_at_within_bounds_of_memory() {
    for path in clips::all() {
        let command = format!("ulimit -v {BOUND_KIB}; exec \"$0\" info \"$1\"");
        let output =
            Command::new("bash").args(["-c", &command, env!("CARGO_BIN_EXE_stridesmith")]).arg(&path).output().unwrap();
        let code = output.status.code();
        assert!(
            matches!(code, Some(0 | 1)),
            "{}: {code:?} {}",
            path.display(),
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

#[test]
fn a_closed_pipe_is_no_crash() {
    let folder = with_walk();
    let binary: PathBuf = env!("CARGO_BIN_EXE_stridesmith").into();
    let command = format!("\"{}\" info walk.glb | head -c 1 >/dev/null; exit ${{PIPESTATUS[0]}}", binary.display());
    let output = Command::new("bash").current_dir(folder.path()).args(["-c", &command]).output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!err.contains("panicked"), "{err}");
}

#[test]
fn checks_say_a_line_per_take_and_what_is_behind_it() {
    let folder = with_walk();
    let (out, err) = run(folder.path(), &["check", "walk.glb"], 0);
    assert_eq!(err, "");
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(
        lines[0],
        "walk.glb: walk: Travel on hips 100 % · root stands still · 1.40 m/s forward · loop, gap 0.0 cm"
    );
    assert_eq!(lines[1], "  * Travel on hips 100 %");
    assert_eq!(lines[lines.len() - 1], "  suggested: Extract root motion");
    let (brief, _) = run(folder.path(), &["check", "--brief", "walk.glb"], 0);
    assert_eq!(brief.trim_end(), lines[0]);
    let (json, _) = run(folder.path(), &["check", "--json", "walk.glb"], 0);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json[0]["take"], "walk");
    assert_eq!(json[0]["findings"][0]["id"], "travel");
    assert_eq!(json[0]["suggested"][0]["op"], "extract");
    std::fs::File::create(folder.path().join("bad.glb")).unwrap();
    let (out, err) = run(folder.path(), &["check", "--brief", "bad.glb", "walk.glb"], 1);
    assert_eq!(out.trim_end(), lines[0], "the others are checked all the same");
    assert!(err.contains("bad.glb") && err.contains("1 of 2 files"), "{err}");
}

/// With the window's drawing built in, `tests/gui` looks at what it draws.
#[test]
fn a_build_without_a_renderer_says_so() {
    if cfg!(feature = "gui") {
        return;
    }
    let folder = with_walk();
    let (_, error) = run(folder.path(), &["render", "walk.glb", "-o", "walk.png"], 2);
    assert!(error.contains("no renderer") && error.contains("\"gui\""), "{error}");
}
