//! Writing glTF: patched, authored, proved, published.

mod author;
mod patch;
mod proof;
mod publish;
mod real_files;
mod sidecar;
