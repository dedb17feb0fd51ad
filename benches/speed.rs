//! How fast we are beside a peer or a floor, as ratios of one run: machines are noisy, ratios are less so.
//!
//! `cargo bench --no-default-features` prints a table; `-- extract` its part of that name (fbx, glb, command, bvh,
//! extract, sample). Ours and theirs take turns; the smallest time of each counts.

#![allow(clippy::print_stdout, missing_docs, reason = "a bench prints its table")]

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use glam::{DAffine3, DQuat, DVec3};
use stridesmith::formats::{NoFetch, ReadOptions, bvh, read};
use stridesmith::motion::transform::slerp;
use stridesmith::motion::{
    Clip, ComponentPose, FileId, LocalPose, Property, Rig, RoleOverrides, Sampler, SourceFile, Transform, demo,
};
use stridesmith::ops::path::{PathMode, PathSettings, YawSource};
use stridesmith::ops::root_motion::{Extract, RootSettings};
use stridesmith::ops::{OpInput, Progress};

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let wants = |name: &str| wanted.is_empty() || wanted.iter().any(|part| name.contains(part.as_str()));
    println!("{:<58} {:>11} {:>11} {:>7}  {:>7}", "what", "ours", "theirs", "ratio", "bar");
    let clips = clips();
    if clips.is_none() {
        println!("skipped: FBX and GLB loading and the whole command, no clips at hand (set STRIDESMITH_CLIPS)");
    }
    if let Some(clips) = &clips {
        let all = ["fbx", "glb", "command"].into_iter().zip([fbx_load, glb_load, whole_command] as [fn(&Path); 3]);
        all.filter(|(name, _)| wants(name)).for_each(|(_, bench)| bench(clips));
    }
    let all = ["bvh", "extract", "sample"].into_iter().zip([bvh_load, extraction, sampling] as [fn(); 3]);
    all.filter(|(name, _)| wants(name)).for_each(|(_, bench)| bench());
}

fn clips() -> Option<PathBuf> {
    let given = std::env::var_os("STRIDESMITH_CLIPS").map(PathBuf::from);
    let folder = given.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/clips"));
    folder.is_dir().then_some(folder)
}

/// Smallest time of each, taking turns for about `secs`.
fn turns(secs: f64, mut ours: impl FnMut(), mut theirs: impl FnMut()) -> (Duration, Duration) {
    let begun = Instant::now();
    let mut best = (Duration::MAX, Duration::MAX);
    let mut rounds = 0;
    while begun.elapsed().as_secs_f64() < secs || rounds < 5 {
        let at = Instant::now();
        ours();
        best.0 = best.0.min(at.elapsed());
        let at = Instant::now();
        theirs();
        best.1 = best.1.min(at.elapsed());
        rounds += 1;
    }
    best
}

/// `bar`: the ratio ours ÷ theirs must not exceed.
fn row(what: &str, (ours, theirs): (Duration, Duration), bar: f64) {
    let ratio = ours.as_secs_f64() / theirs.as_secs_f64();
    let verdict = if ratio <= bar { "" } else { "  MISSED" };
    println!(
        "{what:<58} {:>8.1} µs {:>8.1} µs {ratio:>7.3}  {bar:>7.3}{verdict}",
        ours.as_secs_f64() * 1e6,
        theirs.as_secs_f64() * 1e6
    );
}

fn load(path: &Path) -> (Arc<[u8]>, ReadOptions) {
    (
        std::fs::read(path).map(Arc::from).unwrap_or_else(|error| panic!("{}: {error}", path.display())),
        ReadOptions::default(),
    )
}

