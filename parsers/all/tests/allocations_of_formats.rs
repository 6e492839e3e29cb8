//! Writing an event allocates nothing, in any format: a longer trace may allocate for what comes once per buffer, slice
//! or batch.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test")]

use std::io::Sink;

use allocation_counter::measure;
use etwkit::input::Input;
use etwkit::output::{Column, JsonFormat, LineFormat, LineSink, RowFormat, TableFormat, Tally, TextFormat};
use etwkit::select::Selector;
use etwkit::sink;
use etwkit::trace::{RunOptions, Trace};
use etwkit_synth::busy;
use etwkit_windows_formats::{TracerptCsv, TracerptXml, Twapi, TwapiField};

const SHORT: u32 = 2_000;
const LONG: u32 = 40_000;

/// Allocations of a run, and the events that it delivered.
#[derive(Clone, Copy, Debug)]
struct Counted {
    events: u64,
    allocations: u64,
    buffers: u64,
}

fn counted<S: sink::Sink>(trace: &Trace, mut sink: S) -> Counted {
    let options = RunOptions::default().threads(1);
    let mut events = 0;
    let allocated = measure(|| events = trace.run(&options, &mut sink).unwrap().events);
    Counted { events, allocations: allocated.count_total, buffers: trace.buffers().len() as u64 }
}

/// Checks one sink on a kernel trace and one of the .NET runtime.
fn check_sink(name: &str, count: impl Fn(&Trace) -> Counted) {
    for (shape, make) in [("kernel", busy::kernel_events as fn(u32) -> Vec<u8>), ("runtime", busy::runtime_events)] {
        let run = |events| {
            let source = Input::bytes("memory", make(events));
            count(&Trace::open(source, etwkit_parsers::standard()).unwrap())
        };
        let (short, long) = (run(SHORT), run(LONG));
        println!("{name}, {shape}: {short:?}, {long:?}");
        let more = long.allocations.saturating_sub(short.allocations);
        let most = 64 + 8 * long.buffers;
        assert!(most < (long.events - short.events) / 10, "{most} shows nothing");
        assert!(
            more <= most,
            "{name}, {shape}: {more} more allocations for {} more events",
            long.events - short.events
        );
    }
}

fn check<F: LineFormat>(name: &str, format: impl Fn(&Trace) -> F) {
    check_sink(name, |trace| counted(trace, LineSink::<F, Sink>::with_format(trace, format(trace), std::io::sink())));
}

#[test]
fn json_lines_and_text_allocate_nothing() {
    check("json", |_| JsonFormat::default());
    check("text", |_| TextFormat::default());
}

#[test]
fn tables_allocate_nothing() {
    for rows in [RowFormat::Csv, RowFormat::Json, RowFormat::Text] {
        check("table", |trace| TableFormat::new(Column::usual_of(trace), rows));
    }
}

#[test]
fn formats_of_windows_allocate_nothing() {
    check("xml", |_| TracerptXml::default());
    check("tracerpt-csv", |_| TracerptCsv::default());
    check("twapi", |_| Twapi::default().fields(TwapiField::usual()));
}

#[test]
fn counting_allocates_nothing() {
    let selectors = |names: &[&str]| names.iter().map(|name| name.parse::<Selector>().unwrap()).collect::<Vec<_>>();
    for names in [&["provider", "event"][..], &["pid", "process"]] {
        check_sink("count", |trace| counted(trace, Tally::new(selectors(names)).unwrap()));
    }
}
