//! A fault is planted in a sound clip: found then, and not before.

use glam::{DAffine3, DQuat, DVec3};
use stridesmith::edit::RoleChoice;
use stridesmith::motion::demo::{Carrier, Family, Gait};
use stridesmith::ops::checks::Fix;
use stridesmith::ops::path::YawSource;
use stridesmith::ops::{ClipId, Extract, Op};
use stridesmith::session::{Action, Change};

use super::*;

fn walk(family: Family) -> SourceFile {
    generated(&DemoSpec::new(Gait::Walk, family))
}

/// Changes the only clip of a file.
fn with_clip(mut file: SourceFile, change: impl FnOnce(&mut Clip)) -> SourceFile {
    let mut clip = Clip::clone(&file.clips[0]);
    change(&mut clip);
    file.clips[0] = Arc::new(clip);
    file
}

fn bone(clip: &Clip, name: &str) -> BoneIndex {
    clip.skeleton.find(name).unwrap()
}

/// New values of one track, key by key.
fn rewrite(clip: &mut Clip, bone: BoneIndex, property: Property, mut key: impl FnMut(usize, &mut [f32])) {
    let track = clip.track(bone, property).unwrap().clone();
    let mut values = track.values.to_vec();
    values.chunks_exact_mut(property.width()).enumerate().for_each(|(i, value)| key(i, value));
    clip.set_track(bone, property, Track { values: values.into(), values_from: None, ..Track::clone(&track) });
}

/// The file on another skeleton of the same bones.
fn with_bones(mut file: SourceFile, change: impl Fn(&Skeleton, BoneIndex, &mut Bone)) -> SourceFile {
    let mut bones = file.skeleton.bones().to_vec();
    for (index, bone) in file.skeleton.indices().zip(&mut bones) {
        change(&file.skeleton, index, bone);
    }
    file.skeleton = Arc::new(Skeleton::new(bones).unwrap());
    let skeleton = file.skeleton.clone();
    with_clip(file, |clip| clip.skeleton = skeleton)
}

#[test]
fn sound_clips_are_not_blamed() {
    for family in [Family::Unreal, Family::Mixamo, Family::Bvh] {
        let verdict = judge(generated(&DemoSpec::new(Gait::Walk, family)));
        for id in [
            CheckId::Still,
            CheckId::Rig,
            CheckId::Loop,
            CheckId::Floor,
            CheckId::FirstFrame,
            CheckId::Start,
            CheckId::Scale,
            CheckId::Rate,
            CheckId::IkFeet,
            CheckId::RestPose,
            CheckId::Reader,
        ] {
            assert!(!blamed(&verdict, id), "{family:?}: {:?}", verdict.finding(id));
        }
    }
}

#[test]
fn a_t_pose_in_the_first_frame_is_found() {
    for (family, title) in
        [(Family::Mixamo, "The first frame is a T-pose: "), (Family::Unreal, "The first frame is the reference pose: ")]
    {
        let file = with_clip(walk(family), |clip| {
            for index in clip.skeleton.clone().indices() {
                let rest = clip.skeleton.bone(index).node_pose;
                if clip.track(index, Property::Rotation).is_some() {
                    let rest = rest.rotation.to_array().map(|v| v as f32);
                    rewrite(clip, index, Property::Rotation, |i, q| {
                        if i == 0 {
                            q.copy_from_slice(&rest);
                        }
                    });
                }
            }
        });
        let verdict = judge(file);
        let finding = found(&verdict, CheckId::FirstFrame);
        assert!(finding.title.starts_with(title) && finding.severity == Severity::Warning, "{}", finding.title);
        assert_eq!(finding.at_secs, Some(1.0 / 30.0));
        assert!(!verdict.line().contains("loop"), "{}", verdict.line());
    }
}

