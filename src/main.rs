//! The binary: without a command the window, else the command line.

use std::process::ExitCode;

use clap::Parser as _;
use stridesmith::cli::{self, Cli};

fn main() -> ExitCode {
    let cli = Cli::parse();
    match cli.command {
        Some(command) => cli::run(command, drawing()),
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

/// What draws for the command line.
#[cfg(feature = "gui")]
fn drawing() -> Option<cli::Draw> {
    use stridesmith::render::{self, Model, Offscreen, Palette, Portrait};

    Some(|picture| {
        let portrait = Portrait {
            file: picture.file.clone(),
            clip: picture.clip.clone(),
            rig: picture.rig.clone(),
            secs: picture.secs,
            size: picture.size,
            view: match picture.view {
                cli::View::Front => render::View::Front,
                cli::View::Side => render::View::Side,
                cli::View::Top => render::View::Top,
                cli::View::ThreeQuarter => render::View::ThreeQuarter,
                cli::View::Foot => render::View::Foot,
            },
            orthographic: picture.orthographic,
            mesh: picture.mesh,
            bones: picture.bones,
            grid: picture.grid,
            trails: picture.trails,
            palette: if picture.light { Palette::light() } else { Palette::dark() },
        };
        let model = std::sync::Arc::new(Model::new(&picture.file));
        let notes = model.notes.clone();
        let png = Offscreen::new()?.png(&portrait.scene(model), picture.size)?;
        Ok((png, notes))
    })
}

#[cfg(not(feature = "gui"))]
fn drawing() -> Option<cli::Draw> {
    None
}

#[cfg(not(feature = "gui"))]
fn window(_files: Vec<std::path::PathBuf>, _demo: bool) -> ExitCode {
    cli::say_error(&std::io::Error::other(
        "this build has no window; give a command (see --help), or build it with the feature \"gui\"",
    ));
    ExitCode::from(2)
}
