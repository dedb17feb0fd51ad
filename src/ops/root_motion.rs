//! Extraction of root motion, in place, and baking root motion back to the hips.
//!
//! The travel transform `A(t)` turns by the path's yaw about the path and moves along it; the root becomes
//! `A(t)∘R(0)` and everything below is re-solved so that the visible pose stays. In place is the same split with the
//! root held at `R(0)`: every track but the root's is then identical in both.

use std::sync::Arc;

use glam::{DAffine3, DMat3, DQuat, DVec3};
use serde::{Deserialize, Serialize};

use super::curves::path_curves;
use super::gait::leg_length;
use super::grid::Grid;
use super::ik_follow::follow;
use super::path::{
    ChosenPath, MeasuredPath, PathMode, PathSettings, Vertical, YawSource, choose, measure, measure_positions,
    travel_bone,
};
use super::resplit::{ChildRule, NewRoot, is_already, resplit, write_root};
use super::yaw::{twist_about_up, unwrap};
use super::{OpError, OpInput, OpOutput, Progress, Report, SkeletonPatch};
use crate::motion::rig::IkPair;
use crate::motion::transform::{ground, rotation_of, yaw_rotation};
use crate::motion::{Bone, BoneIndex, ChainSampler, Clip, Property, Rig, Role, Skeleton, Times, Transform, chain_to};

/// Where the root stands at the first key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RootStart {
    /// Where it was, if the travel bone is within a quarter of a leg of it; else under the travel bone.
    #[default]
    Auto,
    /// Where it was.
    Relative,
    /// On the ground under the path's first point, at the height it had.
    UnderPelvis,
}

/// How the root and what hangs from it are treated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RootSettings {
    /// Its first place.
    pub start: RootStart,
    /// Name of the root that is added where there is none.
    pub root_name: String,
    /// Children of the root that are not kept in place.
    pub children: Vec<ChildRule>,
}

impl Default for RootSettings {
    fn default() -> Self {
        Self { start: RootStart::Auto, root_name: "root".into(), children: Vec::new() }
    }
}

/// Moves the travel to the root; the visible pose does not change.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Extract {
    /// Which path.
    #[serde(flatten)]
    pub path: PathSettings,
    /// Which root.
    #[serde(flatten)]
    pub root: RootSettings,
}

/// Takes the travel out; the root stands still, sway and bob stay, and curves keep what was taken.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct InPlace {
    /// Which path.
    #[serde(flatten)]
    pub path: PathSettings,
    /// Which root.
    #[serde(flatten)]
    pub root: RootSettings,
}

/// Moves the root's motion down to its children; the root stands at its first key.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct BakeToHips {
    /// Children of the root that are not kept in place.
    pub children: Vec<ChildRule>,
}

impl Extract {
    /// The clip with the travel on the root.
    ///
    /// # Errors
    /// No travel bone, settings that make no sense, too many keys, cancelled.
    pub fn apply(&self, input: &OpInput<'_>, progress: &Progress) -> Result<OpOutput, OpError> {
        Ok(split(input, &self.path, &self.root, progress)?.output)
    }
}

impl InPlace {
    /// The clip with the root standing still, and the path kept as curves.
    ///
    /// # Errors
    /// As [`Extract::apply`].
    pub fn apply(&self, input: &OpInput<'_>, progress: &Progress) -> Result<OpOutput, OpError> {
        let split = split(input, &self.path, &self.root, progress)?;
        let mut output = split.output;
        let mut clip = Clip::clone(&output.clip);
        hold_root(&mut clip, split.root, &split.still, &split.before)?;
        // What hangs from the root was moved with it; IK bones beside its branch go after their partners.
        let skeleton = clip.skeleton.clone();
        let below = |bone| skeleton.is_at_or_above(split.root, bone);
        let moved_alike = |pair: IkPair| self.root.children.is_empty() && below(pair.ik) == below(pair.fk);
        output.clip = follow(&split.before, Arc::new(clip), &split.rig, moved_alike)?;
        Ok(output)
    }
}