fn fbx_load(clips: &Path) {
    for name in [
        "ToadSageDan+Shinobi-RPG1/Running Arc.fbx",
        "ToadSageDan+Shinobi-RPG1/Left Turn.fbx",
        "ToadSageDan+Shinobi-RPG1/Start Walking.fbx",
        "ToadSageDan+Shinobi-RPG1/Stumble Backwards.fbx",
        "guillaumeblanc+ozz-animation/media/fbx/pab/locomotions.fbx",
        "PacktPublishing+Game-Development-Projects-with-Unreal-Engine/Chapter02/Exercise2.03/ExerciseFiles/ThirdPersonWalk.FBX",
    ] {
        let path = clips.join(name);
        let (bytes, options) = load(&path);
        let ours = || {
            black_box(
                read(FileId(0), &path, bytes.clone(), &NoFetch, &options).map(|file| file.clips.len()).unwrap_or(0),
            );
        };
        let theirs = || {
            let scene =
                ufbx::load_memory(&bytes, ufbx_options()).unwrap_or_else(|error| panic!("{}", error.description));
            let rate = scene.settings.frames_per_second;
            for stack in &scene.anim_stacks {
                let bake = ufbx::BakeOpts { resample_rate: rate, ..Default::default() };
                black_box(ufbx::bake_anim(&scene, &stack.anim, bake).map(|baked| baked.nodes.len()).unwrap_or(0));
            }
        };
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        row(&format!("FBX load / ufbx load + bake: {file}"), turns(1.5, ours, theirs), 1.2);
    }
}

fn ufbx_options() -> ufbx::LoadOpts<'static> {
    ufbx::LoadOpts {
        target_axes: ufbx::CoordinateAxes::right_handed_y_up(),
        target_unit_meters: 1.0,
        space_conversion: ufbx::SpaceConversion::ModifyGeometry,
        ..Default::default()
    }
}

fn glb_load(clips: &Path) {
    for name in [
        "Mesh2Motion+mesh2motion-app/static/test-files/retarget testing/m2m-sample-rig.glb",
        "sketchpunklabs+kaykit_char/res/anim/Med_MovementBasic.glb",
        "slyedoc+bevy_make_human/assets/animations/main_skeleton.glb",
        "raysan5+raylib/examples/models/resources/models/gltf/robot.glb",
        "gdquest-demos+godot-3d-mannequin/godot/assets/3d/mannequiny/mannequiny-0.3.0.glb",
    ] {
        let path = clips.join(name);
        let (bytes, options) = load(&path);
        let ours = || {
            black_box(
                read(FileId(0), &path, bytes.clone(), &NoFetch, &options).map(|file| file.clips.len()).unwrap_or(0),
            );
        };
        let theirs = || {
            black_box(gltf_channels(&bytes));
        };
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        row(&format!("GLB load / gltf crate, every channel: {file}"), turns(1.0, ours, theirs), 1.5);
    }
}

/// The crate parses, and every channel's times and values are collected.
fn gltf_channels(bytes: &[u8]) -> usize {
    let gltf = gltf::Gltf::from_slice(bytes).unwrap_or_else(|error| panic!("{error}"));
    let blob = gltf.blob.as_deref();
    let mut values = 0;
    for animation in gltf.animations() {
        for channel in animation.channels() {
            let reader = channel.reader(|_| blob);
            let times: Vec<f32> = reader.read_inputs().into_iter().flatten().collect();
            values += times.len();
            match reader.read_outputs() {
                Some(gltf::animation::util::ReadOutputs::Translations(v)) => values += v.collect::<Vec<_>>().len(),
                Some(gltf::animation::util::ReadOutputs::Scales(v)) => values += v.collect::<Vec<_>>().len(),
                Some(gltf::animation::util::ReadOutputs::Rotations(v)) => {
                    values += v.into_f32().collect::<Vec<_>>().len();
                }
                Some(gltf::animation::util::ReadOutputs::MorphTargetWeights(v)) => {
                    values += v.into_f32().collect::<Vec<_>>().len();
                }
                None => {}
            }
        }
    }
    values
}

