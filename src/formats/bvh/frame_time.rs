//! The rate behind a rounded `Frame Time:`.

use super::rows::Head;
use crate::motion::{FrameRate, Warning, WarningKind};

/// Rates that programs offer; whole ones first, since 59.94 lies within the rounding of many a 60.
const WHOLE: [f64; 11] = [24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 90.0, 100.0, 120.0, 200.0, 240.0];
const BROADCAST: [f64; 4] = [24_000.0 / 1001.0, 30_000.0 / 1001.0, 60_000.0 / 1001.0, 120_000.0 / 1001.0];

/// The rate `f` whose `1/f` is within the rounding of what is written: less than one unit of its last decimal and
/// less than 2 % away, the nearest one, whole rates before broadcast ones.
fn snapped(secs: f64, decimals: i32) -> Option<f64> {
    let reach = 10f64.powi(-decimals).min(0.02 * secs);
    let nearest = |rates: &[f64]| {
        let misses = rates.iter().map(|&rate| ((1.0 / rate - secs).abs(), rate));
        misses.filter(|(miss, _)| *miss < reach).min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, rate)| rate)
    };
    nearest(&WHOLE).or_else(|| nearest(&BROADCAST))
}

/// Seconds per frame, and frames per second.
pub fn resolve(head: &Head, frames: usize, warnings: &mut Vec<Warning>) -> (f64, FrameRate) {
    let mut warn = |message: String| {
        if frames > 0 {
            warnings.push(Warning { kind: WarningKind::Timing, place: "Frame Time".into(), message, count: 1 });
        }
    };
    let Some((secs, rate)) = head.frame_secs.and_then(|secs| Some((secs, FrameRate::new(1.0 / secs)?))) else {
        let fallback = FrameRate::FALLBACK;
        warn(format!("no usable frame time: {} frames per second were assumed", fallback.fps()));
        return (fallback.frame_secs(), fallback);
    };
    match snapped(secs, head.decimals).and_then(FrameRate::new) {
        None => (secs, rate),
        Some(meant) => {
            if meant.frame_secs() != secs {
                warn(format!("a frame time of {secs} s was read as {:.5} frames per second", meant.fps()));
            }
            (meant.frame_secs(), meant)
        }
    }
}
