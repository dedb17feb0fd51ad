//! Small solid shapes, each drawn many times: bones and arrows.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use eframe::wgpu;
use eframe::wgpu::util::DeviceExt as _;
use glam::{DAffine3, Vec3};

use super::Setup;
use super::build::{ColorUse, DepthUse, GrowingBuffer, PipelineSpec, layout, shader};
use super::ground::{SHADOW_FORMAT, casts};
use super::target::COLOR_FORMAT;
use crate::render::scene::{Arrow, Color, Depth, Figure, Scene};

/// Corners around a shaft or head.
const AROUND: usize = 20;
/// Where along a bone its octahedron is widest.
const BELLY: f32 = 0.16;

/// A unit shape: along +Y from 0 to 1, 1 wide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Bone,
    Diamond,
    Shaft,
    Head,
}

const SHAPES: [Shape; 4] = [Shape::Bone, Shape::Diamond, Shape::Shaft, Shape::Head];

type Corner = [[f32; 3]; 2];

impl Shape {
    /// Triangles, counter-clockwise from outside: position and normal of each corner.
    fn corners(self) -> Vec<Corner> {
        match self {
            Self::Bone => octahedron(BELLY),
            Self::Diamond => octahedron(0.5),
            Self::Shaft => turned(0.5, 0.5),
            Self::Head => turned(0.5, 0.0),
        }
    }
}

fn octahedron(belly: f32) -> Vec<Corner> {
    let ring = [Vec3::X, Vec3::NEG_Z, Vec3::NEG_X, Vec3::Z].map(|side| side * 0.5 + Vec3::Y * belly);
    let mut corners = Vec::new();
    for i in 0..4 {
        let (a, b) = (ring[i], ring[(i + 1) % 4]);
        for [p, q, r] in [[a, b, Vec3::Y], [b, a, Vec3::ZERO]] {
            let normal = (q - p).cross(r - p).normalize_or(Vec3::Y).to_array();
            corners.extend([p, q, r].map(|corner| [corner.to_array(), normal]));
        }
    }
    corners
}

/// A cylinder or cone with its bottom.
fn turned(bottom: f32, top: f32) -> Vec<Corner> {
    let at = |i: usize, radius: f32, y: f32| {
        let angle = std::f32::consts::TAU * (i % AROUND) as f32 / AROUND as f32;
        // Falling angles: counter-clockwise when seen from outside with y up.
        Vec3::new(angle.cos() * radius, y, -angle.sin() * radius)
    };
    let mut corners: Vec<Corner> = Vec::new();
    for i in 0..AROUND {
        let normal = |i: usize| (at(i, 1.0, 0.0) + Vec3::Y * (bottom - top)).normalize_or(Vec3::Y);
        let side = [(at(i, bottom, 0.0), i), (at(i + 1, bottom, 0.0), i + 1), (at(i + 1, top, 1.0), i + 1)];
        let rest = [side[0], side[2], (at(i, top, 1.0), i)];
        corners.extend(side.iter().chain(&rest).map(|&(p, i)| [p.to_array(), normal(i).to_array()]));
        let cap = |order: [usize; 2], y: f32, radius: f32, normal: Vec3| {
            let points = [Vec3::Y * y, at(order[0], radius, y), at(order[1], radius, y)];
            points.map(|p| [p.to_array(), normal.to_array()])
        };
        corners.extend(cap([i + 1, i], 0.0, bottom, Vec3::NEG_Y));
        corners.extend(cap([i, i + 1], 1.0, top, Vec3::Y));
    }
    corners
}

/// One placement, as in `solid.wgsl`.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
struct Item {
    rows: [[f32; 4]; 3],
    color: Color,
}

/// From one point to another; `None` for points that are not numbers.
fn placed(from: Vec3, to: Vec3, width: f32, color: Color) -> Option<Item> {
    let along = to - from;
    let up = along.try_normalize().unwrap_or(Vec3::Y);
    let side = up.any_orthonormal_vector();
    let (x, z) = (side * width, side.cross(up) * width);
    let finite = from.is_finite() && to.is_finite() && width.is_finite();
    finite.then(|| Item { rows: [0, 1, 2].map(|i| [x[i], along[i], z[i], from[i]]), color })
}

/// Items of one shape, in a row.
struct Run {
    shape: Shape,
    items: Range<u32>,
    casts: bool,
    x_ray: bool,
}

/// What one picture needs.
#[derive(Default)]
pub(super) struct Batch {
    items: Vec<Item>,
    runs: Vec<Run>,
}

