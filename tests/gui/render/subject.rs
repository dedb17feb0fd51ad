//! Small characters written down in a few lines, and what is read off their pictures.

use std::sync::{Arc, OnceLock};

use glam::{DAffine3, DQuat, DVec2, DVec3, Vec3};
use image::RgbaImage;
use stridesmith::motion::{
    Bone, BoneIndex, FileId, FileSpace, Format, Material, Mesh, Skeleton, Skin, SourceFile, Texture, Transform,
};
use stridesmith::render::{Camera, Figure, FigureStyle, Model, Offscreen, Palette, Scene, View};

pub const SIZE: [u32; 2] = [320, 240];
pub const PIXELS: [f64; 2] = [320.0, 240.0];

/// One device for one test.
pub fn offscreen() -> Offscreen {
    Offscreen::new().unwrap()
}

pub fn bone(parent: Option<u32>, at: [f64; 3]) -> Bone {
    Bone {
        name: "bone".into(),
        parent: parent.map(BoneIndex),
        node_pose: Transform::rigid(DVec3::from(at), DQuat::IDENTITY),
        bind_pose: None,
        is_joint: true,
        node: None,
    }
}

pub fn file(bones: Vec<Bone>, meshes: Vec<Mesh>) -> SourceFile {
    SourceFile {
        id: FileId(0),
        path: "subject.glb".into(),
        modified: None,
        bytes: Arc::from([]),
        side_files: Vec::new(),
        format: Format::Generated,
        description: String::new(),
        space: FileSpace::OURS,
        skeleton: Arc::new(Skeleton::new(bones).unwrap()),
        clips: Vec::new(),
        meshes,
        skins: Vec::new(),
        materials: Vec::new(),
        textures: Vec::new(),
        declared_roles: Vec::new(),
        warnings: Vec::new(),
        hash: OnceLock::new(),
    }
}

/// A box without normals, shared corners.
pub fn cuboid(middle: [f32; 3], half: [f32; 3]) -> Mesh {
    let corner = |i: usize| {
        let sign = |axis: usize| if i >> axis & 1 == 0 { -1.0 } else { 1.0 };
        [0, 1, 2].map(|axis| middle[axis] + half[axis] * sign(axis))
    };
    let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    Mesh {
        at: DAffine3::IDENTITY,
        positions: (0..8).map(corner).collect(),
        indices: faces.iter().flat_map(|&[a, b, c, d]| [a, b, c, a, c, d]).collect(),
        ..Mesh::default()
    }
}

pub fn merged(parts: &[Mesh]) -> Mesh {
    let mut all = Mesh::default();
    for part in parts {
        let base = all.positions.len() as u32;
        all.positions.extend(&part.positions);
        all.indices.extend(part.indices.iter().map(|index| base + index));
    }
    all
}

/// A flat-coloured figure in its node pose.
pub fn flat(source: &SourceFile) -> Figure {
    let model = Arc::new(Model::new(source));
    let pose = model.node_pose().0.into();
    let mut figure = Figure::new(model, pose);
    figure.style = FigureStyle { lit: false, ..FigureStyle::default() };
    figure
}

pub fn material(color: [f32; 4], texture: Option<u32>) -> Material {
    Material { name: String::new(), base_color: color, base_texture: texture }
}

pub fn png(image: &RgbaImage) -> Texture {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    Texture { name: "picture".into(), bytes: bytes.into_inner().into() }
}

/// A scene without a floor, seen from the front left.
pub fn empty() -> Scene {
    let camera = Camera::new(DVec3::new(0.0, 0.9, 0.0), 4.0).looking(View::ThreeQuarter);
    Scene { ground: None, shadow: false, ..Scene::new(camera, Palette::dark()) }
}

pub fn at(image: &RgbaImage, pixel: DVec2) -> [u8; 3] {
    let [r, g, b, _] = image.get_pixel(pixel.x as u32, pixel.y as u32).0;
    [r, g, b]
}

/// The pixel that sees a world point.
pub fn seen(scene: &Scene, image: &RgbaImage, world: DVec3) -> [u8; 3] {
    at(image, scene.camera.project(world, PIXELS).unwrap().0)
}

pub fn near(a: [u8; 3], b: [u8; 3], by: u8) -> bool {
    a.iter().zip(b).all(|(&a, b)| a.abs_diff(b) <= by)
}

