//! `GCDynamic` (runtime event 39) carries named sub-events; the name decides, not the size of the data alone.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

use etwkit::decode::Fit;
use etwkit::input::Input;
use etwkit::trace::{Filter, Order, Trace};
use etwkit_synth::{Buffer, Guid, LogfileHeader, ModernEvent, Payload, TraceBuilder};

/// Name of the event, fit and names of its fields.
fn decoded(payload: Payload) -> (String, Fit, Vec<String>) {
    let header = LogfileHeader::default();
    let runtime = Guid::new(0xe13c_0d23_ccbc_4e12_931b_d9cc_2eee_27e4);
    let event = ModernEvent::new(runtime).id(39).at(header.after(10)).by(4, 8).payload(payload);
    let trace = TraceBuilder::new(header).buffer(Buffer::on(0).event(event)).build();
    let source = Input::bytes("memory", trace.bytes);
    let trace = Trace::open(source, etwkit_parsers::standard()).unwrap();
    let mut events = trace.events_in(Order::File, &Filter::default());
    events.next().unwrap().unwrap();
    let event = events.next().unwrap().unwrap();
    let fields = event.fields().map(|view| view.field.name.to_string()).collect();
    (event.schema().unwrap().names().full().unwrap(), event.fit(), fields)
}

fn dynamic(name: &str, data: usize) -> Payload {
    Payload::new().utf16z(name).u32(data.try_into().unwrap()).zeros(data).u16(9)
}

#[test]
fn the_name_decides() {
    let generic = ["Name", "DataSize", "Data", "ClrInstanceID"];
    let (name, fit, fields) = decoded(dynamic("CommittedUsage", 42));
    assert_eq!((&*name, fit, fields[3].as_str()), ("GC/CommittedUsage", Fit::Exact, "TotalCommittedInUse"));
    // As long, but called otherwise: the name's case counts, and so does what follows.
    for other in ["HeapCountTuning", "committedUsage", "CommittedUsageX", "CommittedUsag", ""] {
        let (name, fit, fields) = decoded(dynamic(other, 42));
        assert_eq!((&*name, fit), ("GC/DynamicTraceEvent", Fit::Exact), "{other}");
        assert_eq!(fields, generic);
    }
    // Called so, but shorter or longer than what is known of it.
    for data in [0, 41, 43, 100] {
        let (name, fit, fields) = decoded(dynamic("CommittedUsage", data));
        assert_eq!((&*name, fit), ("GC/DynamicTraceEvent", Fit::Exact), "{data}");
        assert_eq!(fields, generic);
    }
}

#[test]
fn what_fits_nothing_is_the_general_event() {
    let oversized = Payload::new().utf16z("Other").u32(u32::MAX).zeros(42).u16(9);
    let (name, fit, fields) = decoded(oversized);
    assert_eq!((&*name, fit), ("GC/DynamicTraceEvent", Fit::Misfit));
    assert_eq!(fields, ["Name", "DataSize"]);
}
