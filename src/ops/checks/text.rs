//! How numbers are written in findings: a real minus sign, and no more digits than the eye can use.

/// `1.2 cm`, `−0.4 cm`.
pub fn cm(metres: f64) -> String {
    signed(metres * 100.0, 1, " cm")
}

/// `1.61 m`; millimetres below a centimetre.
pub fn length(metres: f64) -> String {
    match metres.abs() {
        m if m < 0.0095 => signed(metres * 1000.0, 1, " mm"),
        m if m < 0.995 => signed(metres * 100.0, 1, " cm"),
        m if m < 100.0 => signed(metres, 2, " m"),
        _ => signed(metres, 0, " m"),
    }
}

/// `34°`, `−4°`.
pub fn degrees(radians: f64) -> String {
    signed(radians.to_degrees(), 0, "°")
}

/// `91 %`.
pub fn percent(share: f64) -> String {
    signed(share * 100.0, 0, " %")
}

/// `29.97 fps`, `30 fps`.
pub fn fps(rate: f64) -> String {
    let text = format!("{rate:.3}");
    format!("{} fps", text.trim_end_matches('0').trim_end_matches('.'))
}

fn signed(value: f64, digits: usize, unit: &str) -> String {
    let text = format!("{:.digits$}", value.abs());
    // −0.0 is 0.0 to the eye.
    let is_zero = text.chars().all(|c| c == '0' || c == '.');
    if value < 0.0 && !is_zero { format!("−{text}{unit}") } else { format!("{text}{unit}") }
}

/// The text with its first letter large, as a title begins.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
