//! Facts about the system in kernel events, by the fields of their tables.
//!
//! Sources: sections 14 and 15.2; that names from a rundown at the end apply to the whole trace is what
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

/// Returns the number in a field.
pub(crate) fn number(event: &Event<'_>, name: &str) -> Option<u64> {
    event.field(name)?.value()?.as_u64()
}

/// Returns the 32-bit number in a field.
pub(crate) fn small(event: &Event<'_>, name: &str) -> Option<u32> {
    number(event, name).map(|value| value as u32)
}

/// Returns the text in a field; empty if it is not there.
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
        created: None,
        exit_status: small(event, "ExitStatus").map(u32::cast_signed),
        image: text(event, "ImageFileName"),
        command_line: text(event, "CommandLine"),
        package: text(event, "PackageFullName"),
        user: text(event, "UserSID"),
    })
}

fn process_start(event: &Event<'_>, system: &mut System) {
    if let Some(facts) = process(event) {
        system.add_process_start(event.raw(), facts);
    }
}

fn process_stop(event: &Event<'_>, system: &mut System) {
    if let Some(facts) = process(event) {
        system.add_process_end(event.raw(), facts);
    }
}

fn process_exists(event: &Event<'_>, system: &mut System) {
    if let Some(facts) = process(event) {
        system.add_process_rundown(facts);
    }
}

fn thread(event: &Event<'_>) -> Option<(u32, u32)> {
    Some((small(event, "TThreadId")?, small(event, "ProcessId")?))
}

fn thread_start(event: &Event<'_>, system: &mut System) {
    if let Some((tid, pid)) = thread(event) {
        system.add_thread_start(event.raw(), tid, pid);
        thread_name(event, system);
    }
}

fn thread_stop(event: &Event<'_>, system: &mut System) {
    if let Some((tid, pid)) = thread(event) {
        system.add_thread_end(event.raw(), tid, pid);
    }
}

fn thread_exists(event: &Event<'_>, system: &mut System) {
    if let Some((tid, pid)) = thread(event) {
        system.add_thread_rundown(tid, pid);
        thread_name(event, system);
    }
}

fn thread_name(event: &Event<'_>, system: &mut System) {
    let name = text(event, "ThreadName");
    if let Some(tid) = small(event, "TThreadId").filter(|_| !name.is_empty()) {
        system.add_thread_name(event.raw(), tid, &name);
    }
}

fn image(event: &Event<'_>) -> Option<Image> {
    // Version 0 has no process id: the process is the one that writes the event.
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
        system.add_image_load(event.raw(), image);
    }
}

fn image_unload(event: &Event<'_>, system: &mut System) {
    if let Some(image) = image(event) {
        system.add_image_unload(event.raw(), image);
    }
}

fn image_exists(event: &Event<'_>, system: &mut System) {
    if let Some(image) = image(event) {
        system.add_image_rundown(image);
    }
}

fn file_name(event: &Event<'_>, system: &mut System) {
    if let Some(key) = number(event, "FileKey") {
        system.add_file_name(event.raw(), key, &text(event, "FileName"));
    }
}

fn file_had(event: &Event<'_>, system: &mut System) {
    if let Some(key) = number(event, "FileKey") {
        system.add_file_rundown(key, &text(event, "FileName"));
    }
}

fn file_object(event: &Event<'_>, system: &mut System) {
    if let Some(key) = number(event, "FileObject") {
        system.add_file_name(event.raw(), key, &text(event, "FileName"));
    }
}

fn object_had(event: &Event<'_>, system: &mut System) {
    if let Some(key) = number(event, "Object") {
        system.add_object_rundown(key, &text(event, "ObjectName"));
    }
}

fn system_paths(event: &Event<'_>, system: &mut System) {
    system.volumes.system_paths(&text(event, "SystemDirectory"), &text(event, "SystemWindowsDirectory"));
}

fn volume(event: &Event<'_>, system: &mut System) {
    system.volumes.map(&text(event, "NtPath"), &text(event, "DosPath"));
}
