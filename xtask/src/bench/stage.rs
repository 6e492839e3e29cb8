//! What is measured, each in a process of its own.

use std::fs::File;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use etwkit::FileId;
use etwkit::container::{Arena, Frame, Frames, Head, Walk};
use etwkit::decode::{Event, Fit, PendingEvent, Value, Visitor};
use etwkit::input::Input;
use etwkit::output::{Column, JsonFormat, LineFormat, LineSink, RowFormat, TableFormat, Tally, TextFormat};
use etwkit::parser::Parsers;
use etwkit::schema::Field;
use etwkit::sink::{Sink, Worker};
use etwkit::trace::{RawTrace, RunOptions, Trace};
use etwkit_parsers::Additions;
use etwkit_synth::busy;
use etwkit_windows_formats::{TracefmtLines, TracerptCsv, TracerptXml, Twapi, TwapiField};

use super::columns::{self, Tables};
use super::memory::Peak;
use crate::Done;

/// Runs a stage and prints: events, bytes, nanoseconds, nanoseconds of `copy`, KB of anonymous memory. With 0 rounds
/// it runs once and without the copy, for counting instructions.
pub(crate) fn stage(name: &str, file: &str, rounds: &str) -> Done {
    let (path, rounds) = (Path::new(file), rounds.parse::<u32>()?);
    let stage = by_name(name)?;
    if rounds == 0 {
        println!("{} 0 0 0 0", stage(path)?.events);
        return Ok(());
    }
    // The first read brings the file into the page cache, whose state is then the same for all.
    copy(path)?;
    let peak = Peak::watch();
    let (mut events, mut nanos, mut anchor) = (0, u128::MAX, u128::MAX);
    for _ in 0..rounds {
        let start = Instant::now();
        copy(path)?;
        anchor = anchor.min(start.elapsed().as_nanos());
        let start = Instant::now();
        let outcome = stage(path)?;
        events = outcome.events;
        nanos = nanos.min(outcome.nanos.unwrap_or_else(|| start.elapsed().as_nanos()));
    }
    println!("{events} {} {nanos} {anchor} {}", path.metadata()?.len(), peak.kilobytes());
    Ok(())
}

type Stage = fn(&Path) -> Done<Outcome>;

/// What a stage did.
struct Outcome {
    events: u64,
    /// The time of the measured part, if it is not the whole stage.
    nanos: Option<u128>,
}

impl From<u64> for Outcome {
    fn from(events: u64) -> Self {
        Self { events, nanos: None }
    }
}

fn by_name(name: &str) -> Done<Stage> {
    Ok(match name {
        "copy" => |path| Ok(copy(path)?.into()),
        "walk" => |path| Ok(walk(&Input::open(path)?)?.into()),
        "walk-mapped" => |path| Ok(walk_mapped(path)?.into()),
        "census" => |path| Ok(raw(path)?.decode(Parsers::none())?.events_total().into()),
        "by-time" => |path| Ok(by_time(path)?.into()),
        "ordered" => |path| Ok(ordered(path)?.into()),
        "decode" => decode,
        "tracefmt" => tracefmt,
        "open" => |path| Ok(Trace::open(Input::open(path)?, etwkit_parsers::standard())?.events_total().into()),
        "json" => |path| lines(path, |_| JsonFormat::default()),
        "text" => |path| lines(path, |_| TextFormat::default()),
        "csv" => |path| lines(path, |trace| TableFormat::new(Column::usual_of(trace), RowFormat::Csv)),
        "xml" => |path| lines(path, |_| TracerptXml::default()),
        "tracerpt-csv" => |path| lines(path, |_| TracerptCsv::default()),
        "twapi" => |path| lines(path, |_| Twapi::default().fields(TwapiField::usual())),
        "columns" => |path| Ok(columns::batches(path, Tables::ByEvent)?.into()),
        "columns-json" => |path| Ok(columns::batches(path, Tables::All)?.into()),
        "parquet" => |path| Ok(columns::parquet(path, Tables::ByEvent)?.into()),
        "parquet-json" => |path| Ok(columns::parquet(path, Tables::All)?.into()),
        "count" => |path| Ok(count(path)?.into()),
        _ => return Err(format!("no stage is called {name}").into()),
    })
}

/// The anchor: reads the file into one small buffer.
fn copy(path: &Path) -> Done<u64> {
    let mut buffer = vec![0; 256 << 10];
    let mut file = File::open(path)?;
    while file.read(&mut buffer)? > 0 {
        std::hint::black_box(&buffer);
    }
    Ok(0)
}

/// Every event's size, type and time.
fn walk(source: &Input) -> Done<u64> {
    let head = Head::read(source, FileId::FIRST, &mut Vec::new())?;
    let mut frames = Frames::new(source, FileId::FIRST, &head);
    let mut arena = Arena::default();
    let (mut events, mut sum) = (0, 0_u64);
    while let Some(frame) = frames.next_frame()? {
        let Frame::Buffer(info) = frame else { continue };
        let loaded = arena.load(source, &info)?;
        let mut walk = Walk::new(loaded.bytes, &info, 0);
        while let Some(event) = walk.next_event() {
            events += 1;
            let facts = event.bytes().len() as u64 ^ event.header_type() as u64;
            sum = sum.wrapping_add(facts).wrapping_add(event.time().0.cast_unsigned());
        }
    }
    std::hint::black_box(sum);
    Ok(events)
}

