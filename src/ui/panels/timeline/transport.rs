//! The row of buttons that move the playhead, with where it is.

use eframe::egui::{ComboBox, DragValue, RichText, Ui};
use lucide_icons::Icon;

use crate::session::{Playback, Session, Transport};
use crate::ui::asks::Asks;
use crate::ui::icons::{icon_button, labelled};
use crate::ui::text::tr;
use crate::ui::theme::{RHYTHM, palette};
use crate::ui::time_axis::TimeAxis;
use crate::ui::time_axis::ruler::shown_frame;
use crate::ui::time_axis::ticks::number;

/// Width of the field with the frame, points: it must not move what is beside it as digits come and go.
const FRAME_FIELD: f32 = RHYTHM * 8.0;
/// Width of the drop-down of speeds, points.
const SPEED_FIELD: f32 = RHYTHM * 9.0;

/// Draws the row.
pub fn transport_ui(ui: &mut Ui, axis: &TimeAxis, session: &Session, asks: &mut Asks) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = RHYTHM / 2.0;
        let playback = session.playback();
        let (play, play_name) =
            if playback.playing { (Icon::Pause, tr("Pause the clip")) } else { (Icon::Play, tr("Play the clip")) };
        for (icon, name, what) in [
            (Icon::SkipBack, tr("First frame"), Transport::First),
            (Icon::StepBack, tr("Previous frame"), Transport::Step(-1)),
            (play, play_name, Transport::Toggle),
            (Icon::StepForward, tr("Next frame"), Transport::Step(1)),
            (Icon::SkipForward, tr("Last frame"), Transport::Last),
        ] {
            if icon_button(ui, icon, name, false).clicked() {
                asks.transport(what);
            }
        }
        speed_ui(ui, playback, asks);
        frame_ui(ui, axis, playback, asks);
        let clip = axis.clip();
        let secs = clip.clamp(playback.secs) - clip.start_secs;
        let text = format!("{secs:.3} / {:.3} s", clip.duration_secs());
        ui.add(eframe::egui::Label::new(RichText::new(text).monospace().color(palette(ui.ctx()).faint)).truncate());
        loop_ui(ui, axis, playback, asks);
    });
}

fn percent(speed: f64) -> String {
    format!("{} %", number(speed * 100.0, 0))
}

fn speed_ui(ui: &mut Ui, playback: &Playback, asks: &mut Asks) {
    let combo = ComboBox::from_id_salt("playback speed").width(SPEED_FIELD).selected_text(percent(playback.speed));
    let shown = combo.show_ui(ui, |ui| {
        for speed in Playback::SPEEDS {
            if ui.selectable_label(speed == playback.speed, percent(speed)).clicked() {
                asks.transport(Transport::Speed(speed));
            }
        }
    });
    shown.response.accessible_name(tr("Playback speed")).on_hover_text(tr("Playback speed"));
}

fn frame_ui(ui: &mut Ui, axis: &TimeAxis, playback: &Playback, asks: &mut Asks) {
    let last = axis.first_frame + axis.last_frame();
    let now = shown_frame(axis, axis.clip().clamp(playback.secs)).round() as i64;
    let mut frame = now;
    let field = DragValue::new(&mut frame).speed(0.2).range(axis.first_frame..=last).update_while_editing(false);
    let height = ui.spacing().interact_size.y;
    let response = ui.add_sized([FRAME_FIELD, height], field);
    if response.changed() && frame != now {
        asks.transport(Transport::Seek(axis.frame_secs((frame - axis.first_frame) as f64)));
    }
    response.accessible_name(tr("Frame")).on_hover_text(tr("The frame that is shown: drag it, or type its number"));
}

fn loop_ui(ui: &mut Ui, axis: &TimeAxis, playback: &Playback, asks: &mut Asks) {
    if playback.looped.is_none() {
        return;
    }
    ui.add_space(RHYTHM);
    let span = playback.span(axis.clip());
    let [from, to] = [span.start_secs, span.end_secs].map(|secs| number(shown_frame(axis, secs).round(), 0));
    let text = labelled(Icon::Repeat, &format!("{from} – {to}"));
    ui.label(RichText::new(text).color(palette(ui.ctx()).accent)).on_hover_text(tr("The frames that loop"));
    if icon_button(ui, Icon::X, tr("Loop the whole clip"), false).clicked() {
        asks.transport(Transport::Loop(None));
    }
}
