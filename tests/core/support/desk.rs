//! Files made in memory for tests of the desk.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use glam::{DQuat, DVec3};
use stridesmith::motion::*;

/// A file whose takes have these names; a name that starts with `still` gets a clip in which nothing moves.
pub fn file(id: FileId, path: &str, takes: &[&str]) -> SourceFile {
    let skeleton = Arc::new(Skeleton::new(bones()).unwrap());
    let clips = takes.iter().enumerate().map(|(k, name)| Arc::new(clip(id, name, k as u32, &skeleton))).collect();
    SourceFile {
        id,
        path: PathBuf::from(path),
        modified: None,
        bytes: path.as_bytes().into(),
        side_files: vec![],
        format: Format::Generated,
        description: "made by a test".into(),
        space: FileSpace::OURS,
        skeleton,
        clips,
        meshes: vec![],
        skins: vec![],
        materials: vec![],
        textures: vec![],
        declared_roles: vec![],
        warnings: vec![],
        hash: OnceLock::new(),
    }
}

fn bones() -> Vec<Bone> {
    let bone = |name: &str, parent: Option<u32>, y: f64| Bone {
        name: name.into(),
        parent: parent.map(BoneIndex),
        node_pose: Transform::rigid(DVec3::new(0.0, y, 0.0), DQuat::IDENTITY),
        bind_pose: None,
        is_joint: true,
        node: None,
    };
    vec![bone("root", None, 0.0), bone("pelvis", Some(0), 1.0), bone("foot_l", Some(1), -0.9)]
}

/// 31 keys from 0.5 s on: the pelvis walks 1.5 m/s forward and turns a little; times are shared between its tracks.
pub fn clip(file: FileId, name: &str, take: u32, skeleton: &Arc<Skeleton>) -> Clip {
    const KEYS: usize = 31;
    let rate = FrameRate::new(30.0).unwrap();
    let range = TimeRange { start_secs: 0.5, end_secs: 1.5 };
    let mut clip = Clip::empty(name, skeleton.clone(), range, rate);
    clip.take = Some(take);
    let speed = if name.starts_with("still") { 0.0 } else { 1.5 };
    let times: Arc<Times> = Arc::new(Times::from_keys((0..KEYS).map(|i| 0.5 + i as f64 / 30.0).collect()).unwrap());
    let walk = (0..KEYS).flat_map(|i| [0.0, 1.0, (speed * i as f64 / 30.0) as f32]).collect::<Vec<f32>>();
    let turn = (0..KEYS)
        .flat_map(|i| DQuat::from_rotation_y(speed * 0.01 * i as f64).to_array().map(|c| c as f32))
        .collect::<Vec<f32>>();
    let pelvis = BoneIndex(1);
    for (property, values, channel) in [(Property::Translation, walk, 0), (Property::Rotation, turn, 1)] {
        let track = Track::new(property, times.clone(), values.into(), Interpolation::Linear).unwrap();
        let track = track.with_origin(Origin { file, channel: take * 2 + channel });
        clip.tracks[pelvis.get()][property.slot()] = Some(Arc::new(track));
    }
    clip.contacts = vec![Contact { bone: "root/pelvis/foot_l".into(), start_secs: 0.6, end_secs: 0.9 }];
    clip.markers = vec![Marker { track: "FootSync".into(), name: "foot_l".into(), time_secs: 0.6, ours: true }];
    clip.curves = vec![Curve { name: "Speed".into(), unit: "m/s".into(), keys: vec![(0.5, 1.5), (1.5, 1.5)] }];
    clip
}
