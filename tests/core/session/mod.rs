//! Actions in, document out; no window.

mod export;
mod gestures;
mod jobs;
mod names;
mod results;
mod steps;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use stridesmith::edit::*;
use stridesmith::motion::demo::{self, DemoSpec, Family, Gait};
use stridesmith::motion::*;
use stridesmith::ops::{BakeToHips, ClipId, Extract, InPlace, Op, Progress, StartAtZero, Step, evaluate, naming};
use stridesmith::session::jobs::Jobs;
use stridesmith::session::results::ResultKey;
use stridesmith::session::*;

use crate::support::desk;

fn start_at_zero() -> Op {
    Op::StartAtZero(StartAtZero::default())
}

fn desk_with(takes: &[&str]) -> Session {
    let mut session = Session::default();
    session.open_generated(|id| desk::file(id, "walk.glb", takes)).unwrap();
    session
}

fn apply(session: &mut Session, clips: &[u32]) -> Result<(), SessionError> {
    let clips = clips.iter().map(|&id| ClipId(id)).collect();
    session.handle(Action::Change(Change::apply(start_at_zero(), clips)))
}

fn change(session: &mut Session, change: Change) -> Result<(), SessionError> {
    session.handle(Action::Change(change))
}

fn name(session: &Session, id: u32) -> &str {
    &session.document().clip(ClipId(id)).unwrap().name
}

fn refusal(result: Result<(), SessionError>) -> String {
    result.unwrap_err().to_string()
}

/// A clip that start at 0 must refuse: its keys could not be told apart at the moved times.
fn unmovable(id: FileId) -> SourceFile {
    let mut file = desk::file(id, "far.glb", &["far"]);
    let mut clip = Clip::clone(&file.clips[0]);
    let key = |times: Vec<f64>| {
        let values = [0.0_f32, 0.0, 1.0].repeat(times.len());
        let times = Arc::new(Times::from_keys(times).unwrap());
        Arc::new(Track::new(Property::Translation, times, values.into(), Interpolation::Linear).unwrap())
    };
    clip.tracks[0][0] = Some(key(vec![-1e9]));
    clip.tracks[2][0] = Some(key(vec![0.0, 1e-9]));
    file.clips[0] = Arc::new(clip);
    file
}

#[test]
fn the_first_moving_take_is_marked_and_still_takes_come_last() {
    let session = desk_with(&["still pose", "Armature|run", "still too", "walk"]);
    assert_eq!(session.selection().clips, [ClipId(1)]);
    let rows: Vec<u32> = session.document().listing().iter().map(|id| id.0).collect();
    assert_eq!(rows, [1, 3, 0, 2]);
    assert_eq!(session.history().undo_label(), Some("Open walk.glb"));
    assert_eq!(name(&session, 1), "run");
}

#[test]
fn an_action_makes_one_output_per_clip_in_one_transaction() {
    let mut session = desk_with(&["walk", "run"]);
    let before = session.history().head();
    apply(&mut session, &[0, 1]).unwrap();
    assert_eq!(session.history().head(), before + 1);
    assert_eq!(session.history().undo_label(), Some("Start at 0 on 2 clips"));
    assert_eq!(session.selection().clips, [ClipId(2), ClipId(3)]);
    assert_eq!((name(&session, 2), name(&session, 3)), ("walk_Start0", "run_Start0"));
    let made = session.evaluate(ClipId(2)).unwrap();
    assert_eq!((made.clip.range.start_secs, made.clip.range.end_secs), (0.0, 1.0));
    let source = session.evaluate(ClipId(0)).unwrap();
    assert_eq!(source.clip.range.start_secs, 0.5, "the take is never changed");
    session.handle(Action::Undo).unwrap();
    assert_eq!((session.document().clips().len(), &*session.selection().clips), (2, &[ClipId(0)][..]));
}

#[test]
fn takes_are_never_changed_and_what_is_read_stays() {
    let mut session = desk_with(&["walk", "run"]);
    let here = change(&mut session, Change::apply_here(start_at_zero(), vec![ClipId(0)]));
    assert_eq!(
        refusal(here),
        "\"walk\" is a take of a file and is never changed: make an output of it and change that"
    );
    apply(&mut session, &[0]).unwrap();
    apply(&mut session, &[2]).unwrap();
    let removed = change(&mut session, Change::Remove { clips: vec![ClipId(0)] });
    assert_eq!(refusal(removed), "\"walk\" is still read by \"walk_Start0\", \"walk_Start0_01\": remove them first");
    // A parent may go: its child has steps of its own, and hangs on the take from then on.
    change(&mut session, Change::Remove { clips: vec![ClipId(2)] }).unwrap();
    assert_eq!(session.document().clip(ClipId(3)).unwrap().output().unwrap().parent, ClipId(0));
    assert_eq!(session.document().ends(), [ClipId(3)]);
    assert_eq!(session.selection().clips, [ClipId(0)], "the row above is marked");
    change(&mut session, Change::Remove { clips: vec![ClipId(0), ClipId(3)] }).unwrap();
    assert_eq!(refusal(apply(&mut session, &[0])), "clip number 0 is no longer on the desk");
    assert_eq!(refusal(apply(&mut session, &[])), "no clip is selected: select one or more and try again");
    change(&mut session, Change::Close { file: FileId(0) }).unwrap();
    assert_eq!((session.document().files().len(), session.document().clips().len()), (0, 0));
    session.handle(Action::Undo).unwrap();
    assert_eq!((session.document().files().len(), session.document().clips().len()), (1, 1));
}

