use std::sync::Arc;

use glam::{DQuat, DVec3};
use stridesmith::formats::WriteError;
use stridesmith::formats::glb_author::{AuthorOptions, RotationEncoding, write};
use stridesmith::motion::*;

use crate::support::exports::*;
use crate::support::validator::assert_clean;

fn parsed(bytes: &[u8]) -> (gltf::Document, Vec<u8>) {
    let glb = gltf::Gltf::from_slice(bytes).unwrap();
    let blob = glb.blob.clone().unwrap();
    (glb.document, blob)
}

fn floats<'a>(blob: &'a [u8], accessor: &gltf::Accessor<'_>) -> impl Iterator<Item = f32> + 'a {
    let start = accessor.view().unwrap().offset() + accessor.offset();
    let n = accessor.count() * accessor.dimensions().multiplicity();
    blob[start..start + 4 * n].chunks_exact(4).map(|four| f32::from_le_bytes(four.try_into().unwrap()))
}

#[test]
fn a_character_is_written_whole_and_valid() {
    let file = character();
    let clip = walk(&file.skeleton);
    let authored = write(&file, &[exported("Walk", clip.clone(), None)], &AuthorOptions::default()).unwrap();
    assert_clean("character.glb", &authored.bytes);
    let (document, blob) = parsed(&authored.bytes);
    assert_eq!(document.meshes().len(), 2, "meshes of one name, place and skin are primitives of one");
    assert_eq!(document.meshes().next().unwrap().primitives().len(), 2);
    assert_eq!(document.images().len(), 1);
    assert_eq!(document.skins().next().unwrap().joints().map(|j| j.index()).collect::<Vec<_>>(), [1, 2, 3, 4]);
    for (bone, node) in file.skeleton.bones().iter().zip(document.nodes()) {
        assert_eq!(node.name(), Some(bone.name.as_str()));
        let (translation, _, scale) = node.transform().decomposed();
        assert_eq!(translation, bone.node_pose.translation.as_vec3().to_array());
        assert_eq!(scale, bone.node_pose.scale.as_vec3().to_array());
    }
    let animation = document.animations().next().unwrap();
    let extras: serde_json::Value = serde_json::from_str(animation.extras().as_ref().unwrap().get()).unwrap();
    assert_eq!(extras["stridesmith"]["schema"], 1);
    let mut compared = 0;
    for channel in animation.channels() {
        let bone = BoneIndex(channel.target().node().index() as u32);
        let property = match channel.target().property() {
            gltf::animation::Property::Translation => Property::Translation,
            gltf::animation::Property::Rotation => Property::Rotation,
            _ => Property::Scale,
        };
        let track = clip.track(bone, property).unwrap();
        let sampler = channel.sampler();
        assert!(floats(&blob, &sampler.output()).map(f32::to_bits).eq(track.values.iter().map(|v| v.to_bits())));
        // The spine's scale ends at 1.2 s and its rotation is on keys of its own: nothing is resampled.
        assert!(floats(&blob, &sampler.input()).map(f64::from).eq(track.times.iter().map(|t| f64::from(t as f32))));
        compared += 1;
    }
    assert_eq!(compared, 5);
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let file = character();
    let clips = [exported("Walk", walk(&file.skeleton), None)];
    let once = write(&file, &clips, &AuthorOptions::default()).unwrap().bytes;
    let twice = write(&file, &clips, &AuthorOptions::default()).unwrap().bytes;
    assert_eq!(once, twice);
}

#[test]
fn a_bvh_of_two_tops_without_mesh_is_valid() {
    let bones = vec![
        bone("Hips", None, [0.0, 1.0, 0.0]),
        bone("Leg", Some(0), [0.1, -0.5, 0.0]),
        bone("Prop", None, [1.0, 0.0, 0.0]),
    ];
    let file = file(Format::Bvh, bones);
    let mut clip = Clip::empty(
        "take",
        Arc::clone(&file.skeleton),
        TimeRange { start_secs: 0.0, end_secs: 2.0 },
        FrameRate::FALLBACK,
    );
    clip.set_track(
        BoneIndex(0),
        Property::Rotation,
        track(Property::Rotation, &[0.0], &[0.0, 0.0, 0.0, 1.0], Interpolation::Linear),
    );
    let authored = write(&file, &[exported("take", clip.clone(), None)], &AuthorOptions::default()).unwrap();
    assert_clean("two_tops.glb", &authored.bytes);
    let (document, blob) = parsed(&authored.bytes);
    let top = document.default_scene().unwrap().nodes().next().unwrap();
    assert_eq!((top.name(), top.children().len()), (Some("Armature"), 2), "joints of a skin share an ancestor");
    let ends: Vec<f32> = document
        .animations()
        .next()
        .unwrap()
        .samplers()
        .flat_map(|s| floats(&blob, &s.input()).collect::<Vec<_>>())
        .collect();
    assert!(ends.contains(&2.0), "the range is longer than the keys and must survive: {ends:?}");
}

