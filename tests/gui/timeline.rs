//! The axis of time and the panel *Timeline*: layout as numbers, then as a person handles it.

use eframe::egui::{
    Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, PointerButton, Pos2, Theme, TouchPhase, Ui, Vec2, pos2,
};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use egui_kittest::{Harness, SnapshotOptions};
use stridesmith::motion::{Contact, FrameRate, Marker, SourceFile, TimeRange, Times};
use stridesmith::ops::{Extract, Op};
use stridesmith::session::demo::demo_file;
use stridesmith::session::{Action, Change, JobMode, Session, Transport, View};
use stridesmith::ui::App;
use stridesmith::ui::asks::Asks;
use stridesmith::ui::panels::timeline::TimelinePanel;
use stridesmith::ui::panels::timeline::lanes::{Lane, key_places, lanes};
use stridesmith::ui::panels::timeline::loop_range::{Part, moved};
use stridesmith::ui::panels::travel::TravelPanel;
use stridesmith::ui::theme;
use stridesmith::ui::time_axis::TimeAxis;
use stridesmith::ui::time_axis::ticks::{Tick, decimals, frame_ticks, nice_step, number, second_ticks};

use crate::support::{demo_session, window};

const DIGIT: f32 = 6.5;

fn range(start_secs: f64, end_secs: f64) -> TimeRange {
    TimeRange { start_secs, end_secs }
}

fn axis_of(start_secs: f64, end_secs: f64, fps: f64) -> TimeAxis {
    let mut axis = TimeAxis::default();
    axis.look_at(range(start_secs, end_secs), FrameRate::new(fps).unwrap());
    axis
}

/// Clips that have given timelines trouble: an instant, one frame, a walk, a start far from 0, an hour.
fn axes() -> Vec<TimeAxis> {
    vec![
        axis_of(0.0, 0.0, 30.0),
        axis_of(2.5, 2.5, 30.0),
        axis_of(0.0, 1.0 / 30.0, 30.0),
        axis_of(0.0, 0.9333, 30.0),
        axis_of(-1.0, 3.2, 24.0),
        axis_of(3600.0, 3601.0, 29.97),
        axis_of(0.0, 3600.0, 120.0),
        axis_of(0.0, 1e-9, 1e6),
    ]
}

#[test]
fn time_and_place_are_inverse() {
    for mut axis in axes() {
        for zoom in [1.0, 7.0, 1000.0] {
            axis.zoom(zoom, axis.clip().start_secs);
            let scale = axis.scale(80.0, 900.0);
            for x in [80.0f32, 200.0, 512.5, 900.0] {
                assert!((scale.x(scale.secs(x)) - x).abs() < 1e-2, "{axis:?} at {x}");
            }
        }
    }
}

#[test]
fn zoom_keeps_the_time_under_the_cursor() {
    for mut axis in axes() {
        let around = axis.clip().start_secs + 0.3 * axis.clip().duration_secs();
        let x = axis.scale(80.0, 900.0).x(around);
        for _ in 0..60 {
            axis.zoom(1.3, around);
            assert!((axis.scale(80.0, 900.0).x(around) - x).abs() < 0.1, "{axis:?}");
        }
        let frames = axis.seen().duration_secs() * axis.rate().fps();
        assert!(frames > 2.9, "{frames} frames are seen");
        axis.zoom(1e-9, around);
        assert!(axis.is_fitted(), "out is as far as all of it: {axis:?}");
    }
}

#[test]
fn panning_stops_at_the_ends_and_bad_numbers_change_nothing() {
    let mut axis = axis_of(0.0, 10.0, 30.0);
    let whole = axis.seen();
    axis.zoom(4.0, 5.0);
    axis.pan(1000.0);
    assert!((axis.seen().end_secs - whole.end_secs).abs() < 1e-9);
    axis.pan(-1000.0);
    assert!((axis.seen().start_secs - whole.start_secs).abs() < 1e-9);
    let before = axis.seen();
    for bad in [f64::NAN, f64::INFINITY, 0.0, -2.0] {
        axis.zoom(bad, 5.0);
    }
    axis.zoom(2.0, f64::NAN);
    axis.pan(f64::NAN);
    axis.look_at(range(f64::NAN, 1.0), FrameRate::FALLBACK);
    assert_eq!(axis.seen(), before);
}

