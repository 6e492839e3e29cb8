//! What the page asks for.

use etwkit_browse::ExportFormat;
use serde::Deserialize;

/// A file that was dropped onto the page.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct FileRequest {
    /// Its name, for people.
    pub(crate) name: String,
    /// Bytes.
    pub(crate) len: u64,
}

/// One request. The answer is `{"ok": ...}` or `{"error": "...", "column": 3}`, where `column` is the place in a filter
/// expression, in characters from 1.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub(crate) enum Request {
    /// Opens files as one trace; each has its place in the list as its number. `.schema`, `.tmf`, `.pdb` and manifest
    /// files among them explain events.
    Open { files: Vec<FileRequest> },
    /// Begins the list of events that pass a filter expression; an empty text means no filter.
    List { filter: String, since_ms: Option<f64>, until_ms: Option<f64> },
    /// Reads on in the list by one part of the trace.
    Step,
    /// Events of the list.
    Rows { from: u64, count: usize },
    /// The number of the first event of the list at this time or after it: units of 100 ns since 1601, as digits, or
    /// since the first event of the trace.
    At { units: String, from_start: bool },
    /// All of one event of the list.
    Event { row: u64 },
    /// One event of the list as text, as an export has it; CSV with its line of names.
    Copy { row: u64, format: ExportFormat },
    /// What the events of the list are, as counts.
    Facets,
    /// Processes that are known.
    Processes,
    /// Problems with their places.
    Problems,
    /// Buffers with their places.
    Buffers,
    /// Bytes of a file.
    Bytes { file: usize, offset: u64, len: usize },
    /// Lanes over time, those of reports. Reads the whole trace.
    Lanes,
    /// Samples of call stacks as a tree.
    Stacks,
    /// Requests of web servers.
    Requests,
    /// Names that a filter expression may use, and the names of providers and events, which are values of it.
    Names,
    /// A piece of an export of the list: `part` counts up from 0.
    Export { format: ExportFormat, part: usize },
    /// A piece of the network packets of the list as pcapng, in hexadecimal digits: `part` counts up from 0.
    Packets { part: usize },
}
