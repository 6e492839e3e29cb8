//! Images in all their layouts: those of 64-bit kernels also come under headers of 32-bit ones.
#![expect(clippy::unwrap_used, reason = "a test")]

use etwkit::input::Input;
use etwkit::parser::Parsers;
use etwkit::trace::Trace;
use etwkit_synth::{ClassicEvent, Guid, LogfileHeader, Payload, PointerSize as Size, TraceBuilder};

const IMAGE: u128 = 0x2cb15d1d_5fc1_11d2_abe1_00a0c911f518;

const IMAGE_ID: u128 = 0xb3e675d7_2554_4f18_830b_2762732560de;

/// Base, size and process of an image as they are shown, by their names in later versions.
fn image(size: Size, version: u16, payload: Payload) -> [String; 3] {
    shown(
        ClassicEvent::new(size, Guid::new(IMAGE), 3).version(version),
        payload,
        ["ImageBase", "ImageSize", "ProcessId"],
    )
}

/// Fields of an event as they are shown; empty if it does not have them.
fn shown<const N: usize>(event: ClassicEvent, payload: Payload, names: [&str; N]) -> [String; N] {
    let classes = [IMAGE, IMAGE_ID].map(etwkit::bytes::Guid::from_u128);
    let header = LogfileHeader::default();
    let event = event.at(header.t0 + 1000).payload(payload);
    let bytes = TraceBuilder::new(header).log(0, event).build().bytes;
    let trace = Trace::open(Input::bytes("made", bytes), Parsers::none().with(etwkit_kernel::Kernel)).unwrap();
    let mut events = trace.events();
    loop {
        let event = events.next().unwrap().unwrap();
        if classes.contains(&event.raw().provider_guid()) {
            assert_eq!(event.fit(), etwkit::decode::Fit::Exact);
            return names.map(|name| event.field(name).map_or_else(String::new, |view| view.to_string()));
        }
    }
}

const SHOWN: [&str; 3] = ["0x1160000", "0x19e000", "4192"];
const BASE: u64 = 0x116_0000;
const SIZE: u64 = 0x19_e000;

/// Appends the fields from the checksum on.
fn tail(payload: Payload, default_base: usize) -> Payload {
    payload.u32(1).u32(0x4ba2_6867).u32(0).bytes(&vec![0; default_base + 16]).utf16z("\\a.exe")
}

#[test]
fn sizes_are_hexadecimal_in_all_layouts() {
    let narrow = Payload::new().u32(BASE as u32).u32(SIZE as u32).u32(4192);
    assert_eq!(image(Size::Four, 1, narrow.clone().utf16z("\\a.exe")), SHOWN);
    assert_eq!(image(Size::Four, 2, tail(narrow.clone(), 4)), SHOWN);
    assert_eq!(image(Size::Four, 3, tail(narrow, 4)), SHOWN);
    let wide = Payload::new().u64(BASE).u64(SIZE).u32(4192);
    for size in [Size::Eight, Size::Four] {
        assert_eq!(image(size, 1, wide.clone().utf16z("\\a.exe")), SHOWN, "{size:?}");
        assert_eq!(image(size, 2, tail(wide.clone(), 8)), SHOWN, "{size:?}");
        assert_eq!(image(size, 3, tail(wide.clone(), 8)), SHOWN, "{size:?}");
    }
}

/// As in the `test_data_64` files of sawbuck.
#[test]
fn sizes_of_four_bytes_in_64_bit_payloads() {
    let payload = || Payload::new().u64(BASE).u32(SIZE as u32).u32(4192);
    assert_eq!(image(Size::Four, 1, payload().utf16z("\\a.exe")), SHOWN);
    assert_eq!(image(Size::Four, 2, tail(payload().u32(0), 8)), SHOWN);
}

/// MOF has another name and an integer.
#[test]
fn version_0_has_a_decimal_size() {
    let payload = Payload::new().u32(BASE as u32).u32(SIZE as u32).utf16z("\\a.exe");
    assert_eq!(image(Size::Four, 0, payload), ["0x1160000", "1695744", ""]);
}

/// A value between 1993 and now, as one in five hashes is.
#[test]
fn stamps_of_debug_entries_are_numbers() {
    let event = |opcode| ClassicEvent::new(Size::Eight, Guid::new(IMAGE_ID), opcode);
    let entry = Payload::new().u64(BASE).u32(4192).u32(0x4ba2_6867).u16(0x100).u16(0x504d);
    assert_eq!(shown(event(38), entry, ["TimeDateStamp", "MinorVersion"]), ["1268934759", "20557"]);
    let header = Payload::new().u64(BASE).u64(SIZE).u32(4192).u32(0x4ba2_6867).utf16z("a.exe");
    assert_eq!(shown(event(0), header, ["TimeDateStamp"]), ["2010-03-18T17:52:39Z"]);
}
