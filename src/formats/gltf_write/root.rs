//! A new root node above a bone: its place in the tree, and in the skins.

use glam::{DAffine3, DMat4};

use crate::motion::{BoneIndex, Skin, SourceFile, Transform};

use super::super::unite::{InsertedRoot, United};
use super::data::NewData;
use super::source::Source;
use super::splice::{Members, Splice, elements, index, string};

/// Edits nodes, scenes and skins so that the root stands above its bone, which keeps its own transform.
///
/// # Errors
/// A reason, when the source's JSON is not what its reader saw.
pub fn insert<'t>(
    source: &Source<'t>,
    united: &United,
    root: &InsertedRoot,
    root_node: u32,
    splice: &mut Splice<'t>,
    data: &mut NewData,
) -> Result<(), String> {
    let say = |e: serde_json::Error| e.to_string();
    let skeleton = &source.file.skeleton;
    let below = skeleton.bone(root.above).node.ok_or("the bone below has no node in the file")?;
    let nodes = elements(source.top.get("nodes").ok_or("the file has no nodes")?).map_err(say)?;
    if let Some(parent) = skeleton.parent(root.above).and_then(|parent| skeleton.bone(parent).node) {
        let parent = nodes.get(parent as usize).ok_or("the parent of the bone below is missing")?;
        replace_index(splice, &Members::parse(parent).map_err(say)?, "children", below, root_node)?;
    } else {
        for scene in source.top.get("scenes").map_or(Ok(Vec::new()), elements).map_err(say)? {
            replace_index(splice, &Members::parse(scene).map_err(say)?, "nodes", below, root_node)?;
        }
    }
    splice.append_to(&source.top, "nodes", &[node_json(root, below)]).map_err(say)?;
    let skins = source.top.get("skins").map_or(Ok(Vec::new()), elements).map_err(say)?;
    for (i, skin) in skins.into_iter().enumerate() {
        let skin = Members::parse(skin).map_err(say)?;
        extend_skin(source, united, root, (below, root_node), &skin, source.file.skins.get(i), splice, data)?;
    }
    Ok(())
}

fn replace_index<'t>(
    splice: &mut Splice<'t>,
    object: &Members<'t>,
    key: &str,
    old: u32,
    new: u32,
) -> Result<(), String> {
    let list = object.get(key).map_or(Ok(Vec::new()), elements).map_err(|e| e.to_string())?;
    for item in list.into_iter().filter(|item| index(item) == Some(old)) {
        splice.replace(item, new.to_string());
    }
    Ok(())
}

fn node_json(root: &InsertedRoot, below: u32) -> String {
    format!("{{\"name\":{},\"children\":[{below}]{}}}", string(&root.name), transform_members(root.node_pose))
}

/// A transform as the members of a node, each with a comma before it; what is as it is without saying is left out.
pub fn transform_members(transform: Transform) -> String {
    let mut out = String::new();
    let mut member = |name: &str, values: &[f64], default: &[f64]| {
        if values != default {
            // As f64, an f32 prints with the digits that give it back exactly in every reader.
            let list: Vec<f64> = values.iter().map(|v| f64::from(*v as f32)).collect();
            out.push_str(&format!(",\"{name}\":{}", serde_json::Value::from(list)));
        }
    };
    member("translation", &transform.translation.to_array(), &[0.0; 3]);
    member("rotation", &transform.rotation.normalize().to_array(), &[0.0, 0.0, 0.0, 1.0]);
    member("scale", &transform.scale.to_array(), &[1.0; 3]);
    out
}

#[expect(clippy::too_many_arguments, reason = "one step of `insert`, split off for reading")]
fn extend_skin<'t>(
    source: &Source<'t>,
    united: &United,
    root: &InsertedRoot,
    (below, root_node): (u32, u32),
    skin: &Members<'t>,
    read: Option<&Skin>,
    splice: &mut Splice<'t>,
    data: &mut NewData,
) -> Result<(), String> {
    let joints = skin.get("joints").map_or(Ok(Vec::new()), elements).map_err(|e| e.to_string())?;
    let Some(place) = joints.iter().position(|joint| index(joint) == Some(below)) else { return Ok(()) };
    splice.append_to(skin, "joints", &[root_node.to_string()]).map_err(|e| e.to_string())?;
    // The skin's `skeleton` must stay above all joints.
    if skin.index("skeleton") == Some(below) {
        splice.set(skin, "skeleton", root_node.to_string());
    }
    let Some(matrices) = skin.index("inverseBindMatrices") else { return Ok(()) };
    let read = read.filter(|read| read.inverse_binds.len() == joints.len());
    let mut bytes = match source.plain_matrices(matrices as usize) {
        Some(bytes) if bytes.len() >= joints.len() * 64 => bytes[..joints.len() * 64].to_vec(),
        _ => {
            let read = read.ok_or("the skin's inverse bind matrices cannot be read")?;
            read.inverse_binds.iter().flat_map(matrix_bytes).collect()
        }
    };
    let below_inverse = read.map(|read| read.inverse_binds[place]);
    bytes.extend(matrix_bytes(&inverse_bind(source.file, united, root, below_inverse)));
    let number = data.matrices(&bytes);
    splice.set(skin, "inverseBindMatrices", number.to_string());
    Ok(())
}

/// Joint space from mesh space for the root at the bind pose. The mesh's own space is taken from the bone below.
pub fn inverse_bind(
    file: &SourceFile,
    united: &United,
    root: &InsertedRoot,
    below_inverse: Option<DAffine3>,
) -> DAffine3 {
    let own = united.skeleton.bone(root.above).bind_pose;
    let bind = own.unwrap_or_else(|| parent_bind(file, root.above) * root.node_pose.to_affine());
    let component_from_mesh = match (file.skeleton.bone(root.above).bind_pose, below_inverse) {
        (Some(below_bind), Some(below_inverse)) => below_bind * below_inverse,
        _ => DAffine3::IDENTITY,
    };
    let inverse = bind.inverse() * component_from_mesh;
    // A parent scaled to nothing has no inverse; no vertex hangs on the root, so any matrix will do.
    if inverse.is_finite() { inverse } else { DAffine3::IDENTITY }
}

fn parent_bind(file: &SourceFile, bone: BoneIndex) -> DAffine3 {
    let skeleton = &file.skeleton;
    skeleton.parent(bone).map_or(DAffine3::IDENTITY, |parent| {
        skeleton.bone(parent).bind_pose.unwrap_or_else(|| skeleton.node_pose_component()[parent.get()])
    })
}

/// A matrix as glTF stores it.
pub fn matrix_bytes(affine: &DAffine3) -> Vec<u8> {
    let columns = DMat4::from(*affine).to_cols_array();
    columns.iter().flat_map(|v| (*v as f32).to_le_bytes()).collect()
}
