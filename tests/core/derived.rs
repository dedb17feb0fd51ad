//! What plots and trails read: against brute force, against the pose, and through the session.

use std::sync::Arc;
use std::time::{Duration, Instant};

use glam::DVec3;
use stridesmith::motion::demo::{self, Carrier, DemoSpec, Family, Gait, Sole};
use stridesmith::motion::*;
use stridesmith::ops::role_motion::{Frames, Points};
use stridesmith::ops::{ClipId, Extract, Op, OpError, Progress};
use stridesmith::session::derived::{Derived, Series, Trail};
use stridesmith::session::{Action, Change, JobMode, Session};

fn frames(count: usize, end_secs: f64) -> Frames {
    let step_secs = 1.0 / 30.0;
    Frames { start_secs: 0.5, end_secs: 0.5 + end_secs, step_secs, count }
}

/// Numbers that look random and are the same every time.
fn noise(count: usize, seed: u64) -> Vec<f32> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 40) as f32 / (1u64 << 24) as f32) - 0.5
    };
    let mut sum = 0.0;
    (0..count).map(|_| (sum += next(), sum + 3.0 * next()).1).collect()
}

#[test]
fn columns_are_what_looking_at_every_frame_gives() {
    for count in [1, 2, 3, 4, 5, 15, 16, 17, 63, 64, 65, 1000, 4097] {
        // The last step is shorter than the others.
        let frames = frames(count, (count as f64 - 1.6).max(0.0) / 30.0);
        let series = Series::new(frames, noise(count, count as u64));
        let end = frames.end_secs;
        for (from, to) in
            [(0.5, end), (0.0, end + 1.0), (0.5 + 0.3 * (end - 0.5), 0.5 + 0.31 * (end - 0.5)), (9e9, 1e10)]
        {
            for pixels in [1, 2, 7, 100, 1000] {
                let range = TimeRange { start_secs: from, end_secs: to };
                let columns: Vec<_> = series.columns(range, pixels).collect();
                assert_eq!(columns.len(), pixels);
                for (column, found) in columns.into_iter().enumerate() {
                    let at = |c: usize| from + c as f64 * range.duration_secs() / pixels as f64;
                    let (a, b) = (at(column), at(column + 1));
                    if b < frames.start_secs || a > frames.end_secs {
                        assert_eq!(found, None, "{count} frames, {from}..{to}, column {column} of {pixels}");
                        continue;
                    }
                    let inside = (0..count).filter(|&i| (a..=b).contains(&frames.secs(i))).map(|i| series.values()[i]);
                    let all: Vec<f32> = inside.chain([series.at(a), series.at(b)]).collect();
                    let low = all.iter().copied().fold(f32::INFINITY, f32::min);
                    let high = all.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                    let (l, h) = found.unwrap();
                    // A frame on the edge of a column may fall to either side of it.
                    let near = |a: f32, b: f32| (a - b).abs() <= 1e-3 * (1.0 + b.abs());
                    assert!(
                        near(l, low) && near(h, high),
                        "{count} frames, column {column} of {pixels}: {l}..{h}, {low}..{high}"
                    );
                }
            }
        }
        let (low, high) = series.extremes();
        assert_eq!(low, series.values().iter().copied().fold(f32::INFINITY, f32::min));
        assert_eq!(high, series.values().iter().copied().fold(f32::NEG_INFINITY, f32::max));
    }
}

#[test]
fn neighbouring_columns_meet() {
    let series = Series::new(frames(50, 49.0 / 30.0), noise(50, 5));
    let range = TimeRange { start_secs: 0.5, end_secs: 0.9 };
    let columns: Vec<(f32, f32)> = series.columns(range, 997).flatten().collect();
    assert_eq!(columns.len(), 997);
    for pair in columns.windows(2) {
        assert!(pair[0].0 <= pair[1].1 + 1e-5 && pair[1].0 <= pair[0].1 + 1e-5, "a gap in the line: {pair:?}");
    }
}

