//! The MOTION section: its two header lines and the channel table.
//!
//! A row is a line. Where lines have other lengths, the numbers are taken as one stream if that gives the announced
//! number of rows (some programs wrap long lines); else the line is damaged and repeats the row before it, which
//! keeps all later rows in their time.

use super::number;
use super::scan::{ParseError, Scanner, is_blank, is_line_end, line_of, note, shown};
use crate::formats::Limits;
use crate::motion::{Warning, WarningKind};

/// A cell beyond this is as unusable as NaN: in metres or as a turn it would overflow what keys can hold.
pub const LARGEST: f64 = 1e30;

/// What the lines before the rows say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Head {
    /// `Frames:`, where it is a number.
    pub frames: Option<u64>,
    /// `Frame Time:` in seconds, as written; may be any number.
    pub frame_secs: Option<f64>,
    /// Decimals that `Frame Time:` is written with.
    pub decimals: i32,
}

/// Reads MOTION, `Frames:` and `Frame Time:`, in any spelling of case, space and colon, and leaves the cursor at the
/// first row.
pub fn read_head(scan: &mut Scanner<'_>, warnings: &mut Vec<Warning>) -> Result<Head, ParseError> {
    let mut head = Head::default();
    if !scan.eat(b"MOTION") {
        note(warnings, scan, WarningKind::Dropped, "the file has no MOTION section: a skeleton without a clip");
        return Ok(head);
    }
    loop {
        if scan.eat(b"FRAMES") {
            scan.eat(b":");
            let count = number::spelled(scan.word()).filter(|count| (0.0..1e15).contains(count));
            if count.is_none() {
                note(warnings, scan, WarningKind::Timing, "the number of frames cannot be read: the rows count");
            }
            head.frames = count.map(|count| count as u64);
        } else if scan.eat(b"FRAME") {
            if !scan.eat(b"TIME") {
                return Err(scan.fail("\"Frame\" without \"Time\"", "the line reads \"Frame Time: 0.033333\""));
            }
            scan.eat(b":");
            let word = scan.word();
            head.frame_secs = number::spelled(word);
            head.decimals = decimals(word);
        } else {
            return Ok(head);
        }
    }
}

/// Digits behind the point of a number as written, the exponent counted in.
fn decimals(word: &[u8]) -> i32 {
    let text = String::from_utf8_lossy(word);
    let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((&text, "0"));
    let behind = digits.split_once(['.', ',']).map_or(0, |(_, behind)| behind.len().min(1000) as i32);
    behind.saturating_sub(exponent.parse().unwrap_or(0))
}

