//! Re-solves the bones below a root that was given new motion.

use std::sync::Arc;

use glam::{DQuat, DVec3};

use super::store::{put, quat_values, vec3_values};
use super::{BETWEEN_KEYS_M, BETWEEN_KEYS_RAD, RootKeys};
use crate::motion::transform::{angle_between, nearer, rotation_of, slerp};
use crate::motion::{BoneIndex, ChainSampler, Clip, FrameRate, Property, Times, Track, Transform, chain_to};
use crate::ops::OpError;
use crate::ops::grid::{Grid, MAX_SAMPLES};

/// How often a frame may be halved to stay within.
const LEVELS: u32 = 5;

/// How often a stretch of time may be halved: down to a frame, and then [`LEVELS`] times more.
pub fn levels(secs: f64, rate: FrameRate) -> u32 {
    LEVELS + (secs * rate.fps()).max(1.0).log2().ceil() as u32
}

/// What all children of one root share.
pub struct Solver<'c> {
    clip: &'c Clip,
    /// The clip with the new root, its children still as they were.
    rooted: &'c Clip,
    root: BoneIndex,
    turns: bool,
    grid: &'c Grid,
    /// The root before and after, as stored, at the keys of `grid`; empty when it only shifts.
    roots: Vec<RootAt>,
    /// `n⁻¹∘m` per key where the root's rotation and scale are one and the same throughout, before and after.
    shifts: Option<Vec<DVec3>>,
    /// Metres per unit of the root's parent.
    metres: f64,
}

/// The root before (`m`) and after (`n`), and `n⁻¹∘m`.
#[derive(Clone, Copy)]
struct RootAt {
    m: Transform,
    n: Transform,
    correction: Transform,
}

impl RootAt {
    fn new(m: Transform, n: Transform) -> Self {
        let uniform = (n.scale - DVec3::splat(n.scale.x)).length_squared() <= 1e-18 * n.scale.x * n.scale.x;
        let correction = if m.rotation == n.rotation && m.scale == n.scale {
            // The same turn and scale before and after: what is left is a shift.
            let shift = (n.rotation.conjugate() * (m.translation - n.translation)) / n.scale;
            Transform { translation: shift, ..Transform::IDENTITY }
        } else if uniform {
            n.inverse().compose(m)
        } else {
            Transform::from_affine(n.to_affine().inverse() * m.to_affine())
        };
        Self { m, n, correction }
    }

    /// With what stands, still, between the root and a bone.
    fn below(&self, between: Transform) -> Self {
        if between == Transform::IDENTITY {
            return *self;
        }
        Self::new(self.m.compose(between), self.n.compose(between))
    }
}

impl<'c> Solver<'c> {
    pub fn new(clip: &'c Clip, rooted: &'c Clip, root: BoneIndex, turns: bool, old: &'c RootKeys) -> Self {
        let (before, mut after) = (ChainSampler::of_bone(clip, root), ChainSampler::of_bone(rooted, root));
        let is_shift = |(property, _): (Property, &Track)| property == Property::Translation;
        let only_shifts =
            !turns && !old.grid.curved && before.moving_tracks().all(is_shift) && after.moving_tracks().all(is_shift);
        let keys = old.grid.times.iter().zip(&old.local);
        let (mut roots, mut shifts) = (Vec::new(), None);
        if only_shifts {
            let still = old.local[0];
            let (back, unscale) = (still.rotation.conjugate(), still.scale.recip());
            let shift =
                |(secs, m): (f64, &Transform)| unscale * (back * (m.translation - after.last_position_at(secs)));
            shifts = Some(keys.map(shift).collect());
        } else {
            roots = keys.map(|(secs, m)| RootAt::new(*m, after.first_local_at(secs))).collect();
        }
        let metres = clip.skeleton.parent(root).map_or(1.0, |parent| {
            let above = ChainSampler::new(clip, &chain_to(&clip.skeleton, parent)).last_at(clip.range.start_secs);
            above.matrix3.determinant().abs().cbrt().max(1e-9)
        });
        Self { clip, rooted, root, turns, grid: &old.grid, roots, shifts, metres }
    }

