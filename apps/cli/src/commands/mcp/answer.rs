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

/// The answer that a command's output is: rows or lines that fit into it, and a cursor if there are more.
pub(super) fn of_output(printed: Printed, form: Form, page: Page, bytes: usize) -> Value {
    let Printed { lines, is_more, messages, .. } = printed;
    if form == Form::Object {
        let value = lines.first().map_or(Value::Null, |line| value(line, form));
        return with_notes(Map::from_iter([("info".to_owned(), bounded(value, bytes))]), messages);
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
    with_notes(answer, messages)
}

fn value(line: &str, form: Form) -> Value {
    let as_text = || Value::from(line);
    match form {
        Form::Lines => as_text(),
        // A line that was too long to be read whole is not JSON.
        Form::Rows | Form::Object => serde_json::from_str(line).unwrap_or_else(|_| as_text()),
    }
}

fn with_notes(mut answer: Map<String, Value>, messages: Vec<String>) -> Value {
    if !messages.is_empty() {
        answer.insert("notes".to_owned(), messages.into());
    }
    answer.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(lines: &[&str], is_more: bool, skip: usize) -> Value {
        let lines = lines.iter().map(|line| (*line).to_owned()).collect();
        let printed = Printed { lines, is_more, messages: vec!["note: x".into()], is_failure: false };
        of_output(printed, Form::Rows, Page { skip, lines: 50 }, 20)
    }

    #[test]
    fn rows_that_do_not_fit_come_with_the_next_page() {
        let found = answer(&["{\"a\":1}", "{\"a\":2}", "{\"a\":3}"], false, 4);
        assert_eq!(found, json!({ "rows": [{ "a": 1 }, { "a": 2 }], "next_cursor": "6", "notes": ["note: x"] }));
        let found = answer(&["{\"a\":1}"], true, 0);
        assert_eq!(found["next_cursor"], "1");
        assert_eq!(answer(&["{\"a\":1}"], false, 0)["next_cursor"], Value::Null);
    }
}