impl Batch {
    fn run(&mut self, shape: Shape, casts: bool, x_ray: bool, items: impl Iterator<Item = Item>) {
        let start = self.items.len() as u32;
        self.items.extend(items);
        let items = start..self.items.len() as u32;
        if !items.is_empty() {
            self.runs.push(Run { shape, items, casts, x_ray });
        }
    }

    pub(super) fn of_arrows(arrows: &[Arrow]) -> Self {
        let mut batch = Self::default();
        for depth in [Depth::XRay, Depth::Tested] {
            let x_ray = depth == Depth::XRay;
            let of = || arrows.iter().filter(move |arrow| arrow.depth == depth);
            let ends = |arrow: &Arrow| {
                let (from, to) = (Vec3::from(arrow.from), Vec3::from(arrow.to));
                // A head is as long as it is wide and a half, and never longer than the arrow.
                let head = (arrow.width_m * 4.5).min((to - from).length());
                (from, to - (to - from).normalize_or_zero() * head, to)
            };
            let shaft = |arrow: &Arrow| {
                let (from, neck, _) = ends(arrow);
                placed(from, neck, arrow.width_m, arrow.color)
            };
            let head = |arrow: &Arrow| {
                let (_, neck, to) = ends(arrow);
                placed(neck, to, arrow.width_m * 3.0, arrow.color)
            };
            batch.run(Shape::Shaft, false, x_ray, of().filter_map(shaft));
            batch.run(Shape::Head, false, x_ray, of().filter_map(head));
        }
        batch
    }

    pub(super) fn of_bones(scene: &Scene) -> Self {
        let mut batch = Self::default();
        for figure in &scene.figures {
            let scene_from_component = DAffine3::from_translation(-scene.origin) * figure.world_from_component;
            // A mesh that is drawn casts the shadow itself.
            let casts = casts(figure) && !(figure.show_mesh && figure.model.has_mesh());
            for shape in [Shape::Bone, Shape::Diamond] {
                let items = items_of(figure, scene_from_component, scene.palette.selected, shape);
                batch.run(shape, casts, false, items);
            }
        }
        batch
    }
}

fn items_of(figure: &Figure, at: DAffine3, selected: Color, shape: Shape) -> impl Iterator<Item = Item> {
    let of_shape = move |from: Vec3, to: Vec3| (from != to) == (shape == Shape::Bone);
    figure.bones.iter().filter_map(move |bone| {
        let (from, to) = (Vec3::from(bone.from), Vec3::from(bone.to));
        if !of_shape(from, to) {
            return None;
        }
        let color = if bone.selected { selected } else { bone.color };
        let place = |point: Vec3| at.transform_point3(point.as_dvec3()).as_vec3();
        match shape {
            Shape::Diamond => {
                let half = Vec3::Y * bone.width_m * 0.5;
                placed(place(from) - half, place(from) + half, bone.width_m, color)
            }
            _ => placed(place(from), place(to), bone.width_m, color),
        }
    })
}

/// A batch on the card.
pub(super) struct Stored {
    buffer: GrowingBuffer,
    runs: Vec<Run>,
}

impl Stored {
    fn new(label: &'static str) -> Self {
        Self { buffer: GrowingBuffer::new(label, wgpu::BufferUsages::VERTEX), runs: Vec::new() }
    }

    pub(super) fn write(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, batch: &Batch) {
        let bytes: &[u8] = bytemuck::cast_slice(&batch.items);
        let fit = (GrowingBuffer::fits(device, bytes.len(), size_of::<Item>()) / size_of::<Item>()) as u32;
        self.buffer.write(device, queue, &bytes[..fit as usize * size_of::<Item>()]);
        let cut = |run: &Run| Run { items: run.items.start.min(fit)..run.items.end.min(fit), ..*run };
        self.runs = batch.runs.iter().map(cut).collect();
    }
}

pub(super) struct Solids {
    solid: wgpu::RenderPipeline,
    behind: wgpu::RenderPipeline,
    shadow: wgpu::RenderPipeline,
    corners: wgpu::Buffer,
    ranges: [Range<u32>; 4],
    pub arrows: Stored,
    pub bones: Stored,
}

