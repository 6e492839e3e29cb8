//! Addresses of managed code have the names of methods: synthetic traces for each case, and a real trace. Skipped
//! loudly where the corpus is absent.
#![allow(clippy::unwrap_used, reason = "a test")]

use etwkit::input::Input;
use etwkit::trace::Trace;
use etwkit_synth::{Buffer, Guid, LogfileHeader, ModernEvent, Payload, TraceBuilder};

const RUNTIME: Guid = Guid::new(0xe13c0d23_ccbc_4e12_931b_d9cc2eee27e4);
const NATIVE: Guid = Guid::new(0x47c3ba0c_77f1_4eb0_8d4d_aef447f16a85);
const RUNDOWN: Guid = Guid::new(0xa669021c_c450_4609_a035_5af59af4df18);
const JSCRIPT: Guid = Guid::new(0x57277741_3638_4a4b_bdba_0ac6e45da56c);
const PID: u32 = 40;
const MODULE: u64 = 0x7000;
/// Tier 4 (`OptimizedTier1`), jitted.
const FLAGS: u32 = 4 << 7 | 8;

/// Code of a method of the runtime.
#[derive(Clone, Copy)]
struct Code {
    id: u64,
    start: u64,
    name: &'static str,
}

fn event(provider: Guid, id: u16, version: u8, ticks: i64, payload: Payload) -> ModernEvent {
    ModernEvent::new(provider)
        .id(id)
        .version(version)
        .at(LogfileHeader::default().after(ticks))
        .by(PID, 44)
        .payload(payload)
}

fn short(code: Code) -> Payload {
    Payload::new().u64(code.id).u64(MODULE).u64(code.start).u32(0x40).u32(0x0600_0001).u32(FLAGS)
}

/// An event with names; version 2 has an instance and an id of recompilation at the end.
fn verbose(provider: Guid, id: u16, ticks: i64, code: Code) -> ModernEvent {
    let payload = short(code).utf16z("My.Space.Type").utf16z(code.name).utf16z("instance void  (int32,string)");
    event(provider, id, 2, ticks, payload.u16(9).u64(0))
}

fn brief(provider: Guid, id: u16, ticks: i64, code: Code) -> ModernEvent {
    event(provider, id, 2, ticks, short(code).u16(9).u64(0))
}

fn module(provider: Guid, id: u16, ticks: i64, path: &str) -> ModernEvent {
    let payload = Payload::new().u64(MODULE).u64(1).u32(0).u32(0).utf16z(path).utf16z("");
    event(provider, id, 0, ticks, payload)
}

fn trace(events: impl IntoIterator<Item = ModernEvent>) -> Trace {
    let buffer = events.into_iter().fold(Buffer::on(0), Buffer::event);
    let bytes = TraceBuilder::new(LogfileHeader::default()).buffer(buffer).build().bytes;
    Trace::open(Input::bytes("memory", bytes), etwkit_parsers::with_stacks(etwkit_parsers::standard())).unwrap()
}

/// Returns the frame of an address, innermost, at the time of the event at `ticks`.
fn frame(trace: &Trace, address: u64, ticks: i64) -> String {
    let mut events = trace.events();
    while let Some(event) = events.next().unwrap() {
        if event.raw().time().0 == LogfileHeader::default().after(ticks) {
            return trace.system().frame_at(PID, address, 0, event.raw()).to_string();
        }
    }
    "no such event".to_owned()
}

#[test]
fn code_has_its_name_while_it_is_loaded() {
    let first = Code { id: 1, start: 0x1_0000, name: "First" };
    let second = Code { id: 2, name: "Second", ..first };
    for provider in [RUNTIME, NATIVE] {
        let trace = trace([
            brief(provider, 145, 5, first),
            verbose(provider, 143, 10, first),
            verbose(provider, 144, 20, first),
            brief(provider, 145, 25, first),
            // Without a name, which the event of the end has.
            brief(provider, 141, 30, second),
            verbose(provider, 144, 40, second),
            module(provider, 152, 50, r"C:\app\App.Core.dll"),
        ]);
        let names = [5, 10, 20, 25, 30, 40, 50].map(|ticks| frame(&trace, 0x1_003F, ticks));
        let [first, second, none] =
            ["App.Core!My.Space.Type.First(int32,string)", "App.Core!My.Space.Type.Second(int32,string)", "0x1003f"];
        assert_eq!(names, [none, first, first, none, second, second, none]);
        assert_eq!(frame(&trace, 0x1_0040, 10), "0x10040");
        assert_eq!(trace.system().methods.iter().next().unwrap().1.tier, 4);
    }
}

