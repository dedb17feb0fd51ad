//! JSON that `gltf-json` refuses, mended and read again.
//!
//! The typed parse comes first and is the only one for an ordinary file: going through [`serde_json::Value`] costs a
//! multiple of it. Its error is what sends a file here: channels without a node, pointer channels, textures whose only
//! source is an extension, whole numbers written `12.0`, doubled members, names in another encoding than UTF-8.
//! Whatever is replaced keeps its place in its array, so that indices and the numbering of channels stay true.

use gltf::json::{Root, accessor, animation, buffer, image, material, mesh, scene, skin, texture};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::findings::Findings;
use super::{ReadError, malformed};
use crate::motion::WarningKind;

/// Stands where the file names no node (or accessor, …): an index that no array reaches.
pub(super) const NOWHERE: u32 = u32::MAX;

/// The document's JSON.
///
/// # Errors
/// What is no JSON at all, and nodes, which nothing could replace.
pub(super) fn parse(json: &[u8], file: &str, findings: &mut Findings) -> Result<Root, ReadError> {
    // One look at the whole text costs less than one at each of its strings.
    let parsed = match std::str::from_utf8(json) {
        Ok(text) => serde_json::from_str::<Root>(text),
        Err(_) => serde_json::from_slice(json),
    };
    let first = match parsed {
        Ok(root) => return Ok(root),
        Err(error) => error,
    };
    let utf8 = String::from_utf8_lossy(json);
    if matches!(utf8, std::borrow::Cow::Owned(_)) {
        let message = "some text is not UTF-8; what cannot be read in it was replaced";
        findings.add(WarningKind::Repaired, message, String::new);
    }
    let mut value: Value = serde_json::from_str(&utf8).map_err(|error| refused(file, &error))?;
    tidy(&mut value);
    let Value::Object(root) = &mut value else {
        return Err(malformed(file, "the top", "the JSON is not an object", ""));
    };
    mend_root(root, file, findings)?;
    Root::deserialize(&value).map_err(|_| refused(file, &first))
}

fn refused(file: &str, error: &serde_json::Error) -> ReadError {
    let place = format!("JSON line {} column {}", error.line(), error.column());
    let text = error.to_string();
    let reason = text.rsplit_once(" at line ").map_or(text.as_str(), |(reason, _)| reason);
    malformed(file, place, format!("the JSON cannot be read ({reason})"), "")
}

/// Members that are `null` go, and whole numbers lose their `.0`: both are met, and neither changes the meaning.
fn tidy(value: &mut Value) {
    match value {
        Value::Array(elements) => elements.iter_mut().for_each(tidy),
        Value::Object(members) => {
            members.retain(|_, member| !member.is_null());
            members.values_mut().for_each(tidy);
        }
        Value::Number(number) if number.is_f64() => {
            if let Some(whole) = number.as_f64().filter(|x| x.fract() == 0.0 && (0.0..9e15).contains(x)) {
                *value = json!(whole as u64);
            }
        }
        _ => {}
    }
}

