//! The panel *Rig*: roles, who plays them, and the tree of bones.

use std::collections::HashSet;

use eframe::egui::{Role as Widget, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use stridesmith::edit::RoleChoice;
use stridesmith::motion::{Rig, Role, RoleOverrides, Side};
use stridesmith::session::Session;
use stridesmith::ui::App;
use stridesmith::ui::panels::rig::model::{Sureness, bone_rows, role_rows, sureness};

use crate::support::{demo_session, window};

const SIZE: Vec2 = Vec2::new(1600.0, 900.0);

fn opened() -> Harness<'static, App> {
    let mut window = window(demo_session(), SIZE);
    window.run_steps(3);
    window
}

fn press(window: &mut Harness<'_, App>, label: &str) {
    window.get_by_label(label).click();
    window.run_steps(3);
}

fn correction(window: &Harness<'_, App>, role: Role) -> Option<Option<String>> {
    let document = window.state().session.document();
    let key = &document.files()[0].skeleton;
    document.role_override(key, role).map(|bone| bone.map(str::to_owned))
}

#[test]
fn a_role_is_given_to_nobody_to_a_bone_and_back() {
    let mut window = opened();
    press(&mut window, "Bone of pelvis");
    press(&mut window, "Nobody");
    assert_eq!(correction(&window, Role::Pelvis), Some(None));
    press(&mut window, "Bone of pelvis");
    window.get_by_label("Search bones").type_text("spine_01");
    window.run_steps(3);
    window.get_all_by_role_and_label(Widget::ListItem, "spine_01").last().unwrap().click();
    window.run_steps(3);
    let chosen = correction(&window, Role::Pelvis).unwrap().unwrap();
    assert!(chosen.ends_with("spine_01"), "{chosen}");
    press(&mut window, "Bone of pelvis");
    press(&mut window, "As detected");
    assert_eq!(correction(&window, Role::Pelvis), None);
}

#[test]
fn a_bone_is_looked_for_and_chosen() {
    let mut window = opened();
    window.get_by_label("Search roles and bones").click();
    window.run_steps(2);
    window.get_by_label("Search roles and bones").type_text("calf_l");
    window.run_steps(3);
    window.get_by_role_and_label(Widget::ListItem, "calf_l").click();
    window.run_steps(3);
    let bone = window.state().session.view().bone.clone().unwrap();
    assert!(bone.ends_with("calf_l"), "{bone}");
}

#[test]
fn a_role_leads_to_its_bone() {
    let mut window = opened();
    window.get_by_role_and_label(Widget::ListItem, "Left thigh").click();
    window.run_steps(3);
    assert!(window.state().session.view().bone.as_ref().unwrap().ends_with("thigh_l"));
}

// What follows needs no window.

fn with_rig<T>(test: impl FnOnce(&Session, &Rig) -> T) -> T {
    let session = demo_session();
    let take = session.document().listing()[0];
    let rig = session.evaluate(take).unwrap().rig.clone();
    test(&session, &rig)
}

#[test]
fn every_role_has_one_row_left_beside_right() {
    with_rig(|session, rig| {
        let document = session.document();
        let open = &document.files()[0];
        let rows = role_rows(document, &open.skeleton, rig, &open.file.skeleton, "");
        assert_eq!(rows.len(), Role::all().count());
        assert_eq!(rows.iter().map(|row| row.role).collect::<HashSet<_>>().len(), rows.len());
        let place = |role| rows.iter().position(|row| row.role == role).unwrap();
        assert_eq!(place(Role::Foot(Side::Left)) + 1, place(Role::Foot(Side::Right)));
        assert!(rows.iter().all(|row| row.choice == RoleChoice::Detected));
        let found = role_rows(document, &open.skeleton, rig, &open.file.skeleton, "BALL_L");
        assert_eq!(found.iter().map(|row| row.role).collect::<Vec<_>>(), [Role::Toe(Side::Left)], "by its bone's name");
    });
}

#[test]
fn the_tree_has_parents_before_children_and_folds() {
    with_rig(|session, rig| {
        let skeleton = &session.document().files()[0].file.skeleton;
        let all = bone_rows(skeleton, rig, &HashSet::new(), "");
        assert_eq!(all.len(), skeleton.len());
        for pair in all.windows(2) {
            assert!(pair[1].depth <= pair[0].depth + 1, "depth first");
        }
        let thigh = rig.bone(Role::Thigh(Side::Left)).unwrap();
        let closed = HashSet::from([skeleton.path(thigh).to_owned()]);
        let folded = bone_rows(skeleton, rig, &closed, "");
        let beneath = |bone| bone != thigh && skeleton.is_at_or_above(thigh, bone);
        let expected: Vec<_> = all.iter().map(|row| row.bone).filter(|&bone| !beneath(bone)).collect();
        assert_eq!(folded.iter().map(|row| row.bone).collect::<Vec<_>>(), expected);
        let row = folded.iter().find(|row| row.bone == thigh).unwrap();
        assert_eq!((row.open, row.roles.as_slice()), (Some(false), [Role::Thigh(Side::Left)].as_slice()));
        // What is looked for is found in a folded part, with the way to it.
        let foot = rig.bone(Role::Foot(Side::Left)).unwrap();
        let found = bone_rows(skeleton, rig, &closed, &skeleton.bone(foot).name);
        assert!(found.iter().any(|row| row.bone == foot) && found.iter().any(|row| row.bone == thigh));
        assert!(found.len() < all.len());
    });
}

#[test]
fn sureness_follows_the_rigs_own_limits() {
    let rig = |confidence| Rig { confidence, ..Rig::default() };
    assert_eq!(sureness(&rig(1.0)), Sureness::Sure);
    assert_eq!(sureness(&rig(Rig::SURE - 0.01)), Sureness::Doubtful);
    assert_eq!(sureness(&rig(0.0)), Sureness::Unknown);
    with_rig(|session, _| {
        let skeleton = &session.document().files()[0].file.skeleton;
        assert_eq!(sureness(&Rig::detect(skeleton, &[], &RoleOverrides::default())), Sureness::Sure);
    });
}
