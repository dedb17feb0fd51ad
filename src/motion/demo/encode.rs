//! From the closed form to keys.

use std::sync::Arc;

use glam::{DQuat, DVec3};

use super::mannequin::{Drive, local};
use super::truth::Take;
use super::{Carrier, DemoError, Encoding};
use crate::motion::transform::{Transform, nearer};
use crate::motion::{
    BoneIndex, Clip, ComponentPose, FrameRate, Interpolation, LocalPose, Property, Sampler, TimeRange, Times, Track,
};

/// Largest value of a normalised 16-bit integer.
const I16_SCALE: f64 = 32767.0;
/// Keys of a spline are never closer than this, however much is asked of it.
const CLOSEST_SECS: f64 = 1e-3;

/// Puts a take into keys.
pub(super) fn encode(take: &Take, name: &str, rate: FrameRate, encoding: Encoding) -> Result<Clip, DemoError> {
    let start = take.start_secs;
    let range = TimeRange { start_secs: start, end_secs: start + take.motion.duration_secs };
    let empty = || Clip::empty(name, take.mannequin.skeleton.clone(), range, rate);
    match encoding {
        Encoding::Linear | Encoding::LinearI16 | Encoding::Step => {
            let n = (range.duration_secs() * rate.fps()).round() as usize + 1;
            let times = Arc::new(Times::Uniform { start, step: rate.frame_secs(), n });
            let keys = rounded_keys(take, &times, encoding == Encoding::LinearI16);
            let interpolation = if encoding == Encoding::Step { Interpolation::Step } else { Interpolation::Linear };
            fill(empty(), take, &times, interpolation, |bone, property| {
                keys.iter().flat_map(|key| numbers(key[bone], property)).collect()
            })
        }
        Encoding::CubicSpline { tolerance_m } => spline(take, range, tolerance_m.max(1e-6), empty),
    }
}

/// Which tracks a bone has.
fn is_keyed(take: &Take, bone: usize, property: Property) -> bool {
    match (take.mannequin.drives()[bone], property) {
        (_, Property::Scale) | (Drive::RidesRoot | Drive::Leaf(_), _) => false,
        (Drive::Root, _) => take.carrier == Carrier::Root,
        (Drive::Part(part), Property::Translation) => part == super::mannequin::PELVIS,
        (Drive::Part(_), Property::Rotation) | (Drive::Marks(_), _) => true,
    }
}

fn fill(
    mut clip: Clip,
    take: &Take,
    times: &Arc<Times>,
    interpolation: Interpolation,
    values: impl Fn(usize, Property) -> Vec<f32>,
) -> Result<Clip, DemoError> {
    for bone in 0..clip.skeleton.len() {
        for property in [Property::Translation, Property::Rotation] {
            if is_keyed(take, bone, property) {
                let track = Track::new(property, times.clone(), values(bone, property).into(), interpolation)?;
                clip.set_track(BoneIndex(bone as u32), property, track);
            }
        }
    }
    Ok(clip)
}

fn numbers(transform: Transform, property: Property) -> Vec<f32> {
    match property {
        Property::Rotation => transform.rotation.to_array().map(|v| v as f32).to_vec(),
        _ => transform.translation.to_array().map(|v| v as f32).to_vec(),
    }
}

/// Local transforms as they will be stored. Shape `[keys][bones]`.
///
/// Each bone is solved below its parent as *stored*, so that rounding does not add up along a chain.
fn rounded_keys(take: &Take, times: &Times, is_i16: bool) -> Vec<Vec<Transform>> {
    let skeleton = &take.mannequin.skeleton;
    let mut keys: Vec<Vec<Transform>> = Vec::with_capacity(times.len());
    for secs in times.iter() {
        let wanted = take.component(secs);
        let mut stored: Vec<Transform> = Vec::with_capacity(wanted.len());
        let mut key = Vec::with_capacity(wanted.len());
        for (i, bone) in skeleton.bones().iter().enumerate() {
            let parent = bone.parent.map(|p| stored[p.get()]);
            let exact = local(parent, wanted[i]);
            let before = keys.last().map_or(bone.node_pose.rotation, |last| last[i].rotation);
            let keyed = |property| is_keyed(take, i, property);
            let rotation = nearer(exact.rotation, before);
            let own = Transform {
                translation: if keyed(Property::Translation) {
                    exact.translation.as_vec3().as_dvec3()
                } else {
                    bone.node_pose.translation
                },
                rotation: match (keyed(Property::Rotation), is_i16) {
                    (false, _) => bone.node_pose.rotation,
                    (true, false) => rotation.as_quat().as_dquat(),
                    (true, true) => to_i16(rotation),
                },
                scale: DVec3::ONE,
            };
            let evaluated = Transform { rotation: own.rotation.normalize(), ..own };
            stored.push(parent.map_or(evaluated, |parent| parent.compose(evaluated)));
            key.push(own);
        }
        keys.push(key);
    }
    keys
}

