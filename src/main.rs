//! The binary: without a command the window, else the command line.

use std::process::ExitCode;

use clap::Parser as _;
use stridesmith::cli::{self, Cli};

fn main() -> ExitCode {
    let cli = Cli::parse();
    match cli.command {
        Some(command) => cli::run(command),
        None => window(cli.files, cli.demo),
    }
}

#[cfg(feature = "gui")]
fn window(files: Vec<std::path::PathBuf>, demo: bool) -> ExitCode {
    match stridesmith::ui::run(files, demo) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            cli::say_error(&*error);
            ExitCode::FAILURE
        }
    }
}

#[cfg(not(feature = "gui"))]
fn window(_files: Vec<std::path::PathBuf>, _demo: bool) -> ExitCode {
    cli::say_error(&std::io::Error::other(
        "this build has no window; give a command (see --help), or build it with the feature \"gui\"",
    ));
    ExitCode::from(2)
}
