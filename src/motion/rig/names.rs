//! Bone names taken apart: namespaces and prefixes off, split into words, left and right found.

use std::collections::HashMap;

use super::Side;
use super::tables::{self, Hit, Strength};
use crate::motion::skeleton::Skeleton;

/// Front or hind leg, where a name says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limb {
    Front,
    Hind,
}

/// One bone's name, read.
#[derive(Clone, Debug, Default)]
pub(super) struct BoneName {
    /// Lower-case words in order, without side, numbers, common prefix and suffix.
    pub(super) words: Vec<String>,
    pub(super) side: Option<Side>,
    pub(super) limb: Option<Limb>,
    /// Twist, roll, end, control, … : plays no part.
    pub(super) set_aside: bool,
    /// An IK bone or target.
    pub(super) ik: bool,
    /// Marked as the deforming one of several (`DEF-`, `_bind_`).
    pub(super) deform: bool,
}

/// A token or affix that this share of the bones has says nothing about any of them: 4 of 5.
const COMMON: (usize, usize) = (4, 5);
const AFFIX_TOKENS: usize = 3;

/// Reads every name of a skeleton. Shape `[bones]`.
pub(super) fn read_names(skeleton: &Skeleton) -> Vec<BoneName> {
    let mut split: Vec<Vec<String>> =
        skeleton.bones().iter().map(|bone| tokens(without_namespace(&bone.name))).collect();
    drop_common(&mut split, |tokens| tokens.first(), |tokens| drop(tokens.remove(0)));
    drop_common(&mut split, |tokens| tokens.last(), |tokens| drop(tokens.pop()));
    skeleton.bones().iter().zip(split).map(|(bone, tokens)| read(&bone.name, &tokens)).collect()
}

fn without_namespace(name: &str) -> &str {
    name.rfind([':', '|']).map_or(name, |at| &name[at + 1..])
}

/// Lower-case tokens: split at everything that is no letter or digit and where the case changes (`lThigh`, `IKFoot`,
/// `Toe0Nub`).
fn tokens(name: &str) -> Vec<String> {
    let chars: Vec<char> = name.chars().collect();
    let mut tokens = Vec::new();
    let mut token = String::new();
    for (i, &c) in chars.iter().enumerate() {
        let before = i.checked_sub(1).map(|i| chars[i]);
        let starts_word = c.is_uppercase()
            && before.is_some_and(|b| {
                let next_is_lower = chars.get(i + 1).is_some_and(|n| n.is_lowercase());
                b.is_lowercase() || b.is_numeric() || (b.is_uppercase() && next_is_lower)
            });
        if (starts_word || !c.is_alphanumeric()) && !token.is_empty() {
            tokens.push(std::mem::take(&mut token));
        }
        if c.is_alphanumeric() {
            token.extend(c.to_lowercase());
        }
    }
    if !token.is_empty() {
        tokens.push(token);
    }
    tokens
}

/// Takes a token off one end of the names when most of them have it there: `CC_Base_`, `DEF-`, `_bind_JNT`. A token
/// that says a side or a part stays, and so does the last token of a name.
fn drop_common(
    names: &mut [Vec<String>],
    end: impl Fn(&Vec<String>) -> Option<&String>,
    take: impl Fn(&mut Vec<String>),
) {
    let named = names.iter().filter(|tokens| !tokens.is_empty()).count();
    for _ in 0..AFFIX_TOKENS {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for token in names.iter().filter(|tokens| tokens.len() > 1).filter_map(&end) {
            *counts.entry(token).or_default() += 1;
        }
        let common = counts.into_iter().find(|&(token, count)| {
            count * COMMON.1 >= named * COMMON.0 && side_of(token).is_none() && !tables::is_role_word(stem(token))
        });
        let Some(common) = common.map(|(token, _)| token.to_owned()) else { return };
        for tokens in names.iter_mut().filter(|tokens| tokens.len() > 1) {
            if end(tokens) == Some(&common) {
                take(tokens);
            }
        }
    }
}

