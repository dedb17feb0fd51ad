//! The glTF reader: closed forms, every quirk met in the wild, the shared clips, and what other readers see.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    clippy::needless_pass_by_value,
    reason = "tests, and functions only tests call"
)]

mod bind;
mod clips;
mod meshes;
mod mutations;
mod oracles;
mod peers;
mod quirks;
mod speed;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use stridesmith::formats::{Fetch, NoFetch, ReadError, ReadOptions, gltf_read};
use stridesmith::motion::{Clip, FileId, SourceFile, WarningKind};

use crate::support::gltf_build::Build;

/// Reads bytes without files beside them.
fn try_read(bytes: &[u8]) -> Result<SourceFile, ReadError> {
    gltf_read::read(FileId(7), Path::new("made.glb"), bytes.into(), &NoFetch, &ReadOptions::default())
}

fn read(bytes: &[u8]) -> SourceFile {
    try_read(bytes).unwrap()
}

/// The one clip of a file made here.
fn only_clip(build: &Build) -> Arc<Clip> {
    let file = read(&build.glb());
    assert_eq!(file.warnings, [], "an ordinary file");
    assert_eq!(file.clips.len(), 1);
    file.clips[0].clone()
}

/// The warnings of one kind, as place and message with count.
fn warned(file: &SourceFile, kind: WarningKind) -> Vec<(String, String, u32)> {
    let of_kind = file.warnings.iter().filter(|warning| warning.kind == kind);
    of_kind.map(|warning| (warning.place.clone(), warning.message.clone(), warning.count)).collect()
}

/// Side files from a table; remembers nothing, refuses the rest.
struct Table(BTreeMap<&'static str, Vec<u8>>);

impl Fetch for Table {
    fn fetch(&self, name: &str) -> Result<Arc<[u8]>, String> {
        self.0.get(name).map(|bytes| bytes.as_slice().into()).ok_or_else(|| format!("no \"{name}\" beside it"))
    }
}
