//! The columns of the table: what they say, and which of them there is room for.

use super::facts::{Facts, Travel};
use super::model::{Row, What};
use crate::ui::text::tr;
use crate::ui::theme::RHYTHM;

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "named as they are headed")]
pub enum Column {
    Name,
    Duration,
    Frames,
    Speed,
    Turn,
    Rate,
}

impl Column {
    /// Left to right; in a narrow panel the last goes first.
    pub const ALL: [Self; 6] = [Self::Name, Self::Duration, Self::Frames, Self::Speed, Self::Turn, Self::Rate];

    /// At its head.
    pub fn title(self) -> &'static str {
        match self {
            Self::Name => tr("Name"),
            Self::Duration => tr("Length"),
            Self::Frames => tr("Frames"),
            Self::Speed => tr("Speed"),
            Self::Turn => tr("Turn"),
            Self::Rate => tr("Rate"),
        }
    }

    /// On hover.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Name => tr("Files, their takes, and what was made of them"),
            Self::Duration => tr("From the first key to the last, seconds"),
            Self::Frames => tr("Frames, the first and the last counted"),
            Self::Speed => tr("Mean speed over the ground, known once the clip has been looked at"),
            Self::Turn => tr("How far the clip turns, to the left positive; known once it has been looked at"),
            Self::Rate => tr("Frames per second"),
        }
    }

    /// Width in points; the name takes what is left.
    fn width(self) -> f32 {
        RHYTHM
            * match self {
                Self::Name => 20.0,
                Self::Duration | Self::Frames => 7.0,
                Self::Rate => 7.5,
                Self::Speed => 8.5,
                Self::Turn => 6.0,
            }
    }

    /// For sorting.
    pub fn value(self, facts: &Facts) -> Option<f64> {
        match self {
            Self::Name => None,
            Self::Duration => facts.duration_secs,
            Self::Frames => facts.frames,
            Self::Speed => facts.speed_m_s,
            Self::Turn => facts.turn_deg,
            Self::Rate => facts.fps,
        }
    }

    /// With its unit; a dash where nothing is known.
    pub fn text(self, facts: &Facts) -> String {
        let Some(value) = self.value(facts) else { return "–".into() };
        match self {
            Self::Name => String::new(),
            Self::Duration => format!("{value:.2} s"),
            Self::Frames => format!("{value:.0}"),
            Self::Speed => format!("{value:.2} m/s"),
            Self::Turn => format!("{}°", rounded(value)),
            Self::Rate => format!("{} fps", short(value)),
        }
    }
}

/// Without a minus before zero.
fn rounded(value: f64) -> i64 {
    value.round() as i64
}

/// A rate without needless digits: 30, 29.97.
fn short(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The columns that have room in so many points, with the width of each.
pub fn fitting(width: f32) -> Vec<(Column, f32)> {
    let mut left = width - Column::Name.width();
    let mut shown = vec![(Column::Name, 0.0)];
    for column in Column::ALL.into_iter().skip(1) {
        let wide = column.width();
        if wide > left {
            break;
        }
        left -= wide;
        shown.push((column, wide));
    }
    shown[0].1 = (Column::Name.width() + left).clamp(0.0, width.max(0.0));
    shown
}

/// The rows as text for a spreadsheet: tabs between columns, numbers without units, files left out.
pub fn table_text(rows: &[Row]) -> String {
    let heads = [
        tr("Name"),
        tr("Length (s)"),
        tr("Frames"),
        tr("Rate (fps)"),
        tr("Speed (m/s)"),
        tr("Turn (°)"),
        tr("Loop"),
        tr("Travel"),
    ];
    let mut text = heads.join("\t");
    for row in rows.iter().filter(|row| matches!(row.what, What::Clip(_))) {
        let number = |column: Column| column.value(&row.facts).map(plain).unwrap_or_default();
        let travel = match row.facts.travel {
            Some(Travel::RootMotion) => tr("root motion"),
            Some(Travel::InPlace) => tr("in place"),
            None => "",
        };
        let cells = [
            row.name.replace(['\t', '\n', '\r'], " "),
            number(Column::Duration),
            number(Column::Frames),
            number(Column::Rate),
            number(Column::Speed),
            number(Column::Turn),
            if row.facts.is_loop { tr("yes").into() } else { tr("no").into() },
            travel.into(),
        ];
        text.push('\n');
        text.push_str(&cells.join("\t"));
    }
    text.push('\n');
    text
}

/// Four digits behind the point at most.
fn plain(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
