//! The name and data of each event as a row of cells: the most used part of the report.

use std::ops::ControlFlow;
use std::sync::Arc;

use etwkit::FileTime;
use etwkit::clock::Clock;
use etwkit::decode::{Event, Value, Visitor};
use etwkit::error::Result;
use etwkit::event::Kind;
use etwkit::output::{PerType, names_of_type};
use etwkit::render::value::ValueContext;
use etwkit::schema::{Field, Schema, standard_level};
use etwkit::sink::{Sink, Worker};

use super::columns::Columns;
use super::rendering_info::Words;
use super::value;
use crate::names::{Aliases, OfSchema};

/// An event as a row.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReportRow {
    /// Index of its file in the trace.
    pub file: u16,
    /// When it happened, if the clock is known, and whether that is the local time of the machine.
    pub time: Option<(FileTime, bool)>,
    /// The provider's name, or its GUID.
    pub provider: Arc<str>,
    /// The opcode's name, as `<RenderingInfo>` has it; of events without a named opcode the task's or the whole name,
    /// of a lone text its level.
    pub name: Arc<str>,
    /// One text for each `<Data>` of the report, of an array or struct one for all of it.
    pub data: Vec<String>,
    /// Bytes outside all fields, or all of a payload that cannot be read, `0x` and digits. Before the latter, what was
    /// left out.
    pub extra: Option<String>,
}

/// Hands the row of each event to a function, in order.
#[derive(Debug)]
pub struct ReportRows<F> {
    aliases: Aliases,
    each: F,
}

impl<F: FnMut(ReportRow) -> Result<()>> ReportRows<F> {
    /// Hands rows to `each`. Classic events have the names of [`Aliases::kernel`].
    pub fn new(each: F) -> Self {
        Self { aliases: Aliases::kernel(), each }
    }
}

impl<F: FnMut(ReportRow) -> Result<()>> Sink for ReportRows<F> {
    type Worker = ReportRowsWorker;

    fn worker(&self) -> ReportRowsWorker {
        let (rows, texts) = <_>::default();
        ReportRowsWorker { aliases: self.aliases.clone(), rows, texts }
    }

    fn accept(&mut self, batch: Vec<ReportRow>) -> Result<ControlFlow<()>> {
        batch.into_iter().try_for_each(|row| (self.each)(row))?;
        Ok(ControlFlow::Continue(()))
    }
}

/// Makes the rows of one thread.
#[derive(Debug)]
pub struct ReportRowsWorker {
    aliases: Aliases,
    rows: Vec<ReportRow>,
    texts: PerType<Row>,
}

/// What is the same for all events of a key.
#[derive(Debug)]
struct Row {
    provider: Arc<str>,
    name: Arc<str>,
    columns: OfSchema<Columns>,
}

impl Row {
    fn new(event: &Event<'_>, aliases: &Aliases, known: Option<&Self>) -> Self {
        let raw = event.raw();
        let alias = aliases.of(raw);
        let words = Words::of(event, aliases);
        let trimmed = |name: String| name.trim_end().to_owned();
        let opcode = words.opcode.map(trimmed).filter(|_| raw.kind() == Kind::Classic || raw.opcode() != 0);
        let whole = || event.event_type().map(|row| names_of_type(row).1);
        let name = opcode
            .or_else(|| words.task.map(trimmed))
            .or_else(whole)
            .unwrap_or_else(|| format!("EventID({})", raw.id()));
        let columns = Columns::of(event, alias, known.map(|known| &known.columns));
        Self { provider: event.provider().into(), name: name.into(), columns }
    }
}

impl Worker for ReportRowsWorker {
    type Batch = Vec<ReportRow>;

    fn event(&mut self, event: &Event<'_>) -> Result<()> {
        let aliases = &self.aliases;
        let texts = self.texts.of(event, |known| Row::new(event, aliases, known));
        let level = standard_level(event.raw().level()).filter(|_| event.raw().kind() == Kind::StringOnly);
        let name = level.map_or_else(|| Arc::clone(&texts.name), Arc::from);
        let time = event.time().map(|time| (time, event.is_local_time()));
        let (data, extra) = data(event, &texts.columns);
        let (file, provider) = (event.raw().place().file, Arc::clone(&texts.provider));
        self.rows.push(ReportRow { file, time, provider, name, data, extra });
        Ok(())
    }

    fn take(&mut self) -> Vec<ReportRow> {
        std::mem::take(&mut self.rows)
    }
}

/// Bytes that the text of a field usually needs at most.
const USUAL: usize = 24;

/// Returns the texts of the data, and that of the other bytes.
fn data(event: &Event<'_>, columns: &Columns) -> (Vec<String>, Option<String>) {
    let mut row = Vec::with_capacity(columns.len());
    let Some(schema) = event.schema().filter(|_| event.fit().is_whole()) else {
        let extra = value::left_out(event).into_iter().chain(digits(event.payload()));
        let extra = extra.reduce(|mark, digits| format!("{mark} {digits}"));
        return (row, extra);
    };
    for view in event.fields().filter(|view| columns.push_at(view.place()).is_some()) {
        let mut writer = Writer { event, out: Vec::with_capacity(USUAL), schema, columns, clock: event.clock() };
        view.visit(&mut writer);
        row.push(
            String::from_utf8(writer.out)
                .unwrap_or_else(|bytes| String::from_utf8_lossy(bytes.as_bytes()).into_owned()),
        );
    }
    (row, digits(event.remainder()))
}

fn digits(bytes: &[u8]) -> Option<String> {
    let mut out = b"0x".to_vec();
    value::upper_digits(&mut out, bytes);
    (!bytes.is_empty()).then(|| String::from_utf8_lossy(&out).into_owned())
}

/// All values of a field with blanks between them.
struct Writer<'a, 'e> {
    event: &'a Event<'e>,
    out: Vec<u8>,
    schema: &'a Schema,
    columns: &'a Columns,
    clock: Option<&'a Clock>,
}

impl Visitor for Writer<'_, '_> {
    fn value(&mut self, place: usize, field: &Field, value: Value<'_>) {
        let Some(push) = self.columns.push_at(place) else { return };
        let value = self.columns.whole(self.event, place, value);
        if !self.out.is_empty() {
            self.out.push(b' ');
        }
        let start = self.out.len();
        push(&mut self.out, value, ValueContext::new(field).map(self.schema.map(field)).clock(self.clock));
        if value.bits().is_some() {
            // A cell has its own alignment.
            let text = self.out.get(start..).unwrap_or_default();
            let (blanks, end) = (text.len() - text.trim_ascii_start().len(), start + text.trim_ascii_end().len());
            self.out.truncate(end);
            self.out.drain(start..(start + blanks).min(end));
        }
    }
}
