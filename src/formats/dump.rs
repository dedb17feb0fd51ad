//! Component-space transforms of every bone of every take at even times, as JSON that other programs' dumps share.
//!
//! Layout: `names`, `parents` (−1 for a top), and per take `k`: `a<k>/time` `[frames]` seconds from the take's start,
//! `a<k>/wld_pos` `[frames × bones × 3]` metres, `a<k>/wld_rot` `[frames × bones × 4]` w x y z.

use std::io::{self, Write};
use std::sync::Arc;

use crate::motion::{Clip, ComponentPose, FrameRate, LocalPose, Sampler, Skeleton};

/// Writes the dump of some clips that share a skeleton, at `rate` (each clip's own when `None`).
///
/// # Errors
/// What the sink says.
pub fn write(out: &mut dyn Write, skeleton: &Skeleton, clips: &[Arc<Clip>], rate: Option<FrameRate>) -> io::Result<()> {
    let names: Vec<&str> = skeleton.bones().iter().map(|bone| bone.name.as_str()).collect();
    let parents: Vec<i64> =
        skeleton.bones().iter().map(|bone| bone.parent.map_or(-1, |parent| i64::from(parent.0))).collect();
    write!(out, "{{\"names\":{},\"parents\":{}", json(&names)?, json(&parents)?)?;
    for (k, clip) in clips.iter().enumerate() {
        write_clip(out, k, clip, rate.unwrap_or(clip.rate))?;
    }
    writeln!(out, "}}")
}

fn write_clip(out: &mut dyn Write, k: usize, clip: &Clip, rate: FrameRate) -> io::Result<()> {
    // A take of 1.0333333 s at 30 fps has 32 frames although the product says 30.999999.
    let frames = (clip.range.duration_secs() * rate.fps() + 1e-4).floor() as usize + 1;
    let times: Vec<f64> = (0..frames).map(|i| i as f64 / rate.fps()).collect();
    write!(out, ",\"a{k}/time\":{},\"a{k}/wld_pos\":[", json(&times)?)?;
    let mut sampler = Sampler::new(clip);
    let mut local = LocalPose::node_pose(&clip.skeleton);
    let mut component = ComponentPose::new(&clip.skeleton);
    let mut rotations = Vec::new();
    for (frame, secs) in times.iter().enumerate() {
        sampler.local(clip.range.clamp(clip.range.start_secs + secs), &mut local);
        component.set(&clip.skeleton, &local);
        let positions: Vec<[f64; 3]> = component.0.iter().map(|bone| bone.translation.to_array()).collect();
        let turned: Vec<[f64; 4]> = clip
            .skeleton
            .indices()
            .map(|bone| {
                let q = component.rotation(bone);
                [q.w, q.x, q.y, q.z]
            })
            .collect();
        write!(out, "{}{}", if frame == 0 { "" } else { "," }, json(&positions)?)?;
        rotations.push(turned);
    }
    write!(out, "],\"a{k}/wld_rot\":{}", json(&rotations)?)
}

fn json<T: serde::Serialize>(value: &T) -> io::Result<String> {
    serde_json::to_string(value).map_err(io::Error::other)
}
