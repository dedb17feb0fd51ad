//! Files and exports made in code.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use std::path::Path;
use std::sync::{Arc, OnceLock};

use glam::{DAffine3, DQuat, DVec3};
use stridesmith::formats::sidecar::{Record, Source};
use stridesmith::formats::{self, ExportClip, FolderFetch, Limits, NoFetch, ReadOptions};
use stridesmith::motion::*;
use stridesmith::ops::SkeletonPatch;

/// A PNG of one red pixel.
pub const PNG: &[u8] = &[
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1, 8,
    2, 0, 0, 0, 0x90, 0x77, 0x53, 0xDE, 0, 0, 0, 0x0C, 0x49, 0x44, 0x41, 0x54, 8, 0xD7, 0x63, 0xF8, 0xCF, 0xC0, 0, 0,
    3, 1, 1, 0, 0x18, 0xDD, 0x8D, 0xB0, 0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
];

pub fn bone(name: &str, parent: Option<u32>, at: [f64; 3]) -> Bone {
    Bone {
        name: name.into(),
        parent: parent.map(BoneIndex),
        node_pose: Transform::rigid(DVec3::from(at), DQuat::IDENTITY),
        bind_pose: None,
        is_joint: true,
        node: None,
    }
}

/// A file without skins and meshes, as from BVH.
pub fn file(format: Format, bones: Vec<Bone>) -> SourceFile {
    SourceFile {
        id: FileId(1),
        path: "made/walk.bvh".into(),
        modified: None,
        bytes: Arc::from(&[][..]),
        side_files: Vec::new(),
        format,
        description: String::new(),
        space: FileSpace::OURS,
        skeleton: Arc::new(Skeleton::new(bones).unwrap()),
        clips: Vec::new(),
        meshes: Vec::new(),
        skins: Vec::new(),
        materials: Vec::new(),
        textures: Vec::new(),
        declared_roles: Vec::new(),
        warnings: Vec::new(),
        hash: OnceLock::new(),
    }
}

/// Armature (turned and scaled as from Blender's FBX), Hips, Spine and two legs; skinned triangles with a texture.
pub fn character() -> SourceFile {
    let mut armature = bone("Armature", None, [0.0; 3]);
    armature.is_joint = false;
    armature.node_pose.rotation = DQuat::from_rotation_x(-std::f64::consts::FRAC_PI_2);
    armature.node_pose.scale = DVec3::splat(0.01);
    let mut bones = vec![
        armature,
        bone("Hips", Some(0), [0.0, 0.0, 95.0]),
        bone("Spine", Some(1), [0.0, 0.0, 20.0]),
        bone("Leg_L", Some(1), [9.0, 0.0, -5.0]),
        bone("Leg_R", Some(1), [-9.0, 0.0, -5.0]),
    ];
    let component = Skeleton::new(bones.clone()).unwrap().node_pose_component();
    for (bone, at) in bones.iter_mut().zip(&component).skip(1) {
        bone.bind_pose = Some(*at);
    }
    let mut file = file(Format::Generated, bones);
    file.skins = vec![Skin {
        joints: (1..5).map(BoneIndex).collect(),
        inverse_binds: component[1..].iter().map(DAffine3::inverse).collect(),
    }];
    file.textures = vec![Texture { name: "red".into(), bytes: Arc::from(PNG) }];
    file.materials = vec![Material { name: "skin".into(), base_color: [0.8, 0.7, 0.6, 1.0], base_texture: Some(0) }];
    let mesh = Mesh {
        name: "Body".into(),
        skin: Some(0),
        positions: vec![[0.0, 0.0, 0.0], [0.1, 1.0, 0.0], [-0.1, 1.0, 0.0]],
        normals: vec![[0.0, 0.0, 2.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]],
        uvs: vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]],
        joints: vec![[0, 0, 3, 9], [1, 2, 0, 0], [2, 3, 0, 0]],
        weights: vec![[0.5, 0.25, 0.25, 1.0], [3.0, 1.0, 0.0, 0.0], [0.1, 0.2, 0.0, 0.0]],
        indices: vec![0, 1, 2, 0, 2, 7],
        material: Some(0),
        ..Mesh::default()
    };
    let prop = Mesh {
        name: "Cap".into(),
        skin: None,
        carried_by: Some(BoneIndex(2)),
        at: DAffine3::from_translation(DVec3::new(0.0, 0.0, 10.0)),
        joints: Vec::new(),
        weights: Vec::new(),
        material: None,
        ..mesh.clone()
    };
    file.meshes = vec![mesh.clone(), mesh, prop];
    file
}

pub fn track(property: Property, times: &[f64], values: &[f32], interpolation: Interpolation) -> Track {
    let times = Arc::new(Times::from_keys(times.to_vec()).unwrap());
    Track::new(property, times, values.into(), interpolation).unwrap()
}

