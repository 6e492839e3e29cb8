//! Changes of schemas: fields that came, went, or have another type.

use std::collections::{BTreeMap, BTreeSet};

use etwkit::decode::EventType;
use etwkit::schema::Schema;
use etwkit::trace::Trace;
use etwkit_analysis::{ColumnKind, Value};

use crate::Change;

/// The types of fields, by their names.
type Fields = BTreeMap<String, String>;

/// Returns how the schemas of events differ that both traces have in the same version: for each such event the fields
/// whose types are not the same. Events that only one trace has are not listed here.
pub fn schemas(before: &Trace, after: &Trace) -> Vec<Change> {
    let [first, second] = [before, after].map(layouts);
    let mut list = Vec::new();
    for (event, fields) in &first {
        let Some(others) = second.get(event) else { continue };
        let names: BTreeSet<&String> = fields.keys().chain(others.keys()).collect();
        for name in names {
            let [before, after] = [fields, others]
                .map(|fields| fields.get(name).map_or(Value::Absent, |layout| Value::Text(layout.clone())));
            if before != after {
                list.push(Change {
                    table: "schemas",
                    key: event.clone(),
                    column: name.clone(),
                    before,
                    after,
                    kind: ColumnKind::Text,
                });
            }
        }
    }
    list
}

/// Returns the fields of all events with a schema, by provider, name, id and version.
fn layouts(trace: &Trace) -> BTreeMap<String, Fields> {
    let event = |row: &EventType| {
        let schema = row.schema()?;
        let name = row.name().unwrap_or("");
        let key = row.key();
        Some((format!("{} {name} (id {}, version {})", row.provider(), key.id, key.version), fields(schema)))
    };
    trace.types().iter().filter_map(event).collect()
}

/// Returns the types of fields as the text form of schemas writes them. Fields of structs have the struct before them.
fn fields(schema: &Schema) -> Fields {
    let text = schema.to_string();
    let body = text.lines().skip_while(|line| !line.starts_with("schema")).skip(1);
    let (mut path, mut found): (Vec<&str>, Fields) = <_>::default();
    for line in body.map(str::trim) {
        match line.split_once("  ") {
            None if line == "}" => drop(path.pop()),
            None => {}
            Some((name, layout)) => {
                let full: Vec<&str> = path.iter().copied().chain([name]).collect();
                found.insert(full.join("."), layout.trim().to_owned());
                if layout.ends_with('{') {
                    path.push(name);
                }
            }
        }
    }
    found
}