#[test]
fn a_clip_that_a_step_refuses_is_named_and_the_others_are_done() {
    let mut session = desk_with(&["walk"]);
    session.open_generated(unmovable).unwrap();
    let text = refusal(apply(&mut session, &[1]));
    assert_eq!(
        text,
        "Start at 0 on \"far\": some keys are too close together to be moved in time: resample the clip first"
    );
    assert_eq!(session.document().clips().len(), 2);
    apply(&mut session, &[0, 1]).unwrap();
    assert_eq!(session.document().clips().len(), 3);
    let notices = session.take_notices();
    assert_eq!((notices.len(), notices[0].clip), (1, Some(ClipId(1))));
    assert_eq!(notices[0].text, text);
    // In an output the step that refuses says so, and what was there before it is shown.
    change(&mut session, Change::Duplicate { clips: vec![ClipId(1)] }).unwrap();
    let copy = session.selection().shown().unwrap();
    session.handle(Action::Preview(Change::apply_here(start_at_zero(), vec![copy]))).unwrap();
    let Shown::Ready(shown) = session.shown(copy) else { panic!("refused is a result") };
    assert_eq!(shown.refused.as_ref().unwrap().step, 0);
    assert_eq!(shown.reports, [None]);
    let computed = session.results().computed();
    session.handle(Action::Preview(Change::apply_here(start_at_zero(), vec![copy]))).unwrap();
    assert_eq!(session.results().computed(), computed, "a refusal is kept too");
    assert!(session.handle(Action::Commit).is_err());
}

#[test]
fn roles_are_kept_per_skeleton() {
    let mut session = desk_with(&["walk"]);
    session.open_generated(|id| desk::file(id, "other.glb", &["run"])).unwrap();
    let keys: Vec<SkeletonKey> = session.document().files().iter().map(|open| open.skeleton.clone()).collect();
    assert_eq!(keys[0], keys[1], "the same bones in the same order");
    let role = Role::Foot(Side::Left);
    let set = |choice: RoleChoice| Change::SetRole { skeleton: keys[0].clone(), role, choice };
    change(&mut session, set(RoleChoice::Bone("foot_l".into()))).unwrap();
    assert_eq!(session.document().role_override(&keys[1], role), Some(Some("root/pelvis/foot_l")));
    change(&mut session, set(RoleChoice::Nobody)).unwrap();
    assert_eq!(session.document().role_override(&keys[1], role), Some(None));
    let wrong = change(&mut session, set(RoleChoice::Bone("tail".into())));
    assert_eq!(refusal(wrong), "the skeleton has no one bone called \"tail\"");
    change(&mut session, set(RoleChoice::Detected)).unwrap();
    assert_eq!(session.document().role_override(&keys[1], role), None);
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let mut session = Session::default();
    let missing = PathBuf::from("no/such/file.glb");
    let error = session.handle(Action::Open(vec![missing.clone(), missing])).unwrap_err();
    assert!(error_text(&error).contains("no/such/file.glb"), "{}", error_text(&error));
    assert_eq!(session.take_notices().len(), 1, "the second file is named as well");
    assert_eq!(session.history().len(), 0);
}

#[test]
fn a_clip_cannot_wait_for_itself() {
    let graph: BTreeMap<u32, Vec<u32>> =
        BTreeMap::from([(1, vec![2, 3]), (2, vec![4]), (3, vec![4, 5]), (4, vec![]), (5, vec![6]), (6, vec![3])]);
    let reads = |id: ClipId| graph.get(&id.0).into_iter().flatten().map(|&id| ClipId(id)).collect();
    assert_eq!(reads::find_cycle(ClipId(1), reads), None, "a cycle further on is not a way back here");
    let way = reads::find_cycle(ClipId(5), reads).unwrap();
    assert_eq!(way, [ClipId(5), ClipId(6), ClipId(3), ClipId(5)]);
    let deep = |id: ClipId| vec![ClipId((id.0 + 1) % 200_000)];
    assert_eq!(reads::find_cycle(ClipId(0), deep).unwrap().len(), 200_001, "no stack is used up");
    let text = EditError::Cycle { names: vec!["a".into(), "b".into(), "a".into()] }.to_string();
    assert_eq!(text, "\"a\" would read itself: a reads b reads a");
}

/// The built-in character, which comes with travel on its pelvis.
fn demo_desk() -> Session {
    let mut session = Session::default();
    let spec = DemoSpec::new(Gait::Walk, Family::Mixamo);
    session.open_generated(|id| demo::generate(&spec, id).unwrap().file).unwrap();
    session
}

fn extract(sigma_secs: f64) -> Op {
    let mut op = Extract::default();
    op.path.sigma_secs = Some(sigma_secs);
    Op::Extract(op)
}
