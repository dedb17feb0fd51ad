//! One fixture per naming family, decoys included: names as the rigs have them, in their hierarchy, in centimetres.

use super::super::support::rig_text::skeleton;
use super::{assert_roles, detect};

/// Detects, and checks the family and that nobody needs to be asked.
fn check(family: &str, text: &str, expected: &str) {
    let skeleton = skeleton(text);
    let rig = detect(&skeleton);
    assert_roles(&rig, &skeleton, expected);
    assert_eq!(rig.family, family, "{}", rig.reason);
    assert!(rig.confidence >= 0.9, "{}: {}", rig.confidence, rig.reason);
}

pub const UNREAL: &str = "
root @ 0 0
  pelvis @ 0 95
    spine_01 @ 0 105
      spine_02 @ 0 120
        clavicle_{l} @ 3 145
          upperarm_{l} @ 18 145
            lowerarm_{l} @ 46 145
              hand_{l} @ 72 145
                index_01_{l} @ 80 145
              lowerarm_twist_01_{l} @ 60 145
            upperarm_twist_01_{l} @ 22 145
        neck_01 @ 0 152
          head @ 0 162
    thigh_{l} @ 9 92
      thigh_twist_01_{l} @ 9 72
      calf_{l} @ 9 50
        calf_twist_01_{l} @ 9 35
        calf_twist_02_{l} @ 9 25
        foot_{l} @ 9 10
          ball_{l} @ 9 2 13
            ball_leaf_{l} @ 9 2 20
  ik_foot_root @ 0 0
    ik_foot_{l} @ 9 10
  ik_hand_root @ 0 0
    ik_hand_gun @ -72 145
      ik_hand_{l} @ 72 145
  interaction @ 0 0
  prop_root @ 0 0
    prop @ 0 50
";

#[test]
fn unreal() {
    check(
        "Unreal mannequin",
        UNREAL,
        "Root root | Pelvis pelvis | Thigh thigh_{l} | Calf calf_{l} | Foot foot_{l} | Toe ball_{l} | Spine spine_01 \
         | Neck neck_01 | Head head | Clavicle clavicle_{l} | UpperArm upperarm_{l} | Forearm lowerarm_{l} \
         | Hand hand_{l} | IkFootRoot ik_foot_root | IkFoot ik_foot_{l} | IkHandRoot ik_hand_root \
         | IkHandGun ik_hand_gun | IkHand ik_hand_{l} | Travel pelvis",
    );
    let skeleton = skeleton(UNREAL);
    let rig = detect(&skeleton);
    let name = |b| skeleton.bone(b).name.as_str();
    let mut pairs: Vec<_> = rig.ik_pairs.iter().map(|pair| (name(pair.ik), name(pair.fk))).collect();
    pairs.sort_unstable();
    let expected = [
        ("ik_foot_l", "foot_l"),
        ("ik_foot_r", "foot_r"),
        ("ik_hand_gun", "hand_r"),
        ("ik_hand_l", "hand_l"),
        ("ik_hand_r", "hand_r"),
    ];
    assert_eq!(pairs, expected);
    let roots: Vec<_> = rig.ik_roots.iter().map(|&b| name(b)).collect();
    assert_eq!(roots, ["ik_foot_root", "ik_hand_root"]);
}

const MIXAMO: &str = "
!Armature @ 0 0
  P:Hips @ 0 95
    P:Spine @ 0 105
      P:Spine1 @ 0 118
        P:{Left}Shoulder @ 5 140
          P:{Left}Arm @ 18 140
            P:{Left}ForeArm @ 45 140
              P:{Left}Hand @ 70 140
                P:{Left}HandThumb1 @ 73 140 3
                P:{Left}HandIndex1 @ 78 140
        P:Neck @ 0 148
          P:Head @ 0 158
            P:HeadTop_End @ 0 178
    P:{Left}UpLeg @ 9 90
      P:{Left}Leg @ 9 50
        P:{Left}Foot @ 9 10
          P:{Left}ToeBase @ 9 2 12
            P:{Left}Toe_End @ 9 2 20
