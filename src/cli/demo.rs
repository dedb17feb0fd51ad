//! The built-in character's clips as files.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use super::{CliError, tell};
use crate::motion::demo::{Carrier, DemoSpec, Encoding, Family, Gait, generate};
use crate::motion::{FileId, FrameRate, SourceFile};
use crate::session::{Action, ExportRequest, JobMode, Session};

/// Arguments of `demo`.
#[derive(Debug, Args)]
pub struct DemoArgs {
    /// Folder to write into; nothing in it is overwritten
    #[arg(short, long = "out", value_name = "DIR", required = true)]
    out: PathBuf,
    /// Which motion; may be given several times [default: all]
    #[arg(long = "gait", value_name = "GAIT", value_parser = gait())]
    gaits: Vec<Gait>,
    /// Whose bone names and axes
    #[arg(long, value_enum, default_value = "unreal")]
    family: FamilyArg,
    /// Metres per second [default: as a person would]
    #[arg(long, value_name = "M/S", allow_negative_numbers = true)]
    speed: Option<f64>,
    /// Keys per second
    #[arg(long, value_name = "RATE", default_value = "30")]
    fps: f64,
    /// Strides
    #[arg(long, default_value = "2")]
    cycles: u32,
    /// Which bone the travel is on
    #[arg(long, value_enum, default_value = "pelvis")]
    travel: CarrierArg,
    /// How the motion is put into keys
    #[arg(long, value_enum, default_value = "linear")]
    encoding: EncodingArg,
    /// Time of the first key, seconds
    #[arg(long, value_name = "SECONDS", default_value = "0", allow_negative_numbers = true)]
    first_key: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FamilyArg {
    Unreal,
    Mixamo,
    Bvh,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CarrierArg {
    Pelvis,
    Root,
    Nobody,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum EncodingArg {
    /// A key per frame
    Linear,
    /// A key per frame, 16-bit rotations
    I16,
    /// A key per frame, held until the next
    Step,
    /// Few keys with tangents
    Cubic,
}

/// The gaits' own names.
fn gait() -> impl TypedValueParser<Value = Gait> {
    let names = PossibleValuesParser::new(Gait::ALL.map(Gait::name));
    names.try_map(|name| Gait::ALL.into_iter().find(|gait| gait.name() == name).ok_or("no such gait"))
}

impl DemoArgs {
    fn spec(&self, gait: Gait) -> Result<DemoSpec, CliError> {
        let family = match self.family {
            FamilyArg::Unreal => Family::Unreal,
            FamilyArg::Mixamo => Family::Mixamo,
            FamilyArg::Bvh => Family::Bvh,
        };
        let usual = DemoSpec::new(gait, family);
        Ok(DemoSpec {
            speed_m_s: self.speed.unwrap_or(usual.speed_m_s),
            rate: FrameRate::new(self.fps)
                .ok_or_else(|| CliError::Usage(format!("--fps {} is not a frame rate", self.fps)))?,
            cycles: self.cycles,
            first_key_secs: self.first_key,
            carrier: match self.travel {
                CarrierArg::Pelvis => Carrier::Pelvis,
                CarrierArg::Root => Carrier::Root,
                CarrierArg::Nobody => Carrier::Nobody,
            },
            encoding: match self.encoding {
                EncodingArg::Linear => Encoding::Linear,
                EncodingArg::I16 => Encoding::LinearI16,
                EncodingArg::Step => Encoding::Step,
                EncodingArg::Cubic => Encoding::CubicSpline { tolerance_m: 1e-3 },
            },
            ..usual
        })
    }
}

pub fn run(args: &DemoArgs) -> Result<(), CliError> {
    let gaits: Vec<Gait> = match args.gaits.as_slice() {
        [] => Gait::ALL.to_vec(),
        some => some.to_vec(),
    };
    std::fs::create_dir_all(&args.out)
        .map_err(|error| anyhow::anyhow!("cannot make the folder: {error}: {}", args.out.display()))?;
    for gait in gaits {
        let spec = args.spec(gait)?;
        // A setting out of range is a wrong call; it is found before anything is written.
        let demo = generate(&spec, FileId(0)).map_err(|error| CliError::Usage(format!("{}: {error}", gait.name())))?;
        let mut session = Session::new(JobMode::Inline);
        let made = session.open_generated(|id| SourceFile { id, ..demo.file });
        made.map_err(anyhow::Error::from)?;
        let clips = session.document().listing();
        let first = clips.first().copied();
        let request = ExportRequest { clips, folder: Some(args.out.clone()), ..ExportRequest::default() };
        session.handle(Action::Export(request)).map_err(anyhow::Error::from)?;
        if let Some(path) = first.and_then(|clip| session.exported_to(clip)) {
            tell(&path.display().to_string())?;
        }
    }
    Ok(())
}
