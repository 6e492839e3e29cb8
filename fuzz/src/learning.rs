//! What parsers learn: processes, images, stacks, methods, names of files.

use etwkit::Event;
use etwkit::trace::{Filter, Order, Trace};

use crate::event::{Visits, account};
use crate::traces;

/// Opens a trace (see `traces::file`) with all parsers and reads of each event all that an event contains, in both
/// orders, which must have the same events. Every byte of a payload is in a field or in what remains.
pub fn learning(data: &[u8]) {
    let Some(file) = traces::file(data) else { return };
    let Some(trace) = traces::open(&file) else { return };
    let by_place = all(&trace, Order::File);
    let by_time = all(&trace, Order::Time);
    assert_eq!(by_place, by_time, "both orders have the same events");
    assert_eq!(by_place.0, trace.events_total());
}

/// Returns the numbers of events and of their values.
fn all(trace: &Trace, order: Order) -> (u64, u64) {
    let (mut count, mut values) = (0, 0);
    let mut frames = Vec::new();
    let mut events = trace.events_in(order, &Filter::default());
    loop {
        match events.next() {
            Ok(Some(event)) => {
                count += 1;
                account(&event);
                values += Visits::of(&event);
                look(&event, &mut frames);
            }
            Ok(None) => return (count, values),
            Err(error) => panic!("memory can be read: {error}"),
        }
    }
}

/// Reads what parsers learned of an event's circumstances.
fn look(event: &Event<'_>, frames: &mut Vec<u64>) {
    let _ = (event.process(), event.process_name(), event.attribution(), event.pid(), event.tid());
    let _ = (event.activity_id(), event.related_activity_id(), event.file());
    let found = event.stack(frames);
    assert!(found.is_none() || event.has_stack(), "a stack that is found is there");
    let (pid, time) = (event.pid().unwrap_or(0), event.time().unwrap_or_default());
    for (place, address) in frames.iter().enumerate() {
        let _ = event.system().functions_at(&event.system().frame_at(pid, *address, place, time));
    }
}
