//! Polygon corners to triangles and vertices.
//!
//! FBX lets each corner of a polygon have its own normal and texture place. Corners of one vertex that agree in both
//! become one vertex of ours, so that a mesh is drawn, and written, with about as many vertices as it was modelled with.

use glam::{DAffine3, DMat3, DVec3, Vec3};

use super::bones::vec3;
use crate::motion::Mesh;

/// Makes the parts of one mesh, one after another, with the same buffers.
pub(super) struct Corners<'m> {
    mesh: &'m ufbx::Mesh,
    /// Per corner: the vertex of the file.
    vertex_of: &'m [u32],
    positions: PerCorner<'m, ufbx::Vec3>,
    normals: PerCorner<'m, ufbx::Vec3>,
    uvs: PerCorner<'m, ufbx::Vec2>,
    /// The geometric transform and what it does to normals.
    geometry: Option<(DAffine3, DMat3)>,
    /// Per vertex of the file: the last of ours made from it. Ours are chained by [`Made::before`].
    newest: Vec<u32>,
    made: Vec<Made>,
    /// Of the face at hand: its corners as vertices of ours, and its triangles as corners.
    face: Vec<u32>,
    triangles: Vec<u32>,
}

/// What a vertex of ours was made from.
struct Made {
    /// The vertex of the file.
    source: u32,
    before: u32,
    normal: [f32; 3],
    uv: [f32; 2],
}

const NONE: u32 = u32::MAX;
/// Twins a corner is compared with. Where one vertex has more it is a file built to make the search endless.
const MOST_TWINS: usize = 64;

impl<'m> Corners<'m> {
    /// `geometry`: node space from mesh space.
    pub(super) fn new(mesh: &'m ufbx::Mesh, geometry: Option<DAffine3>) -> Self {
        let (position, normal, uv) = (&mesh.vertex_position, &mesh.vertex_normal, &mesh.vertex_uv);
        Self {
            mesh,
            vertex_of: &mesh.vertex_indices,
            positions: PerCorner::new(position.exists, &position.values, &position.indices),
            normals: PerCorner::new(normal.exists, &normal.values, &normal.indices),
            uvs: PerCorner::new(uv.exists, &uv.values, &uv.indices),
            geometry: geometry.map(|g| (g, g.matrix3.inverse().transpose())),
            newest: vec![NONE; mesh.num_vertices],
            made: Vec::new(),
            face: Vec::new(),
            triangles: Vec::new(),
        }
    }

    /// Per vertex of the part made last: the vertex of the file.
    pub(super) fn sources(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.made.iter().map(|made| made.source)
    }

    /// Positions, normals, texture places and triangles of `faces`, which have `expected` triangles.
    pub(super) fn triangles(&mut self, expected: usize, faces: impl Iterator<Item = ufbx::Face>) -> Mesh {
        for made in self.made.drain(..) {
            self.newest[made.source as usize] = NONE;
        }
        let mut part = Mesh::default();
        let about = expected.min(self.newest.len());
        self.made.reserve(about);
        part.indices.reserve_exact(expected * 3);
        part.positions.reserve(about);
        part.normals.reserve(if self.normals.exists { about } else { 0 });
        part.uvs.reserve(if self.uvs.exists { about } else { 0 });
        for face in faces.filter(|face| face.num_indices >= 3) {
            self.face.clear();
            let corners =
                face.index_begin as usize..(face.index_begin as usize).saturating_add(face.num_indices as usize);
            for corner in corners {
                let Some(vertex) = self.vertex(corner, &mut part) else { break };
                self.face.push(vertex);
            }
            match *self.face {
                [a, b, c] if face.num_indices == 3 => part.indices.extend([a, b, c]),
                [a, b, c, d] if face.num_indices == 4 => part.indices.extend(quad([a, b, c, d], &part.positions)),
                _ => self.polygon(face, &mut part),
            }
        }
        part
    }

    /// More than four corners.
    fn polygon(&mut self, face: ufbx::Face, part: &mut Mesh) {
        if self.face.len() != face.num_indices as usize {
            return;
        }
        self.triangles.resize((self.face.len() - 2) * 3, 0);
        let n = ufbx::triangulate_face(&mut self.triangles, self.mesh, face) as usize * 3;
        let corner = |corner: &u32| self.face[(corner - face.index_begin) as usize];
        part.indices.extend(self.triangles[..n].iter().map(corner));
    }

    /// The vertex for a corner: one that was made already, or a new one.
    fn vertex(&mut self, corner: usize, part: &mut Mesh) -> Option<u32> {
        let source = *self.vertex_of.get(corner)?;
        let normal = self.normals.at(corner).map_or(DVec3::ZERO, |n| vec3(*n));
        // FBX counts v from the bottom of the image, we from the top.
        let uv = self.uvs.at(corner).map_or([0.0; 2], |uv| [uv.x as f32, (1.0 - uv.y) as f32]);
        let raw = normal.as_vec3().to_array();
        let newest = self.newest.get_mut(source as usize)?;
        let mut twin = *newest;
        for _ in 0..MOST_TWINS {
            let Some(made) = self.made.get(twin as usize) else { break };
            if made.normal == raw && made.uv == uv {
                return Some(twin);
            }
            twin = made.before;
        }
        let position = vec3(*self.positions.at(corner)?);
        let (position, normal) = match &self.geometry {
            Some((node_from_mesh, turn)) => (node_from_mesh.transform_point3(position), *turn * normal),
            None => (position, normal),
        };
        let vertex = self.made.len() as u32;
        self.made.push(Made { source, before: *newest, normal: raw, uv });
        *newest = vertex;
        part.positions.push(position.as_vec3().to_array());
        if self.normals.exists {
            // Most are of unit length as it is, and a root costs more than everything else here.
            let is_unit = (normal.length_squared() - 1.0).abs() < 1e-7;
            let normal = if is_unit { normal } else { normal.normalize_or(DVec3::Y) };
            part.normals.push(normal.as_vec3().to_array());
        }
        if self.uvs.exists {
            part.uvs.push(uv);
        }
        Some(vertex)
    }
}

/// Two triangles for four corners: cut along the shorter diagonal, or along the only one that lies inside.
fn quad([a, b, c, d]: [u32; 4], positions: &[[f32; 3]]) -> [u32; 6] {
    let [pa, pb, pc, pd] = [a, b, c, d].map(|vertex| Vec3::from_array(positions[vertex as usize]));
    let (ac, bd) = (pc - pa, pd - pb);
    // A diagonal lies inside when the other two corners lie on either side of it: then both triangles face one way.
    let inside = |cut: Vec3, left: Vec3, right: Vec3| left.cross(cut).dot(cut.cross(right));
    let (by_ac, by_bd) = (inside(ac, pb - pa, pd - pa), inside(bd, pc - pb, pa - pb));
    let cut_ac = if by_ac < 0.0 || by_bd < 0.0 { by_ac >= by_bd } else { ac.length_squared() <= bd.length_squared() };
    if cut_ac { [a, b, c, c, d, a] } else { [b, c, d, d, a, b] }
}

/// An attribute that each corner looks up.
struct PerCorner<'m, T> {
    exists: bool,
    values: &'m [T],
    indices: &'m [u32],
}

impl<'m, T> PerCorner<'m, T> {
    fn new(exists: bool, values: &'m [T], indices: &'m [u32]) -> Self {
        Self { exists, values, indices: if exists { indices } else { &[] } }
    }

    fn at(&self, corner: usize) -> Option<&'m T> {
        self.values.get(*self.indices.get(corner)? as usize)
    }
}
