//! Where a result goes, sampled once: what the view needs to let the figure travel on, to hold it in place, to follow
//! it and to draw its ways.

use std::sync::Arc;

use glam::{DAffine3, DVec3};

use super::ground_motion::GroundMotion;
use super::smoothing::low_pass;
use super::treadmill::pace_of_feet;
use crate::motion::transform::{ground, wrap_angle};
use crate::motion::{BoneIndex, ChainSampler, Clip, Cycle, Rig, Role, Side, chain_to};
use crate::ops::yaw::twist_about_up;

/// More samples are not taken, however long the clip.
const MOST_SAMPLES: usize = 4096;
/// A root that moves less than this on the ground carries nothing, metres per metre of height.
const STILL: f64 = 0.005;
/// A root that turns less than this does not turn, radians.
const STILL_RAD: f64 = 0.01;
/// The pelvis of a loop ends within this of how it began, radians; less is not a turn that adds up.
const LOOP_TURN_RAD: f64 = 0.1;
/// The figure is followed along its path averaged over this long, seconds.
const FOLLOW_SECS: f64 = 0.35;

/// Who carries the figure over the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// A root bone that moves: an engine adds its way up.
    Root(BoneIndex),
    /// The pelvis, or what stands for it.
    Pelvis(BoneIndex),
    /// Nobody is known.
    Nobody,
}

/// Component-space positions of a bone at [`Course::secs_of`], metres.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trail(pub Vec<DVec3>);

/// A clip's way.
#[derive(Clone, Debug)]
pub struct Course {
    clip: Arc<Clip>,
    /// Who carries it.
    pub carrier: Carrier,
    /// What one round adds.
    pub round: GroundMotion,
    /// Whether the next round starts where this one ends.
    pub adds_up: bool,
    /// Of the pelvis.
    pub pelvis: Trail,
    /// Of the feet, left and right; empty where none is known.
    pub feet: [Trail; 2],
    /// Of the root, where there is one.
    pub root: Trail,
    /// Velocity of the ground under a figure that does not travel, from its planted feet; m/s.
    pub pace: Option<DVec3>,
    /// Height of the figure, metres; never 0.
    pub height_m: f64,
    /// Height of the floor, metres.
    pub floor_m: f64,
    follow: Trail,
    samples: usize,
}

impl Course {
    /// Samples a clip.
    pub fn new(clip: &Arc<Clip>, rig: &Rig) -> Self {
        let duration = clip.range.duration_secs().max(0.0);
        let frames = (duration * clip.rate.fps()).ceil();
        // Twice per frame: a trail through linear keys has its corners there.
        let samples = (2.0 * frames).clamp(1.0, MOST_SAMPLES as f64) as usize + 1;
        let mut course = Self {
            clip: clip.clone(),
            carrier: Carrier::Nobody,
            round: GroundMotion::default(),
            adds_up: false,
            pelvis: Trail::default(),
            feet: Default::default(),
            root: Trail::default(),
            pace: None,
            height_m: height(clip),
            floor_m: 0.0,
            follow: Trail::default(),
            samples,
        };
        let pelvis = rig.travel_bone.or_else(|| rig.bone(Role::Pelvis));
        let root = rig.root().filter(|&root| Some(root) != pelvis);
        course.pelvis = course.trail_of(pelvis);
        course.root = course.trail_of(root);
        course.feet = [Side::Left, Side::Right].map(|side| course.trail_of(rig.bone(Role::Foot(side))));
        course.floor_m = course.floor();
        course.carrier = match (root, pelvis) {
            (Some(root), _) if course.moves_over_ground(root) => Carrier::Root(root),
            (_, Some(pelvis)) => Carrier::Pelvis(pelvis),
            (Some(root), None) => Carrier::Root(root),
            (None, None) => Carrier::Nobody,
        };
        course.round = course.measure_round();
        course.adds_up = course.is_carried_by_root() || clip.cycle != Cycle::None;
        let travels = ground(course.round.step).length() > 0.05 * course.height_m;
        course.pace = (!travels).then(|| pace_of_feet(&course.feet, course.step_secs(), course.height_m)).flatten();
        course.follow = course.followed();
        course
    }

    /// The clip.
    pub fn clip(&self) -> &Arc<Clip> {
        &self.clip
    }

    /// Whether the root, and not the pelvis, carries the figure.
    pub fn is_carried_by_root(&self) -> bool {
        matches!(self.carrier, Carrier::Root(_))
    }

    /// The instant of a sample, seconds of the clip.
    pub fn secs_of(&self, sample: usize) -> f64 {
        self.clip.range.start_secs + sample as f64 * self.step_secs()
    }

    fn step_secs(&self) -> f64 {
        self.clip.range.duration_secs().max(0.0) / (self.samples - 1) as f64
    }

    /// How far into the clip an instant is, 0…1.
    pub fn share(&self, secs: f64) -> f64 {
        let duration = self.clip.range.duration_secs();
        if duration > 0.0 { ((secs - self.clip.range.start_secs) / duration).clamp(0.0, 1.0) } else { 0.0 }
    }

    /// What carried the figure from the clip's start to an instant: the root's own motion, or, of a pelvis, whose sway
    /// is not travel, the even part of the round.
    pub fn carried_to(&self, secs: f64) -> DAffine3 {
        match self.carrier {
            Carrier::Root(root) => {
                let mut stand = Standing::new(&self.clip, root);
                let (from, from_yaw) = stand.at(self.clip.range.start_secs);
                let (to, to_yaw) = stand.at(secs);
                GroundMotion::between(from, from_yaw, to, to_yaw).to_affine()
            }
            Carrier::Pelvis(_) => self.round.times(self.share(secs)),
            Carrier::Nobody => DAffine3::IDENTITY,
        }
    }

