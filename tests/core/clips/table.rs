//! One line per file: opened or refused and why, takes, rig family and roles, rate. The lines are kept as text; run
//! with `UPDATE_GOLDEN=1` to write them anew after looking at what changed.

use std::fmt::Write as _;
use std::path::Path;

use stridesmith::formats::{ReadOptions, open};
use stridesmith::motion::{FileId, Rig, Role, RoleOverrides, Side};

use crate::support::clips;

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/clips.txt");

fn line(path: &Path) -> String {
    let mut out = clips::short(path);
    let file = match open(FileId(0), path, &ReadOptions::default()) {
        Ok(file) => file,
        Err(error) => {
            let text = error.to_string().replace(&path.display().to_string(), "<file>");
            write!(out, "\n    refused: {text}").unwrap();
            return out;
        }
    };
    let rates: Vec<String> = file.clips.iter().map(|clip| format!("{:.4}", clip.rate.fps())).collect();
    let mut distinct = rates.clone();
    distinct.sort();
    distinct.dedup();
    let seconds: f64 = file.clips.iter().map(|clip| clip.range.duration_secs()).sum();
    write!(
        out,
        "\n    opened: {} bones, {} takes of {seconds:.3} s, fps {}, {} meshes, {} skins, {} warnings",
        file.skeleton.len(),
        file.clips.len(),
        distinct.join(" "),
        file.meshes.len(),
        file.skins.len(),
        file.warnings.len()
    )
    .unwrap();
    let rig = Rig::detect(&file.skeleton, &file.declared_roles, &RoleOverrides::default());
    let rig = file.clips.first().map_or(rig.clone(), |clip| rig.with_travel(clip, &RoleOverrides::default()));
    let name = |role| rig.bone(role).map_or("-", |bone| file.skeleton.bone(bone).name.as_str());
    write!(
        out,
        "\n    rig: {} ({:.2}) root {} pelvis {} thigh {} calf {} foot {} toe {} travel {} ik pairs {}",
        if rig.family.is_empty() { "unknown" } else { &rig.family },
        rig.confidence,
        name(Role::Root),
        name(Role::Pelvis),
        name(Role::Thigh(Side::Left)),
        name(Role::Calf(Side::Left)),
        name(Role::Foot(Side::Left)),
        name(Role::Toe(Side::Left)),
        rig.travel_bone.map_or("-", |bone| file.skeleton.bone(bone).name.as_str()),
        rig.ik_pairs.len()
    )
    .unwrap();
    out
}

#[test]
fn the_table_is_as_it_was() {
    let files = clips::all();
    if files.is_empty() {
        return;
    }
    assert!(files.len() >= 79, "only {} files", files.len());
    let table = files.iter().map(|path| line(path)).collect::<Vec<_>>().join("\n") + "\n";
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::io::Write::write_all(&mut std::fs::File::create(GOLDEN).unwrap(), table.as_bytes()).unwrap();
    }
    let golden = std::fs::read_to_string(GOLDEN).unwrap();
    for (now, then) in table.lines().zip(golden.lines()) {
        assert_eq!(now, then, "a clip reads differently than before");
    }
    assert_eq!(table.lines().count(), golden.lines().count());
}
