//! What kernel events tell of the system, by the fields of their tables.
//!
//! Sources: `etl-format.md` 14 and 15.2; that names from a rundown at the end hold for all of the trace is what
//! TraceEvent does.

use etwkit::bytes::Guid;
use etwkit::decode::{Event, Value};
use etwkit::system::{Image, ProcessFacts, System};

/// Events that teach, and how.
#[derive(Debug)]
pub(crate) struct Teacher {
    pub(crate) class: Guid,
    pub(crate) opcode: u8,
    pub(crate) take: fn(&Event<'_>, &mut System),
}

const PROCESS: u128 = 0x3d6fa8d0_fe05_11d0_9dda_00c04fd7ba7c;
const THREAD: u128 = 0x3d6fa8d1_fe05_11d0_9dda_00c04fd7ba7c;
const IMAGE: u128 = 0x2cb15d1d_5fc1_11d2_abe1_00a0c911f518;
const FILE_IO: u128 = 0x90cbdc39_4a3e_11d1_84f4_0000f80464e3;
const OBJECT: u128 = 0x89497f50_effe_4440_8cf2_ce6b1cdcaca7;
const SYS_CONFIG: u128 = 0x9b79ee91_b5fd_41c0_a243_4248e266e9d0;

pub(crate) const fn teacher(class: u128, opcode: u8, take: fn(&Event<'_>, &mut System)) -> Teacher {
    Teacher { class: Guid::from_u128(class), opcode, take }
}

pub(crate) static TEACHERS: [Teacher; 22] = [
    teacher(PROCESS, 1, process_start),
    teacher(PROCESS, 2, process_stop),
    teacher(PROCESS, 3, process_exists),
    teacher(PROCESS, 4, process_exists),
    teacher(THREAD, 1, thread_start),
    teacher(THREAD, 2, thread_stop),
    teacher(THREAD, 3, thread_exists),
    teacher(THREAD, 4, thread_exists),
    teacher(THREAD, 72, thread_name),
    teacher(IMAGE, 10, image_load),
    teacher(IMAGE, 2, image_unload),
    teacher(IMAGE, 3, image_exists),
    teacher(IMAGE, 4, image_exists),
    teacher(FILE_IO, 0, file_name),
    teacher(FILE_IO, 32, file_name),
    teacher(FILE_IO, 35, file_had),
    teacher(FILE_IO, 36, file_had),
    teacher(FILE_IO, 64, file_object),
    teacher(OBJECT, 38, object_had),
    teacher(OBJECT, 39, object_had),
    teacher(SYS_CONFIG, 33, system_paths),
    teacher(SYS_CONFIG, 35, volume),
];

/// The number in a field.
pub(crate) fn number(event: &Event<'_>, name: &str) -> Option<u64> {
    event.field(name)?.value()?.as_u64()
}

/// The 32-bit number in a field.
pub(crate) fn small(event: &Event<'_>, name: &str) -> Option<u32> {
    number(event, name).map(|value| value as u32)
}

/// The text in a field; empty if it is not there.
fn text(event: &Event<'_>, name: &str) -> Box<str> {
    let value = event.field(name).and_then(|field| field.value());
    match value {
        Some(Value::Utf16(text)) => String::from(text).into(),
        Some(Value::Ansi(text)) => text.to_string().into(),
        Some(Value::Sid(Some(sid))) => sid.to_string().into(),
        _ => Box::default(),
    }
}

fn process(event: &Event<'_>) -> Option<ProcessFacts> {
    Some(ProcessFacts {
        pid: small(event, "ProcessID")?,
        parent: small(event, "ParentID"),
        session: small(event, "SessionID"),
        key: number(event, "UniqueProcessKey"),
        exit_status: small(event, "ExitStatus").map(u32::cast_signed),
        image: text(event, "ImageFileName"),
        command_line: text(event, "CommandLine"),
        package: text(event, "PackageFullName"),
        user: text(event, "UserSID"),
    })
}

fn process_start(event: &Event<'_>, state: &mut System) {
    if let Some(facts) = process(event) {
        let time = state.times.of(&event.raw);
        state.processes.start(time, facts, &mut state.room);
    }
}

fn process_stop(event: &Event<'_>, state: &mut System) {
    if let Some(facts) = process(event) {
        let time = state.times.of(&event.raw);
        state.processes.stop(time, facts, &mut state.room);
    }
}

fn process_exists(event: &Event<'_>, state: &mut System) {
    if let Some(facts) = process(event) {
        state.processes.exists(facts, &mut state.room);
    }
}

fn thread(event: &Event<'_>) -> Option<(u32, u32)> {
    Some((small(event, "TThreadId")?, small(event, "ProcessId")?))
}

fn thread_start(event: &Event<'_>, state: &mut System) {
    if let Some((tid, pid)) = thread(event) {
        let time = state.times.of(&event.raw);
        state.threads.start(time, tid, pid, &mut state.room);
        thread_name(event, state);
    }
}

fn thread_stop(event: &Event<'_>, state: &mut System) {
    if let Some((tid, pid)) = thread(event) {
        let time = state.times.of(&event.raw);
        state.threads.stop(time, tid, pid, &mut state.room);
    }
}

fn thread_exists(event: &Event<'_>, state: &mut System) {
    if let Some((tid, pid)) = thread(event) {
        state.threads.exists(tid, pid, &mut state.room);
        thread_name(event, state);
    }
}

fn thread_name(event: &Event<'_>, state: &mut System) {
    let name = text(event, "ThreadName");
    if let Some(tid) = small(event, "TThreadId").filter(|_| !name.is_empty()) {
        let time = state.times.of(&event.raw);
        state.threads.name(time, tid, &name, &mut state.room);
    }
}

fn image(event: &Event<'_>) -> Option<Image> {
    // Version 0 does not tell the process: it is the one that writes.
    let pid = small(event, "ProcessId").or_else(|| event.raw.pid().filter(|pid| *pid != u32::MAX))?;
    Some(Image {
        pid,
        base: number(event, "ImageBase")?,
        size: number(event, "ImageSize")?,
        checksum: small(event, "ImageChecksum").unwrap_or(0),
        time_stamp: small(event, "TimeDateStamp").unwrap_or(0),
        path: text(event, "FileName"),
        load: None,
        unload: None,
    })
}

fn image_load(event: &Event<'_>, state: &mut System) {
    if let Some(image) = image(event) {
        let time = state.times.of(&event.raw);
        state.images.load(time, image, &mut state.room);
    }
}

fn image_unload(event: &Event<'_>, state: &mut System) {
    if let Some(image) = image(event) {
        let time = state.times.of(&event.raw);
        state.images.unload(time, image, &mut state.room);
    }
}

fn image_exists(event: &Event<'_>, state: &mut System) {
    if let Some(image) = image(event) {
        state.images.exists(image, &mut state.room);
    }
}

fn file_name(event: &Event<'_>, state: &mut System) {
    if let Some(key) = number(event, "FileKey") {
        let time = state.times.of(&event.raw);
        state.files.name(time, key, &text(event, "FileName"), &mut state.room);
    }
}

fn file_had(event: &Event<'_>, state: &mut System) {
    if let Some(key) = number(event, "FileKey") {
        state.files.had(key, &text(event, "FileName"), &mut state.room);
    }
}

fn file_object(event: &Event<'_>, state: &mut System) {
    if let Some(key) = number(event, "FileObject") {
        let time = state.times.of(&event.raw);
        state.files.name(time, key, &text(event, "FileName"), &mut state.room);
    }
}

fn object_had(event: &Event<'_>, state: &mut System) {
    if let Some(key) = number(event, "Object") {
        state.objects.had(key, &text(event, "ObjectName"), &mut state.room);
    }
}

fn system_paths(event: &Event<'_>, state: &mut System) {
    state.volumes.system_paths(&text(event, "SystemDirectory"), &text(event, "SystemWindowsDirectory"));
}

fn volume(event: &Event<'_>, state: &mut System) {
    state.volumes.map(&text(event, "NtPath"), &text(event, "DosPath"));
}
