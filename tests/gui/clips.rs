//! The panel *Clips*: rows from the desk, marks, names, and what the menu does.

use eframe::egui::{Key, Modifiers, OutputCommand, Role, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use stridesmith::edit::Document;
use stridesmith::motion::{FileId, SourceFile};
use stridesmith::ops::{ClipId, Extract, InPlace, MoveToOrigin, Op, StartAtZero};
use stridesmith::session::{Action, Change, JobMode, Session};
use stridesmith::ui::App;
use stridesmith::ui::panels::clips::columns::{Column, fitting, table_text};
use stridesmith::ui::panels::clips::facts::{Facts, Travel, facts};
use stridesmith::ui::panels::clips::marks::{How, Marks, clicked, moved};
use stridesmith::ui::panels::clips::model::{Folds, Order, Row, What, rows};
use stridesmith::ui::rows::Go;

use crate::support::{demo_session, window};

const SIZE: Vec2 = Vec2::new(1600.0, 900.0);

fn name(session: &Session, clip: ClipId) -> String {
    session.document().clip(clip).unwrap().name.clone()
}

fn start_at_zero() -> Op {
    Op::StartAtZero(StartAtZero {})
}

fn make(session: &mut Session, op: Op, from: ClipId) -> ClipId {
    session.handle(Action::Change(Change::apply(op, vec![from]))).unwrap();
    session.selection().shown().unwrap()
}

fn opened(session: Session) -> (Harness<'static, App>, Vec<(ClipId, String)>) {
    let names = session.document().listing().into_iter().map(|clip| (clip, name(&session, clip))).collect();
    let mut window = window(session, SIZE);
    window.run_steps(3);
    (window, names)
}

fn marked(window: &Harness<'_, App>) -> Vec<ClipId> {
    window.state().session.selection().clips.clone()
}

fn click(window: &mut Harness<'_, App>, row: &str, held: Modifiers) {
    window.get_by_role_and_label(Role::ListItem, row).click_modifiers(held);
    window.run_steps(3);
}

fn copied(window: &Harness<'_, App>) -> Option<String> {
    window.output().platform_output.commands.iter().find_map(|command| match command {
        OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    })
}

/// Presses something, and watches what comes onto the clipboard in the frames after.
fn copied_by(window: &mut Harness<'_, App>, label: &str) -> Option<String> {
    window.get_by_label(label).click();
    (0..4).find_map(|_| {
        window.run_steps(1);
        copied(window)
    })
}

#[test]
fn clicks_mark_rows() {
    let (mut window, rows) = opened(demo_session());
    click(&mut window, &rows[1].1, Modifiers::NONE);
    assert_eq!(marked(&window), [rows[1].0]);
    click(&mut window, &rows[3].1, Modifiers::COMMAND);
    assert_eq!(marked(&window), [rows[1].0, rows[3].0], "Ctrl adds, and the shown one stays");
    click(&mut window, &rows[5].1, Modifiers::SHIFT);
    assert_eq!(marked(&window), [rows[3].0, rows[4].0, rows[5].0], "Shift marks from the row clicked last");
    click(&mut window, &rows[4].1, Modifiers::COMMAND);
    assert_eq!(marked(&window), [rows[3].0, rows[5].0], "Ctrl takes a mark off");
}

#[test]
fn keys_go_through_the_rows_and_leave_the_playhead_its_own() {
    let (mut window, rows) = opened(demo_session());
    click(&mut window, &rows[0].1, Modifiers::NONE);
    window.key_press(Key::ArrowDown);
    window.run_steps(2);
    assert_eq!(marked(&window), [rows[1].0]);
    window.key_press_modifiers(Modifiers::SHIFT, Key::ArrowDown);
    window.run_steps(2);
    assert_eq!(marked(&window), [rows[1].0, rows[2].0]);
    window.key_press(Key::ArrowUp);
    window.run_steps(2);
    assert_eq!(marked(&window), [rows[1].0]);
    let playing = window.state().session.playback().playing;
    window.key_press(Key::Space);
    window.run_steps(2);
    assert_ne!(window.state().session.playback().playing, playing, "Space plays while the list is in use");
}

#[test]
fn f2_gives_a_name_and_escape_leaves_it() {
    let mut session = demo_session();
    let take = session.document().listing()[0];
    let output = make(&mut session, start_at_zero(), take);
    let (mut window, _) = opened(session);
    window.key_press(Key::F2);
    window.run_steps(3);
    window.get_by_label("New name").type_text("my walk");
    window.run_steps(2);
    window.key_press(Key::Enter);
    window.run_steps(3);
    assert_eq!(name(&window.state().session, output), "my walk", "what was there is typed over");
    assert!(window.query_by_label("New name").is_none());

    window.key_press(Key::F2);
    window.run_steps(3);
    window.get_by_label("New name").type_text("other");
    window.run_steps(2);
    window.key_press(Key::Escape);
    window.run_steps(3);
    assert_eq!(name(&window.state().session, output), "my walk");
}

#[test]
fn a_name_that_is_taken_is_not_given() {
    let mut session = demo_session();
    let take = session.document().listing()[0];
    let output = make(&mut session, start_at_zero(), take);
    let (before, taken) = (name(&session, output), name(&session, take));
    let (mut window, _) = opened(session);
    window.key_press(Key::F2);
    window.run_steps(3);
    window.get_by_label("New name").type_text(&taken);
    window.run_steps(2);
    window.key_press(Key::Enter);
    window.run_steps(3);
    assert_eq!(name(&window.state().session, output), before);
    assert!(window.query_by_label("New name").is_some(), "the field stays, to type another");
    let why = format!("another clip is called \"{taken}\" already");
    assert!(window.query_by_label(&why).is_some(), "and says why");
}

#[test]
fn the_filter_leaves_what_it_names() {
    let (mut window, rows) = opened(demo_session());
    window.get_by_label("Filter clips").click();
    window.run_steps(2);
    window.get_by_label("Filter clips").type_text("jump");
    window.run_steps(3);
    let shown: Vec<&String> = rows
        .iter()
        .map(|(_, name)| name)
        .filter(|name| window.query_by_role_and_label(Role::ListItem, name).is_some())
        .collect();
    assert!(!shown.is_empty());
    assert!(shown.iter().all(|name| name.to_lowercase().contains("jump")), "{shown:?}");
    assert!(shown.len() < rows.len());
}

#[test]
fn the_menu_duplicates_and_removes() {
    let (mut window, rows) = opened(demo_session());
    let count = rows.len();
    window.get_by_role_and_label(Role::ListItem, &rows[2].1).click_secondary();
    window.run_steps(3);
    assert_eq!(marked(&window), [rows[2].0], "the menu is about the row it was opened on");
    window.get_by_label("Duplicate").click();
    window.run_steps(3);
    assert_eq!(window.state().session.document().clips().len(), count + 1);
    let copy = marked(&window)[0];
    let its_name = name(&window.state().session, copy);
    window.get_by_role_and_label(Role::ListItem, &its_name).click_secondary();
    window.run_steps(3);
    window.get_by_label("Remove from the desk").click();
    window.run_steps(3);
    assert!(window.state().session.document().clip(copy).is_none());
    assert_eq!(window.state().session.document().clips().len(), count, "and nothing else");
}

#[test]
fn the_table_goes_to_a_spreadsheet() {
    let (mut window, rows) = opened(demo_session());
    window.get_by_role_and_label(Role::ListItem, &rows[0].1).click_secondary();
    window.run_steps(3);
    let text = copied_by(&mut window, "Copy table").unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), rows.len() + 1);
    assert!(lines.iter().all(|line| line.split('\t').count() == lines[0].split('\t').count()));
    assert!(lines[1].starts_with(&format!("{}\t", rows[0].1)));
}

