//! Animation stacks to clips.
//!
//! *Range*: the take's own span where it lies inside the keys; where the two only overlap, what they share; where the
//! take holds a pose (all keys at one time) or a curve goes on past its keys, the take's span; without a span, the keys.
//! Whenever take and keys differ, a warning says both.
//!
//! *Rate*: the file's, else guessed from the keys.

use std::collections::HashMap;
use std::sync::Arc;

use glam::{DQuat, DVec3};
use ufbx::{Anim, AnimStack, AnimValue, ElementType, ExtrapolationMode, Node};

use super::bones::{self, Bones, Rest};
use super::curves::Quick;
use super::sample::{Bend, Stamps, Window};
use super::{Channel, Findings, ReadError, Refusal};
use crate::formats::Limits;
use crate::motion::time::guess_rate;
use crate::motion::transform::{is_uniform, nearer};
use crate::motion::{
    Clip, Cycle, FileId, FrameRate, Interpolation, Origin, Property, TimeRange, Times, Track, WarningKind,
};

/// What a set of curves drives.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Target {
    Own(Property),
    /// Pre- and post-rotation, pivots, offsets, rotation order: almost never animated.
    Frame,
}

/// One set of curves on a node.
struct Drive<'s> {
    node: u32,
    target: Target,
    layer: u32,
    value: &'s AnimValue,
}

impl Drive<'_> {
    fn is_scale(&self) -> bool {
        self.target == Target::Own(Property::Scale)
    }
}

/// All takes' curves on nodes.
pub(super) struct Drives<'s> {
    /// Per take, sorted by node.
    takes: Vec<Vec<Drive<'s>>>,
    /// Whether some take moves the node. Shape `[nodes]`.
    pub is_animated: Vec<bool>,
}

impl<'s> Drives<'s> {
    pub fn gather(scene: &'s ufbx::Scene, findings: &mut Findings) -> Self {
        let mut is_animated = vec![false; scene.nodes.count];
        let mut takes = Vec::with_capacity(scene.anim_stacks.count);
        for stack in &scene.anim_stacks {
            let mut drives = Vec::new();
            for (layer, layer_of_take) in stack.layers.iter().enumerate() {
                for prop in &layer_of_take.anim_props {
                    let target =
                        (prop.element.type_ == ElementType::Node).then(|| target_of(&prop.prop_name)).flatten();
                    let Some(target) = target else {
                        if prop.element.type_ != ElementType::AnimLayer {
                            let message =
                                "animated properties other than bone transforms are kept in the file but not shown";
                            findings.add(WarningKind::SetAside, &prop.element.name, message);
                        }
                        continue;
                    };
                    let node = prop.element.typed_id;
                    is_animated[node as usize] = true;
                    let value: &'s AnimValue = &prop.anim_value;
                    drives.push(Drive { node, target, layer: layer as u32, value });
                }
            }
            drives.sort_by_key(|drive| drive.node);
            takes.push(drives);
        }
        // The root that ufbx puts above the file's own nodes is never a bone.
        is_animated[scene.root_node.element.typed_id as usize] = false;
        Self { takes, is_animated }
    }

    /// Whether some take scales the node by different amounts per axis.
    pub fn stretches(&self, node: u32) -> bool {
        self.takes
            .iter()
            .any(|drives| of_node(drives, node).iter().any(|drive| drive.is_scale() && !is_even(drive.value)))
    }
}

fn of_node<'d, 's>(drives: &'d [Drive<'s>], node: u32) -> &'d [Drive<'s>] {
    let from = drives.partition_point(|drive| drive.node < node);
    let to = drives.partition_point(|drive| drive.node <= node);
    &drives[from..to]
}

