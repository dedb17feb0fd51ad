//! New buffer views and accessors: keys and matrices as bytes, aligned, with the bounds that glTF asks for.

use std::collections::HashMap;

use serde::Serialize;

use crate::motion::{Interpolation, Property, Times, Track};

const FLOAT: u32 = 5126;
const SHORT: u32 = 5122;

/// How rotations are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RotationEncoding {
    /// As they are.
    #[default]
    F32,
    /// Normalised 16-bit integers: half the size, up to 0.003° off.
    I16,
}

/// An accessor, as its JSON says it.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Accessor {
    /// Set by [`NewData::accessor`].
    pub buffer_view: usize,
    /// Set by [`NewData::accessor`].
    #[serde(skip_serializing_if = "is_zero")]
    pub byte_offset: usize,
    /// glTF's number of the type of one number.
    pub component_type: u32,
    /// Whether integers stand for −1…1.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub normalized: bool,
    /// Elements.
    pub count: usize,
    /// Such as `VEC3`.
    #[serde(rename = "type")]
    pub shape: &'static str,
    /// Least of each component.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub min: Vec<f64>,
    /// Greatest of each component.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub max: Vec<f64>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct View {
    buffer: usize,
    #[serde(skip_serializing_if = "is_zero")]
    byte_offset: usize,
    byte_length: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    byte_stride: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<u32>,
}

#[derive(Default)]
struct NewView {
    target: Option<u32>,
    stride: Option<u32>,
    body: Vec<u8>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// Data to be put behind what a buffer holds.
pub struct NewData {
    first_view: usize,
    first_accessor: usize,
    views: Vec<NewView>,
    accessors: Vec<Accessor>,
    keys_view: Option<usize>,
    matrices_view: Option<usize>,
    // Key times already written, by their bits.
    times: HashMap<Vec<u32>, usize>,
}

/// What [`NewData`] comes to.
pub struct Finished {
    /// JSON of the new buffer views.
    pub views: Vec<String>,
    /// JSON of the new accessors.
    pub accessors: Vec<String>,
    /// What goes behind the buffer's bytes.
    pub bytes: Vec<u8>,
}

impl NewData {
    /// Nothing yet; new views and accessors are numbered from these.
    pub fn new(first_view: usize, first_accessor: usize) -> Self {
        Self {
            first_view,
            first_accessor,
            views: Vec::new(),
            accessors: Vec::new(),
            keys_view: None,
            matrices_view: None,
            times: HashMap::new(),
        }
    }

    /// Whether nothing was put in.
    pub fn is_empty(&self) -> bool {
        self.views.is_empty()
    }

    /// A view for what belongs together; `target` for indices.
    pub fn view(&mut self, target: Option<u32>) -> usize {
        self.views.push(NewView { target, ..NewView::default() });
        self.views.len() - 1
    }

    /// A view for one attribute of vertices, `stride` bytes each.
    pub fn view_with_stride(&mut self, target: Option<u32>, stride: u32) -> usize {
        self.views.push(NewView { target, stride: Some(stride), body: Vec::new() });
        self.views.len() - 1
    }

    /// Number in the file of a view that [`Self::view`] made.
    pub fn view_number(&self, view: usize) -> usize {
        self.first_view + view
    }

    /// Appends raw bytes to a view.
    pub fn push(&mut self, view: usize, bytes: &[u8]) {
        self.views[view].body.extend(bytes);
    }

    /// Appends an accessor's bytes, aligned, and gives its number in the file.
    pub fn accessor(&mut self, view: usize, bytes: &[u8], accessor: Accessor) -> usize {
        let body = &mut self.views[view].body;
        body.resize(body.len().next_multiple_of(4), 0);
        let byte_offset = body.len();
        body.extend(bytes);
        self.accessors.push(Accessor { buffer_view: self.first_view + view, byte_offset, ..accessor });
        self.first_accessor + self.accessors.len() - 1
    }

    /// Key times as a sampler's input; equal times are written once.
    ///
    /// # Errors
    /// A reason, when glTF cannot hold the times.
    pub fn times(&mut self, times: &Times) -> Result<usize, String> {
        let secs = f32_times(times)?;
        let bits: Vec<u32> = secs.iter().map(|t| t.to_bits()).collect();
        if let Some(known) = self.times.get(&bits) {
            return Ok(*known);
        }
        let view = self.keys();
        let ends = (f64::from(secs[0]), f64::from(secs[secs.len() - 1]));
        let accessor = Accessor {
            component_type: FLOAT,
            count: secs.len(),
            shape: "SCALAR",
            min: vec![ends.0],
            max: vec![ends.1],
            ..Accessor::default()
        };
        let number = self.accessor(view, &float_bytes(&secs), accessor);
        self.times.insert(bits, number);
        Ok(number)
    }

