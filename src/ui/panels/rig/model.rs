//! What the panel shows of a rig: roles with their bones, and the tree of bones, as plain rows.

use std::collections::HashSet;

use crate::edit::{Document, RoleChoice, SkeletonKey};
use crate::motion::{BoneIndex, Rig, Role, Side, Skeleton};

/// A role and who plays it.
#[derive(Clone, Debug, PartialEq)]
pub struct RoleRow {
    /// The role.
    pub role: Role,
    /// Sentence case.
    pub name: String,
    /// Its bone on the file's skeleton.
    pub bone: Option<BoneIndex>,
    /// Whether detection says so, or a person.
    pub choice: RoleChoice,
}

/// A bone of the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct BoneRow {
    /// On the skeleton of the clip in view.
    pub bone: BoneIndex,
    /// How far it is indented.
    pub depth: usize,
    /// Whether bones beneath it are shown; `None` when there are none.
    pub open: Option<bool>,
    /// The roles it plays.
    pub roles: Vec<Role>,
}

/// How sure the detection is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sureness {
    /// Taken as found.
    Sure,
    /// To be looked at.
    Doubtful,
    /// To be said by a person.
    Unknown,
}

/// By the rig's own limits.
pub fn sureness(rig: &Rig) -> Sureness {
    if rig.confidence >= Rig::SURE {
        Sureness::Sure
    } else if rig.confidence >= Rig::UNKNOWN {
        Sureness::Doubtful
    } else {
        Sureness::Unknown
    }
}

/// The letter that goes with the colour of a side.
pub fn side_letter(side: Side) -> &'static str {
    match side {
        Side::Left => "L",
        Side::Right => "R",
    }
}

/// `left foot` → `Left foot`.
pub fn role_name(role: Role) -> String {
    let text = role.to_string();
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Top to bottom of the body, left beside right, IK bones last.
fn order(role: Role) -> (u8, Option<Side>) {
    let rank = match role {
        Role::Root => 0,
        Role::Pelvis => 1,
        Role::Thigh(_) => 2,
        Role::Calf(_) => 3,
        Role::Foot(_) => 4,
        Role::Toe(_) => 5,
        Role::Spine => 6,
        Role::Neck => 7,
        Role::Head => 8,
        Role::Clavicle(_) => 9,
        Role::UpperArm(_) => 10,
        Role::Forearm(_) => 11,
        Role::Hand(_) => 12,
        Role::IkFootRoot => 13,
        Role::IkFoot(_) => 14,
        Role::IkHandRoot => 15,
        Role::IkHandGun => 16,
        Role::IkHand(_) => 17,
    };
    (rank, role.side())
}

/// All roles, on the file's own skeleton; those that `search` names, by role or by bone.
pub fn role_rows(document: &Document, key: &SkeletonKey, rig: &Rig, skeleton: &Skeleton, search: &str) -> Vec<RoleRow> {
    let search = search.trim().to_lowercase();
    let mut roles: Vec<Role> = Role::all().collect();
    roles.sort_by_key(|&role| order(role));
    let row = |role: Role| {
        let choice = match document.role_override(key, role) {
            None => RoleChoice::Detected,
            Some(None) => RoleChoice::Nobody,
            Some(Some(path)) => RoleChoice::Bone(path.to_owned()),
        };
        RoleRow { role, name: role_name(role), bone: rig.bone(role), choice }
    };
    let named = |row: &RoleRow| {
        let bone = row.bone.map(|bone| skeleton.bone(bone).name.to_lowercase()).unwrap_or_default();
        row.name.to_lowercase().contains(&search) || bone.contains(&search)
    };
    roles.into_iter().map(row).filter(named).collect()
}

/// The tree, parents before children; with a search, the bones it names and those above them.
pub fn bone_rows(skeleton: &Skeleton, rig: &Rig, closed: &HashSet<String>, search: &str) -> Vec<BoneRow> {
    let search = search.trim().to_lowercase();
    let count = skeleton.len();
    let mut has_children = vec![false; count];
    let mut named = vec![false; count];
    for bone in skeleton.indices().rev() {
        let i = bone.get();
        let own = search.is_empty() || skeleton.bone(bone).name.to_lowercase().contains(&search);
        named[i] |= own;
        if let Some(parent) = skeleton.parent(bone) {
            has_children[parent.get()] = true;
            // Above a bone that is named the way to it is shown. Children come after parents, so one way round does.
            named[parent.get()] |= named[i];
        }
    }
    let mut roles: Vec<Vec<Role>> = vec![Vec::new(); count];
    for (&role, bone) in &rig.roles {
        if let Some(of_bone) = roles.get_mut(bone.get()) {
            of_bone.push(role);
        }
    }
    let mut depth = vec![0; count];
    let mut hidden = vec![false; count];
    let mut rows = Vec::new();
    for (bone, roles) in skeleton.indices().zip(roles) {
        let i = bone.get();
        let is_open = !search.is_empty() || !closed.contains(skeleton.path(bone));
        if let Some(parent) = skeleton.parent(bone) {
            depth[i] = depth[parent.get()] + 1;
            let parent_closed = search.is_empty() && closed.contains(skeleton.path(parent));
            hidden[i] = hidden[parent.get()] || parent_closed;
        }
        if named[i] && !hidden[i] {
            rows.push(BoneRow { bone, depth: depth[i], open: has_children[i].then_some(is_open), roles });
        }
    }
    in_tree_order(skeleton, rows)
}

/// Depth first: a file may list bones in any order that has parents before children.
fn in_tree_order(skeleton: &Skeleton, rows: Vec<BoneRow>) -> Vec<BoneRow> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); skeleton.len()];
    let mut open = Vec::new();
    let place: std::collections::HashMap<BoneIndex, usize> =
        rows.iter().enumerate().map(|(nth, row)| (row.bone, nth)).collect();
    for (nth, row) in rows.iter().enumerate() {
        match skeleton.parent(row.bone).filter(|parent| place.contains_key(parent)) {
            Some(parent) => children[parent.get()].push(nth),
            None => open.push(nth),
        }
    }
    open.reverse();
    let mut order = Vec::with_capacity(rows.len());
    while let Some(nth) = open.pop() {
        order.push(nth);
        open.extend(children[rows[nth].bone.get()].iter().rev());
    }
    let mut rows: Vec<Option<BoneRow>> = rows.into_iter().map(Some).collect();
    order.into_iter().filter_map(|nth| rows[nth].take()).collect()
}
