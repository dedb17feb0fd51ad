//! Files that are not quite right, and files that are quite wrong.

use stridesmith::formats::bvh::{self, ParseError};
use stridesmith::formats::{Limits, ReadError, ReadOptions};
use stridesmith::motion::{BoneIndex, Property, WarningKind};

use super::{one_joint, parse, read, read_with, warned};

const TWO: &str = "Xrotation Yrotation";

fn frames(announced: u32, rows: &[&str]) -> String {
    one_joint("0 0 0", TWO, rows).replace(&format!("Frames: {}", rows.len()), &format!("Frames: {announced}"))
}

#[test]
fn the_rows_count_not_the_frames_line() {
    for announced in [1, 3, 2_000_000_000] {
        let bvh = parse(&frames(announced, &["1 2", "3 4"])).unwrap();
        assert_eq!(bvh.table, [1.0, 2.0, 3.0, 4.0]);
        warned(&bvh.warnings, WarningKind::Timing, "there are 2 rows");
    }
    let unreadable = frames(2, &["1 2", "3 4"]).replace("Frames: 2", "Frames: many");
    let bvh = parse(&unreadable).unwrap();
    assert_eq!(bvh.frames, 2);
    assert_eq!(warned(&bvh.warnings, WarningKind::Timing, "cannot be read").place, "line 8");
}