/// On the grid of normalised 16-bit integers, as glTF stores them.
fn to_i16(q: DQuat) -> DQuat {
    DQuat::from_array(q.to_array().map(|v| f64::from(((v * I16_SCALE).round() / I16_SCALE) as f32)))
}

/// Cubic keys, as few as halving finds, so that no bone is further than `tolerance_m` from its place in component
/// space at seven instants inside each piece.
fn spline(take: &Take, range: TimeRange, tolerance_m: f64, empty: impl Fn() -> Clip) -> Result<Clip, DemoError> {
    let mut secs = first_knots(take, range);
    loop {
        let times = Arc::new(Times::Keys(secs.clone().into_boxed_slice()));
        let keys = spline_keys(take, &secs);
        let clip = fill(empty(), take, &times, Interpolation::CubicSpline, |bone, property| {
            keys.iter().flat_map(|key| key[bone].iter().flat_map(|part| numbers(*part, property))).collect()
        })?;
        let split = pieces_to_split(take, &clip, &secs, tolerance_m);
        if split.is_empty() {
            return Ok(clip);
        }
        secs.extend(split);
        secs.sort_by(f64::total_cmp);
    }
}

/// Both ends and every landing, flattening, rising and lifting: the instants at which the motion has a kink.
fn first_knots(take: &Take, range: TimeRange) -> Vec<f64> {
    let plants = take.motion.feet.iter().flatten();
    let mut secs: Vec<f64> = plants
        .flat_map(|plant| [plant.land_secs, plant.flat_secs, plant.rise_secs, plant.lift_secs])
        .map(|secs| take.start_secs + secs)
        .filter(|&secs| secs > range.start_secs + CLOSEST_SECS && secs < range.end_secs - CLOSEST_SECS)
        .chain([range.start_secs, range.end_secs])
        .collect();
    secs.sort_by(f64::total_cmp);
    secs.dedup_by(|b, a| *b - *a < CLOSEST_SECS);
    secs
}

/// In-tangent, value and out-tangent per key and bone. Shape `[keys][bones]`.
///
/// Tangents are one-sided differences of second order of the closed form, since a landing foot stops at once.
fn spline_keys(take: &Take, secs: &[f64]) -> Vec<Vec<[Transform; 3]>> {
    const STEP_SECS: f64 = 1e-5;
    let locals = |secs: f64| -> Vec<Transform> {
        let component = take.component(secs);
        let bones = take.mannequin.skeleton.bones().iter().zip(&component);
        bones.map(|(bone, &own)| local(bone.parent.map(|p| component[p.get()]), own)).collect()
    };
    let mut keys: Vec<Vec<[Transform; 3]>> = Vec::with_capacity(secs.len());
    for &t in secs {
        // Just inside of each side: at the key itself only one of them is met.
        let around = [-3.0, -2.0, -1.0, 1.0, 2.0, 3.0].map(|n| locals(t + n * STEP_SECS));
        let at = locals(t);
        let key = (0..at.len()).map(|i| {
            let last = keys.last().map_or(at[i].rotation, |key| key[i][1].rotation);
            let rotation = nearer(at[i].rotation, last);
            let side = |nearest: usize, middle: usize, far: usize, step: f64| {
                let q = [nearest, middle, far].map(|n| nearer(around[n][i].rotation, rotation));
                let p = [nearest, middle, far].map(|n| around[n][i].translation);
                Transform {
                    translation: slope(p, step),
                    rotation: DQuat::from_vec4(slope(q.map(Into::into), step)),
                    scale: DVec3::ZERO,
                }
            };
            [side(2, 1, 0, -STEP_SECS), Transform { rotation, ..at[i] }, side(3, 4, 5, STEP_SECS)]
        });
        keys.push(key.collect());
    }
    keys
}

/// Rate one step before three values a step apart.
fn slope<V>([a, b, c]: [V; 3], step_secs: f64) -> V
where
    V: std::ops::Mul<f64, Output = V> + std::ops::Add<Output = V>,
{
    (a * -2.5 + b * 4.0 + c * -1.5) * (1.0 / step_secs)
}

/// Middles of the pieces that are off by more than allowed.
fn pieces_to_split(take: &Take, clip: &Clip, secs: &[f64], tolerance_m: f64) -> Vec<f64> {
    let mut sampler = Sampler::new(clip);
    let mut pose = LocalPose::node_pose(&clip.skeleton);
    let mut component = ComponentPose::new(&clip.skeleton);
    let mut is_off = |t: f64| {
        sampler.local(t, &mut pose);
        component.set(&clip.skeleton, &pose);
        let wanted = take.component(t);
        wanted.iter().zip(&component.0).any(|(want, is)| want.translation.distance(is.translation) > tolerance_m)
    };
    let pieces = secs.windows(2).filter(|pair| pair[1] - pair[0] > 2.0 * CLOSEST_SECS);
    pieces
        .filter(|pair| (1..8).any(|i| is_off(pair[0] + (pair[1] - pair[0]) * f64::from(i) / 8.0)))
        .map(|pair| 0.5 * (pair[0] + pair[1]))
        .collect()
}
