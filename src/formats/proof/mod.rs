//! Whether what was read back is what was meant: every bone, at every key and between keys, and every marker.

mod bound;

use glam::{DAffine3, DVec3};

use crate::motion::transform::{angle_between, rotation_of};
use crate::motion::{BoneIndex, Clip, ComponentPose, LocalPose, Marker, Sampler};

use super::sidecar::Record;
use bound::Bound;

/// How far what was read back may be off, in component space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Metres, anywhere.
    pub distance_m: f64,
    /// Further metres per metre from the origin, for `f32` storage.
    pub relative: f64,
    /// Radians.
    pub angle_rad: f64,
    /// Of a bone's axes, per unit of length.
    pub scale: f64,
    /// Of a marker's time.
    pub marker_secs: f64,
}

impl Default for Tolerance {
    fn default() -> Self {
        Self { distance_m: 5e-5, relative: 1e-5, angle_rad: 0.01_f64.to_radians(), scale: 1e-4, marker_secs: 5e-4 }
    }
}

/// How a format says times.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum TimesAs {
    /// As they are.
    #[default]
    Exact,
    /// Rounded to 32 bits (glTF).
    F32,
    /// So many seconds later than in memory (a format that starts every clip at 0 has minus the start).
    Shifted(f64),
}

impl TimesAs {
    fn written(self, secs: f64) -> f64 {
        match self {
            Self::Exact => secs,
            Self::F32 => f64::from(secs as f32),
            Self::Shifted(by) => secs + by,
        }
    }
}

/// What was compared, and the largest differences.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ProofReport {
    /// Bones.
    pub bones: usize,
    /// Poses.
    pub poses: usize,
    /// No less than the largest distance, metres.
    pub distance_m: f64,
    /// No less than the largest angle, radians.
    pub angle_rad: f64,
}

impl ProofReport {
    fn saw(&mut self, distance_m: f64, angle_rad: f64) {
        self.distance_m = self.distance_m.max(distance_m);
        self.angle_rad = self.angle_rad.max(angle_rad);
    }
}

/// What differs.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ProofError {
    /// A bone is not there.
    #[error("the bone \"{bone}\" is missing")]
    MissingBone {
        /// Its path.
        bone: String,
    },
    /// A clip is not there.
    #[error("the clip \"{clip}\" is missing")]
    MissingClip {
        /// Its name.
        clip: String,
    },
    /// A copy is not its original.
    #[error("the copy differs from the source")]
    Copy,
    /// A bone is elsewhere.
    #[error(
        "\"{bone}\" is {distance_mm:.3} mm and {angle_deg:.4}° off at {secs:.4} s (allowed: {allowed_mm:.3} mm, {allowed_deg:.4}°)"
    )]
    Pose {
        /// Its path.
        bone: String,
        /// When, in the clip's own time.
        secs: f64,
        /// How far.
        distance_mm: f64,
        /// How much it is turned.
        angle_deg: f64,
        /// How far it may be.
        allowed_mm: f64,
        /// How much it may be turned.
        allowed_deg: f64,
    },
    /// A bone has another size.
    #[error("\"{bone}\" is scaled by {found} instead of {expected} at {secs:.4} s")]
    Scale {
        /// Its path.
        bone: String,
        /// When, in the clip's own time.
        secs: f64,
        /// Lengths of its axes in memory.
        expected: DVec3,
        /// Lengths of its axes in the file.
        found: DVec3,
    },
    /// A marker is missing, or elsewhere.
    #[error("the marker \"{name}\" of \"{track}\" at {secs:.4} s from the start is {}", found.map_or("missing".to_owned(), |at| format!("at {at:.4} s")))]
    Marker {
        /// Its track.
        track: String,
        /// Its name.
        name: String,
        /// When it should be.
        secs: f64,
        /// Where the nearest of that name is.
        found: Option<f64>,
    },
}

/// More poses × bones than this are thinned out evenly.
const MOST_BONES: usize = 50_000_000;

