//! The mannequin: a person of 1.8 m with a leg of 0.87 m, in parts, and its skeletons in the manner of three families.
//!
//! A part's rotation is told from the T-pose, in which every part is unrotated: the same motion drives every family,
//! whose bones add axes of their own, names and helpers (root, IK bones, leaves).

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};
use std::sync::Arc;

use glam::{DAffine3, DQuat, DVec3};

use super::{DemoError, Family};
use crate::motion::skeleton::{Bone, BoneIndex, Skeleton};
use crate::motion::transform::{Transform, shortest_arc};
use crate::motion::{Role, Side};

pub(super) const PELVIS: usize = 0;
pub(super) const SPINE: [usize; 3] = [1, 2, 3];
pub(super) const NECK: usize = 4;
pub(super) const HEAD: usize = 5;
/// Per side: clavicle, upper arm, forearm, hand.
pub(super) const ARM: [[usize; 4]; 2] = [[6, 7, 8, 9], [10, 11, 12, 13]];
/// Per side: thigh, calf, foot, toe.
pub(super) const LEG: [[usize; 4]; 2] = [[14, 15, 16, 17], [18, 19, 20, 21]];
pub(super) const PARTS: usize = 22;

/// Ankle over the ground when the foot is flat.
pub(super) const ANKLE_HEIGHT_M: f64 = 0.085;
/// The point of the sole on which the heel rolls, T-pose.
pub(super) const HEEL_FROM_ANKLE: DVec3 = DVec3::new(0.0, -ANKLE_HEIGHT_M, -0.055);
/// The toe joint, T-pose.
pub(super) const BALL_FROM_ANKLE: DVec3 = DVec3::new(0.0, -0.065, 0.13);
/// Hip joint from the pelvis, left side.
const HIP_FROM_PELVIS: DVec3 = DVec3::new(0.09, -0.045, 0.0);
/// A knee 12 mm before the line from hip to ankle says which way it bends.
pub(super) const KNEE_FROM_HIP: DVec3 = DVec3::new(0.0, -0.45, 0.012);
pub(super) const ANKLE_FROM_KNEE: DVec3 = DVec3::new(0.0, -0.42, -0.012);
/// How far below the horizontal the arms are in an A-pose.
pub(super) const A_POSE_RAD: f64 = FRAC_PI_4;
/// Height of the pelvis over the ground in the T-pose.
const PELVIS_HEIGHT_M: f64 = 0.45 + 0.42 + ANKLE_HEIGHT_M + 0.045;

/// One part: where it hangs, how far it reaches, and what it is called.
struct Part {
    parent: Option<usize>,
    /// From the parent, T-pose, left side; metres.
    offset: DVec3,
    /// Where it ends, T-pose, left side; metres.
    tail: DVec3,
    side: Option<Side>,
    role: Option<Role>,
    unreal: &'static str,
    mixamo: &'static str,
}

/// Sides in the order of [`ARM`] and [`LEG`].
pub(super) const SIDES: [Side; 2] = [Side::Left, Side::Right];

/// +1 on the left, −1 on the right: the sign of x.
pub(super) fn sign(side: usize) -> f64 {
    if side == 0 { 1.0 } else { -1.0 }
}

/// A vector given for the left side.
pub(super) fn mirrored(left: DVec3, side: usize) -> DVec3 {
    DVec3::new(left.x * sign(side), left.y, left.z)
}

fn part(i: usize) -> Part {
    let v = DVec3::new;
    let centre =
        |parent, offset, tail, role, unreal, mixamo| Part { parent, offset, tail, side: None, role, unreal, mixamo };
    match i {
        PELVIS => {
            let at = v(0.0, PELVIS_HEIGHT_M, 0.0);
            centre(None, at, v(0.0, 0.09, 0.0), Some(Role::Pelvis), "pelvis", "Hips")
        }
        1 => centre(Some(0), v(0.0, 0.09, 0.0), v(0.0, 0.12, 0.0), Some(Role::Spine), "spine_01", "Spine"),
        2 => centre(Some(1), v(0.0, 0.12, 0.0), v(0.0, 0.13, 0.0), None, "spine_02", "Spine1"),
        3 => centre(Some(2), v(0.0, 0.13, 0.0), v(0.0, 0.16, 0.0), None, "spine_03", "Spine2"),
        NECK => centre(Some(3), v(0.0, 0.16, 0.0), v(0.0, 0.1, 0.015), Some(Role::Neck), "neck_01", "Neck"),
        HEAD => centre(Some(4), v(0.0, 0.1, 0.015), v(0.0, 0.2, 0.0), Some(Role::Head), "head", "Head"),
        _ => {
            let side = usize::from(i >= LEG[1][0] || (ARM[1][0]..LEG[0][0]).contains(&i));
            let limb = if i < LEG[0][0] { ARM[side] } else { LEG[side] };
            limb_part(side, i - limb[0], i < LEG[0][0])
        }
    }
}