#[test]
fn a_trail_of_few_points_keeps_how_far_it_reaches() {
    let count = 20_000;
    let frames = frames(count, (count - 1) as f64 / 30.0);
    let points =
        Points { x: noise(count, 1), y: vec![0.0; count], z: noise(count, 2).iter().map(|v| 0.01 * v).collect() };
    let trail = Trail::new(frames, points.clone());
    let range = TimeRange { start_secs: 0.0, end_secs: 1e9 };
    for most in [2, 10, 100, 1999, 30_000] {
        let picked = trail.picked(range, most);
        assert!(picked.len() <= (most + 4).max(8), "{} of {most}", picked.len());
        assert!(picked.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!((picked[0], picked[picked.len() - 1]), (0, count - 1));
        let reach = |frames: &mut dyn Iterator<Item = usize>| {
            frames.map(|i| points.x[i]).fold((f32::INFINITY, f32::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)))
        };
        assert_eq!(reach(&mut picked.iter().copied()), reach(&mut (0..count)), "the bends are kept");
    }
    let part = TimeRange { start_secs: 10.0, end_secs: 11.0 };
    let picked = trail.picked(part, 1000);
    assert_eq!(picked, (285..=315).collect::<Vec<_>>());
}

#[test]
fn frames_are_the_clips_own_and_bounded() {
    let clip = |start_secs: f64, end_secs: f64, fps: f64| {
        let file = demo::generate(&DemoSpec::new(Gait::Walk, Family::Bvh), FileId(0)).unwrap().file;
        let range = TimeRange { start_secs, end_secs };
        Frames::of(&Clip::empty("c", file.skeleton, range, FrameRate::new(fps).unwrap()))
    };
    let even = clip(0.1, 1.1, 30.0);
    assert_eq!((even.count, even.secs(0), even.secs(30)), (31, 0.1, 1.1));
    assert!((even.secs(7) - (0.1 + 7.0 / 30.0)).abs() < 1e-12);
    let odd = clip(0.0, 1.01, 30.0);
    assert_eq!((odd.count, odd.secs(30), odd.secs(31)), (32, 1.0, 1.01));
    assert!((odd.place(1.005) - 30.5).abs() < 1e-9 && (odd.place(0.5) - 15.0).abs() < 1e-9);
    assert_eq!(clip(2.0, 2.0, 30.0).count, 1);
    for end in [1e7, 1e300, f64::MAX] {
        let long = clip(0.0, end, 120.0);
        assert!(long.count <= Frames::MOST && long.secs(long.count - 1) == end, "{long:?}");
    }
}

