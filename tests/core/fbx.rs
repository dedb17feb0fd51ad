//! FBX files: the transform stack and the curves against closed forms, real files against what is known of them and
//! against three other readers.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::print_stderr, reason = "helpers of tests")]

mod bones;
mod curves;
mod damage;
mod meshes;
mod peers;
mod real_files;
mod speed;
mod takes;
mod transforms;

use std::path::Path;

use glam::{DAffine3, DMat3, DQuat, DVec3};
use stridesmith::formats::{self, NoFetch, ReadError, ReadOptions};
use stridesmith::motion::{
    BoneIndex, Clip, ComponentPose, FileId, LocalPose, Property, Sampler, SourceFile, Track, Transform, Warning,
    WarningKind,
};

use crate::support::fbx_ascii::Scene;

const FILE: FileId = FileId(7);

fn open(bytes: Vec<u8>) -> Result<SourceFile, ReadError> {
    formats::read(FILE, Path::new("some/walk 01.fbx"), bytes.into(), &NoFetch, &ReadOptions::default())
}

fn read(scene: &Scene) -> SourceFile {
    open(scene.bytes()).unwrap()
}

fn bone(file: &SourceFile, name: &str) -> BoneIndex {
    file.skeleton.find(name).unwrap_or_else(|| panic!("no bone {name}"))
}

fn track(clip: &Clip, bone: BoneIndex, property: Property) -> &Track {
    clip.track(bone, property).unwrap_or_else(|| panic!("no {property:?} track"))
}

fn local_at(clip: &Clip, bone: BoneIndex, secs: f64) -> Transform {
    let mut pose = LocalPose::node_pose(&clip.skeleton);
    Sampler::new(clip).local(secs, &mut pose);
    pose.0[bone.get()]
}

fn component_at(clip: &Clip, bone: BoneIndex, secs: f64) -> DAffine3 {
    let pose: ComponentPose = clip.component_at(secs);
    pose.0[bone.get()]
}

fn warned<'w>(file: &'w SourceFile, kind: WarningKind, part: &str) -> &'w Warning {
    let found = file.warnings.iter().find(|warning| warning.kind == kind && warning.message.contains(part));
    found.unwrap_or_else(|| panic!("no {kind:?} warning with \"{part}\" in {:?}", file.warnings))
}

/// Product of the three axis rotations in the order that FBX's enum names: the first letter turns first.
fn euler(order: i32, degrees: [f64; 3]) -> DQuat {
    let turns = [
        DQuat::from_rotation_x(degrees[0].to_radians()),
        DQuat::from_rotation_y(degrees[1].to_radians()),
        DQuat::from_rotation_z(degrees[2].to_radians()),
    ];
    let axes = [[0, 1, 2], [0, 2, 1], [1, 2, 0], [1, 0, 2], [2, 0, 1], [2, 1, 0]][order as usize];
    turns[axes[2]] * turns[axes[1]] * turns[axes[0]]
}

#[track_caller]
fn assert_near(a: DVec3, b: DVec3, tolerance: f64) {
    assert!((a - b).length() <= tolerance, "{a} is not {b}");
}

#[track_caller]
fn assert_same_rotation(a: DQuat, b: DQuat, tolerance_rad: f64) {
    let angle = stridesmith::motion::transform::angle_between(a, b);
    assert!(angle <= tolerance_rad, "{a} is not {b}: {} degrees apart", angle.to_degrees());
}

#[track_caller]
fn assert_same_matrix(a: DMat3, b: DMat3, tolerance: f64) {
    assert!((a - b).to_cols_array().iter().all(|d| d.abs() <= tolerance), "{a} is not {b}");
}
