//! Meshes for the preview: which vertices they keep, and how their polygons are cut.

use std::collections::HashSet;

use stridesmith::motion::Mesh;
use ufbx::{InheritModeHandling, LoadOpts, SpaceConversion};

use super::*;
use crate::support::fbx_ascii::{Node, SkinnedMesh};

/// One polygon mesh on a bone.
fn drawn(points: &[[f64; 3]], polygons: &[&[usize]]) -> Mesh {
    let mut scene = Scene::new(vec![Node::limb("hips", None), Node::limb("body", Some(0)).of_class("Mesh")]);
    let polygons = polygons.iter().map(|polygon| polygon.to_vec()).collect();
    scene.mesh = Some(SkinnedMesh { node: 1, points: points.to_vec(), polygons, clusters: Vec::new() });
    read(&scene).meshes.remove(0)
}

/// Of each triangle, twice and along Z.
fn signed_areas(mesh: &Mesh) -> Vec<f64> {
    let point = |corner: u32| DVec3::from_array(mesh.positions[corner as usize].map(f64::from));
    let area = |t: &[u32]| (point(t[1]) - point(t[0])).cross(point(t[2]) - point(t[0])).z;
    mesh.indices.chunks_exact(3).map(area).collect()
}

#[test]
fn a_four_cornered_dart_is_cut_inside_whichever_corner_comes_first() {
    // The diagonal from wing to wing is the shorter one, and lies outside.
    let dart = [[0.0, 300.0, 0.0], [-100.0, 0.0, 0.0], [0.0, 50.0, 0.0], [100.0, 0.0, 0.0]];
    for first in 0..4 {
        let corners: Vec<usize> = (0..4).map(|k| (first + k) % 4).collect();
        let areas = signed_areas(&drawn(&dart, &[&corners]));
        // Each half is a triangle of 2.5 m by 1 m.
        assert!(areas.len() == 2 && areas.iter().all(|area| (area - 2.5).abs() < 1e-5), "{first}: {areas:?}");
    }
}

#[test]
fn a_convex_quad_is_cut_along_its_shorter_diagonal() {
    let kite = [[0.0, 0.0, 0.0], [100.0, -20.0, 0.0], [300.0, 0.0, 0.0], [100.0, 20.0, 0.0]];
    for first in 0..4 {
        let corners: Vec<usize> = (0..4).map(|k| (first + k) % 4).collect();
        let mut areas = signed_areas(&drawn(&kite, &[&corners]));
        areas.sort_by(f64::total_cmp);
        assert!((areas[0] - 0.4).abs() < 1e-5 && (areas[1] - 0.8).abs() < 1e-5, "{first}: {areas:?}");
    }
}

#[test]
fn points_that_no_triangle_uses_are_left_out() {
    let points = [[0.0, 0.0, 0.0], [900.0, 900.0, 900.0], [100.0, 0.0, 0.0], [0.0, 100.0, 0.0], [500.0, 0.0, 0.0]];
    for polygons in [&[&[0, 2, 3][..]][..], &[&[0, 2, 3], &[3, 4]]] {
        let mesh = drawn(&points, polygons);
        assert_eq!((mesh.positions.len(), mesh.normals.len(), mesh.indices.len()), (3, 3, 3));
        assert!(mesh.positions.iter().flatten().all(|x| *x <= 1.0), "{:?}", mesh.positions);
    }
}

#[test]
fn real_meshes_keep_one_vertex_per_different_corner() {
    let options = || LoadOpts {
        target_axes: ufbx::CoordinateAxes::right_handed_y_up(),
        target_unit_meters: 1.0,
        space_conversion: SpaceConversion::ModifyGeometry,
        inherit_mode_handling: InheritModeHandling::Preserve,
        generate_missing_normals: true,
        ..LoadOpts::default()
    };
    let (mut parts, mut in_pieces) = (0, 0);
    for (name, _) in real_files::listed() {
        let Ok(bytes) = std::fs::read(real_files::clips_folder().join(&name)) else { continue };
        let scene = ufbx::load_memory(&bytes, options()).ok().unwrap();
        let mut expected = Vec::new();
        for mesh in &scene.meshes {
            for _ in &mesh.element.instances {
                expected.extend(mesh.material_parts.iter().map(|part| counts(mesh, part)).filter(|(n, _)| *n > 0));
            }
            in_pieces += usize::from(mesh.material_parts.len() > 1);
        }
        let file = open(bytes).unwrap();
        let found: Vec<_> = file.meshes.iter().map(|mesh| (mesh.positions.len(), mesh.indices.len())).collect();
        assert_eq!(found, expected, "{name}");
        parts += found.len();
    }
    println!("{parts} parts, {in_pieces} meshes in pieces");
}

/// Different corners of a part's polygons, the plain way, and corners of its triangles.
fn counts(mesh: &ufbx::Mesh, part: &ufbx::MeshPart) -> (usize, usize) {
    // −0 and 0 are one number.
    let bits = |x: f64| (x as f32 + 0.0).to_bits();
    let mut different = HashSet::new();
    for &face in part.face_indices.iter() {
        let face = mesh.faces[face as usize];
        if face.num_indices < 3 {
            continue;
        }
        for corner in face.index_begin as usize..(face.index_begin + face.num_indices) as usize {
            let normal = mesh.vertex_normal[corner];
            let uv = if mesh.vertex_uv.exists { mesh.vertex_uv[corner] } else { ufbx::Vec2 { x: 0.0, y: 0.0 } };
            let normal = [normal.x, normal.y, normal.z].map(bits);
            different.insert((mesh.vertex_indices[corner], normal, [bits(uv.x), bits(1.0 - uv.y)]));
        }
    }
    (different.len(), part.num_triangles * 3)
}