";

#[test]
fn mixamo_with_every_spelling_of_its_prefix() {
    for prefix in ["mixamorig:", "mixamorig1:", "mixamorig9:", "mixamorig_", "mixamorig"] {
        let p = prefix;
        let text = MIXAMO.replace("P:", p);
        let expected = format!(
            "Root – | Pelvis {p}Hips | Thigh {p}{{Left}}UpLeg | Calf {p}{{Left}}Leg | Foot {p}{{Left}}Foot \
             | Toe {p}{{Left}}ToeBase | Spine {p}Spine | Neck {p}Neck | Head {p}Head | Clavicle {p}{{Left}}Shoulder \
             | UpperArm {p}{{Left}}Arm | Forearm {p}{{Left}}ForeArm | Hand {p}{{Left}}Hand | Travel {p}Hips"
        );
        check("Mixamo", &text, &expected);
    }
}

#[test]
fn human_ik_under_its_reference() {
    let text = MIXAMO.replace("P:", "").replace("!Armature", "Reference").replace(
        "    {Left}UpLeg @ 9 90\n",
        "    {Left}UpLeg @ 9 90\n      {Left}UpLegRoll @ 9 70\n      {Left}LegRoll @ 9 50\n",
    );
    let expected =
        "Pelvis Hips | Thigh {Left}UpLeg | Calf {Left}Leg | Foot {Left}Foot | Toe {Left}ToeBase | Spine Spine";
    check("HumanIK", &text, &format!("Root Reference | {expected}"));
    check("HumanIK", &text.replace("Reference", "!Reference"), &format!("Root Reference | {expected}"));
    check("HumanIK", &text.replace("Reference", "!Armature"), &format!("Root – | {expected}"));
    check("HumanIK", &text.replace("Reference", "Ref").replace("Ref", "Root"), &format!("Root Root | {expected}"));
}

#[test]
fn lafan() {
    check(
        "LAFAN1",
        "
Hips @ 0 92
  {Left}UpLeg @ 10 90
    {Left}Leg @ 10 47
      {Left}Foot @ 10 6
        {Left}Toe @ 10 0 13
  Spine @ 0 100
    Spine1 @ 0 112
      Neck @ 0 140
        Head @ 0 152
      {Left}Shoulder @ 5 138
        {Left}Arm @ 17 138
          {Left}ForeArm @ 45 138
            {Left}Hand @ 70 138
",
        "Root – | Pelvis Hips | Thigh {Left}UpLeg | Calf {Left}Leg | Foot {Left}Foot | Toe {Left}Toe | Spine Spine",
    );
}

#[test]
fn cmu_cgspeed_with_joints_named_hip_above_the_legs() {
    check(
        "CMU (cgspeed BVH)",
        "
Hips @ 0 95
  {L}HipJoint @ 0 95
    {Left}UpLeg @ 8 90
      {Left}Leg @ 12 50
        {Left}Foot @ 15 10
          {Left}ToeBase @ 16 4 12
  LowerBack @ 0 95
    Spine @ 0 105
      Spine1 @ 0 118
        Neck @ 0 130
          Neck1 @ 0 135
            Head @ 0 142
        {Left}Shoulder @ 0 130
          {Left}Arm @ 17 130
            {Left}ForeArm @ 45 130
              {Left}Hand @ 62 130
                {Left}FingerBase @ 62 130
                  {Left}HandIndex1 @ 65 130
                {L}Thumb @ 62 130
",
        "Root – | Pelvis Hips | Thigh {Left}UpLeg | Calf {Left}Leg | Foot {Left}Foot | Toe {Left}ToeBase \
         | Spine LowerBack | Neck Neck | Head Head | Hand {Left}Hand",
    );
}

