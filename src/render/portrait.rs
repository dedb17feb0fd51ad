//! One clip at one time as a scene: what the command line draws.

use std::sync::Arc;

use glam::DVec3;

use super::bones::bone_shapes;
use super::camera::{Camera, View};
use super::model::Model;
use super::scene::{Color, Depth, Disc, Figure, Palette, Polyline, Scene, rgb, with_alpha};
use crate::motion::{BoneIndex, Clip, ComponentPose, LocalPose, Rig, Role, Sampler, Side, SourceFile};

/// Trails of a long clip are sampled no more often than this.
const MAX_TRAIL_POINTS: f64 = 4000.0;

/// What is drawn, and how.
#[derive(Clone, Debug)]
pub struct Portrait {
    /// Its meshes and skeleton.
    pub file: Arc<SourceFile>,
    /// `None`: the node pose.
    pub clip: Option<Arc<Clip>>,
    /// Who is who: colours of sides, and what leaves trails.
    pub rig: Arc<Rig>,
    /// The file's time; outside the clip its ends are held.
    pub secs: f64,
    /// Picture size, pixels.
    pub size: [u32; 2],
    /// From where.
    pub view: View,
    /// Parallel.
    pub orthographic: bool,
    /// Whether meshes are drawn.
    pub mesh: bool,
    /// Whether bones are drawn; without any mesh they always are.
    pub bones: bool,
    /// Whether the floor has lines.
    pub grid: bool,
    /// Whether pelvis and feet leave their paths over the whole clip, all of which is then in the picture.
    pub trails: bool,
    /// Colours.
    pub palette: Palette,
}

/// Colours that mean the same everywhere: the character's left and right, its middle, and no role at all.
fn side_color(rig: &Rig, bone: BoneIndex) -> Color {
    let role = rig.roles.iter().find(|&(_, &played)| played == bone).map(|(&role, _)| role);
    match role.and_then(Role::side) {
        Some(Side::Left) => rgb(0x4a9df0),
        Some(Side::Right) => rgb(0xf08a3c),
        None if role.is_some() => rgb(0xe6e8ec),
        None => rgb(0xa3abb6),
    }
}

impl Portrait {
    /// The scene, its camera set so that the figure and its trails are in the picture.
    pub fn scene(&self, model: Arc<Model>) -> Scene {
        let pose = self.pose(self.secs);
        let mesh = self.mesh && model.has_mesh();
        let mut figure = Figure::new(model, pose.0.as_slice().into());
        figure.show_mesh = mesh;
        if self.bones || !mesh {
            figure.bones =
                bone_shapes(&self.file.skeleton, &self.rig, &pose.0, |bone| Some(side_color(&self.rig, bone)));
        }
        let trails = if self.trails { self.trails() } else { Vec::new() };
        let mut bounds = figure.bounds().unwrap_or([DVec3::splat(-0.5), DVec3::splat(0.5)]);
        for point in trails.iter().flat_map(|(points, _)| points) {
            bounds = [bounds[0].min(*point), bounds[1].max(*point)];
        }
        let size = self.size.map(f64::from);
        let mut camera = Camera::new(DVec3::ZERO, 4.0).looking(self.view);
        if self.orthographic {
            camera = camera.switched();
        }
        camera = match self.view {
            View::Foot => self.at_foot(camera, &pose, bounds),
            _ => camera.framed(bounds, size),
        };
        let mut scene = Scene::new(camera, self.palette);
        if let Some(ground) = &mut scene.ground {
            (ground.grid, ground.axes) = (self.grid, self.grid);
        }
        scene.figures.push(figure);
        for (points, color) in trails {
            let now = Disc {
                center: scene.relative(self.nearest(&points)),
                normal: [0.0, 1.0, 0.0],
                radius_m: 0.018,
                inner_m: 0.0,
                color,
                depth: Depth::XRay,
            };
            let points = points.iter().map(|&point| scene.relative(point)).collect();
            scene.lines.push(Polyline { points, colors: vec![with_alpha(color, 0.9)], width: 2.0, depth: Depth::XRay });
            scene.discs.push(now);
        }
        scene
    }

    fn pose(&self, secs: f64) -> ComponentPose {
        match &self.clip {
            Some(clip) => clip.component_at(secs),
            None => ComponentPose(self.file.skeleton.node_pose_component()),
        }
    }

    /// Level with the floor, beside the left foot; without feet the whole figure from the side.
    fn at_foot(&self, camera: Camera, pose: &ComponentPose, bounds: [DVec3; 2]) -> Camera {
        let position = |role| self.rig.bone(role).map(|bone| pose.position(bone));
        match (position(Role::Foot(Side::Left)), position(Role::Pelvis)) {
            (Some(foot), Some(pelvis)) => camera.at_foot(foot, foot - pelvis, 0.0),
            _ => camera.looking(View::Side).framed(bounds, self.size.map(f64::from)),
        }
    }

    /// World positions of pelvis and feet over the clip.
    fn trails(&self) -> Vec<(Vec<DVec3>, Color)> {
        let Some(clip) = &self.clip else { return Vec::new() };
        let roles = [Role::Pelvis, Role::Foot(Side::Left), Role::Foot(Side::Right)];
        let bones: Vec<BoneIndex> = roles.into_iter().filter_map(|role| self.rig.bone(role)).collect();
        let steps = (clip.range.duration_secs() * clip.rate.fps()).clamp(1.0, MAX_TRAIL_POINTS).ceil();
        let mut sampler = Sampler::new(clip);
        let mut local = LocalPose::node_pose(&clip.skeleton);
        let mut pose = ComponentPose::new(&clip.skeleton);
        let mut trails: Vec<Vec<DVec3>> = vec![Vec::new(); bones.len()];
        for step in 0..=steps as u32 {
            sampler.local(clip.range.start_secs + clip.range.duration_secs() * f64::from(step) / steps, &mut local);
            pose.set(&clip.skeleton, &local);
            for (trail, &bone) in trails.iter_mut().zip(&bones) {
                trail.push(pose.position(bone));
            }
        }
        trails.into_iter().zip(&bones).map(|(trail, &bone)| (trail, side_color(&self.rig, bone))).collect()
    }

    /// Where on a trail the drawn time lies.
    fn nearest(&self, points: &[DVec3]) -> DVec3 {
        let range = self.clip.as_ref().map(|clip| clip.range);
        let share = range.map_or(0.0, |range| (self.secs - range.start_secs) / range.duration_secs().max(1e-9));
        let last = points.len().saturating_sub(1);
        points.get((share.clamp(0.0, 1.0) * last as f64).round() as usize).copied().unwrap_or_default()
    }
}
