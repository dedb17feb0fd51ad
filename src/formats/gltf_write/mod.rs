//! Writes glTF by patching the source: its JSON text and binary data stay byte for byte, new animations are added.
//!
//! A track whose values and times come from this file reuses the source's accessors; the rest is encoded as `f32` into
//! new buffer views behind the old data. A root that a step inserted becomes a new node above its bone, and a joint of
//! the skins that hold that bone. Everything else (meshes, morph weights, cameras, extras, unknown extensions, other
//! animations) is not looked at. glTF 2.0 §3.6 (buffers), §3.7.3 (skins), §3.11 (animations).

mod animation;
mod container;
pub(super) mod data;
mod root;
mod source;
mod splice;

use std::collections::BTreeSet;

use base64::Engine;

use crate::motion::{SourceFile, Warning, WarningKind};

use super::unite::United;
use super::{Export, WriteError};
use animation::Context;
use container::Container;
use data::{Finished, NewData};
use source::{Source, percent_encoded};
use splice::{Members, Splice, elements};

pub(super) use animation::identity_tracks;
pub(super) use container::glb;
pub(super) use root::{inverse_bind, matrix_bytes};
pub use source::percent_decoded;

/// A file, ready to be published.
#[derive(Debug)]
pub struct Written {
    /// The `.glb` or `.gltf` itself.
    pub main: Vec<u8>,
    /// New files it names, which must lie beside it: name and bytes.
    pub side: Vec<(String, Vec<u8>)>,
    /// For each clip of the export, the number of its animation in the file.
    pub takes: Vec<u32>,
    /// What a person should know of it.
    pub warnings: Vec<Warning>,
}

/// Patches a glTF or GLB source. `stem` is the name of the file to be, without extension: new data of a `.gltf` with
/// buffers beside it goes to `<stem>.bin`; where all its buffers are inside the text, new data goes there too.
///
/// # Errors
/// [`WriteError::Unsupported`], with the clip or part and the way out.
pub fn write(export: &Export<'_>, stem: &str) -> Result<Written, WriteError> {
    let file = export.source;
    let whole = |reason: String| WriteError::Unsupported { what: file.file_name(), reason };
    if export.clips.is_empty() && !export.alone {
        let main = file.bytes.to_vec();
        return Ok(Written { main, side: Vec::new(), takes: Vec::new(), warnings: Vec::new() });
    }
    let container = Container::split(&file.bytes).map_err(whole)?;
    let source = Source::parse(file, &container).map_err(|e| whole(e.to_string()))?;
    let united = United::of(file, export.clips)?;
    let (accessors, views, _) = source.counts();
    let nodes = source.top.get("nodes").map_or(Ok(Vec::new()), elements).map_err(|e| whole(e.to_string()))?;
    let mut context = Context {
        source: &source,
        united: &united,
        root_node: u32::try_from(nodes.len()).map_err(|_| whole("too many nodes".into()))?,
        data: NewData::new(views, accessors),
        driven: BTreeSet::new(),
    };
    let mut splice = Splice::new(container.json);
    let mut warnings = Vec::new();
    let mut animations = Vec::with_capacity(export.clips.len());
    for clip in export.clips {
        let part = |reason| WriteError::Unsupported { what: format!("the clip \"{}\"", clip.name), reason };
        let written = context.animation(clip).map_err(part)?;
        warnings.extend(moved_without(file, clip, written.carried));
        animations.push(written.text);
    }
    put_animations(export, &mut context, &mut splice, &animations).map_err(whole)?;
    let plain = nodes_to_plain(&context, &nodes, &mut splice);
    plain.map_err(|e| whole(e.to_string()))?;
    let Context { root_node, mut data, .. } = context;
    if let Some(inserted) = &united.root {
        root::insert(&source, &united, inserted, root_node, &mut splice, &mut data).map_err(whole)?;
    }
    let (added, side) = put_data(&source, data, &mut splice, stem).map_err(|e| whole(e.to_string()))?;
    let first = if export.alone { 0 } else { source.animations.len() };
    let takes = (first..first + export.clips.len()).map(|take| take as u32).collect();
    let main = container.join(splice.finish(), &added).map_err(whole)?;
    Ok(Written { main, side, takes, warnings })
}

/// Relative names of all files that a glTF refers to, decoded: those that must lie beside a copy of it.
///
/// # Errors
/// A reason, when the file is no glTF.
pub fn side_names(file: &SourceFile) -> Result<Vec<String>, String> {
    let container = Container::split(&file.bytes)?;
    let top = Members::parse(container.json).map_err(|e| e.to_string())?;
    let mut names = Vec::new();
    for key in ["buffers", "images"] {
        for item in top.get(key).map_or(Ok(Vec::new()), elements).map_err(|e| e.to_string())? {
            let uri = Members::parse(item).ok().and_then(|item| item.text("uri"));
            if let Some(uri) = uri.filter(|uri| !uri.starts_with("data:") && !uri.contains("://")) {
                names.push(percent_decoded(&uri));
            }
        }
    }
    names.sort();
    names.dedup();
    Ok(names)
}

