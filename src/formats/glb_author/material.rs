//! Materials by their base colour, and images that glTF can hold.

use std::collections::HashMap;

use crate::motion::{Warning, WarningKind};

use super::Author;
use super::document::{Image, Material, Pbr, Texture, TextureInfo};

impl Author<'_> {
    /// The number of a source's material in the file, which gets it on first use.
    pub(super) fn material(&mut self, number: u32, known: &mut HashMap<u32, usize>) -> Option<usize> {
        if let Some(index) = known.get(&number) {
            return Some(*index);
        }
        let material = self.file.materials.get(number as usize)?;
        let color = material.base_color.map(|c| if c.is_finite() { f64::from(c.clamp(0.0, 1.0)) } else { 1.0 });
        let texture = material.base_texture.and_then(|texture| self.texture(texture));
        self.document.materials.push(Material {
            name: material.name.clone(),
            pbr_metallic_roughness: Pbr {
                base_color_factor: color,
                base_color_texture: texture.map(|index| TextureInfo { index }),
                metallic_factor: 0.0,
                roughness_factor: 1.0,
            },
            alpha_mode: (color[3] < 1.0).then_some("BLEND"),
        });
        let index = self.document.materials.len() - 1;
        known.insert(number, index);
        Some(index)
    }

    fn texture(&mut self, number: u32) -> Option<usize> {
        let texture = self.file.textures.get(number as usize)?;
        // A picture that two materials share goes in once.
        let name = &texture.name;
        let Some(mime_type) = mime(&texture.bytes) else {
            self.warnings.push(Warning {
                kind: WarningKind::Dropped,
                place: name.clone(),
                message: "an image that is neither PNG nor JPEG, the two that glTF holds, was left out".into(),
                count: 1,
            });
            return None;
        };
        if let Some(known) = self.images.get(&number) {
            return Some(*known);
        }
        let view = self.data.view(None);
        self.data.push(view, &texture.bytes);
        let buffer_view = self.data.view_number(view);
        self.document.images.push(Image { name: name.clone(), buffer_view, mime_type });
        self.document.textures.push(Texture { source: self.document.images.len() - 1 });
        let index = self.document.textures.len() - 1;
        self.images.insert(number, index);
        Some(index)
    }
}

/// What an image is, by its first bytes.
fn mime(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        Some("image/png")
    } else if bytes.starts_with(&[0xFF, 0xD8, 0xFF]) {
        Some("image/jpeg")
    } else {
        None
    }
}
