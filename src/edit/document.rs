//! The document: the whole desk, immutable and shared. Files and their takes, outputs and their steps, role
//! corrections; no computed clip. A copy costs three `Arc`s.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize, Serializer};
use sha2::{Digest, Sha256};

use crate::motion::{FileId, Role, RoleOverrides, Skeleton, SourceFile};
use crate::ops::naming::{compose, file_safe, free_name, name_key, same_name, stem_before, suffix_chain};
use crate::ops::{ClipId, Step};

/// Which skeleton a role correction is for: files with the same bones in the same order share it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SkeletonKey(String);

impl SkeletonKey {
    /// From the paths of all bones, in order.
    pub fn of(skeleton: &Skeleton) -> Self {
        let mut hash = Sha256::new();
        for bone in skeleton.indices() {
            let path = skeleton.path(bone);
            hash.update((path.len() as u64).to_le_bytes());
            hash.update(path.as_bytes());
        }
        let hash = hash.finalize();
        // 16 of the 32 bytes: two skeletons never meet by chance, and project files stay readable.
        Self(hash[..16].iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

/// An opened file. Written down as number and path.
#[derive(Clone, Debug)]
pub struct OpenFile {
    /// The file as it was read.
    pub file: Arc<SourceFile>,
    /// Its skeleton.
    pub skeleton: SkeletonKey,
}

impl PartialEq for OpenFile {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.file, &other.file)
    }
}

impl Serialize for OpenFile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.file.id, &self.file.path).serialize(serializer)
    }
}

/// A row of the desk.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClipEntry {
    /// Its number.
    pub id: ClipId,
    /// As shown; of outputs unique and safe as a file name.
    pub name: String,
    /// What it is.
    pub kind: ClipKind,
}

impl ClipEntry {
    /// The output, if it is one.
    pub fn output(&self) -> Option<&Output> {
        match &self.kind {
            ClipKind::Output(output) => Some(output),
            ClipKind::Take { .. } => None,
        }
    }

    /// Its steps; a take has none.
    pub fn steps(&self) -> &[Arc<Step>] {
        self.output().map_or(&[], |output| &output.steps)
    }
}

/// A take of a file, or what was made from one.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ClipKind {
    /// Never changed.
    Take {
        /// Its file.
        file: FileId,
        /// Index into [`SourceFile::clips`].
        take: usize,
        /// Whether anything moves in it.
        moving: bool,
    },
    /// Computed when it is looked at.
    Output(Output),
}

/// A take and the steps that make a clip from it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Output {
    /// The take; always on the desk while the output is.
    pub source: ClipId,
    /// The clip the action was applied to; the take itself for a first output.
    pub parent: ClipId,
    /// First to last.
    pub steps: Vec<Arc<Step>>,
}

/// The whole desk. Equal documents hold the same files, rows and corrections.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Document {
    pub(super) files: Arc<Vec<OpenFile>>,
    pub(super) clips: Arc<BTreeMap<ClipId, Arc<ClipEntry>>>,
    pub(super) roles: Arc<BTreeMap<SkeletonKey, RoleOverrides>>,
}

impl Document {
    /// A desk as it was written down: files with the numbers of their takes, the takes that are on the desk with the
    /// names people gave them, outputs whose take is there, corrections. Outputs without their take, or that read what
    /// is not there or wait for themselves, are left out; their numbers come back. Names of outputs are made safe and
    /// free, and a parent that cannot be one becomes the take: the text may have been changed by hand.
    ///
    /// # Errors
    /// A number that is given twice.
    pub fn restored(
        files: Vec<super::NewFile>,
        takes: &BTreeMap<ClipId, String>,
        outputs: Vec<ClipEntry>,
        roles: BTreeMap<SkeletonKey, RoleOverrides>,
    ) -> Result<(Self, Vec<ClipId>), super::EditError> {
        let mut document = super::Edit::Open { files }.apply(&Self::default())?;
        let clips = Arc::make_mut(&mut document.clips);
        clips.retain(|id, _| takes.contains_key(id));
        for (id, name) in takes {
            if let Some(clip) = clips.get_mut(id).filter(|clip| clip.name != *name && !name.trim().is_empty()) {
                *clip = Arc::new(ClipEntry { name: name.clone(), ..ClipEntry::clone(clip) });
            }
        }
        let mut left_out = Vec::new();
        let mut named: HashSet<String> = clips.values().map(|clip| name_key(&clip.name)).collect();
        for entry in outputs {
            let is_take = |id| clips.get(&id).is_some_and(|clip| clip.output().is_none());
            let Some(output) = entry.output().filter(|output| is_take(output.source)) else {
                left_out.push(entry.id);
                continue;
            };
            if clips.contains_key(&entry.id) {
                return Err(super::EditError::NumberTaken(entry.id.0));
            }
            let name = if entry.name.trim().is_empty() { "clip" } else { entry.name.trim() };
            let name = free_name(&file_safe(name), |name| named.contains(&name_key(name)));
            named.insert(name_key(&name));
            let kind = ClipKind::Output(output.clone());
            clips.insert(entry.id, Arc::new(ClipEntry { id: entry.id, name, kind }));
        }
        left_out.extend(super::reads::drop_unreadable(&mut document));
        document.roles = Arc::new(roles);
        Ok((document, left_out))
    }

