//! What is wrong with a clip, and what is worth knowing of it: a verdict of one line, findings behind each part of it,
//! and the steps that would put it right.
//!
//! In: the file's facts, a take, the clip made of it, its rig, and the motion of its role bones. Out: a [`Verdict`].
//! Pure: no file is read and nothing is changed. A finding offers a fix only where an operation or a setting exists
//! that carries it out. Foot slide and cycles wait for contacts.

mod first_frame;
mod floor;
mod ik_feet;
mod rate;
mod reader;
mod rest_pose;
mod scale;
mod seam;
mod start;
mod still;
mod text;
mod travel;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::role_motion::RoleMotion;
use super::{Op, OpError, Progress, Step};
use crate::motion::{Clip, Rig, Role, SourceFile};

/// What a finding is about; its name is stable, for scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckId {
    /// Nothing moves, or only what is no body.
    Still,
    /// Nobody knows who is the pelvis.
    Rig,
    /// Who carries the travel.
    Travel,
    /// Whether there is a root, and how it stands to the travel.
    Root,
    /// How fast and which way.
    Speed,
    /// How far the body turns.
    Turn,
    /// Whether and how well it loops.
    Loop,
    /// How high the soles are.
    Floor,
    /// The first frame does not belong to the motion.
    FirstFrame,
    /// Where and when it starts.
    Start,
    /// The size of the character, and of its travel.
    Scale,
    /// Frames per second.
    Rate,
    /// IK feet and the feet they mark.
    IkFeet,
    /// Bones without keys that stand off their bind pose.
    RestPose,
    /// What the reader had to say.
    Reader,
}

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Good to know.
    Info,
    /// Worth a look, often worth a step.
    Advice,
    /// Wrong, or lost.
    Warning,
}

/// How a finding is put right.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fix {
    /// Steps on the clip.
    Steps(Vec<Step>),
    /// A bone that plays a part, by its path; a correction of the rig.
    Role {
        /// The part.
        role: Role,
        /// Path of the bone.
        bone: String,
    },
    /// Read the file again with so many metres per unit; only BVH takes it.
    MetresPerUnit(f64),
}

/// One thing that was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// What it is about. Several findings of one clip may be about the same.
    pub id: CheckId,
    /// How much it matters.
    pub severity: Severity,
    /// One line, with numbers and units.
    pub title: String,
    /// A sentence or two: what it means and what can be done.
    pub detail: String,
    /// Where to look, seconds, the clip's own time.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub at_secs: Option<f64>,
    /// What would put it right, where something would.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fix: Option<Fix>,
}

/// A part of the verdict's line, and the finding behind it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Such as `no root`.
    pub text: String,
    /// The finding to open.
    pub id: CheckId,
    /// How much it matters.
    pub severity: Severity,
}

/// All that was found in a clip.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// The line, in order.
    pub parts: Vec<Part>,
    /// What is behind the parts, and more; in the order of the checks.
    pub findings: Vec<Finding>,
    /// Steps that put right what steps can, in the order in which to apply them; empty when nothing needs doing.
    pub suggested: Vec<Step>,
}

impl Verdict {
    /// The parts in one line.
    pub fn line(&self) -> String {
        self.parts.iter().map(|part| part.text.as_str()).collect::<Vec<_>>().join(" · ")
    }

    /// The first finding of a kind.
    pub fn finding(&self, id: CheckId) -> Option<&Finding> {
        self.findings.iter().find(|finding| finding.id == id)
    }

    /// The highest severity of all findings.
    pub fn severity(&self) -> Option<Severity> {
        self.findings.iter().map(|finding| finding.severity).max()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let texts = self.findings.iter().map(|finding| finding.title.len() + finding.detail.len());
        texts.sum::<usize>() + size_of_val(self.findings.as_slice()) + size_of_val(self.parts.as_slice())
    }

    fn part(&mut self, id: CheckId, severity: Severity, text: impl Into<String>) {
        self.parts.push(Part { text: text.into(), id, severity });
    }

    /// Adds a finding; the result takes its place in time and its fix.
    fn note(
        &mut self,
        id: CheckId,
        severity: Severity,
        title: impl Into<String>,
        detail: impl Into<String>,
    ) -> &mut Finding {
        let (title, detail) = (title.into(), detail.into());
        self.findings.push(Finding { id, severity, title, detail, at_secs: None, fix: None });
        let last = self.findings.len() - 1;
        &mut self.findings[last]
    }

    fn suggest(&mut self, op: Op) {
        self.suggested.push(Step::new(op));
    }
}

impl Finding {
    fn at(&mut self, secs: f64) -> &mut Self {
        self.at_secs = Some(secs);
        self
    }

    fn fix(&mut self, fix: Fix) {
        self.fix = Some(fix);
    }

    fn fix_by(&mut self, op: Op) {
        self.fix = Some(Fix::Steps(vec![Step::new(op)]));
    }
}

/// What the checks look at.
#[derive(Clone, Copy)]
pub struct CheckInput<'a> {
    /// Facts of the file: format, units, what its reader said.
    pub file: &'a SourceFile,
    /// The take as it was read.
    pub take: &'a Arc<Clip>,
    /// The clip that was made of it; the take itself where nothing was done.
    pub clip: &'a Arc<Clip>,
    /// Roles on the clip's skeleton.
    pub rig: &'a Rig,
    /// Measured from `clip` and `rig`.
    pub motion: &'a RoleMotion,
}

/// Runs every check.
///
/// # Errors
/// When someone cancels. What cannot be measured is left out, or said in a finding.
pub fn check(input: &CheckInput<'_>, progress: &Progress) -> Result<Verdict, OpError> {
    let mut verdict = Verdict::default();
    let out = &mut verdict;
    still::check(input, out);
    let course = travel::check(input, out);
    progress.check()?;
    first_frame::check(input, out);
    seam::check(input, out);
    floor::check(input, out);
    progress.check()?;
    start::check(input, course.as_ref(), out);
    scale::check(input, course.as_ref(), out);
    rate::check(input, out);
    ik_feet::check(input, progress, out)?;
    rest_pose::check(input, out);
    reader::check(input, out);
    Ok(verdict)
}
