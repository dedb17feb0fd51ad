//! The outer shell: GLB chunks, and the buffers behind them: BIN chunks, data URIs, files beside.

use std::borrow::Cow;
use std::ops::Deref;
use std::sync::Arc;

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use gltf::json::Root;

use super::findings::Findings;
use super::{Fetch, Limits, ReadError, malformed};
use crate::motion::{Format, WarningKind};

/// What a file is made of; all slices lie in its bytes.
pub(super) struct Container<'a> {
    pub(super) format: Format,
    pub(super) json: &'a [u8],
    /// BIN chunks in order; the specification allows one, some writers make more.
    bins: Vec<&'a [u8]>,
}

/// A GLB into its chunks (glTF 2.0 §4.4), anything else as JSON.
pub(super) fn split<'a>(bytes: &'a [u8], file: &str, findings: &mut Findings) -> Result<Container<'a>, ReadError> {
    if !bytes.starts_with(b"glTF") {
        return Ok(Container { format: Format::Gltf, json: trim(bytes), bins: Vec::new() });
    }
    let cut = |at: usize| malformed(file, format!("byte {at}"), "the file ends in the middle of its header", "");
    let version = u32_at(bytes, 4).ok_or_else(|| cut(4))?;
    let length = u32_at(bytes, 8).ok_or_else(|| cut(8))? as usize;
    if version != 2 {
        let reason = format!("this is a GLB of version {version}, and only version 2 is read");
        return Err(malformed(file, "byte 4", reason, "convert it to glTF 2 first"));
    }
    if length > bytes.len() {
        let message = "the file is shorter than its header says; what is there is read";
        findings.add(WarningKind::Repaired, message, || "byte 8".into());
    }
    let mut json = None;
    let mut bins = Vec::new();
    let mut at = 12;
    while let (Some(size), Some(kind)) = (u32_at(bytes, at), bytes.get(at + 4..at + 8)) {
        // Some writers leave rubbish behind the stated length, and some state it too small for their only chunks.
        if at >= length && json.is_some() {
            break;
        }
        let start = at + 8;
        let end = start.saturating_add(size as usize);
        let chunk = &bytes[start..end.min(bytes.len())];
        match kind {
            b"JSON" if json.is_none() => {
                if end > bytes.len() {
                    let reason = format!("the JSON chunk has {size} bytes, of which {} are there", chunk.len());
                    return Err(malformed(file, format!("byte {at}"), reason, "the file is cut off: fetch it again"));
                }
                json = Some(trim(chunk));
            }
            b"BIN\0" => {
                if end > bytes.len() {
                    let message = "the BIN chunk is cut off; what is there is read";
                    findings.add(WarningKind::Repaired, message, || format!("byte {at}"));
                }
                bins.push(chunk);
            }
            // Chunks of other kinds are to be ignored, §4.4.3.
            _ => {}
        }
        at = end.saturating_add(end.wrapping_neg() % 4);
    }
    let json = json.ok_or_else(|| malformed(file, "byte 12", "there is no JSON chunk", ""))?;
    Ok(Container { format: Format::Glb, json, bins })
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
}

/// Without a byte order mark and padding; spaces are the rule, zeros are met.
fn trim(json: &[u8]) -> &[u8] {
    let json = json.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(json);
    let end =
        json.iter().rposition(|byte| !matches!(byte, 0 | b' ' | b'\n' | b'\r' | b'\t')).map_or(0, |last| last + 1);
    &json[..end]
}

/// The bytes of one buffer, or why they are not there.
pub(super) enum Buffer<'a> {
    Chunk(&'a [u8]),
    Held(Arc<[u8]>),
    Missing(String),
}

impl Buffer<'_> {
    pub(super) fn bytes(&self) -> Result<&[u8], &str> {
        match self {
            Self::Chunk(bytes) => Ok(bytes),
            Self::Held(bytes) => Ok(bytes),
            Self::Missing(reason) => Err(reason),
        }
    }
}