/// Reads all rows. `rest` has one value per column, for cells that no row gives.
pub fn read(
    scan: &Scanner<'_>,
    rest: &[f32],
    head: &Head,
    limits: &Limits,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<f32>, ParseError> {
    if rest.is_empty() {
        if head.frames.is_some_and(|frames| frames > 0) {
            note(warnings, scan, WarningKind::Dropped, "no joint has channels: the rows say nothing, there is no clip");
        }
        return Ok(Vec::new());
    }
    let announced = head.frames.unwrap_or(0);
    let mut rows = Rows::read::<false>(scan, rest.len(), announced, limits)?;
    if let Some((at, found)) = rows.first_ragged {
        let stream = Rows::read::<true>(scan, rest.len(), announced, limits)?;
        if head.frames == Some(stream.count(rest.len())) && stream.cut_off.is_none() {
            let place = Scanner { at, ..*scan };
            note(warnings, &place, WarningKind::Repaired, "rows and lines differ: the numbers were taken in sequence");
            rows = stream;
        } else if rows.table.is_empty() || rows.ragged_head {
            let reason = format!("{found} numbers in the first row, but the joints have {} channels", rest.len());
            let advice = "hierarchy and rows belong to different files; export the file again";
            return Err(Scanner { at, ..*scan }.fail(reason, advice));
        } else {
            let message = "lines with too few or too many numbers: each repeats the row before it";
            note_many(warnings, scan, at, rows.ragged, WarningKind::Repaired, message);
        }
    }
    if let Some(at) = rows.cut_off {
        note_many(warnings, scan, at, 1, WarningKind::Dropped, "the last row is cut off and was left out");
    }
    if let Some(at) = rows.first_unusable {
        let message = "cells that are no finite number keep the value before them";
        note_many(warnings, scan, at, rows.unusable, WarningKind::Repaired, message);
        fill_head(&mut rows.table, rest);
    }
    let count = rows.count(rest.len());
    if head.frames.is_some_and(|frames| frames != count) {
        let frames = head.frames.unwrap_or_default();
        let message = format!("\"Frames:\" says {frames}, but there are {count} rows: the rows count");
        note(warnings, scan, WarningKind::Timing, &message);
    }
    Ok(rows.table)
}

fn note_many(warnings: &mut Vec<Warning>, scan: &Scanner<'_>, at: usize, count: u32, kind: WarningKind, message: &str) {
    let place = format!("line {}", line_of(scan.bytes, at));
    warnings.push(Warning { kind, place, message: message.to_owned(), count });
}

/// Cells without a usable value before them take the column's first usable value, or the resting one.
fn fill_head(table: &mut [f32], rest: &[f32]) {
    let width = rest.len();
    for (column, &resting) in rest.iter().enumerate() {
        let known = table.iter().skip(column).step_by(width).position(|cell| cell.is_finite());
        let value = known.map_or(resting, |row| table[row * width + column]);
        let until = known.unwrap_or(table.len() / width);
        table.iter_mut().skip(column).step_by(width).take(until).for_each(|cell| *cell = value);
    }
}

#[derive(Default)]
struct Rows {
    table: Vec<f32>,
    /// Lines of the wrong length: how many, where the first is, how many numbers it has, whether it is the first row.
    ragged: u32,
    first_ragged: Option<(usize, usize)>,
    ragged_head: bool,
    unusable: u32,
    first_unusable: Option<usize>,
    /// Start of a last row that ends too early.
    cut_off: Option<usize>,
}

impl Rows {
    fn count(&self, width: usize) -> u64 {
        (self.table.len() / width) as u64
    }

    /// Reads to the end of the file. `STREAM`: line ends are space.
    fn read<const STREAM: bool>(
        scan: &Scanner<'_>,
        width: usize,
        announced: u64,
        limits: &Limits,
    ) -> Result<Self, ParseError> {
        let bytes = scan.bytes;
        let mut rows = Self::default();
        // What the head announces, but a cell takes two bytes at least: the file's own size bounds this.
        let cells = ((bytes.len() - scan.at) / 2) as u64;
        let announced = announced.saturating_mul(width as u64).min(cells).min(limits.samples);
        rows.table.try_reserve_exact(announced as usize).ok();
        // Keeps the row before: an unusable cell is left as it is.
        let mut row = vec![f32::NAN; width];
        let mut at = scan.at;
        loop {
            while bytes.get(at).is_some_and(|&byte| byte <= b' ') {
                at += 1;
            }
            if at >= bytes.len() {
                return Ok(rows);
            }
            let start = at;
            let filled = rows.read_row::<STREAM>(bytes, &mut at, &mut row)?;
            let asked = (rows.table.len() + width) as u64;
            if asked > limits.samples {
                return Err(ParseError::TooLarge { what: "too many numbers", asked, limit: limits.samples });
            }
            if filled == width && (STREAM || skip_blanks::<false>(bytes, &mut at)) {
                rows.table.extend_from_slice(&row);
                continue;
            }
            let extra = count_words_of_line(bytes, &mut at);
            if filled < width && bytes[at..].iter().all(|&byte| byte <= b' ') {
                rows.cut_off = Some(start);
                return Ok(rows);
            }
            rows.ragged = rows.ragged.saturating_add(1);
            rows.first_ragged.get_or_insert((start, filled + extra));
            let Some(before) = rows.table.len().checked_sub(width) else {
                rows.ragged_head = true;
                continue;
            };
            rows.table.extend_from_within(before..);
            row.copy_from_slice(&rows.table[before..before + width]);
        }
    }

    /// Fills cells until the row is full or the line ends; how many were filled.
    #[inline(always)]
    fn read_row<const STREAM: bool>(
        &mut self,
        bytes: &[u8],
        at: &mut usize,
        row: &mut [f32],
    ) -> Result<usize, ParseError> {
        for (filled, cell) in row.iter_mut().enumerate() {
            if skip_blanks::<STREAM>(bytes, at) {
                return Ok(filled);
            }
            if let Some((value, end)) = number::plain(bytes, *at) {
                *cell = value;
                *at = end;
            } else if let Some(value) = odd_number(bytes, at)? {
                *cell = value;
            } else {
                self.first_unusable.get_or_insert(*at);
                self.unusable = self.unusable.saturating_add(1);
            }
        }
        Ok(row.len())
    }
}

/// Whether the line, or in a stream the file, ends here.
#[inline(always)]
fn skip_blanks<const STREAM: bool>(bytes: &[u8], at: &mut usize) -> bool {
    while let Some(&byte) = bytes.get(*at) {
        if byte > b' ' {
            return false;
        }
        if !STREAM && !is_blank(byte) {
            return true;
        }
        *at += 1;
    }
    true
}

/// A number that is no plain decimal; `None` for one that no key can hold.
#[cold]
fn odd_number(bytes: &[u8], at: &mut usize) -> Result<Option<f32>, ParseError> {
    let start = *at;
    while bytes.get(*at).is_some_and(|&byte| byte > b' ') {
        *at += 1;
    }
    let word = &bytes[start..*at];
    let value = number::spelled(word).ok_or_else(|| {
        let reason = format!("\"{}\" where a number of the motion should stand", shown(word));
        Scanner { bytes, at: start }
            .fail(reason, "repair or remove this line in a text editor, or export the file again")
    })?;
    Ok((value.abs() <= LARGEST).then_some(value as f32))
}

fn count_words_of_line(bytes: &[u8], at: &mut usize) -> usize {
    let mut words = 0;
    let mut inside = false;
    while let Some(&byte) = bytes.get(*at) {
        if is_line_end(byte) {
            break;
        }
        words += usize::from(byte > b' ' && !inside);
        inside = byte > b' ';
        *at += 1;
    }
    words
}