#[test]
fn a_clip_below_the_floor_is_found_by_its_depth() {
    let sunk = with_clip(walk(Family::Mixamo), |clip| {
        let hips = bone(clip, "mixamorig:Hips");
        rewrite(clip, hips, Property::Translation, |_, p| p[1] -= 0.03);
    });
    let verdict = judge(sunk);
    let text = &verdict.parts.iter().find(|part| part.id == CheckId::Floor).unwrap().text;
    let depth: f64 = text.trim_start_matches("floor −").trim_end_matches(" cm").parse().unwrap();
    assert!((depth - 3.0).abs() < 0.5, "{text}");
    let aloft = with_clip(walk(Family::Mixamo), |clip| {
        let hips = bone(clip, "mixamorig:Hips");
        rewrite(clip, hips, Property::Translation, |_, p| p[1] += 0.5);
    });
    let verdict = judge(aloft);
    assert!(verdict.line().contains("feet 50.") || verdict.line().contains("feet 49."), "{}", verdict.line());
    assert!(!blamed(&verdict, CheckId::Floor), "feet in the air are no fault");
}

#[test]
fn a_gap_and_a_missing_last_key_are_found() {
    let gap = with_clip(walk(Family::Mixamo), |clip| {
        clip.cycle = Cycle::LastRepeatsFirst;
        let arm = bone(clip, "mixamorig:LeftArm");
        let last = clip.track(arm, Property::Rotation).unwrap().times.len() - 1;
        rewrite(clip, arm, Property::Rotation, |i, q| {
            if i == last {
                let turned = DQuat::from_rotation_x(0.2) * DQuat::from_array([q[0], q[1], q[2], q[3]].map(f64::from));
                q.copy_from_slice(&turned.to_array().map(|v| v as f32));
            }
        });
    });
    let verdict = judge(gap);
    let finding = found(&verdict, CheckId::Loop);
    assert_eq!(finding.severity, Severity::Advice);
    assert!(finding.title.contains("Hand"), "the farthest from the shoulder: {}", finding.title);
    let short = with_clip(walk(Family::Mixamo), |clip| {
        clip.range.end_secs -= clip.rate.frame_secs();
        clip.cycle = Cycle::None;
    });
    assert!(judge(short).line().contains("loop, one frame short"));
    let open = with_clip(walk(Family::Mixamo), |clip| {
        clip.range.end_secs = clip.range.start_secs + 0.62 * clip.range.duration_secs();
        clip.cycle = Cycle::None;
    });
    assert!(judge(open).finding(CheckId::Loop).is_none());
}

#[test]
fn a_scale_of_a_hundred_is_named_with_what_it_would_be() {
    let factor = 100.0;
    let grown = |affine: DAffine3| DAffine3 { translation: affine.translation * factor, ..affine };
    let giant = with_bones(walk(Family::Mixamo), |_, _, bone| {
        bone.node_pose.translation *= factor;
        bone.bind_pose = bone.bind_pose.map(grown);
    });
    let mut giant = with_clip(giant, |clip| {
        for index in clip.skeleton.clone().indices() {
            if clip.track(index, Property::Translation).is_some() {
                rewrite(clip, index, Property::Translation, |_, p| p.iter_mut().for_each(|v| *v *= factor as f32));
            }
        }
    });
    giant.format = Format::Bvh;
    let verdict = judge(giant);
    let finding = found(&verdict, CheckId::Scale);
    assert_eq!(finding.severity, Severity::Warning);
    assert!(
        finding.detail.contains("1.7") && finding.detail.contains("centimetres were read as metres"),
        "{}",
        finding.detail
    );
    assert_eq!(finding.fix, Some(Fix::MetresPerUnit(0.01)));
    let racing = with_clip(walk(Family::Mixamo), |clip| {
        let hips = bone(clip, "mixamorig:Hips");
        rewrite(clip, hips, Property::Translation, |_, p| (p[0], p[2]) = (p[0] * 100.0, p[2] * 100.0));
    });
    let verdict = judge(racing);
    let finding = found(&verdict, CheckId::Scale);
    let warned = verdict.findings.iter().find(|f| f.id == CheckId::Scale && f.severity == Severity::Warning).unwrap();
    assert!(finding.title.contains("m tall") && warned.title.starts_with("Travels at 140 m/s"), "{}", warned.title);
}