/// Whether the three curves of a scale always agree: constant and equal, or the same keys.
fn is_even(value: &AnimValue) -> bool {
    let mut constant = bones::vec3(value.default_value);
    let mut moving = Vec::new();
    for (axis, curve) in value.curves.iter().enumerate() {
        match curve.as_deref() {
            Some(curve) if curve.min_value != curve.max_value => moving.push(curve),
            Some(curve) if curve.keyframes.count > 0 => constant[axis] = curve.min_value,
            _ => {}
        }
    }
    let same =
        |a: &ufbx::Keyframe, b: &ufbx::Keyframe| a.time == b.time && (a.value - b.value).abs() <= 1e-4 * a.value.abs();
    match moving[..] {
        [] => is_uniform(constant),
        [x, y, z] => [y, z].iter().all(|other| {
            other.keyframes.count == x.keyframes.count
                && x.keyframes.iter().zip(&other.keyframes).all(|(a, b)| same(a, b))
        }),
        _ => false,
    }
}

fn target_of(property: &str) -> Option<Target> {
    Some(match property {
        "Lcl Translation" => Target::Own(Property::Translation),
        "Lcl Rotation" => Target::Own(Property::Rotation),
        "Lcl Scaling" => Target::Own(Property::Scale),
        "PreRotation" | "PostRotation" | "RotationOffset" | "RotationPivot" | "ScalingOffset" | "ScalingPivot"
        | "RotationOrder" => Target::Frame,
        _ => return None,
    })
}

/// Every take as a clip, in file order.
#[expect(clippy::too_many_arguments, reason = "a take is read out of all of it")]
pub(super) fn read(
    file: FileId,
    scene: &ufbx::Scene,
    rest: &Rest<'_>,
    bones: &Bones,
    drives: &Drives<'_>,
    limits: &Limits,
    refuse: &Refusal,
    findings: &mut Findings,
) -> Result<Vec<Arc<Clip>>, ReadError> {
    let mut clips = Vec::with_capacity(drives.takes.len());
    let mut room = limits.samples;
    for (number, (stack, drives)) in scene.anim_stacks.iter().zip(&drives.takes).enumerate() {
        let layers: Vec<u32> = stack.layers.iter().map(|layer| layer.element.typed_id).collect();
        let mended = rest.with_layers(&layers, refuse)?;
        let rate = rate_of(scene, drives);
        let range = range_of(stack, drives, findings);
        let most = usize::try_from(room / 4).unwrap_or(usize::MAX);
        let mut take = Take {
            stack,
            anim: mended.as_deref().unwrap_or(&stack.anim),
            drives,
            rest,
            window: Window { range, fps: rate.fps(), most },
            file,
            number: number as u32,
            shared: HashMap::new(),
            findings,
        };
        let mut tracks = Vec::with_capacity(bones.nodes.len());
        for &node in &bones.nodes {
            let of_bone = take.tracks(&scene.nodes[node as usize]).map_err(|Full| {
                let what = format!("too many keys in the take \"{}\"", &*stack.element.name);
                // How many there would be in the end is not found out.
                let (asked, limit) = (limits.samples.saturating_add(1), limits.samples);
                ReadError::TooLarge { file: refuse.file.clone(), what, asked, limit }
            })?;
            let samples: usize = of_bone.iter().flatten().map(|track| track.values.len()).sum();
            room = room.saturating_sub(samples as u64);
            take.window.most = usize::try_from(room / 4).unwrap_or(usize::MAX);
            tracks.push(of_bone);
        }
        clips.push(Arc::new(Clip {
            name: stack.element.name.to_string(),
            skeleton: bones.skeleton.clone(),
            tracks,
            range,
            rate,
            cycle: Cycle::None,
            contacts: Vec::new(),
            markers: Vec::new(),
            curves: Vec::new(),
            take: Some(number as u32),
        }));
    }
    Ok(clips)
}

/// A take has more samples than are left of what is allowed.
struct Full;

/// One take on its way to a clip.
struct Take<'t, 's> {
    stack: &'t AnimStack,
    anim: &'t Anim,
    drives: &'t [Drive<'s>],
    rest: &'t Rest<'t>,
    window: Window,
    file: FileId,
    number: u32,
    /// Key times that several tracks share.
    shared: HashMap<u64, Vec<Arc<Times>>>,
    findings: &'t mut Findings,
}

