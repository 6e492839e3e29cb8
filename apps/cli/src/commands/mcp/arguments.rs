//! Arguments of a tool become a command line.

use std::ffi::OsString;

use serde_json::{Map, Value};

use crate::analyses::{analyses, names};
use crate::similarity::asked_in_brackets;

use super::child::Page;
use super::tools::{Form, Kind, Place, Property, Tool};
use super::traces::Traces;

/// Rows of a page unless the client wants another number of them.
const USUAL: usize = 50;
/// Maximum number of rows of a page.
const MOST: usize = 1000;
/// The separator of options and files.
const FILES_FOLLOW: &str = "--";

/// A command line, the form of its output, and the page of that which is wanted.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) words: Vec<OsString>,
    pub(super) form: Form,
    pub(super) page: Page,
}

/// Makes the command line of a call. The error is a message for the client.
pub(super) fn line(
    tool: &Tool,
    (command, form): (&[&str], Form),
    given: &Map<String, Value>,
    traces: &Traces,
) -> Result<Line, String> {
    check(tool, given)?;
    // What the command itself has after its options is before the files.
    let mut parts = command.split(|word| *word == FILES_FOLLOW);
    let mut words: Vec<OsString> = parts.next().into_iter().flatten().map(OsString::from).collect();
    let mut named: Vec<OsString> = parts.flatten().map(OsString::from).collect();
    let mut files: Vec<OsString> = Vec::new();
    let mut line = Line { words: Vec::new(), form, page: Page { skip: 0, lines: USUAL } };
    for property in tool.properties() {
        let texts = texts(property, given.get(property.name).unwrap_or(&Value::Null))?;
        match property.place {
            Place::Form => words.push(line.format(property.kind, texts.first())),
            _ if texts.is_empty() => {}
            Place::Option(option) => words.extend(options(property.kind, option, &texts)),
            Place::PathOption(option) => words.append(&mut path_options(option, &texts, traces)?),
            Place::Analysis => named.extend(texts.iter().map(OsString::from)),
            Place::Trace | Place::SinglePath => {
                let is_single = matches!(property.place, Place::SinglePath);
                of_trace(&texts, is_single, traces, &mut words, &mut files)?;
            }
            Place::Limit => line.page.lines = number(property, &texts)?.min(MOST),
            Place::Cursor => line.page.skip = number(property, &texts)?,
            Place::Paths => {}
        }
    }
    line.words = words;
    line.words.push(FILES_FOLLOW.into());
    line.words.append(&mut named);
    line.words.append(&mut files);
    Ok(line)
}

impl Line {
    /// The option for the form of the output. All forms but the first choice are text.
    fn format(&mut self, kind: Kind, asked: Option<&String>) -> OsString {
        let usual = match kind {
            Kind::Choice([usual, ..]) => usual,
            _ => "json",
        };
        let asked = asked.map_or(usual, String::as_str);
        if asked != usual {
            self.form = Form::Lines;
        }
        format!("--format={asked}").into()
    }
}

/// Adds the files of traces, and the options that these were opened with.
fn of_trace(
    names: &[String],
    is_single: bool,
    traces: &Traces,
    words: &mut Vec<OsString>,
    files: &mut Vec<OsString>,
) -> Result<(), String> {
    for name in names {
        let opened = traces.get(name)?;
        if is_single && opened.files.len() > 1 {
            return Err(format!("{name} consists of several files: open each one, or their folder, as a trace"));
        }
        let new = opened.options.iter().filter(|option| !words.contains(option)).cloned().collect::<Vec<_>>();
        words.extend(new);
        files.extend(opened.files.iter().cloned());
    }
    Ok(())
}

/// The words of an option whose values are paths that must be allowed.
fn path_options(option: &str, paths: &[String], traces: &Traces) -> Result<Vec<OsString>, String> {
    let word = |path: &String| {
        let mut word = OsString::from(format!("{option}="));
        word.push(traces.resolve(path)?);
        Ok(word)
    };
    paths.iter().map(word).collect()
}

/// The options with paths that a call has, for the traces that it opens.
pub(super) fn all_path_options(
    tool: &Tool,
    given: &Map<String, Value>,
    traces: &Traces,
) -> Result<Vec<OsString>, String> {
    let mut words = Vec::new();
    for property in tool.properties() {
        if let Place::PathOption(option) = property.place {
            words.append(&mut path_options(option, &values(given, property)?, traces)?);
        }
    }
    Ok(words)
}

/// The values of an argument; none if it is left out.
pub(super) fn values(given: &Map<String, Value>, property: &Property) -> Result<Vec<String>, String> {
    texts(property, given.get(property.name).unwrap_or(&Value::Null))
}

