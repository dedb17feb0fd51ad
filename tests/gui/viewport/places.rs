//! Where figure and ground stand, against what the generator knows of its own clips.

use std::sync::Arc;

use glam::DVec3;
use stridesmith::motion::demo::{Carrier, Demo, Family, Gait};
use stridesmith::motion::{BoneIndex, Clip, Cycle, Role};
use stridesmith::ops::{Extract, Op};
use stridesmith::session::{Action, Change, Playback, TravelView, View};
use stridesmith::ui::panels::viewport::actor::{Actor, Cast};
use stridesmith::ui::panels::viewport::course::Course;
use stridesmith::ui::panels::viewport::staging::Staging;
use stridesmith::ui::panels::viewport::treadmill::{own_speed, placement};
use stridesmith::ui::panels::viewport::ways::bone_lines;

use super::{demo, session_of, shown};

fn course_of(demo: Demo) -> (Course, Known) {
    let truth = demo.truth().clone();
    let session = session_of(demo.file);
    let evaluation = shown(&session);
    let foot = |path: &str| evaluation.clip.skeleton.find_path(path).unwrap();
    let planted = truth
        .planted
        .iter()
        .map(|point| Planted {
            bone: foot(&point.bone),
            offset: point.offset,
            start_secs: point.start_secs,
            end_secs: point.end_secs,
        })
        .collect();
    let pelvis = evaluation.rig.bone(Role::Pelvis).unwrap();
    (Course::new(&evaluation.clip, &evaluation.rig), Known { planted, pelvis })
}

struct Known {
    planted: Vec<Planted>,
    pelvis: BoneIndex,
}

struct Planted {
    bone: BoneIndex,
    offset: DVec3,
    start_secs: f64,
    end_secs: f64,
}

fn point(clip: &Clip, bone: BoneIndex, offset: DVec3, secs: f64) -> DVec3 {
    clip.component_at(secs).0[bone.get()].transform_point3(offset)
}

#[test]
fn one_round_goes_on_where_the_last_ended() {
    let cases = [
        (Gait::Walk, Family::Mixamo, Carrier::Pelvis),
        (Gait::Run, Family::Unreal, Carrier::Root),
        (Gait::Arc, Family::Unreal, Carrier::Root),
        (Gait::Arc, Family::Bvh, Carrier::Pelvis),
        (Gait::StrafeLeft, Family::Unreal, Carrier::Pelvis),
    ];
    for (gait, family, carrier) in cases {
        let (course, known) = course_of(demo(gait, family, carrier));
        let range = course.clip().range;
        assert!(course.adds_up, "{gait:?} {carrier:?} is a loop");
        let at = |secs: f64, rounds: i64| {
            let place = placement(&course, TravelView::Travels, None, secs, rounds);
            place.figure.transform_point3(point(course.clip(), known.pelvis, DVec3::ZERO, secs))
        };
        for rounds in [-3, 0, 1, 400] {
            let gap = at(range.end_secs, rounds).distance(at(range.start_secs, rounds + 1));
            assert!(gap < 1e-3, "{gait:?} {carrier:?}: {gap} m between round {rounds} and the next");
        }
        let far = at(range.start_secs, 3).distance(at(range.start_secs, 0));
        assert!(far > 1.0, "{gait:?} {carrier:?} gets on: {far} m");
    }
}

#[test]
fn a_planted_foot_stays_put_on_the_ground_of_the_treadmill() {
    let cases = [
        (Gait::Walk, Family::Mixamo, Carrier::Pelvis, 1e-3),
        (Gait::Run, Family::Unreal, Carrier::Root, 4e-3),
        (Gait::Arc, Family::Unreal, Carrier::Root, 1e-3),
        (Gait::Arc, Family::Bvh, Carrier::Pelvis, 1e-3),
        // In place nobody wrote the way down: it is read from the feet.
        (Gait::Walk, Family::Unreal, Carrier::Nobody, 0.03),
        (Gait::StrafeRight, Family::Unreal, Carrier::Nobody, 0.03),
    ];
    for (gait, family, carrier, most) in cases {
        let (course, known) = course_of(demo(gait, family, carrier));
        let mut looked = 0;
        for planted in &known.planted {
            // The truth of a clip in place is told for the key times; between them the keys are joined by lines.
            let (from, to) = (planted.start_secs + 0.04, planted.end_secs - 0.04);
            if to - from < 0.02 {
                continue;
            }
            looked += 1;
            let on_ground = |secs: f64| {
                let place = placement(&course, TravelView::Treadmill, None, secs, 2);
                let world = place.figure.transform_point3(point(course.clip(), planted.bone, planted.offset, secs));
                world - place.ground
            };
            let slid = on_ground(from).distance(on_ground(to));
            assert!(slid < most, "{gait:?} {carrier:?}: slides {slid} m from {from} to {to} s");
        }
        assert!(looked >= 2, "{gait:?} {carrier:?}: {looked} plants");
    }
}

#[test]
fn the_figure_stays_on_the_treadmill_and_the_ground_runs_at_the_clips_speed() {
    for carrier in [Carrier::Pelvis, Carrier::Root, Carrier::Nobody] {
        let (course, known) = course_of(demo(Gait::Walk, Family::Unreal, carrier));
        let range = course.clip().range;
        let speed = stridesmith::motion::demo::DemoSpec::new(Gait::Walk, Family::Unreal).speed_m_s;
        assert!((own_speed(&course) - speed).abs() < 0.03 * speed, "{carrier:?}: {} m/s", own_speed(&course));
        let place = |secs, typed| placement(&course, TravelView::Treadmill, typed, secs, 0);
        let pelvis =
            |secs| place(secs, None).figure.transform_point3(point(course.clip(), known.pelvis, DVec3::ZERO, secs));
        let strayed = pelvis(range.start_secs).distance(pelvis(range.end_secs));
        assert!(strayed < 0.02, "{carrier:?}: the figure strayed {strayed} m");
        for (typed, wanted) in [(None, speed), (Some(3.0), 3.0), (Some(0.0), 0.0)] {
            let ground = |secs| place(secs, typed).ground;
            let way = ground(range.end_secs) - ground(range.start_secs);
            let found = way.length() / range.duration_secs();
            assert!((found - wanted).abs() < 0.03 * speed, "{carrier:?} {typed:?}: ground at {found} m/s");
            assert!(way.z <= 0.0, "{carrier:?}: the ground runs against the walker: {way}");
        }
    }
}

