//! Writing glTF: patched, authored, proved, published.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests may fail as tests do")]

mod author;
mod patch;
mod proof;
mod publish;
mod real_files;
mod sidecar;
