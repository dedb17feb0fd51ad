//! The layers, read from the source: who names whom, and where the feature `gui` is asked for.

use std::path::{Path, PathBuf};

/// Each layer and those it may name beside itself. `formats` and `edit` do not know each other; `render` knows motion
/// alone; the command line and the window stand on everything below.
const MAY_USE: [(&str, &[&str]); 8] = [
    ("motion", &[]),
    ("ops", &["motion"]),
    ("formats", &["motion", "ops"]),
    ("edit", &["motion", "ops"]),
    ("session", &["motion", "ops", "formats", "edit"]),
    ("render", &["motion"]),
    ("ui", &["motion", "ops", "formats", "edit", "session", "render"]),
    ("cli", &["motion", "ops", "formats", "edit", "session"]),
];

/// Files at the top of `src` that may name every layer and ask for features.
const TOP: [&str; 2] = ["lib.rs", "main.rs"];

/// What is wrong with one file; `path` is relative to `src`, with `/`.
fn faults(path: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let (layer, deep) = path.split_once('/').map_or((path, false), |(first, _)| (first, true));
    if TOP.contains(&path) {
        return faults;
    }
    let Some((_, allowed)) = MAY_USE.iter().find(|(name, _)| deep && *name == layer) else {
        return vec![format!("{path}: stands in no layer")];
    };
    let code = without_comments(text);
    for used in named_layers(&code) {
        let known = MAY_USE.iter().any(|(name, _)| *name == used);
        if known && used != layer && !allowed.contains(&used.as_str()) {
            faults.push(format!("{path}: {layer} must not use {used}"));
        }
    }
    let dense: String = code.chars().filter(|c| !c.is_whitespace()).collect();
    if dense.contains("feature=\"") {
        faults.push(format!("{path}: asks for a feature; only lib.rs and main.rs do"));
    }
    faults
}

/// Comments may point at higher layers, in words or as links.
fn without_comments(text: &str) -> String {
    text.lines().map(|line| line.split_once("//").map_or(line, |(code, _)| code)).collect::<Vec<_>>().join("\n")
}

/// First segments after `crate::` or `stridesmith::`, those in braces included, and after enough `super::` to leave
/// the layer.
fn named_layers(code: &str) -> Vec<String> {
    let dense: String = code.split_whitespace().collect::<Vec<_>>().join(" ").replace(" :: ", "::");
    let mut found = Vec::new();
    for start in ["crate::", "stridesmith::"] {
        for (at, _) in dense.match_indices(start) {
            let rest = &dense[at + start.len()..];
            match rest.trim_start().strip_prefix('{') {
                None => found.push(first_word(rest)),
                Some(list) => found.extend(top_level_items(list)),
            }
        }
    }
    found
}

fn first_word(text: &str) -> String {
    text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// `motion::{A, B}, ops}` → `motion`, `ops`.
fn top_level_items(list: &str) -> Vec<String> {
    let mut items = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                items.push(first_word(&list[start..at]));
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                items.push(first_word(&list[start..at]));
                start = at + 1;
            }
            _ => {}
        }
    }
    items.retain(|item| !item.is_empty());
    items
}

fn rust_files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, out);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            out.push(path);
        }
    }
}

#[test]
fn a_layer_uses_only_those_below_it() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    rust_files(&src, &mut files);
    assert!(files.len() > 30, "the source must have been found");
    let mut all = Vec::new();
    for file in files {
        let path = file.strip_prefix(&src).unwrap().to_string_lossy().replace('\\', "/");
        all.extend(faults(&path, &std::fs::read_to_string(&file).unwrap()));
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}

#[test]
fn the_guard_sees_what_it_guards_against() {
    let bad = [
        ("motion/clip.rs", "use crate::ops::Op;"),
        ("ops/mod.rs", "fn f() { crate::formats::open(); }"),
        ("edit/mod.rs", "use crate::{motion::Clip, formats::{self, ReadError}};"),
        ("formats/fbx/mod.rs", "pub use crate :: edit :: Document;"),
        ("formats/mod.rs", "use crate::{\n    ops::{Op, OpError},\n    session,\n};"),
        ("session/mod.rs", "type T = crate::ui::App;"),
        ("render/mod.rs", "use crate::ops::Step;"),
        ("cli/mod.rs", "use crate::ui::theme;"),
        ("motion/a/b.rs", "use stridesmith::session::Session;"),
        ("ops/mod.rs", "#[cfg(feature = \"gui\")]\nmod window;"),
        ("ops/mod.rs", "#[cfg(all(unix, feature = \"gui\"))]\nmod window;"),
        ("session/mod.rs", "if cfg!( feature = \"gui\" ) {}"),
        ("stray.rs", ""),
        ("utils/mod.rs", ""),
    ];
    for (path, text) in bad {
        assert_eq!(faults(path, text).len(), 1, "{path}: {text}");
    }
    let good = [
        ("session/mod.rs", "use crate::{edit::Document, formats, motion::{Clip, Rig}, ops::Op};"),
        ("ops/mod.rs", "// crate::session reads this\nuse crate::motion::Clip;"),
        ("ops/mod.rs", "/// See [`crate::session::Session`].\nuse crate::ops::Op;"),
        ("lib.rs", "#[cfg(feature = \"gui\")]\npub mod ui;"),
        ("ui/mod.rs", "use crate::render::Camera;"),
    ];
    for (path, text) in good {
        assert_eq!(faults(path, text), Vec::<String>::new());
    }
}
