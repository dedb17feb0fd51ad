//! A clip as a command: what is written is read back by the command line's own parser, and by a shell.

use std::path::Path;

use clap::Parser as _;
use stridesmith::cli::{Cli, Command};
use stridesmith::edit::{Document, Edit, RoleChoice};
use stridesmith::formats::ReadOptions;
use stridesmith::motion::demo::{DemoSpec, Family, Gait, generate_set};
use stridesmith::motion::{Format, Role, SourceFile};
use stridesmith::ops::path::{Padding, PathMode, PathSettings, Vertical, YawSource};
use stridesmith::ops::resplit::{ChildMode, ChildRule};
use stridesmith::ops::root_motion::{RootSettings, RootStart};
use stridesmith::ops::{BakeToHips, ClipId, Extract, InPlace, MoveToOrigin, Op, StartAtZero, Step};
use stridesmith::session::command_line::{NoCommand, calls, shell_line};
use stridesmith::session::{Action, Change, JobMode, Session};

/// A desk with a file that lies, as far as it says, somewhere.
fn session(path: &str, gaits: &[Gait]) -> Session {
    let mut session = Session::new(JobMode::Inline);
    let specs: Vec<DemoSpec> = gaits.iter().map(|&gait| DemoSpec::new(gait, Family::Unreal)).collect();
    let make = |id| {
        let file = generate_set(&specs, id).unwrap().file;
        SourceFile { path: path.into(), format: Format::Fbx, ..file }
    };
    session.open_generated(make).unwrap();
    session
}

fn first(document: &Document) -> ClipId {
    document.listing()[0]
}

/// The calls for the first take with these steps, however little sense they make: none is computed here.
fn calls_of(session: &Session, ops: &[Op]) -> Vec<Vec<String>> {
    let (parent, id) = (first(session.document()), ClipId(1000));
    let steps = ops.iter().cloned().map(Step::new).collect();
    let document = Edit::AddOutput { id, parent, steps, name: None }.apply(session.document()).unwrap();
    calls(&document, id, &session.read_options, Path::new("out")).unwrap()
}

/// The operation that the command line would carry out.
fn parsed(call: &[String]) -> Op {
    let cli = Cli::try_parse_from(call).unwrap_or_else(|error| panic!("{call:?}: {error}"));
    cli.command.as_ref().and_then(Command::op).unwrap().unwrap()
}

fn every_setting() -> Vec<Op> {
    let path = PathSettings {
        path: PathMode::Smoothed,
        sigma_secs: Some(0.3125),
        padding: Padding::PeriodicWithDrift,
        vertical: Vertical::Clamped,
        yaw: YawSource::Typed { yaw_deg: -12.5 },
        lock_x: true,
        lock_z: true,
        travel_bone: Some("root/pelvis it's".into()),
    };
    let root = RootSettings {
        start: RootStart::UnderPelvis,
        root_name: "-my root".into(),
        children: vec![
            ChildRule { bone: "a=b".into(), mode: ChildMode::Ride },
            ChildRule { bone: "c".into(), mode: ChildMode::LeaveTrack },
            ChildRule { bone: "d".into(), mode: ChildMode::Keep },
        ],
    };
    let mut ops = vec![
        Op::Extract(Extract::default()),
        Op::Extract(Extract { path: path.clone(), root: root.clone() }),
        Op::InPlace(InPlace { path, root: root.clone() }),
        Op::BakeToHips(BakeToHips { children: root.children }),
        Op::MoveToOrigin(MoveToOrigin { turn: false, shift: false, travel_bone: Some("hips".into()) }),
        Op::StartAtZero(StartAtZero {}),
    ];
    for yaw in [YawSource::None, YawSource::PelvisDelta, YawSource::Travel] {
        for mode in [PathMode::Raw, PathMode::ConstantSpeed] {
            let path =
                PathSettings { path: mode, yaw, padding: Padding::Odd, vertical: Vertical::On, ..Default::default() };
            let root = RootSettings { start: RootStart::Relative, ..Default::default() };
            ops.push(Op::Extract(Extract { path, root }));
        }
    }
    ops
}

#[test]
fn every_setting_comes_back_from_the_command_line() {
    let session = session("/clips/hero.fbx", &[Gait::Walk, Gait::Run]);
    for op in every_setting() {
        let calls = calls_of(&session, std::slice::from_ref(&op));
        assert_eq!(calls.len(), 1);
        assert_eq!(parsed(&calls[0]), op, "{calls:?}");
    }
}