/// CPU seconds and peak memory in KiB of a command, by Python's `resource`; `None` without Python or when it fails.
fn cost(command: &[&std::ffi::OsStr]) -> Option<(f64, f64)> {
    // The difference: a Python that is started by a script of its own has children already.
    const MEASURE: &str = "import resource, subprocess, sys\n\
        used = lambda: resource.getrusage(resource.RUSAGE_CHILDREN)\n\
        before = used().ru_utime + used().ru_stime\n\
        subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)\n\
        print(used().ru_utime + used().ru_stime - before, used().ru_maxrss)";
    let output = std::process::Command::new("python3").arg("-c").arg(MEASURE).args(command).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let mut numbers = text.split_whitespace().filter_map(|word| word.parse().ok());
    numbers.next().zip(numbers.next())
}

/// Load, extract, write, prove and publish, against Blender doing the same as its add-ons do: a character of human
/// size, and one that is 85 m tall, whose 0.1 mm ask for many more keys.
fn whole_command(clips: &Path) {
    for (name, hips) in [
        ("simondevyoutube+ThreeJS_Tutorial_ThirdPersonCamera/resources/zombie/walk.fbx", "Hips"),
        ("scottpetrovic+mesh2motion-app/static/animations/CarnegieMellonAnimations/91_48.fbx", "hip"),
    ] {
        command_on(&clips.join(name), hips);
    }
}

fn command_on(file: &Path, hips: &str) {
    let Ok(folder) = tempfile::tempdir() else { return };
    let program = Path::new(env!("CARGO_BIN_EXE_stridesmith"));
    let ours = [program.as_os_str(), "extract".as_ref(), file.as_os_str(), "-o".as_ref(), folder.path().as_os_str()];
    // Ten runs: one is too short for the clock.
    let costs: Vec<(f64, f64)> = (0..10).filter_map(|_| cost(&ours)).collect();
    let Some(memory) = costs.iter().map(|cost| cost.1).reduce(f64::max) else {
        println!("skipped: the whole command, it needs python3 to be measured");
        return;
    };
    let secs = costs.iter().map(|cost| cost.0).sum::<f64>() / costs.len() as f64;
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    println!("extract {name}, whole command: {:.1} ms CPU, {:.1} MiB peak (bar 30)", secs * 1e3, memory / 1024.0);
    let home = std::env::var_os("PEERS_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache/stridesmith-peers")));
    let peers = std::env::var_os("STRIDESMITH_PEERS").map(PathBuf::from);
    let script = peers
        .unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/peers"))
        .join("blender_rootmotion.py");
    let Some(python) = home.map(|home| home.join("bpy/bin/python")).filter(|python| python.is_file()) else {
        println!("skipped: Blender's CPU, it is not installed");
        return;
    };
    let out = folder.path().join("blender.glb");
    let theirs =
        [python.as_os_str(), script.as_os_str(), file.as_os_str(), out.as_os_str(), "--hips".as_ref(), hips.as_ref()];
    match cost(&theirs) {
        Some((blender, _)) => row(
            &format!("extract {name}, whole command / Blender add-on way"),
            (Duration::from_secs_f64(secs), Duration::from_secs_f64(blender)),
            1.0 / 60.0,
        ),
        None => println!("skipped: Blender's CPU, its script failed"),
    }
}

/// A skeleton of 60 joints with `frames` rows of numbers as motion capture writes them.
fn bvh_text(frames: usize) -> String {
    use std::fmt::Write as _;
    let mut text = String::from(
        "HIERARCHY\nROOT Hips\n{\nOFFSET 0 95 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n",
    );
    for joint in 1..60 {
        let _ =
            write!(text, "JOINT j{joint}\n{{\nOFFSET 0 {} 1.5\nCHANNELS 3 Zrotation Xrotation Yrotation\n", joint % 7);
    }
    text.push_str("End Site\n{\nOFFSET 0 1 0\n}\n");
    text.push_str(&"}\n".repeat(60));
    let _ = write!(text, "MOTION\nFrames: {frames}\nFrame Time: 0.008333\n");
    for frame in 0..frames {
        for channel in 0..183 {
            let value = (f64::from(channel as u32) * 0.7 + frame as f64 * 0.013).sin() * 80.0;
            let _ = write!(text, "{value:.6} ");
        }
        text.push('\n');
    }
    text
}