fn walk_mapped(path: &Path) -> Done<u64> {
    // SAFETY: the file was made by this program and nothing else writes to it.
    #[expect(unsafe_code, reason = "the mapped source is measured too")]
    let source = unsafe { Input::map(path) }?;
    walk(&source)
}

fn raw(path: &Path) -> Done<RawTrace> {
    Ok(RawTrace::open(path)?)
}

/// Every event in time order in a single pass.
fn by_time(path: &Path) -> Done<u64> {
    let trace = raw(path)?;
    let mut stream = trace.raw_by_time()?;
    let (mut events, mut sum) = (0, 0_u64);
    while let Some(event) = stream.next()? {
        events += 1;
        let facts = event.bytes().len() as u64 ^ event.header_type() as u64;
        sum = sum.wrapping_add(facts).wrapping_add(event.time().0.cast_unsigned());
    }
    std::hint::black_box(sum);
    Ok(events)
}

/// Measures the first pass and all events in time order, without decoding.
fn ordered(path: &Path) -> Done<u64> {
    let trace = raw(path)?.decode(Parsers::none())?;
    let mut sink = Count(0);
    trace.run(&RunOptions::default(), &mut sink)?;
    Ok(sink.0)
}

/// Measures all of the work with all parsers, into discarded lines.
fn lines<F: LineFormat>(path: &Path, format: impl Fn(&Trace) -> F) -> Done<Outcome> {
    let trace = Trace::open(Input::open(path)?, etwkit_parsers::standard())?;
    let mut sink = LineSink::<F, _>::with_format(&trace, format(&trace), std::io::sink());
    Ok(trace.run(&RunOptions::default().threads(1), &mut sink)?.events.into())
}

/// Measures counting by provider and event.
fn count(path: &Path) -> Done<u64> {
    let trace = Trace::open(Input::open(path)?, etwkit_parsers::standard())?;
    let mut sink = Tally::new(vec!["provider".parse()?, "event".parse()?])?;
    Ok(trace.run(&RunOptions::default().threads(1), &mut sink)?.events)
}

/// Measures the second pass on one thread, reading every value of every field, without the first pass.
fn decode(path: &Path) -> Done<Outcome> {
    let trace = Trace::open(Input::open(path)?, etwkit_parsers::standard())?;
    let options = RunOptions::default().threads(1);
    timed(|| Ok(trace.run(&options, &mut ValueSum(0))?.events))
}

/// Measures the second pass on one thread into lines of tracefmt, without the first pass.
fn tracefmt(path: &Path) -> Done<Outcome> {
    let mut additions = Additions::default();
    additions.symbols.add_text(busy::MESSAGES_TMF);
    let trace = Trace::open(Input::open(path)?, etwkit_parsers::with(additions))?;
    let options = RunOptions::default().threads(1);
    timed(|| Ok(trace.run(&options, &mut TracefmtLines::new(&trace, std::io::sink()))?.events))
}

fn timed(work: impl FnOnce() -> Done<u64>) -> Done<Outcome> {
    let start = Instant::now();
    let events = work()?;
    Ok(Outcome { events, nanos: Some(start.elapsed().as_nanos()) })
}

/// Looks at every value.
struct ValueSum(u64);

impl Sink for ValueSum {
    type Worker = Self;

    fn worker(&self) -> Self {
        Self(0)
    }

    fn accept(&mut self, batch: u64) -> etwkit::Result<ControlFlow<()>> {
        self.0 = self.0.wrapping_add(batch);
        Ok(ControlFlow::Continue(()))
    }
}

impl Worker for ValueSum {
    type Batch = u64;

    fn event(&mut self, event: &Event<'_>) -> etwkit::Result<()> {
        event.fields().for_each(|field| field.visit(self));
        Ok(())
    }

    fn take(&mut self) -> u64 {
        std::mem::take(&mut self.0)
    }
}

impl Visitor for ValueSum {
    fn value(&mut self, _: usize, _: &Field, value: Value<'_>) {
        self.0 = self.0.wrapping_add(value.as_u64().unwrap_or(1));
    }
}

/// Counts events.
struct Count(u64);

/// Counts the events of a batch.
struct Counter(u64);

impl Sink for Count {
    type Worker = Counter;

    fn worker(&self) -> Counter {
        Counter(0)
    }

    fn accept(&mut self, batch: u64) -> etwkit::Result<ControlFlow<()>> {
        self.0 += batch;
        Ok(ControlFlow::Continue(()))
    }
}

impl Worker for Counter {
    type Batch = u64;

    fn event(&mut self, event: &Event<'_>) -> etwkit::Result<()> {
        std::hint::black_box(event.raw().time());
        self.0 += 1;
        Ok(())
    }

    /// Does not have the fields located, which stage `decode` measures.
    fn pending(&mut self, pending: &mut PendingEvent<'_>) -> etwkit::Result<Option<Fit>> {
        std::hint::black_box(pending.raw().time());
        self.0 += 1;
        Ok(None)
    }

    fn take(&mut self) -> u64 {
        std::mem::take(&mut self.0)
    }
}