impl BakeToHips {
    /// The clip with the root standing at its first key; the visible pose does not change.
    ///
    /// # Errors
    /// No root, too many keys, cancelled.
    pub fn apply(&self, input: &OpInput<'_>, progress: &Progress) -> Result<OpOutput, OpError> {
        let clip = input.clip;
        let Some(root) = input.rig.root() else {
            return Err(OpError::Needs("this skeleton has no root bone, so there is no root motion to bake".into()));
        };
        let mut old = ChainSampler::of_bone(clip, root);
        let mut report = Report::default();
        if old.is_static() {
            report.note("the root does not move: nothing to bake");
            return Ok(OpOutput { clip: clip.clone(), skeleton: None, report });
        }
        let held = old.first_local_at(clip.range.start_secs);
        let turns = old.moving_tracks().any(|(property, _)| property == Property::Rotation);
        let times = Arc::new(Times::single(clip.range.start_secs));
        let grid = Grid { times, times_from: None, curved: false };
        let new_root = NewRoot { grid, local: vec![held], turns };
        let clip = resplit(clip, root, input.rig, &new_root, &self.children, progress)?;
        Ok(OpOutput { clip, skeleton: None, report })
    }
}

struct Split {
    output: OpOutput,
    /// The clip before, on the skeleton of the output, and its rig.
    before: Arc<Clip>,
    rig: Rig,
    root: BoneIndex,
    /// The root as in place holds it.
    still: NewRoot,
}

fn split(input: &OpInput<'_>, path: &PathSettings, root: &RootSettings, progress: &Progress) -> Result<Split, OpError> {
    let mut report = Report::default();
    let travel = travel_bone(input.clip, input.rig, path.travel_bone.as_deref())?;
    let rooted = Rooted::new(input.clip, input.rig, travel, root)?;
    let (clip, rig, travel) = (&rooted.clip, &rooted.rig, rooted.travel);
    let turns = !matches!(path.yaw, YawSource::None | YawSource::Typed { .. });
    let measured = if turns { measure(clip, travel)? } else { measure_positions(clip, travel)? };
    let above_static = is_above_static(clip, rooted.root);
    // A path that is followed exactly needs keys on its curves; so does a root that stands still under a moving node.
    let measured = if path.path == PathMode::Raw || !above_static {
        measured.refined(clip, travel, path.vertical != Vertical::Off)?
    } else {
        measured
    };
    let measured = if path.is_over_range(clip.cycle) { measured.over_range(clip.range) } else { measured };
    let chosen = choose(clip, rig, &measured, path, &mut report)?;
    let motion = RootMotion::new(clip, rig, rooted.root, &measured, &chosen, path.yaw, root.start, &mut report);
    let moving = motion.moving();
    let still = motion.still();
    let mut new_clip = resplit(clip, rooted.root, rig, &moving, &root.children, progress)?;
    describe(&measured, &chosen, &mut report);
    let headings = motion.headings();
    let rises = path.vertical != Vertical::Off;
    let curves = path_curves(&chosen, &motion.places, &headings, rises, clip.cycle);
    if new_clip.curves.iter().filter(|curve| curves.iter().any(|ours| ours.name == curve.name)).ne(curves.iter()) {
        let kept = &mut Arc::make_mut(&mut new_clip).curves;
        kept.retain(|curve| curves.iter().all(|ours| ours.name != curve.name));
        kept.extend(curves);
    }
    let before = rooted.clip.clone();
    let output = OpOutput { clip: new_clip, skeleton: rooted.patch, report };
    Ok(Split { output, before, rig: rooted.rig, root: rooted.root, still })
}

/// The clip on a skeleton that has a root.
struct Rooted {
    clip: Arc<Clip>,
    rig: Rig,
    root: BoneIndex,
    travel: BoneIndex,
    patch: Option<SkeletonPatch>,
}

