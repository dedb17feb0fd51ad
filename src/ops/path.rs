//! The travel path of a clip: where the travel bone goes on the ground, measured and then chosen.
//!
//! Measured: component-space position and rotation of the travel bone at the keys of its whole chain. Chosen: raw,
//! smoothed or of constant speed, with or without height, locked axes and yaw.

use std::sync::Arc;

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

use super::filter::Filter;
use super::gait::{leg_length, stride_period};
use super::grid::Grid;
use super::resplit::{BETWEEN_KEYS_M, BETWEEN_KEYS_RAD, levels};
use super::smooth::Extension;
use super::yaw::{tipped_keys, twist_of_delta, unwrap};
use super::{OpError, Report, find_bone};
use crate::motion::transform::{angle_between, direction_or, ground, rotation_of, slerp, wrap_angle};
use crate::motion::{
    BoneIndex, ChainSampler, Clip, Cycle, FrameRate, Rig, Role, Side, TimeRange, Times, Track, chain_to,
};

/// Keys this near to an end of the clip's range are there, seconds.
const RANGE_SECS: f64 = 1e-4;

/// How the root follows the travel bone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PathMode {
    /// Exactly, sway and all.
    Raw,
    /// Its zero-phase Gaussian average.
    #[default]
    Smoothed,
    /// A line (or, with yaw, an arc) from first to last point, uniform in time.
    ConstantSpeed,
}

/// How the sequence is carried on at the clip's ends before it is smoothed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Padding {
    /// As a loop when the clip is one, else reflected.
    #[default]
    Auto,
    /// Point reflection about the end values.
    Odd,
    /// Repeated, carried on by the net travel.
    PeriodicWithDrift,
}

/// Whether the root takes the vertical part of the travel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Vertical {
    /// The root keeps its first height.
    #[default]
    Off,
    /// It follows.
    On,
    /// It follows, never below its first height.
    Clamped,
}

/// Where the root's turning comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum YawSource {
    /// None if travel and facing both turn less than 20°, else the pelvis delta.
    #[default]
    Auto,
    /// The root's rotation stays as it is.
    None,
    /// Twist of the pelvis's rotation since the first key, about up.
    PelvisDelta,
    /// Change of the direction of travel, smoothed; held below 0.2 m/s.
    Travel,
    /// The root faces this way throughout.
    Typed {
        /// About +Y, degrees.
        yaw_deg: f64,
    },
}

/// How the path is chosen.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PathSettings {
    /// Raw, smoothed or constant speed.
    pub path: PathMode,
    /// σ of the Gaussian in seconds; `None`: 0.39 × the stride period, or 0.25 s without gait.
    pub sigma_secs: Option<f64>,
    /// Beyond the clip's ends.
    pub padding: Padding,
    /// Height.
    pub vertical: Vertical,
    /// Turning.
    pub yaw: YawSource,
    /// The root never moves along component x.
    pub lock_x: bool,
    /// The root never moves along component z.
    pub lock_z: bool,
    /// Path or name of the bone whose travel it is; `None`: the rig's.
    pub travel_bone: Option<String>,
}

impl PathSettings {
    fn extension(&self, cycle: Cycle) -> Extension {
        match self.padding {
            Padding::Odd => Extension::Odd,
            Padding::PeriodicWithDrift => Extension::PeriodicWithDrift,
            Padding::Auto if cycle == Cycle::None => Extension::Odd,
            Padding::Auto => Extension::PeriodicWithDrift,
        }
    }

    /// Whether the length of the whole take decides where the path goes.
    pub fn is_over_range(&self, cycle: Cycle) -> bool {
        let repeats = self.path == PathMode::Smoothed && self.extension(cycle) == Extension::PeriodicWithDrift;
        self.path == PathMode::ConstantSpeed || repeats
    }
}

/// What was measured.
#[derive(Clone, Debug)]
pub struct MeasuredPath {
    /// Keys of the travel bone's chain.
    pub grid: Grid,
    /// Component-space position per key, metres.
    pub positions: Vec<DVec3>,
    /// Component-space rotation per key; empty when they were not asked for.
    pub rotations: Vec<DQuat>,
}

