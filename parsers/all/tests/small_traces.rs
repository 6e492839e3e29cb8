//! Opening a small trace does not read the built-in tables again. In a test program of its own, so that the first trace
//! is the first of the process.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test")]

use std::time::{Duration, Instant};

use etwkit::input::Input;
use etwkit::parser::Parsers;
use etwkit::trace::Trace;

const TRACES: u32 = 1000;

#[test]
fn tables_are_read_once_in_a_process() {
    let bytes = include_bytes!("../../../fixtures/hello.etl").as_slice();
    let open = |parsers: &dyn Fn() -> Parsers| {
        let start = Instant::now();
        let trace = Trace::open(Input::bytes("hello.etl", bytes), parsers()).unwrap();
        assert_eq!(trace.events_total(), 11);
        start.elapsed()
    };
    let each = |parsers: &dyn Fn() -> Parsers| {
        let times: Vec<Duration> = (0..TRACES).map(|_| open(parsers)).collect();
        (times.iter().sum::<Duration>() / TRACES, times.into_iter().min().unwrap_or_default())
    };
    let first = open(&etwkit_parsers::standard);
    let (mean, least) = each(&etwkit_parsers::standard);
    let parsers = etwkit_parsers::standard();
    let (cloned, _) = each(&|| parsers.clone());
    let (without, _) = each(&Parsers::none);
    println!(
        "first {first:?}; then of {TRACES}: {mean:?} each, with a cloned set {cloned:?}, without parsers {without:?}"
    );
    assert!(least * 3 < first, "the first took {first:?}, the quickest of the others {least:?}");
}
