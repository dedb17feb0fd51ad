//! A step of an output: an operation with its settings, switched on or off, and how it is written down.
//!
//! A step is stored, compared and hashed as one canonical JSON object without spaces: `op`, `v` (the version of the
//! operation's mathematics), `on` only when it is off, then the settings in the order of their names:
//! `{"op":"extract","v":1,"mode":"smoothed"}`.

use serde::de::Error as _;
use serde::ser::{Error as _, SerializeMap};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::Op;

/// Number of a clip on the desk, a take or an output; only grows and is never reused. Settings name clips by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ClipId(pub u32);

/// One step of an output.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// What is done.
    pub op: Op,
    /// Whether it is done; a step that is off keeps its settings and its place.
    pub on: bool,
}

impl Step {
    /// A step that is switched on.
    pub fn new(op: Op) -> Self {
        Self { op, on: true }
    }

    /// The canonical JSON: equal steps give equal text, on every machine.
    pub fn canonical(&self) -> String {
        // Settings are plain numbers, texts and lists, which JSON always takes; were there ever others, the text would
        // still tell them apart.
        serde_json::to_string(self).unwrap_or_else(|_| format!("{self:?}"))
    }

    /// Whether its settings survive being written down. A number that is not finite does not: JSON has none, and the
    /// step would come back as another.
    pub fn can_be_written(&self) -> bool {
        let back = serde_json::to_value(&self.op).and_then(serde_json::from_value::<Op>);
        back.is_ok_and(|back| back == self.op)
    }
}

impl Serialize for Step {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Value::Object(settings) = serde_json::to_value(&self.op).map_err(S::Error::custom)? else {
            return Err(S::Error::custom("the settings of an operation are an object"));
        };
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("op", settings.get("op").unwrap_or(&Value::Null))?;
        map.serialize_entry("v", &self.op.version())?;
        if !self.on {
            map.serialize_entry("on", &false)?;
        }
        // Sorted here, because the order inside a JSON map depends on a feature that any dependency may switch on.
        let sorted: std::collections::BTreeMap<_, _> = settings.iter().filter(|(name, _)| *name != "op").collect();
        for (name, value) in sorted {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Step {
    /// Settings that are missing take their defaults; an operation or a version that is not known here is refused.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut settings = serde_json::Map::<String, Value>::deserialize(deserializer)?;
        let on = match settings.remove("on") {
            None => true,
            Some(value) => value.as_bool().ok_or_else(|| D::Error::custom("\"on\" is neither true nor false"))?,
        };
        let version = settings.remove("v");
        let name = settings.get("op").and_then(Value::as_str).unwrap_or_default().to_owned();
        let op: Op = serde_json::from_value(Value::Object(settings)).map_err(D::Error::custom)?;
        let known = u64::from(op.version());
        match version.map(|v| v.as_u64()) {
            Some(Some(v)) if v <= known => Ok(Self { op, on }),
            Some(Some(v)) => Err(D::Error::custom(format!(
                "the step \"{name}\" has version {v} and this program knows {known}: open it with a newer one"
            ))),
            Some(None) => Err(D::Error::custom(format!("the version of the step \"{name}\" is not a number"))),
            None => Ok(Self { op, on }),
        }
    }
}
