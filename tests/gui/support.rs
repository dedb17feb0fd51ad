//! A window without a display, its jobs in line, on the demo character or on files.

use eframe::egui::{Theme, Vec2};
use egui_kittest::{Harness, HarnessBuilder};
use stridesmith::motion::FileId;
use stridesmith::session::demo::demo_file;
use stridesmith::session::{JobMode, Session};
use stridesmith::ui::App;

/// A session with the demo character on its desk.
pub fn demo_session() -> Session {
    let mut session = Session::new(JobMode::Inline);
    session.open_generated(|id| stridesmith::motion::SourceFile { id, ..demo_file(FileId(0)).unwrap() }).unwrap();
    session
}

/// The window over a session. It plays: run single steps. A letter that no font has ends the test.
pub fn window(session: Session, size: Vec2) -> Harness<'static, App> {
    over(Harness::builder(), session, size)
}

/// The same for files by other people, whose names have letters that the program's own fonts lack.
pub fn window_for_any_name(session: Session, size: Vec2) -> Harness<'static, App> {
    over(Harness::builder().allow_missing_glyphs(), session, size)
}

fn over(builder: HarnessBuilder<App>, session: Session, size: Vec2) -> Harness<'static, App> {
    builder.with_size(size).with_theme(Theme::Dark).wgpu().build_eframe(move |creation| {
        let mut app = App::new(&creation.egui_ctx, session, None);
        app.use_device(creation.wgpu_render_state.as_ref());
        app
    })
}