/// The path the root is to follow.
#[derive(Clone, Debug)]
pub struct ChosenPath {
    /// Keys.
    pub grid: Grid,
    /// Per key: x and z of the root's path, y its height above the first key (0 without vertical).
    pub points: Vec<DVec3>,
    /// Per key, since the first key, radians; all zero without yaw.
    pub yaw: Vec<f64>,
    /// What auto became.
    pub yaw_source: YawSource,
    /// σ used, seconds; 0 for raw.
    pub sigma_secs: f64,
    /// Extension used.
    pub extension: Extension,
}

impl ChosenPath {
    /// Whether the root turns with the path.
    pub fn turns(&self) -> bool {
        matches!(self.yaw_source, YawSource::PelvisDelta | YawSource::Travel)
    }
}

/// The bone whose travel is meant: the setting's, the rig's, or a refusal that says what to do.
///
/// # Errors
/// Nothing is known, or the setting names nothing.
pub fn travel_bone(clip: &Clip, rig: &Rig, setting: Option<&str>) -> Result<BoneIndex, OpError> {
    if let Some(name) = setting {
        return find_bone(clip, "travel_bone", name);
    }
    rig.travel_bone.or_else(|| rig.bone(Role::Pelvis)).ok_or_else(|| {
        OpError::Needs(format!(
            "no pelvis is known on this skeleton ({}); name the bone that carries the travel",
            if rig.reason.is_empty() { "its names are unknown" } else { &rig.reason }
        ))
    })
}

/// Positions of a bone in component space at the keys of its chain, and its rotations there.
///
/// # Errors
/// Too many keys.
pub fn measure(clip: &Clip, bone: BoneIndex) -> Result<MeasuredPath, OpError> {
    let mut chain = ChainSampler::new(clip, &chain_to(&clip.skeleton, bone));
    let grid = Grid::union(chain.moving_tracks(), &[], clip.rate, clip.range.start_secs)?;
    let (mut positions, mut rotations) = (Vec::with_capacity(grid.times.len()), Vec::with_capacity(grid.times.len()));
    for secs in grid.times.iter() {
        let component = chain.last_at(secs);
        positions.push(component.translation);
        rotations.push(rotation_of(&component));
    }
    Ok(MeasuredPath { grid, positions, rotations })
}

/// Seconds, component-space position, rotation.
type PlacedKey = (f64, DVec3, DQuat);

/// As [`measure`] for a path of which nobody asks how the bone turns: `rotations` stays empty.
///
/// # Errors
/// Too many keys.
pub fn measure_positions(clip: &Clip, bone: BoneIndex) -> Result<MeasuredPath, OpError> {
    let mut chain = ChainSampler::for_position(clip, &chain_to(&clip.skeleton, bone));
    let grid = Grid::union(chain.moving_tracks(), &[], clip.rate, clip.range.start_secs)?;
    let positions = grid.times.iter().map(|secs| chain.last_position_at(secs)).collect();
    Ok(MeasuredPath { grid, positions, rotations: Vec::new() })
}

impl MeasuredPath {
    /// The path with a key at either end of the clip's range that its keys leave out, where the bone is held: a cycle
    /// lasts as long as the take, however early its travel begins or ends.
    pub fn over_range(mut self, range: TimeRange) -> Self {
        let times = &self.grid.times;
        let n = times.len();
        let early = range.start_secs < times.first() - RANGE_SECS;
        let late = range.end_secs > times.last() + RANGE_SECS;
        if n < 2 || !(early || late) {
            return self;
        }
        let before = early.then_some(range.start_secs);
        let secs = before.into_iter().chain(times.iter()).chain(late.then_some(range.end_secs)).collect();
        self.grid = Grid { times: Arc::new(Times::Keys(secs)), times_from: None, curved: self.grid.curved };
        hold_ends(&mut self.positions, early, late);
        hold_ends(&mut self.rotations, early, late);
        self
    }

