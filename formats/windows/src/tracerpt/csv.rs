//! Events as CSV, in the shape of `tracerpt -of CSV` (`docs/csv.md`).

use std::io::Write as _;

use etwkit::FileTime;
use etwkit::bytes::Guid;
use etwkit::bytes::digits::upper_hex8;
use etwkit::decode::{Event, PendingEvent};
use etwkit::error::Result;
use etwkit::event::{Kind, RawEvent};
use etwkit::output::{LineFormat, LineSink, PerType};
use etwkit::render::pen::GrowingPen;
use etwkit::render::terminal;
use etwkit::trace::Trace;

use super::csv_fields::CsvFields;
use super::rendering_info::Words;
use super::system::provider_name;
use crate::header::{HeaderTimes, Times, ids};
use crate::names::{Aliases, OfSchema};

const HEADER: &str = "Event Name,       Type,   Event ID,    Version,    Channel,      Level,     Opcode,       Task, \
                      \x20          Keyword,        PID,        TID, Processor Number,    Instance ID, Parent Instance ID, \
                      \x20                          Activity ID,                    Related Activity ID,           Clock-Time, \
                      Kernel(ms),   User(ms), User Data\n";

/// Writes the columns of the report, padded with blanks, one line per event.
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

/// State that a thread keeps between events.
#[derive(Debug, Default)]
pub struct TracerptCsvState {
    texts: PerType<Texts>,
    times: HeaderTimes,
    /// The value that is being written.
    scratch: Vec<u8>,
    pen: GrowingPen,
}

/// What is the same for all events of a key.
#[derive(Debug)]
struct Texts {
    /// The columns up to the keywords.
    head: Vec<u8>,
    fields: OfSchema<CsvFields>,
}

impl Texts {
    fn new(event: &Event<'_>, aliases: &Aliases, known: Option<&Self>) -> Self {
        let raw = event.raw();
        let alias = aliases.of(raw);
        let words = Words::of(event, aliases);
        let unnamed = || format!("{{{}}}", raw.provider_guid());
        let own = match raw.kind() {
            Kind::TraceLogging => words.task,
            _ => words.event,
        };
        let name = own.or_else(|| provider_name(event).map(str::to_owned)).unwrap_or_else(unnamed);
        let fields = CsvFields::of(event, alias, known.map(|known| &known.fields));
        let opcode = words
            .opcode
            .map(|opcode| opcode.trim_end().to_owned())
            .or_else(|| event.schema()?.reported().names().opcode.as_deref().map(str::to_owned));
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
        Self { head: head.into_bytes(), fields }
    }
}

/// Returns a name as a cell: the report quotes no names, so commas and quotes in them would be read as its own.
fn cell(name: &str) -> String {
    let mut out = Vec::new();
    terminal::push(&mut out, &name.replace(',', ";").replace('"', "'"));
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
        let TracerptCsvState { texts, times, scratch, pen } = state;
        let texts = texts.of(event, |known| Texts::new(event, &self.aliases, known));
        pen.begin();
        write_columns(pen, event.raw(), event.time(), texts, times);
        texts.fields.write(pen, scratch, event);
        end(pen, out);
        Ok(())
    }

    fn compiled(&self, state: &mut TracerptCsvState, pending: &mut PendingEvent<'_>, out: &mut Vec<u8>) -> bool {
        let TracerptCsvState { texts, times, scratch, pen } = state;
        let texts = texts.of_pending(pending, |event, known| Texts::new(event, &self.aliases, known));
        let Some(texts) = texts.filter(|texts| texts.fields.is_prepared()) else { return false };
        let time = pending.time();
        let Some(fields) = pending.placed() else { return false };
        pen.begin();
        write_columns(pen, fields.raw(), time, texts, times);
        texts.fields.write_placed(pen, scratch, &fields);
        end(pen, out);
        true
    }
}

/// Ends a line.
fn end(pen: &mut GrowingPen, out: &mut Vec<u8>) {
    pen.byte(b'\n');
    out.extend_from_slice(pen.text().unwrap_or_default());
}

/// Writes the columns before the fields.
fn write_columns(pen: &mut GrowingPen, raw: &RawEvent<'_>, time: Option<FileTime>, texts: &Texts, times: &HeaderTimes) {
    pen.bytes(&texts.head);
    let (pid, tid) = ids(raw);
    for id in [pid, tid] {
        pen.block(b"0x", 2);
        pen.block(&upper_hex8(id).to_le_bytes(), 8);
        pen.block(BETWEEN, 2);
    }
    number(pen, 16, Some(raw.processor().into()));
    let instances = raw.header().instances();
    number(pen, 14, instances.map(|(instance, _)| instance.into()));
    number(pen, 18, instances.map(|(_, parent)| parent.into()));
    guid(pen, Some(raw.activity_id().unwrap_or(Guid::NULL)));
    guid(pen, if raw.has_extended() { raw.related_activity_id() } else { None });
    match time {
        Some(time) if time.0 < 0 => pen.with_vec(|out| drop(write!(out, "{:>20}, ", time.0))),
        time => number(pen, 20, time.map(|time| time.0.unsigned_abs())),
    }
    let (kernel, user) = match times.milliseconds_of(raw) {
        Times::Thread { kernel, user } => (kernel, user),
        // The report has no column for it.
        Times::Processor(_) => (0, 0),
    };
    number(pen, 10, Some(kernel));
    number(pen, 10, Some(user));
    pen.rewind(pen.place() - BETWEEN.len());
}

/// After each column.
const BETWEEN: &[u8; 2] = b", ";
/// More blanks than a column has.
const BLANKS: [u8; 40] = [b' '; 40];

/// Writes a number with blanks before it.
#[inline]
fn number(pen: &mut GrowingPen, width: usize, number: Option<u64>) {
    match number {
        Some(number) => {
            let digits = number.checked_ilog10().map_or(1, |power| power as usize + 1);
            pen.block(&BLANKS, width.saturating_sub(digits));
            pen.decimal(number);
        }
        None => pen.block(&BLANKS, width),
    }
    pen.block(BETWEEN, 2);
}

/// Writes a GUID in braces.
#[inline]
fn guid(pen: &mut GrowingPen, guid: Option<Guid>) {
    match guid {
        Some(guid) => {
            pen.byte(b'{');
            pen.guid(&guid.to_bytes());
            pen.byte(b'}');
        }
        None => pen.block(&BLANKS, 38),
    }
    pen.block(BETWEEN, 2);
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_have_nothing_that_readers_take_for_their_own() {
        assert_eq!(super::cell("a\"b,c\n"), "a'b;c\\n");
    }
}