/// All buffers of the file. A buffer without a URI is the next BIN chunk; when there is none it is missing (the
/// fallback buffers of `EXT_meshopt_compression` are like that).
pub(super) fn buffers<'a>(root: &Root, container: &Container<'a>, side: &mut SideFiles<'_>) -> Vec<Buffer<'a>> {
    let mut chunks = container.bins.iter();
    let mut buffer = |json: &gltf::json::Buffer| match &json.uri {
        Some(uri) => side.get(uri).map_or_else(Buffer::Missing, Buffer::Held),
        None => chunks.next().map_or_else(
            || Buffer::Missing("there is neither a URI nor a BIN chunk for it".into()),
            |chunk| Buffer::Chunk(chunk),
        ),
    };
    root.buffers.iter().map(&mut buffer).collect()
}

/// Files and data behind URIs, bounded together, each fetched once.
pub(super) struct SideFiles<'f> {
    fetch: &'f dyn Fetch,
    left: u64,
    held: Vec<(String, Arc<[u8]>)>,
}

impl<'f> SideFiles<'f> {
    pub(super) fn new(fetch: &'f dyn Fetch, limits: &Limits) -> Self {
        Self { fetch, left: limits.side_bytes, held: Vec::new() }
    }

    /// The files that were fetched, by their URIs as the JSON spells them.
    pub(super) fn into_held(self) -> Vec<(String, Arc<[u8]>)> {
        self.held
    }

    /// Bytes of a data URI, or of a file beside.
    pub(super) fn get(&mut self, uri: &str) -> Result<Arc<[u8]>, String> {
        if let Some(data) = strip_scheme(uri, "data:") {
            return decode_data(data).map(Arc::from).ok_or_else(|| "its data URI cannot be decoded".to_owned());
        }
        if let Some((_, known)) = self.held.iter().find(|(name, _)| name == uri) {
            return Ok(Arc::clone(known));
        }
        // Paths written on Windows carry its separators; the fetcher still judges where they lead.
        let name = percent_decode(uri).replace('\\', "/");
        let bytes = self.fetch.fetch(&name).or_else(|why| {
            // A file whose real name holds a per cent sign, written without escaping it.
            if name == uri { Err(why) } else { self.fetch.fetch(uri).map_err(|_| why) }
        })?;
        let size = bytes.len() as u64;
        self.left = self.left.checked_sub(size).ok_or_else(|| "the files beside it are too large".to_owned())?;
        self.held.push((uri.to_owned(), Arc::clone(&bytes)));
        Ok(bytes)
    }
}

fn strip_scheme<'u>(uri: &'u str, scheme: &str) -> Option<&'u str> {
    let head = uri.get(..scheme.len())?;
    head.eq_ignore_ascii_case(scheme).then(|| &uri[scheme.len()..])
}

/// RFC 2397, without the scheme.
fn decode_data(data: &str) -> Option<Vec<u8>> {
    let (kind, body) = data.split_once(',')?;
    if !kind.trim_end().ends_with(";base64") {
        return Some(percent_bytes(body).into_owned());
    }
    let lenient = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true);
    GeneralPurpose::new(&STANDARD, lenient).decode(percent_bytes(body).deref()).ok()
}

/// RFC 3986 §2.1; what is not valid UTF-8 afterwards is replaced.
pub(super) fn percent_decode(text: &str) -> String {
    String::from_utf8_lossy(&percent_bytes(text)).into_owned()
}

fn percent_bytes(text: &str) -> Cow<'_, [u8]> {
    if !text.contains('%') {
        return Cow::Borrowed(text.as_bytes());
    }
    let hex = |byte: u8| (byte as char).to_digit(16).map(|digit| digit as u8);
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let escaped = match (first, tail) {
            (b'%', [high, low, ..]) => hex(*high).zip(hex(*low)),
            _ => None,
        };
        match escaped {
            Some((high, low)) => {
                bytes.push(high << 4 | low);
                rest = &tail[2..];
            }
            None => {
                bytes.push(first);
                rest = tail;
            }
        }
    }
    Cow::Owned(bytes)
}
