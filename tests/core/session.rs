//! Actions in, document out; no window.

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
fn takes_are_named_as_a_person_would() {
    let names = |takes: &[&str]| -> Vec<String> {
        let file = desk::file(FileId(0), "dir/Walk Fwd.fbx", takes);
        take_names::take_names(&file).into_iter().map(|take| take.name).collect()
    };
    assert_eq!(names(&["mixamo.com"]), ["Walk Fwd"]);
    assert_eq!(names(&["anything"]), ["Walk Fwd"], "the only moving take");
    assert_eq!(names(&["anything", "still"]), ["Walk Fwd", "still"]);
    assert_eq!(names(&["a", "b"]), ["a", "b"]);
    assert_eq!(names(&["Take 001", "b"]), ["Walk Fwd", "b"]);
    assert_eq!(names(&["Scene", "Unreal Take", "animation"]), ["Walk Fwd", "Walk Fwd_01", "Walk Fwd_02"]);
    assert_eq!(names(&["Armature|Run", "Rig|Jump|BaseLayer"]), ["Run", "Jump"]);
    assert_eq!(names(&["Armature|mixamo.com|Layer0", "Armature|Armature|Idle"]), ["Walk Fwd", "Idle"]);
    assert_eq!(names(&["歩く", ""]), ["歩く", "Walk Fwd"]);
    assert_eq!(names(&["Run", "run"]), ["Run", "run_01"], "unique whatever the case");
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
fn start_at_zero_moves_time_and_nothing_else() {
    let session = {
        let mut session = desk_with(&["walk"]);
        apply(&mut session, &[0]).unwrap();
        session
    };
    let (old, new) = (session.evaluate(ClipId(0)).unwrap(), session.evaluate(ClipId(1)).unwrap());
    let tracks = |e: &stridesmith::ops::Evaluation| e.clip.tracks.clone().into_iter().flatten().flatten().collect();
    let (old_tracks, new_tracks): (Vec<Arc<Track>>, Vec<Arc<Track>>) = (tracks(&old), tracks(&new));
    assert_eq!(new_tracks.len(), 2);
    for (old, new) in old_tracks.iter().zip(&new_tracks) {
        assert!(Arc::ptr_eq(&old.values, &new.values));
        assert_eq!((new.values_from, new.times_from), (old.values_from, None));
        assert!(old.times_from.is_some());
        assert_eq!(new.times.first(), 0.0);
        for i in 0..old.times.len() {
            assert!((new.times.at(i) - (old.times.at(i) - 0.5)).abs() < 1e-12);
        }
    }
    assert!(Arc::ptr_eq(&new_tracks[0].times, &new_tracks[1].times), "shared times go on being shared");
    let contact = &new.clip.contacts[0];
    assert!((contact.start_secs - 0.1).abs() < 1e-12 && (contact.end_secs - 0.4).abs() < 1e-12);
    assert!((new.clip.markers[0].time_secs - 0.1).abs() < 1e-12);
    assert_eq!(new.clip.curves[0].keys, [(0.0, 1.5), (1.0, 1.5)]);
    let report = new.reports[0].as_ref().unwrap();
    assert_eq!((report.figures[0].value, report.figures[0].unit.as_str()), (-0.5, "s"));
}

#[test]
fn names_are_unique_and_say_what_was_done() {
    let mut session = desk_with(&["walk", "run"]);
    apply(&mut session, &[0]).unwrap();
    apply(&mut session, &[0]).unwrap();
    apply(&mut session, &[2]).unwrap();
    assert_eq!((name(&session, 2), name(&session, 3)), ("walk_Start0", "walk_Start0_01"));
    assert_eq!(name(&session, 4), "walk_Start0_02", "its own kind is replaced, not repeated");
    change(&mut session, Change::Rename { clip: ClipId(3), name: " Hero:walk. ".into() }).unwrap();
    assert_eq!(name(&session, 3), "Hero_walk_");
    apply(&mut session, &[3]).unwrap();
    assert_eq!(name(&session, 5), "Hero_walk__Start0", "a name somebody gave is the stem");
    change(&mut session, Change::Duplicate { clips: vec![ClipId(0)] }).unwrap();
    assert_eq!(name(&session, 6), "walk_01");
    let taken = change(&mut session, Change::Rename { clip: ClipId(6), name: "WALK_start0".into() });
    assert_eq!(refusal(taken), "another clip is called \"walk_Start0\" already");
    assert_eq!(
        refusal(change(&mut session, Change::Rename { clip: ClipId(6), name: " ".into() })),
        "a clip needs a name"
    );
}

#[test]
fn names_are_safe_as_files_everywhere() {
    use naming::*;
    let cases = [
        ("a\\b/c:d*e?f\"g<h>i|j", "a_b_c_d_e_f_g_h_i_j"),
        ("tab\tnul\0", "tab_nul_"),
        ("dots. .", "dots___"),
        ("CON", "_CON"),
        ("con.glb", "_con.glb"),
        ("com7", "_com7"),
        ("LPT¹", "_LPT¹"),
        ("COM10", "COM10"),
        ("Contact", "Contact"),
        ("", "clip"),
        ("歩く_RM", "歩く_RM"),
    ];
    for (name, safe) in cases {
        assert_eq!(file_safe(name), safe);
        assert_eq!(file_safe(safe), safe, "safe stays safe");
    }
    let long = "歩".repeat(80);
    let name = compose(&long, "_RM_Loop");
    assert!(name.len() <= MAX_NAME_BYTES && name.ends_with("歩_RM_Loop"), "{name}");
    let numbered = free_name(&name, |name| !name.ends_with("_02"));
    assert!(numbered.len() <= MAX_NAME_BYTES && numbered.ends_with("_02"), "{numbered}");
}

#[test]
fn a_suffix_replaces_its_kind_and_the_last_two_stay() {
    use naming::*;
    let chain = |texts: &[(SuffixKind, &'static str)]| {
        suffix_chain(texts.iter().map(|&(kind, text)| Suffix::fixed(kind, text)))
    };
    use SuffixKind::{Loop, Rate, Travel};
    assert_eq!(chain(&[(Travel, "_RM"), (Travel, "_InPlace")]), "_InPlace");
    assert_eq!(chain(&[(Travel, "_RM"), (Loop, "_Loop"), (Rate, "_Rate085")]), "_Loop_Rate085");
    assert_eq!(chain(&[(Loop, "_Loop"), (Rate, "_Rate085"), (Loop, "_Loop")]), "_Rate085_Loop");
    assert_eq!(Suffix::percent(Rate, "_Rate", 0.85).text, "_Rate085");
    assert_eq!(Suffix::percent(Rate, "_Rate", 1.2).text, "_Rate120");
    assert_eq!(stem_before("walk_RM_03", "_RM"), Some("walk"));
    assert_eq!(stem_before("walk_RM", "_RM"), Some("walk"));
    assert_eq!(stem_before("hero_2", "_RM"), None);
    assert_eq!(stem_before("_RM", "_RM"), None, "a stem is never empty");
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
fn steps_can_be_edited_and_only_those_that_are_there() {
    let mut session = desk_with(&["walk"]);
    apply(&mut session, &[0]).unwrap();
    let out = ClipId(1);
    change(&mut session, Change::apply_here(start_at_zero(), vec![out])).unwrap();
    assert_eq!(session.document().clips().len(), 2);
    assert_eq!(session.history().undo_label(), Some("Start at 0 here"));
    change(&mut session, Change::ToggleStep { clip: out, step: 0, on: false }).unwrap();
    assert_eq!(session.history().undo_label(), Some("Switch step off"));
    let head = session.history().head();
    change(&mut session, Change::ToggleStep { clip: out, step: 0, on: false }).unwrap();
    change(&mut session, Change::SetStep { clip: out, step: 0, op: start_at_zero() }).unwrap();
    change(&mut session, Change::MoveStep { clip: out, from: 1, to: 1 }).unwrap();
    assert_eq!(session.history().head(), head, "what changes nothing makes no step");
    let evaluation = session.evaluate(out).unwrap();
    assert_eq!(evaluation.reports.iter().map(Option::is_some).collect::<Vec<_>>(), [false, true]);
    change(&mut session, Change::MoveStep { clip: out, from: 1, to: 0 }).unwrap();
    let on: Vec<bool> = session.document().clip(out).unwrap().steps().iter().map(|step| step.on).collect();
    assert_eq!(on, [true, false]);
    let missing = change(&mut session, Change::DeleteStep { clip: out, step: 2 });
    assert_eq!(refusal(missing), "\"walk_Start0\" has 2 steps, there is no step 3");
    change(&mut session, Change::DeleteStep { clip: out, step: 0 }).unwrap();
    change(&mut session, Change::DeleteStep { clip: out, step: 0 }).unwrap();
    assert_eq!(session.evaluate(out).unwrap().clip.range.start_secs, 0.5);
}

#[test]
fn a_step_is_computed_once() {
    let mut session = desk_with(&["walk"]);
    let computed = |session: &Session| session.results().computed();
    apply(&mut session, &[0]).unwrap();
    assert_eq!(computed(&session), 1);
    apply(&mut session, &[1]).unwrap();
    assert_eq!(computed(&session), 2, "the parent's step is found, the new one computed");
    let out = ClipId(2);
    change(&mut session, Change::apply_here(start_at_zero(), vec![out])).unwrap();
    assert_eq!(computed(&session), 3, "only the last step");
    change(&mut session, Change::ToggleStep { clip: out, step: 2, on: false }).unwrap();
    session.handle(Action::Undo).unwrap();
    session.handle(Action::Redo).unwrap();
    session.handle(Action::JumpTo(1)).unwrap();
    session.handle(Action::JumpTo(4)).unwrap();
    assert_eq!(computed(&session), 3, "what was known stays known");
    assert!(Arc::ptr_eq(&session.evaluate(ClipId(1)).unwrap().clip, &session.evaluate(ClipId(1)).unwrap().clip));
    apply(&mut session, &[0]).unwrap();
    assert_eq!(computed(&session), 3, "another clip with the same steps is the same clip");
    let skeleton = session.document().files()[0].skeleton.clone();
    let choice = RoleChoice::Bone("root".into());
    change(&mut session, Change::SetRole { skeleton, role: Role::Pelvis, choice }).unwrap();
    assert_eq!(computed(&session), 4, "other roles, other results: the shown clip is computed anew");
    session.handle(Action::Undo).unwrap();
    assert_eq!(computed(&session), 4);
}

#[test]
fn a_small_store_forgets_the_oldest_but_not_what_is_shown() {
    let mut session = Session::with_results(JobMode::Inline, Results::new(1));
    session.open_generated(|id| desk::file(id, "walk.glb", &["walk", "run"])).unwrap();
    apply(&mut session, &[0]).unwrap();
    apply(&mut session, &[2]).unwrap();
    assert_eq!(session.results().len(), 2, "both steps of the shown clip are pinned");
    session.handle(Action::Select(vec![ClipId(0)])).unwrap();
    assert_eq!((session.results().len(), session.results().bytes()), (0, 0));
    let computed = session.results().computed();
    session.handle(Action::Select(vec![ClipId(3)])).unwrap();
    assert_eq!(session.results().computed(), computed + 2);
}

#[test]
fn the_least_recently_used_goes_first() {
    let source = Arc::new({
        let file = desk::file(FileId(0), "walk.glb", &["walk"]);
        Clip::clone(&file.clips[0])
    });
    let steps = [Arc::new(Step::new(start_at_zero()))];
    let results = Results::new(3 * 1100);
    let key = |n: u8| ResultKey::of(&[&[n]]);
    let outcome = Err(stridesmith::ops::OpError::Needs("nothing".into()));
    for n in 0..3 {
        results.put(key(n), &outcome);
    }
    assert!(results.get(&key(0)).is_some());
    results.pin([key(1)]);
    results.put(key(3), &outcome);
    let there: Vec<bool> = (0..4).map(|n| results.get(&key(n)).is_some()).collect();
    assert_eq!(there, [true, true, false, true], "2 was used last of those that are not pinned");
    let evaluation = evaluate(&source, &Arc::default(), &steps, &Progress::default(), &evaluate::NoStore);
    assert!(evaluation.refused.is_none());
}

#[test]
fn a_preview_shows_and_a_commit_makes_what_was_shown() {
    let mut session = desk_with(&["walk"]);
    let committed = session.document().clone();
    let one = Change::apply(start_at_zero(), vec![ClipId(0)]);
    let two = Change::Apply {
        steps: vec![Step::new(start_at_zero()), Step { op: start_at_zero(), on: false }],
        clips: vec![ClipId(0)],
        here: false,
    };
    session.handle(Action::Preview(one)).unwrap();
    let Shown::Ready(first) = session.shown(ClipId(1)) else { panic!("in line it is there at once") };
    assert_eq!(first.clip.range.start_secs, 0.0);
    session.handle(Action::Preview(two)).unwrap();
    assert!(Arc::ptr_eq(session.document(), &committed));
    assert_eq!(session.shown_document().clips().len(), 2, "a preview starts from what is committed");
    assert_eq!(session.shown_clips(), [ClipId(1)], "and the row keeps its number");
    let computed = session.results().computed();
    let shown = session.shown_document().canonical();
    session.handle(Action::Commit).unwrap();
    assert_eq!(session.results().computed(), computed, "the commit takes the preview's result");
    assert_eq!(session.document().canonical(), shown);
    assert_eq!(session.history().undo_label(), Some("2 steps"));
    assert_eq!(refusal(session.handle(Action::Commit)), "there is no preview to commit");
}

#[test]
fn cancel_and_undo_end_a_preview() {
    let mut session = desk_with(&["walk"]);
    apply(&mut session, &[0]).unwrap();
    let committed = session.document().clone();
    let rename = || Action::Preview(Change::Rename { clip: ClipId(1), name: "other".into() });
    session.handle(rename()).unwrap();
    session.handle(Action::Cancel).unwrap();
    assert!(Arc::ptr_eq(session.shown_document(), &committed));
    session.handle(rename()).unwrap();
    session.handle(Action::Undo).unwrap();
    assert!(session.previewed().is_none());
    assert_eq!(session.shown_document().clips().len(), 1);
    session.handle(Action::Redo).unwrap();
    assert!(Arc::ptr_eq(session.document(), &committed));
    session.handle(rename()).unwrap();
    let refused = Action::Preview(Change::DeleteStep { clip: ClipId(0), step: 0 });
    assert!(session.handle(refused).is_err());
    assert!(session.previewed().is_none(), "a refused setting leaves no older one to be committed by mistake");
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
fn a_step_is_written_in_one_way() {
    let step = Step::new(start_at_zero());
    assert_eq!(step.canonical(), r#"{"op":"start_at_zero","v":1}"#);
    let off = Step { on: false, ..step.clone() };
    assert_eq!(off.canonical(), r#"{"op":"start_at_zero","v":1,"on":false}"#);
    for step in [step, off] {
        assert_eq!(serde_json::from_str::<Step>(&step.canonical()).unwrap(), step);
    }
    let newer = serde_json::from_str::<Step>(r#"{"op":"start_at_zero","v":9}"#).unwrap_err().to_string();
    assert!(newer.contains("version 9") && newer.contains("knows 1"), "{newer}");
    assert!(serde_json::from_str::<Step>(r#"{"op":"no_such_op","v":1}"#).is_err());
    let action =
        Action::Change(Change::Apply { steps: vec![Step::new(start_at_zero())], clips: vec![ClipId(3)], here: false });
    let text = serde_json::to_string(&action).unwrap();
    assert_eq!(serde_json::from_str::<Action>(&text).unwrap(), action);
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

#[test]
fn on_threads_the_same_comes_out() {
    let mut session = Session::new(JobMode::Threads);
    let woken = Arc::new(AtomicUsize::new(0));
    let counter = woken.clone();
    session.set_waker(Arc::new(move || {
        counter.fetch_add(1, Ordering::SeqCst);
    }));
    session.open_generated(|id| desk::file(id, "walk.glb", &["walk", "run"])).unwrap();
    apply(&mut session, &[0, 1]).unwrap();
    session.wait();
    assert_eq!((session.document().clips().len(), session.jobs().len()), (4, 0));
    assert!(matches!(session.shown(ClipId(2)), Shown::Ready(_)));
    assert!(woken.load(Ordering::SeqCst) > 0);
    let mut inline = desk_with(&["walk", "run"]);
    apply(&mut inline, &[0, 1]).unwrap();
    assert_eq!(session.document().canonical(), inline.document().canonical());
    // A clip that goes while its job runs: the edit is refused, and said.
    session.handle(Action::Open(vec!["no/such.glb".into()])).unwrap();
    session.wait();
    let notices = session.take_notices();
    assert_eq!((notices.len(), notices[0].kind), (1, NoticeKind::Error));
}

#[test]
fn a_job_can_be_cancelled_and_one_that_panics_is_an_error() {
    let mut jobs: Jobs<Result<u32, stridesmith::ops::OpError>> = Jobs::new(JobMode::Threads);
    let endless = jobs.start("endless".into(), |progress| {
        loop {
            progress.check()?;
            std::thread::sleep(Duration::from_millis(1));
        }
    });
    let quick = jobs.start("quick".into(), |progress| {
        progress.set(1.0);
        Ok(7)
    });
    let first = jobs.wait().unwrap();
    assert_eq!((first.id, first.end), (quick, Ok(Ok(7))));
    assert_eq!(jobs.running().len(), 1);
    jobs.cancel(endless);
    let second = jobs.wait().unwrap();
    assert_eq!((second.id, second.label.as_str()), (endless, "endless"));
    assert_eq!(second.end, Ok(Err(stridesmith::ops::OpError::Cancelled)));
    jobs.start("bad".into(), |_| panic!("a planted fault"));
    assert_eq!(jobs.wait().unwrap().end, Err("a planted fault".into()));
    assert!(jobs.wait().is_none());
}

#[test]
fn marks_go_where_the_keys_go() {
    use stridesmith::ops::TimeMap;
    let contact = |start_secs, end_secs| Contact { bone: "foot".into(), start_secs, end_secs };
    let marker = |time_secs| Marker { track: "FootSync".into(), name: "l".into(), time_secs, ours: true };
    let spans = |map: TimeMap, from: &[Contact]| -> Vec<(f64, f64)> {
        map.contacts(from).iter().map(|c| (c.start_secs, c.end_secs)).collect()
    };
    let times = |map: TimeMap, from: &[f64]| -> Vec<f64> {
        let markers: Vec<Marker> = from.iter().map(|&t| marker(t)).collect();
        map.markers(&markers).iter().map(|m| m.time_secs).collect()
    };
    let plants = [contact(0.0, 0.25), contact(0.75, 1.0)];
    let slow = TimeMap::Affine { scale: 2.0, offset_secs: 1.0 };
    assert_eq!(spans(slow, &plants), [(1.0, 1.5), (2.5, 3.0)]);
    assert_eq!(spans(TimeMap::Crop { start_secs: 0.125, end_secs: 0.75 }, &plants), [(0.125, 0.25)]);
    let half = TimeMap::Rotate { start_secs: 0.0, end_secs: 1.0, at_secs: 0.5 };
    assert_eq!(spans(half, &plants), [(0.25, 0.75)], "the plant that the seam had cut is whole again");
    let late = TimeMap::Rotate { start_secs: 0.0, end_secs: 1.0, at_secs: 0.875 };
    assert_eq!(spans(late, &plants), [(0.0, 0.375), (0.875, 1.0)], "and one that the new seam cuts is two");
    let twice = TimeMap::Repeat { start_secs: 0.0, end_secs: 1.0, count: 2 };
    assert_eq!(spans(twice, &plants), [(0.0, 0.25), (0.75, 1.25), (1.75, 2.0)]);
    assert_eq!(times(half, &[0.0, 0.5, 1.0]), [0.0, 0.5], "one marker at the seam, not two");
    assert_eq!(times(twice, &[0.0, 0.5]), [0.0, 0.5, 1.0, 1.5]);
    assert_eq!(times(twice, &[0.0, 1.0]), [0.0, 1.0, 2.0]);
    assert_eq!(times(TimeMap::Crop { start_secs: 0.25, end_secs: 0.5 }, &[0.0, 0.25, 0.5, 0.75]), [0.25, 0.5]);
    let curve = |keys: &[(f64, f64)]| Curve { name: "Speed".into(), unit: "m/s".into(), keys: keys.to_vec() };
    let ramp = curve(&[(0.0, 0.0), (1.0, 4.0)]);
    let cropped = TimeMap::Crop { start_secs: 0.25, end_secs: 0.5 }.curve(&ramp);
    assert_eq!(cropped.keys, [(0.25, 1.0), (0.5, 2.0)]);
    let turned = half.curve(&ramp).keys;
    assert_eq!(turned, [(0.0, 2.0), (0.499, 4.0), (0.5, 0.0), (1.0, 2.0)], "a jump takes a millisecond");
    let bump = curve(&[(0.0, 1.0), (0.5, 3.0), (1.0, 1.0)]);
    assert_eq!(twice.curve(&bump).keys, [(0.0, 1.0), (0.5, 3.0), (1.0, 1.0), (1.5, 3.0), (2.0, 1.0)]);
    assert!(twice.curve(&curve(&[])).keys.is_empty());
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

#[test]
fn editing_the_last_step_computes_only_that_one() {
    let mut session = demo_desk();
    let take = session.selection().shown().unwrap();
    change(&mut session, Change::apply(start_at_zero(), vec![take])).unwrap();
    let out = session.selection().shown().unwrap();
    change(&mut session, Change::apply_here(extract(0.25), vec![out])).unwrap();
    let computed = session.results().computed();
    change(&mut session, Change::SetStep { clip: out, step: 1, op: extract(0.5) }).unwrap();
    assert_eq!(session.results().computed(), computed + 1);
    // A drag back and forth computes each setting once.
    for sigma in [0.3, 0.4, 0.3, 0.5, 0.25, 0.4] {
        let op = extract(sigma);
        session.handle(Action::Preview(Change::SetStep { clip: out, step: 1, op })).unwrap();
    }
    assert_eq!(session.results().computed(), computed + 3);
    session.handle(Action::Commit).unwrap();
    assert_eq!(session.results().computed(), computed + 3);
    assert_eq!(session.history().undo_label(), Some("Change extract root motion"));
    // Editing the first recomputes what follows.
    change(&mut session, Change::ToggleStep { clip: out, step: 0, on: false }).unwrap();
    assert_eq!(session.results().computed(), computed + 4, "one that is off costs nothing, what follows is new");
}

#[test]
fn an_inserted_root_is_the_root_of_what_follows() {
    let mut session = demo_desk();
    let take = session.selection().shown().unwrap();
    let steps = vec![Step::new(extract(0.25)), Step::new(Op::BakeToHips(BakeToHips::default()))];
    change(&mut session, Change::Apply { steps, clips: vec![take], here: false }).unwrap();
    let out = session.selection().shown().unwrap();
    let (before, after) = (session.evaluate(take).unwrap(), session.evaluate(out).unwrap());
    let has_root = before.rig.root().is_some();
    assert_eq!(after.patch.is_some(), !has_root);
    let root = after.rig.root().unwrap();
    assert_eq!(after.clip.skeleton.len(), before.clip.skeleton.len() + usize::from(!has_root));
    for (role, bone) in &before.rig.roles {
        let moved = after.rig.bone(*role).unwrap();
        assert_eq!(before.clip.skeleton.bone(*bone).name, after.clip.skeleton.bone(moved).name, "{role:?}");
    }
    assert!(after.clip.track(root, Property::Translation).is_none_or(|track| track.is_constant(Property::Translation)));
    let again = vec![Step::new(extract(0.25)); 2];
    change(&mut session, Change::Apply { steps: again, clips: vec![out], here: false }).unwrap();
    let patched = session.evaluate(session.selection().shown().unwrap()).unwrap();
    assert!(patched.refused.is_none(), "the root that is there is used again: {:?}", patched.refused);
}

#[test]
fn names_follow_the_travel() {
    let mut session = demo_desk();
    let take = session.selection().shown().unwrap();
    change(&mut session, Change::Rename { clip: take, name: "Walk".into() }).unwrap();
    let mut apply = |op: Op, clip: ClipId| {
        change(&mut session, Change::apply(op, vec![clip])).unwrap();
        let out = session.selection().shown().unwrap();
        (out, session.document().clip(out).unwrap().name.clone())
    };
    let (moved, name) = apply(extract(0.25), take);
    assert_eq!(name, "Walk_RMSmooth");
    let (_, name) = apply(Op::InPlace(InPlace::default()), moved);
    assert_eq!(name, "Walk_InPlace", "the travel's own kind is replaced");
    let (started, name) = apply(start_at_zero(), moved);
    assert_eq!(name, "Walk_RMSmooth_Start0");
    let (_, name) = apply(extract(0.3), started);
    assert_eq!(name, "Walk_Start0_RMSmooth");
}

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
    assert!(refusal(wrong).contains("leave the format open"));
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
