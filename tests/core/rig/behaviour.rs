//! What detection does beside naming families: corrections, declared roles, decoys, travel, and honest ignorance.

use std::sync::Arc;

use stridesmith::motion::{
    Bone, BoneIndex, Clip, FrameRate, Interpolation, Property, Rig, Role, RoleOverrides, Side, Skeleton, TimeRange,
    Times, Track, Transform,
};

use super::super::support::rig_text::skeleton;
use super::families::{UNREAL, VRM};
use super::{assert_roles, detect, played};

/// Feet that follow by IK, as in Quaternius packs: under the root, while the legs hang on the body.
const IK_FEET: &str = "
!CharacterArmature @ 0 0
  Root @ 0 0
    Body @ 0 95
      Hips @ 0 98
        Abdomen @ 0 108
          Torso @ 0 120
            Neck @ 0 145
              Head @ 0 152
            Shoulder.{L} @ 5 140
              UpperArm.{L} @ 17 140
                LowerArm.{L} @ 45 140
                  Wrist.{L} @ 70 140
      UpperLeg.{L} @ 10 93
        LowerLeg.{L} @ 10 50
          LowerLeg.{L}_end @ 10 10
    Foot.{L} @ 10 8
      Foot.{L}_end @ 10 2 10
    PoleTarget.{L} @ 10 50 60
";

/// A clip in which one bone goes 2 m forward.
fn walk(skeleton: &Arc<Skeleton>, moving: &str) -> Clip {
    let bone = skeleton.find(moving).unwrap();
    let rest = skeleton.bone(bone).node_pose.translation;
    let range = TimeRange { start_secs: 0.0, end_secs: 1.0 };
    let mut clip = Clip::empty("walk", Arc::clone(skeleton), range, FrameRate::new(30.0).unwrap());
    let times = Arc::new(Times::from_keys(vec![0.0, 1.0]).unwrap());
    let key = |z: f64| [rest.x as f32, rest.y as f32, (rest.z + z) as f32];
    let values: Vec<f32> = [key(0.0), key(2.0)].concat();
    let track = Track::new(Property::Translation, times, values.into(), Interpolation::Linear).unwrap();
    clip.set_track(bone, Property::Translation, track);
    clip
}

fn travel_name<'s>(rig: &Rig, skeleton: &'s Skeleton) -> &'s str {
    rig.travel_bone.map_or("–", |bone| &skeleton.bone(bone).name)
}

fn with(role: Role, bone: Option<&str>) -> RoleOverrides {
    RoleOverrides(vec![(role, bone.map(str::to_owned))])
}

#[test]
fn a_foot_moved_by_ik_is_the_foot_and_a_person_is_asked() {
    let skeleton = skeleton(IK_FEET);
    let rig = detect(&skeleton);
    assert_roles(
        &rig,
        &skeleton,
        "Root Root | Pelvis Body | Travel Body | Thigh UpperLeg.{L} | Calf LowerLeg.{L} | Foot Foot.{L} | Toe – \
         | Spine Abdomen | UpperArm UpperArm.{L} | Forearm LowerArm.{L} | Hand Wrist.{L}",
    );
    assert!((Rig::UNKNOWN..Rig::SURE).contains(&rig.confidence), "{}", rig.confidence);
    assert!(rig.reason.contains("\"Foot.L\" and \"Foot.R\" do not hang on the legs"), "{}", rig.reason);
    assert!(rig.reason.contains("\"Body\" carries the legs, \"Hips\" does not"), "{}", rig.reason);
}

#[test]
fn names_that_mean_nothing_are_said_to_be_unknown() {
    let text: String = UNREAL.lines().filter(|line| !line.trim().is_empty()).fold(String::new(), |text, line| {
        let indent = &line[..line.len() - line.trim_start().len()];
        let n = text.lines().count();
        let side = if line.contains("{l}") { "{l}" } else { "" };
        text + &format!("{indent}b{n}{side} {}\n", &line[line.find('@').unwrap()..])
    });
    // Sides are spelled into the names only so that the text is mirrored; take them out again.
    let drawn = skeleton(&text);
    let bones = drawn.bones().iter().enumerate().map(|(i, bone)| Bone { name: format!("b{i}"), ..bone.clone() });
    let rig = detect(&Skeleton::new(bones.collect()).unwrap());
    assert!(rig.confidence < Rig::UNKNOWN);
    assert!(rig.reason.contains("names unknown (b0, b1, b2, …)"), "{}", rig.reason);
    assert!(rig.roles.is_empty() && rig.family.is_empty());

    let bones = skeleton(UNREAL).bones().iter().map(|bone| Bone { name: String::new(), ..bone.clone() }).collect();
    let rig = detect(&Skeleton::new(bones).unwrap());
    assert!(rig.reason.contains("no names"), "{}", rig.reason);
}

