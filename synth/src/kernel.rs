//! Payloads of kernel events that a test of the container needs: stacks, processes, images (sections 7.4, 14).

use crate::event::{PointerSize, SystemEvent};
use crate::payload::Payload;

/// Hook 0x1820: the stack of the event with raw time `of`.
pub fn stack_walk(size: PointerSize, of: i64, pid: u32, tid: u32, addresses: &[u64]) -> SystemEvent {
    let head = Payload::new().i64(of).u32(pid).u32(tid);
    SystemEvent::perfinfo(size, 0x1820).payload(pointers(size, head, addresses))
}

/// Hooks 0x1822 create, 0x1823 delete, 0x1824 rundown: the stack of a stack key.
pub fn stack_definition(size: PointerSize, hook: u16, key: u64, addresses: &[u64]) -> SystemEvent {
    SystemEvent::perfinfo(size, hook).payload(pointers(size, Payload::new().ptr(size, key), addresses))
}

/// Hooks 0x1825 (kernel part) and 0x1826 (user part): a key in place of the stack.
pub fn stack_key(size: PointerSize, hook: u16, of: i64, pid: u32, tid: u32, key: u64) -> SystemEvent {
    SystemEvent::perfinfo(size, hook).payload(Payload::new().i64(of).u32(pid).u32(tid).ptr(size, key))
}

/// Hook 0x0F2E: a CPU sample.
pub fn sampled_profile(size: PointerSize, ip: u64, tid: u32) -> SystemEvent {
    SystemEvent::perfinfo(size, 0x0f2e).payload(Payload::new().ptr(size, ip).u32(tid).u16(1).u8(0x40).u8(0))
}

/// Hooks 0x0301-0x0304, version 4: a process (start, end, rundowns).
pub fn process(size: PointerSize, hook: u16, pid: u32, image: &str, command_line: &str) -> SystemEvent {
    let ids = Payload::new().ptr(size, 0xffff_a08d_1000_0080 + u64::from(pid)).u32(pid).u32(4).u32(1).i32(0x103);
    let sid = ids.ptr(size, 0x1aa0_0000).u32(0).mof_sid(size, 5, &[18]);
    SystemEvent::system(size, hook).version(4).payload(sid.ansi_z(image).utf16z(command_line).utf16z("").utf16z(""))
}

/// Hooks 0x1402-0x1404 and 0x030A, version 3: an image of a process.
pub fn image(size: PointerSize, hook: u16, base: u64, len: u64, pid: u32, name: &str) -> SystemEvent {
    let place = Payload::new().ptr(size, base).ptr(size, len).u32(pid).u32(0x0001_f2c3).u32(0x6578_9abc);
    let rest = place.u8(12).u8(1).u16(0).ptr(size, base).zeros(16).utf16z(name);
    SystemEvent::system(size, hook).version(3).payload(rest)
}

/// Hook 0x0050: the partition the trace was taken in; one per file on Windows 10 and later (section 4.4).
pub fn partition_info(time: i64, pid: u32, tid: u32) -> SystemEvent {
    SystemEvent::system(PointerSize::Eight, 0x0050).at(time).by(pid, tid).payload(Payload::new().zeros(48))
}

/// Hook 0x0042: the build lab text (section 4.4).
pub fn build_lab(time: i64, text: &str) -> SystemEvent {
    SystemEvent::perfinfo(PointerSize::Eight, 0x0042).at(time).payload(Payload::new().ansi_z(text))
}

/// Hook 0x0040: the PDB with a WPP provider's messages (section 4.4).
pub fn wpp_pdb(time: i64, guid: crate::guid::Guid, age: u32, path: &str) -> SystemEvent {
    SystemEvent::perfinfo(PointerSize::Eight, 0x0040).at(time).payload(Payload::new().guid(guid).u32(age).ansi_z(path))
}

/// Hook 0x0043: the binary of a WPP provider (section 4.4).
pub fn wpp_binary(time: i64, guids: &[crate::guid::Guid], path: &str) -> SystemEvent {
    let count = Payload::new().u32(crate::narrow::u32_of(guids.len()));
    let payload = guids.iter().fold(count, |payload, &guid| payload.guid(guid)).utf16z(path);
    SystemEvent::perfinfo(PointerSize::Eight, 0x0043).at(time).payload(payload)
}

fn pointers(size: PointerSize, head: Payload, addresses: &[u64]) -> Payload {
    addresses.iter().fold(head, |payload, &address| payload.ptr(size, address))
}
