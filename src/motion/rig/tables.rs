//! What bones are called: role words, words that set a bone aside, and the naming families, as data.
//!
//! Sources: the public documentation and sample files of the rigs named in [`FAMILIES`].

use std::collections::HashMap;
use std::sync::LazyLock;

use super::names::Limb;

/// A part of the body, before left and right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Part {
    Toe,
    Foot,
    Calf,
    Thigh,
    Pelvis,
    Spine,
    Neck,
    Head,
    Clavicle,
    /// The clavicle where an upper arm hangs below it, else the upper arm itself.
    Shoulder,
    UpperArm,
    Forearm,
    Hand,
}

impl Part {
    /// Whether the part belongs to a leg, where front and hind make a difference.
    pub(super) fn is_leg(self) -> bool {
        matches!(self, Self::Thigh | Self::Calf | Self::Foot | Self::Toe)
    }
}

/// What side a word must come with to count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stand {
    Sided,
    Centre,
}

/// How much a word says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Strength {
    /// Says something only where nothing else in the name does: `leg` in `leg_L0_thigh` does not.
    Bare,
    /// Gives way to a stronger word on another bone: `LHipJoint` above `LeftUpLeg`.
    Weak,
    /// Names the part.
    Strong,
}

/// A word found in a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hit {
    pub(super) part: Part,
    pub(super) word: &'static str,
    pub(super) strength: Strength,
}

use Part::{Calf, Clavicle, Foot, Forearm, Hand, Head, Neck, Pelvis, Shoulder, Spine, Thigh, Toe, UpperArm};
use Stand::{Centre, Sided};
use Strength::{Bare, Strong, Weak};

const WORDS: &[(&str, Part, Stand, Strength)] = &[
    ("pelvis", Pelvis, Centre, Strong),
    ("hips", Pelvis, Centre, Strong),
    ("hip", Pelvis, Centre, Strong),
    ("thigh", Thigh, Sided, Strong),
    ("upleg", Thigh, Sided, Strong),
    ("uplegs", Thigh, Sided, Strong),
    ("upperleg", Thigh, Sided, Strong),
    ("femur", Thigh, Sided, Strong),
    ("hip", Thigh, Sided, Weak),
    ("calf", Calf, Sided, Strong),
    ("shin", Calf, Sided, Strong),
    ("lowerleg", Calf, Sided, Strong),
    ("lowleg", Calf, Sided, Strong),
    ("loleg", Calf, Sided, Strong),
    ("downleg", Calf, Sided, Strong),
    ("tibia", Calf, Sided, Strong),
    ("knee", Calf, Sided, Strong),
    ("leg", Calf, Sided, Bare),
    ("foot", Foot, Sided, Strong),
    ("ankle", Foot, Sided, Strong),
    ("ball", Toe, Sided, Strong),
    ("toebase", Toe, Sided, Strong),
    ("toe", Toe, Sided, Strong),
    ("toes", Toe, Sided, Strong),
    ("spine", Spine, Centre, Strong),
    ("abdomen", Spine, Centre, Strong),
    ("waist", Spine, Centre, Strong),
    ("torso", Spine, Centre, Strong),
    ("lowerback", Spine, Centre, Strong),
    ("back", Spine, Centre, Strong),
    ("chest", Spine, Centre, Strong),
    ("neck", Neck, Centre, Strong),
    ("lowerneck", Neck, Centre, Strong),
    ("upperneck", Neck, Centre, Weak),
    ("head", Head, Centre, Strong),
    ("clavicle", Clavicle, Sided, Strong),
    ("collar", Clavicle, Sided, Strong),
    ("collarbone", Clavicle, Sided, Strong),
    ("scapula", Clavicle, Sided, Strong),
    ("shoulder", Shoulder, Sided, Strong),
    ("upperarm", UpperArm, Sided, Strong),
    ("uparm", UpperArm, Sided, Strong),
    ("humerus", UpperArm, Sided, Strong),
    ("shldr", UpperArm, Sided, Strong),
    ("arm", UpperArm, Sided, Bare),
    ("forearm", Forearm, Sided, Strong),
    ("lowerarm", Forearm, Sided, Strong),
    ("lowarm", Forearm, Sided, Strong),
    ("loarm", Forearm, Sided, Strong),
    ("elbow", Forearm, Sided, Strong),
    ("radius", Forearm, Sided, Strong),
    ("hand", Hand, Sided, Strong),
    ("wrist", Hand, Sided, Strong),
];

