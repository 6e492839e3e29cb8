//! One fact file as text: a line for each event, field, layout of a field, and rule about the size.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use serde_json::Value;

type Made<T> = Result<T, Box<dyn std::error::Error>>;

const HEAD: &str = "made by `cargo xtask coverage`; docs/coverage.md describes the form";

/// Returns the text of a fact file.
pub(super) fn text(name: &str, facts: &Value) -> Made<String> {
    let mut out = format!("# TraceEvent's {name} parser: {HEAD}\n");
    let mut inline = Vec::new();
    for parser in list(facts, "parsers") {
        writeln!(out, "\nparser {}", word(parser, "parser")?)?;
        for event in list(parser, "events") {
            write_event(&mut out, event, &mut inline)?;
        }
    }
    for (class, payload) in inline {
        write_class(&mut out, &class, payload)?;
    }
    // By name: another crate of the build may make JSON objects keep the order of their text.
    let classes: BTreeMap<_, _> =
        facts.get("payload_classes").and_then(Value::as_object).into_iter().flatten().collect();
    for (class, facts) in classes {
        write_class(&mut out, class, facts)?;
    }
    Ok(out)
}

/// `event classic {class} OPCODE NAME CLASS` or `event manifest {provider} ID NAME CLASS`.
fn write_event<'v>(out: &mut String, event: &'v Value, inline: &mut Vec<(String, &'v Value)>) -> Made<()> {
    let (kind, guid, number) = if event.get("lookup").and_then(Value::as_str) == Some("classic") {
        ("classic", "task_guid", "opcode")
    } else {
        ("manifest", "provider_guid", "event_id")
    };
    let number = event.get(number).and_then(Value::as_u64).ok_or("an event without a number")?;
    let mut class = word(event, "payload_class")?.to_owned();
    if event.get("payload").is_some() {
        class = format!("{}.{class}", word(event, "callback")?);
        inline.push((class.clone(), event));
    }
    let name = word(event, "event_name")?.replace(' ', "_");
    writeln!(out, "event {kind} {} {number} {name} {class}", word(event, guid)?)?;
    Ok(())
}

/// Classic keys of events that have a manifest's as well: class, opcode, provider, id.
pub(super) fn classic_keys(facts: &Value) -> Made<BTreeSet<String>> {
    let mut keys = BTreeSet::new();
    for event in list(facts, "parsers").flat_map(|parser| list(parser, "events")) {
        if event.get("lookup").and_then(Value::as_str) == Some("manifest+classic") {
            let number = |key: &str| event.get(key).and_then(Value::as_u64).ok_or("an event without a number");
            let (opcode, id) = (number("opcode")?, number("event_id")?);
            keys.insert(format!("{} {opcode} {} {id}\n", word(event, "task_guid")?, word(event, "provider_guid")?));
        }
    }
    Ok(keys)
}

/// Returns a class: its fields, the properties that it keeps to itself, arrays, header fields taken from the payload,
/// sizes.
fn write_class(out: &mut String, class: &str, facts: &Value) -> Made<()> {
    writeln!(out, "\nclass {class}")?;
    let kinds = [("field", "payload"), ("inner", "hidden_properties"), ("inner", "other_properties")];
    for (kind, key) in kinds.into_iter().chain([("array", "indexed_accessors")]) {
        for field in list(facts, key) {
            let type_name = field.get("type").and_then(Value::as_str).unwrap_or("?").replace(' ', "");
            let property = field.get("property").and_then(Value::as_str).map(|property| format!(" = {property}"));
            writeln!(out, "  {kind} {} {type_name}{}", word(field, "name")?, property.unwrap_or_default())?;
            for layout in list(field, "alts") {
                writeln!(out, "    {}", layout_line(layout)?)?;
            }
        }
    }
    for fix in list(facts, "header_fixup") {
        let (Some(name), Some(from)) = (fix.get("set"), fix.get("from").and_then(Value::as_str)) else { continue };
        if let Some(at) = from.strip_prefix("i32@(").and_then(|rest| rest.strip_suffix(')')) {
            writeln!(out, "  header {} int", name.as_str().ok_or("set")?)?;
            writeln!(out, "    i32 @ {at}{}", when(fix))?;
        }
    }
    for rule in list(facts, "size_rules") {
        writeln!(out, "  size {}", parted(rule.as_str().ok_or("a rule")?))?;
    }
    Ok(())
}

/// `READ @ PLACE [# LENGTH] [? CONDITION]`; or what else gives the value.
fn layout_line(layout: &Value) -> Made<String> {
    let Some(read) = layout.get("read").and_then(Value::as_str) else {
        let what = match layout.get("const") {
            Some(value) => format!("const {}", value.as_str().unwrap_or("?").replace(' ', "")),
            None => {
                ["header", "same_as"].into_iter().find(|key| layout.get(*key).is_some()).unwrap_or("computed").into()
            }
        };
        return Ok(format!("{what}{}", when(layout)));
    };
    let mut at = word(layout, "at")?;
    let mut len = layout.get("len").or_else(|| layout.get("count")).and_then(Value::as_str);
    // The facts have the two the wrong way round for this one: 256 characters at 20, not 20 at 256.
    if read == "utf16_fixed" {
        (at, len) = (len.ok_or("a fixed text without length")?, Some(at));
    }
    let len = len.map(|len| format!(" # {len}")).unwrap_or_default();
    Ok(format!("{read} @ {at}{len}{}", when(layout)))
}

fn when(layout: &Value) -> String {
    layout.get("when").and_then(Value::as_str).map(|when| format!(" ? {when}")).unwrap_or_default()
}

/// Puts brackets around sums. The facts replace a name by an expression without brackets, but also without blanks:
/// `Count * ptr+24` for a product with a sum.
fn parted(rule: &str) -> String {
    let is_sum = |word: &str| word.contains(['+', '-']) && word.len() > 1 && !word.contains(['(', ')']);
    rule.split(' ')
        .map(|word| if is_sum(word) { format!("({word})") } else { word.into() })
        .collect::<Vec<_>>()
        .join(" ")
}

fn list<'v>(value: &'v Value, key: &str) -> impl Iterator<Item = &'v Value> {
    value.get(key).and_then(Value::as_array).into_iter().flatten()
}

fn word<'v>(value: &'v Value, key: &str) -> Made<&'v str> {
    Ok(value.get(key).and_then(Value::as_str).ok_or_else(|| format!("no {key} in {value}"))?)
}
