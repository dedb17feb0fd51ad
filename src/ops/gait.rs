//! The period of a gait, from the heights of the feet, until contacts are known.

use crate::motion::{ChainSampler, Clip, Cycle, Rig, Role, Side, Skeleton, chain_to};

/// A foot that rises less than this has no gait, metres.
pub const NO_GAIT_RISE_M: f64 = 0.01;

/// A longer clip is judged by its beginning, seconds.
const LONGEST_SECS: f64 = 60.0;

/// Length of a leg in the reference pose, metres; without known legs 0.53 × the skeleton's height.
pub fn leg_length(clip: &Clip, rig: &Rig) -> f64 {
    leg_length_of(&clip.skeleton, rig)
}

/// As [`leg_length`], without a clip.
pub fn leg_length_of(skeleton: &Skeleton, rig: &Rig) -> f64 {
    let reference = skeleton.reference_component();
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

/// Heights of a side's foot over the clip's first minute at about `fps`, metres, and the distance of two samples.
fn foot_heights(clip: &Clip, rig: &Rig, side: Side, fps: f64) -> Option<(Vec<f64>, f64)> {
    let foot = rig.bone(Role::Foot(side))?;
    let mut chain = ChainSampler::new(clip, &chain_to(&clip.skeleton, foot));
    let frames = (clip.range.duration_secs() * fps).round().max(1.0);
    let step = clip.range.duration_secs() / frames;
    // Whatever times a file claims, a minute of samples is the most that is made.
    let n = frames.min(LONGEST_SECS * fps) as usize + 1;
    let heights = (0..n).map(|i| chain.last_position_at(clip.range.start_secs + i as f64 * step).y).collect();
    Some((heights, step))
}

/// Whether a known foot rises by more than 1 cm over the clip; `None` when no foot is known.
pub fn foot_rises(clip: &Clip, rig: &Rig, side: Side) -> Option<bool> {
    let foot = rig.bone(Role::Foot(side))?;
    let mut chain = ChainSampler::new(clip, &chain_to(&clip.skeleton, foot));
    let frames = (clip.range.duration_secs() * clip.rate.fps()).round().clamp(1.0, 4096.0);
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for i in 0..=frames as usize {
        let secs = clip.range.start_secs + i as f64 / frames * clip.range.duration_secs();
        let height = chain.last_position_at(secs).y;
        (low, high) = (low.min(height), high.max(height));
        if high - low > NO_GAIT_RISE_M {
            return Some(true);
        }
    }
    Some(false)
}

/// Period of a whole stride (left and right step) in seconds, by autocorrelation of the foot heights; for a clip too
/// short to hold two strides, twice the lag at which one foot does what the other did. `None` without gait. A long
/// clip is judged by its first minute.
pub fn stride_period(clip: &Clip, rig: &Rig) -> Option<f64> {
    // 30 samples a second and a parabola place a period of 1 s to within 1 %.
    let fps = clip.rate.fps().min(30.0);
    let mut feet: Vec<Vec<f64>> = Vec::new();
    let mut step = 0.0;
    for side in [Side::Left, Side::Right] {
        let Some((mut heights, distance)) = foot_heights(clip, rig, side, fps) else { continue };
        let (low, high) = heights.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &y| (l.min(y), h.max(y)));
        if high - low <= NO_GAIT_RISE_M {
            continue;
        }
        let mean = heights.iter().sum::<f64>() / heights.len() as f64;
        heights.iter_mut().for_each(|h| *h -= mean);
        step = distance;
        feet.push(heights);
    }
    let n = feet.first().map(Vec::len).filter(|&n| n >= 8)?;
    let whole = (n - 1) as f64 * step >= clip.range.duration_secs() - 0.5 * step;
    let looped = clip.cycle != Cycle::None && whole;
    // The duplicate key of a loop would be counted twice.
    let n = if looped && clip.cycle == Cycle::LastRepeatsFirst { n - 1 } else { n };
    let lag_of = |secs: f64| (secs / step).round() as usize;

    let same: Vec<f64> = (0..=lag_of(2.5).min(if looped { n } else { 3 * n / 4 }))
        .map(|lag| feet.iter().map(|foot| correlation(foot, foot, n, lag, looped)).sum::<f64>() / feet.len() as f64)
        .collect();
    if let Some(lag) = first_peak(&same, lag_of(0.3), looped.then_some(n)) {
        return Some(lag * step);
    }
    let [left, right] = &feet[..] else { return None };
    let other: Vec<f64> = (0..=lag_of(1.25).min(3 * n / 4))
        .map(|lag| 0.5 * (correlation(left, right, n, lag, looped) + correlation(right, left, n, lag, looped)))
        .collect();
    first_peak(&other, lag_of(0.15), None).map(|lag| 2.0 * lag * step)
}

/// Correlation of `a(t)` with `b(t + lag)`, −1…1, over the overlap; with the part that wraps round when cyclic.
fn correlation(a: &[f64], b: &[f64], n: usize, lag: usize, cyclic: bool) -> f64 {
    let lag = if cyclic { lag % n } else { lag.min(n) };
    let parts = [(&a[..n - lag], &b[lag..n]), if cyclic { (&a[n - lag..n], &b[..lag]) } else { (&a[..0], &b[..0]) }];
    let (mut product, mut a_square, mut b_square) = (0.0, 0.0, 0.0);
    for (x, y) in parts.into_iter().flat_map(|(a, b)| a.iter().zip(b)) {
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
