//! wgpu draws a [`Scene`] into a picture of its own and hands it to somebody else's pass.
//!
//! Works on every adapter that wgpu's downlevel defaults describe: no storage buffers, no optional features. One
//! [`Gpu`] belongs to one view. Depth runs from 1 (near) to 0 (far); bones keep the range above
//! [`BEHIND_BONES`] for themselves, so that they are before everything and still hide one another.

mod build;
mod figures;
mod frame;
mod ground;
mod solids;
mod strokes;
mod target;

use eframe::wgpu;

use super::scene::Scene;
use build::{GrowingBuffer, uniform_entry};
use figures::Figures;
use ground::Ground;
use strokes::Strokes;
use target::{Blit, Target};

pub use target::COLOR_FORMAT;

/// Nearest depth of everything but bones.
const BEHIND_BONES: f32 = 0.9;

/// Everything that draws one view; made once, keeps on the graphics card what does not change.
pub struct Gpu {
    device: wgpu::Device,
    queue: wgpu::Queue,
    samples: u32,
    slow: bool,
    target: Option<Target>,
    blit: Blit,
    frame: GrowingBuffer,
    frame_group: Option<wgpu::BindGroup>,
    frame_layout: wgpu::BindGroupLayout,
    ground: Ground,
    figures: Figures,
    strokes: Strokes,
    drawn: Option<(Scene, [u32; 2])>,
}

/// What the parts need to make their pipelines.
struct Setup<'d> {
    device: &'d wgpu::Device,
    queue: &'d wgpu::Queue,
    frame_layout: &'d wgpu::BindGroupLayout,
    samples: u32,
    /// A processor draws: fewer pixels in what nobody looks at closely.
    slow: bool,
}

impl Gpu {
    /// Builds the pipelines. `adapter` tells whether a processor draws, which gets no multisampling; `target_format`
    /// is that of the pass that [`Self::blit`] draws into.
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        adapter: &wgpu::AdapterInfo,
        target_format: wgpu::TextureFormat,
    ) -> Self {
        let slow = adapter.device_type == wgpu::DeviceType::Cpu;
        let samples = if slow { 1 } else { 4 };
        let frame_layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("frame"),
            entries: &[uniform_entry(0, false, size_of::<frame::Frame>())],
        });
        let setup = Setup { device, queue, frame_layout: &frame_layout, samples, slow };
        Self {
            samples,
            slow,
            target: None,
            blit: Blit::new(device, target_format),
            frame: GrowingBuffer::new("frame", wgpu::BufferUsages::UNIFORM),
            frame_group: None,
            ground: Ground::new(&setup),
            figures: Figures::new(&setup),
            strokes: Strokes::new(&setup),
            drawn: None,
            device: device.clone(),
            queue: queue.clone(),
            frame_layout,
        }
    }

    /// Draws a scene of so many pixels into the own picture. Does nothing when that is what is already there.
    ///
    /// What goes into buffers is written at once, so submit `encoder` before the next call.
    pub fn render(&mut self, encoder: &mut wgpu::CommandEncoder, scene: &Scene, size: [u32; 2]) {
        let limit = self.device.limits().max_texture_dimension_2d;
        let size = size.map(|side| side.clamp(1, limit));
        if self.drawn.as_ref().is_some_and(|(drawn, at)| *at == size && drawn == scene) {
            return;
        }
        let before = self.drawn.take().map(|(drawn, _)| drawn);
        let same_origin = before.as_ref().is_some_and(|before| before.origin == scene.origin);
        let unless_same = before.as_ref().filter(|_| same_origin);

        self.figures.prepare(&self.device, &self.queue, scene, unless_same);
        self.strokes.prepare(&self.device, &self.queue, scene, unless_same);
        let shadow = ground::shadow_area(scene);
        let frame = frame::Frame::new(scene, size, shadow, self.slow);
        if self.frame.write(&self.device, &self.queue, bytemuck::bytes_of(&frame)) || self.frame_group.is_none() {
            self.frame_group = self.frame.buffer().map(|buffer| {
                self.device.create_bind_group(&wgpu::BindGroupDescriptor {
                    label: Some("frame"),
                    layout: &self.frame_layout,
                    entries: &[wgpu::BindGroupEntry { binding: 0, resource: buffer.as_entire_binding() }],
                })
            });
        }
        if self.target.as_ref().is_none_or(|target| target.size != size) {
            self.target = Some(Target::new(&self.device, size, self.samples));
            self.blit.show(&self.device, self.target.as_ref());
        }
        let (Some(target), Some(frame_group)) = (&self.target, &self.frame_group) else { return };

        if shadow.is_some() {
            let mut pass = self.ground.shadow_pass(encoder);
            pass.set_bind_group(0, frame_group, &[]);
            self.figures.draw_shadow(&mut pass);
            self.strokes.draw_shadow(&mut pass);
        }
        let mut pass = target.pass(encoder, scene.palette.background);
        pass.set_bind_group(0, frame_group, &[]);
        let [width, height] = size.map(|side| side as f32);
        pass.set_viewport(0.0, 0.0, width, height, 0.0, BEHIND_BONES);
        if scene.ground.is_some() {
            self.ground.draw(&mut pass, shadow.is_some());
        }
        self.figures.draw_solid(&mut pass);
        self.strokes.draw(&mut pass);
        self.figures.draw_ghosts(&mut pass);
        pass.set_viewport(0.0, 0.0, width, height, BEHIND_BONES, 1.0);
        self.strokes.draw_bones(&mut pass);
        drop(pass);
        self.drawn = Some((scene.clone(), size));
    }

    /// Draws the picture over the pass's whole viewport; nothing before the first [`Self::render`].
    pub fn blit(&self, pass: &mut wgpu::RenderPass<'_>) {
        self.blit.draw(pass);
    }

    /// The picture itself, [`COLOR_FORMAT`], may be copied from; `None` before the first [`Self::render`].
    pub fn picture(&self) -> Option<&wgpu::Texture> {
        self.target.as_ref().map(Target::texture)
    }

    /// How many models the graphics card holds.
    pub fn models(&self) -> usize {
        self.figures.models()
    }
}
