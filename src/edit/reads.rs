//! Which clip reads which: an output reads its take, and the clips its steps name. Switched-off steps count: they
//! can be switched on again.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::document::{ClipEntry, ClipKind, Document, Output};
use crate::ops::ClipId;

/// What a row reads, its take included.
pub fn reads_of(clip: &ClipEntry) -> BTreeSet<ClipId> {
    let take = clip.output().map(|output| output.source);
    take.into_iter().chain(clip.steps().iter().flat_map(|step| step.op.reads())).collect()
}

/// Takes rows out that read what is not there or wait for themselves, until none does; their names. Parents that are
/// not there become the take.
pub fn drop_unreadable(document: &mut Document) -> Vec<String> {
    let mut dropped = Vec::new();
    loop {
        let reads = |id| document.clip(id).map(|clip| reads_of(clip).into_iter().collect()).unwrap_or_default();
        let faulty = |clip: &Arc<ClipEntry>| {
            reads_of(clip).iter().any(|&read| document.clip(read).is_none()) || find_cycle(clip.id, reads).is_some()
        };
        let Some(faulty) = document.clips().find(|clip| faulty(clip)).cloned() else { break };
        dropped.push(faulty.name.clone());
        Arc::make_mut(&mut document.clips).remove(&faulty.id);
    }
    let known: BTreeSet<ClipId> = document.clips.keys().copied().collect();
    for clip in Arc::make_mut(&mut document.clips).values_mut() {
        if let ClipKind::Output(output) = &clip.kind
            && !known.contains(&output.parent)
        {
            let kind = ClipKind::Output(Output { parent: output.source, ..output.clone() });
            *clip = Arc::new(ClipEntry { kind, ..ClipEntry::clone(clip) });
        }
    }
    dropped
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
