//! Projects and desks that were saved by themselves: what is written comes back, and nothing else is harmed.

#![expect(clippy::disallowed_methods, reason = "the tests' own files, in folders of their own")]

use std::path::{Path, PathBuf};

use stridesmith::edit::RoleChoice;
use stridesmith::motion::Role;
use stridesmith::ops::path::PathSettings;
use stridesmith::ops::{ClipId, Extract, MoveToOrigin, Op};
use stridesmith::session::autosave::Autosave;
use stridesmith::session::{Action, Change, ExportRequest, Session, error_text};

fn extract(sigma_secs: f64) -> Op {
    Op::Extract(Extract {
        path: PathSettings { sigma_secs: Some(sigma_secs), ..Default::default() },
        ..Default::default()
    })
}

/// Two files, outputs of outputs, a step that is off, names, a role, a take taken off, marks.
fn desk(folder: &Path) -> Session {
    let mut made = Session::default();
    made.open_generated(|id| stridesmith::session::demo::demo_file(id).unwrap()).unwrap();
    let take = made.selection().shown().unwrap();
    let source = folder.join("clips").join("行走 walk.glb");
    std::fs::create_dir_all(source.parent().unwrap()).unwrap();
    made.handle(Action::Change(Change::Rename { clip: take, name: "行走 walk".into() })).unwrap();
    made.handle(Action::Export(ExportRequest {
        clips: vec![take],
        folder: Some(folder.join("clips")),
        ..Default::default()
    }))
    .unwrap();

    let mut session = Session::default();
    session.open_generated(|id| stridesmith::session::demo::demo_file(id).unwrap()).unwrap();
    session.handle(Action::Open(vec![source])).unwrap();
    let opened = session.selection().shown().unwrap();
    let mut change = |change| session.handle(Action::Change(change)).unwrap();
    change(Change::apply(extract(0.3), vec![opened, ClipId(0)]));
    let first = ClipId(session.document().clips().map(|clip| clip.id.0).max().unwrap());
    let mut change = |change| session.handle(Action::Change(change)).unwrap();
    change(Change::apply(Op::MoveToOrigin(MoveToOrigin::default()), vec![first]));
    change(Change::ToggleStep { clip: ClipId(first.0 + 1), step: 0, on: false });
    change(Change::Rename { clip: first, name: "best one".into() });
    change(Change::Rename { clip: ClipId(1), name: "my jog".into() });
    change(Change::Remove { clips: vec![ClipId(2)] });
    let skeleton = session.document().files()[0].skeleton.clone();
    let choice = RoleChoice::Nobody;
    session.handle(Action::Change(Change::SetRole { skeleton, role: Role::Head, choice })).unwrap();
    session.handle(Action::Select(vec![first, ClipId(1)])).unwrap();
    session
}

/// Everything of a desk but the numbers of its files, which are new in every run.
fn text(session: &Session) -> String {
    session.project_text(Path::new("/"), true)
}

fn saved(session: &mut Session, folder: &Path) -> PathBuf {
    let path = folder.join("fix.stridesmith");
    session.handle(Action::SaveProject(path.clone())).unwrap();
    path
}

#[test]
fn what_is_saved_comes_back_and_is_saved_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = desk(folder.path());
    let path = saved(&mut session, folder.path());
    let written = std::fs::read_to_string(&path).unwrap();
    assert!(written.contains("\"clips/行走 walk.glb\""), "a relative path with its own letters: {written}");
    let mut other = Session::default();
    other.open_generated(|id| stridesmith::session::demo::demo_file(id).unwrap()).unwrap();
    other.handle(Action::OpenProject(path.clone())).unwrap();
    assert_eq!(text(&other), text(&session));
    assert_eq!(other.selection(), session.selection());
    assert_eq!(other.document().listing(), session.document().listing());
    assert_eq!(other.document().ends(), session.document().ends());
    assert!(other.history().undo_label().is_none() && other.history().is_saved());
    for clip in session.document().clips() {
        let (ours, theirs) = (session.evaluate(clip.id).unwrap(), other.evaluate(clip.id).unwrap());
        assert_eq!(ours.rig.root(), theirs.rig.root());
        assert_eq!(ours.rig.bone(Role::Head), theirs.rig.bone(Role::Head));
        let values = |evaluation: &stridesmith::ops::Evaluation| {
            let tracks = evaluation.clip.tracks.iter().flatten().flatten();
            tracks.map(|track| track.values.to_vec()).collect::<Vec<_>>()
        };
        assert_eq!(values(&ours), values(&theirs), "{}", clip.name);
    }
    let again = saved(&mut other, folder.path());
    assert_eq!(std::fs::read_to_string(again).unwrap(), written);
    // New clips get numbers that nobody has.
    other.handle(Action::Change(Change::Duplicate { clips: vec![ClipId(0)] })).unwrap();
}

