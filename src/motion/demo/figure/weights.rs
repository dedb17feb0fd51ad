//! Which bones pull at which point of the skin.
//!
//! Weight walks down the skeleton: all of it starts at the pelvis, and across each joint a smooth share passes on to
//! the part below. The share is a smooth function of the place alone, about as wide as the limb is thick, so that the
//! triangles that a place happens to have around it do not show when the limb bends.

use glam::DVec3;

use super::super::mannequin::{ARM, BodyPose, HEAD, LEG, NECK, PARTS, PELVIS, SPINE};
use super::loft::step;
use super::nets::Net;
use super::sculpture::{Fields, Sculpture};

/// A vertex follows at most so many parts.
pub(super) const MOST: usize = 4;

/// Parts and their weights, which sum to 1, the greatest first.
pub(super) type Pull = [(usize, f64); MOST];

/// Weights of all vertices.
pub(super) fn weights(net: &Net, sculpture: &Sculpture, pose: &BodyPose) -> Vec<Pull> {
    let joints = Joints::of(pose);
    net.positions
        .iter()
        .map(|&p| {
            let left = joints.left_weights(DVec3::new(p.x.abs(), p.y, p.z), sculpture.fields(p));
            greatest(&if p.x < 0.0 { opposite(&left) } else { left })
        })
        .collect()
}

/// As seen in the mirror.
fn opposite(weights: &[f64; PARTS]) -> [f64; PARTS] {
    let mut seen = *weights;
    for [left, right] in [ARM, LEG] {
        for (l, r) in left.into_iter().zip(right) {
            (seen[l], seen[r]) = (weights[r], weights[l]);
        }
    }
    seen
}

/// What pulls hardest. Ties go by the left part's number, so that both sides choose alike.
fn greatest(weights: &[f64; PARTS]) -> Pull {
    /// Less than a pixel of a close-up.
    const NEGLIGIBLE: f64 = 0.004;
    let mut parts: Vec<usize> = (0..PARTS).filter(|&part| weights[part] > NEGLIGIBLE).collect();
    parts.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]));
    parts.truncate(MOST);
    let sum: f64 = parts.iter().map(|&part| weights[part]).sum();
    let mut pull = [(PELVIS, 0.0); MOST];
    for (slot, part) in pull.iter_mut().zip(parts) {
        *slot = (part, weights[part] / sum);
    }
    pull
}

/// Joints of the left half.
struct Joints {
    at: [DVec3; PARTS],
    /// Along the arm, from the shoulder.
    arm: DVec3,
}

impl Joints {
    fn of(pose: &BodyPose) -> Self {
        Self { at: pose.positions, arm: pose.rotations[ARM[0][1]] * DVec3::X }
    }

    /// How far a point has passed a joint: 0 before it, 1 behind, `half_width_m` on either side of the plane.
    fn passed(&self, part: usize, p: DVec3, normal: DVec3, half_width_m: f64) -> f64 {
        step((p - self.at[part]).dot(normal.normalize_or(DVec3::Y)), -half_width_m, half_width_m)
    }

    fn left_weights(&self, p: DVec3, fields: Fields) -> [f64; PARTS] {
        let v = DVec3::new;
        let mut w = [0.0; PARTS];
        w[PELVIS] = 1.0;
        let mut pass = |from: usize, to: usize, share: f64| {
            w[to] += w[from] * share;
            w[from] *= 1.0 - share;
        };
        for (from, to) in [(PELVIS, SPINE[0]), (SPINE[0], SPINE[1]), (SPINE[1], SPINE[2])] {
            pass(from, to, self.passed(to, p, DVec3::Y, 0.07));
        }
        pass(SPINE[2], NECK, self.passed(NECK, p, v(0.0, 1.0, 0.25), 0.045));
        pass(NECK, HEAD, self.passed(HEAD, p, v(0.0, 1.0, 0.65), 0.035));

        // The shoulder girdle rises out of the chest; the arm takes over where its own surface is the nearer one.
        let [clavicle, upper_arm, forearm, hand] = ARM[0];
        let girdle = step(p.x, 0.03, 0.17) * step(p.y, 1.33, 1.45);
        let is_arm = step(fields.trunk - fields.arm, -0.04, 0.045);
        for from in [SPINE[1], SPINE[2], NECK] {
            pass(from, clavicle, girdle);
        }
        let shoulder = is_arm * self.passed(upper_arm, p, self.arm, 0.11);
        for from in [PELVIS, SPINE[0], SPINE[1], SPINE[2], NECK, HEAD, clavicle] {
            pass(from, upper_arm, shoulder);
        }
        pass(upper_arm, forearm, self.passed(forearm, p, self.arm, 0.045));
        pass(forearm, hand, self.passed(hand, p, self.arm, 0.026));

        // The crotch stays with the pelvis, or it would tear between legs that part.
        let [thigh, calf, foot, toe] = LEG[0];
        let hip = self.passed(thigh, p, v(0.5, -0.85, 0.0), 0.075) * step(p.x, -0.012, 0.045) * (1.0 - is_arm);
        for from in [PELVIS, SPINE[0]] {
            pass(from, thigh, hip);
        }
        pass(thigh, calf, self.passed(calf, p, -DVec3::Y, 0.06));
        pass(calf, foot, self.passed(foot, p - DVec3::Y * 0.012, v(0.0, -1.0, 0.35), 0.03));
        pass(foot, toe, self.passed(toe, p, v(0.0, -0.25, 1.0), 0.026));
        w
    }
}
