//! Three readers that nobody here wrote, on real files: the FBX SDK (inside fbx2gltf), assimp, and Blender's Python
//! reader. On key times all bones agree within 1e-5 of the clip's extent and 0.01°; what does not is in [`CASES`] with
//! its reason. Bones are matched by name, as the readers spell it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use glam::{DQuat, DVec3};
use serde_json::Value;
use stridesmith::formats::dump;
use stridesmith::motion::FrameRate;
use stridesmith::motion::transform::angle_between;

use super::*;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Reader {
    Sdk,
    Assimp,
    Blender,
}
use Reader::{Assimp, Blender, Sdk};

/// What a reader may do differently, and why.
enum Leave {
    /// The reader is no use here.
    Out(Reader, &'static str),
    /// So many of our bones are not among its own.
    Missing(Reader, usize, &'static str),
    /// Bones by name that are not compared.
    Bones(Reader, &'static [&'static str], &'static str),
    /// Another bar: share of the extent, degrees.
    Bar(Reader, f64, f64, &'static str),
}
use Leave::{Bar, Bones, Missing, Out};

struct Case {
    path: &'static str,
    /// At which the file is keyed.
    fps: f64,
    /// Our take, and the same one as the readers count, who leave out takes without keys.
    takes: (usize, usize),
    leave: &'static [Leave],
}

/// Where the readers are; `None`, and said, without them.
struct Peers {
    home: PathBuf,
    scripts: PathBuf,
}

impl Peers {
    fn find() -> Option<Self> {
        let from = |name: &str, otherwise: PathBuf| std::env::var_os(name).map_or(otherwise, PathBuf::from);
        let cache = PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(".cache/stridesmith-peers");
        let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/peers");
        let peers = Self { home: from("PEERS_HOME", cache), scripts: from("STRIDESMITH_PEERS", beside) };
        let here = peers.home.join("assimp_dump").exists() && peers.scripts.join("blender_dump.py").exists();
        if !here {
            eprintln!("skipped: the other readers are not installed in {}", peers.home.display());
        }
        here.then_some(peers)
    }

    /// The reader's dump, if it makes one.
    fn dump(&self, reader: Reader, file: &Path, fps: f64, folder: &Path) -> Option<Value> {
        let out = folder.join(format!("{reader:?}.json"));
        let fps = fps.to_string();
        let mut command;
        match reader {
            Sdk => {
                let glb = folder.join("sdk");
                let mut convert = Command::new(self.home.join("js/node_modules/fbx2gltf/bin/Linux/FBX2glTF"));
                let whole = if fps == "24" || fps == "60" { &fps } else { "30" };
                convert.args(["-b", "--anim-framerate", &format!("bake{whole}"), "-i"]).arg(file).arg("-o").arg(&glb);
                convert.stdout(Stdio::null()).stderr(Stdio::null()).status().ok()?;
                command = Command::new("node");
                command.current_dir(self.home.join("js")).arg("three_dump.mjs").arg(glb.with_extension("glb"));
            }
            Assimp => {
                command = Command::new(self.home.join("assimp_dump"));
                command.env("NOPIVOT", "1").arg(file).args(["-n", "1"]);
            }
            Blender => {
                command = Command::new(self.home.join("bpy/bin/python"));
                command.arg(self.scripts.join("blender_dump.py")).arg(file).args(["--space", "yup", "--fbx", "legacy"]);
            }
        }
        command.arg("-o").arg(&out).args(["--fps", &fps]).stdout(Stdio::null()).stderr(Stdio::null()).status().ok()?;
        serde_json::from_slice(&std::fs::read(&out).ok()?).ok()
    }
}

/// One take of a dump. Shapes `[frames][bones]`.
struct Motion {
    names: Vec<String>,
    times: Vec<f64>,
    positions: Vec<Vec<DVec3>>,
    rotations: Vec<Vec<DQuat>>,
}

impl Motion {
    fn of(dump: &Value, take: usize) -> Option<Self> {
        let numbers = |value: &Value| {
            value.as_array().map(|list| list.iter().map(|n| n.as_f64().unwrap_or(f64::NAN)).collect::<Vec<_>>())
        };
        let rows = |key: &str| -> Option<Vec<Vec<Vec<f64>>>> {
            let frames = dump.get(format!("a{take}/{key}"))?.as_array()?;
            frames.iter().map(|bones| bones.as_array()?.iter().map(numbers).collect()).collect()
        };
        let positions =
            rows("wld_pos")?.iter().map(|bones| bones.iter().map(|p| DVec3::from_slice(p)).collect()).collect();
        let quat = |q: &Vec<f64>| DQuat::from_xyzw(q[1], q[2], q[3], q[0]);
        Some(Self {
            names: dump.get("names")?.as_array()?.iter().map(|name| plain(name.as_str().unwrap_or(""))).collect(),
            times: numbers(dump.get(format!("a{take}/time"))?)?,
            positions,
            rotations: rows("wld_rot")?.iter().map(|bones| bones.iter().map(quat).collect()).collect(),
        })
    }
}

/// What is left of a name when every reader has cleaned it.
fn plain(name: &str) -> String {
    name.chars().filter(|c| !"[].:/_ ".contains(*c)).collect::<String>().to_lowercase()
}

struct Agreement {
    frames: usize,
    missing: Vec<String>,
    /// Largest distance by the extent of the clip, and who.
    position: (f64, String),
    /// Degrees: absolute, or from the first frame on where a reader turns a bone's axes for good.
    rotation: (f64, String),
}

fn agreement(ours: &Motion, theirs: &Motion, is_unit_free: bool, skip: &[&str]) -> Agreement {
    let frames: Vec<(usize, usize)> = (0..ours.times.len())
        .filter_map(|i| theirs.times.iter().position(|t| (t - ours.times[i]).abs() < 1e-4).map(|j| (i, j)))
        .collect();
    let skip: Vec<String> = skip.iter().map(|name| plain(name)).collect();
    let wanted: Vec<(usize, &String)> =
        ours.names.iter().enumerate().filter(|(_, name)| !skip.contains(*name)).collect();
    let pairs: Vec<(usize, usize)> = wanted
        .iter()
        .filter_map(|(b, name)| theirs.names.iter().position(|other| other == *name).map(|c| (*b, c)))
        .collect();
    let missing =
        wanted.iter().filter(|(_, name)| !theirs.names.contains(name)).map(|(_, name)| (*name).clone()).collect();
    let all = || {
        frames
            .iter()
            .flat_map(|&(i, j)| pairs.iter().map(move |&(b, c)| (ours.positions[i][b], theirs.positions[j][c])))
    };
    let scale = if is_unit_free {
        all().map(|(a, b)| a.dot(b)).sum::<f64>() / all().map(|(_, b)| b.dot(b)).sum::<f64>()
    } else {
        1.0
    };
    let (low, high) =
        all().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), (a, _)| (low.min(a), high.max(a)));
    let extent = (high - low).max_element();
    let (mut position, mut rotation) = ((0.0, String::new()), (0.0, String::new()));
    for &(b, c) in &pairs {
        let apart = |(i, j): (usize, usize)| (ours.positions[i][b] - theirs.positions[j][c] * scale).length() / extent;
        let turned = |(i, j): (usize, usize)| angle_between(ours.rotations[i][b], theirs.rotations[j][c]).to_degrees();
        let Some(&(i0, j0)) = frames.first() else { break };
        let since_first = |(i, j): (usize, usize)| {
            let a = ours.rotations[i][b] * ours.rotations[i0][b].conjugate();
            angle_between(a, theirs.rotations[j][c] * theirs.rotations[j0][c].conjugate()).to_degrees()
        };
        let most = |f: &dyn Fn((usize, usize)) -> f64| frames.iter().map(|&frame| f(frame)).fold(0.0, f64::max);
        let (p, r) = (most(&apart), most(&turned).min(most(&since_first)));
        if p > position.0 {
            position = (p, ours.names[b].clone());
        }
        if r > rotation.0 {
            rotation = (r, ours.names[b].clone());
        }
    }
    Agreement { frames: frames.len(), missing, position, rotation }
}

/// Compares one file; says what is beyond its bar.
fn check(peers: &Peers, case: &Case, readers: &[Reader]) -> Vec<String> {
    let path = real_files::clips_folder().join(case.path);
    let Some(file) = real_files::open_clip(case.path) else { return Vec::new() };
    let mut text = Vec::new();
    dump::write(&mut text, &file.skeleton, &file.clips, FrameRate::new(case.fps)).unwrap();
    let ours = Motion::of(&serde_json::from_slice(&text).unwrap(), case.takes.0).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut faults = Vec::new();
    for &reader in readers {
        let (mut bar, mut may_miss, mut skip) = ((1e-5, 0.01), 0, &[][..]);
        let mut is_out = false;
        let who = format!("{} {reader:?}", case.path.rsplit('/').next().unwrap_or(case.path));
        for leave in case.leave {
            let why = match leave {
                Out(of, why) if *of == reader => {
                    is_out = true;
                    why
                }
                Missing(of, n, why) if *of == reader => {
                    may_miss = *n;
                    why
                }
                Bones(of, names, why) if *of == reader => {
                    skip = names;
                    why
                }
                Bar(of, position, degrees, why) if *of == reader => {
                    bar = (*position, *degrees);
                    why
                }
                _ => continue,
            };
            println!("{who}: {why}");
        }
        if is_out {
            continue;
        }
        let Some(theirs) =
            peers.dump(reader, &path, case.fps, folder.path()).and_then(|d| Motion::of(&d, case.takes.1))
        else {
            faults.push(format!("{who}: read nothing"));
            continue;
        };
        let found = agreement(&ours, &theirs, reader == Assimp, skip);
        println!(
            "{who}: {} frames, {:.2e} {}, {:.5}° {}",
            found.frames, found.position.0, found.position.1, found.rotation.0, found.rotation.1
        );
        if found.frames + 1 < ours.times.len() {
            faults.push(format!("{who}: {} of {} frames", found.frames, ours.times.len()));
        }
        if found.missing.len() > may_miss {
            faults.push(format!("{who}: bones not found: {:?}", found.missing));
        }
        if found.position.0 > bar.0 || found.rotation.0 > bar.1 {
            faults.push(format!(
                "{who}: {:.2e} {} {:.4}° {}",
                found.position.0, found.position.1, found.rotation.0, found.rotation.1
            ));
        }
    }
    faults
}

#[test]
fn the_sdk_and_assimp_read_the_same_motion() {
    let Some(peers) = Peers::find() else { return };
    let quick = ["zombie/walk.fbx", "sausage_7500_binary_combined.fbx", "Left Strafe Walk.fbx"];
    let cases = CASES.iter().filter(|case| quick.iter().any(|name| case.path.ends_with(name)));
    let faults: Vec<String> = cases.flat_map(|case| check(&peers, case, &[Sdk, Assimp])).collect();
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
#[ignore = "some minutes: Blender starts once per file"]
fn every_reader_reads_the_same_motion_from_every_file() {
    let Some(peers) = Peers::find() else { return };
    let faults: Vec<String> = CASES.iter().flat_map(|case| check(&peers, case, &[Sdk, Assimp, Blender])).collect();
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn every_listed_file_is_a_case() {
    for (path, _) in real_files::listed() {
        assert!(CASES.iter().any(|case| case.path == path), "{path}");
    }
}

const Z_UP: &str = "assimp leaves a Z-up file lying";
const ARMATURE: &str = "Blender makes the armature's node an object, not a bone";
const STRAIGHT: &str = "keys off the frames: this reader draws straight lines between them";
const SPARSE: &str =
    "keys less than a frame and a half apart are not sampled between, and here frames lie between them";
const OLD: &str = "does not read ASCII or files older than 7.1";
const TWINS: &str = "two nodes have this name once it is cleaned, and readers keep or number either";
const LAYERS: &str = "reads one layer only";
const BEZIER: &str = "keys most of a second apart: the SDK solves its Bézier curves to fewer digits";
const STILL: &str = "there is no animation in it";
const UNREAL: &str = "assimp is wrong on Unreal's exports";
const BAKED: &str = "fbx2gltf bakes at 24, 30 or 60 frames per second, and this is keyed at another rate";
const OTHERS: &str = "cameras, targets and the armature's node are no bones in Blender";
const CONTROLS: &str = "MotionBuilder's control rig is left out by this reader";
const LATE: &str = "the take starts late, which Blender's dump does not";
const RRS: &str = "fbx2gltf gives bones with segment scale compensation the scale 1, assimp ignores it";

#[rustfmt::skip]
const CASES: &[Case] = &[
    Case { path: "guillaumeblanc+ozz-animation/media/fbx/pab/walk.fbx", fps: 30.0, takes: (0, 0), leave: &[Missing(Blender, 9, OTHERS)] },
    Case { path: "guillaumeblanc+ozz-animation/media/fbx/pab/run.fbx", fps: 30.0, takes: (0, 0), leave: &[Out(Assimp, STRAIGHT), Out(Blender, STRAIGHT)] },
    Case { path: "guillaumeblanc+ozz-animation/media/fbx/pab/locomotions.fbx", fps: 30.0, takes: (0, 0), leave: &[Bar(Sdk, 5e-5, 0.02, SPARSE), Out(Assimp, STRAIGHT), Out(Blender, STRAIGHT)] },
    Case { path: "guillaumeblanc+ozz-animation/media/fbx/pab/jog.fbx", fps: 30.0, takes: (0, 0), leave: &[Bar(Sdk, 1e-5, 0.02, SPARSE), Out(Assimp, STRAIGHT), Out(Blender, STRAIGHT)] },
    Case { path: "guillaumeblanc+ozz-animation/media/fbx/pab/skeleton.fbx", fps: 30.0, takes: (0, 0), leave: &[Bones(Sdk, &["Spine1"], TWINS), Bones(Assimp, &["Spine1"], TWINS), Bones(Blender, &["Spine1"], TWINS), Missing(Assimp, 80, CONTROLS), Missing(Blender, 80, CONTROLS)] },
    Case { path: "beep2bleep+FreeAssetsByKenneyNLandQuaternius/FreeModels by Quaternius[Patreon]/Characters and Animals/Animated Men Characters - Feb 2019/FBX/Male_Casual.fbx", fps: 24.0, takes: (0, 0), leave: &[Missing(Blender, 1, ARMATURE)] },
    Case { path: "beep2bleep+FreeAssetsByKenneyNLandQuaternius/FreeModels by Quaternius[Patreon]/Characters and Animals/Animated Robot - Oct 2018/FBX/Robot.fbx", fps: 24.0, takes: (0, 0), leave: &[Bones(Sdk, &["Torso"], TWINS), Bones(Assimp, &["Torso"], TWINS), Missing(Blender, 1, ARMATURE)] },
    Case { path: "beep2bleep+FreeAssetsByKenneyNLandQuaternius/FreeModels by Quaternius[Patreon]/Characters and Animals/Alien Animated - April 2019/FBX/Alien.fbx", fps: 24.0, takes: (0, 0), leave: &[Bones(Assimp, &["Foot.R_end", "Foot.L_end"], TWINS), Missing(Blender, 1, ARMATURE)] },
    Case { path: "beep2bleep+FreeAssetsByKenneyNLandQuaternius/FreeModels by Quaternius[Patreon]/Characters and Animals/Woman Animated - Dec 2017/FBX/Animated Woman.fbx", fps: 24.0, takes: (0, 0), leave: &[Bar(Assimp, 5e-5, 0.01, STRAIGHT), Bar(Blender, 5e-5, 0.01, STRAIGHT), Missing(Blender, 1, ARMATURE)] },
    Case { path: "beep2bleep+FreeAssetsByKenneyNLandQuaternius/FreeModels by Quaternius[Patreon]/Characters and Animals/Zombie Animated - Jan 2018/FBX/Zombie.fbx", fps: 24.0, takes: (0, 0), leave: &[Bar(Assimp, 5e-5, 0.01, STRAIGHT), Bar(Blender, 5e-5, 0.01, STRAIGHT), Missing(Blender, 1, ARMATURE)] },
    Case { path: "beep2bleep+FreeAssetsByKenneyNLandQuaternius/FreeModels by Quaternius[Patreon]/Characters and Animals/Monster Pack Animated - Aug 2018/FBX/Skeleton.fbx", fps: 30.0, takes: (0, 0), leave: &[Missing(Blender, 1, ARMATURE)] },
    Case { path: "beep2bleep+FreeAssetsByKenneyNLandQuaternius/FreeModels by Quaternius[Patreon]/Characters and Animals/Farm Animals Animated  - Jun 2018/FBX/Horse.fbx", fps: 24.0, takes: (0, 0), leave: &[Missing(Blender, 1, ARMATURE)] },
    Case { path: "scottpetrovic+mesh2motion-app/static/animations/CarnegieMellonAnimations/91_48.fbx", fps: 30.0, takes: (0, 0), leave: &[Missing(Blender, 1, ARMATURE)] },
    Case { path: "OlafHaag+bvh-toolbox/tests/example_files/source/template.fbx", fps: 30.0, takes: (0, 0), leave: &[Bar(Assimp, 5e-5, 0.03, STRAIGHT), Bar(Blender, 5e-5, 0.03, STRAIGHT)] },
    Case { path: "simondevyoutube+ThreeJS_Tutorial_ThirdPersonCamera/resources/zombie/walk.fbx", fps: 30.0, takes: (0, 0), leave: &[] },
    Case { path: "Vrm4+Threejs-Human-Walking-Animation/public/models/Left Strafe Walk.fbx", fps: 30.0, takes: (0, 0), leave: &[] },
    Case { path: "ToadSageDan+Shinobi-RPG1/Start Walking.fbx", fps: 30.0, takes: (1, 0), leave: &[] },
    Case { path: "ToadSageDan+Shinobi-RPG1/Left Turn.fbx", fps: 30.0, takes: (1, 0), leave: &[] },
    Case { path: "ToadSageDan+Shinobi-RPG1/Stumble Backwards.fbx", fps: 30.0, takes: (1, 0), leave: &[] },
    Case { path: "ToadSageDan+Shinobi-RPG1/Running Arc.fbx", fps: 30.0, takes: (1, 0), leave: &[] },
    Case { path: "PacktPublishing+Game-Development-Projects-with-Unreal-Engine/Chapter02/Exercise2.03/ExerciseFiles/ThirdPersonWalk.FBX", fps: 29.0, takes: (0, 0), leave: &[Out(Sdk, BAKED), Out(Assimp, UNREAL), Missing(Blender, 1, ARMATURE)] },
    Case { path: "PacktPublishing+Game-Development-Projects-with-Unreal-Engine/Chapter02/Exercise2.03/ExerciseFiles/ThirdPersonRun.FBX", fps: 85.0 / 3.0, takes: (0, 0), leave: &[Out(Sdk, BAKED), Out(Assimp, UNREAL), Missing(Blender, 1, ARMATURE)] },
    Case { path: "CaseyHofland+com.caseyhofland.tutorial.rootmotion/Samples~/Animation Setup/Walk.fbx", fps: 60.0, takes: (0, 0), leave: &[] },
    Case { path: "CaseyHofland+com.caseyhofland.tutorial.rootmotion/Samples~/Root Motion Animator/1_Turning/Run_TurnShort.fbx", fps: 30.0, takes: (0, 0), leave: &[] },
    Case { path: "CaseyHofland+com.caseyhofland.tutorial.rootmotion/Samples~/Root Motion Animator/2_Pivoting/Run_Pivot180.fbx", fps: 30.0, takes: (0, 0), leave: &[Out(Blender, LATE)] },
    Case { path: "ufbx+ufbx/data/maya_game_sausage_6100_ascii_combined.fbx", fps: 24.0, takes: (0, 0), leave: &[Out(Assimp, OLD), Out(Blender, OLD)] },
    Case { path: "ufbx+ufbx/data/maya_game_sausage_7500_binary_combined.fbx", fps: 24.0, takes: (0, 0), leave: &[Out(Blender, LATE)] },
    Case { path: "ufbx+ufbx/data/max7_skin_5000_binary.fbx", fps: 30.0, takes: (0, 0), leave: &[Out(Assimp, OLD), Out(Blender, OLD)] },
    Case { path: "ufbx+ufbx/data/max_transformed_skin_7500_binary.fbx", fps: 1.25, takes: (0, 0), leave: &[Out(Assimp, Z_UP)] },
    Case { path: "ufbx+ufbx/data/maya_anim_interpolation_7700_ascii.fbx", fps: 6.0, takes: (0, 0), leave: &[Out(Assimp, STRAIGHT), Out(Blender, OLD)] },
    Case { path: "ufbx+ufbx/data/maya_anim_layers_over_acc_7500_ascii.fbx", fps: 24.0, takes: (0, 0), leave: &[Bar(Sdk, 5e-5, 0.01, BEZIER), Out(Assimp, LAYERS), Out(Blender, OLD)] },
    Case { path: "ufbx+ufbx/data/synthetic_pre_post_rotate_7500_ascii.fbx", fps: 24.0, takes: (0, 0), leave: &[Out(Sdk, STILL), Out(Assimp, STILL), Out(Blender, STILL)] },
    Case { path: "ufbx+ufbx/data/maya_slime_7500_ascii.fbx", fps: 30.0, takes: (0, 0), leave: &[Bones(Sdk, &["Slime_002:bnd_top"], RRS), Bones(Assimp, &["Slime_002:bnd_top"], RRS), Out(Blender, OLD)] },
    Case { path: "ufbx+ufbx/data/maya_kenney_character_7700_binary.fbx", fps: 24.0, takes: (0, 0), leave: &[Missing(Blender, 1, ARMATURE)] },
];
