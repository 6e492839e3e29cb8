//! The page of a table in `docs/events`.

use std::fmt::Write as _;

use etwkit::schema::{Map, MapKind, SchemaSelector};

use super::model::{Event, FieldFacts, Id, Layout, Member, Table, builds};
use super::wrap::wrapped;
use super::{names, parser::Parser};

/// Returns the page of a table.
pub(super) fn page(parser: &Parser, table: &Table) -> String {
    let mut out = format!("# {}\n\n", table.stem);
    out += &wrapped("", &format!("{}.", table.about));
    let _ =
        writeln!(out, "\nMade by `cargo xtask events` from `parsers/{}/schemas/{}.schema`.", parser.folder, table.stem);
    out += "See [the overview](../README.md) for how to read the tables.\n\n";
    out += &providers(table);
    for (events, fields) in table.grouped(fields) {
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

/// Returns the heading of a group, and a table of its events.
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
        let limit = event.builds.as_ref().map_or_else(String::new, |limit| format!("; {}", builds(limit)));
        let _ = write!(out, "| `{}` | {} | {}{limit} |", event.name, ids.join(", "), event.versions);
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
        out += &row(event, field);
        let mut members: Vec<&Member> = Vec::new();
        for member in field.layouts.iter().flat_map(|layout| &layout.members) {
            if !members.contains(&member) {
                members.push(member);
            }
        }
        for Member { path, wire, meaning } in members {
            let _ = writeln!(out, "| `{path}` | `{wire}` |  | {meaning} |");
        }
    }
    out
}

fn row(event: &Event, field: &FieldFacts) -> String {
    let code = |texts: &[&str]| texts.iter().map(|text| format!("`{text}`")).collect::<Vec<_>>().join(", ");
    let names: Vec<&str> = field.names.iter().map(String::as_str).collect();
    let versions = if field.versions == event.versions { String::new() } else { field.versions.to_string() };
    let meanings = distinct(field, |layout| &layout.meaning).join(", ");
    let types = distinct(field, |layout| &layout.wire);
    format!("| {} | {} | {versions} | {meanings} |\n", code(&names), code(&types))
}

/// What the layouts of a field state, each once.
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
