//! What is in a file: `info` for people and scripts, `dump` for other programs.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use serde::Serialize;

use super::{CliError, ReadArgs, tell};
use crate::edit::take_names::moves;
use crate::motion::{Clip, Cycle, FrameRate, Rig, SourceFile, Warning};
use crate::ops::cycle::guess_cycle;
use crate::ops::path::travel_bone;
use crate::ops::travel_share::travel_share;
use crate::session::Session;
use crate::session::command_line::role_word;

/// Arguments of `info`.
#[derive(Debug, Args)]
pub struct InfoArgs {
    /// Files to look at
    #[arg(required = true, value_name = "FILE")]
    paths: Vec<PathBuf>,
    /// As JSON, one array
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    read: ReadArgs,
}

/// Arguments of `dump`.
#[derive(Debug, Args)]
pub struct DumpArgs {
    /// The file
    #[arg(value_name = "FILE")]
    path: PathBuf,
    /// Where to; a file that is there already is not overwritten. "-" is standard output
    #[arg(short, long = "out", value_name = "FILE", required = true)]
    out: PathBuf,
    /// Frames per second [default: each take's own]
    #[arg(long, value_name = "RATE")]
    fps: Option<f64>,
    /// Only takes of this name
    #[arg(long = "clip", value_name = "NAME")]
    clips: Vec<String>,
    #[command(flatten)]
    read: ReadArgs,
}

#[derive(Serialize)]
struct FileInfo {
    file: PathBuf,
    description: String,
    metres_per_unit: f64,
    left_handed: bool,
    bones: usize,
    meshes: usize,
    skins: usize,
    rig: RigInfo,
    takes: Vec<TakeInfo>,
    warnings: Vec<Warning>,
}

#[derive(Serialize)]
struct RigInfo {
    family: String,
    confidence: f64,
    reason: String,
    roles: Vec<(String, String)>,
    travel_bone: Option<String>,
}

#[derive(Serialize)]
struct TakeInfo {
    name: String,
    start_s: f64,
    duration_s: f64,
    fps: f64,
    moves: bool,
    cycle: Cycle,
    travel: Option<TravelInfo>,
}

#[derive(Serialize)]
struct TravelInfo {
    net_m: f64,
    path_m: f64,
    speed_m_s: f64,
    direction_deg: f64,
    above_share: f64,
    root_share: f64,
    pelvis_share: f64,
}

pub fn info(args: &InfoArgs) -> Result<(), CliError> {
    let mut infos = Vec::new();
    let mut failed = None;
    for path in &args.paths {
        match args.read.session(path) {
            Ok(session) => infos.extend(file_info(path, &session)),
            Err(CliError::Refused(error)) => {
                super::say(&format!("error: {error:#}"));
                failed = Some(path);
            }
            Err(usage) => return Err(usage),
        }
    }
    if args.json {
        tell(&serde_json::to_string_pretty(&infos).context("writing JSON")?)?;
    } else {
        for info in &infos {
            print_info(info)?;
        }
    }
    match failed {
        Some(path) if args.paths.len() > 1 => {
            Err(CliError::Refused(anyhow::anyhow!("not every file could be read; the last one was {}", path.display())))
        }
        Some(path) => Err(CliError::Refused(anyhow::anyhow!("nothing to show for {}", path.display()))),
        None => Ok(()),
    }
}

fn file_info(path: &Path, session: &Session) -> Option<FileInfo> {
    let open = session.document().files().first()?;
    let file: &SourceFile = &open.file;
    let overrides = session.document().overrides(&open.skeleton);
    let rig = Rig::detect(&file.skeleton, &file.declared_roles, &overrides);
    let bone_name = |bone| file.skeleton.path(bone).to_owned();
    Some(FileInfo {
        file: path.to_owned(),
        description: file.description.clone(),
        metres_per_unit: file.space.metres_per_unit,
        left_handed: file.space.left_handed,
        bones: file.skeleton.len(),
        meshes: file.meshes.len(),
        skins: file.skins.len(),
        rig: RigInfo {
            family: rig.family.clone(),
            confidence: rig.confidence,
            reason: rig.reason.clone(),
            roles: rig.roles.iter().map(|(&role, &bone)| (role_word(role), bone_name(bone))).collect(),
            travel_bone: rig.travel_bone.map(bone_name),
        },
        takes: file.clips.iter().map(|clip| take_info(clip, &rig.with_travel(clip, &overrides))).collect(),
        warnings: file.warnings.clone(),
    })
}