#[test]
fn clips_are_cut_to_their_range_without_moving_anything_inside() {
    let file = character();
    let whole = walk(&file.skeleton);
    let mut cut = whole.clone();
    cut.range = TimeRange { start_secs: 0.61, end_secs: 1.27 };
    let authored = write(&file, &[exported("Walk", cut, None)], &AuthorOptions::default()).unwrap();
    assert_clean("cut.glb", &authored.bytes);
    let (document, blob) = parsed(&authored.bytes);
    // Rebuilt as tracks, so that our own sampling judges.
    let mut back = Clip::empty(
        "back",
        Arc::clone(&file.skeleton),
        TimeRange { start_secs: 0.61, end_secs: 1.27 },
        FrameRate::FALLBACK,
    );
    for channel in document.animations().next().unwrap().channels() {
        let (sampler, target) = (channel.sampler(), channel.target());
        let (property, interpolation) = (
            match target.property() {
                gltf::animation::Property::Translation => Property::Translation,
                gltf::animation::Property::Rotation => Property::Rotation,
                _ => Property::Scale,
            },
            match sampler.interpolation() {
                gltf::animation::Interpolation::Linear => Interpolation::Linear,
                gltf::animation::Interpolation::Step => Interpolation::Step,
                gltf::animation::Interpolation::CubicSpline => Interpolation::CubicSpline,
            },
        );
        let times: Vec<f64> = floats(&blob, &sampler.input()).map(f64::from).collect();
        assert!(times[0] >= 0.61 - 1e-6 && times[times.len() - 1] <= 1.27 + 1e-6, "{property:?} {times:?}");
        let values: Vec<f32> = floats(&blob, &sampler.output()).collect();
        back.set_track(
            BoneIndex(target.node().index() as u32),
            property,
            track(property, &times, &values, interpolation),
        );
    }
    let mut asked = whole;
    asked.range = back.range;
    let (distance, angle) = largest_difference(&asked, &back);
    assert!(distance < 2e-6 && angle < 2e-6, "{distance} m, {angle} rad");
}

#[test]
fn sixteen_bit_rotations_are_near_and_half_the_size() {
    let file = character();
    let clips = [exported("Walk", walk(&file.skeleton), None)];
    let plain = write(&file, &clips, &AuthorOptions::default()).unwrap().bytes;
    let options = AuthorOptions { rotation_encoding: RotationEncoding::I16, meshes: false };
    let short = write(&file, &clips, &options).unwrap().bytes;
    assert_clean("short.glb", &short);
    assert!(short.len() + 2 * 31 * 8 <= plain.len());
    let (document, _) = parsed(&short);
    let sampler = document
        .animations()
        .next()
        .unwrap()
        .channels()
        .find(|c| c.target().node().name() == Some("Leg_L"))
        .unwrap()
        .sampler();
    assert_eq!((sampler.output().data_type(), sampler.output().normalized()), (gltf::accessor::DataType::I16, true));
}

#[test]
fn roots_are_united_and_differing_ones_refused() {
    let file = character();
    let clip = walk(&file.skeleton);
    let reference = Transform::rigid(DVec3::new(0.0, 10.0, 0.0), DQuat::from_rotation_z(0.3));
    let (patched, patch) = with_root(&clip, "Armature/Hips", Transform::IDENTITY, DVec3::new(0.0, -4.0, 0.0));
    let clips = [exported("RM", patched, Some(patch.clone())), exported("Plain", clip.clone(), None)];
    let bytes = write(&file, &clips, &AuthorOptions::default()).unwrap().bytes;
    assert_clean("united.glb", &bytes);
    let (document, _) = parsed(&bytes);
    assert_eq!(document.nodes().nth(1).unwrap().name(), Some("root"));
    assert_eq!(document.skins().next().unwrap().joints().map(|j| j.index()).collect::<Vec<_>>(), [2, 3, 4, 5, 1]);
    let (other, other_patch) = with_root(&clip, "Armature/Hips", reference, DVec3::ZERO);
    let clips = [exported("A", clips[0].clip.as_ref().clone(), Some(patch)), exported("B", other, Some(other_patch))];
    let refused = write(&file, &clips, &AuthorOptions::default()).unwrap_err();
    assert!(matches!(&refused, WriteError::Unsupported { what, .. } if what.contains("\"A\" and \"B\"")), "{refused}");
}

#[test]
fn times_before_zero_are_refused_with_the_way_out() {
    let file = character();
    let mut clip = walk(&file.skeleton);
    clip.range.start_secs = -0.1;
    let refused = write(&file, &[exported("Walk", clip, None)], &AuthorOptions::default()).unwrap_err().to_string();
    assert!(refused.contains("\"Walk\"") && refused.contains("start at 0"), "{refused}");
}