#[test]
fn defaults_are_not_spelled_out() {
    let session = session("/clips/hero.fbx", &[Gait::Walk]);
    let calls = calls_of(&session, &[Op::Extract(Extract::default())]);
    assert_eq!(shell_line(&calls), "stridesmith extract /clips/hero.fbx --out=out");
}

#[test]
fn a_take_among_several_is_named() {
    let mut session = session("/clips/hero.fbx", &[Gait::Walk, Gait::Run]);
    let take = first(session.document());
    let name = session.document().clip(take).unwrap().name.clone();
    // A name given on the desk is not known to a fresh session.
    session.handle(Action::Change(Change::Rename { clip: take, name: "renamed".into() })).unwrap();
    let calls = calls_of(&session, &[Op::StartAtZero(StartAtZero {})]);
    assert!(calls[0].contains(&format!("--clip={name}")), "{calls:?}");
}

#[test]
fn each_call_reads_what_the_one_before_wrote() {
    let session = session("/clips/hero.fbx", &[Gait::Walk]);
    let ops = [Op::Extract(Extract::default()), Op::MoveToOrigin(MoveToOrigin::default())];
    let calls = calls_of(&session, &ops);
    let line = shell_line(&calls);
    assert_eq!(
        line,
        "stridesmith extract /clips/hero.fbx --out=out && \
         stridesmith to-origin out/hero_RMSmooth.glb --clip=hero_RMSmooth --out=out"
    );
    let again: Vec<Op> = calls.iter().map(|call| parsed(call)).collect();
    assert_eq!(again, ops);
}

#[test]
fn roles_and_the_way_of_reading_go_along() {
    let mut session = session("/clips/hero.fbx", &[Gait::Walk]);
    let skeleton = session.document().files()[0].skeleton.clone();
    for (role, choice) in [(Role::Pelvis, RoleChoice::Bone("root/pelvis".into())), (Role::Head, RoleChoice::Nobody)] {
        let change = Change::SetRole { skeleton: skeleton.clone(), role, choice };
        session.handle(Action::Change(change)).unwrap();
    }
    let calls = calls_of(&session, &[Op::StartAtZero(StartAtZero {})]);
    assert!(calls[0].contains(&"--role=pelvis=pelvis".to_owned()), "{calls:?}");
    assert!(calls[0].contains(&"--role=head=".to_owned()), "{calls:?}");
    // Units are asked for BVH alone, and only where they were set.
    let clip = first(session.document());
    let options = ReadOptions { metres_per_unit: Some(0.01), ..ReadOptions::default() };
    assert!(matches!(calls_for(&session, clip, &options), Err(NoCommand::NoSteps(_))));
    assert!(!calls[0].iter().any(|word| word.starts_with("--metres")));
}

fn calls_for(session: &Session, clip: ClipId, options: &ReadOptions) -> Result<Vec<Vec<String>>, NoCommand> {
    calls(session.document(), clip, options, Path::new("out"))
}

#[test]
fn what_lies_in_no_file_has_no_command() {
    let mut session = Session::new(JobMode::Inline);
    let specs = [DemoSpec::new(Gait::Walk, Family::Unreal)];
    session.open_generated(|id| generate_set(&specs, id).unwrap().file).unwrap();
    let take = first(session.document());
    session.handle(Action::Change(Change::apply(Op::StartAtZero(StartAtZero {}), vec![take]))).unwrap();
    let clip = session.selection().shown().unwrap();
    assert!(matches!(calls_for(&session, clip, &ReadOptions::default()), Err(NoCommand::NoFile(_))));
    assert!(matches!(calls_for(&session, ClipId(999), &ReadOptions::default()), Err(NoCommand::Gone)));
}

#[cfg(unix)]
#[test]
fn a_shell_reads_the_words_back() {
    let words = ["plain", "it's", "a b", "$HOME", "", "`x`", "\"q\"", "a\\b", "*", "ö;|&", "--flag=a b"];
    let call: Vec<String> = ["printf", "%s\\0"].into_iter().chain(words).map(str::to_owned).collect();
    let line = shell_line(&[call]);
    let output = std::process::Command::new("sh").args(["-c", &line]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let read: Vec<&str> = text.split_terminator('\0').collect();
    assert_eq!(read, words, "{line}");
}
