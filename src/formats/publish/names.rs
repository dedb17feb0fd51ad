//! File names that every system and engine takes.

use crate::ops::naming::MAX_NAME_BYTES;

/// The stem itself for 0, else with `_01`, `_02`… behind it, within the same length.
pub(super) fn numbered(stem: &str, number: u32) -> String {
    if number == 0 {
        return stem.to_owned();
    }
    let ending = format!("_{number:02}");
    let mut stem = stem.to_owned();
    cut(&mut stem, MAX_NAME_BYTES - ending.len());
    stem + &ending
}

/// Shortens a text to at most so many bytes, between characters.
fn cut(text: &mut String, bytes: usize) {
    text.truncate(text.floor_char_boundary(bytes));
}
