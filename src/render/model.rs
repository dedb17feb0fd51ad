//! A character ready for drawing, built once per file and shared: vertices as the graphics card takes them, which
//! matrices move them, and boxes per bone from which any pose's extent follows.
//!
//! Morph targets are not read by the readers and so not drawn; of materials only the base colour is.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytemuck::{Pod, Zeroable};
use glam::{DAffine3, DVec3, Vec3};

use super::picture::{Picture, decode_all};
use crate::motion::{BoneIndex, ComponentPose, Mesh, Skin, SourceFile};

/// One corner as it lies in the vertex buffer.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Vertex {
    pub position: [f32; 3],
    pub normal: [f32; 3],
    pub uv: [f32; 2],
    /// Matrices of the part's own row that pull at it.
    pub joints: [u16; 4],
    /// In 65535ths; the shader divides by their sum.
    pub weights: [u16; 4],
}

/// A mesh with one material.
#[derive(Debug)]
pub(super) struct Part {
    pub vertices: Vec<Vertex>,
    pub indices: Vec<u32>,
    /// First of its matrices among those that [`Model::matrices`] gives.
    pub first_matrix: u32,
    /// Linear RGB; `None`: the palette's clay.
    pub color: Option<[f32; 3]>,
    /// Index into [`Model::pictures`].
    pub picture: Option<usize>,
}

/// What moves the vertices of a part that has no skin.
#[derive(Clone, Copy, Debug)]
struct Rigid {
    bone: Option<BoneIndex>,
    at: DAffine3,
}

/// Vertices, skins and pictures of one file, laid out for the graphics card.
#[derive(Debug)]
pub struct Model {
    id: u64,
    pub(super) parts: Vec<Part>,
    pub(super) pictures: Vec<Arc<Picture>>,
    skins: Vec<Skin>,
    rigid: Vec<Rigid>,
    node_pose: Vec<DAffine3>,
    /// Per bone, in its own space: the box around the vertices it carries.
    boxes: Vec<Option<[Vec3; 2]>>,
    /// Component space: the box around what no bone carries.
    still: Option<[Vec3; 2]>,
    /// What could not be drawn as the file says.
    pub notes: Vec<String>,
}

impl PartialEq for Model {
    /// Models are compared by identity: one is built per file and shared.
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

/// A vertex that a bone pulls at more weakly than this says nothing about how far the bone's flesh reaches.
const COUNTS_FROM: f32 = 0.1;

/// More corners in one mesh are not drawn: their buffer would be larger than graphics cards promise to take (256 MiB).
const MAX_VERTICES: usize = 5_000_000;

impl Model {
    /// Lays a file's meshes out and decodes its pictures. Takes a while for big files: call it off the window's thread.
    pub fn new(source: &SourceFile) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let mut notes = Vec::new();
        let node_pose = source.skeleton.node_pose_component();
        let (pictures, picture_of) = decode_all(&source.textures, &mut notes);
        let mut model = Self {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            parts: Vec::new(),
            pictures,
            skins: source.skins.iter().map(|skin| usable(skin, node_pose.len())).collect(),
            rigid: Vec::new(),
            boxes: vec![None; node_pose.len()],
            node_pose,
            still: None,
            notes,
        };
        let skin_starts: Vec<u32> = model
            .skins
            .iter()
            .scan(0, |next, skin| {
                let start = *next;
                *next += skin.joints.len() as u32;
                Some(start)
            })
            .collect();
        let joints: u32 = model.skins.iter().map(|skin| skin.joints.len() as u32).sum();
        for mesh in &source.meshes {
            if mesh.positions.len() > MAX_VERTICES {
                model.notes.push(format!("mesh \"{}\" has {} vertices: not shown", mesh.name, mesh.positions.len()));
                continue;
            }
            let skin = mesh.skin.and_then(|skin| Some((skin as usize, model.skins.get(skin as usize)?)));
            let skin = skin.filter(|(_, skin)| !skin.joints.is_empty() && mesh.joints.len() == mesh.positions.len());
            let first_matrix = match skin {
                Some((index, _)) => skin_starts[index],
                None => joints + model.rigid.len() as u32,
            };
            let part = part_of(mesh, source, &picture_of, skin.map(|(_, skin)| skin.joints.len()), first_matrix);
            if part.indices.is_empty() {
                continue;
            }
            match skin {
                Some((index, _)) => model.grow_by_skin(index, &part),
                None => {
                    let bone = mesh.carried_by.filter(|bone| bone.get() < model.node_pose.len());
                    model.rigid.push(Rigid { bone, at: mesh.at });
                    let target = bone.map_or(&mut model.still, |bone| &mut model.boxes[bone.get()]);
                    part.vertices.iter().for_each(|vertex| grow(target, &mesh.at, vertex.position));
                }
            }
            model.parts.push(part);
        }
        model
    }

