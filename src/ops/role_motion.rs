//! Where the bones that play a part are at every frame of a clip: one pass over the clip, read by plots, trails and
//! checks alike.

use super::sole::Soles;
use super::yaw::{twist_about_up, unwrap};
use super::{OpError, Progress};
use crate::motion::transform::rotation_of;
use crate::motion::{BoneIndex, Clip, LocalPose, Rig, Role, Sampler, Side, Skeleton};
use glam::{DAffine3, DQuat, DVec3};

/// The instants at which a clip is looked at: its frames from the first instant on, and its last instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frames {
    /// First instant, seconds, the clip's own time.
    pub start_secs: f64,
    /// Last instant.
    pub end_secs: f64,
    /// From one frame to the next, seconds; the last step may be shorter.
    pub step_secs: f64,
    /// How many, at least one.
    pub count: usize,
}

impl Frames {
    /// More frames than this (2.4 hours at 120 fps) are not looked at: every second, third… frame is.
    pub const MOST: usize = 1 << 20;

    /// An end this far past a frame, in frames, is that frame: times are often stored as `f32`.
    const SAME_FRAME: f64 = 0.02;

    /// Frames of the clip's rate over its range.
    pub fn of(clip: &Clip) -> Self {
        let (range, frame_secs) = (clip.range, clip.rate.frame_secs());
        let duration = range.duration_secs();
        if !(duration.is_finite() && duration > 0.0) {
            let start_secs = range.start_secs;
            return Self { start_secs, end_secs: start_secs, step_secs: frame_secs, count: 1 };
        }
        let stride = (duration / frame_secs / (Self::MOST - 1) as f64).ceil().max(1.0);
        let step_secs = frame_secs * stride;
        let steps = (duration / step_secs - Self::SAME_FRAME).ceil().clamp(1.0, (Self::MOST - 1) as f64);
        Self { start_secs: range.start_secs, end_secs: range.end_secs, step_secs, count: steps as usize + 1 }
    }

    /// When a frame is, seconds.
    pub fn secs(&self, frame: usize) -> f64 {
        if frame + 1 >= self.count { self.end_secs } else { self.start_secs + frame as f64 * self.step_secs }
    }

    /// Between which frames an instant is: 2.25 is a quarter of the way from frame 2 to frame 3. Below 0 before the
    /// first frame, above `count - 1` behind the last.
    pub fn place(&self, secs: f64) -> f64 {
        let last = self.count - 1;
        let place = (secs - self.start_secs) / self.step_secs;
        if last == 0 || place <= (last - 1) as f64 {
            return place;
        }
        let before = self.secs(last - 1);
        (last - 1) as f64 + (secs - before) / (self.end_secs - before)
    }

    /// All instants in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = f64> + use<> {
        let frames = *self;
        (0..frames.count).map(move |frame| frames.secs(frame))
    }
}

/// Positions of one bone, component space, metres. Shape `[frames]` each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Points {
    /// To the character's left.
    pub x: Vec<f32>,
    /// Up.
    pub y: Vec<f32>,
    /// Forward.
    pub z: Vec<f32>,
}

impl Points {
    fn with_room(frames: usize) -> Self {
        let room = || Vec::with_capacity(frames);
        Self { x: room(), y: room(), z: room() }
    }

    fn push(&mut self, p: DVec3) {
        self.x.push(p.x as f32);
        self.y.push(p.y as f32);
        self.z.push(p.z as f32);
    }

    /// Number of frames.
    pub fn len(&self) -> usize {
        self.x.len()
    }

    /// Whether there is no frame; never so in a [`RoleMotion`].
    pub fn is_empty(&self) -> bool {
        self.x.is_empty()
    }

    /// One position, metres.
    pub fn at(&self, frame: usize) -> DVec3 {
        DVec3::new(self.x[frame].into(), self.y[frame].into(), self.z[frame].into())
    }

    /// All positions in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = DVec3> + '_ {
        (0..self.len()).map(|frame| self.at(frame))
    }
}

