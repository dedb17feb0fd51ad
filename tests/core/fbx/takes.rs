//! Stacks to clips: names, ranges, rates, origins, and that nothing leaks from one take into the next.

use stridesmith::formats::fbx::Channel;
use stridesmith::motion::{Origin, TimeRange, WarningKind};

use super::*;
use crate::support::fbx_ascii::{Curve, Layer, Node, Scene, Take};

fn with_span(span: Option<(f64, f64)>, points: &[(f64, f64)]) -> SourceFile {
    let mut scene = Scene::of_bone(|_| ());
    scene.takes = vec![Take::simple("walk", span, vec![Curve::linear(0, 'T', 0, points)])];
    read(&scene)
}

#[test]
fn the_range_is_the_takes_where_it_lies_inside_the_keys() {
    let keys: Vec<(f64, f64)> = (0..=10).map(|i| (f64::from(i), f64::from(i * i))).collect();
    let cases = [
        (None, (0.0, 10.0), false),
        (Some((0.0, 10.0)), (0.0, 10.0), false),
        (Some((2.5, 7.25)), (2.5, 7.25), true),
        (Some((-1.0, 4.0)), (0.0, 4.0), true),
        (Some((5.0, 12.0)), (5.0, 10.0), true),
        (Some((-1.0, 12.0)), (0.0, 10.0), true),
        (Some((20.0, 30.0)), (0.0, 10.0), true),
    ];
    for (span, (start_secs, end_secs), is_said) in cases {
        let file = with_span(span, &keys);
        let clip = &file.clips[0];
        assert_eq!(clip.range, TimeRange { start_secs, end_secs }, "{span:?}");
        // No key lies outside, and the ends that cut a segment are sampled.
        let track = track(clip, BoneIndex(0), Property::Translation);
        assert_eq!((track.times.first(), track.times.last()), (start_secs, end_secs));
        let x = |secs: f64| {
            let whole = secs.floor();
            (whole * whole + (secs - whole) * (2.0 * whole + 1.0)) * 0.01
        };
        for secs in [start_secs, end_secs] {
            assert!((local_at(clip, BoneIndex(0), secs).translation.x - x(secs)).abs() < 1e-6);
        }
        assert_eq!(is_said, !file.warnings.is_empty(), "{span:?}");
        if let (true, Some((start, end))) = (is_said, span) {
            let warning = warned(&file, WarningKind::Timing, &format!("{start:.4} to {end:.4} s"));
            assert!(warning.message.contains("0.0000 to 10.0000 s") && warning.place == "walk");
        }
    }
}

#[test]
fn a_held_pose_lasts_as_long_as_its_take() {
    let file = with_span(Some((0.0, 3.0)), &[(0.0, 5.0)]);
    assert_eq!(file.clips[0].range, TimeRange { start_secs: 0.0, end_secs: 3.0 });
    assert_eq!(track(&file.clips[0], BoneIndex(0), Property::Translation).times.len(), 1);
}

#[test]
fn a_take_without_keys_is_a_clip_and_said() {
    let mut scene = Scene::of_bone(|_| ());
    scene.takes = vec![Take::simple("empty", Some((1.0, 2.0)), vec![]), Take::simple("nothing", None, vec![])];
    let file = read(&scene);
    assert_eq!(file.clips[0].range, TimeRange { start_secs: 1.0, end_secs: 2.0 });
    assert!(file.clips.iter().all(|clip| clip.tracks.iter().flatten().all(Option::is_none)));
    assert_eq!(warned(&file, WarningKind::Timing, "no keys").count, 2);
}

#[test]
fn takes_keep_names_and_order_and_do_not_leak_into_each_other() {
    let hips = Node { translation: [0.0, 90.0, 0.0], ..Node::limb("hips", None) };
    let head = Node { translation: [0.0, 60.0, 0.0], ..Node::limb("head", Some(0)) };
    let mut scene = Scene::new(vec![hips, head]);
    scene.takes = vec![
        Take::simple("Armature|Walk.001", None, vec![Curve::linear(0, 'T', 0, &[(0.5, 0.0), (1.0, 10.0)])]),
        Take::simple("Run", None, vec![Curve::linear(1, 'T', 1, &[(0.0, 70.0), (1.0, 80.0)])]),
    ];
    let file = read(&scene);
    let named: Vec<_> = file.clips.iter().map(|clip| (clip.name.as_str(), clip.take)).collect();
    assert_eq!(named, [("Armature|Walk.001", Some(0)), ("Run", Some(1))]);
    // The file's own times: a take that starts late is not moved.
    assert_eq!(file.clips[0].range.start_secs, 0.5);
    let (hips, head) = (bone(&file, "hips"), bone(&file, "head"));
    assert!(file.clips[0].track(head, Property::Translation).is_none());
    assert!(file.clips[1].track(hips, Property::Translation).is_none());
    for (clip, secs, hips_cm, head_cm) in [(0, 1.0, [10.0, 90.0, 0.0], 60.0), (1, 1.0, [0.0, 90.0, 0.0], 80.0)] {
        let local = local_at(&file.clips[clip], hips, secs).translation;
        assert_near(local, DVec3::from_array(hips_cm) * 0.01, 1e-7);
        assert_near(local_at(&file.clips[clip], head, secs).translation, DVec3::Y * head_cm * 0.01, 1e-7);
    }
    // And the node pose is the nodes' own, not a frame of either take.
    assert_near(file.skeleton.bone(hips).node_pose.translation, DVec3::Y * 0.9, 1e-12);
}