impl Rooted {
    fn new(clip: &Arc<Clip>, rig: &Rig, travel: BoneIndex, settings: &RootSettings) -> Result<Self, OpError> {
        if let Some(root) = rig.root().filter(|&root| clip.skeleton.is_at_or_above(root, travel)) {
            return Ok(Self { clip: clip.clone(), rig: rig.clone(), root, travel, patch: None });
        }
        // Above the whole body, even when the travel of a bone further up is asked for: a root in its middle would
        // leave the legs behind.
        let body = rig.travel_bone.or_else(|| rig.bone(Role::Pelvis));
        let above = body.filter(|&body| clip.skeleton.is_at_or_above(body, travel)).unwrap_or(travel);
        let name = free_name(&clip.skeleton, &settings.root_name);
        let path = clip.skeleton.path(above).to_owned();
        let patch = SkeletonPatch::InsertRoot { above: path, name, reference: Transform::IDENTITY };
        let (clip, rig) = patch.apply(clip, rig)?;
        let travel = Skeleton::index_after_insertion(above, travel);
        Ok(Self { clip, rig, root: above, travel, patch: Some(patch) })
    }
}

/// A name no bone has yet: engines that find bones by name must not meet two.
fn free_name(skeleton: &Skeleton, wished: &str) -> String {
    let wished = if wished.trim().is_empty() { "root" } else { wished.trim() };
    let taken = |name: &str| skeleton.bones().iter().any(|bone| bone.name.eq_ignore_ascii_case(name));
    if !taken(wished) {
        return wished.to_owned();
    }
    (1..).map(|n| format!("{wished}_{n:02}")).find(|name| !taken(name)).unwrap_or_else(|| wished.to_owned())
}

impl SkeletonPatch {
    /// The same clip and rig on the patched skeleton; tracks are shared, the new bone has none.
    ///
    /// # Errors
    /// The bone is not there, or the skeleton is full.
    pub fn apply(&self, clip: &Arc<Clip>, rig: &Rig) -> Result<(Arc<Clip>, Rig), OpError> {
        let Self::InsertRoot { above, name, reference } = self;
        let above = super::find_bone(clip, "above", above)?;
        let parent = clip.skeleton.parent(above);
        let reference_component = clip.skeleton.reference_component();
        let over = parent.map_or(DAffine3::IDENTITY, |parent| reference_component[parent.get()]);
        let bone = Bone {
            name: name.clone(),
            parent,
            node_pose: *reference,
            // A skin that binds the bone below will bind this one too, at its reference place.
            bind_pose: clip.skeleton.bone(above).bind_pose.map(|_| over * reference.to_affine()),
            is_joint: true,
            node: None,
        };
        let skeleton = clip
            .skeleton
            .with_bone_above(above, bone)
            .map_err(|error| OpError::Setting { setting: "root_name", reason: error.to_string() })?;
        let mut patched = Clip::clone(clip);
        patched.tracks.insert(above.get(), [None, None, None]);
        patched.skeleton = skeleton;
        let rig = rig.after_insertion(above, &patched.skeleton);
        Ok((Arc::new(patched), rig))
    }
}

/// The root's motion in component space, and how it becomes local.
struct RootMotion<'a> {
    clip: &'a Clip,
    root: BoneIndex,
    chosen: &'a ChosenPath,
    /// `R(0)`: place at the first key.
    start: DVec3,
    /// Its rotation and scale there: as a matrix, which is right under a mirrored node too.
    start_turned: DMat3,
    /// The path's yaw per key; empty without.
    turns: Vec<DQuat>,
    /// Where the root is at each key of the path, component space.
    places: Vec<DVec3>,
    /// The root faces this way throughout.
    held: Option<DMat3>,
    /// What stands above the root never moves, or the keys of the path hold its keys too.
    above_static: bool,
}

