//! The window: panels that read the [`Session`](crate::session::Session) and ask for actions, docked around the 3D
//! view.
//!
//! A frame: input, then panels read and ask, then [`App`] carries out what was asked for; the next frame shows it.

pub mod app;
pub mod asks;
pub mod commands;
pub mod dialogs;
pub mod dock;
pub mod export;
pub mod fields;
pub mod graph;
pub mod help;
pub mod icons;
pub mod keys;
pub mod leave;
pub mod menu;
pub mod palette;
pub mod panels;
pub mod recover;
pub mod replace;
pub mod rows;
pub mod settings;
pub mod shown_motion;
pub mod status;
pub mod text;
pub mod theme;
pub mod time_axis;
pub mod toasts;

use std::path::PathBuf;

use eframe::egui;

pub use app::App;

/// Opens the window, and the files in it.
///
/// # Errors
/// There is no display, or no graphics device, to open a window on.
pub fn run(files: Vec<PathBuf>, demo: bool) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let options = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default()
            .with_inner_size([1600.0, 900.0])
            .with_min_inner_size([800.0, 500.0])
            .with_title("Stridesmith"),
        ..Default::default()
    };
    let start = move |context: &eframe::CreationContext<'_>| {
        Ok(Box::new(App::start(context, files, demo)) as Box<dyn eframe::App>)
    };
    eframe::run_native("stridesmith", options, Box::new(start))?;
    Ok(())
}
