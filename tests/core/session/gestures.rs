//! Preview, preview … commit or cancel.

use super::*;

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
