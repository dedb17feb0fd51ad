//! The panel *3D view*: the figure at the playhead, its ways, the source beside it, and a camera.
//!
//! What is drawn is a function of session and camera ([`scene`]); what is known of a clip is found once ([`actor`],
//! [`course`]); input moves the camera alone ([`navigation`], [`viewpoint`]) or asks for something.

pub mod actor;
pub mod anatomy;
pub mod course;
pub mod empty;
pub mod flat;
pub mod ground_motion;
pub mod models;
pub mod navigation;
pub mod overlay;
pub mod pick;
pub mod picture;
pub mod scene;
pub mod smoothing;
pub mod staging;
pub mod toolbar;
pub mod treadmill;
pub mod verdict;
pub mod viewpoint;
pub mod ways;

use std::path::PathBuf;

use eframe::egui::{Align2, CursorIcon, Frame, Key, Rect, Response, Sense, TextStyle, Ui, UiBuilder, vec2};

use crate::motion::Skeleton;
use crate::render::Projection;
use crate::session::{Action, Session, Shown, View};
use crate::ui::asks::Asks;
use crate::ui::commands::{Command, Navigation};
use crate::ui::settings::Settings;
use crate::ui::text::tr;
use crate::ui::theme::{Palette, RHYTHM, palette};

use actor::Cast;
use models::Models;
use navigation::Hand;
use pick::Eye;
use picture::Picture;
use scene::Look;
use staging::Staging;
use viewpoint::Viewpoint;

/// State of the panel.
#[derive(Default)]
pub struct ViewportPanel {
    /// Whose habits the mouse follows.
    pub navigation: Navigation,
    /// Files that were open before, latest first, for the empty view.
    pub recent: Vec<PathBuf>,
    /// Number of the first frame in read-outs.
    pub first_frame: i64,
    cast: Cast,
    viewpoint: Viewpoint,
    hand: Hand,
    picture: Picture,
    models: Models,
}

impl ViewportPanel {
    /// Draws it.
    pub fn ui(&mut self, ui: &mut Ui, session: &Session, asks: &mut Asks) {
        let rect = ui.available_rect_before_wrap();
        let response = ui.allocate_rect(rect, Sense::click_and_drag());
        let colours = palette(ui.ctx());
        ui.painter().rect_filled(rect, 0.0, colours.backdrop);
        let mut view = session.view().clone();
        self.models.retain(|file| session.document().file(file).is_some());
        if self.cast.update(session).is_none() {
            empty::empty_ui(&mut ui.new_child(UiBuilder::new().max_rect(rect)), session, &self.recent, asks);
        } else {
            self.stage_ui(ui, &response, session, &mut view, asks);
        }
        overlay::drop_target(ui, rect, colours);
        if view != *session.view() {
            asks.act(Action::View(view));
        }
    }

    /// Draws with the window's graphics device from now on, when it has one.
    pub fn use_device(&mut self, state: Option<&eframe::egui_wgpu::RenderState>) {
        self.picture.use_device(state);
    }

    /// Carries out a command that is about the camera.
    pub fn command(&mut self, command: Command, session: &Session) {
        if self.cast.update(session).is_none() {
            return;
        }
        if let Some(staging) = Staging::new(&self.cast, session.view(), session.playback()) {
            self.viewpoint.command(command, &staging);
        }
    }

    /// Takes up what the window remembers for it.
    pub fn remember(&mut self, settings: &Settings) {
        self.navigation = settings.navigation;
        self.first_frame = settings.first_frame;
        if self.recent != settings.recent {
            self.recent.clone_from(&settings.recent);
        }
    }

    /// Whether keys steer the camera now, so that they are not commands.
    pub fn is_flying(&self) -> bool {
        self.hand.is_flying()
    }

    /// Where the camera is.
    pub fn viewpoint(&self) -> &Viewpoint {
        &self.viewpoint
    }

