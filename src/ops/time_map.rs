//! Where an operation takes an instant: contacts, markers and curves go through it as the keys did.
//!
//! Every map is a list of *pieces*: a stretch of the input's time and where it comes to lie. An instant inside a
//! piece moves with it, an interval is cut by it, a curve is cut and joined again.

use crate::motion::{Clip, Contact, Curve, Marker};

/// What an operation does to time; all times are seconds of its input clip.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum TimeMap {
    /// Nothing.
    #[default]
    Identity,
    /// `t` becomes `scale·t + offset`; `scale > 0`.
    Affine {
        /// Stretch of time; 2 is twice as slow.
        scale: f64,
        /// Added after the stretch.
        offset_secs: f64,
    },
    /// What lies outside is gone; what stays keeps its time.
    Crop {
        /// First instant kept.
        start_secs: f64,
        /// Last instant kept.
        end_secs: f64,
    },
    /// A loop starts elsewhere: `at` comes to `start`, and what lay before it follows after the old end.
    Rotate {
        /// Start of the loop.
        start_secs: f64,
        /// End of the loop, the same pose as its start.
        end_secs: f64,
        /// The new first instant, inside the loop.
        at_secs: f64,
    },
    /// The loop `count` times, one after the other.
    Repeat {
        /// Start of the loop.
        start_secs: f64,
        /// End of the loop, the same pose as its start.
        end_secs: f64,
        /// How often.
        count: u32,
    },
}

/// A stretch of input time `from..=to` that becomes `scale·t + shift`.
struct Piece {
    from: f64,
    to: f64,
    /// Whether `to` itself belongs to it.
    closed: bool,
    scale: f64,
    shift: f64,
}

impl Piece {
    fn map(&self, secs: f64) -> f64 {
        self.scale * secs + self.shift
    }

    fn holds(&self, secs: f64) -> bool {
        secs >= self.from && (secs < self.to || (self.closed && secs == self.to))
    }
}

/// Marks nearer than this are one.
const SAME_SECS: f64 = 1e-6;
/// A jump of a curve at a seam takes this long: engines draw lines between keys.
const JUMP_SECS: f64 = 1e-3;

impl TimeMap {
    /// In the order of output time.
    fn pieces(&self) -> Vec<Piece> {
        let whole = |scale, shift| Piece { from: f64::NEG_INFINITY, to: f64::INFINITY, closed: true, scale, shift };
        match *self {
            Self::Identity => vec![whole(1.0, 0.0)],
            Self::Affine { scale, offset_secs } => vec![whole(scale, offset_secs)],
            Self::Crop { start_secs, end_secs } => {
                vec![Piece { from: start_secs, to: end_secs, closed: true, scale: 1.0, shift: 0.0 }]
            }
            Self::Rotate { start_secs, end_secs, at_secs } => vec![
                Piece { from: at_secs, to: end_secs, closed: true, scale: 1.0, shift: start_secs - at_secs },
                // Open: `at` is the first instant of the result and must not be its last as well.
                Piece { from: start_secs, to: at_secs, closed: false, scale: 1.0, shift: end_secs - at_secs },
            ],
            Self::Repeat { start_secs, end_secs, count } => (0..count)
                .map(|k| Piece {
                    from: start_secs,
                    to: end_secs,
                    closed: true,
                    scale: 1.0,
                    shift: f64::from(k) * (end_secs - start_secs),
                })
                .collect(),
        }
    }

    /// Where an instant comes to lie: nowhere, once, or several times, in order.
    pub fn instants(&self, secs: f64) -> Vec<f64> {
        let mut out: Vec<f64> = Vec::new();
        for secs in self.pieces().iter().filter(|piece| piece.holds(secs)).map(|piece| piece.map(secs)) {
            if out.last().is_none_or(|last| secs - last > SAME_SECS) {
                out.push(secs);
            }
        }
        out
    }

    /// Sends the clip's contacts, markers and curves through the map; keys and range are the operation's own.
    pub fn carry(&self, clip: &mut Clip) {
        if *self != Self::Identity {
            clip.contacts = self.contacts(&clip.contacts);
            clip.markers = self.markers(&clip.markers);
            clip.curves = clip.curves.iter().map(|curve| self.curve(curve)).collect();
        }
    }

