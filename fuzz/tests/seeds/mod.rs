//! What the fuzzer begins with: small inputs that our own code makes.

mod archives;
mod schemas;
mod symbols;
mod traces;

use etwkit_synth::{Buffer, Guid, LogfileHeader, ModernEvent, TraceBuilder};

/// The fixtures that the body `redact` begins with.
const REDACTED: [&str; 6] = [
    "compressed-xpress.etl",
    "damaged-event-size.etl",
    "damaged-zero-page.etl",
    "eventsource-manifest.etl",
    "extended-items.etl",
    "message-items.etl",
];

/// An input of a body.
pub(crate) struct Seed {
    pub(crate) body: &'static str,
    pub(crate) name: String,
    pub(crate) data: Vec<u8>,
}

/// Returns all of them.
pub(crate) fn all() -> Vec<Seed> {
    let mut seeds = Seeds(Vec::new());
    seeds.walk();
    seeds.redact();
    seeds.records();
    seeds.decompress();
    seeds.tracelogging();
    seeds.executor();
    seeds.mof();
    seeds.packets();
    seeds.schemas();
    seeds.symbols();
    seeds.traces();
    seeds.archives();
    seeds.0
}

struct Seeds(Vec<Seed>);

impl Seeds {
    fn add(&mut self, body: &'static str, name: &str, data: &[u8]) {
        self.0.push(Seed { body, name: name.to_owned(), data: data.to_vec() });
    }

    /// The word that the body looks for, in a path, in 8 bits and after the events.
    fn redact(&mut self) {
        for fixture in etwkit_synth::fixtures().iter().filter(|fixture| REDACTED.contains(&fixture.name)) {
            self.add("redact", fixture.name, fixture.bytes.get(..16 << 10).unwrap_or(&fixture.bytes));
        }
        let path = r"C:\Users\Marguerite\plan.docx".encode_utf16().flat_map(u16::to_le_bytes);
        let payload: Vec<u8> = path.chain(*b"\0\x01MARGUERITE,10.20.30.40").collect();
        let event = ModernEvent::new(Guid::new(7)).at(LogfileHeader::default().after(1)).by(7, 8).payload(payload);
        let mut data = TraceBuilder::new(LogfileHeader::default()).buffer(Buffer::on(0).event(event)).build().bytes;
        data.extend(b"marguerite");
        self.add("redact", "planted", &data);
    }

    fn walk(&mut self) {
        for fixture in etwkit_synth::fixtures() {
            // Small ones are found out faster; 16 KiB are two buffers.
            let start = fixture.bytes.get(..16 << 10).unwrap_or(&fixture.bytes);
            self.add("walk", fixture.name, start);
            self.add("relog", fixture.name, start);
        }
    }

    /// The blocks of the whole file, unpacked.
    fn records(&mut self) {
        let fixture = etwkit_synth::fixtures().into_iter().find(|fixture| fixture.name == "bperf.btl").unwrap();
        for number in 0..fixture.expected.buffers.len() {
            let mut area = Vec::new();
            for event in fixture.expected.events.iter().filter(|event| event.buffer == number) {
                area.extend(&event.event.bytes);
                area.resize(area.len().next_multiple_of(16), 0);
            }
            self.add("records", &format!("block-{number}"), &area);
        }
    }

    fn decompress(&mut self) {
        let plain: Vec<u8> = b"the quick brown fox, the quick brown fox, the lazy dog ".repeat(20);
        let streams = [
            ("xpress", etwkit_synth::compress::xpress::compress(&plain)),
            ("huffman", etwkit_synth::compress::huffman::compress(&plain)),
            ("lznt1", etwkit_synth::compress::lznt1::compress(&plain)),
            ("ulz", etwkit_synth::compress::ulz::compress(&plain)),
        ];
        for (name, packed) in streams {
            let len = u32::try_from(plain.len()).unwrap().to_le_bytes();
            self.add("decompress", name, &[&len[..3], &packed].concat());
        }
    }

    fn tracelogging(&mut self) {
        let mut number = 0;
        for fixture in etwkit_synth::fixtures() {
            for event in fixture.expected.events.iter().filter(|_| fixture.name.starts_with("tracelogging")) {
                for item in event.event.items.iter().filter(|item| item.kind == 11) {
                    let data = [&item.data, event.event.payload()].concat();
                    self.add("tracelogging", &format!("{number:02}"), &data);
                    number += 1;
                }
            }
        }
    }

    fn executor(&mut self) {
        let text = "provider \"Example\" {9e814aad-3204-11d2-9a82-006008a86939}\n\
            class Process {3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c}\n\
            event opcode 1 Start, 2 Stop version 3 {\n  ProcessID u32 as pid\n  Image str16\n}\n";
        self.add("schema_text", "process", text.as_bytes());
        self.add("executor", "scalars", &[2, 17, 0, 0, 0, 16, 0, 0, 0, 1, 2, 3, 4, 5, 6]);
        let counted = [3, 14, 0, 0, 0, 1, 2, 0, 0, 3, 0x60, 0, 0, 2, b'a', 0, b'b', 0];
        self.add("executor", "structs", &counted);
    }

    fn mof(&mut self) {
        self.add("mof", "sample", include_bytes!("../../../parsers/mof/tests/sample.mof"));
        let wide =
            "[Guid(\"{5a1b0000-0000-4000-8000-000000000001}\"), EventType(1)] class A { [WmiDataId(1)] string a; };";
        self.add("mof", "wide", &wide.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>());
    }

    fn packets(&mut self) {
        for (name, number) in [("packets-ndis.etl", 0_u8), ("packets-pktmon.etl", 8)] {
            let fixture = etwkit_synth::fixtures().into_iter().find(|fixture| fixture.name == name).unwrap();
            let mut data = vec![number];
            for event in fixture.expected.events.iter().map(|event| &event.event) {
                let Some(which) = [1001, 1002, 1003, 160, 20, 30, 70].iter().position(|id| event.id == Some(*id))
                else {
                    continue;
                };
                let len = u16::try_from(event.payload().len()).unwrap().to_le_bytes();
                // Whole Wi-Fi frames, and beginnings and ends of others.
                let marks = [3, 1, 2][data.len() % 3] | if which == 1 { 4 } else { 0 };
                data.extend([u8::try_from(which).unwrap(), marks, 7, len[0], len[1]]);
                data.extend(event.payload());
            }
            self.add("packets", name.trim_end_matches(".etl"), &data);
        }
    }
}
