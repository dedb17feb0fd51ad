//! One skeleton for all clips that share a file: the source's, with the root that a step inserted where one did.

use std::sync::Arc;

use crate::motion::{BoneIndex, Skeleton, SourceFile, Transform};
use crate::ops::SkeletonPatch;

use super::{ExportClip, WriteError};

/// The skeleton of a file to be written.
#[derive(Clone, Debug)]
pub struct United {
    /// All bones, the inserted one among them.
    pub skeleton: Arc<Skeleton>,
    /// What was inserted.
    pub root: Option<InsertedRoot>,
}

/// A bone that a step put above another.
#[derive(Clone, Debug, PartialEq)]
pub struct InsertedRoot {
    /// The bone below it, on the source's skeleton; the new bone has this index in the united one.
    pub above: BoneIndex,
    /// Its name.
    pub name: String,
    /// Its node pose, local.
    pub node_pose: Transform,
}

impl United {
    /// Unites the skeletons of some clips of one file. Clips without the root are at home on the result too: with
    /// the root at identity their pose is what it was.
    ///
    /// # Errors
    /// When clips were given different roots, or do not belong to this file.
    pub fn of(file: &SourceFile, clips: &[ExportClip]) -> Result<Self, WriteError> {
        let mut united = Self { skeleton: Arc::clone(&file.skeleton), root: None };
        let mut first: Option<(&SkeletonPatch, &str)> = None;
        for export in clips {
            let Some(patch) = &export.patch else { continue };
            match first {
                None => {
                    united.root = Some(inserted(file, export, patch)?);
                    united.skeleton = Arc::clone(&export.clip.skeleton);
                    first = Some((patch, &export.name));
                }
                Some((other, name)) if other != patch => {
                    return Err(WriteError::Unsupported {
                        what: format!("the clips \"{name}\" and \"{}\" into one file", export.name),
                        reason: "they were given different root bones; give them the same, or write two files".into(),
                    });
                }
                Some(_) => {}
            }
        }
        for export in clips {
            let home = if export.patch.is_some() { &united.skeleton } else { &file.skeleton };
            if !same_hierarchy(home, &export.clip.skeleton) {
                return Err(WriteError::Unsupported {
                    what: format!("the clip \"{}\"", export.name),
                    reason: format!("its skeleton is not that of {}", file.file_name()),
                });
            }
        }
        Ok(united)
    }

    /// A clip's bone on the united skeleton.
    pub fn bone(&self, export: &ExportClip, bone: BoneIndex) -> BoneIndex {
        match &self.root {
            Some(root) if export.patch.is_none() => Skeleton::index_after_insertion(root.above, bone),
            _ => bone,
        }
    }

    /// A bone of the source's skeleton on the united one.
    pub fn source_bone(&self, bone: BoneIndex) -> BoneIndex {
        self.root.as_ref().map_or(bone, |root| Skeleton::index_after_insertion(root.above, bone))
    }

    /// The inserted root, where clips that do not know it must hold it at identity to keep their pose.
    pub fn root_to_hold(&self) -> Option<&InsertedRoot> {
        self.root.as_ref().filter(|root| root.node_pose != Transform::IDENTITY)
    }
}

fn inserted(file: &SourceFile, export: &ExportClip, patch: &SkeletonPatch) -> Result<InsertedRoot, WriteError> {
    let SkeletonPatch::InsertRoot { above, name, reference } = patch;
    let missing = || WriteError::Unsupported {
        what: format!("the root \"{name}\" of the clip \"{}\"", export.name),
        reason: format!("{} has no bone \"{above}\" to put it above", file.file_name()),
    };
    let above = file.skeleton.find(above).ok_or_else(missing)?;
    let patched = &export.clip.skeleton;
    match patched.bones().get(above.get()) {
        Some(bone) if bone.node.is_none() && patched.len() == file.skeleton.len() + 1 => {
            Ok(InsertedRoot { above, name: name.clone(), node_pose: *reference })
        }
        _ => Err(missing()),
    }
}

fn same_hierarchy(a: &Arc<Skeleton>, b: &Arc<Skeleton>) -> bool {
    Arc::ptr_eq(a, b)
        || (a.len() == b.len()
            && a.bones().iter().zip(b.bones()).all(|(a, b)| (a.parent, &a.name, a.node) == (b.parent, &b.name, b.node)))
}