/// What is known of one property before it is evaluated.
struct Plan<'s> {
    times: Vec<f64>,
    steps: bool,
    /// The curves that alone give the values, where that is so: the property's own, in one layer, without a say of
    /// pivots, pre-rotation or a parent's scale.
    plain: Option<&'s AnimValue>,
}

impl<'t, 's> Take<'t, 's> {
    fn drives_of(&self, node: &Node) -> &'t [Drive<'s>] {
        of_node(self.drives, node.element.typed_id)
    }

    /// The three tracks of a bone; `Err`: more keys than allowed.
    fn tracks(&mut self, node: &Node) -> Result<[Option<Arc<Track>>; 3], Full> {
        let mut plans: [Option<Plan<'s>>; 3] = [const { None }; 3];
        for property in Property::ALL {
            plans[property.slot()] = self.plan(node, property)?;
        }
        let values = evaluate(self.anim, self.rest, node, &plans);
        let mut tracks = [None, None, None];
        for (property, (plan, values)) in Property::ALL.into_iter().zip(plans.into_iter().zip(values)) {
            if let Some(plan) = plan {
                tracks[property.slot()] = self.track(node, property, plan, values);
            }
        }
        Ok(tracks)
    }

    fn plan(&mut self, node: &Node, property: Property) -> Result<Option<Plan<'s>>, Full> {
        if property == Property::Scale && self.rest.is_bare(node) {
            return Ok(None);
        }
        let drives = self.drives_of(node);
        let frame_moves = drives.iter().any(|drive| drive.target == Target::Frame);
        let is_mixed = property == Property::Translation && (frame_moves || has_pivots(node));
        let mut stamps = Stamps::new(self.window);
        let mut layers: Vec<u32> = Vec::new();
        let may_be_plain = !is_mixed && (property != Property::Rotation || !frame_moves);
        let mut values = Vec::new();
        let several_layers = self.stack.layers.count > 1;
        for drive in drives {
            let bend = match drive.target {
                Target::Own(Property::Rotation) if is_mixed || property == Property::Rotation => {
                    Bend::Euler(bones::order_of(node))
                }
                Target::Own(own) if own == property && property == Property::Scale && several_layers => Bend::Curved,
                Target::Own(own) if own == property => Bend::Straight,
                Target::Own(_) if is_mixed => Bend::Curved,
                Target::Frame if is_mixed || property == Property::Rotation => Bend::Curved,
                _ => continue,
            };
            values.push(drive.value);
            stamps.add(drive.value, bend);
            if !layers.contains(&drive.layer) {
                layers.push(drive.layer);
            }
        }
        let mut plain = values.first().copied().filter(|_| may_be_plain && values.len() == 1 && layers == [0]);
        for &layer in &layers {
            for weight in layer_weight(self.stack, layer) {
                stamps.add(weight, Bend::Curved);
            }
        }
        let scaler = match property {
            Property::Translation => self.rest.stretched_by(node),
            Property::Rotation => None,
            Property::Scale => self.rest.divides_by(node),
        };
        for drive in scaler.map_or(&[][..], |parent| self.drives_of(parent)).iter().filter(|drive| drive.is_scale()) {
            plain = None;
            values.push(drive.value);
            stamps.add(drive.value, Bend::Curved);
        }
        if values.is_empty() {
            return Ok(None);
        }
        if stamps.is_full {
            return Err(Full);
        }
        if stamps.wraps > 0 && property == Property::Rotation {
            let message = "Euler angles jump by more than 180° between neighbouring frames although the rotation hardly \
                           changes; between the keys the short way was taken";
            self.findings.add_many(WarningKind::Repaired, &node.element.name, message, stamps.wraps);
        }
        let (mut times, steps) = stamps.finish();
        if times.is_empty() {
            // A curve node without a key in range still sets a value.
            times.push(self.window.range.start_secs);
        }
        Ok(Some(Plan { times, steps, plain }))
    }

    fn track(&mut self, node: &Node, property: Property, plan: Plan<'s>, values: Vec<f32>) -> Option<Arc<Track>> {
        let width = property.width();
        let (mut times, mut values) = (plan.times, values);
        if !values.iter().all(|v| v.is_finite()) {
            let keep: Vec<bool> = values.chunks_exact(width).map(|key| key.iter().all(|v| v.is_finite())).collect();
            let dropped = keep.iter().filter(|kept| !**kept).count();
            let message = "keys that are not finite numbers were left out";
            self.findings.add_many(WarningKind::Repaired, &node.element.name, message, dropped as u32);
            let mut kept = keep.iter();
            times.retain(|_| kept.next().is_some_and(|kept| *kept));
            values = values
                .chunks_exact(width)
                .zip(&keep)
                .filter(|(_, kept)| **kept)
                .flat_map(|(key, _)| key)
                .copied()
                .collect();
        }
        let times = self.share(times)?;
        let interpolation = if plan.steps { Interpolation::Step } else { Interpolation::Linear };
        let mut track = Track::new(property, times, values.into(), interpolation).ok()?;
        let channel = Channel { take: self.number, node: node.element.typed_id, property }.number();
        let origin = Origin { file: self.file, channel };
        track.times_from = Some(origin);
        track.values_from = plan.plain.map(|_| origin);
        Some(Arc::new(track))
    }

    /// One `Arc` per set of times: the sampler locates shared times once.
    fn share(&mut self, times: Vec<f64>) -> Option<Arc<Times>> {
        let hash = times
            .iter()
            .fold(times.len() as u64, |h, t| h.rotate_left(5).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ t.to_bits());
        let times = Times::from_keys(times)?;
        let same_hash = self.shared.entry(hash).or_default();
        if let Some(same) = same_hash.iter().find(|other| ***other == times) {
            return Some(same.clone());
        }
        let times = Arc::new(times);
        same_hash.push(times.clone());
        Some(times)
    }
}

