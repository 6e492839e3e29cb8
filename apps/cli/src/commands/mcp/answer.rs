//! The result of a call.

use etwkit::render::terminal;
use serde_json::{Map, Value, json};

use crate::text::safe_json;

use super::bounded::{bounded, len};
use super::child::{Page, Printed};
use super::tools::Form;

/// The result of a tool, as an object and as its text: clients show one or the other.
pub(super) fn result(content: &Value) -> Value {
    json!({ "content": [{ "type": "text", "text": safe_json(content) }], "structuredContent": content })
}

/// The result of a call that failed: the model reads why, and what to do. Names that a message quotes are untrusted.
pub(super) fn failure(message: &str) -> Value {
    let mut text = message.as_bytes().to_vec();
    terminal::escape_lines_from(&mut text, 0);
    json!({ "content": [{ "type": "text", "text": String::from_utf8_lossy(&text) }], "isError": true })
}

/// Why a command failed, without what only those who type it can use.
pub(super) fn reason(messages: &[String]) -> String {
    let is_useful = |line: &&String| !line.starts_with("For more information, try");
    messages.iter().filter(is_useful).map(String::as_str).collect::<Vec<_>>().join("\n").trim_end().to_owned()
}

/// The answer that a command's output is: rows or lines that fit into it, and a cursor if there are more.
pub(super) fn of_output(printed: Printed, form: Form, page: Page, bytes: usize) -> Value {
    let Printed { lines, is_more, messages, .. } = printed;
    let notes = notes(messages, bytes);
    let bytes = bytes.saturating_sub(len(&notes));
    if form == Form::Object {
        let value = lines.first().map_or(Value::Null, |line| value(line, form));
        return with_notes(Map::from_iter([("info".to_owned(), bounded(value, bytes))]), notes);
    }
    let (mut rows, mut room, all) = (Vec::new(), bytes, lines.len());
    for line in lines {
        let row = bounded(value(&line, form), bytes);
        let size = len(&row) + 1;
        if size > room && !rows.is_empty() {
            break;
        }
        room = room.saturating_sub(size);
        rows.push(row);
    }
    let next = (is_more || rows.len() < all).then(|| page.skip + rows.len());
    let name = if form == Form::Rows { "rows" } else { "lines" };
    let mut answer = Map::from_iter([(name.to_owned(), rows.into())]);
    if let Some(next) = next {
        answer.insert("next_cursor".to_owned(), next.to_string().into());
    }
    with_notes(answer, notes)
}

/// The answer to `open`: what the trace is, and the analyses as far as there is room, those with events first.
pub(super) fn of_open(
    name: String,
    (info, notes): (Value, Option<Value>),
    analyses: Vec<Value>,
    bytes: usize,
) -> Value {
    let notes = bounded(notes.unwrap_or_default(), bytes / NOTES);
    let info = bounded(info, bytes / 2);
    let mut room = bytes.saturating_sub(name.len() + len(&notes) + len(&info));
    let all = analyses.len();
    let (mut answered, others): (Vec<Value>, Vec<Value>) = analyses
        .into_iter()
        .partition(|row| row.get("events").and_then(Value::as_u64).is_some_and(|events| events > 0));
    answered.extend(others);
    let has_room = |row: &Value| {
        let size = len(row) + 1;
        let has_room = size <= room;
        room = room.saturating_sub(size);
        has_room
    };
    let kept: Vec<Value> = answered.into_iter().take_while(has_room).collect();
    let omitted = all - kept.len();
    let mut answer = Map::from_iter([
        ("trace".to_owned(), name.into()),
        ("info".to_owned(), info),
        ("analyses".to_owned(), kept.into()),
    ]);
    if omitted > 0 {
        answer.insert("analyses_omitted".to_owned(), omitted.into());
    }
    with_notes(answer, notes)
}

/// Messages have no more than this part of an answer.
const NOTES: usize = 4;

fn notes(messages: Vec<String>, bytes: usize) -> Value {
    if messages.is_empty() { Value::Null } else { bounded(messages.into(), bytes / NOTES) }
}

fn value(line: &str, form: Form) -> Value {
    let as_text = || Value::from(line);
    match form {
        Form::Lines => as_text(),
        // A line that was too long to be read whole is not JSON.
        Form::Rows | Form::Object => serde_json::from_str(line).unwrap_or_else(|_| as_text()),
    }
}

fn with_notes(mut answer: Map<String, Value>, notes: Value) -> Value {
    if !notes.is_null() {
        answer.insert("notes".to_owned(), notes);
    }
    answer.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(lines: &[&str], is_more: bool, skip: usize) -> Value {
        let lines = lines.iter().map(|line| (*line).to_owned()).collect();
        let printed = Printed { lines, is_more, messages: vec!["note: x".into()], is_failure: false };
        of_output(printed, Form::Rows, Page { skip, lines: 50 }, 52)
    }

    #[test]
    fn what_can_be_answered_comes_first_and_the_rest_is_counted() {
        let row = |events: u64| json!({ "name": "x".repeat(200), "events": events });
        let found = of_open("t1".to_owned(), (json!({ "a": 1 }), None), vec![row(0), row(5), row(0), row(7)], 800);
        let events: Vec<_> = found["analyses"].as_array().unwrap().iter().map(|row| row["events"].clone()).collect();
        assert_eq!((events, &found["analyses_omitted"]), (vec![json!(5), json!(7), json!(0)], &json!(1)));
        assert!(len(&found) < 800 + 100, "{found}");
    }

    #[test]
    fn rows_that_do_not_fit_come_with_the_next_page() {
        let row = |number: u32| json!({ "a": number, "b": "xxxx" });
        let lines = [1, 2, 3].map(|number| row(number).to_string());
        let found = answer(&[&lines[0], &lines[1], &lines[2]], false, 4);
        assert_eq!(found, json!({ "rows": [row(1), row(2)], "next_cursor": "6", "notes": ["note: x"] }));
        let found = answer(&["{\"a\":1}"], true, 0);
        assert_eq!(found["next_cursor"], "1");
        assert_eq!(answer(&["{\"a\":1}"], false, 0)["next_cursor"], Value::Null);
    }
}
