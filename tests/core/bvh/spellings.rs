//! One meaning, many spellings.

use glam::DVec3;
use stridesmith::motion::WarningKind;

use super::{one_joint, parse, warned};

const PLAIN: &str = "HIERARCHY\nROOT hips\n{\n\tOFFSET 0.5 1.25 -3\n\tCHANNELS 4 Xposition Yposition Zposition \
                     Zrotation\n\tJOINT knee\n\t{\n\t\tOFFSET 0 -4.5 0\n\t\tCHANNELS 1 Xrotation\n\t\tEnd Site\n\t\t{\n\
                     \t\t\tOFFSET 0 -4 0.25\n\t\t}\n\t}\n}\nMOTION\nFrames: 2\nFrame Time: 0.04\n1 2 3.5 -90 0.125\n\
                     4 5 6 45 -0.5\n";

#[test]
fn the_plain_file_says_what_it_says() {
    let bvh = parse(PLAIN).unwrap();
    assert_eq!(bvh.joints.len(), 2);
    assert_eq!(bvh.joints[0].offset, DVec3::new(0.5, 1.25, -3.0));
    assert_eq!(bvh.joints[1].parent, Some(0));
    assert_eq!(bvh.joints[1].first_column, 4);
    assert_eq!(bvh.joints[1].end_sites, [DVec3::new(0.0, -4.0, 0.25)]);
    assert_eq!((bvh.width, bvh.frames), (5, 2));
    assert_eq!(bvh.table, [1.0, 2.0, 3.5, -90.0, 0.125, 4.0, 5.0, 6.0, 45.0, -0.5]);
    assert_eq!(bvh.warnings, []);
}

#[test]
fn spellings_do_not_change_the_meaning() {
    let plain = parse(PLAIN).unwrap();
    let one_line_braces = PLAIN.replace("\n{", " {").replace("\n\t{", "{").replace("\n\t\t{\n", " { ");
    let (hierarchy, motion) = PLAIN.split_at(PLAIN.find("MOTION").unwrap());
    let one_line = hierarchy.replace(['\n', '\t'], " ") + motion;
    let variants = [
        ("CRLF", PLAIN.replace('\n', "\r\n")),
        ("CR", PLAIN.replace('\n', "\r")),
        ("byte order mark", format!("\u{FEFF}{PLAIN}")),
        ("lower case", PLAIN.to_lowercase()),
        ("upper case", PLAIN.to_uppercase().replace("HIPS", "hips").replace("KNEE", "knee")),
        ("tabs", PLAIN.replace(' ', "\t")),
        ("double spaces", PLAIN.replace(' ', "  ").replace('\n', " \n  ")),
        ("blank lines", PLAIN.replace('\n', "\n\n")),
        ("braces on the line", one_line_braces),
        ("hierarchy on one line", one_line),
        ("decimal commas", PLAIN.replace('.', ",")),
        ("commas between numbers", PLAIN.replace("1 2 3.5 -90 0.125", "1, 2, 3.5, -90, 0.125")),
        ("scientific", PLAIN.replace("-0.5", "-5e-1").replace("1.25", "0.125E+001").replace(" 45 ", " +4.5e1 ")),
        ("no leading zero", PLAIN.replace("0.125", ".125").replace("5 6 ", "5. 6. ")),
        ("many digits", PLAIN.replace("0.125", "0.125000000000000000").replace(" 45 ", " 00000000045 ")),
        ("no last line end", PLAIN.trim_end().to_owned()),
        ("end mark of DOS", format!("{PLAIN}\u{1A}")),
        ("no space behind colons", PLAIN.replace(": ", ":")),
        ("space before colons", PLAIN.replace(": ", " : ")),
        ("no colons", PLAIN.replace(": ", " ")),
        ("end site with a name", PLAIN.replace("End Site", "End Site toe tip")),
    ];
    for (what, text) in variants {
        assert_ne!(text, PLAIN, "{what}");
        let bvh = parse(&text).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(bvh, plain, "{what}");
    }
}

#[test]
fn names_are_taken_as_they_are() {
    let named = |name: &str| PLAIN.replace("JOINT knee", &format!("JOINT {name}"));
    for name in
        ["mixamorig:Left Up Leg", "Bip01 L Thigh", "hips", "Überträger", "joint", "End Site", "a/b\\c", "", "MOTION"]
    {
        assert_eq!(parse(&named(name)).unwrap().joints[1].name, name);
        assert_eq!(parse(&named(name).replace("\n\t{", " {")).unwrap().joints[1].name, name);
    }
    let latin = named("Kn\u{e4}").into_bytes().into_iter().filter(|&b| b != 0xC3).collect::<Vec<u8>>();
    let bvh = stridesmith::formats::bvh::parse(&latin, &stridesmith::formats::Limits::default()).unwrap();
    assert_eq!(bvh.joints[1].name, "Kn\u{FFFD}");
}

