//! From what stands where to a plain draw list: the same stage and camera give the same list.

use std::sync::Arc;

use eframe::egui::{Color32, Rgba};
use glam::{DAffine3, DVec3};

use super::staging::{Performance, Staging};
use super::ways::{Ways, bone_lines, leaf_joints, root_stand};
use crate::motion::{BoneIndex, Side};
use crate::render::{
    Arrow, BoneShape, Camera, Color, Depth, Disc, Figure, FigureStyle, Ground, Model, Palette, Polyline, Scene,
    with_alpha,
};
use crate::session::View;
use crate::ui::theme;

/// Widths of lines, points.
const TRAIL_POINTS: f32 = 1.5;
const PATH_POINTS: f32 = 2.5;
const STAND_IN_POINTS: f32 = 4.0;
/// Of bones, heights of the figure.
const BONE_WIDTH: f64 = 0.016;
/// How solid the source is behind the result.
const GHOST_OPACITY: f32 = 0.4;
/// Length and thickness of the root's arrow and radius of a contact's disc, heights of the figure.
const ARROW: f64 = 0.28;
const ARROW_WIDTH: f64 = 0.012;
const CONTACT: f64 = 0.05;
/// Paths lie this far over the floor, heights of the figure, so as not to flicker in it.
const OVER_FLOOR: f64 = 0.002;

/// What the list is made with beside the stage.
pub struct Look<'a> {
    /// What is drawn.
    pub view: &'a View,
    /// From where.
    pub camera: Camera,
    /// The file's meshes; `None` while they are being made ready, when bones stand in for them.
    pub model: Option<Arc<Model>>,
    /// The bone under the pointer.
    pub hovered: Option<BoneIndex>,
    /// Physical pixels per point.
    pub pixels_per_point: f32,
    /// Whether the window is dark.
    pub dark: bool,
    /// Its colours.
    pub colours: &'a theme::Palette,
}

/// Everything there is to draw.
pub fn build(staging: &Staging<'_>, look: &Look<'_>) -> Scene {
    let (view, colours) = (look.view, look.colours);
    let mut scene = Scene::new(look.camera, palette(look));
    scene.pixels_per_point = look.pixels_per_point;
    scene.shadow = view.shadow;
    let course = &staging.lead.actor.course;
    scene.ground = Some(Ground {
        height_m: course.floor_m,
        origin: [staging.ground.x, staging.ground.z],
        axes: view.grid,
        grid: view.grid,
    });
    match &look.model {
        Some(model) => {
            scene.figures.push(lead_figure(&staging.lead, model, look));
            scene.figures.extend(staging.ghost.as_ref().map(|ghost| ghost_figure(ghost, model, look)));
        }
        None => {
            stand_in(&mut scene, &staging.lead, look);
            if let Some(ghost) = &staging.ghost {
                bone_strokes(&mut scene, ghost, |_, _| (colours.raw, TRAIL_POINTS));
            }
        }
    }
    if view.trails {
        trails(&mut scene, &staging.lead, colours);
        contacts(&mut scene, &staging.lead, colours);
    }
    if view.paths {
        paths(&mut scene, staging, colours);
        root_arrow(&mut scene, &staging.lead, colours);
    }
    scene
}

/// Linear RGBA of a colour of the theme.
pub fn linear(colour: Color32) -> Color {
    Rgba::from(colour).to_array()
}

fn palette(look: &Look<'_>) -> Palette {
    let usual = if look.dark { Palette::dark() } else { Palette::light() };
    Palette {
        background: linear(look.colours.backdrop),
        below_floor: linear(look.colours.error),
        selected: linear(look.colours.accent),
        ..usual
    }
}

fn lead_figure(lead: &Performance<'_>, model: &Arc<Model>, look: &Look<'_>) -> Figure {
    let mut figure = figure(lead, model);
    let has_mesh = model.has_mesh();
    figure.show_mesh = look.view.mesh;
    if look.view.bones || !look.view.mesh || !has_mesh {
        figure.bones = bones(lead, look, |_| true);
    } else if look.view.bone.is_some() || look.hovered.is_some() {
        // What is pointed at is seen through the mesh, too.
        let chosen = chosen(lead, look);
        figure.bones = bones(lead, look, |bone| Some(bone) == chosen || Some(bone) == look.hovered);
    }
    figure
}

fn ghost_figure(ghost: &Performance<'_>, model: &Arc<Model>, look: &Look<'_>) -> Figure {
    let mut figure = figure(ghost, model);
    let raw = linear(look.colours.raw);
    let beside = look.view.ghost == crate::session::Ghost::Beside;
    let opacity = if beside { 1.0 } else { GHOST_OPACITY };
    figure.style = FigureStyle { opacity, tint: Some(with_alpha(raw, 0.6)), lit: true };
    figure.show_mesh = look.view.mesh;
    figure.below_floor_tint = false;
    if look.view.bones || !look.view.mesh || !model.has_mesh() {
        figure.bones = bones(ghost, look, |_| true);
        for bone in &mut figure.bones {
            (bone.color, bone.selected) = (with_alpha(raw, GHOST_OPACITY), false);
        }
    }
    figure
}

fn figure(performance: &Performance<'_>, model: &Arc<Model>) -> Figure {
    let pose: Vec<DAffine3> = performance.actor.on_source_skeleton(&performance.pose);
    let mut figure = Figure::new(model.clone(), pose.into());
    figure.world_from_component = performance.place;
    figure
}

fn chosen(performance: &Performance<'_>, look: &Look<'_>) -> Option<BoneIndex> {
    performance.actor.clip().skeleton.find_path(look.view.bone.as_deref()?)
}

