//! Base colours, and the images they name, still encoded.

use std::sync::Arc;

use gltf::json::Index;
use gltf::json::texture;

use super::Document;
use super::accessor::view_bytes;
use super::container::{SideFiles, percent_decode};
use super::findings::Findings;
use crate::motion::{Material, Texture, WarningKind};

/// All materials in file order, and each image that is a base colour once.
pub(super) fn read(
    document: &Document<'_>,
    side: &mut SideFiles<'_>,
    findings: &mut Findings,
) -> (Vec<Material>, Vec<Texture>) {
    let mut textures = Vec::new();
    // Per image of the file: not tried yet, or what became of it.
    let mut tried: Vec<Option<Option<u32>>> = vec![None; document.root.images.len()];
    let mut materials = Vec::with_capacity(document.root.materials.len());
    for (i, material) in document.root.materials.iter().enumerate() {
        let surface = &material.pbr_metallic_roughness;
        let base_texture = surface.base_color_texture.as_ref().and_then(|info| {
            let mut lost = |why: &str| {
                let message = format!("base-colour images not shown: {why}");
                findings.add(WarningKind::Dropped, &message, || format!("materials[{i}]"));
            };
            let Some(image) = image_of(document, info.index) else {
                lost("they are of a kind that is not read here, or not there");
                return None;
            };
            *tried[image].get_or_insert_with(|| match load(document, image, side) {
                Ok(texture) => {
                    textures.push(texture);
                    Some(textures.len() as u32 - 1)
                }
                Err(why) => {
                    lost(&why);
                    None
                }
            })
        });
        materials.push(Material {
            name: material.name.clone().unwrap_or_default(),
            base_color: surface.base_color_factor.0,
            base_texture,
        });
    }
    (materials, textures)
}

fn image_of(document: &Document<'_>, texture: Index<texture::Texture>) -> Option<usize> {
    let image = document.root.get(texture)?.source.value();
    (image < document.root.images.len()).then_some(image)
}

fn load(document: &Document<'_>, image: usize, side: &mut SideFiles<'_>) -> Result<Texture, String> {
    let json = &document.root.images[image];
    let bytes: Arc<[u8]> = match (json.buffer_view, &json.uri) {
        (Some(view), _) => {
            let bytes = view_bytes(document, view).map_err(|fault| fault.reason)?;
            if !document.allow(bytes.len() as u64) {
                return Err("they take too much memory".into());
            }
            bytes.into()
        }
        (None, Some(uri)) => side.get(uri)?,
        (None, None) => return Err("they name no data".into()),
    };
    if !bytes.starts_with(b"\x89PNG\r\n\x1a\n") && !bytes.starts_with(b"\xFF\xD8\xFF") {
        return Err("they are neither PNG nor JPEG".into());
    }
    let uri = json.uri.as_deref().filter(|uri| !uri.starts_with("data:"));
    let name = json.name.clone().or_else(|| uri.map(percent_decode)).unwrap_or_default();
    Ok(Texture { name, bytes })
}