#[test]
fn a_command_that_cannot_be_is_not_offered() {
    let (mut window, rows) = opened(demo_session());
    window.get_by_role_and_label(Role::ListItem, &rows[0].1).click_secondary();
    window.run_steps(3);
    assert_eq!(copied_by(&mut window, "Copy as command line"), None, "the demo lies in no file");
}

#[test]
fn a_thousand_rows_are_not_laid_out() {
    let mut session = demo_session();
    let take = session.document().listing()[0];
    for _ in 0..10 {
        let clips = vec![take; 100];
        session.handle(Action::Change(Change::Duplicate { clips })).unwrap();
    }
    session.handle(Action::Select(vec![take])).unwrap();
    let mut window = window(session, SIZE);
    window.run_steps(3);
    let shown = window.query_all_by_role(Role::ListItem).count();
    assert!((10..120).contains(&shown), "{shown} rows of 1000 are laid out");
}

#[test]
fn ctrl_a_marks_what_the_filter_leaves() {
    let (mut window, rows) = opened(demo_session());
    window.get_by_label("Filter clips").click();
    window.run_steps(2);
    window.get_by_label("Filter clips").type_text("jump");
    window.run_steps(2);
    // The field keeps the keyboard until Tab or a click goes elsewhere; Ctrl+A would mark its text.
    window.key_press(Key::Tab);
    window.run_steps(2);
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.run_steps(3);
    let named = |name: &str| name.to_lowercase().contains("jump");
    let expected: Vec<ClipId> = rows.iter().filter(|(_, name)| named(name)).map(|(clip, _)| *clip).collect();
    assert!(!expected.is_empty() && expected.len() < rows.len());
    assert_eq!(marked(&window), expected);
}

