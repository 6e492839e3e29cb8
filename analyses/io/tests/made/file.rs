//! Operations on files.

use etwkit_io_analyses::{FileByFile, FileEach};
use etwkit_synth::{Event, Guid, ModernEvent, Payload};

use super::{EIGHT, Made, PID, TID, found, is_near};

const CREATE: u16 = 0x0440;
const READ: u16 = 0x0443;
const WRITE: u16 = 0x0444;
const DELETE: u16 = 0x0446;
const DIR_ENUM: u16 = 0x0448;
const END: u16 = 0x044c;
const DIR_NOTIFY: u16 = 0x044d;
const SET_LINK_PATH: u16 = 0x0451;
const SET_LINK: u16 = 0x0452;
const END_OF_FILE: u32 = 0xc000_0011;
const NO_MORE_FILES: u32 = 0x8000_0006;

fn create(irp: u64, object: u64, path: &str) -> Payload {
    Payload::new().ptr(EIGHT, irp).ptr(EIGHT, object).u32(TID).u32(0x0100_0020).u32(0x80).u32(7).utf16z(path)
}

fn transfer(irp: u64, object: u64, bytes: u32) -> Payload {
    Payload::new().u64(512).ptr(EIGHT, irp).ptr(EIGHT, object).ptr(EIGHT, 0x900).u32(TID).u32(bytes).u32(0).u32(0)
}

fn information(irp: u64, object: u64) -> Payload {
    Payload::new().ptr(EIGHT, irp).ptr(EIGHT, object).ptr(EIGHT, 0x900).ptr(EIGHT, 0).u32(TID).u32(13)
}

fn listing(irp: u64, object: u64, pattern: &str) -> Payload {
    let head = Payload::new().ptr(EIGHT, irp).ptr(EIGHT, object).ptr(EIGHT, 0x901).u32(TID);
    head.u32(4096).u32(37).u32(0).utf16z(pattern)
}

fn end(irp: u64, information: u64, status: u32) -> Payload {
    Payload::new().ptr(EIGHT, irp).ptr(EIGHT, information).u32(status)
}

pub(super) fn made() -> Made {
    Made::new()
        .kernel(100, CREATE, 3, create(1, 0x100, r"\Device\D\a.txt"))
        .kernel(150, END, 2, end(1, 1, 0))
        .kernel(200, READ, 3, transfer(2, 0x100, 4096))
        // Another thread's operation lies between.
        .kernel(250, CREATE, 3, create(5, 0x200, r"\Device\D\folder"))
        .kernel(260, END, 2, end(5, 1, 0))
        .kernel(1_200, END, 2, end(2, 1_000, 0))
        .kernel(1_300, READ, 3, transfer(4, 0x100, 4096))
        .kernel(1_310, END, 2, end(4, 77, END_OF_FILE))
        // No end: the request is used again.
        .kernel(1_400, WRITE, 3, transfer(7, 0x100, 5_000))
        .kernel(1_500, WRITE, 3, transfer(7, 0x100, 300))
        .kernel(1_502, END, 2, end(7, 200, 0))
        .kernel(1_600, DIR_ENUM, 3, listing(5, 0x200, "*.txt"))
        .kernel(1_625, END, 2, end(5, 0, NO_MORE_FILES))
        .kernel(1_700, DIR_NOTIFY, 3, listing(6, 0x200, ""))
        .kernel(9_700, END, 2, end(6, 0, 0))
        .kernel(9_800, DELETE, 3, information(8, 0x100))
        // An end without a begin.
        .kernel(9_900, END, 2, end(99, 1, 0))
}

#[test]
fn operations_are_joined_with_their_ends() {
    let trace = made().trace();
    let rows = found::<FileByFile>(&trace);
    let [file, folder] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!(
        (file.pid, file.process.as_deref(), file.file.as_deref()),
        (Some(PID), Some("tool.exe"), Some(r"\Device\D\a.txt"))
    );
    assert_eq!((file.operations, file.creates, file.reads, file.writes, file.deletes), (6, 1, 2, 2, 1));
    assert_eq!((file.read_bytes, file.write_bytes, file.failures), (1_000, 5_200, 1));
    assert!(
        is_near(file.elapsed_ms_sum.unwrap(), 0.05 + 1.0 + 0.01 + 0.002) && is_near(file.elapsed_ms_max.unwrap(), 1.0),
        "{file:?}"
    );
    assert_eq!((folder.file.as_deref(), folder.operations, folder.creates), (Some(r"\Device\D\folder"), 3, 1));
    assert_eq!((folder.dir_enums, folder.failures), (1, 0));
    assert!(is_near(folder.elapsed_ms_sum.unwrap(), 0.01 + 0.025), "{folder:?}");
}

#[test]
fn each_operation_has_its_begin_and_its_end() {
    let rows = found::<FileEach>(&made().trace());
    let all: Vec<_> = rows.iter().map(|row| (row.operation, row.bytes, row.status)).collect();
    let expected = [
        ("create", None, Some(0)),
        ("read", Some(1_000), Some(0)),
        ("create", None, Some(0)),
        ("read", Some(0), Some(END_OF_FILE)),
        ("write", Some(5_000), None),
        ("write", Some(200), Some(0)),
        ("dir_enum", None, Some(NO_MORE_FILES)),
        ("dir_notify", None, Some(0)),
        ("delete", None, None),
    ];
    assert_eq!(all, expected);
    assert!(rows.iter().all(|row| row.tid == Some(TID)));
    assert!(rows.is_sorted_by_key(|row| row.time));
}

#[test]
fn a_link_is_an_operation_and_its_path_none() {
    let made = Made::new()
        .kernel(100, SET_LINK, 3, information(1, 0x100))
        .kernel(110, SET_LINK_PATH, 3, information(1, 0x100).utf16z(r"\Device\D\link"))
        .kernel(500, END, 2, end(1, 0, 0));
    let rows = found::<FileEach>(&made.trace());
    let [row] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!((row.operation, row.bytes, row.status), ("set_link", None, Some(0)));
    assert!(is_near(row.elapsed_ms.unwrap(), 0.4), "{row:?}");
}

/// `Microsoft-Windows-Kernel-File`, version 1 of its events.
fn of_provider(made: Made) -> Made {
    let at = made.header.after(20_000);
    let event = |id: u16, at: i64, payload: Payload| -> Event {
        let provider = Guid::new(0xedd0_8927_9cc4_4e65_b970_c256_0fb5_c289);
        ModernEvent::new(provider).id(id).version(1).at(at).by(PID, TID).payload(payload).into()
    };
    let read = Payload::new().u64(0).ptr(EIGHT, 2).ptr(EIGHT, 0x100).ptr(EIGHT, 0x900).u32(TID).u32(64).u32(0).u32(0);
    made.event(event(12, at, create(1, 0x100, r"\Device\D\b.txt")))
        .event(event(24, at + 10, end(1, 0, 0xc000_0022)))
        .event(event(15, at + 20, read))
        .event(event(24, at + 50, end(2, 48, 0)))
}

#[test]
fn events_of_the_provider_count_where_the_kernels_are_not() {
    let rows = found::<FileByFile>(&of_provider(Made::new()).trace());
    let [file] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!((file.file.as_deref(), file.creates, file.failures), (Some(r"\Device\D\b.txt"), 1, 1));
    assert_eq!((file.reads, file.read_bytes), (1, 48));
    assert!(is_near(file.elapsed_ms_sum.unwrap(), 0.001 + 0.003), "{file:?}");
    assert_eq!(found::<FileByFile>(&of_provider(made()).trace()), found::<FileByFile>(&made().trace()));
}
