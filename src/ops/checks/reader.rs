//! What the reader of the file had to say, one finding each.

use super::text::capital;
use super::{CheckId, CheckInput, Severity, Verdict};
use crate::motion::{Warning, WarningKind};

/// More are counted and not listed.
const MOST: usize = 100;

pub(super) fn check(input: &CheckInput<'_>, out: &mut Verdict) {
    let warnings = &input.file.warnings;
    let dropped: u32 = warnings.iter().filter(|w| w.kind == WarningKind::Dropped).map(|w| w.count.max(1)).sum();
    if dropped > 0 {
        out.part(CheckId::Reader, Severity::Warning, "data lost on reading");
    }
    for warning in warnings.iter().take(MOST) {
        let severity = match warning.kind {
            WarningKind::Dropped => Severity::Warning,
            WarningKind::Repaired | WarningKind::Timing => Severity::Advice,
            WarningKind::Units | WarningKind::Axes | WarningKind::SetAside => Severity::Info,
        };
        out.note(CheckId::Reader, severity, capital(&warning.message), detail(warning));
    }
    if let Some(more) = warnings.len().checked_sub(MOST).filter(|&more| more > 0) {
        let title = format!("{more} more remarks of the reader");
        out.note(CheckId::Reader, Severity::Info, title, "The command `info` lists them all.");
    }
}

fn detail(warning: &Warning) -> String {
    let what = match warning.kind {
        WarningKind::Units => "Units were guessed or converted",
        WarningKind::Axes => "Axes were guessed or converted",
        WarningKind::Timing => "Times are not what the file says",
        WarningKind::Repaired => "The file was mended",
        WarningKind::SetAside => "Not shown here, and kept for writing back",
        WarningKind::Dropped => "Not read",
    };
    let place = if warning.place.is_empty() { String::new() } else { format!(", at {}", warning.place) };
    match warning.count {
        0 | 1 => format!("{what}{place}."),
        n => format!("{what}{place} and {} more.", n - 1),
    }
}