#[test]
fn cmu_asf_whose_pelvis_is_called_root() {
    let text = "
root @ 0 95
  {l}hipjoint @ 0 95
    {l}femur @ 8 90
      {l}tibia @ 12 50
        {l}foot @ 15 10
          {l}toes @ 16 4 12
  lowerback @ 0 95
    upperback @ 0 105
      thorax @ 0 118
        lowerneck @ 0 130
          upperneck @ 0 135
            head @ 0 142
        {l}clavicle @ 0 130
          {l}humerus @ 17 130
            {l}radius @ 45 130
              {l}wrist @ 62 130
                {l}hand @ 65 130
                  {l}fingers @ 68 130
                {l}thumb @ 65 130
";
    check(
        "CMU (ASF)",
        text,
        "Root – | Pelvis root | Thigh {l}femur | Calf {l}tibia | Foot {l}foot | Toe {l}toes | Spine lowerback \
         | Neck lowerneck | Head head | Clavicle {l}clavicle | UpperArm {l}humerus | Forearm {l}radius | Hand {l}wrist",
    );
}

#[test]
fn accad() {
    check(
        "ACCAD",
        "
Hips @ 0 95
  ToSpine @ 0 95
    Spine @ 0 105
      Spine1 @ 0 118
        Neck @ 0 145
          Head @ 0 152
  {Left}UpLeg @ 9 90
    {Left}Leg @ 9 50
      {Left}Foot @ 9 10
        {Left}ToeBase @ 9 2 12
",
        "Root – | Pelvis Hips | Thigh {Left}UpLeg | Calf {Left}Leg | Foot {Left}Foot | Toe {Left}ToeBase | Spine Spine",
    );
}

#[test]
fn joint_names_where_the_thigh_is_called_hip() {
    let text = "
Hips @ 0 95
  Chest @ 0 105
    Chest2 @ 0 120
      Neck @ 0 145
        Head @ 0 152
      {Left}Collar @ 3 140
        {Left}Shoulder @ 17 140
          {Left}Elbow @ 45 140
            {Left}Wrist @ 70 140
  {Left}Hip @ 9 92
    {Left}Knee @ 9 50
      {Left}Ankle @ 9 10
        {Left}Toe @ 9 2 12
";
    let expected = "Root – | Pelvis Hips | Thigh {Left}Hip | Calf {Left}Knee | Foot {Left}Ankle | Toe {Left}Toe \
                    | Clavicle {Left}Collar | UpperArm {Left}Shoulder | Forearm {Left}Elbow | Hand {Left}Wrist";
    check("joint names (Xsens BVH)", text, expected);
}

#[test]
fn rokoko() {
    check(
        "Rokoko Newton",
        "
root @ 0 0
  Hips @ 0 95
    Spine1 @ 0 105
      Neck @ 0 145
        Head @ 0 152
    {Left}Thigh @ 9 92
      {Left}Shin @ 9 50
        {Left}Foot @ 9 10
          {Left}Toe @ 9 2 12
            {Left}ToeTip @ 9 2 18
",
        "Root root | Pelvis Hips | Thigh {Left}Thigh | Calf {Left}Shin | Foot {Left}Foot | Toe {Left}Toe | Spine Spine1",
    );
}

pub const VRM: &str = "
!Rig @ 0 0
  hips @ 0 95
    spine @ 0 105
      chest @ 0 118
        neck @ 0 145
          head @ 0 152
        {left}Shoulder @ 5 140
          {left}UpperArm @ 17 140
            {left}LowerArm @ 45 140
              {left}Hand @ 70 140
    {left}UpperLeg @ 9 92
      {left}LowerLeg @ 9 50
        {left}Foot @ 9 10
          {left}Toes @ 9 2 12
";

#[test]
fn unity_humanoid() {
    check(
        "Unity or VRM humanoid",
        VRM,
        "Root – | Pelvis hips | Thigh {left}UpperLeg | Calf {left}LowerLeg | Foot {left}Foot | Toe {left}Toes \
         | Clavicle {left}Shoulder | UpperArm {left}UpperArm | Forearm {left}LowerArm | Hand {left}Hand",
    );
}