/// sRGB bytes of a linear colour, computed apart from the program.
pub fn encoded(linear: [f64; 3]) -> [u8; 3] {
    linear.map(|value| {
        let value = if value <= 0.003_130_8 { value * 12.92 } else { 1.055 * value.powf(1.0 / 2.4) - 0.055 };
        (value * 255.0).round() as u8
    })
}

/// Mean position of the pixels that a test picks, and how many there are.
pub fn centroid(image: &RgbaImage, wanted: impl Fn([u8; 3]) -> bool) -> Option<(DVec2, usize)> {
    let mut sum = DVec2::ZERO;
    let mut count = 0;
    for (x, y, pixel) in image.enumerate_pixels() {
        let [r, g, b, _] = pixel.0;
        if wanted([r, g, b]) {
            sum += DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
            count += 1;
        }
    }
    (count > 0).then(|| (sum / count as f64, count))
}

/// A person of twelve boxes on as many bones: a fixed subject for comparing whole pictures.
pub fn box_person() -> SourceFile {
    type Place = (Option<u32>, [f64; 3], [f32; 3], [f32; 3]);
    let places: [Place; 12] = [
        (None, [0.0, 0.98, 0.0], [0.0, 0.0, 0.0], [0.15, 0.10, 0.09]),
        (Some(0), [0.0, 0.12, 0.0], [0.0, 0.22, 0.0], [0.18, 0.22, 0.10]),
        (Some(1), [0.0, 0.50, 0.02], [0.0, 0.12, 0.0], [0.08, 0.12, 0.09]),
        (Some(1), [0.22, 0.40, 0.0], [0.02, -0.14, 0.0], [0.05, 0.15, 0.05]),
        (Some(3), [0.03, -0.29, 0.0], [0.0, -0.13, 0.03], [0.04, 0.14, 0.04]),
        (Some(1), [-0.22, 0.40, 0.0], [-0.02, -0.14, 0.0], [0.05, 0.15, 0.05]),
        (Some(5), [-0.03, -0.29, 0.0], [0.0, -0.13, 0.03], [0.04, 0.14, 0.04]),
        (Some(0), [0.09, -0.06, 0.0], [0.0, -0.21, 0.0], [0.07, 0.21, 0.08]),
        (Some(7), [0.0, -0.43, 0.0], [0.0, -0.22, 0.0], [0.055, 0.21, 0.06]),
        (Some(0), [-0.09, -0.06, 0.0], [0.0, -0.21, 0.0], [0.07, 0.21, 0.08]),
        (Some(9), [0.0, -0.43, 0.0], [0.0, -0.22, 0.0], [0.055, 0.21, 0.06]),
        (Some(8), [0.0, -0.44, 0.0], [0.0, -0.01, 0.06], [0.05, 0.04, 0.13]),
    ];
    let bones = places.iter().map(|&(parent, at, ..)| bone(parent, at)).collect();
    let meshes = places.iter().enumerate().map(|(i, &(.., middle, half))| Mesh {
        carried_by: Some(BoneIndex(i as u32)),
        material: Some(0),
        ..with_flat_normals(&cuboid(middle, half))
    });
    let mut file = file(bones, meshes.collect());
    file.materials.push(material([0.42, 0.46, 0.52, 1.0], None));
    file
}

/// Every triangle with corners and normals of its own.
fn with_flat_normals(mesh: &Mesh) -> Mesh {
    let mut flat = Mesh { at: mesh.at, ..Mesh::default() };
    for triangle in mesh.indices.chunks(3) {
        let corners = [0, 1, 2].map(|i| Vec3::from(mesh.positions[triangle[i] as usize]));
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or(Vec3::Y);
        for corner in corners {
            flat.indices.push(flat.positions.len() as u32);
            flat.positions.push(corner.to_array());
            flat.normals.push(normal.to_array());
        }
    }
    flat
}

/// A skin over some bones, bound at the node pose.
pub fn skin(skeleton: &Skeleton, joints: &[u32]) -> Skin {
    let bound = skeleton.node_pose_component();
    let joints: Vec<BoneIndex> = joints.iter().map(|&joint| BoneIndex(joint)).collect();
    let inverse_binds = joints.iter().map(|joint| bound[joint.get()].inverse()).collect();
    Skin { joints, inverse_binds }
}