#[test]
fn the_series_are_the_pose() {
    for (family, carrier) in [(Family::Unreal, Carrier::Root), (Family::Mixamo, Carrier::Pelvis)] {
        let spec = DemoSpec {
            carrier,
            heading_rad: 0.4,
            origin: DVec3::new(2.0, 0.0, -1.0),
            ..DemoSpec::new(Gait::Arc, family)
        };
        let demo = demo::generate(&spec, FileId(0)).unwrap();
        let (clip, truth) = (&demo.file.clips[0], demo.truth());
        let rig = Rig::detect(&demo.file.skeleton, &demo.file.declared_roles, &RoleOverrides::default());
        let derived = Derived::of(clip, &rig, &Progress::default()).unwrap();
        assert!(derived.grounded);
        let mut travelled = 0.0;
        let mut before: Option<DVec3> = None;
        for (frame, secs) in derived.frames.iter().enumerate() {
            let pose = clip.component_at(secs);
            let near = |trail: &Trail, role: Role| {
                let there = DVec3::from_array(trail.point(frame).map(f64::from));
                let off = there.distance(pose.position(rig.bone(role).unwrap()));
                assert!(off < 1e-5, "{role} is {off} m off in frame {frame}");
            };
            near(derived.pelvis.as_ref().unwrap(), Role::Pelvis);
            near(derived.head.as_ref().unwrap(), Role::Head);
            for side in [Side::Left, Side::Right] {
                let foot = derived.foot(side).unwrap();
                near(&foot.ankle, Role::Foot(side));
                near(foot.toe.as_ref().unwrap(), Role::Toe(side));
            }
            let path = truth.path(secs);
            if carrier == Carrier::Root {
                near(derived.chosen().unwrap(), Role::Root);
                let yaw = f64::from(derived.root_yaw.as_ref().unwrap().values()[frame]);
                assert!((yaw - path.yaw_rad).abs() < 1e-3, "{yaw} for {}", path.yaw_rad);
            }
            if carrier == Carrier::Root {
                travelled += before.replace(path.position).map_or(0.0, |p| p.distance(path.position));
                let distance = f64::from(derived.distance.as_ref().unwrap().values()[frame]);
                assert!((distance - travelled).abs() < 1e-3, "{distance} for {travelled}");
                let speed = f64::from(derived.root_speed.as_ref().unwrap().values()[frame]);
                assert!((speed - spec.speed_m_s).abs() < 0.02 * spec.speed_m_s, "{speed}");
            } else {
                assert!(derived.root.is_none() && derived.chosen().is_none());
            }
        }
        for plant in truth.planted.iter().filter(|plant| plant.sole == Sole::Ankle) {
            let foot = derived.foot(plant.side).unwrap();
            let inside = |secs: f64| secs > plant.start_secs + 0.05 && secs < plant.end_secs - 0.05;
            for (frame, _) in derived.frames.iter().enumerate().filter(|(_, secs)| inside(*secs)) {
                assert!(foot.height.values()[frame].abs() < 2e-3, "{}", foot.height.values()[frame]);
                assert!(foot.speed.values()[frame] < 0.02, "{}", foot.speed.values()[frame]);
            }
        }
    }
}

/// A clip of so many frames at 120 fps, its keys those of a walk over and over.
fn long_clip(frames: usize) -> (Clip, Rig) {
    let file = demo::generate(&DemoSpec::new(Gait::Walk, Family::Mixamo), FileId(0)).unwrap().file;
    let short = &file.clips[0];
    let fps = 120.0;
    let times = Arc::new(Times::Uniform { start: 0.0, step: 1.0 / fps, n: frames });
    let range = TimeRange { start_secs: 0.0, end_secs: (frames - 1) as f64 / fps };
    let mut clip = Clip::empty("long", short.skeleton.clone(), range, FrameRate::new(fps).unwrap());
    for index in clip.skeleton.clone().indices() {
        for property in Property::ALL {
            if let Some(track) = short.track(index, property) {
                let values: Vec<f32> = track.values.iter().copied().cycle().take(frames * property.width()).collect();
                let track = Track::new(property, times.clone(), values.into(), Interpolation::Linear).unwrap();
                clip.set_track(index, property, track);
            }
        }
    }
    let rig = Rig::detect(&file.skeleton, &file.declared_roles, &RoleOverrides::default());
    (clip, rig)
}

#[test]
fn an_hour_at_120_frames_a_second_fits_and_can_be_cancelled() {
    let (clip, rig) = long_clip(432_000);
    let begun = Instant::now();
    let derived = Derived::of(&clip, &rig, &Progress::default()).unwrap();
    println!("{} frames: {:?}, {} MiB", derived.frames.count, begun.elapsed(), derived.bytes() >> 20);
    assert_eq!(derived.frames.count, 432_000);
    assert!(derived.bytes() < 128 << 20, "{}", derived.bytes());
    let begun = Instant::now();
    let whole = clip.range;
    for trail in [derived.pelvis.as_ref().unwrap(), derived.pelvis.as_ref().unwrap()] {
        assert_eq!(trail.y.columns(whole, 2000).flatten().count(), 2000);
        assert!(trail.picked(whole, 4000).len() <= 4004);
    }
    assert!(begun.elapsed() < Duration::from_millis(200), "a frame of the window: {:?}", begun.elapsed());
    let progress = Progress::default();
    progress.cancel();
    assert_eq!(Derived::of(&clip, &rig, &progress), Err(OpError::Cancelled));
}

