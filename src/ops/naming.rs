//! Names of outputs: `{stem}{suffixes}`, safe as a file name on every system, and free.

use std::borrow::Cow;

/// Longest name in bytes; leaves room for an extension and a folder on every system.
pub const MAX_NAME_BYTES: usize = 120;

/// A later suffix replaces an earlier one of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SuffixKind {
    /// Where the travel is: `_RM`, `_RMSmooth`, `_RMConst`, `_InPlace`, `_Hips`.
    Travel,
    /// Where it stands: `_Origin`.
    Place,
    /// When it starts: `_Start0`.
    Start,
    /// `_Loop`.
    Loop,
    /// `_Rate085`.
    Rate,
    /// `_Stride120`.
    Stride,
    /// `_Adjusted`.
    Adjusted,
}

/// What an operation adds to the name of its output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suffix {
    /// What it replaces.
    pub kind: SuffixKind,
    /// With the underscore: `_RM`. Percent for numbers and no dots, which Unreal turns into underscores.
    pub text: Cow<'static, str>,
}

impl Suffix {
    /// A fixed text.
    pub const fn fixed(kind: SuffixKind, text: &'static str) -> Self {
        Self { kind, text: Cow::Borrowed(text) }
    }

    /// A text with a factor in percent: 0.85 becomes `_Rate085`.
    pub fn percent(kind: SuffixKind, text: &str, factor: f64) -> Self {
        Self { kind, text: format!("{text}{:03.0}", factor * 100.0).into() }
    }
}

/// The suffixes of a chain of operations: each replaces its own kind, others append, the last two are kept.
pub fn suffix_chain(suffixes: impl IntoIterator<Item = Suffix>) -> String {
    let mut kept: Vec<Suffix> = Vec::new();
    for suffix in suffixes {
        kept.retain(|earlier| earlier.kind != suffix.kind);
        kept.push(suffix);
    }
    kept[kept.len().saturating_sub(2)..].iter().map(|suffix| &*suffix.text).collect()
}

/// The part of an output's name before `chain` (its own [`suffix_chain`]) and a number; `None` when someone gave it
/// a name of another shape.
pub fn stem_before<'a>(name: &'a str, chain: &str) -> Option<&'a str> {
    let strip = |name: &'a str| name.strip_suffix(chain).filter(|stem| !stem.is_empty());
    if chain.is_empty() {
        return None;
    }
    strip(name).or_else(|| {
        let (front, number) = name.rsplit_once('_')?;
        let is_number = number.len() >= 2 && number.bytes().all(|b| b.is_ascii_digit());
        if is_number { strip(front) } else { None }
    })
}

/// `stem` and `suffixes`, safe and short enough: the stem gives way.
pub fn compose(stem: &str, suffixes: &str) -> String {
    let room = MAX_NAME_BYTES.saturating_sub(suffixes.len());
    file_safe(&format!("{}{suffixes}", cut(stem, room)))
}

/// `wish`, or with `_01`, `_02`… the first that is not taken.
pub fn free_name(wish: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let mut name = wish.to_owned();
    let mut n = 0_u64;
    while is_taken(&name) {
        n += 1;
        let number = format!("_{n:02}");
        name = format!("{}{number}", cut(wish, MAX_NAME_BYTES - number.len()));
    }
    name
}

/// Two names that one folder cannot hold on every system have the same key.
pub fn name_key(name: &str) -> String {
    name.to_lowercase()
}

/// Whether two names have the same key.
pub fn same_name(a: &str, b: &str) -> bool {
    // The key of the whole word, for a Greek final sigma depends on its neighbours; but most names differ at once.
    a.eq_ignore_ascii_case(b) || (!(a.is_ascii() && b.is_ascii()) && name_key(a) == name_key(b))
}

/// What file systems and engines take: `\ / : * ? " < > |`, control characters and a dot or space at the end become
/// `_`, device names of Windows get one in front, an empty name becomes `clip`; at most [`MAX_NAME_BYTES`].
pub fn file_safe(name: &str) -> String {
    let mut safe: String =
        name.chars().map(|c| if c.is_control() || r#"\/:*?"<>|"#.contains(c) { '_' } else { c }).collect();
    let kept = safe.trim_end_matches(['.', ' ']).len();
    let tail = "_".repeat(safe.len() - kept);
    safe.truncate(kept);
    safe.push_str(&tail);
    if safe.is_empty() {
        safe.push_str("clip");
    }
    if is_device(&safe) {
        safe.insert(0, '_');
    }
    cut(&safe, MAX_NAME_BYTES).to_owned()
}

/// Windows takes a device's name for the device whatever follows the first dot.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_ascii_uppercase();
    let numbered = |prefix: &str| {
        stem.strip_prefix(prefix).is_some_and(|rest| {
            let mut chars = rest.chars();
            matches!((chars.next(), chars.next()), (Some('1'..='9' | '¹' | '²' | '³'), None))
        })
    };
    matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$") || numbered("COM") || numbered("LPT")
}

/// At most `bytes` of it, whole characters, no space or dot left at the cut.
fn cut(text: &str, bytes: usize) -> &str {
    if text.len() <= bytes {
        return text;
    }
    text[..text.floor_char_boundary(bytes)].trim_end_matches(['.', ' '])
}
