//! Where everybody stands at the playhead: poses, and their places in the view's world.

use glam::{DAffine3, DVec3};

use super::actor::{Actor, Cast};
use super::treadmill::{Placement, placement};
use crate::motion::transform::ground;
use crate::motion::{ComponentPose, FileId, Side};
use crate::session::{Ghost, Playback, TravelView, View};

/// How far beside the figure its source stands, in heights.
const BESIDE_HEIGHTS: f64 = 0.7;

/// One actor at the playhead.
#[derive(Clone, Debug)]
pub struct Performance<'c> {
    /// Who.
    pub actor: &'c Actor,
    /// The instant of its clip.
    pub secs: f64,
    /// Component space.
    pub pose: ComponentPose,
    /// World from component space.
    pub place: DAffine3,
}

/// The stage at one instant.
#[derive(Clone, Debug)]
pub struct Staging<'c> {
    cast: &'c Cast,
    /// The result, or, while the two are flipped, the source.
    pub lead: Performance<'c>,
    /// The source beside or over the result.
    pub ghost: Option<Performance<'c>>,
    /// Where the point of the ground that lay at the origin is now, world.
    pub ground: DVec3,
    world: Vec<DAffine3>,
}

impl<'c> Staging<'c> {
    /// Samples both; `None` on an empty stage.
    pub fn new(cast: &'c Cast, view: &View, playback: &Playback) -> Option<Self> {
        let (result, source) = (cast.result()?, cast.source()?);
        let place =
            |actor: &Actor, secs: f64| placement(&actor.course, view.travel, view.treadmill_m_s, secs, playback.rounds);
        let result_secs = playback.secs;
        let source_secs = cast.source_secs(playback.secs);
        let of_result = place(result, result_secs);
        let mut of_source = place(source, source_secs);
        if view.travel == TravelView::Travels {
            // Both go on together: a source that is in place, beside a result that travels, is not left behind.
            of_source = of_result;
        }
        let perform = |actor, secs: f64, placement: Placement| {
            let pose = Actor::pose_at(actor, secs);
            Performance { actor, secs, pose, place: placement.figure }
        };
        let flipped = view.flipped && cast.differ();
        let (lead, ground) = match flipped {
            true => (perform(source, source_secs, of_source), of_source.ground),
            false => (perform(result, result_secs, of_result), of_result.ground),
        };
        let ghost = (view.ghost != Ghost::Off && !flipped && cast.differ()).then(|| {
            let mut ghost = perform(source, source_secs, of_source);
            if view.ghost == Ghost::Beside {
                let aside = DVec3::X * (BESIDE_HEIGHTS * source.course.height_m);
                ghost.place = DAffine3::from_translation(aside) * ghost.place;
            }
            ghost
        });
        let world = lead.pose.0.iter().map(|bone| lead.place * *bone).collect();
        Some(Self { cast, lead, ghost, ground, world })
    }

    /// Whose bones are seen and picked.
    pub fn shown(&self) -> &'c Actor {
        self.lead.actor
    }

    /// Its bones in the world. Shape `[bones]`.
    pub fn world(&self) -> &[DAffine3] {
        &self.world
    }

    /// Who is on the stage.
    pub fn cast(&self) -> &'c Cast {
        self.cast
    }

    /// The file the figure is of.
    pub fn file(&self) -> Option<FileId> {
        self.cast.file_id()
    }

    /// The point on the floor that goes with the figure, world.
    pub fn followed(&self) -> DVec3 {
        let course = &self.lead.actor.course;
        let at = course.followed_at(self.lead.secs) + DVec3::Y * course.floor_m;
        self.lead.place.transform_point3(at)
    }

    /// Where a foot is in the middle, seen from the figure, and the figure where it is now; on the floor, world.
    pub fn mean_foot(&self, side: Side) -> Option<DVec3> {
        let course = &self.lead.actor.course;
        let foot = &course.feet[usize::from(side == Side::Right)].0;
        let sum: DVec3 = foot.iter().enumerate().map(|(i, &p)| ground(p) - course.followed_at(course.secs_of(i))).sum();
        let mean = (!foot.is_empty()).then(|| sum / foot.len() as f64)?;
        Some(self.followed() + self.lead.place.transform_vector3(mean))
    }
}