// What follows needs no window.

fn by_file(document: &Document, folds: &Folds, filter: &str) -> Vec<Row> {
    rows(document, &|_| Facts::default(), Order::default(), filter, folds)
}

fn shown(rows: &[Row]) -> Vec<(usize, What)> {
    rows.iter().map(|row| (row.depth, row.what)).collect()
}

#[test]
fn what_was_carried_on_folds_beneath_the_newer() {
    let mut session = demo_session();
    let take = session.document().listing()[0];
    let first = make(&mut session, start_at_zero(), take);
    let second = make(&mut session, Op::MoveToOrigin(MoveToOrigin::default()), first);
    let third = make(&mut session, start_at_zero(), second);
    let other = make(&mut session, start_at_zero(), take);
    let document = session.document().clone();
    let mut folds = Folds::default();
    let of_take = |folds: &Folds| {
        let rows = by_file(&document, folds, "");
        let at = rows.iter().position(|row| row.clip() == Some(take)).unwrap();
        let end = rows[at + 1..].iter().position(|row| row.depth <= rows[at].depth).unwrap();
        shown(&rows[at..=at + end])
    };
    let clip = What::Clip;
    assert_eq!(of_take(&folds), [(1, clip(take)), (2, clip(third)), (2, clip(other))]);
    folds.toggle(clip(third));
    let open = [(1, clip(take)), (2, clip(third)), (3, clip(second)), (3, clip(first)), (2, clip(other))];
    assert_eq!(of_take(&folds), open, "newest first");
    let mut unfolded = Folds::default();
    unfolded.unfold(&document, first);
    assert_eq!(of_take(&unfolded), open, "a folded row that is shown elsewhere is unfolded");
}

#[test]
fn a_chain_folds_under_the_newest_of_several() {
    let mut session = demo_session();
    let take = session.document().listing()[0];
    let base = make(&mut session, start_at_zero(), take);
    let older = make(&mut session, start_at_zero(), base);
    let newer = make(&mut session, start_at_zero(), base);
    let folds = Folds { open: [older, newer].into(), ..Folds::default() };
    let rows = by_file(session.document(), &folds, "");
    let place = |clip| rows.iter().position(|row| row.clip() == Some(clip)).unwrap();
    assert_eq!(place(base), place(newer) + 1);
    assert_eq!(rows.iter().filter(|row| row.clip() == Some(base)).count(), 1);
    assert_eq!(rows[place(older)].open, None);
}

