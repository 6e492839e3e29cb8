//! Events as CSV, in the shape of `tracerpt -of CSV` (`docs/csv.md`).

use std::borrow::Cow;

use etwkit::bytes::Guid;
use etwkit::bytes::digits::upper_hex8;
use etwkit::clock::Clock;
use etwkit::decode::{Event, Value, Visitor};
use etwkit::error::Result;
use etwkit::event::{Header, Kind};
use etwkit::output::{LineFormat, LineSink, PerType};
use etwkit::render::value::ValueContext;
use etwkit::render::{push_message_with, terminal};
use etwkit::schema::{Field, Schema};
use etwkit::trace::Trace;

use super::columns::Columns;
use super::rendering_info::Words;
use super::system::provider_name;
use super::value;
use crate::header::{HeaderTimes, Times, ids};
use crate::names::{Aliases, OfSchema};

const HEADER: &str = "Event Name,       Type,   Event ID,    Version,    Channel,      Level,     Opcode,       Task, \
                      \x20          Keyword,        PID,        TID, Processor Number,    Instance ID, Parent Instance ID, \
                      \x20                          Activity ID,                    Related Activity ID,           Clock-Time, \
                      Kernel(ms),   User(ms), User Data\n";

/// Writes the columns of the report, padded with blanks, one line an event.
pub type TracerptCsvLines<'t, W> = LineSink<'t, TracerptCsv, W>;

/// The CSV of `tracerpt -of CSV`. Its times are integers.
#[derive(Clone, Debug)]
pub struct TracerptCsv {
    aliases: Aliases,
}

impl Default for TracerptCsv {
    fn default() -> Self {
        Self { aliases: Aliases::kernel() }
    }
}

impl TracerptCsv {
    /// Sets the names of classic events and fields; without, [`Aliases::kernel`].
    #[must_use]
    pub fn aliases(mut self, aliases: Aliases) -> Self {
        self.aliases = aliases;
        self
    }
}

/// What one thread keeps between events.
#[derive(Debug, Default)]
pub struct TracerptCsvState {
    texts: PerType<Texts>,
    times: HeaderTimes,
    /// The value that is being written.
    scratch: Vec<u8>,
}

/// What is the same for all events of a key.
#[derive(Debug)]
struct Texts {
    /// The columns up to the keywords.
    head: Vec<u8>,
    columns: OfSchema<Columns>,
}

impl Texts {
    fn new(event: &Event<'_>, aliases: &Aliases, known: Option<&Self>) -> Self {
        let raw = event.raw();
        let alias = aliases.of(raw);
        let words = Words::of(event, aliases);
        let unnamed = || format!("{{{}}}", raw.provider());
        let own = match raw.kind() {
            Kind::TraceLogging => words.task,
            _ => words.event,
        };
        let name = own.or_else(|| provider_name(event).map(str::to_owned)).unwrap_or_else(unnamed);
        let columns = Columns::of(event, alias, known.map(|known| &known.columns));
        let opcode = words
            .opcode
            .map(|opcode| opcode.trim_end().to_owned())
            .or_else(|| event.schema()?.names().opcode.as_deref().map(str::to_owned));
        let opcode = opcode.as_deref().map_or_else(|| raw.opcode().to_string(), cell);
        let (name, keywords) = (cell(&name), raw.keywords());
        let head = format!(
            "{name:>10}, {opcode:>10}, {:>10}, {:>10}, {:>10}, {:>10}, {:>10}, {:>10}, 0x{keywords:016X}, ",
            raw.id(),
            raw.version(),
            raw.channel(),
            raw.level(),
            raw.opcode(),
            raw.task(),
        );
        Self { head: head.into_bytes(), columns }
    }
}

/// Returns a name as a cell: the report quotes no names, so commas in them would be read as its own.
fn cell(name: &str) -> String {
    let mut out = Vec::new();
    terminal::push(&mut out, &name.replace(',', ";"));
    String::from_utf8(out).unwrap_or_default()
}

impl LineFormat for TracerptCsv {
    type State = TracerptCsvState;

    fn state(&self, trace: &Trace) -> TracerptCsvState {
        TracerptCsvState { times: HeaderTimes::new(trace), ..TracerptCsvState::default() }
    }

