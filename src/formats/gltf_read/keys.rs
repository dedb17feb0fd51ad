//! Key times and values as tracks share them: decoded once per accessor, and mended where the file breaks the rules.

use std::collections::HashMap;
use std::sync::Arc;

use super::Document;
use super::accessor::{Fault, View};
use crate::motion::Times;

/// Key times that may be used.
#[derive(Clone)]
pub(super) struct Keys {
    pub(super) times: Arc<Times>,
    /// Which of the file's keys they are, when some had to be dropped or sorted.
    pub(super) kept: Option<Arc<[u32]>>,
}

/// Numbers of an output accessor, and how many make one element.
#[derive(Clone)]
pub(super) struct Values {
    pub(super) numbers: Arc<[f32]>,
    pub(super) width: usize,
}

/// Decoded accessors. Times of equal content are one `Arc`, whichever accessors they come from, since tracks that
/// share times are located once per pose.
pub(super) struct Cache<'d> {
    document: &'d Document<'d>,
    keys: Vec<Option<Result<Keys, Fault>>>,
    keys_of_bytes: HashMap<&'d [u8], Keys>,
    values: Vec<Option<Result<Values, Fault>>>,
}

impl<'d> Cache<'d> {
    pub(super) fn new(document: &'d Document<'d>) -> Self {
        let n = document.root.accessors.len();
        Self { document, keys: vec![None; n], keys_of_bytes: HashMap::new(), values: vec![None; n] }
    }

    /// Key times of a sampler's input.
    pub(super) fn keys(&mut self, accessor: usize) -> Result<Keys, Fault> {
        if let Some(Some(known)) = self.keys.get(accessor) {
            return known.clone();
        }
        let keys = self.read_keys(accessor);
        if let Some(slot) = self.keys.get_mut(accessor) {
            *slot = Some(keys.clone());
        }
        keys
    }

    fn read_keys(&mut self, accessor: usize) -> Result<Keys, Fault> {
        let view = View::new(self.document, accessor)?;
        let fault = |reason: &str| {
            Err(Fault { place: format!("accessors[{accessor}]"), reason: reason.into(), missing: false })
        };
        if view.width != 1 {
            return fault("times must be single numbers");
        }
        let bytes = view.tight_f32();
        if let Some(known) = bytes.and_then(|bytes| self.keys_of_bytes.get(bytes)) {
            return Ok(known.clone());
        }
        let Some(keys) = usable(&view.floats()) else { return fault("it holds no key time") };
        if let Some(bytes) = bytes {
            self.keys_of_bytes.insert(bytes, keys.clone());
        }
        Ok(keys)
    }

    /// Values of a sampler's output.
    pub(super) fn values(&mut self, accessor: usize) -> Result<Values, Fault> {
        if let Some(Some(known)) = self.values.get(accessor) {
            return known.clone();
        }
        let values =
            View::new(self.document, accessor).map(|view| Values { numbers: view.floats(), width: view.width });
        if let Some(slot) = self.values.get_mut(accessor) {
            *slot = Some(values.clone());
        }
        values
    }
}

/// Exactly the file's times where they increase strictly. Else they are sorted; of keys at one time the last stays,
/// and times that are no numbers go. `None` when no key is left.
fn usable(times: &[f32]) -> Option<Keys> {
    let wide = |time: &f32| f64::from(*time);
    if let Some(times) = Times::from_keys(times.iter().map(wide).collect()) {
        return Some(Keys { times: Arc::new(times), kept: None });
    }
    let mut order: Vec<u32> = (0..times.len() as u32).filter(|&key| times[key as usize].is_finite()).collect();
    let at = |key: &u32| times[*key as usize];
    order.sort_by(|a, b| at(a).total_cmp(&at(b)));
    // Sorting is stable, so of equal times the last in the file comes last: keep that one (−0 equals 0).
    let mut kept: Vec<u32> = Vec::with_capacity(order.len());
    for key in order {
        match kept.last_mut() {
            Some(last) if at(last) == at(&key) => *last = (*last).max(key),
            _ => kept.push(key),
        }
    }
    let times = Times::from_keys(kept.iter().map(|key| f64::from(at(key))).collect())?;
    Some(Keys { times: Arc::new(times), kept: Some(kept.into()) })
}

/// Keys put together anew because those of the file could not be taken as they are.
#[derive(Default)]
pub(super) struct Mended {
    pub(super) times: Vec<f64>,
    pub(super) values: Vec<f32>,
    /// Keys left out because they have no value.
    pub(super) without_value: usize,
    /// Keys left out because a number of theirs is not finite.
    pub(super) not_finite: usize,
    /// Rotations 0 0 0 0, which became the identity.
    pub(super) zero_rotations: usize,
}

impl Mended {
    /// Takes key after key: `stride` numbers each, of which those from `value_at` on are the value itself.
    pub(super) fn new(keys: &Keys, numbers: &[f32], stride: usize, value_at: usize, is_rotation: bool) -> Self {
        let mut mended = Self::default();
        for (i, time) in keys.times.iter().enumerate() {
            let key = keys.kept.as_ref().map_or(i, |kept| kept[i] as usize);
            let Some(all) = key.checked_mul(stride).and_then(|at| numbers.get(at..)?.get(..stride)) else {
                mended.without_value += 1;
                continue;
            };
            if !all.iter().all(|number| number.is_finite()) {
                mended.not_finite += 1;
                continue;
            }
            mended.times.push(time);
            mended.values.extend_from_slice(all);
            let from = mended.values.len() - stride + value_at;
            if is_rotation && is_zero(&mended.values[from..from + 4]) {
                mended.zero_rotations += 1;
                mended.values[from..from + 4].copy_from_slice(&[0.0, 0.0, 0.0, 1.0]);
            }
        }
        mended
    }
}

/// No rotation at all: too short to be normalised.
pub(super) fn is_zero(quaternion: &[f32]) -> bool {
    quaternion.iter().all(|part| part.abs() < 1e-12)
}
