//! What kernel events say about the system, by the fields of their tables.
//!
//! Sources: sections 14 and 15.2; that names from a rundown at the end hold for all of the trace is what
//! TraceEvent does.

use etwkit::decode::{Event, Value};
use etwkit::system::{Image, ProcessFacts, System};

use crate::observer::{Watched, watched};

const PROCESS: u128 = 0x3d6fa8d0_fe05_11d0_9dda_00c04fd7ba7c;
const THREAD: u128 = 0x3d6fa8d1_fe05_11d0_9dda_00c04fd7ba7c;
const IMAGE: u128 = 0x2cb15d1d_5fc1_11d2_abe1_00a0c911f518;
const FILE_IO: u128 = 0x90cbdc39_4a3e_11d1_84f4_0000f80464e3;
const OBJECT: u128 = 0x89497f50_effe_4440_8cf2_ce6b1cdcaca7;
const SYS_CONFIG: u128 = 0x9b79ee91_b5fd_41c0_a243_4248e266e9d0;

/// The events that say something about the system.
pub(crate) static EVENTS: [Watched; 22] = [
    watched(PROCESS, 1, process_start),
    watched(PROCESS, 2, process_stop),
    watched(PROCESS, 3, process_exists),
    watched(PROCESS, 4, process_exists),
    watched(THREAD, 1, thread_start),
    watched(THREAD, 2, thread_stop),
    watched(THREAD, 3, thread_exists),
    watched(THREAD, 4, thread_exists),
    watched(THREAD, 72, thread_name),
    watched(IMAGE, 10, image_load),
    watched(IMAGE, 2, image_unload),
    watched(IMAGE, 3, image_exists),
    watched(IMAGE, 4, image_exists),
    watched(FILE_IO, 0, file_name),
    watched(FILE_IO, 32, file_name),
    watched(FILE_IO, 35, file_had),
    watched(FILE_IO, 36, file_had),
    watched(FILE_IO, 64, file_object),
    watched(OBJECT, 38, object_had),
    watched(OBJECT, 39, object_had),
    watched(SYS_CONFIG, 33, system_paths),
    watched(SYS_CONFIG, 35, volume),
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
        pid: small(event, "ProcessId")?,
        parent: small(event, "ParentId"),
        session: small(event, "SessionId"),
        key: number(event, "UniqueProcessKey"),
        exit_status: small(event, "ExitStatus").map(u32::cast_signed),
        image: text(event, "ImageFileName"),
        command_line: text(event, "CommandLine"),
        package: text(event, "PackageFullName"),
        user: text(event, "UserSID"),
    })
}

fn process_start(event: &Event<'_>, system: &mut System) {
    if let Some(facts) = process(event) {
        let time = system.times.of(event.raw());
        system.processes.start(time, facts, &mut system.room);
    }
}

fn process_stop(event: &Event<'_>, system: &mut System) {
    if let Some(facts) = process(event) {
        let time = system.times.of(event.raw());
        system.processes.stop(time, facts, &mut system.room);
    }
}

fn process_exists(event: &Event<'_>, system: &mut System) {
    if let Some(facts) = process(event) {
        system.processes.exists(facts, &mut system.room);
    }
}

fn thread(event: &Event<'_>) -> Option<(u32, u32)> {
    Some((small(event, "TThreadId")?, small(event, "ProcessId")?))
}

fn thread_start(event: &Event<'_>, system: &mut System) {
    if let Some((tid, pid)) = thread(event) {
        let time = system.times.of(event.raw());
        system.threads.start(time, tid, pid, &mut system.room);
        thread_name(event, system);
    }
}

fn thread_stop(event: &Event<'_>, system: &mut System) {
    if let Some((tid, pid)) = thread(event) {
        let time = system.times.of(event.raw());
        system.threads.stop(time, tid, pid, &mut system.room);
    }
}

fn thread_exists(event: &Event<'_>, system: &mut System) {
    if let Some((tid, pid)) = thread(event) {
        system.threads.exists(tid, pid, &mut system.room);
        thread_name(event, system);
    }
}

fn thread_name(event: &Event<'_>, system: &mut System) {
    let name = text(event, "ThreadName");
    if let Some(tid) = small(event, "TThreadId").filter(|_| !name.is_empty()) {
        let time = system.times.of(event.raw());
        system.threads.name(time, tid, &name, &mut system.room);
    }
}

fn image(event: &Event<'_>) -> Option<Image> {
    // Version 0 does not tell the process: it is the one that writes.
    let pid = small(event, "ProcessId").or_else(|| event.raw().pid().filter(|pid| *pid != u32::MAX))?;
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

fn image_load(event: &Event<'_>, system: &mut System) {
    if let Some(image) = image(event) {
        let time = system.times.of(event.raw());
        system.images.load(time, image, &mut system.room);
    }
}

fn image_unload(event: &Event<'_>, system: &mut System) {
    if let Some(image) = image(event) {
        let time = system.times.of(event.raw());
        system.images.unload(time, image, &mut system.room);
    }
}

fn image_exists(event: &Event<'_>, system: &mut System) {
    if let Some(image) = image(event) {
        system.images.exists(image, &mut system.room);
    }
}

fn file_name(event: &Event<'_>, system: &mut System) {
    if let Some(key) = number(event, "FileKey") {
        let time = system.times.of(event.raw());
        system.files.name(time, key, &text(event, "FileName"), &mut system.room);
    }
}

fn file_had(event: &Event<'_>, system: &mut System) {
    if let Some(key) = number(event, "FileKey") {
        system.files.had(key, &text(event, "FileName"), &mut system.room);
    }
}

fn file_object(event: &Event<'_>, system: &mut System) {
    if let Some(key) = number(event, "FileObject") {
        let time = system.times.of(event.raw());
        system.files.name(time, key, &text(event, "FileName"), &mut system.room);
    }
}

fn object_had(event: &Event<'_>, system: &mut System) {
    if let Some(key) = number(event, "Object") {
        system.objects.had(key, &text(event, "ObjectName"), &mut system.room);
    }
}

fn system_paths(event: &Event<'_>, system: &mut System) {
    system.volumes.system_paths(&text(event, "SystemDirectory"), &text(event, "SystemWindowsDirectory"));
}

fn volume(event: &Event<'_>, system: &mut System) {
    system.volumes.map(&text(event, "NtPath"), &text(event, "DosPath"));
}
