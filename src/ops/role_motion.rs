//! Where the bones that play a part are at every frame of a clip: one pass over the clip, read by plots, trails and
//! checks alike.

use super::sole::Soles;
use super::yaw::{twist_about_up, unwrap};
use super::{OpError, Progress};
use crate::motion::transform::{ground, rotation_of, wrap_angle};
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
    /// Which way the character faces, about +Y from +Z, unwrapped, radians: where its head looks, if that is about
    /// where its chest points; else across its shoulders, else across its hips. In a strafe the hips turn towards the
    /// travel, the head does not; but a head's reference pose need not be straight.
    pub facing: Option<Vec<f32>>,
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
        let mut facing = FacingTrack::new(skeleton, &role);
        let soles = Soles::of(skeleton, rig);
        let mut sole_heights = [Vec::new(), Vec::new()];
        let wanted: Vec<BoneIndex> = track.bones.iter().copied().chain(facing.bones()).collect();
        let chain = Chains::new(skeleton, &wanted);
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
            for (side, sole) in sides.into_iter().zip(&soles.feet) {
                let Some((sole, foot)) = sole.as_ref().zip(role(Role::Foot(side))) else { continue };
                let toe = role(Role::Toe(side)).map(|toe| &component[chain.slot(toe)]);
                let height = sole.height_m(&component[chain.slot(foot)], toe) as f32;
                sole_heights[if side == Side::Left { 0 } else { 1 }].push(height);
            }
            for yaw in [&mut root_yaw, &mut travel_yaw].into_iter().flatten() {
                yaw.push(&component[chain.slot(yaw.bone)]);
            }
            facing.push(|bone| &component[chain.slot(bone)]);
        }

        let mut foot = |side: usize| {
            let (ankle, toe) = feet_at[side];
            let (ankle, toe) = (track.points(ankle)?, track.points(toe));
            let sole_height_m = std::mem::take(&mut sole_heights[side]);
            (sole_height_m.len() == ankle.len()).then_some(FootMotion { ankle, toe, sole_height_m })
        };
        let feet = [foot(0), foot(1)];
        Ok(Self {
            frames,
            root: track.points(root_at),
            travel: track.points(travel_at),
            pelvis: track.points(pelvis_at),
            head: track.points(head_at),
            feet,
            root_yaw: root_yaw.map(YawTrack::unwrapped),
            travel_yaw: travel_yaw.map(YawTrack::unwrapped),
            facing: facing.chosen(),
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

/// Which way head, shoulders and hips face.
struct FacingTrack {
    head: Option<YawTrack>,
    /// Where the head of the reference pose looks: as its hips, or shoulders, face.
    straight: f64,
    shoulders: Option<(BoneIndex, BoneIndex, Vec<f64>)>,
    hips: Option<(BoneIndex, BoneIndex, Vec<f64>)>,
}

/// A head that looks farther than this from where the chest points, on average, is not what says where one faces.
const TURNED_HEAD_RAD: f64 = 50.0 * std::f64::consts::PI / 180.0;

impl FacingTrack {
    fn new(skeleton: &Skeleton, role: &dyn Fn(Role) -> Option<BoneIndex>) -> Self {
        let pair = |of: fn(Side) -> Role| {
            let (left, right) = role(of(Side::Left)).zip(role(of(Side::Right)))?;
            Some((left, right, Vec::new()))
        };
        let reference = skeleton.reference_component();
        let faces = |left: BoneIndex, right: BoneIndex| forward_of(&reference[left.get()], &reference[right.get()]);
        let (shoulders, hips) = (pair(Role::UpperArm), pair(Role::Thigh));
        let mut known = hips.iter().chain(&shoulders).filter_map(|&(left, right, _)| faces(left, right));
        let straight = known.next().unwrap_or(0.0);
        Self { head: YawTrack::new(skeleton, role(Role::Head)), straight, shoulders, hips }
    }

    fn bones(&self) -> impl Iterator<Item = BoneIndex> + '_ {
        let pairs = self.shoulders.iter().chain(&self.hips);
        pairs.flat_map(|&(left, right, _)| [left, right]).chain(self.head.iter().map(|head| head.bone))
    }

    fn push<'c>(&mut self, component: impl Fn(BoneIndex) -> &'c DAffine3) {
        if let Some(head) = &mut self.head {
            head.push(component(head.bone));
        }
        for (left, right, yaws) in self.shoulders.iter_mut().chain(&mut self.hips) {
            let held = yaws.last().copied().unwrap_or(0.0);
            yaws.push(forward_of(component(*left), component(*right)).unwrap_or(held));
        }
    }

    fn chosen(self) -> Option<Vec<f32>> {
        let body = self.shoulders.or(self.hips).map(|(_, _, yaws)| yaws);
        let head: Option<Vec<f64>> =
            self.head.map(|head| head.wrapped.iter().map(|yaw| wrap_angle(yaw + self.straight)).collect());
        let apart = |head: &[f64], body: &[f64]| {
            let apart: f64 = head.iter().zip(body).map(|(a, b)| wrap_angle(a - b).abs()).sum();
            apart / head.len().max(1) as f64
        };
        let chosen = match (head, body) {
            (Some(head), Some(body)) if apart(&head, &body) > TURNED_HEAD_RAD => body,
            (Some(head), _) => head,
            (None, body) => body?,
        };
        Some(unwrap(&chosen).angles.into_iter().map(|angle| angle as f32).collect())
    }
}

/// Which way a body faces whose left and right are here; `None` when they are above each other.
fn forward_of(left: &DAffine3, right: &DAffine3) -> Option<f64> {
    let forward = ground(left.translation - right.translation).cross(DVec3::Y);
    (forward.length() > 1e-6).then(|| forward.x.atan2(forward.z))
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
