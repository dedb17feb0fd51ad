//! Plots over time and the view from above: layout as numbers, then as a person handles it.

use eframe::egui::{Event, Modifiers, PointerButton, Pos2, Rect, Vec2, pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use stridesmith::motion::{FrameRate, TimeRange};
use stridesmith::ops::role_motion::{Frames, Points};
use stridesmith::ops::{Extract, InPlace, Op};
use stridesmith::session::derived::{Series, Trail};
use stridesmith::session::{Action, Change, JobMode, Session, Transport};
use stridesmith::ui::App;
use stridesmith::ui::graph::{ValueAxis, trace};
use stridesmith::ui::panels::travel::map::{Map, bounds, heading, nearest};
use stridesmith::ui::shown_motion::{Even, ShownMotion, Timed};
use stridesmith::ui::time_axis::TimeAxis;

use crate::support::{demo_session, window};

fn range(start_secs: f64, end_secs: f64) -> TimeRange {
    TimeRange { start_secs, end_secs }
}

fn frames(count: usize, fps: f64) -> Frames {
    Frames { start_secs: 0.0, end_secs: (count - 1) as f64 / fps, step_secs: 1.0 / fps, count }
}

fn series(count: usize, fps: f64, of: impl Fn(usize) -> f32) -> Series {
    Series::new(frames(count, fps), (0..count).map(of).collect())
}

fn axis(count: usize, fps: f64) -> TimeAxis {
    let mut axis = TimeAxis::default();
    axis.look_at(range(0.0, (count - 1) as f64 / fps), FrameRate::new(fps).unwrap());
    axis
}

#[test]
fn a_value_axis_holds_its_values() {
    let axis = ValueAxis::around([(-1.0, 2.0), (0.5, 3.0), (f64::NAN, 9.0)], 0.1, 10.0, 110.0);
    assert!(axis.low < -1.0 && axis.high > 3.0 && axis.high < 4.0, "{axis:?}");
    assert!(axis.y(3.0) > 10.0 && axis.y(-1.0) < 110.0 && axis.y(3.0) < axis.y(-1.0));
    let still = ValueAxis::around([(0.9, 0.9001)], 0.1, 10.0, 110.0);
    assert!((still.high - still.low - 0.1 * 1.16).abs() < 1e-6, "noise does not fill the plot");
    for axis in [axis, still, ValueAxis::around([], 1.0, 0.0, 0.0)] {
        let ticks = axis.ticks();
        assert!(ticks.windows(2).all(|pair| pair[0].place - pair[1].place >= 14.0 - 1e-3), "{ticks:?}");
    }
    assert!(axis.ticks().iter().any(|tick| tick.label == "0"), "{:?}", axis.ticks());
}

#[test]
fn a_line_of_an_hour_is_two_points_per_column_and_keeps_its_peaks() {
    let count = 432_000;
    let spiky = series(count, 120.0, |i| if i == 123_457 { 5.0 } else { (i as f32 * 0.01).sin() });
    let axis = axis(count, 120.0);
    let scale = axis.scale(0.0, 800.0);
    let values = ValueAxis::around([(-1.0, 5.0)], 0.1, 0.0, 100.0);
    let line = Timed { series: &spiky, time: Even::SAME };
    let points = trace(line, 1.0, &scale, 800, &values);
    assert!(points.len() > 1000 && points.len() <= 1600, "{}", points.len());
    let top = points.iter().map(|point| point.y).fold(f32::INFINITY, f32::min);
    assert!((top - values.y(5.0)).abs() < 1e-3, "one frame's spike is seen");
    let spike = points.iter().find(|point| (point.y - top).abs() < 1e-3).unwrap();
    assert!((spike.x - scale.x(123_457.0 / 120.0)).abs() <= 1.0, "where it is");
    assert!(points.windows(2).all(|pair| pair[0].x <= pair[1].x + 1e-3));
}

#[test]
fn a_line_goes_through_its_frames_where_there_is_room() {
    let ramp = series(31, 30.0, |i| i as f32);
    let axis = axis(31, 30.0);
    let scale = axis.scale(100.0, 900.0);
    let values = ValueAxis::around([(0.0, 60.0)], 0.1, 0.0, 100.0);
    let points = trace(Timed { series: &ramp, time: Even::SAME }, 2.0, &scale, 800, &values);
    assert_eq!(points.len(), 31);
    assert!((points[10] - pos2(scale.x(10.0 / 30.0), values.y(20.0))).length() < 1e-2, "{:?}", points[10]);
    // Drawn in another time: twice as slow, and later.
    let slow = Even::between(range(2.0, 4.0), range(0.0, 1.0));
    let mut axis = TimeAxis::default();
    axis.look_at(range(2.0, 4.0), FrameRate::FALLBACK);
    let scale = axis.scale(100.0, 900.0);
    let points = trace(Timed { series: &ramp, time: slow }, 1.0, &scale, 800, &values);
    assert!((points[15].x - scale.x(3.0)).abs() < 1e-2);
    assert!((slow.back(slow.map(2.7)) - 2.7).abs() < 1e-12);
    assert!((Timed { series: &ramp, time: slow }.at(3.0) - 15.0).abs() < 1e-4);
}

#[test]
fn lines_of_one_frame_and_of_bad_numbers_are_no_trouble() {
    let one = series(1, 30.0, |_| 1.0);
    let axis = axis(1, 30.0);
    let values = ValueAxis::around([(0.0, 1.0)], 0.1, 0.0, 100.0);
    let points = trace(Timed { series: &one, time: Even::SAME }, 1.0, &axis.scale(0.0, 100.0), 100, &values);
    assert_eq!(points.len(), 1);
    let bad = series(10, 30.0, |i| if i == 4 { f32::NAN } else { i as f32 });
    let axis = self::axis(10, 30.0);
    let points = trace(Timed { series: &bad, time: Even::SAME }, 1.0, &axis.scale(0.0, 100.0), 100, &values);
    assert_eq!(points.len(), 9);
    assert!(points.iter().all(|point| point.x.is_finite() && point.y.is_finite()));
    assert_eq!(Even::between(range(1.0, 1.0), range(3.0, 3.0)).map(1.0), 3.0);
}

fn map() -> Map {
    let place = Rect::from_min_size(pos2(10.0, 20.0), vec2(300.0, 200.0));
    Map::fitted(place, [[-0.5, 0.0], [0.5, 2.0]], 0.5)
}

#[test]
fn from_above_forward_is_up_and_left_is_left_with_equal_axes() {
    let map = map();
    let [origin, left, forward] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]].map(|at| map.point(at));
    assert!((left.y - origin.y).abs() < 1e-3 && left.x < origin.x);
    assert!((forward.x - origin.x).abs() < 1e-3 && forward.y < origin.y);
    assert!(((origin.x - left.x) - (origin.y - forward.y)).abs() < 1e-3, "equal axes");
    for corner in [[-0.5, 0.0], [0.5, 2.0]] {
        assert!(map.place.contains(map.point(corner)), "all is seen");
    }
    let back = map.ground(map.point([0.3, 1.7]));
    assert!((back[0] - 0.3).abs() < 1e-5 && (back[1] - 1.7).abs() < 1e-5);
    // Yaw 0 faces forward, 90° to the left.
    let [from, to] = heading(origin, 0.0, 10.0);
    assert!((to - from - vec2(0.0, -10.0)).length() < 1e-4);
    let [from, to] = heading(origin, std::f64::consts::FRAC_PI_2, 10.0);
    assert!((to - from - vec2(-10.0, 0.0)).length() < 1e-4);
}