#[test]
fn what_is_seen_stays_while_the_range_does() {
    let mut axis = axis_of(0.0, 10.0, 30.0);
    axis.zoom(4.0, 5.0);
    let close = axis.seen();
    axis.look_at(range(0.0, 10.0), FrameRate::new(30.0).unwrap());
    assert_eq!(axis.seen(), close);
    axis.look_at(range(0.0, 4.0), FrameRate::new(30.0).unwrap());
    assert!(axis.is_fitted());
}

#[test]
fn steps_are_one_two_or_five() {
    for (least, step) in [(1.0, 1.0), (1.1, 2.0), (2.0, 2.0), (2.1, 5.0), (5.01, 10.0), (0.03, 0.05), (0.2, 0.2)] {
        assert!((nice_step(least) / step - 1.0).abs() < 1e-9, "{least}: {}", nice_step(least));
    }
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(nice_step(bad), 1.0);
    }
    assert_eq!([1.0, 0.5, 0.1, 0.02, 0.001].map(decimals), [0, 1, 1, 2, 3]);
    assert_eq!(number(-0.001, 1), "0.0");
    assert_eq!(number(-0.06, 1), "-0.1");
}

/// Left and right of each label, centred on its mark.
fn spans(ticks: &[Tick]) -> Vec<(f32, f32)> {
    let half = |tick: &Tick| tick.label.chars().count() as f32 * DIGIT / 2.0;
    ticks.iter().filter(|tick| !tick.label.is_empty()).map(|t| (t.place - half(t), t.place + half(t))).collect()
}

#[test]
fn labels_never_overlap_and_there_is_one() {
    for mut axis in axes() {
        for first_frame in [0, 1, 1001] {
            axis.first_frame = first_frame;
            for width in [60.0f32, 300.0, 820.0, 2500.0] {
                for around in [0.0, 0.41, 1.0] {
                    axis.fit();
                    for _ in 0..40 {
                        let scale = axis.scale(0.0, width);
                        for ticks in [frame_ticks(&axis, &scale, DIGIT), second_ticks(&axis, &scale, DIGIT)] {
                            let apart = spans(&ticks).windows(2).all(|pair| pair[0].1 + DIGIT <= pair[1].0);
                            assert!(apart, "{axis:?} {width}: {ticks:?}");
                            assert!(ticks.len() as f32 <= width / 5.0 + 4.0, "{} marks in {width}", ticks.len());
                        }
                        axis.zoom(1.5, axis.clip().start_secs + around * axis.clip().duration_secs());
                    }
                }
            }
        }
        axis.first_frame = 0;
        axis.fit();
        assert!(!spans(&frame_ticks(&axis, &axis.scale(0.0, 800.0), DIGIT)).is_empty(), "{axis:?}");
    }
}

#[test]
fn frames_are_numbered_from_the_first_frame() {
    let mut axis = axis_of(2.0, 3.0, 30.0);
    axis.first_frame = 1001;
    let scale = axis.scale(0.0, 2000.0);
    let ticks = frame_ticks(&axis, &scale, DIGIT);
    let tick = ticks.iter().find(|tick| tick.label == "1001").expect("the first frame has a mark");
    assert!((tick.place - scale.x(2.0)).abs() < 1e-3);
    let last = ticks.iter().find(|tick| tick.label == "1031").expect("the last frame has a mark");
    assert!((last.place - scale.x(3.0)).abs() < 1e-3);
    assert!(!ticks.iter().any(|tick| tick.label == "1000" || tick.label == "1032"), "no marks outside the clip");
    let seconds = second_ticks(&axis, &scale, DIGIT);
    assert!(
        (seconds.iter().find(|tick| tick.label == "0.50 s" || tick.label == "0.5 s").unwrap().place - scale.x(2.5))
            .abs()
            < 1e-3
    );
}

#[test]
fn an_instant_snaps_to_frames_and_to_the_end() {
    let axis = axis_of(1.0, 1.0 + 10.4 / 30.0, 30.0);
    assert!((axis.snapped(1.0 + 3.4 / 30.0) - (1.0 + 3.0 / 30.0)).abs() < 1e-9);
    assert_eq!(axis.snapped(9.0), axis.clip().end_secs);
    assert_eq!(axis.snapped(1.0 + 10.35 / 30.0), axis.clip().end_secs);
    assert_eq!(axis.snapped(-9.0), 1.0);
    assert_eq!(axis.last_frame(), 10);
}

