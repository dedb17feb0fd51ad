//! Colours, sizes and fonts: the only place with literals of them. Few colours, each with one meaning.

use std::sync::Arc;

use eframe::egui::{
    self, Color32, Context, CornerRadius, FontData, FontDefinitions, FontFamily, FontId, Margin, Stroke, TextStyle,
    Vec2, style::WidgetVisuals,
};
use serde::{Deserialize, Serialize};

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThemeChoice {
    /// Light letters on dark.
    #[default]
    Dark,
    /// Dark letters on light.
    Light,
}

/// Everything keeps to multiples of this, in points.
pub const RHYTHM: f32 = 8.0;
/// Height of a bar of buttons, points.
pub const BAR_HEIGHT: f32 = 32.0;
/// Height of a row of a table, points.
pub const ROW_HEIGHT: f32 = 24.0;

/// What colours mean. Left and right are told apart by colour-blind people, and carry letters where they are named.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Palette {
    /// Behind the figure.
    pub backdrop: Color32,
    /// Behind panels.
    pub panel: Color32,
    /// Behind plots and lists.
    pub well: Color32,
    /// Lines between things.
    pub line: Color32,
    /// The grid's lines in the 3D view and in plots.
    pub grid: Color32,
    /// Text.
    pub text: Color32,
    /// Text that matters less.
    pub faint: Color32,
    /// What is chosen or under way: the accent.
    pub accent: Color32,
    /// Behind what is chosen.
    pub accent_fill: Color32,
    /// The character's left.
    pub left: Color32,
    /// The character's right.
    pub right: Color32,
    /// As the source has it.
    pub raw: Color32,
    /// As the steps make it.
    pub chosen: Color32,
    /// The root.
    pub root: Color32,
    /// To be looked at.
    pub warning: Color32,
    /// Broken.
    pub error: Color32,
    /// In order.
    pub good: Color32,
    /// The playhead.
    pub playhead: Color32,
}

const DARK: Palette = Palette {
    backdrop: Color32::from_rgb(0x1b, 0x1d, 0x21),
    panel: Color32::from_rgb(0x14, 0x15, 0x18),
    well: Color32::from_rgb(0x0d, 0x0e, 0x10),
    line: Color32::from_rgb(0x2c, 0x2f, 0x35),
    grid: Color32::from_rgb(0x3a, 0x3e, 0x46),
    text: Color32::from_rgb(0xd6, 0xd9, 0xde),
    faint: Color32::from_rgb(0x8d, 0x93, 0x9e),
    accent: Color32::from_rgb(0x6c, 0xb2, 0xff),
    accent_fill: Color32::from_rgb(0x1f, 0x3f, 0x63),
    left: Color32::from_rgb(0x4f, 0xb3, 0xd9),
    right: Color32::from_rgb(0xf0, 0x8a, 0x3c),
    raw: Color32::from_rgb(0x9a, 0x9f, 0xaa),
    chosen: Color32::from_rgb(0x7d, 0xd3, 0x8a),
    root: Color32::from_rgb(0xd9, 0x84, 0xd4),
    warning: Color32::from_rgb(0xf2, 0xc1, 0x4e),
    error: Color32::from_rgb(0xff, 0x6b, 0x6b),
    good: Color32::from_rgb(0x7d, 0xd3, 0x8a),
    playhead: Color32::from_rgb(0xff, 0xff, 0xff),
};

const LIGHT: Palette = Palette {
    backdrop: Color32::from_rgb(0xdf, 0xe2, 0xe6),
    panel: Color32::from_rgb(0xf7, 0xf8, 0xf9),
    well: Color32::from_rgb(0xff, 0xff, 0xff),
    line: Color32::from_rgb(0xd2, 0xd6, 0xdb),
    grid: Color32::from_rgb(0xb9, 0xbe, 0xc6),
    text: Color32::from_rgb(0x1f, 0x23, 0x28),
    faint: Color32::from_rgb(0x62, 0x69, 0x73),
    accent: Color32::from_rgb(0x0b, 0x5c, 0xc4),
    accent_fill: Color32::from_rgb(0xc6, 0xdd, 0xf8),
    left: Color32::from_rgb(0x0b, 0x77, 0xa6),
    right: Color32::from_rgb(0xb8, 0x55, 0x0c),
    raw: Color32::from_rgb(0x6b, 0x72, 0x7d),
    chosen: Color32::from_rgb(0x1d, 0x7a, 0x34),
    root: Color32::from_rgb(0x98, 0x32, 0x91),
    warning: Color32::from_rgb(0x8f, 0x63, 0x00),
    error: Color32::from_rgb(0xbe, 0x22, 0x22),
    good: Color32::from_rgb(0x1d, 0x7a, 0x34),
    playhead: Color32::from_rgb(0x00, 0x00, 0x00),
};

/// The colours of the theme in use.
pub fn palette(context: &Context) -> &'static Palette {
    match context.theme() {
        egui::Theme::Dark => &DARK,
        egui::Theme::Light => &LIGHT,
    }
}

