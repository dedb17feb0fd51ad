//! Something to look at: a smooth, neutral mannequin around the skeleton.
//!
//! The body is a shape in closed form ([`sculpture`], made of [`loft`]s). It is turned into triangles once, in the
//! A-pose ([`nets`]), painted ([`paint`]) and tied to the parts ([`weights`]); each family gets it in the pose that its
//! skeleton stands in.

mod loft;
mod nets;
mod paint;
mod sculpture;
mod weights;

use std::collections::HashMap;
use std::sync::OnceLock;

use glam::{DAffine3, DMat3, DVec3, Vec3};

use super::mannequin::{A_POSE_RAD, BodyPose, Mannequin, PARTS};
use crate::motion::{Material, Mesh, Skin};

use paint::Paint;
use sculpture::Sculpture;
use weights::Pull;

/// The body in the A-pose. Shapes `[vertices]` and `[triangles]`.
struct Figure {
    positions: Vec<DVec3>,
    normals: Vec<DVec3>,
    pulls: Vec<Pull>,
    triangles: Vec<[u32; 3]>,
    paints: Vec<Paint>,
}

impl Figure {
    /// Takes some hundredths of a second, and always gives the same: made once.
    fn get() -> &'static Self {
        static FIGURE: OnceLock<Figure> = OnceLock::new();
        FIGURE.get_or_init(|| Self::around(&BodyPose::rest(A_POSE_RAD)))
    }

    fn around(pose: &BodyPose) -> Self {
        let sculpture = Sculpture::of(pose);
        let mut net = nets::skin(&sculpture);
        let paints = paint::paint(&mut net, &sculpture, pose);
        let pulls = weights::weights(&net, &sculpture, pose);
        Self { positions: net.positions, normals: net.normals, pulls, triangles: net.triangles, paints }
    }
}

/// The figure's meshes, one for each of its paints, their skin and their materials.
pub(super) fn dress(mannequin: &Mannequin) -> (Vec<Mesh>, Skin, Vec<Material>) {
    let figure = Figure::get();
    let binds = mannequin.skeleton.reference_component();
    let skin = Skin {
        joints: mannequin.skeleton.indices().collect(),
        inverse_binds: binds.iter().map(DAffine3::inverse).collect(),
    };
    let body = Posed::new(figure, mannequin);
    let meshes = Paint::ALL.iter().zip(0..).map(|(&paint, material)| body.mesh(paint, material)).collect();
    let materials = Paint::ALL
        .iter()
        .map(|paint| Material { name: paint.name().into(), base_color: paint.base_color(), base_texture: None })
        .collect();
    (meshes, skin, materials)
}

/// The figure in the pose that a skeleton stands in.
struct Posed<'a> {
    figure: &'a Figure,
    mannequin: &'a Mannequin,
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
}

impl<'a> Posed<'a> {
    /// Bends the arms from the A-pose to where the skeleton has them.
    ///
    /// Skinning there thins a joint, and undoing the skinning that would lead back swells it by as much: the mean of
    /// the two does neither.
    fn new(figure: &'a Figure, mannequin: &'a Mannequin) -> Self {
        let made = places(&BodyPose::rest(A_POSE_RAD));
        let stands = places(&BodyPose::rest(mannequin.arms_down_rad));
        let back: [DAffine3; PARTS] = std::array::from_fn(|i| made[i] * stands[i].inverse());
        let there: [DAffine3; PARTS] = std::array::from_fn(|i| stands[i] * made[i].inverse());
        let mut positions = Vec::with_capacity(figure.positions.len());
        let mut normals = Vec::with_capacity(figure.positions.len());
        for ((pull, &position), &normal) in figure.pulls.iter().zip(&figure.positions).zip(&figure.normals) {
            let ways = [blended(&there, pull), blended(&back, pull).inverse()];
            positions.push((ways.iter().map(|way| way.transform_point3(position)).sum::<DVec3>() * 0.5).as_vec3());
            // Normals go by the inverse transposed.
            let turned: DVec3 = ways.iter().map(|way| way.matrix3.inverse().transpose() * normal).sum();
            normals.push(turned.normalize_or(DVec3::Y).as_vec3());
        }
        Self { figure, mannequin, positions, normals }
    }

    /// The triangles of one paint and the vertices that they use.
    fn mesh(&self, paint: Paint, material: u32) -> Mesh {
        let mut mesh = Mesh { name: paint.name().into(), skin: Some(0), material: Some(material), ..Mesh::default() };
        let mut own = HashMap::new();
        let painted = self.figure.triangles.iter().zip(&self.figure.paints).filter(|(_, own)| **own == paint);
        for corner in painted.flat_map(|(triangle, _)| triangle) {
            let index = *own.entry(*corner).or_insert_with(|| {
                let i = *corner as usize;
                let pull = &self.figure.pulls[i];
                mesh.positions.push(self.positions[i].to_array());
                mesh.normals.push(self.normals[i].to_array());
                // An unused joint is 0, as glTF wants it.
                let joint = |(part, weight): (usize, f64)| {
                    if weight > 0.0 { self.mannequin.bone(part).0 as u16 } else { 0 }
                };
                mesh.joints.push(pull.map(joint));
                mesh.weights.push(pull.map(|(_, weight)| weight as f32));
                mesh.positions.len() as u32 - 1
            });
            mesh.indices.push(index);
        }
        mesh
    }
}

/// Component-space transforms of the parts.
fn places(pose: &BodyPose) -> [DAffine3; PARTS] {
    std::array::from_fn(|part| DAffine3::from_rotation_translation(pose.rotations[part], pose.positions[part]))
}

/// Linear blend skinning.
fn blended(transforms: &[DAffine3; PARTS], pull: &Pull) -> DAffine3 {
    let mut sum = DAffine3::from_mat3_translation(DMat3::ZERO, DVec3::ZERO);
    for &(part, weight) in pull {
        sum.matrix3 += transforms[part].matrix3 * weight;
        sum.translation += transforms[part].translation * weight;
    }
    sum
}
