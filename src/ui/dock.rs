//! Where panels are: docks that can be dragged, tabbed and closed, and the layout they start with.

use eframe::egui::{self, Ui, WidgetText};
use egui_tiles::{Behavior, Container, Linear, LinearDir, SimplificationOptions, TileId, Tiles, Tree, UiResponse};
use serde::{Deserialize, Serialize};

use super::asks::Asks;
use super::panels::Panels;
use super::text::tr;
use super::theme::{BAR_HEIGHT, palette};
use crate::session::Session;

/// The panels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "named as they are titled")]
pub enum Pane {
    Clips,
    Rig,
    Viewport,
    Timeline,
    Travel,
    Speed,
    Checks,
    Actions,
    Steps,
    History,
}

impl Pane {
    /// All there are.
    pub const ALL: [Self; 10] = [
        Self::Clips,
        Self::Rig,
        Self::Viewport,
        Self::Timeline,
        Self::Travel,
        Self::Speed,
        Self::Checks,
        Self::Actions,
        Self::Steps,
        Self::History,
    ];

    /// On its tab.
    pub fn title(self) -> &'static str {
        match self {
            Self::Clips => tr("Clips"),
            Self::Rig => tr("Rig"),
            Self::Viewport => tr("3D view"),
            Self::Timeline => tr("Timeline"),
            Self::Travel => tr("Travel"),
            Self::Speed => tr("Speed"),
            Self::Checks => tr("Checks"),
            Self::Actions => tr("Actions"),
            Self::Steps => tr("Steps"),
            Self::History => tr("History"),
        }
    }

    /// In files.
    pub fn id(self) -> &'static str {
        match self {
            Self::Clips => "panel_clips",
            Self::Rig => "panel_rig",
            Self::Viewport => "panel_view",
            Self::Timeline => "panel_timeline",
            Self::Travel => "panel_travel",
            Self::Speed => "panel_speed",
            Self::Checks => "panel_checks",
            Self::Actions => "panel_actions",
            Self::Steps => "panel_steps",
            Self::History => "panel_history",
        }
    }
}

/// The docks.
#[derive(Serialize, Deserialize)]
pub struct Dock {
    tree: Tree<Pane>,
}

impl Default for Dock {
    fn default() -> Self {
        let mut tiles = Tiles::default();
        let mut tabs = |panes: &[Pane]| {
            let children: Vec<TileId> = panes.iter().map(|&pane| tiles.insert_pane(pane)).collect();
            tiles.insert_tab_tile(children)
        };
        let clips = tabs(&[Pane::Clips]);
        let rig = tabs(&[Pane::Rig]);
        let viewport = tabs(&[Pane::Viewport]);
        let bottom = tabs(&[Pane::Timeline, Pane::Travel, Pane::Speed]);
        let checks = tabs(&[Pane::Checks, Pane::Actions]);
        let steps = tabs(&[Pane::Steps, Pane::History]);
        let mut split = |dir: LinearDir, parts: &[(TileId, f32)]| {
            let mut linear = Linear::new(dir, parts.iter().map(|part| part.0).collect());
            for &(tile, share) in parts {
                linear.shares.set_share(tile, share);
            }
            tiles.insert_container(Container::Linear(linear))
        };
        let left = split(LinearDir::Vertical, &[(clips, 0.62), (rig, 0.38)]);
        let centre = split(LinearDir::Vertical, &[(viewport, 0.7), (bottom, 0.3)]);
        let right = split(LinearDir::Vertical, &[(checks, 0.62), (steps, 0.38)]);
        let root = split(LinearDir::Horizontal, &[(left, 0.24), (centre, 0.53), (right, 0.23)]);
        Self { tree: Tree::new(egui::Id::unique("dock"), root, tiles) }
    }
}

impl Dock {
    /// Draws all panels.
    pub fn ui(&mut self, ui: &mut Ui, panels: &mut Panels, session: &Session, asks: &mut Asks) {
        // Tab bars are translucent: what is behind them is the panels' own colour, in either theme.
        ui.painter().rect_filled(ui.available_rect_before_wrap(), 0.0, palette(ui.ctx()).panel);
        let mut behavior = Docked { panels, session, asks };
        self.tree.ui(&mut behavior, ui);
    }

    /// Brings a panel to the front, and back where it was closed.
    pub fn show(&mut self, pane: Pane) {
        let found = self.tree.tiles.find_pane(&pane);
        let tile = found.unwrap_or_else(|| {
            let tile = self.tree.tiles.insert_pane(pane);
            match self.tree.root() {
                Some(root) => self.tree.move_tile_to_container(tile, root, usize::MAX, false),
                None => self.tree = Tree::new(egui::Id::unique("dock"), tile, std::mem::take(&mut self.tree.tiles)),
            }
            tile
        });
        self.tree.set_visible(tile, true);
        self.tree.make_active(|id, _| id == tile);
    }

    /// Whether a panel can be seen now.
    pub fn is_in_front(&self, pane: Pane) -> bool {
        self.tree.tiles.find_pane(&pane).is_some_and(|tile| self.tree.active_tiles().contains(&tile))
    }
}

struct Docked<'a> {
    panels: &'a mut Panels,
    session: &'a Session,
    asks: &'a mut Asks,
}

impl Behavior<Pane> for Docked<'_> {
    fn pane_ui(&mut self, ui: &mut Ui, _tile: TileId, pane: &mut Pane) -> UiResponse {
        let fill = palette(ui.ctx()).panel;
        ui.painter().rect_filled(ui.max_rect(), 0.0, fill);
        self.panels.ui(*pane, ui, self.session, self.asks);
        UiResponse::None
    }

    fn tab_title_for_pane(&mut self, pane: &Pane) -> WidgetText {
        pane.title().into()
    }

    fn is_tab_closable(&self, tiles: &Tiles<Pane>, tile: TileId) -> bool {
        !matches!(tiles.get_pane(&tile), Some(Pane::Viewport))
    }

    fn tab_bar_height(&self, _style: &egui::Style) -> f32 {
        BAR_HEIGHT - 4.0
    }

    fn gap_width(&self, _style: &egui::Style) -> f32 {
        2.0
    }

    fn tab_bar_color(&self, visuals: &egui::Visuals) -> egui::Color32 {
        visuals.faint_bg_color
    }

    fn simplification_options(&self) -> SimplificationOptions {
        SimplificationOptions { all_panes_must_have_tabs: true, ..Default::default() }
    }

    fn dragged_overlay_color(&self, _visuals: &egui::Visuals) -> egui::Color32 {
        egui::Color32::TRANSPARENT
    }

    fn tab_text_color(
        &self,
        visuals: &egui::Visuals,
        _tiles: &Tiles<Pane>,
        _tile: TileId,
        state: &egui_tiles::TabState,
    ) -> egui::Color32 {
        if state.active { visuals.text_color() } else { visuals.weak_text_color() }
    }
}

/// The frame panels draw in: room around the contents, no wider than they have.
pub fn padded(ui: &mut Ui, contents: impl FnOnce(&mut Ui)) {
    egui::Frame::new().inner_margin(super::theme::RHYTHM).show(ui, |ui| {
        ui.set_min_size(ui.available_size());
        contents(ui);
    });
}

/// A line across the middle of an empty panel: what would be here, and how to get it.
pub fn empty_ui(ui: &mut Ui, text: &str) {
    let colour = palette(ui.ctx()).faint;
    ui.vertical_centered(|ui| {
        ui.add_space(super::theme::RHYTHM * 2.0);
        ui.label(egui::RichText::new(text).color(colour));
    });
}