/// One foot.
#[derive(Clone, Debug, PartialEq)]
pub struct FootMotion {
    /// The foot bone.
    pub ankle: Points,
    /// The joint after it, where there is one.
    pub toe: Option<Points>,
    /// Height of the sole ([`super::sole`]), metres. Shape `[frames]`.
    pub sole_height_m: Vec<f32>,
}

/// Motion of the bones that play a part, component space. What nobody plays is `None`.
#[derive(Clone, Debug, PartialEq)]
pub struct RoleMotion {
    /// The instants.
    pub frames: Frames,
    /// The root.
    pub root: Option<Points>,
    /// The bone whose travel is the clip's: the pelvis in most rigs.
    pub travel: Option<Points>,
    /// The pelvis, where another bone carries the travel.
    pub pelvis: Option<Points>,
    /// The head.
    pub head: Option<Points>,
    /// Left, right.
    pub feet: [Option<FootMotion>; 2],
    /// Turn of the root about up against its reference pose, unwrapped, radians; undefined moments are held. Shape
    /// `[frames]`.
    pub root_yaw: Option<Vec<f32>>,
    /// The same of the travel bone.
    pub travel_yaw: Option<Vec<f32>>,
    /// Whether sole heights are above the floor itself ([`Soles::grounded`]).
    pub grounded: bool,
}

/// How many frames between two looks at the progress.
const CHUNK: usize = 1024;

impl RoleMotion {
    /// The pelvis, or the bone that carries the travel in its stead.
    pub fn pelvis_or_travel(&self) -> Option<&Points> {
        self.pelvis.as_ref().or(self.travel.as_ref())
    }

    /// Evaluates the clip once per frame, for the bones that play a part and those above them alone.
    ///
    /// # Errors
    /// When someone cancels.
    pub fn measure(clip: &Clip, rig: &Rig, progress: &Progress) -> Result<Self, OpError> {
        let frames = Frames::of(clip);
        let skeleton = &clip.skeleton;
        let within = |bone: Option<BoneIndex>| bone.filter(|bone| bone.get() < skeleton.len());
        let role = |role: Role| within(rig.bone(role));
        let pelvis = role(Role::Pelvis);
        let travel = within(rig.travel_bone).or(pelvis);
        let sides = [Side::Left, Side::Right];
        let mut track = Tracker::new(skeleton, frames.count);
        let root_at = track.follow(role(Role::Root));
        let travel_at = track.follow(travel);
        let pelvis_at = track.follow(pelvis.filter(|_| pelvis != travel));
        let head_at = track.follow(role(Role::Head));
        let feet_at = sides.map(|side| (track.follow(role(Role::Foot(side))), track.follow(role(Role::Toe(side)))));

        let mut root_yaw = YawTrack::new(skeleton, role(Role::Root));
        let mut travel_yaw = YawTrack::new(skeleton, travel);
        let chain = Chains::new(skeleton, &track.bones);
        let mut sampler = Sampler::of_bones(clip, |bone| chain.holds(bone));
        let mut local = LocalPose::node_pose(skeleton);
        let mut component = Vec::with_capacity(chain.bones.len());
        for (frame, secs) in frames.iter().enumerate() {
            if frame % CHUNK == 0 {
                progress.check()?;
                progress.set(frame as f64 / frames.count as f64);
            }
            sampler.local(secs, &mut local);
            chain.component(&local, &mut component);
            track.take(|bone| component[chain.slot(bone)].translation);
            for yaw in [&mut root_yaw, &mut travel_yaw].into_iter().flatten() {
                yaw.push(&component[chain.slot(yaw.bone)]);
            }
        }

        let soles = Soles::of(skeleton, rig);
        let [left, right] = feet_at;
        let mut foot = |side: usize, (ankle, toe): (Option<usize>, Option<usize>)| {
            let (ankle, toe) = (track.points(ankle)?, track.points(toe));
            let sole = soles.feet[side]?;
            let height = |i: usize| sole.height_m(ankle.y[i].into(), toe.as_ref().map(|toe| toe.y[i].into())) as f32;
            let sole_height_m = (0..ankle.len()).map(height).collect();
            Some(FootMotion { sole_height_m, ankle, toe })
        };
        let feet = [foot(0, left), foot(1, right)];
        Ok(Self {
            frames,
            root: track.points(root_at),
            travel: track.points(travel_at),
            pelvis: track.points(pelvis_at),
            head: track.points(head_at),
            feet,
            root_yaw: root_yaw.map(YawTrack::unwrapped),
            travel_yaw: travel_yaw.map(YawTrack::unwrapped),
            grounded: soles.grounded,
        })
    }
}