#[test]
fn the_map_zooms_around_the_pointer_and_pans_with_it() {
    let map = map();
    let around = pos2(100.0, 60.0);
    let closer = map.zoomed(3.0, around);
    let (a, b) = (map.ground(around), closer.ground(around));
    assert!((a[0] - b[0]).abs() < 1e-6 && (a[1] - b[1]).abs() < 1e-6);
    assert!((closer.points_per_metre / map.points_per_metre - 3.0).abs() < 1e-9);
    let moved = map.panned(vec2(7.0, -5.0));
    assert!((moved.point([0.2, 0.4]) - map.point([0.2, 0.4]) - vec2(7.0, -5.0)).length() < 1e-3);
    assert_eq!(map.zoomed(f64::NAN, around), map);
    let [across, upwards] = map.grid(map.step(36.0));
    for lines in [across, upwards] {
        assert!(lines.len() > 2, "{lines:?}");
        assert!(lines.windows(2).all(|pair| (pair[0].place - pair[1].place).abs() >= 36.0 - 1e-3), "{lines:?}");
    }
}

#[test]
fn bounds_hold_all_paths_and_none() {
    let trail = |x: f32, z: f32| {
        let points = Points { x: vec![0.0, x], y: vec![0.0, 9.0], z: vec![0.0, z] };
        Trail::new(frames(2, 30.0), points)
    };
    let (a, b) = (trail(1.0, 2.0), trail(-3.0, 0.5));
    assert_eq!(bounds([&a, &b].into_iter()), [[-3.0, 0.0], [1.0, 2.0]]);
    assert_eq!(bounds(std::iter::empty()), [[-0.5, -0.5], [0.5, 0.5]]);
}

