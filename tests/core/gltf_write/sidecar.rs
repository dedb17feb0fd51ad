use serde_json::{Value, json};
use stridesmith::formats::sidecar::*;
use stridesmith::motion::{Contact, Curve, Cycle};

use crate::support::exports::{character, walk};
use crate::support::json_schema::faults;

fn full() -> Record {
    let mut clip = walk(&character().skeleton);
    clip.cycle = Cycle::LastRepeatsFirst;
    clip.contacts.push(Contact { bone: "Armature/Hips/Leg_L".into(), start_secs: 0.7, end_secs: 1.1 });
    clip.curves.push(Curve { name: "Speed".into(), unit: "m/s".into(), keys: vec![(0.5, 1.21), (1.5, 1.3)] });
    let source = Source { file: "walk.fbx".into(), sha256: "ab".into(), clip: "Walk".into() };
    let mut record = Record::of(&clip, source);
    record.root = Root {
        bone: "root".into(),
        mode: RootMode::Smoothed,
        yaw: YawSource::PelvisDelta,
        sigma_s: 0.25,
        mean_speed_m_s: 1.22,
    };
    record.steps.push(Step { op: "extract".into(), settings: json!({ "sigma": 0.25 }) });
    record
}

fn output() -> Output {
    let beside = vec![Beside { file: "walk_RM.bin".into(), sha256: "02".into() }];
    Output { file: "walk_RM.glb".into(), sha256: "01".into(), beside }
}

#[test]
fn what_is_written_fits_the_schema() {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    for records in [vec![full()], vec![full(), full()], vec![]] {
        let text = Sidecar::new(&records, output()).write().unwrap();
        let value: Value = serde_json::from_slice(&text).unwrap();
        assert_eq!(faults(&schema, &value), Vec::<String>::new());
        let back = Sidecar::read(&text).unwrap();
        assert_eq!(back.output(), Some(&output()));
        assert_eq!(back.records().len(), records.len());
    }
    let value = serde_json::to_value(full()).unwrap();
    assert_eq!(
        faults(&schema["$defs"]["record"].as_object().map(|_| schema.clone()).unwrap(), &value),
        Vec::<String>::new()
    );
}

#[test]
fn the_schema_refuses_what_bridges_cannot_read() {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let good = serde_json::to_value(full()).unwrap();
    let breaks: [fn(&mut Value); 6] = [
        |v| v["root"]["mode"] = json!("sideways"),
        |v| v["markers"][0]["time_s"] = json!("soon"),
        |v| v["surprise"] = json!(1),
        |v| v["schema"] = json!(2),
        |v| v["curves"][0]["keys"][0] = json!([1.0]),
        |v| {
            v.as_object_mut().unwrap().remove("fps");
        },
    ];
    for break_it in breaks {
        let mut bad = good.clone();
        break_it(&mut bad);
        assert_ne!(faults(&schema, &bad), Vec::<String>::new(), "{bad}");
    }
}

#[test]
fn times_count_from_the_first_key() {
    let record = full();
    assert!((record.markers[0].time_s - 0.2).abs() < 1e-12);
    assert_eq!(record.markers[0].owner, "stridesmith");
    assert!((record.intervals[0].start_s - 0.2).abs() < 1e-12 && record.intervals[0].name == "Leg_L");
    assert_eq!(record.curves[0].keys[0], (0.0, 1.21));
    assert_eq!(record.cycle.convention, Convention::LastEqualsFirst);
    let value = serde_json::to_value(&record).unwrap();
    assert_eq!(value["loop"]["convention"], "last_equals_first");
    assert_eq!(value["root"]["yaw"], "pelvis_delta");
    assert_eq!(value["curves"][0]["keys"][0], json!([0.0, 1.21]));
}
