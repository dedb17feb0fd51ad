//! The rows of the table, from the document: files, their takes, and what was made of them.
//!
//! An output that has been carried on stands, folded away, beneath the newest that was made from it. Sorted by a
//! column, takes and ends stand by their values and files have no rows of their own.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use super::columns::Column;
use super::facts::{Facts, is_still};
use crate::edit::Document;
use crate::motion::FileId;
use crate::ops::ClipId;

/// What a row stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum What {
    /// A file with several takes, or with none left on the desk.
    File(FileId),
    /// A take or an output.
    Clip(ClipId),
}

/// A row of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What it stands for.
    pub what: What,
    /// How far it is indented.
    pub depth: usize,
    /// In the first column.
    pub name: String,
    /// Whether rows beneath it are shown; `None` when there are none.
    pub open: Option<bool>,
    /// Nothing moves in it.
    pub still: bool,
    /// It is there for the rows beneath it alone: the filter does not name it.
    pub beside: bool,
    /// Its other columns.
    pub facts: Facts,
}

impl Row {
    /// The clip, if it is one.
    pub fn clip(&self) -> Option<ClipId> {
        match self.what {
            What::Clip(clip) => Some(clip),
            What::File(_) => None,
        }
    }
}

/// Which rows are folded away.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Folds {
    /// Files whose takes are.
    pub closed: HashSet<FileId>,
    /// Ends whose earlier outputs are not.
    pub open: HashSet<ClipId>,
}

impl Folds {
    /// Opens what is closed and the other way round.
    pub fn toggle(&mut self, what: What) {
        match what {
            What::File(file) => flip(&mut self.closed, file),
            What::Clip(clip) => flip(&mut self.open, clip),
        }
    }

    /// Opens what hides a clip.
    pub fn unfold(&mut self, document: &Document, clip: ClipId) {
        if let Some((open, _)) = document.take_of(clip) {
            self.closed.remove(&open.file.id);
        }
        let newer = newer_of(document);
        let mut above = newer.get(&clip).copied();
        while let Some(end) = above {
            self.open.insert(end);
            above = newer.get(&end).copied();
        }
    }
}

fn flip<T: std::hash::Hash + Eq>(set: &mut HashSet<T>, item: T) {
    if !set.remove(&item) {
        set.insert(item);
    }
}

/// Which column the rows are sorted by; `None`: as on the desk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// The column.
    pub by: Option<Column>,
    /// Greatest first.
    pub descending: bool,
}

impl Order {
    /// After a click on the head of a column: up, down, as on the desk.
    pub fn clicked(self, column: Column) -> Self {
        match (self.by == Some(column), self.descending) {
            (false, _) => Self { by: Some(column), descending: false },
            (true, false) => Self { by: Some(column), descending: true },
            (true, true) => Self::default(),
        }
    }
}

/// All rows there are to be seen, top to bottom.
pub fn rows(
    document: &Document,
    facts: &dyn Fn(ClipId) -> Facts,
    order: Order,
    filter: &str,
    folds: &Folds,
) -> Vec<Row> {
    let mut builder =
        Builder { document, facts, folds, words: words(filter), newer: newer_of(document), made: HashSet::new() };
    builder.made = builder.takes_of_named();
    match order.by {
        None => builder.by_file(),
        Some(column) => builder.sorted(column, order.descending),
    }
}

fn words(filter: &str) -> Vec<String> {
    filter.split_whitespace().map(str::to_lowercase).collect()
}

/// For each output that was carried on, the newest output made from it.
fn newer_of(document: &Document) -> HashMap<ClipId, ClipId> {
    let outputs = document.clips().filter_map(|clip| Some((clip.id, clip.output()?.parent)));
    // Later numbers come later and replace the earlier.
    let pairs = outputs.filter(|(_, parent)| document.clip(*parent).is_some_and(|above| above.output().is_some()));
    pairs.map(|(id, parent)| (parent, id)).collect()
}

struct Builder<'a> {
    document: &'a Document,
    facts: &'a dyn Fn(ClipId) -> Facts,
    folds: &'a Folds,
    words: Vec<String>,
    newer: HashMap<ClipId, ClipId>,
    /// Takes of which something was made that the filter names.
    made: HashSet<ClipId>,
}

