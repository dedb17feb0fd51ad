//! Mouse and keys.

use eframe::egui::{Event, Key, Modifiers, PointerButton, Pos2, Vec2, pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use stridesmith::motion::demo::{Carrier, Family, Gait};
use stridesmith::motion::{Role, Side};
use stridesmith::session::{Action, Change, TravelView};
use stridesmith::ui::commands::{CameraView, Command, Navigation};
use stridesmith::ui::panels::viewport::actor::Cast;
use stridesmith::ui::panels::viewport::pick::Eye;
use stridesmith::ui::panels::viewport::staging::Staging;

use super::{Stage, demo, session_of, stage};

const SIZE: Vec2 = vec2(900.0, 700.0);

fn walker() -> Harness<'static, Stage> {
    let mut stage = stage(session_of(demo(Gait::Walk, Family::Unreal, Carrier::Root).file), SIZE);
    stage.run_steps(3);
    stage
}

fn drag(stage: &mut Harness<'_, Stage>, button: PointerButton, modifiers: Modifiers, by: Vec2) {
    let from = pos2(450.0, 400.0);
    let press = |pos: Pos2, pressed| Event::PointerButton { pos, button, pressed, modifiers };
    stage.event(Event::ModifiersChanged(modifiers));
    stage.event(Event::PointerMoved(from));
    stage.run_steps(1);
    stage.event(press(from, true));
    stage.run_steps(1);
    for part in 1..=4 {
        stage.event(Event::ModifiersChanged(modifiers));
        stage.event(Event::PointerMoved(from + by * (part as f32 / 4.0)));
        stage.run_steps(1);
    }
    stage.event(press(from + by, false));
    stage.event(Event::ModifiersChanged(Modifiers::NONE));
    stage.run_steps(1);
}

/// On the screen, of a role of the figure as it stands.
fn on_screen(stage: &Harness<'_, Stage>, role: Role) -> Pos2 {
    let state = stage.state();
    let mut cast = Cast::default();
    cast.update(&state.session).unwrap();
    let staging = Staging::new(&cast, state.session.view(), state.session.playback()).unwrap();
    let bone = staging.shown().rig.bone(role).unwrap();
    let rect = eframe::egui::Rect::from_min_size(Pos2::ZERO, SIZE).shrink(8.0);
    let eye = Eye { camera: state.panel.viewpoint().camera(), rect };
    let (at, _) = eye.project(staging.world()[bone.get()].translation).unwrap();
    pos2(at.x as f32, at.y as f32)
}

fn click(stage: &mut Harness<'_, Stage>, at: Pos2) {
    stage.event(Event::PointerMoved(at));
    stage.run_steps(1);
    for pressed in [true, false] {
        let button = PointerButton::Primary;
        stage.event(Event::PointerButton { pos: at, button, pressed, modifiers: Modifiers::NONE });
        stage.run_steps(1);
    }
    stage.run_steps(1);
}

#[test]
fn the_figure_of_a_new_file_fills_the_view() {
    let stage = walker();
    let (head, foot) = (on_screen(&stage, Role::Head), on_screen(&stage, Role::Foot(Side::Left)));
    let tall = foot.y - head.y;
    assert!((0.45..0.95).contains(&(tall / SIZE.y)), "{tall} points tall");
    assert!((head.x - SIZE.x / 2.0).abs() < 0.15 * SIZE.x, "in the middle: {head}");
}

#[test]
fn dragging_moves_the_camera_as_the_preset_says() {
    let mut stage = walker();
    let before = stage.state().panel.viewpoint().camera();
    drag(&mut stage, PointerButton::Primary, Modifiers::ALT, vec2(80.0, 0.0));
    let orbited = stage.state().panel.viewpoint().camera();
    assert_ne!(orbited.yaw_rad, before.yaw_rad);
    assert_eq!(orbited.distance, before.distance);

    drag(&mut stage, PointerButton::Middle, Modifiers::ALT, vec2(60.0, 30.0));
    let panned = stage.state().panel.viewpoint().camera();
    assert_eq!(panned.yaw_rad, orbited.yaw_rad);
    assert!(panned.focus.distance(orbited.focus) > 0.05);

    drag(&mut stage, PointerButton::Secondary, Modifiers::ALT, vec2(80.0, 0.0));
    let nearer = stage.state().panel.viewpoint().camera();
    assert!(nearer.distance < panned.distance, "Alt and the right button to the right go nearer");

    stage.state_mut().panel.navigation = Navigation::Blender;
    drag(&mut stage, PointerButton::Middle, Modifiers::NONE, vec2(-50.0, 0.0));
    assert_ne!(stage.state().panel.viewpoint().camera().yaw_rad, nearer.yaw_rad);
}

#[test]
fn the_wheel_goes_to_what_is_under_the_pointer() {
    let mut stage = walker();
    let head = on_screen(&stage, Role::Head);
    stage.event(Event::PointerMoved(head));
    stage.run_steps(2);
    let before = stage.state().panel.viewpoint().camera();
    stage.event(Event::MouseWheel {
        unit: eframe::egui::MouseWheelUnit::Line,
        delta: vec2(0.0, 4.0),
        modifiers: Modifiers::NONE,
        phase: eframe::egui::TouchPhase::Move,
        source: eframe::egui::MouseWheelSource::Wheel,
    });
    stage.run_steps(3);
    let after = stage.state().panel.viewpoint().camera();
    assert!(after.distance < 0.8 * before.distance, "{} to {}", before.distance, after.distance);
    let moved = on_screen(&stage, Role::Head).distance(head);
    assert!(moved < 25.0, "the head went {moved} points away");
}