/// Compares a clip in memory with the one read back, in component space: at all key times of all tracks, and half way
/// between them. Bones are matched by path, or by the end of a path where the file has more nodes on top; bones that
/// nothing moves and no skin uses may be missing.
///
/// Jumps are the delicate place: a key rounded to the other side of the asked time must not count as an error, so
/// where a bone differs the read-back is asked again a hair earlier and later.
///
/// # Errors
/// The first bone and time that differ.
pub fn prove(
    expected: &Clip,
    read_back: &Clip,
    times_as: TimesAs,
    tolerance: &Tolerance,
) -> Result<ProofReport, ProofError> {
    let pairs = pairs(expected, read_back)?;
    let times = times(expected, pairs.len());
    let mut report = ProofReport { bones: pairs.len(), poses: times.len(), ..ProofReport::default() };
    let mut ours = Posed::new(expected);
    let mut theirs = Posed::new(read_back);
    let mut bound = Bound::new(expected, read_back, &pairs);
    for (before, after) in times {
        // Half way between keys as written, which rounding may have moved.
        let secs = 0.5 * (before + after);
        let written = 0.5 * (times_as.written(before) + times_as.written(after));
        // Where the keys alone say that nothing differs, nothing has to be posed.
        if let Some((distance_m, angle_rad)) = bound.as_mut().and_then(|bound| bound.within(secs, written, tolerance)) {
            report.saw(distance_m, angle_rad);
            continue;
        }
        ours.at(secs);
        theirs.at(written);
        let mut doubtful = Vec::new();
        for &(a, b) in &pairs {
            let (our, their) = (&ours.pose.0[a.get()], &theirs.pose.0[b.get()]);
            if let Some((distance_m, angle_rad)) = alike(our, their, tolerance) {
                report.saw(distance_m, angle_rad);
                continue;
            }
            let difference = Difference::of(our, their);
            if difference.is_within(tolerance) {
                report.saw(difference.distance_m, difference.angle_rad);
            } else {
                doubtful.push((a, b, difference));
            }
        }
        if !doubtful.is_empty() {
            ask_again(&doubtful, &ours, &mut theirs, (secs, written), tolerance, expected)?;
        }
    }
    Ok(report)
}

/// Compares a clip's markers with those of the record that was written for it.
///
/// # Errors
/// The first one that is missing or elsewhere.
pub fn prove_markers(expected: &Clip, record: &Record, tolerance: &Tolerance) -> Result<(), ProofError> {
    let mut left: Vec<_> = record.markers.iter().collect();
    for Marker { track, name, time_secs, .. } in &expected.markers {
        let secs = time_secs - expected.range.start_secs;
        let off = |time: f64| (time - secs).abs();
        let nearest = (0..left.len())
            .filter(|&i| left[i].track == *track && left[i].name == *name)
            .min_by(|&a, &b| off(left[a].time_s).total_cmp(&off(left[b].time_s)));
        match nearest {
            Some(i) if off(left[i].time_s) <= tolerance.marker_secs => {
                left.swap_remove(i);
            }
            other => {
                let found = other.map(|i| left[i].time_s);
                return Err(ProofError::Marker { track: track.clone(), name: name.clone(), secs, found });
            }
        }
    }
    Ok(())
}

struct Posed<'c> {
    clip: &'c Clip,
    sampler: Sampler<'c>,
    local: LocalPose,
    pose: ComponentPose,
}

impl<'c> Posed<'c> {
    fn new(clip: &'c Clip) -> Self {
        Self {
            clip,
            sampler: Sampler::new(clip),
            local: LocalPose::node_pose(&clip.skeleton),
            pose: ComponentPose::new(&clip.skeleton),
        }
    }

    fn at(&mut self, secs: f64) {
        self.sampler.local(secs, &mut self.local);
        self.pose.set(&self.clip.skeleton, &self.local);
    }
}

/// Distance, and a bound on the angle, of two transforms whose very matrices are alike: no rotation has to be taken out
/// of them, which costs more than all the rest. `None` says nothing.
fn alike(ours: &DAffine3, theirs: &DAffine3, tolerance: &Tolerance) -> Option<(f64, f64)> {
    let (a, b) = (&ours.matrix3, &theirs.matrix3);
    let apart = (a.x_axis - b.x_axis).length_squared().max((a.y_axis - b.y_axis).length_squared());
    let apart = apart.max((a.z_axis - b.z_axis).length_squared());
    let shortest = a.x_axis.length_squared().min(a.y_axis.length_squared()).min(a.z_axis.length_squared());
    // Unit axes that are apart by δ have been turned by no more than 2δ.
    let angle_rad = 2.0 * (apart / shortest).sqrt();
    let distance_m = ours.translation.distance(theirs.translation);
    let near = distance_m <= tolerance.distance_m + tolerance.relative * ours.translation.length();
    (near && angle_rad <= tolerance.angle_rad.min(tolerance.scale)).then_some((distance_m, angle_rad))
}

struct Difference {
    distance_m: f64,
    angle_rad: f64,
    reach_m: f64,
    scales: (DVec3, DVec3),
}

impl Difference {
    fn of(ours: &DAffine3, theirs: &DAffine3) -> Self {
        let scales = (axes(ours), axes(theirs));
        // An axis scaled to nothing points nowhere.
        let flat = scales.0.min_element() < 1e-6;
        let turned = || angle_between(rotation_of(ours), rotation_of(theirs));
        Self {
            distance_m: ours.translation.distance(theirs.translation),
            angle_rad: if flat { 0.0 } else { turned() },
            reach_m: ours.translation.length(),
            scales,
        }
    }

