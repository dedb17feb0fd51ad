//! Verdicts for people and scripts: one line per take, the findings below.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use serde::Serialize;

use super::{CliError, ReadArgs, tell};
use crate::ops::ClipId;
use crate::ops::checks::{Fix, Severity, Verdict};
use crate::session::Session;

/// Arguments of `check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Files to look at
    #[arg(required = true, value_name = "FILE")]
    paths: Vec<PathBuf>,
    /// As JSON, one array with an object per take
    #[arg(long)]
    json: bool,
    /// Only the line of each take
    #[arg(long)]
    brief: bool,
    #[command(flatten)]
    read: ReadArgs,
}

#[derive(Serialize)]
struct TakeVerdict {
    file: PathBuf,
    take: String,
    line: String,
    #[serde(flatten)]
    verdict: Verdict,
}

pub fn run(args: &CheckArgs) -> Result<(), CliError> {
    let mut all = Vec::new();
    let mut refused = 0;
    for path in &args.paths {
        match args.read.session(path) {
            Ok(session) => {
                for take in verdicts(path, &session) {
                    if args.json {
                        all.push(take);
                    } else {
                        print(&take, args.brief)?;
                    }
                }
            }
            Err(CliError::Refused(error)) => {
                super::say(&format!("error: {error:#}"));
                refused += 1;
            }
            Err(usage) => return Err(usage),
        }
    }
    if args.json {
        tell(&serde_json::to_string_pretty(&all).context("writing JSON")?)?;
    }
    match (refused, args.paths.len()) {
        (0, _) => Ok(()),
        (_, 1) => Err(CliError::Refused(anyhow::anyhow!("nothing was checked"))),
        (refused, files) => Err(CliError::Refused(anyhow::anyhow!("{refused} of {files} files could not be read"))),
    }
}

/// The takes in the order of the desk: still ones last.
fn verdicts<'s>(path: &'s Path, session: &'s Session) -> impl Iterator<Item = TakeVerdict> + 's {
    let of = move |clip: ClipId| {
        let entry = session.document().clip(clip)?;
        let verdict = Verdict::clone(&*session.checks(clip)?);
        Some(TakeVerdict { file: path.to_owned(), take: entry.name.clone(), line: verdict.line(), verdict })
    };
    session.document().listing().into_iter().filter_map(of)
}

fn print(take: &TakeVerdict, brief: bool) -> std::io::Result<()> {
    tell(&format!("{}: {}: {}", take.file.display(), take.take, take.line))?;
    if brief {
        return Ok(());
    }
    for finding in &take.verdict.findings {
        let mark = match finding.severity {
            Severity::Info => " ",
            Severity::Advice => "*",
            Severity::Warning => "!",
        };
        let at = finding.at_secs.map(|secs| format!(" (at {secs:.3} s)")).unwrap_or_default();
        tell(&format!("  {mark} {}{at}", finding.title))?;
        if finding.severity > Severity::Info {
            tell(&format!("      {}", finding.detail))?;
        }
        match &finding.fix {
            Some(Fix::Role { role, bone }) => {
                tell(&format!("      fix: --role {}={bone}", crate::session::command_line::role_word(*role)))?;
            }
            Some(Fix::MetresPerUnit(metres)) => tell(&format!("      fix: --metres-per-unit {metres}"))?,
            Some(Fix::Steps(_)) | None => {}
        }
    }
    let steps: Vec<&str> = take.verdict.suggested.iter().map(|step| step.op.label()).collect();
    if !steps.is_empty() {
        tell(&format!("  suggested: {}", steps.join(", then ")))?;
    }
    Ok(())
}