impl Solids {
    pub(super) fn new(setup: &Setup<'_>) -> Self {
        let device = setup.device;
        let module = shader(device, "solids", include_str!("shaders/solid.wgsl"));
        let layout = layout(device, "solids", &[setup.frame_layout]);
        let corner = wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3];
        let item = wgpu::vertex_attr_array![2 => Float32x4, 3 => Float32x4, 4 => Float32x4, 5 => Float32x4];
        let buffers = [
            Some(wgpu::VertexBufferLayout {
                array_stride: size_of::<Corner>() as u64,
                step_mode: wgpu::VertexStepMode::Vertex,
                attributes: &corner,
            }),
            Some(wgpu::VertexBufferLayout {
                array_stride: size_of::<Item>() as u64,
                step_mode: wgpu::VertexStepMode::Instance,
                attributes: &item,
            }),
        ];
        let pipeline = |entries, format, color, depth, samples| {
            PipelineSpec {
                label: "solids",
                layout: &layout,
                module: &module,
                entries,
                buffers: &buffers,
                strip: false,
                // Seen through something, front and back would both be blended.
                cull: true,
                format,
                color,
                depth,
                samples,
            }
            .build(device)
        };
        let (shapes, ranges) = unit_shapes();
        Self {
            solid: pipeline(["vs_main", "fs_main"], COLOR_FORMAT, ColorUse::Blended, DepthUse::Solid, setup.samples),
            behind: pipeline(
                ["vs_main", "fs_behind"],
                COLOR_FORMAT,
                ColorUse::Blended,
                DepthUse::Behind,
                setup.samples,
            ),
            shadow: pipeline(["vs_shadow", "fs_shadow"], SHADOW_FORMAT, ColorUse::Largest, DepthUse::None, 1),
            corners: device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                label: Some("shapes"),
                contents: bytemuck::cast_slice(&shapes),
                usage: wgpu::BufferUsages::VERTEX,
            }),
            ranges,
            arrows: Stored::new("arrows"),
            bones: Stored::new("bones"),
        }
    }

    fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        pipeline: &wgpu::RenderPipeline,
        stored: &Stored,
        wanted: impl Fn(&Run) -> bool,
    ) {
        let Some(items) = stored.buffer.buffer() else { return };
        pass.set_pipeline(pipeline);
        pass.set_vertex_buffer(0, self.corners.slice(..));
        pass.set_vertex_buffer(1, items.slice(..));
        for run in stored.runs.iter().filter(|run| wanted(run)) {
            pass.draw(self.ranges[run.shape as usize].clone(), run.items.clone());
        }
    }

    /// What lies behind first: once they are drawn, arrows are themselves what things can lie behind.
    pub(super) fn draw_arrows(&self, pass: &mut wgpu::RenderPass<'_>) {
        self.draw(pass, &self.behind, &self.arrows, |run| run.x_ray);
        self.draw(pass, &self.solid, &self.arrows, |_| true);
    }

    pub(super) fn draw_bones(&self, pass: &mut wgpu::RenderPass<'_>) {
        self.draw(pass, &self.solid, &self.bones, |_| true);
    }

    pub(super) fn draw_shadow(&self, pass: &mut wgpu::RenderPass<'_>) {
        self.draw(pass, &self.shadow, &self.bones, |run| run.casts);
    }
}

/// All shapes one after the other, and where each lies.
fn unit_shapes() -> (Vec<Corner>, [Range<u32>; 4]) {
    let mut corners = Vec::new();
    let ranges = SHAPES.map(|shape| {
        let start = corners.len() as u32;
        corners.extend(shape.corners());
        start..corners.len() as u32
    });
    (corners, ranges)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_triangle_faces_outwards() {
        for shape in SHAPES {
            for triangle in shape.corners().chunks(3) {
                let [a, b, c] = [0, 1, 2].map(|i| Vec3::from(triangle[i][0]));
                let across = (b - a).cross(c - a);
                if across.length() < 1e-9 {
                    continue; // the tip of a cone has no top
                }
                let outward = (a + b + c) / 3.0 - Vec3::Y * 0.3;
                assert!(across.dot(outward) > 0.0, "{shape:?} {a} {b} {c}");
                assert!(triangle.iter().all(|corner| across.dot(Vec3::from(corner[1])) > 0.0), "{shape:?}: normals");
            }
        }
    }

    #[test]
    fn a_placement_keeps_its_handedness_and_ends() {
        let item = placed(Vec3::new(1.0, 2.0, 3.0), Vec3::new(1.0, 0.0, 4.0), 0.1, [1.0; 4]).unwrap();
        let column = |i: usize| Vec3::from([0, 1, 2].map(|row| item.rows[row][i]));
        assert_eq!(column(3), Vec3::new(1.0, 2.0, 3.0));
        assert_eq!(column(1), Vec3::new(0.0, -2.0, 1.0));
        assert!(column(0).cross(column(1)).dot(column(2)) > 0.0, "mirrored: culling would show the inside");
        assert!(placed(Vec3::NAN, Vec3::ONE, 0.1, [1.0; 4]).is_none());
    }
}
