//! The period of a gait, from the heights of the feet, until contacts are known.

use super::OpError;
use crate::motion::{ChainSampler, Clip, Cycle, Rig, Role, Side, chain_to};

/// A foot that rises less than this has no gait, metres.
pub const NO_GAIT_RISE_M: f64 = 0.01;

/// A longer clip is judged by its beginning, seconds.
const LONGEST_SECS: f64 = 60.0;

/// Length of a leg in the reference pose, metres; without known legs 0.53 × the skeleton's height.
pub fn leg_length(clip: &Clip, rig: &Rig) -> f64 {
    let reference = clip.skeleton.reference_component();
    let leg = |side| {
        let [thigh, calf, foot] = [Role::Thigh(side), Role::Calf(side), Role::Foot(side)].map(|role| rig.bone(role));
        let at = |bone: crate::motion::BoneIndex| reference[bone.get()].translation;
        let length = at(thigh?).distance(at(calf?)) + at(calf?).distance(at(foot?));
        (length > 1e-6).then_some(length)
    };
    leg(Side::Left).or_else(|| leg(Side::Right)).unwrap_or_else(|| {
        let heights = reference.iter().map(|bone| bone.translation.y);
        let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), y| (l.min(y), h.max(y)));
        (0.53 * (high - low)).max(1e-3)
    })
}

/// Heights of a side's foot over the clip at `fps`, metres.
fn foot_heights(clip: &Clip, rig: &Rig, side: Side, fps: f64) -> Option<Vec<f64>> {
    let foot = rig.bone(Role::Foot(side))?;
    let mut chain = ChainSampler::new(clip, &chain_to(&clip.skeleton, foot));
    let duration = clip.range.duration_secs();
    let n = (duration * fps).round() as usize + 1;
    let step = duration / (n.max(2) - 1) as f64;
    let n = n.min((LONGEST_SECS * fps) as usize);
    Some((0..n).map(|i| chain.last_at(clip.range.start_secs + i as f64 * step).translation.y).collect())
}

/// Whether a known foot rises by more than 1 cm over the clip; `None` when no foot is known.
pub fn foot_rises(clip: &Clip, rig: &Rig, side: Side) -> Option<bool> {
    let heights = foot_heights(clip, rig, side, clip.rate.fps().min(60.0))?;
    let (low, high) = heights.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &y| (l.min(y), h.max(y)));
    Some(high - low > NO_GAIT_RISE_M)
}

/// Period of a whole stride (left and right step) in seconds, by autocorrelation of the foot heights; for a clip too
/// short to hold two strides, twice the lag at which one foot does what the other did. `None` without gait.
///
/// # Errors
/// The clip would need too many samples.
pub fn stride_period(clip: &Clip, rig: &Rig) -> Result<Option<f64>, OpError> {
    let duration = clip.range.duration_secs();
    // 30 samples a second and a parabola place a period of 1 s to within 1 %; an hour long clip is judged by its
    // first minute.
    let fps = clip.rate.fps().min(30.0);
    let mut feet: Vec<Vec<f64>> = Vec::new();
    for side in [Side::Left, Side::Right] {
        let Some(mut heights) = foot_heights(clip, rig, side, fps) else { continue };
        let mean = heights.iter().sum::<f64>() / heights.len() as f64;
        let range = heights.iter().fold(0.0_f64, |most, h| most.max((h - mean).abs()));
        if range <= NO_GAIT_RISE_M * 0.5 {
            continue;
        }
        heights.iter_mut().for_each(|h| *h -= mean);
        feet.push(heights);
    }
    let Some(n) = feet.first().map(Vec::len).filter(|&n| n >= 8) else { return Ok(None) };
    let looped = clip.cycle != Cycle::None;
    // The duplicate key of a loop would be counted twice.
    let n = if clip.cycle == Cycle::LastRepeatsFirst { n - 1 } else { n };
    let step = duration / ((duration * fps).round().max(1.0));
    let lag_of = |secs: f64| (secs / step).round() as usize;

    let same: Vec<f64> = (0..=lag_of(2.5).min(if looped { n } else { 3 * n / 4 }))
        .map(|lag| feet.iter().map(|foot| correlation(foot, foot, n, lag, looped)).sum::<f64>() / feet.len() as f64)
        .collect();
    if let Some(lag) = first_peak(&same, lag_of(0.3), looped.then_some(n)) {
        return Ok(Some(lag * step));
    }
    if let [left, right] = &feet[..] {
        let other: Vec<f64> = (0..=lag_of(1.25).min(3 * n / 4))
            .map(|lag| 0.5 * (correlation(left, right, n, lag, looped) + correlation(right, left, n, lag, looped)))
            .collect();
        if let Some(lag) = first_peak(&other, lag_of(0.15), None) {
            return Ok(Some(2.0 * lag * step));
        }
    }
    Ok(None)
}

/// Correlation of `a(t)` with `b(t + lag)`, −1…1, cyclic or over the overlap.
fn correlation(a: &[f64], b: &[f64], n: usize, lag: usize, cyclic: bool) -> f64 {
    let count = if cyclic { n } else { n.saturating_sub(lag) };
    let (mut product, mut a_square, mut b_square) = (0.0, 0.0, 0.0);
    for i in 0..count {
        let (x, y) = (a[i], b[(i + lag) % n]);
        product += x * y;
        a_square += x * x;
        b_square += y * y;
    }
    let size = (a_square * b_square).sqrt();
    if size > 1e-12 { product / size } else { 0.0 }
}

/// First local maximum of at least 0.6 that is near the highest one, refined by a parabola. In a loop the whole
/// length always correlates fully and counts as a peak.
fn first_peak(values: &[f64], from: usize, whole: Option<usize>) -> Option<f64> {
    let is_peak = |i: usize| {
        let ends = whole == Some(i);
        let rises = i > 0 && values[i] >= values[i - 1];
        let falls = i + 1 < values.len() && values[i] > values[i + 1];
        rises && (falls || ends)
    };
    let peaks: Vec<usize> = (from.max(1)..values.len()).filter(|&i| is_peak(i) && values[i] >= 0.6).collect();
    let highest = peaks.iter().map(|&i| values[i]).fold(f64::NEG_INFINITY, f64::max);
    let i = peaks.into_iter().find(|&i| values[i] >= highest - 0.15)?;
    if i + 1 >= values.len() {
        return Some(i as f64);
    }
    let (a, b, c) = (values[i - 1], values[i], values[i + 1]);
    let bend = a - 2.0 * b + c;
    let shift = if bend < -1e-12 { (0.5 * (a - c) / bend).clamp(-0.5, 0.5) } else { 0.0 };
    Some(i as f64 + shift)
}
