//! From a file on disk to a file on disk, by the labels that a person reads; and every clip at hand through the window.

use std::path::{Path, PathBuf};

use eframe::egui::{Key, Modifiers, Role, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use stridesmith::ops::path::PathSettings;
use stridesmith::ops::{Extract, Op};
use stridesmith::session::{Action, Change, ExportRequest, Session};
use stridesmith::ui::App;

use crate::real_clips;
use crate::support::{demo_session, window, window_for_any_name};

const SIZE: Vec2 = Vec2::new(1280.0, 720.0);

fn press(window: &mut Harness<'static, App>, modifiers: Modifiers, key: Key) {
    window.key_press_modifiers(modifiers, key);
    window.run_steps(3);
}

fn click(window: &mut Harness<'static, App>, label: &str) {
    window.get_by_label(label).click();
    window.run_steps(3);
}

/// A walk in a folder of its own.
fn walk_in(folder: &Path) -> PathBuf {
    let mut session = demo_session();
    let clips = session.selection().clips.clone();
    let request = ExportRequest { clips, folder: Some(folder.into()), alone: true, ..ExportRequest::default() };
    session.handle(Action::Export(request)).unwrap();
    session.exported_to(session.selection().clips[0]).unwrap().to_owned()
}

fn opened(path: &Path) -> Harness<'static, App> {
    let mut window = window(Session::default(), SIZE);
    window.state_mut().open_files(vec![path.to_owned()]);
    window.run_steps(3);
    window
}

fn says(window: &Harness<'static, App>, part: &str) -> bool {
    window.state().toast_texts().iter().any(|text| text.contains(part))
}

#[test]
fn from_a_file_to_an_updated_file_and_back() {
    let folder = tempfile::tempdir().unwrap();
    let source = walk_in(folder.path());
    let source_bytes = std::fs::read(&source).unwrap();
    let mut window = opened(&source);
    click(&mut window, "Actions");
    click(&mut window, "Extract root motion");
    press(&mut window, Modifiers::COMMAND, Key::Enter);
    let clip = window.state().session.selection().clips[0];
    press(&mut window, Modifiers::COMMAND, Key::E);
    let name = format!("{}.glb", window.state().session.document().clip(clip).unwrap().name);
    let target = folder.path().join(&name);
    assert!(window.query_by_label(&name).is_some(), "the name is listed before anything is written");
    assert!(!target.exists());
    window.get_by_role_and_label(Role::Button, "Export").click();
    window.run_steps(3);
    assert!(says(&window, "Exported"), "{:?}", window.state().toast_texts());
    let first = std::fs::read(&target).unwrap();

    // Another setting for the step: the same name is offered, and Undo export brings the old file back.
    let path = PathSettings { sigma_secs: Some(0.9), ..PathSettings::default() };
    let op = Op::Extract(Extract { path, ..Extract::default() });
    window.state_mut().session.handle(Action::Change(Change::SetStep { clip, step: 0, op })).unwrap();
    window.run_steps(3);
    press(&mut window, Modifiers::COMMAND, Key::E);
    click(&mut window, &format!("Update {name}"));
    assert!(says(&window, "Updated"), "{:?}", window.state().toast_texts());
    assert_ne!(std::fs::read(&target).unwrap(), first);
    assert!(window.state().session.unexported().is_empty());
    let undo = window.get_all_by_label("Undo export").last().unwrap();
    undo.click();
    window.run_steps(3);
    assert_eq!(std::fs::read(&target).unwrap(), first);
    assert_eq!(std::fs::read(&source).unwrap(), source_bytes);
}

#[test]
fn another_desk_takes_the_place_of_a_changed_one_only_when_asked() {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().join("fix.stridesmith");
    let mut saved = Session::default();
    saved.handle(Action::Open(vec![walk_in(folder.path())])).unwrap();
    saved.handle(Action::SaveProject(project.clone())).unwrap();
    saved.wait_for_saves();

    let mut window = window(demo_session(), SIZE);
    window.run_steps(2);
    let before = window.state().session.document().canonical();
    window.state_mut().open_files(vec![project]);
    window.run_steps(3);
    assert_eq!(window.state().session.document().canonical(), before, "nothing goes without an answer");
    click(&mut window, "Stay");
    assert_eq!(window.state().session.document().canonical(), before);
    let project = folder.path().join("fix.stridesmith");
    window.state_mut().open_files(vec![project.clone()]);
    window.run_steps(3);
    click(&mut window, "Replace it");
    assert_eq!(window.state().session.project_path(), Some(project.as_path()));
    assert_ne!(window.state().session.document().canonical(), before);
}

#[test]
fn every_control_has_a_name() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = opened(&walk_in(folder.path()));
    let look = |window: &Harness<'static, App>, what: &str| {
        let unnamed = window.unnamed_widgets();
        assert!(unnamed.is_empty(), "{what}: {unnamed:?}");
    };
    for tab in ["Clips", "Rig", "Timeline", "Travel", "Speed", "Checks", "Actions", "Steps", "History"] {
        click(&mut window, tab);
        look(&window, tab);
    }
    click(&mut window, "Actions");
    for card in ["Extract root motion", "In place", "Bake root motion to hips", "Move to origin", "Start at 0"] {
        // The palette, the menus and the history call it so too; the card is the one on the right.
        let found = window.get_all_by_label(card).max_by(|a, b| a.rect().left().total_cmp(&b.rect().left()));
        found.unwrap().click();
        window.run_steps(3);
        look(&window, card);
    }
    press(&mut window, Modifiers::NONE, Key::Escape);
    press(&mut window, Modifiers::COMMAND, Key::E);
    look(&window, "Export");
}

#[test]
fn every_clip_at_hand_is_opened_previewed_and_exported() {
    let clips = real_clips::all();
    if clips.is_empty() {
        return;
    }
    let out = tempfile::tempdir().unwrap();
    let mut window = window_for_any_name(Session::default(), SIZE);
    window.run_steps(1);
    let mut written = 0;
    for path in clips {
        window.state_mut().open_files(vec![path.clone()]);
        window.run_steps(2);
        let Some(clip) = window.state().session.selection().shown() else { continue };
        let change = Change::apply(Op::Extract(Extract::default()), vec![clip]);
        let app = window.state_mut();
        drop(app.session.handle(Action::Preview(change.clone())));
        window.run_steps(2);
        let app = window.state_mut();
        if app.session.handle(Action::Change(change)).is_ok() {
            let clips = app.session.selection().clips.clone();
            let folder = Some(out.path().to_owned());
            let request = ExportRequest { clips, folder, alone: true, ..ExportRequest::default() };
            // A refusal says why; a panic would end the test.
            written += u32::from(app.session.handle(Action::Export(request)).is_ok());
        }
        window.run_steps(1);
        let files: Vec<_> = window.state().session.document().files().iter().map(|open| open.file.id).collect();
        for file in files {
            window.state_mut().session.handle(Action::Change(Change::Close { file })).unwrap();
        }
    }
    assert!(written > 50, "most clips travel and can be written: {written}");
}