/// Frames of a walk of 1 s at 30 fps that starts at 0.5 s: hips travel, spine and legs turn; the spine by spline.
pub fn walk(skeleton: &Arc<Skeleton>) -> Clip {
    let range = TimeRange { start_secs: 0.5, end_secs: 1.5 };
    let mut clip = Clip::empty("Walk", Arc::clone(skeleton), range, FrameRate::new(30.0).unwrap());
    let times: Vec<f64> = (0..=30).map(|i| f64::from((0.5 + f64::from(i) / 30.0) as f32)).collect();
    let hips: Vec<f32> =
        (0..=30).flat_map(|i| [i as f32 * 0.1, -(i as f32) * 4.0, 95.0 + (i as f32 * 0.4).sin()]).collect();
    let bone = |name| skeleton.find(name).unwrap();
    clip.set_track(
        bone("Hips"),
        Property::Translation,
        track(Property::Translation, &times, &hips, Interpolation::Linear),
    );
    for (name, phase) in [("Leg_L", 0.0_f32), ("Leg_R", 3.0)] {
        let turn: Vec<f32> = (0..=30)
            .flat_map(|i| DQuat::from_rotation_x(f64::from((i as f32 * 0.42 + phase).sin()) * 0.6).to_array())
            .map(|c| c as f32)
            .collect();
        clip.set_track(bone(name), Property::Rotation, track(Property::Rotation, &times, &turn, Interpolation::Linear));
    }
    let mut spline = Vec::new();
    for i in 0..3 {
        let q = DQuat::from_rotation_z(0.2 * f64::from(i)).to_array().map(|c| c as f32);
        spline.extend([0.0, 0.1, 0.0, 0.0]);
        spline.extend(q);
        spline.extend([0.0, -0.1, 0.05, 0.0]);
    }
    let keys = [0.5, 0.75, 1.5];
    clip.set_track(
        bone("Spine"),
        Property::Rotation,
        track(Property::Rotation, &keys, &spline, Interpolation::CubicSpline),
    );
    let jumps = [1.0, 1.0, 1.0, 1.0, 1.0, 1.5, 1.0, 1.0, 1.0];
    clip.set_track(
        bone("Spine"),
        Property::Scale,
        track(Property::Scale, &[0.5, 0.9, 1.2], &jumps, Interpolation::Step),
    );
    clip.markers.push(Marker { track: "FootSync".into(), name: "foot_l".into(), time_secs: 0.7, ours: true });
    clip
}

pub fn exported(name: &str, clip: Clip, patch: Option<SkeletonPatch>) -> ExportClip {
    let source = Source { file: "walk.bvh".into(), sha256: "00".into(), clip: clip.name.clone() };
    let record = Record::of(&clip, source);
    ExportClip { name: name.into(), clip: Arc::new(clip), patch, record }
}

/// Puts a root above a bone that carries `travel` (metres of its parent's space per key of the bone's translation),
/// which is taken from that bone: nothing else moves.
pub fn with_root(clip: &Clip, above: &str, reference: Transform, travel: DVec3) -> (Clip, SkeletonPatch) {
    let at = clip.skeleton.find(above).unwrap();
    let path = clip.skeleton.path(at).to_owned();
    let root = Bone { node_pose: reference, is_joint: true, ..bone("root", None, [0.0; 3]) };
    let skeleton = clip.skeleton.with_bone_above(at, root).unwrap();
    let mut tracks = clip.tracks.clone();
    tracks.insert(at.get(), [None, None, None]);
    let mut patched = Clip { skeleton, tracks, ..clip.clone() };
    let below = BoneIndex(at.0 + 1);
    let node = clip.skeleton.bone(at).node_pose.translation;
    let times = clip.track(at, Property::Translation).map_or_else(
        || Arc::new(Times::from_keys(vec![clip.range.start_secs, clip.range.end_secs]).unwrap()),
        |track| Arc::clone(&track.times),
    );
    let step = |i: usize| travel * i as f64;
    let old = |i: usize| match clip.track(at, Property::Translation) {
        Some(track) => track.vec3_key(i),
        None => node,
    };
    let values = |f: &dyn Fn(usize) -> DVec3| -> Arc<[f32]> {
        (0..times.len()).flat_map(|i| f(i).as_vec3().to_array()).collect()
    };
    let make = |values| Track::new(Property::Translation, Arc::clone(&times), values, Interpolation::Linear).unwrap();
    patched.set_track(at, Property::Translation, make(values(&step)));
    // The difference of what was stored, so that the sum is what it was to the last digit but one.
    let kept = |i: usize| old(i) - step(i).as_vec3().as_dvec3();
    patched.set_track(below, Property::Translation, make(values(&kept)));
    (patched, SkeletonPatch::InsertRoot { above: path, name: "root".into(), reference })
}

pub fn read(name: &str, bytes: &[u8]) -> SourceFile {
    formats::read(FileId(7), Path::new(name), Arc::from(bytes), &NoFetch, &ReadOptions::default()).unwrap()
}

pub fn read_in(folder: &Path, name: &str) -> SourceFile {
    let bytes = std::fs::read(folder.join(name)).unwrap();
    let fetch = FolderFetch::new(folder, Limits::default());
    formats::read(FileId(7), &folder.join(name), bytes.into(), &fetch, &ReadOptions::default()).unwrap()
}

/// Largest distance (metres) and angle (radians) of bones of the same path, at some times of the first clip.
pub fn largest_difference(a: &Clip, b: &Clip) -> (f64, f64) {
    let (mut distance, mut angle) = (0.0_f64, 0.0_f64);
    for i in 0..=200 {
        let secs = a.range.start_secs + a.range.duration_secs() * f64::from(i) / 200.0;
        let (at, bt) = (a.component_at(secs), b.component_at(secs));
        for bone in a.skeleton.indices() {
            let name = &a.skeleton.bone(bone).name;
            let Some(other) = b.skeleton.find_path(a.skeleton.path(bone)).or_else(|| b.skeleton.find(name)) else {
                panic!("{name} is gone")
            };
            distance = distance.max(at.position(bone).distance(bt.position(other)));
            angle = angle.max(transform::angle_between(at.rotation(bone), bt.rotation(other)));
        }
    }
    (distance, angle)
}
