//! What every part needs to talk to wgpu: pipelines in few words, and buffers that grow.

use std::num::NonZeroU64;

use eframe::wgpu;

/// Depth of the own picture: floats near 0 are dense, and far away is 0.
pub(super) const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// How a pipeline treats the depth.
#[derive(Clone, Copy)]
pub(super) enum DepthUse {
    /// The pass has none.
    None,
    /// Behind everything; neither read nor written.
    Ignored,
    /// Before what is there; written.
    Solid,
    /// Before what is there or at it; not written.
    Over,
    /// Behind what is there; not written.
    Behind,
}

/// How a pipeline treats the colour.
#[derive(Clone, Copy)]
pub(super) enum ColorUse {
    /// Replaces.
    Solid,
    /// Over what is there, by straight alpha.
    Blended,
    /// Only the depth is drawn.
    None,
    /// Keeps the larger of both.
    Largest,
}

/// A pipeline without the words that are always the same.
pub(super) struct PipelineSpec<'a> {
    pub label: &'a str,
    pub layout: &'a wgpu::PipelineLayout,
    pub module: &'a wgpu::ShaderModule,
    pub entries: [&'a str; 2],
    pub buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    pub strip: bool,
    /// Whether the back of triangles is left out.
    pub cull: bool,
    pub format: wgpu::TextureFormat,
    pub color: ColorUse,
    pub depth: DepthUse,
    pub samples: u32,
}

impl PipelineSpec<'_> {
    pub(super) fn build(&self, device: &wgpu::Device) -> wgpu::RenderPipeline {
        let blend = match self.color {
            ColorUse::Solid | ColorUse::None => None,
            ColorUse::Blended => Some(wgpu::BlendState {
                color: wgpu::BlendComponent {
                    src_factor: wgpu::BlendFactor::SrcAlpha,
                    dst_factor: wgpu::BlendFactor::OneMinusSrcAlpha,
                    operation: wgpu::BlendOperation::Add,
                },
                alpha: wgpu::BlendComponent::OVER,
            }),
            ColorUse::Largest => {
                let largest = wgpu::BlendComponent {
                    src_factor: wgpu::BlendFactor::One,
                    dst_factor: wgpu::BlendFactor::One,
                    operation: wgpu::BlendOperation::Max,
                };
                Some(wgpu::BlendState { color: largest, alpha: largest })
            }
        };
        let write_mask = match self.color {
            ColorUse::None => wgpu::ColorWrites::empty(),
            _ => wgpu::ColorWrites::ALL,
        };
        use wgpu::CompareFunction::{Always, Greater, GreaterEqual, Less};
        let depth = match self.depth {
            DepthUse::None => None,
            DepthUse::Ignored => Some((false, Always)),
            DepthUse::Solid => Some((true, Greater)),
            DepthUse::Over => Some((false, GreaterEqual)),
            DepthUse::Behind => Some((false, Less)),
        };
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(self.label),
            layout: Some(self.layout),
            vertex: wgpu::VertexState {
                module: self.module,
                entry_point: Some(self.entries[0]),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: self.buffers,
            },
            primitive: wgpu::PrimitiveState {
                topology: match self.strip {
                    true => wgpu::PrimitiveTopology::TriangleStrip,
                    false => wgpu::PrimitiveTopology::TriangleList,
                },
                cull_mode: match self.cull && !matches!(self.depth, DepthUse::None) {
                    true => Some(wgpu::Face::Back),
                    false => None,
                },
                ..Default::default()
            },
            depth_stencil: depth.map(|(write, compare)| wgpu::DepthStencilState {
                format: DEPTH_FORMAT,
                depth_write_enabled: Some(write),
                depth_compare: Some(compare),
                stencil: wgpu::StencilState::default(),
                bias: wgpu::DepthBiasState::default(),
            }),
            multisample: wgpu::MultisampleState { count: self.samples, ..Default::default() },
            fragment: Some(wgpu::FragmentState {
                module: self.module,
                entry_point: Some(self.entries[1]),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                targets: &[Some(wgpu::ColorTargetState { format: self.format, blend, write_mask })],
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

/// A shader behind the code that all share.
pub(super) fn shader(device: &wgpu::Device, label: &str, code: &str) -> wgpu::ShaderModule {
    let code = format!("{}\n{code}", include_str!("shaders/common.wgsl"));
    device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(label),
        source: wgpu::ShaderSource::Wgsl(code.into()),
    })
}

pub(super) fn layout(device: &wgpu::Device, label: &str, groups: &[&wgpu::BindGroupLayout]) -> wgpu::PipelineLayout {
    let groups: Vec<Option<&wgpu::BindGroupLayout>> = groups.iter().copied().map(Some).collect();
    device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(label),
        bind_group_layouts: &groups,
        immediate_size: 0,
    })
}

