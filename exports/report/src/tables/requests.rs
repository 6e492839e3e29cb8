//! Requests of web servers.

use etwkit_analysis::milliseconds;
use etwkit_browse::Extent;
use etwkit_http_requests::{Request, Requests};

use super::{cut_text, text_column};
use crate::model::{Cell, Table};

/// Requests, the longest first.
pub(crate) fn requests(found: &Requests, extent: Extent, most: usize) -> Table {
    let mut list: Vec<&Request> = found.rows.iter().collect();
    list.sort_by_key(|request| request.first.0.saturating_sub(request.last.0));
    let text = |text: &Option<String>| text.as_deref().map_or(Cell::Absent, |text| Cell::Text(cut_text(text)));
    let row = |request: &&Request| {
        vec![
            Cell::Integer(extent.units(request.first).into()),
            text(&request.verb),
            text(&request.url),
            text(&request.status),
            Cell::Real(milliseconds(request.first, request.last)),
            text(&request.client),
            text(&request.error),
        ]
    };
    Table {
        id: "requests",
        title: "Requests of web servers, the longest first".to_owned(),
        command: "requests".to_owned(),
        columns: vec![
            text_column("start", "time", "Its first event."),
            text_column("verb", "text", "Verb."),
            text_column("url", "text", "URL."),
            text_column("status", "text", "Status."),
            text_column("total_ms", "ms", "Milliseconds from its first event to its last."),
            text_column("client", "text", "Who asked."),
            text_column("error", "text", "Error."),
        ],
        rows: list.iter().take(most).map(row).collect(),
        left_out: list.len().saturating_sub(most) as u64,
        excess: found.beyond_limit,
    }
}
