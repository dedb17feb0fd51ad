//! What all shaders know about one picture.

use bytemuck::{Pod, Zeroable};
use glam::{DMat3, DMat4, DVec2, DVec3};

use super::ground::ShadowArea;
use crate::render::camera::Projection;
use crate::render::scene::{Scene, towards_light};

/// As in `common.wgsl`, field by field.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Frame {
    clip_from_scene: [f32; 16],
    eye: [f32; 4],
    forward: [f32; 4],
    right: [f32; 4],
    up: [f32; 4],
    focus: [f32; 4],
    light: [f32; 4],
    picture: [f32; 4],
    grid_at: [f32; 4],
    shadow_area: [f32; 4],
    shadow_part: [f32; 4],
    floor_shows: [f32; 4],
    background: [f32; 4],
    floor: [f32; 4],
    grid_fine: [f32; 4],
    grid: [f32; 4],
    axis_x: [f32; 4],
    axis_z: [f32; 4],
    below_floor: [f32; 4],
}

fn four(v: DVec3, w: f64) -> [f32; 4] {
    v.extend(w).as_vec4().to_array()
}

fn shows(it: bool) -> f32 {
    if it { 1.0 } else { 0.0 }
}

impl Frame {
    pub(super) fn new(scene: &Scene, size: [u32; 2], shadow: Option<ShadowArea>, slow: bool) -> Self {
        let (camera, palette) = (&scene.camera, &scene.palette);
        let pixels = size.map(f64::from);
        let view_from_world = camera.view_from_world();
        // Multiplied in f64, or a character far from the world's origin would tremble.
        let clip = camera.clip_from_view(pixels) * view_from_world * DMat4::from_translation(scene.origin);
        let axes = DMat3::from_mat4(view_from_world).transpose();
        let perspective = matches!(camera.projection, Projection::Perspective { .. });
        let half = camera.half_height_m() / if perspective { camera.distance } else { 1.0 };
        let aspect = (pixels[0] / pixels[1]).clamp(1e-3, 1e3);
        let ground = scene.ground.unwrap_or_default();
        let across = [scene.origin.x, scene.origin.z];
        let axis_at = [0, 1].map(|i| (ground.origin[i] - across[i]) as f32);
        // Any crossing of metre lines will do; the nearest keeps the numbers small.
        let grid_at = [0, 1].map(|i| {
            let offset = ground.origin[i] - across[i];
            (offset - offset.round()) as f32
        });
        let near = |point: DVec2| (point - DVec2::from(across)).as_vec2();
        let (shadow_area, shadow_part) = shadow.map_or(([0.0, 0.0, 1.0, 0.0], [0.0; 4]), |area| {
            let (center, [low, high]) = (near(area.center), area.part.map(near));
            ([center.x, center.y, area.half_m as f32, 0.0], [low.x, low.y, high.x, high.y])
        });
        let floor = scene.ground.is_some();
        Self {
            clip_from_scene: clip.as_mat4().to_cols_array(),
            eye: four(camera.eye() - scene.origin, f64::from(shows(perspective))),
            forward: four(-axes.z_axis, camera.distance),
            right: four(axes.x_axis * half * aspect, 0.0),
            up: four(axes.y_axis * half, 0.0),
            focus: four(camera.focus - scene.origin, 0.0),
            light: four(towards_light(), f64::from(palette.shadow)),
            picture: [
                size[0] as f32,
                size[1] as f32,
                scene.pixels_per_point,
                // Without a floor nothing is below it.
                if floor { (ground.height_m - scene.origin.y) as f32 } else { -1e9 },
            ],
            grid_at: [grid_at[0], grid_at[1], axis_at[0], axis_at[1]],
            shadow_area,
            shadow_part,
            floor_shows: [shows(ground.grid), shows(ground.axes), shows(floor), if slow { 10.0 } else { 20.0 }],
            background: palette.background,
            floor: palette.floor,
            grid_fine: palette.grid_fine,
            grid: palette.grid,
            axis_x: palette.axis_x,
            axis_z: palette.axis_z,
            below_floor: palette.below_floor,
        }
    }
}
