//! Layouts of the pack whose source lost the width of Booleans and pointers.
#![allow(clippy::unwrap_used, missing_docs, reason = "a test")]

use etwkit::input::Input;
use etwkit::output::JsonLines;
use etwkit::parser::Parsers;
use etwkit::trace::{Filter, RunOptions, Trace};
use etwkit_registered::{Overrides, Registered};
use etwkit_synth::{Buffer, Guid, LogfileHeader, ModernEvent, Payload, PointerSize, TraceBuilder};
use serde_json::{Value, json};

const SHELL_CORE: Guid = Guid::new(0x3033_6ed4_e327_447c_9de0_51b6_52c8_6108);
const KERNEL_POWER: Guid = Guid::new(0x331c_3b3a_2005_44c2_ac5e_7722_0c37_d6b4);
const NFC_CLASS_EXTENSION: Guid = Guid::new(0x85c0_70e6_f9ae_481f_aacb_bc55_0bfd_35a1);
const DXG_KRNL: Guid = Guid::new(0x802e_c45a_1e99_4b83_9920_87c9_8277_ba9d);

/// Returns the JSON of the events, in order.
fn decode(events: impl IntoIterator<Item = ModernEvent>) -> Vec<Value> {
    let header = LogfileHeader::default();
    let at = header.t0;
    let events = (1..).zip(events).map(|(tick, event)| event.at(at + tick));
    let bytes = TraceBuilder::new(header).buffer(events.fold(Buffer::on(0), Buffer::event)).build().bytes;
    let parsers = Parsers::none().with(Overrides).with(Registered::new());
    let trace = Trace::open(Input::bytes("made", bytes), parsers).unwrap();
    let mut lines = JsonLines::new(&trace, Vec::new());
    let filter = Filter::default().ids([27, 35, 107, 60_756]);
    trace.run(&RunOptions::default().filter(filter), &mut lines).unwrap();
    let lines = String::from_utf8(lines.finish().unwrap()).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn decode_one(event: ModernEvent) -> Value {
    decode([event]).remove(0)
}

#[test]
fn booleans_have_four_bytes_where_these_fit() {
    let payload = Payload::new().utf16z("{89820200-ECBD}").u32(0).u32(1).u32(1);
    let line = decode_one(ModernEvent::new(SHELL_CORE).id(60_756).payload(payload));
    let wanted = json!({"pszKeyName": "{89820200-ECBD}", "activeSetupDisabled": false, "allowTaskOverride": true,
        "taskEnabled": true});
    assert_eq!((&line["fields"], line.get("extra")), (&wanted, None));
}

#[test]
fn integers_of_one_byte_stay_where_these_fit() {
    let payload = Payload::new().utf16z("key").u8(0).u8(1).u8(2);
    let line = decode_one(ModernEvent::new(SHELL_CORE).id(60_756).payload(payload));
    let wanted = json!({"pszKeyName": "key", "activeSetupDisabled": 0, "allowTaskOverride": 1, "taskEnabled": 2});
    assert_eq!((&line["fields"], line.get("extra")), (&wanted, None));
}

#[test]
fn each_event_of_a_type_is_read_by_its_own_fit() {
    let event = |payload| ModernEvent::new(KERNEL_POWER).id(35).payload(payload);
    let query = |boolean: bool| if boolean { Payload::new().u32(1) } else { Payload::new().u8(1) };
    let lines = decode([true, false, true].map(|boolean| event(query(boolean).u32(4).u32(5))));
    let wide = json!({"Query": true, "TargetState": 4, "EffectiveState": 5});
    let narrow = json!({"Query": 1, "TargetState": 4, "EffectiveState": 5});
    let found: Vec<_> = lines.iter().map(|line| &line["fields"]).collect();
    assert_eq!(found, [&wide, &narrow, &wide]);
    assert!(lines.iter().all(|line| line.get("extra").is_none()), "{lines:?}");
}

/// `pDxgAdapter` and `hDevice` are pointers in other events, too; `hProcessId` is a 64-bit integer, the two before the
/// last are Booleans.
#[test]
fn pointers_are_as_wide_as_the_writers() {
    let wanted = |adapter: Value, device: Value| {
        json!({"hProcessId": 7, "pDxgAdapter": adapter, "ClientType": 2, "hDevice": device, "RequestVSync": true,
            "DisableGpuTimeout": false, "hThunkHandle": "0x40"})
    };
    let end = |payload: Payload| payload.u32(1).u32(0).u32(0x40);
    let event = |pointers, payload| ModernEvent::new(DXG_KRNL).size(pointers).id(27).version(1).payload(end(payload));
    let narrow = Payload::new().u64(7).u32(0x8a12_3000).u32(2).u32(0x9000_0000);
    let line = decode_one(event(PointerSize::Four, narrow));
    assert_eq!((&line["fields"], line.get("extra")), (&wanted(json!("0x8a123000"), json!("0x90000000")), None));
    let wide = Payload::new().u64(7).u64(0x1234).u32(2).u64(0x5678);
    let line = decode_one(event(PointerSize::Eight, wide));
    assert_eq!((&line["fields"], line.get("extra")), (&wanted(json!("0x1234"), json!("0x5678")), None));
}

/// `FileObject` is a pointer, as no source states.
#[test]
fn integers_are_pointers_where_only_these_fit() {
    let event = |size, payload| ModernEvent::new(NFC_CLASS_EXTENSION).size(size).id(107).version(1).payload(payload);
    let narrow = decode_one(event(PointerSize::Four, Payload::new().u32(0x8a12_3000).u32(3)));
    assert_eq!(narrow["fields"], json!({"FileObject": "0x8a123000", "Status": 3}));
    let wide = decode_one(event(PointerSize::Eight, Payload::new().u64(0x1234).u32(3)));
    assert_eq!(wide["fields"], json!({"FileObject": 0x1234, "Status": 3}));
    assert!(narrow.get("extra").is_none() && wide.get("extra").is_none());
}

/// No reading fits, so the source's own stays.
#[test]
fn a_layout_that_never_fits_is_read_as_its_source_has_it() {
    let payload = Payload::new().utf16z("key").u32(0x0102_0304).u32(1);
    let line = decode_one(ModernEvent::new(SHELL_CORE).id(60_756).payload(payload));
    let wanted = json!({"pszKeyName": "key", "activeSetupDisabled": 4, "allowTaskOverride": 3, "taskEnabled": 2});
    assert_eq!((&line["fields"], &line["extra"]), (&wanted, &json!("0101000000")));
}
