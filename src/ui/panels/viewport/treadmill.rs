//! How the figure and the ground stand to each other in each way of showing travel.

use glam::{DAffine3, DVec3};

use super::course::{Course, Trail};
use crate::motion::transform::ground;
use crate::session::TravelView;

/// Where things stand in the view's world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// World from component space, of the figure and of all that is drawn with it: trails and paths.
    pub figure: DAffine3,
    /// Where the point of the ground that lay at the origin is now; y is 0.
    pub ground: DVec3,
}

/// Where figure and ground stand at `secs` of the clip in round `rounds`; `treadmill_m_s` is the speed somebody typed.
///
/// On a treadmill figure and ground are carried back together by as much as the figure travels: the root's own way, or
/// the even part of the pelvis's. So a foot that stays put in the file stays put on the ground, and one that slides
/// slides. With a typed speed the ground runs evenly at that, in the direction of the clip's travel.
pub fn placement(course: &Course, travel: TravelView, treadmill_m_s: Option<f64>, secs: f64, rounds: i64) -> Placement {
    let rounds = if course.adds_up { rounds as f64 } else { 0.0 };
    match travel {
        TravelView::AsInFile => Placement { figure: DAffine3::IDENTITY, ground: DVec3::ZERO },
        TravelView::Travels => Placement { figure: course.round.times(rounds), ground: DVec3::ZERO },
        TravelView::Treadmill => {
            let start = start_of(course);
            let carried = course.round.times(rounds) * course.carried_to(secs);
            let back = start - carried.transform_point3(start);
            let ground = match (treadmill_m_s, course.pace) {
                (None, None) => back,
                (Some(speed), _) => -even_way(course, secs, rounds, speed),
                (None, Some(pace)) => pace * elapsed_secs(course, secs, rounds),
            };
            Placement { figure: DAffine3::from_translation(back) * course.round.times(rounds), ground }
        }
    }
}

fn elapsed_secs(course: &Course, secs: f64, rounds: f64) -> f64 {
    (rounds + course.share(secs)) * course.clip().range.duration_secs()
}

/// The clip's way at an even speed, along its arc where it turns.
fn even_way(course: &Course, secs: f64, rounds: f64, speed_m_s: f64) -> DVec3 {
    let own = own_speed(course);
    if course.pace.is_none() && own > 1e-3 * course.height_m {
        let start = start_of(course);
        let there = course.round.times(rounds + course.share(secs)).transform_point3(start);
        return (there - start) * (speed_m_s / own);
    }
    let direction = course.pace.map_or(DVec3::Z, |pace| (-pace).normalize_or(DVec3::Z));
    direction * (speed_m_s * elapsed_secs(course, secs, rounds))
}

/// The clip's own mean speed over the ground, m/s.
pub fn own_speed(course: &Course) -> f64 {
    let duration = course.clip().range.duration_secs();
    if let Some(pace) = course.pace {
        return pace.length();
    }
    if duration <= 0.0 {
        return 0.0;
    }
    // Along the arc for a clip that turns.
    let start = start_of(course);
    let chord = start.distance(course.round.to_affine().transform_point3(start));
    let half = 0.5 * course.round.yaw_rad;
    let arc = if half.abs() > 1e-4 { chord * half / half.sin() } else { chord };
    arc.abs() / duration
}

/// Where the carrier stands at first, on the ground.
fn start_of(course: &Course) -> DVec3 {
    let trail = if course.is_carried_by_root() { &course.root } else { &course.pelvis };
    trail.0.first().map_or(DVec3::ZERO, |&p| ground(p))
}

/// How the ground moves under a figure that stays: the middle of the velocities of whichever foot is down, where
/// there is enough of that to tell. In m/s on the ground; `None` for a figure that stands.
pub fn pace_of_feet(feet: &[Trail; 2], step_secs: f64, height_m: f64) -> Option<DVec3> {
    let n = feet[0].0.len().min(feet[1].0.len());
    if n < 8 || step_secs <= 0.0 {
        return None;
    }
    let lowest = |foot: &Trail| foot.0.iter().map(|p| p.y).fold(f64::INFINITY, f64::min);
    let low = [lowest(&feet[0]), lowest(&feet[1])];
    let mut x = Vec::new();
    let mut z = Vec::new();
    for i in 0..n - 1 {
        for (foot, low) in feet.iter().zip(low) {
            // An ankle is low from flat foot to heel off; the ends of that, where the foot rolls, weigh little in a
            // median.
            if foot.0[i].y.max(foot.0[i + 1].y) < low + 0.015 * height_m {
                let velocity = (foot.0[i + 1] - foot.0[i]) / step_secs;
                x.push(velocity.x);
                z.push(velocity.z);
            }
        }
    }
    if x.len() < 4 {
        return None;
    }
    let pace = DVec3::new(median(&mut x), 0.0, median(&mut z));
    (pace.length() > 0.05 * height_m).then_some(pace)
}

fn median(values: &mut [f64]) -> f64 {
    let middle = values.len() / 2;
    *values.select_nth_unstable_by(middle, f64::total_cmp).1
}
