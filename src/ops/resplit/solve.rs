//! Re-solves the bones below a root that was given new motion.

use std::sync::Arc;

use glam::{DQuat, DVec3};

use super::store::{put, quat_values, vec3_values};
use super::{BETWEEN_KEYS_M, BETWEEN_KEYS_RAD, RootKeys};
use crate::motion::transform::{nearer, rotation_angle, slerp};
use crate::motion::{BoneIndex, ChainSampler, Clip, FrameRate, Property, Times, Transform, chain_to};
use crate::ops::OpError;
use crate::ops::grid::Grid;

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
    /// The root before and after, as stored, at the keys of `grid`.
    before: &'c [Transform],
    after: Vec<Transform>,
    /// Metres per unit of the root's parent.
    metres: f64,
}

impl<'c> Solver<'c> {
    pub fn new(clip: &'c Clip, rooted: &'c Clip, root: BoneIndex, turns: bool, old: &'c RootKeys) -> Self {
        let mut chain = ChainSampler::of_bone(rooted, root);
        let after = old.grid.times.iter().map(|secs| chain.first_local_at(secs)).collect();
        let metres = clip.skeleton.parent(root).map_or(1.0, |parent| {
            let above = ChainSampler::new(clip, &chain_to(&clip.skeleton, parent)).last_at(clip.range.start_secs);
            above.matrix3.determinant().abs().cbrt().max(1e-9)
        });
        Self { clip, rooted, root, turns, grid: &old.grid, before: &old.local, after, metres }
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
        let mut root = self.root_samplers();
        let mut keys: Vec<Key> = Vec::with_capacity(grid.times.len());
        let mut changed = false;
        for (i, secs) in grid.times.iter().enumerate() {
            let (m, n) = if shared { (self.before[i], self.after[i]) } else { root.at(secs) };
            let key = Key::new(secs, m, n, between, local.first_local_at(secs), self.turns);
            changed |= key.is_changed(self.turns);
            keys.push(key);
        }
        if !keys.iter().all(|key| key.solved.is_finite()) {
            let reason = "the root is scaled to nothing at some key, so nothing can hang from it".to_owned();
            return Err(OpError::Needs(reason));
        }
        if !changed {
            return Ok(());
        }
        for i in 1..keys.len() {
            keys[i].solved.rotation = nearer(keys[i].solved.rotation, keys[i - 1].solved.rotation);
        }
        let (mut times, mut from) = (grid.times.clone(), grid.times_from);
        let refined = Refinement {
            solver: self,
            root,
            local,
            between,
            reach_m: if self.turns { reach(self.clip, bone) } else { 0.0 },
            curved: grid.curved,
        }
        .run(&keys);
        if let Some(refined) = refined {
            keys = refined;
            times = Arc::new(Times::Keys(keys.iter().map(|key| key.secs).collect()));
            from = None;
            Grid { times: times.clone(), times_from: None, curved: true }.check_size(1)?;
        }
        let positions: Vec<DVec3> = keys.iter().map(|key| key.solved.translation).collect();
        put(out, bone, Property::Translation, &times, from, vec3_values(&positions));
        if self.turns {
            let rotations: Vec<DQuat> = keys.iter().map(|key| key.solved.rotation).collect();
            put(out, bone, Property::Rotation, &times, from, quat_values(&rotations));
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

/// The root before and after at any time.
struct RootSamplers<'c> {
    before: ChainSampler<'c>,
    after: ChainSampler<'c>,
}

impl RootSamplers<'_> {
    fn at(&mut self, secs: f64) -> (Transform, Transform) {
        (self.before.first_local_at(secs), self.after.first_local_at(secs))
    }
}

/// One key of a child: what it was, what it becomes, and the root above it.
#[derive(Clone, Copy)]
struct Key {
    secs: f64,
    /// The root before and after, with what stands between.
    m: Transform,
    n: Transform,
    local: Transform,
    solved: Transform,
}

impl Key {
    fn new(secs: f64, m: Transform, n: Transform, between: Transform, local: Transform, turns: bool) -> Self {
        let (m, n) = if between == Transform::IDENTITY { (m, n) } else { (m.compose(between), n.compose(between)) };
        let solved = if !turns && m.rotation == n.rotation && m.scale == n.scale {
            // The same turn and scale before and after: what is left of `n⁻¹∘m` is a shift.
            let shift = (n.rotation.conjugate() * (m.translation - n.translation)) / n.scale;
            Transform { translation: shift + local.translation, ..local }
        } else {
            let uniform = (n.scale - DVec3::splat(n.scale.x)).length() <= 1e-9 * n.scale.x.abs();
            let correction = if uniform {
                n.inverse().compose(m)
            } else {
                Transform::from_affine(n.to_affine().inverse() * m.to_affine())
            };
            let mut solved = correction.compose(local);
            if !turns {
                solved.rotation = local.rotation;
            }
            solved
        };
        Self { secs, m, n, local, solved }
    }