#[test]
fn an_hour_of_keys_is_one_mark_per_column() {
    let hour = Times::Uniform { start: 0.0, step: 1.0 / 120.0, n: 432_000 };
    let mut axis = axis_of(0.0, 432_000.0 / 120.0, 120.0);
    let places = key_places(&hour, &axis.scale(0.0, 800.0), 1.0);
    assert!(places.len() > 700 && places.len() <= 801, "{}", places.len());
    assert!(places.windows(2).all(|pair| pair[0].floor() < pair[1].floor()), "two in one column");
    axis.zoom(1e5, 1800.0);
    let scale = axis.scale(0.0, 800.0);
    let places = key_places(&hour, &scale, 1.0);
    let seen = (0..432_000).map(|i| i as f64 / 120.0).filter(|&secs| scale.sees(secs)).count();
    assert_eq!(places.len(), seen, "each key where there is room");
    assert_eq!(key_places(&Times::single(5.0), &axis_of(0.0, 1.0, 30.0).scale(0.0, 800.0), 1.0), Vec::<f32>::new());
    assert_eq!(key_places(&Times::single(0.0), &axis_of(0.0, 0.0, 30.0).scale(0.0, 800.0), 1.0).len(), 1);
}

#[test]
fn the_loop_moves_on_whole_frames_inside_the_clip() {
    let axis = axis_of(0.0, 2.0, 30.0);
    let frame = 1.0 / 30.0;
    let near = |a: Option<TimeRange>, start: f64, end: f64| {
        let a = a.unwrap();
        assert!((a.start_secs - start).abs() < 1e-9 && (a.end_secs - end).abs() < 1e-9, "{a:?}");
    };
    let whole = axis.clip();
    near(moved(Part::Start, whole, 0.51, &axis), 0.5, 2.0);
    near(moved(Part::End, whole, 1.49, &axis), 0.0, 1.5);
    near(moved(Part::Start, range(0.5, 1.0), 1.7, &axis), 1.0 - frame, 1.0);
    near(moved(Part::End, range(0.5, 1.0), 0.1, &axis), 0.5, 0.5 + frame);
    near(moved(Part::Whole, range(0.5, 1.0), 1.8, &axis), 1.5, 2.0);
    near(moved(Part::Whole, range(0.5, 1.0), -3.0, &axis), 0.0, 0.5);
    assert_eq!(moved(Part::End, range(0.0, 1.0), 5.0, &axis), None, "the whole clip is no part");
    assert_eq!(moved(Part::Whole, whole, 0.7, &axis), None);
}

/// The demo character with contacts and markers on all clips.
fn marked_session() -> Session {
    let mut session = Session::new(JobMode::Inline);
    session
        .open_generated(|id| {
            let mut file = SourceFile { id, ..demo_file(id).unwrap() };
            for clip in &mut file.clips {
                let clip = std::sync::Arc::make_mut(clip);
                let of_name = |name: &str| clip.skeleton.path(clip.skeleton.find(name).unwrap()).to_owned();
                clip.contacts = [("foot_r", 0.0, 0.4), ("foot_l", 0.3, 0.9), ("foot_r", 0.8, 1.0)]
                    .map(|(bone, start_secs, end_secs)| Contact { bone: of_name(bone), start_secs, end_secs })
                    .to_vec();
                let marker = |name: &str, time_secs| Marker {
                    track: "FootSync".into(),
                    name: name.into(),
                    time_secs,
                    ours: true,
                };
                clip.markers = vec![marker("foot_r", 0.0), marker("foot_l", 0.3)];
            }
            file
        })
        .unwrap();
    session
}

