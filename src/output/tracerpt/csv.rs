//! Events as CSV, in the shape of `tracerpt -of CSV` (`docs/csv.md`).

use std::io::Write;
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::clock::Clock;
use crate::decode::{Event, Value, Visitor};
use crate::error::Result;
use crate::event::{Header, Kind};
use crate::output::headed::Headed;
use crate::output::prepared::Prepared;
use crate::schema::{Field, Schema};
use crate::sink::{Sink, Worker};
use crate::trace::Trace;

use super::super::lines::push_clean;
use super::data::Columns;
use super::info::Words;
use super::names::{Aliases, OfFields};
use super::system::{Times, ids, provider_name};
use super::value;
use crate::render::value::ValueContext;

const HEADER: &str = "Event Name,       Type,   Event ID,    Version,    Channel,      Level,     Opcode,       Task, \
                      \x20          Keyword,        PID,        TID, Processor Number,    Instance ID, Parent Instance ID, \
                      \x20                           Activity ID,                    Related Activity ID,           Clock-Time, \
                      Kernel(ms),   User(ms), User Data\n";

/// Writes the columns of the report, padded with blanks, one line an event. [`TracerptCsv::finish`] ends it.
#[derive(Debug)]
pub struct TracerptCsv<'c, W> {
    trace: &'c Trace,
    aliases: Arc<Aliases>,
    writer: Headed<W>,
}

impl<'c, W: Write> TracerptCsv<'c, W> {
    /// Writes to `writer`, which should not buffer.
    pub fn new(trace: &'c Trace, writer: W) -> Self {
        Self { trace, aliases: Arc::default(), writer: Headed::new(writer, HEADER) }
    }

    /// With Windows' own names of classic events and fields.
    #[must_use]
    pub fn aliases(mut self, aliases: Aliases) -> Self {
        self.aliases = Arc::new(aliases);
        self
    }

    /// Hands over the writer; the header line is there even if no event came.
    pub fn finish(self) -> Result<W> {
        self.writer.finish()
    }
}

impl<'c, W: Write> Sink for TracerptCsv<'c, W> {
    type Worker = TracerptCsvWorker<'c>;

    fn worker(&self) -> TracerptCsvWorker<'c> {
        let (out, scratch, prepared) = <_>::default();
        TracerptCsvWorker { trace: self.trace, aliases: Arc::clone(&self.aliases), out, scratch, prepared }
    }

    fn accept(&mut self, batch: Vec<u8>) -> Result<ControlFlow<()>> {
        self.writer.write(&batch)?;
        Ok(ControlFlow::Continue(()))
    }
}

/// Makes the lines of one thread.
#[derive(Debug)]
pub struct TracerptCsvWorker<'c> {
    trace: &'c Trace,
    aliases: Arc<Aliases>,
    out: Vec<u8>,
    scratch: Vec<u8>,
    prepared: Prepared<Texts>,
}

/// What is the same for all events of a key.
#[derive(Debug)]
struct Texts {
    name: String,
    /// Name of the opcode.
    opcode: Option<String>,
    columns: OfFields<Columns>,
}

impl Texts {
    fn new(trace: &Trace, event: &Event<'_>, aliases: &Aliases, known: Option<&Self>) -> Self {
        let raw = &event.raw;
        let alias = aliases.of(raw);
        let words = Words::of(trace, event, aliases);
        let unnamed = || format!("{{{}}}", raw.provider());
        let name = words.event.or_else(|| provider_name(trace, event)).unwrap_or_else(unnamed);
        let columns = Columns::of(event, alias, known.map(|known| &known.columns));
        let opcode = words.opcode.or_else(|| event.schema?.names().opcode.as_deref().map(str::to_owned));
        Self { name: cell(&name), opcode: opcode.as_deref().map(cell), columns }
    }
}

/// A name as a cell: the report quotes no names, so commas in them would be read as its own.
fn cell(name: &str) -> String {
    let mut out = Vec::new();
    push_clean(&mut out, &name.replace(',', ";"));
    String::from_utf8(out).unwrap_or_default()
}

impl Worker for TracerptCsvWorker<'_> {
    type Batch = Vec<u8>;

    fn event(&mut self, event: &Event<'_>) -> Result<()> {
        let (trace, aliases) = (self.trace, &self.aliases);
        let prepared = self.prepared.of(event, |known| Texts::new(trace, event, aliases, known));
        push_columns(&mut self.out, trace, event, prepared)?;
        let clock = trace.clock(event.raw.place().file);
        push_data(&mut self.out, &mut self.scratch, event, &prepared.columns, clock);
        self.out.push(b'\n');
        Ok(())
    }

    fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.out)
    }
}