fn limb_part(side: usize, n: usize, is_arm: bool) -> Part {
    let v = DVec3::new;
    let s = SIDES[side];
    let (root, chain) = if is_arm { (SPINE[2], ARM[side]) } else { (PELVIS, LEG[side]) };
    let (offset, tail, role, unreal, mixamo) = match (is_arm, n) {
        (true, 0) => (
            v(0.025, 0.11, 0.0),
            v(0.155, 0.0, -0.01),
            Role::Clavicle(s),
            ["clavicle_l", "clavicle_r"],
            ["LeftShoulder", "RightShoulder"],
        ),
        (true, 1) => (
            v(0.155, 0.0, -0.01),
            v(0.28, 0.0, 0.0),
            Role::UpperArm(s),
            ["upperarm_l", "upperarm_r"],
            ["LeftArm", "RightArm"],
        ),
        (true, 2) => (
            v(0.28, 0.0, 0.0),
            v(0.25, 0.0, 0.0),
            Role::Forearm(s),
            ["lowerarm_l", "lowerarm_r"],
            ["LeftForeArm", "RightForeArm"],
        ),
        (true, _) => {
            (v(0.25, 0.0, 0.0), v(0.17, 0.0, 0.0), Role::Hand(s), ["hand_l", "hand_r"], ["LeftHand", "RightHand"])
        }
        (false, 0) => {
            (HIP_FROM_PELVIS, KNEE_FROM_HIP, Role::Thigh(s), ["thigh_l", "thigh_r"], ["LeftUpLeg", "RightUpLeg"])
        }
        (false, 1) => (KNEE_FROM_HIP, ANKLE_FROM_KNEE, Role::Calf(s), ["calf_l", "calf_r"], ["LeftLeg", "RightLeg"]),
        (false, 2) => {
            (ANKLE_FROM_KNEE, BALL_FROM_ANKLE, Role::Foot(s), ["foot_l", "foot_r"], ["LeftFoot", "RightFoot"])
        }
        (false, _) => {
            let tip = v(0.0, -0.005, 0.075);
            (BALL_FROM_ANKLE, tip, Role::Toe(s), ["ball_l", "ball_r"], ["LeftToeBase", "RightToeBase"])
        }
    };
    Part {
        parent: Some(if n == 0 { root } else { chain[n - 1] }),
        offset: mirrored(offset, side),
        tail: mirrored(tail, side),
        side: Some(s),
        role: Some(role),
        unreal: unreal[side],
        mixamo: mixamo[side],
    }
}

/// Where a part hangs on its parent, T-pose.
pub(super) fn offset(i: usize) -> DVec3 {
    part(i).offset
}

/// Where a part ends, from its own joint, T-pose.
pub(super) fn tail(i: usize) -> DVec3 {
    part(i).tail
}

/// Every part at one instant, component space.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BodyPose {
    /// The path's frame, or where a root stands that does not travel.
    pub root: (DVec3, DQuat),
    pub positions: [DVec3; PARTS],
    /// From the T-pose.
    pub rotations: [DQuat; PARTS],
}

impl BodyPose {
    /// Puts the parts together: each joint hangs on its parent.
    pub(super) fn assembled(root: (DVec3, DQuat), pelvis: DVec3, rotations: [DQuat; PARTS]) -> Self {
        let mut positions = [pelvis; PARTS];
        for i in 1..PARTS {
            let Part { parent, offset, .. } = part(i);
            let above = parent.unwrap_or(PELVIS);
            positions[i] = positions[above] + rotations[above] * offset;
        }
        Self { root, positions, rotations }
    }

