//! The panel *Steps*: switching, changing, moving, copying.

use eframe::egui::{Key, Modifiers, Pos2, Role, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use stridesmith::ops::path::{PathMode, PathSettings, YawSource};
use stridesmith::ops::{ClipId, Extract, MoveToOrigin, Op, StartAtZero, Step};
use stridesmith::session::{Action, Change, Session};
use stridesmith::ui::App;
use stridesmith::ui::panels::steps::model::{State, dropped, gap_at, rows, summary};

use crate::support::{demo_session, window};

const SIZE: Vec2 = Vec2::new(1600.0, 900.0);
const EXTRACT: &str = "Extract root motion";
const ORIGIN: &str = "Move to origin";

/// An output of the first take with these steps, marked and shown.
fn output(session: &mut Session, ops: &[Op]) -> ClipId {
    let take = session.document().listing()[0];
    let steps = ops.iter().cloned().map(Step::new).collect();
    let change = Change::Apply { steps, clips: vec![take], here: false };
    session.handle(Action::Change(change)).unwrap();
    session.selection().shown().unwrap()
}

fn two_steps() -> (Harness<'static, App>, ClipId) {
    let mut session = demo_session();
    let smoothed = PathSettings { sigma_secs: Some(0.25), ..PathSettings::default() };
    let extract = Extract { path: smoothed, ..Extract::default() };
    let clip = output(&mut session, &[Op::Extract(extract), Op::MoveToOrigin(MoveToOrigin::default())]);
    let mut window = window(session, SIZE);
    window.run_steps(3);
    (window, clip)
}

fn steps(window: &Harness<'_, App>, clip: ClipId) -> Vec<Step> {
    window.state().session.document().clip(clip).unwrap().steps().iter().map(|step| Step::clone(step)).collect()
}

fn labels(window: &Harness<'_, App>, clip: ClipId) -> Vec<&'static str> {
    steps(window, clip).iter().map(|step| step.op.label()).collect()
}

fn head(window: &Harness<'_, App>) -> usize {
    window.state().session.history().head()
}

fn press(window: &mut Harness<'_, App>, label: &str) {
    window.get_by_label(label).click();
    window.run_steps(3);
}

fn sigma(op: &Op) -> Option<f64> {
    if let Op::Extract(op) = op { op.path.sigma_secs } else { None }
}

#[test]
fn a_step_is_switched_off_and_on() {
    let (mut window, clip) = two_steps();
    press(&mut window, "Do Extract root motion");
    assert!(!steps(&window, clip)[0].on);
    press(&mut window, "Do Extract root motion");
    assert!(steps(&window, clip)[0].on);
}

/// A menu's item starts with its icon.
fn press_item(window: &mut Harness<'_, App>, text: &str) {
    window.get_by_label_contains(text).click();
    window.run_steps(3);
}

#[test]
fn steps_move_and_go_by_their_menu() {
    let (mut window, clip) = two_steps();
    press(&mut window, "More for Extract root motion");
    press_item(&mut window, "Move down");
    assert_eq!(labels(&window, clip), [ORIGIN, EXTRACT]);
    press(&mut window, "More for Extract root motion");
    press_item(&mut window, "Delete step");
    assert_eq!(labels(&window, clip), [ORIGIN]);
}

#[test]
fn a_step_is_dragged_to_another_place() {
    let (mut window, clip) = two_steps();
    let handle = window.get_by_label("Drag Extract root motion").rect().center();
    let below = window.get_by_label("Do Move to origin").rect().bottom() + 12.0;
    let before = head(&window);
    drag(&mut window, handle, Pos2::new(handle.x, below));
    window.run_steps(2);
    assert_eq!(labels(&window, clip), [ORIGIN, EXTRACT]);
    assert_eq!(head(&window), before + 1);
}

/// Down, a few moves, and up.
fn drag(window: &mut Harness<'_, App>, from: Pos2, to: Pos2) {
    drag_and_hold(window, from, to);
    window.drop_at(to);
    window.run_steps(3);
}

fn drag_and_hold(window: &mut Harness<'_, App>, from: Pos2, to: Pos2) {
    window.hover_at(from);
    window.run_steps(1);
    window.drag_at(from);
    window.run_steps(1);
    for share in [0.3, 0.6, 1.0] {
        window.hover_at(from + (to - from) * share);
        window.run_steps(1);
    }
}

fn sigma_field(window: &mut Harness<'_, App>) -> Pos2 {
    press(window, "Settings of Extract root motion");
    window.get_by_role_and_label(Role::SpinButton, "Smoothing σ").rect().center()
}

#[test]
fn a_drag_is_previewed_and_one_transaction() {
    let (mut window, clip) = two_steps();
    let field = sigma_field(&mut window);
    let before = head(&window);
    drag_and_hold(&mut window, field, field + Vec2::new(40.0, 0.0));
    assert!(matches!(window.state().session.previewed(), Some(Change::SetStep { .. })), "it is seen at once");
    assert_eq!(head(&window), before, "and nothing is made of it yet");
    window.drop_at(field + Vec2::new(40.0, 0.0));
    window.run_steps(3);
    assert_eq!(head(&window), before + 1);
    let after = sigma(&steps(&window, clip)[0].op).unwrap();
    assert!(after > 0.25, "{after}");
    assert!(window.state().session.previewed().is_none());
}

#[test]
fn escape_in_a_drag_leaves_all_as_it_was() {
    let (mut window, clip) = two_steps();
    let field = sigma_field(&mut window);
    let before = head(&window);
    drag_and_hold(&mut window, field, field + Vec2::new(40.0, 0.0));
    window.key_press(Key::Escape);
    window.run_steps(2);
    window.hover_at(field + Vec2::new(60.0, 0.0));
    window.run_steps(1);
    window.drop_at(field + Vec2::new(60.0, 0.0));
    window.run_steps(3);
    assert_eq!(head(&window), before);
    assert!(window.state().session.previewed().is_none());
    assert_eq!(sigma(&steps(&window, clip)[0].op), Some(0.25));
}

#[test]
fn a_toggle_is_one_transaction_at_once() {
    let (mut window, clip) = two_steps();
    press(&mut window, "Settings of Move to origin");
    let before = head(&window);
    press(&mut window, "Turn to +Z");
    assert_eq!(head(&window), before + 1);
    assert_eq!(steps(&window, clip)[1].op, Op::MoveToOrigin(MoveToOrigin { turn: false, ..Default::default() }));
    window.state_mut().session.handle(Action::Undo).unwrap();
    window.run_steps(2);
    assert_eq!(steps(&window, clip)[1].op, Op::MoveToOrigin(MoveToOrigin::default()));
}

#[test]
fn steps_are_copied_to_other_clips_in_one_transaction() {
    let mut session = demo_session();
    let from = output(&mut session, &[Op::StartAtZero(StartAtZero {})]);
    let one = output(&mut session, &[Op::MoveToOrigin(MoveToOrigin::default())]);
    let two = output(&mut session, &[Op::MoveToOrigin(MoveToOrigin::default())]);
    session.handle(Action::Select(vec![from])).unwrap();
    let mut window = window(session, SIZE);
    window.run_steps(3);
    press(&mut window, "Copy the steps");
    window.state_mut().session.handle(Action::Select(vec![one, two])).unwrap();
    window.run_steps(2);
    let before = head(&window);
    press(&mut window, "Paste the steps");
    press(&mut window, "Add 1 step to 2 selected clips");
    assert_eq!(head(&window), before + 1);
    for clip in [one, two] {
        assert_eq!(labels(&window, clip), [ORIGIN, "Start at 0"]);
    }
}

#[test]
fn a_refusal_says_why_and_offers_a_way_out() {
    let (mut window, clip) = two_steps();
    let path = PathSettings { travel_bone: Some("no such bone".into()), ..PathSettings::default() };
    let op = Op::Extract(Extract { path, ..Extract::default() });
    let change = Change::SetStep { clip, step: 0, op };
    window.state_mut().session.handle(Action::Change(change)).unwrap();
    window.run_steps(3);
    let why = "there is no one bone called \"no such bone\"";
    assert!(window.query_all_by_label_contains(why).next().is_some());
    assert!(window.query_by_label("A step before it refused: it was not tried").is_some());
    press(&mut window, "Switch off Extract root motion");
    assert!(!steps(&window, clip)[0].on);
    assert!(window.query_by_label("A step before it refused: it was not tried").is_none());
}

#[test]
fn a_take_has_none() {
    let mut window = window(demo_session(), SIZE);
    window.run_steps(3);
    assert!(window.query_by_label_contains("A take is as it is in its file").is_some());
}

// What follows needs no window.

#[test]
fn a_row_says_how_its_step_fares() {
    let mut session = demo_session();
    let clip = output(&mut session, &[Op::StartAtZero(StartAtZero {}), Op::MoveToOrigin(MoveToOrigin::default())]);
    let steps = session.document().clip(clip).unwrap().steps().to_vec();
    let unknown = rows(&steps, None);
    assert!(unknown.iter().all(|row| row.state == State::Computing));
    let evaluation = session.evaluate(clip).unwrap();
    assert!(rows(&steps, Some(&evaluation)).iter().all(|row| matches!(row.state, State::Done(_))));
    session.handle(Action::Change(Change::ToggleStep { clip, step: 0, on: false })).unwrap();
    let steps = session.document().clip(clip).unwrap().steps().to_vec();
    let evaluation = session.evaluate(clip).unwrap();
    let states: Vec<State> = rows(&steps, Some(&evaluation)).into_iter().map(|row| row.state).collect();
    assert!(matches!(states.as_slice(), [State::Off, State::Done(_)]));
}

#[test]
fn summaries_name_what_is_not_as_usual() {
    assert_eq!(summary(&Op::Extract(Extract::default())), "smoothed");
    let path = PathSettings {
        path: PathMode::Raw,
        yaw: YawSource::Typed { yaw_deg: 90.0 },
        lock_x: true,
        travel_bone: Some("root/hip".into()),
        ..PathSettings::default()
    };
    let op = Op::Extract(Extract { path, ..Extract::default() });
    assert_eq!(summary(&op), "raw · faces 90.0° · x locked · travel of hip");
}

#[test]
fn a_dragged_step_goes_into_the_gap_under_the_pointer() {
    let middles = [10.0, 30.0, 50.0];
    assert_eq!([0.0, 20.0, 40.0, 99.0].map(|y| gap_at(&middles, y)), [0, 1, 2, 3]);
    // From the first place: the gaps on both sides of it leave it where it is.
    assert_eq!([0, 1, 2, 3].map(|gap| dropped(0, gap)), [None, None, Some(1), Some(2)]);
    assert_eq!([0, 1, 2, 3].map(|gap| dropped(2, gap)), [Some(0), Some(1), None, None]);
}

#[test]
fn alt_and_the_arrows_move_the_step_that_has_the_keyboard() {
    let (mut window, clip) = two_steps();
    window.get_by_label("Settings of Extract root motion").focus();
    window.run_steps(2);
    window.key_press_modifiers(Modifiers::ALT, Key::ArrowDown);
    window.run_steps(3);
    assert_eq!(labels(&window, clip), [ORIGIN, EXTRACT]);
}
