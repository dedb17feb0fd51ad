//! The picture of the draw list in the panel: drawn by the graphics device, or, in a window that has none, by the
//! window's own painter, which knows bones and lines but no meshes.

use std::sync::Mutex;

use eframe::egui::{Rect, Ui};
use eframe::egui_wgpu::{self, CallbackResources, CallbackTrait, RenderState, ScreenDescriptor};
use eframe::wgpu;

use super::flat;
use crate::render::{Gpu, Scene};

/// What pictures are drawn with.
#[derive(Default)]
pub struct Picture {
    has_device: bool,
}

impl Picture {
    /// Makes the device's objects ready; without a device the painter draws.
    pub fn use_device(&mut self, state: Option<&RenderState>) {
        let Some(state) = state.filter(|_| !self.has_device) else { return };
        let gpu = Gpu::new(&state.device, &state.queue, &state.adapter.get_info(), state.target_format);
        state.renderer.write().callback_resources.insert(View(Mutex::new(gpu)));
        self.has_device = true;
    }

    /// Whether meshes can be drawn; else bones stand in for them.
    pub fn draws_meshes(&self) -> bool {
        self.has_device
    }

    /// Draws it.
    pub fn ui(&self, ui: &Ui, rect: Rect, scene: Scene) {
        if !self.has_device {
            flat::paint(ui.painter(), rect, &scene);
            return;
        }
        let pixels = rect.size() * ui.ctx().pixels_per_point();
        let size = [pixels.x.round().max(1.0) as u32, pixels.y.round().max(1.0) as u32];
        ui.painter().add(egui_wgpu::Callback::new_paint_callback(rect, Draw { scene, size }));
    }
}

/// The device's objects, among the window's; the lock is never waited for, since one frame is drawn at a time.
struct View(Mutex<Gpu>);

struct Draw {
    scene: Scene,
    size: [u32; 2],
}

impl CallbackTrait for Draw {
    fn prepare(
        &self,
        device: &wgpu::Device,
        _queue: &wgpu::Queue,
        _screen: &ScreenDescriptor,
        _encoder: &mut wgpu::CommandEncoder,
        resources: &mut CallbackResources,
    ) -> Vec<wgpu::CommandBuffer> {
        let Some(Ok(gpu)) = resources.get_mut::<View>().map(|view| view.0.get_mut()) else { return Vec::new() };
        // In an encoder of its own: the window's may hold what must come later.
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("3D view") });
        gpu.render(&mut encoder, &self.scene, self.size);
        vec![encoder.finish()]
    }

    fn paint(
        &self,
        _info: eframe::egui::PaintCallbackInfo,
        pass: &mut wgpu::RenderPass<'static>,
        resources: &CallbackResources,
    ) {
        if let Some(Ok(gpu)) = resources.get::<View>().map(|view| view.0.lock()) {
            gpu.blit(pass);
        }
    }
}
