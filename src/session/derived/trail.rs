//! Where a bone goes: three series, and which frames to draw where there are more than can be seen.

use super::series::Series;
use crate::motion::TimeRange;
use crate::ops::role_motion::{Frames, Points};

/// Blocks of one level that make one of the next.
const FACTOR: usize = 4;

/// Positions of a bone per frame, component space, metres.
#[derive(Clone, Debug, PartialEq)]
pub struct Trail {
    /// To the character's left.
    pub x: Series,
    /// Up.
    pub y: Series,
    /// Forward.
    pub z: Series,
    /// Level `k`: of each `4^(k+1)` frames the two that lie farthest apart along the axis on which the block is
    /// longest, in order of time; of a block of one frame it twice.
    levels: Vec<Vec<[u32; 2]>>,
}

impl Trail {
    /// One position per frame.
    pub fn new(frames: Frames, points: Points) -> Self {
        let count = points.len();
        let mut levels: Vec<Vec<[u32; 2]>> = Vec::new();
        let every: Vec<u32> = (0..count as u32).collect();
        let mut below: Vec<[u32; 2]> = every.chunks(FACTOR).map(|block| farthest(&points, block)).collect();
        while below.len() > 1 {
            let above = below.chunks(FACTOR).map(|block| farthest(&points, block.as_flattened())).collect();
            levels.push(std::mem::replace(&mut below, above));
        }
        levels.push(below);
        let series = |values: Vec<f32>| Series::new(frames, values);
        Self { x: series(points.x), y: series(points.y), z: series(points.z), levels }
    }

    /// When the frames are.
    pub fn frames(&self) -> &Frames {
        self.x.frames()
    }

    /// One position, metres.
    pub fn point(&self, frame: usize) -> [f32; 3] {
        [&self.x, &self.y, &self.z].map(|series| series.values()[frame])
    }

    /// The position at an instant, linear between frames, metres; past the ends the end positions.
    pub fn at(&self, secs: f64) -> [f32; 3] {
        [&self.x, &self.y, &self.z].map(|series| series.at(secs))
    }

    /// Frames to draw a line through, in order of time: all within `range`, or, where those are more than `most`, two
    /// of every block, those that reach farthest, so that no bend is lost that can be seen. The first and the last
    /// frame of the range are among them. At most `most` + 4.
    pub fn picked(&self, range: TimeRange, most: usize) -> Vec<usize> {
        let last = self.frames().count - 1;
        let place = |secs: f64| self.frames().place(secs).clamp(0.0, last as f64);
        let (from, to) = (place(range.start_secs).floor() as usize, place(range.end_secs).ceil() as usize);
        if from > to {
            return Vec::new();
        }
        if to - from < most {
            return (from..=to).collect();
        }
        let mut size = FACTOR;
        let mut level = 0;
        while 2 * ((to - from) / size + 1) > most && level + 1 < self.levels.len() {
            (size, level) = (size * FACTOR, level + 1);
        }
        let blocks = self.levels[level][from / size..=to / size].as_flattened().iter();
        let inside = blocks.map(|&frame| frame as usize).filter(|frame| (from + 1..to).contains(frame));
        let mut picked: Vec<usize> = std::iter::once(from).chain(inside).chain([to]).collect();
        picked.dedup();
        picked
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let levels: usize = self.levels.iter().map(|level| size_of_val(level.as_slice())).sum();
        self.x.bytes() + self.y.bytes() + self.z.bytes() + levels
    }
}

/// Of some frames, in order of time, the two that lie farthest apart along the axis on which they reach farthest.
fn farthest(points: &Points, frames: &[u32]) -> [u32; 2] {
    let along = [&points.x, &points.y, &points.z].map(|axis| {
        let value = |frame: &&u32| axis[**frame as usize];
        let by = |a: &&u32, b: &&u32| value(a).total_cmp(&value(b));
        let (low, high) = (frames.iter().min_by(by), frames.iter().max_by(by));
        let pair = [low, high].map(|frame| frame.copied().unwrap_or(0));
        (axis[pair[1] as usize] - axis[pair[0] as usize], pair)
    });
    let [x, y, z] = along;
    let widest = [y, z].into_iter().fold(x, |best, other| if other.0 > best.0 { other } else { best });
    let [a, b] = widest.1;
    [a.min(b), a.max(b)]
}