type Meanings = [Option<Hit>; 2];

static DICTIONARY: LazyLock<HashMap<&'static str, Meanings>> = LazyLock::new(|| {
    let mut words: HashMap<&'static str, Meanings> = HashMap::new();
    for &(word, part, stand, strength) in WORDS {
        words.entry(word).or_default()[usize::from(stand == Sided)] = Some(Hit { part, word, strength });
    }
    words
});

/// What a word means on a bone with or without a side.
pub(super) fn meaning(word: &str, sided: bool) -> Option<Hit> {
    DICTIONARY.get(word)?[usize::from(sided)]
}

/// Whether a word means something on either kind of bone.
pub(super) fn is_role_word(word: &str) -> bool {
    DICTIONARY.contains_key(word)
}

/// A bone with one of these in its name plays no part: helpers, controls, ends, and what hangs on faces.
const SET_ASIDE: &[&str] = &[
    "twist",
    "roll",
    "ik",
    "ikx",
    "fk",
    "fkx",
    "pole",
    "ctrl",
    "ctl",
    "control",
    "mch",
    "org",
    "vb",
    "tweak",
    "end",
    "nub",
    "tip",
    "leaf",
    "site",
    "effector",
    "helper",
    "share",
    "part",
    "socket",
    "target",
    "corrective",
    "phys",
    "jiggle",
    "to",
    "eye",
    "jaw",
    "tongue",
    "armor",
    "cloth",
];

/// Fingers, which stand below a hand and bear its name. On a foot (`LeftFootMiddle1` of HumanIK) they are toes.
const FINGERS: &[&str] =
    &["thumb", "index", "middle", "ring", "pinky", "little", "finger", "fingers", "meta", "metacarpal"];

/// Long enough that a lower-case name glued together (`thightwist01`) may be judged by how it ends.
const SET_ASIDE_ENDINGS: &[&str] = &["twist", "nub", "helper", "corrective", "jiggle", "target"];

/// Whether a word sets its bone aside.
pub(super) fn sets_aside(word: &str) -> bool {
    SET_ASIDE.contains(&word) || SET_ASIDE_ENDINGS.iter().any(|ending| word.ends_with(ending))
}

/// Whether a word is a finger's.
pub(super) fn is_finger(word: &str) -> bool {
    FINGERS.contains(&word)
}

/// Words that say "a bone" and nothing more.
pub(super) fn is_filler(word: &str) -> bool {
    matches!(word, "jnt" | "joint" | "bone" | "bind" | "def" | "skin" | "sk" | "bnd")
}

/// Front or hind, as a word says it.
pub(super) fn limb_of(word: &str) -> Option<Limb> {
    match word {
        "front" | "fore" => Some(Limb::Front),
        "back" | "hind" | "rear" => Some(Limb::Hind),
        _ => None,
    }
}

/// What a bone that carries a whole character is called.
pub(super) fn is_root_word(word: &str) -> bool {
    matches!(word, "root" | "reference" | "master" | "trajectory" | "bip" | "boneroot" | "rootjoint" | "rootbone")
}

/// What a node is called that an exporter put above a skeleton; it is a root only if it moves or is a joint.
pub(super) fn is_scene_word(word: &str) -> bool {
    matches!(word, "node" | "scene" | "armature" | "model" | "sketchfab" | "object" | "metarig")
}

