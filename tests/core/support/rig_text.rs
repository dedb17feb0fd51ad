//! Skeletons written as indented text, for rig fixtures.
//!
//! One bone a line: name, `@`, component position in centimetres (`x y` or `x y z`). A bone whose name holds `{l}`,
//! `{L}`, `{left}` or `{Left}` stands for a left and a right one, with everything below; the right one has its x
//! mirrored. A leading `!` marks a node that is no joint.

#![expect(clippy::unwrap_used, reason = "a fixture that does not build is a failed test")]

use std::sync::Arc;

use glam::DVec3;
use stridesmith::motion::{Bone, BoneIndex, Skeleton, Transform};

struct Line {
    indent: usize,
    name: String,
    joint: bool,
    at: DVec3,
}

pub fn skeleton(text: &str) -> Arc<Skeleton> {
    let lines: Vec<Line> = text.lines().filter(|line| !line.trim().is_empty()).map(parse).collect();
    let mut bones = Vec::new();
    let mut tops = Vec::new();
    subtrees(&lines, &mut |tree| add(tree, None, None, &mut bones, &mut tops));
    Arc::new(Skeleton::new(bones).unwrap())
}

/// A fixture's name on the left or right side.
pub fn on_side(name: &str, left: bool) -> String {
    let pick = |l: &'static str, r: &'static str| if left { l } else { r };
    name.replace("{l}", pick("l", "r"))
        .replace("{L}", pick("L", "R"))
        .replace("{left}", pick("left", "right"))
        .replace("{Left}", pick("Left", "Right"))
}

fn parse(line: &str) -> Line {
    let indent = line.len() - line.trim_start().len();
    let (name, at) = line.trim().rsplit_once('@').unwrap_or_else(|| panic!("no @ in {line:?}"));
    let numbers: Vec<f64> = at.split_whitespace().map(|n| n.parse().unwrap()).collect();
    let (joint, name) = name.trim().strip_prefix('!').map_or((true, name.trim()), |name| (false, name));
    let at = DVec3::new(numbers[0], numbers[1], numbers.get(2).copied().unwrap_or(0.0)) / 100.0;
    Line { indent, name: name.to_owned(), joint, at }
}

fn subtrees<'l>(lines: &'l [Line], each: &mut dyn FnMut(&'l [Line])) {
    let mut start = 0;
    while start < lines.len() {
        let inside = lines[start + 1..].iter().take_while(|line| line.indent > lines[start].indent).count();
        each(&lines[start..=start + inside]);
        start += inside + 1;
    }
}

fn add(tree: &[Line], parent: Option<BoneIndex>, left: Option<bool>, bones: &mut Vec<Bone>, at: &mut Vec<DVec3>) {
    let sides: &[Option<bool>] = if left.is_none() && on_side(&tree[0].name, true) != tree[0].name {
        &[Some(true), Some(false)]
    } else {
        &[left]
    };
    for &side in sides {
        let mirrored = if side == Some(false) { DVec3::new(-1.0, 1.0, 1.0) } else { DVec3::ONE };
        let position = tree[0].at * mirrored;
        let above = parent.map_or(DVec3::ZERO, |p: BoneIndex| at[p.get()]);
        bones.push(Bone {
            name: side.map_or(tree[0].name.clone(), |left| on_side(&tree[0].name, left)),
            parent,
            node_pose: Transform { translation: position - above, ..Transform::IDENTITY },
            bind_pose: None,
            is_joint: tree[0].joint,
            node: Some(bones.len() as u32),
        });
        at.push(position);
        let own = BoneIndex(bones.len() as u32 - 1);
        subtrees(&tree[1..], &mut |sub| add(sub, Some(own), side, bones, at));
    }
}