    /// Values as a sampler's output.
    pub fn values(&mut self, track: &Track, property: Property, encoding: RotationEncoding) -> usize {
        let view = self.keys();
        let count = track.values.len() / property.width();
        let shape = if property == Property::Rotation { "VEC4" } else { "VEC3" };
        let plain = Accessor { component_type: FLOAT, count, shape, ..Accessor::default() };
        if property != Property::Rotation || track.interpolation == Interpolation::CubicSpline {
            return self.accessor(view, &float_bytes(&track.values), plain);
        }
        let unit: Vec<f32> = track.values.chunks_exact(4).flat_map(unit_quaternion).collect();
        match encoding {
            RotationEncoding::F32 => self.accessor(view, &float_bytes(&unit), plain),
            RotationEncoding::I16 => {
                let bytes: Vec<u8> = unit.iter().flat_map(|v| ((v * 32767.0).round() as i16).to_le_bytes()).collect();
                self.accessor(view, &bytes, Accessor { component_type: SHORT, normalized: true, ..plain })
            }
        }
    }

    /// Inverse bind matrices; `bytes` holds whole `f32` matrices, column by column.
    pub fn matrices(&mut self, bytes: &[u8]) -> usize {
        let view = *self.matrices_view.get_or_insert_with(|| {
            self.views.push(NewView::default());
            self.views.len() - 1
        });
        let accessor =
            Accessor { component_type: FLOAT, count: bytes.len() / 64, shape: "MAT4", ..Accessor::default() };
        self.accessor(view, bytes, accessor)
    }

    /// The data, for a buffer that already holds `base` bytes (a multiple of four).
    pub fn finish(self, buffer: usize, base: usize) -> Finished {
        let mut bytes = Vec::new();
        let mut views = Vec::with_capacity(self.views.len());
        for NewView { target, stride, body } in self.views {
            let (byte_offset, byte_length) = (base + bytes.len(), body.len());
            let view = View { buffer, byte_offset, byte_length, byte_stride: stride, target };
            views.push(json(&view));
            bytes.extend(body);
            bytes.resize(bytes.len().next_multiple_of(4), 0);
        }
        Finished { views, accessors: self.accessors.iter().map(json).collect(), bytes }
    }

    fn keys(&mut self) -> usize {
        // Matrices get a view of their own: glTF wants one use per view.
        *self.keys_view.get_or_insert_with(|| {
            self.views.push(NewView::default());
            self.views.len() - 1
        })
    }
}

/// JSON of a plain struct.
pub fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Numbers as little-endian bytes.
pub fn float_bytes(values: &[f32]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(values.len() * 4);
    for value in values {
        bytes.extend_from_slice(&value.to_le_bytes());
    }
    bytes
}

/// Key times as glTF stores them: never before 0, strictly increasing. Where rounding to `f32` makes two keys fall
/// together, the later one moves to the next number.
///
/// # Errors
/// A reason, when a key is before 0, or would have to move by more than two such steps.
pub fn f32_times(times: &Times) -> Result<Vec<f32>, String> {
    let mut out: Vec<f32> = Vec::with_capacity(times.len());
    for secs in times.iter() {
        if secs < 0.0 {
            return Err(format!("a key at {secs} s, and glTF has no time before 0: apply \"start at 0\" first"));
        }
        // Adding zero turns −0 into 0.
        let nearest = secs as f32 + 0.0;
        let least = out.last().map_or(0.0, |last| last.next_up());
        let kept = nearest.max(least);
        if !kept.is_finite() || kept > nearest.next_up().next_up() {
            return Err(format!(
                "the keys around {secs} s lie closer than glTF's 32-bit times can tell apart: apply \"start at 0\", or \
                 lower the rate"
            ));
        }
        out.push(kept);
    }
    Ok(out)
}

fn unit_quaternion(q: &[f32]) -> [f32; 4] {
    let q = [q[0], q[1], q[2], q[3]];
    let square: f64 = q.iter().map(|c| f64::from(*c).powi(2)).sum();
    if (square - 1.0).abs() < 1e-6 {
        return q;
    }
    // The same reading of a zero quaternion as sampling has.
    if square < 1e-24 { [0.0, 0.0, 0.0, 1.0] } else { q.map(|c| (f64::from(c) / square.sqrt()) as f32) }
}
