//! One viewer: a trace, and the list of events that is shown.

use std::fmt;
use std::sync::Arc;

use etwkit::bytes::Hex;
use etwkit::decode::Event;
use etwkit::query::Expression;
use etwkit::trace::{RunOptions, TimeRange, TracePart};
use etwkit::{FileTime, Filter, Input, Trace};
use etwkit_browse::{Detail, EventList, ExportFormat, Row, RowWriter};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::files::{self, ReadFile};
use crate::limits::{MAX_LISTED, MAX_ROWS};
use crate::overview::Overview;
use crate::packets::PacketExport;
use crate::processes::{Listed, buffers, problems, processes};
use crate::request::{FileRequest, Request};
use crate::schemas::{self, Kind};
use crate::{bytes, lanes, stacks};

/// The engine behind a page: it takes requests as JSON, and answers with JSON. `docs/viewer.md` lists them.
pub struct Session {
    reader: Arc<dyn ReadFile>,
    open: Option<Open>,
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("open", &self.open).finish_non_exhaustive()
    }
}

/// A trace that is open.
#[derive(Debug)]
struct Open {
    trace: Trace,
    parts: Vec<TracePart>,
    list: EventList,
    packets: Option<PacketExport>,
}

/// Why a request is not answered.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Refusal {
    error: String,
    /// The place in a filter expression, in characters from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
}

impl<E: fmt::Display> From<E> for Refusal {
    fn from(error: E) -> Self {
        Self { error: error.to_string(), column: None }
    }
}

/// An answer.
type Answer = Result<Box<RawValue>, Refusal>;

#[derive(Serialize)]
struct Answered {
    ok: Box<RawValue>,
}

impl Session {
    /// A session without a trace. `reader` reads the files that requests open.
    pub fn new(reader: impl ReadFile + 'static) -> Self {
        Self { reader: Arc::new(reader), open: None }
    }

    /// Answers a request.
    pub fn call(&mut self, request: &[u8]) -> Vec<u8> {
        let answer = serde_json::from_slice(request).map_err(Refusal::from).and_then(|request| self.answer(request));
        let written = match answer {
            Ok(ok) => serde_json::to_vec(&Answered { ok }),
            Err(refusal) => serde_json::to_vec(&refusal),
        };
        written.unwrap_or_default()
    }

    fn answer(&mut self, request: Request) -> Answer {
        if let Request::Open { files } = request {
            return self.open(&files);
        }
        self.open.as_mut().ok_or("no trace is open")?.answer(request)
    }

    fn open(&mut self, files: &[FileRequest]) -> Answer {
        self.open = None;
        let (mut notes, mut inputs, mut unpacker) = (Vec::new(), Vec::new(), files::unpacker());
        for (number, file) in files.iter().enumerate().filter(|(_, file)| Kind::of(&file.name) == Kind::Trace) {
            inputs.extend(files::inputs(&self.reader, number, file, &mut unpacker, &mut notes)?);
        }
        if inputs.is_empty() {
            return Err("no trace is among these files".into());
        }
        let additions = schemas::additions(&self.reader, files, &mut notes);
        let open = Open::new(inputs, additions)?;
        let overview = answer(&Overview::of(&open.trace, notes));
        self.open = Some(open);
        overview
    }
}

impl Open {
    fn new(inputs: Vec<Input>, additions: etwkit_parsers::Additions) -> Result<Self, Refusal> {
        let parsers = etwkit_parsers::with_stacks(etwkit_parsers::with(additions));
        let trace = Trace::open_all(inputs, parsers)?;
        let parts = etwkit_browse::parts(&trace);
        let list = EventList::new(&trace, trace.prepare(&Filter::default()));
        Ok(Self { trace, parts, list, packets: None })
    }