impl<'a> RootMotion<'a> {
    #[expect(clippy::too_many_arguments, reason = "the parts of one decision")]
    fn new(
        clip: &'a Clip,
        rig: &Rig,
        root: BoneIndex,
        measured: &MeasuredPath,
        chosen: &'a ChosenPath,
        wanted_yaw: YawSource,
        start: RootStart,
        report: &mut Report,
    ) -> Self {
        let mut chain = ChainSampler::new(clip, &chain_to(&clip.skeleton, root));
        let first = chain.last_at(chosen.grid.times.first());
        let apart = ground(measured.positions[0] - first.translation).length();
        let under = match start {
            RootStart::Relative => false,
            RootStart::UnderPelvis => true,
            RootStart::Auto => apart >= 0.25 * leg_length(clip, rig),
        };
        if start == RootStart::Auto {
            report.note(if under { "root start: under the pelvis" } else { "root start: where the root was" });
        }
        let point = chosen.points[0];
        let at = if under { DVec3::new(point.x, first.translation.y, point.z) } else { first.translation };
        let held = match wanted_yaw {
            YawSource::Typed { yaw_deg } => {
                let rest = clip.skeleton.reference_component()[root.get()].matrix3;
                Some(DMat3::from_quat(yaw_rotation(yaw_deg.to_radians())) * rest)
            }
            _ => None,
        };
        let turns: Vec<DQuat> =
            if chosen.turns() { chosen.yaw.iter().map(|&yaw| yaw_rotation(yaw)).collect() } else { Vec::new() };
        let arm = at - ground(point);
        let places = if chosen.turns() {
            chosen.points.iter().zip(&turns).map(|(&point, &turn)| turn * arm + point).collect()
        } else {
            chosen.points.iter().map(|&point| arm + point).collect()
        };
        let above_static = is_above_static(clip, root);
        Self { clip, root, chosen, start: at, start_turned: first.matrix3, turns, places, held, above_static }
    }

    /// Whether the rotation track is written.
    fn writes_rotation(&self) -> bool {
        self.chosen.turns() || self.held.is_some() || !self.above_static
    }

    /// Local root transforms along the path.
    fn moving(&self) -> NewRoot {
        let turn = |i: usize| self.turns.get(i).copied().unwrap_or(DQuat::IDENTITY);
        self.local(&self.chosen.grid, |i| (self.places[i], turn(i)))
    }

    /// Local root transforms of the root standing at `R(0)`.
    fn still(&self) -> NewRoot {
        let once =
            Grid { times: Arc::new(Times::single(self.chosen.grid.times.first())), times_from: None, curved: false };
        let grid = if self.above_static { &once } else { &self.chosen.grid };
        self.local(grid, |_| (self.start, DQuat::IDENTITY))
    }

    /// Which way the root faces at each key of the path, radians about +Y: its turn against the reference pose.
    fn headings(&self) -> Vec<f64> {
        let reference = rotation_of(&self.clip.skeleton.reference_component()[self.root.get()]).conjugate();
        let facing = |turned: DMat3| {
            let rotation = rotation_of(&DAffine3 { matrix3: turned, translation: DVec3::ZERO });
            twist_about_up(rotation * reference).unwrap_or(0.0)
        };
        if let Some(held) = self.held {
            return vec![facing(held); self.chosen.points.len()];
        }
        if self.chosen.turns() {
            let first = facing(self.start_turned);
            return self.chosen.yaw.iter().map(|yaw| first + yaw).collect();
        }
        let mut chain = ChainSampler::new(self.clip, &chain_to(&self.clip.skeleton, self.root));
        if chain.moving_tracks().all(|(property, _)| property == Property::Translation) {
            return vec![facing(self.start_turned); self.chosen.points.len()];
        }
        let wrapped: Vec<f64> = self.chosen.grid.times.iter().map(|secs| facing(chain.last_at(secs).matrix3)).collect();
        unwrap(&wrapped).angles
    }

