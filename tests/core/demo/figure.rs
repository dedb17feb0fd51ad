//! The mannequin's body: closed, even, on the floor, and still a body when it bends.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use glam::{DAffine3, DQuat, DVec3, Vec3};
use stridesmith::motion::demo::{DemoSpec, Family, Gait, generate_set};
use stridesmith::motion::{BoneIndex, FileId, Role, Side, SourceFile};

use super::{SIDES, instants, make, spec_of};

const FAMILIES: [Family; 3] = [Family::Unreal, Family::Mixamo, Family::Bvh];

/// All meshes of a file put together again: vertices at the same place are one.
struct Body {
    positions: Vec<DVec3>,
    normals: Vec<DVec3>,
    /// Bones and their weights.
    pulls: Vec<Vec<(BoneIndex, f64)>>,
    triangles: Vec<[usize; 3]>,
    inverse_binds: HashMap<BoneIndex, DAffine3>,
}

impl Body {
    fn of(file: &SourceFile) -> Self {
        let skin = &file.skins[0];
        let mut body = Self {
            positions: Vec::new(),
            normals: Vec::new(),
            pulls: Vec::new(),
            triangles: Vec::new(),
            inverse_binds: skin.joints.iter().copied().zip(skin.inverse_binds.iter().copied()).collect(),
        };
        let mut at = HashMap::new();
        for mesh in &file.meshes {
            assert_eq!(mesh.skin, Some(0));
            let own: Vec<usize> = (0..mesh.positions.len())
                .map(|i| {
                    *at.entry(mesh.positions[i].map(f32::to_bits)).or_insert_with(|| {
                        body.positions.push(Vec3::from(mesh.positions[i]).as_dvec3());
                        body.normals.push(Vec3::from(mesh.normals[i]).as_dvec3());
                        let pulls = mesh.joints[i].iter().zip(mesh.weights[i]).filter(|(_, weight)| *weight != 0.0);
                        body.pulls.push(pulls.map(|(&j, w)| (skin.joints[usize::from(j)], f64::from(w))).collect());
                        body.positions.len() - 1
                    })
                })
                .collect();
            body.triangles.extend(mesh.indices.chunks(3).map(|t| [0, 1, 2].map(|k| own[t[k] as usize])));
        }
        body
    }

    /// Linear blend skinning.
    fn posed(&self, pose: &[DAffine3]) -> Vec<DVec3> {
        let moved = |p: DVec3, pull: &[(BoneIndex, f64)]| -> DVec3 {
            pull.iter()
                .map(|(bone, weight)| (pose[bone.get()] * self.inverse_binds[bone]).transform_point3(p) * *weight)
                .sum()
        };
        self.positions.iter().zip(&self.pulls).map(|(&p, pull)| moved(p, pull)).collect()
    }

    /// By the divergence theorem; positive where faces look outward.
    fn volume(&self, positions: &[DVec3]) -> f64 {
        let corners = self.triangles.iter().map(|t| t.map(|i| positions[i]));
        corners.map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum()
    }

    /// Cross product of a triangle's sides.
    fn face(&self, triangle: [usize; 3], positions: &[DVec3]) -> DVec3 {
        let [a, b, c] = triangle.map(|i| positions[i]);
        (b - a).cross(c - a)
    }
}

fn file(family: Family) -> SourceFile {
    make(&spec_of(Gait::Walk, family)).file
}

fn node_pose(file: &SourceFile) -> Vec<DAffine3> {
    file.skeleton.node_pose_component()
}

#[test]
fn the_skin_is_one_closed_surface_without_holes_or_handles() {
    for family in FAMILIES {
        let body = Body::of(&file(family));
        let (vertices, triangles) = (body.positions.len(), body.triangles.len());
        assert!((4_000..=12_000).contains(&vertices), "{vertices} vertices");
        // Each edge once in each direction: closed, and all faces turned alike.
        let mut edges = BTreeSet::new();
        for t in &body.triangles {
            for (a, b) in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])] {
                assert!(a != b && edges.insert((a, b)), "{family:?}: two faces on one side of {}", body.positions[a]);
            }
        }
        assert!(edges.iter().all(|&(a, b)| edges.contains(&(b, a))));
        // Euler: a sphere, in one piece, every vertex used.
        assert_eq!(vertices + triangles - edges.len() / 2, 2, "{family:?}");
        let mut reached = vec![false; vertices];
        let mut beside = vec![Vec::new(); vertices];
        edges.iter().for_each(|&(a, b)| beside[a].push(b));
        let mut open = vec![0];
        while let Some(i) = open.pop() {
            if !std::mem::replace(&mut reached[i], true) {
                open.extend(&beside[i]);
            }
        }
        assert!(reached.iter().all(|&is| is));
    }
}

