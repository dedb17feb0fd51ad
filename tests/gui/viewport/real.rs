//! Every clip at hand is put on the stage: everything finite, the figure in the picture, and quick enough to play.

use std::time::{Duration, Instant};

use eframe::egui::{Pos2, Rect, vec2};
use stridesmith::motion::{BoneIndex, Role};
use stridesmith::session::{Action, JobMode, Playback, Session, TravelView, View};
use stridesmith::ui::panels::viewport::actor::Cast;
use stridesmith::ui::panels::viewport::pick::Eye;
use stridesmith::ui::panels::viewport::staging::Staging;
use stridesmith::ui::panels::viewport::viewpoint::Viewpoint;
use stridesmith::ui::panels::viewport::ways::bone_lines;

use crate::real_clips;

#[test]
fn every_clip_stands_in_the_picture() {
    let rect = Rect::from_min_size(Pos2::ZERO, vec2(800.0, 600.0));
    let mut slowest = (Duration::ZERO, String::new());
    let mut faults: Vec<String> = Vec::new();
    for path in real_clips::all() {
        let mut session = Session::new(JobMode::Inline);
        if session.handle(Action::Open(vec![path.clone()])).is_err() || session.clip_in_view().is_none() {
            continue;
        }
        let name = path.file_name().unwrap().to_string_lossy();
        let mut cast = Cast::default();
        if cast.update(&session).is_none() {
            continue;
        }
        let range = session.evaluation_in_view().unwrap().clip.range;
        for travel in [TravelView::Travels, TravelView::Treadmill] {
            let view = View { travel, ..View::default() };
            for share in [0.0, 0.3, 1.0] {
                let secs = range.start_secs + share * range.duration_secs();
                let playback = Playback { secs, rounds: 2, ..Playback::default() };
                let begun = Instant::now();
                let staging = Staging::new(&cast, &view, &playback).unwrap();
                slowest = slowest.max((begun.elapsed(), name.to_string()));
                let mut expect = |holds: bool, what: String| {
                    if !holds {
                        faults.push(format!("{name}, {travel:?} at {secs:.2} s: {what}"));
                    }
                };
                expect(staging.followed().is_finite(), "not finite".into());
                let mut viewpoint = Viewpoint::default();
                viewpoint.follow(&staging, rect, true);
                let eye = Eye { camera: viewpoint.camera(), rect };
                let course = &staging.shown().course;
                let (distance, height) = (eye.camera.distance, course.height_m);
                expect(distance > 0.5 * height, format!("{distance} m from a figure of {height} m"));
                // The trunk is in the picture: a foot may swing out of it.
                for role in [Role::Pelvis, Role::Head] {
                    let Some(bone) = staging.shown().rig.bone(role) else { continue };
                    let place = staging.world()[bone.get()].translation;
                    let at = eye.project(place).map(|(at, _)| Pos2::new(at.x as f32, at.y as f32));
                    expect(at.is_some_and(|at| rect.contains(at)), format!("{role} at {at:?}"));
                }
                let lines = bone_lines(&staging.lead);
                let looks = &staging.shown().looks;
                let skeleton = &staging.shown().clip().skeleton;
                let seen = |bone: BoneIndex| looks[bone.get()].seen;
                let limbs = skeleton.indices().filter(|&b| seen(b) && skeleton.parent(b).is_some_and(seen)).count();
                expect(lines.len() >= limbs, format!("{} lines for {limbs} limbs", lines.len()));
            }
        }
    }
    println!("slowest stage: {slowest:?}");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(slowest.0 < Duration::from_millis(250), "{slowest:?}");
}
