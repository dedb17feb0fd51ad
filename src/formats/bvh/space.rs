//! Unit and up axis, which a BVH does not state: guessed from how and how tall the figure stands.

use glam::{DQuat, DVec3};
use std::f64::consts::{FRAC_PI_2, PI};

use super::Bvh;
use crate::formats::ReadOptions;
use crate::motion::{FileSpace, Warning, WarningKind};

/// The space of a file, and what it was found by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guess {
    /// From the file's units and axes to ours.
    pub space: FileSpace,
    /// How tall the figure is, file units; 0 when nothing tells.
    pub height: f64,
}

/// Frames looked at, spread over the file.
const LOOKS: usize = 64;

/// A direction counts when it is this much longer than across.
const CLEAR: f64 = 1.5;

impl Bvh {
    /// Guesses unit and up axis, with a warning for each guess that matters.
    ///
    /// *Up* is where the rest of the body lies as seen from the feet (joints named so), or without such names the
    /// longer of y and z. Both the OFFSETs alone and the motion are asked: +Y if either says so, since a figure may
    /// lie down and a root may turn a lying skeleton upright; else what the motion says, else the OFFSETs.
    ///
    /// *Unit*: 0.5–3 units tall is metres, 14–20 a person in decimetres (MakeHuman), else 10–45 is the unit of the
    /// CMU library (0.05644 m: an inch over 0.45), 55–85 a person in inches, else 50–300 centimetres; for
    /// the rest the unit that comes nearest to 1.7 m. [`ReadOptions::metres_per_unit`] overrules it.
    pub fn guess_space(&self, options: &ReadOptions, warnings: &mut Vec<Warning>) -> Guess {
        let figure = Figure::of(self);
        let resting = figure.look(self, None, options);
        let moving: Vec<Look> = (0..self.frames.min(LOOKS))
            .map(|i| figure.look(self, Some(i * self.frames / self.frames.min(LOOKS)), options))
            .collect();
        let rest_up = resting.up();
        let moved_up = Look::up_of_all(&moving);
        let up = match (rest_up, moved_up) {
            (Some(DVec3::Y), _) | (None, None) => DVec3::Y,
            (_, Some(up)) => up,
            (Some(DVec3::Z), None) => DVec3::Z,
            // Upside-down OFFSETs are bone axes, not a figure.
            (Some(_), None) => DVec3::Y,
        };
        if up != DVec3::Y {
            warn(warnings, WarningKind::Axes, format!("the figure stands along {}: turned so that +Y is up", name(up)));
        } else if rest_up.is_some_and(|axis| axis != up) || moved_up.is_some_and(|axis| axis != up) {
            let (kept, other) = if rest_up == Some(up) { ("skeleton", "motion") } else { ("motion", "skeleton") };
            let lies = if rest_up == Some(up) { moved_up } else { rest_up }.map_or("", name);
            warn(
                warnings,
                WarningKind::Axes,
                format!("the {kept} stands along +Y, the {other} along {lies}: +Y is up"),
            );
        }
        // OFFSETs say how tall the figure is only where they stand it up.
        let height = match rest_up.filter(|axis| *axis == DVec3::Y || *axis == DVec3::Z) {
            Some(axis) => resting.extent.dot(axis),
            None if moving.is_empty() => resting.extent.max_element(),
            None => moving.iter().map(|look| look.extent.dot(up.abs())).fold(0.0, f64::max),
        };
        let space =
            FileSpace { metres_per_unit: unit(height, options, warnings), rotation: upright(up), left_handed: false };
        Guess { space, height }
    }
}

fn warn(warnings: &mut Vec<Warning>, kind: WarningKind, message: String) {
    warnings.push(Warning { kind, place: String::new(), message, count: 1 });
}

fn name(axis: DVec3) -> &'static str {
    match axis {
        DVec3::Y => "+Y",
        DVec3::Z => "+Z",
        DVec3::NEG_Y => "-Y",
        _ => "-Z",
    }
}

/// Takes `up` to +Y by a turn about x, so that left stays left.
fn upright(up: DVec3) -> DQuat {
    match up {
        DVec3::Z => DQuat::from_rotation_x(-FRAC_PI_2),
        DVec3::NEG_Z => DQuat::from_rotation_x(FRAC_PI_2),
        DVec3::NEG_Y => DQuat::from_rotation_x(PI),
        _ => DQuat::IDENTITY,
    }
}

