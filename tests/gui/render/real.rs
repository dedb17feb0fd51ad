//! Real files by other people, where they are at hand: drawn without a complaint, and something is seen.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use stridesmith::formats::{ReadOptions, open};
use stridesmith::motion::{FileId, Rig, RoleOverrides};
use stridesmith::render::{Model, Palette, Portrait, View};

use super::subject::{SIZE, offscreen};

const FILES: [&str; 7] = [
    "simondevyoutube+ThreeJS_Tutorial_ThirdPersonCamera/resources/zombie/walk.fbx",
    "PacktPublishing+Game-Development-Projects-with-Unreal-Engine/Chapter02/Exercise2.03/ExerciseFiles/ThirdPersonWalk.FBX",
    "sketchpunklabs+kaykit_char/res/anim/Med_MovementBasic.glb",
    "nobuyuki83+delfem2/test_inputs/CesiumMan.glb",
    "playcanvas+engine/examples/assets/vat/lumberjack.glb",
    "DragonForgedTheArtist+IClone-CMU-Mocap/All_BVH/subjects/007/007_01.bvh",
    "godotengine+godot-demo-projects/3d/platformer/player/player.glb",
];

#[test]
fn real_files_are_drawn() {
    let given = std::env::var_os("STRIDESMITH_CLIPS").map(PathBuf::from);
    let folder = given.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/clips"));
    if !folder.is_dir() {
        println!("skipped: no clips in {} (set STRIDESMITH_CLIPS)", folder.display());
        return;
    }
    let mut device = offscreen();
    let mut drawn = 0;
    for path in FILES.map(|name| folder.join(name)).into_iter().filter(|path| path.is_file()) {
        let file = Arc::new(open(FileId(0), &path, &ReadOptions::default()).unwrap());
        let rig = Arc::new(Rig::detect(&file.skeleton, &file.declared_roles, &RoleOverrides::default()));
        let clip = file.clips.first().cloned();
        let portrait = Portrait {
            secs: clip.as_ref().map_or(0.0, |clip| (clip.range.start_secs + clip.range.end_secs) * 0.5),
            clip,
            rig,
            size: SIZE,
            view: View::ThreeQuarter,
            orthographic: false,
            mesh: true,
            bones: false,
            grid: true,
            trails: true,
            palette: Palette::dark(),
            file: file.clone(),
        };
        let model = Arc::new(Model::new(&file));
        assert!(model.notes.is_empty(), "{}: {:?}", path.display(), model.notes);
        let mut scene = portrait.scene(model);
        let image = device.image(&scene, SIZE).unwrap();
        scene.figures.clear();
        let without = device.image(&scene, SIZE).unwrap();
        let differing = image.pixels().zip(without.pixels()).filter(|(a, b)| a != b).count();
        // Bones with trails before them show least: the walk of the BVH 453 pixels, shadow included.
        assert!(differing > 150, "{}: only {differing} pixels show the figure", path.display());
        println!("{differing} pixels: {}", path.display());
        drawn += 1;
    }
    println!("{drawn} real files drawn");
}
