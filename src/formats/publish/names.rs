//! File names that every system and engine takes.

/// Longest name without extension, in bytes.
const LONGEST_STEM: usize = 120;

/// A name that every system and engine takes as a file name without extension: what they refuse becomes `_`, at most
/// 120 bytes, never empty, never a Windows device.
pub fn safe_stem(wished: &str) -> String {
    let forbidden = |c: char| c.is_control() || "\\/:*?\"<>|".contains(c);
    let mut stem: String = wished.chars().map(|c| if forbidden(c) { '_' } else { c }).collect();
    let device = stem.split('.').next().unwrap_or_default().trim_end().to_uppercase();
    let numbered = |kind: &str| {
        let number = device.strip_prefix(kind).and_then(|rest| rest.parse::<char>().ok());
        number.is_some_and(|n| "123456789¹²³".contains(n))
    };
    let plain = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].contains(&device.as_str());
    if plain || numbered("COM") || numbered("LPT") {
        stem.insert(0, '_');
    }
    cut(&mut stem, LONGEST_STEM);
    if let Some(last @ ('.' | ' ')) = stem.chars().next_back() {
        stem.truncate(stem.len() - last.len_utf8());
        stem.push('_');
    }
    if stem.is_empty() { "_".into() } else { stem }
}

/// The stem itself for 0, else with `_01`, `_02`… behind it, within the same length.
pub(super) fn numbered(stem: &str, number: u32) -> String {
    if number == 0 {
        return stem.to_owned();
    }
    let ending = format!("_{number:02}");
    let mut stem = stem.to_owned();
    cut(&mut stem, LONGEST_STEM - ending.len());
    stem + &ending
}

/// Shortens a text to at most so many bytes, between characters.
fn cut(text: &mut String, bytes: usize) {
    text.truncate(text.floor_char_boundary(bytes));
}