/// Values of the three properties at their times, as a track stores them.
fn evaluate(anim: &Anim, rest: &Rest<'_>, node: &Node, plans: &[Option<Plan<'_>>; 3]) -> [Vec<f32>; 3] {
    let mut values = [const { Vec::new() }; 3];
    let own_scale = |node, secs| bones::vec3(evaluate_one(anim, node, secs, Property::Scale).scale);
    let (stretched_by, divides_by) = (rest.stretched_by(node), rest.divides_by(node));
    for (property, plan) in Property::ALL.into_iter().zip(plans) {
        let Some(plan) = plan else { continue };
        let list: &mut Vec<f32> = &mut values[property.slot()];
        list.reserve_exact(plan.times.len() * property.width());
        let mut quick = plan.plain.and_then(|value| Quick::new(node, property, value));
        let mut before: Option<DQuat> = None;
        for &secs in &plan.times {
            match property {
                Property::Translation => {
                    let whole = || bones::vec3(evaluate_one(anim, node, secs, property).translation);
                    let place = quick.as_mut().map_or_else(whole, |quick| quick.translation(secs));
                    list.extend(three(stretched_by.map_or(place, |parent| place * own_scale(parent, secs))));
                }
                Property::Rotation => {
                    let whole = || bones::quat(evaluate_one(anim, node, secs, property).rotation);
                    let q = quick.as_mut().map_or_else(whole, |quick| quick.rotation(secs));
                    let q = before.map_or(q, |before| nearer(q, before));
                    before = Some(q);
                    list.extend([q.x as f32, q.y as f32, q.z as f32, q.w as f32]);
                }
                Property::Scale => {
                    let scale = quick.as_mut().map_or_else(|| own_scale(node, secs), |quick| quick.scale(secs));
                    let left_out = divides_by.map_or(DVec3::ONE, |parent| own_scale(parent, secs));
                    list.extend(three(scale / bones::divisor(left_out)));
                }
            }
        }
    }
    values
}

/// One property of a node by way of ufbx, layers and all.
fn evaluate_one(anim: &Anim, node: &Node, secs: f64, property: Property) -> ufbx::Transform {
    // ufbx_transform_flags: explicit includes, and translation, rotation or scale.
    let flags = 0x4 | (0x10 << property.slot());
    ufbx::evaluate_transform_flags(anim, node, secs, flags)
}