#[test]
fn a_rundown_at_the_end_names_what_was_there_before() {
    let old = Code { id: 1, start: 0x2_0000, name: "Old" };
    let new = Code { id: 2, start: 0x2_0020, name: "New" };
    let trace = trace([
        brief(RUNTIME, 145, 5, old),
        verbose(RUNTIME, 143, 10, old),
        verbose(RUNTIME, 144, 20, old),
        brief(RUNTIME, 145, 25, old),
        verbose(RUNDOWN, 144, 90, new),
        module(RUNDOWN, 154, 95, r"C:\app\App.dll"),
    ]);
    assert_eq!(frame(&trace, 0x2_0030, 10), "App!My.Space.Type.Old(int32,string)");
    assert_eq!(frame(&trace, 0x2_0030, 25), "App!My.Space.Type.New(int32,string)");
    // Before the other code was loaded, nothing states what was there.
    assert_eq!(frame(&trace, 0x2_0030, 5), "0x20030");
}

#[test]
fn a_return_address_belongs_to_the_call_before_it() {
    let code = Code { id: 1, start: 0x3_0000, name: "Calls" };
    let trace = trace([verbose(RUNDOWN, 144, 10, code)]);
    let mut events = trace.events();
    events.next().unwrap();
    let event = events.next().unwrap().unwrap();
    let name = |place| trace.system().frame_at(PID, 0x3_0040, place, event.raw()).to_string();
    assert_eq!([name(0), name(1)], ["0x30040", "My.Space.Type.Calls(int32,string)"]);
}

#[test]
fn code_of_scripts_has_the_name_of_the_page() {
    let method = |id, ticks, start: u64, name: &str| {
        let payload = Payload::new().u64(0x99).u64(start).u64(0x40).u32(3).u16(0).u16(2).u64(MODULE).u32(7).u32(1);
        event(JSCRIPT, id, 0, ticks, payload.utf16z(name))
    };
    let source = Payload::new().u64(MODULE).u64(0x99).u32(0).utf16z("https://host/lib/app.js?v=1");
    let trace = trace([
        event(JSCRIPT, 41, 0, 5, source),
        method(9, 10, 0x4_0000, "onClick"),
        method(10, 20, 0x4_0000, "onClick"),
        method(6, 30, 0x5_0000, "listed"),
    ]);
    assert_eq!(frame(&trace, 0x4_0001, 20), "app!onClick");
    assert_eq!(frame(&trace, 0x4_0001, 30), "0x40001");
    assert_eq!(frame(&trace, 0x5_0001, 5), "app!listed");
}

/// A second program, which joins stacks by their time alone, found 62,970 of 63,412: stacks of disk completions among
/// them, and not the user halves that complete earlier kernel halves.
#[test]
fn managed_frames_of_a_real_trace_have_names() {
    let Some(file) = etwkit_corpus::path("perfview/net.4.5.2.x64.etl") else { return };
    let trace =
        Trace::open(Input::open(&file).unwrap(), etwkit_parsers::with_stacks(etwkit_parsers::standard())).unwrap();
    let (mut named, mut nowhere) = (0, 0);
    let (mut events, mut frames) = (trace.events(), Vec::new());
    while let Some(event) = events.next().unwrap() {
        let Some(stack) = event.stack(&mut frames) else { continue };
        for (place, address) in frames.iter().enumerate() {
            let frame = trace.system().frame_at(stack.pid.unwrap_or(0), *address, place, event.raw());
            named += u64::from(frame.method_name().is_some());
            nowhere += u64::from(frame.method_name().is_none() && frame.image.is_none());
        }
    }
    assert_eq!((named, named + nowhere), (63_173, 63_613));
}
