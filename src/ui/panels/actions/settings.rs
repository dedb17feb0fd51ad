//! The settings of every operation, as rows of controls; shared by the action cards and the steps.

use eframe::egui::{self, Ui};

use crate::ops::path::{Padding, PathMode, PathSettings, Vertical, YawSource};
use crate::ops::resplit::{ChildMode, ChildRule};
use crate::ops::root_motion::{RootSettings, RootStart};
use crate::ops::{Op, Report};
use crate::ui::fields::{Number, Touched, about, auto_number, choice, number, pick_name, text, toggle};
use crate::ui::text::tr;

/// What controls need to know of the clip they are for.
#[derive(Clone, Copy, Default)]
pub struct SettingsContext<'a> {
    /// Paths of the skeleton's bones.
    pub bones: &'a [String],
    /// What the operation reported, for what auto came to.
    pub report: Option<&'a Report>,
}

impl SettingsContext<'_> {
    fn found(&self, figure: &str) -> Option<f64> {
        self.report?.figures.iter().find(|known| known.name == figure).map(|known| known.value)
    }
}

/// Draws the settings of an operation; they may have changed afterwards.
pub fn op_settings_ui(ui: &mut Ui, op: &mut Op, context: &SettingsContext<'_>) -> Touched {
    match op {
        Op::Extract(op) => path_ui(ui, &mut op.path, context).or(root_ui(ui, &mut op.root, context)),
        Op::InPlace(op) => path_ui(ui, &mut op.path, context).or(root_ui(ui, &mut op.root, context)),
        Op::BakeToHips(op) => advanced(ui, |ui| children_ui(ui, &mut op.children, context)),
        Op::MoveToOrigin(op) => {
            let turn = about(tr("Turn to +Z"), tr("The heading of the clip becomes +Z, forward"));
            let shift = about(tr("Start at x = z = 0"), tr("The clip starts above the origin"));
            toggle(ui, turn, &mut op.turn, true).or(toggle(ui, shift, &mut op.shift, true)).or(travel_bone_ui(
                ui,
                &mut op.travel_bone,
                context,
            ))
        }
        Op::StartAtZero(_) => {
            ui.label(tr("The first key of all tracks comes at time 0; no value changes."));
            Touched::default()
        }
    }
}

fn advanced(ui: &mut Ui, contents: impl FnOnce(&mut Ui) -> Touched) -> Touched {
    let header = egui::CollapsingHeader::new(tr("More settings")).id_salt("more");
    header.show(ui, contents).body_returned.unwrap_or_default()
}

fn path_ui(ui: &mut Ui, path: &mut PathSettings, context: &SettingsContext<'_>) -> Touched {
    let what = about(tr("Path"), tr("How the root follows the pelvis"));
    let modes = [
        (PathMode::Raw, tr("Raw"), tr("Exactly, sway and all")),
        (PathMode::Smoothed, tr("Smoothed"), tr("Its average over a stride: sway stays in the body")),
        (PathMode::ConstantSpeed, tr("Constant speed"), tr("One even line or arc, as a blend space wants it")),
    ];
    let mut touched = choice(ui, what, &mut path.path, PathMode::Smoothed, &modes);
    if path.path == PathMode::Smoothed {
        let what = about(tr("Smoothing σ"), tr("Width of the zero-phase Gaussian; auto is 0.39 of the stride period"));
        let how = Number { unit: "s", range: 0.0..=5.0, speed: 0.005, digits: 3 };
        touched = touched.or(auto_number(ui, what, &mut path.sigma_secs, context.found("sigma"), &how));
    }
    let what = about(tr("Turning"), tr("Where the root's turning comes from"));
    touched = touched.or(yaw_ui(ui, what, &mut path.yaw));
    let what = about(tr("Height"), tr("Whether the root takes the vertical part of the travel"));
    let heights = [
        (Vertical::Off, tr("Stays"), tr("The root keeps its first height")),
        (Vertical::On, tr("Follows"), tr("The root goes up and down with the pelvis")),
        (Vertical::Clamped, tr("Follows, above ground"), tr("The root follows, never below its first height")),
    ];
    touched = touched.or(choice(ui, what, &mut path.vertical, Vertical::Off, &heights));
    advanced(ui, |ui| {
        let mut touched = Touched::default();
        if path.path == PathMode::Smoothed {
            let what = about(tr("Ends"), tr("How the path is carried on beyond the clip's ends before it is smoothed"));
            let paddings = [
                (Padding::Auto, tr("Auto"), tr("As a loop when the clip is one, else mirrored")),
                (Padding::Odd, tr("Mirrored"), tr("Point reflection about the first and last value")),
                (Padding::PeriodicWithDrift, tr("Loop"), tr("Repeated, carried on by the travel of a round")),
            ];
            touched = choice(ui, what, &mut path.padding, Padding::Auto, &paddings);
        }
        let x = about(tr("Lock x"), tr("The root never moves sideways"));
        let z = about(tr("Lock z"), tr("The root never moves forwards or backwards"));
        touched
            .or(toggle(ui, x, &mut path.lock_x, false))
            .or(toggle(ui, z, &mut path.lock_z, false))
            .or(travel_bone_ui(ui, &mut path.travel_bone, context))
    })
    .or(touched)
}