fn put_animations<'t>(
    export: &Export<'_>,
    context: &mut Context<'t, '_>,
    splice: &mut Splice<'t>,
    animations: &[String],
) -> Result<(), String> {
    let source = context.source;
    match (export.alone, animations.is_empty()) {
        (true, true) => splice.remove(&source.top, "animations"),
        (true, false) => splice.set(&source.top, "animations", format!("[{}]", animations.join(","))),
        (false, _) => {
            if context.united.root_to_hold().is_some() {
                for (take, animation) in source.animations.iter().enumerate() {
                    let read = export.source.clips.iter().find(|clip| clip.take == Some(take as u32));
                    context.hold_root(animation, splice, read.map_or(0.0, |clip| clip.range.start_secs))?;
                }
            }
            splice.append_to(&source.top, "animations", animations).map_err(|e| e.to_string())?;
        }
    }
    Ok(())
}

/// A node that is driven must not say its transform as a matrix (glTF 2.0 §3.5.3): the same transform, in parts.
fn nodes_to_plain<'t>(
    context: &Context<'_, '_>,
    nodes: &[&'t str],
    splice: &mut Splice<'t>,
) -> Result<(), serde_json::Error> {
    for bone in context.source.file.skeleton.bones() {
        let Some(text) = bone.node.filter(|n| context.driven.contains(n)).and_then(|n| nodes.get(n as usize)) else {
            continue;
        };
        let members = Members::parse(text)?;
        if members.get("matrix").is_some() {
            let parts = root::transform_members(bone.node_pose);
            let parts = if parts.is_empty() { ",\"scale\":[1,1,1]".to_owned() } else { parts };
            splice.replace_member(&members, "matrix", parts[1..].to_owned());
        }
    }
    Ok(())
}

type Added = (Vec<u8>, Vec<(String, Vec<u8>)>);

/// Puts new views and accessors into the text and their bytes where the file's shape has room for them: behind the
/// binary chunk, in a file beside it, or in the text.
fn put_data<'t>(
    source: &Source<'t>,
    data: NewData,
    splice: &mut Splice<'t>,
    stem: &str,
) -> Result<Added, serde_json::Error> {
    if data.is_empty() {
        return Ok((Vec::new(), Vec::new()));
    }
    let top = &source.top;
    let (_, _, buffers) = source.counts();
    let bin = source.container.bin();
    let chunk_is_free = buffers == 0 || (bin.is_some() && source.uri(0).is_none());
    if source.container.is_glb() && chunk_is_free {
        let base = bin.map_or(0, |bin| bin.len().next_multiple_of(4));
        let Finished { views, accessors, bytes } = data.finish(0, base);
        let length = (base + bytes.len()).to_string();
        match source.buffer(0) {
            Some(buffer) => splice.set(&Members::parse(buffer)?, "byteLength", length),
            None => splice.append_to(top, "buffers", &[format!("{{\"byteLength\":{length}}}")])?,
        }
        splice.append_to(top, "bufferViews", &views)?;
        splice.append_to(top, "accessors", &accessors)?;
        return Ok((bytes, Vec::new()));
    }
    let Finished { views, accessors, bytes } = data.finish(buffers, 0);
    let inside =
        source.container.is_glb() || (0..buffers).all(|i| source.uri(i).is_some_and(|uri| uri.starts_with("data:")));
    let length = bytes.len();
    let (uri, side) = if inside {
        let text = base64::engine::general_purpose::STANDARD.encode(&bytes);
        (format!("data:application/octet-stream;base64,{text}"), Vec::new())
    } else {
        let name = format!("{stem}.bin");
        (percent_encoded(&name), vec![(name, bytes)])
    };
    splice.append_to(top, "buffers", &[format!("{{\"byteLength\":{length},\"uri\":\"{uri}\"}}")])?;
    splice.append_to(top, "bufferViews", &views)?;
    splice.append_to(top, "accessors", &accessors)?;
    Ok((Vec::new(), side))
}

fn moved_without(file: &SourceFile, export: &super::ExportClip, carried: u32) -> Option<Warning> {
    let read = file.clips.iter().find(|clip| clip.take == export.clip.take)?;
    (carried > 0 && read.range != export.clip.range).then(|| Warning {
        kind: WarningKind::SetAside,
        place: export.name.clone(),
        message: "channels that drive no bone (morph weights, pointers) keep the times they had in the source".into(),
        count: carried,
    })
}
