//! Which rows are marked after a click or a key.

use crate::ops::ClipId;
use crate::ui::rows::Go;

/// What keys were held with the click.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// None: this row alone.
    Alone,
    /// Ctrl: this row too, or no longer.
    Toggle,
    /// Shift: all from the anchor to this row.
    Extend,
}

/// Marks, and where the next Shift-click counts from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marks {
    /// The shown one first.
    pub clips: Vec<ClipId>,
    /// Where ranges start.
    pub anchor: Option<ClipId>,
    /// Where keys go on from.
    pub cursor: Option<ClipId>,
}

/// After a click on a row. `order` are the clips in the rows, top to bottom. The first marked row stays the shown one
/// while others are added, so that the view does not jump.
pub fn clicked(marked: &[ClipId], order: &[ClipId], anchor: Option<ClipId>, row: ClipId, how: How) -> Marks {
    let place = |clip: ClipId| order.iter().position(|&other| other == clip);
    match how {
        How::Alone => Marks { clips: vec![row], anchor: Some(row), cursor: Some(row) },
        How::Toggle => {
            let mut clips: Vec<ClipId> = marked.iter().copied().filter(|&clip| clip != row).collect();
            // The last mark stays: something is always shown.
            if clips.len() == marked.len() || clips.is_empty() {
                clips.push(row);
            }
            Marks { clips, anchor: Some(row), cursor: Some(row) }
        }
        How::Extend => {
            let from = anchor.or_else(|| marked.first().copied()).and_then(|clip| Some((clip, place(clip)?)));
            match (from, place(row)) {
                (Some((anchor, a)), Some(b)) => {
                    let mut clips = order[a.min(b)..=a.max(b)].to_vec();
                    // From the anchor outwards: it stays the first.
                    if b < a {
                        clips.reverse();
                    }
                    Marks { clips, anchor: Some(anchor), cursor: Some(row) }
                }
                _ => clicked(marked, order, None, row, How::Alone),
            }
        }
    }
}

/// After an arrow or a page key.
pub fn moved(marks: &Marks, order: &[ClipId], go: Go, extend: bool, page: usize) -> Option<Marks> {
    let now = marks.cursor.or_else(|| marks.clips.first().copied());
    let now = now.and_then(|clip| order.iter().position(|&other| other == clip));
    let next = *order.get(go.from(now, order.len(), page)?)?;
    let how = if extend { How::Extend } else { How::Alone };
    Some(clicked(&marks.clips, order, marks.anchor, next, how))
}
