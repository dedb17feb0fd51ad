//! What is taken out of a clip can be put back, by anyone who has the two files.

use glam::DAffine3;
use stridesmith::motion::demo::{Carrier, Family, Gait};
use stridesmith::motion::transform::{ground, yaw_rotation};
use stridesmith::ops::travel_share::travel_share;

use super::*;
use crate::support::bvh_text::bvh_text;

/// Where a character stands that starts at the origin and follows the velocities of a sidecar, at each key: integrated
/// in small steps, as a game does it. Seconds since the first key, component space.
pub(super) fn followed(record: &Record) -> Vec<(f64, DVec3, f64)> {
    const STEPS: usize = 400;
    let [forward, sideways, turn] = ["VelocityForward", "VelocitySideways", "YawRate"].map(|name| curve(record, name));
    let (mut at, mut yaw) = (DVec3::ZERO, 0.0);
    let mut all = vec![(forward[0].0, at, yaw)];
    for i in 0..forward.len() - 1 {
        let step = (forward[i + 1].0 - forward[i].0) / STEPS as f64;
        for _ in 0..STEPS {
            let halfway = yaw + 0.5 * turn[i].1 * step;
            at += yaw_rotation(halfway) * DVec3::new(sideways[i].1, 0.0, forward[i].1) * step;
            yaw += turn[i].1 * step;
        }
        all.push((forward[i + 1].0, at, yaw));
    }
    all
}

/// Largest distance of a bone from where it was, when the root of `still` follows the velocities of the record.
fn largest_loss(before: &Clip, still: &Written) -> f64 {
    let root = still.rig.root().unwrap();
    let stand = still.clip.component_at(still.clip.range.start_secs).0[root.get()];
    let stand = ground(stand.translation);
    let mut largest = 0.0_f64;
    for (secs, at, yaw) in followed(&still.record) {
        let travel =
            DAffine3::from_rotation_translation(yaw_rotation(yaw), stand + at) * DAffine3::from_translation(-stand);
        let (was, is) = (
            before.component_at(before.range.start_secs + secs),
            still.clip.component_at(still.clip.range.start_secs + secs),
        );
        for bone in before.skeleton.indices() {
            let name = &before.skeleton.bone(bone).name;
            if is_at_root(name) {
                continue;
            }
            let there = travel.transform_point3(is.position(still.bone(name)));
            largest = largest.max(there.distance(was.position(bone)));
        }
    }
    largest
}

#[test]
fn a_clip_in_place_and_its_sidecar_are_the_clip_that_travelled() {
    for family in [Family::Unreal, Family::Mixamo, Family::Bvh] {
        for gait in Gait::ALL {
            for (mode, start) in [
                (PathMode::Smoothed, RootStart::Auto),
                (PathMode::Raw, RootStart::Relative),
                (PathMode::ConstantSpeed, RootStart::UnderPelvis),
            ] {
                let spec = DemoSpec { cycles: 1, origin: DVec3::new(0.1, 0.0, -0.05), ..DemoSpec::new(gait, family) };
                let (mut desk, _) = Desk::of_demo(&spec);
                let before = desk.source();
                let out = desk.apply(in_place(path(mode, YawSource::PelvisDelta), start));
                let still = desk.export(out);
                let share = travel_share(&still.clip, &still.rig, still.rig.travel_bone.unwrap()).unwrap();
                assert!(share.root < 1e-6, "{family:?} {gait:?}: the root stands still");
                let loss = largest_loss(&before, &still);
                assert!(loss < 5e-5, "{family:?} {gait:?} {mode:?} {start:?}: {loss} m lost");
            }
        }
    }
}