#[test]
fn as_in_the_file_nothing_is_moved() {
    let (course, _) = course_of(demo(Gait::Walk, Family::Mixamo, Carrier::Pelvis));
    let place = placement(&course, TravelView::AsInFile, Some(2.0), 0.4, 7);
    assert_eq!(place.figure, glam::DAffine3::IDENTITY);
    assert_eq!(place.ground, DVec3::ZERO);
}

#[test]
fn a_clip_that_is_no_loop_starts_again_where_it_started_unless_a_root_carries_it() {
    let session = session_of(demo(Gait::Walk, Family::Mixamo, Carrier::Pelvis).file);
    let evaluation = shown(&session);
    let once = Arc::new(Clip { cycle: Cycle::None, ..Clip::clone(&evaluation.clip) });
    assert!(!Course::new(&once, &evaluation.rig).adds_up);
    let (on_root, _) = course_of(demo(Gait::TurnInPlace, Family::Unreal, Carrier::Root));
    assert!(on_root.adds_up);
    let turned = on_root.round.yaw_rad.to_degrees();
    assert!((turned - 90.0).abs() < 1.0, "one round turns {turned}°");
}

/// Extraction that has to add a root puts one bone more into the skeleton than the skins know.
#[test]
fn skins_get_the_bones_of_their_own_file() {
    let mut session = session_of(demo(Gait::Walk, Family::Mixamo, Carrier::Pelvis).file);
    let take = session.clip_in_view().unwrap();
    session.handle(Action::Change(Change::apply(Op::Extract(Extract::default()), vec![take]))).unwrap();
    let mut cast = Cast::default();
    cast.update(&session).unwrap();
    let (result, source) = (cast.result().unwrap(), cast.source().unwrap());
    assert!(cast.differ());
    assert_eq!(result.clip().skeleton.len(), source.clip().skeleton.len() + 1);
    for secs in [0.0, 0.31, 1.7] {
        let bones = result.on_source_skeleton(&result.pose_at(secs));
        let wanted = source.pose_at(cast.source_secs(secs));
        assert_eq!(bones.len(), wanted.0.len());
        for (bone, wanted) in bones.iter().zip(&wanted.0) {
            let off = bone.translation.distance(wanted.translation);
            assert!(off < 1e-3, "{off} m at {secs} s");
        }
    }
    assert_eq!(source.rig.root(), None, "the source has no root");
    assert_eq!(source.clip().skeleton.bone(source.rig.bone(Role::Pelvis).unwrap()).name, "mixamorig:Hips");
}

#[test]
fn no_line_goes_from_the_root_nor_along_ik_bones() {
    let session = session_of(demo(Gait::Walk, Family::Unreal, Carrier::Root).file);
    let mut cast = Cast::default();
    cast.update(&session).unwrap();
    let staging = Staging::new(&cast, &View::default(), &Playback::default()).unwrap();
    let actor: &Actor = staging.shown();
    let skeleton = &actor.clip().skeleton;
    let lines = bone_lines(&staging.lead);
    assert!(lines.len() > 15, "{} lines", lines.len());
    for line in &lines {
        let name = &skeleton.bone(line.bone).name;
        assert!(name != "root" && !name.starts_with("ik_"), "a line from {name}");
    }
    let left = lines.iter().filter(|line| line.side == Some(stridesmith::motion::Side::Left)).count();
    let right = lines.iter().filter(|line| line.side == Some(stridesmith::motion::Side::Right)).count();
    assert!(left >= 6 && left == right, "{left} left, {right} right");
}

#[test]
fn the_source_beside_the_result_goes_on_with_it() {
    let mut session = session_of(demo(Gait::Walk, Family::Mixamo, Carrier::Pelvis).file);
    let take = session.clip_in_view().unwrap();
    session.handle(Action::Change(Change::apply(Op::Extract(Extract::default()), vec![take]))).unwrap();
    let mut cast = Cast::default();
    cast.update(&session).unwrap();
    let view = View { ghost: stridesmith::session::Ghost::Over, ..View::default() };
    for (rounds, secs) in [(0, 0.3), (12, 1.1)] {
        let playback = Playback { rounds, secs, ..Playback::default() };
        let staging = Staging::new(&cast, &view, &playback).unwrap();
        let ghost = staging.ghost.as_ref().unwrap();
        let pelvis = |p: &stridesmith::ui::panels::viewport::staging::Performance<'_>| {
            let bone = p.actor.rig.bone(Role::Pelvis).unwrap();
            p.place.transform_point3(p.pose.position(bone))
        };
        let off = pelvis(ghost).distance(pelvis(&staging.lead));
        assert!(off < 2e-3, "the same visible pose, {off} m apart in round {rounds}");
    }
    let flipped = View { flipped: true, ..view };
    let staging = Staging::new(&cast, &flipped, &Playback::default()).unwrap();
    assert_eq!(staging.shown().clip().skeleton.len(), cast.source().unwrap().clip().skeleton.len());
    assert!(staging.ghost.is_none());
}