    /// Rewrites `bone` in `out` so that it stays where it is. `between` stands, still, between the root and the bone.
    ///
    /// # Errors
    /// Too many keys, or a root that is scaled to nothing.
    pub fn solve(&self, bone: BoneIndex, between: Transform, out: &mut Clip) -> Result<(), OpError> {
        // While the root's rotation stays, only the child's translation is rewritten, on the keys that move it.
        let mut local = if self.turns {
            ChainSampler::of_bone(self.clip, bone)
        } else {
            ChainSampler::of_property(self.clip, bone, Property::Translation)
        };
        let grid = Grid::union(local.moving_tracks(), &[self.grid], self.clip.rate, self.clip.range.start_secs)?;
        grid.check_size(1)?;
        let shared = Arc::ptr_eq(&grid.times, &self.grid.times);
        if let Some(shifts) = self.shifts.as_ref().filter(|_| shared && !grid.curved) {
            return self.shift(bone, between, shifts, &mut local, out);
        }
        let mut samplers = self.root_samplers();
        let own: Vec<RootAt>;
        let shared = shared && self.shifts.is_none();
        let roots: &[RootAt] = if shared && between == Transform::IDENTITY {
            &self.roots
        } else {
            own = if shared {
                self.roots.iter().map(|root| root.below(between)).collect()
            } else {
                grid.times.iter().map(|secs| samplers.at(secs).below(between)).collect()
            };
            &own
        };
        let mut keys: Vec<Key> = Vec::with_capacity(grid.times.len());
        let mut changed = false;
        for (secs, root) in grid.times.iter().zip(roots) {
            let mut key = Key::new(secs, root, local.first_local_at(secs), self.turns);
            if let Some(last) = keys.last() {
                key.solved.rotation = nearer(key.solved.rotation, last.solved.rotation);
            }
            changed = changed || key.is_changed(self.turns);
            keys.push(key);
        }
        check_finite(keys.iter().map(|key| key.solved.translation))?;
        if !changed {
            return Ok(());
        }
        let (mut times, mut from) = (grid.times.clone(), grid.times_from);
        let reach_m = if self.turns { reach(self.clip, bone) } else { 0.0 };
        let refinement = Refinement { solver: self, samplers, local, between, reach_m, curved: grid.curved };
        if let Some(refined) = refinement.run(&keys, roots)? {
            check_finite(refined.iter().map(|key| key.solved.translation))?;
            keys = refined;
            times = Arc::new(Times::Keys(keys.iter().map(|key| key.secs).collect()));
            from = None;
        }
        let positions: Vec<DVec3> = keys.iter().map(|key| key.solved.translation).collect();
        put(out, bone, Property::Translation, &times, from, vec3_values(&positions));
        if self.turns {
            let rotations: Vec<DQuat> = keys.iter().map(|key| key.solved.rotation).collect();
            put(out, bone, Property::Rotation, &times, from, quat_values(&rotations));
        }
        Ok(())
    }

    /// As [`Self::solve`] where the root's motion changes by a shift alone and everything is straight between keys:
    /// the child's translation is shifted back, key by key, and is exact between them too.
    fn shift(
        &self,
        bone: BoneIndex,
        between: Transform,
        shifts: &[DVec3],
        local: &mut ChainSampler<'_>,
        out: &mut Clip,
    ) -> Result<(), OpError> {
        let back = between.rotation.conjugate();
        let plain = between == Transform::IDENTITY;
        let still = local.last_position_at(self.grid.times.first());
        // The grid is shared: where the child moves, its keys are the grid's.
        let moving = local.moving_tracks().find(|(property, _)| *property == Property::Translation);
        let mut changed = false;
        let mut positions: Vec<DVec3> = Vec::with_capacity(shifts.len());
        for (i, &shift) in shifts.iter().enumerate() {
            let shift = if plain { shift } else { (back * shift) / between.scale };
            let was = moving.map_or(still, |(_, track)| track.vec3_key(i));
            changed |= shift.length_squared() > 1e-18 * (1.0 + was.length_squared());
            positions.push(was + shift);
        }
        check_finite(positions.iter().copied())?;
        if changed {
            let values = vec3_values(&positions);
            put(out, bone, Property::Translation, &self.grid.times, self.grid.times_from, values);
        }
        Ok(())
    }

    fn root_samplers(&self) -> RootSamplers<'c> {
        RootSamplers {
            before: ChainSampler::of_bone(self.clip, self.root),
            after: ChainSampler::of_bone(self.rooted, self.root),
        }
    }
}

fn check_finite(mut positions: impl Iterator<Item = DVec3>) -> Result<(), OpError> {
    if positions.all(DVec3::is_finite) {
        return Ok(());
    }
    Err(OpError::Needs("the root is scaled to nothing at some time, so nothing can hang from it".to_owned()))
}

