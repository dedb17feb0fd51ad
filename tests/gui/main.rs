//! The window, pressed and looked at as a person would; software Vulkan, no display.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    clippy::print_stderr,
    missing_docs,
    reason = "tests"
)]

use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use stridesmith::ui::{Viewer, demo_file};

fn viewer() -> Harness<'static, Viewer> {
    let viewer = Viewer::new(demo_file().unwrap());
    Harness::builder()
        .with_size(eframe::egui::vec2(1280.0, 720.0))
        .build_ui_state(|ui, viewer: &mut Viewer| viewer.show(ui), viewer)
}

#[test]
fn every_take_is_listed_and_can_be_shown() {
    let mut harness = viewer();
    harness.run_steps(2);
    for take in ["walk", "jog", "run", "jump", "stagger"] {
        let label = format!("{take}  ");
        harness.get_by_label_contains(&label).click();
        harness.run_steps(2);
        assert!(harness.state().shown_name().starts_with(take));
    }
}

#[test]
fn the_first_take_that_moves_is_shown() {
    let mut file = demo_file().unwrap();
    let still = std::sync::Arc::make_mut(&mut file.clips[0]);
    still.tracks.iter_mut().for_each(|tracks| *tracks = [None, None, None]);
    assert_eq!(Viewer::new(file).shown_name(), "jog");
}

#[test]
fn pause_holds_the_clip() {
    let mut harness = viewer();
    harness.run_steps(3);
    harness.get_by_label("Pause").click();
    harness.run_steps(2);
    let held = harness.state().seconds();
    harness.run_steps(5);
    assert_eq!(harness.state().seconds(), held);
    harness.get_by_label("Play").click();
    harness.run_steps(5);
    assert!(harness.state().seconds() > held);
}

#[test]
fn the_figure_is_drawn_and_moves() {
    let mut harness = viewer();
    harness.run_steps(2);
    let first = harness.render().unwrap();
    harness.run_steps(12);
    let later = harness.render().unwrap();
    let differing = first.pixels().zip(later.pixels()).filter(|(a, b)| a != b).count();
    assert!(differing > 500, "only {differing} pixels differ: nothing moves");
}

/// The picture in the README: `UPDATE_SCREENSHOTS=1` writes it anew, otherwise it only has to be there and of its size.
#[test]
fn the_picture_in_the_readme_is_the_program_s_own() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/screenshots/viewer.png");
    let mut harness = viewer();
    harness.run_steps(14);
    let shot = harness.render().unwrap();
    if std::env::var_os("UPDATE_SCREENSHOTS").is_some() {
        shot.save(path).unwrap();
    }
    let png = std::fs::read(path).unwrap();
    // Width and height stand at fixed places of a PNG's header.
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    assert_eq!((number(16), number(20)), (shot.width(), shot.height()));
}