/// A way of naming: the words of pelvis, thigh, calf, foot and toe, and what else must stand in some bone's name.
pub(super) struct Family {
    pub(super) name: &'static str,
    /// Pelvis, thigh, calf, foot, toe; alternatives separated by `|`.
    pub(super) words: [&'static str; 5],
    /// Lower-case text in the name of some bone; empty: none is needed.
    pub(super) mark: &'static str,
}

const fn family(name: &'static str, mark: &'static str, words: [&'static str; 5]) -> Family {
    Family { name, words, mark }
}

/// Marked families first: where two fit equally, the earlier one wins.
pub(super) const FAMILIES: &[Family] = &[
    family("Mixamo", "mixamorig", ["hips", "upleg", "leg", "foot", "toebase|toe"]),
    family("CMU (cgspeed BVH)", "hipjoint", ["hips", "upleg", "leg", "foot", "toebase"]),
    family("CMU (ASF)", "femur", ["root", "femur", "tibia", "foot", "toes"]),
    family("ACCAD", "tospine", ["hips", "upleg", "leg", "foot", "toebase"]),
    family("VRoid", "j_bip", ["hips", "upperleg", "lowerleg", "foot", "toebase"]),
    family("Character Creator", "cc_base", ["pelvis", "thigh", "calf", "foot", "toebase"]),
    family("3ds Max Biped with a horse link", "horselink", ["pelvis", "thigh", "calf", "foot", "toe"]),
    family("3ds Max Biped", "bip", ["pelvis", "thigh", "calf", "foot", "toe"]),
    family("Fortnite quadruped", "pawedleg", ["pelvis", "thigh", "knee", "ankle", "ball"]),
    family("Mesh2Motion animal", "back_leg_", ["hips", "upperleg", "lowerleg", "ankle", "foot"]),
    family("bird", "ankleleg", ["hips|pelvis", "upperleg", "lowerleg", "ankle", "foot"]),
    family("mGear", "_c0_", ["pelvis", "thigh", "calf", "foot", "ball"]),
    family("Daz Genesis 3 or 8", "thighbend", ["pelvis|hip", "thigh", "shin", "foot", "toe"]),
    family("Daz Genesis 9", "l_shin", ["pelvis|hip", "thigh", "shin", "foot", "toes"]),
    family("MakeHuman", "upperleg01", ["root", "upperleg", "lowerleg", "foot", "toe"]),
    family("Rigify", "def-", ["spine|hips|pelvis", "thigh", "shin", "foot", "toe"]),
    family("Advanced Skeleton", "root_m", ["root", "hip", "knee", "ankle", "toes"]),
    family("mocopi", "l_low_leg", ["root", "upleg", "lowleg", "foot", "toes"]),
    family("MakeHuman (BVH)", "loleg", ["hips", "upleg", "loleg", "foot", "toe"]),
    family("Unreal mannequin", "", ["pelvis", "thigh", "calf", "foot", "ball"]),
    family("HumanIK", "", ["hips|pelvis", "upleg", "leg", "foot", "toebase|toes|foot"]),
    family("LAFAN1", "", ["hips", "upleg", "leg", "foot", "toe"]),
    family("joint names (Xsens BVH)", "", ["hips|root", "hip", "knee", "ankle", "toe"]),
    family("SMPL", "", ["pelvis", "hip", "knee", "ankle", "foot"]),
    family("Rokoko Newton", "", ["hips", "thigh", "shin", "foot", "toe"]),
    family("Unity or VRM humanoid", "", ["hips", "upperleg", "lowerleg", "foot", "toes"]),
    family("Poser or Daz", "", ["hip", "thigh", "shin", "foot", "toe|toes"]),
    family("Quaternius", "", ["body", "upperleg", "lowerleg", "foot", ""]),
    family("Rigify", "", ["spine", "thigh", "shin", "foot", "toe"]),
];
