//! Skeletons and clips written down in a few lines.

use std::sync::Arc;

use glam::{DQuat, DVec3};
use stridesmith::motion::{
    Bone, BoneIndex, Clip, FrameRate, Interpolation, Property, Rig, Role, Skeleton, TimeRange, Times, Track, Transform,
};
use stridesmith::ops::{OpInput, OpOutput, Progress};

/// A bone below `parent` with a local node pose.
pub fn bone(name: &str, parent: Option<u32>, translation: [f64; 3], rotation: DQuat) -> Bone {
    Bone {
        name: name.into(),
        parent: parent.map(BoneIndex),
        node_pose: Transform::rigid(DVec3::from_array(translation), rotation),
        bind_pose: None,
        is_joint: true,
        node: None,
    }
}

/// root > pelvis > (spine, thigh_l > calf_l > foot_l, thigh_r > calf_r > foot_r), and ik_foot_root > ik_foot_l and a
/// prop below the root.
pub fn small_rig() -> (Arc<Skeleton>, Rig) {
    let up = DQuat::IDENTITY;
    let bones = vec![
        bone("root", None, [0.0; 3], up),
        bone("pelvis", Some(0), [0.0, 1.0, 0.0], up),
        bone("spine", Some(1), [0.0, 0.2, 0.0], up),
        bone("thigh_l", Some(1), [0.1, 0.0, 0.0], up),
        bone("calf_l", Some(3), [0.0, -0.45, 0.0], up),
        bone("foot_l", Some(4), [0.0, -0.45, 0.0], up),
        bone("thigh_r", Some(1), [-0.1, 0.0, 0.0], up),
        bone("calf_r", Some(6), [0.0, -0.45, 0.0], up),
        bone("foot_r", Some(7), [0.0, -0.45, 0.0], up),
        bone("ik_foot_root", Some(0), [0.0; 3], up),
        bone("ik_foot_l", Some(9), [0.1, 0.1, 0.0], up),
        bone("prop", Some(0), [0.3, 1.2, 0.1], up),
    ];
    let skeleton = Arc::new(Skeleton::new(bones).unwrap());
    let mut rig = Rig { family: "test".into(), confidence: 1.0, ..Rig::default() };
    use stridesmith::motion::Side::{Left, Right};
    for (role, index) in [
        (Role::Root, 0),
        (Role::Pelvis, 1),
        (Role::Spine, 2),
        (Role::Thigh(Left), 3),
        (Role::Calf(Left), 4),
        (Role::Foot(Left), 5),
        (Role::Thigh(Right), 6),
        (Role::Calf(Right), 7),
        (Role::Foot(Right), 8),
    ] {
        rig.roles.insert(role, BoneIndex(index));
    }
    rig.travel_bone = Some(BoneIndex(1));
    rig.ik_roots = vec![BoneIndex(9)];
    (skeleton, rig)
}

/// A clip of `n` keys at `fps` whose keys are functions of time in seconds.
pub struct Builder {
    pub clip: Clip,
    times: Arc<Times>,
}

impl Builder {
    pub fn new(skeleton: &Arc<Skeleton>, fps: f64, n: usize) -> Self {
        let times: Vec<f64> = (0..n).map(|i| i as f64 / fps).collect();
        Self::at(skeleton, fps, times)
    }

    pub fn at(skeleton: &Arc<Skeleton>, fps: f64, times: Vec<f64>) -> Self {
        let range = TimeRange { start_secs: times[0], end_secs: times[times.len() - 1] };
        let clip = Clip::empty("test", skeleton.clone(), range, FrameRate::new(fps).unwrap());
        Self { clip, times: Arc::new(Times::from_keys(times).unwrap()) }
    }

    pub fn moves(mut self, bone: u32, at: impl Fn(f64) -> DVec3) -> Self {
        let values: Vec<f32> = self.times.iter().flat_map(|t| at(t).to_array().map(|v| v as f32)).collect();
        self.put(bone, Property::Translation, values);
        self
    }

    pub fn turns(mut self, bone: u32, at: impl Fn(f64) -> DQuat) -> Self {
        let values: Vec<f32> = self.times.iter().flat_map(|t| at(t).to_array().map(|v| v as f32)).collect();
        self.put(bone, Property::Rotation, values);
        self
    }

    fn put(&mut self, bone: u32, property: Property, values: Vec<f32>) {
        let track = Track::new(property, self.times.clone(), values.into(), Interpolation::Linear).unwrap();
        self.clip.set_track(BoneIndex(bone), property, track);
    }

    pub fn done(self) -> Arc<Clip> {
        Arc::new(self.clip)
    }
}

/// Runs one operation's `apply`.
pub fn run<E: std::fmt::Debug>(
    clip: &Arc<Clip>,
    rig: &Rig,
    apply: impl Fn(&OpInput<'_>, &Progress) -> Result<OpOutput, E>,
) -> OpOutput {
    apply(&OpInput { clip, rig, source_clip: clip }, &Progress::default()).unwrap()
}
