//! The cards: which there are, in which order, and with which settings they start.

use lucide_icons::Icon;

use crate::ops::{BakeToHips, Extract, InPlace, MoveToOrigin, Op, StartAtZero};
use crate::ui::commands::Card;
use crate::ui::text::tr;

/// What a card is called and shows.
pub struct CardInfo {
    /// Which.
    pub card: Card,
    /// Beside the title.
    pub icon: Icon,
    about: &'static str,
}

impl CardInfo {
    /// The title: as menus and history call the operation.
    pub fn label(&self) -> &'static str {
        tr(default_op(self.card).label())
    }

    /// One sentence.
    pub fn about(&self) -> &'static str {
        tr(self.about)
    }
}

/// Top to bottom.
pub const CARDS: [CardInfo; 5] = [
    CardInfo {
        card: Card::Extract,
        icon: Icon::Footprints,
        about: "Moves the travel from the pelvis to the root bone; what is seen stays as it is.",
    },
    CardInfo {
        card: Card::InPlace,
        icon: Icon::Pin,
        about: "Takes the travel out; sway and bob stay, and curves keep what was taken.",
    },
    CardInfo {
        card: Card::BakeToHips,
        icon: Icon::ArrowUpFromLine,
        about: "Moves the root's motion down to the hips; what is seen stays as it is.",
    },
    CardInfo {
        card: Card::MoveToOrigin,
        icon: Icon::Crosshair,
        about: "Starts the clip at the origin, heading to +Z.",
    },
    CardInfo { card: Card::StartAtZero, icon: Icon::Timer, about: "Moves the first key to time 0." },
];

/// The settings a card starts with.
pub fn default_op(card: Card) -> Op {
    match card {
        Card::Extract => Op::Extract(Extract::default()),
        Card::InPlace => Op::InPlace(InPlace::default()),
        Card::BakeToHips => Op::BakeToHips(BakeToHips::default()),
        Card::MoveToOrigin => Op::MoveToOrigin(MoveToOrigin::default()),
        Card::StartAtZero => Op::StartAtZero(StartAtZero::default()),
    }
}
