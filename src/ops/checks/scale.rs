//! Whether character and travel have the size of a human being, and which other unit would give one.

use super::text::length;
use super::travel::Course;
use super::{CheckId, CheckInput, Fix, Severity, Verdict};
use crate::motion::{Format, Role, Side};

/// Heights that are nobody's mistake, metres: from a child or a low creature to a giant.
const PLAUSIBLE_M: std::ops::RangeInclusive<f64> = 0.4..=3.5;
/// Heights of people, metres: another unit is named when it leads here.
const HUMAN_M: std::ops::RangeInclusive<f64> = 1.3..=2.2;
/// The units that are mixed up: how many of the wrong ones are one of the right.
const MIXED_UP: [(f64, &str); 5] = [
    (0.01, "centimetres were read as metres"),
    (100.0, "metres were read as centimetres"),
    (0.0254, "inches were read as metres"),
    (39.37, "metres were read as inches"),
    (0.001, "millimetres were read as metres"),
];
/// A joint of the head is this share of the height above the floor.
const HEAD_SHARE: f64 = 0.93;
/// Hips to ankle, of the height.
const LEG_SHARE: f64 = 0.49;
/// Nobody runs faster, m/s.
const FASTEST_M_S: f64 = 13.0;

pub(super) fn check(input: &CheckInput<'_>, course: Option<&Course>, out: &mut Verdict) {
    let Some(height_m) = height_m(input) else { return };
    let plausible = PLAUSIBLE_M.contains(&height_m);
    if !plausible {
        odd_height(input, height_m, out);
        return;
    }
    let title = format!("The character is about {} tall", length(height_m));
    let unit = format!("One unit of the file is {} m.", input.file.space.metres_per_unit);
    out.note(CheckId::Scale, Severity::Info, title, unit);
    // A skeleton of human size whose travel is a hundred times too long.
    if let Some(course) = course.filter(|course| course.speed_m_s > FASTEST_M_S * height_m.max(1.0)) {
        out.part(CheckId::Scale, Severity::Warning, "travel not to scale");
        let title = format!("Travels at {:.0} m/s, on a character {} tall", course.speed_m_s, length(height_m));
        let detail = format!(
            "Nobody runs like that: the keys of the travel may be in another unit than the skeleton. At a hundredth it \
             would be {:.2} m/s.",
            course.speed_m_s / 100.0
        );
        out.note(CheckId::Scale, Severity::Warning, title, detail);
    }
}

fn odd_height(input: &CheckInput<'_>, height_m: f64, out: &mut Verdict) {
    let others: Vec<(f64, &str)> =
        MIXED_UP.into_iter().filter(|(factor, _)| HUMAN_M.contains(&(height_m * factor))).collect();
    let title = format!("The character is about {} tall", length(height_m));
    let Some(&(factor, _)) = others.first() else {
        let detail =
            "That is no human size, and no mixed-up unit would make it one: a creature, or a scale of the scene's own.";
        out.part(CheckId::Scale, Severity::Info, format!("{} tall", length(height_m)));
        out.note(CheckId::Scale, Severity::Info, title, detail);
        return;
    };
    out.part(CheckId::Scale, Severity::Warning, format!("{} tall", length(height_m)));
    let guesses: Vec<String> =
        others.iter().map(|(factor, why)| format!("{} tall if {why}", length(height_m * factor))).collect();
    let detail = format!("It would be {}.", guesses.join(", or "));
    let finding = out.note(CheckId::Scale, Severity::Warning, title, detail);
    if input.file.format == Format::Bvh {
        finding.fix(Fix::MetresPerUnit(input.file.space.metres_per_unit * factor));
    }
}

/// Height of the character by its reference pose: by its head, else by its legs.
fn height_m(input: &CheckInput<'_>) -> Option<f64> {
    let reference = input.clip.skeleton.reference_component();
    let at = |role| input.rig.bone(role).and_then(|bone| reference.get(bone.get())).map(|bone| bone.translation);
    let foot = at(Role::Foot(Side::Left)).or_else(|| at(Role::Foot(Side::Right)))?;
    let toes = [Side::Left, Side::Right].into_iter().filter_map(|side| at(Role::Toe(side)));
    let low = toes.map(|toe| toe.y).fold(foot.y, f64::min);
    if let Some(head) = at(Role::Head).filter(|head| head.y > foot.y) {
        return Some((head.y - low) / HEAD_SHARE);
    }
    let side = |side| {
        let (thigh, calf, foot) = (at(Role::Thigh(side))?, at(Role::Calf(side))?, at(Role::Foot(side))?);
        Some((thigh.distance(calf) + calf.distance(foot)) / LEG_SHARE)
    };
    side(Side::Left).or_else(|| side(Side::Right)).filter(|height| *height > 0.0)
}