#[test]
fn vroid() {
    check(
        "VRoid",
        "
Root @ 0 0
  J_Bip_C_Hips @ 0 95
    J_Bip_C_Spine @ 0 105
      J_Bip_C_Neck @ 0 145
        J_Bip_C_Head @ 0 152
          J_Sec_Hair1_01 @ 0 160
    J_Bip_{L}_UpperLeg @ 9 92
      J_Bip_{L}_LowerLeg @ 9 50
        J_Bip_{L}_Foot @ 9 10
          J_Bip_{L}_ToeBase @ 9 2 12
      J_Sec_{L}_Skirt @ 9 80
",
        "Root Root | Pelvis J_Bip_C_Hips | Thigh J_Bip_{L}_UpperLeg | Calf J_Bip_{L}_LowerLeg | Foot J_Bip_{L}_Foot \
         | Toe J_Bip_{L}_ToeBase | Spine J_Bip_C_Spine",
    );
}

#[test]
fn rigify_with_either_side_mark_and_split_limbs() {
    let text = "
root @ 0 0
  DEF-spine @ 0 95
    DEF-spine.001 @ 0 105
      DEF-spine.002 @ 0 118
    DEF-thigh.{L} @ 9 92
      DEF-thigh.{L}.001 @ 9 72
        DEF-shin.{L} @ 9 50
          DEF-shin.{L}.001 @ 9 30
            DEF-foot.{L} @ 9 10
              DEF-toe.{L} @ 9 2 12
    DEF-pelvis.{L} @ 0 95
  MCH-foot_ik.{L} @ 9 10
  ORG-thigh.{L} @ 9 92
    ORG-shin.{L} @ 9 50
      ORG-foot.{L} @ 9 10
  foot_ik.{L} @ 9 10
  thigh_fk.{L} @ 9 92
";
    let expected = "Root root | Pelvis DEF-spine | Thigh DEF-thigh.{L} | Calf DEF-shin.{L} | Foot DEF-foot.{L} \
                    | Toe DEF-toe.{L} | IkFoot –";
    check("Rigify", text, expected);
    check("Rigify", &text.replace(".{L}", "_{L}"), &expected.replace(".{L}", "_{L}"));
}

#[test]
fn character_creator_travels_on_hip() {
    for root in ["RL_BoneRoot", "CC_Base_BoneRoot", "BoneRoot"] {
        let text = "
BoneRoot @ 0 0
  CC_Base_Hip @ 0 95
    CC_Base_Pelvis @ 0 95
      CC_Base_{L}_Thigh @ 9 92
        CC_Base_{L}_Calf @ 9 50
          CC_Base_{L}_Foot @ 9 10
            CC_Base_{L}_ToeBaseShareBone @ 9 4 10
            CC_Base_{L}_ToeBase @ 9 2 12
              CC_Base_{L}_BigToe1 @ 8 2 17
              CC_Base_{L}_PinkyToe1 @ 12 2 15
          CC_Base_{L}_CalfTwist01 @ 9 40
          CC_Base_{L}_KneeShareBone @ 9 50
        CC_Base_{L}_ThighTwist01 @ 9 80
    CC_Base_Waist @ 0 100
      CC_Base_Spine01 @ 0 110
        CC_Base_NeckTwist01 @ 0 145
          CC_Base_Head @ 0 152
        CC_Base_{L}_Clavicle @ 3 140
          CC_Base_{L}_Upperarm @ 17 140
            CC_Base_{L}_Forearm @ 45 140
              CC_Base_{L}_Hand @ 70 140
"
        .replacen("BoneRoot", root, 1);
        check(
            "Character Creator",
            &text,
            &format!(
                "Root {root} | Pelvis CC_Base_Pelvis | Thigh CC_Base_{{L}}_Thigh | Calf CC_Base_{{L}}_Calf \
                 | Foot CC_Base_{{L}}_Foot | Toe CC_Base_{{L}}_ToeBase | Spine CC_Base_Waist | Travel CC_Base_Hip \
                 | UpperArm CC_Base_{{L}}_Upperarm | Hand CC_Base_{{L}}_Hand"
            ),
        );
    }
}