#[test]
fn keys_of_another_rate_are_found() {
    let file = with_clip(walk(Family::Bvh), |clip| clip.rate = FrameRate::new(24.0).unwrap());
    let verdict = judge(file);
    assert!(verdict.line().contains("keys at 30 fps, file at 24 fps"), "{}", verdict.line());
    // Every second frame is on the frames.
    let twos = with_clip(walk(Family::Bvh), |clip| clip.rate = FrameRate::new(60.0).unwrap());
    assert!(!blamed(&judge(twos), CheckId::Rate));
    let ntsc = with_clip(walk(Family::Bvh), |clip| clip.rate = FrameRate::new(29.97).unwrap());
    assert!(blamed(&judge(ntsc), CheckId::Rate));
}

#[test]
fn ik_feet_that_stay_behind_are_found() {
    let file = with_clip(walk(Family::Unreal), |clip| {
        for name in ["ik_foot_root", "ik_foot_l", "ik_foot_r"] {
            let index = bone(clip, name);
            clip.tracks[index.get()] = [None, None, None];
        }
    });
    let verdict = judge(file);
    let finding = found(&verdict, CheckId::IkFeet);
    assert!(finding.title.starts_with("IK feet do not follow the feet: left ") && finding.title.contains(" m"));
    assert!(finding.at_secs.is_some());
}

#[test]
fn bones_without_keys_off_their_bind_pose_are_found() {
    let name = "mixamorig:LeftForeArm";
    let bent = with_bones(walk(Family::Mixamo), |_, _, bone| {
        if bone.name == name {
            bone.node_pose.rotation *= DQuat::from_rotation_x(0.2);
        }
    });
    assert!(!blamed(&judge(with_clip(bent, |_| ())), CheckId::RestPose), "its keys say where it is");
    let bent = with_bones(walk(Family::Mixamo), |_, _, bone| {
        if bone.name == name {
            bone.node_pose.rotation *= DQuat::from_rotation_x(0.2);
        }
    });
    let verdict = judge(with_clip(bent, |clip| {
        let index = bone(clip, name);
        clip.tracks[index.get()] = [None, None, None];
    }));
    let title = &found(&verdict, CheckId::RestPose).title;
    assert_eq!(title, "1 bone without keys stands off the bind pose: mixamorig:LeftForeArm by 11.5°");
}

#[test]
fn travel_on_the_armature_is_found_and_its_fix_makes_it_the_root() {
    let mut file = walk(Family::Mixamo);
    let top = BoneIndex(0);
    let armature = Bone {
        name: "Armature".into(),
        parent: None,
        node_pose: Transform::IDENTITY,
        bind_pose: None,
        is_joint: false,
        node: None,
    };
    file.skeleton = file.skeleton.with_bone_above(top, armature).unwrap();
    let skeleton = file.skeleton.clone();
    file.declared_roles.clear();
    let file = with_clip(file, |clip| {
        clip.skeleton = skeleton;
        clip.tracks.insert(0, [None, None, None]);
        let hips = BoneIndex(1);
        let path = clip.track(hips, Property::Translation).unwrap().clone();
        let moved: Vec<f32> = path.values.chunks_exact(3).flat_map(|p| [p[0], 0.0, p[2]]).collect();
        clip.set_track(top, Property::Translation, Track { values: moved.into(), ..Track::clone(&path) });
        rewrite(clip, hips, Property::Translation, |_, p| (p[0], p[2]) = (0.0, 0.0));
    });
    let mut session = desk(file);
    let verdict = session.checks(ClipId(0)).unwrap();
    assert!(verdict.line().starts_with("Travel on armature 100 %"), "{}", verdict.line());
    assert!(verdict.suggested.is_empty());
    let Some(Fix::Role { role, bone }) = found(&verdict, CheckId::Travel).fix.clone() else { panic!("no fix") };
    let skeleton = session.document().files()[0].skeleton.clone();
    let change = Change::SetRole { skeleton, role, choice: RoleChoice::Bone(bone) };
    session.handle(Action::Change(change)).unwrap();
    let fixed = session.checks(ClipId(0)).unwrap();
    assert!(fixed.line().starts_with("Travel on root 100 %"), "{}", fixed.line());
}

