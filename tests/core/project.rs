//! Projects and desks that were saved by themselves: what is written comes back, and nothing else is harmed.

#![expect(clippy::disallowed_methods, reason = "the tests' own files, in folders of their own")]

use std::path::{Path, PathBuf};

use stridesmith::edit::RoleChoice;
use stridesmith::motion::Role;
use stridesmith::ops::path::PathSettings;
use stridesmith::ops::{ClipId, Extract, MoveToOrigin, Op};
use stridesmith::session::autosave::Autosave;
use stridesmith::session::fingerprint::Fingerprint;
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
    // New clips get numbers that nobody had.
    let next = session.document().clips().map(|clip| clip.id.0).max().unwrap() + 1;
    other.handle(Action::Change(Change::Duplicate { clips: vec![ClipId(0)] })).unwrap();
    assert_eq!(other.selection().clips, [ClipId(next)]);
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
    assert!(said.iter().any(|text| text.contains("has changed since")), "{said:?}");
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
fn what_cannot_be_loaded_is_kept_and_comes_back_with_its_file() {
    let folder = tempfile::tempdir().unwrap();
    const LOST: &str = "行走 walk_RMSmooth";
    let mut session = desk(folder.path());
    let path = saved(&mut session, folder.path());
    let written = std::fs::read_to_string(&path).unwrap();
    let (there, away) = (folder.path().join("clips/行走 walk.glb"), folder.path().join("away"));
    std::fs::rename(&there, &away).unwrap();
    let mut other = Session::default();
    other.handle(Action::OpenProject(path.clone())).unwrap();
    let said: Vec<String> = other.take_notices().into_iter().map(|notice| notice.text).collect();
    assert!(said.iter().any(|text| text.contains("put the file back")), "{said:?}");
    assert!(said.iter().any(|text| text.contains("not shown") && text.contains(LOST)), "{said:?}");
    // Work goes on without it, under a name that one of the missing has, and is saved.
    other.handle(Action::Change(Change::Rename { clip: ClipId(1), name: LOST.into() })).unwrap();
    let missing_most = session.document().clips().map(|clip| clip.id).max().unwrap();
    other.handle(Action::Change(Change::Duplicate { clips: vec![ClipId(0)] })).unwrap();
    let fresh = other.selection().shown().unwrap();
    assert!(fresh > missing_most, "a missing clip's number was given away");
    saved(&mut other, folder.path());
    std::fs::rename(&away, &there).unwrap();
    let mut third = Session::default();
    third.handle(Action::OpenProject(path.clone())).unwrap();
    assert_eq!(third.document().clips().len(), session.document().clips().len() + 1);
    let twice = third.take_notices().into_iter().filter(|notice| notice.text.contains("is called")).count();
    assert_eq!(twice, 1, "two of one name");
    // Undone by hand, it is the text of the beginning again.
    third.handle(Action::Change(Change::Remove { clips: vec![fresh] })).unwrap();
    third.handle(Action::Change(Change::Rename { clip: ClipId(1), name: "my jog".into() })).unwrap();
    let best = session.document().named(LOST).unwrap().id;
    third.handle(Action::Change(Change::Rename { clip: best, name: LOST.into() })).unwrap();
    third.handle(Action::Select(session.selection().clips.clone())).unwrap();
    saved(&mut third, folder.path());
    let now = std::fs::read_to_string(&path).unwrap();
    let without_next =
        |text: &str| text.lines().filter(|line| !line.contains("next_clip")).collect::<Vec<_>>().join("\n");
    assert_eq!(without_next(&now), without_next(&written));
}

