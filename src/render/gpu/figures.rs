//! Characters: their meshes stay on the graphics card, per picture only matrices and a few numbers go there.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use bytemuck::{Pod, Zeroable};
use eframe::wgpu;
use eframe::wgpu::util::DeviceExt as _;
use glam::{DAffine3, DVec3};

use super::Setup;
use super::build::{
    ColorUse, DepthUse, GrowingBuffer, PipelineSpec, layout, sampled_group, sampled_layout, shader, texture_entry,
    uniform_entry,
};
use super::ground::{SHADOW_FORMAT, casts};
use super::target::COLOR_FORMAT;
use crate::render::model::{Model, Part, Vertex};
use crate::render::picture::Picture;
use crate::render::scene::{Figure, Palette, Scene};

/// Texels per row of the matrix texture, as in `figure.wgsl`: whole matrices, and no more than any device allows.
const ROW_TEXELS: u32 = 1536;
const ROW_MATRICES: usize = ROW_TEXELS as usize / 3;
/// Distance of two draws in the uniform buffer: what every device allows.
const DRAW_STRIDE: usize = 256;

/// As in `figure.wgsl`.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Draw {
    color: [f32; 4],
    tint: [f32; 4],
    opacity: f32,
    lit: f32,
    below_floor: f32,
    cutout: f32,
    first_matrix: u32,
    pad: [u32; 3],
}

struct Uploaded {
    alive: Weak<Model>,
    parts: Vec<UploadedPart>,
    materials: Vec<wgpu::BindGroup>,
}

struct UploadedPart {
    vertices: wgpu::Buffer,
    indices: wgpu::Buffer,
    count: u32,
    /// Into `materials`; `None`: plain white.
    material: Option<usize>,
}

/// One figure of the scene that is on the card.
struct Planned {
    model: u64,
    first_draw: usize,
    opacity: f32,
    casts: bool,
    middle: DVec3,
}

pub(super) struct Figures {
    solid: wgpu::RenderPipeline,
    ghost_depth: wgpu::RenderPipeline,
    ghost: wgpu::RenderPipeline,
    shadow: wgpu::RenderPipeline,
    material_layout: wgpu::BindGroupLayout,
    sampler: wgpu::Sampler,
    plain: wgpu::BindGroup,
    pose_layout: wgpu::BindGroupLayout,
    pose_group: Option<wgpu::BindGroup>,
    matrices: Option<wgpu::Texture>,
    draws: GrowingBuffer,
    models: HashMap<u64, Uploaded>,
    planned: Vec<Planned>,
}

