//! What the file says of its own axes, unit, frame rate and author.

use glam::DQuat;
use ufbx::{CoordinateAxes, CoordinateAxis, MirrorAxis, TimeMode};

use super::Findings;
use crate::motion::{FileSpace, FrameRate, WarningKind};

/// ufbx's `right` is the viewer's right, who looks at the character's front: with +X to the right and +Y up a
/// character that faces its file's front faces +Z, and its own right is −X.
pub(super) const TARGET_AXES: CoordinateAxes = CoordinateAxes {
    right: CoordinateAxis::PositiveX,
    up: CoordinateAxis::PositiveY,
    front: CoordinateAxis::PositiveZ,
};

/// The file's space. A left-handed file is mirrored in x after the rotation.
pub(super) fn file_space(scene: &ufbx::Scene) -> FileSpace {
    let q = scene.metadata.root_rotation;
    FileSpace {
        metres_per_unit: scene.metadata.geometry_scale,
        rotation: DQuat::from_xyzw(q.x, q.y, q.z, q.w),
        left_handed: scene.metadata.mirror_axis != MirrorAxis::None,
    }
}

/// "FBX 7.4 binary, Maya 2019".
pub(super) fn description(scene: &ufbx::Scene) -> String {
    let meta = &scene.metadata;
    let kind = if meta.ascii { "ASCII" } else { "binary" };
    let version = format!("FBX {}.{} {kind}", meta.version / 1000, meta.version / 100 % 10);
    let application = format!("{} {}", &*meta.original_application.name, &*meta.original_application.version);
    match (application.trim(), meta.creator.trim()) {
        ("", "") => version,
        ("", creator) => format!("{version}, {creator}"),
        (application, _) => format!("{version}, {application}"),
    }
}

/// Says what was converted. Centimetres, Y up and right-handed is what FBX means by default and needs no word.
pub(super) fn tell_of(scene: &ufbx::Scene, findings: &mut Findings) {
    const PLACE: &str = "GlobalSettings";
    let (unit, axes) = (scene.settings.unit_meters, scene.settings.axes);
    if (unit - 0.01).abs() > 1e-9 {
        findings.add(WarningKind::Units, PLACE, &format!("one unit of the file is {unit} m; lengths were converted"));
    }
    if !ufbx::coordinate_axes_valid(axes) {
        findings.add(WarningKind::Axes, PLACE, "the file does not say which way is up; +Y was taken");
    } else if scene.metadata.mirror_axis != MirrorAxis::None {
        let message = "the file is left-handed and was mirrored; it can be exported as GLB only";
        findings.add(WarningKind::Axes, PLACE, message);
    } else if axes.right != TARGET_AXES.right || axes.up != TARGET_AXES.up || axes.front != TARGET_AXES.front {
        let (up, front) = (axis_name(axes.up), axis_name(axes.front));
        let message = format!("the file has {up} up and {front} in front; it was turned to +Y up and +Z in front");
        findings.add(WarningKind::Axes, PLACE, &message);
    }
    let mode = time_mode(scene).unwrap_or(0);
    if !(0..=17).contains(&mode) {
        let taken = match frame_rate(scene) {
            Some(rate) => format!("{:.2} frames per second were taken", rate.fps()),
            None => "the rate was taken from the keys".into(),
        };
        findings.add(WarningKind::Timing, PLACE, &format!("the frame rate has the unknown TimeMode {mode}; {taken}"));
    }
}

/// The rate that the file names; `None` where it names none, an unknown one, or nonsense.
pub(super) fn frame_rate(scene: &ufbx::Scene) -> Option<FrameRate> {
    // The broadcast rates are thousandths of 1001, which two decimals do not say.
    let of_ntsc = |frames: f64| FrameRate::new(frames * 1000.0 / 1001.0);
    // Recent SDKs write 18 for 119.88, which ufbx does not know.
    match time_mode(scene)? {
        1..=17 => match scene.settings.time_mode {
            TimeMode::NtscDropFrame | TimeMode::NtscFullFrame => of_ntsc(30.0),
            TimeMode::FilmFullFrame => of_ntsc(24.0),
            TimeMode::E5994Fps => of_ntsc(60.0),
            _ => FrameRate::new(scene.settings.frames_per_second),
        },
        18 => of_ntsc(120.0),
        _ => None,
    }
}

/// As written; ufbx turns what it does not know into 24 frames per second.
fn time_mode(scene: &ufbx::Scene) -> Option<i64> {
    ufbx::find_prop(&scene.settings.props, "TimeMode").map(|mode| mode.value_int)
}

fn axis_name(axis: CoordinateAxis) -> &'static str {
    match axis {
        CoordinateAxis::PositiveX => "+X",
        CoordinateAxis::NegativeX => "−X",
        CoordinateAxis::PositiveY => "+Y",
        CoordinateAxis::NegativeY => "−Y",
        CoordinateAxis::PositiveZ => "+Z",
        CoordinateAxis::NegativeZ => "−Z",
        CoordinateAxis::Unknown => "an unknown axis",
    }
}