#[test]
fn a_result_that_comes_out_differently_is_told_with_its_distance() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = desk(folder.path());
    let path = saved(&mut session, folder.path());
    let text = std::fs::read_to_string(&path).unwrap();
    let said = |text: &str| {
        std::fs::write(&path, text).unwrap();
        let mut other = Session::default();
        other.handle(Action::OpenProject(path.clone())).unwrap();
        let notices = other.take_notices();
        notices.into_iter().map(|notice| notice.text).filter(|text| text.contains("differ")).collect::<Vec<_>>()
    };
    assert_eq!(said(&text), Vec::<String>::new(), "the same program gives the same");
    let at = text.find("\"tenths_mm\":[[").unwrap() + "\"tenths_mm\":[[".len();
    let end = at + text[at..].find(',').unwrap();
    let x: i32 = text[at..end].parse().unwrap();
    let hash = text.find("{\"hash\":\"").unwrap() + "{\"hash\":\"".len();
    let other_hash = if &text[hash..=hash] == "0" { "1" } else { "0" };
    let hashed = format!("{}{other_hash}{}", &text[..hash], &text[hash + 1..]);
    let told = said(&hashed);
    assert!(told.len() == 1 && told[0].contains("less than 0.1 mm"), "{told:?}");
    let moved = format!("{}{}{}", &hashed[..at], x + 123, &hashed[end..]);
    let told = said(&moved);
    assert!(told.len() == 1 && told[0].contains("by up to 12.3 mm"), "{told:?}");
}

#[test]
fn what_was_exported_is_known_after_opening() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = desk(folder.path());
    let ends = session.document().ends();
    let request = |clip: ClipId| ExportRequest {
        clips: vec![clip],
        folder: Some(folder.path().to_owned()),
        ..ExportRequest::default()
    };
    session.handle(Action::Export(request(ends[0]))).unwrap();
    session.handle(Action::Export(request(ends[1]))).unwrap();
    session.handle(Action::Change(Change::ToggleStep { clip: ends[1], step: 1, on: false })).unwrap();
    assert_eq!(session.unexported(), ends[1..].to_vec());
    let path = saved(&mut session, folder.path());
    let mut other = Session::default();
    other.handle(Action::OpenProject(path)).unwrap();
    assert_eq!(other.unexported(), session.unexported());
    for clip in ends {
        assert_eq!(other.exported_to(clip), session.exported_to(clip));
    }
    assert!(!other.can_undo_export(session.exported_to(session.document().ends()[0]).unwrap()));
}

#[test]
fn whether_the_desk_is_saved_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = Session::default();
    assert!(!session.is_changed_since_saved(), "an empty desk");
    session.open_generated(|id| stridesmith::session::demo::demo_file(id).unwrap()).unwrap();
    assert!(session.is_changed_since_saved());
    let path = saved(&mut session, folder.path());
    assert!(!session.is_changed_since_saved());
    session.handle(Action::Change(Change::Duplicate { clips: vec![ClipId(0)] })).unwrap();
    assert!(session.is_changed_since_saved());
    session.handle(Action::Undo).unwrap();
    assert!(!session.is_changed_since_saved());
    session.handle(Action::Recover(path)).unwrap();
    assert!(session.is_changed_since_saved(), "what was brought back is in no project yet");
}

#[test]
fn a_job_of_the_desk_before_does_not_touch_the_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = desk(folder.path());
    let path = saved(&mut first, folder.path());
    let mut session = Session::new(stridesmith::session::JobMode::Threads);
    session.open_generated(|id| stridesmith::session::demo::demo_file(id).unwrap()).unwrap();
    session.wait();
    let before = stridesmith::motion::FileId(session.document().files()[0].file.id.0);
    session.handle(Action::OpenProject(path.clone())).unwrap();
    // The project has been read and waits to be taken in; the clip's number is on both desks.
    while session.jobs().iter().any(|job| job.progress.fraction() < 1.0) {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    std::thread::sleep(std::time::Duration::from_millis(200));
    session.handle(Action::Change(Change::apply(extract(0.7), vec![ClipId(0)]))).unwrap();
    session.wait();
    assert_eq!(text(&session), text(&first));
    assert!(session.document().files().iter().all(|open| open.file.id > before), "no number of a file is given twice");
    // A window that closes waits for what is being saved, and for nothing else.
    let other = folder.path().join("threads.stridesmith");
    session.handle(Action::SaveProject(other.clone())).unwrap();
    session.wait_for_saves();
    assert!(other.exists() && !session.is_changed_since_saved());
    session.wait();
    // The later of two wishes wins.
    let second = folder.path().join("second.stridesmith");
    first.handle(Action::Change(Change::Rename { clip: ClipId(0), name: "second".into() })).unwrap();
    first.handle(Action::SaveProject(second.clone())).unwrap();
    session.handle(Action::OpenProject(path)).unwrap();
    session.handle(Action::OpenProject(second.clone())).unwrap();
    session.wait();
    assert_eq!(session.project_path(), Some(&*second));
    assert!(session.document().named("second").is_some());
}

