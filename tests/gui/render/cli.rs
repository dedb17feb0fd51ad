//! `stridesmith render`.

use std::path::Path;
use std::process::{Command, Output};

fn stridesmith(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_stridesmith")).current_dir(folder).args(args).output().unwrap()
}

fn run(folder: &Path, args: &[&str], code: i32) -> (String, String) {
    let output = stridesmith(folder, args);
    let texts = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!(output.status.code(), Some(code), "{args:?}: {texts:?}");
    texts.into()
}

#[test]
fn a_moment_is_drawn_and_nothing_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    run(path, &["demo", "-o", ".", "--gait", "walk"], 0);
    let draw = |more: &[&str]| {
        let args = [&["render", "walk.glb", "-o", "pictures/walk.png", "--size", "160x120"], more].concat();
        run(path, &args, 0).0.trim().to_owned()
    };
    let first = draw(&["--frame", "0"]);
    let second = draw(&["--frame", "9", "--trails", "--bones", "--light"]);
    assert_eq!((first.as_str(), second.as_str()), ("pictures/walk.png", "pictures/walk_01.png"));
    let open = |name: &str| image::open(path.join(name)).unwrap().into_rgb8();
    let (a, b) = (open(&first), open(&second));
    assert_eq!(a.dimensions(), (160, 120));
    assert_ne!(a, b);
    // The same moment by its time is the same picture.
    assert_eq!(open(&draw(&["--time", "0"])), a);
    for camera in ["front", "side", "top", "three-quarter", "foot"] {
        draw(&["--camera", camera, "--orthographic", "--no-mesh", "--no-grid"]);
    }
}

#[test]
fn wrong_calls_end_with_2_and_refusals_with_1() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    run(path, &["demo", "-o", ".", "--gait", "walk"], 0);
    for (args, code, says) in [
        (&["-o", "walk.jpg"][..], 2, "ends in .png"),
        (&["-o", "a.png", "--size", "0x9"], 2, "WIDTHxHEIGHT"),
        (&["-o", "a.png", "--time", "nan"], 2, "must be a number"),
        (&["-o", "a.png", "--time", "77"], 1, "lies outside the take"),
        (&["-o", "a.png", "--clip", "swim"], 1, "no take is called"),
    ] {
        let all = [&["render", "walk.glb"], args].concat();
        let (_, error) = run(path, &all, code);
        assert!(error.contains(says), "{args:?}: {error}");
    }
    assert!(!path.join("a.png").exists());
}
