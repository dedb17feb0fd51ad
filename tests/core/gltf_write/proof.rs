use glam::DQuat;
use stridesmith::formats::proof::{ProofError, TimesAs, Tolerance, prove, prove_markers};
use stridesmith::formats::sidecar::{Record, Source};
use stridesmith::motion::*;

use crate::support::exports::*;

fn proved(a: &Clip, b: &Clip) -> Result<(), ProofError> {
    prove(a, b, TimesAs::F32, &Tolerance::default()).map(|_| ())
}

/// Replaces one number of one track.
fn with_value(clip: &Clip, bone: &str, property: Property, at: usize, change: impl Fn(f32) -> f32) -> Clip {
    let bone = clip.skeleton.find(bone).unwrap();
    let old = clip.track(bone, property).unwrap();
    let mut values = old.values.to_vec();
    values[at] = change(values[at]);
    let mut new = clip.clone();
    new.tracks[bone.get()][property.slot()] =
        Some(std::sync::Arc::new(Track { values: values.into(), ..Track::clone(old) }));
    new
}

#[test]
fn the_same_passes_and_counts_what_it_saw() {
    let clip = walk(&character().skeleton);
    let report = prove(&clip, &clip, TimesAs::F32, &Tolerance::default()).unwrap();
    assert_eq!(report.bones, 5);
    // 31 frames, keys of the spine at 0.75 and 0.9 (once on a frame, in f64), 1.2; and the middles.
    assert!(report.poses >= 2 * 31, "{report:?}");
}

#[test]
fn a_bone_off_by_a_tenth_of_a_millimetre_is_named() {
    let clip = walk(&character().skeleton);
    // The hips' unit is a centimetre; key 10 is at 0.8333 s.
    let fine = with_value(&clip, "Hips", Property::Translation, 30, |v| v + 0.002);
    proved(&clip, &fine).unwrap();
    let off = with_value(&clip, "Hips", Property::Translation, 30, |v| v + 0.01);
    match proved(&clip, &off).unwrap_err() {
        ProofError::Pose { bone, secs, distance_mm, .. } => {
            assert_eq!(bone, "Armature/Hips");
            assert!((secs - 0.8333).abs() < 0.02 && (0.04..0.11).contains(&distance_mm), "{secs} {distance_mm}");
        }
        other => panic!("{other}"),
    }
}

#[test]
fn a_spline_that_differs_only_between_keys_is_found() {
    let clip = walk(&character().skeleton);
    // An out-tangent of the first key.
    let off = with_value(&clip, "Spine", Property::Rotation, 9, |v| v + 0.3);
    let error = proved(&clip, &off).unwrap_err();
    assert!(
        matches!(&error, ProofError::Pose { bone, angle_deg, .. } if bone == "Armature/Hips/Spine" && *angle_deg > 0.01),
        "{error}"
    );
}

/// The walk without its spline: keys that go straight or jump, so that their likeness alone proves a pose.
fn straight(skeleton: &std::sync::Arc<Skeleton>) -> Clip {
    let mut clip = walk(skeleton);
    let spine = clip.skeleton.find("Spine").unwrap();
    clip.tracks[spine.get()][Property::Rotation.slot()] = None;
    clip
}

fn with_times(clip: &Clip, bone: &str, property: Property, by: impl Fn(usize) -> f64) -> Clip {
    let bone = clip.skeleton.find(bone).unwrap();
    let old = clip.track(bone, property).unwrap();
    let times: Vec<f64> = old.times.iter().enumerate().map(|(i, secs)| secs + by(i)).collect();
    let mut new = clip.clone();
    new.set_track(bone, property, track(property, &times, &old.values, old.interpolation));
    new
}

#[test]
fn the_same_values_at_other_times_fail() {
    let clip = straight(&character().skeleton);
    for (bone, property) in [("Hips", Property::Translation), ("Leg_L", Property::Rotation), ("Spine", Property::Scale)]
    {
        let later = |by: f64| proved(&clip, &with_times(&clip, bone, property, |i| if i == 1 { by } else { 0.0 }));
        later(1e-7).unwrap();
        let error = later(1e-3).unwrap_err();
        assert!(error.to_string().contains(bone), "{error}");
        assert!(later(0.02).is_err(), "{bone}");
    }
}

#[test]
fn the_same_keys_on_other_bones_fail() {
    let clip = straight(&character().skeleton);
    let with_bone = |change: &dyn Fn(&mut Vec<Bone>)| {
        let mut bones = character().skeleton.bones().to_vec();
        change(&mut bones);
        straight(&std::sync::Arc::new(Skeleton::new(bones).unwrap()))
    };
    proved(&clip, &with_bone(&|bones| bones[4].node_pose.translation.x += 1e-3)).unwrap();
    let error = proved(&clip, &with_bone(&|bones| bones[4].node_pose.translation.x += 0.01)).unwrap_err();
    assert!(matches!(&error, ProofError::Pose { bone, .. } if bone == "Armature/Hips/Leg_R"), "{error}");
    let turned = with_bone(&|bones| bones[2].node_pose.rotation = DQuat::from_rotation_y(1e-3));
    let error = proved(&clip, &turned).unwrap_err();
    assert!(matches!(&error, ProofError::Pose { bone, .. } if bone == "Armature/Hips/Spine"), "{error}");
    assert!(proved(&clip, &with_bone(&|bones| bones[0].node_pose.scale *= 1.0 + 1e-3)).is_err());
    // A node more on top, which moves everything: paths still match by their ends.
    let above = with_bone(&|bones| {
        bones.iter_mut().for_each(|bone| bone.parent = bone.parent.map(|BoneIndex(parent)| BoneIndex(parent + 1)));
        bones[0].parent = Some(BoneIndex(0));
        bones.insert(0, bone("Scene", None, [0.0, 0.1, 0.0]));
    });
    let error = proved(&clip, &above).unwrap_err();
    assert!(matches!(&error, ProofError::Pose { bone, .. } if bone == "Armature"), "{error}");
}

