//! A clip as the text of a BVH file, so that tests of BVH have truth that was made in code.

#![allow(clippy::unwrap_used, reason = "writing into a String does not fail")]

use std::fmt::Write;

use glam::{DVec3, EulerRot};
use stridesmith::motion::{BoneIndex, Clip, LocalPose, Sampler, Skeleton};

/// Length of a file's unit.
pub const METRES_PER_UNIT: f64 = 0.01;

/// Centimetres; ZXY channels, and positions for the top joint. The skeleton must have one top and no rotation in its
/// node pose, as generated BVH-style mannequins have.
pub fn bvh_text(clip: &Clip) -> String {
    let skeleton = &clip.skeleton;
    let mut text = "HIERARCHY\n".to_owned();
    let mut order = Vec::new();
    joint(&mut text, skeleton, BoneIndex(0), 0, &mut order);
    let step = clip.rate.frame_secs();
    let frames = (clip.range.duration_secs() / step).round() as usize + 1;
    writeln!(text, "MOTION\nFrames: {frames}\nFrame Time: {step:.9}").unwrap();
    let mut sampler = Sampler::new(clip);
    let mut pose = LocalPose::node_pose(skeleton);
    for frame in 0..frames {
        sampler.local(clip.range.clamp(clip.range.start_secs + frame as f64 * step), &mut pose);
        for &bone in &order {
            let transform = pose.0[bone.get()];
            if skeleton.parent(bone).is_none() {
                write!(text, "{} ", numbers(transform.translation / METRES_PER_UNIT)).unwrap();
            }
            let (z, x, y) = transform.rotation.to_euler(EulerRot::ZXY);
            write!(text, "{} ", numbers(DVec3::new(z, x, y) * 1.0_f64.to_degrees())).unwrap();
        }
        text.push('\n');
    }
    text
}

fn joint(text: &mut String, skeleton: &Skeleton, bone: BoneIndex, depth: usize, order: &mut Vec<BoneIndex>) {
    order.push(bone);
    let is_top = depth == 0;
    let indent = "\t".repeat(depth);
    let word = if is_top { "ROOT" } else { "JOINT" };
    let positions = if is_top { "6 Xposition Yposition Zposition" } else { "3" };
    let offset = skeleton.bone(bone).node_pose.translation / METRES_PER_UNIT;
    writeln!(text, "{indent}{word} {}\n{indent}{{", skeleton.bone(bone).name).unwrap();
    writeln!(text, "{indent}\tOFFSET {}", numbers(offset)).unwrap();
    writeln!(text, "{indent}\tCHANNELS {positions} Zrotation Xrotation Yrotation").unwrap();
    let children: Vec<BoneIndex> = skeleton.children(bone).collect();
    for &child in &children {
        joint(text, skeleton, child, depth + 1, order);
    }
    if children.is_empty() {
        writeln!(text, "{indent}\tEnd Site\n{indent}\t{{\n{indent}\t\tOFFSET 0 0 8\n{indent}\t}}").unwrap();
    }
    writeln!(text, "{indent}}}").unwrap();
}

fn numbers(v: DVec3) -> String {
    format!("{:.7} {:.7} {:.7}", v.x, v.y, v.z)
}