#[test]
fn lanes_are_contacts_markers_and_keys() {
    let session = marked_session();
    let shown = session.evaluation_in_view().unwrap();
    let text = |bone: Option<&str>| {
        let lanes = lanes(&shown.clip, &shown.rig, bone);
        let name = |lane: &Lane<'_>| match lane {
            Lane::Contacts { bone, .. } => format!("contacts {}", bone.rsplit('/').next().unwrap()),
            Lane::Markers { track } => format!("markers {track}"),
            Lane::Keys { bone, property, track } => format!("{property:?} {bone} {}", track.is_some()),
            Lane::NoBone => "none".to_owned(),
        };
        lanes.iter().map(name).collect::<Vec<_>>()
    };
    let marks = ["contacts foot_l", "contacts foot_r", "markers FootSync"];
    assert_eq!(text(None), [&marks[..], &["none"]].concat());
    let pelvis = shown.clip.skeleton.path(shown.clip.skeleton.find("pelvis").unwrap()).to_owned();
    let keys = ["Translation pelvis true", "Rotation pelvis true", "Scale pelvis false"];
    assert_eq!(text(Some(&pelvis)), [&marks[..], &keys].concat());
    assert_eq!(text(Some("another/pelvis")), [&marks[..], &keys].concat(), "an inserted root changes the path");
    assert_eq!(text(Some("gone")), [&marks[..], &["none"]].concat());
}

fn opened(mut session: Session) -> Harness<'static, App> {
    session.handle(Action::Transport(Transport::Pause)).unwrap();
    let mut window = window(session, Vec2::new(1600.0, 900.0));
    window.run_steps(4);
    window
}

fn secs(window: &Harness<'_, App>) -> f64 {
    window.state().session.playback().secs
}

fn place(window: &Harness<'_, App>, label: &str) -> eframe::egui::Rect {
    window.get_by_label(label).rect()
}

/// Presses at one place, moves to another in steps, and lets go.
fn drag(window: &mut Harness<'_, App>, from: Pos2, to: Pos2, button: PointerButton) {
    let press = |pos, pressed| Event::PointerButton { pos, button, pressed, modifiers: Modifiers::NONE };
    window.event(Event::PointerMoved(from));
    window.run_steps(2);
    window.event(press(from, true));
    window.run_steps(2);
    for step in 1..=4 {
        window.event(Event::PointerMoved(from + (to - from) * (step as f32 / 4.0)));
        window.run_steps(1);
    }
    window.run_steps(1);
    window.event(press(to, false));
    window.run_steps(3);
}

#[test]
fn dragging_the_ruler_scrubs_and_playing_goes_on() {
    let mut window = opened(demo_session());
    let ruler = place(&window, "Ruler");
    let clip = window.state().session.evaluation_in_view().unwrap().clip.clone();
    drag(&mut window, ruler.center(), ruler.center() + Vec2::new(ruler.width() * 0.25, 0.0), PointerButton::Primary);
    let frame = clip.rate.frame_secs();
    let expected = clip.range.start_secs + clip.range.duration_secs() * (0.5 + 0.25 * 1.06);
    assert!((secs(&window) - expected).abs() <= frame, "{} for {expected}", secs(&window));
    let frames = (secs(&window) - clip.range.start_secs) / frame;
    assert!((frames - frames.round()).abs() < 1e-6, "on a frame");
    assert!(!window.state().session.playback().playing);
    window.state_mut().session.handle(Action::Transport(Transport::Toggle)).unwrap();
    window.run_steps(1);
    let at = pos2(ruler.left() + ruler.width() * 0.3, ruler.center().y);
    drag(&mut window, ruler.center(), at, PointerButton::Primary);
    assert!(window.state().session.playback().playing, "it plays on");
}

#[test]
fn dragging_a_lane_scrubs_too() {
    let mut window = opened(demo_session());
    let lanes = place(&window, "Lanes");
    drag(&mut window, lanes.left_center(), lanes.right_center(), PointerButton::Primary);
    let clip = window.state().session.evaluation_in_view().unwrap().clip.clone();
    assert_eq!(secs(&window), clip.range.end_secs);
}