#[test]
fn the_nearest_instant_of_a_path_is_found_and_prefers_now() {
    // There and back again over the same ground.
    let path: Vec<(f64, Pos2)> = (0..=20)
        .map(|i| (i as f64 * 0.1, pos2(if i <= 10 { i as f32 } else { 20.0 - i as f32 } * 10.0, 5.0)))
        .collect();
    let (there, away) = nearest(&path, pos2(35.0, 9.0), 0.2, 10.0).unwrap();
    assert!((there - 0.35).abs() < 1e-6 && (away - 4.0).abs() < 1e-4);
    let (back, _) = nearest(&path, pos2(35.0, 9.0), 1.9, 10.0).unwrap();
    assert!((back - 1.65).abs() < 1e-6, "{back}");
    assert_eq!(nearest(&[], Pos2::ZERO, 0.0, 10.0), None);
    assert_eq!(nearest(&[(1.0, pos2(3.0, 4.0))], Pos2::ZERO, 0.0, 0.0), Some((1.0, 5.0)));
}

fn made(op: Op) -> Session {
    let mut session = demo_session();
    let clip = session.clip_in_view().unwrap();
    session.handle(Action::Change(Change::apply(op, vec![clip]))).unwrap();
    session
}

#[test]
fn raw_is_the_take_and_chosen_the_result() {
    let session = made(Op::InPlace(InPlace::default()));
    let motion = ShownMotion::of(&session).unwrap();
    let (raw, chosen) = (motion.raw().unwrap(), motion.chosen().unwrap());
    let length = |trail: &Trail| {
        let (low, high) = trail.z.extremes();
        high - low
    };
    assert!(length(raw) > 0.5, "the take travels: {}", length(raw));
    assert!(length(chosen) < 1e-3, "in place it does not: {}", length(chosen));
    let pelvis = motion.result.as_ref().unwrap().travel.as_deref().unwrap();
    assert!(length(pelvis) < 0.2, "nor does the result's pelvis, which is not shown as raw");
}

#[test]
fn raw_is_there_when_jobs_run_on_threads() {
    let mut session = Session::new(JobMode::Threads);
    session
        .open_generated(|id| stridesmith::motion::SourceFile {
            id,
            ..stridesmith::session::demo::demo_file(id).unwrap()
        })
        .unwrap();
    session.wait();
    let take = session.clip_in_view().unwrap();
    session.handle(Action::Change(Change::apply(Op::InPlace(InPlace::default()), vec![take]))).unwrap();
    session.wait();
    let clip = session.clip_in_view().unwrap();
    assert_ne!(clip, take);
    let (result, raw) = (session.derived(clip).unwrap(), session.derived_take(clip).unwrap());
    assert!(!std::sync::Arc::ptr_eq(&result, &raw));
    assert!(
        raw.travel_distance().unwrap().values().last().unwrap()
            > result.travel_distance().unwrap().values().last().unwrap()
    );
    session.handle(Action::Select(vec![take])).unwrap();
    session.wait();
    assert!(std::sync::Arc::ptr_eq(&session.derived(take).unwrap(), &session.derived_take(take).unwrap()));
}

fn opened(mut session: Session, tab: &str) -> Harness<'static, App> {
    session.handle(Action::Transport(Transport::Pause)).unwrap();
    let mut window = window(session, Vec2::new(1600.0, 900.0));
    window.run_steps(3);
    window.get_by_label(tab).click();
    window.run_steps(4);
    window
}

