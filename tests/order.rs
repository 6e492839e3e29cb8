//! Order, threads, sources, slices and ranges: the same events come out whatever the way.
//!
//! * The time-ordered run delivers every event once, by raw time, ties by processor and place; for 1, 2 and 8 threads.
//! * The file-ordered run delivers the walk's events in the walk's order.
//! * A windowed, an owned and a mapped source give the same.
//! * Time stamps made to hurt (all equal, both ends of time, each buffer spanning all time) work with bounded memory.
//! * `first`, `last` and time windows select what a naive selection over all events selects.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test")]

mod support;

use std::ops::ControlFlow;
use std::time::Duration;

use etwkit::FileTime;
use etwkit::container::Arena;
use etwkit::decode::Event;
use etwkit::input::Input;
use etwkit::sink::{Sink, Worker};
use etwkit::trace::{Filter, Order, RunOptions, TimeRange, Trace};
use etwkit_synth::{Buffer, Clock, Guid, LogfileHeader, ModernEvent, Payload, TraceBuilder, fixtures};
use proptest::prelude::*;
use support::{Seen, census, census_of, corpus_files, events};

/// Time of an event by its buffer and its number there.
type Stamp = fn(u32, u32) -> i64;

#[test]
fn fixtures_come_in_one_order_for_any_threads_and_sources() {
    for fixture in fixtures().into_iter().filter(|f| f.expected.is_trace()) {
        one_order(fixture.name, &support::fixtures_folder().join(fixture.name));
    }
}

#[test]
fn real_traces_come_in_one_order_for_any_threads_and_sources() {
    for (name, path) in corpus_files(16 << 20) {
        one_order(&name, &path);
    }
}

/// How far a run has come is known whatever passes.
#[test]
fn progress_ends_at_what_there_is_to_read() {
    struct Nothing;
    impl Worker for Nothing {
        type Batch = ();
        fn event(&mut self, _: &Event<'_>) -> etwkit::Result<()> {
            Ok(())
        }
        fn take(&mut self) {}
    }
    impl Sink for Nothing {
        type Worker = Self;
        fn worker(&self) -> Self {
            Self
        }
        fn accept(&mut self, (): ()) -> etwkit::Result<ControlFlow<()>> {
            Ok(ControlFlow::Continue(()))
        }
    }
    let patterns: [Stamp; 3] = [|_, _| 7, |_, n| i64::from(n) << 32, |buffer, n| i64::from(buffer * 64 + n)];
    for time in patterns {
        let trace = census_of(&stamped(400, 40, time)).unwrap();
        let none = Filter::default().ids([9999]);
        for (order, filter) in [(Order::Time, Filter::default()), (Order::Time, none.clone()), (Order::File, none)] {
            for (threads, first, last) in [(1, None, None), (3, None, None), (2, Some(5), None), (2, None, Some(5))] {
                let options =
                    RunOptions::default().order(order).threads(threads).filter(filter.clone()).first(first).last(last);
                let mut told = Vec::new();
                trace
                    .run_with(&options, &mut Nothing, &mut |done, total| {
                        told.push((done, total));
                        ControlFlow::Continue(())
                    })
                    .unwrap();
                let (done, total) = *told.last().unwrap();
                assert_eq!(done, total);
                assert!(total >= 400 * 40 * 80, "{total} bytes");
                assert!(told.is_sorted() && told.iter().all(|(_, all)| *all == total));
            }
        }
    }
}

