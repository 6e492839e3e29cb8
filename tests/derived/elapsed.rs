//! Milliseconds that operations took, of every event whose payload has the ticks or the beginning.

use etwkit_synth::{Event, LogfileHeader, Payload, SystemEvent};

use super::{EIGHT, json, rows, trace_of};

#[test]
fn events_with_a_beginning_or_ticks_have_milliseconds() {
    // 10 ticks are a microsecond.
    let header = LogfileHeader::default();
    let began = |at: i64| Payload::new().i64(header.after(at));
    let perfinfo = |hook: u16, payload: Payload, at: i64| {
        Event::from(SystemEvent::perfinfo(EIGHT, hook).version(2).payload(payload).at(header.after(at)))
    };
    let system = |hook: u16, version: u8, payload: Payload, at: i64| {
        Event::from(SystemEvent::system(EIGHT, hook).version(version).payload(payload).at(header.after(at)).by(4, 8))
    };
    let registry = began(600).u32(0).u32(0).ptr(EIGHT, 1).utf16z("Software");
    let fault = began(1000).u64(0).ptr(EIGHT, 0x10).ptr(EIGHT, 0x20).u32(8).u32(4096);
    let flush = Payload::new().u32(0).u32(0).u64(30_001).ptr(EIGHT, 1).u32(8);
    let events = [
        perfinfo(0x0f44, began(100).ptr(EIGHT, 0x1234), 115),
        perfinfo(0x0f42, began(200).ptr(EIGHT, 0x1234), 200),
        perfinfo(0x0f45, began(210).ptr(EIGHT, 0x1234), 211),
        perfinfo(0x0f43, began(300).ptr(EIGHT, 0x1234).u8(1).u16(0x51).u8(0), 333),
        perfinfo(0x0f32, began(400).ptr(EIGHT, 0x1234).u8(1).u16(0x51).u8(0).u32(2), 404),
        system(0x090b, 2, registry, 20_600),
        system(0x0220, 2, fault, 31_000),
        system(0x010e, 3, flush, 40_000),
        // A beginning after its end is damage.
        perfinfo(0x0f44, began(50_000).ptr(EIGHT, 0x1234), 49_000),
    ];
    let trace = trace_of(&header, events);
    let found = rows(&trace, "event,ElapsedTimeMSec", "not event ~ EventTrace");
    let expected = [
        ("PerfInfo/DPC", ",\"ElapsedTimeMSec\":0.0015"),
        ("PerfInfo/ThreadedDPC", ",\"ElapsedTimeMSec\":0.0"),
        ("PerfInfo/TimerDPC", ",\"ElapsedTimeMSec\":0.0001"),
        ("PerfInfo/ISR", ",\"ElapsedTimeMSec\":0.0033"),
        ("PerfInfo/ISR", ",\"ElapsedTimeMSec\":0.0004"),
        ("Registry/Open", ",\"ElapsedTimeMSec\":2.0"),
        ("Memory/HardFault", ",\"ElapsedTimeMSec\":3.0"),
        ("DiskIO/FlushBuffers", ",\"ElapsedTimeMSec\":3.0001"),
        ("PerfInfo/DPC", ""),
    ];
    let expected = expected.map(|(event, time)| format!("{{\"event\":\"{event}\"{time}}}\n")).concat();
    assert_eq!(found, expected);
    assert_eq!(json(&trace, "elapsed_ms > 3"), [r#""elapsed_ms":3.0001"#]);
}
