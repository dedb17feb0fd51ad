//! The frame around the panels.

use eframe::egui::Vec2;
use egui_kittest::kittest::Queryable as _;

use crate::support::{demo_session, window};

#[test]
fn every_panel_has_a_tab() {
    let mut window = window(demo_session(), Vec2::new(1600.0, 900.0));
    window.run_steps(2);
    for tab in ["Clips", "Rig", "3D view", "Timeline", "Travel", "Speed", "Checks", "Actions", "Steps", "History"] {
        assert!(window.query_all_by_label(tab).next().is_some(), "no tab {tab}");
    }
}
