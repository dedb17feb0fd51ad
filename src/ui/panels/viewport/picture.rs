//! stub
use crate::render::Scene;
use crate::ui::theme::Palette;
use eframe::egui::{Rect, Ui};
/// s
#[derive(Default)]
pub struct Picture {}
impl Picture {
    /// s
    pub fn use_device(&mut self, _: Option<&eframe::egui_wgpu::RenderState>) {}
    /// s
    pub fn ui(&mut self, _: &mut Ui, _: Rect, _: Scene, _: &Palette) {}
}