fn take_info(clip: &Clip, rig: &Rig) -> TakeInfo {
    let duration_s = clip.range.duration_secs();
    let travel =
        travel_bone(clip, rig, None).ok().and_then(|bone| travel_share(clip, rig, bone).ok()).map(|share| TravelInfo {
            net_m: share.net_m,
            path_m: share.path_m,
            speed_m_s: if duration_s > 0.0 { share.net_m / duration_s } else { 0.0 },
            direction_deg: share.direction_rad.to_degrees(),
            above_share: share.above,
            root_share: share.root,
            pelvis_share: share.pelvis,
        });
    TakeInfo {
        name: clip.name.clone(),
        start_s: clip.range.start_secs,
        duration_s,
        fps: clip.rate.fps(),
        moves: moves(clip),
        cycle: guess_cycle(clip, rig),
        travel,
    }
}

fn print_info(info: &FileInfo) -> Result<(), CliError> {
    tell(&info.file.display().to_string())?;
    tell(&format!("  {}", info.description))?;
    tell(&format!("  {} bones, {} meshes, {} skins", info.bones, info.meshes, info.skins))?;
    let rig = &info.rig;
    if rig.family.is_empty() {
        tell(&format!("  rig: unknown: {}", rig.reason))?;
    } else {
        tell(&format!("  rig: {:.0} % sure: {}", rig.confidence * 100.0, rig.reason))?;
    }
    for (role, bone) in &rig.roles {
        tell(&format!("    {role:<16} {bone}"))?;
    }
    for take in &info.takes {
        let cycle = match take.cycle {
            Cycle::None => "",
            Cycle::LastRepeatsFirst => ", loop",
            Cycle::OneShort => ", loop one frame short",
        };
        let still = if take.moves { "" } else { ", still" };
        let start = if take.start_s.abs() > 1e-6 { format!(" from {:.4} s", take.start_s) } else { String::new() };
        tell(&format!("  take \"{}\": {:.4} s{start}, {:.4} fps{cycle}{still}", take.name, take.duration_s, take.fps))?;
        if let Some(travel) = take.travel.as_ref().filter(|travel| travel.net_m > 0.05) {
            tell(&format!(
                "    travels {:.3} m at {:.3} m/s, heading {:.0}°; on the root {:.0} %, the pelvis {:.0} %, above the root {:.0} %",
                travel.net_m,
                travel.speed_m_s,
                travel.direction_deg,
                travel.root_share * 100.0,
                travel.pelvis_share * 100.0,
                travel.above_share * 100.0
            ))?;
        }
    }
    if info.takes.is_empty() {
        tell("  no animation")?;
    }
    for warning in &info.warnings {
        tell(&format!("  note: {warning}"))?;
    }
    Ok(())
}

pub fn dump(args: &DumpArgs) -> Result<(), CliError> {
    let rate = match args.fps {
        None => None,
        Some(fps) => {
            Some(FrameRate::new(fps).ok_or_else(|| CliError::Usage(format!("--fps {fps} is not a frame rate")))?)
        }
    };
    let session = args.read.session(&args.path)?;
    let Some(open) = session.document().files().first() else {
        return Err(CliError::Refused(anyhow::anyhow!("nothing was opened")));
    };
    let clips: Vec<_> = open
        .file
        .clips
        .iter()
        .filter(|clip| args.clips.is_empty() || args.clips.contains(&clip.name))
        .cloned()
        .collect();
    if clips.is_empty() && !args.clips.is_empty() {
        let names: Vec<&str> = open.file.clips.iter().map(|clip| clip.name.as_str()).collect();
        let names = names.join("\", \"");
        return Err(CliError::Refused(anyhow::anyhow!("no take is called that; there are \"{names}\"")));
    }
    let write = |out: &mut dyn std::io::Write| crate::formats::dump::write(out, &open.file.skeleton, &clips, rate);
    if args.out.as_os_str() == "-" {
        let mut out = std::io::BufWriter::new(std::io::stdout().lock());
        write(&mut out)?;
        out.flush()?;
    } else {
        let file = std::fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&args.out)
            .with_context(|| format!("cannot write a new file {}", args.out.display()))?;
        let mut out = std::io::BufWriter::new(file);
        write(&mut out)?;
        out.flush()?;
    }
    Ok(())
}
