//! `render`: one moment of a clip as a PNG. What draws is handed in, since a build without a window has nothing.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use clap::{Args, ValueEnum};

use super::{CliError, ReadArgs, say, tell};
use crate::edit::take_names::moves;
use crate::formats::WriteError;
use crate::formats::publish::{Package, publish};
use crate::motion::{Clip, Rig, SourceFile};

/// Arguments of `render`.
#[derive(Debug, Args)]
pub struct RenderArgs {
    /// The file
    #[arg(value_name = "FILE")]
    path: PathBuf,
    /// Where to; where a file of that name is, the new one gets a number
    #[arg(short, long = "out", value_name = "FILE.png", required = true)]
    out: PathBuf,
    /// The take of this name [default: the first that moves]
    #[arg(long, value_name = "NAME")]
    clip: Option<String>,
    /// The file's time, seconds [default: the middle of the take]
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, conflicts_with = "frame")]
    time: Option<f64>,
    /// The frame, counted from 0 at the take's start
    #[arg(long, value_name = "NUMBER")]
    frame: Option<u32>,
    /// Pixels
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "1280x720", value_parser = size)]
    size: [u32; 2],
    /// From where
    #[arg(long, value_enum, default_value = "three-quarter")]
    camera: View,
    /// Without perspective
    #[arg(long)]
    orthographic: bool,
    /// Bones only
    #[arg(long)]
    no_mesh: bool,
    /// Bones over the mesh
    #[arg(long)]
    bones: bool,
    /// A plain floor
    #[arg(long)]
    no_grid: bool,
    /// Paths of pelvis and feet over the whole take
    #[arg(long)]
    trails: bool,
    /// Dark surroundings, the default
    #[arg(long, conflicts_with = "light")]
    dark: bool,
    /// Light surroundings
    #[arg(long)]
    light: bool,
    #[command(flatten)]
    read: ReadArgs,
}

/// From where a picture is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum View {
    /// At the character's face
    Front,
    /// At its left side
    Side,
    /// From above, forward up
    Top,
    /// From the front left, a little above
    ThreeQuarter,
    /// At the left foot, level with the floor
    Foot,
}

/// What is to be drawn.
pub struct Picture {
    /// Meshes and skeleton.
    pub file: Arc<SourceFile>,
    /// `None` for a file without takes: its node pose.
    pub clip: Option<Arc<Clip>>,
    /// Who is who.
    pub rig: Arc<Rig>,
    /// The file's time.
    pub secs: f64,
    /// Pixels.
    pub size: [u32; 2],
    /// From where.
    pub view: View,
    /// Without perspective.
    pub orthographic: bool,
    /// Whether meshes are drawn.
    pub mesh: bool,
    /// Whether bones are drawn.
    pub bones: bool,
    /// Whether the floor has lines.
    pub grid: bool,
    /// Whether pelvis and feet leave trails.
    pub trails: bool,
    /// Light surroundings instead of dark.
    pub light: bool,
}

/// Draws: the bytes of a PNG file, and what could not be drawn as the file says.
pub type Draw = fn(&Picture) -> anyhow::Result<(Vec<u8>, Vec<String>)>;

/// `1280x720`.
fn size(text: &str) -> Result<[u32; 2], String> {
    let parsed = text.split_once(['x', 'X', '×']).and_then(|(w, h)| Some([w.parse().ok()?, h.parse().ok()?]));
    parsed
        .filter(|size: &[u32; 2]| size.iter().all(|side| (1..=16_384).contains(side)))
        .ok_or_else(|| "write WIDTHxHEIGHT in pixels, such as 1280x720; each from 1 to 16384".into())
}

pub fn run(args: &RenderArgs, draw: Option<Draw>) -> Result<(), CliError> {
    let draw = draw.ok_or_else(|| {
        CliError::Usage("this build has no renderer; build it with the feature \"gui\" to draw pictures".into())
    })?;
    let stem = args.out.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let is_png = args.out.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png"));
    if stem.is_empty() || !is_png {
        return Err(CliError::Usage(format!("--out {}: name a file that ends in .png", args.out.display())));
    }
    let picture = args.picture()?;
    let (png, notes) = draw(&picture)?;
    for note in notes {
        say(&format!("note: {note}"));
    }
    let folder = args.out.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)
        .map_err(|error| anyhow::anyhow!("cannot make the folder: {error}: {}", folder.display()))?;
    let mut make = |_: &str| Ok(Package { main: (".png".into(), png.clone()), ..Package::default() });
    let mut proof = |read: &crate::formats::publish::ReadBack| match *read.main == *png {
        true => Ok(()),
        false => Err(WriteError::Unsupported {
            what: "the picture".into(),
            reason: "the disk gave back other bytes than were written".into(),
        }),
    };
    let published = publish(folder, &stem, &mut make, &mut proof).map_err(anyhow::Error::from)?;
    tell(&published.main.display().to_string())?;
    Ok(())
}

impl RenderArgs {
    fn picture(&self) -> Result<Picture, CliError> {
        let session = self.read.session(&self.path)?;
        let open = session.document().files().first().context("nothing was opened")?;
        let file = Arc::clone(&open.file);
        let overrides = session.document().overrides(&open.skeleton);
        let clip = self.take(&file)?;
        let rig = Rig::detect(&file.skeleton, &file.declared_roles, &overrides);
        let rig = Arc::new(clip.as_ref().map_or(rig.clone(), |clip| rig.with_travel(clip, &overrides)));
        let secs = match (&clip, self.time, self.frame) {
            (_, Some(secs), _) if !secs.is_finite() => return Err(CliError::Usage("--time must be a number".into())),
            (_, Some(secs), _) => secs,
            (None, ..) => 0.0,
            (Some(clip), None, Some(frame)) => clip.range.start_secs + f64::from(frame) * clip.rate.frame_secs(),
            (Some(clip), None, None) => (clip.range.start_secs + clip.range.end_secs) * 0.5,
        };
        if let Some(clip) = clip.as_ref().filter(|clip| (secs - clip.range.clamp(secs)).abs() > 1e-6) {
            return Err(CliError::Refused(anyhow::anyhow!(
                "{secs:.4} s lies outside the take \"{}\", which runs from {:.4} to {:.4} s",
                clip.name,
                clip.range.start_secs,
                clip.range.end_secs
            )));
        }
        Ok(Picture {
            file,
            clip,
            rig,
            secs,
            size: self.size,
            view: self.camera,
            orthographic: self.orthographic,
            mesh: !self.no_mesh,
            bones: self.bones,
            grid: !self.no_grid,
            trails: self.trails,
            light: self.light && !self.dark,
        })
    }

    fn take(&self, file: &SourceFile) -> Result<Option<Arc<Clip>>, CliError> {
        let Some(name) = &self.clip else {
            return Ok(file.clips.iter().find(|clip| moves(clip)).or(file.clips.first()).cloned());
        };
        match file.clips.iter().find(|clip| clip.name == *name) {
            Some(clip) => Ok(Some(clip.clone())),
            None => {
                let names: Vec<&str> = file.clips.iter().map(|clip| clip.name.as_str()).collect();
                Err(CliError::Refused(anyhow::anyhow!(
                    "no take is called \"{name}\" in {}; it has {}",
                    self.path.display(),
                    if names.is_empty() { "none".into() } else { names.join(", ") }
                )))
            }
        }
    }
}
