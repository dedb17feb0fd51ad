//! What went wrong in public with other programs for this job, each fault a test here that makes the input in code.
//!
//! Faults whose test stands with the part it concerns:
//!
//! | fault | tests |
//! |---|---|
//! | in place loses residual, output + path ≠ input | `ops::extraction::output_plus_path_is_the_input`, [`in_place`] |
//! | switching outputs drops root motion | `ops::extraction::nothing_is_seen_to_move_and_both_outputs_share_the_character`, [`root`] |
//! | twist by Euler angles, undefined twist | `ops::yaw`, [`turning`] |
//! | a loop snaps back at its seam | `session::export::a_loop_says_what_a_round_adds`, [`turning`] |
//! | "hips not found" by spelling | `rig::behaviour::hips_in_every_spelling_people_met`, [`spelling`] |
//! | deformed where the root is not on top | `ops::extraction::a_bone_between_root_and_pelvis_takes_its_other_children_along`, [`root`] |
//! | travel off by 100 under a scaled armature | `ops::extraction::a_root_is_added_where_there_is_none`, [`units`] |
//! | extra keys for Euler steps above 180° | `fbx::curves::the_authored_way_round_is_followed`, [`fbx`] |
//! | Euler jumps | `fbx::curves::wraps_of_dense_euler_keys_go_the_short_way_and_are_said`, [`fbx`] |
//! | pivots split a bone into several | `fbx::transforms::pivots_are_folded_into_one_bone` |
//! | rotation orders, order of pre- and post-rotation | `fbx::transforms::all_six_orders_agree_with_the_product_of_matrices_at_rest_and_animated`, `…::pre_rotation_stands_before_and_post_rotation_is_inverted` |
//! | Z-up files lying down | `fbx::transforms::who_faces_the_files_front_faces_plus_z`, `bvh::guesses::a_figure_that_stands_along_z_is_stood_up`, [`fbx`] |
//! | reference pose from frame 0, a take's pose leaking | `fbx::takes::takes_keep_names_and_order_and_do_not_leak_into_each_other`, `fbx::bones::node_pose_and_bind_pose_are_two_things`, `bvh::tracks::the_node_pose_is_the_offset_without_rotation`, [`poses`] |
//! | BVH channel order, positions, unit | `bvh::tracks`, `bvh::guesses`, [`poses`] |
//! | glTF pointer channels, channels without a node, unknown required extensions | `gltf_read::quirks`, kept on writing: `gltf_write::patch::channels_that_drive_no_bone_are_carried` |
//! | constant Euler curves | `fbx::curves::constant_rotation_steps_too`, [`fbx`] |

#![allow(clippy::unwrap_used, reason = "functions that tests share are tests, too")]

mod fbx;
mod in_place;
mod limits;
mod poses;
mod root;
mod spelling;
mod timing;
mod turning;
mod units;

use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use glam::DVec3;
use stridesmith::formats::sidecar::{CurveRecord, Record, Sidecar};
use stridesmith::formats::{self, ReadOptions};
use stridesmith::motion::demo::{self, DemoSpec, Truth};
use stridesmith::motion::*;
use stridesmith::ops::path::{PathMode, PathSettings, YawSource};
use stridesmith::ops::root_motion::{Extract, InPlace, RootSettings, RootStart};
use stridesmith::ops::{ClipId, Evaluation, Op};
use stridesmith::session::{Action, Change, ExportRequest, Session};

use crate::support::exports;

/// A session with one file, and a folder of its own.
struct Desk {
    folder: tempfile::TempDir,
    session: Session,
    take: ClipId,
}

/// An exported file as it was read back.
struct Written {
    file: SourceFile,
    clip: Arc<Clip>,
    rig: Rig,
    record: Record,
}

impl Desk {
    /// Opens a file from the disk.
    fn of_bytes(name: &str, bytes: &[u8]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        put(&folder.path().join(name), bytes);
        let mut session = Session::default();
        session.handle(Action::Open(vec![folder.path().join(name)])).unwrap();
        let take = session.selection().shown().unwrap();
        Self { folder, session, take }
    }

    fn of_file(make: impl FnOnce(FileId) -> SourceFile) -> Self {
        let mut session = Session::default();
        session.open_generated(make).unwrap();
        let take = session.selection().shown().unwrap();
        Self { folder: tempfile::tempdir().unwrap(), session, take }
    }

    /// A clip on a skeleton without a mesh.
    fn of_clip(clip: &Arc<Clip>) -> Self {
        let mut file = exports::file(Format::Generated, clip.skeleton.bones().to_vec());
        file.skeleton = clip.skeleton.clone();
        file.clips = vec![Arc::new(Clip { take: Some(0), ..Clip::clone(clip) })];
        Self::of_file(|id| SourceFile { id, ..file })
    }