/// The columns before the fields.
fn push_columns(out: &mut Vec<u8>, trace: &Trace, event: &Event<'_>, prepared: &Texts) -> Result<()> {
    let raw = &event.raw;
    let number = raw.opcode().to_string();
    let opcode = prepared.opcode.as_deref().unwrap_or(&number);
    write!(out, "{:>10}, {opcode:>10}, {:>10}, {:>10}, ", prepared.name, raw.id(), raw.version())?;
    write!(out, "{:>10}, {:>10}, {:>10}, {:>10}, ", raw.channel(), raw.level(), raw.opcode(), raw.task())?;
    let (pid, tid) = ids(raw);
    write!(out, "0x{:016X}, 0x{pid:08X}, 0x{tid:08X}, {:>16}, ", raw.keywords(), raw.processor())?;
    match raw.header() {
        Header::Instance(instance) => {
            write!(out, "{:>14}, {:>18}, ", instance.instance.get(), instance.parent_instance.get())?;
        }
        _ => write!(out, "{:>14}, {:>18}, ", "", "")?,
    }
    write!(out, "{{{}}}, ", raw.activity().unwrap_or(crate::bytes::Guid::NULL))?;
    match raw.related_activity() {
        Some(related) => write!(out, "{{{related}}}, ")?,
        None => write!(out, "{:>38}, ", "")?,
    }
    match event.time {
        Some(time) => write!(out, "{time:>20}, ")?,
        None => write!(out, "{:>20}, ", "")?,
    }
    let (kernel, user) = match Times::of(trace, raw) {
        Times::Thread { kernel, user } => (kernel, user),
        // The report has no column for it.
        Times::Processor(_) => (0, 0),
    };
    write!(out, "{kernel:>10}, {user:>10}")?;
    Ok(())
}

/// Each field with a comma before it, or the payload if the fields cannot be read.
fn push_data(out: &mut Vec<u8>, scratch: &mut Vec<u8>, event: &Event<'_>, columns: &Columns, clock: Option<&Clock>) {
    let Some(schema) = event.schema.filter(|_| event.fit().is_whole()) else {
        if let Some(mark) = value::left_out(event) {
            push_quoted(out, &mark);
        }
        out.extend_from_slice(b", 0x");
        return value::upper_digits(out, event.payload());
    };
    let mut writer = Writer { event, out, scratch, schema, columns, clock };
    for view in event.fields().filter(|view| columns.push_at(view.place()).is_some()) {
        view.visit(&mut writer);
    }
    if event.raw.kind() == Kind::Wpp
        && let Some(message) = schema.message()
    {
        let start = out.len();
        crate::render::message::push_message_with(out, message, event, clock, value::push);
        let text = String::from_utf8_lossy(&out.split_off(start)).into_owned();
        push_quoted(out, &text);
    }
    if !event.remainder().is_empty() {
        out.extend_from_slice(b", 0x");
        value::upper_digits(out, event.remainder());
    }
}

fn push_quoted(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(b", \"");
    push_clean(out, &text.replace('"', "\"\""));
    out.push(b'"');
}

struct Writer<'o, 'a, 'e> {
    event: &'a Event<'e>,
    out: &'o mut Vec<u8>,
    scratch: &'o mut Vec<u8>,
    schema: &'a Schema,
    columns: &'a Columns,
    clock: Option<&'a Clock>,
}

impl Visitor for Writer<'_, '_, '_> {
    fn value(&mut self, place: usize, field: &Field, value: Value<'_>) {
        let Some(push) = self.columns.push_at(place) else { return };
        let value = self.columns.whole(self.event, place, value);
        self.scratch.clear();
        push(self.scratch, value, ValueContext { field, map: self.schema.map(field), clock: self.clock });
        let text = String::from_utf8_lossy(self.scratch);
        let is_text = matches!(value, Value::Utf16(_) | Value::Ansi(_) | Value::Utf8(_));
        if is_text || text.contains([',', '"', '\n']) {
            push_quoted(self.out, &text);
        } else {
            self.out.extend_from_slice(b", ");
            push_clean(self.out, &text);
        }
    }
}