#[test]
fn a_last_row_that_is_cut_off_is_left_out() {
    let bvh = parse(&frames(3, &["1 2", "3 4", "5"])).unwrap();
    assert_eq!(bvh.table, [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(warned(&bvh.warnings, WarningKind::Dropped, "cut off").place, "line 12");
    warned(&bvh.warnings, WarningKind::Timing, "there are 2 rows");
}

#[test]
fn a_damaged_line_repeats_the_row_before_it() {
    let bvh = parse(&frames(6, &["1 2", "3 4", "5", "nan 6", "7 8 9 10", "11 12"])).unwrap();
    assert_eq!(bvh.table, [1.0, 2.0, 3.0, 4.0, 3.0, 4.0, 3.0, 6.0, 3.0, 6.0, 11.0, 12.0]);
    let warning = warned(&bvh.warnings, WarningKind::Repaired, "too few or too many");
    assert_eq!((warning.place.as_str(), warning.count), ("line 12", 2));
}

#[test]
fn wrapped_rows_are_read_in_sequence() {
    let bvh = parse(&frames(3, &["1", "2 3", "4", "5 6"])).unwrap();
    assert_eq!(bvh.table, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    warned(&bvh.warnings, WarningKind::Repaired, "in sequence");
}

#[test]
fn unusable_cells_keep_the_value_before_them() {
    let rows = ["nan 2", "-nan(ind) inf", "3 1.#QNAN", "-1.#IND00 -Infinity", "1e999 5", "-4e35 6"];
    let bvh = parse(&frames(6, &rows)).unwrap();
    // At the head of a column there is none before: the first one after.
    assert_eq!(bvh.table, [3.0, 2.0, 3.0, 2.0, 3.0, 2.0, 3.0, 2.0, 3.0, 5.0, 3.0, 6.0]);
    let warning = warned(&bvh.warnings, WarningKind::Repaired, "no finite number");
    assert_eq!((warning.place.as_str(), warning.count), ("line 10", 8));
    let none = parse(&one_joint("1 2 3", "Yposition Zrotation", &["nan nan", "nan nan"])).unwrap();
    assert_eq!(none.table, [2.0, 0.0, 2.0, 0.0]);
}

#[test]
fn no_frames_mean_no_clip() {
    let file = read(&frames(0, &[]));
    assert!(file.clips.is_empty());
    assert_eq!(file.skeleton.len(), 1);
    assert_eq!(file.warnings, []);
    let only_hierarchy = one_joint("0 1 0", TWO, &[]);
    let only_hierarchy = &only_hierarchy[..only_hierarchy.find("MOTION").unwrap()];
    let file = read(only_hierarchy);
    assert!(file.clips.is_empty());
    warned(&file.warnings, WarningKind::Dropped, "no MOTION");
    let no_channels = "HIERARCHY ROOT a { OFFSET 0 1 0 CHANNELS 0 }\nMOTION\nFrames: 2\nFrame Time: 0.1\n\n\n";
    let file = read(no_channels);
    assert!(file.clips.is_empty());
    warned(&file.warnings, WarningKind::Dropped, "no joint has channels");
}

#[test]
fn one_frame_is_a_clip_of_no_length() {
    let clip = &read(&frames(1, &["90 0"])).clips[0];
    assert_eq!(clip.range.duration_secs(), 0.0);
    assert_eq!(clip.track(BoneIndex(0), Property::Rotation).unwrap().times.len(), 1);
}

#[test]
fn listed_channels_count_not_their_number() {
    let text = one_joint("0 0 0", TWO, &["1 2"]).replace("CHANNELS 2", "CHANNELS 3");
    let bvh = parse(&text).unwrap();
    assert_eq!(bvh.table, [1.0, 2.0]);
    assert_eq!(warned(&bvh.warnings, WarningKind::Repaired, "CHANNELS").place, "line 5");
}

#[test]
fn scale_channels_are_read_over() {
    let file = read(&one_joint("0 0 0", "Xscale Yrotation Zscale", &["3 90 4"]));
    let q = file.clips[0].track(BoneIndex(0), Property::Rotation).unwrap().quat_key(0);
    assert!((q.y - 0.5f64.sqrt()).abs() < 1e-6);
    assert_eq!(warned(&file.warnings, WarningKind::SetAside, "scale").count, 2);
}

fn refused(text: &str) -> (usize, String) {
    match parse(text) {
        Err(ParseError::Malformed { line, reason, advice }) => {
            assert!(!advice.is_empty());
            (line, reason)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_no_bvh_is_refused_with_its_line() {
    let plain = one_joint("0 0 0", TWO, &["1 2", "3 4"]);
    let cases = [
        (String::new(), 1, "HIERARCHY"),
        ("\u{0}\u{1}\u{2} garbage".into(), 1, "HIERARCHY"),
        ("HIERARCHY\n\n".into(), 3, "no ROOT"),
        ("HIERARCHY\nMOTION".into(), 2, "no ROOT"),
        (plain.replace("}\n", ""), 6, "still open"),
        (plain.replace('{', ""), 4, "brace"),
        (plain.replace("OFFSET 0 0 0", "OFFSET 0 0"), 5, "CHANNELS"),
        (plain.replace("OFFSET 0 0 0", "OFFSET 0 x 0"), 4, "\"x\""),
        (plain.replace("Yrotation", "Wrotation"), 5, "Wrotation"),
        (plain.replace("ROOT", "SPROUT"), 2, "SPROUT"),
        (plain.replace("}\n", "}\n}\n"), 7, "closing brace"),
        (plain.replace("3 4", "3 four"), 11, "four"),
        (plain.replace("3 4", "3 1,234.5"), 11, "1,234.5"),
        (plain.replace("1 2\n3 4", "1 2 3\n4 5 6\n7 8 9"), 10, "2 channels"),
        (plain.replace("  CHANNELS", "  CHANNELS 0\n End Site { CHANNELS"), 6, "ROOT or JOINT"),
        (plain.replace("  CHANNELS", "  End Site { JOINT a { } }\n CHANNELS"), 5, "End Site"),
        (plain[..plain.find("OFFSET").unwrap() + 9].into(), 4, "ends"),
        (plain[..plain.find("{").unwrap()].into(), 3, "ends"),
    ];
    for (text, line, part) in cases {
        let (found, reason) = refused(&text);
        assert!(reason.contains(part), "{reason:?} has no {part:?}");
        assert_eq!(found, line, "{reason}");
    }
}

#[test]
fn errors_name_the_file_the_line_and_a_way_out() {
    let error = read_with("HIERARCHY\nROOT a\n", &ReadOptions::default()).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("line 3") && text.contains("walk 01.bvh") && text.contains("export"), "{text}");
    assert!(matches!(error, ReadError::Malformed { .. }));
}

#[test]
fn limits_hold() {
    let tight = Limits { nodes: 4, depth: 3, samples: 6, ..Limits::default() };
    let asks = |text: &str| match bvh::parse(text.as_bytes(), &tight) {
        Err(ParseError::TooLarge { what, asked, limit }) => format!("{what} {asked} {limit}"),
        other => panic!("{other:?}"),
    };
    assert_eq!(asks(&frames(4, &["1 2", "3 4", "5 6", "7 8"])), "too many numbers 8 6");
    // A damaged line costs a whole row of memory for a few bytes.
    assert_eq!(asks(&frames(4, &["1 2", "3", "5", "7"])), "too many numbers 8 6");
    assert_eq!(asks(&format!("HIERARCHY {}", "ROOT a { } ".repeat(5))), "too many joints 5 4");
    assert_eq!(asks(&format!("HIERARCHY {}", "ROOT a { ".repeat(5))), "joints nested too deep 4 3");
    let deep = format!("HIERARCHY {}", "JOINT a {\n".repeat(1_000_000));
    assert!(matches!(parse(&deep), Err(ParseError::TooLarge { .. })));
}

#[test]
fn thousands_of_joints_of_one_name_open_in_no_time() {
    let started = std::time::Instant::now();
    let file = read(&format!("HIERARCHY {}", "ROOT a { OFFSET 0 1 0 } ".repeat(40_000)));
    assert_eq!(file.skeleton.path(BoneIndex(39_999)), "a[40000]");
    assert!(started.elapsed().as_secs() < 10);
}

#[test]
fn nothing_that_is_cut_or_flipped_panics() {
    let text = include_str!("mutated.bvh");
    let original = text.as_bytes();
    let try_it = |bytes: &[u8]| {
        let options = ReadOptions::default();
        match bvh::read(super::FILE, std::path::Path::new("m.bvh"), bytes.into(), &options) {
            Ok(file) => {
                for clip in &file.clips {
                    let pose = clip.component_at(clip.range.end_secs);
                    assert!(pose.0.iter().all(|bone| bone.translation.is_finite()));
                }
                1
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                0
            }
        }
    };
    assert_eq!(try_it(original), 1);
    let mut opened = 0;
    for end in 0..original.len() {
        opened += try_it(&original[..end]);
    }
    let mut bytes = original.to_vec();
    for at in 0..bytes.len() {
        for value in [0, b' ', b'\n', b'{', b'}', b'9', b'-', b'.', b'e', 0xFF, bytes[at] ^ 1, bytes[at] ^ 0x80] {
            let old = std::mem::replace(&mut bytes[at], value);
            opened += try_it(&bytes);
            bytes[at] = old;
        }
    }
    assert!(opened > original.len(), "most files with one byte changed in a number still open: {opened}");
}
