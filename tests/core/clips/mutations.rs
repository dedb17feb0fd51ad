//! Bytes cut off and flipped: the answer is `Ok` or `Err`, never a panic, and never slow.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use stridesmith::formats::{NoFetch, ReadOptions, read};
use stridesmith::motion::FileId;

use crate::support::clips;

/// xorshift64*: the same mutations on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % n.max(1)
    }
}

fn mutate(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut out = bytes.to_vec();
    match random.below(4) {
        0 => out.truncate(random.below(bytes.len())),
        1 => {
            // The front holds the counts and offsets.
            let at = random.below(bytes.len().min(2048));
            out[at] ^= 1 << random.below(8);
        }
        2 => {
            for _ in 0..=random.below(16) {
                let at = random.below(bytes.len());
                out[at] = random.below(256) as u8;
            }
        }
        _ => {
            let at = random.below(bytes.len());
            let n = random.below(64).min(bytes.len() - at);
            let with = [0x00, 0xFF, 0x7F][random.below(3)];
            out[at..at + n].fill(with);
        }
    }
    out
}

fn survive(path: &Path, mutations: usize, seed: u64) {
    let bytes = std::fs::read(path).unwrap();
    let mut random = Random(seed | 1);
    let options = ReadOptions::default();
    let whole = Instant::now();
    let _ = read(FileId(0), path, Arc::from(&*bytes), &NoFetch, &options);
    let allowed = Duration::from_secs(5) + whole.elapsed() * 20;
    for i in 0..mutations {
        let mutated: Arc<[u8]> = mutate(&bytes, &mut random).into();
        let begun = Instant::now();
        let outcome = std::panic::catch_unwind(|| read(FileId(0), path, mutated.clone(), &NoFetch, &options));
        assert!(outcome.is_ok(), "{} mutation {i} of seed {seed} panics", clips::short(path));
        assert!(begun.elapsed() < allowed, "{} mutation {i} of seed {seed}: {:?}", clips::short(path), begun.elapsed());
    }
}

fn all(mutations: impl Fn(u64) -> usize + Sync, seed: u64) {
    clips::all().par_iter().for_each(|path| {
        let size = std::fs::metadata(path).unwrap().len();
        survive(path, mutations(size), seed);
    });
}

#[test]
fn mutated_files_are_read_or_refused() {
    all(|size| if size > 200_000 { 40 } else { 150 }, 1);
}

#[test]
#[ignore = "minutes"]
fn many_more_mutations() {
    for seed in 2..10 {
        all(|size| if size > 200_000 { 200 } else { 1000 }, seed);
    }
}
