//! Problems of traces as text and as JSON.

use etwkit::Problem;
use serde_json::{Value, json};

use crate::text::counted;

/// A problem in words, with its place.
pub(crate) fn sentence(problem: &Problem) -> String {
    if problem.len == 0 && problem.offset == 0 {
        return format!("{}: {}", problem.kind, problem.detail);
    }
    if problem.len == 0 {
        return format!("{} at {:#x} ({}): {}", problem.kind, problem.offset, problem.offset, problem.detail);
    }
    let bytes = counted(problem.len, "byte");
    format!("{} at {:#x} ({}), {bytes}: {}", problem.kind, problem.offset, problem.offset, problem.detail)
}

/// A problem as an object, with the name of its file if that is not obvious.
pub(crate) fn json_of(problem: &Problem, file: Option<&str>) -> Value {
    let mut row = json(problem);
    if let (Some(file), Some(members)) = (file, row.as_object_mut()) {
        members.insert("file".to_owned(), file.into());
    }
    row
}

/// A problem as an object.
pub(crate) fn json(problem: &Problem) -> Value {
    json!({
        "severity": problem.severity.name(),
        "kind": problem.kind.name(),
        "offset": problem.offset,
        "len": problem.len,
        "detail": problem.detail,
    })
}
