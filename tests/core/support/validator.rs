//! Khronos glTF-Validator, where it is installed.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests may fail as tests do")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How often the validator said each error (`E CODE`) or warning (`W CODE`); `None` where it is not installed, which
/// is said.
pub fn findings(file: &Path) -> Option<BTreeMap<String, u64>> {
    let home = std::env::var_os("PEERS_HOME").map_or_else(
        || PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(".cache/stridesmith-peers"),
        PathBuf::from,
    );
    let script = home.join("js/validate.mjs");
    if !script.exists() {
        println!("skipped: no glTF-Validator at {}", script.display());
        return None;
    }
    // Into a file: what node has not yet written to a pipe when it exits is lost.
    let report = tempfile::NamedTempFile::new().unwrap();
    let out = report.reopen().unwrap();
    Command::new("node").arg(script).arg("--json").arg(file).stdout(out).status().unwrap();
    // It gives up on files that name others which are not there.
    let Ok(report) = serde_json::from_slice::<serde_json::Value>(&std::fs::read(report.path()).unwrap()) else {
        return Some(BTreeMap::from([("E CANNOT_VALIDATE".to_owned(), 1)]));
    };
    let mut found = BTreeMap::new();
    for message in report["issues"]["messages"].as_array().unwrap() {
        let severity = match message["severity"].as_u64() {
            Some(0) => "E",
            Some(1) => "W",
            _ => continue,
        };
        *found.entry(format!("{severity} {}", message["code"].as_str().unwrap())).or_default() += 1;
    }
    Some(found)
}

/// As [`findings`], of bytes; `name` says GLB or glTF by its extension.
pub fn findings_of(name: &str, bytes: &[u8]) -> Option<BTreeMap<String, u64>> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::io::Write::write_all(&mut std::fs::File::create(&path).unwrap(), bytes).unwrap();
    findings(&path)
}

/// Asserts that a file has no errors and warnings.
pub fn assert_clean(name: &str, bytes: &[u8]) {
    if let Some(found) = findings_of(name, bytes) {
        assert!(found.is_empty(), "{name}: {found:?}");
    }
}