    fn local(&self, grid: &Grid, place: impl Fn(usize) -> (DVec3, DQuat)) -> NewRoot {
        let turns = self.writes_rotation();
        let turns_with_path = self.held.is_none() && self.chosen.turns();
        let mut chain = ChainSampler::new(self.clip, &chain_to(&self.clip.skeleton, self.root));
        let mut component = Vec::new();
        let mut above = DAffine3::IDENTITY;
        let mut own = DMat3::IDENTITY;
        let mut scale = DVec3::ONE;
        let mut root = ChainSampler::of_property(self.clip, self.root, Property::Scale);
        let looked_at_once =
            self.above_static && root.is_static() && (!turns || self.held.is_some() || turns_with_path);
        // The root keeps its own scale, mirrored or not: what is left of its matrix is its rotation.
        let unscaled = |matrix3: DMat3, scale: DVec3| {
            rotation_of(&DAffine3 { matrix3: matrix3 * DMat3::from_diagonal(scale.recip()), ..DAffine3::IDENTITY })
        };
        // With nothing above it, it turns by its turn and no more.
        let alone = looked_at_once && turns_with_path && self.clip.skeleton.parent(self.root).is_none();
        let mut first = DQuat::IDENTITY;
        let local = grid
            .times
            .iter()
            .enumerate()
            .map(|(i, secs)| {
                // What stands still is looked at once; the root's own rotation only where it is written.
                if i == 0 || !looked_at_once {
                    chain.all_at(secs, &mut component);
                    above = component.len().checked_sub(2).map_or(DAffine3::IDENTITY, |at| component[at]).inverse();
                    own = component[component.len() - 1].matrix3;
                    scale = root.first_local_at(secs).scale;
                    first = unscaled(self.start_turned, scale);
                }
                let (position, turn) = place(i);
                if !turns {
                    return Transform::rigid(above.transform_point3(position), DQuat::IDENTITY);
                }
                if alone {
                    return Transform::rigid(position, turn * first);
                }
                let turned = match self.held {
                    Some(held) => held,
                    None if turns_with_path => DMat3::from_quat(turn) * self.start_turned,
                    None => own,
                };
                Transform::rigid(above.transform_point3(position), unscaled(above.matrix3 * turned, scale))
            })
            .collect();
        NewRoot { grid: grid.clone(), local, turns }
    }
}

/// Replaces the root's tracks by those of the standing root; its children are already right. A root that stood there
/// all along keeps the tracks it had.
fn hold_root(clip: &mut Clip, root: BoneIndex, still: &NewRoot, before: &Clip) -> Result<(), OpError> {
    if is_already(before, root, still)? {
        clip.tracks[root.get()] = before.tracks[root.get()].clone();
    } else {
        write_root(clip, root, still);
    }
    Ok(())
}

fn is_above_static(clip: &Clip, root: BoneIndex) -> bool {
    let above = clip.skeleton.parent(root);
    above.is_none_or(|parent| ChainSampler::new(clip, &chain_to(&clip.skeleton, parent)).is_static())
}

/// The numbers an animator looks at after a split.
fn describe(measured: &MeasuredPath, chosen: &ChosenPath, report: &mut Report) {
    let times = &chosen.grid.times;
    let n = times.len();
    let net = ground(chosen.points[n - 1] - chosen.points[0]);
    let duration = times.last() - times.first();
    let length: f64 = chosen.points.windows(2).map(|pair| ground(pair[1] - pair[0]).length()).sum();
    report.figure("travel", net.length(), "m");
    if duration > 0.0 {
        report.figure("mean speed", length / duration, "m/s");
    }
    if chosen.turns() {
        report.figure("net turn", chosen.yaw[n - 1].to_degrees(), "°");
    }
    let apart = measured.positions.iter().zip(&chosen.points).map(|(p, q)| ground(*p - *q).length());
    report.figure("largest distance of pelvis and path", apart.fold(0.0, f64::max), "m");
    if chosen.extension == super::smooth::Extension::PeriodicWithDrift && n > 2 {
        let heading = |a: DVec3, b: DVec3| {
            let d = b - a;
            d.x.atan2(d.z)
        };
        let kink = heading(chosen.points[n - 2], chosen.points[n - 1]) - heading(chosen.points[0], chosen.points[1]);
        let kink = crate::motion::transform::wrap_angle(kink - chosen.yaw[n - 1]);
        report.figure("kink of the path at the seam", kink.to_degrees().abs(), "°");
    }
}