    fn stage_ui(&mut self, ui: &mut Ui, response: &Response, session: &Session, view: &mut View, asks: &mut Asks) {
        let (rect, colours) = (response.rect, palette(ui.ctx()));
        flip_while_held(ui, view);
        let playback = session.playback();
        let Some(staging) = Staging::new(&self.cast, view, playback) else { return };
        self.viewpoint.follow(&staging, rect, view.follow);
        if self.viewpoint.advance(f64::from(ui.input(|input| input.stable_dt.min(0.05)))) {
            ui.ctx().request_repaint();
        }
        let height = staging.shown().course.height_m;
        let camera = self.viewpoint.camera();
        if let Some(moved) = self.hand.moved(ui, response, self.navigation, &camera, height) {
            self.viewpoint.place(&moved);
            ui.ctx().request_repaint();
        }
        let eye = Eye { camera: self.viewpoint.camera(), rect };
        let skeleton = &staging.shown().clip().skeleton;
        let hovered = response
            .hover_pos()
            .filter(|_| !response.dragged())
            .and_then(|at| pick::bone_at(&eye, skeleton, &staging.shown().looks, staging.world(), at));
        if response.clicked() {
            view.bone = hovered.map(|bone| skeleton.path(bone).to_owned());
        }
        let meshes = self.picture.draws_meshes();
        let model = self.cast.file().filter(|_| meshes).and_then(|file| self.models.get(ui.ctx(), file));
        let look = Look {
            view,
            camera: eye.camera,
            model,
            hovered,
            pixels_per_point: ui.ctx().pixels_per_point(),
            dark: ui.visuals().dark_mode,
            colours,
        };
        self.picture.ui(ui, rect, scene::build(&staging, &look));

        if let Some(bone) = hovered {
            ui.ctx().set_cursor_icon(CursorIcon::PointingHand);
            let at = response.hover_pos().unwrap_or(rect.center()) + vec2(RHYTHM * 2.0, RHYTHM);
            overlay::plate(ui, at, Align2::LEFT_TOP, &bone_text(skeleton, bone, &staging), colours);
        }
        let shown = staging.shown();
        overlay::read_out(ui, rect, shown, playback, self.first_frame, colours);
        let font = TextStyle::Small.resolve(ui.style());
        overlay::axes(ui.painter(), rect, &eye.camera, &font, colours);
        let below = self.top_ui(ui, rect, session, view, asks, colours);
        let waits = session.clip_in_view().map(|clip| session.shown(clip));
        let meshes_pending = self.cast.file_id().is_some_and(|file| self.models.is_pending(file));
        if meshes_pending {
            overlay::hint(ui, rect, below, tr("Reading meshes…"), colours);
        } else if matches!(waits, Some(Shown::Computing(_))) {
            overlay::hint(ui, rect, below, tr("Computing…"), colours);
        } else if view.flipped {
            overlay::hint(ui, rect, below, tr("Source, while B is held"), colours);
        }
    }

    /// Verdict and buttons; how much of the view's top they take, points.
    fn top_ui(
        &self,
        ui: &mut Ui,
        rect: Rect,
        session: &Session,
        view: &mut View,
        asks: &mut Asks,
        colours: &Palette,
    ) -> f32 {
        let Some(actor) = self.cast.result() else { return 0.0 };
        let orthographic = self.viewpoint.camera().projection == Projection::Orthographic;
        let room = UiBuilder::new().max_rect(rect.shrink(RHYTHM / 2.0));
        let used = ui.scope_builder(room, |ui| {
            let plate = Frame::new().fill(overlay::plate_fill(colours)).corner_radius(4).inner_margin(RHYTHM / 2.0);
            let verdict = session.clip_in_view().and_then(|clip| session.checks(clip));
            if let Some(verdict) = verdict.filter(|verdict| !verdict.parts.is_empty()) {
                plate.show(ui, |ui| verdict::verdict_ui(ui, &verdict, asks, colours));
            }
            plate.show(ui, |ui| toolbar::toolbar_ui(ui, view, &actor.course, orthographic, asks));
        });
        used.response.rect.bottom() - rect.top()
    }
}

/// B shows the source for as long as it is down; typing a B does not.
fn flip_while_held(ui: &Ui, view: &mut View) {
    let typing = ui.ctx().egui_wants_keyboard_input();
    view.flipped = !typing && ui.input(|input| input.key_down(Key::B) && input.modifiers.is_none() && input.focused);
}

/// Name, and what the bone is to the program.
fn bone_text(skeleton: &Skeleton, bone: crate::motion::BoneIndex, staging: &Staging<'_>) -> String {
    let name = &skeleton.bone(bone).name;
    let role = staging.shown().rig.roles.iter().find(|(_, played)| **played == bone).map(|(role, _)| role);
    match role {
        Some(role) => format!("{name} · {role}"),
        None => name.clone(),
    }
}
