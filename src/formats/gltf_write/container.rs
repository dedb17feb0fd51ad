//! The two shapes of a glTF file: plain JSON, and chunks (GLB, glTF 2.0 §4.4).

/// `glTF`, little-endian.
const MAGIC: u32 = 0x4654_6C67;
const JSON: u32 = 0x4E4F_534A;
const BIN: u32 = 0x004E_4942;

/// A file taken apart.
pub struct Container<'b> {
    /// The JSON text without byte order mark, padding and white space around it.
    pub json: &'b str,
    // What stands around it in a text file: a byte order mark, a line's end.
    before: &'b str,
    after: &'b str,
    glb: Option<Chunks<'b>>,
}

struct Chunks<'b> {
    bin: Option<&'b [u8]>,
    // Chunks of other kinds, which readers must ignore and a patch must keep.
    others: Vec<(u32, &'b [u8])>,
}

impl<'b> Container<'b> {
    /// Takes a file apart.
    ///
    /// # Errors
    /// A reason, when the chunks do not add up or the text is not UTF-8.
    pub fn split(bytes: &'b [u8]) -> Result<Self, String> {
        if !bytes.starts_with(&MAGIC.to_le_bytes()) {
            let (before, json, after) = text(bytes)?;
            return Ok(Self { json, before, after, glb: None });
        }
        let declared = word(bytes, 8).ok_or("the header is cut off")? as usize;
        let bytes = bytes.get(..declared).unwrap_or(bytes);
        let (mut json, mut chunks) = (None, Chunks { bin: None, others: Vec::new() });
        let mut at = 12;
        while let (Some(length), Some(kind)) = (word(bytes, at), word(bytes, at + 4)) {
            let end = (at + 8).checked_add(length as usize).filter(|end| *end <= bytes.len());
            let body = &bytes[at + 8..end.ok_or_else(|| format!("the chunk at byte {at} is cut off"))?];
            match kind {
                JSON if json.is_none() => json = Some(text(body)?.1),
                BIN if chunks.bin.is_none() => chunks.bin = Some(body),
                _ => chunks.others.push((kind, body)),
            }
            at += 8 + body.len().next_multiple_of(4);
        }
        let json = json.ok_or("there is no JSON chunk")?;
        Ok(Self { json, before: "", after: "", glb: Some(chunks) })
    }

    /// Whether the file is a GLB.
    pub fn is_glb(&self) -> bool {
        self.glb.is_some()
    }

    /// The binary chunk, padding included.
    pub fn bin(&self) -> Option<&'b [u8]> {
        self.glb.as_ref().and_then(|chunks| chunks.bin)
    }

    /// The file with another text, and with `added` behind its binary chunk, which must end on a multiple of four.
    ///
    /// # Errors
    /// When the file would be longer than its header can say.
    pub fn join(&self, json: String, added: &[u8]) -> Result<Vec<u8>, String> {
        let Some(chunks) = &self.glb else { return Ok([self.before, &json, self.after].concat().into_bytes()) };
        let mut json = json.into_bytes();
        json.resize(json.len().next_multiple_of(4), b' ');
        let old = chunks.bin.unwrap_or_default();
        let bin_length = old.len().next_multiple_of(4) + added.len().next_multiple_of(4);
        let with_bin = chunks.bin.is_some() || !added.is_empty();
        let others: usize = chunks.others.iter().map(|(_, body)| 8 + body.len().next_multiple_of(4)).sum();
        let length = 12 + 8 + json.len() + if with_bin { 8 + bin_length } else { 0 } + others;
        let mut out = Vec::with_capacity(length);
        for header in [MAGIC, 2, number(length)?, number(json.len())?, JSON] {
            out.extend(header.to_le_bytes());
        }
        out.extend(json);
        if with_bin {
            out.extend(number(bin_length)?.to_le_bytes());
            out.extend(BIN.to_le_bytes());
            padded(&mut out, old);
            padded(&mut out, added);
        }
        for (kind, body) in &chunks.others {
            out.extend(number(body.len().next_multiple_of(4))?.to_le_bytes());
            out.extend(kind.to_le_bytes());
            padded(&mut out, body);
        }
        Ok(out)
    }
}

/// A GLB of a text and one binary buffer.
///
/// # Errors
/// When it would be longer than its header can say.
pub fn glb(json: String, bin: &[u8]) -> Result<Vec<u8>, String> {
    Container { json: "", before: "", after: "", glb: Some(Chunks { bin: None, others: Vec::new() }) }.join(json, bin)
}

fn padded(out: &mut Vec<u8>, body: &[u8]) {
    out.extend(body);
    out.resize(out.len() + body.len().next_multiple_of(4) - body.len(), 0);
}

fn number(length: usize) -> Result<u32, String> {
    u32::try_from(length).map_err(|_| format!("{length} bytes are more than a GLB can hold (4 GiB)"))
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(four.try_into().ok()?))
}

/// A text and what stands before and behind it.
fn text(bytes: &[u8]) -> Result<(&str, &str, &str), String> {
    let whole = std::str::from_utf8(bytes).map_err(|e| format!("the JSON is not UTF-8: {e}"))?;
    // Some writers pad chunks with zeros where the specification wants spaces.
    let json = whole.trim_matches(|c: char| c == '\u{feff}' || c == '\0' || c.is_ascii_whitespace());
    let start = json.as_ptr() as usize - whole.as_ptr() as usize;
    Ok((&whole[..start], json, &whole[start + json.len()..]))
}
