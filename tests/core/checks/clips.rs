//! Verdicts of real clips, kept as text; run with `UPDATE_GOLDEN=1` to write them anew after looking at what changed.

use std::fmt::Write as _;
use std::path::Path;

use stridesmith::ops::checks::{CheckId, Severity};
use stridesmith::session::{Action, Change, Session};

use crate::support::clips;

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/verdicts.txt");

/// Takes of one file that are listed; the others are checked all the same.
const LISTED: usize = 12;

fn lines(path: &Path) -> String {
    let mut out = clips::short(path);
    let mut session = Session::default();
    if session.handle(Action::Open(vec![path.to_owned()])).is_err() {
        return out + "\n    refused";
    }
    let listing = session.document().listing();
    for (nth, clip) in listing.iter().copied().enumerate() {
        let verdict = session.checks(clip).unwrap();
        assert!(verdict.findings.iter().all(|f| !f.title.is_empty() && !f.detail.is_empty()));
        for part in &verdict.parts {
            assert!(verdict.finding(part.id).is_some(), "{}: no finding behind \"{}\"", path.display(), part.text);
        }
        if nth >= LISTED {
            continue;
        }
        let name = session.document().clip(clip).unwrap().name.clone();
        write!(out, "\n    {name}: {}", verdict.line()).unwrap();
        let steps: Vec<&str> = verdict.suggested.iter().map(|step| step.op.label()).collect();
        if !steps.is_empty() {
            write!(out, " → {}", steps.join(", ")).unwrap();
            // What is suggested can be carried out.
            let change = Change::Apply { steps: verdict.suggested.clone(), clips: vec![clip], here: false };
            session.handle(Action::Change(change)).unwrap();
            let made = session.selection().shown().unwrap();
            assert!(session.evaluate(made).unwrap().refused.is_none());
            let after = session.checks(made).unwrap();
            let again = after.suggested.iter().find(|step| verdict.suggested.contains(step));
            assert!(again.is_none(), "{}: {name}: {} → {}", path.display(), verdict.line(), after.line());
        }
        for finding in verdict.findings.iter().filter(|f| f.id != CheckId::Reader && f.severity == Severity::Warning) {
            write!(out, "\n        ! {}", finding.title).unwrap();
        }
    }
    if listing.len() > LISTED {
        write!(out, "\n    and {} more", listing.len() - LISTED).unwrap();
    }
    out
}

#[test]
fn verdicts_of_real_clips_are_as_they_were() {
    let files = clips::all();
    if files.is_empty() {
        return;
    }
    let table = files.iter().map(|path| lines(path)).collect::<Vec<_>>().join("\n") + "\n";
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::io::Write::write_all(&mut std::fs::File::create(GOLDEN).unwrap(), table.as_bytes()).unwrap();
    }
    let golden = std::fs::read_to_string(GOLDEN).unwrap();
    for (now, then) in table.lines().zip(golden.lines()) {
        assert_eq!(now, then, "a clip is judged differently than before");
    }
    assert_eq!(table.lines().count(), golden.lines().count());
}