#[test]
fn the_reported_distance_is_no_less_than_the_real_one() {
    let clip = straight(&character().skeleton);
    // Near enough that no pose has to be looked at, and far enough for `f64`.
    let shaken = |i: usize| if i.is_multiple_of(2) { 4e-8 } else { -4e-8 };
    let moved = with_times(&clip, "Leg_R", Property::Rotation, shaken);
    let moved = with_times(&moved, "Hips", Property::Translation, shaken);
    let report = prove(&clip, &moved, TimesAs::Exact, &Tolerance::default()).unwrap();
    let at = |clip: &Clip, secs: f64| {
        let (mut local, mut component) = (LocalPose::node_pose(&clip.skeleton), ComponentPose::new(&clip.skeleton));
        Sampler::new(clip).local(secs, &mut local);
        component.set(&clip.skeleton, &local);
        component
    };
    let hips = clip.track(clip.skeleton.find("Hips").unwrap(), Property::Translation).unwrap();
    let (mut distance, mut angle) = (0.0_f64, 0.0_f64);
    for i in 0..hips.times.len() - 1 {
        for secs in [hips.times.at(i), 0.5 * (hips.times.at(i) + hips.times.at(i + 1))] {
            let (ours, theirs) = (at(&clip, secs), at(&moved, secs));
            for bone in clip.skeleton.indices() {
                distance = distance.max(ours.position(bone).distance(theirs.position(bone)));
                angle = angle.max(transform::angle_between(ours.rotation(bone), theirs.rotation(bone)));
            }
        }
    }
    assert!(distance > 1e-8 && angle > 1e-8, "{distance:e} {angle:e}");
    assert!(report.distance_m >= distance && report.distance_m < 20.0 * distance, "{report:?} {distance:e}");
    assert!(report.angle_rad >= angle && report.angle_rad < 20.0 * angle, "{report:?} {angle:e}");
}

#[test]
fn numbers_that_are_none_fail() {
    let clip = walk(&character().skeleton);
    assert!(proved(&clip, &with_value(&clip, "Hips", Property::Translation, 4, |_| f32::NAN)).is_err());
    assert!(proved(&clip, &with_value(&clip, "Leg_L", Property::Rotation, 4, |_| f32::NAN)).is_err());
}

#[test]
fn a_leaf_of_another_size_fails() {
    let clip = walk(&character().skeleton);
    let error = proved(&clip, &with_value(&clip, "Spine", Property::Scale, 4, |v| v * 1.01)).unwrap_err();
    assert!(matches!(&error, ProofError::Scale { bone, .. } if bone == "Armature/Hips/Spine"), "{error}");
}

#[test]
fn a_jump_rounded_to_the_other_side_of_a_key_passes_but_a_late_one_fails() {
    let clip = walk(&character().skeleton);
    let spine = clip.skeleton.find("Spine").unwrap();
    let later = |by: f64| {
        let mut moved = clip.clone();
        let old = clip.track(spine, Property::Scale).unwrap();
        let times: Vec<f64> = old.times.iter().map(|t| t + by).collect();
        moved.set_track(spine, Property::Scale, track(Property::Scale, &times, &old.values, Interpolation::Step));
        moved
    };
    proved(&clip, &later(1e-7)).unwrap();
    assert!(proved(&clip, &later(1e-3)).is_err());
}

#[test]
fn missing_bones_are_missed_only_when_they_matter() {
    let file = character();
    let clip = walk(&file.skeleton);
    let mut bones = file.skeleton.bones().to_vec();
    let mut extra = bone("Null", Some(0), [1.0, 0.0, 0.0]);
    extra.is_joint = false;
    bones.push(extra);
    let mut larger = walk(&std::sync::Arc::new(Skeleton::new(bones).unwrap()));
    proved(&larger, &clip).unwrap();
    let turn = DQuat::from_rotation_x(0.1).to_array().map(|c| c as f32);
    larger.set_track(BoneIndex(5), Property::Rotation, track(Property::Rotation, &[0.5], &turn, Interpolation::Linear));
    assert_eq!(proved(&larger, &clip), Err(ProofError::MissingBone { bone: "Armature/Null".into() }));
}

#[test]
fn markers_may_be_half_a_millisecond_off() {
    let clip = walk(&character().skeleton);
    let mut record = Record::of(&clip, Source::default());
    let tolerance = Tolerance::default();
    prove_markers(&clip, &record, &tolerance).unwrap();
    record.markers[0].time_s += 4e-4;
    prove_markers(&clip, &record, &tolerance).unwrap();
    record.markers[0].time_s += 2e-4;
    let error = prove_markers(&clip, &record, &tolerance).unwrap_err().to_string();
    assert!(error.contains("foot_l") && error.contains("FootSync"), "{error}");
    record.markers.clear();
    assert!(matches!(prove_markers(&clip, &record, &tolerance), Err(ProofError::Marker { found: None, .. })));
}
