//! stub
use super::staging::Staging;
use super::viewpoint::Viewpoint;
use crate::motion::BoneIndex;
use crate::session::View;
use crate::ui::theme::Palette;
/// s
#[derive(Default)]
pub struct Scene;
/// s
pub fn build(_: &Staging<'_>, _: &View, _: &Viewpoint, _: &mut (), _: Option<BoneIndex>, _: &Palette) -> Scene {
    Scene
}
