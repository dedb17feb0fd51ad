//! The body as a shape: tables of how wide and deep a grown-up is at which height, in the A-pose.
//!
//! Left half only; the field is told at |x|. Widths follow common anthropometry of a person of 1.8 m between the
//! sexes: head 1/7.5 of the height, shoulders 0.47 m, hips 0.35 m, waist 0.26 m, foot 0.27 m.

use glam::DVec3;

use super::super::mannequin::{ARM, BodyPose, LEG};
use super::loft::{Frame, Loft, Row, smooth_min};

/// How softly arm, trunk and leg flow into each other.
const ARMPIT_BLEND_M: f64 = 0.05;
const GROIN_BLEND_M: f64 = 0.035;
/// Edge of the sole.
const SOLE_BLEND_M: f64 = 0.02;

/// Distances to the parts that skin weights tell apart, metres.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields {
    pub trunk: f64,
    pub arm: f64,
    pub leg: f64,
}

/// Bodies that flow into each other, each with the width of its blend.
#[derive(Clone, Debug)]
struct Group {
    lofts: Vec<(Loft, f64)>,
    /// A sphere around them all.
    centre: DVec3,
    radius: f64,
}

impl Group {
    fn new(lofts: Vec<(Loft, f64)>) -> Self {
        let centre = lofts.iter().map(|(loft, _)| loft.centre).sum::<DVec3>() / lofts.len().max(1) as f64;
        let radius = lofts.iter().map(|(loft, _)| loft.centre.distance(centre) + loft.radius).fold(0.0, f64::max);
        Self { lofts, centre, radius }
    }

    /// Signed distance; [`f64::MAX`] where it is certainly more than `limit_m`.
    fn distance(&self, p: DVec3, limit_m: f64) -> f64 {
        let mut nearest = f64::MAX;
        if p.distance(self.centre) - self.radius < limit_m {
            for (loft, blend_m) in &self.lofts {
                // Beyond its blend a loft changes nothing.
                if p.distance(loft.centre) - loft.radius < limit_m.min(nearest + blend_m) {
                    nearest = smooth_min(nearest, loft.distance(p), *blend_m);
                }
            }
        }
        nearest
    }
}

/// The left half of the body.
#[derive(Clone, Debug)]
pub(super) struct Sculpture {
    trunk: Group,
    arm: Group,
    leg: Group,
    /// Where the left hand begins, and which way it points.
    pub hand: (DVec3, DVec3),
}

impl Sculpture {
    /// Around a body that stands with its arms half down.
    pub(super) fn of(pose: &BodyPose) -> Self {
        let [_, shoulder, _, hand] = ARM[0];
        let hand = (pose.positions[hand], pose.rotations[shoulder] * DVec3::X);
        Self { trunk: Group::new(trunk()), arm: Group::new(arm(pose)), leg: Group::new(leg(pose)), hand }
    }

    /// Distances to the trunk and the nearer side's limbs.
    pub(super) fn fields(&self, p: DVec3) -> Fields {
        let left = DVec3::new(p.x.abs(), p.y, p.z);
        let [trunk, arm] = [&self.trunk, &self.arm].map(|group| group.distance(left, f64::MAX));
        Fields { trunk, arm, leg: self.leg(left, f64::MAX) }
    }

    /// Signed distance to the skin, negative inside; metres.
    pub(super) fn distance(&self, p: DVec3) -> f64 {
        let left = DVec3::new(p.x.abs(), p.y, p.z);
        let trunk = self.trunk.distance(left, f64::MAX);
        let upper = smooth_min(trunk, self.arm.distance(left, trunk + ARMPIT_BLEND_M), ARMPIT_BLEND_M);
        let limit_m = upper + GROIN_BLEND_M;
        let leg = self.leg(left, limit_m);
        let other_leg = self.leg(DVec3::new(-left.x, p.y, p.z), limit_m.min(leg) + GROIN_BLEND_M);
        smooth_min(upper, smooth_min(leg, other_leg, GROIN_BLEND_M), GROIN_BLEND_M)
    }

    fn leg(&self, p: DVec3, limit_m: f64) -> f64 {
        -smooth_min(-self.leg.distance(p, limit_m), p.y, SOLE_BLEND_M)
    }

    /// Distance to the skin, and the way in which it grows, unit: on the skin, its normal.
    pub(super) fn probe(&self, p: DVec3) -> (f64, DVec3) {
        const STEP_M: f64 = 2e-5;
        // Differences along the corners of a tetrahedron: four samples instead of six, and their mean is that of the
        // middle.
        let corners = [
            DVec3::new(1.0, -1.0, -1.0),
            DVec3::new(-1.0, -1.0, 1.0),
            DVec3::new(-1.0, 1.0, -1.0),
            DVec3::new(1.0, 1.0, 1.0),
        ];
        let left = DVec3::new(p.x.abs(), p.y, p.z);
        let distances = corners.map(|corner| self.distance(left + corner * STEP_M));
        let growth: DVec3 = corners.iter().zip(distances).map(|(&corner, distance)| corner * distance).sum();
        // Both sides alike to the last bit, which differences along uneven corners are not.
        let normal = DVec3::new(growth.x * p.x.signum(), growth.y, growth.z).normalize_or(DVec3::Y);
        (0.25 * distances.iter().sum::<f64>(), normal)
    }