#[test]
fn max_biped_in_its_spellings() {
    let text = "
Bip001 @ 0 95
  Bip001 Pelvis @ 0 95
    Bip001 Spine @ 0 103
      Bip001 {L} Thigh @ 9 92
        Bip001 {L} Calf @ 9 50
          Bip001 {L} Foot @ 9 10
            Bip001 {L} Toe0 @ 9 2 12
              Bip001 {L} Toe0Nub @ 9 2 18
      Bip001 Spine1 @ 0 118
        Bip001 Neck @ 0 145
          Bip001 Head @ 0 152
            Bip001 HeadNub @ 0 170
          Bip001 {L} Clavicle @ 3 143
            Bip001 {L} UpperArm @ 17 140
              Bip001 {L} Forearm @ 45 140
                Bip001 {L} Hand @ 70 140
                  Bip001 {L} Finger0 @ 72 140
  Bip001 Footsteps @ 0 0
";
    let expected = "Root Bip001 | Pelvis Bip001 Pelvis | Thigh Bip001 {L} Thigh | Calf Bip001 {L} Calf \
                    | Foot Bip001 {L} Foot | Toe Bip001 {L} Toe0 | Spine Bip001 Spine | Head Bip001 Head \
                    | Clavicle Bip001 {L} Clavicle | Hand Bip001 {L} Hand";
    for (from, to) in [("Bip001", "Bip001"), ("Bip001", "Bip01")] {
        check("3ds Max Biped", &text.replace(from, to), &expected.replace(from, to));
    }
    let underscores = |s: &str| {
        s.replace("Bip001 ", "Bip001_")
            .replace("_{L} ", "_{L}_")
            .replace("Bip001_@", "Bip001 @")
            .replace("Bip001_|", "Bip001 |")
    };
    check("3ds Max Biped", &underscores(text), &underscores(expected));
}

#[test]
fn max_quadruped_with_horse_links_and_arms_for_fore_legs() {
    check(
        "3ds Max Biped with a horse link",
        "
Bip01 @ 0 100 -40
  Bip01 Pelvis @ 0 100 -40
    Bip01 Spine @ 0 105 -20
      Bip01 Neck @ 0 120 50
        Bip01 Head @ 0 140 70
      Bip01 {L} Clavicle @ 5 110 40
        Bip01 {L} UpperArm @ 10 95 40
          Bip01 {L} Forearm @ 10 60 35
            Bip01 {L} Hand @ 10 10 40
    Bip01 {L} Thigh @ 10 95 -45
      Bip01 {L} Calf @ 10 65 -35
        Bip01 {L} HorseLink @ 10 40 -55
          Bip01 {L} Foot @ 10 10 -50
            Bip01 {L} Toe0 @ 10 3 -45
",
        "Root Bip01 | Pelvis Bip01 Pelvis | Thigh Bip01 {L} Thigh | Calf Bip01 {L} Calf | Foot Bip01 {L} Foot \
         | Toe Bip01 {L} Toe0 | UpperArm Bip01 {L} UpperArm",
    );
}

#[test]
fn daz_genesis_8_travels_on_hip() {
    check(
        "Daz Genesis 3 or 8",
        "
Genesis8Female @ 0 0
  hip @ 0 100
    pelvis @ 0 102
      {l}ThighBend @ 8 92
        {l}ThighTwist @ 8 72
          {l}Shin @ 8 50
            {l}Foot @ 8 8
              {l}Metatarsals @ 8 5 3
                {l}Toe @ 8 2 12
                  {l}BigToe @ 7 2 15
    abdomenLower @ 0 104
      chestLower @ 0 120
        neckLower @ 0 145
          head @ 0 155
        {l}Collar @ 3 140
          {l}ShldrBend @ 15 140
            {l}ForearmBend @ 40 140
              {l}Hand @ 66 140
",
        "Root Genesis8Female | Pelvis pelvis | Travel hip | Thigh {l}ThighBend | Calf {l}Shin | Foot {l}Foot | Toe {l}Toe \
         | Spine abdomenLower | Clavicle {l}Collar | UpperArm {l}ShldrBend | Hand {l}Hand",
    );
}