#[test]
fn the_wheel_zooms_around_the_pointer_and_a_double_click_shows_all() {
    let mut window = opened(demo_session());
    let ruler = place(&window, "Ruler");
    let at = pos2(ruler.left() + ruler.width() * 0.25, ruler.center().y);
    window.event(Event::PointerMoved(at));
    window.run_steps(1);
    window.event(Event::MouseWheel {
        unit: MouseWheelUnit::Line,
        delta: Vec2::new(0.0, 4.0),
        phase: TouchPhase::Move,
        source: MouseWheelSource::Wheel,
        modifiers: Modifiers::COMMAND,
    });
    window.run_steps(30);
    let click = |window: &mut Harness<'_, App>, at| drag(window, at, at, PointerButton::Primary);
    let clip = window.state().session.evaluation_in_view().unwrap().clip.clone();
    let share = |secs: f64| (secs - clip.range.start_secs) / clip.range.duration_secs();
    click(&mut window, at);
    let under = share(secs(&window));
    assert!((under - (0.25 * 1.06 - 0.03)).abs() < 0.05, "the time under the pointer stays: {under}");
    click(&mut window, ruler.left_center() + Vec2::new(2.0, 0.0));
    let left = share(secs(&window));
    assert!(left > 0.05, "the left end is inside the clip now: {left}");
    drag(&mut window, at, at + Vec2::new(4000.0, 0.0), PointerButton::Middle);
    click(&mut window, ruler.left_center() + Vec2::new(2.0, 0.0));
    assert_eq!(share(secs(&window)), 0.0, "the middle button drags what is seen");
    // A step of the clock is a quarter of a second here.
    window.ctx.options_mut(|options| options.input_options.max_double_click_delay = 5.0);
    for pressed in [true, false, true, false] {
        let modifiers = Modifiers::NONE;
        window.event(Event::PointerButton { pos: at, button: PointerButton::Primary, pressed, modifiers });
    }
    window.run_steps(2);
    click(&mut window, ruler.center());
    assert!((share(secs(&window)) - 0.5).abs() < 0.05, "a double-click shows all");
}

#[test]
fn loop_handles_are_dragged_and_reset() {
    let mut window = opened(demo_session());
    let clip = window.state().session.evaluation_in_view().unwrap().clip.clone();
    let ruler = place(&window, "Ruler");
    let start = place(&window, "Loop start").center();
    drag(&mut window, start, pos2(ruler.center().x, start.y), PointerButton::Primary);
    let looped = window.state().session.playback().looped.expect("a part loops");
    let middle = clip.range.start_secs + clip.range.duration_secs() / 2.0;
    assert!((looped.start_secs - middle).abs() < 2.0 * clip.rate.frame_secs(), "{looped:?}");
    assert_eq!(looped.end_secs, clip.range.end_secs);
    window.get_by_label("Loop the whole clip").click();
    window.run_steps(3);
    assert_eq!(window.state().session.playback().looped, None);
}

#[test]
fn keys_step_while_the_ruler_has_the_focus() {
    let mut window = opened(demo_session());
    let frame = window.state().session.evaluation_in_view().unwrap().clip.rate.frame_secs();
    let start = secs(&window);
    window.get_by_label("Ruler").focus();
    window.run_steps(2);
    window.key_press(Key::ArrowRight);
    window.run_steps(2);
    assert!((secs(&window) - start - frame).abs() < 1e-6, "{}", secs(&window));
    window.key_press_modifiers(Modifiers::SHIFT, Key::ArrowRight);
    window.run_steps(2);
    assert!((secs(&window) - start - 11.0 * frame).abs() < 1e-6, "{}", secs(&window));
}

#[test]
fn transport_buttons_and_the_frame_field_move_the_playhead() {
    let mut window = opened(demo_session());
    let clip = window.state().session.evaluation_in_view().unwrap().clip.clone();
    window.get_by_label("Last frame").click();
    window.run_steps(2);
    assert_eq!(secs(&window), clip.range.end_secs);
    window.get_by_label("First frame").click();
    window.run_steps(2);
    window.get_by_label("Next frame").click();
    window.run_steps(2);
    assert!((secs(&window) - clip.range.start_secs - clip.rate.frame_secs()).abs() < 1e-6);
    let field = window.get_by_label("Frame");
    assert_eq!(field.accesskit_node().numeric_value(), Some(1.0));
    window.get_by_label("Playback speed").click();
    window.run_steps(3);
    window.get_by_label("25 %").click();
    window.run_steps(2);
    assert_eq!(window.state().session.playback().speed, 0.25);
    window.get_by_label("Play the clip").click();
    window.run_steps(2);
    assert!(window.state().session.playback().playing);
}

#[test]
fn contacts_markers_and_keys_are_told_and_drawn() {
    let mut session = marked_session();
    let shown = session.evaluation_in_view().unwrap();
    let pelvis = shown.clip.skeleton.path(shown.clip.skeleton.find("pelvis").unwrap()).to_owned();
    let mut view = session.view().clone();
    view.bone = Some(pelvis);
    session.handle(Action::View(view.clone())).unwrap();
    let mut window = opened(session);
    window.state_mut().session.handle(Action::View(view)).unwrap();
    window.run_steps(2);
    for lane in ["On the ground foot_l", "On the ground foot_r", "Markers of FootSync", "Rotation keys of pelvis"] {
        assert!(window.query_by_label(lane).is_some(), "no lane {lane}");
    }
}