#[test]
fn a_root_that_faces_askew_is_found() {
    let mut session = desk(walk(Family::Unreal));
    let mut op = Extract::default();
    op.path.yaw = YawSource::Typed { yaw_deg: 34.0 };
    session.handle(Action::Change(Change::apply(Op::Extract(op), vec![ClipId(0)]))).unwrap();
    let verdict = session.checks(session.selection().shown().unwrap()).unwrap();
    let finding = found(&verdict, CheckId::Root);
    assert_eq!(finding.severity, Severity::Advice);
    assert!(finding.title.contains("faces 34° to the left of its travel"), "{}", finding.title);
    let carried =
        judge(generated(&DemoSpec { carrier: Carrier::Root, ..DemoSpec::new(Gait::StrafeLeft, Family::Unreal) }));
    assert!(!blamed(&carried, CheckId::Root), "a strafe is no fault");
    assert!(found(&carried, CheckId::Root).title.contains("faces 90° to the right of its travel"));
}

#[test]
fn stillness_unknown_bones_and_lost_data_are_said() {
    let still = with_clip(walk(Family::Mixamo), |clip| {
        for index in clip.skeleton.clone().indices() {
            for property in Property::ALL.into_iter().filter(|&p| clip.track(index, p).is_some()).collect::<Vec<_>>() {
                let first = clip.track(index, property).unwrap().values[..property.width()].to_vec();
                rewrite(clip, index, property, |_, value| value.copy_from_slice(&first));
            }
        }
    });
    let verdict = judge(still);
    assert!(verdict.line().starts_with("still"), "{}", verdict.line());
    assert!(verdict.suggested.is_empty());
    let unknown = with_bones(walk(Family::Mixamo), |_, index, bone| bone.name = format!("b{}", index.0));
    let unknown = SourceFile { declared_roles: vec![], ..unknown };
    let verdict = judge(unknown);
    assert!(blamed(&verdict, CheckId::Rig) && verdict.line().contains("pelvis unknown"), "{}", verdict.line());
    let lost = |place: &str| {
        let mut file = walk(Family::Mixamo);
        let message = "channels left out".to_owned();
        file.warnings.push(Warning { kind: WarningKind::Dropped, place: place.into(), message, count: 3 });
        judge(file)
    };
    let verdict = lost("animations[0].channels[7]");
    assert!(verdict.line().ends_with("data lost on reading"), "{}", verdict.line());
    let finding = found(&verdict, CheckId::Reader);
    assert_eq!((finding.severity, finding.title.as_str()), (Severity::Warning, "Channels left out"));
    assert_eq!(finding.detail, "Not read, at animations[0].channels[7] and 2 more.");
    assert!(!lost("meshes[1]").line().contains("data lost"), "the clip has all it had");
}

#[test]
fn the_face_alone_is_told_from_a_body() {
    let file = with_clip(walk(Family::Mixamo), |clip| {
        let head = bone(clip, "mixamorig:Head");
        for index in clip.skeleton.clone().indices() {
            let of_face = clip.skeleton.ancestors(index).any(|above| above == head);
            if !of_face {
                clip.tracks[index.get()] = [None, None, None];
            }
        }
        let below = clip.skeleton.children(head).next().unwrap();
        let times = Arc::new(Times::from_keys(vec![0.0, 0.5, 1.0]).unwrap());
        let place = clip.skeleton.bone(below).node_pose.translation;
        let nod = [0.0, 0.02, 0.0].into_iter().flat_map(|up| (place + DVec3::Y * up).to_array().map(|v| v as f32));
        let track = Track::new(Property::Translation, times, nod.collect(), Interpolation::Linear).unwrap();
        clip.set_track(below, Property::Translation, track);
    });
    assert!(judge(file).line().starts_with("only the face moves"));
}