    /// The path with keys added where a straight line between two keys would leave it by more than 0.05 mm or 0.005°:
    /// a bone below a turning one moves on a curve. A root that is to follow it exactly needs those keys.
    ///
    /// # Errors
    /// Too many keys.
    pub fn refined(self, clip: &Clip, bone: BoneIndex, with_height: bool) -> Result<Self, OpError> {
        let mut chain = ChainSampler::new(clip, &chain_to(&clip.skeleton, bone));
        let own: Vec<*const Track> =
            ChainSampler::of_bone(clip, bone).moving_tracks().map(|(_, track)| std::ptr::from_ref(track)).collect();
        let turns = !self.rotations.is_empty();
        let straight =
            !self.grid.curved && chain.moving_tracks().all(|(_, track)| own.contains(&std::ptr::from_ref(track)));
        if straight || self.grid.times.len() < 2 {
            return Ok(self);
        }
        let mut secs: Vec<f64> = Vec::new();
        let mut places = Vec::new();
        let keys: Vec<PlacedKey> = self
            .grid
            .times
            .iter()
            .zip(self.positions.iter().enumerate())
            .map(|(secs, (i, &position))| (secs, position, self.rotations.get(i).copied().unwrap_or(DQuat::IDENTITY)))
            .collect();
        let mut pending: Vec<(PlacedKey, PlacedKey, u32)> = Vec::new();
        for pair in keys.windows(2) {
            pending.push((pair[0], pair[1], levels(pair[1].0 - pair[0].0, clip.rate)));
            while let Some((a, b, left)) = pending.pop() {
                let near = left == 0
                    || b.0 - a.0 < 2e-3
                    || [0.25, 0.5, 0.75].into_iter().all(|u| {
                        let there = chain.last_at(a.0 + u * (b.0 - a.0));
                        let off = there.translation - a.1.lerp(b.1, u);
                        let off = if with_height { off.length() } else { ground(off).length() };
                        let turned = if turns { angle_between(rotation_of(&there), slerp(a.2, b.2, u)) } else { 0.0 };
                        off <= BETWEEN_KEYS_M && turned <= BETWEEN_KEYS_RAD
                    });
                if near {
                    secs.push(a.0);
                    places.push((a.1, a.2));
                } else {
                    let middle = 0.5 * (a.0 + b.0);
                    let there = chain.last_at(middle);
                    let key = (middle, there.translation, rotation_of(&there));
                    pending.push((key, b, left - 1));
                    pending.push((a, key, left - 1));
                }
            }
        }
        if secs.len() + 1 == keys.len() {
            return Ok(self);
        }
        let last = keys[keys.len() - 1];
        secs.push(last.0);
        places.push((last.1, last.2));
        let grid = Grid { times: Arc::new(Times::Keys(secs.into())), times_from: None, curved: self.grid.curved };
        grid.check_size(1)?;
        let (positions, mut rotations): (Vec<DVec3>, Vec<DQuat>) = places.into_iter().unzip();
        if !turns {
            rotations.clear();
        }
        Ok(Self { grid, positions, rotations })
    }
}

fn hold_ends<T: Copy>(keys: &mut Vec<T>, early: bool, late: bool) {
    let (Some(&first), Some(&last)) = (keys.first(), keys.last()) else { return };
    if early {
        keys.insert(0, first);
    }
    if late {
        keys.push(last);
    }
}