#[test]
fn a_snake_has_no_legs() {
    let bones = (0..12_u32).map(|i| Bone {
        name: if i == 0 { "root".into() } else { format!("spine_{i:02}") },
        parent: i.checked_sub(1).map(BoneIndex),
        node_pose: Transform { translation: glam::DVec3::Z * 0.2, ..Transform::IDENTITY },
        bind_pose: None,
        is_joint: true,
        node: None,
    });
    let rig = detect(&Skeleton::new(bones.collect()).unwrap());
    assert!(rig.confidence < Rig::UNKNOWN);
    assert!(rig.reason.starts_with("no legs: the skeleton is a single chain"), "{}", rig.reason);
}

#[test]
fn pelvis_alone_is_told_and_not_enough() {
    let skeleton = skeleton("Hips @ 0 90\n  Spine @ 0 100\n    Head @ 0 150\n  Tail @ 0 90 -20\n");
    let rig = detect(&skeleton);
    assert_roles(&rig, &skeleton, "Pelvis Hips | Spine Spine");
    assert!(rig.confidence < Rig::UNKNOWN);
    assert!(rig.reason.contains("no legs found by name") && rig.reason.contains("pelvis \"Hips\""), "{}", rig.reason);
}

#[test]
fn hips_in_every_spelling_people_met() {
    for name in [
        "Hips",
        "mixamorig:Hips",
        "mixamorig_Hips",
        "mixamorig9:Hips",
        "Pelvis",
        "pelvis",
        "hip",
        "bip01 Pelvis",
        "HIPS",
    ] {
        let text = format!("{name} @ 0 95\n  LeftUpLeg @ 9 90\n    LeftLeg @ 9 50\n      LeftFoot @ 9 10\n");
        let skeleton = skeleton(&text);
        assert_eq!(played(&detect(&skeleton), &skeleton, Role::Pelvis), name);
    }
}

#[test]
fn decoys_never_play() {
    let text = UNREAL
        .replace(
            "      thigh_twist_01_{l} @ 9 72\n",
            "      thigh_twist_01_{l} @ 9 72\n        calf_helper_{l} @ 9 50\n",
        )
        .replace(
            "  interaction @ 0 0",
            "  thigh_{l}_ctrl @ 9 92\n    calf_{l}_ctrl @ 9 50\n      foot_{l}_ctrl @ 9 10\n  foot_target_{l} @ 9 10",
        );
    let skeleton = skeleton(&text);
    let rig = detect(&skeleton);
    for (role, &bone) in &rig.roles {
        let name = &skeleton.bone(bone).name;
        let decoy = ["twist", "helper", "ctrl", "target", "leaf"].iter().any(|d| name.contains(d));
        assert!(!decoy, "{role}: {name}");
    }
    assert_eq!(played(&rig, &skeleton, Role::Foot(Side::Right)), "foot_r");
    assert!(rig.confidence > 0.99);
}

#[test]
fn exporter_numbers_and_shared_affixes_are_no_words() {
    let mut n = 0;
    let numbered: String = UNREAL
        .lines()
        .map(|line| {
            n += 1;
            line.replace(" @", &format!("_{n:03} @")) + "\n"
        })
        .collect();
    for text in [numbered, UNREAL.replace(" @", "_bind_JNT @"), UNREAL.replace("thigh_{l}", "Hero|rig:thigh_{l}")] {
        let skeleton = skeleton(&text);
        let rig = detect(&skeleton);
        assert!(rig.confidence > 0.99, "{}", rig.reason);
        assert!(played(&rig, &skeleton, Role::Thigh(Side::Left)).contains("thigh_l"));
        assert!(played(&rig, &skeleton, Role::Root).starts_with("root"));
    }
}

