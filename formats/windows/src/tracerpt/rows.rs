//! The name and data of each event as a row of cells: the most used part of the report.

use std::ops::ControlFlow;
use std::sync::Arc;

use etwkit::FileId;
use etwkit::FileTime;
use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::event::Kind;
use etwkit::output::{PerType, names_of_type};
use etwkit::render::pen::GrowingPen;
use etwkit::schema::standard_level;
use etwkit::sink::{Sink, Worker};

use super::rendering_info::Words;
use super::row_data::RowFields;
use super::row_texts::RowTexts;
use crate::names::{Aliases, OfSchema};

/// An event as a row.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ReportRow<'a> {
    /// Index of its file in the trace.
    pub file: FileId,
    /// When it happened, if the clock is known, and whether that is the local time of the machine.
    pub time: Option<(FileTime, bool)>,
    /// The provider's name, or its GUID.
    pub provider: &'a Arc<str>,
    /// The opcode's name, as `<RenderingInfo>` has it; of events without a named opcode the task's or the whole name,
    /// of a lone text its level.
    pub name: &'a Arc<str>,
    /// Bytes outside all fields, or all of a payload that cannot be read, `0x` and digits. Before the latter, what was
    /// left out.
    pub extra: Option<&'a str>,
    data: RowTexts<'a>,
}

impl<'a> ReportRow<'a> {
    /// Returns one text for each `<Data>` of the report, of an array or struct one for all of it.
    pub fn data(&self) -> impl ExactSizeIterator<Item = &'a str> + use<'a> {
        self.data.clone()
    }

    /// Returns the text of a number, from 0.
    pub fn data_at(&self, number: usize) -> Option<&'a str> {
        self.data.clone().nth(number)
    }
}

/// Hands the row of each event to a function, in order.
///
/// ```
/// use etwkit::trace::{RunOptions, Trace};
/// use etwkit_windows_formats::ReportRows;
///
/// # fn main() -> etwkit::Result<()> {
/// # let hello = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/hello.etl");
/// # let input = etwkit::input::Input::open(hello)?;
/// # let parsers = etwkit::parser::Parsers::none();
/// let trace = Trace::open(input, parsers)?;
/// let mut names = Vec::new();
/// let mut rows = ReportRows::new(|row| {
///     names.push(row.name.to_string());
///     Ok(())
/// });
/// trace.run(&RunOptions::default(), &mut rows)?;
/// assert_eq!(names.len(), 11);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct ReportRows<F> {
    aliases: Aliases,
    each: F,
}

impl<F: FnMut(ReportRow<'_>) -> Result<()>> ReportRows<F> {
    /// Hands rows to `each`. Classic events have the names of [`Aliases::kernel`].
    pub fn new(each: F) -> Self {
        Self { aliases: Aliases::kernel(), each }
    }
}

impl<F: FnMut(ReportRow<'_>) -> Result<()>> Sink for ReportRows<F> {
    type Worker = ReportRowsWorker;

    fn worker(&self) -> ReportRowsWorker {
        ReportRowsWorker::new(self.aliases.clone())
    }

    fn accept(&mut self, batch: ReportBatch) -> Result<ControlFlow<()>> {
        batch.rows().try_for_each(|row| (self.each)(row))?;
        Ok(ControlFlow::Continue(()))
    }
}

/// The rows of some events.
#[derive(Clone, Debug, Default)]
pub struct ReportBatch {
    rows: Vec<BatchRow>,
    /// The texts of all rows, one after the other, and where each ends.
    text: String,
    ends: Vec<usize>,
}

#[derive(Clone, Debug)]
struct BatchRow {
    file: FileId,
    time: Option<(FileTime, bool)>,
    provider: Arc<str>,
    name: Arc<str>,
    /// Whether the last text is that of the other bytes.
    has_extra: bool,
    /// The number of texts of this row and those before it, and the bytes of those before it.
    texts: usize,
    start: usize,
}

/// Bytes of a batch that stay in the processor's cache.
const FULL: usize = 256 << 10;
/// Bytes of a batch that waits for those before it.
const OVERFULL: usize = 4 << 20;

impl ReportBatch {
    /// Returns how many rows it has.
    pub const fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns whether it has none.
    pub const fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns the bytes of all texts.
    pub const fn bytes(&self) -> usize {
        self.text.len()
    }

    /// Returns the rows in order.
    pub fn rows(&self) -> impl Iterator<Item = ReportRow<'_>> {
        let mut first = 0;
        self.rows.iter().map(move |row| {
            let BatchRow { file, time, provider, name, has_extra, texts, start } = row;
            let ends = self.ends.get(std::mem::replace(&mut first, *texts)..*texts).unwrap_or_default();
            let mut data = RowTexts::new(&self.text, ends, *start);
            let extra = if *has_extra { data.next_back() } else { None };
            ReportRow { file: *file, time: *time, provider, name, extra, data }
        })
    }
}

/// Makes the rows of one thread.
#[derive(Debug, Default)]
pub struct ReportRowsWorker {
    aliases: Aliases,
    texts: PerType<Row>,
    batch: ReportBatch,
    pen: GrowingPen,
    ends: Vec<usize>,
}

impl ReportRowsWorker {
    /// Makes rows whose classic events have the names of `aliases`.
    pub fn new(aliases: Aliases) -> Self {
        Self { aliases, ..Self::default() }
    }
}

/// What is the same for all events of a key.
#[derive(Debug)]
struct Row {
    provider: Arc<str>,
    name: Arc<str>,
    fields: OfSchema<RowFields>,
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
        let fields = RowFields::of(event, alias, known.map(|known| &known.fields));
        Self { provider: event.provider().into(), name: name.into(), fields }
    }
}

impl Worker for ReportRowsWorker {
    type Batch = ReportBatch;

    fn event(&mut self, event: &Event<'_>) -> Result<()> {
        let Self { aliases, texts, batch, pen, ends } = self;
        let texts = texts.of(event, |known| Row::new(event, aliases, known));
        let level = standard_level(event.raw().level()).filter(|_| event.raw().kind() == Kind::StringOnly);
        let name = level.map_or_else(|| Arc::clone(&texts.name), Arc::from);
        let time = event.time().map(|time| (time, event.is_local_time()));
        let has_extra = texts.fields.write(pen, ends, event);
        let start = batch.text.len();
        batch.push_texts(pen, ends);
        let (file, provider) = (event.raw().place().file, Arc::clone(&texts.provider));
        batch.rows.push(BatchRow { file, time, provider, name, has_extra, texts: batch.ends.len(), start });
        Ok(())
    }

    fn is_full(&self) -> bool {
        self.batch.text.len() >= FULL
    }

    fn is_overfull(&self) -> bool {
        self.batch.text.len() >= OVERFULL
    }

    fn take(&mut self) -> ReportBatch {
        std::mem::take(&mut self.batch)
    }
}

impl ReportBatch {
    /// Appends what was written, with the places where its texts end. What is not UTF-8 becomes U+FFFD.
    fn push_texts(&mut self, pen: &GrowingPen, ends: &[usize]) {
        let (written, start) = (pen.written(0), self.text.len());
        if let Ok(text) = std::str::from_utf8(written) {
            self.text.push_str(text);
            return self.ends.extend(ends.iter().map(|end| start + end));
        }
        let mut from = 0;
        for end in ends {
            self.text.push_str(&String::from_utf8_lossy(written.get(from..*end).unwrap_or_default()));
            self.ends.push(self.text.len());
            from = *end;
        }
    }
}
