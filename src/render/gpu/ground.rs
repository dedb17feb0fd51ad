//! The floor, and the shadow on it: figures flattened along the light into a small picture of a square of floor,
//! which is blurred and darkened over the floor. However many parts overlap, it darkens once.

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

/// How far the blur reaches beyond what is covered, metres.
const BLUR_M: f64 = 0.15;
/// Steps of the square, metres.
const STEP_M: f64 = 0.5;

/// The square of floor that the shadow's picture covers, world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ShadowArea {
    pub center: DVec2,
    pub half_m: f64,
    /// Lower and upper corner of what may be dark in it.
    pub part: [DVec2; 2],
}

/// Whether a figure darkens the floor.
pub(super) fn casts(figure: &Figure) -> bool {
    figure.style.opacity >= 1.0
}

/// Around the shadows of all figures. The square moves and grows in steps, or the shadow's edge would crawl with it.
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
    let part = [low - BLUR_M, high + BLUR_M];
    let half = ((part[1] - part[0]) * 0.5).max_element();
    let center = ((low + high) * 0.5 / STEP_M).round() * STEP_M;
    let half_m = ((half + 0.5 * STEP_M) / STEP_M).ceil() * STEP_M;
    (half_m.is_finite() && half_m <= MAX_HALF_M).then_some(ShadowArea { center, half_m, part })
}

pub(super) struct Ground {
    floor: wgpu::RenderPipeline,
    shadow: wgpu::RenderPipeline,
    shadow_view: wgpu::TextureView,
    shadow_group: wgpu::BindGroup,
}

impl Ground {
    pub(super) fn new(setup: &Setup<'_>) -> Self {
        let device = setup.device;
        let group_layout = sampled_layout(device, "shadow");
        let pipeline = |label, code, layout: &wgpu::PipelineLayout, strip, color| {
            PipelineSpec {
                label,
                layout,
                module: &shader(device, label, code),
                entries: ["vs_main", "fs_main"],
                buffers: &[],
                strip,
                cull: false,
                format: COLOR_FORMAT,
                color,
                depth: DepthUse::Ignored,
                samples: setup.samples,
            }
            .build(device)
        };
        let plain = layout(device, "ground", &[setup.frame_layout]);
        let sampled = layout(device, "shadow", &[setup.frame_layout, &group_layout]);
        let floor = pipeline("ground", include_str!("shaders/ground.wgsl"), &plain, false, ColorUse::Solid);
        // Over the floor alone and not as a part of its shader: software rendering pays for every pixel that could
        // have had a shadow.
        let shadow = pipeline("shadow", include_str!("shaders/shadow.wgsl"), &sampled, true, ColorUse::Blended);
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
        Self { floor, shadow, shadow_view, shadow_group }
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

    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, shadow: bool) {
        pass.set_pipeline(&self.floor);
        pass.draw(0..3, 0..1);
        if shadow {
            pass.set_pipeline(&self.shadow);
            pass.set_bind_group(1, &self.shadow_group, &[]);
            pass.draw(0..4, 0..1);
        }
    }
}