#[test]
fn a_file_that_is_gone_takes_only_its_own_clips_along() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = desk(folder.path());
    let path = saved(&mut session, folder.path());
    let source = folder.path().join("clips").join("行走 walk.glb");
    let bytes = std::fs::read(&source).unwrap();
    std::fs::remove_file(&source).unwrap();
    let mut other = Session::default();
    other.handle(Action::OpenProject(path.clone())).unwrap();
    let said: Vec<String> = other.take_notices().into_iter().map(|notice| notice.text).collect();
    assert!(said.iter().any(|text| text.contains("行走 walk.glb")), "{said:?}");
    assert_eq!(other.document().files().len(), 1);
    assert!(other.document().named("my jog").is_some());

    // Another content under the same name: said, and the steps apply to it.
    let mut changed = bytes.clone();
    let at = changed.len() - 5;
    changed[at] ^= 1;
    std::fs::write(&source, changed).unwrap();
    let mut other = Session::default();
    other.handle(Action::OpenProject(path)).unwrap();
    let said: Vec<String> = other.take_notices().into_iter().map(|notice| notice.text).collect();
    assert!(said.iter().any(|text| text.contains("is another than")), "{said:?}");
}

#[test]
fn only_a_project_is_replaced_and_damage_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = desk(folder.path());
    let foreign = folder.path().join("notes.stridesmith");
    std::fs::write(&foreign, "my notes").unwrap();
    let refused = session.handle(Action::SaveProject(foreign.clone())).unwrap_err();
    assert!(error_text(&refused).contains("is no project"), "{}", error_text(&refused));
    assert_eq!(std::fs::read_to_string(&foreign).unwrap(), "my notes");

    let path = saved(&mut session, folder.path());
    let bytes = std::fs::read(&path).unwrap();
    let before = text(&session);
    let mut random: u64 = 7;
    for round in 0..300 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let at = (random >> 33) as usize % bytes.len();
        let mut damaged = bytes.clone();
        if round % 3 == 0 {
            damaged.truncate(at);
        } else {
            damaged[at] ^= 1 << (random >> 61);
        }
        let other = folder.path().join("damaged.stridesmith");
        std::fs::write(&other, damaged).unwrap();
        // A flipped letter in a name is a name; anything else is refused, and the desk stays.
        if let Err(error) = session.handle(Action::OpenProject(other)) {
            let said = error_text(&error);
            assert!(said.contains("damaged.stridesmith") || said.contains("clip") || said.contains("number"), "{said}");
            assert_eq!(text(&session), before);
        }
        session.handle(Action::OpenProject(path.clone())).unwrap();
    }
}

#[test]
fn a_desk_whose_program_is_gone_is_offered_again() {
    let folder = tempfile::tempdir().unwrap();
    let (files, desks) = (folder.path().join("files"), folder.path().join("desks"));
    let mut session = desk(&files);
    let mut autosave = Autosave::new(&desks).unwrap();
    assert!(autosave.save(&session).unwrap() && !autosave.save(&session).unwrap());
    let mut other = Autosave::new(&desks).unwrap();
    assert!(other.recoverable().is_empty(), "its program runs");
    session.handle(Action::Change(Change::Duplicate { clips: vec![ClipId(1)] })).unwrap();
    assert!(autosave.save(&session).unwrap());
    drop(autosave);
    let found = other.recoverable();
    assert_eq!(found.len(), 1);
    let mut recovered = Session::default();
    recovered.handle(Action::Recover(found[0].path.clone())).unwrap();
    assert_eq!(text(&recovered), text(&session));
    assert!(recovered.project_path().is_none(), "a recovered desk has no name");
    other.save(&recovered).unwrap();
    other.discard(&found[0]);
    assert!(other.recoverable().is_empty());
    other.finish();
    assert_eq!(std::fs::read_dir(&desks).unwrap().count(), 0);
}

/// Edits without end, saying after each save how often; run as a child by the next test.
#[test]
#[ignore = "the child of a_killed_program_loses_nothing"]
fn edits_until_it_is_killed() {
    let Some(folder) = std::env::var_os("STRIDESMITH_TEST_DESKS").map(PathBuf::from) else { return };
    let mut session = Session::default();
    session.open_generated(|id| stridesmith::session::demo::demo_file(id).unwrap()).unwrap();
    let mut autosave = Autosave::new(&folder).unwrap();
    for count in 0u32.. {
        session.handle(Action::Change(Change::Rename { clip: ClipId(0), name: format!("edit {count}") })).unwrap();
        autosave.save(&session).unwrap();
        std::fs::write(folder.join("said"), count.to_string()).unwrap();
    }
}

#[test]
fn a_killed_program_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for round in 0..5u64 {
        let said = folder.path().join("said");
        let _none = std::fs::remove_file(&said);
        let mut child = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["project::edits_until_it_is_killed", "--exact", "--ignored"])
            .env("STRIDESMITH_TEST_DESKS", folder.path())
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        while std::fs::read_to_string(&said).map_or(true, |text| text.is_empty()) {
            assert!(child.try_wait().unwrap().is_none(), "it edits until it is killed");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        std::thread::sleep(std::time::Duration::from_millis(20 + 17 * round));
        child.kill().unwrap();
        child.wait().unwrap();
        // The count may be half written; then the one before was acknowledged.
        let said: u32 = std::fs::read_to_string(&said).unwrap().parse().unwrap_or(0);
        let autosave = Autosave::new(folder.path()).unwrap();
        let found = autosave.recoverable();
        assert_eq!(found.len(), 1, "round {round}");
        let mut session = Session::default();
        session.handle(Action::Recover(found[0].path.clone())).unwrap();
        let name = session.document().clip(ClipId(0)).unwrap().name.clone();
        let count: u32 = name.strip_prefix("edit ").unwrap().parse().unwrap();
        assert!(count >= said, "said {said}, found {count}");
        autosave.discard(&found[0]);
        autosave.finish();
    }
}
