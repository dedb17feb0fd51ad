//! What a transaction did, in a few words.

use crate::edit::{ClipEntry, Document, Transaction};

/// Names listed before the rest is counted.
const NAMED: usize = 3;

/// What became another between before and after: rows that came and went, names, steps, files, roles.
pub fn what_it_did(transaction: &Transaction) -> String {
    let (before, after) = (&transaction.before.document, &transaction.after.document);
    let mut parts = Vec::new();
    let came: Vec<&str> = only_in(after, before).map(|clip| clip.name.as_str()).collect();
    let went: Vec<&str> = only_in(before, after).map(|clip| clip.name.as_str()).collect();
    if !came.is_empty() {
        parts.push(format!("+ {}", listed(&came)));
    }
    if !went.is_empty() {
        parts.push(format!("− {}", listed(&went)));
    }
    let changed: Vec<String> = after
        .clips()
        .filter_map(|new| {
            let old = before.clip(new.id)?;
            // What was not touched is shared.
            if std::sync::Arc::ptr_eq(old, new) { None } else { change_of(old, new) }
        })
        .collect();
    if !changed.is_empty() {
        parts.push(listed(&changed));
    }
    let (files_before, files_after) = (before.files().len(), after.files().len());
    if parts.is_empty() && files_before != files_after {
        parts.push(format!("{files_after} files, before {files_before}"));
    }
    parts.join(", ")
}

fn only_in<'a>(this: &'a Document, other: &'a Document) -> impl Iterator<Item = &'a ClipEntry> {
    this.clips().filter(|clip| other.clip(clip.id).is_none()).map(AsRef::as_ref)
}

fn change_of(old: &ClipEntry, new: &ClipEntry) -> Option<String> {
    if old.name != new.name {
        return Some(format!("{} is now {}", old.name, new.name));
    }
    let (before, after) = (old.steps(), new.steps());
    if before.len() != after.len() {
        return Some(format!("{}: {} steps, before {}", new.name, after.len(), before.len()));
    }
    let differing: Vec<usize> = (0..after.len()).filter(|&i| before[i] != after[i]).collect();
    match differing.as_slice() {
        [] => None,
        [one] => Some(format!("{}: step {}", new.name, one + 1)),
        [first, .., last] => Some(format!("{}: steps {}–{}", new.name, first + 1, last + 1)),
    }
}

fn listed(names: &[impl AsRef<str>]) -> String {
    let mut text = names.iter().take(NAMED).map(AsRef::as_ref).collect::<Vec<_>>().join(", ");
    if names.len() > NAMED {
        text.push_str(&format!(" and {} more", names.len() - NAMED));
    }
    text
}
