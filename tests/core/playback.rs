//! The playhead: seams, parts that loop, stepping by frames, and what it does with numbers that are none.

use stridesmith::motion::TimeRange;
use stridesmith::session::{Playback, Transport};

const CLIP: TimeRange = TimeRange { start_secs: 2.0, end_secs: 3.0 };
const FRAME: f64 = 1.0 / 30.0;

fn at(secs: f64) -> Playback {
    Playback { secs, ..Playback::default() }
}

#[test]
fn playing_wraps_at_the_end_and_counts_the_rounds() {
    let mut head = at(2.9);
    head.advance(0.2, CLIP);
    assert!((head.secs - 2.1).abs() < 1e-12 && head.rounds == 1, "{head:?}");
    head.advance(3.5, CLIP);
    assert!((head.secs - 2.6).abs() < 1e-12 && head.rounds == 4, "{head:?}");
    head.transport(Transport::Backwards, CLIP, FRAME);
    head.advance(1.0, CLIP);
    assert!((head.secs - 2.6).abs() < 1e-12 && head.rounds == 3, "{head:?}");
}

#[test]
fn a_part_loops_without_carrying_the_figure_on() {
    let mut head = at(2.3);
    head.transport(Transport::LoopFromHere, CLIP, FRAME);
    head.secs = 2.5;
    head.transport(Transport::LoopToHere, CLIP, FRAME);
    assert_eq!(head.span(CLIP), TimeRange { start_secs: 2.3, end_secs: 2.5 });
    head.advance(0.1, CLIP);
    assert!((head.secs - 2.4).abs() < 1e-12 && head.rounds == 0, "{head:?}");
    head.transport(Transport::Loop(None), CLIP, FRAME);
    assert_eq!(head.span(CLIP), CLIP);
}

#[test]
fn a_part_of_another_clip_does_not_lock_the_playhead_in() {
    let mut head = at(0.5);
    head.looped = Some(TimeRange { start_secs: 0.0, end_secs: 1.0 });
    assert_eq!(head.span(CLIP), CLIP);
    head.advance(0.1, CLIP);
    assert!(head.secs >= CLIP.start_secs && head.secs <= CLIP.end_secs, "{head:?}");
}

#[test]
fn steps_land_on_frames_and_pause() {
    let mut head = at(2.0 + 4.4 * FRAME);
    head.transport(Transport::Step(1), CLIP, FRAME);
    assert!((head.secs - (2.0 + 5.0 * FRAME)).abs() < 1e-12 && !head.playing, "{head:?}");
    let mut head = at(2.0 + 4.4 * FRAME);
    head.transport(Transport::Step(-1), CLIP, FRAME);
    assert!((head.secs - (2.0 + 4.0 * FRAME)).abs() < 1e-12, "{head:?}");
    head.transport(Transport::Step(-10), CLIP, FRAME);
    assert_eq!(head.secs, 2.0);
    head.transport(Transport::Step(100), CLIP, FRAME);
    assert_eq!(head.secs, 3.0);
}

#[test]
fn speeds_go_through_the_list_and_stop_at_its_ends() {
    let mut head = Playback::default();
    let mut through = Vec::new();
    for _ in 0..4 {
        head.transport(Transport::Speed(head.next_speed(false)), CLIP, FRAME);
        through.push(head.speed);
    }
    assert_eq!(through, [0.5, 0.25, 0.1, 0.1]);
    head.speed = 0.7;
    assert_eq!(head.next_speed(true), 1.0);
}

#[test]
fn clips_without_length_and_numbers_that_are_none_do_no_harm() {
    let still = TimeRange { start_secs: 1.0, end_secs: 1.0 };
    let mut head = at(5.0);
    head.advance(0.1, still);
    assert_eq!(head.secs, 1.0);
    head.transport(Transport::Seek(f64::NAN), CLIP, FRAME);
    head.transport(Transport::Speed(f64::INFINITY), CLIP, FRAME);
    assert!(head.secs.is_finite() && head.speed == 1.0, "{head:?}");
    head.transport(Transport::Seek(99.0), CLIP, FRAME);
    assert_eq!(head.secs, 3.0);
}