/// Chooses the root's path from a measured one, and notes in the report what auto became.
///
/// # Errors
/// A setting that makes no sense.
pub fn choose(
    clip: &Clip,
    rig: &Rig,
    measured: &MeasuredPath,
    settings: &PathSettings,
    report: &mut Report,
) -> Result<ChosenPath, OpError> {
    if settings.sigma_secs.is_some_and(|sigma| !(0.0..=60.0).contains(&sigma)) {
        return Err(OpError::Setting { setting: "sigma_secs", reason: "it must be 0 to 60 seconds".into() });
    }
    let wants_stride = settings.path == PathMode::Smoothed && settings.sigma_secs.is_none();
    let stride = if wants_stride { stride_period(clip, rig) } else { None };
    let sigma_secs = match settings.path {
        PathMode::Raw | PathMode::ConstantSpeed => 0.0,
        PathMode::Smoothed => settings.sigma_secs.unwrap_or_else(|| stride.map_or(0.25, |secs| 0.39 * secs)),
    };
    let extension = settings.extension(clip.cycle);
    let filter = Filter::new(clip, &measured.grid.times, sigma_secs, extension);
    let yaw_source = resolve_yaw(clip, rig, measured, settings.yaw, report)?;

    let turn = match yaw_source {
        YawSource::PelvisDelta | YawSource::Travel => {
            let (unwrapped, held) = twist_of_delta(&measured.rotations);
            let tipped = tipped_keys(&measured.rotations);
            if held > 0 && yaw_source == YawSource::PelvisDelta {
                report.note(format!("the pelvis is upside down at {held} keys: yaw is held there; consider yaw off"));
            } else if tipped > 0 && yaw_source == YawSource::PelvisDelta {
                report.note(format!(
                    "the pelvis is nearly upside down at {tipped} keys, where its yaw may turn fast; consider yaw off"
                ));
            }
            if unwrapped.largest_step > 170_f64.to_radians() && yaw_source == YawSource::PelvisDelta {
                report.note("the pelvis turns by more than 170° between two keys: the direction is a guess");
            }
            unwrapped.angles
        }
        YawSource::None | YawSource::Auto | YawSource::Typed { .. } => Vec::new(),
    };
    let mut points = filter.ground_path(&measured.positions, &turn);
    if settings.vertical != Vertical::Off {
        let height = filter.apply(&measured.positions.iter().map(|p| p.y).collect::<Vec<_>>());
        for (point, y) in points.iter_mut().zip(&height) {
            let risen = y - height[0];
            point.y = if settings.vertical == Vertical::Clamped { risen.max(0.0) } else { risen };
        }
    }
    let mut yaw = match yaw_source {
        YawSource::PelvisDelta => filter.apply(&turn),
        YawSource::Travel => {
            // A path that has stopped sets off in any direction: unsmoothed, the root would snap there in one frame.
            let smoothing = filter.or_default(clip, &measured.grid.times);
            let path = smoothing.ground_path(&measured.positions, &turn);
            smoothing.apply(&travel_yaw(&measured.grid.times, &path, clip.rate))
        }
        YawSource::None | YawSource::Auto | YawSource::Typed { .. } => vec![0.0; points.len()],
    };
    let first_yaw = yaw.first().copied().unwrap_or(0.0);
    yaw.iter_mut().for_each(|angle| *angle -= first_yaw);

    if settings.path == PathMode::ConstantSpeed && !constant_speed(&measured.grid.times, &mut points, &mut yaw) {
        report.note("an arc that turns so far over so little way would leave the clip: the root follows a line");
    }
    for (locked, axis) in [(settings.lock_x, 0), (settings.lock_z, 2)] {
        if locked {
            let held = points[0][axis];
            points.iter_mut().for_each(|point| point[axis] = held);
        }
    }
    note_choice(settings, stride, sigma_secs, extension, yaw_source, report);
    Ok(ChosenPath { grid: measured.grid.clone(), points, yaw, yaw_source, sigma_secs, extension })
}

fn note_choice(
    settings: &PathSettings,
    stride: Option<f64>,
    sigma_secs: f64,
    extension: Extension,
    yaw_source: YawSource,
    report: &mut Report,
) {
    if settings.path == PathMode::Smoothed {
        report.figure("sigma", sigma_secs, "s");
        if sigma_secs > 0.0 {
            report.figure("cut-off", 0.132_505 / sigma_secs, "Hz");
        }
        match stride {
            Some(secs) => report.figure("stride period", secs, "s"),
            None if settings.sigma_secs.is_none() => report.note("no gait found: σ is 0.25 s"),
            None => {}
        }
        report.note(match extension {
            Extension::Odd => "ends reflected",
            Extension::PeriodicWithDrift => "ends carried on as a loop",
        });
    }
    if settings.yaw == YawSource::Auto {
        report.note(match yaw_source {
            YawSource::PelvisDelta => "yaw: from the pelvis",
            _ => "yaw: none, the clip does not turn",
        });
    }
}

/// Heading of the path's difference over a frame before and a frame after each key, held below 0.2 m/s, unwrapped.
fn travel_yaw(times: &Times, path: &[DVec3], rate: FrameRate) -> Vec<f64> {
    let (first, last) = (times.first(), times.last());
    let at = |secs: f64| {
        let (i, u) = times.locate(secs);
        path[i].lerp(path[(i + 1).min(path.len() - 1)], u)
    };
    let mut headings: Vec<Option<f64>> = times
        .iter()
        .map(|secs| {
            let (a, b) = ((secs - rate.frame_secs()).max(first), (secs + rate.frame_secs()).min(last));
            let step = at(b) - at(a);
            (b > a && step.length() >= 0.2 * (b - a)).then(|| step.x.atan2(step.z))
        })
        .collect();
    // Before the first moving key the heading is the one it will set off with.
    let mut held = headings.iter().flatten().next().copied().unwrap_or(0.0);
    for heading in &mut headings {
        held = heading.unwrap_or(held);
        *heading = Some(held);
    }
    unwrap(&headings.into_iter().flatten().collect::<Vec<_>>()).angles
}

