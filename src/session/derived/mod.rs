//! What plots, trails and checks read of a clip: made once per result on a worker, never by a panel.
//!
//! In: a result (clip and rig). Out: [`Derived`], the motion of the bones that play a part, frame by frame, each number
//! with a pyramid of its extremes ([`Series::columns`], [`Trail::picked`]), and the clip's
//! [`Verdict`](crate::ops::checks::Verdict). Both are kept by what the result was computed from, 256 MiB in all.

mod series;
mod store;
mod trail;

use std::sync::Arc;

use glam::DVec3;

pub use series::Series;
pub use store::DerivedStore;
pub use trail::Trail;

pub(super) use store::{Deriving, Looked};

use crate::motion::transform::ground;
use crate::motion::{Clip, Rig, Side};
use crate::ops::gait::leg_length;
use crate::ops::role_motion::{FootMotion, Frames, Points, RoleMotion};
use crate::ops::{OpError, Progress};

/// A root that strays over the ground by more than this share of a leg travels.
const TRAVEL_SHARE: f64 = 0.25;

/// Motion of the bones that play a part. Component space, metres, metres per second, radians; a bone that nobody plays
/// is `None`.
#[derive(Clone, Debug, PartialEq)]
pub struct Derived {
    /// When the frames are; the same for all series.
    pub frames: Frames,
    /// The root.
    pub root: Option<Trail>,
    /// The bone whose travel is the clip's: the pelvis in most rigs. Its ground projection, `x` and `z`, is the raw
    /// path.
    pub travel: Option<Arc<Trail>>,
    /// The pelvis; the same trail as [`Self::travel`] unless another bone carries the travel.
    pub pelvis: Option<Arc<Trail>>,
    /// The head.
    pub head: Option<Trail>,
    /// Left, right; see [`Self::foot`].
    pub feet: [Option<Foot>; 2],
    /// Turn of the root about up against its reference pose, unwrapped.
    pub root_yaw: Option<Series>,
    /// The same of the travel bone.
    pub travel_yaw: Option<Series>,
    /// Ground speed of the root.
    pub root_speed: Option<Series>,
    /// Ground speed of the travel bone.
    pub travel_speed: Option<Series>,
    /// Length of the path on the ground since the first frame: the root's where it travels, else the travel bone's.
    pub distance: Option<Series>,
    /// Whether the root goes anywhere, so that its path is the chosen one.
    pub root_travels: bool,
    /// Whether heights of soles are above the floor itself: the reference pose stands on it. Else the lowest joint of
    /// the reference pose's legs was taken for the floor.
    pub grounded: bool,
}

/// One foot.
#[derive(Clone, Debug, PartialEq)]
pub struct Foot {
    /// The foot bone.
    pub ankle: Trail,
    /// The ball: the joint after it, where there is one.
    pub toe: Option<Trail>,
    /// Height of the sole above the floor: of the lower of two points that are on the floor in the reference pose,
    /// below ankle and ball.
    pub height: Series,
    /// Ground speed of the slower of ankle and ball: 0 while the foot is planted, however it rolls.
    pub speed: Series,
}

impl Derived {
    /// One pass over the clip.
    ///
    /// # Errors
    /// When someone cancels.
    pub fn of(clip: &Clip, rig: &Rig, progress: &Progress) -> Result<Self, OpError> {
        let motion = RoleMotion::measure(clip, rig, progress)?;
        Self::from_motion(motion, leg_length(clip, rig), progress)
    }

