//! What is known of a generated clip without measuring it.

use std::sync::Arc;

use glam::{DQuat, DVec3};

use super::body::Motion;
use super::mannequin::{BALL_FROM_ANKLE, BodyPose, HEEL_FROM_ANKLE, LEG, Mannequin, SIDES};
use super::travel::PathPoint;
use super::{Carrier, DemoSpec, Gait};
use crate::motion::transform::Transform;
use crate::motion::{BoneIndex, ComponentPose, Contact, Cycle, Role, Side};

/// The part of a foot that stays put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sole {
    /// Under the heel: from landing until the heel rises.
    Heel,
    /// The foot bone itself: while the foot is flat.
    Ankle,
    /// The toe joint: from when the foot is flat until it lifts.
    Ball,
}

/// A point of a foot on one place of the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct PlantedPoint {
    /// Whose.
    pub side: Side,
    /// Which point.
    pub sole: Sole,
    /// The foot bone, by its path.
    pub bone: String,
    /// The point in the foot bone's local space, metres.
    pub offset: DVec3,
    /// First instant, in the clip's time.
    pub start_secs: f64,
    /// Last instant, in the clip's time.
    pub end_secs: f64,
    /// Its place in component space (in place: on the ground that the clip would travel over), metres.
    pub position: DVec3,
}

/// What is known of one clip. Times are the clip's own, lengths metres.
#[derive(Clone, Debug)]
pub struct Truth {
    /// First key.
    pub start_secs: f64,
    /// Last key.
    pub end_secs: f64,
    /// Seconds from one landing of a foot to the next; `None` for a jump.
    pub stride_secs: Option<f64>,
    /// Stance over stride.
    pub duty: f64,
    /// Once a stride, to either side of the path.
    pub sway_m: f64,
    /// Twice a stride, up and down.
    pub bob_m: f64,
    /// Bend of the knee when a foot lands, where the gait is in full swing.
    pub knee_at_contact_rad: f64,
    /// Every point of the feet that stays put, cut at the clip's ends; by side, in order of time.
    pub planted: Vec<PlantedPoint>,
    /// From the first to the last point of the path.
    pub net_displacement: DVec3,
    /// From the first to the last facing, unwrapped.
    pub net_yaw_rad: f64,
    /// Whether the end pose is the first one, carried along by the travel.
    pub cycle: Cycle,
    /// Who plays what, by construction.
    pub roles: Vec<(Role, BoneIndex)>,
    take: Take,
}

/// The closed form behind a clip.
#[derive(Clone, Debug)]
pub(super) struct Take {
    pub mannequin: Arc<Mannequin>,
    pub motion: Motion,
    pub carrier: Carrier,
    pub start_secs: f64,
}

impl Take {
    /// Component-space transforms of all bones, at a time of the clip. Shape `[bones]`.
    pub(super) fn component(&self, secs: f64) -> Vec<Transform> {
        self.mannequin.component(&self.body(secs - self.start_secs))
    }

    fn body(&self, secs: f64) -> BodyPose {
        let body = self.motion.body(secs);
        let path = self.motion.travel.at(secs);
        match self.carrier {
            Carrier::Pelvis => body,
            Carrier::Root => BodyPose { root: (path.position, DQuat::from_rotation_y(path.yaw_rad)), ..body },
            Carrier::Nobody => body.moved(self.motion.travel.at(0.0).frame() * path.frame().inverse()),
        }
    }
}

impl Truth {
    pub(super) fn new(spec: &DemoSpec, take: Take) -> Self {
        let motion = &take.motion;
        let (first, last) = (motion.travel.at(0.0), motion.travel.at(motion.duration_secs));
        let stride = motion.phase.sample(0.5 * motion.duration_secs).1;
        Self {
            start_secs: take.start_secs,
            end_secs: take.start_secs + motion.duration_secs,
            stride_secs: (stride > 0.0).then(|| 1.0 / stride),
            duty: motion.style.duty,
            sway_m: motion.style.sway_m,
            bob_m: motion.style.bob_m,
            knee_at_contact_rad: motion.style.knee_rad,
            planted: planted(&take),
            net_displacement: last.position - first.position,
            net_yaw_rad: last.yaw_rad - first.yaw_rad,
            cycle: if spec.gait.is_cyclic() { Cycle::LastRepeatsFirst } else { Cycle::None },
            roles: take.mannequin.roles(),
            take,
        }
    }

    /// The travel at a time of the clip; the same whoever carries it.
    pub fn path(&self, secs: f64) -> PathPoint {
        self.take.motion.travel.at(secs - self.start_secs)
    }

    /// Component-space pose before it was put into keys, at any time of the clip. Shape `[bones]`.
    pub fn pose(&self, secs: f64) -> ComponentPose {
        ComponentPose(self.take.component(secs).into_iter().map(Transform::to_affine).collect())
    }

    /// The bone of a role.
    pub fn bone(&self, role: Role) -> Option<BoneIndex> {
        self.roles.iter().find(|(r, _)| *r == role).map(|(_, bone)| *bone)
    }

    /// Farthest that an ankle is from where it was meant to be at a time of the clip, metres: 0 for a sound motion.
    pub fn unreached_m(&self, secs: f64) -> f64 {
        let secs = secs - self.start_secs;
        (0..2).map(|side| self.take.motion.leg(side, secs).residual_m).fold(0.0, f64::max)
    }

    /// Intervals from landing to lifting, both feet, in order of their start.
    pub fn contacts(&self) -> Vec<Contact> {
        let mut contacts: Vec<Contact> = Vec::new();
        for heel in self.planted.iter().filter(|point| point.sole == Sole::Heel) {
            let ball = self.planted.iter().filter(|p| p.sole == Sole::Ball && p.side == heel.side);
            let end = ball.map(|p| p.end_secs).find(|&end| end >= heel.end_secs).unwrap_or(heel.end_secs);
            contacts.push(Contact { bone: heel.bone.clone(), start_secs: heel.start_secs, end_secs: end });
        }
        contacts.sort_by(|a, b| a.start_secs.total_cmp(&b.start_secs));
        contacts
    }
}

/// Every planted point, cut at the clip's ends.
fn planted(take: &Take) -> Vec<PlantedPoint> {
    let mut points = Vec::new();
    for (side, leg) in LEG.iter().enumerate() {
        let bone = take.mannequin.skeleton.path(take.mannequin.bone(leg[2])).to_owned();
        for plant in &take.motion.feet[side] {
            for (sole, from_ankle, start, end, position) in [
                (Sole::Heel, HEEL_FROM_ANKLE, plant.land_secs, plant.rise_secs, plant.heel()),
                (Sole::Ankle, DVec3::ZERO, plant.flat_secs, plant.rise_secs, plant.ankle),
                (Sole::Ball, BALL_FROM_ANKLE, plant.flat_secs, plant.lift_secs, plant.ball()),
            ] {
                let (start, end) = (start.max(0.0), end.min(take.motion.duration_secs));
                if start < end {
                    points.push(PlantedPoint {
                        side: SIDES[side],
                        sole,
                        bone: bone.clone(),
                        offset: take.mannequin.in_bone(leg[2], from_ankle),
                        start_secs: take.start_secs + start,
                        end_secs: take.start_secs + end,
                        position,
                    });
                }
            }
        }
    }
    points
}

impl Gait {
    /// Whether its clip repeats.
    pub fn is_cyclic(self) -> bool {
        !matches!(self, Self::StartStop | Self::TurnInPlace | Self::Stagger | Self::Jump)
    }
}
