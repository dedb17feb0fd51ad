//! Steps: how they are written, edited, and what they do to time.

use super::*;

#[test]
fn start_at_zero_moves_time_and_nothing_else() {
    let session = {
        let mut session = desk_with(&["walk"]);
        apply(&mut session, &[0]).unwrap();
        session
    };
    let (old, new) = (session.evaluate(ClipId(0)).unwrap(), session.evaluate(ClipId(1)).unwrap());
    let tracks = |e: &stridesmith::ops::Evaluation| e.clip.tracks.clone().into_iter().flatten().flatten().collect();
    let (old_tracks, new_tracks): (Vec<Arc<Track>>, Vec<Arc<Track>>) = (tracks(&old), tracks(&new));
    assert_eq!(new_tracks.len(), 2);
    for (old, new) in old_tracks.iter().zip(&new_tracks) {
        assert!(Arc::ptr_eq(&old.values, &new.values));
        assert_eq!((new.values_from, new.times_from), (old.values_from, None));
        assert!(old.times_from.is_some());
        assert_eq!(new.times.first(), 0.0);
        for i in 0..old.times.len() {
            assert!((new.times.at(i) - (old.times.at(i) - 0.5)).abs() < 1e-12);
        }
    }
    assert!(Arc::ptr_eq(&new_tracks[0].times, &new_tracks[1].times), "shared times go on being shared");
    let contact = &new.clip.contacts[0];
    assert!((contact.start_secs - 0.1).abs() < 1e-12 && (contact.end_secs - 0.4).abs() < 1e-12);
    assert!((new.clip.markers[0].time_secs - 0.1).abs() < 1e-12);
    assert_eq!(new.clip.curves[0].keys, [(0.0, 1.5), (1.0, 1.5)]);
    let report = new.reports[0].as_ref().unwrap();
    assert_eq!((report.figures[0].value, report.figures[0].unit.as_str()), (-0.5, "s"));
}

#[test]
fn steps_can_be_edited_and_only_those_that_are_there() {
    let mut session = desk_with(&["walk"]);
    apply(&mut session, &[0]).unwrap();
    let out = ClipId(1);
    change(&mut session, Change::apply_here(start_at_zero(), vec![out])).unwrap();
    assert_eq!(session.document().clips().len(), 2);
    assert_eq!(session.history().undo_label(), Some("Start at 0 here"));
    change(&mut session, Change::ToggleStep { clip: out, step: 0, on: false }).unwrap();
    assert_eq!(session.history().undo_label(), Some("Switch step off"));
    let head = session.history().head();
    change(&mut session, Change::ToggleStep { clip: out, step: 0, on: false }).unwrap();
    change(&mut session, Change::SetStep { clip: out, step: 0, op: start_at_zero() }).unwrap();
    change(&mut session, Change::MoveStep { clip: out, from: 1, to: 1 }).unwrap();
    assert_eq!(session.history().head(), head, "what changes nothing makes no step");
    let evaluation = session.evaluate(out).unwrap();
    assert_eq!(evaluation.reports.iter().map(Option::is_some).collect::<Vec<_>>(), [false, true]);
    change(&mut session, Change::MoveStep { clip: out, from: 1, to: 0 }).unwrap();
    let on: Vec<bool> = session.document().clip(out).unwrap().steps().iter().map(|step| step.on).collect();
    assert_eq!(on, [true, false]);
    let missing = change(&mut session, Change::DeleteStep { clip: out, step: 2 });
    assert_eq!(refusal(missing), "\"walk_Start0\" has 2 steps, there is no step 3");
    change(&mut session, Change::DeleteStep { clip: out, step: 0 }).unwrap();
    change(&mut session, Change::DeleteStep { clip: out, step: 0 }).unwrap();
    assert_eq!(session.evaluate(out).unwrap().clip.range.start_secs, 0.5);
}