fn three(v: DVec3) -> [f32; 3] {
    [v.x as f32, v.y as f32, v.z as f32]
}

fn has_pivots(node: &Node) -> bool {
    let pivots = ["RotationPivot", "ScalingPivot", "RotationOffset", "ScalingOffset"];
    pivots.iter().any(|name| bones::prop_vec3(node, name) != DVec3::ZERO)
}

/// Curves of a layer's weight.
fn layer_weight(stack: &AnimStack, layer: u32) -> impl Iterator<Item = &AnimValue> {
    let layer = &stack.layers[layer as usize];
    let is_weight =
        |prop: &&ufbx::AnimProp| &*prop.prop_name == "Weight" && prop.element.element_id == layer.element.element_id;
    let props = layer.weight_is_animated.then_some(&layer.anim_props);
    props.into_iter().flat_map(move |props| props.iter().filter(is_weight).map(|prop| &*prop.anim_value))
}

fn rate_of(scene: &ufbx::Scene, drives: &[Drive<'_>]) -> FrameRate {
    super::space::frame_rate(scene).unwrap_or_else(|| {
        let longest = curves(drives).max_by_key(|curve| curve.keyframes.count);
        let times: Vec<f64> = longest.iter().flat_map(|curve| curve.keyframes.iter().map(|key| key.time)).collect();
        guess_rate(&times).unwrap_or(FrameRate::FALLBACK)
    })
}

fn curves<'a>(drives: &'a [Drive<'_>]) -> impl Iterator<Item = &'a ufbx::AnimCurve> {
    drives
        .iter()
        .flat_map(|drive| drive.value.curves.iter().flatten())
        .map(|curve| &**curve)
        .filter(|curve| curve.keyframes.count > 0)
}

/// The clip's range; see the head of this file.
fn range_of(stack: &AnimStack, drives: &[Drive<'_>], findings: &mut Findings) -> TimeRange {
    let name: &str = &stack.element.name;
    let (mut first, mut last) = (f64::INFINITY, f64::NEG_INFINITY);
    let (mut goes_on_before, mut goes_on_after) = (false, false);
    for curve in curves(drives) {
        first = first.min(curve.min_time);
        last = last.max(curve.max_time);
        goes_on_before |= curve.pre_extrapolation.mode != ExtrapolationMode::Constant;
        goes_on_after |= curve.post_extrapolation.mode != ExtrapolationMode::Constant;
    }
    let mut take = TimeRange { start_secs: stack.time_begin, end_secs: stack.time_end };
    let has_span = take.end_secs > take.start_secs;
    if first > last {
        findings.add(WarningKind::Timing, name, "the take has no keys");
        let start_secs = take.start_secs;
        return if has_span { take } else { TimeRange { start_secs, end_secs: start_secs } };
    }
    if !has_span {
        return TimeRange { start_secs: first, end_secs: last };
    }
    // Some exporters round spans and keys to ticks in different ways; then the keys are right.
    let same = |a: f64, b: f64| (a - b).abs() < 1e-5;
    if same(take.start_secs, first) {
        take.start_secs = first;
    }
    if same(take.end_secs, last) {
        take.end_secs = last;
    }
    let reach = TimeRange {
        start_secs: if goes_on_before { first.min(take.start_secs) } else { first },
        end_secs: if goes_on_after { last.max(take.end_secs) } else { last },
    };
    let shared =
        TimeRange { start_secs: take.start_secs.max(reach.start_secs), end_secs: take.end_secs.min(reach.end_secs) };
    let range = if same(first, last) {
        take
    } else if shared.start_secs < shared.end_secs {
        shared
    } else {
        reach
    };
    if take.start_secs != first || take.end_secs != last {
        let message = format!(
            "the take spans {:.4} to {:.4} s, its keys {first:.4} to {last:.4} s; the clip has {:.4} to {:.4} s",
            take.start_secs, take.end_secs, range.start_secs, range.end_secs
        );
        findings.add(WarningKind::Timing, name, &message);
    }
    range
}
