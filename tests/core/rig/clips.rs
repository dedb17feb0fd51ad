//! Roles on real clips, against what a person wrote down about each of them.

use std::path::{Path, PathBuf};

use stridesmith::formats::{self, ReadOptions};
use stridesmith::motion::{BoneIndex, Clip, FileId, Rig, Role, RoleOverrides, Side, SourceFile};

use super::played;

/// Folder of the test clips; `None`, with a line saying so, where it is absent.
fn clips_folder() -> Option<PathBuf> {
    let folder = std::env::var_os("STRIDESMITH_CLIPS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/clips"), PathBuf::from);
    if folder.join("MANIFEST.tsv").is_file() {
        return Some(folder);
    }
    println!("skipped: no clips in {}", folder.display());
    None
}

/// A clip's row of the manifest.
struct Row {
    path: String,
    hips: String,
    root: String,
    is_locomotion: bool,
}

fn rows(folder: &Path) -> Vec<Row> {
    let manifest = std::fs::read_to_string(folder.join("MANIFEST.tsv")).unwrap();
    let mut lines = manifest.lines();
    let head: Vec<&str> = lines.next().unwrap().split('\t').collect();
    let column = |name: &str| head.iter().position(|cell| *cell == name).unwrap();
    let (path, hips, root, locomotion) =
        (column("path"), column("hips_node"), column("root_bone"), column("locomotion"));
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            Row {
                path: cells[path].into(),
                hips: cells[hips].into(),
                root: cells[root].into(),
                is_locomotion: cells[locomotion].starts_with("yes"),
            }
        })
        .collect()
}

/// Clips whose rig is knowingly not fully known, by a part of their path: what is wrong with them.
const ASK: &[(&str, &str)] = &[
    ("boxman", "no feet"),
    ("Monster Pack", "no feet"),
    ("animals_pack/Horse", "no feet by name"),
    ("spider", "8 legs"),
    ("CesiumMan", "no names"),
    ("Starter-Kit-3D-Platformer", "legs of one piece"),
    ("main_skeleton", "IK feet"),
    ("raylib/examples/models/resources/models/gltf/robot", "IK feet"),
    ("quaternius-showcase/public/glb/platformer", "IK feet"),
    ("Astronaut", "IK feet"),
    ("Male_Casual", "IK feet"),
    ("Robot.fbx", "IK feet"),
    ("Alien.fbx", "IK feet"),
    ("Farm Animals", "IK feet"),
];

/// Hips that do not carry the legs: the bone above them does, and is the pelvis for everything done with legs.
const HIPS_BESIDE_THE_LEGS: &[(&str, &str)] = &[("Hips", "Body"), ("Body", "Back"), ("torso", "root")];

/// Where we differ from the manifest's column on roots, and why.
const ROOTS: &[(&str, &str, &str)] = &[
    ("examples/fortnite", "root", "an armature object called root becomes a root bone in engines"),
    ("mannequiny", "root", "the same"),
    ("maya_kenney", "Root", "the same"),
    ("lumberjack", "_rootJoint", "the legs do not hang on root_01"),
    ("animals_pack/Horse", "Body", "it carries the horse and its IK targets"),
    ("makehuman/makehuman", "–", "it lies at the hips and carries the spine: it is the bone that travels"),
    ("Starter-Kit-3D-Platformer", "–", "no leg has a second part, so the only node is taken for the pelvis"),
];

fn excepted<'t, T>(table: &'t [T], path: &str, part: impl Fn(&T) -> &str) -> Option<&'t T> {
    table.iter().find(|entry| path.contains(part(entry)))
}

#[test]
fn pelvis_root_and_feet_of_every_locomotion_clip() {
    let Some(folder) = clips_folder() else { return };
    let mut checked = 0;
    for row in rows(&folder).iter().filter(|row| row.is_locomotion) {
        let file = match formats::open(FileId(0), &folder.join(&row.path), &ReadOptions::default()) {
            Ok(file) => file,
            Err(error) => {
                println!("not read: {error}");
                continue;
            }
        };
        let skeleton = &file.skeleton;
        let rig = Rig::detect(skeleton, &file.declared_roles, &RoleOverrides::default());
        let pelvis = played(&rig, skeleton, Role::Pelvis);
        let travel = rig.travel_bone.map_or("–", |bone| &skeleton.bone(bone).name);
        let told = format!("{}: {}; pelvis {pelvis}, travel {travel}", row.path, rig.reason);
        println!("{:.2} {:<24} {told}", rig.confidence, rig.family);

        let asked = excepted(ASK, &row.path, |entry| entry.0);
        assert_eq!(rig.confidence < Rig::SURE, asked.is_some(), "{}: {told}", rig.confidence);
        if row.hips == "(unnamed)" {
            continue;
        }
        let beside = HIPS_BESIDE_THE_LEGS.contains(&(row.hips.as_str(), pelvis));
        assert!(pelvis == row.hips || travel == row.hips || beside, "{told}, not {}", row.hips);

        let root = played(&rig, skeleton, Role::Root);
        let expected = excepted(ROOTS, &row.path, |entry| entry.0).map_or_else(
            || row.root.strip_prefix("bone ").map_or("–", |r| r.split_whitespace().next().unwrap_or("–")),
            |entry| entry.1,
        );
        assert_eq!(root, expected, "{told}");

        let with_feet = asked.is_none_or(|(_, why)| *why == "IK feet");
        if with_feet {
            feet_are_feet(&file, &rig, &told);
        }
        for clip in &file.clips {
            // Whatever moves, no clip of these makes another bone the root.
            let moved = rig.with_travel(clip, &RoleOverrides::default());
            assert_eq!(moved.root(), rig.root(), "{told}; {}", moved.reason);
        }
        checked += 1;
    }
    assert!(checked > 40, "only {checked} clips could be read");
}

/// Both feet are called feet or ankles, and on the way through each clip they are on average below the calves, and
/// those below the thighs.
fn feet_are_feet(file: &SourceFile, rig: &Rig, told: &str) {
    for side in [Side::Left, Side::Right] {
        let [thigh, calf, foot] =
            [Role::Thigh(side), Role::Calf(side), Role::Foot(side)].map(|role| rig.bone(role).unwrap());
        let name = file.skeleton.bone(foot).name.to_lowercase();
        assert!(name.contains("foot") || name.contains("ankle"), "{name}: {told}");
        for clip in file.clips.iter().filter(|clip| is_upright(&clip.name)) {
            let [thigh_m, calf_m, foot_m] = mean_heights(clip, [thigh, calf, foot]);
            assert!(foot_m < calf_m && calf_m < thigh_m, "{}: {thigh_m} {calf_m} {foot_m}; {told}", clip.name);
        }
    }
}

/// Clips in which a character goes on its feet all the time.
fn is_upright(name: &str) -> bool {
    let name = name.to_lowercase();
    ["walk", "run", "jog"].iter().any(|word| name.contains(word)) && !name.contains("jump") && !name.contains("crawl")
}

fn mean_heights(clip: &Clip, bones: [BoneIndex; 3]) -> [f64; 3] {
    const SAMPLES: usize = 24;
    let mut sums = [0.0; 3];
    for i in 0..SAMPLES {
        let secs = clip.range.start_secs + clip.range.duration_secs() * i as f64 / SAMPLES as f64;
        let pose = clip.component_at(secs);
        for (sum, bone) in sums.iter_mut().zip(bones) {
            *sum += pose.position(bone).y / SAMPLES as f64;
        }
    }
    sums
}