fn pointer(window: &mut Harness<'_, App>, at: Pos2) {
    window.event(Event::PointerMoved(at));
    window.run_steps(2);
}

fn button(window: &mut Harness<'_, App>, at: Pos2, pressed: bool) {
    window.event(Event::PointerButton { pos: at, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE });
    window.run_steps(2);
}

fn reads(window: &Harness<'_, App>, start: &str) -> Option<String> {
    let labels = window.query_all(egui_kittest::kittest::By::new().label_contains(start));
    labels
        .filter_map(|node| {
            egui_kittest::kittest::NodeT::accesskit_node(&node)
                .value()
                .or_else(|| egui_kittest::kittest::NodeT::accesskit_node(&node).label())
        })
        .find(|text| text.starts_with(start))
}

#[test]
fn plots_scrub_and_read_out() {
    for (tab, plots) in
        [("Speed", &["Speed plot", "Distance plot"][..]), ("Travel", &["x plot", "z plot", "Height plot", "Yaw plot"])]
    {
        let mut window = opened(made(Op::Extract(Extract::default())), tab);
        let clip = window.state().session.evaluation_in_view().unwrap().clip.clone();
        for (nth, plot) in plots.iter().enumerate() {
            let place = window.get_by_label(plot).rect();
            assert!(place.height() > 20.0 && place.width() > 200.0, "{plot}: {place:?}");
            let at = pos2(place.left() + place.width() * (0.3 + 0.1 * nth as f32), place.center().y);
            pointer(&mut window, at);
            assert!(reads(&window, "Raw  ").is_some() && reads(&window, "Chosen  ").is_some(), "{plot} reads out");
            button(&mut window, at, true);
            let share = f64::from((at.x - place.left()) / place.width()) * 1.06 - 0.03;
            let expected = clip.range.start_secs + share * clip.range.duration_secs();
            let secs = window.state().session.playback().secs;
            assert!((secs - expected).abs() <= clip.rate.frame_secs(), "{plot}: {secs} for {expected}");
            button(&mut window, at, false);
        }
    }
}

#[test]
fn speed_says_the_mean() {
    let window = opened(made(Op::Extract(Extract::default())), "Speed");
    let text = reads(&window, "Chosen, mean ").expect("a mean");
    let session = &window.state().session;
    let derived = session.derived(session.clip_in_view().unwrap()).unwrap();
    let root = derived.root_distance().unwrap();
    let secs = root.frames().end_secs - root.frames().start_secs;
    let mean = f64::from(*root.values().last().unwrap()) / secs;
    assert_eq!(text, format!("Chosen, mean {mean:.2} m/s"));
}

#[test]
fn the_path_from_above_scrubs() {
    let mut window = opened(made(Op::Extract(Extract::default())), "Travel");
    let place = window.get_by_label("Travel from above").rect();
    // The demo walks forward: up. Near the top of its path is near the clip's end.
    for (y, low, high) in [(place.bottom() - 12.0, -0.01, 0.2), (place.top() + 12.0, 0.8, 1.01)] {
        let at = pos2(place.center().x, y);
        pointer(&mut window, at);
        button(&mut window, at, true);
        button(&mut window, at, false);
        let session = &window.state().session;
        let clip = session.evaluation_in_view().unwrap().clip.clone();
        let share = (session.playback().secs - clip.range.start_secs) / clip.range.duration_secs();
        assert!((low..high).contains(&share), "{share} at {y}");
    }
}

#[test]
fn a_click_on_the_legend_hides_a_line() {
    let mut window = opened(made(Op::Extract(Extract::default())), "Travel");
    let place = window.get_by_label("z plot").rect();
    window.get_by_label("Raw").click();
    window.run_steps(2);
    pointer(&mut window, place.center());
    assert!(reads(&window, "Raw  ").is_none() && reads(&window, "Chosen  ").is_some());
    window.get_by_label("yaw").click();
    window.run_steps(2);
    assert!(window.query_by_label("Yaw plot").is_none(), "a plot can be put away");
    assert!(window.get_by_label("z plot").rect().height() > place.height(), "and the others get its room");
}
