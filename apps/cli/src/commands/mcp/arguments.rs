//! Arguments of a tool become a command line.

use std::ffi::OsString;

use serde_json::{Map, Value};

use crate::similarity::nearest;

use super::child::Page;
use super::tools::{Kind, Place, Property, Tool};
use super::traces::Traces;

/// Rows of a page unless the client wants another number of them.
const USUAL: usize = 50;
/// Most rows of a page.
const MOST: usize = 1000;
/// The separator of options and files.
const FILES_FOLLOW: &str = "--";

/// A command line, and the page of its output that is wanted.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) words: Vec<OsString>,
    pub(super) page: Page,
}

/// Makes the command line of a call. The error is a message for the client.
pub(super) fn line(tool: &Tool, command: &[&str], given: &Map<String, Value>, traces: &Traces) -> Result<Line, String> {
    check(tool, given)?;
    // What the command itself has after its options stands before the files.
    let mut parts = command.split(|word| *word == FILES_FOLLOW);
    let mut words: Vec<OsString> = parts.next().into_iter().flatten().map(OsString::from).collect();
    let mut named: Vec<OsString> = parts.flatten().map(OsString::from).collect();
    let mut files: Vec<OsString> = Vec::new();
    let mut page = Page { skip: 0, lines: USUAL };
    for property in tool.properties() {
        let Some(value) = given.get(property.name).filter(|value| !value.is_null()) else { continue };
        let texts = texts(property, value)?;
        match property.place {
            Place::Option(option) => words.extend(options(property.kind, option, &texts)),
            Place::PathOption(option) => {
                for text in &texts {
                    let mut word = OsString::from(format!("{option}="));
                    word.push(traces.resolve(text)?);
                    words.push(word);
                }
            }
            Place::Word => named.extend(texts.iter().map(OsString::from)),
            Place::Trace => {
                for name in &texts {
                    files.extend(traces.files(name)?.iter().cloned());
                }
            }
            Place::Limit => page.lines = number(property, &texts)?.clamp(1, MOST),
            Place::Cursor => page.skip = number(property, &texts)?,
            Place::Paths => {}
        }
    }
    words.push(FILES_FOLLOW.into());
    words.append(&mut named);
    words.append(&mut files);
    Ok(Line { words, page })
}

/// The values of an argument that must be there.
pub(super) fn values(given: &Map<String, Value>, property: &Property) -> Result<Vec<String>, String> {
    texts(property, given.get(property.name).unwrap_or(&Value::Null))
}

/// Refuses unknown arguments, and says which are missing.
pub(super) fn check(tool: &Tool, given: &Map<String, Value>) -> Result<(), String> {
    let names = || tool.properties().map(|property| property.name);
    if let Some(unknown) = given.keys().find(|name| !names().any(|known| known == *name)) {
        let near = nearest(unknown, names()).map_or_else(String::new, |near| format!(" (did you mean `{near}`?)"));
        let known = names().collect::<Vec<_>>().join(", ");
        return Err(format!("{}: no argument `{unknown}`{near}; it takes {known}", tool.name));
    }
    let is_missing = |property: &&Property| property.is_required && given.get(property.name).is_none_or(Value::is_null);
    match tool.properties().find(is_missing) {
        Some(missing) => Err(format!("{}: `{}` is missing: {}", tool.name, missing.name, missing.about)),
        None => Ok(()),
    }
}

/// The words of an option. A value is joined to its option, so that none is taken for an option itself.
fn options(kind: Kind, option: &str, texts: &[String]) -> Vec<OsString> {
    match kind {
        Kind::Flag => texts.iter().filter(|text| *text == "true").map(|_| OsString::from(option)).collect(),
        _ => texts.iter().map(|text| OsString::from(format!("{option}={text}"))).collect(),
    }
}

/// The texts of a value; a single one where a list is taken, too, since clients leave out the brackets.
fn texts(property: &Property, value: &Value) -> Result<Vec<String>, String> {
    let wrong = || format!("`{}`: {value} is not what it takes: {}", property.name, property.about);
    let text = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    match (property.kind, value) {
        (Kind::Flag, Value::Bool(is)) => Ok(vec![is.to_string()]),
        (Kind::Texts, Value::Array(list)) => list.iter().map(|value| text(value).ok_or_else(wrong)).collect(),
        (Kind::Choice(choices), Value::String(text)) if choices.contains(&&**text) => Ok(vec![text.clone()]),
        (Kind::Choice(choices), _) => Err(format!("`{}`: {value} is none of {}", property.name, choices.join(", "))),
        (Kind::Number, Value::Number(number)) if number.is_u64() => Ok(vec![number.to_string()]),
        (Kind::Text | Kind::Texts, value) => text(value).map(|text| vec![text]).ok_or_else(wrong),
        _ => Err(wrong()),
    }
}

fn number(property: &Property, texts: &[String]) -> Result<usize, String> {
    let number = texts.first().and_then(|text| text.parse().ok());
    number.ok_or_else(|| format!("`{}` is not one that an answer had", property.name))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::catalog::TOOLS;
    use super::super::tools::Action;
    use super::*;

    fn words(name: &str, arguments: &Value) -> Result<Vec<String>, String> {
        let mut traces = Traces::new(None).unwrap();
        traces.open(&["/".to_owned()]).unwrap();
        let tool = TOOLS.iter().find(|tool| tool.name == name).unwrap();
        let Action::Run(command, _) = tool.action else { panic!("{name} runs no command") };
        let line = line(tool, command, arguments.as_object().unwrap(), &traces)?;
        Ok(line.words.into_iter().map(|word| word.into_string().unwrap()).collect())
    }

    #[test]
    fn arguments_become_options_before_the_files() {
        let found = words("count", &json!({ "trace": "t1", "group_by": ["pid", "tid"], "where": "--x", "pid": 4 }));
        let wanted =
            ["count", "--format=jsonl", "--group-by=pid", "--group-by=tid", "--pid=4", "--where=--x", "--", "/"];
        assert_eq!(found.unwrap(), wanted);
        let found = words("analyze", &json!({ "trace": "t1", "name": "--help", "each": true })).unwrap();
        assert_eq!(found[found.len() - 3..], ["--", "--help", "/"]);
        let found = words("processes", &json!({ "trace": "t1", "sort": "-pid" })).unwrap();
        assert_eq!(found[1..], ["--format=jsonl", "--sort=-pid", "--", "processes", "/"]);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let error = |name: &str, arguments: Value| words(name, &arguments).unwrap_err();
        assert!(error("count", json!({ "trace": "t1", "groupby": "pid" })).contains("did you mean `group_by`?"));
        assert!(error("count", json!({})).contains("`trace` is missing"));
        assert!(error("count", json!({ "trace": "t2" })).contains("open are t1"));
        assert!(error("count", json!({ "trace": "t1", "top": -1 })).contains("is not what it takes"));
        assert!(error("profile", json!({ "trace": "t1", "form": "svg" })).contains("none of json, folded"));
        assert!(error("count", json!({ "trace": "t1", "cursor": "x" })).contains("not one that an answer had"));
    }
}
