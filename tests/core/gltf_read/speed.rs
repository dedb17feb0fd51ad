//! Loading against the `gltf` crate reading every animation channel through its own readers.

use std::hint::black_box;
use std::time::{Duration, Instant};

use gltf::animation::util::ReadOutputs;
use stridesmith::formats::{NoFetch, ReadOptions, gltf_read};
use stridesmith::motion::FileId;

use super::clips::gltf_files;

/// Every channel's times and values, as the crate's users read them.
fn read_by_crate(bytes: &[u8]) -> usize {
    let gltf::Gltf { document, blob } = gltf::Gltf::from_slice(bytes).unwrap();
    let blob = blob.unwrap();
    let mut numbers = 0;
    for channel in document.animations().flat_map(|animation| animation.channels().collect::<Vec<_>>()) {
        let reader = channel.reader(|_| Some(&blob));
        numbers += black_box(reader.read_inputs().unwrap().collect::<Vec<f32>>()).len();
        numbers += match reader.read_outputs().unwrap() {
            ReadOutputs::Translations(values) => black_box(values.collect::<Vec<_>>()).len(),
            ReadOutputs::Scales(values) => black_box(values.collect::<Vec<_>>()).len(),
            ReadOutputs::Rotations(values) => black_box(values.into_f32().collect::<Vec<_>>()).len(),
            ReadOutputs::MorphTargetWeights(values) => black_box(values.into_f32().collect::<Vec<_>>()).len(),
        };
    }
    numbers
}

fn best_of(n: u32, mut run: impl FnMut()) -> Duration {
    let timed = (0..n).map(|_| {
        let start = Instant::now();
        run();
        start.elapsed()
    });
    timed.min().unwrap()
}

#[test]
#[ignore = "measures time: run alone, in release"]
fn loading_takes_at_most_half_again_what_the_crate_takes() {
    let mut total = (Duration::ZERO, Duration::ZERO);
    for path in gltf_files() {
        let refused = ["pointer", "transformed", ".gltf"].iter().any(|part| path.to_string_lossy().contains(part));
        if refused {
            continue;
        }
        let bytes: std::sync::Arc<[u8]> = std::fs::read(&path).unwrap().into();
        let options = ReadOptions::default();
        let theirs = best_of(15, || {
            black_box(read_by_crate(&bytes));
        });
        let ours = best_of(15, || {
            black_box(gltf_read::read(FileId(0), &path, bytes.clone(), &NoFetch, &options).unwrap());
        });
        let ratio = ours.as_secs_f64() / theirs.as_secs_f64();
        println!("{ratio:.2}  {ours:?} of {theirs:?}  {}", path.file_name().unwrap().to_string_lossy());
        total = (total.0 + ours, total.1 + theirs);
    }
    assert!(total.0 <= total.1.mul_f64(1.5), "all together {:?} of {:?}", total.0, total.1);
    println!("all together {:?} of {:?}", total.0, total.1);
}
