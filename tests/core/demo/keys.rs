//! The keys against the motion that they stand for.

use glam::DVec3;
use stridesmith::formats::{NoFetch, ReadOptions};
use stridesmith::motion::demo::{DemoSpec, Encoding, Family, Gait};
use stridesmith::motion::{ComponentPose, FileId, Interpolation, LocalPose, Property, Role, Sampler, Times};

use super::{apart_m, instants, keyed, make, spec_of, varied};
use crate::support::bvh_text::{METRES_PER_UNIT, bvh_text};

#[test]
fn keys_hold_planted_points_as_well_as_f32_can() {
    for spec in varied() {
        let demo = make(&DemoSpec { origin: DVec3::ZERO, ..spec.clone() });
        let (truth, clip) = (demo.truth(), &demo.file.clips[0]);
        let mut sampler = Sampler::new(clip);
        let mut local = LocalPose::node_pose(&clip.skeleton);
        let mut pose = ComponentPose::new(&clip.skeleton);
        let (mut at_keys, mut between): (f64, f64) = (0.0, 0.0);
        for point in &truth.planted {
            let bone = clip.skeleton.find_path(&point.bone).unwrap();
            // Half a step of f32 at the travel's size, and the roundings of the leg's rotations.
            let allowed = 1.5e-7 + 6e-8 * point.position.length();
            for (i, secs) in instants(truth, 240.0).enumerate() {
                if !(point.start_secs..=point.end_secs).contains(&secs) {
                    continue;
                }
                sampler.local(secs, &mut local);
                pose.set(&clip.skeleton, &local);
                let off = pose.0[bone.get()].transform_point3(point.offset).distance(point.position);
                let frame = 1.0 / 60.0;
                if i % 4 == 0 {
                    assert!(off < allowed, "{:?}: {off} m at {secs}", spec.gait);
                    at_keys = at_keys.max(off);
                } else if secs > point.start_secs + frame && secs < point.end_secs - frame {
                    // The frame in which a foot lands or lifts cuts a corner.
                    between = between.max(off);
                }
            }
        }
        println!("{:13} {:.2} m/s: {at_keys:.1e} m at keys, {between:.1e} m between", spec.gait.name(), spec.speed_m_s);
        // Between keys slerp cuts corners with the square of what a leg turns in a frame.
        let pace_m_s = if spec.gait == Gait::Jump { 3.0 } else { spec.speed_m_s };
        let allowed = 1e-3 * (pace_m_s / 1.8).max(1.0).powi(2);
        assert!(between < allowed, "{:?}: {between}", spec.gait);
    }
}

#[test]
fn linear_keys_are_the_motion_and_bones_keep_their_lengths() {
    for family in [Family::Unreal, Family::Mixamo, Family::Bvh] {
        for gait in Gait::ALL {
            let demo = make(&DemoSpec { first_key_secs: 1.0 / 30.0, ..spec_of(gait, family) });
            let (truth, clip) = (demo.truth(), &demo.file.clips[0]);
            assert_eq!(clip.range.start_secs, 1.0 / 30.0);
            for secs in instants(truth, 60.0) {
                let pose = keyed(clip, secs);
                assert!(apart_m(&pose, &truth.pose(secs)) < 1e-6, "{family:?} {gait:?} at {secs}");
            }
            for bone in clip.skeleton.indices() {
                let moves = clip.track(bone, Property::Translation).is_some();
                let name = &clip.skeleton.bone(bone).name;
                let may = name == "pelvis" || name.ends_with("Hips") || name.starts_with("ik_");
                assert!(!moves || may, "{name} is not of one length");
            }
        }
    }
}