/// The colours of a theme.
pub const fn palette_of(choice: ThemeChoice) -> &'static Palette {
    match choice {
        ThemeChoice::Dark => &DARK,
        ThemeChoice::Light => &LIGHT,
    }
}

/// Fonts and both themes; once, when the window opens.
pub fn install(context: &Context) {
    context.set_fonts(fonts());
    // Names come from anywhere: a letter that no font has is a box, never the end of the program.
    context.set_missing_glyph_policy(egui::MissingGlyphPolicy::Tofu);
    context.style_mut_of(egui::Theme::Dark, |style| restyle(style, &DARK));
    context.style_mut_of(egui::Theme::Light, |style| restyle(style, &LIGHT));
}

/// Light or dark from now on.
pub fn choose(context: &Context, choice: ThemeChoice) {
    context.set_theme(match choice {
        ThemeChoice::Dark => egui::Theme::Dark,
        ThemeChoice::Light => egui::Theme::Light,
    });
}

/// Text, icons, and, where the system has one, a font for Chinese, Japanese and Korean names.
fn fonts() -> FontDefinitions {
    let mut fonts = FontDefinitions::default();
    let mut add = |name: &str, data: FontData| {
        fonts.font_data.insert(name.into(), Arc::new(data));
        for family in [FontFamily::Proportional, FontFamily::Monospace] {
            fonts.families.entry(family).or_default().push(name.into());
        }
    };
    add("icons", FontData::from_static(lucide_icons::LUCIDE_FONT_BYTES));
    if let Some(bytes) = system_cjk_font() {
        add("cjk", FontData::from_owned(bytes));
    }
    fonts
}

/// The first of the usual places that holds one.
fn system_cjk_font() -> Option<Vec<u8>> {
    const PLACES: [&str; 7] = [
        "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
        "/usr/share/fonts/noto-cjk/NotoSansCJK-Regular.ttc",
        "/usr/share/fonts/google-noto-cjk/NotoSansCJK-Regular.ttc",
        "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc",
        "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf",
        "/System/Library/Fonts/PingFang.ttc",
        "C:\\Windows\\Fonts\\msyh.ttc",
    ];
    PLACES.iter().find_map(|place| std::fs::read(place).ok())
}

fn restyle(style: &mut egui::Style, palette: &Palette) {
    let size = |points: f32| FontId::new(points, FontFamily::Proportional);
    style.text_styles = [
        (TextStyle::Small, size(11.0)),
        (TextStyle::Body, size(13.0)),
        (TextStyle::Button, size(13.0)),
        (TextStyle::Heading, size(16.0)),
        (TextStyle::Monospace, FontId::new(12.0, FontFamily::Monospace)),
    ]
    .into();
    style.spacing.item_spacing = Vec2::new(RHYTHM, RHYTHM / 2.0);
    style.spacing.button_padding = Vec2::new(RHYTHM, RHYTHM / 2.0);
    style.spacing.interact_size.y = ROW_HEIGHT;
    style.spacing.menu_margin = Margin::same(RHYTHM as i8 / 2);
    style.spacing.window_margin = Margin::same(RHYTHM as i8);
    style.spacing.slider_width = 120.0;
    // A slow fade reads as lag in a tool that is clicked all day.
    style.animation_time = 0.08;
    let visuals = &mut style.visuals;
    visuals.panel_fill = palette.panel;
    visuals.window_fill = palette.panel;
    visuals.extreme_bg_color = palette.well;
    visuals.faint_bg_color = palette.line.gamma_multiply(0.35);
    visuals.window_stroke = Stroke::new(1.0, palette.line);
    visuals.override_text_color = Some(palette.text);
    visuals.weak_text_color = Some(palette.faint);
    visuals.hyperlink_color = palette.accent;
    visuals.warn_fg_color = palette.warning;
    visuals.error_fg_color = palette.error;
    visuals.selection.bg_fill = palette.accent_fill;
    visuals.selection.stroke = Stroke::new(1.0, palette.accent);
    visuals.striped = false;
    let corner = CornerRadius::same(4);
    let restyle = |widget: &mut WidgetVisuals, fill: Color32, stroke: Color32| {
        widget.bg_fill = fill;
        widget.weak_bg_fill = fill;
        widget.bg_stroke = Stroke::new(1.0, stroke);
        widget.fg_stroke.color = palette.text;
        widget.corner_radius = corner;
        widget.expansion = 0.0;
    };
    let between = |share: f32| palette.panel.lerp_to_gamma(palette.text, share);
    restyle(&mut visuals.widgets.noninteractive, palette.panel, palette.line);
    restyle(&mut visuals.widgets.inactive, between(0.10), Color32::TRANSPARENT);
    restyle(&mut visuals.widgets.hovered, between(0.18), between(0.3));
    restyle(&mut visuals.widgets.active, between(0.26), palette.accent);
    restyle(&mut visuals.widgets.open, between(0.14), palette.line);
}
