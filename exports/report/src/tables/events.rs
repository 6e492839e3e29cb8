//! Rows of single events: messages, errors and warnings, the first and the last ones.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use etwkit::Result;
use etwkit::decode::Event;
use etwkit::event::Kind;
use etwkit::output::FieldsJson;
use etwkit::select::{HeaderField, level_of};
use etwkit::sink::{Sink, Worker};
use etwkit::trace::{RunOptions, Trace};
use etwkit_browse::Extent;

use super::{cut_text, text_column};
use crate::model::{Cell, Column, Table};

/// Returns whether a trace is one of messages: most of its events have a text.
pub(crate) fn is_text_like(trace: &Trace) -> bool {
    let has_text = |row: &&etwkit::EventType| {
        let is_message = matches!(row.key().kind, Kind::Wpp | Kind::StringOnly);
        is_message || row.schema().is_some_and(|schema| schema.message().is_some())
    };
    let with_text: u64 = trace.types().iter().filter(has_text).map(etwkit::EventType::events).sum();
    with_text > 0 && with_text.saturating_mul(2) >= trace.events_total()
}

/// The columns of events.
pub(crate) fn columns() -> Vec<Column> {
    vec![
        text_column("time", "time", "Time."),
        text_column("level", "level", "Level, 1 (critical) to 5 (verbose)."),
        text_column("provider", "text", "Provider."),
        text_column("event", "text", "Event."),
        text_column("process", "text", "File name of the image of its process."),
        text_column("pid", "id", "Process id."),
        text_column("tid", "id", "Thread id."),
        text_column("text", "text", "Its message; of an event without one, its fields."),
    ]
}

/// The first and the last events: one table if they are all.
pub(crate) fn ends(trace: &Trace, extent: Extent, most: usize, options: &RunOptions) -> Result<Vec<Table>> {
    let all = trace.events_total();
    let is_all = all <= most as u64 * 2;
    let run = |options: RunOptions| {
        let mut rows = Ends { extent, rows: Vec::new() };
        trace.run(&options, &mut rows)?;
        Ok::<_, etwkit::Error>(rows.rows)
    };
    let table = |id, title: &str, rows: Vec<Vec<Cell>>| {
        let left_out = all.saturating_sub(rows.len() as u64);
        let (title, command) = (title.to_owned(), "dump".to_owned());
        Table { id, title, command, columns: columns(), rows, left_out, excess: 0 }
    };
    if is_all {
        return Ok(vec![table("all-events", "All events", run(options.clone())?)]);
    }
    let first = run(options.clone().first(most as u64))?;
    let last = run(options.clone().last(most as u64))?;
    Ok(vec![table("first", "First events", first), table("last", "Last events", last)])
}

/// Rows of all events of a run.
#[derive(Debug)]
pub(crate) struct Ends {
    extent: Extent,
    rows: Vec<Vec<Cell>>,
}

impl Sink for Ends {
    type Worker = RowWorker;

    fn worker(&self) -> RowWorker {
        RowWorker { extent: self.extent, fields: FieldsJson::default(), rows: Vec::new() }
    }

    fn accept(&mut self, rows: Vec<Vec<Cell>>) -> Result<ControlFlow<()>> {
        self.rows.extend(rows);
        Ok(ControlFlow::Continue(()))
    }
}

/// Makes rows.
#[derive(Debug)]
pub(crate) struct RowWorker {
    extent: Extent,
    fields: FieldsJson,
    rows: Vec<Vec<Cell>>,
}

impl RowWorker {
    fn text(&mut self, event: &Event<'_>) -> String {
        let message = HeaderField::Message.value(event).map(|message| message.text(event));
        if let Some(message) = message.filter(|text| !text.is_empty()) {
            return cut_text(message.trim_end());
        }
        if !event.has_layout() {
            return HeaderField::Payload.value(event).map_or_else(String::new, |bytes| cut_text(&bytes.text(event)));
        }
        let mut text = Vec::new();
        self.fields.push(&mut text, event);
        cut_text(&String::from_utf8_lossy(&text))
    }
}