#[test]
fn a_file_with_one_take_has_no_row_of_its_own() {
    let mut session = Session::new(JobMode::Inline);
    for _ in 0..2 {
        let mut file = stridesmith::session::demo::demo_file(FileId(0)).unwrap();
        file.clips.truncate(1);
        session.open_generated(|id| SourceFile { id, ..file }).unwrap();
    }
    let rows = by_file(session.document(), &Folds::default(), "");
    assert_eq!(rows.iter().map(|row| row.depth).collect::<Vec<_>>(), [0, 0]);
    assert!(rows.iter().all(|row| row.clip().is_some()));
    // A file without takes is still there, to be closed.
    let takes: Vec<ClipId> = session.document().listing();
    session.handle(Action::Change(Change::Remove { clips: takes })).unwrap();
    let rows = by_file(session.document(), &Folds::default(), "");
    assert!(rows.iter().all(|row| matches!(row.what, What::File(_)) && row.open.is_none()));
    assert_eq!(rows.len(), 2);
}

#[test]
fn a_closed_file_hides_its_takes_until_something_is_looked_for() {
    let session = demo_session();
    let document = session.document();
    let file = document.files()[0].file.id;
    let mut folds = Folds::default();
    folds.toggle(What::File(file));
    assert_eq!(shown(&by_file(document, &folds, "")), [(0, What::File(file))]);
    let take = document.listing()[1];
    let found = by_file(document, &folds, &name(&session, take).to_uppercase());
    assert!(found.iter().any(|row| row.clip() == Some(take)), "whatever the case");
    assert!(found[0].beside, "the file is there for its take alone");
    assert!(by_file(document, &folds, "no such clip").is_empty());
}

#[test]
fn a_take_stands_above_what_the_filter_names() {
    let mut session = demo_session();
    let take = session.document().listing()[0];
    let output = make(&mut session, start_at_zero(), take);
    session.handle(Action::Change(Change::Rename { clip: output, name: "needle".into() })).unwrap();
    let rows = by_file(session.document(), &Folds::default(), "NEED");
    let clips: Vec<_> = rows.iter().filter_map(Row::clip).collect();
    assert_eq!(clips, [take, output]);
    assert!(rows[1].beside && !rows[2].beside);
}

#[test]
fn columns_sort_up_down_and_back() {
    let session = demo_session();
    let document = session.document();
    let lengths = |id: ClipId| {
        let (open, take) = document.take_of(id).unwrap();
        let secs = open.file.clips[take].range.duration_secs();
        // One is not known.
        Facts { duration_secs: (take != 2).then_some(secs), ..Facts::default() }
    };
    let mut order = Order::default().clicked(Column::Duration);
    let secs = |order: Order| -> Vec<Option<f64>> {
        rows(document, &lengths, order, "", &Folds::default()).iter().map(|row| row.facts.duration_secs).collect()
    };
    let up = secs(order);
    assert_eq!(up.len(), document.listing().len(), "files have no rows between sorted clips");
    assert!(up[..up.len() - 1].is_sorted());
    assert_eq!(up.last(), Some(&None), "what is not known comes last");
    order = order.clicked(Column::Duration);
    let down = secs(order);
    assert!(down[..down.len() - 1].iter().rev().is_sorted());
    assert_eq!(down.last(), Some(&None), "whichever way round");
    assert_eq!(order.clicked(Column::Duration), Order::default());
    assert_eq!(order.clicked(Column::Name), Order { by: Some(Column::Name), descending: false });
}

