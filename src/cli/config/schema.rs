//! The JSON schema of the keys, which `schemas/` holds.

use std::fs;
use std::path::Path;

use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::Value;

use super::layer::{NAMINGS, format_names};
use super::table::{KEYS, Table};

/// The schema of `naming`.
pub(super) fn namings(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "enum": NAMINGS.map(|(name, _)| name) })
}

/// The schema of `output-format`.
pub(super) fn formats(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "enum": format_names() })
}

/// TOML has no null: a key that is not set is left out. Descriptions are one line each.
fn as_toml(value: &mut Value) {
    match value {
        Value::Object(object) => {
            object.remove("required");
            if let Some(Value::String(text)) = object.get_mut("description") {
                *text = text.replace('\n', " ");
            }
            if let Some(Value::Array(types)) = object.get_mut("type") {
                types.retain(|name| name != "null");
                if let [only] = types.as_slice() {
                    let only = only.clone();
                    object.insert("type".to_owned(), only);
                }
            }
            object.values_mut().for_each(as_toml);
        }
        Value::Array(items) => items.iter_mut().for_each(as_toml),
        _ => {}
    }
}

fn generated() -> Value {
    let mut schema = serde_json::to_value(schemars::schema_for!(Table)).unwrap();
    as_toml(&mut schema);
    schema["title"] = "hoist-namedtuple".into();
    schema
}

#[test]
fn the_schema_in_the_repository_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas/hoist-namedtuple.schema.json");
    let expected = format!("{}\n", serde_json::to_string_pretty(&generated()).unwrap());
    if std::env::var("INSTA_UPDATE").is_ok_and(|value| value == "always") {
        fs::write(&path, &expected).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found.replace('\r', "") == expected,
        "run INSTA_UPDATE=always cargo test --lib schema, and review the difference"
    );
}

#[test]
fn every_key_is_described_and_no_other_is_allowed() {
    let schema = generated();
    assert_eq!(schema["additionalProperties"], false);
    assert_eq!(schema.get("required"), None);
    let properties = schema["properties"].as_object().unwrap();
    let mut keys: Vec<&str> = KEYS.iter().map(|(key, _)| *key).collect();
    keys.sort_unstable();
    let mut described: Vec<&str> = properties.keys().map(String::as_str).collect();
    described.sort_unstable();
    assert_eq!(described, keys);
    for (key, property) in properties {
        let text = property["description"].as_str().unwrap_or_default();
        assert!(text.ends_with('.'), "{key}: {property}");
    }
}