    /// The point of the skin near a point that is near it.
    pub(super) fn onto_skin(&self, p: DVec3) -> DVec3 {
        let (distance, normal) = self.probe(p);
        p - normal * distance
    }
}

/// Heights; centre and half widths in x and z.
const TORSO: [Row; 12] = [
    [0.885, 0.0, -0.01, 0.116, 0.074],
    [0.93, 0.0, -0.014, 0.138, 0.086],
    [0.98, 0.0, -0.01, 0.146, 0.092],
    [1.03, 0.0, -0.004, 0.143, 0.092],
    [1.08, 0.0, 0.001, 0.138, 0.089],
    [1.13, 0.0, 0.004, 0.137, 0.088],
    [1.2, 0.0, 0.004, 0.143, 0.094],
    [1.27, 0.0, 0.001, 0.154, 0.102],
    [1.33, 0.0, -0.005, 0.162, 0.105],
    [1.39, 0.0, -0.012, 0.157, 0.096],
    [1.44, 0.0, -0.018, 0.125, 0.078],
    [1.475, 0.0, -0.02, 0.078, 0.06],
];

const NECK: [Row; 4] = [
    [1.44, 0.0, -0.024, 0.066, 0.06],
    [1.5, 0.0, -0.016, 0.058, 0.057],
    [1.55, 0.0, -0.007, 0.054, 0.056],
    [1.62, 0.0, 0.0, 0.053, 0.057],
];

/// Chin to brow.
const FACE: [Row; 5] = [
    [1.598, 0.0, 0.05, 0.036, 0.042],
    [1.625, 0.0, 0.045, 0.05, 0.054],
    [1.655, 0.0, 0.036, 0.06, 0.066],
    [1.69, 0.0, 0.028, 0.066, 0.076],
    [1.72, 0.0, 0.022, 0.068, 0.081],
];

fn trunk() -> Vec<(Loft, f64)> {
    let upright = Frame { origin: DVec3::ZERO, u: DVec3::X, v: DVec3::Z, along: DVec3::Y };
    let v = DVec3::new;
    let tapered = |from: DVec3, to: DVec3, radii: [[f64; 2]; 2]| {
        let length = from.distance(to);
        let rows = [[0.0, 0.0, 0.0, radii[0][0], radii[0][1]], [length, 0.0, 0.0, radii[1][0], radii[1][1]]];
        Loft::new(Frame::between(from, to, DVec3::Z), &rows, [radii[0][0], radii[1][0]])
    };
    vec![
        (Loft::new(upright, &TORSO, [0.035, 0.02]), 0.01),
        // Trapezius and collar bone.
        (tapered(v(0.02, 1.508, -0.026), v(0.155, 1.462, -0.018), [[0.040, 0.042], [0.030, 0.038]]), 0.05),
        (tapered(v(0.03, 1.435, 0.0), v(0.165, 1.445, -0.008), [[0.050, 0.060], [0.040, 0.046]]), 0.07),
        // Chest, shoulder blade, buttock.
        (Loft::ellipsoid(v(0.072, 1.345, 0.043), v(0.085, 0.065, 0.048)), 0.06),
        (Loft::ellipsoid(v(0.085, 1.36, -0.075), v(0.055, 0.075, 0.034)), 0.05),
        (Loft::ellipsoid(v(0.078, 0.925, -0.054), v(0.074, 0.080, 0.066)), 0.05),
        (Loft::new(upright, &NECK, [0.03, 0.03]), 0.04),
        // Skull and face.
        (Loft::ellipsoid(v(0.0, 1.706, 0.004), v(0.076, 0.094, 0.097)), 0.025),
        (Loft::new(upright, &FACE, [0.03, 0.05]), 0.03),
        (tapered(v(0.0, 1.692, 0.096), v(0.0, 1.656, 0.106), [[0.009, 0.009], [0.014, 0.012]]), 0.03),
    ]
}

