//! Allocations of heaps and of virtual memory. Sizes are written by hand.

use crate::forms::folded;
use etwkit::input::Input;
use etwkit::trace::{RunOptions, Trace};
use etwkit_profile::weights::{HeapAllocations, VirtualAllocations, Weigher};
use etwkit_profile::{Profile, ProfileOptions, Unit, profile};
use etwkit_synth::{ClassicEvent, Event, Guid, LogfileHeader, Payload, PointerSize, SystemEvent, TraceBuilder, kernel};

use crate::sums::all_forms;

const SIZE: PointerSize = PointerSize::Eight;
const PID: u32 = 5200;
const TID: u32 = 5204;
const BASE: u64 = 0x7ff6_1a00_0000;

fn heap(at: i64, opcode: u8, pointers: &[u64]) -> Event {
    let payload = pointers.iter().fold(Payload::new(), |all, one| all.ptr(SIZE, *one)).u32(2);
    let class = ClassicEvent::new(SIZE, Guid::new(0x2229_62ab_6180_4b88_a825_346b_75f2_a24a), opcode);
    class.version(2).payload(payload).at(at).by(PID, TID).into()
}

fn range(at: i64, hook: u16, len: u64, flags: u32) -> Event {
    let payload = Payload::new().ptr(SIZE, 0x10_0000).ptr(SIZE, len).u32(PID).u32(flags);
    SystemEvent::system(SIZE, hook).version(2).payload(payload).at(at).by(PID, TID).into()
}

/// Each allocation has a stack of its own.
fn trace() -> Trace {
    let header = LogfileHeader::default();
    let path = r"\Device\HarddiskVolume3\synth\app.exe";
    let image = kernel::image(SIZE, 0x1403, BASE, 0x2_4000, PID, path).by(PID, TID).at(header.t0);
    let process = kernel::process(SIZE, 0x0303, PID, "app.exe", "app").by(PID, TID).at(header.t0);
    let mut builder = TraceBuilder::new(header.clone()).log(0, process).log(0, image);
    let at = |number: i64| header.after(1_000 * number);
    let events = [
        heap(at(1), 33, &[7, 100, 0x1000]),
        heap(at(2), 33, &[7, 50, 0x2000]),
        heap(at(3), 34, &[7, 0x3000, 0x1000, 300, 100]),
        heap(at(4), 36, &[7, 0x2000]),
        // Reserved only; committed; released.
        range(at(5), 0x0262, 0x10_0000, 0x2000),
        range(at(6), 0x0262, 0x2000, 0x3000),
        range(at(7), 0x0263, 0x2000, 0x8000),
    ];
    for (number, event) in (1..).zip(events) {
        let stack = [BASE + 0x100 * number as u64, BASE + 0x10];
        let stack = kernel::stack_walk(SIZE, at(number), PID, TID, &stack).at(at(number) + 1);
        builder = builder.log(0, event).log(0, stack);
    }
    let parsers = etwkit_parsers::with_stacks(etwkit_parsers::standard());
    Trace::open(Input::bytes("made", builder.build().bytes), parsers).unwrap()
}

fn of(weigher: impl Weigher + 'static, unit: Unit) -> Profile {
    let options = ProfileOptions { unit, has_timeline: true };
    let profile = profile(&trace(), weigher, options, &RunOptions::default()).unwrap();
    all_forms(&profile);
    profile
}

fn lines(profile: &Profile) -> Vec<String> {
    let mut lines: Vec<String> =
        folded(profile).lines().map(|line| line.rsplit(';').next().unwrap().to_owned()).collect();
    lines.sort();
    lines
}

#[test]
fn allocations_of_heaps_weigh_their_bytes() {
    assert_eq!(
        lines(&of(HeapAllocations, Unit::Bytes)),
        ["app.exe+0x100 100", "app.exe+0x200 50", "app.exe+0x300 300"]
    );
    assert_eq!(of(HeapAllocations, Unit::Samples).total().weight, 3);
}

#[test]
fn only_what_commits_memory_weighs() {
    assert_eq!(lines(&of(VirtualAllocations, Unit::Bytes)), ["app.exe+0x600 8192"]);
    assert_eq!(of(VirtualAllocations, Unit::Samples).total().weight, 1);
}
