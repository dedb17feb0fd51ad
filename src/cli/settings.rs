//! Every setting of every operation as a flag.

use clap::{Args, ValueEnum};

use super::CliError;
use super::files::FileArgs;
use crate::ops::path::{Padding, PathMode, PathSettings, Vertical, YawSource};
use crate::ops::resplit::{ChildMode, ChildRule};
use crate::ops::root_motion::{RootSettings, RootStart};
use crate::ops::{BakeToHips, Extract, InPlace, MoveToOrigin, Op, StartAtZero};

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PathArg {
    Raw,
    Smoothed,
    ConstantSpeed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PaddingArg {
    Auto,
    Odd,
    Loop,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum VerticalArg {
    Off,
    On,
    Clamped,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum StartArg {
    Auto,
    Relative,
    UnderPelvis,
}

/// Which path the root takes.
#[derive(Debug, Args)]
struct PathArgs {
    /// Follow the pelvis exactly, smoothed, or at constant speed along a line or arc
    #[arg(long, value_enum, default_value = "smoothed", help_heading = "Path")]
    path: PathArg,
    /// Width σ of the Gaussian in seconds [default: 0.39 × the stride period, 0.25 without gait]
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, help_heading = "Path")]
    sigma: Option<f64>,
    /// How the path is carried on at the clip's ends before smoothing
    #[arg(long, value_enum, default_value = "auto", help_heading = "Path")]
    padding: PaddingArg,
    /// Whether the root takes the height; clamped: never below its first
    #[arg(long, value_enum, default_value = "off", help_heading = "Path")]
    vertical: VerticalArg,
    /// Where the root's turning comes from: auto, none, pelvis, travel, or degrees to face throughout
    #[arg(long, value_name = "SOURCE", default_value = "auto", allow_hyphen_values = true, value_parser = yaw, help_heading = "Path")]
    yaw: YawSource,
    /// The root never moves along x
    #[arg(long, help_heading = "Path")]
    lock_x: bool,
    /// The root never moves along z
    #[arg(long, help_heading = "Path")]
    lock_z: bool,
    /// The bone whose travel it is, by path or name [default: the rig's pelvis]
    #[arg(long, value_name = "BONE", help_heading = "Path")]
    travel_bone: Option<String>,
}

/// How the root and what hangs from it are treated.
#[derive(Debug, Args)]
struct RootArgs {
    /// Where the root starts: where it was, under the pelvis, or as fits
    #[arg(long, value_enum, default_value = "auto", help_heading = "Root")]
    start: StartArg,
    /// Name of the root that is added where there is none
    #[arg(long, value_name = "NAME", default_value = "root", help_heading = "Root")]
    root_name: String,
    #[command(flatten)]
    children: ChildArgs,
}

#[derive(Debug, Args)]
struct ChildArgs {
    /// What becomes of a child of the root: keep (in place), ride (with the root) or leave (its track)
    #[arg(long = "child", value_name = "BONE=MODE", help_heading = "Root")]
    children: Vec<String>,
}

/// Arguments of `extract`.
#[derive(Debug, Args)]
pub struct ExtractArgs {
    #[command(flatten)]
    pub(super) files: FileArgs,
    #[command(flatten)]
    path: PathArgs,
    #[command(flatten)]
    root: RootArgs,
}

/// Arguments of `in-place`.
#[derive(Debug, Args)]
pub struct InPlaceArgs {
    #[command(flatten)]
    pub(super) files: FileArgs,
    #[command(flatten)]
    path: PathArgs,
    #[command(flatten)]
    root: RootArgs,
}

/// Arguments of `bake-to-hips`.
#[derive(Debug, Args)]
pub struct BakeToHipsArgs {
    #[command(flatten)]
    pub(super) files: FileArgs,
    #[command(flatten)]
    children: ChildArgs,
}

/// Arguments of `to-origin`.
#[derive(Debug, Args)]
pub struct ToOriginArgs {
    #[command(flatten)]
    pub(super) files: FileArgs,
    /// Leave the heading as it is
    #[arg(long)]
    keep_heading: bool,
    /// Leave the start where it is
    #[arg(long)]
    keep_place: bool,
    /// The bone whose travel it is, by path or name [default: the rig's pelvis]
    #[arg(long, value_name = "BONE")]
    travel_bone: Option<String>,
}

/// Arguments of `start-at-zero`.
#[derive(Debug, Args)]
pub struct StartAtZeroArgs {
    #[command(flatten)]
    pub(super) files: FileArgs,
}

impl ExtractArgs {
    pub(super) fn op(&self) -> Result<Op, CliError> {
        Ok(Op::Extract(Extract { path: self.path.settings()?, root: self.root.settings()? }))
    }
}

impl InPlaceArgs {
    pub(super) fn op(&self) -> Result<Op, CliError> {
        Ok(Op::InPlace(InPlace { path: self.path.settings()?, root: self.root.settings()? }))
    }
}

impl BakeToHipsArgs {
    pub(super) fn op(&self) -> Result<Op, CliError> {
        Ok(Op::BakeToHips(BakeToHips { children: self.children.rules()? }))
    }
}

impl ToOriginArgs {
    pub(super) fn op(&self) -> Op {
        Op::MoveToOrigin(MoveToOrigin {
            turn: !self.keep_heading,
            shift: !self.keep_place,
            travel_bone: self.travel_bone.clone(),
        })
    }
}

impl StartAtZeroArgs {
    pub(super) fn op(&self) -> Op {
        Op::StartAtZero(StartAtZero {})
    }
}

impl PathArgs {
    fn settings(&self) -> Result<PathSettings, CliError> {
        if self.sigma.is_some() && self.path != PathArg::Smoothed {
            return Err(CliError::Usage("--sigma is for --path smoothed".into()));
        }
        Ok(PathSettings {
            path: match self.path {
                PathArg::Raw => PathMode::Raw,
                PathArg::Smoothed => PathMode::Smoothed,
                PathArg::ConstantSpeed => PathMode::ConstantSpeed,
            },
            sigma_secs: self.sigma,
            padding: match self.padding {
                PaddingArg::Auto => Padding::Auto,
                PaddingArg::Odd => Padding::Odd,
                PaddingArg::Loop => Padding::PeriodicWithDrift,
            },
            vertical: match self.vertical {
                VerticalArg::Off => Vertical::Off,
                VerticalArg::On => Vertical::On,
                VerticalArg::Clamped => Vertical::Clamped,
            },
            yaw: self.yaw,
            lock_x: self.lock_x,
            lock_z: self.lock_z,
            travel_bone: self.travel_bone.clone(),
        })
    }
}

impl RootArgs {
    fn settings(&self) -> Result<RootSettings, CliError> {
        Ok(RootSettings {
            start: match self.start {
                StartArg::Auto => RootStart::Auto,
                StartArg::Relative => RootStart::Relative,
                StartArg::UnderPelvis => RootStart::UnderPelvis,
            },
            root_name: self.root_name.clone(),
            children: self.children.rules()?,
        })
    }
}

impl ChildArgs {
    fn rules(&self) -> Result<Vec<ChildRule>, CliError> {
        self.children
            .iter()
            .map(|text| {
                let (bone, mode) = text.rsplit_once('=').unwrap_or((text, ""));
                let mode = match mode {
                    "keep" => ChildMode::Keep,
                    "ride" => ChildMode::Ride,
                    "leave" => ChildMode::LeaveTrack,
                    _ => {
                        let text = format!("--child {text}: write BONE=keep, BONE=ride or BONE=leave");
                        return Err(CliError::Usage(text));
                    }
                };
                Ok(ChildRule { bone: bone.to_owned(), mode })
            })
            .collect()
    }
}

fn yaw(text: &str) -> Result<YawSource, String> {
    match text {
        "auto" => Ok(YawSource::Auto),
        "none" => Ok(YawSource::None),
        "pelvis" => Ok(YawSource::PelvisDelta),
        "travel" => Ok(YawSource::Travel),
        _ => match text.parse::<f64>() {
            Ok(yaw_deg) if yaw_deg.is_finite() => Ok(YawSource::Typed { yaw_deg }),
            _ => Err("write auto, none, pelvis, travel, or a number of degrees".into()),
        },
    }
}
