//! The frame around the panels: menus, palette, keys, cards, notes.

use eframe::egui::{Key, Modifiers, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use stridesmith::ui::App;
use stridesmith::ui::commands::table;
use stridesmith::ui::keys::Keymap;
use stridesmith::ui::palette::matches;

use crate::support::{demo_session, window};

const SIZE: Vec2 = Vec2::new(1600.0, 900.0);

fn press(window: &mut Harness<'static, App>, modifiers: Modifiers, key: Key) {
    window.key_press_modifiers(modifiers, key);
    window.run_steps(3);
}

fn clip_names(window: &Harness<'static, App>) -> Vec<String> {
    window.state().session.document().clips().map(|clip| clip.name.clone()).collect()
}

#[test]
fn every_panel_has_a_tab() {
    let mut window = window(demo_session(), SIZE);
    window.run_steps(2);
    for tab in ["Clips", "Rig", "3D view", "Timeline", "Travel", "Speed", "Checks", "Actions", "Steps", "History"] {
        assert!(window.query_all_by_label(tab).next().is_some(), "no tab {tab}");
    }
}

#[test]
fn the_palette_opens_a_card_that_previews_and_applies() {
    let mut window = window(demo_session(), SIZE);
    window.run_steps(2);
    let before = clip_names(&window).len();
    press(&mut window, Modifiers::COMMAND, Key::P);
    window.get_by_label("Find a command… field").type_text("hips travel");
    window.run_steps(2);
    press(&mut window, Modifiers::NONE, Key::Enter);
    assert!(window.state().session.previewed().is_some(), "the open card previews");
    assert_eq!(clip_names(&window).len(), before, "a preview makes nothing");
    press(&mut window, Modifiers::COMMAND, Key::Enter);
    assert!(window.state().session.previewed().is_none());
    let names = clip_names(&window);
    assert_eq!(names.len(), before + 1);
    assert!(names.iter().any(|name| name.ends_with("_RMSmooth")), "{names:?}");
    assert!(window.state().toast_texts().iter().any(|text| text.contains("_RMSmooth")), "the note names the clip");
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(clip_names(&window).len(), before);
    press(&mut window, Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::Z);
    assert_eq!(clip_names(&window).len(), before + 1);
}

#[test]
fn escape_forgets_a_preview() {
    let mut window = window(demo_session(), SIZE);
    window.run_steps(2);
    window.get_by_label("Actions").click();
    window.run_steps(2);
    window.get_by_label("In place").click();
    window.run_steps(3);
    assert!(window.state().session.previewed().is_some());
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert!(window.state().session.previewed().is_none());
    assert!(window.state().session.history().undo_label().is_some_and(|label| label.starts_with("Open")));
}

#[test]
fn a_broken_file_leaves_a_note_that_stays() {
    let mut window = window(demo_session(), SIZE);
    let path = std::env::temp_dir().join("stridesmith-no-such-clip.fbx");
    drop(window.state_mut().session.handle(stridesmith::session::Action::Open(vec![path])).unwrap_err());
    window.run_steps(2);
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("broken.glb");
    std::fs::write(&broken, b"glTF\x02\0\0\0 not really").unwrap();
    window.state_mut().open_files(vec![broken]);
    window.run_steps(600);
    let texts = window.state().toast_texts();
    assert!(texts.iter().any(|text| text.contains("broken.glb")), "{texts:?}");
}

#[test]
fn keys_of_the_table_are_given_once_and_text_finds_commands() {
    let table = table();
    let mut taken = std::collections::HashMap::new();
    for entry in &table {
        for keys in &entry.keys {
            let earlier = taken.insert(*keys, entry.id);
            assert!(earlier.is_none(), "{} and {} share {keys:?}", entry.id, earlier.unwrap_or_default());
        }
    }
    let ids: std::collections::HashSet<_> = table.iter().map(|entry| entry.id).collect();
    assert_eq!(ids.len(), table.len(), "names of commands are unique");
    for (search, first) in [
        ("undo", "undo"),
        ("treadmill", "treadmill"),
        ("zero out", "in_place"),
        ("joints", "bones"),
        ("expall", "export_all"),
    ] {
        assert_eq!(matches(&table, search).first().map(|entry| entry.id), Some(first), "{search}");
    }
}

#[test]
fn a_file_gives_other_keys_and_its_faults_are_named() {
    let table = table();
    let keys = Keymap::with_file(&table, r#"{ "open": ["F5", "ctrl+shift+o"], "play": [] }"#).unwrap();
    let text = |id: &str| keys.text(table.iter().find(|entry| entry.id == id).unwrap().command);
    assert_eq!(text("open"), "F5, Ctrl+Shift+O");
    assert_eq!(text("play"), "");
    assert_eq!(text("undo"), "Ctrl+Z");
    let taken = Keymap::with_file(&table, r#"{ "open": ["Ctrl+Z"] }"#).unwrap();
    assert_eq!(taken.text(table.iter().find(|entry| entry.id == "undo").unwrap().command), "");
    for (json, said) in [
        (r#"{ "oepn": ["F5"] }"#, "oepn"),
        (r#"{ "open": ["Ctrl+Foo"] }"#, "Ctrl+Foo"),
        (r#"{ "open": ["F5"], "undo": ["F5"] }"#, "both"),
        ("[]", "JSON"),
    ] {
        let error = Keymap::with_file(&table, json).unwrap_err().to_string();
        assert!(error.contains(said), "{json}: {error}");
    }
}

/// With `UPDATE_SCREENSHOTS=1` writes the picture of the README; always looks at whether the figure is drawn.
#[test]
fn the_window_shows_a_figure_that_moves() {
    let mut window = window(demo_session(), SIZE);
    window.run_steps(2);
    press(&mut window, Modifiers::COMMAND, Key::P);
    window.get_by_label("Find a command… field").type_text("hips travel");
    window.run_steps(2);
    press(&mut window, Modifiers::NONE, Key::Enter);
    window.run_steps(4);
    let before = window.render().unwrap();
    press(&mut window, Modifiers::SHIFT, Key::ArrowRight);
    window.run_steps(4);
    let after = window.render().unwrap();
    let middle = |image: &image::RgbaImage| image::imageops::crop_imm(image, 500, 150, 600, 400).to_image();
    let (a, b) = (middle(&before), middle(&after));
    let changed = a.pixels().zip(b.pixels()).filter(|(a, b)| a != b).count();
    assert!(changed > 2000, "ten frames on, the figure stands otherwise: {changed} pixels differ");
    if std::env::var_os("UPDATE_SCREENSHOTS").is_some() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("screenshots");
        after.save(folder.join("window.png")).unwrap();
    }
}