fn bvh_load() {
    let text = bvh_text(4000);
    let bytes = text.as_bytes();
    let limits = stridesmith::formats::Limits::default();
    let ours = || {
        black_box(bvh::parse(bytes, &limits).map(|table| table.frames).unwrap_or(0));
    };
    let theirs = || {
        black_box(bvh_anim::from_bytes(bytes).map(|bvh| bvh.num_frames()).unwrap_or(0));
    };
    let best = turns(4.0, ours, theirs);
    println!(
        "BVH text: {:.0} MB, ours {:.0} MB/s",
        bytes.len() as f64 / 1e6,
        bytes.len() as f64 / best.0.as_secs_f64() / 1e6
    );
    row("BVH bytes → channel table / bvh_anim", best, 1.0 / 2.2);
    let path = Path::new("bench.bvh");
    let shared: Arc<[u8]> = bytes.into();
    let options = ReadOptions { metres_per_unit: Some(0.01), ..ReadOptions::default() };
    let whole = || {
        black_box(read(FileId(0), path, shared.clone(), &NoFetch, &options).map(|file| file.clips.len()).unwrap_or(0));
    };
    let table = || {
        black_box(bvh::parse(bytes, &limits).map(|table| table.frames).unwrap_or(0));
    };
    let best = turns(3.0, whole, table);
    println!("BVH table → quaternions: {:.1} ms", (best.0.saturating_sub(best.1)).as_secs_f64() * 1e3);
}

/// A generated walk at 60 fps on the Unreal-style rig: 451 frames or so.
fn walk() -> SourceFile {
    let mut spec = demo::DemoSpec::new(demo::Gait::Walk, demo::Family::Unreal);
    spec.rate = stridesmith::motion::FrameRate::new(60.0).unwrap_or(spec.rate);
    spec.cycles = 7;
    demo::generate(&spec, FileId(0)).unwrap_or_else(|error| panic!("{error}")).file
}

fn extraction() {
    let file = walk();
    let clip = &file.clips[0];
    let rig = Rig::detect(&file.skeleton, &[], &RoleOverrides::default()).with_travel(clip, &RoleOverrides::default());
    for (path, yaw, what) in [
        (PathMode::Raw, YawSource::None, "raw"),
        (PathMode::Smoothed, YawSource::None, "smoothed"),
        (PathMode::Smoothed, YawSource::PelvisDelta, "smoothed, with yaw"),
    ] {
        let settings = PathSettings { path, yaw, sigma_secs: Some(0.4), ..PathSettings::default() };
        let op = Extract { path: settings, root: RootSettings::default() };
        let input = OpInput { clip, rig: &rig, source_clip: clip };
        let progress = Progress::default();
        let out = op.apply(&input, &progress).unwrap_or_else(|error| panic!("{error}")).clip;
        // The floor: the tracks that came out different, decoded and encoded again.
        let changed: Vec<(Property, Arc<stridesmith::motion::Track>)> = out
            .skeleton
            .indices()
            .flat_map(|bone| Property::ALL.map(|property| (bone, property)))
            .filter_map(|(bone, property)| {
                let new = out.track(bone, property)?;
                let same = clip.track(bone, property).is_some_and(|old| Arc::ptr_eq(old, new));
                (!same).then(|| (property, new.clone()))
            })
            .collect();
        let floor = || {
            for (property, track) in &changed {
                black_box(rewrite(*property, track));
            }
        };
        let ours = || {
            black_box(op.apply(&input, &progress).map(|out| out.clip.tracks.len()).unwrap_or(0));
        };
        let frames = clip.tracks.iter().flatten().flatten().map(|track| track.times.len()).max().unwrap_or(0);
        let what = format!("extract {what} / rewrite of {} tracks, {frames} keys", changed.len());
        row(&what, turns(1.0, ours, floor), 25.0);
    }
}

