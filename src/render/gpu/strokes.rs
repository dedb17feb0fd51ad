//! Everything drawn around the characters: lines, discs, arrows, and the bones over them.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use eframe::wgpu;

use super::Setup;
use super::build::{ColorUse, DepthUse, GrowingBuffer, PipelineSpec, layout, shader};
use super::solids::{Batch, Solids};
use super::target::COLOR_FORMAT;
use crate::render::scene::{Depth, Disc, Polyline, Scene};

/// One segment, as in `line.wgsl`.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Segment {
    a: [f32; 3],
    b: [f32; 3],
    before: [f32; 3],
    after: [f32; 3],
    color_a: [f32; 4],
    color_b: [f32; 4],
    width: f32,
}

/// As in `disc.wgsl`.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct DiscItem {
    center: [f32; 3],
    radius: f32,
    normal: [f32; 3],
    inner: f32,
    color: [f32; 4],
}

/// Flat things, one quad per item: those that shine through come first.
struct Quads {
    tested: wgpu::RenderPipeline,
    behind: wgpu::RenderPipeline,
    buffer: GrowingBuffer,
    x_ray: u32,
    all: u32,
}

impl Quads {
    fn new(
        setup: &Setup<'_>,
        label: &'static str,
        code: &str,
        stride: usize,
        attributes: &[wgpu::VertexAttribute],
    ) -> Self {
        let module = shader(setup.device, label, code);
        let layout = layout(setup.device, label, &[setup.frame_layout]);
        let buffers = [Some(wgpu::VertexBufferLayout {
            array_stride: stride as u64,
            step_mode: wgpu::VertexStepMode::Instance,
            attributes,
        })];
        let pipeline = |entry, depth| {
            PipelineSpec {
                label,
                layout: &layout,
                module: &module,
                entries: ["vs_main", entry],
                buffers: &buffers,
                strip: true,
                cull: false,
                format: COLOR_FORMAT,
                color: ColorUse::Blended,
                depth,
                samples: setup.samples,
            }
            .build(setup.device)
        };
        Self {
            tested: pipeline("fs_main", DepthUse::Over),
            behind: pipeline("fs_behind", DepthUse::Behind),
            buffer: GrowingBuffer::new(label, wgpu::BufferUsages::VERTEX),
            x_ray: 0,
            all: 0,
        }
    }

    fn write<T: Pod>(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, x_ray: &[T], others: &[T]) {
        let items = [x_ray, others].concat();
        let fit = GrowingBuffer::fits(device, size_of_val(items.as_slice()), size_of::<T>()) / size_of::<T>();
        self.buffer.write(device, queue, bytemuck::cast_slice(&items[..fit]));
        (self.x_ray, self.all) = (x_ray.len().min(fit) as u32, fit as u32);
    }

    fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        let Some(buffer) = self.buffer.buffer().filter(|_| self.all > 0) else { return };
        pass.set_vertex_buffer(0, buffer.slice(..));
        for (pipeline, items) in [(&self.behind, 0..self.x_ray), (&self.tested, 0..self.all)] {
            let items: Range<u32> = items;
            if !items.is_empty() {
                pass.set_pipeline(pipeline);
                pass.draw(0..4, items);
            }
        }
    }
}

pub(super) struct Strokes {
    lines: Quads,
    discs: Quads,
    solids: Solids,
}

impl Strokes {
    pub(super) fn new(setup: &Setup<'_>) -> Self {
        let segment = wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x3, 3 => Float32x3,
            4 => Float32x4, 5 => Float32x4, 6 => Float32];
        let disc = wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32, 2 => Float32x3, 3 => Float32, 4 => Float32x4];
        let (line_code, disc_code) = (include_str!("shaders/line.wgsl"), include_str!("shaders/disc.wgsl"));
        Self {
            lines: Quads::new(setup, "lines", line_code, size_of::<Segment>(), &segment),
            discs: Quads::new(setup, "discs", disc_code, size_of::<DiscItem>(), &disc),
            solids: Solids::new(setup),
        }
    }

    /// Puts on the card what `before` did not have.
    pub(super) fn prepare(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        scene: &Scene,
        before: Option<&Scene>,
    ) {
        if before.is_none_or(|before| before.lines != scene.lines) {
            let of = |depth| segments(scene.lines.iter().filter(move |line| line.depth == depth));
            self.lines.write(device, queue, &of(Depth::XRay), &of(Depth::Tested));
        }
        if before.is_none_or(|before| before.discs != scene.discs) {
            let of = |depth| scene.discs.iter().filter(|disc| disc.depth == depth).map(item).collect::<Vec<_>>();
            self.discs.write(device, queue, &of(Depth::XRay), &of(Depth::Tested));
        }
        if before.is_none_or(|before| before.arrows != scene.arrows) {
            self.solids.arrows.write(device, queue, &Batch::of_arrows(&scene.arrows));
        }
        let same_bones = |before: &Scene| before.figures == scene.figures && before.palette == scene.palette;
        if !before.is_some_and(same_bones) {
            self.solids.bones.write(device, queue, &Batch::of_bones(scene));
        }
    }

    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        self.solids.draw_arrows(pass);
        self.discs.draw(pass);
        self.lines.draw(pass);
    }

    pub(super) fn draw_shadow(&self, pass: &mut wgpu::RenderPass<'_>) {
        self.solids.draw_shadow(pass);
    }

    pub(super) fn draw_bones(&self, pass: &mut wgpu::RenderPass<'_>) {
        self.solids.draw_bones(pass);
    }
}

fn item(disc: &Disc) -> DiscItem {
    DiscItem { center: disc.center, radius: disc.radius_m, normal: disc.normal, inner: disc.inner_m, color: disc.color }
}

fn segments<'s>(lines: impl Iterator<Item = &'s Polyline>) -> Vec<Segment> {
    let mut segments = Vec::new();
    for line in lines {
        let Some(&first) = line.colors.first() else { continue };
        let color = |i: usize| line.colors.get(i).copied().unwrap_or(first);
        let last = line.points.len().saturating_sub(1);
        for (i, pair) in line.points.windows(2).enumerate() {
            segments.push(Segment {
                a: pair[0],
                b: pair[1],
                before: line.points[i.saturating_sub(1)],
                after: line.points[(i + 2).min(last)],
                color_a: color(i),
                color_b: color(i + 1),
                width: line.width.clamp(0.5, 64.0),
            });
        }
    }
    segments
}
