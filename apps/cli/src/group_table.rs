//! Counts of groups as a table.

use std::io::Write;

use clap::ValueEnum;
use etwkit::output::{Group, Groups};
use etwkit::render::terminal;
use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::text::grouped;

/// The form of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GroupFormat {
    /// Aligned columns, for people
    Text,
    /// A header line, then a line a group
    Csv,
    /// One JSON object a group
    Jsonl,
}

/// Widest column of text that others are aligned to.
const WIDEST: usize = 60;

/// Writes the groups, then what was not counted one by one.
pub(crate) fn print(
    names: &[String],
    groups: &Groups,
    format: GroupFormat,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let text = match format {
        GroupFormat::Text => aligned(names, groups).into_bytes(),
        GroupFormat::Csv => csv(names, groups)?,
        GroupFormat::Jsonl => jsonl(names, groups).into_bytes(),
    };
    out.write_all(&text)?;
    Ok(out.flush()?)
}

/// A value for people: `-` for none, quotes around nothing.
fn shown(value: Option<&str>) -> String {
    match value {
        None => "-".to_owned(),
        Some("") => "\"\"".to_owned(),
        Some(text) => terminal::escaped(text).into_owned(),
    }
}

fn aligned(names: &[String], groups: &Groups) -> String {
    let mut rows = vec![names.iter().map(|name| terminal::escaped(name).into_owned()).collect::<Vec<_>>()];
    rows.extend(groups.list.iter().map(|group| group.values.iter().map(|value| shown(value.as_deref())).collect()));
    let mut counts = vec!["events".to_owned()];
    counts.extend(groups.list.iter().map(|group| grouped(group.events)));
    if groups.other > 0 {
        rows.push(vec!["(other)".to_owned()]);
        counts.push(grouped(groups.other));
    }
    let number = counts.iter().map(String::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        cells.filter(|len| *len <= WIDEST).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..names.len()).map(width).collect();
    let mut text = String::new();
    for (count, row) in counts.iter().zip(&rows) {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("  {cell:<width$}"));
        let line = format!("{count:>number$}{}", cells.collect::<String>());
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn csv(names: &[String], groups: &Groups) -> Result<Vec<u8>, Failure> {
    let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    let mut row = |count: &str, values: &[&str]| {
        let missing = names.len().saturating_sub(values.len());
        let cells = values.iter().copied().chain(std::iter::repeat_n("", missing));
        writer.write_record(std::iter::once(count).chain(cells)).map_err(|error| Failure::new(error.to_string()))
    };
    row("events", &names.iter().map(String::as_str).collect::<Vec<_>>())?;
    for Group { values, events, .. } in &groups.list {
        let values: Vec<&str> = values.iter().map(|value| value.as_deref().unwrap_or_default()).collect();
        row(&events.to_string(), &values)?;
    }
    if groups.other > 0 {
        row(&groups.other.to_string(), &["(other)"])?;
    }
    writer.into_inner().map_err(|error| Failure::new(error.to_string()))
}

fn jsonl(names: &[String], groups: &Groups) -> String {
    let mut text = String::new();
    for Group { values, events, .. } in &groups.list {
        let there = names.iter().zip(values).filter_map(|(name, value)| Some((name.clone(), value.as_deref()?.into())));
        push(&mut text, *events, ("keys", Value::Object(there.collect::<Map<_, _>>())));
    }
    if groups.other > 0 {
        push(&mut text, groups.other, ("other", true.into()));
    }
    text
}

fn push(text: &mut String, events: u64, (name, value): (&str, Value)) {
    let mut object = Map::new();
    object.insert("events".to_owned(), events.into());
    object.insert(name.to_owned(), value);
    text.push_str(&Value::Object(object).to_string());
    text.push('\n');
}