#[test]
fn the_rate_is_the_files() {
    let ntsc = |fps: f64| fps * 1000.0 / 1001.0;
    let keys: Vec<(f64, f64)> = (0..50).map(|i| (f64::from(i) / 48.0, f64::from(i))).collect();
    // Without a rate in the file the keys say it: they lie on 48 per second.
    for (time_mode, custom, fps, is_said) in [
        (6, -1.0, 30.0, false),
        (11, -1.0, 24.0, false),
        (1, -1.0, 120.0, false),
        (10, -1.0, 25.0, false),
        (8, -1.0, ntsc(30.0), false),
        (13, -1.0, ntsc(24.0), false),
        (17, -1.0, ntsc(60.0), false),
        (14, 12.5, 12.5, false),
        (14, -5.0, 48.0, false),
        (0, -1.0, 48.0, false),
        (18, -1.0, ntsc(120.0), true),
        (77, -1.0, 48.0, true),
    ] {
        let mut scene = Scene::of_bone(|_| ());
        (scene.time_mode, scene.custom_rate) = (time_mode, custom);
        scene.takes = vec![Take::simple("Take", None, vec![Curve::linear(0, 'T', 0, &keys)])];
        let file = read(&scene);
        let found = file.clips[0].rate.fps();
        assert!((found - fps).abs() < 1e-9, "mode {time_mode}: {found} is not {fps}");
        assert_eq!(is_said, !file.warnings.is_empty(), "mode {time_mode}: {:?}", file.warnings);
    }
}

#[test]
fn origins_name_take_node_and_property() {
    let mut scene = Scene::new(vec![
        Node::limb("hips", None),
        Node::limb("spine", Some(0)),
        Node { rotation_pivot: [1.0, 0.0, 0.0], ..Node::limb("pivoted", Some(0)) },
    ]);
    let line = |node, property| Curve::linear(node, property, 0, &[(0.0, 0.0), (1.0, 10.0)]);
    let both = Layer { blend_mode: 0, weight: 100.0, curves: vec![line(1, 'R'), line(1, 'T')] };
    let more = Layer { curves: vec![line(1, 'R')], ..both.clone() };
    scene.takes = vec![
        Take::simple("first", None, vec![line(2, 'T'), line(2, 'R')]),
        Take { name: "second".into(), span: None, layers: vec![both, more] },
    ];
    let file = read(&scene);
    let origins = |clip: usize, name: &str, property: Property| {
        let bone = bone(&file, name);
        let track = track(&file.clips[clip], bone, property);
        let channel = Channel { take: clip as u32, node: file.skeleton.bone(bone).node.unwrap(), property };
        let origin = Origin { file: FILE, channel: channel.number() };
        assert_eq!(Channel::of_number(origin.channel), channel);
        assert_eq!(track.times_from, Some(origin));
        assert!(track.values_from.is_none() || track.values_from == Some(origin));
        track.values_from.is_some()
    };
    assert!(origins(1, "spine", Property::Translation));
    assert!(!origins(1, "spine", Property::Rotation), "two layers give it");
    assert!(!origins(0, "pivoted", Property::Translation), "the rotation moves it through the pivot");
    assert!(origins(0, "pivoted", Property::Rotation));
}

#[test]
fn channels_at_the_ends_of_their_numbering_keep_apart() {
    let last =
        Channel { take: Channel::MAX_TAKES as u32 - 1, node: Channel::MAX_NODES as u32 - 1, property: Property::Scale };
    assert_eq!(Channel::of_number(last.number()), last);
    let next = Channel { take: 1, node: 0, property: Property::Translation };
    assert_eq!(Channel::of_number(next.number()), next);
}
