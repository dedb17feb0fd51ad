//! Which files, which of their clips, and where to.

use std::path::PathBuf;

use clap::Args;

use super::{CliError, ReadArgs, say};
use crate::edit::RoleChoice;
use crate::formats::ReadOptions;
use crate::motion::Role;
use crate::session::command_line::role_word;
use crate::session::{Action, Change, JobMode, Session};

/// Arguments that all operations share.
#[derive(Debug, Args)]
pub struct FileArgs {
    /// Files to work on: FBX, glTF, GLB or BVH
    #[arg(required = true, value_name = "FILE")]
    pub paths: Vec<PathBuf>,
    /// Folder to write into; nothing in it is overwritten
    #[arg(short, long = "out", value_name = "DIR", required = true)]
    pub out: PathBuf,
    /// Only takes of this name; may be given several times [default: every take that moves]
    #[arg(long = "clip", value_name = "NAME")]
    pub clips: Vec<String>,
    /// Leave the source's other clips out of the file
    #[arg(long)]
    pub alone: bool,
    /// Replace files that this program wrote and nobody changed since; others still get new names
    #[arg(long)]
    pub update: bool,
    #[command(flatten)]
    pub read: ReadArgs,
}

impl ReadArgs {
    /// As a reader takes it.
    pub fn options(&self) -> Result<ReadOptions, CliError> {
        if self.metres_per_unit.is_some_and(|metres| !(metres.is_finite() && metres > 0.0)) {
            return Err(CliError::Usage("--metres-per-unit must be more than 0".into()));
        }
        Ok(ReadOptions {
            metres_per_unit: self.metres_per_unit,
            add_positions_to_offset: self.add_positions,
            ..ReadOptions::default()
        })
    }

    /// A desk with one file on it, its roles corrected as asked.
    pub fn session(&self, path: &std::path::Path) -> Result<Session, CliError> {
        let mut session = Session::new(JobMode::Inline);
        session.read_options = self.options()?;
        session.handle(Action::Open(vec![path.to_owned()])).map_err(anyhow::Error::from)?;
        for notice in session.take_notices() {
            say(&notice.text);
        }
        for text in &self.roles {
            let (role, bone) =
                text.split_once('=').and_then(|(role, bone)| Some((role_of(role)?, bone))).ok_or_else(|| {
                    CliError::Usage(format!("--role {text}: write ROLE=BONE; roles are {}", role_names()))
                })?;
            let Some(open) = session.document().files().first() else { break };
            let choice = if bone.is_empty() {
                RoleChoice::Nobody
            } else {
                let found = open.file.skeleton.find(bone).ok_or_else(|| {
                    CliError::Refused(anyhow::anyhow!(
                        "--role {text}: no one bone is called \"{bone}\" in {}",
                        path.display()
                    ))
                })?;
                RoleChoice::Bone(open.file.skeleton.path(found).to_owned())
            };
            let change = Change::SetRole { skeleton: open.skeleton.clone(), role, choice };
            session.handle(Action::Change(change)).map_err(anyhow::Error::from)?;
        }
        Ok(session)
    }
}

/// The role of a word on the command line.
fn role_of(word: &str) -> Option<Role> {
    Role::all().find(|&role| role_word(role) == word)
}

fn role_names() -> String {
    Role::all().map(role_word).collect::<Vec<_>>().join(", ")
}