/// Refuses unknown arguments, and states which are missing.
pub(super) fn check(tool: &Tool, given: &Map<String, Value>) -> Result<(), String> {
    let names = || tool.properties().map(|property| property.name);
    if let Some(unknown) = given.keys().find(|name| !names().any(|known| known == *name)) {
        let near = asked_in_brackets(unknown, names());
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
        (_, Value::Null) => Ok(Vec::new()),
        (Kind::Flag, Value::Bool(is)) => Ok(vec![is.to_string()]),
        (Kind::Texts, Value::Array(list)) => list.iter().map(|value| text(value).ok_or_else(wrong)).collect(),
        (Kind::Choice(choices), Value::String(text)) if choices.contains(&&**text) => Ok(vec![text.clone()]),
        (Kind::Choice(choices), _) => Err(format!("`{}`: {value} is not one of {}", property.name, choices.join(", "))),
        (Kind::Number, value) => match whole(value).filter(|number| *number >= property.place.least()) {
            Some(number) => Ok(vec![number.to_string()]),
            None => Err(wrong()),
        },
        (Kind::Analysis, Value::String(text)) if analyses().any(|entry| entry.name == *text) => Ok(vec![text.clone()]),
        (Kind::Analysis, value) => {
            let word = value.as_str().unwrap_or_default();
            let near = asked_in_brackets(word, analyses().map(|entry| entry.name));
            Err(format!("`{}`: {value} is not one of {}{near}", property.name, names(analyses())))
        }
        (Kind::Decimal, Value::Number(number)) if number.as_f64() >= Some(0.0) => Ok(vec![number.to_string()]),
        (Kind::Text | Kind::Texts | Kind::Values, value) => text(value).map(|text| vec![text]).ok_or_else(wrong),
        _ => Err(wrong()),
    }
}

/// The whole number that a value is, also written as `5.0`.
fn whole(value: &Value) -> Option<u64> {
    /// All doubles up to it are whole numbers exactly.
    const MOST: f64 = 9_007_199_254_740_992.0;
    let is_whole = |number: &f64| number.fract() == 0.0 && (0.0..=MOST).contains(number);
    value.as_u64().or_else(|| value.as_f64().filter(is_whole).map(|number| number as u64))
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
        traces.open(&["/".to_owned()], vec!["--symbols=/".into()]).unwrap();
        let tool = TOOLS.iter().find(|tool| tool.name == name).unwrap();
        let Action::Run(command, form) = tool.action else { panic!("{name} runs no command") };
        let line = line(tool, (command, form), arguments.as_object().unwrap(), &traces)?;
        Ok(line.words.into_iter().map(|word| word.into_string().unwrap()).collect())
    }

    #[test]
    fn arguments_become_options_before_the_files() {
        let found = words("count", &json!({ "trace": "t1", "group_by": ["pid", "tid"], "where": "--x", "pid": 4 }));
        let wanted =
            ["count", "--format=jsonl", "--symbols=/", "--group-by=pid", "--group-by=tid", "--pid=4", "--where=--x"];
        let found = found.unwrap();
        assert_eq!(found[..7], wanted);
        assert_eq!(found[7..], ["--", "/"]);
        let found = words("analyze", &json!({ "trace": "t1", "name": "gc", "each": true })).unwrap();
        assert_eq!(found[found.len() - 3..], ["--", "gc", "/"]);
        let found = words("processes", &json!({ "trace": "t1", "sort": "-pid" })).unwrap();
        assert_eq!(found[1..], ["--format=jsonl", "--symbols=/", "--sort=-pid", "--", "processes", "/"]);
        let found = words("profile", &json!({ "trace": "t1", "fold": 0.5, "format": "tree", "symbols": "/" })).unwrap();
        assert_eq!(found[1..], ["--symbols=/", "--format=tree", "--fold=0.5", "--symbols=/", "--", "/"]);
        let found = words("diff", &json!({ "before": "t1", "after": "t1" })).unwrap();
        assert_eq!(found[1..], ["--format=json", "--symbols=/", "--", "/", "/"]);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let error = |name: &str, arguments: Value| words(name, &arguments).unwrap_err();
        assert!(error("count", json!({ "trace": "t1", "groupby": "pid" })).contains("did you mean `group_by`?"));
        assert!(error("count", json!({})).contains("`trace` is missing"));
        assert!(error("count", json!({ "trace": "t2" })).contains("open are t1"));
        assert!(error("count", json!({ "trace": "t1", "top": -1 })).contains("is not what it takes"));
        assert!(
            error("profile", json!({ "trace": "t1", "format": "svg" })).contains("is not one of json, tree, folded")
        );
        assert!(error("count", json!({ "trace": "t1", "cursor": "x" })).contains("not one that an answer had"));
        assert!(error("count", json!({ "trace": "t1", "limit": 0 })).contains("is not what it takes"));
        assert!(error("count", json!({ "trace": "t1", "limit": 1.5 })).contains("is not what it takes"));
        assert!(words("count", &json!({ "trace": "t1", "limit": 5.0 })).is_ok());
    }

    /// A word that is no analysis would be read as a file.
    #[test]
    fn no_file_is_named_beside_the_traces() {
        for name in ["/etc/passwd", "*.etl", "--help", "a.zip!b", "."] {
            let found = words("analyze", &json!({ "trace": "t1", "name": name }));
            assert!(found.is_err_and(|error| error.contains("is not one of processes")), "{name}");
        }
    }
}
