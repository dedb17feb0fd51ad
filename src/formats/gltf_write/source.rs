//! The parts of a source's JSON that a patch looks at, as slices of its text.

use std::borrow::Cow;
use std::sync::Arc;

use base64::Engine;
use serde::Deserialize;

use crate::motion::{Property, SourceFile};

use super::container::Container;
use super::splice::{Members, elements};

/// A source's JSON, split as far as a patch needs it.
pub struct Source<'t> {
    /// The file.
    pub file: &'t SourceFile,
    /// Its shape and text.
    pub container: &'t Container<'t>,
    /// The outermost object.
    pub top: Members<'t>,
    /// Every animation, in order.
    pub animations: Vec<Animation<'t>>,
    // Per animation, the running number of its first channel.
    first_channels: Vec<usize>,
    accessors: Vec<&'t str>,
    views: Vec<&'t str>,
    buffers: Vec<&'t str>,
}

/// One animation.
pub struct Animation<'t> {
    /// Its own text.
    pub text: &'t str,
    /// Its members.
    pub members: Members<'t>,
    /// Its channels.
    pub channels: Vec<Channel<'t>>,
    /// Its samplers' texts.
    pub samplers: Vec<&'t str>,
}

/// One channel.
#[derive(Clone)]
pub struct Channel<'t> {
    /// Its own text.
    pub text: &'t str,
    /// The text of its sampler, where it has one.
    pub sampler: Option<&'t str>,
    /// Node and property, where it drives a bone's translation, rotation or scale.
    pub target: Option<(u32, Property)>,
}

/// A sampler's accessors.
#[derive(Clone, Copy, PartialEq)]
pub struct SamplerAccessors {
    /// Key times.
    pub input: usize,
    /// Values.
    pub output: usize,
}

/// What a patch needs to know of an accessor.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AccessorJson<'t> {
    buffer_view: Option<usize>,
    #[serde(default)]
    byte_offset: usize,
    component_type: u32,
    /// Elements.
    pub count: usize,
    /// Such as `VEC3`.
    #[serde(rename = "type", borrow)]
    pub shape: Cow<'t, str>,
    sparse: Option<serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ViewJson {
    buffer: usize,
    #[serde(default)]
    byte_offset: usize,
    byte_length: usize,
    byte_stride: Option<usize>,
    extensions: Option<serde::de::IgnoredAny>,
}

impl<'t> Source<'t> {
    /// Splits a file's JSON.
    ///
    /// # Errors
    /// What the JSON parser says.
    pub fn parse(file: &'t SourceFile, container: &'t Container<'t>) -> Result<Self, serde_json::Error> {
        let top = Members::parse(container.json)?;
        let list = |key| top.get(key).map_or(Ok(Vec::new()), elements);
        let animations: Vec<Animation<'t>> =
            list("animations")?.into_iter().map(Animation::parse).collect::<Result<_, _>>()?;
        let first_channels = animations
            .iter()
            .scan(0, |next, animation| {
                *next += animation.channels.len();
                Some(*next - animation.channels.len())
            })
            .collect();
        let (accessors, views, buffers) = (list("accessors")?, list("bufferViews")?, list("buffers")?);
        Ok(Self { file, container, top, animations, first_channels, accessors, views, buffers })
    }

    /// Number of accessors, buffer views and buffers.
    pub fn counts(&self) -> (usize, usize, usize) {
        (self.accessors.len(), self.views.len(), self.buffers.len())
    }

