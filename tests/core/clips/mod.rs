//! Everything over every real clip: does it open, who plays what, does the character stay where it was?

mod invariants;
mod mutations;
mod table;