    fn grow_by_skin(&mut self, index: usize, part: &Part) {
        let skin = &self.skins[index];
        for vertex in &part.vertices {
            let sum: f32 = vertex.weights.iter().map(|&weight| f32::from(weight)).sum();
            for (&joint, &weight) in vertex.joints.iter().zip(&vertex.weights) {
                if f32::from(weight) >= COUNTS_FROM * sum {
                    let bone = skin.joints[usize::from(joint)];
                    grow(&mut self.boxes[bone.get()], &skin.inverse_binds[usize::from(joint)], vertex.position);
                }
            }
        }
    }

    /// Number that no other model has: what the graphics card keeps is filed under it.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// Whether there is any mesh to draw.
    pub fn has_mesh(&self) -> bool {
        !self.parts.is_empty()
    }

    /// Number of bones that a pose should have.
    pub fn bones(&self) -> usize {
        self.node_pose.len()
    }

    /// The whole skeleton's node pose, component space.
    pub fn node_pose(&self) -> ComponentPose {
        ComponentPose(self.node_pose.clone())
    }

    /// Opposite corners around the meshes in a pose (component space, metres), where bones stand alone around their
    /// joints; `None` only for a pose that is not finite. Never too small by more than skinning bulges.
    pub fn bounds(&self, pose: &[DAffine3]) -> Option<[DVec3; 2]> {
        let mut corners = [DVec3::INFINITY, DVec3::NEG_INFINITY];
        let mut add = |low: DVec3, high: DVec3| {
            if low.is_finite() && high.is_finite() {
                corners = [corners[0].min(low), corners[1].max(high)];
            }
        };
        if let Some([low, high]) = self.still {
            add(low.as_dvec3(), high.as_dvec3());
        }
        for (bone, area) in self.boxes.iter().enumerate() {
            let at = pose.get(bone).unwrap_or(&self.node_pose[bone]);
            match area {
                Some([low, high]) => {
                    let (middle, half) = ((*low + *high).as_dvec3() * 0.5, (*high - *low).as_dvec3() * 0.5);
                    let middle = at.transform_point3(middle);
                    let turned = at.matrix3;
                    let half =
                        turned.x_axis.abs() * half.x + turned.y_axis.abs() * half.y + turned.z_axis.abs() * half.z;
                    add(middle - half, middle + half);
                }
                None if self.parts.is_empty() => add(at.translation, at.translation),
                None => {}
            }
        }
        (corners[0].cmple(corners[1]).all()).then_some(corners)
    }

    /// How many matrices a pose of this model needs.
    pub(super) fn matrix_count(&self) -> usize {
        self.skins.iter().map(|skin| skin.joints.len()).sum::<usize>() + self.rigid.len()
    }

    /// The matrices of a pose, in the order that the parts count in: skin after skin, then the rigid parts. Each is
    /// `target_from_component * component_from_bone * bone_from_mesh`.
    pub(super) fn matrices(&self, pose: &[DAffine3], target_from_component: DAffine3, out: &mut Vec<[f32; 12]>) {
        let bone = |bone: BoneIndex| pose.get(bone.get()).unwrap_or(&self.node_pose[bone.get()]);
        for skin in &self.skins {
            let joints = skin.joints.iter().zip(&skin.inverse_binds);
            out.extend(joints.map(|(&joint, inverse)| rows(&(target_from_component * *bone(joint) * *inverse))));
        }
        for rigid in &self.rigid {
            let component = rigid.bone.map_or(rigid.at, |carrier| *bone(carrier) * rigid.at);
            out.push(rows(&(target_from_component * component)));
        }
    }
}