    /// A channel by its running number over all animations, as the reader counts them.
    pub fn channel(&self, number: u32) -> Option<&Channel<'t>> {
        let animation = self.first_channels.partition_point(|first| *first <= number as usize).checked_sub(1)?;
        self.animations[animation].channels.get(number as usize - self.first_channels[animation])
    }

    /// One accessor.
    pub fn accessor(&self, index: usize) -> Option<AccessorJson<'t>> {
        serde_json::from_str(self.accessors.get(index)?).ok()
    }

    /// The text of a buffer.
    pub fn buffer(&self, index: usize) -> Option<&'t str> {
        self.buffers.get(index).copied()
    }

    /// A buffer's `uri`.
    pub fn uri(&self, buffer: usize) -> Option<String> {
        Members::parse(self.buffer(buffer)?).ok()?.text("uri")
    }

    /// The bytes of an accessor of `f32` matrices that lies plainly in its buffer; `None` for sparse, strided or
    /// compressed ones.
    pub fn plain_matrices(&self, accessor: usize) -> Option<Vec<u8>> {
        let accessor = self.accessor(accessor)?;
        let view: ViewJson = serde_json::from_str(self.views.get(accessor.buffer_view?)?).ok()?;
        let plain = accessor.component_type == 5126
            && accessor.shape == "MAT4"
            && accessor.sparse.is_none()
            && view.extensions.is_none()
            && view.byte_stride.is_none_or(|stride| stride == 64);
        let length = accessor.count.checked_mul(64)?;
        let fits = accessor.byte_offset.checked_add(length)? <= view.byte_length;
        if !plain || !fits {
            return None;
        }
        let start = view.byte_offset.checked_add(accessor.byte_offset)?;
        let bytes = self.buffer_bytes(view.buffer)?;
        bytes.get(start..start.checked_add(length)?).map(<[u8]>::to_vec)
    }

    fn buffer_bytes(&self, buffer: usize) -> Option<Cow<'t, [u8]>> {
        let Some(uri) = self.uri(buffer) else {
            return self.container.bin().filter(|_| buffer == 0).map(Cow::Borrowed);
        };
        if let Some(rest) = uri.strip_prefix("data:") {
            let (_, text) = rest.split_once(";base64,")?;
            return base64::engine::general_purpose::STANDARD.decode(text).ok().map(Cow::Owned);
        }
        let name = percent_decoded(&uri);
        let found = |(known, _): &&(String, Arc<[u8]>)| *known == name || *known == uri;
        self.file.side_files.iter().find(found).map(|(_, bytes)| Cow::Borrowed(&**bytes))
    }
}

impl<'t> Animation<'t> {
    fn parse(text: &'t str) -> Result<Self, serde_json::Error> {
        let members = Members::parse(text)?;
        let list = |key| members.get(key).map_or(Ok(Vec::new()), elements);
        let samplers = list("samplers")?;
        let channels = list("channels")?.into_iter().map(|text| Channel::parse(text, &samplers)).collect();
        Ok(Self { text, members, channels, samplers })
    }
}

impl<'t> Channel<'t> {
    fn parse(text: &'t str, samplers: &[&'t str]) -> Self {
        // A channel that is not as it should be is one that readers set aside: kept as it is.
        let Ok(members) = Members::parse(text) else { return Self { text, sampler: None, target: None } };
        let sampler = members.index("sampler").and_then(|i| samplers.get(i as usize).copied());
        let target = members.object("target").and_then(|target| {
            let property = match target.text("path")?.as_str() {
                "translation" => Property::Translation,
                "rotation" => Property::Rotation,
                "scale" => Property::Scale,
                _ => return None,
            };
            Some((target.index("node")?, property))
        });
        Self { text, sampler, target }
    }

    /// Its sampler's accessors.
    pub fn accessors(&self) -> Option<SamplerAccessors> {
        let members = Members::parse(self.sampler?).ok()?;
        Some(SamplerAccessors { input: members.index("input")? as usize, output: members.index("output")? as usize })
    }

    /// How its sampler interpolates.
    pub fn is_cubic(&self) -> bool {
        let text = self.sampler.and_then(|text| Members::parse(text).ok()?.get("interpolation"));
        text == Some("\"CUBICSPLINE\"")
    }
}

/// `%20` and the like undone; what is not UTF-8 then stays as it was.
pub fn percent_decoded(uri: &str) -> String {
    let mut out = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let pair = after.get(..2).and_then(|pair| std::str::from_utf8(pair).ok());
        match pair.filter(|_| byte == b'%').and_then(|pair| u8::from_str_radix(pair, 16).ok()) {
            Some(decoded) => {
                out.push(decoded);
                rest = &after[2..];
            }
            None => {
                out.push(byte);
                rest = after;
            }
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| uri.to_owned())
}

/// A file name as a URI.
pub fn percent_encoded(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}