    /// Where the figure is looked at: a point on the ground that goes evenly with it, component space.
    pub fn followed_at(&self, secs: f64) -> DVec3 {
        let along = self.share(secs) * (self.samples - 1) as f64;
        let at = along.floor() as usize;
        match (self.follow.0.get(at), self.follow.0.get(at + 1)) {
            (Some(&a), Some(&b)) => a.lerp(b, along - at as f64),
            (Some(&a), None) => a,
            _ => DVec3::ZERO,
        }
    }

    /// Speed over ground at an instant, m/s, over a tenth of a second.
    pub fn speed_at(&self, secs: f64) -> f64 {
        let duration = self.clip.range.duration_secs();
        let half = 0.05_f64.min(0.5 * duration);
        if half <= 0.0 {
            return 0.0;
        }
        let middle = secs.clamp(self.clip.range.start_secs + half, self.clip.range.end_secs - half);
        self.followed_at(middle - half).distance(self.followed_at(middle + half)) / (2.0 * half)
    }

    /// Where a bone is at an instant, component space.
    pub fn position_at(&self, bone: BoneIndex, secs: f64) -> DVec3 {
        ChainSampler::for_position(&self.clip, &chain_to(&self.clip.skeleton, bone)).last_at(secs).translation
    }

    fn trail_of(&self, bone: Option<BoneIndex>) -> Trail {
        let Some(bone) = bone else { return Trail::default() };
        let mut chain = ChainSampler::for_position(&self.clip, &chain_to(&self.clip.skeleton, bone));
        Trail((0..self.samples).map(|i| chain.last_at(self.secs_of(i)).translation).collect())
    }

    fn moves_over_ground(&self, root: BoneIndex) -> bool {
        let Some(&first) = self.root.0.first() else { return false };
        let still_m = STILL * self.height_m;
        if self.root.0.iter().any(|&p| ground(p - first).length() > still_m) {
            return true;
        }
        let mut stand = Standing::new(&self.clip, root);
        let (_, first_yaw) = stand.at(self.clip.range.start_secs);
        (0..self.samples).any(|i| wrap_angle(stand.at(self.secs_of(i)).1 - first_yaw).abs() > STILL_RAD)
    }

    fn measure_round(&self) -> GroundMotion {
        let (bone, needs) = match self.carrier {
            Carrier::Root(bone) => (bone, 0.0),
            Carrier::Pelvis(bone) => (bone, LOOP_TURN_RAD),
            Carrier::Nobody => return GroundMotion::default(),
        };
        let mut stand = Standing::new(&self.clip, bone);
        let (from, from_yaw) = stand.at(self.clip.range.start_secs);
        let (to, to_yaw) = stand.at(self.clip.range.end_secs);
        let round = GroundMotion::between(from, from_yaw, to, to_yaw);
        if round.yaw_rad.abs() < needs {
            // Two degrees by which a recording misses its own start would bend the way of many rounds to a circle.
            return GroundMotion { yaw_rad: 0.0, step: ground(to - from) };
        }
        round
    }

    /// The lowest place of a foot tells where the floor is only where it is far from 0: within the length of a foot
    /// the difference is a fault, to be seen as one.
    fn floor(&self) -> f64 {
        let lowest = self.feet.iter().flat_map(|foot| &foot.0).map(|p| p.y).fold(f64::INFINITY, f64::min);
        let near = -0.15 * self.height_m..0.35 * self.height_m;
        if lowest.is_finite() && !near.contains(&lowest) { lowest - 0.05 * self.height_m } else { 0.0 }
    }

    fn followed(&self) -> Trail {
        let path = if self.pelvis.0.is_empty() { &self.root.0 } else { &self.pelvis.0 };
        let path: Vec<DVec3> = path.iter().map(|&p| ground(p)).collect();
        let half_width = (0.5 * FOLLOW_SECS / self.step_secs().max(1e-6)).round() as usize;
        let round = self.adds_up.then(|| self.round.to_affine());
        Trail(low_pass(&path, half_width, round))
    }
}

/// A bone's place on the ground and its turn about up since the node pose, over time.
struct Standing<'c> {
    chain: ChainSampler<'c>,
    upright: glam::DQuat,
}

impl<'c> Standing<'c> {
    fn new(clip: &'c Clip, bone: BoneIndex) -> Self {
        let mut chain = ChainSampler::new(clip, &chain_to(&clip.skeleton, bone));
        let upright = crate::motion::transform::rotation_of(&chain.last_at(clip.range.start_secs));
        Self { chain, upright }
    }

    fn at(&mut self, secs: f64) -> (DVec3, f64) {
        let there = self.chain.last_at(secs);
        let turned = crate::motion::transform::rotation_of(&there) * self.upright.conjugate();
        (ground(there.translation), twist_about_up(turned).unwrap_or(0.0))
    }
}

/// Extent of the body: of the reference pose, or of the first frame where that is larger, as in files whose reference
/// is a heap of bones.
fn height(clip: &Clip) -> f64 {
    let joints: Vec<usize> = {
        let bones = clip.skeleton.bones();
        let joints: Vec<usize> = (0..bones.len()).filter(|&i| bones[i].is_joint).collect();
        if joints.is_empty() { (0..bones.len()).collect() } else { joints }
    };
    let extent = |pose: &[DAffine3]| {
        let ys = joints.iter().map(|&i| pose[i].translation.y).filter(|y| y.is_finite());
        let (low, high) = ys.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), y| (l.min(y), h.max(y)));
        (high - low).max(0.0)
    };
    let first = clip.component_at(clip.range.start_secs);
    let height = extent(&clip.skeleton.reference_component()).max(extent(&first.0));
    if height.is_finite() && height > 1e-6 { height } else { 1.0 }
}
