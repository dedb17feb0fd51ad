//! What is noted beside the keys: contacts, markers, curves. Times are the clip's own, in seconds.

use serde::{Deserialize, Serialize};

/// An interval in which a foot stays put.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contact {
    /// The foot, by its path.
    pub bone: String,
    /// First instant.
    pub start_secs: f64,
    /// Last instant.
    pub end_secs: f64,
}

/// A named instant on a named track.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Marker {
    /// Such as `FootSync`.
    pub track: String,
    /// Such as `foot_l`.
    pub name: String,
    /// When.
    pub time_secs: f64,
    /// Whether this program made it; the markers of others are never touched.
    pub ours: bool,
}

/// A named number over time, linear between keys.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// Such as `Speed`.
    pub name: String,
    /// Such as `m/s`; empty for a bare number.
    pub unit: String,
    /// Time in seconds, value in the unit; strictly increasing times.
    pub keys: Vec<(f64, f64)>,
}