    /// Contacts, cut at the pieces' ends; parts of one foot that touch are joined. Sorted by start.
    pub fn contacts(&self, contacts: &[Contact]) -> Vec<Contact> {
        let mut out: Vec<Contact> = Vec::new();
        for piece in self.pieces() {
            for contact in contacts {
                let (start, end) = (contact.start_secs.max(piece.from), contact.end_secs.min(piece.to));
                // An interval that only touches a piece's end is not in it; one that is a single instant may be.
                if start < end || (start == end && contact.start_secs == contact.end_secs) {
                    out.push(Contact {
                        bone: contact.bone.clone(),
                        start_secs: piece.map(start),
                        end_secs: piece.map(end),
                    });
                }
            }
        }
        out.sort_by(|a, b| a.bone.cmp(&b.bone).then(a.start_secs.total_cmp(&b.start_secs)));
        out.dedup_by(|next, last| {
            let touch = next.bone == last.bone && next.start_secs <= last.end_secs + SAME_SECS;
            if touch {
                last.end_secs = last.end_secs.max(next.end_secs);
            }
            touch
        });
        out.sort_by(|a, b| a.start_secs.total_cmp(&b.start_secs));
        out
    }

    /// Markers; those of one name that fall together at a seam become one. Sorted by time.
    pub fn markers(&self, markers: &[Marker]) -> Vec<Marker> {
        let mut out: Vec<Marker> = markers
            .iter()
            .flat_map(|marker| {
                let moved = |time_secs| Marker { time_secs, ..marker.clone() };
                self.instants(marker.time_secs).into_iter().map(moved)
            })
            .collect();
        out.sort_by(|a, b| (&a.track, &a.name).cmp(&(&b.track, &b.name)).then(a.time_secs.total_cmp(&b.time_secs)));
        out.dedup_by(|next, last| {
            next.track == last.track && next.name == last.name && next.time_secs - last.time_secs <= SAME_SECS
        });
        out.sort_by(|a, b| a.time_secs.total_cmp(&b.time_secs));
        out
    }

    /// A curve, cut and joined; where the two sides of a seam differ it jumps within a millisecond.
    pub fn curve(&self, curve: &Curve) -> Curve {
        let mut keys: Vec<(f64, f64)> = Vec::new();
        for piece in self.pieces().iter().filter(|piece| piece.from < piece.to) {
            for (secs, value) in cut(&curve.keys, piece.from, piece.to) {
                let secs = piece.map(secs);
                match keys.last().copied() {
                    Some((last, before)) if secs - last <= SAME_SECS => {
                        if (value - before).abs() > 1e-9 * before.abs().max(1.0) {
                            keys.retain(|key| key.0 < secs - JUMP_SECS);
                            keys.push((secs - JUMP_SECS, before));
                            keys.push((secs, value));
                        }
                    }
                    _ => keys.push((secs, value)),
                }
            }
        }
        Curve { keys, ..curve.clone() }
    }
}

/// The keys inside, with a key at each finite end; a curve is held before its first key and after its last.
fn cut(keys: &[(f64, f64)], from: f64, to: f64) -> Vec<(f64, f64)> {
    let (Some(first), Some(last)) = (keys.first(), keys.last()) else { return Vec::new() };
    let value_at = |secs: f64| {
        let after = keys.partition_point(|key| key.0 <= secs);
        match (after.checked_sub(1).map(|i| keys[i]), keys.get(after)) {
            (None, _) => first.1,
            (Some(_), None) => last.1,
            (Some((t0, v0)), Some(&(t1, v1))) => v0 + (v1 - v0) * ((secs - t0) / (t1 - t0)),
        }
    };
    let end = |secs: f64| secs.is_finite().then(|| (secs, value_at(secs)));
    let inside = keys.iter().copied().filter(|key| key.0 > from && key.0 < to);
    end(from).into_iter().chain(inside).chain(end(to)).collect()
}