/// The root before and after at any time.
struct RootSamplers<'c> {
    before: ChainSampler<'c>,
    after: ChainSampler<'c>,
}

impl RootSamplers<'_> {
    fn at(&mut self, secs: f64) -> RootAt {
        RootAt::new(self.before.first_local_at(secs), self.after.first_local_at(secs))
    }
}

/// One key of a child: what it was and what it becomes.
#[derive(Clone, Copy)]
struct Key {
    secs: f64,
    local: Place,
    solved: Place,
}

/// A local transform without its scale, which stays what it is.
#[derive(Clone, Copy)]
struct Place {
    translation: DVec3,
    rotation: DQuat,
}

impl Place {
    fn of(transform: Transform) -> Self {
        Self { translation: transform.translation, rotation: transform.rotation }
    }
}

impl Key {
    fn new(secs: f64, root: &RootAt, local: Transform, turns: bool) -> Self {
        let mut solved = Place::of(root.correction.compose(local));
        if !turns {
            solved.rotation = local.rotation;
        }
        Self { secs, local: Place::of(local), solved }
    }

    fn is_changed(&self, turns: bool) -> bool {
        let tolerance = 1e-9 * (1.0 + self.local.translation.length());
        !self.solved.translation.abs_diff_eq(self.local.translation, tolerance)
            || (turns && (nearer(self.solved.rotation, self.local.rotation) - self.local.rotation).length() > 5e-10)
    }
}

/// One end of the stretch between two keys, as [`Refinement::is_near_by_bound`] looks at it.
#[derive(Clone, Copy)]
struct End<'k> {
    local: &'k Place,
    root: &'k RootAt,
    /// From the new root to the bone, in the space of the root's parent.
    from: DVec3,
    /// Its length.
    lever: f64,
}

impl<'k> End<'k> {
    fn of(key: &'k Key, root: &'k RootAt) -> Self {
        let m = &root.m;
        let from = m.translation + m.rotation * (m.scale * key.local.translation) - root.n.translation;
        Self { local: &key.local, root, from, lever: from.length() }
    }
}

/// Adds keys where, between two, the bone or what hangs from it would be seen to move.
struct Refinement<'s, 'c> {
    solver: &'s Solver<'c>,
    samplers: RootSamplers<'c>,
    local: ChainSampler<'c>,
    between: Transform,
    /// How far what hangs from the bone can be from it; 0 while the root does not turn.
    reach_m: f64,
    /// Some track is neither linear nor constant: nothing can be said of the stretch between two keys from its ends.
    curved: bool,
}

impl Refinement<'_, '_> {
    /// `None` when nothing has to be added.
    ///
    /// # Errors
    /// Too many keys.
    fn run(mut self, keys: &[Key], roots: &[RootAt]) -> Result<Option<Vec<Key>>, OpError> {
        let mut refined: Vec<Key> = Vec::new();
        let mut next = End::of(&keys[0], &roots[0]);
        for i in 0..keys.len().saturating_sub(1) {
            let end = next;
            next = End::of(&keys[i + 1], &roots[i + 1]);
            let mut added = Vec::new();
            if self.curved || !self.is_near_by_bound(&end, &next) {
                let levels = levels(keys[i + 1].secs - keys[i].secs, self.solver.clip.rate);
                self.split(&keys[i], &keys[i + 1], levels, &mut added)?;
            }
            if refined.is_empty() && !added.is_empty() {
                refined.extend_from_slice(&keys[..=i]);
            } else if !refined.is_empty() {
                refined.push(keys[i]);
            }
            refined.append(&mut added);
        }
        if refined.is_empty() {
            return Ok(None);
        }
        refined.push(keys[keys.len() - 1]);
        Ok(Some(refined))
    }

