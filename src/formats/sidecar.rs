//! What is said of a clip beside its keys: `<name>.stridesmith.json`, and the same object in glTF
//! `animations[i].extras.stridesmith`.
//!
//! All times count from the clip's first key, where engines start it. Lengths are metres, +Y up, +Z forward. The
//! layout is [`SCHEMA`]; `schema` grows when a reader of the old layout would misread the new one.
//!
//! The file of one clip is its [`Record`]; of several, `{ "schema", "generator", "output", "clips": [Record, …] }`.

use serde::{Deserialize, Serialize};

use crate::motion::{Clip, Cycle, FrameRate};

/// The layout as a JSON Schema (draft 2020-12).
pub const SCHEMA: &str = include_str!("sidecar.schema.json");

/// The layout's number.
pub const SCHEMA_NUMBER: u32 = 1;

/// What `generator` says.
pub const GENERATOR: &str = concat!("stridesmith ", env!("CARGO_PKG_VERSION"));

/// What is said of one clip.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// [`SCHEMA_NUMBER`].
    pub schema: u32,
    /// [`GENERATOR`].
    pub generator: String,
    /// Where the clip came from.
    pub source: Source,
    /// The file that was written; never inside that file, which cannot hold its own hash.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Output>,
    /// Frames per second.
    pub fps: f64,
    /// First key to last, seconds.
    pub duration_s: f64,
    /// Always `Y`.
    pub up: String,
    /// Always `+Z`.
    pub forward: String,
    /// Metres per unit of the file that was written.
    pub metres_per_unit: f64,
    /// Whether it repeats.
    #[serde(rename = "loop")]
    pub cycle: Loop,
    /// Who carries the travel.
    pub root: Root,
    /// What the engine still has to apply.
    pub rate_scale: f64,
    /// What is already in the key times.
    pub rate_baked: f64,
    /// Named instants.
    pub markers: Vec<MarkerRecord>,
    /// Named stretches of time.
    pub intervals: Vec<Interval>,
    /// Named numbers over time.
    pub curves: Vec<CurveRecord>,
    /// How it was made.
    pub steps: Vec<Step>,
}

/// Frames per second of a clip that this program wrote, from a glTF animation's `extras`. Its keys alone may tell
/// another rate: an operation adds some between frames.
pub fn rate_in_extras(extras: &str) -> Option<FrameRate> {
    #[derive(Deserialize)]
    struct Extras {
        stridesmith: Rate,
    }
    #[derive(Deserialize)]
    struct Rate {
        fps: f64,
    }
    let extras: Extras = serde_json::from_str(extras).ok()?;
    FrameRate::new(extras.stridesmith.fps)
}

/// Where a clip came from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// File name without folders.
    pub file: String,
    /// Of the whole file, hexadecimal.
    pub sha256: String,
    /// Name of the take.
    pub clip: String,
}

/// The file that was written, by which *update* knows it again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Output {
    /// File name without folders.
    pub file: String,
    /// Of the whole file, hexadecimal.
    pub sha256: String,
    /// Files written with it that it names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<Beside>,
}

/// A file that another one names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Beside {
    /// File name without folders.
    pub file: String,
    /// Of the whole file, hexadecimal.
    pub sha256: String,
}

/// Whether and how a clip repeats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Loop {
    /// Whether it does.
    pub enabled: bool,
    /// How the last key relates to the first.
    pub convention: Convention,
    /// What one round adds.
    pub delta: Delta,
}

/// How the last key relates to the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Convention {
    /// It does not repeat.
    #[default]
    None,
    /// The last key is the first pose again.
    LastEqualsFirst,
    /// The first pose would come one frame after the last key.
    OneShort,
}

/// What one round of a loop adds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Delta {
    /// Metres.
    pub translation: [f64; 3],
    /// About +Y, degrees.
    pub yaw_deg: f64,
}

/// Who carries the travel, and how it was made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Root {
    /// Name of the root bone; empty when there is none.
    pub bone: String,
    /// How the path was made.
    pub mode: RootMode,
    /// Where the turn came from.
    pub yaw: YawSource,
    /// Width of the Gaussian, seconds; 0 without one.
    pub sigma_s: f64,
    /// Metres per second.
    pub mean_speed_m_s: f64,
}

/// How the root's path was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the field's own")]
pub enum RootMode {
    #[default]
    None,
    Raw,
    Smoothed,
    ConstantSpeed,
    InPlace,
}

/// Where the root's turn came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the field's own")]
pub enum YawSource {
    #[default]
    None,
    PelvisDelta,
    Travel,
    Fixed,
}

/// A named instant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MarkerRecord {
    /// Such as `FootSync`.
    pub track: String,
    /// Such as `foot_l`.
    pub name: String,
    /// From the clip's first key.
    pub time_s: f64,
    /// `stridesmith` for ours; empty for someone else's, which nobody may touch.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub owner: String,
}