impl Figures {
    pub(super) fn new(setup: &Setup<'_>) -> Self {
        let device = setup.device;
        let material_layout = sampled_layout(device, "material");
        let pose_layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("pose"),
            entries: &[texture_entry(0, false), uniform_entry(1, true, size_of::<Draw>())],
        });
        let module = shader(device, "figure", include_str!("shaders/figure.wgsl"));
        let all = layout(device, "figure", &[setup.frame_layout, &pose_layout, &material_layout]);
        let posed = layout(device, "figure shadow", &[setup.frame_layout, &pose_layout]);
        let attributes =
            wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x2, 3 => Uint16x4, 4 => Unorm16x4];
        let buffers = [Some(wgpu::VertexBufferLayout {
            array_stride: size_of::<Vertex>() as u64,
            step_mode: wgpu::VertexStepMode::Vertex,
            attributes: &attributes,
        })];
        let pipeline = |label, color, depth| {
            PipelineSpec {
                label,
                layout: &all,
                module: &module,
                entries: ["vs_main", "fs_main"],
                buffers: &buffers,
                strip: false,
                cull: false,
                format: COLOR_FORMAT,
                color,
                depth,
                samples: setup.samples,
            }
            .build(device)
        };
        let shadow = PipelineSpec {
            label: "figure shadow",
            layout: &posed,
            module: &module,
            entries: ["vs_shadow", "fs_shadow"],
            buffers: &buffers,
            strip: false,
            cull: false,
            format: SHADOW_FORMAT,
            color: ColorUse::Largest,
            depth: DepthUse::None,
            samples: 1,
        }
        .build(device);
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            address_mode_u: wgpu::AddressMode::Repeat,
            address_mode_v: wgpu::AddressMode::Repeat,
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            mipmap_filter: wgpu::MipmapFilterMode::Linear,
            ..Default::default()
        });
        let white = Picture { size: [1, 1], levels: vec![vec![255; 4]], cutout: false };
        let plain = material(setup.device, setup.queue, &material_layout, &sampler, &white);
        Self {
            solid: pipeline("figure", ColorUse::Solid, DepthUse::Solid),
            ghost_depth: pipeline("ghost depth", ColorUse::None, DepthUse::Solid),
            ghost: pipeline("ghost", ColorUse::Blended, DepthUse::Over),
            shadow,
            material_layout,
            sampler,
            plain,
            pose_layout,
            pose_group: None,
            matrices: None,
            draws: GrowingBuffer::new("figure draws", wgpu::BufferUsages::UNIFORM),
            models: HashMap::new(),
            planned: Vec::new(),
        }
    }

    pub(super) fn models(&self) -> usize {
        self.models.len()
    }

    /// Puts on the card what is new: models, and the poses unless `before` had the same ones in the same place.
    pub(super) fn prepare(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        scene: &Scene,
        before: Option<&Scene>,
    ) {
        let same = before.is_some_and(|before| before.figures == scene.figures && before.palette == scene.palette);
        if !same {
            self.models.retain(|_, uploaded| uploaded.alive.strong_count() > 0);
            self.plan(device, queue, scene);
        }
        // Ghosts are blended from far to near, each over those behind it.
        let eye = scene.camera.eye();
        self.planned.sort_by(|a, b| b.middle.distance_squared(eye).total_cmp(&a.middle.distance_squared(eye)));
    }

    fn plan(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, scene: &Scene) {
        self.planned.clear();
        let room = device.limits().max_texture_dimension_2d as usize * ROW_MATRICES;
        let mut matrices: Vec<[f32; 12]> = Vec::new();
        let mut draws: Vec<u8> = Vec::new();
        for figure in &scene.figures {
            let fits = matrices.len() + figure.model.matrix_count() <= room;
            if !(figure.show_mesh && figure.model.has_mesh() && fits && figure.style.opacity > 0.0) {
                continue;
            }
            let uploaded = self
                .models
                .entry(figure.model.id())
                .or_insert_with(|| upload(device, queue, &self.material_layout, &self.sampler, &figure.model));
            debug_assert_eq!(uploaded.parts.len(), figure.model.parts.len(), "a model never changes");
            let base = matrices.len() as u32;
            let target = DAffine3::from_translation(-scene.origin) * figure.world_from_component;
            figure.model.matrices(&figure.pose, target, &mut matrices);
            self.planned.push(Planned {
                model: figure.model.id(),
                first_draw: draws.len() / DRAW_STRIDE,
                opacity: figure.style.opacity,
                casts: casts(figure),
                middle: figure.bounds().map_or(DVec3::ZERO, |[low, high]| (low + high) * 0.5),
            });
            for part in &figure.model.parts {
                let at = draws.len();
                draws.resize(at + DRAW_STRIDE, 0);
                let draw = draw_of(figure, part, &scene.palette, base);
                draws[at..at + size_of::<Draw>()].copy_from_slice(bytemuck::bytes_of(&draw));
            }
        }
        if self.planned.is_empty() {
            return;
        }
        let new_texture = self.write_matrices(device, queue, &mut matrices);
        if self.draws.write(device, queue, &draws) || new_texture {
            self.pose_group = self.draws.buffer().zip(self.matrices.as_ref()).map(|(draws, matrices)| {
                let view = matrices.create_view(&wgpu::TextureViewDescriptor::default());
                device.create_bind_group(&wgpu::BindGroupDescriptor {
                    label: Some("pose"),
                    layout: &self.pose_layout,
                    entries: &[
                        wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(&view) },
                        wgpu::BindGroupEntry {
                            binding: 1,
                            resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                                buffer: draws,
                                offset: 0,
                                size: std::num::NonZeroU64::new(size_of::<Draw>() as u64),
                            }),
                        },
                    ],
                })
            });
        }
    }

    /// Whether the texture is another one than before.
    fn write_matrices(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, matrices: &mut Vec<[f32; 12]>) -> bool {
        let rows = matrices.len().div_ceil(ROW_MATRICES);
        matrices.resize(rows * ROW_MATRICES, [0.0; 12]);
        let rows = rows as u32;
        let extent = |rows| wgpu::Extent3d { width: ROW_TEXELS, height: rows, depth_or_array_layers: 1 };
        let grows = self.matrices.as_ref().is_none_or(|texture| texture.height() < rows);
        if grows {
            let limit = device.limits().max_texture_dimension_2d;
            self.matrices = Some(device.create_texture(&wgpu::TextureDescriptor {
                label: Some("matrices"),
                size: extent(rows.next_power_of_two().min(limit)),
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: wgpu::TextureFormat::Rgba32Float,
                usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
                view_formats: &[],
            }));
        }
        if let Some(texture) = &self.matrices {
            queue.write_texture(
                texture.as_image_copy(),
                bytemuck::cast_slice(matrices),
                wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(ROW_TEXELS * 16), rows_per_image: None },
                extent(rows),
            );
        }
        grows
    }

    pub(super) fn draw_shadow(&self, pass: &mut wgpu::RenderPass<'_>) {
        for figure in self.planned.iter().filter(|figure| figure.casts) {
            self.draw(pass, &self.shadow, figure, false);
        }
    }

    pub(super) fn draw_solid(&self, pass: &mut wgpu::RenderPass<'_>) {
        for figure in self.planned.iter().filter(|figure| figure.opacity >= 1.0) {
            self.draw(pass, &self.solid, figure, true);
        }
    }

    /// Each ghost's depth first and then only its foremost surface: its far side does not shine through.
    pub(super) fn draw_ghosts(&self, pass: &mut wgpu::RenderPass<'_>) {
        for figure in self.planned.iter().filter(|figure| figure.opacity < 1.0) {
            self.draw(pass, &self.ghost_depth, figure, true);
            self.draw(pass, &self.ghost, figure, true);
        }
    }

    fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        pipeline: &wgpu::RenderPipeline,
        figure: &Planned,
        materials: bool,
    ) {
        let (Some(model), Some(pose)) = (self.models.get(&figure.model), &self.pose_group) else { return };
        pass.set_pipeline(pipeline);
        for (i, part) in model.parts.iter().enumerate() {
            pass.set_bind_group(1, pose, &[((figure.first_draw + i) * DRAW_STRIDE) as u32]);
            if materials {
                let material = part.material.and_then(|material| model.materials.get(material));
                pass.set_bind_group(2, material.unwrap_or(&self.plain), &[]);
            }
            pass.set_vertex_buffer(0, part.vertices.slice(..));
            pass.set_index_buffer(part.indices.slice(..), wgpu::IndexFormat::Uint32);
            pass.draw_indexed(0..part.count, 0, 0..1);
        }
    }
}

