//! A window without a display, its jobs in line, on the demo character or on files.

use eframe::egui::{Theme, Vec2};
use egui_kittest::Harness;
use stridesmith::motion::FileId;
use stridesmith::session::{JobMode, Session};
use stridesmith::ui::{App, demo_file};

/// A session with the demo character on its desk.
pub fn demo_session() -> Session {
    let mut session = Session::new(JobMode::Inline);
    session.open_generated(|id| stridesmith::motion::SourceFile { id, ..demo_file(FileId(0)).unwrap() }).unwrap();
    session
}

/// The window over a session, 1600 × 900 unless `size` says otherwise. It plays: run single steps.
pub fn window(session: Session, size: Vec2) -> Harness<'static, App> {
    Harness::builder()
        .with_size(size)
        .with_theme(Theme::Dark)
        .wgpu()
        .build_eframe(move |creation| App::new(&creation.egui_ctx, session, None))
}
