//! Memory of processes.

use etwkit::trace::{Filter, RunOptions};
use etwkit_io_analyses::MemoryByProcess;
use etwkit_synth::{ClassicEvent, Guid, Payload};

use super::{EIGHT, Made, PID, TID, found};

const ALLOC: u16 = 0x0262;
const FREE: u16 = 0x0263;
const EXISTED: u16 = 0x0280;
const MEMORY_INFO: u16 = 0x027d;
const COMMIT: u32 = 0x1000;
const RESERVE: u32 = 0x2000;
const DECOMMIT: u32 = 0x4000;
const RELEASE: u32 = 0x8000;

fn range(start: u64, pages: u64, pid: u32, flags: u32) -> Payload {
    Payload::new().ptr(EIGHT, start).ptr(EIGHT, pages * 4096).u32(pid).u32(flags)
}

/// Ranges that are allocated and freed, up to 170 us after the begin.
fn with_ranges() -> Made {
    Made::new()
        .kernel(10, EXISTED, 2, range(0x90_0000, 2, PID, COMMIT | RESERVE))
        .kernel(100, ALLOC, 2, range(0x10_0000, 16, PID, RESERVE))
        .kernel(110, ALLOC, 2, range(0x10_0000, 8, PID, COMMIT))
        // Four of these pages are committed already.
        .kernel(120, ALLOC, 2, range(0x10_4000, 8, PID, COMMIT))
        .kernel(130, FREE, 2, range(0x10_0000, 2, PID, DECOMMIT))
        .kernel(140, ALLOC, 2, range(0x20_0000, 3, PID, RESERVE | COMMIT))
        .kernel(150, FREE, 2, range(0x10_0000, 16, PID, RELEASE))
        // What was not seen before changes nothing.
        .kernel(160, FREE, 2, range(0x70_0000, 16, PID, RELEASE))
        // One process allocates in another.
        .kernel(170, ALLOC, 2, range(0x10_0000, 1, 4, COMMIT))
}

/// Ranges, blocks of heaps and working sets.
pub(super) fn made() -> Made {
    let sizes = Payload::new().u32(1).u32(PID).ptr(EIGHT, 1).ptr(EIGHT, 2).ptr(EIGHT, 3).ptr(EIGHT, 4);
    with_heap(with_ranges()).kernel(300, MEMORY_INFO, 1, sizes)
}

#[test]
fn net_and_peak_follow_from_the_ranges() {
    let trace = with_ranges().trace();
    let rows = found::<MemoryByProcess>(&trace);
    let [tool, system] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!((tool.pid, tool.allocs, tool.frees), (Some(PID), 4, 3));
    let pages = |bytes: u64| bytes / 4096;
    assert_eq!((pages(tool.reserved_bytes), pages(tool.committed_bytes)), (19, 19));
    assert_eq!((tool.net_reserved_bytes, tool.net_committed_bytes), (Some(3 * 4096), Some(3 * 4096)));
    assert_eq!(pages(tool.peak_committed_bytes.unwrap()), 2 + 12 - 2 + 3);
    assert_eq!((system.pid, system.process.as_deref(), pages(system.committed_bytes)), (Some(4), Some("System"), 1));
    assert_eq!((tool.heap_allocs, tool.heap_net_bytes, tool.heap_peak_bytes), (0, None, None));
    assert_eq!(tool.working_set_bytes_max, None);
}

#[test]
fn a_rundown_after_the_first_allocations_takes_nothing_of_them() {
    let trace = Made::new()
        .kernel(10, ALLOC, 2, range(0x10_0000, 16, PID, COMMIT | RESERVE))
        .kernel(20, EXISTED, 2, range(0x90_0000, 1, PID, COMMIT | RESERVE))
        .trace();
    let rows = found::<MemoryByProcess>(&trace);
    let [tool] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!((tool.net_reserved_bytes, tool.net_committed_bytes), (Some(16 * 4096), Some(16 * 4096)));
}