/// The bones that are followed, and where they have been.
struct Tracker<'s> {
    skeleton: &'s Skeleton,
    frames: usize,
    bones: Vec<BoneIndex>,
    points: Vec<Points>,
}

impl<'s> Tracker<'s> {
    fn new(skeleton: &'s Skeleton, frames: usize) -> Self {
        Self { skeleton, frames, bones: Vec::new(), points: Vec::new() }
    }

    fn follow(&mut self, bone: Option<BoneIndex>) -> Option<usize> {
        let bone = bone.filter(|bone| bone.get() < self.skeleton.len())?;
        self.bones.push(bone);
        self.points.push(Points::with_room(self.frames));
        Some(self.bones.len() - 1)
    }

    fn take(&mut self, position: impl Fn(BoneIndex) -> DVec3) {
        for (&bone, points) in self.bones.iter().zip(&mut self.points) {
            points.push(position(bone));
        }
    }

    fn points(&mut self, at: Option<usize>) -> Option<Points> {
        at.map(|at| std::mem::take(&mut self.points[at]))
    }
}

/// Some bones and all above them, parents first.
struct Chains {
    /// Per bone its parent's place in this list.
    bones: Vec<(BoneIndex, Option<usize>)>,
    /// Per bone of the skeleton its place in the list.
    slots: Vec<Option<usize>>,
}

impl Chains {
    fn new(skeleton: &Skeleton, wanted: &[BoneIndex]) -> Self {
        let mut needed = vec![false; skeleton.len()];
        for &bone in wanted {
            needed[bone.get()] = true;
            skeleton.ancestors(bone).for_each(|above| needed[above.get()] = true);
        }
        let mut chains = Self { bones: Vec::new(), slots: vec![None; skeleton.len()] };
        for bone in skeleton.indices().filter(|bone| needed[bone.get()]) {
            chains.slots[bone.get()] = Some(chains.bones.len());
            let parent = skeleton.parent(bone).and_then(|parent| chains.slots[parent.get()]);
            chains.bones.push((bone, parent));
        }
        chains
    }

    fn holds(&self, bone: BoneIndex) -> bool {
        self.slots[bone.get()].is_some()
    }

    /// Only for bones that were wanted.
    fn slot(&self, bone: BoneIndex) -> usize {
        self.slots[bone.get()].unwrap_or(0)
    }

    fn component(&self, local: &LocalPose, component: &mut Vec<DAffine3>) {
        component.clear();
        for &(bone, parent) in &self.bones {
            let own = local.0[bone.get()].to_affine();
            component.push(parent.map_or(own, |parent| component[parent] * own));
        }
    }
}

/// A bone's turn about up against its reference pose.
struct YawTrack {
    bone: BoneIndex,
    back: DQuat,
    wrapped: Vec<f64>,
}

impl YawTrack {
    fn new(skeleton: &Skeleton, bone: Option<BoneIndex>) -> Option<Self> {
        let bone = bone?;
        let back = rotation_of(&skeleton.reference_component()[bone.get()]).conjugate();
        Some(Self { bone, back, wrapped: Vec::new() })
    }

    fn push(&mut self, component: &DAffine3) {
        let held = self.wrapped.last().copied().unwrap_or(0.0);
        self.wrapped.push(twist_about_up(rotation_of(component) * self.back).unwrap_or(held));
    }

    fn unwrapped(self) -> Vec<f32> {
        unwrap(&self.wrapped).angles.into_iter().map(|angle| angle as f32).collect()
    }
}
