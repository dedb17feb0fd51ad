//! What things are called.

use super::*;

#[test]
fn takes_are_named_as_a_person_would() {
    let names = |takes: &[&str]| -> Vec<String> {
        let file = desk::file(FileId(0), "dir/Walk Fwd.fbx", takes);
        take_names::take_names(&file).into_iter().map(|take| take.name).collect()
    };
    assert_eq!(names(&["mixamo.com"]), ["Walk Fwd"]);
    assert_eq!(names(&["anything"]), ["Walk Fwd"], "the only moving take");
    assert_eq!(names(&["anything", "still"]), ["Walk Fwd", "still"]);
    assert_eq!(names(&["a", "b"]), ["a", "b"]);
    assert_eq!(names(&["Take 001", "b"]), ["Walk Fwd", "b"]);
    assert_eq!(names(&["Scene", "Unreal Take", "animation"]), ["Walk Fwd", "Walk Fwd_01", "Walk Fwd_02"]);
    assert_eq!(names(&["Armature|Run", "Rig|Jump|BaseLayer"]), ["Run", "Jump"]);
    assert_eq!(names(&["Armature|mixamo.com|Layer0", "Armature|Armature|Idle"]), ["Walk Fwd", "Idle"]);
    assert_eq!(names(&["歩く", ""]), ["歩く", "Walk Fwd"]);
    assert_eq!(names(&["Run", "run"]), ["Run", "run_01"], "unique whatever the case");
    let mut bind_pose_first = desk::file(FileId(0), "Walk.fbx", &["still", "mixamo.com"]);
    Arc::make_mut(&mut bind_pose_first.clips[0]).name = "Take 001".into();
    let taken: Vec<String> = take_names::take_names(&bind_pose_first).into_iter().map(|take| take.name).collect();
    assert_eq!(taken, ["Walk_01", "Walk"], "the one that moves gets the plain name");
}

#[test]
fn names_are_unique_and_say_what_was_done() {
    let mut session = desk_with(&["walk", "run"]);
    apply(&mut session, &[0]).unwrap();
    apply(&mut session, &[0]).unwrap();
    apply(&mut session, &[2]).unwrap();
    assert_eq!((name(&session, 2), name(&session, 3)), ("walk_Start0", "walk_Start0_01"));
    assert_eq!(name(&session, 4), "walk_Start0_02", "its own kind is replaced, not repeated");
    change(&mut session, Change::Rename { clip: ClipId(3), name: " Hero:walk. ".into() }).unwrap();
    assert_eq!(name(&session, 3), "Hero_walk_");
    apply(&mut session, &[3]).unwrap();
    assert_eq!(name(&session, 5), "Hero_walk__Start0", "a name somebody gave is the stem");
    change(&mut session, Change::Duplicate { clips: vec![ClipId(0)] }).unwrap();
    assert_eq!(name(&session, 6), "walk_01");
    let taken = change(&mut session, Change::Rename { clip: ClipId(6), name: "WALK_start0".into() });
    assert_eq!(refusal(taken), "another clip is called \"walk_Start0\" already");
    assert_eq!(
        refusal(change(&mut session, Change::Rename { clip: ClipId(6), name: " ".into() })),
        "a clip needs a name"
    );
}

#[test]
fn names_are_safe_as_files_everywhere() {
    use naming::*;
    let cases = [
        ("a\\b/c:d*e?f\"g<h>i|j", "a_b_c_d_e_f_g_h_i_j"),
        ("tab\tnul\0", "tab_nul_"),
        ("dots. .", "dots___"),
        ("CON", "_CON"),
        ("con.glb", "_con.glb"),
        ("com7", "_com7"),
        ("LPT¹", "_LPT¹"),
        ("COM10", "COM10"),
        ("Contact", "Contact"),
        ("", "clip"),
        ("歩く_RM", "歩く_RM"),
    ];
    for (name, safe) in cases {
        assert_eq!(file_safe(name), safe);
        assert_eq!(file_safe(safe), safe, "safe stays safe");
    }
    let long = "歩".repeat(80);
    let name = compose(&long, "_RM_Loop");
    assert!(name.len() <= MAX_NAME_BYTES && name.ends_with("歩_RM_Loop"), "{name}");
    let numbered = free_name(&name, |name| !name.ends_with("_02"));
    assert!(numbered.len() <= MAX_NAME_BYTES && numbered.ends_with("_02"), "{numbered}");
}

#[test]
fn a_suffix_replaces_its_kind_and_the_last_two_stay() {
    use naming::*;
    let chain = |texts: &[(SuffixKind, &'static str)]| {
        suffix_chain(texts.iter().map(|&(kind, text)| Suffix::fixed(kind, text)))
    };
    use SuffixKind::{Loop, Rate, Travel};
    assert_eq!(chain(&[(Travel, "_RM"), (Travel, "_InPlace")]), "_InPlace");
    assert_eq!(chain(&[(Travel, "_RM"), (Loop, "_Loop"), (Rate, "_Rate085")]), "_Loop_Rate085");
    assert_eq!(chain(&[(Loop, "_Loop"), (Rate, "_Rate085"), (Loop, "_Loop")]), "_Rate085_Loop");
    assert_eq!(Suffix::percent(Rate, "_Rate", 0.85).text, "_Rate085");
    assert_eq!(Suffix::percent(Rate, "_Rate", 1.2).text, "_Rate120");
    assert_eq!(stem_before("walk_RM_03", "_RM"), Some("walk"));
    assert_eq!(stem_before("walk_RM", "_RM"), Some("walk"));
    assert_eq!(stem_before("hero_2", "_RM"), None);
    assert_eq!(stem_before("_RM", "_RM"), None, "a stem is never empty");
}

#[test]
fn names_follow_the_travel() {
    let mut session = demo_desk();
    let take = session.selection().shown().unwrap();
    change(&mut session, Change::Rename { clip: take, name: "Walk".into() }).unwrap();
    let mut apply = |op: Op, clip: ClipId| {
        change(&mut session, Change::apply(op, vec![clip])).unwrap();
        let out = session.selection().shown().unwrap();
        (out, session.document().clip(out).unwrap().name.clone())
    };
    let (moved, name) = apply(extract(0.25), take);
    assert_eq!(name, "Walk_RMSmooth");
    let (_, name) = apply(Op::InPlace(InPlace::default()), moved);
    assert_eq!(name, "Walk_InPlace", "the travel's own kind is replaced");
    let (started, name) = apply(start_at_zero(), moved);
    assert_eq!(name, "Walk_RMSmooth_Start0");
    let (_, name) = apply(extract(0.3), started);
    assert_eq!(name, "Walk_Start0_RMSmooth");
}