/// A line, or an arc whose tangent turns by the net yaw, from the first point to the last, uniform in time. Whether
/// the arc was what the yaw asks for: nearly whole turns over a short way would lead far outside the path.
fn constant_speed(times: &Times, points: &mut [DVec3], yaw: &mut [f64]) -> bool {
    let n = points.len();
    if n < 2 {
        return true;
    }
    let (first, last) = (points[0], points[n - 1]);
    let net_yaw = yaw[n - 1];
    let chord = ground(last - first).length();
    let raw_length: f64 = points.windows(2).map(|pair| ground(pair[1] - pair[0]).length()).sum();
    let turns = net_yaw.abs() >= 1_f64.to_radians() && chord > 1e-6;
    let radius = chord / (2.0 * (net_yaw * 0.5).sin());
    let reasonable = (radius * net_yaw).abs() <= 2.0 * raw_length;
    let chord_heading = f64::atan2(last.x - first.x, last.z - first.z);
    let start_heading = chord_heading - net_yaw * 0.5;
    for i in 0..n {
        let u = (times.at(i) - times.first()) / (times.last() - times.first());
        points[i] = first + (last - first) * u;
        yaw[i] = net_yaw * u;
        if turns && reasonable && i + 1 < n {
            let heading = start_heading + net_yaw * u;
            points[i].x = first.x + radius * (start_heading.cos() - heading.cos());
            points[i].z = first.z + radius * (heading.sin() - start_heading.sin());
        }
    }
    !turns || reasonable
}

fn resolve_yaw(
    clip: &Clip,
    rig: &Rig,
    measured: &MeasuredPath,
    wanted: YawSource,
    report: &mut Report,
) -> Result<YawSource, OpError> {
    if let YawSource::Typed { yaw_deg } = wanted
        && !yaw_deg.is_finite()
    {
        return Err(OpError::Setting { setting: "yaw_deg", reason: "it must be a number".into() });
    }
    if wanted != YawSource::Auto {
        return Ok(wanted);
    }
    let limit = 20_f64.to_radians();
    let filter = Filter::new(clip, &measured.grid.times, 0.25, Extension::Odd);
    let facing_turn = largest_turn(&filter.apply(&unwrap(&facing(clip, rig, measured)).angles));
    let path = filter.ground_path(&measured.positions, &[]);
    let extent = path.iter().map(|p| ground(*p - path[0]).length()).fold(0.0, f64::max);
    // The direction of a path shorter than half a leg is noise, not a turn.
    let travel_turn = if extent > 0.5 * leg_length(clip, rig) {
        largest_turn(&travel_yaw(&measured.grid.times, &path, clip.rate))
    } else {
        0.0
    };
    report.figure("facing turns", facing_turn.to_degrees(), "°");
    report.figure("travel turns", travel_turn.to_degrees(), "°");
    Ok(if facing_turn < limit && travel_turn < limit { YawSource::None } else { YawSource::PelvisDelta })
}

fn largest_turn(angles: &[f64]) -> f64 {
    let first = angles.first().copied().unwrap_or(0.0);
    angles.iter().map(|angle| (angle - first).abs()).fold(0.0, f64::max)
}

/// Heading in which the character faces at the path's keys: level part of left × up, from the hips; from the twist
/// of the travel bone where no thighs are known. Wrapped, radians.
pub fn facing(clip: &Clip, rig: &Rig, measured: &MeasuredPath) -> Vec<f64> {
    let thighs = rig.bone(Role::Thigh(Side::Left)).zip(rig.bone(Role::Thigh(Side::Right)));
    let Some((left, right)) = thighs else {
        return twist_of_delta(&measured.rotations).0.angles.into_iter().map(wrap_angle).collect();
    };
    let mut left = ChainSampler::new(clip, &chain_to(&clip.skeleton, left));
    let mut right = ChainSampler::new(clip, &chain_to(&clip.skeleton, right));
    let mut held = 0.0;
    measured
        .grid
        .times
        .iter()
        .map(|secs| {
            let across = ground(left.last_position_at(secs) - right.last_position_at(secs));
            let forward = direction_or(across, DVec3::ZERO).cross(DVec3::Y);
            if forward.length_squared() > 0.25 {
                held = forward.x.atan2(forward.z);
            }
            held
        })
        .collect()
}
