//! Verdicts: known truth, planted faults, and real clips.

mod clips;
mod faults;
mod truth;

use std::sync::Arc;

use stridesmith::motion::demo::{self, DemoSpec};
use stridesmith::motion::*;
use stridesmith::ops::checks::{CheckId, Finding, Severity, Verdict};
use stridesmith::session::Session;

fn generated(spec: &DemoSpec) -> SourceFile {
    demo::generate(spec, FileId(0)).unwrap().file
}

fn desk(file: SourceFile) -> Session {
    let mut session = Session::default();
    session.open_generated(|id| SourceFile { id, ..file }).unwrap();
    session
}

/// The verdict of a file's first row.
fn judge(file: SourceFile) -> Arc<Verdict> {
    let session = desk(file);
    session.checks(session.document().listing()[0]).unwrap()
}

fn found(verdict: &Verdict, id: CheckId) -> &Finding {
    verdict.finding(id).unwrap_or_else(|| panic!("nothing about {id:?} in \"{}\"", verdict.line()))
}

/// Whether something about this is more than good to know.
fn blamed(verdict: &Verdict, id: CheckId) -> bool {
    verdict.findings.iter().any(|finding| finding.id == id && finding.severity > Severity::Info)
}

fn ops(verdict: &Verdict) -> Vec<&'static str> {
    verdict.suggested.iter().map(|step| step.op.label()).collect()
}