/// From the shoulder; centre and half widths up and forward, as in the T-pose.
const ARM_ROWS: [Row; 11] = [
    [0.0, -0.004, 0.0, 0.054, 0.054],
    [0.05, -0.002, 0.0, 0.054, 0.055],
    [0.12, 0.0, 0.002, 0.047, 0.050],
    [0.19, 0.0, 0.002, 0.043, 0.046],
    [0.25, 0.0, 0.0, 0.038, 0.040],
    [0.28, 0.0, -0.002, 0.037, 0.040],
    [0.33, 0.0, 0.0, 0.039, 0.043],
    [0.38, 0.0, 0.002, 0.035, 0.041],
    [0.45, 0.0, 0.002, 0.027, 0.034],
    [0.51, 0.0, 0.001, 0.0215, 0.029],
    [0.55, 0.0, 0.001, 0.020, 0.030],
];

/// Palm and fingers; they curl towards the palm.
const HAND_ROWS: [Row; 7] = [
    [0.535, 0.0, 0.001, 0.02, 0.029],
    [0.565, -0.001, 0.003, 0.02, 0.037],
    [0.6, -0.003, 0.004, 0.0185, 0.043],
    [0.63, -0.006, 0.004, 0.0165, 0.043],
    [0.665, -0.011, 0.003, 0.0145, 0.04],
    [0.695, -0.018, 0.001, 0.0125, 0.035],
    [0.715, -0.024, -0.001, 0.011, 0.029],
];

const THUMB_ROWS: [Row; 4] = [
    [0.0, 0.0, 0.0, 0.014, 0.017],
    [0.035, 0.0, 0.0, 0.0135, 0.0145],
    [0.06, 0.0, 0.0, 0.0125, 0.0125],
    [0.085, 0.0, 0.0, 0.0095, 0.0100],
];

fn arm(pose: &BodyPose) -> Vec<(Loft, f64)> {
    let shoulder = ARM[0][1];
    let turn = pose.rotations[shoulder];
    let frame =
        Frame { origin: pose.positions[shoulder], u: turn * DVec3::Y, v: turn * DVec3::Z, along: turn * DVec3::X };
    let at = |x: f64, y: f64, z: f64| frame.origin + turn * DVec3::new(x, y, z);
    let thumb = Frame::between(at(0.556, -0.006, 0.018), at(0.624, -0.026, 0.066), frame.u);
    vec![
        (Loft::new(frame, &ARM_ROWS, [0.05, 0.02]), 0.01),
        (Loft::new(frame, &HAND_ROWS, [0.02, 0.014]), 0.02),
        (Loft::new(thumb, &THUMB_ROWS, [0.012, 0.010]), 0.03),
    ]
}

/// Down from the hip; centre and half widths in x and z.
const LEG_ROWS: [Row; 15] = [
    [-0.03, 0.006, -0.004, 0.066, 0.080],
    [0.03, 0.001, -0.002, 0.078, 0.090],
    [0.10, -0.003, 0.0, 0.081, 0.092],
    [0.18, -0.005, 0.004, 0.075, 0.087],
    [0.27, -0.006, 0.007, 0.066, 0.077],
    [0.36, -0.005, 0.009, 0.056, 0.065],
    [0.42, -0.003, 0.012, 0.050, 0.058],
    [0.455, -0.002, 0.012, 0.048, 0.056],
    [0.50, -0.001, 0.003, 0.046, 0.053],
    [0.56, 0.001, -0.008, 0.049, 0.056],
    [0.63, 0.001, -0.011, 0.048, 0.055],
    [0.70, 0.0, -0.009, 0.041, 0.047],
    [0.77, 0.0, -0.006, 0.033, 0.039],
    [0.83, 0.0, -0.005, 0.029, 0.036],
    [0.87, 0.0, -0.004, 0.030, 0.037],
];

/// Forward from the ankle; centre and half widths in x and y.
const FOOT_ROWS: [Row; 8] = [
    [-0.038, 0.0, 0.024, 0.029, 0.048],
    [0.0, 0.0, 0.028, 0.033, 0.056],
    [0.05, 0.001, 0.026, 0.036, 0.054],
    [0.09, 0.003, 0.018, 0.042, 0.046],
    [0.125, 0.004, 0.01, 0.046, 0.039],
    [0.155, 0.003, 0.005, 0.045, 0.034],
    [0.18, 0.0, 0.002, 0.04, 0.03],
    [0.19, -0.002, 0.001, 0.036, 0.028],
];

fn leg(pose: &BodyPose) -> Vec<(Loft, f64)> {
    let (hip, ankle) = (pose.positions[LEG[0][0]], pose.positions[LEG[0][2]]);
    let down = Frame { origin: hip, u: DVec3::X, v: DVec3::Z, along: -DVec3::Y };
    let floor = DVec3::new(ankle.x, 0.0, ankle.z);
    let forward = Frame { origin: floor, u: DVec3::X, v: DVec3::Y, along: DVec3::Z };
    vec![(Loft::new(down, &LEG_ROWS, [0.09, 0.03]), 0.01), (Loft::new(forward, &FOOT_ROWS, [0.028, 0.026]), 0.045)]
}
