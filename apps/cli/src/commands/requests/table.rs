//! Rows of requests.

use etwkit::FileTime;
use etwkit::render::time::TimeCache;
use etwkit_http_requests::{Request, Stage};
use serde_json::{Value, json};

use crate::rows::{Cell, Column, Files};

/// The columns of a request.
pub(super) fn columns(files: &Files) -> Vec<Column> {
    let text = Column::text;
    vec![
        text("start"),
        files.column(),
        text("activity"),
        text("client"),
        text("verb"),
        text("url"),
        Column::id("status"),
        Column::number("total_ms"),
        text("error"),
        text("stages_ms"),
    ]
}

/// The cells of a request.
pub(super) fn row(request: &Request, files: &Files, time: &mut TimeCache) -> Vec<Cell> {
    let text = |fact: &Option<String>| Cell::optional(fact.clone());
    vec![
        Cell::time(request.first, false, time, String::new()),
        files.cell(&request.files),
        Cell::Text(format!("{{{}}}", request.activity)),
        text(&request.client),
        text(&request.verb),
        text(&request.url),
        request.status.clone().map_or(Cell::Absent, Cell::parsed),
        milliseconds(request.first, request.last),
        text(&request.error),
        stages(request),
    ]
}

/// Each stage with the time until the next one: `Parse 1.2; Deliver 30.0; FastSend`.
fn stages(request: &Request) -> Cell {
    let next = request.stages.iter().skip(1).map(|stage| Some(stage.time)).chain([None]);
    let (mut parts, mut list): (Vec<String>, Vec<Value>) = <_>::default();
    for (Stage { name, time, .. }, next) in request.stages.iter().zip(next) {
        let ms = next.map(|next| milliseconds(*time, next));
        parts.push(ms.as_ref().map_or_else(|| name.to_string(), |ms| format!("{name} {}", ms.plain())));
        let mut stage = json!({ "name": &**name });
        if let (Some(object), Some(ms)) = (stage.as_object_mut(), ms.and_then(|ms| ms.json())) {
            object.insert("ms".to_owned(), ms);
        }
        list.push(stage);
    }
    if request.more_stages > 0 {
        parts.push(format!("{} more", request.more_stages));
        list.push(json!({ "more": request.more_stages }));
    }
    Cell::List(parts.join("; "), list.into())
}

/// The milliseconds between two points of time, to 100 ns as events have them. A damaged trace may have any times.
fn milliseconds(from: FileTime, to: FileTime) -> Cell {
    Cell::Decimal(i128::from(to.0) - i128::from(from.0), 4)
}

#[cfg(test)]
mod tests {
    use etwkit::FileTime;

    use super::*;

    #[test]
    fn any_two_times_have_a_difference() {
        let text = |from, to| milliseconds(FileTime(from), FileTime(to)).plain().into_owned();
        assert_eq!(text(0, 12_345_678), "1234.5678");
        assert_eq!(text(10, 0), "-0.0010");
        assert_eq!(text(i64::MIN, i64::MAX), "1844674407370955.1615");
        assert_eq!(text(i64::MAX, i64::MIN), "-1844674407370955.1615");
    }
}
