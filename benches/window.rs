//! What the window costs on the processor, painting apart: a frame with all panels, a preview, a scrub through an hour.
//!
//! `cargo bench --bench window` prints a table; `-- frame`, `-- preview`, `-- hour` a part. Limits are for a desk
//! machine of today; the smallest of many times counts.

#![allow(clippy::print_stdout, missing_docs, reason = "a bench prints its table")]

use std::fmt::Write as _;
use std::hint::black_box;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use eframe::egui::{self, Pos2, RawInput, Rect, Vec2};
use stridesmith::motion::demo::{self, DemoSpec, Family, Gait};
use stridesmith::motion::{FileId, SourceFile};
use stridesmith::ops::path::PathSettings;
use stridesmith::ops::{Extract, Op};
use stridesmith::session::{Action, Change, JobMode, Session, Transport};
use stridesmith::ui::App;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let wants = |name: &str| wanted.is_empty() || wanted.iter().any(|part| name.contains(part.as_str()));
    println!("{:<58} {:>11} {:>11}", "what", "ours", "limit");
    if wants("preview") {
        preview();
    }
    if wants("frame") {
        frame();
    }
    if wants("hour") {
        hour();
    }
}

fn row(what: &str, ours: Duration, limit_ms: f64) {
    let ms = ours.as_secs_f64() * 1e3;
    println!("{what:<58} {ms:>8.2} ms {limit_ms:>8.2} ms{}", if ms <= limit_ms { "" } else { "  MISSED" });
}

/// Smallest and median of `n` times.
fn times(n: usize, mut work: impl FnMut()) -> (Duration, Duration) {
    let mut all: Vec<Duration> = (0..n)
        .map(|_| {
            let at = Instant::now();
            work();
            at.elapsed()
        })
        .collect();
    all.sort();
    (all[0], all[n / 2])
}

/// The demo walk with about so many frames.
fn walk(frames: u32) -> Session {
    let mut session = Session::new(JobMode::Inline);
    let mut spec = DemoSpec::new(Gait::Walk, Family::Unreal);
    let per_cycle = (frames / 33).max(1);
    spec.cycles = per_cycle;
    let file = demo::generate_set(&[spec], FileId(0)).map(|set| set.file).unwrap_or_else(|error| panic!("{error}"));
    session.open_generated(|id| SourceFile { id, ..file }).unwrap_or_else(|error| panic!("{error}"));
    let clip = session.evaluation_in_view().map(|evaluation| evaluation.clip.clone());
    let clip = clip.unwrap_or_else(|| panic!("the walk is on the desk"));
    println!("  (a walk of {:.0} frames)", clip.range.duration_secs() * clip.rate.fps());
    session
}

fn extract(sigma_secs: f64) -> Op {
    let path = PathSettings { sigma_secs: Some(sigma_secs), ..PathSettings::default() };
    Op::Extract(Extract { path, ..Extract::default() })
}

/// From a slider's event to the result that the next frame shows.
fn preview() {
    let mut session = walk(300);
    let clips = session.selection().clips.clone();
    let mut sigma = 0.2;
    let (best, median) = times(60, || {
        sigma += 0.001;
        let change = Change::apply(extract(sigma), clips.clone());
        session.handle(Action::Preview(change)).unwrap_or_else(|error| panic!("{error}"));
        black_box(session.evaluation_in_view());
    });
    row("preview of 300 frames after a slider's event, best", best, 4.0);
    row("preview of 300 frames after a slider's event, median", median, 4.0);
}

struct Window {
    context: egui::Context,
    app: App,
    secs: f64,
}

impl Window {
    fn over(session: Session) -> Self {
        let context = egui::Context::default();
        let app = App::new(&context, session, None);
        Self { context, app, secs: 0.0 }
    }

    /// One frame at 1600 × 900, without painting; tessellation belongs to painting.
    fn frame(&mut self) {
        self.secs += 1.0 / 60.0;
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, Vec2::new(1600.0, 900.0))),
            time: Some(self.secs),
            predicted_dt: 1.0 / 60.0,
            ..RawInput::default()
        };
        let app = &mut self.app;
        black_box(self.context.run_ui(input, |ui| app.show(ui)));
    }
}

