//! Who stands above whom, answered in constant time.

use crate::motion::skeleton::{BoneIndex, Skeleton};

/// Depth-first numbering of a skeleton: the bones below one are an interval.
pub(super) struct Lineage {
    enter: Vec<u32>,
    size: Vec<u32>,
    depth: Vec<u32>,
    parent: Vec<Option<BoneIndex>>,
}

impl Lineage {
    pub(super) fn new(skeleton: &Skeleton) -> Self {
        let n = skeleton.len();
        let parent: Vec<Option<BoneIndex>> = skeleton.bones().iter().map(|bone| bone.parent).collect();
        let mut size = vec![1_u32; n];
        for i in (0..n).rev() {
            if let Some(p) = parent[i] {
                size[p.get()] += size[i];
            }
        }
        // `free[p]` is the number the next child of `p` gets: after the whole family of the child before it.
        let (mut enter, mut free, mut depth) = (vec![0; n], vec![0; n], vec![0; n]);
        let mut free_top = 0;
        for i in 0..n {
            let slot = parent[i].map_or(&mut free_top, |p| &mut free[p.get()]);
            enter[i] = *slot;
            *slot += size[i];
            free[i] = enter[i] + 1;
            depth[i] = parent[i].map_or(0, |p| depth[p.get()] + 1);
        }
        Self { enter, size, depth, parent }
    }

    /// Whether `above` is an ancestor of `bone`, or the same.
    pub(super) fn holds(&self, above: BoneIndex, bone: BoneIndex) -> bool {
        let (from, at) = (self.enter[above.get()], self.enter[bone.get()]);
        (from..from + self.size[above.get()]).contains(&at)
    }

    /// Whether `bone` stands below `above`.
    pub(super) fn below(&self, bone: BoneIndex, above: BoneIndex) -> bool {
        bone != above && self.holds(above, bone)
    }

    /// Whether neither stands above the other.
    pub(super) fn apart(&self, a: BoneIndex, b: BoneIndex) -> bool {
        !self.holds(a, b) && !self.holds(b, a)
    }

    pub(super) fn depth(&self, bone: BoneIndex) -> u32 {
        self.depth[bone.get()]
    }

    /// Number of bones below.
    pub(super) fn descendants(&self, bone: BoneIndex) -> u32 {
        self.size[bone.get()] - 1
    }

    /// From the parent up to the top.
    pub(super) fn ancestors(&self, bone: BoneIndex) -> impl Iterator<Item = BoneIndex> + '_ {
        std::iter::successors(self.parent[bone.get()], |b| self.parent[b.get()])
    }

    /// The lowest bone at or above both; `None` under different tops.
    pub(super) fn meet(&self, a: BoneIndex, b: BoneIndex) -> Option<BoneIndex> {
        std::iter::once(a).chain(self.ancestors(a)).find(|&above| self.holds(above, b))
    }

    /// The bones below `above` on the way down to `bone`, that one included.
    pub(super) fn way_down(&self, above: BoneIndex, bone: BoneIndex) -> Vec<BoneIndex> {
        if !self.holds(above, bone) {
            return Vec::new();
        }
        let mut way: Vec<BoneIndex> =
            std::iter::once(bone).chain(self.ancestors(bone)).take_while(|&b| b != above).collect();
        way.reverse();
        way
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::skeleton::Bone;
    use crate::motion::transform::Transform;

    /// Every answer is the one that walking up the parents gives, on trees of all shapes, several tops included.
    #[test]
    fn agrees_with_walking_up() {
        let mut state = 7_u32;
        let mut random = move |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % below
        };
        for n in 1..40 {
            let bones = (0..n).map(|i| Bone {
                name: i.to_string(),
                parent: (i > 0 && random(8) > 0).then(|| BoneIndex(random(i))),
                node_pose: Transform::IDENTITY,
                bind_pose: None,
                is_joint: true,
                node: None,
            });
            let skeleton = Skeleton::new(bones.collect()).unwrap();
            let lineage = Lineage::new(&skeleton);
            for a in skeleton.indices() {
                let below = skeleton.indices().filter(|&b| b != a && skeleton.is_at_or_above(a, b));
                assert_eq!(lineage.descendants(a) as usize, below.count());
                assert_eq!(lineage.depth(a) as usize, skeleton.ancestors(a).count());
                for b in skeleton.indices() {
                    assert_eq!(lineage.holds(a, b), skeleton.is_at_or_above(a, b), "{a:?} {b:?}");
                    let mut up = std::iter::once(a).chain(skeleton.ancestors(a));
                    assert_eq!(lineage.meet(a, b), up.find(|&above| skeleton.is_at_or_above(above, b)));
                }
            }
        }
    }
}
