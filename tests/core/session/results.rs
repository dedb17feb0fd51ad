//! What is computed, how often, and what is kept.

use super::*;

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