#[test]
fn what_most_names_share_sets_nobody_aside_and_hides_no_ik() {
    let shared = |line: &str| {
        let name = line.trim_start();
        if name.is_empty() { String::new() } else { format!("{}FK_{name}", &line[..line.len() - name.len()]) }
    };
    let prefixed: String = UNREAL.lines().map(|line| shared(line) + "\n").collect();
    for text in [prefixed, UNREAL.replace(" @", "_ctrl @")] {
        let skeleton = skeleton(&text);
        let rig = detect(&skeleton);
        assert!(rig.confidence > 0.99, "{}", rig.reason);
        assert_eq!((rig.ik_pairs.len(), rig.ik_roots.len()), (5, 2));
    }
}

#[test]
fn a_bone_on_the_floor_where_the_thighs_meet_is_no_pelvis() {
    let text = "root @ 0 0
 {l}_thigh @ 9 92
  {l}_calf @ 9 50
   {l}_foot @ 9 10
 body @ 0 95
  head @ 0 150
";
    let floor = skeleton(text);
    let rig = detect(&floor);
    assert_roles(&rig, &floor, "Pelvis – | Thigh {l}_thigh | Foot {l}_foot");
    assert!(rig.reason.contains("not found: pelvis"), "{}", rig.reason);
    let raised = skeleton(&text.replace("root @ 0 0", "root @ 0 95"));
    assert_roles(&detect(&raised), &raised, "Pelvis root");
}

#[test]
fn a_chest_above_the_pelvis_is_no_root() {
    // Hierarchies that start at the chest: arms and head hang there beside the way to the pelvis.
    let text = "chest @ 0 140
 head @ 0 165
 {l}_upperarm @ 17 140
  {l}_forearm @ 45 140
 belly @ 0 120
  pelvis @ 0 95
   {l}_thigh @ 9 92
    {l}_calf @ 9 60
     {l}_foot @ 9 30
";
    let skeleton = skeleton(text);
    assert_roles(&detect(&skeleton), &skeleton, "Pelvis pelvis | Thigh {l}_thigh | Root – | Travel pelvis");
}

#[test]
fn sides_in_every_place() {
    for (thigh, right) in [
        ("lThigh", "rThigh"),
        ("LThigh", "RThigh"),
        ("L_Thigh", "R_Thigh"),
        ("thigh.L", "thigh.R"),
        ("l-thigh", "r-thigh"),
        ("Thigh_Left", "Thigh_Right"),
        ("leftthigh", "rightthigh"),
        ("lthigh", "rthigh"),
        ("thighl", "thighr"),
        ("thigh_lft", "thigh_rgt"),
        ("leg_L0_thigh", "leg_R0_thigh"),
        ("Thigh01L", "Thigh01R"),
        ("leg_upper.L", "leg_upper.R"),
        ("L_legUpper0001", "R_legUpper0001"),
    ] {
        let text =
            format!("pelvis @ 0 95\n  {thigh} @ 9 90\n    L_shin @ 9 50\n  {right} @ -9 90\n    R_shin @ -9 50\n");
        let skeleton = skeleton(&text);
        let rig = detect(&skeleton);
        assert_eq!(played(&rig, &skeleton, Role::Thigh(Side::Left)), thigh);
        assert_eq!(played(&rig, &skeleton, Role::Thigh(Side::Right)), right);
    }
}

#[test]
fn numbered_legs_and_feet_are_taken_in_order() {
    let text = "b_Hip_01 @ 0 95\n  b_{Left}Leg01_015 @ 9 90\n    b_{Left}Leg02_016 @ 9 50\n      b_{Left}Foot01_017 @ 9 10\n        b_{Left}Foot02_018 @ 9 2 10\n";
    let skeleton = skeleton(text);
    let expected =
        "Thigh b_{Left}Leg01_015 | Calf b_{Left}Leg02_016 | Foot b_{Left}Foot01_017 | Toe b_{Left}Foot02_018";
    assert_roles(&detect(&skeleton), &skeleton, expected);
}

#[test]
fn legs_of_unequal_length_lower_the_confidence_and_a_pose_does_not() {
    let even = detect(&skeleton(UNREAL));
    let bones = skeleton(UNREAL).bones().to_vec();
    let change = |f: &dyn Fn(&mut Bone)| {
        let mut bones = bones.clone();
        let foot = bones.iter_mut().find(|bone| bone.name == "foot_r").unwrap();
        f(foot);
        detect(&Skeleton::new(bones).unwrap())
    };
    let longer = change(&|foot| foot.node_pose.translation *= 1.5);
    assert!(longer.confidence < even.confidence - 0.1, "{} {}", longer.confidence, longer.reason);
    assert!(longer.reason.contains("differ in length"), "{}", longer.reason);
    let posed = change(&|foot| foot.node_pose.translation = glam::DVec3::new(0.0, -0.24, -0.32));
    assert!((posed.confidence - even.confidence).abs() < 1e-12, "{}", posed.reason);
    assert!(posed.reason.contains("not symmetric"), "{}", posed.reason);
    assert!(!even.reason.contains("symmetric"));
}