#[test]
fn columns_go_from_the_right_before_names_do() {
    let count = |width: f32| fitting(width).len();
    assert_eq!(count(1000.0), Column::ALL.len());
    assert_eq!(count(100.0), 1);
    let mut fewer = Column::ALL.len();
    for width in (0..1000).rev().map(|width| width as f32) {
        let shown = fitting(width);
        assert!(shown.len() <= fewer);
        fewer = shown.len();
        assert!(shown.iter().zip(Column::ALL).all(|((column, _), of)| *column == of), "from the right");
        let all: f32 = shown.iter().map(|(_, wide)| wide).sum();
        assert!((all - width).abs() < 1e-3, "they fill {width}: {all}");
    }
}

#[test]
fn facts_follow_the_steps() {
    let mut session = demo_session();
    let take = session.document().listing()[0];
    let of_take = facts(&session, take);
    assert!(of_take.duration_secs.unwrap() > 0.0 && of_take.fps.unwrap() > 0.0);
    assert_eq!(of_take.travel, None);
    let root = make(&mut session, Op::Extract(Extract::default()), take);
    let of_root = facts(&session, root);
    assert_eq!((of_root.travel, of_root.duration_secs), (Some(Travel::RootMotion), of_take.duration_secs));
    assert_eq!(of_root.speed_m_s, None, "nothing is measured for the table");
    let verdict = session.checks(root).unwrap();
    let measured = facts(&session, root);
    let speed = measured.speed_m_s.unwrap();
    assert!((0.5..3.0).contains(&speed), "a walk: {speed} m/s, {}", verdict.line());
    assert!(measured.turn_deg.unwrap().abs() < 20.0);
    let still = make(&mut session, Op::InPlace(InPlace::default()), take);
    assert_eq!(facts(&session, still).travel, Some(Travel::InPlace));
    session.handle(Action::Change(Change::ToggleStep { clip: still, step: 0, on: false })).unwrap();
    assert_eq!(facts(&session, still).travel, None, "a step that is off does nothing");
}

#[test]
fn a_table_text_keeps_its_columns_whatever_a_name_holds() {
    let facts = Facts { duration_secs: Some(1.5), speed_m_s: Some(-0.00001), is_loop: true, ..Facts::default() };
    let row = Row {
        what: What::Clip(ClipId(1)),
        depth: 0,
        name: "a\tb\nc".into(),
        open: None,
        still: false,
        beside: false,
        facts,
    };
    let text = table_text(&[row]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0].split('\t').count(), lines[1].split('\t').count());
    assert!(lines[1].starts_with("a b c\t1.5\t\t\t"), "{}", lines[1]);
}

#[test]
fn marks_after_keys_stay_within_the_rows() {
    let order: Vec<ClipId> = (0..5).map(ClipId).collect();
    let one = |n: u32| Marks { clips: vec![ClipId(n)], anchor: Some(ClipId(n)), cursor: Some(ClipId(n)) };
    assert_eq!(moved(&one(0), &order, Go::Up, false, 3), Some(one(0)));
    assert_eq!(moved(&one(1), &order, Go::PageDown, false, 3), Some(one(4)));
    assert_eq!(moved(&one(4), &order, Go::Down, false, 3), Some(one(4)));
    let up = moved(&one(3), &order, Go::PageUp, true, 2).unwrap();
    assert_eq!(up.clips, [ClipId(3), ClipId(2), ClipId(1)], "the anchor stays the shown one");
    assert_eq!(moved(&one(0), &[], Go::Down, false, 3), None);
    let gone = Marks { clips: vec![ClipId(9)], anchor: Some(ClipId(9)), cursor: Some(ClipId(9)) };
    assert_eq!(moved(&gone, &order, Go::Down, false, 3), Some(one(0)), "from nowhere to the first");
    let alone = clicked(&[ClipId(1)], &order, None, ClipId(1), How::Toggle);
    assert_eq!(alone.clips, [ClipId(1)], "the last mark stays");
}
