//! The table of everything the window says. The English text is the key, so that code reads as the screen does; other
//! languages are tables from it.

/// The text in the language of the window.
pub fn tr(english: &'static str) -> &'static str {
    english
}
