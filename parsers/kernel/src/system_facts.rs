//! Facts about the system in kernel events, by the fields of their tables.
//!
//! Sources: sections 14 and 15.2; that names from a rundown at the end apply to the whole trace is what
//! TraceEvent does.

use std::sync::Arc;

use etwkit::FileTime;
use etwkit::event::known_id;
use etwkit::system::{Image, MachineFacts, ProcessFacts, System};

use crate::observer::{Facts, Watched, watched};

const PROCESS: u128 = 0x3d6fa8d0_fe05_11d0_9dda_00c04fd7ba7c;
const THREAD: u128 = 0x3d6fa8d1_fe05_11d0_9dda_00c04fd7ba7c;
const IMAGE: u128 = 0x2cb15d1d_5fc1_11d2_abe1_00a0c911f518;
const FILE_IO: u128 = 0x90cbdc39_4a3e_11d1_84f4_0000f80464e3;
const OBJECT: u128 = 0x89497f50_effe_4440_8cf2_ce6b1cdcaca7;
const SYS_CONFIG: u128 = 0x9b79ee91_b5fd_41c0_a243_4248e266e9d0;
const SYSTEM_CONFIG: u128 = 0x01853a65_418f_4f36_aefc_dc0f1d2fd235;
const EVENT_TRACE: u128 = 0x68fdd900_4a3e_11d1_84f4_0000f80464e3;

const PROCESS_FIELDS: [&str; 10] = [
    "ProcessId",
    "ParentId",
    "SessionId",
    "UniqueProcessKey",
    "ExitStatus",
    "ImageFileName",
    "CommandLine",
    "PackageFullName",
    "UserSID",
    "ExitTime",
];
const THREAD_FIELDS: [&str; 3] = ["TThreadId", "ProcessId", "ThreadName"];
const IMAGE_FIELDS: [&str; 6] = ["ProcessId", "ImageBase", "ImageSize", "FileName", "ImageChecksum", "TimeDateStamp"];
const FILE_FIELDS: [&str; 2] = ["FileKey", "FileName"];
const FILE_OBJECT_FIELDS: [&str; 2] = ["FileObject", "FileName"];
const OBJECT_FIELDS: [&str; 2] = ["Object", "ObjectName"];
const PATH_FIELDS: [&str; 2] = ["SystemDirectory", "SystemWindowsDirectory"];
const VOLUME_FIELDS: [&str; 2] = ["NtPath", "DosPath"];
const CPU_FIELDS: [&str; 4] = ["ComputerName", "DomainName", "MHz", "MemSize"];
const BUILD_FIELDS: [&str; 2] = ["BuildLab", "ProductName"];

/// The events that state something about the system.
pub(crate) static EVENTS: [Watched; 26] = [
    watched(PROCESS, 1, &PROCESS_FIELDS, process_start),
    watched(PROCESS, 2, &PROCESS_FIELDS, process_stop),
    watched(PROCESS, 3, &PROCESS_FIELDS, process_exists),
    watched(PROCESS, 4, &PROCESS_FIELDS, process_exists),
    watched(PROCESS, 39, &PROCESS_FIELDS, process_defunct),
    watched(THREAD, 1, &THREAD_FIELDS, thread_start),
    watched(THREAD, 2, &THREAD_FIELDS, thread_stop),
    watched(THREAD, 3, &THREAD_FIELDS, thread_exists),
    watched(THREAD, 4, &THREAD_FIELDS, thread_exists),
    watched(THREAD, 72, &THREAD_FIELDS, thread_name),
    watched(IMAGE, 10, &IMAGE_FIELDS, image_load),
    watched(IMAGE, 2, &IMAGE_FIELDS, image_unload),
    watched(IMAGE, 3, &IMAGE_FIELDS, image_exists),
    watched(IMAGE, 4, &IMAGE_FIELDS, image_exists),
    watched(FILE_IO, 0, &FILE_FIELDS, file_name),
    watched(FILE_IO, 32, &FILE_FIELDS, file_name),
    watched(FILE_IO, 35, &FILE_FIELDS, file_ended),
    watched(FILE_IO, 36, &FILE_FIELDS, file_had),
    watched(FILE_IO, 64, &FILE_OBJECT_FIELDS, file_name),
    watched(OBJECT, 38, &OBJECT_FIELDS, object_had),
    watched(OBJECT, 39, &OBJECT_FIELDS, object_had),
    watched(SYSTEM_CONFIG, 10, &CPU_FIELDS, hardware),
    watched(EVENT_TRACE, 66, &BUILD_FIELDS, build),
    watched(SYS_CONFIG, 32, &BUILD_FIELDS, build),
    watched(SYS_CONFIG, 33, &PATH_FIELDS, system_paths),
    watched(SYS_CONFIG, 35, &VOLUME_FIELDS, volume),
];

/// Returns what an event states in numbers about a process.
fn process_numbers(event: &Facts<'_>) -> Option<ProcessFacts> {
    let mut facts = ProcessFacts::new(event.small(0)?);
    facts.parent = event.small(1);
    facts.session = event.small(2);
    facts.key = event.number(3);
    facts.exit_status = event.small(4).map(u32::cast_signed);
    Some(facts)
}

fn process(event: &Facts<'_>) -> Option<ProcessFacts> {
    let mut facts = process_numbers(event)?;
    facts.image = event.text(5);
    facts.command_line = event.text(6);
    facts.package = event.text(7);
    facts.user = event.text(8);
    Some(facts)
}

/// Returns what an event states about a process that may be known: its names only if it is not.
fn process_if_new(event: &Facts<'_>, system: &System) -> Option<ProcessFacts> {
    let numbers = process_numbers(event)?;
    if system.has_process(&numbers) { Some(numbers) } else { process(event) }
}