    /// Standing at the origin with the arms this far below the horizontal.
    pub(super) fn rest(arms_down_rad: f64) -> Self {
        let mut rotations = [DQuat::IDENTITY; PARTS];
        for (side, arm) in ARM.iter().enumerate() {
            for &i in &arm[1..] {
                rotations[i] = DQuat::from_rotation_z(-sign(side) * arms_down_rad);
            }
        }
        Self::assembled((DVec3::ZERO, DQuat::IDENTITY), offset(PELVIS), rotations)
    }

    /// The same pose moved as a whole, its root apart.
    pub(super) fn moved(mut self, by: DAffine3) -> Self {
        let turn = DQuat::from_mat3(&by.matrix3);
        for position in &mut self.positions {
            *position = by.transform_point3(*position);
        }
        for rotation in &mut self.rotations {
            *rotation = (turn * *rotation).normalize();
        }
        self
    }
}

/// What a bone follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Drive {
    /// The travel.
    Root,
    /// A part of the body.
    Part(usize),
    /// An IK root: stands on the root.
    RidesRoot,
    /// An IK bone: marks the place of the bone of a part.
    Marks(usize),
    /// The end of a part.
    Leaf(usize),
}

/// What drives the bones of a skeleton, and how they are turned. Shapes `[bones]`.
#[derive(Clone, Debug)]
struct Wiring {
    drives: Vec<Drive>,
    /// The bone's own axes in the T-pose.
    axes: Vec<DQuat>,
    /// Per part, its bone.
    bone_of: [usize; PARTS],
}

impl Wiring {
    fn component(&self, body: &BodyPose) -> Vec<Transform> {
        let of_part = |p: usize, axes: DQuat| Transform::rigid(body.positions[p], body.rotations[p] * axes);
        self.drives
            .iter()
            .zip(&self.axes)
            .map(|(drive, &axes)| match *drive {
                Drive::Root | Drive::RidesRoot => Transform::rigid(body.root.0, body.root.1 * axes),
                Drive::Part(p) => of_part(p, axes),
                Drive::Marks(p) => of_part(p, self.axes[self.bone_of[p]]),
                Drive::Leaf(p) => {
                    Transform::rigid(body.positions[p] + body.rotations[p] * tail(p), body.rotations[p] * axes)
                }
            })
            .collect()
    }
}

/// A skeleton of one family, and what drives its bones.
#[derive(Clone, Debug)]
pub(super) struct Mannequin {
    pub skeleton: Arc<Skeleton>,
    /// How far below the horizontal its arms are in the pose that it stands in.
    pub arms_down_rad: f64,
    wiring: Wiring,
}

impl Mannequin {
    pub(super) fn new(family: Family) -> Result<Self, DemoError> {
        let plan = plan(family);
        let mut bone_of = [0; PARTS];
        for (i, (_, _, drive)) in plan.iter().enumerate() {
            if let Drive::Part(p) = drive {
                bone_of[*p] = i;
            }
        }
        let drives: Vec<Drive> = plan.iter().map(|(_, _, drive)| *drive).collect();
        let axes = drives.iter().map(|&drive| axes(family, drive)).collect();
        let wiring = Wiring { drives, axes, bone_of };
        let arms_down_rad = if family == Family::Unreal { A_POSE_RAD } else { 0.0 };
        let bind = wiring.component(&BodyPose::rest(arms_down_rad));
        let bones = plan
            .into_iter()
            .enumerate()
            .map(|(i, (name, parent, _))| Bone {
                name,
                parent: parent.map(|p| BoneIndex(p as u32)),
                node_pose: local(parent.map(|p| bind[p]), bind[i]),
                bind_pose: Some(bind[i].to_affine()),
                is_joint: true,
                node: Some(i as u32),
            })
            .collect();
        Ok(Self { skeleton: Arc::new(Skeleton::new(bones)?), arms_down_rad, wiring })
    }

    /// Component-space transforms of all bones. Shape `[bones]`, scale 1.
    pub(super) fn component(&self, body: &BodyPose) -> Vec<Transform> {
        self.wiring.component(body)
    }

    /// What each bone follows. Shape `[bones]`.
    pub(super) fn drives(&self) -> &[Drive] {
        &self.wiring.drives
    }

    /// The bone of a part.
    pub(super) fn bone(&self, part: usize) -> BoneIndex {
        BoneIndex(self.wiring.bone_of[part] as u32)
    }