#[test]
fn nothing_is_clamped_or_halved_in_place_on_a_root_that_moved_backward() {
    // Strafing to the right, over the origin, from a file on disk.
    let spec = DemoSpec {
        heading_rad: 0.4,
        origin: DVec3::new(0.0, 0.0, 0.3),
        ..DemoSpec::new(Gait::StrafeRight, Family::Bvh)
    };
    let (made, _) = Desk::of_demo(&spec);
    let mut desk = Desk::of_bytes("strafe.bvh", bvh_text(&made.source()).as_bytes());
    let before = desk.source();
    for sigma in [0.0, 0.1, 1.0] {
        let settings = PathSettings { sigma_secs: Some(sigma), ..path(PathMode::Smoothed, YawSource::None) };
        let out = desk.apply(in_place(settings, RootStart::Auto));
        let still = desk.export(out);
        assert!(largest_loss(&before, &still) < 5e-5, "σ {sigma}");
    }
}

#[test]
fn a_speed_for_every_frame_and_the_average_beside_it() {
    let spec = DemoSpec { cycles: 3, ..DemoSpec::new(Gait::StartStop, Family::Mixamo) };
    let (mut desk, truth) = Desk::of_demo(&spec);
    let settings = PathSettings { sigma_secs: Some(0.15), ..path(PathMode::Smoothed, YawSource::None) };
    let out = desk.apply(extract(settings, RootStart::Auto));
    let written = desk.export(out);
    let speeds = written.curve("Speed");
    assert_eq!(speeds.len(), ((truth.end_secs - truth.start_secs) * 30.0).round() as usize + 1);
    let (mut fastest, mut sum) = (0.0_f64, 0.0);
    for &(secs, speed) in speeds {
        let true_speed = truth.path(truth.start_secs + secs).speed_m_s();
        assert!((speed - true_speed).abs() < 0.25, "{secs}: {speed} is not {true_speed}");
        fastest = fastest.max(speed);
        sum += speed;
    }
    assert!(speeds[0].1 < 0.05 && speeds[speeds.len() - 1].1 < 0.05, "it starts and ends at rest");
    let mean = sum / speeds.len() as f64;
    assert!((written.record.root.mean_speed_m_s - mean).abs() < 0.02 && fastest > 1.3 * mean);
    let distance = written.curve("Distance").last().unwrap().1;
    assert!((distance - truth.net_displacement.length()).abs() < 0.05, "{distance}");
}

#[test]
fn read_outs_follow_the_clip_at_hand_after_it_was_made_smaller() {
    let spec = DemoSpec { carrier: Carrier::Pelvis, ..DemoSpec::new(Gait::Walk, Family::Mixamo) };
    let (desk, truth) = Desk::of_demo(&spec);
    let before = desk.source();
    let pelvis = truth.bone(Role::Pelvis).unwrap();
    let figures = |clip: &Arc<Clip>| {
        let mut desk = Desk::of_clip(clip);
        let share = travel_share(clip, &desk.evaluate(desk.take).rig, pelvis).unwrap();
        let out = desk.apply(extract(path(PathMode::Smoothed, YawSource::None), RootStart::Auto));
        // A second extraction: the curves of the first do not stay behind.
        let again = desk.apply_to(out, extract(path(PathMode::ConstantSpeed, YawSource::None), RootStart::Auto));
        let (first, second) = (desk.export(out), desk.export(again));
        assert_eq!(second.record.curves.iter().filter(|curve| curve.name == "Speed").count(), 1);
        let speeds = second.curve("Speed");
        assert!(speeds.iter().all(|(_, speed)| (speed - speeds[0].1).abs() < 1e-4), "the newer path's speed");
        [share.net_m, first.record.root.mean_speed_m_s, first.curve("Speed")[10].1, speeds[0].1]
    };
    let whole = figures(&before);
    // Retargeted to legs 0.8 as long, hips and all.
    let mut small = Clip::clone(&before);
    let track = before.track(pelvis, Property::Translation).unwrap();
    let values: Vec<f32> = track.values.iter().map(|v| v * 0.8).collect();
    small.set_track(
        pelvis,
        Property::Translation,
        Track { values: values.into(), values_from: None, ..Track::clone(track) },
    );
    for (whole, small) in whole.iter().zip(figures(&Arc::new(small))) {
        assert!((small / whole - 0.8).abs() < 0.01, "{small} {whole}");
    }
    assert!((whole[1] - spec.speed_m_s).abs() < 0.02, "{whole:?}");
}
