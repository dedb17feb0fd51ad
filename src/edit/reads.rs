//! Which clip reads which: an output reads its take, and the clips its steps name. Switched-off steps count: they
//! can be switched on again.

use std::collections::BTreeSet;

use super::document::{ClipEntry, Document};
use crate::ops::ClipId;

/// What a row reads, its take included.
pub fn reads_of(clip: &ClipEntry) -> BTreeSet<ClipId> {
    let take = clip.output().map(|output| output.source);
    take.into_iter().chain(clip.steps().iter().flat_map(|step| step.op.reads())).collect()
}

/// Names of the rows outside `leaving` that read one inside, in the order of the desk.
pub fn readers(document: &Document, leaving: &BTreeSet<ClipId>) -> Vec<String> {
    document
        .clips()
        .filter(|clip| !leaving.contains(&clip.id) && !reads_of(clip).is_disjoint(leaving))
        .map(|clip| clip.name.clone())
        .collect()
}

/// The way from `start` back to itself, both ends included; `None` when there is none. Each clip is looked at once,
/// and a long chain of clips costs no stack.
pub fn find_cycle(start: ClipId, reads: impl Fn(ClipId) -> Vec<ClipId>) -> Option<Vec<ClipId>> {
    let mut seen = BTreeSet::new();
    let mut way = vec![start];
    let mut open = vec![reads(start)];
    while let Some(next) = open.last_mut() {
        match next.pop() {
            Some(clip) if clip == start => {
                way.push(start);
                return Some(way);
            }
            Some(clip) => {
                if seen.insert(clip) {
                    way.push(clip);
                    open.push(reads(clip));
                }
            }
            None => {
                open.pop();
                way.pop();
            }
        }
    }
    None
}
