//! BVH files: the oracles, what files in the wild get wrong, and two independent readings of real clips.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "functions that tests share are tests, too")]

mod clips;
mod faults;
mod guesses;
mod spellings;
mod tracks;

use std::path::Path;

use stridesmith::formats::bvh::{self, Bvh, ParseError};
use stridesmith::formats::{Limits, ReadError, ReadOptions};
use stridesmith::motion::{FileId, SourceFile, Warning, WarningKind};

const FILE: FileId = FileId(7);

fn parse(text: &str) -> Result<Bvh, ParseError> {
    bvh::parse(text.as_bytes(), &Limits::default())
}

fn read_with(text: &str, options: &ReadOptions) -> Result<SourceFile, ReadError> {
    bvh::read(FILE, Path::new("some/walk 01.bvh"), text.as_bytes().into(), options)
}

/// Read in metres, so that numbers of the text are numbers of the tracks.
fn read(text: &str) -> SourceFile {
    let metres = ReadOptions { metres_per_unit: Some(1.0), ..ReadOptions::default() };
    read_with(text, &metres).unwrap()
}

/// One joint with `offset` and `channels` and these rows, 30 frames per second.
fn one_joint(offset: &str, channels: &str, rows: &[&str]) -> String {
    let count = channels.split_whitespace().count();
    format!(
        "HIERARCHY\nROOT hips\n{{\n  OFFSET {offset}\n  CHANNELS {count} {channels}\n}}\nMOTION\nFrames: {}\n\
         Frame Time: 0.0333333\n{}\n",
        rows.len(),
        rows.join("\n")
    )
}

fn warned<'w>(warnings: &'w [Warning], kind: WarningKind, part: &str) -> &'w Warning {
    let found = warnings.iter().find(|warning| warning.kind == kind && warning.message.contains(part));
    found.unwrap_or_else(|| panic!("no {kind:?} warning with \"{part}\" in {warnings:?}"))
}
