//! A character of our own: a mannequin and locomotion clips of which everything is known.
//!
//! Closed forms only, no randomness: the same [`DemoSpec`] gives the same bytes. In: a gait, a speed, a skeleton
//! family, an encoding. Out: a [`SourceFile`] as a reader would have made it, and the [`Truth`] that measuring it
//! should find: when and where each foot is planted, the path, the stride, the sway.
//!
//! The feet come first: footsteps are laid along the path, the foot rolls from heel to ball on each of them and swings
//! to the next, the pelvis rides over them at a height that its legs allow, and [`leg_ik`](super::leg_ik) joins the
//! two. Planted points do not move at all before the keys are rounded to `f32`.

mod body;
mod encode;
mod feet;
mod figure;
mod fit;
mod jump;
mod mannequin;
mod plan;
mod profile;
mod rests;
mod style;
mod travel;
mod truth;

use std::f64::consts::FRAC_PI_2;
use std::sync::{Arc, OnceLock};

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::skeleton::SkeletonError;
use super::source::{FileId, FileSpace, Format, SourceFile};
use super::time::FrameRate;
use super::track::TrackError;

use mannequin::Mannequin;
use truth::Take;

pub use travel::PathPoint;
pub use truth::{PlantedPoint, Sole, Truth};

/// How the mannequin moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gait {
    /// Straight ahead.
    Walk,
    /// Straight ahead with a moment of flight.
    Jog,
    /// Faster, with more of it.
    Run,
    /// Sideways to the left, facing ahead, the feet never crossing.
    StrafeLeft,
    /// Sideways to the right.
    StrafeRight,
    /// A walk along a circle.
    Arc,
    /// Four steps on the spot, from rest to rest.
    TurnInPlace,
    /// Rest, walk, rest.
    StartStop,
    /// Both feet, forward, along a parabola.
    Jump,
    /// Uneven steps backward, from rest to rest.
    Stagger,
}

impl Gait {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Walk,
        Self::Jog,
        Self::Run,
        Self::StrafeLeft,
        Self::StrafeRight,
        Self::Arc,
        Self::TurnInPlace,
        Self::StartStop,
        Self::Jump,
        Self::Stagger,
    ];

    /// Such as `start_stop`: name of its clip and stem of its file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Walk => "walk",
            Self::Jog => "jog",
            Self::Run => "run",
            Self::StrafeLeft => "strafe_left",
            Self::StrafeRight => "strafe_right",
            Self::Arc => "arc",
            Self::TurnInPlace => "turn_in_place",
            Self::StartStop => "start_stop",
            Self::Jump => "jump",
            Self::Stagger => "stagger",
        }
    }

    /// Speeds in metres per second at which the legs reach and the feet stay clear of each other.
    pub fn speeds_m_s(self) -> std::ops::RangeInclusive<f64> {
        match self {
            Self::Walk | Self::Arc | Self::StartStop => 0.5..=1.8,
            Self::Jog => 2.0..=3.4,
            Self::Run => 3.5..=6.0,
            Self::StrafeLeft | Self::StrafeRight => 0.4..=1.2,
            Self::TurnInPlace => 0.0..=f64::MAX,
            Self::Jump => 0.0..=2.0,
            Self::Stagger => 0.3..=0.9,
        }
    }
}

/// Names, helpers and bone axes of a skeleton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// As Unreal's mannequin: `root` (Z-up inside), IK bones, X along the bones, a roll of its own for each, A-pose.
    Unreal,
    /// As Mixamo: `mixamorig:Hips` on top, Y along the bones, end leaves, T-pose.
    Mixamo,
    /// As motion capture: `Hips` on top, no rotation in the T-pose.
    Bvh,
}

/// How the motion is put into keys.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Encoding {
    /// A key per frame.
    Linear,
    /// A key per frame, rotations on the grid of normalised 16-bit integers.
    LinearI16,
    /// A key per frame, held until the next.
    Step,
    /// Few keys with tangents.
    CubicSpline {
        /// How far a bone may be from its true place in component space, metres.
        tolerance_m: f64,
    },
}

