//! The draw list drawn flat, with the painter of the window alone: floor, bones, ways and arrows as lines. For a
//! machine without a device that could draw meshes, which the view says, and never for want of anything else.

use eframe::egui::{Color32, Painter, Pos2, Rect, Rgba, Shape, Stroke, pos2};
use glam::{DMat4, DVec3};

use crate::render::{Camera, Color, Projection, Scene};

/// Lines of the floor reach so far, in distances of the camera.
const FLOOR_REACH: f64 = 2.5;
/// More lines each way are not drawn: then they stand for ten metres each, or a hundred.
const MOST_LINES: f64 = 24.0;
/// Corners of a disc.
const CORNERS: u32 = 24;

/// Draws it.
pub fn paint(painter: &Painter, rect: Rect, scene: &Scene) {
    let painter = painter.with_clip_rect(rect);
    painter.rect_filled(rect, 0.0, colour(scene.palette.background));
    let paper = Paper { camera: scene.camera, view: scene.camera.view_from_world(), rect, painter };
    floor(&paper, scene);
    let world = |p: [f32; 3]| scene.origin + DVec3::from_array(p.map(f64::from));
    for disc in &scene.discs {
        let at = |n: u32| {
            let angle = std::f64::consts::TAU * f64::from(n) / f64::from(CORNERS);
            world(disc.center) + DVec3::new(angle.cos(), 0.0, angle.sin()) * f64::from(disc.radius_m)
        };
        for n in 0..CORNERS {
            paper.line(at(n), at(n + 1), if disc.inner_m > 0.0 { 1.5 } else { 3.0 }, disc.color);
        }
    }
    for line in &scene.lines {
        let usual = line.colors.first().copied().unwrap_or_default();
        for (n, pair) in line.points.windows(2).enumerate() {
            let colour = line.colors.get(n).copied().filter(|_| line.colors.len() > 1).unwrap_or(usual);
            paper.line(world(pair[0]), world(pair[1]), line.width, colour);
        }
    }
    for arrow in &scene.arrows {
        let (from, to) = (world(arrow.from), world(arrow.to));
        paper.line(from, to, 3.0, arrow.color);
        let aside = (to - from).cross(DVec3::Y) * 0.18;
        for side in [aside, -aside] {
            paper.line(to, from.lerp(to, 0.7) + side, 3.0, arrow.color);
        }
    }
}

fn floor(paper: &Paper, scene: &Scene) {
    let Some(ground) = scene.ground.filter(|ground| ground.grid) else { return };
    let reach = scene.camera.distance * FLOOR_REACH;
    // Powers of ten, so that a giant does not stand on a thousand lines.
    let step = 10.0_f64.powf((reach / MOST_LINES).log10().ceil());
    let focus = scene.camera.focus;
    let first = |middle: f64, origin: f64| ((middle - reach - origin) / step).ceil() * step + origin;
    let count = (2.0 * reach / step) as u32;
    let (x, z) = (first(focus.x, ground.origin[0]), first(focus.z, ground.origin[1]));
    let at = |x: f64, z: f64| DVec3::new(x, ground.height_m, z);
    for n in 0..=count {
        let (x, z) = (x + f64::from(n) * step, z + f64::from(n) * step);
        paper.line(at(x, focus.z - reach), at(x, focus.z + reach), 1.0, scene.palette.grid);
        paper.line(at(focus.x - reach, z), at(focus.x + reach, z), 1.0, scene.palette.grid);
    }
}

struct Paper {
    camera: Camera,
    view: DMat4,
    rect: Rect,
    painter: Painter,
}

impl Paper {
    /// A line, cut where it comes behind the eye.
    fn line(&self, a: DVec3, b: DVec3, width: f32, color: Color) {
        let near = match self.camera.projection {
            Projection::Perspective { .. } => -0.02 * self.camera.distance,
            Projection::Orthographic => f64::INFINITY,
        };
        let depth = |p: DVec3| self.view.transform_point3(p).z;
        let (depth_a, depth_b) = (depth(a), depth(b));
        let cut = |from: DVec3, to: DVec3, zf: f64, zt: f64| from.lerp(to, ((near - zf) / (zt - zf)).clamp(0.0, 1.0));
        let (a, b) = match (depth_a <= near, depth_b <= near) {
            (true, true) => (a, b),
            (true, false) => (a, cut(a, b, depth_a, depth_b)),
            (false, true) => (cut(b, a, depth_b, depth_a), b),
            (false, false) => return,
        };
        if let (Some(a), Some(b)) = (self.point(a), self.point(b)) {
            self.painter.add(Shape::line_segment([a, b], Stroke::new(width, colour(color))));
        }
    }

    fn point(&self, world: DVec3) -> Option<Pos2> {
        let size = [f64::from(self.rect.width()), f64::from(self.rect.height())];
        let (pixel, _) = self.camera.project(world, size)?;
        Some(pos2(self.rect.left() + pixel.x as f32, self.rect.top() + pixel.y as f32))
    }
}

fn colour([r, g, b, a]: Color) -> Color32 {
    Color32::from(Rgba::from_rgba_unmultiplied(r, g, b, a))
}