    fn answer(&mut self, request: Request) -> Answer {
        let Self { trace, parts, list, packets } = self;
        match request {
            Request::Open { .. } => Err("a trace is open".into()),
            Request::List { filter, since_ms, until_ms } => {
                *list = EventList::new(trace, trace.prepare(&filter_of(&filter, since_ms, until_ms)?));
                answer(&list.progress(parts))
            }
            Request::Step => {
                list.step(trace, parts)?;
                answer(&list.progress(parts))
            }
            Request::Rows { from, count } => answer(&self.rows(from, count)?),
            Request::At { units, from_start } => answer(&list.at(trace, parts, time_of(trace, &units, from_start)?)?),
            Request::Lanes => answer(&lanes::lanes(trace)?),
            Request::Event { row } => answer(&self.event(row)?),
            Request::Copy { row, format } => answer(&self.copy(row, format)?),
            Request::Facets => answer(&list.facets.lists(trace)),
            Request::Processes => answer(&processes(trace)),
            Request::Problems => answer(&problems(trace)),
            Request::Buffers => answer(&buffers(trace)),
            Request::Bytes { file, offset, len } => answer(&bytes::of_file(trace, file, offset, len)?),
            Request::Stacks => answer(&stacks::cpu_samples(trace)?),
            Request::Requests => self.requests(),
            Request::Names => answer(&etwkit_browse::vocabulary(trace)),
            Request::Packets { part } => {
                answer(&PacketExport::part(packets, trace, parts, list, part)?.map(|piece| Hex(&piece).to_string()))
            }
            Request::Export { format, part } => {
                let text = etwkit_browse::export_part(trace, parts, list, format, part)?;
                answer(&text.map(|text| String::from_utf8_lossy(&text).into_owned()))
            }
        }
    }

    fn rows(&self, from: u64, count: usize) -> Result<Vec<Row>, Refusal> {
        let (mut writer, mut rows) = (RowWriter::new(&self.trace), Vec::new());
        let count = count.min(MAX_ROWS);
        self.list.read(&self.trace, &self.parts, from, |number, event| {
            if rows.len() < count {
                rows.extend(writer.row(number, event)?);
            }
            Ok(rows.len() < count)
        })?;
        Ok(rows)
    }

    fn event(&self, row: u64) -> Result<Detail, Refusal> {
        let mut writer = RowWriter::new(&self.trace);
        self.of_row(row, |event| Detail::of(event, &mut writer))
    }

    fn copy(&self, row: u64, format: ExportFormat) -> Result<String, Refusal> {
        let text = self.of_row(row, |event| etwkit_browse::export_event(&self.trace, event, format).map(Some))?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// What is made of one event of the list.
    fn of_row<T>(&self, row: u64, mut make: impl FnMut(&Event<'_>) -> etwkit::Result<Option<T>>) -> Result<T, Refusal> {
        let mut found = None;
        self.list.read(&self.trace, &self.parts, row, |_, event| {
            found = make(event)?;
            Ok(false)
        })?;
        found.ok_or_else(|| Refusal::from(format!("there is no row {row}")))
    }

    fn requests(&self) -> Answer {
        let options = RunOptions::default().threads(1);
        let found = etwkit_http_requests::requests(&self.trace, &options)?;
        answer(&Listed::new(found.rows.iter().map(crate::overview::RequestRow::of), MAX_LISTED))
    }
}

/// A time in units of 100 ns, since 1601 or since the first event.
fn time_of(trace: &Trace, units: &str, from_start: bool) -> Result<FileTime, Refusal> {
    let units: i64 = units.parse()?;
    let start = trace.first_and_last().map_or(0, |(first, _)| first.as_units());
    Ok(FileTime(if from_start { start.saturating_add(units) } else { units }))
}

/// A filter of what was typed.
fn filter_of(text: &str, since_ms: Option<f64>, until_ms: Option<f64>) -> Result<Filter, Refusal> {
    let duration = |ms: f64| std::time::Duration::try_from_secs_f64(ms / 1000.0).ok();
    let time = TimeRange::default().since_offset(since_ms.and_then(duration)).until_offset(until_ms.and_then(duration));
    let mut filter = Filter::default().time(time);
    if !text.trim().is_empty() {
        let parsed = text
            .parse::<Expression>()
            .map_err(|error| Refusal { error: error.detail.clone(), column: Some(error.column) })?;
        filter = filter.expression(parsed.with_rfc3339_times());
    }
    Ok(filter)
}

fn answer(value: &impl Serialize) -> Answer {
    Ok(to_raw_value(value)?)
}