fn opened(mode: JobMode) -> Session {
    let mut session = Session::new(mode);
    let spec = DemoSpec::new(Gait::Walk, Family::Mixamo);
    session.open_generated(|id| demo::generate(&spec, id).unwrap().file).unwrap();
    session
}

fn extract(sigma_secs: f64) -> Op {
    let mut op = Extract::default();
    op.path.sigma_secs = Some(sigma_secs);
    Op::Extract(op)
}

#[test]
fn in_line_it_is_there_at_once_and_measured_once() {
    let mut session = opened(JobMode::Inline);
    assert_eq!(session.derived_store().measured(), 0, "only what somebody asks for");
    let take = session.selection().shown().unwrap();
    let first = session.derived(take).unwrap();
    assert!(Arc::ptr_eq(&first, &session.derived(take).unwrap()));
    assert!(session.checks(take).unwrap().line().starts_with("Travel on hips"));
    assert_eq!(session.derived_store().measured(), 1);
    session.handle(Action::Change(Change::apply(extract(0.3), vec![take]))).unwrap();
    let out = session.selection().shown().unwrap();
    assert!(session.derived(out).unwrap().root_travels && !session.derived(take).unwrap().root_travels);
    assert!(session.checks(out).unwrap().line().starts_with("Travel on root"));
    assert_eq!(session.derived_store().measured(), 2);
    assert!(session.derived(ClipId(99)).is_none() && session.checks(ClipId(99)).is_none());
}

#[test]
fn on_threads_what_was_there_stays_until_the_new_one_is() {
    let mut session = opened(JobMode::Threads);
    let take = session.selection().shown().unwrap();
    assert!(session.derived(take).is_none() && !session.jobs().is_empty(), "nothing waits");
    session.wait();
    let of_take = session.derived(take).unwrap();
    assert!(session.is_measured(take));
    session.handle(Action::Preview(Change::apply(extract(0.2), vec![take]))).unwrap();
    let out = session.shown_clips()[0];
    assert!(session.derived(out).is_none());
    session.wait();
    let first = session.derived(out).unwrap();
    assert!(first.root_travels && session.is_measured(out));
    session.handle(Action::Preview(Change::apply(extract(0.5), vec![take]))).unwrap();
    assert!(Arc::ptr_eq(&first, &session.derived(out).unwrap()) && !session.is_measured(out));
    session.wait();
    assert!(!Arc::ptr_eq(&first, &session.derived(out).unwrap()) && session.is_measured(out));
    session.handle(Action::Cancel).unwrap();
    assert!(session.derived(out).is_none() && session.jobs().is_empty(), "known: no new job");
    assert!(Arc::ptr_eq(&of_take, &session.derived(take).unwrap()));
}

#[test]
fn measuring_what_nobody_looks_at_any_more_is_cancelled() {
    let mut session = Session::new(JobMode::Threads);
    let (long, _) = long_clip(432_000);
    let spec = DemoSpec::new(Gait::Walk, Family::Mixamo);
    session
        .open_generated(|id| {
            let mut file = demo::generate(&spec, id).unwrap().file;
            file.clips.push(Arc::new(long));
            file
        })
        .unwrap();
    session.wait();
    let measured = session.derived_store().measured();
    let begun = Instant::now();
    session.handle(Action::Select(vec![ClipId(1)])).unwrap();
    assert_eq!(session.jobs().len(), 1);
    session.handle(Action::Select(vec![ClipId(0)])).unwrap();
    session.wait();
    println!("cancelled after {:?}", begun.elapsed());
    assert_eq!(session.derived_store().measured(), measured, "it never came to its end");
    assert!(session.take_notices().is_empty(), "and nobody is told");
}
