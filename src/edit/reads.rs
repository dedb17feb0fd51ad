//! Which clip reads which: an output reads its take, and the clips its steps name. Switched-off steps count: they
//! can be switched on again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::document::{ClipEntry, ClipKind, Document, Output};
use crate::ops::ClipId;

/// What a row reads, its take included.
pub fn reads_of(clip: &ClipEntry) -> BTreeSet<ClipId> {
    let take = clip.output().map(|output| output.source);
    take.into_iter().chain(clip.steps().iter().flat_map(|step| step.op.reads())).collect()
}

/// Takes rows out that read what is not there or wait for themselves; their numbers. A parent that is not there, is of
/// another take or is not older becomes the take: chains of parents end.
pub fn drop_unreadable(document: &mut Document) -> Vec<ClipId> {
    // Each row is settled once all it reads are; what never is reads itself or nothing that is there.
    let mut waits: BTreeMap<ClipId, usize> = BTreeMap::new();
    let mut readers: BTreeMap<ClipId, Vec<ClipId>> = BTreeMap::new();
    let mut settled: Vec<ClipId> = Vec::new();
    for clip in document.clips() {
        let reads = reads_of(clip);
        if reads.is_empty() {
            settled.push(clip.id);
        }
        waits.insert(clip.id, reads.len());
        reads.into_iter().for_each(|read| readers.entry(read).or_default().push(clip.id));
    }
    while let Some(id) = settled.pop() {
        for reader in readers.remove(&id).unwrap_or_default() {
            if let Some(left) = waits.get_mut(&reader) {
                *left -= 1;
                if *left == 0 {
                    settled.push(reader);
                }
            }
        }
    }
    let dropped: Vec<ClipId> = waits.into_iter().filter(|(_, left)| *left > 0).map(|(id, _)| id).collect();
    let clips = Arc::make_mut(&mut document.clips);
    dropped.iter().for_each(|id| drop(clips.remove(id)));
    let take_of = |id: ClipId| clips.get(&id).map(|clip| clip.output().map_or(id, |output| output.source));
    let orphans: Vec<Arc<ClipEntry>> = clips
        .values()
        .filter(|clip| {
            let is_parent = |output: &Output| output.parent < clip.id && take_of(output.parent) == Some(output.source);
            clip.output().is_some_and(|output| !is_parent(output))
        })
        .cloned()
        .collect();
    for clip in orphans {
        if let ClipKind::Output(output) = &clip.kind {
            let kind = ClipKind::Output(Output { parent: output.source, ..output.clone() });
            clips.insert(clip.id, Arc::new(ClipEntry { kind, ..ClipEntry::clone(&clip) }));
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