#[test]
fn duplicate_names_stay_apart() {
    let file = super::read(&PLAIN.replace("JOINT knee", "JOINT hips"));
    assert_eq!(file.skeleton.bone(stridesmith::motion::BoneIndex(1)).name, "hips");
    assert!(file.skeleton.find_path("hips/hips").is_some());
}

/// One unit of the last place of `f32`.
fn ulps(a: f32, b: f32) -> u32 {
    let ordered =
        |v: f32| if v < 0.0 { 0x8000_0000u32.wrapping_sub(v.to_bits()) } else { v.to_bits().wrapping_add(0x8000_0000) };
    if a == b { 0 } else { ordered(a).abs_diff(ordered(b)) }
}

#[test]
fn numbers_are_those_of_the_standard_library() {
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut cells: Vec<String> =
        ["0", "-0", "0.0", "99999999.99999999", "-12345678.87654321", "16777217", "1e-30", "3e29"]
            .map(String::from)
            .to_vec();
    for _ in 0..20_000 {
        let (whole, part) = (next() % 10u64.pow((next() % 9) as u32 + 1), next() % 10u64.pow((next() % 19) as u32 + 1));
        let sign = ["", "-", "", "-", "+"][(next() % 5) as usize];
        cells.push(match next() % 8 {
            0 => format!("{sign}{whole}"),
            1 => format!("{sign}.{part}"),
            2 => format!("{sign}{whole}.{part}e-{}", next() % 20),
            n => format!("{sign}{}.{part:0width$}", if n == 3 { 0 } else { whole }, width = 3 * n as usize),
        });
    }
    let rows: Vec<&str> = cells.iter().map(String::as_str).collect();
    let bvh = parse(&one_joint("0 0 0", "Xrotation", &rows)).unwrap();
    assert_eq!(bvh.table.len(), cells.len());
    for (cell, &found) in cells.iter().zip(&bvh.table) {
        let exact = cell.parse::<f64>().unwrap() as f32;
        assert!(ulps(found, exact) <= 1, "{cell}: {found:e} is not {exact:e}");
    }
    let off = cells.iter().zip(&bvh.table).filter(|(cell, found)| cell.parse::<f64>().unwrap() as f32 != **found);
    assert!(off.count() < 10, "nearly all are the nearest float, not its neighbour");
}

#[test]
fn frame_times_snap_to_the_rate_that_was_rounded() {
    let rate = |text: &str| {
        let plain = one_joint("0 0 0", "Xrotation", &["0", "1"]);
        parse(&plain.replace("0.0333333", text)).unwrap()
    };
    let snapped = [
        ("0.033333", 30.0),
        (".0083333", 120.0),
        ("0.008333", 120.0),
        ("0.041667", 24.0),
        ("0.0333", 30.0),
        ("0.033", 30.0),
        ("0.0167", 60.0),
        ("0.016667", 60.0),
        ("0.0111111", 90.0),
        ("0.00416667", 240.0),
        ("8.33333e-3", 120.0),
        ("0,033333", 30.0),
        ("0.033367", 30_000.0 / 1001.0),
        ("0.016683", 60_000.0 / 1001.0),
        ("0.0417083", 24_000.0 / 1001.0),
    ];
    for (text, fps) in snapped {
        let bvh = rate(text);
        assert_eq!(bvh.frame_secs, 1.0 / fps, "{text}");
        assert!((bvh.rate.fps() - fps).abs() < 1e-9, "{text}");
        warned(&bvh.warnings, WarningKind::Timing, "was read as");
    }
    for (text, secs) in [("0.04", 0.04), ("0.03", 0.03), ("0.013888888888888888", 1.0 / 72.0), ("0.1", 0.1), ("1", 1.0)]
    {
        let bvh = rate(text);
        assert_eq!(bvh.frame_secs, secs, "{text}");
        assert!((bvh.rate.fps() * secs - 1.0).abs() < 1e-12, "{text}");
        assert_eq!(bvh.warnings, [], "{text}");
    }
    for text in ["0", "-0.04", "nan", "inf", "1e-9", "soon"] {
        let bvh = rate(text);
        assert_eq!(bvh.rate.fps(), 30.0, "{text}");
        warned(&bvh.warnings, WarningKind::Timing, "no usable frame time");
    }
}
