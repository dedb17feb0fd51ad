//! A clip as the command that makes it: what a person does once in the window, a script does a thousand times.

use std::path::Path;

use crate::edit::take_names::take_names;
use crate::edit::{Document, OpenFile};
use crate::formats::ReadOptions;
use crate::motion::{Format, Role, Skeleton, SourceFile};
use crate::ops::naming::{compose, suffix_chain};
use crate::ops::path::{Padding, PathMode, PathSettings, Vertical, YawSource};
use crate::ops::resplit::{ChildMode, ChildRule};
use crate::ops::root_motion::{RootSettings, RootStart};
use crate::ops::{ClipId, Op, Step};

/// Why a clip has no command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoCommand {
    /// It is not on the desk any more.
    #[error("the clip is no longer on the desk")]
    Gone,
    /// Its file lies nowhere.
    #[error("\"{0}\" was made by this program and lies in no file that a command could read")]
    NoFile(String),
    /// It is as it was in its file.
    #[error("nothing is done to \"{0}\": there is no step that a command could carry out")]
    NoSteps(String),
}

/// The word of a role on the command line, such as `left-upper-arm`.
pub fn role_word(role: Role) -> String {
    role.to_string().replace(' ', "-").to_lowercase()
}

/// The calls that make a clip from its file, one per step that is on, each as its arguments with the program first;
/// each call but the first reads what the one before wrote into `out`.
///
/// # Errors
/// There is no file, or nothing to be done.
pub fn calls(
    document: &Document,
    clip: ClipId,
    options: &ReadOptions,
    out: &Path,
) -> Result<Vec<Vec<String>>, NoCommand> {
    let entry = document.clip(clip).ok_or(NoCommand::Gone)?;
    let (open, take) = document.take_of(clip).ok_or(NoCommand::Gone)?;
    let file = &*open.file;
    if file.format == Format::Generated {
        return Err(NoCommand::NoFile(entry.name.clone()));
    }
    let steps: Vec<&Step> = entry.steps().iter().map(AsRef::as_ref).filter(|step| step.on).collect();
    if steps.is_empty() {
        return Err(NoCommand::NoSteps(entry.name.clone()));
    }
    let ending = if file.format == Format::Gltf { "gltf" } else { "glb" };
    let names = take_names(file);
    let mut name = names.get(take).map(|take| take.name.clone()).unwrap_or_default();
    let mut calls = Vec::new();
    for (nth, step) in steps.iter().enumerate() {
        let mut call = vec!["stridesmith".to_owned(), subcommand(&step.op).to_owned()];
        if nth == 0 {
            call.push(file.path.to_string_lossy().into_owned());
            call.extend(wanted_take(file, take));
            call.extend(reading(options, file.format));
        } else {
            call.push(out.join(format!("{name}.{ending}")).to_string_lossy().into_owned());
            call.push(format!("--clip={name}"));
        }
        call.extend(roles(document, open));
        call.extend(flags(&step.op));
        call.push(format!("--out={}", out.display()));
        name = compose(&name, &suffix_chain(step.op.suffix()));
        calls.push(call);
    }
    Ok(calls)
}

