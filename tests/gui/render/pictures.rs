//! Whole pictures: compared with those kept here, handed to another pass, and the shaders themselves.

use std::path::Path;
use std::sync::Arc;

use eframe::wgpu;
use egui_kittest::SnapshotOptions;
use glam::{DAffine3, DVec3};
use image::RgbaImage;
use stridesmith::render::{
    Arrow, BoneShape, Camera, Depth, Disc, Figure, Gpu, Model, Offscreen, Palette, Polyline, Scene, View, rgb,
    with_alpha,
};

use super::subject::{SIZE, box_person, offscreen};

fn person(scene: &Scene) -> (Figure, Vec<DAffine3>) {
    let source = box_person();
    let model = Arc::new(Model::new(&source));
    let mut local: Vec<DAffine3> = source.skeleton.bones().iter().map(|bone| bone.node_pose.to_affine()).collect();
    for (bone, angle) in [(3, -0.5), (4, -0.4), (5, 0.6), (6, -0.5), (7, -0.5), (8, 0.35), (9, 0.35), (10, 0.5)] {
        local[bone] *= DAffine3::from_rotation_x(angle);
    }
    let mut pose: Vec<DAffine3> = Vec::new();
    for (bone, local) in source.skeleton.bones().iter().zip(local) {
        pose.push(bone.parent.map_or(local, |parent| pose[parent.get()] * local));
    }
    assert!(scene.figures.len() < 2);
    (Figure::new(model, pose.as_slice().into()), pose)
}

/// A figure with everything around it.
fn everything(palette: Palette) -> Scene {
    let camera = Camera::new(DVec3::new(0.0, 0.8, 0.2), 4.4).looking(View::ThreeQuarter);
    let mut scene = Scene::new(camera, palette);
    let (figure, pose) = person(&scene);
    let mut ghost = figure.clone();
    ghost.style.opacity = 0.35;
    ghost.style.tint = Some(with_alpha(rgb(0x6aa8ff), 0.8));
    ghost.world_from_component = DAffine3::from_translation(DVec3::new(-0.7, 0.0, -0.5));
    let mut skinny = figure.clone();
    skinny.show_mesh = false;
    skinny.world_from_component = DAffine3::from_translation(DVec3::new(0.9, 0.0, 0.3));
    let joint = |bone: usize| pose[bone].translation.as_vec3().to_array();
    skinny.bones = [(0, 1), (1, 2), (3, 4), (5, 6), (7, 8), (9, 10), (8, 11), (2, 2)]
        .map(|(from, to)| BoneShape {
            bone: stridesmith::motion::BoneIndex(from as u32),
            from: joint(from),
            to: joint(to),
            width_m: 0.06,
            color: rgb(0x4a9df0),
            selected: from == 7,
        })
        .to_vec();
    scene.figures = vec![figure, ghost, skinny];
    let points: Vec<[f32; 3]> = (0..60)
        .map(|i| {
            let t = f64::from(i) / 59.0;
            scene.relative(DVec3::new(0.25 * (t * 12.0).sin(), 0.02 + 0.1 * (t * 19.0).sin().abs(), 1.6 * t - 0.8))
        })
        .collect();
    let colors = (0..60).map(|i| [1.0, i as f32 / 59.0, 0.1, 1.0]).collect();
    scene.lines.push(Polyline { points, colors, width: 2.0, depth: Depth::XRay });
    scene.discs.push(Disc {
        center: scene.relative(DVec3::new(0.1, 0.001, 0.3)),
        normal: [0.0, 1.0, 0.0],
        radius_m: 0.16,
        inner_m: 0.12,
        color: with_alpha(rgb(0x3ecf8e), 0.9),
        depth: Depth::Tested,
    });
    scene.arrows.push(Arrow {
        from: scene.relative(DVec3::ZERO),
        to: scene.relative(DVec3::new(0.0, 0.0, 0.9)),
        width_m: 0.03,
        color: rgb(0xffc53d),
        depth: Depth::XRay,
    });
    scene
}

fn compare(name: &str, scene: &Scene) {
    let mut device = offscreen();
    let (.., adapter) = device.device();
    if adapter.device_type != wgpu::DeviceType::Cpu {
        println!("skipped: {} smooths edges, the kept pictures were drawn by a processor", adapter.name);
        return;
    }
    let image = device.image(scene, [480, 320]).unwrap();
    let options = SnapshotOptions::new().threshold(0.6).max_failed_pixels(24).output_path("tests/gui/snapshots");
    egui_kittest::image_snapshot_options(&image, name, &options);
}