    fn allowed_m(&self, tolerance: &Tolerance) -> f64 {
        tolerance.distance_m + tolerance.relative * self.reach_m
    }

    fn is_in_place(&self, tolerance: &Tolerance) -> bool {
        // Written so that a NaN fails.
        self.distance_m <= self.allowed_m(tolerance) && self.angle_rad <= tolerance.angle_rad
    }

    fn is_scaled(&self, tolerance: &Tolerance) -> bool {
        let (ours, theirs) = self.scales;
        (ours - theirs).abs().max_element() <= tolerance.scale * (1e-3 + ours.max_element())
    }

    fn is_within(&self, tolerance: &Tolerance) -> bool {
        self.is_in_place(tolerance) && self.is_scaled(tolerance)
    }
}

fn axes(affine: &DAffine3) -> DVec3 {
    let m = affine.matrix3;
    DVec3::new(m.x_axis.length(), m.y_axis.length(), m.z_axis.length())
}

fn ask_again(
    doubtful: &[(BoneIndex, BoneIndex, Difference)],
    ours: &Posed<'_>,
    theirs: &mut Posed<'_>,
    (secs, written): (f64, f64),
    tolerance: &Tolerance,
    expected: &Clip,
) -> Result<(), ProofError> {
    let hair = 1e-6_f64.max(written.abs() * 2.5e-7);
    let mut settled = vec![false; doubtful.len()];
    for near in [written - hair, written + hair] {
        theirs.at(near);
        for (settled, (a, b, _)) in settled.iter_mut().zip(doubtful) {
            *settled |= Difference::of(&ours.pose.0[a.get()], &theirs.pose.0[b.get()]).is_within(tolerance);
        }
    }
    let Some((bone, _, off)) = settled.iter().zip(doubtful).find(|(settled, _)| !**settled).map(|(_, d)| d) else {
        return Ok(());
    };
    let bone = expected.skeleton.path(*bone).to_owned();
    if off.is_in_place(tolerance) {
        return Err(ProofError::Scale { bone, secs, expected: off.scales.0, found: off.scales.1 });
    }
    Err(ProofError::Pose {
        bone,
        secs,
        distance_mm: off.distance_m * 1e3,
        angle_deg: off.angle_rad.to_degrees(),
        allowed_mm: off.allowed_m(tolerance) * 1e3,
        allowed_deg: tolerance.angle_rad.to_degrees(),
    })
}

fn pairs(expected: &Clip, read_back: &Clip) -> Result<Vec<(BoneIndex, BoneIndex)>, ProofError> {
    let (ours, theirs) = (&expected.skeleton, &read_back.skeleton);
    let mut pairs = Vec::with_capacity(ours.len());
    for bone in ours.indices() {
        let path = ours.path(bone);
        let below = format!("/{path}");
        let found = theirs.find_path(path).or_else(|| {
            let mut ending = theirs.indices().filter(|&b| theirs.path(b).ends_with(&below));
            ending.next().filter(|_| ending.next().is_none())
        });
        let matters = ours.bone(bone).is_joint || expected.tracks[bone.get()].iter().any(Option::is_some);
        match found {
            Some(found) => pairs.push((bone, found)),
            None if matters => return Err(ProofError::MissingBone { bone: path.to_owned() }),
            None => {}
        }
    }
    Ok(pairs)
}

/// Pairs of times whose middle is compared: a key with itself, and a key with the next.
fn times(clip: &Clip, bones: usize) -> Vec<(f64, f64)> {
    let mut seen = std::collections::HashSet::new();
    let mut keys = vec![clip.range.start_secs, clip.range.end_secs];
    for track in clip.tracks.iter().flatten().flatten() {
        if seen.insert(std::sync::Arc::as_ptr(&track.times)) {
            keys.extend(track.times.iter());
            // Tracks with times of their own must not make the list grow without bound.
            if keys.len() > 1 << 20 {
                keys.sort_by(f64::total_cmp);
                keys.dedup();
            }
        }
    }
    keys.sort_by(f64::total_cmp);
    keys.dedup();
    let between = keys.windows(2).map(|pair| (pair[0], pair[1]));
    let mut all: Vec<(f64, f64)> = keys.iter().map(|&t| (t, t)).chain(between).collect();
    all.sort_by(|a, b| (a.0 + a.1).total_cmp(&(b.0 + b.1)));
    let stride = (all.len().saturating_mul(bones.max(1))).div_ceil(MOST_BONES).max(1);
    all.into_iter().step_by(stride).collect()
}