#[test]
fn daz_genesis_9_with_twists_as_leaves() {
    check(
        "Daz Genesis 9",
        "
hip @ 0 100
  pelvis @ 0 102
    {l}_thigh @ 8 92
      {l}_thightwist1 @ 8 82
      {l}_thightwist2 @ 8 70
      {l}_shin @ 8 50
        {l}_foot @ 8 8
          {l}_toes @ 8 2 12
            {l}_bigtoe1 @ 7 2 15
  spine1 @ 0 106
    spine2 @ 0 120
      neck1 @ 0 145
        head @ 0 155
",
        "Root – | Pelvis pelvis | Travel hip | Thigh {l}_thigh | Calf {l}_shin | Foot {l}_foot | Toe {l}_toes | Spine spine1",
    );
}

#[test]
fn makehuman_whose_pelvis_is_root() {
    check(
        "MakeHuman",
        "
root @ 0 95
  pelvis.{L} @ 5 93
    upperleg01.{L} @ 10 90
      upperleg02.{L} @ 10 75
        lowerleg01.{L} @ 10 50
          lowerleg02.{L} @ 10 30
            foot.{L} @ 10 8
              toe1-1.{L} @ 8 2 12
                toe1-2.{L} @ 8 2 16
              toe2-1.{L} @ 10 2 12
              toe5-1.{L} @ 14 2 10
  spine05 @ 0 100
    spine04 @ 0 110
      neck01 @ 0 140
        head @ 0 150
      clavicle.{L} @ 2 135
        shoulder01.{L} @ 10 137
          upperarm01.{L} @ 17 135
            upperarm02.{L} @ 30 135
              lowerarm01.{L} @ 45 135
                wrist.{L} @ 70 135
",
        "Root – | Pelvis root | Thigh upperleg01.{L} | Calf lowerleg01.{L} | Foot foot.{L} | Toe toe1-1.{L} \
         | Spine spine05 | Clavicle clavicle.{L} | UpperArm upperarm01.{L} | Forearm lowerarm01.{L} | Hand wrist.{L}",
    );
}

#[test]
fn mgear() {
    check(
        "mGear",
        "
root_C0_0_jnt @ 0 0
  spine_C0_pelvis_jnt @ 0 95
    spine_C0_01_jnt @ 0 105
      neck_C0_0_jnt @ 0 140
        neck_C0_head_jnt @ 0 150
      shoulder_{L}0_0_jnt @ 3 135
        arm_{L}0_upperarm_jnt @ 17 135
          arm_{L}0_lowerarm_jnt @ 45 135
            arm_{L}0_hand_jnt @ 70 135
    leg_{L}0_thigh_jnt @ 9 92
      leg_{L}0_thigh_twist_01_jnt @ 9 70
      leg_{L}0_calf_jnt @ 9 50
        leg_{L}0_foot_jnt @ 9 10
          foot_{L}0_ball_jnt @ 9 2 12
  ik_foot_root_C0_0_jnt @ 0 0
    ik_foot_{l}_C0_0_jnt @ 9 10
",
        "Root root_C0_0_jnt | Pelvis spine_C0_pelvis_jnt | Thigh leg_{L}0_thigh_jnt | Calf leg_{L}0_calf_jnt \
         | Foot leg_{L}0_foot_jnt | Toe foot_{L}0_ball_jnt | Spine spine_C0_01_jnt | Neck neck_C0_0_jnt \
         | Head neck_C0_head_jnt | Clavicle shoulder_{L}0_0_jnt | UpperArm arm_{L}0_upperarm_jnt \
         | Hand arm_{L}0_hand_jnt | IkFootRoot ik_foot_root_C0_0_jnt | IkFoot ik_foot_{l}_C0_0_jnt",
    );
}