/// The three rows of a matrix, translation last in each: a point is moved by three dot products.
pub(super) fn rows(m: &DAffine3) -> [f32; 12] {
    let (c, t) = (m.matrix3, m.translation);
    [
        c.x_axis.x, c.y_axis.x, c.z_axis.x, t.x, //
        c.x_axis.y, c.y_axis.y, c.z_axis.y, t.y, //
        c.x_axis.z, c.y_axis.z, c.z_axis.z, t.z,
    ]
    .map(|value| value as f32)
}

/// The skin with every joint in the skeleton and an inverse bind for each.
fn usable(skin: &Skin, bones: usize) -> Skin {
    let joints: Vec<BoneIndex> =
        skin.joints.iter().map(|joint| if joint.get() < bones { *joint } else { BoneIndex(0) }).collect();
    let mut inverse_binds = skin.inverse_binds.clone();
    inverse_binds.resize(joints.len(), DAffine3::IDENTITY);
    Skin { joints, inverse_binds }
}

fn grow(area: &mut Option<[Vec3; 2]>, at: &DAffine3, point: [f32; 3]) {
    let point = at.transform_point3(Vec3::from(point).as_dvec3()).as_vec3();
    if point.is_finite() {
        *area = Some(area.map_or([point; 2], |[low, high]| [low.min(point), high.max(point)]));
    }
}

fn part_of(
    mesh: &Mesh,
    source: &SourceFile,
    picture_of: &[Option<usize>],
    joints: Option<usize>,
    first_matrix: u32,
) -> Part {
    let count = mesh.positions.len() as u32;
    let whole = mesh.indices.chunks_exact(3).filter(|triangle| triangle.iter().all(|&corner| corner < count));
    let indices: Vec<u32> = whole.flatten().copied().collect();
    let given = mesh.normals.len() == mesh.positions.len();
    let normals = if given { Vec::new() } else { normals(&mesh.positions, &indices) };
    let normals: &[[f32; 3]] = if given { &mesh.normals } else { &normals };
    let corner = |i: usize| {
        let (joints, weights) = match joints {
            Some(count) => influences(mesh, i, count),
            None => ([0; 4], [u16::MAX, 0, 0, 0]),
        };
        let uv = mesh.uvs.get(i).copied().unwrap_or_default();
        Vertex { position: mesh.positions[i], normal: normals[i], uv, joints, weights }
    };
    let material = mesh.material.and_then(|material| source.materials.get(material as usize));
    Part {
        vertices: (0..mesh.positions.len()).map(corner).collect(),
        indices,
        first_matrix,
        color: material.map(|material| [0, 1, 2].map(|i| material.base_color[i].clamp(0.0, 1.0))),
        picture: material
            .and_then(|material| picture_of.get(material.base_texture? as usize).copied().flatten())
            .filter(|_| !mesh.uvs.is_empty()),
    }
}

fn influences(mesh: &Mesh, vertex: usize, count: usize) -> ([u16; 4], [u16; 4]) {
    let weights = mesh.weights.get(vertex).copied().unwrap_or([1.0, 0.0, 0.0, 0.0]);
    let mut weights = weights.map(|weight| (weight.clamp(0.0, 1.0) * 65535.0).round() as u16);
    if weights == [0; 4] {
        weights[0] = u16::MAX;
    }
    (mesh.joints[vertex].map(|joint| if usize::from(joint) < count { joint } else { 0 }), weights)
}

/// Per vertex, the mean of its triangles' normals weighted by their areas.
fn normals(positions: &[[f32; 3]], indices: &[u32]) -> Vec<[f32; 3]> {
    let mut sums = vec![Vec3::ZERO; positions.len()];
    for triangle in indices.chunks_exact(3) {
        let corners = [0, 1, 2].map(|i| Vec3::from(positions[triangle[i] as usize]));
        let across = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        triangle.iter().for_each(|&corner| sums[corner as usize] += across);
    }
    sums.into_iter().map(|sum| sum.normalize_or(Vec3::Y).to_array()).collect()
}
