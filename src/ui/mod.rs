//! The window. For now a viewer: the takes of one file, the clip playing as a stick figure, and what the reader said.

use std::path::Path;

use eframe::egui;
use glam::DVec3;

use crate::edit::take_names::moves;
use crate::formats::{ReadOptions, open};
use crate::motion::demo::{self, DemoSpec, Family, Gait};
use crate::motion::{BoneIndex, ComponentPose, FileId, LocalPose, Rig, RoleOverrides, Sampler, SourceFile};

/// Opens the window on a file, or on the built-in demo clip.
///
/// # Errors
/// The file cannot be read, or there is no display to open a window on.
pub fn run(file: Option<&Path>) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let source = match file {
        Some(path) => open(FileId(0), path, &ReadOptions::default())?,
        None => demo_file()?,
    };
    let options = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default().with_inner_size([1280.0, 720.0]).with_title("Stridesmith"),
        ..Default::default()
    };
    eframe::run_native("stridesmith", options, Box::new(|_| Ok(Box::new(Viewer::new(source)))))?;
    Ok(())
}

/// The built-in character in all its gaits.
///
/// # Errors
/// None with the settings given here.
pub fn demo_file() -> Result<SourceFile, demo::DemoError> {
    let specs = Gait::ALL.map(|gait| DemoSpec::new(gait, Family::Unreal));
    Ok(demo::generate_set(&specs, FileId(0))?.file)
}

/// State of the viewer.
pub struct Viewer {
    source: SourceFile,
    rig: Rig,
    shown: usize,
    seconds: f64,
    playing: bool,
}

impl Viewer {
    /// Shows the first take in which something moves.
    pub fn new(source: SourceFile) -> Self {
        let rig = Rig::detect(&source.skeleton, &source.declared_roles, &RoleOverrides::default());
        let shown = source.clips.iter().position(|clip| moves(clip)).unwrap_or(0);
        Self { source, rig, shown, seconds: 0.0, playing: true }
    }

    /// Name of the take that is shown.
    pub fn shown_name(&self) -> &str {
        self.source.clips.get(self.shown).map_or("", |clip| &clip.name)
    }

    /// How long it has been playing.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// Draws the whole window.
    pub fn show(&mut self, ui: &mut egui::Ui) {
        if self.playing {
            self.seconds += f64::from(ui.input(|input| input.stable_dt.min(0.1)));
            ui.ctx().request_repaint();
        }
        ui.horizontal_top(|ui| {
            egui::Frame::new().inner_margin(8).show(ui, |ui| {
                ui.vertical(|ui| {
                    ui.set_width(260.0);
                    egui::ScrollArea::vertical().show(ui, |ui| self.takes_ui(ui));
                });
            });
            ui.separator();
            self.figure_ui(ui);
        });
    }

    fn takes_ui(&mut self, ui: &mut egui::Ui) {
        ui.heading(self.source.file_name());
        ui.label(&self.source.description);
        ui.separator();
        for (i, clip) in self.source.clips.iter().enumerate() {
            let text = format!("{}  {:.2} s, {:.0} fps", clip.name, clip.range.duration_secs(), clip.rate.fps());
            if ui.selectable_label(self.shown == i, text).clicked() {
                (self.shown, self.seconds) = (i, 0.0);
            }
        }
        if self.source.clips.is_empty() {
            ui.label("No animation in this file");
        }
        ui.separator();
        if ui.button(if self.playing { "Pause" } else { "Play" }).clicked() {
            self.playing = !self.playing;
        }
        for warning in &self.source.warnings {
            ui.label(warning.to_string());
        }
    }

    fn figure_ui(&self, ui: &mut egui::Ui) {
        let (response, painter) = ui.allocate_painter(ui.available_size(), egui::Sense::hover());
        let area = response.rect;
        painter.rect_filled(area, 0.0, ui.visuals().extreme_bg_color);
        let skeleton = &self.source.skeleton;
        let mut local = LocalPose::node_pose(skeleton);
        if let Some(clip) = self.source.clips.get(self.shown) {
            let duration = clip.range.duration_secs().max(clip.rate.frame_secs());
            Sampler::new(clip).local(clip.range.start_secs + self.seconds.rem_euclid(duration), &mut local);
        }
        let mut pose = ComponentPose::new(skeleton);
        pose.set(skeleton, &local);
        let reference = skeleton.reference_component();
        let height = reference.iter().map(|bone| bone.translation.y).fold(0.1, f64::max);
        let centre = pose.0.iter().map(|bone| bone.translation).sum::<DVec3>() / pose.0.len() as f64;
        let scale = f64::from(area.height()) * 0.6 / height;
        // Three-quarter view from the character's left front, following it over a ground of one-metre marks.
        let place = |p: DVec3| {
            let (x, depth) = (p.z * 0.8 - p.x * 0.6 - centre.z * 0.8 + centre.x * 0.6, p.x * 0.8 + p.z * 0.6);
            let depth = depth - centre.x * 0.8 - centre.z * 0.6;
            egui::pos2(
                area.center().x + (x * scale) as f32,
                area.center().y + area.height() * 0.35 - ((p.y - depth * 0.2) * scale) as f32,
            )
        };
        let faint = ui.visuals().weak_text_color();
        let (around_x, around_z) = (centre.x.round(), centre.z.round());
        for i in -4..=4 {
            let at = f64::from(i);
            let line =
                |a: DVec3, b: DVec3| painter.line_segment([place(a), place(b)], (1.0, faint.gamma_multiply(0.4)));
            line(DVec3::new(around_x + at, 0.0, around_z - 4.0), DVec3::new(around_x + at, 0.0, around_z + 4.0));
            line(DVec3::new(around_x - 4.0, 0.0, around_z + at), DVec3::new(around_x + 4.0, 0.0, around_z + at));
        }
        // A line from the root to the hips, or to an IK bone, is no limb.
        let is_limb = |bone: BoneIndex| {
            let ik = self.rig.ik_pairs.iter().any(|pair| pair.ik == bone) || self.rig.ik_roots.contains(&bone);
            !ik && skeleton.parent(bone) != self.rig.root()
        };
        for (i, bone) in skeleton.bones().iter().enumerate() {
            let limb = is_limb(BoneIndex(i as u32));
            if let Some(parent) = bone.parent.filter(|&parent| limb && skeleton.bone(parent).is_joint) {
                let ends = [place(pose.position(parent)), place(pose.0[i].translation)];
                painter.line_segment(ends, (3.0, ui.visuals().text_color()));
            }
        }
    }
}

impl eframe::App for Viewer {
    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        self.show(ui);
    }
}