pub(super) fn uniform_entry(binding: u32, dynamic: bool, bytes: usize) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
        ty: wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Uniform,
            has_dynamic_offset: dynamic,
            min_binding_size: NonZeroU64::new(bytes as u64),
        },
        count: None,
    }
}

/// A texture at `binding`; filterable ones are sampled in the fragment shader, others loaded in the vertex shader.
pub(super) fn texture_entry(binding: u32, filterable: bool) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility: if filterable { wgpu::ShaderStages::FRAGMENT } else { wgpu::ShaderStages::VERTEX },
        ty: wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Float { filterable },
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: false,
        },
        count: None,
    }
}

pub(super) fn sampler_entry(binding: u32) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::FRAGMENT,
        ty: wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
        count: None,
    }
}

/// A texture and a sampler, for fragment shaders.
pub(super) fn sampled_layout(device: &wgpu::Device, label: &str) -> wgpu::BindGroupLayout {
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some(label),
        entries: &[texture_entry(0, true), sampler_entry(1)],
    })
}

pub(super) fn sampled_group(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    view: &wgpu::TextureView,
    sampler: &wgpu::Sampler,
) -> wgpu::BindGroup {
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout,
        entries: &[
            wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(view) },
            wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::Sampler(sampler) },
        ],
    })
}

/// A buffer that is replaced by a larger one when what goes in no longer fits.
pub(super) struct GrowingBuffer {
    label: &'static str,
    usage: wgpu::BufferUsages,
    buffer: Option<wgpu::Buffer>,
}

impl GrowingBuffer {
    pub(super) fn new(label: &'static str, usage: wgpu::BufferUsages) -> Self {
        Self { label, usage: usage | wgpu::BufferUsages::COPY_DST, buffer: None }
    }

    /// Writes everything; whether the buffer is another one than before. What no graphics card takes in one buffer is
    /// left out: [`Self::fits`] says how much that is.
    pub(super) fn write(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, bytes: &[u8]) -> bool {
        let bytes = &bytes[..Self::fits(device, bytes.len(), 4)];
        let grows = self.buffer.as_ref().is_none_or(|buffer| buffer.size() < bytes.len() as u64);
        if grows {
            let limit = device.limits().max_buffer_size;
            let size = (bytes.len() as u64).next_power_of_two().clamp(256, limit & !3);
            self.buffer = Some(device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(self.label),
                size,
                usage: self.usage,
                mapped_at_creation: false,
            }));
        }
        if let Some(buffer) = self.buffer.as_ref().filter(|_| !bytes.is_empty()) {
            queue.write_buffer(buffer, 0, bytes);
        }
        grows
    }

    /// The largest number of bytes up to `bytes`, in whole items of so many, that fits into one buffer.
    pub(super) fn fits(device: &wgpu::Device, bytes: usize, item: usize) -> usize {
        let limit = usize::try_from(device.limits().max_buffer_size).unwrap_or(usize::MAX) & !3;
        if bytes <= limit { bytes } else { limit / item * item }
    }

    pub(super) fn buffer(&self) -> Option<&wgpu::Buffer> {
        self.buffer.as_ref()
    }
}
