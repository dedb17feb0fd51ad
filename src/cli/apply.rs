//! One operation over files: open, apply, export, each file by itself, so that memory does not grow with their number.

use std::path::{Path, PathBuf};

use super::files::FileArgs;
use super::{CliError, say, tell};
use crate::edit::ClipKind;
use crate::ops::{ClipId, Op};
use crate::session::{Action, Change, ExportRequest, NoticeKind, Session};

pub fn run(op: &Op, args: &FileArgs) -> Result<(), CliError> {
    std::fs::create_dir_all(&args.out)
        .map_err(|error| anyhow::anyhow!("cannot make the folder: {error}: {}", args.out.display()))?;
    let bar = progress(args.paths.len());
    let mut failed = 0;
    for path in &args.paths {
        match one_file(op, path, args) {
            Ok(written) => {
                for path in written {
                    bar.suspend(|| tell(&path.display().to_string()))?;
                }
            }
            Err(CliError::Refused(error)) => {
                failed += 1;
                bar.suspend(|| say(&format!("error: {error:#}")));
            }
            Err(usage) => return Err(usage),
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    match (failed, args.paths.len()) {
        (0, _) => Ok(()),
        (1, 1) => Err(CliError::Refused(anyhow::anyhow!("nothing was written"))),
        (failed, all) => Err(CliError::Refused(anyhow::anyhow!("{failed} of {all} files were refused"))),
    }
}

/// A bar on long work, only where someone looks.
fn progress(files: usize) -> indicatif::ProgressBar {
    if files < 2 {
        return indicatif::ProgressBar::hidden();
    }
    let style = indicatif::ProgressStyle::with_template("{bar:40} {pos}/{len} files, {eta} left");
    indicatif::ProgressBar::new(files as u64)
        .with_style(style.unwrap_or_else(|_| indicatif::ProgressStyle::default_bar()))
}

fn one_file(op: &Op, path: &Path, args: &FileArgs) -> Result<Vec<PathBuf>, CliError> {
    let mut session = args.read.session(path)?;
    let takes = takes(&session, path, &args.clips)?;
    let change = Change::apply(op.clone(), takes);
    session
        .handle(Action::Change(change))
        .map_err(|error| anyhow::Error::from(error).context(path.display().to_string()))?;
    let outputs: Vec<ClipId> = session.selection().clips.clone();
    let request = ExportRequest {
        clips: outputs.clone(),
        folder: Some(args.out.clone()),
        format: None,
        alone: args.alone,
        update: args.update,
    };
    let exported = session.handle(Action::Export(request));
    for notice in session.take_notices() {
        if notice.kind != NoticeKind::Done {
            say(&notice.text);
        }
    }
    exported.map_err(|error| anyhow::Error::from(error).context(path.display().to_string()))?;
    let mut written: Vec<PathBuf> =
        outputs.iter().filter_map(|&clip| session.exported_to(clip)).map(Path::to_owned).collect();
    written.dedup();
    Ok(written)
}

/// The takes asked for, or all that move.
fn takes(session: &Session, path: &Path, names: &[String]) -> Result<Vec<ClipId>, CliError> {
    let document = session.document();
    let takes: Vec<(ClipId, bool, &str, &str)> = document
        .clips()
        .filter_map(|entry| {
            let ClipKind::Take { file, take, moving } = &entry.kind else { return None };
            let own = document.file(*file).and_then(|open| open.file.clips.get(*take)).map_or("", |clip| &clip.name);
            Some((entry.id, *moving, entry.name.as_str(), own))
        })
        .collect();
    for name in names {
        if !takes.iter().any(|(_, _, shown, own)| name == shown || name == own) {
            let there: Vec<&str> = takes.iter().map(|(_, _, _, own)| *own).collect();
            return Err(CliError::Refused(anyhow::anyhow!(
                "no take is called \"{name}\"; there are \"{}\" in {}",
                there.join("\", \""),
                path.display()
            )));
        }
    }
    let wanted: Vec<ClipId> = takes
        .iter()
        .filter(|(_, moving, shown, own)| match names {
            [] => *moving,
            names => names.iter().any(|name| name == shown || name == own),
        })
        .map(|(id, ..)| *id)
        .collect();
    if wanted.is_empty() {
        return Err(CliError::Refused(anyhow::anyhow!("nothing moves in any take of {}", path.display())));
    }
    Ok(wanted)
}
