//! The page of a table in `docs/events`.

use std::fmt::Write as _;

use etwkit::schema::{Map, MapKind, SchemaSelector};

use super::model::{Event, FieldFacts, Id, Layout, Table};
use super::wrap::wrapped;
use super::{names, parser::Parser};

/// The page of a table.
pub(super) fn page(parser: &Parser, table: &Table) -> String {
    let mut out = format!("# {}\n\n", table.stem);
    out += &wrapped("", &format!("{}.", table.about));
    let _ =
        writeln!(out, "\nMade by `cargo xtask events` from `parsers/{}/schemas/{}.schema`.", parser.folder, table.stem);
    out += "See [the overview](../README.md) for how to read the tables.\n\n";
    out += &providers(table);
    for (events, fields) in groups(table) {
        out += &head(parser, table, &events);
        out += &fields;
    }
    if !table.maps.is_empty() {
        out += "\n## Values\n";
    }
    for map in &table.maps {
        out += &self::map(map);
    }
    out
}

/// Providers and classes with their GUIDs.
fn providers(table: &Table) -> String {
    let mut known: Vec<String> = Vec::new();
    for event in &table.events {
        for id in event.ids.iter().filter(|id| id.is_own) {
            let what = if matches!(id.select, SchemaSelector::Classic { .. }) { "class" } else { "provider" };
            let line = format!("| {what} | {} | `{}` | {} |\n", id.of, id.select.guid(), event.provider);
            if !known.contains(&line) && !known.iter().any(|known| known.contains(&id.select.guid().to_string())) {
                known.push(line);
            }
        }
    }
    format!("| | name | GUID | provider |\n|---|---|---|---|\n{}", known.concat())
}

/// Events with the same fields, and the table of these.
fn groups(table: &Table) -> Vec<(Vec<&Event>, String)> {
    let mut groups: Vec<(Vec<&Event>, String)> = Vec::new();
    for event in &table.events {
        let fields = fields(event);
        match groups.iter_mut().find(|(_, known)| *known == fields) {
            Some((events, _)) => events.push(event),
            None => groups.push((vec![event], fields)),
        }
    }
    groups
}

/// The heading of a group, and a table of its events.
fn head(parser: &Parser, table: &Table, events: &[&Event]) -> String {
    let title = match events {
        [event] => event.name.clone(),
        [first, .., last] => format!("{} to {}", first.name, last.name),
        [] => String::new(),
    };
    let (view, line) = if parser.has_views { (" view |", "---|") } else { ("", "") };
    let mut out = format!("\n## {title}\n\n| event | id | versions |{view}\n|---|---|---|{line}\n");
    for event in events {
        let ids: Vec<String> = event.ids.iter().filter(|id| id.is_own).map(id).collect();
        let builds =
            event.builds.as_ref().map_or_else(String::new, |builds| format!("; {}", super::model::builds(builds)));
        let _ = write!(out, "| `{}` | {} | {}{builds} |", event.name, ids.join(", "), event.versions);
        if parser.has_views {
            let _ = write!(out, " `{}` |", parser.view(table, &names::view(&event.name)));
        }
        out += "\n";
    }
    out
}

/// `opcode 1 of Process`, `id 1`.
fn id(id: &Id) -> String {
    match &id.select {
        SchemaSelector::Classic { opcode, .. } => format!("opcode {opcode} of {}", id.of),
        SchemaSelector::Manifest { id, .. } => format!("id {id}"),
        SchemaSelector::TraceLogging { name, .. } => format!("name `{name}`"),
        SchemaSelector::Wpp { number, .. } => format!("message {number}"),
        _ => String::new(),
    }
}

fn fields(event: &Event) -> String {
    if event.fields.is_empty() {
        return "\nNo fields.\n".to_owned();
    }
    let mut out = "\n| field | type | versions | meaning |\n|---|---|---|---|\n".to_owned();
    for field in &event.fields {
        let versions = if field.versions == event.versions { String::new() } else { field.versions.to_string() };
        let types: Vec<&str> = distinct(field, |layout| layout.wire.as_str());
        let meanings: Vec<&str> = distinct(field, |layout| layout.meaning.as_str());
        let types: Vec<String> = types.into_iter().map(|wire| format!("`{wire}`")).collect();
        let names: Vec<String> = field.names.iter().map(|name| format!("`{name}`")).collect();
        let _ = writeln!(out, "| {} | {} | {versions} | {} |", names.join(", "), types.join(", "), meanings.join(", "));
        let mut members: Vec<&super::model::Member> = Vec::new();
        for member in field.layouts.iter().flat_map(|layout| &layout.members) {
            if !members.contains(&member) {
                members.push(member);
            }
        }
        for member in members {
            let _ = writeln!(out, "| `{}` | `{}` | | {} |", member.path, member.wire, member.meaning);
        }
    }
    out
}

/// What the layouts of a field say, each once.
fn distinct<'f>(field: &'f FieldFacts, part: impl Fn(&'f Layout) -> &'f str) -> Vec<&'f str> {
    let mut parts = Vec::new();
    for part in field.layouts.iter().map(part).filter(|part| !part.is_empty()) {
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    parts
}

fn map(map: &Map) -> String {
    let kind = match map.kind() {
        MapKind::Bits => "bits",
        MapKind::Texts => "texts",
        _ => "values",
    };
    let mut out = format!("\n### {}\n\n| {kind} | name |\n|---:|---|\n", map.name());
    for (value, name) in map.entries() {
        let value = if map.kind() == MapKind::Bits { format!("{value:#x}") } else { value.to_string() };
        let _ = writeln!(out, "| {value} | `{name}` |");
    }
    out
}
