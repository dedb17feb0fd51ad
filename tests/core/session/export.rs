//! From the desk to the disk.

use super::*;

fn files_in(folder: &std::path::Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn from_a_file_to_a_new_file() {
    let folder = tempfile::tempdir().unwrap();
    let request = |clips: Vec<ClipId>| ExportRequest { clips, ..ExportRequest::default() };
    let mut made = demo_desk();
    let take = made.selection().shown().unwrap();
    let nowhere = made.handle(Action::Export(request(vec![take])));
    assert!(refusal(nowhere).starts_with("choose a folder"));
    change(&mut made, Change::Rename { clip: take, name: "walk".into() }).unwrap();
    made.handle(Action::Export(ExportRequest { folder: Some(folder.path().into()), ..request(vec![take]) })).unwrap();
    assert_eq!(files_in(folder.path()), ["walk.glb", "walk.stridesmith.json"]);
    let source = folder.path().join("walk.glb");
    let source_bytes = std::fs::read(&source).unwrap();

    let mut session = Session::default();
    session.handle(Action::Open(vec![source.clone()])).unwrap();
    assert_eq!(session.history().undo_label(), Some("Open walk.glb"));
    let take = session.selection().shown().unwrap();
    session.handle(Action::Open(vec![source.clone()])).unwrap();
    assert_eq!(session.document().files().len(), 1, "what is open and unchanged is not opened twice");
    change(&mut session, Change::apply(extract(0.25), vec![take])).unwrap();
    let out = session.selection().shown().unwrap();
    session.take_notices();
    session.handle(Action::Export(request(vec![out]))).unwrap();
    let notices = session.take_notices();
    let path = session.exported_to(out).unwrap().to_owned();
    assert_eq!(path, folder.path().join("walk_RMSmooth.glb"));
    assert_eq!(notices.last().unwrap().text, format!("Exported {}", path.display()));
    assert_eq!(std::fs::read(&source).unwrap(), source_bytes);

    // What lies there is the clip, and its sidecar says how it was made.
    let back = stridesmith::formats::open(FileId(9), &path, &Default::default()).unwrap();
    assert_eq!(back.clips.len(), 2, "beside the source's own");
    let text = std::fs::read(folder.path().join("walk_RMSmooth.stridesmith.json")).unwrap();
    let sidecar = stridesmith::formats::sidecar::Sidecar::read(&text).unwrap();
    let record = &sidecar.records()[0];
    assert_eq!(
        (record.source.file.as_str(), record.source.sha256.as_str()),
        ("walk.glb", &*record::sha256_text(&session.document().files()[0].file))
    );
    assert_eq!(record.steps[0].op, "extract");
    let mut step = record.steps[0].settings.clone();
    step["op"] = record.steps[0].op.clone().into();
    assert_eq!(serde_json::from_value::<Step>(step).unwrap(), *session.document().clip(out).unwrap().steps()[0]);
    assert!((record.root.sigma_s - 0.25).abs() < 1e-12 && record.root.mean_speed_m_s > 0.5, "{:?}", record.root);

    // Again: a new name; on purpose: the same name, and the old one kept.
    session.handle(Action::Export(request(vec![out]))).unwrap();
    assert_eq!(session.exported_to(out).unwrap(), folder.path().join("walk_RMSmooth_01.glb"));
    change(&mut session, Change::SetStep { clip: out, step: 0, op: extract(0.4) }).unwrap();
    session.handle(Action::Export(ExportRequest { update: true, ..request(vec![out]) })).unwrap();
    assert_eq!(session.exported_to(out).unwrap(), folder.path().join("walk_RMSmooth_01.glb"));
    assert!(session.take_notices().iter().any(|notice| notice.text.starts_with("Updated ")));
    std::fs::OpenOptions::new().append(true).open(&path).unwrap().set_len(10).unwrap();
    let mut other = Session::default();
    other.handle(Action::Open(vec![source])).unwrap();
    change(&mut other, Change::apply(extract(0.25), vec![ClipId(0)])).unwrap();
    let changed = other.handle(Action::Export(ExportRequest { update: true, ..request(vec![ClipId(1)]) }));
    assert!(error_text(&changed.unwrap_err()).contains("changed since it was written"));
    let wrong = other.handle(Action::Export(ExportRequest { format: Some(Format::Bvh), ..request(vec![ClipId(1)]) }));
    assert!(error_text(&wrong.unwrap_err()).contains("leave the format open"));
}

#[test]
fn a_loop_says_what_a_round_adds() {
    let mut session = demo_desk();
    let take = session.selection().shown().unwrap();
    let clip = session.document().files()[0].file.clips[0].clone();
    assert_ne!(clip.cycle, Cycle::None, "the walk is one round of a loop, and found to be");
    let mut op = Extract::default();
    op.path.path = stridesmith::ops::PathMode::ConstantSpeed;
    change(&mut session, Change::apply(Op::Extract(op), vec![take])).unwrap();
    let out = session.selection().shown().unwrap();
    let entry = session.document().clip(out).unwrap().clone();
    let result = session.evaluate(out).unwrap();
    let record = record::record(&session.document().files()[0].file, 0, entry.steps(), &result);
    let travel: f64 = record.cycle.delta.translation[2];
    let duration = record.duration_s + if clip.cycle == Cycle::OneShort { 1.0 / record.fps } else { 0.0 };
    assert!(record.cycle.enabled && travel > 0.5);
    assert!((travel / duration - record.root.mean_speed_m_s).abs() < 1e-3 * travel, "{record:?}");
}

#[test]
fn real_files_go_through_the_whole_house() {
    let paths = crate::support::clips::all();
    let (folder, mut session) = (tempfile::tempdir().unwrap(), Session::new(JobMode::Threads));
    let asked = paths.len();
    session.handle(Action::Open(paths)).unwrap();
    session.wait();
    let refused = session.take_notices().iter().filter(|notice| notice.kind == NoticeKind::Error).count();
    let already = asked - refused - session.document().files().len();
    println!("{asked} files: {refused} refused, {already} open already");
    // The first moving take of each file, in one transaction: each is made or named with the reason.
    let document = session.document().clone();
    let first = |open: &OpenFile| document.takes(open.file.id).find(|(_, moving)| *moving).map(|(id, _)| id);
    let takes: Vec<ClipId> = document.files().iter().filter_map(first).collect();
    if takes.is_empty() {
        return;
    }
    change(&mut session, Change::apply(extract(0.25), takes.clone())).unwrap();
    session.wait();
    let refusals = session.take_notices();
    for notice in &refusals {
        println!("{}", notice.text);
    }
    let made = session.document().ends();
    assert_eq!(made.len() + refusals.len(), takes.len());
    let request = ExportRequest { folder: Some(folder.path().into()), clips: made.clone(), ..ExportRequest::default() };
    session.handle(Action::Export(request)).unwrap();
    session.wait();
    let failed: Vec<Notice> =
        session.take_notices().into_iter().filter(|notice| notice.kind == NoticeKind::Error).collect();
    for notice in &failed {
        println!("{}", notice.text);
    }
    let rooted = made.len();
    let written: Vec<ClipId> = made.into_iter().filter(|&clip| session.exported_to(clip).is_some()).collect();
    println!("{rooted} of {} takes got a root, {} were written", takes.len(), written.len());
    assert!(written.iter().all(|&clip| session.exported_to(clip).unwrap().exists()));
    assert_eq!(written.len() + failed.len(), rooted, "written, or named with the reason");
    let texts: Vec<&str> = failed.iter().map(|notice| notice.text.as_str()).collect();
    assert!(texts.is_empty(), "every extracted take is written: {texts:#?}");
    assert!(rooted * 10 >= takes.len() * 8, "most takes have a pelvis that is known");
}

#[test]
fn names_are_known_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = demo_desk();
    let take = session.selection().shown().unwrap();
    change(&mut session, Change::apply(extract(0.25), vec![take])).unwrap();
    let out = session.selection().shown().unwrap();
    let request =
        |update| ExportRequest { clips: vec![out], folder: Some(folder.path().into()), update, ..Default::default() };
    assert_eq!(session.unexported(), [out]);
    for round in 0..2 {
        let plan = session.export_plan(&request(false)).unwrap();
        assert!(!plan[0].path.exists() && !plan[0].update && plan[0].clips == [out], "{plan:?}");
        session.handle(Action::Export(request(false))).unwrap();
        assert_eq!(session.exported_to(out), Some(plan[0].path.as_path()), "round {round}");
        assert!(session.unexported().is_empty());
    }
    let last = session.exported_to(out).unwrap().to_owned();
    let plan = session.export_plan(&request(true)).unwrap();
    assert!(plan[0].update && plan[0].path == last && plan[0].note.is_none(), "{plan:?}");

    // Other settings: the file no longer holds the clip. Undone: it does again.
    change(&mut session, Change::SetStep { clip: out, step: 0, op: extract(0.4) }).unwrap();
    assert_eq!(session.unexported(), [out]);
    session.handle(Action::Undo).unwrap();
    assert!(session.unexported().is_empty());

    std::fs::OpenOptions::new().append(true).open(&last).unwrap().set_len(10).unwrap();
    let plan = session.export_plan(&request(true)).unwrap();
    assert!(!plan[0].update && plan[0].path != last, "{plan:?}");
    assert!(plan[0].note.as_ref().is_some_and(|note| note.contains("changed since")), "{plan:?}");
}