#[test]
fn advanced_skeleton_whose_pelvis_is_called_root() {
    check(
        "Advanced Skeleton",
        "
Root_M @ 0 95
  Hip_{L} @ 9 92
    HipPart1_{L} @ 9 78
      HipPart2_{L} @ 9 64
        Knee_{L} @ 9 50
          Ankle_{L} @ 9 10
            Toes_{L} @ 9 2 12
              ToesEnd_{L} @ 9 2 18
            Heel_End_{L} @ 9 0 -5
  Spine1_M @ 0 105
    Chest_M @ 0 125
      Neck_M @ 0 145
        Head_M @ 0 155
      Scapula_{L} @ 3 140
        Shoulder_{L} @ 17 140
          Elbow_{L} @ 45 140
            Wrist_{L} @ 70 140
",
        "Root – | Pelvis Root_M | Thigh Hip_{L} | Calf Knee_{L} | Foot Ankle_{L} | Toe Toes_{L} | Spine Spine1_M \
         | Clavicle Scapula_{L} | UpperArm Shoulder_{L} | Forearm Elbow_{L} | Hand Wrist_{L}",
    );
}

#[test]
fn mocopi() {
    check(
        "mocopi",
        "
root @ 0 95
  torso_1 @ 0 100
    torso_2 @ 0 110
      neck_1 @ 0 140
        head @ 0 150
      {l}_shoulder @ 3 135
        {l}_up_arm @ 17 135
          {l}_low_arm @ 45 135
            {l}_hand @ 70 135
  {l}_up_leg @ 9 92
    {l}_low_leg @ 9 50
      {l}_foot @ 9 10
        {l}_toes @ 9 2 12
",
        "Root – | Pelvis root | Thigh {l}_up_leg | Calf {l}_low_leg | Foot {l}_foot | Toe {l}_toes | Spine torso_1 \
         | Clavicle {l}_shoulder | UpperArm {l}_up_arm | Forearm {l}_low_arm | Hand {l}_hand",
    );
}

#[test]
fn smpl_names_are_shifted_by_one() {
    check(
        "SMPL",
        "
pelvis @ 0 95
  {left}_hip @ 7 86
    {left}_knee @ 10 48
      {left}_ankle @ 9 8
        {left}_foot @ 11 2 12
  spine1 @ 0 105
    spine2 @ 0 118
      neck @ 0 145
        head @ 0 152
      {left}_collar @ 7 138
        {left}_shoulder @ 17 142
          {left}_elbow @ 43 142
            {left}_wrist @ 68 142
              {left}_hand @ 76 142
",
        "Root – | Pelvis pelvis | Thigh {left}_hip | Calf {left}_knee | Foot {left}_ankle | Toe {left}_foot \
         | Spine spine1 | Clavicle {left}_collar | UpperArm {left}_shoulder | Forearm {left}_elbow | Hand {left}_wrist",
    );
}

#[test]
fn mesh2motion_fox_stands_on_its_hind_legs() {
    let text = "
root @ 0 0
  Hips @ 0 45 -20
    Spine_1 @ 0 47 -10
      Head @ 0 60 30
      Front_Leg_Shoulder_{L} @ 5 45 20
        Front_Leg_Upper_{L} @ 6 38 22
          Front_Leg_Lower_{L} @ 6 24 18
            Front_Leg_Ankle_{L} @ 6 8 20
              Front_Leg_Foot_{L} @ 6 2 22
    Back_Leg_Pelvis_{L} @ 4 46 -22
      Back_Leg_Upper_{L} @ 6 40 -20
        Back_Leg_Lower_{L} @ 6 28 -12
          Back_Leg_Ankle_{L} @ 6 14 -26
            Back_Leg_Foot_{L} @ 6 3 -22
              Back_Leg_Foot_1_{L} @ 6 1 -18
                Back_Leg_Tip_{L} @ 6 1 -14
";
    let expected = "Root root | Pelvis Hips | Thigh Back_Leg_Upper_{L} | Calf Back_Leg_Lower_{L} \
                    | Foot Back_Leg_Ankle_{L} | Toe Back_Leg_Foot_{L}";
    check("Mesh2Motion animal", text, expected);
    assert!(detect(&skeleton(text)).reason.contains("front legs"));
}