#[test]
fn everything_together_in_the_dark() {
    compare("render_dark", &everything(Palette::dark()));
}

#[test]
fn everything_together_in_the_light_without_perspective() {
    let mut scene = everything(Palette::light());
    scene.camera = scene.camera.switched();
    compare("render_light", &scene);
}

/// Draws through [`Gpu`] into another pass, as the window does.
fn through_another_pass(
    source: &Offscreen,
    adapter: &wgpu::AdapterInfo,
    format: wgpu::TextureFormat,
    scene: &Scene,
) -> RgbaImage {
    let (device, queue, _) = source.device();
    let mut gpu = Gpu::new(device, queue, adapter, format);
    let target = device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: SIZE[0], height: SIZE[1], depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    gpu.render(&mut encoder, scene, SIZE);
    let view = target.create_view(&wgpu::TextureViewDescriptor::default());
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: &view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations::default(),
        })],
        ..Default::default()
    });
    gpu.blit(&mut pass);
    drop(pass);
    queue.submit([encoder.finish()]);
    source.read(&target).unwrap()
}

/// Into a pass like egui's, which blends encoded colours, and into one that encodes itself.
#[test]
fn another_pass_gets_the_same_picture() {
    let mut source = offscreen();
    let scene = everything(Palette::dark());
    let direct = source.image(&scene, SIZE).unwrap();
    let (.., adapter) = source.device();
    for format in [wgpu::TextureFormat::Rgba8Unorm, wgpu::TextureFormat::Rgba8UnormSrgb] {
        let image = through_another_pass(&source, adapter, format, &scene);
        let worst = image.as_raw().iter().zip(direct.as_raw()).map(|(a, b)| a.abs_diff(*b)).max().unwrap();
        assert!(worst <= 1, "{format:?}: {worst}");
    }
}

/// A graphics card smooths edges and changes nothing else.
#[test]
fn more_samples_smooth_the_edges_alone() {
    let source = offscreen();
    let scene = everything(Palette::dark());
    let (.., adapter) = source.device();
    let drawn_by = |device_type| {
        let adapter = wgpu::AdapterInfo { device_type, ..adapter.clone() };
        through_another_pass(&source, &adapter, wgpu::TextureFormat::Rgba8Unorm, &scene)
    };
    let (rough, smooth) = (drawn_by(wgpu::DeviceType::Cpu), drawn_by(wgpu::DeviceType::IntegratedGpu));
    let apart = |a: &image::Rgba<u8>, b: &image::Rgba<u8>| a.0.iter().zip(b.0).any(|(a, b)| a.abs_diff(b) > 12);
    let differing = rough.pixels().zip(smooth.pixels()).filter(|(a, b)| apart(a, b)).count();
    let all = (SIZE[0] * SIZE[1]) as usize;
    assert!(differing > 100 && differing < all / 30, "{differing} of {all}");
}

#[test]
fn every_shader_is_valid_without_optional_features() {
    use wgpu::naga::{front::wgsl, valid};
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/render/gpu/shaders");
    let common = std::fs::read_to_string(folder.join("common.wgsl")).unwrap();
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let own = std::fs::read_to_string(&path).unwrap();
        let alone = path.ends_with("blit.wgsl") || path.ends_with("common.wgsl");
        let code = if alone { own } else { format!("{common}\n{own}") };
        let module = wgsl::parse_str(&code).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut validator = valid::Validator::new(valid::ValidationFlags::all(), valid::Capabilities::empty());
        validator.validate(&module).unwrap_or_else(|error| panic!("{}: {error:?}", path.display()));
        count += 1;
    }
    assert!(count >= 7);
}

#[test]
fn sizes_that_cannot_be_are_refused() {
    let mut device = offscreen();
    let scene = everything(Palette::dark());
    assert!(device.image(&scene, [0, 10]).is_err());
    assert!(device.image(&scene, [10, 1_000_000]).is_err());
    assert_eq!(device.image(&scene, [1, 1]).unwrap().dimensions(), (1, 1));
    assert_eq!(device.image(&scene, [3, 700]).unwrap().dimensions(), (3, 700));
}