    fn is_changed(&self, turns: bool) -> bool {
        let tolerance = 1e-9 * (1.0 + self.local.translation.length());
        !self.solved.translation.abs_diff_eq(self.local.translation, tolerance)
            || (turns && rotation_angle(self.solved.rotation.conjugate() * self.local.rotation) > 1e-9)
    }

    /// Position in the root's parent.
    fn position(&self) -> DVec3 {
        self.m.translation + self.m.rotation * (self.m.scale * self.local.translation)
    }
}

/// Adds keys where, between two, the bone or what hangs from it would be seen to move.
struct Refinement<'s, 'c> {
    solver: &'s Solver<'c>,
    root: RootSamplers<'c>,
    local: ChainSampler<'c>,
    between: Transform,
    /// How far what hangs from the bone can be from it; 0 while the root does not turn.
    reach_m: f64,
    /// Some track is neither linear nor constant: nothing can be said of the stretch between two keys from its ends.
    curved: bool,
}

impl Refinement<'_, '_> {
    /// `None` when nothing has to be added.
    fn run(mut self, keys: &[Key]) -> Option<Vec<Key>> {
        let mut refined: Vec<Key> = Vec::new();
        for (i, pair) in keys.windows(2).enumerate() {
            let mut added = Vec::new();
            if self.curved || !self.is_near_by_bound(&pair[0], &pair[1]) {
                let levels = levels(pair[1].secs - pair[0].secs, self.solver.clip.rate);
                self.split(&pair[0], &pair[1], levels, &mut added);
            }
            if refined.is_empty() && !added.is_empty() {
                refined.extend_from_slice(&keys[..=i]);
            } else if !refined.is_empty() {
                refined.push(pair[0]);
            }
            refined.append(&mut added);
        }
        if refined.is_empty() {
            return None;
        }
        refined.push(keys[keys.len() - 1]);
        Some(refined)
    }

    /// Whether the ends alone say that nothing is seen. A line between two keys is off by at most an eighth of the
    /// largest second derivative; those of straight lines in turning frames are products of the turns and steps.
    fn is_near_by_bound(&self, a: &Key, b: &Key) -> bool {
        let (turn_n, turn_m) = (turn(a.n.rotation, b.n.rotation), turn(a.m.rotation, b.m.rotation));
        if turn_n == 0.0 && turn_m == 0.0 && a.n.scale == b.n.scale && a.m.scale == b.m.scale {
            return true;
        }
        let turn_local = if self.solver.turns { turn(a.local.rotation, b.local.rotation) } else { 0.0 };
        let scale = a.m.scale.abs().max(b.m.scale.abs()).max_element();
        let arm = a.local.translation.length().max(b.local.translation.length()) * scale;
        let step = a.local.translation.distance(b.local.translation) * scale;
        let curve_before = turn_m * turn_m * arm + 2.0 * turn_m * step;
        let (from_a, from_b) = (a.position() - a.n.translation, b.position() - b.n.translation);
        let lever = from_a.length().max(from_b.length());
        let relative_step = from_a.distance(from_b) + 0.5 * curve_before;
        let curve = turn_n * turn_n * lever + 2.0 * turn_n * relative_step + curve_before;
        let angle = (turn_n * turn_m + turn_n * turn_local + turn_m * turn_local) / 8.0;
        let angle = if self.solver.turns { angle } else { 0.0 };
        let still_scale = a.n.scale == b.n.scale && a.m.scale == b.m.scale;
        still_scale
            && angle <= BETWEEN_KEYS_RAD
            && curve / 8.0 * self.solver.metres + angle * self.reach_m <= BETWEEN_KEYS_M
    }

    fn split(&mut self, a: &Key, b: &Key, levels: u32, added: &mut Vec<Key>) {
        // A jump of a stepped track is 1 ms wide: nothing is to be seen inside it.
        if levels == 0 || b.secs - a.secs < 2e-3 || [0.25, 0.5, 0.75].into_iter().all(|u| self.is_near(a, b, u)) {
            return;
        }
        let secs = 0.5 * (a.secs + b.secs);
        let (m, n) = self.root.at(secs);
        let mut key = Key::new(secs, m, n, self.between, self.local.first_local_at(secs), self.solver.turns);
        key.solved.rotation = nearer(key.solved.rotation, a.solved.rotation);
        self.split(a, &key, levels - 1, added);
        added.push(key);
        self.split(&key, b, levels - 1, added);
    }

    /// Whether the interpolated keys put the bone where it was, with everything it carries.
    fn is_near(&mut self, a: &Key, b: &Key, u: f64) -> bool {
        let secs = a.secs + u * (b.secs - a.secs);
        let (m, n) = self.root.at(secs);
        let local = self.local.first_local_at(secs);
        let shown = Transform {
            translation: a.solved.translation.lerp(b.solved.translation, u),
            rotation: if self.solver.turns { slerp(a.solved.rotation, b.solved.rotation, u) } else { local.rotation },
            scale: local.scale,
        };
        let was = m.compose(self.between).compose(local);
        let is = n.compose(self.between).compose(shown);
        let angle = if self.solver.turns { rotation_angle(was.rotation.conjugate() * is.rotation) } else { 0.0 };
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
