//! Events that merging a trace adds (section 15.2): image identities, volumes, the system.

use crate::event::{ClassicEvent, PointerSize};
use crate::guid::Guid;
use crate::payload::Payload;

const IMAGE_ID: Guid = Guid::new(0xb3e675d7_2554_4f18_830b_2762732560de);
const SYSTEM: Guid = Guid::new(0x9b79ee91_b5fd_41c0_a243_4248e266e9d0);

/// `ImageID` (opcode 0): size, link time and original name of an image.
pub fn image_id(size: PointerSize, base: u64, len: u64, pid: u32, name: &str) -> ClassicEvent {
    let payload = Payload::new().ptr(size, base).ptr(size, len).u32(pid).u32(0x6578_9abc).utf16z(name);
    ClassicEvent::new(size, IMAGE_ID, 0).version(2).payload(payload)
}

/// `DbgID_RSDS` (opcode 36): the PDB of an image.
pub fn dbg_id_rsds(size: PointerSize, base: u64, pid: u32, pdb: (Guid, u32, &str)) -> ClassicEvent {
    let payload = Payload::new().ptr(size, base).u32(pid).guid(pdb.0).u32(pdb.1).ansi_z(pdb.2);
    ClassicEvent::new(size, IMAGE_ID, 36).version(2).payload(payload)
}

/// No debug information available (opcode 32).
pub fn no_image_id(size: PointerSize, base: u64, pid: u32) -> ClassicEvent {
    ClassicEvent::new(size, IMAGE_ID, 32).version(2).payload(Payload::new().ptr(size, base).u32(pid))
}

/// File version resource of an image (opcode 64): ten texts, original file name to program id.
pub fn file_version(size: PointerSize, len: u32, texts: &[&str; 10]) -> ClassicEvent {
    let head = Payload::new().u32(len).u32(0x6578_9abc);
    ClassicEvent::new(size, IMAGE_ID, 64).payload(texts.iter().fold(head, |payload, text| payload.utf16z(text)))
}

/// Volume mapping (opcode 35): NT device path to drive letter.
pub fn volume_mapping(size: PointerSize, nt_path: &str, dos_path: &str) -> ClassicEvent {
    ClassicEvent::new(size, SYSTEM, 35).payload(Payload::new().utf16z(nt_path).utf16z(dos_path))
}

/// System paths (opcode 33).
pub fn system_paths(size: PointerSize, system: &str, windows: &str) -> ClassicEvent {
    ClassicEvent::new(size, SYSTEM, 33).payload(Payload::new().utf16z(system).utf16z(windows))
}

/// Build information (opcode 32).
pub fn build_info(size: PointerSize, installed: i64, lab: &str, product: &str) -> ClassicEvent {
    ClassicEvent::new(size, SYSTEM, 32).payload(Payload::new().filetime(installed).utf16z(lab).utf16z(product))
}
