//! What reading costs, meshes for the preview included, against what ufbx alone needs for loading and baking.

use std::time::{Duration, Instant};

use ufbx::{BakeOpts, LoadOpts};

use super::*;

fn fastest(mut run: impl FnMut()) -> Duration {
    let one = |run: &mut dyn FnMut()| {
        let begun = Instant::now();
        run();
        begun.elapsed()
    };
    (0..15).map(|_| one(&mut run)).min().unwrap_or_default()
}

#[test]
#[ignore = "a measurement: run it alone, with --release"]
fn reading_costs_at_most_a_fifth_more_than_ufbx_alone() {
    let mut ratios = Vec::new();
    for (name, _) in real_files::listed() {
        let Ok(bytes) = std::fs::read(real_files::clips_folder().join(&name)) else { continue };
        let rate = open(bytes.clone()).unwrap().clips.first().map_or(30.0, |clip| clip.rate.fps());
        let alone = fastest(|| {
            let scene = ufbx::load_memory(&bytes, LoadOpts::default()).ok().unwrap();
            for stack in &scene.anim_stacks {
                let bake = BakeOpts { resample_rate: rate, ..BakeOpts::default() };
                std::hint::black_box(ufbx::bake_anim(&scene, &stack.anim, bake).ok());
            }
        });
        let shared: std::sync::Arc<[u8]> = bytes.clone().into();
        let ours = fastest(|| {
            let path = Path::new("a.fbx");
            std::hint::black_box(formats::read(FILE, path, shared.clone(), &NoFetch, &ReadOptions::default()).ok());
        });
        let ratio = ours.as_secs_f64() / alone.as_secs_f64();
        println!("{ratio:.2} × {alone:?}  {name}");
        ratios.push(ratio);
    }
    // Files that are all mesh, or take a tenth of a millisecond, stand a little above.
    ratios.sort_by(f64::total_cmp);
    let median = ratios.get(ratios.len() / 2).copied().unwrap_or(0.0);
    assert!(median <= 1.2 && ratios.iter().all(|ratio| *ratio < 1.7), "median {median}, {ratios:?}");
}
