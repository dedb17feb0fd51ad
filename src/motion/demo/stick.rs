//! Something to look at: a slim octahedron along every part, each skinned to one bone.

use glam::{DAffine3, DVec3, Vec3};

use super::mannequin::{HEEL_FROM_ANKLE, LEG, Mannequin, PARTS, PELVIS, tail};
use crate::motion::{Material, Mesh, Skin};

/// The figure's mesh, skin and material.
pub(super) fn stick_figure(mannequin: &Mannequin) -> (Mesh, Skin, Material) {
    let skeleton = &mannequin.skeleton;
    let binds = skeleton.reference_component();
    let skin =
        Skin { joints: skeleton.indices().collect(), inverse_binds: binds.iter().map(DAffine3::inverse).collect() };
    let mut mesh = Mesh { name: "stick_figure".into(), skin: Some(0), material: Some(0), ..Mesh::default() };
    for part in 0..PARTS {
        let bone = mannequin.bone(part);
        let bind = binds[bone.get()];
        let end = bind.transform_point3(mannequin.in_bone(part, tail(part)));
        let is_foot = LEG.iter().any(|leg| leg[2] == part);
        let begin = if is_foot {
            bind.transform_point3(mannequin.in_bone(part, HEEL_FROM_ANKLE + DVec3::Y * 0.03))
        } else {
            bind.translation
        };
        let thickness_m = if part == PELVIS { 0.09 } else { 0.14 * begin.distance(end) };
        octahedron(&mut mesh, begin, end, thickness_m.clamp(0.012, 0.09), bone.0 as u16);
    }
    let material = Material { name: "stick_figure".into(), base_color: [0.55, 0.6, 0.68, 1.0], base_texture: None };
    (mesh, skin, material)
}

/// Eight flat faces around the line from `begin` to `end`, widest a quarter of the way.
fn octahedron(mesh: &mut Mesh, begin: DVec3, end: DVec3, radius_m: f64, joint: u16) {
    let along = (end - begin).normalize_or(DVec3::Y);
    let (side, front) = along.any_orthonormal_pair();
    let waist = begin.lerp(end, 0.25);
    let ring = [side, front, -side, -front].map(|out| (waist + out * radius_m).as_vec3());
    for i in 0..4 {
        let (a, b) = (ring[i], ring[(i + 1) % 4]);
        face(mesh, [begin.as_vec3(), b, a], joint);
        face(mesh, [end.as_vec3(), a, b], joint);
    }
}

fn face(mesh: &mut Mesh, corners: [Vec3; 3], joint: u16) {
    let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or(Vec3::Y);
    for corner in corners {
        mesh.indices.push(mesh.positions.len() as u32);
        mesh.positions.push(corner.to_array());
        mesh.normals.push(normal.to_array());
        mesh.joints.push([joint, 0, 0, 0]);
        mesh.weights.push([1.0, 0.0, 0.0, 0.0]);
    }
}
