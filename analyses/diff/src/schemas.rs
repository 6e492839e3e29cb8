//! Changes of schemas: fields that came, went, or have another type.

use std::collections::{BTreeMap, BTreeSet};

use etwkit::schema::Schema;
use etwkit::trace::Trace;
use etwkit_analysis::{ColumnKind, Value};

use crate::Change;

/// The fields of a layout: names, those of structs with the struct before them, and what the text form of schemas
/// writes after them.
type Layout = Vec<(String, String)>;

/// Returns how the schemas of events differ that both traces have in the same version: for each such event the fields
/// whose types are not the same. Events and layouts that only one trace has are not listed: `TraceLogging` events of
/// one name may have many.
pub fn schemas(before: &Trace, after: &Trace) -> Vec<Change> {
    let [first, second] = [before, after].map(layouts);
    let mut list = Vec::new();
    for (event, layouts) in &first {
        let Some(others) = second.get(event) else { continue };
        for (layout, other) in layouts.difference(others).zip(others.difference(layouts)) {
            push_changes(&mut list, event, layout, other);
        }
    }
    list
}

/// Lists the fields in which two layouts of an event differ.
fn push_changes(list: &mut Vec<Change>, event: &str, first: &Layout, second: &Layout) {
    let [first, second] = [first, second].map(|layout| layout.iter().cloned().collect::<BTreeMap<_, _>>());
    let names: BTreeSet<&String> = first.keys().chain(second.keys()).collect();
    for name in names {
        let [before, after] = [&first, &second]
            .map(|fields| fields.get(name).map_or(Value::Absent, |layout| Value::Text(layout.clone())));
        if before != after {
            let (key, column) = (event.to_owned(), name.clone());
            list.push(Change { table: "schemas", key, column, before, after, kind: ColumnKind::Text });
        }
    }
}

/// Returns the layouts of all events with a schema, by provider, name, id and version.
fn layouts(trace: &Trace) -> BTreeMap<String, BTreeSet<Layout>> {
    let mut all: BTreeMap<String, BTreeSet<Layout>> = BTreeMap::new();
    for row in trace.types() {
        let Some(schema) = row.schema() else { continue };
        let (key, name) = (row.key(), row.name().unwrap_or(""));
        let event = format!("{} {name} (id {}, version {})", row.provider(), key.id, key.version);
        all.entry(event).or_default().insert(layout(schema));
    }
    all
}

/// Returns the fields of a layout. Of fields with one name, all but the first have their number in it: `Value (2)`.
fn layout(schema: &Schema) -> Layout {
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    let mut layout = Layout::new();
    for (path, text) in paths(schema).into_iter().zip(schema.field_layouts()) {
        let count = known.entry(path.clone()).or_default();
        *count += 1;
        layout.push((if *count > 1 { format!("{path} ({count})") } else { path }, text));
    }
    layout
}

/// Returns the names of all fields, each with the structs around it.
fn paths(schema: &Schema) -> Vec<String> {
    let mut around: Vec<(usize, &str)> = Vec::new();
    let mut paths = Vec::new();
    for (at, field) in schema.fields().iter().enumerate() {
        while around.pop_if(|(end, _)| *end <= at).is_some() {}
        let names = around.iter().map(|(_, name)| *name).chain([&*field.name]);
        paths.push(names.collect::<Vec<_>>().join("."));
        if field.span() > 1 {
            around.push((at + field.span(), &field.name));
        }
    }
    paths
}

#[cfg(test)]
mod tests {
    use etwkit::schema::text;

    use super::*;

    #[test]
    fn fields_have_paths_and_layouts() {
        let text = "provider P {00000000-0000-0000-0000-000000000001}\nevent id 1 {\n\"a  b\" u8 as hex\nA u16\nA u32\n\
                    S struct { A utf16 }\n}";
        let schema = text::parse(text).unwrap().remove(0).schema;
        let expected = [("a  b", "u8 as hex"), ("A", "u16"), ("A (2)", "u32"), ("S", "struct"), ("S.A", "utf16")];
        let layout = layout(&schema);
        let layout: Vec<_> = layout.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        assert_eq!(layout, expected);
    }
}