const HEAP: Guid = Guid::new(0x2229_62ab_6180_4b88_a825_346b_75f2_a24a);

/// Blocks of a heap that are allocated, moved and freed.
fn with_heap(mut made: Made) -> Made {
    let heap = |opcode: u8| ClassicEvent::new(EIGHT, HEAP, opcode).version(2);
    let pointers = |list: &[u64]| list.iter().fold(Payload::new(), |all, one| all.ptr(EIGHT, *one)).u32(2);
    let events = [
        (33, pointers(&[7, 100, 0x1000])),
        (33, pointers(&[7, 50, 0x2000])),
        (34, pointers(&[7, 0x3000, 0x1000, 300, 100])),
        (36, pointers(&[7, 0x2000])),
        (36, pointers(&[7, 0x9000])),
    ];
    for (at, (opcode, payload)) in (200..).zip(events) {
        let at = made.header.after(10 * at);
        made = made.event(heap(opcode).payload(payload).at(at).by(PID, TID));
    }
    made
}

#[test]
fn blocks_of_heaps_are_followed() {
    let made = with_heap(Made::new());
    let rows = found::<MemoryByProcess>(&made.trace());
    let [tool] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!((tool.heap_allocs, tool.heap_bytes, tool.heap_frees), (3, 450, 2));
    assert_eq!((tool.heap_net_bytes, tool.heap_peak_bytes), (Some(300), Some(350)));
}

#[test]
fn a_heap_that_is_destroyed_has_no_blocks() {
    let heap = |opcode: u8| ClassicEvent::new(EIGHT, HEAP, opcode).version(2);
    let pointers = |list: &[u64]| list.iter().fold(Payload::new(), |all, one| all.ptr(EIGHT, *one));
    let made = with_heap(Made::new());
    let at = made.header.after(10_000);
    let made = made.event(heap(33).payload(pointers(&[8, 20, 0x3000]).u32(2)).at(at).by(PID, TID));
    let made = made.event(heap(35).payload(pointers(&[7])).at(at + 1).by(PID, TID));
    let rows = found::<MemoryByProcess>(&made.trace());
    let [tool] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!(
        (tool.heap_allocs, tool.heap_frees, tool.heap_net_bytes, tool.heap_peak_bytes),
        (4, 2, Some(20), Some(350))
    );
}

#[test]
fn working_sets_have_their_greatest_sizes() {
    let entry = |payload: Payload, pid: u32, pages: [u64; 4]| {
        pages.into_iter().fold(payload.u32(pid), |payload, pages| payload.ptr(EIGHT, pages))
    };
    let both = |tool| entry(entry(Payload::new().u32(2), PID, tool), 4, [9, 1, 99, 5]);
    let made = Made::new();
    let trace = made
        .kernel(100, MEMORY_INFO, 1, both([100, 200, 999, 70]))
        .kernel(200, MEMORY_INFO, 1, both([120, 150, 999, 60]))
        .trace();
    let rows = found::<MemoryByProcess>(&trace);
    let tool = rows.iter().find(|row| row.pid == Some(PID)).unwrap();
    let pages = |bytes: Option<u64>| bytes.unwrap() / 4096;
    assert_eq!((pages(tool.working_set_bytes_max), pages(tool.commit_bytes_max)), (120, 200));
    assert_eq!(pages(tool.private_working_set_bytes_max), 70);
    assert_eq!(rows.len(), 2);
    // No event is of a range or a heap.
    assert_eq!((tool.net_reserved_bytes, tool.net_committed_bytes, tool.peak_committed_bytes), (None, None, None));
    assert_eq!((tool.heap_net_bytes, tool.heap_peak_bytes), (None, None));
    let own =
        etwkit_analysis::rows::<MemoryByProcess>(&trace, &RunOptions::default().filter(Filter::default().pids([4])))
            .unwrap();
    assert_eq!(own.iter().map(|row| (row.pid, row.commit_bytes_max)).collect::<Vec<_>>(), [(Some(4), Some(4096))]);
}