fn yaw_ui(ui: &mut Ui, what: crate::ui::fields::About, yaw: &mut YawSource) -> Touched {
    /// The choice without its number.
    #[derive(Clone, Copy, PartialEq)]
    enum Kind {
        Auto,
        None,
        Pelvis,
        Travel,
        Typed,
    }
    let kinds = [
        (Kind::Auto, tr("Auto"), tr("None for clips that turn less than 20°, else as the pelvis turns")),
        (Kind::None, tr("None"), tr("The root keeps its rotation")),
        (Kind::Pelvis, tr("Pelvis"), tr("As the pelvis turns about up")),
        (Kind::Travel, tr("Travel"), tr("As the direction of travel turns")),
        (Kind::Typed, tr("Typed angle"), tr("The root faces one way throughout")),
    ];
    let mut kind = match yaw {
        YawSource::Auto => Kind::Auto,
        YawSource::None => Kind::None,
        YawSource::PelvisDelta => Kind::Pelvis,
        YawSource::Travel => Kind::Travel,
        YawSource::Typed { .. } => Kind::Typed,
    };
    let mut touched = choice(ui, what, &mut kind, Kind::Auto, &kinds);
    if touched.changed {
        *yaw = match kind {
            Kind::Auto => YawSource::Auto,
            Kind::None => YawSource::None,
            Kind::Pelvis => YawSource::PelvisDelta,
            Kind::Travel => YawSource::Travel,
            Kind::Typed => YawSource::Typed { yaw_deg: 0.0 },
        };
    }
    if let YawSource::Typed { yaw_deg } = yaw {
        let what = about(tr("Angle"), tr("About up, on top of the root's reference rotation; 0 faces +Z"));
        let how = Number { unit: "°", range: -360.0..=360.0, speed: 0.5, digits: 1 };
        touched = touched.or(number(ui, what, yaw_deg, 0.0, &how));
    }
    touched
}

fn travel_bone_ui(ui: &mut Ui, bone: &mut Option<String>, context: &SettingsContext<'_>) -> Touched {
    let what = about(tr("Travel bone"), tr("The bone whose travel it is"));
    pick_name(ui, what, bone, tr("As the rig says"), context.bones)
}

fn root_ui(ui: &mut Ui, root: &mut RootSettings, context: &SettingsContext<'_>) -> Touched {
    let header = egui::CollapsingHeader::new(tr("Root")).id_salt("root");
    let shown = header.show(ui, |ui| {
        let what = about(tr("Start"), tr("Where the root starts"));
        let starts = [
            (
                RootStart::Auto,
                tr("Auto"),
                tr("Where it was, or under the pelvis when the pelvis is more than a quarter of a leg away"),
            ),
            (RootStart::Relative, tr("Where it was"), tr("The root starts where the source has it")),
            (RootStart::UnderPelvis, tr("Under the pelvis"), tr("The root starts on the ground below the pelvis")),
        ];
        let default = RootSettings::default();
        let name = about(tr("Name of a new root"), tr("For the bone that is added where there is no root"));
        choice(ui, what, &mut root.start, default.start, &starts)
            .or(text(ui, name, &mut root.root_name, &default.root_name))
            .or(children_ui(ui, &mut root.children, context))
    });
    shown.body_returned.unwrap_or_default()
}

/// What becomes of single children of the root.
fn children_ui(ui: &mut Ui, rules: &mut Vec<ChildRule>, context: &SettingsContext<'_>) -> Touched {
    let mut touched = Touched::default();
    let mut gone = None;
    for (nth, rule) in rules.iter_mut().enumerate() {
        ui.push_id(nth, |ui| {
            let mut bone = Some(rule.bone.clone()).filter(|bone| !bone.is_empty());
            let what = about(tr("Child of the root"), tr("A bone that hangs from the root"));
            touched = touched.or(pick_name(ui, what, &mut bone, tr("Choose…"), context.bones));
            rule.bone = bone.unwrap_or_default();
            let what = about(tr("Becomes"), tr("What happens to it when the root moves otherwise"));
            let modes = [
                (ChildMode::Keep, tr("Kept in place"), tr("Its pose in the scene stays")),
                (ChildMode::Ride, tr("Rides on the root"), tr("It goes with the root")),
                (ChildMode::LeaveTrack, tr("Left alone"), tr("Its track stays as it is")),
            ];
            touched = touched.or(choice(ui, what, &mut rule.mode, ChildMode::Ride, &modes));
            if ui.button(tr("Remove the rule")).clicked() {
                gone = Some(nth);
            }
        });
    }
    if let Some(nth) = gone {
        rules.remove(nth);
        touched = Touched { changed: true, ended: true };
    }
    let add = ui.button(tr("Rule for a child of the root…"));
    if add.on_hover_text(tr("Says what becomes of one bone below the root: kept, riding, or left alone")).clicked() {
        // Nothing is computed for a rule that names no bone yet.
        rules.push(ChildRule { bone: String::new(), mode: ChildMode::Ride });
    }
    touched
}