fn rewrite(property: Property, track: &stridesmith::motion::Track) -> Arc<[f32]> {
    let mut values = Vec::with_capacity(track.values.len());
    for i in 0..track.times.len() {
        if property == Property::Rotation {
            values.extend(track.quat_key(i).to_array().map(|v| v as f32));
        } else {
            values.extend(track.vec3_key(i).to_array().map(|v| v as f32));
        }
    }
    values.into()
}

/// A dense grid of local transforms, and the plainest loop over it that gives the same poses.
struct Dense {
    frames: Vec<Vec<Transform>>,
    parents: Vec<Option<usize>>,
    start: f64,
    fps: f64,
}

impl Dense {
    fn new(clip: &Clip, fps: f64) -> Self {
        let mut sampler = Sampler::new(clip);
        let n = (clip.range.duration_secs() * fps).round() as usize + 1;
        let frames = (0..n)
            .map(|i| {
                let mut local = LocalPose::node_pose(&clip.skeleton);
                sampler.local(clip.range.start_secs + i as f64 / fps, &mut local);
                local.0
            })
            .collect();
        let parents = clip.skeleton.bones().iter().map(|bone| bone.parent.map(|parent| parent.get())).collect();
        Self { frames, parents, start: clip.range.start_secs, fps }
    }

    fn pose(&self, secs: f64, component: &mut [DAffine3]) {
        let x = ((secs - self.start) * self.fps).clamp(0.0, (self.frames.len() - 1) as f64);
        let i = (x as usize).min(self.frames.len() - 2);
        let u = x - i as f64;
        let (a, b) = (&self.frames[i], &self.frames[i + 1]);
        for bone in 0..a.len() {
            let translation: DVec3 = a[bone].translation.lerp(b[bone].translation, u);
            let rotation: DQuat = slerp(a[bone].rotation, b[bone].rotation, u);
            let scale: DVec3 = a[bone].scale.lerp(b[bone].scale, u);
            let own = DAffine3::from_scale_rotation_translation(scale, rotation, translation);
            component[bone] = self.parents[bone].map_or(own, |parent| component[parent] * own);
        }
    }
}

fn sampling() {
    let file = walk();
    let clip = &file.clips[0];
    let dense = Dense::new(clip, clip.rate.fps());
    let bones = clip.skeleton.len();
    let duration = clip.range.duration_secs();
    let forward: Vec<f64> = (0..2000).map(|i| f64::from(i) / 2000.0 * duration).collect();
    // Steps of the golden ratio visit every part of the clip, never two neighbours in a row.
    let random: Vec<f64> = (0..2000).map(|i| (f64::from(i) * 0.618_033_988_749_895).fract() * duration).collect();
    let mut sampler = Sampler::new(clip);
    let mut local = LocalPose::node_pose(&clip.skeleton);
    let mut component = ComponentPose::new(&clip.skeleton);
    let mut ours = |times: &[f64]| {
        for &secs in times {
            sampler.local(secs, &mut local);
            component.set(&clip.skeleton, &local);
            black_box(&component);
        }
    };
    let mut out = vec![DAffine3::IDENTITY; bones];
    let mut theirs = |times: &[f64]| {
        for &secs in times {
            dense.pose(secs, &mut out);
            black_box(&out);
        }
    };
    let best = turns(2.0, || ours(&forward), || theirs(&forward));
    let per_bone = best.0.as_secs_f64() / 2000.0 / bones as f64 * 1e9;
    println!("sample + component: {per_bone:.1} ns per bone, {bones} bones");
    row("sample + component / dense loop", best, 1.3);
    let mut again = Sampler::new(clip);
    let mut local = LocalPose::node_pose(&clip.skeleton);
    let mut component = ComponentPose::new(&clip.skeleton);
    let mut run = |times: &[f64]| {
        let begun = Instant::now();
        for &secs in times {
            again.local(secs, &mut local);
            component.set(&clip.skeleton, &local);
            black_box(&component);
        }
        begun.elapsed()
    };
    let mut best = (Duration::MAX, Duration::MAX);
    for _ in 0..60 {
        best = (best.0.min(run(&random)), best.1.min(run(&forward)));
    }
    row("sample + component, random / forward", best, 1.1);
}