#[test]
fn declared_roles_win_over_names_and_overrides_over_both() {
    let skeleton = skeleton(VRM);
    let spine = skeleton.find("spine").unwrap();
    let hips = skeleton.find("hips").unwrap();
    let declared = [(Role::Pelvis, hips), (Role::Toe(Side::Left), skeleton.find("leftFoot").unwrap())];
    let rig = Rig::detect(&skeleton, &declared, &RoleOverrides::default());
    assert_eq!(played(&rig, &skeleton, Role::Toe(Side::Left)), "leftFoot");
    assert!(rig.reason.contains("declared"), "{}", rig.reason);

    let rig = Rig::detect(&skeleton, &[(Role::Head, spine)], &with(Role::Head, Some("Rig/hips/spine/chest/neck")));
    assert_eq!(played(&rig, &skeleton, Role::Head), "neck");
    let rig = Rig::detect(&skeleton, &declared, &with(Role::Toe(Side::Left), None));
    assert_eq!(rig.bone(Role::Toe(Side::Left)), None);
    assert_eq!(played(&rig, &skeleton, Role::Toe(Side::Right)), "rightToes");
}

#[test]
fn overrides_steer_what_depends_on_them() {
    let skeleton = skeleton(UNREAL);
    let rig = Rig::detect(&skeleton, &[], &with(Role::Pelvis, Some("root/pelvis/spine_01")));
    assert_eq!(played(&rig, &skeleton, Role::Pelvis), "spine_01");
    let rig = Rig::detect(&skeleton, &[], &with(Role::Hand(Side::Right), Some("index_01_r")));
    let gun = rig.ik_pairs.iter().find(|pair| Some(pair.ik) == rig.bone(Role::IkHandGun)).unwrap();
    assert_eq!(skeleton.bone(gun.fk).name, "index_01_r");
    let rig = Rig::detect(&skeleton, &[], &with(Role::Root, None));
    assert_eq!(rig.root(), None);
    assert!(rig.ik_roots.is_empty());
}

#[test]
fn all_legs_set_by_hand_make_an_unknown_rig_sure() {
    let names = ["Pelvis", "T", "C", "F", "O"];
    let bones = skeleton(
        "x @ 0 0\n  b0 @ 0 95\n    b1{l} @ 9 90\n      b2{l} @ 9 50\n        b3{l} @ 9 10\n          b4{l} @ 9 2 9\n",
    );
    let roles = |side| [Role::Thigh(side), Role::Calf(side), Role::Foot(side), Role::Toe(side)];
    let mut overrides = vec![(Role::Pelvis, Some("x/b0".to_owned()))];
    for (side, letter) in [(Side::Left, 'l'), (Side::Right, 'r')] {
        let mut path = "x/b0".to_owned();
        for (i, role) in roles(side).into_iter().enumerate() {
            path += &format!("/b{}{letter}", i + 1);
            overrides.push((role, Some(path.clone())));
        }
    }
    assert_eq!(names.len() * 2 - 1, overrides.len());
    let rig = Rig::detect(&bones, &[], &RoleOverrides(overrides));
    assert!((rig.confidence - 1.0).abs() < 1e-12, "{}", rig.reason);
}

#[test]
fn an_override_of_another_skeleton_is_named_and_passed_over() {
    let skeleton = skeleton(UNREAL);
    let rig = Rig::detect(&skeleton, &[], &with(Role::Foot(Side::Left), Some("root/hips/left foot")));
    assert_eq!(played(&rig, &skeleton, Role::Foot(Side::Left)), "foot_l");
    assert!(rig.reason.contains("left foot") && rig.reason.contains("\"root/hips/left foot\""), "{}", rig.reason);
}