#[test]
fn hostile_numbers_are_refused_and_chains_of_parents_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.stridesmith");
    let open = |outputs: &str| {
        let text = format!(
            r#"{{"stridesmith":1,"files":[{{"takes":[{{"id":0,"take":0,"name":"walk"}}]}}],"outputs":[{outputs}]}}"#
        );
        std::fs::write(&path, text).unwrap();
        let mut session = Session::default();
        let done = session.handle(Action::OpenProject(path.clone())).map_err(|error| error_text(&error));
        (session, done)
    };
    let output = |id: u32, source: u32, parent: u32| {
        format!(r#"{{"id":{id},"name":"../../n{id}","source":{source},"parent":{parent},"steps":[]}}"#)
    };
    for (outputs, reason) in [
        (output(u32::MAX, 0, 0), "4294967295 is no number of a clip"),
        (output(0, 0, 0), "the clip number 0 is given twice"),
        (format!("{},{}", output(1, 0, 0), output(1, 0, 0)), "the clip number 1 is given twice"),
        ("[".repeat(100_000), "line 1 column"),
        (r#"{"id":1,"name":"a","source":0,"parent":0,"steps":[{"op":"no_such_op","v":1}]}"#.into(), "line 1 column"),
        (r#"{"id":1,"name":"a","source":0,"parent":0,"steps":[{"op":"start_at_zero","v":99}]}"#.into(), "newer one"),
    ] {
        let refused = open(&outputs).1.unwrap_err();
        assert!(refused.contains(reason) && refused.contains("x.stridesmith"), "{refused}");
    }
    // Parents in a ring, an output as a take, a take that is nowhere.
    let outputs = [output(1, 0, 2), output(2, 0, 1), output(3, 1, 1), output(4, 77, 77), output(5, 0, 2)].join(",");
    let (mut session, done) = open(&outputs);
    done.unwrap();
    let rows: Vec<u32> = session.document().clips().map(|clip| clip.id.0).collect();
    assert_eq!(rows, [0, 1, 2, 5]);
    assert!(session.document().clips().all(|clip| !clip.name.contains('/')));
    session.handle(Action::Change(Change::Remove { clips: vec![ClipId(1), ClipId(2)] })).unwrap();
    assert_eq!(session.document().clip(ClipId(5)).unwrap().output().unwrap().parent, ClipId(0));
    let many: Vec<String> = (1..20_000).map(|id| output(id, 99_999, id - 1)).collect();
    let started = std::time::Instant::now();
    assert_eq!(open(&many.join(",")).0.document().clips().len(), 1);
    assert!(started.elapsed().as_secs() < 5, "{:?}", started.elapsed());
    let greedy = r#"{"stridesmith":1,"files":[{"built_in":[SPEC],"takes":[]}],"outputs":[]}"#;
    let mut spec = serde_json::to_value(stridesmith::motion::demo::DemoSpec::new(
        stridesmith::motion::demo::Gait::Walk,
        stridesmith::motion::demo::Family::Unreal,
    ))
    .unwrap();
    spec["cycles"] = 4_000_000_000u32.into();
    std::fs::write(&path, greedy.replace("SPEC", &spec.to_string())).unwrap();
    let mut session = Session::default();
    session.handle(Action::OpenProject(path.clone())).unwrap();
    assert!(session.document().files().is_empty() && !session.take_notices().is_empty());
}

#[test]
fn takes_are_found_by_name_where_a_file_has_changed() {
    let folder = tempfile::tempdir().unwrap();
    let spec = |gait| stridesmith::motion::demo::DemoSpec::new(gait, stridesmith::motion::demo::Family::Mixamo);
    use stridesmith::motion::demo::Gait;
    let export = |gaits: &[Gait]| {
        let mut made = Session::default();
        let specs: Vec<_> = gaits.iter().map(|gait| spec(*gait)).collect();
        made.open_generated(|id| stridesmith::session::demo::demo_file_of(&specs, id).unwrap()).unwrap();
        let clips = made.document().listing();
        let _old = std::fs::remove_dir_all(folder.path().join("out"));
        std::fs::create_dir_all(folder.path().join("out")).unwrap();
        let request =
            ExportRequest { clips: clips.clone(), folder: Some(folder.path().join("out")), ..Default::default() };
        made.handle(Action::Export(request)).unwrap();
        std::fs::rename(made.exported_to(clips[0]).unwrap(), folder.path().join("all.glb")).unwrap();
    };
    export(&[Gait::Walk, Gait::Jog, Gait::Run]);
    let mut session = Session::default();
    session.handle(Action::Open(vec![folder.path().join("all.glb")])).unwrap();
    let jog = session.document().named("jog").unwrap().id;
    let walk = session.document().named("walk").unwrap().id;
    session.handle(Action::Change(Change::Rename { clip: jog, name: "trot".into() })).unwrap();
    session.handle(Action::Change(Change::apply(extract(0.3), vec![jog, walk]))).unwrap();
    let path = saved(&mut session, folder.path());
    let written = std::fs::read_to_string(&path).unwrap();
    export(&[Gait::Run, Gait::Jog]);
    let mut other = Session::default();
    other.handle(Action::OpenProject(path.clone())).unwrap();
    let said: Vec<String> = other.take_notices().into_iter().map(|notice| notice.text).collect();
    assert!(said.iter().any(|text| text.contains("has changed since")), "{said:?}");
    assert!(said.iter().any(|text| text.contains("no take \"walk\" any more")), "{said:?}");
    assert!(!said.iter().any(|text| text.contains("differ")), "another file gives another clip: {said:?}");
    let take = |session: &Session, name: &str| {
        let id = session.document().named(name).unwrap().id;
        let (open, take) = session.document().take_of(id).unwrap();
        (id, open.file.clips[take].name.clone())
    };
    assert_eq!(take(&other, "trot"), (jog, "jog".into()));
    assert_eq!(take(&other, "run").1, "run");
    assert!(other.document().clip(walk).is_none());
    // The file is again what it was: nothing was lost on the way.
    saved(&mut other, folder.path());
    export(&[Gait::Walk, Gait::Jog, Gait::Run]);
    let mut third = Session::default();
    third.handle(Action::OpenProject(path.clone())).unwrap();
    third.handle(Action::Select(session.selection().clips.clone())).unwrap();
    saved(&mut third, folder.path());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), written);
}