#[test]
fn hostile_time_stamps_are_sorted_in_bounded_memory() {
    let t0 = LogfileHeader::default().t0;
    let patterns: [(&str, Stamp); 6] = [
        ("all equal", |_, _| 7),
        ("both ends of time", |buffer, n| if (buffer + n) % 2 == 0 { i64::MIN } else { i64::MAX }),
        ("each buffer spans all time", |_, n| match n {
            0 => i64::MIN,
            1 => i64::MAX,
            n => i64::from(n) << 32,
        }),
        ("backwards", |buffer, n| -(i64::from(buffer) << 20) - i64::from(n)),
        ("one outlier", |buffer, n| if (buffer, n) == (3, 3) { i64::MAX } else { i64::from(buffer * 64 + n) }),
        ("two clusters far apart", |buffer, n| if buffer % 2 == 0 { i64::from(n) } else { i64::MAX - i64::from(n) }),
    ];
    for (name, time) in patterns {
        let trace = stamped(400, 40, time);
        let trace = census_of(&trace).unwrap();
        let mut want = events(&trace, Order::File, &Filter::default());
        assert_eq!(want.len(), 1 + 400 * 40, "{name}");
        assert!(want.iter().all(|seen| seen.time == t0 || seen.offset >= 72), "{name}");
        want.sort();
        for threads in [1, 2, 8] {
            let got = run(&trace, &RunOptions::default().threads(threads));
            assert!(got.events == want, "{name}: {threads} threads");
            // A slice is at most 4 MiB unless many buffers overlap, and then an eighth of what overlaps.
            assert!(got.largest_batch <= 16 << 20, "{name}: a batch of {} bytes", got.largest_batch);
        }
    }
}

#[test]
fn many_buffers_that_span_all_time_are_sliced() {
    // 64 MB in which every buffer overlaps every other: no slice may contain all of it.
    let trace = stamped(8_192, 50, |buffer, n| i64::from(n) * 1_000_000 + i64::from(buffer));
    assert!(trace.len() > 60 << 20);
    let trace = census_of(&trace).unwrap();
    let mut sink = Count::default();
    trace.run(&RunOptions::default().threads(2), &mut sink).unwrap();
    assert_eq!(sink.events, 1 + 8_192 * 50);
    assert!(sink.in_order);
    assert!(sink.largest <= 12 << 20, "a slice of {} bytes", sink.largest);
}

#[test]
fn events_of_one_instant_are_sliced_too() {
    let trace = stamped(8_192, 50, |_, _| 1_000);
    let trace = census_of(&trace).unwrap();
    let mut sink = Count::default();
    trace.run(&RunOptions::default().threads(2), &mut sink).unwrap();
    assert_eq!(sink.events, 1 + 8_192 * 50);
    assert!(sink.in_order);
}