#[test]
fn mesh2motion_horse() {
    check(
        "Mesh2Motion animal",
        "
root @ 0 0
  hips @ 0 130 -50
    spine_1 @ 0 130 -30
      head @ 0 180 80
      front_scapula_{l} @ 10 130 30
        front_humerus_{l} @ 12 110 40
          front_leg_upper_{l} @ 12 90 30
            front_leg_lower_{l} @ 12 50 32
              front_leg_ankle_{l} @ 12 15 30
                front_leg_foot_{l} @ 12 5 34
    back_leg_pelvis_{l} @ 8 132 -52
      back_leg_upper_{l} @ 12 110 -50
        back_leg_lower_{l} @ 12 85 -40
          back_leg_ankle_{l} @ 12 50 -60
            back_leg_foot_{l} @ 12 12 -55
              back_leg_toe_{l} @ 12 3 -48
",
        "Root root | Pelvis hips | Thigh back_leg_upper_{l} | Calf back_leg_lower_{l} | Foot back_leg_ankle_{l} \
         | Toe back_leg_foot_{l}",
    );
}

#[test]
fn fortnite_quadruped() {
    check(
        "Fortnite quadruped",
        "
root @ 0 0
  pelvis @ 0 60 -30
    spine_01 @ 0 60 -15
      head @ 0 80 40
      PawedArm_A_Thigh_{L} @ 8 50 20
        PawedArm_A_Knee_{L} @ 8 30 22
          PawedArm_A_Ankle_{L} @ 8 10 20
            PawedArm_A_Ball_{L} @ 8 2 24
    PawedLeg_A_Thigh_{L} @ 8 55 -30
      PawedLeg_A_Knee_{L} @ 8 35 -22
        PawedLeg_A_Ankle_{L} @ 8 15 -35
          PawedLeg_A_Ball_{L} @ 8 3 -30
            PawedLeg_A_Toe_{L} @ 8 1 -25
  IK_Foot_Rear_Root @ 0 0
    IK_Foot_Rear_{L} @ 8 15 -35
  IK_Foot_Front_Root @ 0 0
    IK_Foot_Front_{L} @ 8 10 20
",
        "Root root | Pelvis pelvis | Thigh PawedLeg_A_Thigh_{L} | Calf PawedLeg_A_Knee_{L} | Foot PawedLeg_A_Ankle_{L} \
         | Toe PawedLeg_A_Ball_{L} | IkFootRoot IK_Foot_Rear_Root | IkFoot IK_Foot_Rear_{L}",
    );
}

#[test]
fn birds_have_a_third_segment() {
    check(
        "bird",
        "
Hips @ 0 40
  Spine @ 0 45 5
    Head @ 0 60 15
  UpperLeg_{L} @ 5 38
    LowerLeg_{L} @ 5 28 6
      AnkleLeg_{L} @ 5 15 -4
        Foot_{L} @ 5 3 0
          Toes_{L} @ 5 1 5
",
        "Root – | Pelvis Hips | Thigh UpperLeg_{L} | Calf LowerLeg_{L} | Foot AnkleLeg_{L} | Toe Foot_{L}",
    );
}

#[test]
fn spider_is_said_to_have_eight_legs() {
    let legs: String = ["a", "b", "c", "d"]
        .iter()
        .enumerate()
        .map(|(i, leg)| {
            let z = 10 * i;
            format!(
                "    leg_{leg}_1_{{l}} @ 10 20 {z}\n      leg_{leg}_2_{{l}} @ 20 30 {z}\n        leg_{leg}_3_{{l}} @ 30 10 {z}\n          leg_{leg}_tip_{{l}} @ 32 0 {z}\n"
            )
        })
        .collect();
    let skeleton = skeleton(&format!("root @ 0 0\n  body @ 0 20\n    head @ 0 20 30\n{legs}"));
    let rig = detect(&skeleton);
    assert_roles(&rig, &skeleton, "Thigh – | Calf – | Foot – | Toe –");
    assert!(rig.reason.contains("8 legs") && rig.reason.contains("not handled yet"), "{}", rig.reason);
    assert!(rig.confidence < 0.1);
}