fn bones(performance: &Performance<'_>, look: &Look<'_>, wanted: impl Fn(BoneIndex) -> bool) -> Vec<BoneShape> {
    let colours = look.colours;
    let widest = BONE_WIDTH * performance.actor.course.height_m;
    let selected = chosen(performance, look);
    let shape = |bone: BoneIndex, side: Option<Side>, from: DVec3, to: DVec3| {
        let length = from.distance(to);
        let width = if length > 0.0 { widest.min(0.3 * length) } else { widest * 0.7 };
        let colour = if Some(bone) == look.hovered { colours.accent } else { side_colour(side, colours) };
        BoneShape {
            bone,
            from: from.as_vec3().to_array(),
            to: to.as_vec3().to_array(),
            width_m: width as f32,
            color: linear(colour),
            selected: Some(bone) == selected,
        }
    };
    let lines = bone_lines(performance).into_iter().map(|line| shape(line.bone, line.side, line.from, line.to));
    let leaves = leaf_joints(performance).into_iter().map(|(bone, side, at)| shape(bone, side, at, at));
    lines.chain(leaves).filter(|shape| wanted(shape.bone)).collect()
}

/// Bones as lines, while there is no model to hang them on.
fn stand_in(scene: &mut Scene, lead: &Performance<'_>, look: &Look<'_>) {
    let selected = chosen(lead, look);
    bone_strokes(scene, lead, |bone, side| match side {
        _ if Some(bone) == selected || Some(bone) == look.hovered => (look.colours.accent, STAND_IN_POINTS * 1.5),
        side => (side_colour(side, look.colours), STAND_IN_POINTS),
    });
}

fn bone_strokes(
    scene: &mut Scene,
    performance: &Performance<'_>,
    stroke: impl Fn(BoneIndex, Option<Side>) -> (Color32, f32),
) {
    for line in bone_lines(performance) {
        let (colour, points) = stroke(line.bone, line.side);
        push_line(scene, &[line.from, line.to], performance.place, colour, points, Depth::Tested);
    }
}

fn side_colour(side: Option<Side>, colours: &theme::Palette) -> Color32 {
    match side {
        Some(Side::Left) => colours.left,
        Some(Side::Right) => colours.right,
        None => colours.text,
    }
}

fn trails(scene: &mut Scene, performance: &Performance<'_>, colours: &theme::Palette) {
    let ways = &performance.actor.ways;
    let height = performance.actor.course.height_m;
    let lines = [(&ways.pelvis, colours.faint), (&ways.feet[0], colours.left), (&ways.feet[1], colours.right)];
    for (way, colour) in lines {
        if Ways::moves(way, height) {
            push_line(scene, way, performance.place, colour, TRAIL_POINTS, Depth::XRay);
        }
    }
}

/// A disc under each foot that stays put, filled while it does.
fn contacts(scene: &mut Scene, performance: &Performance<'_>, colours: &theme::Palette) {
    let actor = performance.actor;
    let height = actor.course.height_m;
    for contact in &actor.clip().contacts {
        let Some(bone) = actor.clip().skeleton.find_path(&contact.bone) else { continue };
        let now = (contact.start_secs..=contact.end_secs).contains(&performance.secs);
        let middle = 0.5 * (contact.start_secs + contact.end_secs);
        let at = actor.course.position_at(bone, middle);
        let centre = performance.place.transform_point3(DVec3::new(at.x, actor.course.floor_m, at.z));
        let colour = side_colour(actor.looks[bone.get()].side, colours);
        scene.discs.push(Disc {
            center: scene.relative(centre + DVec3::Y * OVER_FLOOR * height),
            normal: [0.0, 1.0, 0.0],
            radius_m: (CONTACT * height) as f32,
            inner_m: if now { 0.0 } else { (0.8 * CONTACT * height) as f32 },
            color: with_alpha(linear(colour), 0.7),
            depth: Depth::Tested,
        });
    }
}

/// The way of the pelvis in the file, and that of the root which was chosen for it.
fn paths(scene: &mut Scene, staging: &Staging<'_>, colours: &theme::Palette) {
    let Some(source) = staging.cast().source() else { return };
    let lead = &staging.lead;
    let height = source.course.height_m;
    if Ways::moves(&source.ways.travel, height) {
        push_line(scene, &source.ways.travel, lead.place, colours.raw, PATH_POINTS, Depth::Tested);
    }
    let chosen = &lead.actor.ways.root;
    if Ways::moves(chosen, height) {
        push_line(scene, chosen, lead.place, colours.chosen, PATH_POINTS, Depth::Tested);
    }
}

fn root_arrow(scene: &mut Scene, performance: &Performance<'_>, colours: &theme::Palette) {
    let Some((at, facing)) = root_stand(performance) else { return };
    let height = performance.actor.course.height_m;
    let from = at + DVec3::Y * (2.0 * OVER_FLOOR * height);
    scene.arrows.push(Arrow {
        from: scene.relative(from),
        to: scene.relative(from + facing * (ARROW * height)),
        width_m: (ARROW_WIDTH * height) as f32,
        color: linear(colours.root),
        depth: Depth::XRay,
    });
}

fn push_line(scene: &mut Scene, way: &[DVec3], place: DAffine3, colour: Color32, width: f32, depth: Depth) {
    let points = way.iter().map(|&p| scene.relative(place.transform_point3(p))).collect();
    scene.lines.push(Polyline { points, colors: vec![linear(colour)], width, depth });
}