fn frame() {
    let mut window = Window::over(walk(10_000));
    let clips = window.app.session.selection().clips.clone();
    window
        .app
        .session
        .handle(Action::Change(Change::apply(extract(0.3), clips)))
        .unwrap_or_else(|error| panic!("{error}"));
    (0..10).for_each(|_| window.frame());
    let (best, median) = times(200, || window.frame());
    row("frame of the window, 10 000 frames, playing, best", best, 6.0);
    row("frame of the window, 10 000 frames, playing, median", median, 6.0);
    drop(window.app.session.handle(Action::Transport(Transport::Pause)));
}

/// An hour of motion at 120 fps on 25 bones, as a BVH.
fn hour() {
    const FRAMES: usize = 432_000;
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
    let path = write_hour(folder.path(), FRAMES);
    let mut session = Session::new(JobMode::Inline);
    let at = Instant::now();
    session.handle(Action::Open(vec![path])).unwrap_or_else(|error| panic!("{error}"));
    println!("  (opened in {:.1} s, {} MiB at most so far)", at.elapsed().as_secs_f64(), peak_mib());
    let mut window = Window::over(session);
    (0..10).for_each(|_| window.frame());
    let mut secs = 0.0;
    let (best, median) = times(100, || {
        secs = (secs + 997.3) % 3600.0;
        drop(window.app.session.handle(Action::Transport(Transport::Seek(secs))));
        window.frame();
    });
    row("scrub through 432 000 frames × 25 bones, best", best, 16.0);
    row("scrub through 432 000 frames × 25 bones, median", median, 16.0);
    println!("  (peak memory {} MiB of 600)", peak_mib());
}

fn write_hour(folder: &Path, frames: usize) -> PathBuf {
    let path = folder.join("hour.bvh");
    let chains: [(&str, &[&str], [f64; 3]); 5] = [
        ("", &["Spine", "Spine1", "Spine2", "Neck", "Head", "HeadTop"], [0.0, 12.0, 0.0]),
        ("Left", &["UpLeg", "Leg", "Foot", "Toe"], [2.0, -24.0, 0.0]),
        ("Right", &["UpLeg", "Leg", "Foot", "Toe"], [-2.0, -24.0, 0.0]),
        ("Left", &["Shoulder", "Arm", "ForeArm", "Hand", "Finger"], [14.0, 0.0, 0.0]),
        ("Right", &["Shoulder", "Arm", "ForeArm", "Hand", "Finger"], [-14.0, 0.0, 0.0]),
    ];
    let mut text = String::from(
        "HIERARCHY\nROOT Hips\n{\nOFFSET 0 96 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n",
    );
    for (side, names, offset) in chains {
        for name in names {
            let [x, y, z] = offset;
            let _written =
                writeln!(text, "JOINT {side}{name}\n{{\nOFFSET {x} {y} {z}\nCHANNELS 3 Zrotation Xrotation Yrotation");
        }
        text.push_str("End Site\n{\nOFFSET 0 5 0\n}\n");
        text.push_str(&"}\n".repeat(names.len()));
    }
    let _written = writeln!(text, "}}\nMOTION\nFrames: {frames}\nFrame Time: 0.00833333");
    // Straight to the disk: the peak of memory is measured.
    let file = std::fs::File::create(&path).unwrap_or_else(|error| panic!("{error}"));
    let mut file = std::io::BufWriter::new(file);
    let mut put = |text: &str| file.write_all(text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    put(&text);
    let mut row = String::new();
    for frame in 0..frames {
        let secs = frame as f64 / 120.0;
        row.clear();
        let _written =
            write!(row, "{:.4} {:.4} {:.4}", 5.0 * (3.0 * secs).sin(), 96.0 + (12.0 * secs).sin(), secs * 20.0);
        for channel in 0..75 {
            let _written = write!(row, " {:.4}", 20.0 * (6.0 * secs + 1.3 * f64::from(channel)).sin());
        }
        row.push('\n');
        put(&row);
    }
    file.flush().unwrap_or_else(|error| panic!("{error}"));
    path
}

/// Of this process, as Linux says; 0 elsewhere.
fn peak_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|rest| rest.trim().trim_end_matches("kB").trim().parse::<u64>().ok()).unwrap_or(0) / 1024
}
