//! Better names of tasks, opcodes and keywords than the facts have.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use etwkit::bytes::Guid;
use serde_json::Value;

use super::json_values::{array, clean, integer, object, text};
use crate::done::Done;

/// Names of tasks (`t`), opcodes (`o`) and keywords (`k`) by number, as the facts write them.
type Renames = BTreeMap<&'static str, BTreeMap<String, String>>;

/// Names of TraceEvent, and of HTTP.sys' own manifest.
pub(super) fn better_names(folder: &Path) -> Done<BTreeMap<Guid, Renames>> {
    let read = |file: &str| -> Done<Value> { Ok(serde_json::from_slice(&fs::read(folder.join(file))?)?) };
    let mut all = BTreeMap::new();
    for file in ["tcpip_manifest.json", "antimalware_engine.json", "applicationserver.json", "wpf.json"] {
        let value = read(file)?;
        let parser = value.pointer("/parsers/0").ok_or("parser")?;
        all.insert(text(parser, "provider_guid")?.parse()?, event_names(parser, ("task", "task_name", "opcode_name"))?);
    }
    let value = read("schema_httpservice.json")?;
    let http = value.pointer("/providers/0").ok_or("provider")?;
    let tasks: BTreeMap<_, _> = object(http, "tasks").map(|(name, task)| (name, task.get("value"))).collect();
    let mut renames = Renames::new();
    for event in array(http, "events") {
        let Some(Some(task)) = event.get("task").and_then(Value::as_str).map(|name| tasks.get(name)) else { continue };
        let task = integer(task.ok_or("task")?)?;
        add_event(&mut renames, (task, text(event, "task")?), event.get("opcode_value"), event.get("opcode"));
    }
    for (name, mask) in object(http, "keywords") {
        renames.entry("k").or_default().insert(mask.as_str().ok_or("keyword")?.into(), name.into());
    }
    all.insert(text(http, "guid")?.parse()?, renames);
    Ok(all)
}

fn event_names(parser: &Value, (task, task_name, opcode_name): (&str, &str, &str)) -> Done<Renames> {
    let mut renames = Renames::new();
    for event in array(parser, "events") {
        let number = integer(event.get(task).ok_or("task")?)?;
        // A provider without tasks has names of single events, which are not tasks.
        if number != 0 {
            add_event(&mut renames, (number, text(event, task_name)?), event.get("opcode"), event.get(opcode_name));
        }
    }
    Ok(renames)
}

fn add_event(renames: &mut Renames, (task, name): (u64, &str), opcode: Option<&Value>, opcode_name: Option<&Value>) {
    renames.entry("t").or_default().insert(task.to_string(), name.into());
    let opcode = opcode.and_then(Value::as_u64).filter(|opcode| *opcode != 0);
    if let (Some(opcode), Some(name)) = (opcode, opcode_name.and_then(Value::as_str).filter(|name| !name.is_empty())) {
        renames.entry("o").or_default().insert(format!("{task}:{opcode}"), clean(name).into());
    }
}

/// Takes better names, and leaves out generated ones: `task85`.
pub(super) fn rename(value: &mut Value, better: Option<&Renames>) {
    for (key, word) in [("t", "task"), ("o", "opcode"), ("k", "keyword")] {
        let names = better.and_then(|better| better.get(key));
        if names.is_some() && value.get(key).is_none() {
            value[key] = Value::Object(serde_json::Map::new());
        }
        let Some(old) = value.get_mut(key).and_then(Value::as_object_mut) else { continue };
        old.retain(|_, name| !name.as_str().is_some_and(|name| is_numbered(name, word)));
        for (number, name) in names.into_iter().flatten() {
            old.insert(number.clone(), Value::String(name.clone()));
        }
    }
}

fn is_numbered(name: &str, word: &str) -> bool {
    name.strip_prefix(word).is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}
