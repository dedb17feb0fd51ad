//! Broken files: an answer, never a panic, a hang or all the memory.

use std::time::{Duration, Instant};

use stridesmith::formats::Limits;

use super::*;
use crate::support::fbx_ascii::{Curve, Key, Kind, Node, Scene, Take};

fn small() -> Vec<u8> {
    let mut scene = Scene::new(vec![Node::limb("hips", None), Node::limb("leg", Some(0))]);
    scene.takes =
        vec![Take::simple("walk", Some((0.0, 1.0)), vec![Curve::linear(1, 'R', 0, &[(0.0, 0.0), (1.0, 300.0)])])];
    scene.bytes()
}

fn clip(name: &str) -> Option<Vec<u8>> {
    let bytes = std::fs::read(real_files::clips_folder().join(name)).ok();
    if bytes.is_none() {
        eprintln!("skipped: {name} is not at hand");
    }
    bytes
}

/// A cheap, repeatable stream of numbers.
fn random(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

#[track_caller]
fn answers(bytes: Vec<u8>, what: &str) {
    let begun = Instant::now();
    if let Err(error) = open(bytes) {
        assert!(error.to_string().contains("walk 01.fbx"), "{what}: {error}");
    }
    assert!(begun.elapsed() < Duration::from_secs(20), "{what} took {:?}", begun.elapsed());
}

#[test]
fn cut_and_flipped_bytes_get_an_answer() {
    let mut samples = vec![small()];
    samples.extend(clip("ufbx+ufbx/data/max_transformed_skin_7500_binary.fbx"));
    samples.extend(clip("ufbx+ufbx/data/maya_anim_layers_over_acc_7500_ascii.fbx"));
    for (number, sample) in samples.iter().enumerate() {
        for part in 0..40 {
            answers(sample[..sample.len() * part / 40].to_vec(), &format!("sample {number} cut to {part}/40"));
        }
        let mut state = 1;
        for round in 0..150 {
            let mut bytes = sample.clone();
            for _ in 0..1 + round % 4 {
                let at = random(&mut state) % bytes.len();
                bytes[at] ^= 1 << (random(&mut state) % 8);
            }
            answers(bytes, &format!("sample {number} flipped, round {round}"));
        }
    }
}

#[test]
fn what_is_no_fbx_is_refused_with_a_reason() {
    for (bytes, reason) in [
        (&b""[..], "empty"),
        (b"; FBX 7.5.0 project file\n", "ends in the middle at byte 25"),
        (b"Kaydara FBX Binary  \0\x1a\0", ""),
        (b"\x89PNG\r\n\x1a\n and so on and so on, long enough to look at", "not FBX"),
        (&b"Kaydara FBX Binary  \0\x1a\0\x4c\x1d\0\0\xff\xff\xff\x7f\xff\xff\xff\x7f\0\0\0\0\0"[..], ""),
    ] {
        let refused = open(bytes.to_vec()).unwrap_err().to_string();
        assert!(refused.contains(reason) && refused.contains("walk 01.fbx"), "{refused}");
    }
}

#[test]
fn two_keys_centuries_apart_do_not_fill_the_memory() {
    let far = vec![
        Key { secs: 0.0, value: 0.0, kind: Kind::Cubic(1.0, 1.0) },
        Key { secs: 1e8, value: 1.0, kind: Kind::Linear },
    ];
    let mut scene = Scene::of_bone(|_| ());
    scene.time_mode = 12;
    scene.takes =
        vec![Take::simple("aeon", None, vec![Curve::new(0, 'T', 0, far.clone()), Curve::new(0, 'R', 0, far)])];
    let file = read(&scene);
    assert!(track(&file.clips[0], BoneIndex(0), Property::Translation).times.len() < 100_000);
}

#[test]
fn limits_are_kept() {
    let read_within = |limits: Limits| {
        let options = ReadOptions { limits, ..ReadOptions::default() };
        formats::read(FILE, Path::new("walk 01.fbx"), small().into(), &NoFetch, &options).map(|_| ())
    };
    read_within(Limits::default()).unwrap();
    let reasons: [(Limits, &str); 5] = [
        (Limits { nodes: 2, ..Limits::default() }, "too many nodes (3; the limit is 2)"),
        (Limits { clips: 0, ..Limits::default() }, "too many takes (1; the limit is 0)"),
        (Limits { samples: 40, ..Limits::default() }, "too many keys in the take \"walk\""),
        (Limits { depth: 1, ..Limits::default() }, "too deep"),
        (Limits { decoded_bytes: 1000, ..Limits::default() }, "too much memory"),
    ];
    for (limits, reason) in reasons {
        let refused = read_within(limits).unwrap_err().to_string();
        assert!(refused.contains(reason), "{refused}");
    }
}
