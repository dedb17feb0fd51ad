//! A cursor over the bytes of a text, and the error that names a line.

use std::path::Path;

use super::number;
use crate::formats::ReadError;
use crate::motion::{Warning, WarningKind};

/// Why bytes are no BVH that can be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// The text breaks the format.
    #[error("{reason} at line {line}: {advice}")]
    Malformed {
        /// Counted from 1.
        line: usize,
        /// What is wrong.
        reason: String,
        /// What to do.
        advice: String,
    },
    /// The file asks for more than is allowed.
    #[error("{what} ({asked}; the limit is {limit})")]
    TooLarge {
        /// Such as "too many joints".
        what: &'static str,
        /// What the file asks for.
        asked: u64,
        /// What is allowed.
        limit: u64,
    },
}

impl ParseError {
    /// The same with the file's name.
    pub fn in_file(self, path: &Path) -> ReadError {
        let file = path.display().to_string();
        match self {
            Self::Malformed { line, reason, advice } => {
                ReadError::Malformed { file, place: format!("line {line}"), reason, advice }
            }
            Self::TooLarge { what, asked, limit } => ReadError::TooLarge { file, what: what.into(), asked, limit },
        }
    }
}

/// Ends a line. A lone carriage return does, too (old Macintosh files); after one, a line feed is only a blank line.
pub fn is_line_end(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

/// Space inside a line. All control bytes are: files end in `^Z` or are padded with zeros.
pub fn is_blank(byte: u8) -> bool {
    byte <= b' ' && !is_line_end(byte)
}

/// The line of a byte, counted from 1. Found only when somebody asks, so that scanning does not count.
pub fn line_of(bytes: &[u8], at: usize) -> usize {
    let before = &bytes[..at.min(bytes.len())];
    let end = if bytes.contains(&b'\n') { b'\n' } else { b'\r' };
    1 + before.iter().filter(|&&byte| byte == end).count()
}

/// Bytes as a person may be shown them: not too long, no control characters.
pub fn shown(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(40)]);
    text.chars().map(|c| if c.is_control() { '\u{FFFD}' } else { c }).collect()
}

/// A cursor over the whole file.
#[derive(Clone, Copy)]
pub struct Scanner<'b> {
    /// The file.
    pub bytes: &'b [u8],
    /// Next byte to look at.
    pub at: usize,
}

impl<'b> Scanner<'b> {
    /// At the first byte behind a byte order mark.
    pub fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, at: if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 } }
    }

    fn skip_while(&mut self, skipped: impl Fn(u8) -> bool) {
        while self.bytes.get(self.at).is_some_and(|&byte| skipped(byte)) {
            self.at += 1;
        }
    }

    /// To the next byte that means something.
    pub fn skip_space(&mut self) {
        self.skip_while(|byte| byte <= b' ');
    }

    /// The next word, or an empty one at the end of the file. A brace is a word of its own.
    pub fn word(&mut self) -> &'b [u8] {
        self.skip_space();
        let start = self.at;
        self.skip_while(|byte| byte > b' ' && byte != b'{' && byte != b'}');
        if self.at == start && start < self.bytes.len() {
            self.at += 1;
        }
        &self.bytes[start..self.at]
    }

    /// [`Self::word`] without moving.
    pub fn peek_word(&self) -> &'b [u8] {
        Self { ..*self }.word()
    }

    /// Steps over `keyword`, any case, if it comes next; it need not end there.
    pub fn eat(&mut self, keyword: &[u8]) -> bool {
        self.skip_space();
        let found = self.bytes[self.at..].get(..keyword.len()).is_some_and(|next| next.eq_ignore_ascii_case(keyword));
        if found {
            self.at += keyword.len();
        }
        found
    }

    /// The rest of the line up to an opening brace: a joint's name, which may hold spaces and colons.
    pub fn name(&mut self) -> String {
        let start = self.at;
        self.skip_while(|byte| byte != b'{' && !is_line_end(byte));
        String::from_utf8_lossy(self.bytes[start..self.at].trim_ascii()).into_owned()
    }

    /// A number in any of the spellings that [`number::spelled`] knows.
    pub fn number(&mut self, what: &str) -> Result<f64, ParseError> {
        let start = {
            self.skip_space();
            self.at
        };
        let word = self.word();
        number::spelled(word).ok_or_else(|| {
            let reason = match word {
                b"" => format!("the file ends inside {what}"),
                other => format!("\"{}\" is not a number of {what}", shown(other)),
            };
            Self { at: start, ..*self }.fail(reason, "export the file again, or repair this line in a text editor")
        })
    }

    /// An error at the cursor.
    pub fn fail(&self, reason: impl Into<String>, advice: &str) -> ParseError {
        ParseError::Malformed { line: line_of(self.bytes, self.at), reason: reason.into(), advice: advice.into() }
    }
}

/// Notes one more case of `message`; only the first keeps its place.
pub fn note(warnings: &mut Vec<Warning>, at: &Scanner<'_>, kind: WarningKind, message: &str) {
    match warnings.iter_mut().find(|warning| warning.message == message) {
        Some(known) => known.count = known.count.saturating_add(1),
        None => warnings.push(Warning {
            kind,
            place: format!("line {}", line_of(at.bytes, at.at)),
            message: message.to_owned(),
            count: 1,
        }),
    }
}