fn read(raw: &str, tokens: &[String]) -> BoneName {
    // `left` outranks a letter, which may be something else: "R_eye_rig_left".
    let spelled = tokens.iter().find_map(|token| side_of(token).filter(|_| token.len() > 2));
    let side = spelled.or_else(|| tokens.iter().find_map(|token| side_of(token)));
    // MakeHuman's BVH rigs put a motionless joint before some joints and mark it with two underscores.
    let mut name = BoneName { side, set_aside: raw.starts_with("__"), ..BoneName::default() };
    for token in tokens {
        let word = stem(token);
        if word.is_empty() || side_of(token).is_some() || is_centre(token) {
            continue;
        }
        let word = match glued_side(word) {
            Some((side, rest)) if name.side.is_none_or(|s| s == side) => {
                name.side = Some(side);
                rest
            }
            _ => word,
        };
        name.limb = name.limb.or(tables::limb_of(word));
        name.ik |= word == "ik";
        name.set_aside |= tables::sets_aside(word);
        name.deform |= matches!(word, "def" | "bind");
        name.words.push(word.to_owned());
    }
    name.set_aside |= !name.says("foot") && name.words.iter().any(|word| tables::is_finger(word));
    name
}

/// The token without the digits at its end: `toe0`, `upperleg01`, and nothing of a number.
fn stem(token: &str) -> &str {
    token.trim_end_matches(|c: char| c.is_numeric())
}

/// `l`, `left`, `lft`, and `l0` as mGear writes it.
fn side_of(token: &str) -> Option<Side> {
    match stem(token) {
        "l" | "left" | "lft" => Some(Side::Left),
        "r" | "right" | "rgt" => Some(Side::Right),
        _ => None,
    }
}

fn is_centre(token: &str) -> bool {
    matches!(stem(token), "c" | "m" | "mid" | "center" | "centre")
}

/// A side glued to a role word in lower case: `lfemur`, `leftupleg`, `footr`.
fn glued_side(word: &str) -> Option<(Side, &str)> {
    if tables::is_role_word(word) {
        return None;
    }
    [("left", Side::Left), ("right", Side::Right), ("l", Side::Left), ("r", Side::Right)].into_iter().find_map(
        |(mark, side)| {
            let rest = word.strip_prefix(mark).or_else(|| word.strip_suffix(mark))?;
            tables::is_role_word(stem(rest)).then_some((side, stem(rest)))
        },
    )
}

impl BoneName {
    /// The part the name speaks of. Words are tried alone and 2 or 3 joined (`up leg`, `toe base`), and turned round
    /// after `leg` and `arm` (`leg upper`). The longest word wins, then the one nearest the end, then the lower part of
    /// the body.
    pub(super) fn part(&self) -> Option<Hit> {
        if self.set_aside {
            return None;
        }
        let sided = self.side.is_some();
        let mut best = None;
        let mut joined = String::new();
        let mut offer = |word: &str, end: usize| {
            let Some(hit) = tables::meaning(word, sided) else { return };
            let key = (hit.strength > Strength::Bare, word.len(), end, std::cmp::Reverse(hit.part));
            if best.as_ref().is_none_or(|(old, _)| key > *old) {
                best = Some((key, hit));
            }
        };
        for first in 0..self.words.len() {
            joined.clear();
            for (end, word) in self.words.iter().enumerate().skip(first).take(3) {
                joined.push_str(word);
                offer(&joined, end);
            }
            if let [limb @ ("leg" | "arm"), which] =
                self.words[first..].iter().take(2).map(String::as_str).collect::<Vec<_>>()[..]
            {
                offer(&format!("{which}{limb}"), first + 1);
            }
        }
        best.map(|(_, hit)| hit)
    }

    /// Whether a word stands in the name.
    pub(super) fn says(&self, word: &str) -> bool {
        self.words.iter().any(|w| w == word)
    }

    /// Whether a word in the name, helper or not, speaks of a part.
    pub(super) fn speaks_of(&self, part: tables::Part) -> bool {
        let sided = self.side.is_some();
        self.words.iter().any(|word| tables::meaning(word, sided).is_some_and(|hit| hit.part == part))
    }

    /// Whether the bone is called a root.
    pub(super) fn is_root(&self) -> bool {
        self.words.iter().any(|word| tables::is_root_word(word))
    }

    /// Whether the name is one that exporters give to a node above a skeleton.
    pub(super) fn is_scene(&self) -> bool {
        self.words.iter().any(|word| tables::is_scene_word(word))
    }
}