#[test]
fn an_armature_is_no_root_until_it_moves() {
    let skeleton = skeleton(VRM);
    let rig = detect(&skeleton);
    assert_eq!(rig.root(), None);
    assert_eq!(rig.with_travel(&walk(&skeleton, "hips"), &RoleOverrides::default()), rig);
    let moving = rig.with_travel(&walk(&skeleton, "Rig"), &RoleOverrides::default());
    assert_eq!(played(&moving, &skeleton, Role::Root), "Rig");
    assert_eq!(travel_name(&moving, &skeleton), "hips");
    let denied = rig.with_travel(&walk(&skeleton, "Rig"), &with(Role::Root, None));
    assert_eq!(denied.root(), None);
}

#[test]
fn roots_of_many_kinds() {
    let root_of = |above: &str| {
        let body = "hips @ 0 95\n  spine @ 0 105\n    head @ 0 150\n  {l}Thigh @ 9 90\n    {l}Shin @ 9 50\n      {l}Foot @ 9 10\n";
        let mut text = String::new();
        for (i, line) in above.split('>').enumerate() {
            text += &format!("{}{line} @ 0 0\n", " ".repeat(i));
        }
        let depth = above.split('>').count();
        for line in body.lines() {
            text += &format!("{}{line}\n", " ".repeat(depth));
        }
        let skeleton = skeleton(&text);
        played(&detect(&skeleton), &skeleton, Role::Root).to_owned()
    };
    assert_eq!(root_of("!RootNode>!Armature"), "–");
    assert_eq!(root_of("!RootNode>!Armature>root"), "root");
    assert_eq!(root_of("!root"), "root", "an armature object called root becomes the root bone in engines");
    assert_eq!(root_of("!root>_rootJoint>b_Root_00"), "_rootJoint", "the topmost joint");
    assert_eq!(root_of("!Sketchfab_model>!metarig>Bone"), "Bone");
    assert_eq!(root_of("!Skeleton>MASTER"), "MASTER");
}

#[test]
fn a_root_at_hip_height_with_the_spine_on_it_carries_the_travel() {
    // MakeHuman's BVH files; motionless in-between joints start with two underscores.
    let text = "Root @ 0 95\n Spine1 @ 0 105\n  Neck @ 0 145\n   Head @ 0 150\n Hips @ 0 93\n  __UpLeg_{L} @ 0 93\n   UpLeg_{L} @ 9 90\n    LoLeg_{L} @ 9 50\n     Foot_{L} @ 9 10\n      Toe_{L} @ 9 2 10\n";
    let skeleton = skeleton(text);
    assert_roles(&detect(&skeleton), &skeleton, "Root – | Pelvis Hips | Travel Root | Thigh UpLeg_{L} | Spine Spine1");
}

#[test]
fn travel_is_found_where_the_clip_moves() {
    let none = RoleOverrides::default();
    let text = "root @ 0 0\n Bip001 @ 0 95\n  Bip001 Pelvis @ 0 95\n   Bip001 Spine @ 0 105\n    Bip001 Head @ 0 150\n   Bip001 {L} Thigh @ 9 90\n    Bip001 {L} Calf @ 9 50\n     Bip001 {L} Foot @ 9 10\n";
    let biped = skeleton(text);
    let rig = detect(&biped);
    assert_roles(&rig, &biped, "Root root | Travel Bip001 Pelvis");
    let moving = rig.with_travel(&walk(&biped, "Bip001"), &none);
    assert_roles(&moving, &biped, "Root root | Pelvis Bip001 Pelvis | Travel Bip001");
    assert_eq!(rig.with_travel(&walk(&biped, "root"), &none), rig);

    let text = "!Root @ 0 0\n !Pivot @ 0 0\n  !Reference @ 0 0\n   Hips @ 0 95\n    Spine @ 0 105\n     Head @ 0 150\n    {Left}UpLeg @ 9 90\n     {Left}Leg @ 9 50\n      {Left}Foot @ 9 10\n";
    let actor = skeleton(text);
    let rig = detect(&actor);
    assert_eq!(played(&rig, &actor, Role::Root), "Root");
    let moving = rig.with_travel(&walk(&actor, "Reference"), &none);
    assert_eq!(played(&moving, &actor, Role::Root), "Reference");
}