/// Which bone the travel is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Carrier {
    /// The pelvis; a root stands at the component's origin.
    Pelvis,
    /// The root, exactly along the path.
    Root,
    /// None: the clip is in place, its feet slide backward.
    Nobody,
}

/// What to generate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DemoSpec {
    /// How it moves.
    pub gait: Gait,
    /// Which skeleton.
    pub family: Family,
    /// Along the path: constant in a cycle, at full pace of a start–stop, in flight of a jump, on average of a stagger.
    pub speed_m_s: f64,
    /// Keys per second; a stride is a whole number of them.
    pub rate: FrameRate,
    /// Strides; of a start–stop those at full pace, of a stagger twice the steps beside three.
    pub cycles: u32,
    /// Where in the stride the clip starts, 0…1; at 0 the left heel comes down.
    pub phase: f64,
    /// Facing at the start, about +Y from +Z.
    pub heading_rad: f64,
    /// Start of the path, metres; its height is not used.
    pub origin: DVec3,
    /// Of an arc; negative turns right.
    pub radius_m: f64,
    /// Of a turn in place; positive turns left.
    pub turn_rad: f64,
    /// Time of the first key.
    pub first_key_secs: f64,
    /// Keys.
    pub encoding: Encoding,
    /// Who travels.
    pub carrier: Carrier,
}

impl DemoSpec {
    /// A gait as a person would do it: two cycles at 30 fps from time 0 at the origin, travel on the pelvis.
    pub fn new(gait: Gait, family: Family) -> Self {
        let speed_m_s = style::Style::of(gait).usual_m_s;
        Self {
            gait,
            family,
            speed_m_s,
            rate: FrameRate::FALLBACK,
            cycles: 2,
            phase: 0.0,
            heading_rad: 0.0,
            origin: DVec3::ZERO,
            radius_m: 3.0,
            turn_rad: FRAC_PI_2,
            first_key_secs: 0.0,
            encoding: Encoding::Linear,
            carrier: Carrier::Pelvis,
        }
    }

    fn check(&self) -> Result<(), DemoError> {
        let within = |setting, value: f64, low: f64, high: f64| {
            if (low..=high).contains(&value) {
                Ok(())
            } else {
                Err(DemoError::OutOfRange { setting, value, low, high })
            }
        };
        let speeds = self.gait.speeds_m_s();
        within("speed_m_s", self.speed_m_s, *speeds.start(), *speeds.end())?;
        within("rate", self.rate.fps(), 10.0, 1000.0)?;
        within("cycles", self.cycles.into(), 1.0, 1000.0)?;
        within("phase", self.phase, 0.0, 1.0)?;
        within("heading_rad", self.heading_rad.abs(), 0.0, 100.0)?;
        within("origin", self.origin.abs().max_element(), 0.0, 1e5)?;
        within("radius_m, either sign", self.radius_m.abs(), 1.5, 1e6)?;
        within("turn_rad, either sign", self.turn_rad.abs(), 0.0, 2.0)?;
        within("first_key_secs", self.first_key_secs, 0.0, 1e4)?;
        if self.carrier == Carrier::Root && self.family != Family::Unreal {
            return Err(DemoError::NoRoot(self.family));
        }
        Ok(())
    }
}

/// Why nothing was generated.
#[derive(Clone, Debug, PartialEq)]
pub enum DemoError {
    /// A setting beyond what the generator does truthfully.
    OutOfRange {
        /// Its name.
        setting: &'static str,
        /// What was asked for.
        value: f64,
        /// Smallest allowed.
        low: f64,
        /// Largest allowed.
        high: f64,
    },
    /// The travel cannot be on a root that the family does not have.
    NoRoot(Family),
    /// Clips of one file share a skeleton.
    MixedFamilies(Family, Family),
    /// No clip was asked for.
    Nothing,
    /// The skeleton could not be made.
    Skeleton(SkeletonError),
    /// A track could not be made.
    Track(TrackError),
}

