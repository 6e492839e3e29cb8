//! A file as a trace.

use etwkit::input::Input;
use etwkit::parser::Parsers;
use etwkit::trace::{Filter, Order, RawTrace, Trace};

use crate::cover::Cover;
use crate::event::Visits;

/// Opens the bytes as a trace, makes the census, decodes all events in both orders; every byte must be accounted for.
pub fn walk(data: &[u8]) {
    // Built-in tables would take most of the time, and they read no bytes of the trace.
    let parsers = Parsers::none().with(etwkit_tracelogging::TraceLogging).with(etwkit_tracelogging::StringOnly);
    let Ok(trace) = RawTrace::open(Input::bytes("fuzz", data)) else { return };
    let trace = match trace.decode(parsers) {
        Ok(trace) => trace,
        Err(error) => panic!("memory can be read: {error}"),
    };
    let mut cover = Cover::new(data, &trace);
    let by_place = all(&trace, Order::File, &mut |offset, len| cover.event(offset, len));
    let mut last = i64::MIN;
    let by_time = all(&trace, Order::Time, &mut |_, _| {});
    assert_eq!(by_place.len(), by_time.len(), "both orders have the same events");
    for (time, _) in by_time {
        assert!(last <= time, "time goes back");
        last = time;
    }
    assert_eq!(by_place.len() as u64, trace.events_total());
    if trace.unlisted_problems() == 0 {
        assert_eq!(cover.missing(), None, "a byte is accounted for by nothing: {:?}", trace.problems());
    }
}

/// Returns (raw time, values) of all events; `each` gets the place of each event in its buffer.
fn all(trace: &Trace, order: Order, each: &mut dyn FnMut((u32, u32), usize)) -> Vec<(i64, u64)> {
    let mut list = Vec::new();
    let mut events = trace.events_in(order, &Filter::default());
    loop {
        match events.next() {
            Ok(Some(event)) => {
                let place = event.raw().place();
                each((place.buffer, place.offset), event.raw().bytes().len());
                list.push((event.raw().time().0, Visits::of(&event)));
            }
            Ok(None) => return list,
            Err(error) => panic!("memory can be read: {error}"),
        }
    }
}