#[test]
fn normals_are_unit_and_face_outward_as_the_faces_do() {
    for family in FAMILIES {
        let body = Body::of(&file(family));
        // A body of 1.8 m weighs about 70 kg, at about the density of water.
        let volume = body.volume(&body.positions);
        assert!((0.055..0.085).contains(&volume), "{volume} m³");
        assert!(body.normals.iter().all(|n| (n.length() - 1.0).abs() < 1e-6));
        let (mut total, mut rough) = (0.0, 0.0);
        for &t in &body.triangles {
            let face = body.face(t, &body.positions);
            assert!(face.length() > 1e-10, "{family:?}: no area at {}", body.positions[t[0]]);
            let way = t.map(|i| body.normals[i].dot(face.normalize_or(DVec3::ZERO)));
            assert!(way.iter().sum::<f64>() > 0.0, "{family:?}: {way:?} at {}", body.positions[t[0]]);
            total += face.length();
            rough += if way.iter().any(|&w| w < 0.5) { face.length() } else { 0.0 };
        }
        assert!(rough < 0.01 * total, "{family:?}: {:.2} % of the skin is creased", 100.0 * rough / total);
    }
}

#[test]
fn it_stands_on_the_floor_in_human_proportions() {
    for family in FAMILIES {
        let body = Body::of(&file(family));
        let extent = |axis: usize, among: &dyn Fn(&DVec3) -> bool| {
            let values = body.positions.iter().filter(|p| among(p)).map(|p| p[axis]);
            values.fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(v), high.max(v)))
        };
        let (sole, top) = extent(1, &|_| true);
        assert!(sole.abs() < 1e-4 && (1.75..1.81).contains(&top), "{family:?}: {sole}..{top}");
        for side in [1.0, -1.0] {
            let flat = body.positions.iter().filter(|p| p.y < 5e-4 && p.x * side > 0.0);
            let (heel, toe) = flat.fold((f64::MAX, f64::MIN), |(a, b), p| (a.min(p.z), b.max(p.z)));
            assert!(heel < -0.04 && toe > 0.17, "{family:?}: the sole is flat from {heel} to {toe}");
        }
        let foot = extent(2, &|p| p.y < 0.06);
        assert!((0.25..0.29).contains(&(foot.1 - foot.0)), "foot {foot:?}");
        let hips = extent(0, &|p| (0.85..1.0).contains(&p.y) && p.x.abs() < 0.3).1;
        let waist = extent(0, &|p| (1.08..1.14).contains(&p.y) && p.x.abs() < 0.3).1;
        let head = extent(0, &|p| p.y > 1.62 && p.x.abs() < 0.15).1;
        assert!(waist < 0.9 * hips && (0.16..0.19).contains(&hips), "waist {waist}, hips {hips}");
        assert!((0.07..0.085).contains(&head), "head {head}");
        // Shoulders broader than hips: the deltoid lies beyond the joint.
        let shoulders = extent(0, &|p| p.y > 1.46).1;
        assert!(shoulders > 1.1 * hips, "shoulders {shoulders}, hips {hips}");
    }
}

