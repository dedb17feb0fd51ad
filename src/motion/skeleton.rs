//! The hierarchy: every node that is a joint, is animated, or stands above one, up to the scene.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use glam::DAffine3;
use serde::{Deserialize, Serialize};

use super::transform::Transform;

/// Index of a bone in its [`Skeleton`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BoneIndex(pub u32);

impl BoneIndex {
    /// For indexing slices.
    pub fn get(self) -> usize {
        self.0 as usize
    }
}

/// One node of the hierarchy.
#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// The file's own name; need not be unique, may be empty.
    pub name: String,
    /// `None` for a top node.
    pub parent: Option<BoneIndex>,
    /// The file's own node transform, local; what the bone evaluates to without a track.
    pub node_pose: Transform,
    /// Component-space transform at which a skin was bound, where one covers this bone.
    pub bind_pose: Option<DAffine3>,
    /// Whether a skin uses it, or the file calls it a bone.
    pub is_joint: bool,
    /// The reader's number of this node in its file; `None` for a bone that an operation inserted.
    pub node: Option<u32>,
}

/// Bones, parents before children; several tops allowed. Immutable and shared.
#[derive(Clone, Debug, PartialEq)]
pub struct Skeleton {
    bones: Vec<Bone>,
    paths: Vec<Box<str>>,
    by_path: HashMap<Box<str>, BoneIndex>,
}

/// Why bones do not make a skeleton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SkeletonError {
    /// A parent stands behind its child, or does not exist.
    ParentOrder {
        /// The child.
        bone: String,
    },
    /// Nothing at all.
    Empty,
    /// More bones than a 16-bit joint index can name, by far.
    TooMany(usize),
}

impl std::fmt::Display for SkeletonError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::ParentOrder { bone } => write!(f, "the parent of \"{bone}\" does not stand before it"),
            Self::Empty => write!(f, "no bones"),
            Self::TooMany(n) => write!(f, "{n} bones; the limit is {}", Skeleton::MAX_BONES),
        }
    }
}

impl std::error::Error for SkeletonError {}

impl Skeleton {
    /// More is refused.
    pub const MAX_BONES: usize = 65_536;