/// A named stretch of time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Such as `Contacts`.
    pub track: String,
    /// Such as `foot_l`.
    pub name: String,
    /// From the clip's first key.
    pub start_s: f64,
    /// From the clip's first key.
    pub end_s: f64,
    /// Who says so.
    pub source: IntervalSource,
}

/// Who says that a foot stays put.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the field's own")]
pub enum IntervalSource {
    #[default]
    Detected,
    Edited,
}

/// A named number over time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CurveRecord {
    /// Such as `Speed`.
    pub name: String,
    /// Such as `m/s`.
    pub unit: String,
    /// Seconds from the clip's first key, value.
    pub keys: Vec<(f64, f64)>,
}

/// One operation and its settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Its name, such as `extract`.
    pub op: String,
    /// Its settings.
    pub settings: serde_json::Value,
}

impl Record {
    /// What a clip itself says; root, steps and the loop's delta are the caller's.
    pub fn of(clip: &Clip, source: Source) -> Self {
        let since_start = |secs: f64| secs - clip.range.start_secs;
        let convention = match clip.cycle {
            Cycle::None => Convention::None,
            Cycle::LastRepeatsFirst => Convention::LastEqualsFirst,
            Cycle::OneShort => Convention::OneShort,
        };
        let marker = |marker: &crate::motion::Marker| MarkerRecord {
            track: marker.track.clone(),
            name: marker.name.clone(),
            time_s: since_start(marker.time_secs),
            owner: if marker.ours { "stridesmith".into() } else { String::new() },
        };
        // A bone's path is for us; engines know its name.
        let name_of = |path: &str| {
            clip.skeleton.find(path).map_or_else(|| path.to_owned(), |bone| clip.skeleton.bone(bone).name.clone())
        };
        let interval = |contact: &crate::motion::Contact| Interval {
            track: "Contacts".into(),
            name: name_of(&contact.bone),
            start_s: since_start(contact.start_secs),
            end_s: since_start(contact.end_secs),
            source: IntervalSource::Detected,
        };
        let curve = |curve: &crate::motion::Curve| CurveRecord {
            name: curve.name.clone(),
            unit: curve.unit.clone(),
            keys: curve.keys.iter().map(|&(secs, value)| (since_start(secs), value)).collect(),
        };
        Self {
            schema: SCHEMA_NUMBER,
            generator: GENERATOR.into(),
            source,
            output: None,
            fps: clip.rate.fps(),
            duration_s: clip.range.duration_secs(),
            up: "Y".into(),
            forward: "+Z".into(),
            metres_per_unit: 1.0,
            cycle: Loop { enabled: convention != Convention::None, convention, delta: Delta::default() },
            root: Root::default(),
            rate_scale: 1.0,
            rate_baked: 1.0,
            markers: clip.markers.iter().map(marker).collect(),
            intervals: clip.contacts.iter().map(interval).collect(),
            curves: clip.curves.iter().map(curve).collect(),
            steps: Vec::new(),
        }
    }
}

/// A sidecar file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Sidecar {
    /// Of a file with one clip of ours.
    One(Box<Record>),
    /// Of a file with several, or none.
    Several {
        /// [`SCHEMA_NUMBER`].
        schema: u32,
        /// [`GENERATOR`].
        generator: String,
        /// The file that was written.
        output: Output,
        /// Each clip; `output` is said once, above.
        clips: Vec<Record>,
    },
}

impl Sidecar {
    /// The sidecar of a file that holds these clips.
    pub fn new(records: &[Record], output: Output) -> Self {
        match records {
            [record] => Self::One(Box::new(Record { output: Some(output), ..record.clone() })),
            _ => Self::Several {
                schema: SCHEMA_NUMBER,
                generator: GENERATOR.into(),
                output,
                clips: records.iter().map(|record| Record { output: None, ..record.clone() }).collect(),
            },
        }
    }

    /// Reads a sidecar's text.
    ///
    /// # Errors
    /// What the parser says.
    pub fn read(text: &[u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(text)
    }

    /// The file as text, indented, for people and version control.
    ///
    /// # Errors
    /// What the serialiser says: a number that is not finite becomes `null` there, so none in practice.
    pub fn write(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut text = serde_json::to_vec_pretty(self)?;
        text.push(b'\n');
        Ok(text)
    }

    /// The file it belongs to.
    pub fn output(&self) -> Option<&Output> {
        match self {
            Self::One(record) => record.output.as_ref(),
            Self::Several { output, .. } => Some(output),
        }
    }

    /// What it says of each clip.
    pub fn records(&self) -> &[Record] {
        match self {
            Self::One(record) => std::slice::from_ref(record),
            Self::Several { clips, .. } => clips,
        }
    }
}