#[test]
fn processors_together_have_every_event_once() {
    let files = fixtures().into_iter().filter(|f| f.expected.is_trace()).map(|f| (f.name.to_owned(), f.bytes));
    let real = corpus_files(4 << 20).into_iter().map(|(name, path)| (name, std::fs::read(path).unwrap()));
    for (name, bytes) in files.chain(real) {
        let trace = census_of(&bytes).unwrap();
        let mut got = Vec::new();
        let mut arena = Arena::default();
        for processor in trace.processor_numbers() {
            let mut events = trace.processor_events(processor);
            let collect = |got: &mut Vec<Seen>, event: &etwkit::event::RawEvent<'_>| {
                assert_eq!(event.processor(), processor, "{name}");
                let utc = trace.clock(event.place().file).and_then(|clock| clock.filetime(event.time()));
                got.push(Seen::of(event, utc.map(|time| time.0), &trace));
            };
            while events.next_buffer(&mut arena, |event| collect(&mut got, event)).unwrap() {}
        }
        got.sort();
        let mut want = events(&trace, Order::File, &Filter::default());
        want.sort();
        assert!(got == want, "{name}: {} events instead of {}", got.len(), want.len());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn ranges_are_what_a_naive_selection_gives(
        clock in 0..4usize,
        stamps in proptest::collection::vec(proptest::collection::vec(-40i64..400, 0..30), 1..12),
        window in (proptest::option::of(-60i64..500), proptest::option::of(-60i64..500)),
        relative in any::<bool>(),
        first in proptest::option::of(0u64..200),
        last in proptest::option::of(0u64..200),
        by_file in any::<bool>(),
        threads in 1usize..4,
    ) {
        let clock = [Clock::Qpc(10_000_000), Clock::Qpc(1_818_300), Clock::Qpc(3_000_000_000), Clock::CpuCycles(2904)][clock];
        let header = LogfileHeader { clock, ..LogfileHeader::default() };
        let trace = of_stamps(&header, &stamps);
        let trace = census_of(&trace).unwrap();
        let start = header.start_time;
        // Nothing can be asked for before the start in terms of the start.
        let window = if relative { (window.0.map(|t| t.max(0)), window.1.map(|t| t.max(0))) } else { window };
        let time = if relative {
            let span = |units: i64| Duration::from_nanos(units.unsigned_abs() * 100);
            TimeRange::default().since_offset(window.0.map(span)).until_offset(window.1.map(span))
        } else {
            let at = |units: i64| FileTime(start + units);
            TimeRange::default().since(window.0.map(at)).until(window.1.map(at))
        };
        let order = if by_file { Order::File } else { Order::Time };
        let mut want = events(&trace, order, &Filter::default());
        want.retain(|seen| {
            let since_start = seen.utc.unwrap() - start;
            window.0.is_none_or(|from| since_start >= from) && window.1.is_none_or(|to| since_start <= to)
        });
        want.truncate(first.map_or(usize::MAX, |first| first as usize));
        let skip = last.map_or(0, |last| want.len().saturating_sub(last as usize));
        let filter = Filter::default().time(time);
        let got = run(&trace, &RunOptions::default().order(order).threads(threads).filter(filter).first(first).last(last));
        prop_assert_eq!(&got.events[..], &want[skip..]);
    }
}

#[test]
fn a_window_that_ends_before_it_begins_is_empty() {
    let header = LogfileHeader::default();
    let trace = census_of(&of_stamps(&header, &[vec![208, 0]])).unwrap();
    let (since, until) = (Some(FileTime(header.start_time + 208)), Some(FileTime(header.start_time)));
    let filter = Filter::default().time(TimeRange::default().since(since).until(until));
    for order in [Order::Time, Order::File] {
        assert_eq!(events(&trace, order, &filter), []);
    }
}

/// All ways to read a file give the same events.
fn one_order(name: &str, path: &std::path::Path) {
    let owned = census(Input::bytes(name, std::fs::read(path).unwrap())).unwrap();
    let walked = events(&owned, Order::File, &Filter::default());
    assert!(walked.windows(2).all(|pair| (pair[0].buffer, pair[0].offset) < (pair[1].buffer, pair[1].offset)));
    assert_eq!(walked.len() as u64, owned.events_total(), "{name}");
    let mut sorted = walked.clone();
    sorted.sort();
    assert!(events(&owned, Order::Time, &Filter::default()) == sorted, "{name}: pulled");
    // SAFETY: nothing changes the fixtures and the corpus while the tests run.
    #[expect(unsafe_code, reason = "the mapped source is tested too")]
    let mapped = unsafe { Input::map(path) }.unwrap();
    let sources = [census(Input::open(path).unwrap()).unwrap(), census(mapped).unwrap(), owned];
    for (source, trace) in ["windowed", "mapped", "owned"].iter().zip(&sources) {
        for threads in [1, 2, 8] {
            for (order, want) in [(Order::Time, &sorted), (Order::File, &walked)] {
                let got = run(trace, &RunOptions::default().order(order).threads(threads));
                assert!(got.events == *want, "{name}: {source}, {threads} threads, {order:?}");
            }
        }
    }
}

/// Buffers of `events` events each on eight processors, stamped by buffer and number.
fn stamped(buffers: u32, events: u32, time: impl Fn(u32, u32) -> i64) -> Vec<u8> {
    let buffer = |b: u32| {
        let event = |n: u32| plain(time(b, n), b * events + n);
        Buffer::on((b % 8) as u16).events((0..events).map(event))
    };
    TraceBuilder::new(LogfileHeader::default()).buffers((0..buffers).map(buffer)).build().bytes
}

