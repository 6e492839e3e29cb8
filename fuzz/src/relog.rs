//! Copies of traces.

use std::io::Cursor;

use etwkit::Severity;
use etwkit::event::RawEvent;
use etwkit::input::Input;
use etwkit::parser::Parsers;
use etwkit::trace::{Filter, RawTrace, Trace};
use etwkit_relog::{CopyOptions, Error, PROVIDER, copy};

/// Opens the bytes as a trace and copies it: whole and in part, plain and compressed. A copy has no damage and the same
/// events.
pub fn relog(data: &[u8]) {
    let Some(trace) = open(data) else { return };
    for filter in [Filter::default(), Filter::default().level(2)] {
        for compress in [false, true] {
            let options = CopyOptions::default().filter(filter.clone(), "").compress(compress);
            let bytes = match copy(&trace, &options, Cursor::new(Vec::new())) {
                Ok((out, _)) => out.into_inner(),
                Err(Error::Refused { .. }) => return,
                Err(error) => panic!("memory can be read and written: {error}"),
            };
            let Some(copied) = open(&bytes) else { panic!("a copy is a trace") };
            let damage = copied.problems().iter().find(|problem| problem.severity == Severity::Damage);
            assert_eq!(damage, None, "a copy is whole");
            assert_eq!(events(&trace, &filter), events(&copied, &filter), "a copy has the same events");
        }
    }
}

pub(crate) fn open(data: &[u8]) -> Option<Trace> {
    let parsers = Parsers::none().with(etwkit_tracelogging::TraceLogging);
    let trace = RawTrace::open(Input::bytes("fuzz", data)).ok()?;
    match trace.decode(parsers) {
        Ok(trace) => Some(trace),
        Err(error) => panic!("memory can be read: {error}"),
    }
}

/// Returns time, processor and bytes of the events that pass, in the order of time.
pub(crate) fn events(trace: &Trace, filter: &Filter) -> Vec<(i64, u16, Vec<u8>)> {
    let mut list = Vec::new();
    let mut events = trace.select(filter);
    loop {
        match events.next_raw() {
            Ok(Some(event)) if is_own(trace, &event) => {}
            Ok(Some(event)) => list.push((event.time().0, event.processor(), event.bytes().to_vec())),
            Ok(None) => return list,
            Err(error) => panic!("memory can be read: {error}"),
        }
    }
}

/// Returns whether an event is the header of its file or the note of a copy.
fn is_own(trace: &Trace, event: &RawEvent<'_>) -> bool {
    trace.is_log_header(event) || event.provider_guid() == PROVIDER
}
