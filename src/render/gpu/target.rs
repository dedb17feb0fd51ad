//! The own picture: colour and depth of the view's size, and the way out of it.

use eframe::wgpu;

use super::build::{ColorUse, DEPTH_FORMAT, DepthUse, PipelineSpec, layout, sampled_group, sampled_layout};
use crate::render::scene::Color;

/// Format of the picture: stored encoded, blended and sampled in linear light.
pub const COLOR_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;

pub(super) struct Target {
    pub size: [u32; 2],
    color: wgpu::Texture,
    color_view: wgpu::TextureView,
    /// The multisampled colour that is resolved into `color`.
    samples_view: Option<wgpu::TextureView>,
    depth_view: wgpu::TextureView,
}

impl Target {
    pub(super) fn new(device: &wgpu::Device, size: [u32; 2], samples: u32) -> Self {
        let texture = |label, format, sample_count, usage| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: usage | wgpu::TextureUsages::RENDER_ATTACHMENT,
                view_formats: &[],
            })
        };
        let out = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_SRC;
        let color = texture("view", COLOR_FORMAT, 1, out);
        let none = wgpu::TextureUsages::empty();
        let multisampled = (samples > 1).then(|| texture("view samples", COLOR_FORMAT, samples, none));
        let depth = texture("view depth", DEPTH_FORMAT, samples, none);
        Self {
            size,
            color_view: color.create_view(&wgpu::TextureViewDescriptor::default()),
            color,
            samples_view: multisampled.map(|texture| texture.create_view(&wgpu::TextureViewDescriptor::default())),
            depth_view: depth.create_view(&wgpu::TextureViewDescriptor::default()),
        }
    }

    pub(super) fn texture(&self) -> &wgpu::Texture {
        &self.color
    }

    /// A pass over the cleared picture.
    pub(super) fn pass<'e>(&self, encoder: &'e mut wgpu::CommandEncoder, background: Color) -> wgpu::RenderPass<'e> {
        let [r, g, b, _] = background.map(f64::from);
        let (view, resolve_target, store) = match &self.samples_view {
            Some(samples) => (samples, Some(&self.color_view), wgpu::StoreOp::Discard),
            None => (&self.color_view, None, wgpu::StoreOp::Store),
        };
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("view"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view,
                depth_slice: None,
                resolve_target,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a: 1.0 }), store },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depth_view,
                depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(0.0), store: wgpu::StoreOp::Discard }),
                stencil_ops: None,
            }),
            timestamp_writes: None,
            occlusion_query_set: None,
            multiview_mask: None,
        })
    }
}

/// Copies the picture into another pass.
pub(super) struct Blit {
    pipeline: wgpu::RenderPipeline,
    group_layout: wgpu::BindGroupLayout,
    sampler: wgpu::Sampler,
    group: Option<wgpu::BindGroup>,
}

impl Blit {
    pub(super) fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let group_layout = sampled_layout(device, "blit");
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("blit"),
            source: wgpu::ShaderSource::Wgsl(include_str!("shaders/blit.wgsl").into()),
        });
        let pipeline = PipelineSpec {
            label: "blit",
            layout: &layout(device, "blit", &[&group_layout]),
            module: &module,
            entries: ["vs_main", if format.is_srgb() { "fs_linear" } else { "fs_encoded" }],
            buffers: &[],
            strip: false,
            cull: false,
            format,
            color: ColorUse::Solid,
            depth: DepthUse::None,
            samples: 1,
        }
        .build(device);
        // Nearest would be enough for the same size; a pass that was rounded by a pixel shows no seam this way.
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..Default::default()
        });
        Self { pipeline, group_layout, sampler, group: None }
    }

    pub(super) fn show(&mut self, device: &wgpu::Device, target: Option<&Target>) {
        self.group = target.map(|target| sampled_group(device, &self.group_layout, &target.color_view, &self.sampler));
    }

    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        if let Some(group) = &self.group {
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, group, &[]);
            pass.draw(0..3, 0..1);
        }
    }
}