/// The calls as one line for a shell; several are joined so that one that fails stops the rest.
pub fn shell_line(calls: &[Vec<String>]) -> String {
    let quoted = calls.iter().map(|call| call.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "));
    quoted.collect::<Vec<_>>().join(" && ")
}

/// A word as a POSIX shell reads it back; on Windows as its shells do.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c) || (cfg!(windows) && c == '\\');
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    match cfg!(windows) {
        true => format!("\"{}\"", word.replace('"', "\\\"")),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

fn subcommand(op: &Op) -> &'static str {
    match op {
        Op::Extract(_) => "extract",
        Op::InPlace(_) => "in-place",
        Op::BakeToHips(_) => "bake-to-hips",
        Op::MoveToOrigin(_) => "to-origin",
        Op::StartAtZero(_) => "start-at-zero",
    }
}

/// `--clip`, unless the take is the only one that moves. The name is the one that no other take has.
fn wanted_take(file: &SourceFile, take: usize) -> Option<String> {
    let shown = take_names(file);
    let moving: Vec<usize> = (0..shown.len()).filter(|&i| shown[i].moving).collect();
    if moving == [take] {
        return None;
    }
    let own = |i: usize| file.clips.get(i).map(|clip| clip.name.as_str());
    let matches = |name: &str| (0..shown.len()).filter(|&i| shown[i].name == name || own(i) == Some(name)).count();
    let shown_name = shown.get(take).map(|take| take.name.as_str())?;
    let name = [Some(shown_name), own(take)].into_iter().flatten().find(|name| matches(name) == 1);
    Some(format!("--clip={}", name.unwrap_or(shown_name)))
}

fn reading(options: &ReadOptions, format: Format) -> Vec<String> {
    let mut flags = Vec::new();
    if format == Format::Bvh {
        flags.extend(options.metres_per_unit.map(|metres| format!("--metres-per-unit={metres}")));
        flags.extend(options.add_positions_to_offset.then(|| "--add-positions".to_owned()));
    }
    flags
}

/// The corrections a person made. A bone goes by its name where only it has it: what the first call writes may have
/// another node on top.
fn roles(document: &Document, open: &OpenFile) -> Vec<String> {
    let overrides = document.overrides(&open.skeleton).0;
    let word = |(role, bone): (Role, Option<String>)| {
        let bone = bone.map(|path| shortest(&open.file.skeleton, &path)).unwrap_or_default();
        format!("--role={}={bone}", role_word(role))
    };
    overrides.into_iter().map(word).collect()
}

fn shortest(skeleton: &Skeleton, path: &str) -> String {
    let Some(bone) = skeleton.find_path(path) else { return path.to_owned() };
    let name = &skeleton.bone(bone).name;
    if skeleton.find(name) == Some(bone) { name.clone() } else { path.to_owned() }
}

/// The settings that are not as they are by default.
fn flags(op: &Op) -> Vec<String> {
    match op {
        Op::Extract(op) => [path_flags(&op.path), root_flags(&op.root)].concat(),
        Op::InPlace(op) => [path_flags(&op.path), root_flags(&op.root)].concat(),
        Op::BakeToHips(op) => child_flags(&op.children),
        Op::MoveToOrigin(op) => {
            let mut flags = Vec::new();
            flags.extend((!op.turn).then(|| "--keep-heading".to_owned()));
            flags.extend((!op.shift).then(|| "--keep-place".to_owned()));
            flags.extend(travel_bone(op.travel_bone.as_ref()));
            flags
        }
        Op::StartAtZero(_) => Vec::new(),
    }
}

fn travel_bone(bone: Option<&String>) -> Option<String> {
    bone.map(|bone| format!("--travel-bone={bone}"))
}

fn path_flags(path: &PathSettings) -> Vec<String> {
    let mut flags = Vec::new();
    let mut say = |flag: Option<String>| flags.extend(flag);
    say(match path.path {
        PathMode::Raw => Some("--path=raw".into()),
        PathMode::Smoothed => None,
        PathMode::ConstantSpeed => Some("--path=constant-speed".into()),
    });
    // Any other path has no use for it, and the command line says so.
    say(path.sigma_secs.filter(|_| path.path == PathMode::Smoothed).map(|sigma| format!("--sigma={sigma}")));
    say(match path.padding {
        Padding::Auto => None,
        Padding::Odd => Some("--padding=odd".into()),
        Padding::PeriodicWithDrift => Some("--padding=loop".into()),
    });
    say(match path.vertical {
        Vertical::Off => None,
        Vertical::On => Some("--vertical=on".into()),
        Vertical::Clamped => Some("--vertical=clamped".into()),
    });
    say(match path.yaw {
        YawSource::Auto => None,
        YawSource::None => Some("--yaw=none".into()),
        YawSource::PelvisDelta => Some("--yaw=pelvis".into()),
        YawSource::Travel => Some("--yaw=travel".into()),
        YawSource::Typed { yaw_deg } => Some(format!("--yaw={yaw_deg}")),
    });
    say(path.lock_x.then(|| "--lock-x".into()));
    say(path.lock_z.then(|| "--lock-z".into()));
    say(travel_bone(path.travel_bone.as_ref()));
    flags
}

fn root_flags(root: &RootSettings) -> Vec<String> {
    let mut flags = Vec::new();
    flags.extend(match root.start {
        RootStart::Auto => None,
        RootStart::Relative => Some("--start=relative".to_owned()),
        RootStart::UnderPelvis => Some("--start=under-pelvis".to_owned()),
    });
    if root.root_name != RootSettings::default().root_name {
        flags.push(format!("--root-name={}", root.root_name));
    }
    flags.extend(child_flags(&root.children));
    flags
}

fn child_flags(rules: &[ChildRule]) -> Vec<String> {
    let word = |rule: &ChildRule| {
        let mode = match rule.mode {
            ChildMode::Keep => "keep",
            ChildMode::Ride => "ride",
            ChildMode::LeaveTrack => "leave",
        };
        format!("--child={}={mode}", rule.bone)
    };
    rules.iter().map(word).collect()
}