    /// Builds series and pyramids from what was measured. `leg_m`: length of a leg, metres.
    ///
    /// # Errors
    /// When someone cancels.
    pub fn from_motion(motion: RoleMotion, leg_m: f64, progress: &Progress) -> Result<Self, OpError> {
        progress.check()?;
        let frames = motion.frames;
        let root_travels = motion.root.as_ref().is_some_and(|root| stray_m(root) > TRAVEL_SHARE * leg_m);
        let way = if root_travels { motion.root.as_ref() } else { motion.travel.as_ref() };
        let distance = way.map(|points| Series::new(frames, distance(points)));
        let speed = |points: &Points| Series::new(frames, ground_speed(&frames, points));
        let root_speed = motion.root.as_ref().map(speed);
        let travel_speed = motion.travel.as_ref().map(speed);
        progress.check()?;
        let trail = |points: Points| Trail::new(frames, points);
        let travel = motion.travel.map(trail).map(Arc::new);
        let pelvis = motion.pelvis.map(trail).map(Arc::new).or_else(|| travel.clone());
        progress.check()?;
        let series = |values: Vec<f32>| Series::new(frames, values);
        Ok(Self {
            frames,
            root: motion.root.map(trail),
            travel,
            pelvis,
            head: motion.head.map(trail),
            feet: motion.feet.map(|foot| foot.map(|foot| Foot::new(frames, foot))),
            root_yaw: motion.root_yaw.map(series),
            travel_yaw: motion.travel_yaw.map(series),
            root_speed,
            travel_speed,
            distance,
            root_travels,
            grounded: motion.grounded,
        })
    }

    /// One foot, where it is known.
    pub fn foot(&self, side: Side) -> Option<&Foot> {
        self.feet[if side == Side::Left { 0 } else { 1 }].as_ref()
    }

    /// The path that was chosen: the root's, where the root travels.
    pub fn chosen(&self) -> Option<&Trail> {
        self.root.as_ref().filter(|_| self.root_travels)
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let shared = match (&self.travel, &self.pelvis) {
            (Some(travel), Some(pelvis)) if Arc::ptr_eq(travel, pelvis) => None,
            (_, pelvis) => pelvis.as_ref(),
        };
        let trails = self.root.iter().chain(self.head.iter()).chain(self.travel.as_deref()).chain(shared.map(|t| &**t));
        let series = [&self.root_yaw, &self.travel_yaw, &self.root_speed, &self.travel_speed, &self.distance];
        let feet: usize = self.feet.iter().flatten().map(Foot::bytes).sum();
        trails.map(Trail::bytes).sum::<usize>() + series.into_iter().flatten().map(Series::bytes).sum::<usize>() + feet
    }
}

impl Foot {
    fn new(frames: Frames, foot: FootMotion) -> Self {
        let mut speed = ground_speed(&frames, &foot.ankle);
        if let Some(toe) = &foot.toe {
            speed.iter_mut().zip(ground_speed(&frames, toe)).for_each(|(slower, toe)| *slower = slower.min(toe));
        }
        Self {
            ankle: Trail::new(frames, foot.ankle),
            toe: foot.toe.map(|toe| Trail::new(frames, toe)),
            height: Series::new(frames, foot.sole_height_m),
            speed: Series::new(frames, speed),
        }
    }

    fn bytes(&self) -> usize {
        let trails = self.ankle.bytes() + self.toe.as_ref().map_or(0, Trail::bytes);
        trails + self.height.bytes() + self.speed.bytes()
    }
}

/// Farthest over the ground from where it was at first, metres.
fn stray_m(points: &Points) -> f64 {
    let first = points.at(0);
    points.iter().map(|p| ground(p - first).length()).fold(0.0, f64::max)
}

/// Central difference on the ground, m/s; one-sided at the ends.
fn ground_speed(frames: &Frames, points: &Points) -> Vec<f32> {
    let last = points.len() - 1;
    let speed = |i: usize| {
        let (a, b) = (i.saturating_sub(1), (i + 1).min(last));
        let secs = frames.secs(b) - frames.secs(a);
        if secs > 0.0 { (ground(points.at(b) - points.at(a)).length() / secs) as f32 } else { 0.0 }
    };
    (0..=last).map(speed).collect()
}

/// Length of the path on the ground from its start, metres; summed in `f64`.
fn distance(points: &Points) -> Vec<f32> {
    let mut before: Option<DVec3> = None;
    let mut sum = 0.0;
    let mut step = |p: DVec3| {
        sum += before.replace(p).map_or(0.0, |before| ground(p - before).length());
        sum as f32
    };
    points.iter().map(&mut step).collect()
}
