//! The stacks of the events in a copy.

use etwkit::trace::{Filter, Glob, Trace};
use etwkit_relog::CopyOptions;
use etwkit_synth::event::{Event, ExtendedItem, ModernEvent, PointerSize};
use etwkit_synth::file::{Buffer, LogfileHeader, TraceBuilder};
use etwkit_synth::guid::Guid;
use etwkit_synth::{Payload, kernel};

use crate::copies::{copied, difference, lines};
use crate::headers::opened;

const PID: u32 = 5200;
const TID: u32 = 5204;
/// Microsoft-Windows-DotNETRuntime.
const CLR: Guid = Guid::new(0xe13c_0d23_ccbc_4e12_931b_d9cc_2eee_27e4);
const CLR_STACK: u16 = 82;
/// Of an allocation.
const TICK: u16 = 10;
/// Of an exception.
const THROWN: u16 = 80;

fn made(events: impl IntoIterator<Item = Event>) -> Trace {
    let buffer = Buffer::on(1).events(events);
    opened([TraceBuilder::new(LogfileHeader::default()).buffer(buffer).build().bytes])
}

/// Checks that the events of a copy have the stacks that they have in the trace; returns the lines.
fn check(trace: &Trace, filter: &Filter) -> Vec<String> {
    let copy = copied(trace, &CopyOptions::default().filter(filter.clone(), "")).unwrap();
    assert_eq!(difference(trace, &copy, filter), None);
    lines(&copy, filter)
}

fn of_clr(id: u16, ticks: i64) -> ModernEvent {
    ModernEvent::new(CLR).id(id).at(LogfileHeader::default().after(ticks)).by(PID, TID)
}

fn clr_stack(ticks: i64, address: u64) -> Event {
    of_clr(CLR_STACK, ticks).payload(Payload::new().u16(9).u8(0).u8(0).u32(1).u64(address)).into()
}

#[test]
fn a_stack_of_the_clr_stays_with_its_event() {
    let events = [of_clr(TICK, 10).into(), of_clr(THROWN, 20).into(), clr_stack(21, 0x7ff6_1a00_1234)];
    let trace = made(events);
    assert!(lines(&trace, &Filter::default().ids([THROWN])).concat().contains("7ff61a001234"));
    for ids in [vec![TICK, CLR_STACK], vec![THROWN, CLR_STACK], vec![CLR_STACK], vec![THROWN], vec![TICK]] {
        check(&trace, &Filter::default().ids(ids));
    }
}

const EIGHT: PointerSize = PointerSize::Eight;
const BASE: u64 = 0x7ff6_1a00_0000;
const CHILD: u32 = 6000;
const OTHER: u32 = 7000;

fn after(ticks: i64) -> i64 {
    LogfileHeader::default().after(ticks)
}

/// A process of two threads with an image.
fn running(pid: u32, name: &str) -> [Event; 2] {
    let image = format!(r"\Device\HarddiskVolume3\{name}");
    [
        kernel::process(EIGHT, 0x0303, pid, name, name).at(after(0)).by(pid, pid + 4).into(),
        kernel::image(EIGHT, 0x1403, BASE, 0x2_4000, pid, &image).at(after(0)).by(pid, pid + 4).into(),
    ]
}

/// The stack walk of an event.
fn walk(of: i64, at: i64, address: u64) -> Event {
    kernel::stack_walk(EIGHT, after(of), PID, TID, &[address]).at(after(at)).into()
}

/// A process is started by a thread of another one.
#[test]
fn frames_in_another_process_are_named() {
    let started = kernel::process(EIGHT, 0x0301, CHILD, "child.exe", "").at(after(1_000)).by(PID, TID).into();
    let events = running(PID, "app.exe").into_iter().chain(running(OTHER, "other.exe"));
    let trace = made(events.chain([started, walk(1_000, 1_003, BASE + 0x1234)]));
    let found = check(&trace, &Filter::default().pids([CHILD])).concat();
    assert!(found.contains("app.exe+0x1234"), "{found}");
    let filter = Filter::default().pids([CHILD]);
    let copy = copied(&trace, &CopyOptions::default().filter(filter, "")).unwrap();
    let all = lines(&copy, &Filter::default());
    assert!(!all.iter().any(|line| line.contains("Image/") && line.contains("other.exe")), "{all:?}");
}
fn sample(ticks: i64) -> Event {
    kernel::sampled_profile(EIGHT, BASE + 0x1234, TID).at(after(ticks)).into()
}

/// A trace of two processors; the first one has the process, and a walk of a sample that is on the other.
fn made_on_two(walked_at: i64) -> Trace {
    let first = Buffer::on(0).events(running(PID, "app.exe")).event(walk(1_500, walked_at, BASE + 0x1234));
    let buffers = [first, Buffer::on(1).event(sample(1_500))];
    opened([TraceBuilder::new(LogfileHeader::default()).buffers(buffers).build().bytes])
}

/// Clocks of processors differ, or the clock steps back.
#[test]
fn a_walk_that_is_not_after_its_event_stays() {
    for walked_at in [1_500, 1_400] {
        let trace = made_on_two(walked_at);
        let found = check(&trace, &Filter::default().names([Glob::new("PerfInfo/Sample")])).concat();
        assert!(found.contains("app.exe+0x1234"), "{found}");
    }
}

/// A stack in two parts, each in an event of its own, as one number joins them.
#[test]
fn both_parts_of_a_stack_stay() {
    let of = |id, ticks, address| -> Event {
        let item = ExtendedItem::stack64(7, &[address]);
        ModernEvent::new(Guid::new(7)).id(id).item(item).at(after(ticks)).by(PID, TID).into()
    };
    let trace = made([of(1, 1_000, 0xffff_f800_0100_2000), of(2, 2_000, BASE + 0x1234)]);
    for id in [1, 2] {
        let found = check(&trace, &Filter::default().ids([id])).concat();
        assert!(found.contains("fffff80001002000") && found.contains("7ff61a001234"), "{found}");
    }
}
