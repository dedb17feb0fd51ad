//! A file's base-colour images, decoded, made small enough, with their mipmaps.

use std::io::Cursor;
use std::sync::Arc;

use image::{ImageReader, Limits, RgbaImage};
use rayon::prelude::*;

use crate::motion::Texture;

/// An sRGB picture and its halvings down to one pixel.
#[derive(Debug)]
pub(super) struct Picture {
    /// Width and height of the first level, at most [`MAX_SIDE`].
    pub size: [u32; 2],
    /// RGBA bytes per level.
    pub levels: Vec<Vec<u8>>,
    /// Whether its alpha cuts shapes out (hair, leaves), as opposed to holding something else.
    pub cutout: bool,
}

/// Longer sides are halved until they fit: the preview shows no more, and every graphics card takes it.
pub(super) const MAX_SIDE: u32 = 2048;
/// Decoding may take this much memory per picture; a few hostile bytes can claim any size.
const MAX_DECODED_BYTES: u64 = 512 << 20;

/// Decodes side by side. Per texture the index of its picture; one that cannot be decoded leaves a note.
pub(super) fn decode_all(textures: &[Texture], notes: &mut Vec<String>) -> (Vec<Arc<Picture>>, Vec<Option<usize>>) {
    let decoded: Vec<Result<Picture, String>> = textures.par_iter().map(|texture| decode(&texture.bytes)).collect();
    let mut pictures = Vec::new();
    let mut picture_of = Vec::with_capacity(textures.len());
    for (texture, decoded) in textures.iter().zip(decoded) {
        picture_of.push(match decoded {
            Ok(picture) => {
                pictures.push(Arc::new(picture));
                Some(pictures.len() - 1)
            }
            Err(why) => {
                notes.push(format!("image \"{}\" cannot be shown, plain colour instead: {why}", texture.name));
                None
            }
        });
    }
    (pictures, picture_of)
}

fn decode(bytes: &[u8]) -> Result<Picture, String> {
    let mut reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|error| error.to_string())?;
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_DECODED_BYTES);
    limits.max_image_width = Some(16_384);
    limits.max_image_height = Some(16_384);
    reader.limits(limits);
    let mut image = reader.decode().map_err(|error| error.to_string())?.into_rgba8();
    while image.width().max(image.height()) > MAX_SIDE {
        image = halved(&image);
    }
    let size = [image.width(), image.height()];
    if size.contains(&0) {
        return Err("it is empty".into());
    }
    let cutout = cuts_out(&image);
    let mut levels = Vec::new();
    while image.width().max(image.height()) > 1 {
        let next = halved(&image);
        levels.push(std::mem::replace(&mut image, next).into_raw());
    }
    levels.push(image.into_raw());
    Ok(Picture { size, levels, cutout })
}

/// Half as wide and high (never below 1), each pixel the mean of four **in linear light**, or thin bright lines would
/// darken with distance.
fn halved(image: &RgbaImage) -> RgbaImage {
    let (width, height) = image.dimensions();
    let linear: Vec<f32> = (0..=255u8).map(|encoded| super::rgb(u32::from(encoded))[2]).collect();
    RgbaImage::from_fn((width / 2).max(1), (height / 2).max(1), |x, y| {
        let (x1, y1) = ((2 * x + 1).min(width - 1), (2 * y + 1).min(height - 1));
        let four = [(2 * x, 2 * y), (x1, 2 * y), (2 * x, y1), (x1, y1)].map(|(x, y)| {
            // A side of one pixel has no second one.
            image.get_pixel(x.min(width - 1), y.min(height - 1)).0
        });
        let mean = |channel: usize| four.iter().map(|pixel| linear[usize::from(pixel[channel])]).sum::<f32>() * 0.25;
        let alpha = four.iter().map(|pixel| u32::from(pixel[3])).sum::<u32>() / 4;
        image::Rgba([encode(mean(0)), encode(mean(1)), encode(mean(2)), alpha as u8])
    })
}

/// sRGB byte of a linear value.
fn encode(linear: f32) -> u8 {
    let encoded = if linear <= 0.003_130_8 { linear * 12.92 } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 };
    (encoded * 255.0 + 0.5) as u8
}

/// Files do not say here what alpha means. Nearly all of it fully clear or fully solid, and some of both, is a
/// stencil; anything between is gloss or a mask that a game keeps there, which must not punch holes.
fn cuts_out(image: &RgbaImage) -> bool {
    let (mut clear, mut solid, mut all) = (0u64, 0u64, 0u64);
    for pixel in image.pixels() {
        all += 1;
        clear += u64::from(pixel.0[3] < 26);
        solid += u64::from(pixel.0[3] > 229);
    }
    clear * 1000 > all && solid * 20 > all && (clear + solid) * 10 > all * 9
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halving_keeps_the_light() {
        // Half the pixels white, half black: half the light is sRGB 188, not 128.
        let checker = RgbaImage::from_fn(4, 4, |x, y| image::Rgba([255 * ((x + y) % 2) as u8, 0, 0, 255]));
        let half = halved(&checker);
        assert_eq!(half.dimensions(), (2, 2));
        assert!(half.pixels().all(|pixel| pixel.0[0] == 188 && pixel.0[3] == 255), "{:?}", half.get_pixel(0, 0));
        assert_eq!(halved(&RgbaImage::new(1, 7)).dimensions(), (1, 3));
    }

    #[test]
    fn levels_go_down_to_one_pixel() {
        let mut bytes = Vec::new();
        RgbaImage::new(5, 12).write_to(&mut Cursor::new(&mut bytes), image::ImageFormat::Png).unwrap();
        let picture = decode(&bytes).unwrap();
        let pixels: Vec<usize> = picture.levels.iter().map(|level| level.len() / 4).collect();
        assert_eq!(pixels, [60, 12, 3, 1]);
        assert!(decode(&bytes[..bytes.len() / 2]).is_err());
        assert!(decode(b"").is_err());
    }

    #[test]
    fn gloss_in_alpha_cuts_no_holes() {
        let gloss = RgbaImage::from_fn(64, 64, |x, _| image::Rgba([9, 9, 9, (x * 4) as u8]));
        let leaf = RgbaImage::from_fn(64, 64, |x, _| image::Rgba([9, 9, 9, if x < 20 { 0 } else { 255 }]));
        assert!(!cuts_out(&gloss));
        assert!(cuts_out(&leaf));
        assert!(!cuts_out(&RgbaImage::from_pixel(8, 8, image::Rgba([1, 2, 3, 255]))));
    }
}
