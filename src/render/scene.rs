//! What is drawn, as plain data: a picture is a pure function of a [`Scene`] and a size, and tests compare scenes.
//!
//! World space is metres, +Y up. Figures are placed in `f64`; everything else is `f32` **relative to
//! [`Scene::origin`]**, so that a character which has walked a kilometre is drawn as steadily as one at home.
//! Colours are linear RGBA with straight (not premultiplied) alpha, see [`rgb`].

use std::sync::Arc;

use glam::{DAffine3, DVec3};

use super::camera::Camera;
use super::model::Model;
use crate::motion::BoneIndex;

/// Linear RGBA, straight alpha, 0…1.
pub type Color = [f32; 4];

/// An opaque colour from an sRGB hex triple such as `0x3b82f6`.
pub fn rgb(hex: u32) -> Color {
    let channel = |shift: u32| {
        let encoded = ((hex >> shift) & 0xff) as f32 / 255.0;
        if encoded <= 0.040_45 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
    };
    [channel(16), channel(8), channel(0), 1.0]
}

/// The same colour with another alpha.
pub fn with_alpha(color: Color, alpha: f32) -> Color {
    [color[0], color[1], color[2], alpha]
}

/// Unit vector towards the light, world space: from above and the character's left, a little from the front,
/// so that two sides of a thing seen from the front left differ.
pub fn towards_light() -> DVec3 {
    DVec3::new(0.55, 1.0, 0.22).normalize_or(DVec3::Y)
}

/// Within this distance of its origin an `f32` still tells a thousandth of a millimetre.
const ORIGIN_STEP_M: f64 = 8.0;

/// Everything in one picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// From where.
    pub camera: Camera,
    /// World point to which lines, discs and arrows are relative; near what is looked at.
    pub origin: DVec3,
    /// Physical pixels per point: line widths are given in points.
    pub pixels_per_point: f32,
    /// Colours of what has none of its own.
    pub palette: Palette,
    /// The floor with its grid; `None`: figures float in the background colour.
    pub ground: Option<Ground>,
    /// Characters, back to front does not matter.
    pub figures: Vec<Figure>,
    /// Trails, paths, rulers.
    pub lines: Vec<Polyline>,
    /// Contacts and markers.
    pub discs: Vec<Disc>,
    /// Root and heading.
    pub arrows: Vec<Arrow>,
    /// Whether opaque figures darken the floor; needs `ground`.
    pub shadow: bool,
}

impl Scene {
    /// Nothing but the floor.
    pub fn new(camera: Camera, palette: Palette) -> Self {
        Self {
            // In steps: a camera that follows a character must not renumber the whole scene in every frame.
            origin: (camera.focus / ORIGIN_STEP_M).round() * ORIGIN_STEP_M,
            camera,
            pixels_per_point: 1.0,
            palette,
            ground: Some(Ground::default()),
            figures: Vec::new(),
            lines: Vec::new(),
            discs: Vec::new(),
            arrows: Vec::new(),
            shadow: true,
        }
    }

    /// A world point in the space of lines, discs and arrows.
    pub fn relative(&self, world: DVec3) -> [f32; 3] {
        (world - self.origin).as_vec3().to_array()
    }
}

/// Colours of the surroundings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Palette {
    /// Behind everything, and what the floor fades into.
    pub background: Color,
    /// The floor between the lines; alpha 0 leaves the background.
    pub floor: Color,
    /// Lines every 10 cm; alpha counts.
    pub grid_fine: Color,
    /// Lines every metre; alpha counts.
    pub grid: Color,
    /// World X axis (the character's left) on the floor.
    pub axis_x: Color,
    /// World Z axis (forward) on the floor.
    pub axis_z: Color,
    /// Parts below the floor.
    pub below_floor: Color,
    /// A figure whose mesh has no material of its own.
    pub clay: Color,
    /// Outline of a selected bone.
    pub selected: Color,
    /// How much the shadow darkens the floor, 0…1.
    pub shadow: f32,
}

impl Palette {
    /// For a dark window.
    pub fn dark() -> Self {
        Self {
            background: rgb(0x1c1e22),
            floor: rgb(0x2a2d33),
            grid_fine: with_alpha(rgb(0x8a93a0), 0.13),
            grid: with_alpha(rgb(0x9aa4b2), 0.42),
            axis_x: with_alpha(rgb(0xc9565a), 0.9),
            axis_z: with_alpha(rgb(0x5a86d8), 0.9),
            below_floor: rgb(0xf0603a),
            clay: rgb(0xa9b0ba),
            selected: rgb(0xffc53d),
            shadow: 0.7,
        }
    }