#[test]
fn a_step_is_written_in_one_way() {
    let step = Step::new(start_at_zero());
    assert_eq!(step.canonical(), r#"{"op":"start_at_zero","v":1}"#);
    let off = Step { on: false, ..step.clone() };
    assert_eq!(off.canonical(), r#"{"op":"start_at_zero","v":1,"on":false}"#);
    for step in [step, off] {
        assert_eq!(serde_json::from_str::<Step>(&step.canonical()).unwrap(), step);
    }
    let newer = serde_json::from_str::<Step>(r#"{"op":"start_at_zero","v":9}"#).unwrap_err().to_string();
    assert!(newer.contains("version 9") && newer.contains("knows 1"), "{newer}");
    assert!(serde_json::from_str::<Step>(r#"{"op":"no_such_op","v":1}"#).is_err());
    let action =
        Action::Change(Change::Apply { steps: vec![Step::new(start_at_zero())], clips: vec![ClipId(3)], here: false });
    let text = serde_json::to_string(&action).unwrap();
    assert_eq!(serde_json::from_str::<Action>(&text).unwrap(), action);
}

#[test]
fn marks_go_where_the_keys_go() {
    use stridesmith::ops::TimeMap;
    let contact = |start_secs, end_secs| Contact { bone: "foot".into(), start_secs, end_secs };
    let marker = |time_secs| Marker { track: "FootSync".into(), name: "l".into(), time_secs, ours: true };
    let spans = |map: TimeMap, from: &[Contact]| -> Vec<(f64, f64)> {
        map.contacts(from).iter().map(|c| (c.start_secs, c.end_secs)).collect()
    };
    let times = |map: TimeMap, from: &[f64]| -> Vec<f64> {
        let markers: Vec<Marker> = from.iter().map(|&t| marker(t)).collect();
        map.markers(&markers).iter().map(|m| m.time_secs).collect()
    };
    let plants = [contact(0.0, 0.25), contact(0.75, 1.0)];
    let slow = TimeMap::Affine { scale: 2.0, offset_secs: 1.0 };
    assert_eq!(spans(slow, &plants), [(1.0, 1.5), (2.5, 3.0)]);
    assert_eq!(spans(TimeMap::Crop { start_secs: 0.125, end_secs: 0.75 }, &plants), [(0.125, 0.25)]);
    let half = TimeMap::Rotate { start_secs: 0.0, end_secs: 1.0, at_secs: 0.5 };
    assert_eq!(spans(half, &plants), [(0.25, 0.75)], "the plant that the seam had cut is whole again");
    let late = TimeMap::Rotate { start_secs: 0.0, end_secs: 1.0, at_secs: 0.875 };
    assert_eq!(spans(late, &plants), [(0.0, 0.375), (0.875, 1.0)], "and one that the new seam cuts is two");
    let twice = TimeMap::Repeat { start_secs: 0.0, end_secs: 1.0, count: 2 };
    assert_eq!(spans(twice, &plants), [(0.0, 0.25), (0.75, 1.25), (1.75, 2.0)]);
    assert_eq!(times(half, &[0.0, 0.5, 1.0]), [0.0, 0.5], "one marker at the seam, not two");
    assert_eq!(times(twice, &[0.0, 0.5]), [0.0, 0.5, 1.0, 1.5]);
    assert_eq!(times(twice, &[0.0, 1.0]), [0.0, 1.0, 2.0]);
    assert_eq!(times(TimeMap::Crop { start_secs: 0.25, end_secs: 0.5 }, &[0.0, 0.25, 0.5, 0.75]), [0.25, 0.5]);
    let curve = |keys: &[(f64, f64)]| Curve { name: "Speed".into(), unit: "m/s".into(), keys: keys.to_vec() };
    let ramp = curve(&[(0.0, 0.0), (1.0, 4.0)]);
    let cropped = TimeMap::Crop { start_secs: 0.25, end_secs: 0.5 }.curve(&ramp);
    assert_eq!(cropped.keys, [(0.25, 1.0), (0.5, 2.0)]);
    let turned = half.curve(&ramp).keys;
    assert_eq!(turned, [(0.0, 2.0), (0.499, 4.0), (0.5, 0.0), (1.0, 2.0)], "a jump takes a millisecond");
    let bump = curve(&[(0.0, 1.0), (0.5, 3.0), (1.0, 1.0)]);
    assert_eq!(twice.curve(&bump).keys, [(0.0, 1.0), (0.5, 3.0), (1.0, 1.0), (1.5, 3.0), (2.0, 1.0)]);
    assert!(twice.curve(&curve(&[])).keys.is_empty());
}

#[test]
fn a_setting_that_cannot_be_written_is_refused() {
    let mut session = demo_desk();
    let take = session.selection().shown().unwrap();
    for bad in [f64::NAN, f64::INFINITY] {
        let result = change(&mut session, Change::apply(extract(bad), vec![take]));
        assert_eq!(refusal(result), "Extract root motion: a setting is not a finite number: type another");
    }
    change(&mut session, Change::apply(extract(0.3), vec![take])).unwrap();
    let out = session.selection().shown().unwrap();
    assert!(change(&mut session, Change::SetStep { clip: out, step: 0, op: extract(f64::NAN) }).is_err());
}