#[test]
fn whatever_was_done_is_saved_and_loaded_the_same() {
    let folder = tempfile::tempdir().unwrap();
    for seed in 1..=3_u64 {
        let mut random = crate::history::Random(seed.wrapping_mul(0xD134_2543_DE82_EF95));
        let mut session = desk(&folder.path().join(seed.to_string()));
        for round in 0..6 {
            for _ in 0..25 {
                let change = crate::history::random_change(&mut random, &session);
                let action = match random.below(8) {
                    0 => Some(Action::Undo),
                    1 => Some(Action::Redo),
                    2 => {
                        let all: Vec<ClipId> = session.document().clips().map(|clip| clip.id).collect();
                        random.pick(&all).map(|clip| Action::Select(vec![clip]))
                    }
                    3 => change.map(Action::Preview),
                    _ => change.map(Action::Change),
                };
                let _done = action.map(|action| session.handle(action));
            }
            session.handle(Action::Cancel).unwrap();
            let path = saved(&mut session, folder.path());
            let written = std::fs::read_to_string(&path).unwrap();
            let mut other = Session::default();
            other.handle(Action::OpenProject(path.clone())).unwrap();
            assert_eq!(other.take_notices(), [], "seed {seed}, round {round}");
            let again = saved(&mut other, folder.path());
            assert_eq!(std::fs::read_to_string(again).unwrap(), written, "seed {seed}, round {round}");
            for clip in session.document().clips() {
                let print = |session: &Session| Fingerprint::of(&session.evaluate(clip.id).unwrap());
                assert_eq!(print(&session), print(&other), "{}", clip.name);
            }
            if random.below(2) == 0 {
                session = other;
            }
        }
    }
}