/// Returns one buffer per list, its events at these ticks after the start.
fn of_stamps(header: &LogfileHeader, stamps: &[Vec<i64>]) -> Vec<u8> {
    let buffer = |(b, stamps): (usize, &Vec<i64>)| {
        Buffer::on((b % 3) as u16).events(stamps.iter().map(|&ticks| plain(header.after(ticks), 1)))
    };
    TraceBuilder::new(header.clone()).buffers(stamps.iter().enumerate().map(buffer)).build().bytes
}

fn plain(time: i64, n: u32) -> ModernEvent {
    let payload = Payload::new().u32(n).bytes(&[0x5A; 44]);
    ModernEvent::new(Guid::new(0x5e7a_1000)).id(1).at(time).by(4, 8).payload(payload)
}

fn run<'c>(trace: &'c Trace, options: &RunOptions) -> Collected<'c> {
    let mut sink = Collected { trace, events: Vec::new(), largest_batch: 0 };
    let summary = trace.run(options, &mut sink).unwrap();
    assert_eq!(summary.events, sink.events.len() as u64);
    sink
}

/// Keeps all events.
struct Collected<'c> {
    trace: &'c Trace,
    events: Vec<Seen>,
    largest_batch: usize,
}

struct Collector<'c>(&'c Trace, Vec<Seen>);

impl<'c> Sink for Collected<'c> {
    type Worker = Collector<'c>;

    fn worker(&self) -> Collector<'c> {
        Collector(self.trace, Vec::new())
    }

    fn accept(&mut self, mut batch: Vec<Seen>) -> etwkit::Result<ControlFlow<()>> {
        self.largest_batch = self.largest_batch.max(batch.iter().map(|seen| seen.bytes.len()).sum());
        self.events.append(&mut batch);
        Ok(ControlFlow::Continue(()))
    }
}

impl Worker for Collector<'_> {
    type Batch = Vec<Seen>;

    fn event(&mut self, event: &Event<'_>) -> etwkit::Result<()> {
        self.1.push(Seen::of(event.raw(), event.time().map(|time| time.0), self.0));
        Ok(())
    }

    fn take(&mut self) -> Vec<Seen> {
        std::mem::take(&mut self.1)
    }
}

/// Counts, and looks whether time goes back.
struct Count {
    events: u64,
    last: (i64, u16),
    in_order: bool,
    largest: u64,
}

impl Default for Count {
    fn default() -> Self {
        Self { events: 0, last: (i64::MIN, 0), in_order: true, largest: 0 }
    }
}

/// Events, their bytes, first and last, whether in order.
#[derive(Default)]
struct Batch {
    events: u64,
    bytes: u64,
    first: Option<(i64, u16)>,
    last: (i64, u16),
    broken: bool,
}

impl Sink for Count {
    type Worker = Batch;

    fn worker(&self) -> Batch {
        Batch::default()
    }

    fn accept(&mut self, batch: Batch) -> etwkit::Result<ControlFlow<()>> {
        let Some(first) = batch.first else { return Ok(ControlFlow::Continue(())) };
        self.events += batch.events;
        self.in_order &= !batch.broken && self.last <= first;
        self.last = batch.last;
        self.largest = self.largest.max(batch.bytes);
        Ok(ControlFlow::Continue(()))
    }
}

impl Worker for Batch {
    type Batch = Self;

    fn event(&mut self, event: &Event<'_>) -> etwkit::Result<()> {
        let at = (event.raw().time().0, event.raw().processor());
        self.broken |= self.first.is_some() && at < self.last;
        self.first.get_or_insert(at);
        self.last = at;
        self.events += 1;
        self.bytes += event.raw().bytes().len() as u64;
        Ok(())
    }

    fn take(&mut self) -> Self {
        std::mem::take(self)
    }
}