#[test]
fn a_cubic_clip_has_few_keys_and_keeps_its_tolerance() {
    for gait in [Gait::Walk, Gait::Run, Gait::Jump, Gait::Stagger] {
        let mut counts = Vec::new();
        for tolerance_m in [0.005, 0.001] {
            let encoding = Encoding::CubicSpline { tolerance_m };
            let demo = make(&DemoSpec { encoding, ..spec_of(gait, Family::Unreal) });
            let (truth, clip) = (demo.truth(), &demo.file.clips[0]);
            let pelvis = clip.track(truth.bone(Role::Pelvis).unwrap(), Property::Rotation).unwrap();
            assert_eq!(pelvis.interpolation, Interpolation::CubicSpline);
            let worst = instants(truth, 1000.0).map(|t| apart_m(&keyed(clip, t), &truth.pose(t))).fold(0.0, f64::max);
            // Checked at seven instants of each piece: the worst instant may lie between them.
            assert!(worst < 1.25 * tolerance_m, "{gait:?}: {worst} for {tolerance_m}");
            let dense = ((truth.end_secs - truth.start_secs) * 60.0) as usize;
            assert!(pelvis.times.len() < dense * 2 / 3, "{gait:?}: {} of {dense} keys", pelvis.times.len());
            counts.push(pelvis.times.len());
        }
        assert!(counts[0] <= counts[1], "{counts:?}");
    }
}

#[test]
fn steps_hold_and_i16_lies_on_its_grid() {
    let step = make(&DemoSpec { encoding: Encoding::Step, ..spec_of(Gait::Walk, Family::Mixamo) });
    let clip = &step.file.clips[0];
    let hips = step.truth().bone(Role::Pelvis).unwrap();
    let at = |secs| keyed(clip, secs).position(hips);
    assert_eq!(at(0.1 + 1e-6), at(0.1 + 0.015));
    assert!(at(0.1 + 1e-6).distance(at(0.1 + 0.018)) > 0.01);

    let coarse = make(&DemoSpec { encoding: Encoding::LinearI16, ..spec_of(Gait::Walk, Family::Mixamo) });
    let clip = &coarse.file.clips[0];
    let mut off_grid: f64 = 0.0;
    for tracks in &clip.tracks {
        for value in tracks[1].iter().flat_map(|track| track.values.iter()) {
            let steps = f64::from(*value) * 32767.0;
            off_grid = off_grid.max((steps - steps.round()).abs());
        }
    }
    assert!(off_grid < 2e-3, "{off_grid}");
    let truth = coarse.truth();
    let worst = instants(truth, 60.0).map(|t| apart_m(&keyed(clip, t), &truth.pose(t))).fold(0.0, f64::max);
    assert!(worst < 3e-4 && worst > 1e-6, "{worst}");
}

#[test]
fn uniform_keys_start_at_the_first_key() {
    let demo = make(&DemoSpec { first_key_secs: 1.0 / 30.0, ..DemoSpec::new(Gait::Walk, Family::Mixamo) });
    let clip = &demo.file.clips[0];
    let hips = clip.track(demo.truth().bone(Role::Pelvis).unwrap(), Property::Rotation).unwrap();
    assert!(matches!(*hips.times, Times::Uniform { start, n: 61, .. } if start == 1.0 / 30.0), "{:?}", hips.times);
    assert!((hips.times.last() - clip.range.end_secs).abs() < 1e-12);
}

#[test]
fn a_bvh_of_a_generated_clip_reads_back_as_the_motion() {
    for gait in [Gait::Arc, Gait::Jump] {
        let demo = make(&DemoSpec { first_key_secs: 0.0, ..spec_of(gait, Family::Bvh) });
        let truth = demo.truth();
        let text = bvh_text(&demo.file.clips[0]);
        let options = ReadOptions { metres_per_unit: Some(METRES_PER_UNIT), ..ReadOptions::default() };
        let bytes = text.into_bytes().into();
        let file = stridesmith::formats::read(FileId(1), "arc.bvh".as_ref(), bytes, &NoFetch, &options).unwrap();
        assert_eq!(file.skeleton.len(), demo.file.skeleton.len());
        assert_eq!(file.clips[0].rate, demo.file.clips[0].rate);
        for secs in instants(truth, 60.0) {
            let (read, meant) = (keyed(&file.clips[0], secs), truth.pose(secs));
            for bone in file.skeleton.indices() {
                let same = demo.file.skeleton.find(&file.skeleton.bone(bone).name).unwrap();
                let off = read.position(bone).distance(meant.position(same));
                assert!(off < 2e-6, "{gait:?} {} at {secs}: {off}", file.skeleton.bone(bone).name);
            }
        }
    }
}