#[test]
fn left_and_right_are_mirror_images_but_for_the_colour() {
    for family in FAMILIES {
        let file = file(family);
        let body = Body::of(&file);
        let grid = |p: DVec3| (p * 1e4).round().as_ivec3().to_array();
        let mut near: BTreeMap<[i32; 3], Vec<usize>> = BTreeMap::new();
        for (i, &p) in body.positions.iter().enumerate() {
            near.entry(grid(p)).or_default().push(i);
        }
        let role_of: HashMap<BoneIndex, String> = file
            .skeleton
            .indices()
            .map(|bone| {
                let name = &file.skeleton.bone(bone).name;
                let flipped = match (name.strip_suffix("_l"), name.strip_suffix("_r")) {
                    (Some(stem), _) => format!("{stem}_r"),
                    (_, Some(stem)) => format!("{stem}_l"),
                    _ if name.contains("Left") => name.replace("Left", "Right"),
                    _ => name.replace("Right", "Left"),
                };
                (bone, flipped)
            })
            .collect();
        let mut lonely = 0;
        for (i, &p) in body.positions.iter().enumerate() {
            let seen = p * DVec3::new(-1.0, 1.0, 1.0);
            let cell = grid(seen);
            let around = (0..27).map(|k| [cell[0] + k % 3 - 1, cell[1] + k / 3 % 3 - 1, cell[2] + k / 9 - 1]);
            let twin = around
                .filter_map(|cell| near.get(&cell))
                .flatten()
                .find(|&&k| body.positions[k].distance(seen) < 2e-6 && body.pulls[k].len() == body.pulls[i].len());
            let Some(&twin) = twin else {
                // A face astride the middle has one diagonal, and a border of colours may cut it.
                assert!(p.x.abs() < 0.017, "{family:?}: {p} has no twin");
                lonely += 1;
                continue;
            };
            let normal = body.normals[i] * DVec3::new(-1.0, 1.0, 1.0);
            assert!(body.normals[twin].distance(normal) < 1e-3, "{family:?} at {p}");
            for (bone, weight) in &body.pulls[i] {
                let other = file.skeleton.find(&role_of[bone]).unwrap();
                let of_twin = body.pulls[twin].iter().find(|(bone, _)| *bone == other).map_or(0.0, |(_, w)| *w);
                assert!((of_twin - weight).abs() < 1e-4, "{family:?} at {p}");
            }
        }
        assert!(lonely <= 16, "{family:?}: {lonely} vertices have no twin");
        let named = |name: &str| file.meshes.iter().find(|mesh| mesh.name == name).unwrap();
        assert!(named("left").positions.iter().all(|p| p[0] > 0.0));
        assert!(named("right").positions.iter().all(|p| p[0] < 0.0));
        let colors: BTreeSet<_> = file.materials.iter().map(|m| m.base_color.map(f32::to_bits)).collect();
        assert_eq!(colors.len(), file.meshes.len());
    }
}

#[test]
fn every_vertex_follows_bones_that_are_near_and_weights_sum_to_one() {
    for family in FAMILIES {
        let demo = make(&spec_of(Gait::Walk, family));
        let (file, truth) = (&demo.file, demo.truth());
        let body = Body::of(file);
        let pose = node_pose(file);
        for (joint, inverse) in file.skins[0].joints.iter().zip(&file.skins[0].inverse_binds) {
            assert!((pose[joint.get()] * *inverse).abs_diff_eq(DAffine3::IDENTITY, 1e-9));
        }
        let mut children: BTreeMap<usize, Vec<DVec3>> = BTreeMap::new();
        for (i, bone) in file.skeleton.bones().iter().enumerate() {
            if let Some(parent) = bone.parent {
                children.entry(parent.get()).or_default().push(pose[i].translation);
            }
        }
        let distance = |p: DVec3, bone: usize| {
            let from = pose[bone].translation;
            let to_child = |to: &DVec3| {
                let along = *to - from;
                let t = ((p - from).dot(along) / along.length_squared().max(1e-12)).clamp(0.0, 1.0);
                p.distance(from + along * t)
            };
            children.get(&bone).into_iter().flatten().map(to_child).fold(p.distance(from), f64::min)
        };
        let mut used = BTreeSet::new();
        for (&p, pull) in body.positions.iter().zip(&body.pulls) {
            assert!((1..=4).contains(&pull.len()));
            let sum: f64 = pull.iter().map(|(_, weight)| weight).sum();
            assert!((sum - 1.0).abs() < 1e-5 && pull.iter().all(|(_, weight)| *weight > 0.0), "{sum} at {p}");
            let nearest = pull.iter().map(|(bone, _)| distance(p, bone.get())).fold(f64::MAX, f64::min);
            // The crown is as far from the head's joint, and the fingertips from the wrist.
            assert!(nearest < 0.22, "{family:?}: {p} is {nearest} m from its bones");
            used.extend(pull.iter().map(|(bone, _)| *bone));
        }
        for (role, bone) in &truth.roles {
            let is_marker = matches!(
                role,
                Role::Root | Role::IkFoot(_) | Role::IkHand(_) | Role::IkFootRoot | Role::IkHandRoot | Role::IkHandGun
            );
            assert_eq!(used.contains(bone), !is_marker, "{family:?} {role:?}");
        }
        // No leg pulls at the other one, no arm at a leg.
        let reaches = |roles: &[Role], is_wrong: &dyn Fn(DVec3) -> bool| {
            let bones: Vec<_> = roles.iter().map(|&role| truth.bone(role).unwrap()).collect();
            let pulled = body.pulls.iter().zip(&body.positions);
            pulled
                .filter(|(pull, p)| is_wrong(**p) && pull.iter().any(|(bone, w)| *w > 0.05 && bones.contains(bone)))
                .count()
        };
        assert_eq!(reaches(&[Role::Thigh(Side::Left), Role::Calf(Side::Left)], &|p| p.x < -1e-3), 0);
        assert_eq!(reaches(&[Role::UpperArm(Side::Left), Role::Forearm(Side::Left)], &|p| p.y < 1.0 && p.x < 0.25), 0);
    }
}

