//! `weft schema`: the fields of a scene, for people and as JSON Schema.

use serde_json::{Map, Value, json};

use weft_core::say;
use weft_scene::{Class, Described, FieldKind, Sort};

/// What is worked in before a scene is read.
const PARTS: [(&str, &str); 2] = [
    (
        "include",
        "in any (...): the fields of this file of the scene's folder; what is written beside it counts instead",
    ),
    (
        "let",
        "(name: value, ...) at the root or beside an include: values for \"$name\" in this file, or in the included one",
    ),
];

/// Prints every field of a scene.
pub(super) fn print(as_json: bool) {
    let fields = weft_scene::described();
    if as_json {
        say::say(format_args!("{:#}", schema(&fields)));
        return;
    }
    for Described { kind: FieldKind { path, row, .. }, default } in &fields {
        let [min, max] = row.bounds();
        let range = match (row.min > f32::MIN, row.max < f32::MAX) {
            _ if row.min >= row.max => String::new(),
            (true, true) => format!("{min} to {max}"),
            (true, false) => format!("{min} or more"),
            (false, true) => format!("{max} or less"),
            (false, false) => "any".to_string(),
        };
        let default = default.as_deref().filter(|default| *default != "\"\"");
        let default = default.map_or_else(String::new, |default| format!(" [{default}]"));
        say::say(format_args!("{path:44} {:10} {range:24} {}{default}", row.unit, row.doc));
    }
    for (name, doc) in PARTS {
        say::say(format_args!("{name:44} {:10} {:24} {doc}", "", ""));
    }
}

/// Lists are arrays of objects; `NAME` and `SOLVER` are any names.
fn schema(fields: &[Described]) -> Value {
    let mut root = object();
    root["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    root["title"] = json!("Weft scene");
    root["properties"]["version"] = json!({ "const": weft_scene::VERSION });
    for (name, doc) in PARTS {
        root["properties"][name] = json!({ "description": doc });
    }
    for field in fields {
        let parts: Vec<&str> = field.kind.path.split('.').collect();
        put(&mut root, &parts, leaf(field));
    }
    root
}

fn object() -> Value {
    json!({ "type": "object", "properties": {} })
}

/// Puts a field under its path; what stands on the way is made.
fn put(at: &mut Value, parts: &[&str], leaf: Value) {
    let Some((first, rest)) = parts.split_first() else {
        // A part that was described before its fields, such as `shape`, keeps them.
        if let (Some(into), Value::Object(from)) = (at.as_object_mut(), leaf) {
            into.extend(from);
        }
        return;
    };
    let any = matches!(*first, "NAME" | "SOLVER");
    let (name, list) = first.split_once('[').map_or((*first, false), |(name, _)| (name, true));
    let list = list || rest.first() == Some(&"ID");
    let place = if any { &mut at["additionalProperties"] } else { &mut at["properties"][name] };
    if list {
        if place.is_null() {
            *place = json!({ "type": "array", "items": object() });
            if rest.first() == Some(&"ID") {
                place["items"]["properties"]["id"] = json!({ "type": "string" });
            }
        }
        let rest = if rest.first() == Some(&"ID") { &rest[1..] } else { rest };
        return put(&mut place["items"], rest, leaf);
    }
    if place.is_null() {
        *place = if rest.is_empty() { Value::Object(Map::new()) } else { object() };
    }
    put(place, rest, leaf);
}

fn leaf(field: &Described) -> Value {
    let FieldKind { row, sort, .. } = &field.kind;
    let number = |name: &str| {
        let mut number = json!({ "type": name });
        if row.min < row.max && row.min > f32::MIN {
            number["minimum"] = plain(row.min);
        }
        if row.min < row.max && row.max < f32::MAX {
            number["maximum"] = plain(row.max);
        }
        number
    };
    let mut leaf = match sort {
        Sort::Number => number("number"),
        Sort::Whole => number("integer"),
        Sort::Vector(count) => {
            json!({ "type": "array", "items": number("number"), "minItems": count, "maxItems": count })
        }
        Sort::Flag => json!({ "type": "boolean" }),
        Sort::Text => json!({ "type": "string" }),
        Sort::Choice(names) => json!({ "enum": names }),
        Sort::Param | Sort::Named => json!({}),
    };
    let unit = if row.unit == "1" { String::new() } else { format!(" [{}]", row.unit) };
    leaf["description"] = json!(format!("{}{unit}", row.doc));
    leaf["x-unit"] = json!(row.unit);
    leaf["x-edit"] = json!(match row.class {
        Class::Live => "live",
        Class::Rescale => "masses, lengths or poses anew",
        Class::Retopology => "that cloth starts again",
        Class::Structural => "starts again",
    });
    if let Some(default) = &field.default {
        // A vector is written in round brackets, a name without quotes.
        let text = default.replace('(', "[").replace(')', "]");
        leaf["default"] = serde_json::from_str(&text).unwrap_or_else(|_| json!(default));
    }
    leaf
}

/// As it is written: 0.05, not 0.05000000074505806.
fn plain(number: f32) -> Value {
    serde_json::from_str(&number.to_string()).unwrap_or_else(|_| json!(number))
}
