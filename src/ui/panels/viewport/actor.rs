//! Who is on the stage: the result at the playhead and the source it came from, with what is known about each once.

use std::sync::Arc;

use glam::DAffine3;

use super::anatomy::{BoneLook, bone_looks};
use super::course::Course;
use super::ways::Ways;
use crate::motion::{BoneIndex, Clip, ComponentPose, FileId, LocalPose, Rig, Role, Sampler, SourceFile};
use crate::ops::{Evaluation, SkeletonPatch};
use crate::session::Session;

/// A clip with what the view knows of it.
#[derive(Debug)]
pub struct Actor {
    /// Where it goes.
    pub course: Course,
    /// Roles on its skeleton.
    pub rig: Arc<Rig>,
    /// Per bone.
    pub looks: Vec<BoneLook>,
    /// Lines of where it goes.
    pub ways: Ways,
    /// The root in the reference pose, component space.
    pub upright_root: Option<DAffine3>,
    /// The bone that its file's skeleton does not have.
    inserted: Option<BoneIndex>,
}

impl Actor {
    fn new(clip: &Arc<Clip>, rig: &Arc<Rig>, inserted: Option<BoneIndex>) -> Self {
        let looks = bone_looks(&clip.skeleton, rig);
        let course = Course::new(clip, rig);
        let ways = Ways::new(&course);
        let upright_root = rig.root().map(|root| clip.skeleton.reference_component()[root.get()]);
        Self { course, rig: rig.clone(), looks, ways, upright_root, inserted }
    }

    /// The clip.
    pub fn clip(&self) -> &Arc<Clip> {
        self.course.clip()
    }

    /// Its pose, component space.
    pub fn pose_at(&self, secs: f64) -> ComponentPose {
        let clip = self.clip();
        let mut local = LocalPose(Vec::with_capacity(clip.skeleton.len()));
        Sampler::new(clip).local(secs, &mut local);
        let mut pose = ComponentPose::new(&clip.skeleton);
        pose.set(&clip.skeleton, &local);
        pose
    }

    /// A pose on the skeleton of the file, by which skins name their bones.
    pub fn on_source_skeleton(&self, pose: &ComponentPose) -> Vec<DAffine3> {
        let mut bones = pose.0.clone();
        if let Some(inserted) = self.inserted
            && inserted.get() < bones.len()
        {
            bones.remove(inserted.get());
        }
        bones
    }

    /// Whether it is still about this clip and these roles.
    fn is_of(&self, clip: &Arc<Clip>, rig: &Arc<Rig>) -> bool {
        Arc::ptr_eq(self.clip(), clip) && Arc::ptr_eq(&self.rig, rig)
    }
}

/// Result and source. Kept from frame to frame.
#[derive(Debug, Default)]
pub struct Cast {
    result: Option<Actor>,
    source: Option<Actor>,
    file: Option<Arc<SourceFile>>,
}

impl Cast {
    /// Takes up what the session shows; `None` when there is nothing to show.
    pub fn update(&mut self, session: &Session) -> Option<&Self> {
        let Some((evaluation, file, take)) = shown(session) else {
            *self = Self::default();
            return None;
        };
        if self.result.as_ref().is_none_or(|actor| !actor.is_of(&evaluation.clip, &evaluation.rig)) {
            let inserted = inserted_bone(&evaluation, &file);
            self.result = Some(Actor::new(&evaluation.clip, &evaluation.rig, inserted));
        }
        let same_clip = Arc::ptr_eq(&evaluation.clip, &take);
        // The source's own actor is made when it differs; its roles are those of the result, told on its skeleton.
        if same_clip {
            self.source = None;
        } else if self.source.as_ref().is_none_or(|actor| !Arc::ptr_eq(actor.clip(), &take)) {
            let rig = Arc::new(source_rig(&evaluation, &file));
            self.source = Some(Actor::new(&take, &rig, None));
        }
        self.file = Some(file);
        Some(self)
    }

    /// What the steps made of the source.
    pub fn result(&self) -> Option<&Actor> {
        self.result.as_ref()
    }

    /// The take as it is in the file; the result itself where no step changed it.
    pub fn source(&self) -> Option<&Actor> {
        self.source.as_ref().or(self.result.as_ref())
    }

    /// Whether the result is anything else than the source.
    pub fn differ(&self) -> bool {
        self.source.is_some()
    }

    /// The file with meshes and skins.
    pub fn file(&self) -> Option<&Arc<SourceFile>> {
        self.file.as_ref()
    }

    /// Number of the file.
    pub fn file_id(&self) -> Option<FileId> {
        self.file.as_ref().map(|file| file.id)
    }

    /// The instant of the source that is shown with an instant of the result. Steps so far move time evenly.
    pub fn source_secs(&self, secs: f64) -> f64 {
        match (&self.source, &self.result) {
            (Some(source), Some(result)) => {
                let to = source.clip().range;
                to.start_secs + result.course.share(secs) * to.duration_secs()
            }
            _ => secs,
        }
    }
}

fn shown(session: &Session) -> Option<(Arc<Evaluation>, Arc<SourceFile>, Arc<Clip>)> {
    let evaluation = session.evaluation_in_view()?;
    let (open, take) = session.shown_document().take_of(session.clip_in_view()?)?;
    let take = open.file.clips.get(take)?.clone();
    Some((evaluation, open.file.clone(), take))
}

/// An inserted bone stands at the index of the bone it was put above.
fn inserted_bone(evaluation: &Evaluation, file: &SourceFile) -> Option<BoneIndex> {
    let SkeletonPatch::InsertRoot { above, .. } = evaluation.patch.as_ref()?;
    file.skeleton.find_path(above)
}

/// The rig told on the file's skeleton, which lacks the inserted bone.
fn source_rig(evaluation: &Evaluation, file: &SourceFile) -> Rig {
    let mut rig = Rig::clone(&evaluation.rig);
    let Some(inserted) = inserted_bone(evaluation, file) else { return rig };
    let back = |bone: BoneIndex| if bone > inserted { BoneIndex(bone.0 - 1) } else { bone };
    if rig.root() == Some(inserted) {
        rig.roles.remove(&Role::Root);
    }
    rig.roles.values_mut().for_each(|bone| *bone = back(*bone));
    rig.travel_bone = rig.travel_bone.map(back);
    for pair in &mut rig.ik_pairs {
        (pair.ik, pair.fk) = (back(pair.ik), back(pair.fk));
    }
    rig.ik_roots.iter_mut().for_each(|bone| *bone = back(*bone));
    rig
}
