//! The floor, and the shadow on it: figures flattened along the light into a small picture of a square of floor,
//! which the floor's shader blurs and darkens with. However many parts overlap, it darkens once.

use eframe::wgpu;
use glam::{DVec2, DVec3};

use super::Setup;
use super::build::{ColorUse, DepthUse, PipelineSpec, layout, sampled_group, sampled_layout, shader};
use super::target::COLOR_FORMAT;
use crate::render::scene::{Figure, Scene, towards_light};

/// Red: covered; green: how low the caster hangs.
pub(super) const SHADOW_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rg8Unorm;
/// Figures farther apart than this share no shadow picture worth looking at.
const MAX_HALF_M: f64 = 40.0;

/// The square of floor that the shadow's picture covers, world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ShadowArea {
    pub center: [f64; 2],
    pub half_m: f64,
}

/// Whether a figure darkens the floor.
pub(super) fn casts(figure: &Figure) -> bool {
    figure.style.opacity >= 1.0
}

/// Around the shadows of all figures; steps of half a metre, or the shadow's edge would crawl as the figure moves.
pub(super) fn shadow_area(scene: &Scene) -> Option<ShadowArea> {
    let ground = scene.ground.filter(|_| scene.shadow && scene.palette.shadow > 0.0)?;
    let light = towards_light();
    let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
    for figure in scene.figures.iter().filter(|figure| casts(figure)) {
        let Some(corners) = figure.bounds() else { continue };
        for i in 0..8 {
            let pick = |axis: usize| corners[(i >> axis) & 1][axis];
            let corner = DVec3::new(pick(0), pick(1), pick(2));
            let height = (corner.y - ground.height_m).max(0.0);
            let on_floor = DVec2::new(corner.x - light.x / light.y * height, corner.z - light.z / light.y * height);
            (low, high) = (low.min(on_floor), high.max(on_floor));
        }
    }
    let half = ((high - low) * 0.5).max_element();
    // More than the widest blur around it.
    let half_m = ((half + 0.3) * 2.0).ceil() * 0.5;
    let center = ((low + high) * 2.0 * 0.5).round() * 0.5;
    (half_m.is_finite() && half_m <= MAX_HALF_M)
        .then(|| ShadowArea { center: center.to_array(), half_m: half_m + 0.25 })
}

pub(super) struct Ground {
    pipeline: wgpu::RenderPipeline,
    shadow_view: wgpu::TextureView,
    shadow_group: wgpu::BindGroup,
}

impl Ground {
    pub(super) fn new(setup: &Setup<'_>) -> Self {
        let device = setup.device;
        let group_layout = sampled_layout(device, "shadow");
        let pipeline = PipelineSpec {
            label: "ground",
            layout: &layout(device, "ground", &[setup.frame_layout, &group_layout]),
            module: &shader(device, "ground", include_str!("shaders/ground.wgsl")),
            entries: ["vs_main", "fs_main"],
            buffers: &[],
            strip: false,
            cull: false,
            format: COLOR_FORMAT,
            color: ColorUse::Solid,
            depth: DepthUse::Ignored,
            samples: setup.samples,
        }
        .build(device);
        let side = if setup.slow { 512 } else { 1024 };
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("shadow"),
            size: wgpu::Extent3d { width: side, height: side, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: SHADOW_FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        });
        let shadow_view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..Default::default()
        });
        let shadow_group = sampled_group(device, &group_layout, &shadow_view, &sampler);
        Self { pipeline, shadow_view, shadow_group }
    }

    /// A pass over the cleared shadow picture.
    pub(super) fn shadow_pass<'e>(&self, encoder: &'e mut wgpu::CommandEncoder) -> wgpu::RenderPass<'e> {
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("shadow"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &self.shadow_view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                    store: wgpu::StoreOp::Store,
                },
            })],
            depth_stencil_attachment: None,
            timestamp_writes: None,
            occlusion_query_set: None,
            multiview_mask: None,
        })
    }

    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(1, &self.shadow_group, &[]);
        pass.draw(0..3, 0..1);
    }
}
