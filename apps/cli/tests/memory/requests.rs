//! Requests of web servers.

use etwkit_synth::{Guid, LogfileHeader, ModernEvent, Payload, TraceBuilder};

use crate::Cost;
use crate::common::Folder;

/// HTTP.sys.
const SERVER: u128 = 0xdd5e_f90a_6398_47a4_ad34_4dce_cdef_795f;
const NAME: &str = "http.etl";

/// A request for each of so many events, each with long labels for its URL.
fn folder(events: u32) -> Folder {
    let label = "L".repeat(60_000);
    let guid = etwkit::bytes::Guid::from_u128(SERVER);
    let schema = format!(
        "provider \"H\" {{{guid}}}\nmap M values {{ 0x7 \"{label}\" }}\nevent id 1 {{\nRequestId u64\nUrl u8 map M\nRemoteAddr u8 map M\n}}\n"
    );
    let header = LogfileHeader { buffer_size: 64 << 10, ..LogfileHeader::default() };
    let event = |n: u32| {
        let payload = Payload::new().u64(u64::from(n) + 1).u8(7).u8(7);
        ModernEvent::new(Guid::new(SERVER)).id(1).task(1).at(header.after(i64::from(n) + 1)).payload(payload)
    };
    let trace = (0..events).fold(TraceBuilder::new(header.clone()), |trace, n| trace.log(0, event(n)));
    let folder = Folder::with(&[]);
    folder.write(NAME, &trace.build().bytes);
    folder.write("lie.schema", schema.as_bytes());
    folder
}

#[test]
fn long_labels_of_many_requests() {
    let folder = folder(14_000);
    for threads in ["1", "2"] {
        let arguments = ["requests", NAME, "--schemas", "lie.schema", "--threads", threads];
        let cost = Cost::of(&folder, &arguments, NAME);
        cost.check();
    }
}
