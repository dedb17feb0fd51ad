//! The command line: the same session as the window's, driven by arguments.
//!
//! Exit codes: 0 done, 1 refused (the reason and the way out on standard error), 2 wrong call. What was written goes
//! to standard output, one path a line; everything said to a person goes to standard error.

mod apply;
mod check;
mod demo;
mod files;
mod inspect;
mod render;
mod settings;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory, Parser, Subcommand};

pub use render::{Draw, Picture, View};

use crate::ops::Op;

/// Repairs and reshapes locomotion clips: root motion out of the pelvis or into it, feet and pose where they were.
///
/// Without a command the window opens, with FILE on its desk.
#[derive(Debug, Parser)]
#[command(name = "stridesmith", version, max_term_width = 100)]
pub struct Cli {
    /// Files to open in the window
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Open the built-in demo character in the window
    #[arg(long)]
    pub demo: bool,
    /// What to do without a window
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// One command.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Say what is in a file: takes, rates, rig, who carries the travel, and what was odd
    Info(inspect::InfoArgs),
    /// Say in a line what is wrong with each take, and below it what was found and what would put it right
    Check(check::CheckArgs),
    /// Write component-space transforms of all bones of all takes as JSON
    Dump(inspect::DumpArgs),
    /// Move the travel from the pelvis to the root; nothing is seen to move
    Extract(settings::ExtractArgs),
    /// Take the travel out: the root stands still, sway and bob stay, curves keep the path
    InPlace(settings::InPlaceArgs),
    /// Move root motion down to the hips; the root stands still, nothing is seen to move
    BakeToHips(settings::BakeToHipsArgs),
    /// Turn the clip's heading to +Z and bring its start to the origin
    ToOrigin(settings::ToOriginArgs),
    /// Move all key times so that the first key is at 0
    StartAtZero(settings::StartAtZeroArgs),
    /// Draw one moment of a clip as a PNG
    Render(render::RenderArgs),
    /// Write the built-in character's clips as files
    Demo(demo::DemoArgs),
    /// Print completions for a shell
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
}

impl Command {
    /// The operation it carries out; `None` for a command that carries out none.
    pub fn op(&self) -> Option<Result<Op, CliError>> {
        match self {
            Self::Extract(args) => Some(args.op()),
            Self::InPlace(args) => Some(args.op()),
            Self::BakeToHips(args) => Some(args.op()),
            Self::ToOrigin(args) => Some(Ok(args.op())),
            Self::StartAtZero(args) => Some(Ok(args.op())),
            Self::Info(_)
            | Self::Check(_)
            | Self::Dump(_)
            | Self::Render(_)
            | Self::Demo(_)
            | Self::Completions { .. }
            | Self::Man => None,
        }
    }
}

/// How files that do not say it all are read.
#[derive(Debug, Clone, Default, Args)]
pub struct ReadArgs {
    /// BVH: metres per unit of the file, instead of a guess from the skeleton's height
    #[arg(long, value_name = "METRES", allow_negative_numbers = true, help_heading = "Reading")]
    pub metres_per_unit: Option<f64>,
    /// BVH: add position channels to OFFSET instead of replacing it
    #[arg(long, help_heading = "Reading")]
    pub add_positions: bool,
    /// Say who plays a role, such as pelvis=Hips or left-foot=foot_l; "pelvis=" for nobody
    #[arg(long = "role", value_name = "ROLE=BONE", help_heading = "Reading")]
    pub roles: Vec<String>,
}

/// What went wrong, and whose fault it was.
#[derive(Debug)]
pub enum CliError {
    /// The call itself makes no sense: exit code 2.
    Usage(String),
    /// Something was refused: exit code 1.
    Refused(anyhow::Error),
}

impl From<anyhow::Error> for CliError {
    fn from(error: anyhow::Error) -> Self {
        Self::Refused(error)
    }
}

impl From<std::io::Error> for CliError {
    fn from(error: std::io::Error) -> Self {
        Self::Refused(error.into())
    }
}

/// Carries out a command. `draw` is what makes pictures; a build without a window has none.
pub fn run(command: Command, draw: Option<Draw>) -> ExitCode {
    let done = match command {
        Command::Info(args) => inspect::info(&args),
        Command::Check(args) => check::run(&args),
        Command::Dump(args) => inspect::dump(&args),
        Command::Extract(args) => args.op().and_then(|op| apply::run(&op, &args.files)),
        Command::InPlace(args) => args.op().and_then(|op| apply::run(&op, &args.files)),
        Command::BakeToHips(args) => args.op().and_then(|op| apply::run(&op, &args.files)),
        Command::ToOrigin(args) => apply::run(&args.op(), &args.files),
        Command::StartAtZero(args) => apply::run(&args.op(), &args.files),
        Command::Render(args) => render::run(&args, draw),
        Command::Demo(args) => demo::run(&args),
        Command::Completions { shell } => {
            clap_complete::generate(shell, &mut Cli::command(), "stridesmith", &mut std::io::stdout());
            Ok(())
        }
        Command::Man => man(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(CliError::Usage(text)) => {
            say(&format!("error: {text}"));
            ExitCode::from(2)
        }
        Err(CliError::Refused(error)) => {
            say(&format!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

/// The manual page of the program and of every command, one after the other.
fn man() -> Result<(), CliError> {
    let mut out = std::io::stdout().lock();
    let root = Cli::command();
    clap_mangen::Man::new(root.clone()).render(&mut out)?;
    for command in root.get_subcommands() {
        let page = clap_mangen::Man::new(command.clone()).title(format!("stridesmith-{}", command.get_name()));
        page.render(&mut out)?;
    }
    Ok(())
}

/// An error with all its causes, for the person.
pub fn say_error(error: &(dyn std::error::Error + 'static)) {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    let text = causes.fold(format!("error: {error}"), |text, cause| format!("{text}: {cause}"));
    say(&text);
}

/// A line for the person. Nobody listening is no reason to stop.
fn say(text: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// A line of result.
fn tell(text: &str) -> std::io::Result<()> {
    use std::io::Write as _;
    writeln!(std::io::stdout(), "{text}")
}
