//! As much of JSON Schema as our own schemas use; an unknown keyword is a failure, so that none is silently ignored.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use serde_json::Value;

/// What in `value` breaks `schema`, each with its place.
pub fn faults(schema: &Value, value: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    check(schema, schema, value, "$", &mut faults);
    faults
}

fn check(root: &Value, schema: &Value, value: &Value, place: &str, faults: &mut Vec<String>) {
    for (keyword, rule) in schema.as_object().unwrap() {
        let fine = match keyword.as_str() {
            "$schema" | "title" | "$defs" => true,
            "$ref" => {
                let target = root.pointer(rule.as_str().unwrap().strip_prefix('#').unwrap()).unwrap();
                check(root, target, value, place, faults);
                true
            }
            "oneOf" => {
                let tries = rule.as_array().unwrap().iter().map(|option| {
                    let mut inner = Vec::new();
                    check(root, option, value, place, &mut inner);
                    inner
                });
                let tries: Vec<_> = tries.collect();
                let fitting = tries.iter().filter(|inner| inner.is_empty()).count();
                if fitting != 1 {
                    faults.extend(tries.into_iter().flatten());
                }
                fitting == 1
            }
            "type" => match rule.as_str().unwrap() {
                "object" => value.is_object(),
                "array" => value.is_array(),
                "string" => value.is_string(),
                "number" => value.is_number(),
                "boolean" => value.is_boolean(),
                other => panic!("type {other}"),
            },
            "const" => rule == value,
            "enum" => rule.as_array().unwrap().contains(value),
            "minimum" => value.as_f64().is_none_or(|v| v >= rule.as_f64().unwrap()),
            "exclusiveMinimum" => value.as_f64().is_none_or(|v| v > rule.as_f64().unwrap()),
            "minItems" => value.as_array().is_none_or(|v| v.len() as u64 >= rule.as_u64().unwrap()),
            "maxItems" => value.as_array().is_none_or(|v| v.len() as u64 <= rule.as_u64().unwrap()),
            "required" => rule.as_array().unwrap().iter().all(|key| value.get(key.as_str().unwrap()).is_some()),
            "properties" => {
                for (key, part) in rule.as_object().unwrap() {
                    if let Some(inner) = value.get(key) {
                        check(root, part, inner, &format!("{place}.{key}"), faults);
                    }
                }
                true
            }
            "additionalProperties" => {
                let known = schema["properties"].as_object().unwrap();
                value.as_object().is_none_or(|object| object.keys().all(|key| known.contains_key(key)))
            }
            "items" => {
                for (i, inner) in value.as_array().into_iter().flatten().enumerate() {
                    check(root, rule, inner, &format!("{place}[{i}]"), faults);
                }
                true
            }
            other => panic!("keyword {other}"),
        };
        if !fine {
            faults.push(format!("{place}: {keyword} {rule}"));
        }
    }
}