#[test]
fn a_click_selects_the_bone_and_one_beside_it_none() {
    let mut stage = walker();
    for (role, name) in [(Role::Head, "head"), (Role::Hand(Side::Left), "hand_l"), (Role::Calf(Side::Right), "calf_r")]
    {
        let at = on_screen(&stage, role);
        click(&mut stage, at);
        let bone = stage.state().session.view().bone.clone().unwrap_or_default();
        assert!(bone.ends_with(name), "clicked on {name}, selected {bone:?}");
    }
    click(&mut stage, pos2(40.0, SIZE.y / 2.0));
    assert_eq!(stage.state().session.view().bone, None);
}

#[test]
fn b_shows_the_source_while_it_is_held() {
    let mut stage = walker();
    stage.key_down(Key::B);
    stage.run_steps(2);
    assert!(stage.state().session.view().flipped);
    stage.key_up(Key::B);
    stage.run_steps(2);
    assert!(!stage.state().session.view().flipped);
}

#[test]
fn commands_send_the_camera_and_it_gets_there() {
    let mut stage = walker();
    let send = |stage: &mut Harness<'_, Stage>, command| {
        let state = stage.state_mut();
        state.panel.command(command, &state.session);
        stage.run_steps(6);
        stage.state().panel.viewpoint().camera()
    };
    let top = send(&mut stage, Command::Camera(CameraView::Top));
    assert_eq!(top.pitch_rad, std::f64::consts::FRAC_PI_2);
    let side = send(&mut stage, Command::Camera(CameraView::Side));
    assert_eq!(side.yaw_rad, std::f64::consts::FRAC_PI_2);
    let foot = send(&mut stage, Command::Camera(CameraView::RightFoot));
    assert!(foot.distance < side.distance && foot.focus.y < 0.3, "{foot:?}");
    let framed = send(&mut stage, Command::FrameFigure);
    assert!(framed.distance > foot.distance);
    assert_eq!(framed.yaw_rad, foot.yaw_rad, "framing keeps the side");
}

#[test]
fn the_camera_follows_without_a_jump_at_the_seam() {
    let mut stage = stage(session_of(demo(Gait::Walk, Family::Mixamo, Carrier::Pelvis).file), SIZE);
    stage.run_steps(3);
    let mut last: Option<glam::DVec3> = None;
    let mut farthest = 0.0_f64;
    let state = stage.state_mut();
    state.session.handle(Action::Transport(stridesmith::session::Transport::Forwards)).unwrap();
    // Half a minute: a dozen rounds.
    for _ in 0..600 {
        stage.state_mut().session.tick(0.05);
        stage.run_steps(1);
        let anchor = stage.state().panel.viewpoint().anchor();
        if let Some(last) = last {
            farthest = farthest.max(anchor.distance(last));
        }
        last = Some(anchor);
    }
    assert!(stage.state().session.playback().rounds > 5);
    let step = 0.05 * stridesmith::motion::demo::DemoSpec::new(Gait::Walk, Family::Mixamo).speed_m_s;
    assert!(farthest < 1.3 * step, "{farthest} m in one frame, {step} m expected");
    assert!(last.unwrap().z > 20.0, "it got on: {last:?}");
}

#[test]
fn the_toolbar_changes_what_is_drawn() {
    let mut stage = walker();
    assert!(stage.state().session.view().mesh);
    stage.get_by_label("Mesh (M)").click();
    stage.run_steps(2);
    assert!(!stage.state().session.view().mesh);
    stage.get_by_label("How travel is shown").click();
    stage.run_steps(3);
    stage.get_by_label("Treadmill").click();
    stage.run_steps(3);
    assert_eq!(stage.state().session.view().travel, TravelView::Treadmill);
    assert!(stage.query_by_label("Speed of the ground").is_some());
    stage.get_by_label("Camera").click();
    stage.run_steps(3);
    stage.get_by_label_contains("Front").click();
    stage.run_steps(6);
    assert_eq!(stage.state().panel.viewpoint().camera().yaw_rad, 0.0);
}

#[test]
fn an_empty_view_says_how_to_begin() {
    let mut stage = stage(stridesmith::session::Session::new(stridesmith::session::JobMode::Inline), SIZE);
    stage.state_mut().panel.recent = vec!["/clips/Walk.fbx".into()];
    stage.run_steps(3);
    assert!(stage.query_by_label_contains("FBX, glTF, GLB or BVH").is_some());
    assert!(stage.query_by_label("Walk.fbx").is_some());
    stage.get_by_label_contains("Demo character").click();
    stage.run_steps(2);
    stage.get_by_label_contains("Open…").click();
    stage.run_steps(2);
    assert_eq!(stage.state().commands, [Command::OpenDemo, Command::Open]);
}

#[test]
fn nothing_is_drawn_again_while_nothing_moves() {
    let mut stage = walker();
    // Errs when something asks for another picture again and again.
    stage.try_run().unwrap();
    let mut session = session_of(demo(Gait::Walk, Family::Unreal, Carrier::Root).file);
    let take = session.clip_in_view().unwrap();
    session.handle(Action::Change(Change::Duplicate { clips: vec![take] })).unwrap();
    stage.state_mut().session = session;
    stage.state_mut().session.handle(Action::Transport(stridesmith::session::Transport::Pause)).unwrap();
    stage.try_run().unwrap();
}
