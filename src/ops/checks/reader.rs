//! What the reader of the file had to say, one finding each.

use super::text::capital;
use super::{CheckId, CheckInput, Severity, Verdict};
use crate::motion::{Warning, WarningKind};

/// More are counted and not listed.
const MOST: usize = 100;

pub(super) fn check(input: &CheckInput<'_>, out: &mut Verdict) {
    let warnings = &input.file.warnings;
    let is_loss = |warning: &Warning| warning.kind == WarningKind::Dropped && !is_of_mesh(warning);
    if warnings.iter().any(is_loss) {
        out.part(CheckId::Reader, Severity::Warning, "data lost on reading");
    }
    for warning in warnings.iter().take(MOST) {
        let severity = match warning.kind {
            WarningKind::Dropped if is_loss(warning) => Severity::Warning,
            WarningKind::Dropped | WarningKind::Repaired | WarningKind::Timing => Severity::Advice,
            WarningKind::Units | WarningKind::Axes | WarningKind::SetAside => Severity::Info,
        };
        out.note(CheckId::Reader, severity, capital(&warning.message), detail(warning));
    }
    if let Some(more) = warnings.len().checked_sub(MOST).filter(|&more| more > 0) {
        let title = format!("{more} more remarks of the reader");
        out.note(CheckId::Reader, Severity::Info, title, "The command `info` lists them all.");
    }
}

/// Whether only the preview lacks what was not read: meshes and materials of a glTF stay in the file that is patched.
fn is_of_mesh(warning: &Warning) -> bool {
    let place = warning.place.as_str();
    let starts = ["meshes[", "materials[", "textures[", "images["].iter().any(|start| place.starts_with(start));
    starts || place.ends_with("].mesh") || place.ends_with("].skin")
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
