//! History and session against a naive model: a list of transactions and an index.

use std::collections::BTreeSet;
use std::sync::Arc;

use stridesmith::edit::*;
use stridesmith::motion::{Role, Side};
use stridesmith::ops::{ClipId, Op, StartAtZero, Step};
use stridesmith::session::{Action, Change, Session};

use crate::support::desk;

/// Marsaglia's xorshift64: the same run on every machine.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    pub fn pick<T: Clone>(&mut self, from: &[T]) -> Option<T> {
        (!from.is_empty()).then(|| from[self.below(from.len())].clone())
    }
}

/// The desk as the model remembers it: bytes for equality, the `Arc` for identity.
#[derive(Clone)]
struct State {
    canonical: String,
    document: Arc<Document>,
    marks: Vec<ClipId>,
}

impl State {
    fn of(document: &Arc<Document>, selection: &Selection) -> Self {
        assert!(document.canonical().starts_with(r#"{"files":[["#), "written down, not given up");
        Self { canonical: document.canonical(), document: document.clone(), marks: selection.clips.clone() }
    }

    #[track_caller]
    fn assert_is(&self, document: &Arc<Document>, selection: &Selection) {
        assert_eq!(document.canonical(), self.canonical);
        assert!(Arc::ptr_eq(document, &self.document), "equal, but not the document that was there");
        assert_eq!(selection.clips, self.marks);
    }
}

/// Every state before and after every transaction; nothing clever.
struct Model {
    transactions: Vec<(State, State)>,
    index: usize,
    limit: usize,
    now: State,
}

impl Model {
    fn new(now: State, limit: usize) -> Self {
        Self { transactions: vec![], index: 0, limit, now }
    }

    fn commit(&mut self, after: State) {
        self.transactions.truncate(self.index);
        self.transactions.push((self.now.clone(), after.clone()));
        if self.transactions.len() > self.limit {
            self.transactions.remove(0);
        }
        self.index = self.transactions.len();
        self.now = after;
    }

    fn jump(&mut self, to: usize) -> bool {
        if to > self.transactions.len() {
            return false;
        }
        while self.index > to {
            self.index -= 1;
            self.now = self.transactions[self.index].0.clone();
        }
        while self.index < to {
            self.now = self.transactions[self.index].1.clone();
            self.index += 1;
        }
        true
    }
}

fn step() -> Step {
    Step::new(Op::StartAtZero(StartAtZero::default()))
}

fn document_with(takes: &[&str]) -> (Document, Ids) {
    let mut ids = Ids::default();
    let file = desk::file(ids.file(), "walk.glb", takes);
    let open = OpenFile { skeleton: SkeletonKey::of(&file.skeleton), file: Arc::new(file) };
    let edit = Edit::Open { files: vec![NewFile { takes: takes.iter().map(|_| ids.clip()).collect(), open }] };
    (edit.apply(&Document::default()).unwrap(), ids)
}

#[test]
fn history_is_a_list_of_documents_and_an_index() {
    for (seed, limit) in [(1, 7), (2, 1), (3, 40), (4, History::LIMIT)] {
        let (document, mut ids) = document_with(&["walk"]);
        let mut history = History::new(document, limit);
        let mut model = Model::new(State::of(history.document(), history.selection()), limit);
        let mut random = Random(0x9E37_79B9_7F4A_7C15 ^ seed);
        for _ in 0..3000 {
            match random.below(8) {
                0..=2 => {
                    let edit = Edit::Rename { clip: ClipId(0), name: format!("name {}", ids.clip().0) };
                    let after = edit.apply(history.document()).unwrap();
                    let marks = Selection::one(ClipId(random.below(9) as u32));
                    assert!(history.commit(edit.label(), after, marks));
                    model.commit(State::of(history.document(), history.selection()));
                }
                3 => {
                    // Equal to what is there, though every part is new.
                    let same = Document::clone(history.document());
                    assert!(!history.commit("nothing", same, Selection::one(ClipId(99))));
                }
                4 => {
                    history.select(Selection::one(ClipId(random.below(5) as u32)));
                    model.now.marks = history.selection().clips.clone();
                }
                5 => assert_eq!(history.undo().is_some(), model.index > 0 && model.jump(model.index - 1)),
                6 => assert_eq!(history.redo().is_some(), model.jump(model.index + 1)),
                _ => {
                    let to = random.below(model.transactions.len() + 2);
                    // Going where one is brings no marks back.
                    let moves = to != model.index;
                    assert_eq!(history.jump_to(to), if moves { model.jump(to) } else { true });
                }
            }
            model.now.assert_is(history.document(), history.selection());
            assert_eq!((history.head(), history.len()), (model.index, model.transactions.len()));
            assert_eq!(history.undo_label().is_some(), model.index > 0);
            assert_eq!(history.redo_label().is_some(), model.index < model.transactions.len());
        }
    }
}

pub fn random_change(random: &mut Random, session: &Session) -> Option<Change> {
    let document = session.document();
    let all: Vec<ClipId> = document.clips().map(|clip| clip.id).collect();
    let outputs: Vec<ClipId> = document.clips().filter(|clip| clip.output().is_some()).map(|clip| clip.id).collect();
    let output = random.pick(&outputs);
    let some_step = output.map_or(0, |id| random.below(document.clip(id).unwrap().steps().len() + 1));
    Some(match random.below(11) {
        0 | 1 => Change::apply(Op::StartAtZero(StartAtZero::default()), vec![random.pick(&all)?]),
        2 => Change::Apply { steps: vec![step(), step()], clips: all.into_iter().take(3).collect(), here: false },
        3 => Change::apply_here(Op::StartAtZero(StartAtZero::default()), vec![output?]),
        4 => Change::ToggleStep { clip: output?, step: some_step, on: random.below(2) == 0 },
        5 => Change::MoveStep { clip: output?, from: some_step, to: random.below(3) },
        6 => Change::DeleteStep { clip: output?, step: some_step },
        7 => Change::Rename { clip: random.pick(&all)?, name: format!("Name{}", random.below(4)) },
        8 => Change::Duplicate { clips: vec![random.pick(&all)?] },
        9 => Change::Remove { clips: vec![random.pick(&all)?] },
        _ => {
            let choice = match random.below(4) {
                0 => RoleChoice::Detected,
                1 => RoleChoice::Nobody,
                2 => RoleChoice::Bone("pelvis".into()),
                _ => RoleChoice::Bone("no such bone".into()),
            };
            let skeleton = document.files().first()?.skeleton.clone();
            Change::SetRole { skeleton, role: Role::Foot(Side::Left), choice }
        }
    })
}

#[test]
fn the_session_is_its_history_under_previews_and_jumps() {
    for seed in 1..=4_u64 {
        let mut session = Session::default();
        session.open_generated(|id| desk::file(id, "walk.glb", &["walk", "run", "still"])).unwrap();
        session.open_generated(|id| desk::file(id, "other.glb", &["walk"])).unwrap();
        let mut model = Model::new(State::of(session.document(), session.selection()), History::LIMIT);
        // What came before the model began: the two openings.
        let base = session.history().head();
        let mut random = Random(seed.wrapping_mul(0xD134_2543_DE82_EF95));
        let (mut given, mut commits, mut refusals) = (BTreeSet::new(), 0, 0);
        for _ in 0..1500 {
            let old = State::of(session.document(), session.selection());
            let mut committed = false;
            match random.below(12) {
                0..=3 => {
                    let Some(change) = random_change(&mut random, &session) else { continue };
                    let result = session.handle(Action::Change(change));
                    assert!(session.previewed().is_none());
                    committed = result.is_ok() && !Arc::ptr_eq(session.document(), &old.document);
                    refusals += usize::from(result.is_err());
                }
                4 | 5 => {
                    let Some(change) = random_change(&mut random, &session) else { continue };
                    let result = session.handle(Action::Preview(change.clone()));
                    assert_eq!(session.previewed(), result.is_ok().then_some(&change));
                }
                6 => {
                    let shown = session.shown_document().canonical();
                    let previewed = session.previewed().is_some();
                    let result = session.handle(Action::Commit);
                    assert_eq!(result.is_ok(), previewed, "{result:?}");
                    committed = !Arc::ptr_eq(session.document(), &old.document);
                    if previewed {
                        assert_eq!(session.document().canonical(), shown, "what was shown is what was made");
                    }
                }
                7 => session.handle(Action::Cancel).unwrap(),
                8 => {
                    let done = session.handle(Action::Undo).is_ok();
                    assert_eq!(done, session.history().head() + 1 == base + model.index);
                    if done && model.index > 0 {
                        model.jump(model.index - 1);
                    } else if done {
                        // Into the openings and back again: the model begins behind them.
                        session.handle(Action::Redo).unwrap();
                        model.now.marks = session.selection().clips.clone();
                    }
                }
                9 => assert_eq!(session.handle(Action::Redo).is_ok(), model.jump(model.index + 1)),
                10 => {
                    let to = random.below(model.transactions.len() + 2);
                    let known = to == model.index || model.jump(to);
                    assert_eq!(session.handle(Action::JumpTo(base + to)).is_ok(), known);
                }
                _ => {
                    let rows: Vec<ClipId> = session.document().clips().map(|clip| clip.id).collect();
                    let marks: Vec<ClipId> = random.pick(&rows).into_iter().collect();
                    session.handle(Action::Select(marks.clone())).unwrap();
                    model.now.marks = marks;
                }
            }
            if committed {
                commits += 1;
                model.commit(State::of(session.document(), session.selection()));
                let fresh = model.now.document.clips().map(|clip| clip.id);
                let before: BTreeSet<ClipId> = old.document.clips().map(|clip| clip.id).collect();
                for id in fresh.filter(|id| !before.contains(id)) {
                    assert!(given.insert(id), "number {id:?} was given twice");
                }
                let names: BTreeSet<String> = model.now.document.clips().map(|c| c.name.to_lowercase()).collect();
                // The two files each have a take called "walk", or somebody gave them other names.
                assert!(names.len() + 1 >= model.now.document.clips().len(), "{names:?}");
            }
            model.now.assert_is(session.document(), session.selection());
            assert_eq!(session.history().head(), base + model.index);
            assert_eq!(session.history().len(), base + model.transactions.len());
            if session.previewed().is_none() {
                assert!(Arc::ptr_eq(session.shown_document(), session.document()));
            }
        }
        assert!(
            commits > 150 && refusals > 20,
            "the run must have been varied: {commits} commits, {refusals} refusals"
        );
    }
}

#[test]
fn numbers_survive_undo() {
    let mut session = Session::default();
    session.open_generated(|id| desk::file(id, "walk.glb", &["walk"])).unwrap();
    let apply = || Action::Change(Change::apply(Op::StartAtZero(StartAtZero::default()), vec![ClipId(0)]));
    session.handle(apply()).unwrap();
    assert_eq!(session.selection().clips, [ClipId(1)]);
    session.handle(Action::Undo).unwrap();
    assert_eq!(session.selection().clips, [ClipId(0)]);
    session.handle(apply()).unwrap();
    assert_eq!(session.selection().clips, [ClipId(2)], "1 was given once and is not given again");
    let document = session.document();
    assert_eq!(Ids::beyond(document).clip(), ClipId(3));
}

#[test]
fn an_edit_shares_what_it_does_not_touch() {
    let (document, mut ids) = document_with(&["walk", "run"]);
    let after = Edit::Duplicate { id: ids.clip(), clip: ClipId(0) }.apply(&document).unwrap();
    for id in [ClipId(0), ClipId(1)] {
        assert!(Arc::ptr_eq(document.clip(id).unwrap(), after.clip(id).unwrap()));
    }
    assert!(Arc::ptr_eq(&document.files()[0].file, &after.files()[0].file));
    let renamed = Edit::Rename { clip: ClipId(0), name: "walk".into() }.apply(&document);
    assert!(renamed.unwrap().shares_all_with(&document), "a name it has already changes nothing");
}

#[test]
fn a_thousand_clips_are_one_step() {
    let names: Vec<String> = (0..1000).map(|i| format!("take {i}")).collect();
    let takes: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut session = Session::default();
    session.open_generated(|id| desk::file(id, "many.glb", &takes)).unwrap();
    let all: Vec<ClipId> = session.document().clips().map(|clip| clip.id).collect();
    let head = session.history().head();
    session.handle(Action::Change(Change::apply(Op::StartAtZero(StartAtZero::default()), all))).unwrap();
    assert_eq!((session.history().head(), session.document().clips().len()), (head + 1, 2000));
    let names: BTreeSet<String> = session.document().clips().map(|clip| clip.name.to_lowercase()).collect();
    assert_eq!(names.len(), 2000);
    assert_eq!(session.document().ends().len(), 1000);
    session.handle(Action::Undo).unwrap();
    assert_eq!(session.document().clips().len(), 1000);
}