fn mend_root(root: &mut Map<String, Value>, file: &str, findings: &mut Findings) -> Result<(), ReadError> {
    // Nothing here reads these, and the writer keeps the file's own text.
    for unused in ["cameras", "samplers", "extensions", "extras"] {
        root.remove(unused);
    }
    if !reads::<gltf::json::Asset>(root.get("asset").unwrap_or(&Value::Null)) {
        let message = "\"asset\" is missing or cannot be read; the file is taken for glTF 2.0";
        findings.add(WarningKind::Repaired, message, || "asset".into());
        root.insert("asset".into(), json!({ "version": "2.0" }));
    }
    for (i, animation) in elements(root, "animations").iter_mut().enumerate() {
        mend_animation(animation, i, findings);
    }
    let nowhere = json!(NOWHERE);
    mend::<animation::Animation>(root, "animations", &json!({ "channels": [], "samplers": [] }), findings);
    let accessor = json!({ "componentType": 0, "count": 0, "type": "?" });
    mend::<accessor::Accessor>(root, "accessors", &accessor, findings);
    mend::<buffer::View>(root, "bufferViews", &json!({ "buffer": nowhere, "byteLength": 0 }), findings);
    mend::<buffer::Buffer>(root, "buffers", &json!({ "byteLength": 0, "uri": "data:," }), findings);
    mend::<skin::Skin>(root, "skins", &json!({ "joints": [] }), findings);
    mend::<scene::Scene>(root, "scenes", &json!({ "nodes": [] }), findings);
    mend::<mesh::Mesh>(root, "meshes", &json!({ "primitives": [] }), findings);
    mend::<material::Material>(root, "materials", &json!({}), findings);
    mend::<image::Image>(root, "images", &json!({}), findings);
    for texture in elements(root, "textures") {
        // `KHR_texture_basisu` and `EXT_texture_webp` may stand alone; the material reader says what that costs.
        if let Value::Object(texture) = texture {
            texture.entry("source").or_insert_with(|| nowhere.clone());
        }
    }
    mend::<texture::Texture>(root, "textures", &json!({ "source": nowhere }), findings);
    for (i, node) in elements(root, "nodes").iter().enumerate() {
        if let Err(error) = scene::Node::deserialize(node) {
            return Err(malformed(file, format!("nodes[{i}]"), format!("the node cannot be read ({error})"), ""));
        }
    }
    root.retain(|name, member| {
        let is_list = ["extensionsUsed", "extensionsRequired"].contains(&name.as_str());
        !is_list || reads::<Vec<String>>(member)
    });
    Ok(())
}

/// Channels and samplers one by one: a channel that cannot be read keeps its number.
fn mend_animation(animation: &mut Value, number: usize, findings: &mut Findings) {
    let Value::Object(animation) = animation else { return };
    for channel in elements(animation, "channels") {
        let Some(target) = channel.get_mut("target").and_then(Value::as_object_mut) else { continue };
        target.entry("node").or_insert(json!(NOWHERE));
        target.entry("path").or_insert(json!(""));
    }
    let within = |what: &str| format!("animations[{number}].{what}");
    let channel = json!({ "sampler": NOWHERE, "target": { "node": NOWHERE, "path": "" } });
    mend_at::<animation::Channel>(animation, "channels", within, &channel, findings);
    let sampler = json!({ "input": NOWHERE, "output": NOWHERE });
    mend_at::<animation::Sampler>(animation, "samplers", within, &sampler, findings);
    animation.retain(|name, member| name != "name" || member.is_string());
}

fn mend<T>(root: &mut Map<String, Value>, array: &str, stand_in: &Value, findings: &mut Findings)
where
    T: for<'v> Deserialize<'v>,
{
    mend_at::<T>(root, array, str::to_owned, stand_in, findings);
}

/// Puts `stand_in` where an element of `array` is not a `T`; an `array` that is no array is emptied.
fn mend_at<T>(
    within: &mut Map<String, Value>,
    array: &str,
    place: impl Fn(&str) -> String,
    stand_in: &Value,
    findings: &mut Findings,
) where
    T: for<'v> Deserialize<'v>,
{
    for (i, element) in elements(within, array).iter_mut().enumerate() {
        if !reads::<T>(element) {
            let message = format!("elements of \"{array}\" cannot be read and are taken for empty");
            findings.add(WarningKind::Dropped, &message, || format!("{}[{i}]", place(array)));
            element.clone_from(stand_in);
        }
    }
}

/// The elements of an array member; anything else there is replaced by an empty array.
fn elements<'v>(within: &'v mut Map<String, Value>, array: &str) -> &'v mut [Value] {
    let member = within.entry(array).or_insert_with(|| json!([]));
    if !member.is_array() {
        *member = json!([]);
    }
    member.as_array_mut().map_or(&mut [], Vec::as_mut_slice)
}

fn reads<'v, T: Deserialize<'v>>(value: &'v Value) -> bool {
    T::deserialize(value).is_ok()
}