impl Builder<'_> {
    fn by_file(&self) -> Vec<Row> {
        let mut by_file: HashMap<FileId, Vec<ClipId>> = HashMap::new();
        for id in self.document.listing() {
            if let Some((open, _)) = self.document.take_of(id) {
                by_file.entry(open.file.id).or_default().push(id);
            }
        }
        let mut rows = Vec::new();
        for open in self.document.files() {
            let id = open.file.id;
            let clips = by_file.remove(&id).unwrap_or_default();
            let takes = clips.iter().filter(|&&clip| !self.is_output(clip)).count();
            let depth = usize::from(takes != 1);
            let beneath: Vec<Row> = clips.iter().flat_map(|&clip| self.clip_rows(clip, depth)).collect();
            let name = open.file.file_name();
            if takes != 1 && (!beneath.is_empty() || self.matches(&name, "")) {
                let open = (!beneath.is_empty()).then(|| !self.words.is_empty() || !self.folds.closed.contains(&id));
                let beside = !self.matches(&name, "");
                let facts = Facts::default();
                rows.push(Row { what: What::File(id), depth: 0, name, open, still: false, beside, facts });
                if open == Some(false) {
                    continue;
                }
            }
            rows.extend(beneath);
        }
        rows
    }

    fn sorted(&self, column: Column, descending: bool) -> Vec<Row> {
        let mut groups: Vec<Vec<Row>> = self
            .document
            .listing()
            .into_iter()
            .map(|id| self.clip_rows(id, 0))
            .filter(|rows| !rows.is_empty())
            .collect();
        for row in groups.iter_mut().filter_map(|group| group.first_mut()) {
            row.depth = 0;
        }
        groups.sort_by(|a, b| match (a.first(), b.first()) {
            (Some(a), Some(b)) => compare(a, b, column, descending),
            _ => Ordering::Equal,
        });
        groups.into_iter().flatten().collect()
    }

    /// The row of a take or an end with the chain behind it; none where it is part of such a chain, or not named by
    /// the filter.
    fn clip_rows(&self, id: ClipId, depth: usize) -> Vec<Row> {
        if self.newer.contains_key(&id) {
            return Vec::new();
        }
        let depth = depth + usize::from(self.is_output(id));
        let named = self.is_named(id);
        let chain = self.chain(id);
        let chain_named: Vec<ClipId> = chain.iter().copied().filter(|&clip| self.is_named(clip)).collect();
        let filtered = !self.words.is_empty();
        // A take stands above outputs that the filter names.
        if filtered && !named && chain_named.is_empty() && !self.made.contains(&id) {
            return Vec::new();
        }
        let open = match (chain.is_empty(), filtered) {
            (true, _) => None,
            (false, true) => Some(!chain_named.is_empty()),
            (false, false) => Some(self.folds.open.contains(&id)),
        };
        let mut rows = vec![Row { open, beside: !named, ..self.row(id, depth) }];
        if open == Some(true) {
            let shown = if filtered { chain_named } else { chain };
            rows.extend(shown.into_iter().map(|clip| self.row(clip, depth + 1)));
        }
        rows
    }

    /// What an end was carried on from, newest first: its parent, as far as nothing newer was made from that.
    fn chain(&self, end: ClipId) -> Vec<ClipId> {
        let mut chain = Vec::new();
        let mut now = end;
        while let Some(parent) = self.document.clip(now).and_then(|clip| clip.output()).map(|output| output.parent)
            && self.newer.get(&parent) == Some(&now)
        {
            chain.push(parent);
            now = parent;
        }
        chain
    }

    fn row(&self, id: ClipId, depth: usize) -> Row {
        let name = self.document.clip(id).map(|clip| clip.name.clone()).unwrap_or_default();
        let still = is_still(self.document, id);
        Row { what: What::Clip(id), depth, name, open: None, still, beside: false, facts: (self.facts)(id) }
    }

    fn is_output(&self, id: ClipId) -> bool {
        self.document.clip(id).is_some_and(|clip| clip.output().is_some())
    }

    fn takes_of_named(&self) -> HashSet<ClipId> {
        if self.words.is_empty() {
            return HashSet::new();
        }
        let named = self.document.clips().filter(|clip| self.is_named(clip.id));
        named.filter_map(|clip| Some(clip.output()?.source)).collect()
    }

    fn is_named(&self, id: ClipId) -> bool {
        let file = || self.document.take_of(id).map(|(open, _)| open.file.file_name()).unwrap_or_default();
        self.words.is_empty() || self.document.clip(id).is_some_and(|clip| self.matches(&clip.name, &file()))
    }

    /// Whether every word of the filter is in the name or in the file's.
    fn matches(&self, name: &str, file: &str) -> bool {
        let (name, file) = (name.to_lowercase(), file.to_lowercase());
        self.words.iter().all(|word| name.contains(word) || file.contains(word))
    }
}

/// Unknown values last, whichever way round; equal ones as on the desk.
fn compare(a: &Row, b: &Row, column: Column, descending: bool) -> Ordering {
    let turned = |ordering: Ordering| if descending { ordering.reverse() } else { ordering };
    if column == Column::Name {
        return turned(a.name.to_lowercase().cmp(&b.name.to_lowercase()));
    }
    match (column.value(&a.facts), column.value(&b.facts)) {
        (Some(a), Some(b)) => turned(a.total_cmp(&b)),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    }
}