#[test]
fn a_desk_whose_program_is_gone_is_offered_again() {
    let folder = tempfile::tempdir().unwrap();
    let (files, desks) = (folder.path().join("files"), folder.path().join("desks"));
    let mut session = desk(&files);
    let mut autosave = Autosave::new(&desks).unwrap();
    assert!(!autosave.save(&session).unwrap(), "given, not yet known to be written");
    autosave.flush().unwrap();
    assert!(autosave.save(&session).unwrap());
    let mut other = Autosave::new(&desks).unwrap();
    assert!(other.recoverable().is_empty(), "its program runs");
    for _ in 0..20 {
        session.handle(Action::Change(Change::Duplicate { clips: vec![ClipId(1)] })).unwrap();
        autosave.save(&session).unwrap();
    }
    // What waits for the writer is written before it goes.
    drop(autosave);
    let found = other.recoverable();
    assert_eq!(found.len(), 1);
    let mut recovered = Session::default();
    recovered.handle(Action::Recover(found[0].path.clone())).unwrap();
    assert_eq!(text(&recovered), text(&session));
    assert!(recovered.project_path().is_none(), "a recovered desk has no name");
    assert_eq!(recovered.recovered_from(), Some(&*found[0].path));
    assert!(found[0].summary.ends_with("clips made") && found[0].summary.contains("built-in"), "{}", found[0].summary);
    other.save(&recovered).unwrap();
    other.flush().unwrap();
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
        autosave.flush().unwrap();
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

#[test]
fn recent_files_are_few_and_in_order() {
    use stridesmith::session::recent::Recent;
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let mut recent = Recent::default();
    for i in 0..30 {
        recent.add(&path(&format!("{i}.fbx")));
    }
    recent.add(&path("15.fbx"));
    std::fs::write(path("29.fbx"), "").unwrap();
    assert_eq!(recent.paths().len(), Recent::MOST);
    assert_eq!(recent.paths()[..3], [path("15.fbx"), path("29.fbx"), path("28.fbx")]);
    assert_eq!(recent.look()[..2], [(path("15.fbx"), false), (path("29.fbx"), true)]);
    let text = serde_json::to_string(&recent).unwrap();
    assert!(text.starts_with("[\""), "a plain list, as it was always written");
    assert_eq!(serde_json::from_str::<Recent>(&text).unwrap(), recent);
}

#[test]
fn a_fingerprint_sees_every_number_and_measures_the_feet() {
    use stridesmith::motion::{Property, Side};
    use stridesmith::session::fingerprint::Difference;
    let mut session = Session::default();
    session.open_generated(|id| stridesmith::session::demo::demo_file(id).unwrap()).unwrap();
    let result = session.evaluate(ClipId(0)).unwrap();
    let before = Fingerprint::of(&result);
    assert_eq!(before.difference(&Fingerprint::of(&result)), None);
    // One value of one key, somewhere: a hand does not show at the feet, the pelvis does.
    let with = |bone: stridesmith::motion::BoneIndex, property: Property, change: &dyn Fn(&mut [f32])| {
        let mut other = stridesmith::ops::Evaluation::clone(&result);
        let mut clip = stridesmith::motion::Clip::clone(&other.clip);
        let mut track = stridesmith::motion::Track::clone(clip.track(bone, property).unwrap());
        let mut values = track.values.to_vec();
        change(&mut values);
        track.values = values.into();
        clip.tracks[bone.get()][property.slot()] = Some(std::sync::Arc::new(track));
        other.clip = std::sync::Arc::new(clip);
        before.difference(&Fingerprint::of(&other))
    };
    let hand = result.rig.bone(Role::Forearm(Side::Left)).unwrap();
    let pelvis = result.rig.bone(Role::Pelvis).unwrap();
    let turned = with(hand, Property::Rotation, &|values| values[4] = f32::from_bits(values[4].to_bits() ^ 1));
    assert_eq!(turned, Some(Difference::Metres(0.0)));
    let lengths = |values: &mut [f32]| values.iter_mut().for_each(|value| *value *= 1.5);
    let Some(Difference::Metres(metres)) = with(pelvis, Property::Translation, &lengths) else { panic!("another") };
    let scale = {
        let clip = &result.clip;
        let at = |secs: f64| clip.component_at(secs).position(pelvis).length();
        at(clip.range.end_secs) * 0.5
    };
    assert!((metres - scale).abs() < 0.02 * scale, "{metres} m where the end moves by {scale} m");
}

#[test]
fn a_file_without_a_unit_keeps_the_one_it_was_read_in() {
    let folder = tempfile::tempdir().unwrap();
    let made = stridesmith::motion::demo::generate(
        &stridesmith::motion::demo::DemoSpec::new(
            stridesmith::motion::demo::Gait::Walk,
            stridesmith::motion::demo::Family::Bvh,
        ),
        stridesmith::motion::FileId(0),
    )
    .unwrap();
    let source = folder.path().join("walk.bvh");
    std::fs::write(&source, crate::support::bvh_text::bvh_text(&made.file.clips[0])).unwrap();
    let mut session = Session::default();
    session.handle(Action::Open(vec![source])).unwrap();
    let file = session.document().files()[0].file.id;
    session.handle(Action::ReadAgain { file, metres_per_unit: 0.0254 }).unwrap();
    let path = saved(&mut session, folder.path());
    let mut other = Session::default();
    other.handle(Action::OpenProject(path)).unwrap();
    assert_eq!(other.document().files()[0].file.space.metres_per_unit, 0.0254);
}

#[test]
fn a_large_desk_does_not_hold_the_window_up() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = Session::default();
    session.open_generated(|id| stridesmith::session::demo::demo_file(id).unwrap()).unwrap();
    for _ in 0..5 {
        let all: Vec<ClipId> = session.document().clips().map(|clip| clip.id).collect();
        session.handle(Action::Change(Change::Duplicate { clips: all.clone() })).unwrap();
        session.handle(Action::Change(Change::apply_here(extract(0.25), session.selection().clips.clone()))).unwrap();
    }
    let count = session.document().clips().len();
    let mut autosave = Autosave::new(folder.path()).unwrap();
    let (mut given, mut written) = (std::time::Duration::MAX, std::time::Duration::MAX);
    for i in 0..5 {
        session.handle(Action::Change(Change::Rename { clip: ClipId(0), name: format!("name {i}") })).unwrap();
        let started = std::time::Instant::now();
        autosave.save(&session).unwrap();
        given = given.min(started.elapsed());
        autosave.flush().unwrap();
        written = written.min(started.elapsed());
    }
    println!("{count} clips: given in {given:?}, written in {written:?}, project {:?}", {
        let started = std::time::Instant::now();
        saved(&mut session, folder.path());
        started.elapsed()
    });
    assert!(given * 10 < written, "{given:?}");
    autosave.finish();
}