#[test]
fn bent_knees_and_elbows_keep_their_volume() {
    for family in FAMILIES {
        let demo = make(&spec_of(Gait::Walk, family));
        let (file, truth) = (&demo.file, demo.truth());
        let body = Body::of(file);
        let rest = node_pose(file);
        let whole = body.volume(&body.posed(&rest));
        for role in [Role::Calf, Role::Forearm] {
            let mut bent = rest.clone();
            let mut limb = 0.0;
            for side in SIDES {
                let joint = truth.bone(role(side)).unwrap();
                let at = rest[joint.get()].translation;
                // A knee bends backward; an elbow forward, about the vertical of its arm.
                let axis = if matches!(role(side), Role::Calf(_)) {
                    DVec3::X
                } else {
                    let upper = truth.bone(Role::UpperArm(side)).unwrap();
                    (at - rest[upper.get()].translation).cross(DVec3::Z).normalize_or(DVec3::Y)
                };
                let turn = DAffine3::from_translation(at)
                    * DAffine3::from_quat(DQuat::from_axis_angle(axis, 60_f64.to_radians()))
                    * DAffine3::from_translation(-at);
                for bone in file.skeleton.indices() {
                    let chain = std::iter::successors(Some(bone), |&b| file.skeleton.bone(b).parent);
                    if chain.into_iter().any(|b| b == joint) {
                        bent[bone.get()] = turn * rest[bone.get()];
                        limb += f64::from(u8::from(bone == joint));
                    }
                }
            }
            assert_eq!(limb, 2.0);
            let change = body.volume(&body.posed(&bent)) / whole - 1.0;
            // Of the whole body, of which a lower leg or a forearm is some hundredths.
            assert!(change.abs() < 0.006, "{family:?} {:?}: {:.2} %", role(Side::Left), 100.0 * change);
        }
    }
}

#[test]
fn walking_and_running_neither_tears_nor_crumples_it() {
    for family in FAMILIES {
        for gait in [Gait::Walk, Gait::Run] {
            let demo = make(&spec_of(gait, family));
            let (truth, body) = (demo.truth(), Body::of(&demo.file));
            let rest = body.posed(&node_pose(&demo.file));
            let (area, volume) = (
                |p: &[DVec3]| body.triangles.iter().map(|&t| body.face(t, p).length()).sum::<f64>(),
                body.volume(&rest),
            );
            let rest_area = area(&rest);
            for secs in instants(truth, 8.0) {
                let pose = truth.pose(secs).0;
                let posed = body.posed(&pose);
                let grown = body.volume(&posed) / volume;
                assert!((0.94..1.04).contains(&grown), "{family:?} {gait:?} at {secs}: {grown}");
                let stretched = area(&posed) / rest_area;
                assert!((0.93..1.05).contains(&stretched), "{family:?} {gait:?} at {secs}: {stretched}");
                // Soles stay above the floor, but for what a toe that rolls takes with it.
                let lowest = posed.iter().map(|p| p.y).fold(f64::MAX, f64::min);
                assert!(lowest > -0.03, "{family:?} {gait:?} at {secs}: {lowest}");
            }
        }
    }
}

#[test]
fn every_file_of_a_family_has_the_same_bytes() {
    let specs = |gait| [DemoSpec::new(gait, Family::Mixamo)];
    let [a, b] = [Gait::Walk, Gait::Jump].map(|gait| generate_set(&specs(gait), FileId(0)).unwrap().file);
    for (a, b) in a.meshes.iter().zip(&b.meshes) {
        assert!(!a.indices.is_empty());
        assert_eq!((&a.positions, &a.normals, &a.weights), (&b.positions, &b.normals, &b.weights));
        assert_eq!((&a.joints, &a.indices), (&b.joints, &b.indices));
    }
}