    fn head(&self, _: &Trace) -> Vec<u8> {
        HEADER.as_bytes().to_vec()
    }

    fn event(&self, state: &mut TracerptCsvState, event: &Event<'_>, out: &mut Vec<u8>) -> Result<()> {
        let texts = state.texts.of(event, |known| Texts::new(event, &self.aliases, known));
        push_columns(out, event, texts, &state.times);
        push_data(out, &mut state.scratch, event, &texts.columns);
        out.push(b'\n');
        Ok(())
    }
}

/// The columns before the fields.
fn push_columns(out: &mut Vec<u8>, event: &Event<'_>, texts: &Texts, times: &HeaderTimes) {
    let raw = event.raw();
    out.extend_from_slice(&texts.head);
    let (pid, tid) = ids(raw);
    for id in [pid, tid] {
        out.extend_from_slice(b"0x");
        out.extend_from_slice(&upper_hex8(id).to_le_bytes());
        out.extend_from_slice(b", ");
    }
    push_number(out, 16, Some(raw.processor().into()));
    let (instance, parent) = match raw.header() {
        Header::Instance(instance) => (Some(instance.instance().into()), Some(instance.parent_instance().into())),
        _ => (None, None),
    };
    push_number(out, 14, instance);
    push_number(out, 18, parent);
    push_guid(out, raw.activity().unwrap_or(Guid::NULL));
    match raw.related_activity() {
        Some(related) => push_guid(out, related),
        None => push_right(out, 38, b""),
    }
    let mut digits = itoa::Buffer::new();
    push_right(out, 20, event.time().map_or("", |time| digits.format(time.0)).as_bytes());
    let (kernel, user) = match times.milliseconds_of(raw) {
        Times::Thread { kernel, user } => (kernel, user),
        // The report has no column for it.
        Times::Processor(_) => (0, 0),
    };
    push_number(out, 10, Some(kernel));
    push_number(out, 10, Some(user));
    out.truncate(out.len() - BETWEEN.len());
}

/// After each column.
const BETWEEN: &[u8] = b", ";

/// Appends text with blanks before it.
fn push_right(out: &mut Vec<u8>, width: usize, text: &[u8]) {
    out.resize(out.len() + width.saturating_sub(text.len()), b' ');
    out.extend_from_slice(text);
    out.extend_from_slice(BETWEEN);
}

fn push_number(out: &mut Vec<u8>, width: usize, number: Option<u64>) {
    let mut digits = itoa::Buffer::new();
    push_right(out, width, number.map_or("", |number| digits.format(number)).as_bytes());
}

fn push_guid(out: &mut Vec<u8>, guid: Guid) {
    out.push(b'{');
    out.extend_from_slice(&guid.to_text());
    out.extend_from_slice(b"}, ");
}

/// Each field with a comma before it, or the payload if the fields cannot be read.
fn push_data(out: &mut Vec<u8>, scratch: &mut Vec<u8>, event: &Event<'_>, columns: &Columns) {
    let clock = event.clock();
    let Some(schema) = event.schema().filter(|_| event.fit().is_whole()) else {
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
    if event.raw().kind() == Kind::Wpp
        && let Some(message) = schema.message()
    {
        let start = out.len();
        push_message_with(out, message, event, clock, value::push_insert);
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
    for (place, part) in text.split('"').enumerate() {
        out.extend_from_slice(if place > 0 { b"\"\"" } else { b"" });
        terminal::push(out, part);
    }
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
        push(self.scratch, value, ValueContext::new(field).map(self.schema.map(field)).clock(self.clock));
        let lossy = |_| String::from_utf8_lossy(self.scratch);
        let text = std::str::from_utf8(self.scratch).map_or_else(lossy, Cow::Borrowed);
        let is_text = matches!(value, Value::Utf16(_) | Value::Ansi(_) | Value::Utf8(_));
        if is_text || text.bytes().any(|byte| matches!(byte, b',' | b'"' | b'\n')) {
            push_quoted(self.out, &text);
        } else {
            self.out.extend_from_slice(b", ");
            terminal::push(self.out, &text);
        }
    }
}