    /// For a light window.
    pub fn light() -> Self {
        Self {
            background: rgb(0xdfe3e8),
            floor: rgb(0xe9ecf0),
            grid_fine: with_alpha(rgb(0x56606c), 0.14),
            grid: with_alpha(rgb(0x48525e), 0.40),
            axis_x: with_alpha(rgb(0xb8373c), 0.9),
            axis_z: with_alpha(rgb(0x2f5fb8), 0.9),
            below_floor: rgb(0xd8441c),
            clay: rgb(0x8f98a4),
            selected: rgb(0xd98a00),
            shadow: 0.42,
        }
    }
}

/// An endless floor: lines every metre and, near by, every 10 cm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// World height, metres.
    pub height_m: f64,
    /// World point (x, z) through which a metre line runs: moving it scrolls the floor (treadmill).
    pub origin: [f64; 2],
    /// Whether the lines through `origin` are coloured as axes.
    pub axes: bool,
    /// Whether there are lines at all; without them the floor still takes the shadow.
    pub grid: bool,
}

impl Default for Ground {
    fn default() -> Self {
        Self { height_m: 0.0, origin: [0.0; 2], axes: true, grid: true }
    }
}

/// One character in one pose.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// What is skinned.
    pub model: Arc<Model>,
    /// Component-space transform of each bone of the model's own skeleton. Shape `[bones]`; a bone past the end is
    /// drawn as if at its node pose.
    pub pose: Arc<[DAffine3]>,
    /// Where the component space lies in the world.
    pub world_from_component: DAffine3,
    /// How it is drawn.
    pub style: FigureStyle,
    /// Whether the mesh is drawn.
    pub show_mesh: bool,
    /// Bones drawn over the mesh; in the pose's component space.
    pub bones: Vec<BoneShape>,
    /// Whether parts below the floor take [`Palette::below_floor`].
    pub below_floor_tint: bool,
}

impl Figure {
    /// The mesh alone, opaque.
    pub fn new(model: Arc<Model>, pose: Arc<[DAffine3]>) -> Self {
        Self {
            model,
            pose,
            world_from_component: DAffine3::IDENTITY,
            style: FigureStyle::default(),
            show_mesh: true,
            bones: Vec::new(),
            below_floor_tint: true,
        }
    }

    /// Opposite corners around it in the world; `None` when there is nothing with a place.
    pub fn bounds(&self) -> Option<[DVec3; 2]> {
        let [low, high] = self.model.bounds(&self.pose)?;
        let (middle, half) = ((low + high) * 0.5, (high - low) * 0.5);
        let turned = self.world_from_component.matrix3;
        let half = turned.x_axis.abs() * half.x + turned.y_axis.abs() * half.y + turned.z_axis.abs() * half.z;
        let middle = self.world_from_component.transform_point3(middle);
        Some([middle - half, middle + half])
    }
}

/// How a figure is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FigureStyle {
    /// 1: solid; less: a ghost, of which only the front is seen. Ghosts cast no shadow.
    pub opacity: f32,
    /// Mixed into every material by its alpha.
    pub tint: Option<Color>,
    /// Whether light falls on it; without: flat colour.
    pub lit: bool,
}

impl Default for FigureStyle {
    fn default() -> Self {
        Self { opacity: 1.0, tint: None, lit: true }
    }
}

/// A bone as an octahedron from joint to joint, seen through the mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneShape {
    /// Which bone of the skeleton, for clicks.
    pub bone: BoneIndex,
    /// Component space, metres.
    pub from: [f32; 3],
    /// Component space, metres. Equal to `from`: a small diamond.
    pub to: [f32; 3],
    /// Thickness, metres.
    pub width_m: f32,
    /// Its colour.
    pub color: Color,
    /// Drawn in [`Palette::selected`].
    pub selected: bool,
}

/// A line through points, of the same width on the screen wherever it runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Polyline {
    /// Relative to [`Scene::origin`]. Shape `[points]`.
    pub points: Vec<[f32; 3]>,
    /// One per point, or a single one for all. Empty draws nothing.
    pub colors: Vec<Color>,
    /// Points (logical pixels), 0.5…64.
    pub width: f32,
    /// What happens behind other things.
    pub depth: Depth,
}

/// What happens to lines, discs and arrows behind other things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Hidden.
    Tested,
    /// Dimmed.
    XRay,
}

/// A flat disc or ring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disc {
    /// Relative to [`Scene::origin`].
    pub center: [f32; 3],
    /// Need not have length 1; zero counts as up.
    pub normal: [f32; 3],
    /// Metres.
    pub radius_m: f32,
    /// Inner radius of a ring, metres; 0: a disc.
    pub inner_m: f32,
    /// Its colour; alpha counts.
    pub color: Color,
    /// What happens behind other things.
    pub depth: Depth,
}

/// A solid arrow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arrow {
    /// Relative to [`Scene::origin`].
    pub from: [f32; 3],
    /// Its tip.
    pub to: [f32; 3],
    /// Thickness of the shaft, metres; the head is three times as wide.
    pub width_m: f32,
    /// Its colour; alpha counts.
    pub color: Color,
    /// What happens behind other things.
    pub depth: Depth,
}