fn draw_of(figure: &Figure, part: &Part, palette: &Palette, base: u32) -> Draw {
    let picture = part.picture.and_then(|picture| figure.model.pictures.get(picture));
    let [r, g, b] = part.color.unwrap_or([palette.clay[0], palette.clay[1], palette.clay[2]]);
    let switch = |on: bool| if on { 1.0 } else { 0.0 };
    Draw {
        color: [r, g, b, 1.0],
        tint: figure.style.tint.unwrap_or([0.0; 4]),
        opacity: figure.style.opacity.clamp(0.0, 1.0),
        lit: switch(figure.style.lit),
        below_floor: switch(figure.below_floor_tint),
        cutout: switch(picture.is_some_and(|picture| picture.cutout)),
        first_matrix: base + part.first_matrix,
        pad: [0; 3],
    }
}

fn upload(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    material_layout: &wgpu::BindGroupLayout,
    sampler: &wgpu::Sampler,
    model: &Arc<Model>,
) -> Uploaded {
    let buffer = |contents: &[u8], usage| {
        // A buffer past the device's limit would end the program: such a part shows no triangles.
        let contents = if contents.len() as u64 <= device.limits().max_buffer_size { contents } else { &[] };
        device.create_buffer_init(&wgpu::util::BufferInitDescriptor { label: Some("mesh"), contents, usage })
    };
    let part = |part: &Part| {
        let vertices = buffer(bytemuck::cast_slice(&part.vertices), wgpu::BufferUsages::VERTEX);
        let indices = buffer(bytemuck::cast_slice(&part.indices), wgpu::BufferUsages::INDEX);
        let whole = vertices.size() > 0 && indices.size() > 0;
        let count = if whole { part.indices.len() as u32 } else { 0 };
        UploadedPart { vertices, indices, count, material: part.picture }
    };
    Uploaded {
        alive: Arc::downgrade(model),
        parts: model.parts.iter().map(part).collect(),
        materials: model
            .pictures
            .iter()
            .map(|picture| material(device, queue, material_layout, sampler, picture))
            .collect(),
    }
}

fn material(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    layout: &wgpu::BindGroupLayout,
    sampler: &wgpu::Sampler,
    picture: &Picture,
) -> wgpu::BindGroup {
    let [width, height] = picture.size;
    let texture = device.create_texture_with_data(
        queue,
        &wgpu::TextureDescriptor {
            label: Some("base colour"),
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: picture.levels.len() as u32,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba8UnormSrgb,
            usage: wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        },
        wgpu::util::TextureDataOrder::LayerMajor,
        &picture.levels.concat(),
    );
    sampled_group(device, layout, &texture.create_view(&wgpu::TextureViewDescriptor::default()), sampler)
}