    /// The corrections for all skeletons.
    pub fn all_overrides(&self) -> &BTreeMap<SkeletonKey, RoleOverrides> {
        &self.roles
    }

    /// Open files, in the order they were opened.
    pub fn files(&self) -> &[OpenFile] {
        &self.files
    }

    /// One open file.
    pub fn file(&self, id: FileId) -> Option<&OpenFile> {
        self.files.iter().find(|open| open.file.id == id)
    }

    /// All rows, oldest first.
    pub fn clips(&self) -> impl ExactSizeIterator<Item = &Arc<ClipEntry>> {
        self.clips.values()
    }

    /// One row.
    pub fn clip(&self, id: ClipId) -> Option<&Arc<ClipEntry>> {
        self.clips.get(&id)
    }

    /// The take behind a row: its file and its index in [`SourceFile::clips`].
    pub fn take_of(&self, id: ClipId) -> Option<(&OpenFile, usize)> {
        let take = match &self.clip(id)?.kind {
            ClipKind::Output(output) => self.clip(output.source)?,
            ClipKind::Take { .. } => self.clip(id)?,
        };
        match take.kind {
            ClipKind::Take { file, take, .. } => Some((self.file(file)?, take)),
            ClipKind::Output(_) => None,
        }
    }

    /// The corrections made for a skeleton.
    pub fn overrides(&self, skeleton: &SkeletonKey) -> RoleOverrides {
        self.roles.get(skeleton).cloned().unwrap_or_default()
    }

    /// What a correction says of one role; `None` when there is none.
    pub fn role_override(&self, skeleton: &SkeletonKey, role: Role) -> Option<Option<&str>> {
        let entry = self.roles.get(skeleton)?.0.iter().find(|(corrected, _)| *corrected == role)?;
        Some(entry.1.as_deref())
    }

    /// Rows as the table lists them: file by file, moving takes before still ones, each followed by its outputs,
    /// oldest first.
    pub fn listing(&self) -> Vec<ClipId> {
        let mut outputs: BTreeMap<ClipId, Vec<ClipId>> = BTreeMap::new();
        for clip in self.clips() {
            if let Some(output) = clip.output() {
                outputs.entry(output.source).or_default().push(clip.id);
            }
        }
        let mut rows = Vec::with_capacity(self.clips.len());
        for open in self.files() {
            for wanted in [true, false] {
                for take in self.takes(open.file.id).filter(|(_, moving)| *moving == wanted).map(|(id, _)| id) {
                    rows.push(take);
                    rows.extend(outputs.remove(&take).unwrap_or_default());
                }
            }
        }
        rows
    }

    /// The takes of a file that are still on the desk, and whether they move.
    pub fn takes(&self, id: FileId) -> impl Iterator<Item = (ClipId, bool)> + '_ {
        self.clips().filter_map(move |clip| match clip.kind {
            ClipKind::Take { file, moving, .. } if file == id => Some((clip.id, moving)),
            _ => None,
        })
    }

    /// Outputs that nobody carried on: what "Export all" writes.
    pub fn ends(&self) -> Vec<ClipId> {
        let parents: HashSet<ClipId> =
            self.clips().filter_map(|clip| clip.output()).map(|output| output.parent).collect();
        let outputs = self.clips().filter(|clip| clip.output().is_some() && !parents.contains(&clip.id));
        outputs.map(|clip| clip.id).collect()
    }

    /// The row that has a name already, in whatever case.
    pub fn named(&self, name: &str) -> Option<&Arc<ClipEntry>> {
        self.clips().find(|clip| same_name(&clip.name, name))
    }

    /// A free name for an output of `parent` with these steps: the parent's stem, and the suffixes of the steps. A
    /// parent that someone gave a name of his own keeps it as the stem, and only the new steps' suffixes follow.
    pub fn name_for(&self, parent: &ClipEntry, steps: &[Arc<Step>]) -> String {
        let suffixes =
            |steps: &[Arc<Step>]| suffix_chain(steps.iter().filter(|step| step.on).filter_map(|step| step.op.suffix()));
        let inherited = parent.steps().len();
        let wish = match (inherited, stem_before(&parent.name, &suffixes(parent.steps()))) {
            (0, _) => compose(&parent.name, &suffixes(steps)),
            (_, Some(stem)) => compose(stem, &suffixes(steps)),
            (_, None) => compose(&parent.name, &suffixes(steps.get(inherited..).unwrap_or_default())),
        };
        self.free_name(&wish)
    }

    /// `wish`, or the first of `wish_01`, `wish_02`… that no row has.
    pub fn free_name(&self, wish: &str) -> String {
        // Nearly always free: then nothing is gathered.
        if self.named(wish).is_none() {
            return wish.to_owned();
        }
        let taken: HashSet<String> = self.clips().map(|clip| name_key(&clip.name)).collect();
        free_name(wish, |name| taken.contains(&name_key(name)))
    }

    /// The document as compact JSON: equal documents give equal bytes. Files stand for themselves by number and path.
    pub fn canonical(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Whether the two share every part, not only its contents.
    pub fn shares_all_with(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.files, &other.files)
            && Arc::ptr_eq(&self.clips, &other.clips)
            && Arc::ptr_eq(&self.roles, &other.roles)
    }
}
