//! A character of our own, with known truth.
