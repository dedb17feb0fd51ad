//! The panel *History*: what was done, and going there.

use eframe::egui::{Key, Role, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use stridesmith::ops::{MoveToOrigin, Op, StartAtZero};
use stridesmith::session::{Action, Change, Session};
use stridesmith::ui::App;
use stridesmith::ui::panels::history::model::what_it_did;

use crate::support::{demo_session, window};

fn opened(session: Session) -> Harness<'static, App> {
    let mut window = window(session, Vec2::new(1600.0, 900.0));
    window.run_steps(3);
    window.get_by_label("History").click();
    window.run_steps(3);
    window
}

fn three_done() -> Session {
    let mut session = demo_session();
    let take = session.document().listing()[0];
    session.handle(Action::Change(Change::apply(Op::StartAtZero(StartAtZero {}), vec![take]))).unwrap();
    let clip = session.selection().shown().unwrap();
    session.handle(Action::Change(Change::Rename { clip, name: "other".into() })).unwrap();
    session
}

fn press(window: &mut Harness<'_, App>, label: &str) {
    window.get_by_role_and_label(Role::ListItem, label).click();
    window.run_steps(3);
}

#[test]
fn a_click_goes_there_and_back() {
    let mut window = opened(three_done());
    let history = |window: &Harness<'_, App>| window.state().session.history().head();
    assert_eq!(history(&window), 3);
    press(&mut window, "Start");
    assert_eq!(history(&window), 0);
    assert_eq!(window.state().session.document().clips().len(), 0);
    press(&mut window, "Rename to other");
    assert_eq!(history(&window), 3);
    press(&mut window, "Start at 0");
    assert_eq!(history(&window), 2);
    window.key_press(Key::ArrowUp);
    window.run_steps(3);
    assert_eq!(history(&window), 1, "the arrows go through it too");
}

#[test]
fn where_it_was_saved_is_marked() {
    let mut session = three_done();
    session.handle(Action::Undo).unwrap();
    session.set_saved();
    session.handle(Action::Redo).unwrap();
    let window = opened(session);
    let saved = window.get_by_label("Saved here").rect();
    let row = window.get_by_role_and_label(Role::ListItem, "Start at 0").rect();
    assert!(row.contains_rect(saved), "on the row after which it was saved");
}

#[test]
fn a_long_history_lays_out_what_is_seen_and_stays_at_its_head() {
    let mut session = demo_session();
    let take = session.document().listing()[0];
    session.handle(Action::Change(Change::Duplicate { clips: vec![take] })).unwrap();
    let clip = session.selection().shown().unwrap();
    for n in 0..500 {
        session.handle(Action::Change(Change::Rename { clip, name: format!("name {n}") })).unwrap();
    }
    let window = opened(session);
    assert!(window.query_by_label("Rename to name 499").is_some());
    assert!(window.query_by_label("Rename to name 100").is_none());
}

#[test]
fn a_transaction_says_what_it_did() {
    let mut session = three_done();
    let did = |session: &Session| session.history().transactions().map(what_it_did).last().unwrap();
    let take = session.document().listing()[0];
    let name = session.document().clip(take).unwrap().name.clone();
    let clip = session.selection().shown().unwrap();
    assert_eq!(did(&session), format!("{name}_Start0 is now other"));
    let step = Change::apply_here(Op::MoveToOrigin(MoveToOrigin::default()), vec![clip]);
    session.handle(Action::Change(step)).unwrap();
    assert_eq!(did(&session), "other: 2 steps, before 1");
    session.handle(Action::Change(Change::ToggleStep { clip, step: 1, on: false })).unwrap();
    assert_eq!(did(&session), "other: step 2");
    session.handle(Action::Change(Change::Remove { clips: vec![clip] })).unwrap();
    assert_eq!(did(&session), "− other");
    session.handle(Action::Change(Change::Duplicate { clips: vec![take; 5] })).unwrap();
    assert!(did(&session).starts_with("+ ") && did(&session).ends_with(" and 2 more"), "{}", did(&session));
}
