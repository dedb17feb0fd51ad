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
