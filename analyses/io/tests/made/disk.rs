//! Transfers of disks whose events do not have the thread, and soft page faults.

use etwkit_io_analyses::{DiskByFile, DiskEach, DiskOverTime, FaultsByFile};
use etwkit_synth::{Payload, SystemEvent};

use super::{EIGHT, Made, PID, TID, found, is_near};

const READ: u16 = 0x010a;
const WRITE: u16 = 0x010b;
const READ_INIT: u16 = 0x010c;
const WRITE_INIT: u16 = 0x010d;

fn transfer(disk: u32, bytes: u32, irp: u64, ticks: u64) -> Payload {
    let head = Payload::new().u32(disk).u32(0).u32(bytes).u32(0).u64(4096).ptr(EIGHT, 0x77);
    head.ptr(EIGHT, irp).u64(ticks)
}

impl Made {
    /// Adds the end of a transfer: the thread that the disk interrupted is in its header.
    fn done(self, at: i64, hook: u16, payload: Payload) -> Self {
        let event = SystemEvent::system(EIGHT, hook).version(2).payload(payload);
        let event = event.at(self.header.after(10 * at)).by(8, 12);
        self.event(event)
    }
}

pub(super) fn made() -> Made {
    let irp = |irp: u64| Payload::new().ptr(EIGHT, irp);
    Made::new()
        .kernel(100, READ_INIT, 2, irp(1))
        .kernel(110, WRITE_INIT, 2, irp(2))
        .done(300, READ, transfer(0, 4096, 1, 2_000))
        .done(450, WRITE, transfer(0, 512, 2, 3_400))
        // Of another disk, and nobody is known to have asked for it.
        .done(460, READ, transfer(1, 1024, 3, 100))
        // The request of the first is done: it is no longer known.
        .done(900, READ, transfer(0, 8, 1, 100))
}

#[test]
fn the_thread_that_asked_is_that_of_the_request() {
    let rows = found::<DiskEach>(&made().trace());
    let all: Vec<_> = rows.iter().map(|row| (row.pid, row.tid, row.operation, row.disk)).collect();
    let (own, other) = ((Some(PID), Some(TID)), (Some(8), Some(12)));
    let expected = [(own, "read", 0), (own, "write", 0), (other, "read", 1), (other, "read", 0)];
    assert_eq!(all, expected.map(|((pid, tid), operation, disk)| (pid, tid, operation, disk)));
    // The write waited until the disk was done with the read.
    let times: Vec<_> = rows.iter().map(|row| (row.elapsed_ms.unwrap(), row.service_ms.unwrap())).collect();
    assert_eq!(times, [(0.2, 0.2), (0.34, 0.15), (0.01, 0.01), (0.01, 0.01)]);
}

#[test]
fn bytes_over_time_are_those_of_each_transfer() {
    let each = found::<DiskEach>(&made().trace());
    let found = found::<DiskOverTime>(&made().trace());
    assert_eq!(found.len(), 4);
    let each = each.iter().map(|row| (row.time, row.disk, row.operation, row.bytes));
    assert!(found.iter().map(|row| (row.time, row.disk, row.operation, row.bytes)).eq(each));
}

#[test]
fn transfers_add_up() {
    let rows = found::<DiskByFile>(&made().trace());
    let [tool, other] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!((tool.reads, tool.read_bytes, tool.writes, tool.write_bytes), (1, 4096, 1, 512));
    assert!(is_near(tool.elapsed_ms_sum, 0.54) && is_near(tool.service_ms_sum.unwrap(), 0.35), "{tool:?}");
    assert_eq!((other.reads, other.read_bytes, &other.disks[..]), (2, 1032, &[0, 1][..]));
}

#[test]
fn faults_have_kinds() {
    let page = || Payload::new().ptr(EIGHT, 0x1000).ptr(EIGHT, 0x2000);
    let made = (10..=15).fold(Made::new(), |made, opcode| {
        (10..=opcode).fold(made, |made, _| made.kernel(100, 0x0200 | opcode, 2, page()))
    });
    let rows = found::<FaultsByFile>(&made.trace());
    let [tool] = &rows[..] else { panic!("{rows:?}") };
    let kinds = [
        tool.transition,
        tool.demand_zero,
        tool.copy_on_write,
        tool.guard_page,
        tool.hard_memory,
        tool.access_violation,
    ];
    assert_eq!((tool.pid, kinds, tool.hard_faults), (Some(PID), [1, 2, 3, 4, 5, 6], 0));
}