fn process_start(event: &Facts<'_>, system: &mut System) {
    if let Some(facts) = process(event) {
        system.add_process_start(event.raw(), facts);
    }
}

fn process_stop(event: &Facts<'_>, system: &mut System) {
    if let Some(facts) = process_if_new(event, system) {
        system.add_process_end(event.raw(), facts);
    }
}

fn process_exists(event: &Facts<'_>, system: &mut System) {
    if let Some(facts) = process_if_new(event, system) {
        system.add_process_rundown(event.raw(), facts);
    }
}

/// Of a process that ended earlier, to which somebody still has a handle.
fn process_defunct(event: &Facts<'_>, system: &mut System) {
    let ended = event.number(9).map(|time| FileTime(time.cast_signed())).filter(|time| time.0 > 0);
    if let Some(facts) = process(event) {
        system.add_process_defunct(event.raw(), facts, ended);
    }
}

fn thread(event: &Facts<'_>) -> Option<(u32, u32)> {
    Some((event.small(0)?, event.small(1)?))
}

fn thread_start(event: &Facts<'_>, system: &mut System) {
    if let Some((tid, pid)) = thread(event) {
        system.add_thread_start(event.raw(), tid, pid);
        thread_name(event, system);
    }
}

fn thread_stop(event: &Facts<'_>, system: &mut System) {
    if let Some((tid, pid)) = thread(event) {
        system.add_thread_end(event.raw(), tid, pid);
    }
}

fn thread_exists(event: &Facts<'_>, system: &mut System) {
    if let Some((tid, pid)) = thread(event) {
        system.add_thread_rundown(event.raw(), tid, pid);
        thread_name(event, system);
    }
}

fn thread_name(event: &Facts<'_>, system: &mut System) {
    event.with_text(2, |name| {
        if let Some(tid) = event.small(0).filter(|_| !name.is_empty()) {
            system.add_thread_name(event.raw(), tid, name);
        }
    });
}

/// Returns the process and the address of an image.
#[expect(clippy::inline_always, reason = "measured: `cargo xtask bench`, stage `open`: kernel traces have many images")]
#[inline(always)]
pub(crate) fn mapping(event: &Facts<'_>) -> Option<(u32, u64)> {
    // Version 0 has no process id: the process is the one that writes the event.
    let pid = event.small(0).or_else(|| event.raw().pid().and_then(known_id))?;
    Some((pid, event.number(1)?))
}

/// Returns what an event states about an image, whose process and address have been read.
fn image(event: &Facts<'_>, (pid, base): (u32, u64)) -> Option<Image> {
    let mut image = Image::new(pid, base, event.number(2)?, event.text(3));
    image.checksum = event.small(4).unwrap_or(0);
    image.time_stamp = event.small(5).unwrap_or(0);
    Some(image)
}

fn image_load(event: &Facts<'_>, system: &mut System) {
    if let Some(image) = mapping(event).and_then(|mapping| image(event, mapping)) {
        system.add_image_load(event.raw(), image);
    }
}

fn image_unload(event: &Facts<'_>, system: &mut System) {
    let Some((pid, base)) = mapping(event) else { return };
    if system.has_image(pid, base) {
        system.add_image_unload(event.raw(), Image::new(pid, base, 0, Arc::default()));
    } else if let Some(image) = image(event, (pid, base)) {
        system.add_image_unload(event.raw(), image);
    }
}

fn image_exists(event: &Facts<'_>, system: &mut System) {
    // Rundowns at both ends list most images twice.
    let file = || Some((event.number(2)?, event.small(5).unwrap_or(0)));
    let is_known = |at| system.has_image_file(event.raw(), at, file);
    let new = mapping(event).filter(|at| !is_known(*at));
    if let Some(image) = new.and_then(|mapping| image(event, mapping)) {
        system.add_image_rundown(event.raw(), image);
    }
}

/// Notes the name of a file's key or object.
fn file_name(event: &Facts<'_>, system: &mut System) {
    if let Some(key) = event.number(0) {
        event.with_text(1, |name| system.add_file_name(event.raw(), key, name));
    }
}

fn file_had(event: &Facts<'_>, system: &mut System) {
    if let Some(key) = event.number(0).filter(|key| !system.has_file_name(event.raw(), *key)) {
        event.with_text(1, |name| system.add_file_rundown(event.raw(), key, name));
    }
}

fn file_ended(event: &Facts<'_>, system: &mut System) {
    file_had(event, system);
    if let Some(key) = event.number(0) {
        system.add_file_end(event.raw(), key);
    }
}

fn object_had(event: &Facts<'_>, system: &mut System) {
    if let Some(key) = event.number(0) {
        event.with_text(1, |name| system.add_object_rundown(event.raw(), key, name));
    }
}

fn system_paths(event: &Facts<'_>, system: &mut System) {
    system.set_system_paths(&event.text(0), &event.text(1));
}

fn volume(event: &Facts<'_>, system: &mut System) {
    system.add_volume(&event.text(0), &event.text(1));
}

fn hardware(event: &Facts<'_>, system: &mut System) {
    let mut facts = MachineFacts::default();
    facts.set_computer(&event.text(0), &event.text(1));
    facts.megahertz = event.number(2).filter(|megahertz| *megahertz > 0);
    facts.memory = event.number(3).filter(|megabytes| *megabytes > 0);
    system.add_machine_facts(facts);
}

fn build(event: &Facts<'_>, system: &mut System) {
    let mut facts = MachineFacts::default();
    facts.set_build(&event.text(0));
    facts.set_product(&event.text(1));
    system.add_machine_facts(facts);
}
