//! Takes in which nothing moves, and those in which the body does not.

use super::{CheckId, CheckInput, Severity, Verdict};
use crate::motion::{BoneIndex, Property, Role};
use crate::ops::still::moves;

pub(super) fn check(input: &CheckInput<'_>, out: &mut Verdict) {
    let clip = input.clip;
    if !moves(clip) {
        out.part(CheckId::Still, Severity::Info, "still");
        let keys = clip.tracks.iter().flatten().flatten().map(|track| track.times.len()).max().unwrap_or(0);
        let title = match keys {
            0 => "The take has no keys".to_owned(),
            1 => "One pose: a single key, nothing moves".to_owned(),
            n => format!("Nothing moves: all {n} keys hold one pose"),
        };
        out.note(
            CheckId::Still,
            Severity::Info,
            title,
            "A pose, or a take that an exporter wrote for want of another.",
        );
        return;
    }
    if let Some(head) = input.rig.bone(Role::Head)
        && moving(input).all(|bone| clip.skeleton.ancestors(bone).any(|above| above == head))
    {
        out.part(CheckId::Still, Severity::Info, "only the face moves");
        let detail = "Every bone that moves hangs from the head: a facial clip, to be layered over a body.";
        out.note(CheckId::Still, Severity::Info, "Only the face moves", detail);
    }
}

/// Bones with a track that changes.
fn moving<'a>(input: &CheckInput<'a>) -> impl Iterator<Item = BoneIndex> + use<'a> {
    let clip = input.clip;
    let moves = |slots: &[Option<std::sync::Arc<crate::motion::Track>>; 3]| {
        let track = |property: Property| slots[property.slot()].as_ref().map(|track| !track.is_constant(property));
        Property::ALL.into_iter().filter_map(track).any(|moves| moves)
    };
    clip.skeleton.indices().zip(&clip.tracks).filter(move |(_, slots)| moves(slots)).map(|(bone, _)| bone)
}
