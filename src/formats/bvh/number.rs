//! Decimal numbers out of bytes: eight digits at a time for what exporters write, `str::parse` for everything else.
//!
//! A file is nearly all numbers, and reading them is nearly all of the time. The fast way takes at most eight digits
//! before and after the point, holds them as an integer below 10¹⁶ and divides once by a power of ten. Integer and
//! power are exact in `f64` up to 2⁵³, so the quotient is rounded once; above that, and with more decimals, it is
//! within 2⁻⁵⁰ of the text, or 10⁻⁸ where digits are left out: below half a unit of the `f32` that is kept, which so
//! is the nearest one or its neighbour.

const POWERS: [u32; 9] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// As much as is looked at: a sign, three times eight digits and a point between, and what follows.
const WINDOW: usize = 40;

/// The plain decimal that starts at `at`, and the byte behind it: sign, digits, point or comma, digits, then space.
/// `None` for anything else, and near the end of the file: ask [`spelled`].
#[inline(always)]
pub fn plain(bytes: &[u8], at: usize) -> Option<(f32, usize)> {
    let window: &[u8; WINDOW] = bytes.get(at..)?.first_chunk()?;
    // Where the next number starts must not wait for what this one is: finding the space takes a third of the steps.
    let length = word_length(window)?;
    let negative = window[0] == b'-';
    let start = usize::from(negative);
    let (whole_len, whole) = leading_digits(window, start)?;
    let mut end = start + whole_len;
    let (mut part_len, mut part) = (0, 0);
    if matches!(window[end], b'.' | b',') {
        (part_len, part) = leading_digits(window, end + 1)?;
        end += 1 + part_len;
    }
    if whole_len + part_len == 0 {
        return None;
    }
    let power = POWERS[part_len];
    let digits = whole * u64::from(power) + part;
    // Below 10^16, so the signed conversion, the cheaper one, says the same.
    let size = digits as i64 as f64 / f64::from(power);
    // No branch on the sign: it comes as it likes, and a wrong guess costs as much as the number.
    let signed = |size: f64| f32::from_bits((size as f32).to_bits() | u32::from(negative) << 31);
    if end == length && window[end] <= b' ' {
        return Some((signed(size), at + length));
    }
    if part_len < 8 {
        return None;
    }
    let (finer, end) = more_decimals(window, end, digits)?;
    Some((signed(size + finer), at + end))
}

/// Bytes before the first space; 16 if there is none among as many.
#[inline(always)]
fn word_length(window: &[u8; WINDOW]) -> Option<usize> {
    const EACH: u128 = u128::from_le_bytes([1; 16]);
    let word = u128::from_le_bytes(*window.first_chunk()?);
    // Taking 0x21 borrows into the top bit of a byte below it; a borrow from below only spoils bytes behind the first.
    let spaces = word.wrapping_sub(EACH * 0x21) & !word & (EACH * 0x80);
    Some((spaces.trailing_zeros() / 8) as usize)
}

/// What stands behind eight decimals of a number whose digits so far are `digits`, and the byte behind it. Digits
/// behind the sixteenth decimal do not count where the first eight left anything: they are below 10⁻⁸ of it.
#[inline(never)]
fn more_decimals(window: &[u8; WINDOW], at: usize, digits: u64) -> Option<(f64, usize)> {
    let (len, value) = leading_digits(window, at)?;
    let mut end = at + len;
    if len == 8 && digits != 0 {
        end += leading_digits(window, end)?.0;
    }
    let finer = value as f64 / (1e8 * f64::from(POWERS[len]));
    (window[end] <= b' ').then_some((finer, end))
}

/// How many digits stand at the head of the eight bytes from `at`, and their value.
#[inline(always)]
fn leading_digits(window: &[u8; WINDOW], at: usize) -> Option<(usize, u64)> {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let eight: [u8; 8] = window.get(at..at + 8)?.try_into().ok()?;
    // A digit's byte becomes 0…9. Adding 0x76 lifts all above 9 into the top bit; a carry only spoils bytes behind
    // the first that is no digit, and those are not looked at.
    let values = u64::from_le_bytes(eight) ^ (EACH * 0x30);
    let others = (values.wrapping_add(EACH * 0x76) | values) & (EACH * 0x80);
    let count = others.trailing_zeros() / 8;
    // The digits move to the far end, zeros come in before them; then neighbours are joined: 1, 2, 4 digits at a time.
    let ones = values.checked_shl(64 - 8 * count).unwrap_or(0);
    let twos = (ones.wrapping_mul(10).wrapping_add(ones >> 8)) & 0x00FF_00FF_00FF_00FF;
    let fours = (twos.wrapping_mul(100).wrapping_add(twos >> 16)) & 0x0000_FFFF_0000_FFFF;
    let value = (fours.wrapping_mul(10_000).wrapping_add(fours >> 32)) & 0xFFFF_FFFF;
    Some((count as usize, value))
}

/// A whole word as a number: what `str::parse` reads, decimal commas, and the "not a number" of several runtimes as
/// NaN. `None` for what is no number at all.
pub fn spelled(word: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(word).ok()?;
    if let Ok(value) = text.parse() {
        return Some(value);
    }
    // One decimal comma, or a comma as separator behind the number; "1,234.5" is neither.
    let listed = text.strip_suffix(',').unwrap_or(text);
    let one_comma = listed.matches(',').count() <= 1 && !(listed.contains(',') && listed.contains('.'));
    if let (true, Ok(value)) = (one_comma && listed.len() <= 64, listed.replace(',', ".").parse()) {
        return Some(value);
    }
    // "1.#QNAN", "-1.#IND00", "1.#INF" of Microsoft's C runtime, "-nan(ind)" of its successor.
    let bare = text.trim_start_matches(['+', '-']).to_ascii_lowercase();
    let broken = bare.starts_with("1.#") || bare.starts_with("1,#") || bare.starts_with("nan(");
    broken.then_some(f64::NAN)
}