impl Worker for RowWorker {
    type Batch = Vec<Vec<Cell>>;

    fn event(&mut self, event: &Event<'_>) -> Result<()> {
        let integer = |number: Option<u32>| number.map_or(Cell::Absent, |number| Cell::Integer(number.into()));
        let whose = event.attribution();
        let process = whose.pid.and_then(|pid| event.system().process_name_at(pid, event.raw()));
        let level = level_of(event.raw(), event.schema()).unwrap_or(0);
        let text = self.text(event);
        self.rows.push(vec![
            event.time().map_or(Cell::Absent, |time| Cell::Integer(self.extent.units(time).into())),
            Some(level).filter(|level| *level > 0).map_or(Cell::Absent, |level| Cell::Integer(level.into())),
            Cell::Text(cut_text(event.provider())),
            Cell::Text(cut_text(event.name())),
            process.map_or(Cell::Absent, |name| Cell::Text(cut_text(name))),
            integer(whose.pid),
            integer(whose.tid),
            Cell::Text(text),
        ]);
        Ok(())
    }

    fn is_full(&self) -> bool {
        self.rows.len() >= FULL
    }

    fn take(&mut self) -> Vec<Vec<Cell>> {
        std::mem::take(&mut self.rows)
    }
}

/// Rows that are handed over at once.
const FULL: usize = 256;

/// Events whose level is critical, error or warning: the first of them.
#[derive(Debug)]
pub(crate) struct Levels {
    rows: Ends,
    most: usize,
    left_out: u64,
    is_full: Arc<AtomicBool>,
}

impl Levels {
    /// Begins.
    pub(crate) fn new(extent: Extent, most: usize) -> Self {
        Self { rows: Ends { extent, rows: Vec::new() }, most, left_out: 0, is_full: Arc::default() }
    }

    /// The table.
    pub(crate) fn table(self) -> Table {
        Table {
            id: "levels",
            title: "Errors and warnings".to_owned(),
            command: "dump --level 3".to_owned(),
            columns: columns(),
            rows: self.rows.rows,
            left_out: self.left_out,
            excess: 0,
        }
    }
}

impl Sink for Levels {
    type Worker = LevelWorker;

    fn worker(&self) -> LevelWorker {
        LevelWorker { rows: self.rows.worker(), left_out: 0, is_full: Arc::clone(&self.is_full) }
    }

    fn accept(&mut self, (rows, left_out): (Vec<Vec<Cell>>, u64)) -> Result<ControlFlow<()>> {
        let room = self.most.saturating_sub(self.rows.rows.len());
        self.left_out += left_out + rows.len().saturating_sub(room) as u64;
        self.rows.rows.extend(rows.into_iter().take(room));
        if self.rows.rows.len() >= self.most {
            self.is_full.store(true, Ordering::Relaxed);
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// Makes rows of errors and warnings, as long as there is room, and counts them after that.
#[derive(Debug)]
pub(crate) struct LevelWorker {
    rows: RowWorker,
    left_out: u64,
    is_full: Arc<AtomicBool>,
}

impl Worker for LevelWorker {
    type Batch = (Vec<Vec<Cell>>, u64);

    fn event(&mut self, event: &Event<'_>) -> Result<()> {
        let level = level_of(event.raw(), event.schema()).unwrap_or(0);
        if !(1..=3).contains(&level) {
            return Ok(());
        }
        if self.is_full.load(Ordering::Relaxed) {
            self.left_out += 1;
            return Ok(());
        }
        self.rows.event(event)
    }

    fn is_full(&self) -> bool {
        self.rows.is_full()
    }

    fn is_overfull(&self) -> bool {
        self.rows.is_full()
    }

    fn take(&mut self) -> Self::Batch {
        (self.rows.take(), std::mem::take(&mut self.left_out))
    }
}