#[test]
fn an_instant_a_frame_and_an_hour_are_clips_like_others() {
    for (end_secs, fps) in [(0.0, 30.0), (1.0 / 30.0, 30.0), (3600.0, 120.0)] {
        let mut session = Session::new(JobMode::Inline);
        let make = |id| {
            let mut file = SourceFile { id, ..demo_file(id).unwrap() };
            file.clips.truncate(1);
            let clip = std::sync::Arc::make_mut(&mut file.clips[0]);
            (clip.range, clip.rate) = (range(0.0, end_secs), FrameRate::new(fps).unwrap());
            file
        };
        session.open_generated(make).unwrap();
        let mut window = opened(session);
        for (tab, area) in [("Travel", "Travel from above"), ("Speed", "Speed plot"), ("Timeline", "Lanes")] {
            window.get_by_label(tab).click();
            window.run_steps(3);
            let area = place(&window, area);
            let began = std::time::Instant::now();
            drag(&mut window, area.left_center(), area.right_center(), PointerButton::Primary);
            // A frame of the whole window on software, unoptimised; one that looks at every frame takes far longer.
            assert!(began.elapsed().as_secs_f64() < 4.0, "{tab} of {end_secs} s took {:?}", began.elapsed());
            assert!((0.0..=end_secs).contains(&secs(&window)), "{tab} of {end_secs} s");
        }
        assert_eq!(secs(&window), end_secs, "the end is reached");
        let shown = window.get_by_label("Frame").accesskit_node().numeric_value();
        assert_eq!(shown, Some((end_secs * fps).round()));
    }
}

/// A panel alone, 720 × 200, with the pelvis looked at.
fn pictured(mut session: Session, name: &str, mut panel: impl FnMut(&mut Ui, &Session, &mut TimeAxis) + 'static) {
    let shown = session.evaluation_in_view().unwrap();
    let pelvis = shown.clip.skeleton.path(shown.clip.skeleton.find("pelvis").unwrap()).to_owned();
    let view = View { bone: Some(pelvis), ..View::default() };
    for action in [
        Action::View(view),
        Action::Transport(Transport::Pause),
        Action::Transport(Transport::Seek(0.5)),
        Action::Transport(Transport::Loop(Some(range(0.2, 0.8)))),
    ] {
        session.handle(action).unwrap();
    }
    let mut axis = TimeAxis::default();
    axis.first_frame = 1001;
    let mut themed = false;
    let mut harness =
        Harness::builder().with_size(Vec2::new(720.0, 200.0)).with_theme(Theme::Dark).wgpu().build_ui(move |ui| {
            if !std::mem::replace(&mut themed, true) {
                theme::install(ui.ctx());
                theme::choose(ui.ctx(), theme::ThemeChoice::Dark);
            }
            panel(ui, &session, &mut axis);
        });
    harness.run_steps(3);
    harness.snapshot_options(name, &SnapshotOptions::new().output_path("tests/gui/snapshots"));
}

#[test]
fn the_timeline_looks_as_it_did() {
    let mut panel = TimelinePanel::default();
    pictured(marked_session(), "timeline", move |ui, session, axis| {
        panel.ui(ui, session, axis, &mut Asks::default());
    });
}

#[test]
fn travel_looks_as_it_did() {
    let mut session = marked_session();
    let clip = session.clip_in_view().unwrap();
    let extract = Op::Extract(Extract::default());
    session.handle(Action::Change(Change::apply(extract, vec![clip]))).unwrap();
    let mut panel = TravelPanel::default();
    pictured(session, "travel", move |ui, session, axis| panel.ui(ui, session, axis, &mut Asks::default()));
}

#[test]
fn the_first_frame_can_be_1001() {
    let mut window = opened(demo_session());
    window.get_by_label("Ruler").click_secondary();
    window.run_steps(3);
    window.get_by_label("First frame is 1001").click();
    window.run_steps(3);
    assert_eq!(window.get_by_label("Frame").accesskit_node().numeric_value(), Some(1001.0));
    assert_eq!(secs(&window), 0.0, "the right button seeks nothing");
}