#[test]
fn inserting_a_root_keeps_every_role_on_its_bone() {
    let skeleton = skeleton(VRM);
    let rig = detect(&skeleton);
    let hips = rig.bone(Role::Pelvis).unwrap();
    let root = Bone {
        name: "root".into(),
        parent: None,
        node_pose: Transform::IDENTITY,
        bind_pose: None,
        is_joint: true,
        node: None,
    };
    let inserted = skeleton.with_bone_above(hips, root).unwrap();
    let moved = rig.after_insertion(hips, &inserted);
    for &role in rig.roles.keys() {
        assert_eq!(played(&moved, &inserted, role), played(&rig, &skeleton, role));
    }
    assert_eq!(played(&moved, &inserted, Role::Root), "root");
    assert_eq!(travel_name(&moved, &inserted), "hips");
    assert_eq!(detect(&inserted).roles, moved.roles, "detecting anew finds the same");
}

#[test]
fn hips_right_above_a_pelvis_carry_the_travel_and_are_no_root() {
    let text = "Hips @ 0 95
 Bip01 Footsteps @ 0 0
 Pelvis @ 0 95
  Spine @ 0 105
   Head @ 0 150
  {Left}UpLeg @ 9 90
   {Left}Leg @ 9 50
    {Left}Foot @ 9 10
     {Left}FootMiddle1 @ 9 2 9
";
    let skeleton = skeleton(text);
    assert_roles(&detect(&skeleton), &skeleton, "Root – | Pelvis Pelvis | Travel Hips | Toe {Left}FootMiddle1");
}

#[test]
fn copied_names_of_arms_and_control_rigs_are_no_further_legs() {
    let arms = "Hips @ 0 95
 Head @ 0 150
 {L}.UpperLeg @ 9 90
  {L}.DownLeg @ 9 50
   {L}.Foot @ 9 10
 {L}.UpperLeg.001 @ 15 140
  {L}.DownLeg.001 @ 40 140
   {L}.Foot.001 @ 70 140
";
    let control = "!Ctrl:Reference @ 0 0
 !Hips 1 @ 0 95
  !{Left}UpLeg 1 @ 9 90
   !{Left}Leg 1 @ 9 50
    !{Left}Foot 1 @ 9 10
Hips @ 0 95
 {Left}UpLeg @ 9 90
  {Left}Leg @ 9 50
   {Left}Foot @ 9 10
";
    let skeleton_of_arms = skeleton(arms);
    assert_roles(&detect(&skeleton_of_arms), &skeleton_of_arms, "Thigh {L}.UpperLeg | Foot {L}.Foot");
    let controlled = skeleton(control);
    assert_roles(&detect(&controlled), &controlled, "Pelvis Hips | Thigh {Left}UpLeg | Foot {Left}Foot");

    let four = arms.replace("15 140", "15 90 50").replace("40 140", "15 50 50").replace("70 140", "15 10 50");
    let rig = detect(&skeleton(&four));
    assert!(rig.reason.starts_with("4 legs found (L.UpperLeg, L.UpperLeg.001"), "{}", rig.reason);
}

#[test]
fn two_characters_give_one_rig() {
    let text = format!("{UNREAL}{}", UNREAL.replace("root @ 0 0\n  pelvis", "root @ 300 0\n  pelvis"));
    let skeleton = skeleton(&text);
    let rig = detect(&skeleton);
    assert!(rig.confidence > 0.99, "{}", rig.reason);
    let root = rig.root().unwrap();
    for (role, &bone) in &rig.roles {
        assert!(skeleton.is_at_or_above(root, bone), "{role} is the other's");
    }
}

#[test]
fn adversarial_skeletons_are_quick_and_do_not_panic() {
    // Thousands of bones that all speak of the same parts: in one chain, and all under one bone. Only detection is
    // timed, a few milliseconds; the bar is for slow machines and catches what grows with the square.
    for flat in [false, true] {
        let bones = (0..20_000_u32).map(|i| Bone {
            name: ["thigh_l", "l_leg", "Foot.L", "pelvis", "ik_foot_l", "spine", "hand_l"][i as usize % 7].into(),
            parent: if flat { (i > 0).then_some(BoneIndex(0)) } else { i.checked_sub(1).map(BoneIndex) },
            node_pose: Transform::IDENTITY,
            bind_pose: None,
            is_joint: true,
            node: None,
        });
        let skeleton = Skeleton::new(bones.collect()).unwrap();
        let start = std::time::Instant::now();
        let rig = detect(&skeleton);
        let took = start.elapsed();
        assert!((0.0..=1.0).contains(&rig.confidence));
        println!("20 000 bones, flat {flat}: {took:?}");
        assert!(took.as_secs_f64() < 2.0, "{took:?}");
    }
}