impl std::fmt::Display for DemoError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::OutOfRange { setting, value, low, high } => {
                write!(f, "{setting}: {value} is outside {low}…{high}")
            }
            Self::NoRoot(family) => {
                write!(f, "the {family:?} family has no root to travel on: carry the travel on the pelvis")
            }
            Self::MixedFamilies(a, b) => write!(f, "clips of one file share a skeleton, but {a:?} and {b:?} differ"),
            Self::Nothing => write!(f, "no clip was asked for"),
            Self::Skeleton(e) => write!(f, "the skeleton could not be made: {e}"),
            Self::Track(e) => write!(f, "a track could not be made: {e}"),
        }
    }
}

impl std::error::Error for DemoError {}

impl From<SkeletonError> for DemoError {
    fn from(e: SkeletonError) -> Self {
        Self::Skeleton(e)
    }
}

impl From<TrackError> for DemoError {
    fn from(e: TrackError) -> Self {
        Self::Track(e)
    }
}

/// A generated file and what is known of it.
#[derive(Debug)]
pub struct Demo {
    /// As a reader would have made it; without bytes.
    pub file: SourceFile,
    /// Per clip of the file, in order.
    pub truths: Vec<Truth>,
}

impl Demo {
    /// What is known of the first clip.
    pub fn truth(&self) -> &Truth {
        &self.truths[0]
    }
}

/// Generates a file with one clip.
///
/// # Errors
/// See [`DemoError`].
pub fn generate(spec: &DemoSpec, id: FileId) -> Result<Demo, DemoError> {
    generate_set(std::slice::from_ref(spec), id)
}

/// Generates a file with several clips on one skeleton. A name that is taken gets a number.
///
/// # Errors
/// See [`DemoError`].
pub fn generate_set(specs: &[DemoSpec], id: FileId) -> Result<Demo, DemoError> {
    let first = specs.first().ok_or(DemoError::Nothing)?;
    if let Some(other) = specs.iter().find(|spec| spec.family != first.family) {
        return Err(DemoError::MixedFamilies(first.family, other.family));
    }
    let mannequin = Arc::new(Mannequin::new(first.family)?);
    let mut clips = Vec::with_capacity(specs.len());
    let mut truths = Vec::with_capacity(specs.len());
    for (i, spec) in specs.iter().enumerate() {
        let take = Take {
            mannequin: mannequin.clone(),
            motion: plan::plan(spec)?,
            carrier: spec.carrier,
            start_secs: spec.first_key_secs,
        };
        let before = specs[..i].iter().filter(|earlier| earlier.gait == spec.gait).count();
        let name = if before == 0 { spec.gait.name().to_owned() } else { format!("{}_{before:02}", spec.gait.name()) };
        let mut clip = encode::encode(&take, &name, spec.rate, spec.encoding)?;
        clip.take = Some(i as u32);
        let truth = Truth::new(spec, take);
        clip.cycle = truth.cycle;
        clips.push(Arc::new(clip));
        truths.push(truth);
    }
    let (meshes, skin, materials) = figure::dress(&mannequin);
    let file = SourceFile {
        id,
        path: format!("{}.glb", first.gait.name()).into(),
        modified: None,
        bytes: Arc::from([]),
        side_files: Vec::new(),
        format: Format::Generated,
        description: format!("generated mannequin, {:?} family", first.family),
        space: FileSpace::OURS,
        skeleton: mannequin.skeleton.clone(),
        clips,
        meshes,
        skins: vec![skin],
        materials,
        textures: Vec::new(),
        declared_roles: Vec::new(),
        warnings: Vec::new(),
        hash: OnceLock::new(),
    };
    Ok(Demo { file, truths })
}