    /// Whether the ends alone say that nothing is seen. A line between two keys is off by at most an eighth of the
    /// largest second derivative; those of straight lines in turning frames are products of the turns and steps.
    fn is_near_by_bound(&self, a: &End<'_>, b: &End<'_>) -> bool {
        if a.root.n.scale != b.root.n.scale || a.root.m.scale != b.root.m.scale {
            return false;
        }
        let turn_n = turn(a.root.n.rotation, b.root.n.rotation);
        let turn_m = turn(a.root.m.rotation, b.root.m.rotation);
        if turn_n == 0.0 && turn_m == 0.0 {
            return true;
        }
        let turn_local = if self.solver.turns { turn(a.local.rotation, b.local.rotation) } else { 0.0 };
        let curve_before = if turn_m == 0.0 {
            0.0
        } else {
            let scale = a.root.m.scale.abs().max_element();
            let arm = a.local.translation.length().max(b.local.translation.length()) * scale;
            let step = a.local.translation.distance(b.local.translation) * scale;
            turn_m * turn_m * arm + 2.0 * turn_m * step
        };
        let lever = a.lever.max(b.lever);
        let relative_step = a.from.distance(b.from) + 0.5 * curve_before;
        let curve = turn_n * turn_n * lever + 2.0 * turn_n * relative_step + curve_before;
        let angle =
            if self.solver.turns { (turn_n * turn_m + turn_n * turn_local + turn_m * turn_local) / 8.0 } else { 0.0 };
        angle <= BETWEEN_KEYS_RAD && curve / 8.0 * self.solver.metres + angle * self.reach_m <= BETWEEN_KEYS_M
    }

    fn split(&mut self, a: &Key, b: &Key, levels: u32, added: &mut Vec<Key>) -> Result<(), OpError> {
        // A jump of a stepped track is 1 ms wide: nothing is to be seen inside it.
        if levels == 0 || b.secs - a.secs < 2e-3 || [0.25, 0.5, 0.75].into_iter().all(|u| self.is_near(a, b, u)) {
            return Ok(());
        }
        if added.len() as u64 >= MAX_SAMPLES {
            return Err(OpError::TooLarge { samples: added.len() as u64, limit: MAX_SAMPLES });
        }
        let secs = 0.5 * (a.secs + b.secs);
        let root = self.samplers.at(secs).below(self.between);
        let mut key = Key::new(secs, &root, self.local.first_local_at(secs), self.solver.turns);
        key.solved.rotation = nearer(key.solved.rotation, a.solved.rotation);
        self.split(a, &key, levels - 1, added)?;
        added.push(key);
        self.split(&key, b, levels - 1, added)
    }

    /// Whether the interpolated keys put the bone where it was, with everything it carries.
    fn is_near(&mut self, a: &Key, b: &Key, u: f64) -> bool {
        let secs = a.secs + u * (b.secs - a.secs);
        let root = self.samplers.at(secs).below(self.between);
        let local = self.local.first_local_at(secs);
        let shown = Transform {
            translation: a.solved.translation.lerp(b.solved.translation, u),
            rotation: if self.solver.turns { slerp(a.solved.rotation, b.solved.rotation, u) } else { local.rotation },
            scale: local.scale,
        };
        // As matrices, which are right for mirrored and uneven scales too.
        let was = root.m.to_affine() * local.to_affine();
        let is = root.n.to_affine() * shown.to_affine();
        let angle = if self.solver.turns { angle_between(rotation_of(&was), rotation_of(&is)) } else { 0.0 };
        let distance = was.translation.distance(is.translation) * self.solver.metres;
        angle <= BETWEEN_KEYS_RAD && distance + angle * self.reach_m <= BETWEEN_KEYS_M
    }
}

/// No less than the angle between two rotations, radians: `4·asin(c/2)` for the chord `c` of their quaternions, which
/// is at most `2.01·c` for small ones; large ones are simply called large.
fn turn(a: DQuat, b: DQuat) -> f64 {
    if a == b {
        return 0.0;
    }
    let chord = (nearer(b, a) - a).length();
    if chord <= 0.25 { 2.01 * chord } else { 4.0 }
}

/// How far anything below `bone` can be from it, metres: the longest chain, which no pose exceeds. Where a
/// translation is keyed its longest key counts.
fn reach(clip: &Clip, bone: BoneIndex) -> f64 {
    let reference = clip.skeleton.reference_component();
    let mut farthest = 0.0_f64;
    let mut below: Vec<Option<f64>> = vec![None; clip.skeleton.len()];
    below[bone.get()] = Some(0.0);
    for child in clip.skeleton.indices().skip(bone.get() + 1) {
        let Some(parent) = clip.skeleton.parent(child) else { continue };
        let Some(so_far) = below[parent.get()] else { continue };
        let still = reference[child.get()].translation.distance(reference[parent.get()].translation);
        let length = clip.track(child, Property::Translation).map_or(still, |track| {
            let scale = reference[parent.get()].matrix3.determinant().abs().cbrt();
            let keyed = (0..track.times.len()).map(|i| track.vec3_key(i).length()).fold(0.0, f64::max);
            still.max(keyed * scale)
        });
        below[child.get()] = Some(so_far + length);
        farthest = farthest.max(so_far + length);
    }
    farthest
}