    /// A vector told in the T-pose's axes, in the bone's own.
    pub(super) fn in_bone(&self, part: usize, t_pose: DVec3) -> DVec3 {
        self.wiring.axes[self.wiring.bone_of[part]].conjugate() * t_pose
    }

    /// Who plays what, by construction.
    pub(super) fn roles(&self) -> Vec<(Role, BoneIndex)> {
        let mut roles: Vec<(Role, BoneIndex)> = Vec::new();
        for (bone, drive) in self.skeleton.indices().zip(self.drives()) {
            let role = match *drive {
                Drive::Root => Some(Role::Root),
                Drive::Part(p) => part(p).role,
                Drive::RidesRoot if self.skeleton.bone(bone).name == "ik_foot_root" => Some(Role::IkFootRoot),
                Drive::RidesRoot => Some(Role::IkHandRoot),
                Drive::Marks(_) if self.skeleton.bone(bone).name == "ik_hand_gun" => Some(Role::IkHandGun),
                Drive::Marks(p) => match part(p).role {
                    Some(Role::Foot(side)) => Some(Role::IkFoot(side)),
                    Some(Role::Hand(side)) => Some(Role::IkHand(side)),
                    _ => None,
                },
                Drive::Leaf(_) => None,
            };
            roles.extend(role.map(|role| (role, bone)));
        }
        roles
    }
}

/// Local transform of a bone from its own and its parent's component transforms.
pub(super) fn local(parent: Option<Transform>, own: Transform) -> Transform {
    parent.map_or(own, |parent| parent.inverse().compose(own))
}

/// Names, parents and drives in the order of the file.
fn plan(family: Family) -> Vec<(String, Option<usize>, Drive)> {
    let has_root = family == Family::Unreal;
    let mut bones = Vec::new();
    if has_root {
        bones.push(("root".to_owned(), None, Drive::Root));
    }
    let first = bones.len();
    for p in 0..PARTS {
        let Part { parent, unreal, mixamo, .. } = part(p);
        let name = match family {
            Family::Unreal => unreal.to_owned(),
            Family::Mixamo => format!("mixamorig:{mixamo}"),
            Family::Bvh => mixamo.to_owned(),
        };
        let parent = parent.map(|above| above + first).or(has_root.then_some(0));
        bones.push((name, parent, Drive::Part(p)));
    }
    let mut push = |name: &str, parent: usize, drive: Drive| {
        bones.push((name.to_owned(), Some(parent), drive));
        bones.len() - 1
    };
    match family {
        Family::Unreal => {
            let feet = push("ik_foot_root", 0, Drive::RidesRoot);
            push("ik_foot_l", feet, Drive::Marks(LEG[0][2]));
            push("ik_foot_r", feet, Drive::Marks(LEG[1][2]));
            let hands = push("ik_hand_root", 0, Drive::RidesRoot);
            let gun = push("ik_hand_gun", hands, Drive::Marks(ARM[1][3]));
            push("ik_hand_l", gun, Drive::Marks(ARM[0][3]));
            push("ik_hand_r", gun, Drive::Marks(ARM[1][3]));
        }
        Family::Mixamo => {
            push("mixamorig:HeadTop_End", HEAD, Drive::Leaf(HEAD));
            push("mixamorig:LeftToe_End", LEG[0][3], Drive::Leaf(LEG[0][3]));
            push("mixamorig:RightToe_End", LEG[1][3], Drive::Leaf(LEG[1][3]));
        }
        Family::Bvh => {}
    }
    bones
}

/// A bone's own axes in the T-pose.
fn axes(family: Family, drive: Drive) -> DQuat {
    let (Drive::Part(p) | Drive::Marks(p) | Drive::Leaf(p)) = drive else {
        // Z-up inside, as a root that came through Unreal has it.
        return if family == Family::Unreal { DQuat::from_rotation_x(-FRAC_PI_2) } else { DQuat::IDENTITY };
    };
    let Part { tail, side, .. } = part(p);
    let along = tail.normalize_or(DVec3::Y);
    match family {
        Family::Bvh => DQuat::IDENTITY,
        Family::Mixamo => shortest_arc(DVec3::Y, along),
        Family::Unreal => {
            // X along the bone, against it on the right, and a roll of its own for every bone.
            let x = if side == Some(Side::Right) { -along } else { along };
            shortest_arc(DVec3::X, x) * DQuat::from_rotation_x(0.4 + 0.37 * p as f64)
        }
    }
}