fn unit(height: f64, options: &ReadOptions, warnings: &mut Vec<Warning>) -> f64 {
    const CMU: f64 = 0.05644;
    if let Some(chosen) = options.metres_per_unit {
        if (1e-6..=1e6).contains(&chosen) {
            return chosen;
        }
        warn(warnings, WarningKind::Units, format!("{chosen} metres per unit cannot be meant: the unit was guessed"));
    }
    let known =
        [("feet", 0.3048), ("decimetres", 0.1), ("inches", 0.0254), ("centimetres", 0.01), ("millimetres", 0.001)];
    let (unit, metres, or) = match height {
        h if !(h.is_finite() && h > 0.0) => ("centimetres", 0.01, ""),
        0.5..=3.0 => ("metres", 1.0, ""),
        14.0..=20.0 => ("decimetres", 0.1, " (or units of the CMU library, 0.05644 m)"),
        10.0..=45.0 => ("units of the CMU library", CMU, ""),
        55.0..=85.0 => ("inches", 0.0254, " (or centimetres)"),
        50.0..=300.0 => ("centimetres", 0.01, ""),
        h => {
            let miss = |metres: f64| (h * metres / 1.7).ln().abs();
            let (name, metres) =
                known.into_iter().min_by(|a, b| miss(a.1).total_cmp(&miss(b.1))).unwrap_or(("centimetres", 0.01));
            (name, metres, ", though none of the usual units fits")
        }
    };
    let message = format!(
        "the file names no unit: a figure {height:.4} units tall was read in {unit}, {:.2} m{or}; \
         choose the metres per unit if that is wrong",
        height * metres
    );
    warn(warnings, WarningKind::Units, message);
    metres
}

/// The joints of the tree with the most joints: props and cameras are ROOTs of their own.
struct Figure {
    joints: Vec<usize>,
    is_foot: Vec<bool>,
}

impl Figure {
    fn of(bvh: &Bvh) -> Self {
        let mut top = Vec::with_capacity(bvh.joints.len());
        let mut sizes = vec![0usize; bvh.joints.len()];
        for (i, joint) in bvh.joints.iter().enumerate() {
            top.push(joint.parent.map_or(i, |parent| top[parent as usize]));
            sizes[top[i]] += 1;
        }
        let largest = sizes.iter().max().and_then(|most| sizes.iter().position(|size| size == most));
        let joints: Vec<usize> = (0..top.len()).filter(|&i| Some(top[i]) == largest).collect();
        let is_foot = joints
            .iter()
            .map(|&i| {
                let name = bvh.joints[i].name.to_lowercase();
                ["foot", "feet", "ankle", "toe", "heel", "paw", "hoof"].iter().any(|part| name.contains(part))
            })
            .collect();
        Self { joints, is_foot }
    }

    /// At a frame, or as the OFFSETs alone put it.
    fn look(&self, bvh: &Bvh, frame: Option<usize>, options: &ReadOptions) -> Look {
        let component = bvh.component(frame, options.add_positions_to_offset);
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let mut sums = [(DVec3::ZERO, 0.0); 2];
        for (&i, &foot) in self.joints.iter().zip(&self.is_foot) {
            let (at, turn) = component[i];
            let sum = &mut sums[usize::from(foot)];
            *sum = (sum.0 + at, sum.1 + 1.0);
            for point in std::iter::once(at).chain(bvh.joints[i].end_sites.iter().map(|&end| at + turn * end)) {
                (low, high) = (low.min(point), high.max(point));
            }
        }
        let [(rest, others), (feet, n)] = sums;
        let from_feet = if n > 0.0 && others > 0.0 { Some(rest / others - feet / n) } else { None };
        Look { extent: high - low, from_feet }
    }
}

/// What one pose tells.
struct Look {
    /// Size of the box around the figure.
    extent: DVec3,
    /// From the middle of the feet to the middle of all else.
    from_feet: Option<DVec3>,
}

impl Look {
    fn direction(&self) -> DVec3 {
        // x is left out of the extents: arms spread wider than a figure is tall.
        self.from_feet.unwrap_or(DVec3::new(0.0, self.extent.y, self.extent.z)).normalize_or_zero()
    }

    fn up(&self) -> Option<DVec3> {
        clear_axis(self.direction())
    }

    fn up_of_all(looks: &[Self]) -> Option<DVec3> {
        clear_axis(looks.iter().map(Self::direction).sum())
    }
}

/// The axis along which a direction clearly points, if that is ±y or ±z: no program stands figures along x.
fn clear_axis(v: DVec3) -> Option<DVec3> {
    let size = v.abs();
    let across = |a: f64, b: f64| CLEAR * a.max(b);
    if size.y > across(size.x, size.z) {
        Some(DVec3::Y * v.y.signum())
    } else if size.z > across(size.x, size.y) {
        Some(DVec3::Z * v.z.signum())
    } else {
        None
    }
}