    fn of_demo(spec: &DemoSpec) -> (Self, Truth) {
        let mut truth = None;
        let desk = Self::of_file(|id| {
            let demo = demo::generate(spec, id).unwrap();
            truth = Some(demo.truth().clone());
            demo.file
        });
        (desk, truth.unwrap())
    }

    fn file(&self) -> &SourceFile {
        &self.session.document().files()[0].file
    }

    /// The take as it was read.
    fn source(&self) -> Arc<Clip> {
        self.evaluate(self.take).clip.clone()
    }

    fn evaluate(&self, clip: ClipId) -> Arc<Evaluation> {
        let result = self.session.evaluate(clip).unwrap();
        assert_eq!(result.refused, None);
        result
    }

    fn apply(&mut self, op: Op) -> ClipId {
        self.apply_to(self.take, op)
    }

    fn apply_to(&mut self, clip: ClipId, op: Op) -> ClipId {
        self.session.handle(Action::Change(Change::apply(op, vec![clip]))).unwrap();
        self.session.selection().shown().unwrap()
    }

    /// Writes a clip into a file and reads it back.
    fn export(&mut self, clip: ClipId) -> Written {
        let folder = Some(self.folder.path().to_owned());
        let request = ExportRequest { clips: vec![clip], folder, ..ExportRequest::default() };
        self.session.handle(Action::Export(request)).unwrap();
        let path = self.session.exported_to(clip).unwrap().to_owned();
        let file = formats::open(FileId(99), &path, &ReadOptions::default()).unwrap();
        let text = std::fs::read(path.with_extension("stridesmith.json")).unwrap();
        let record = Sidecar::read(&text).unwrap().records()[0].clone();
        let name = &self.session.document().clip(clip).unwrap().name;
        let clip = file.clips.iter().find(|clip| clip.name == *name).unwrap().clone();
        let rig = rig_of(&file, &clip);
        Written { file, clip, rig, record }
    }
}

impl Written {
    fn bone(&self, name: &str) -> BoneIndex {
        self.file.skeleton.find(name).unwrap_or_else(|| panic!("no bone {name}"))
    }

    fn position(&self, name: &str, secs: f64) -> DVec3 {
        self.clip.component_at(secs).position(self.bone(name))
    }

    /// Values of a curve in the sidecar; seconds count from the first key.
    fn curve(&self, name: &str) -> &[(f64, f64)] {
        curve(&self.record, name)
    }
}

fn curve<'r>(record: &'r Record, name: &str) -> &'r [(f64, f64)] {
    let named = |curve: &&CurveRecord| curve.name == name;
    &record.curves.iter().find(named).unwrap_or_else(|| panic!("no curve {name}")).keys
}

fn put(path: &Path, bytes: &[u8]) {
    std::fs::File::create(path).unwrap().write_all(bytes).unwrap();
}

fn rig_of(file: &SourceFile, clip: &Clip) -> Rig {
    let none = RoleOverrides::default();
    Rig::detect(&file.skeleton, &file.declared_roles, &none).with_travel(clip, &none)
}

fn path(path: PathMode, yaw: YawSource) -> PathSettings {
    PathSettings { path, yaw, ..PathSettings::default() }
}

fn extract(path: PathSettings, start: RootStart) -> Op {
    Op::Extract(Extract { path, root: RootSettings { start, ..RootSettings::default() } })
}

fn in_place(path: PathSettings, start: RootStart) -> Op {
    Op::InPlace(InPlace { path, root: RootSettings { start, ..RootSettings::default() } })
}

/// Numbers in −1…1 that are the same every time.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// Every bone is where it was, at a hundred times and one; the root, and what rides with it by design, may differ.
#[track_caller]
fn assert_same_motion(before: &Clip, after: &Clip, what: &str) {
    for i in 0..=100 {
        let secs = before.range.start_secs + before.range.duration_secs() * f64::from(i) / 100.0;
        let (was, is) = (before.component_at(secs), after.component_at(secs));
        for bone in before.skeleton.indices() {
            let name = &before.skeleton.bone(bone).name;
            if is_at_root(name) {
                continue;
            }
            let other = after.skeleton.find(name).unwrap_or_else(|| panic!("{what}: {name} is gone"));
            let distance = was.position(bone).distance(is.position(other));
            let angle = transform::angle_between(was.rotation(bone), is.rotation(other));
            assert!(distance < 1e-4 && angle < 2e-4, "{what}: {name} at {secs}: {distance} m, {angle} rad");
        }
    }
}

fn is_at_root(name: &str) -> bool {
    matches!(name, "root" | "ik_foot_root" | "ik_hand_root")
}