    /// Proves the order and names the paths.
    ///
    /// # Errors
    /// A parent after its child, no bones, or too many.
    pub fn new(bones: Vec<Bone>) -> Result<Self, SkeletonError> {
        if bones.is_empty() {
            return Err(SkeletonError::Empty);
        }
        if bones.len() > Self::MAX_BONES {
            return Err(SkeletonError::TooMany(bones.len()));
        }
        for (i, bone) in bones.iter().enumerate() {
            if bone.parent.is_some_and(|parent| parent.get() >= i) {
                return Err(SkeletonError::ParentOrder { bone: bone.name.clone() });
            }
        }
        let mut paths: Vec<Box<str>> = Vec::with_capacity(bones.len());
        let mut by_path = HashMap::with_capacity(bones.len());
        let mut numbers: HashMap<String, u32> = HashMap::new();
        for (i, bone) in bones.iter().enumerate() {
            // The path of a bone whose ancestors are thousands deep would square in memory: cut to the bone's number.
            let above = bone.parent.map_or("", |parent| &paths[parent.get()]);
            let name: Cow<'_, str> = match bone.name.contains(['\\', '/']) {
                true => bone.name.replace('\\', "\\\\").replace('/', "\\/").into(),
                false => bone.name.as_str().into(),
            };
            let mut path: Box<str> = match (above.is_empty() && bone.parent.is_none(), above.len() > 4096) {
                (true, _) => name.into(),
                (false, true) => format!("#{i}/{name}").into(),
                (false, false) => [above, "/", &name].concat().into(),
            };
            if by_path.contains_key(&path) {
                let stem = path.clone().into_string();
                // Counting on from the last number: thousands of siblings of one name would square in time.
                let n = numbers.entry(stem.clone()).or_insert(1u32);
                while by_path.contains_key(&path) {
                    *n += 1;
                    path = format!("{stem}[{n}]").into();
                }
            }
            by_path.insert(path.clone(), BoneIndex(i as u32));
            paths.push(path);
        }
        Ok(Self { bones, paths, by_path })
    }

    /// All bones, parents before children.
    pub fn bones(&self) -> &[Bone] {
        &self.bones
    }

    /// Number of bones, never 0.
    #[expect(clippy::len_without_is_empty, reason = "a skeleton has at least one bone")]
    pub fn len(&self) -> usize {
        self.bones.len()
    }

    /// All indices in order.
    pub fn indices(&self) -> impl DoubleEndedIterator<Item = BoneIndex> + ExactSizeIterator {
        (0..self.bones.len() as u32).map(BoneIndex)
    }

    /// One bone.
    pub fn bone(&self, index: BoneIndex) -> &Bone {
        &self.bones[index.get()]
    }

    /// Parent of a bone.
    pub fn parent(&self, index: BoneIndex) -> Option<BoneIndex> {
        self.bones[index.get()].parent
    }

    /// Direct children, in order.
    pub fn children(&self, index: BoneIndex) -> impl Iterator<Item = BoneIndex> + '_ {
        self.indices().skip(index.get() + 1).filter(move |&b| self.parent(b) == Some(index))
    }

    /// From the parent up to the top.
    pub fn ancestors(&self, index: BoneIndex) -> impl Iterator<Item = BoneIndex> + '_ {
        std::iter::successors(self.parent(index), |&b| self.parent(b))
    }

    /// Whether `above` is an ancestor of `below`, or the same bone.
    pub fn is_at_or_above(&self, above: BoneIndex, below: BoneIndex) -> bool {
        above == below || self.ancestors(below).any(|b| b == above)
    }

    /// The bone's unique name: the names from the top joined by `/`, a repeated sibling numbered `[2]`.
    pub fn path(&self, index: BoneIndex) -> &str {
        &self.paths[index.get()]
    }

    /// The bone of a path.
    pub fn find_path(&self, path: &str) -> Option<BoneIndex> {
        self.by_path.get(path).copied()
    }

    /// The bone of a path, or of a plain name that only one bone has.
    pub fn find(&self, path_or_name: &str) -> Option<BoneIndex> {
        self.find_path(path_or_name).or_else(|| {
            let mut named = self.indices().filter(|&b| self.bone(b).name == path_or_name);
            let first = named.next()?;
            named.next().is_none().then_some(first)
        })
    }

    /// Component space of a set of local transforms.
    pub fn component_from_local(&self, local: &[Transform]) -> Vec<DAffine3> {
        let mut component = Vec::with_capacity(local.len());
        for (bone, transform) in self.bones.iter().zip(local) {
            let own = transform.to_affine();
            component.push(bone.parent.map_or(own, |parent: BoneIndex| component[parent.get()] * own));
        }
        component
    }

    /// Component space of the node pose.
    pub fn node_pose_component(&self) -> Vec<DAffine3> {
        let local: Vec<Transform> = self.bones.iter().map(|bone| bone.node_pose).collect();
        self.component_from_local(&local)
    }

    /// Component space of the reference pose, for roles, lengths, hinges and foot heights: the bind pose where it
    /// covers a bone, else the node pose below its parent's reference. Never a sampled frame.
    pub fn reference_component(&self) -> Vec<DAffine3> {
        let mut component: Vec<DAffine3> = Vec::with_capacity(self.bones.len());
        for bone in &self.bones {
            let above = bone.parent.map_or(DAffine3::IDENTITY, |parent| component[parent.get()]);
            component.push(bone.bind_pose.unwrap_or_else(|| above * bone.node_pose.to_affine()));
        }
        component
    }

    /// A new skeleton with one bone put between `above` and its parent. The new bone stands where `above` stood in
    /// the order; every later index grows by one, which [`Self::index_after_insertion`] maps.
    ///
    /// # Errors
    /// Only when the skeleton is full.
    pub fn with_bone_above(&self, above: BoneIndex, mut inserted: Bone) -> Result<Arc<Self>, SkeletonError> {
        let at = above.get();
        let shift = |b: BoneIndex| Self::index_after_insertion(above, b);
        inserted.parent = self.bones[at].parent;
        let mut bones = Vec::with_capacity(self.bones.len() + 1);
        for (i, bone) in self.bones.iter().enumerate() {
            let mut bone = bone.clone();
            if i == at {
                bones.push(inserted.clone());
                bone.parent = Some(above);
            } else {
                bone.parent = bone.parent.map(shift);
            }
            bones.push(bone);
        }
        Self::new(bones).map(Arc::new)
    }

    /// New index of an old bone after [`Self::with_bone_above`]; the inserted bone has index `above`.
    pub fn index_after_insertion(above: BoneIndex, old: BoneIndex) -> BoneIndex {
        if old >= above { BoneIndex(old.0 + 1) } else { old }
    }
}
