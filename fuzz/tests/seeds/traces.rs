//! Traces for the targets above the engine, and what goes with them.

use etwkit_synth::schema::{Metadata, Traits, in_type};
use etwkit_synth::{ExtendedItem, Guid, LogfileHeader, ModernEvent, Payload, TraceBuilder};

use super::Seeds;
use crate::log;

impl Seeds {
    pub(super) fn traces(&mut self) {
        for (number, fixture) in (0..).zip(etwkit_synth::fixtures()) {
            let start = fixture.bytes.get(..16 << 10).unwrap_or(&fixture.bytes);
            self.add("parts", fixture.name, &[&[u8::try_from(fixture.name.len()).unwrap()], start].concat());
            let events: Vec<_> = fixture.expected.events.iter().map(|event| &event.event).collect();
            let mut input = etwkit_fuzz::listed(&events);
            // What a target does with the trace: each way in turn.
            input[0] = (number % 8) << 1;
            let short = input.get(..8 << 10).unwrap_or(&input);
            for target in ["learning", "sinks", "same", "columns", "analyses"] {
                if short.len() > 64 {
                    self.add(target, fixture.name, short);
                }
            }
        }
        self.counters();
        self.add("sinks", "direction", &[&[1], &*direction()].concat());
        // Files as they are: a few, since the fuzzer of files has all of them.
        for name in ["hello.etl", "kernel-stacks.etl", "bperf.btl"] {
            for target in ["learning", "sinks", "same", "columns", "analyses"] {
                let Some(fixture) = etwkit_synth::fixtures().into_iter().find(|fixture| fixture.name == name) else {
                    continue;
                };
                let start = fixture.bytes.get(..16 << 10).unwrap_or(&fixture.bytes);
                self.add(target, &format!("file-{name}"), &[&[1], start].concat());
            }
        }
        for (name, text) in [
            ("field", "Synth-Cafe/CoffeeOrder.Price"),
            ("index", "payload.a[3].b"),
            ("header", "header.provider"),
            ("glob", "Syn*-Caf?\nsynth-cafe"),
        ] {
            self.add("selectors", name, text.as_bytes());
        }
    }

    /// A list of counters and samples of them, as pieces.
    fn counters(&mut self) {
        let entries = [
            log::entry(0x0001_0100, 10, Some("*"), None, 0),
            log::entry(0x1041_0500, 10, Some("a"), Some("b"), 2),
            log::entry(0x0001_0000, 10, None, None, 0),
        ];
        let samples = [
            log::sample(&[log::several(&[("a", 1), ("b", 2)]), log::single(100, 0), log::single(1, 1)]),
            log::sample(&[log::several(&[("b", 3), ("b", 4), ("c", 5)]), log::single(150, 20), log::single(3, 1)]),
        ];
        let list = [log::list(&entries)];
        let pieces = list
            .iter()
            .chain(&samples)
            .map(|payload| [&[0], &u16::try_from(payload.len()).unwrap().to_le_bytes()[..], payload].concat());
        let input: Vec<u8> = pieces.flatten().collect();
        self.add("counters", "log", &input);
    }
}

/// A trace whose names and texts change the direction of text, and hold control characters.
fn direction() -> Vec<u8> {
    let header = LogfileHeader::default();
    let schema = Metadata::event("e\u{202e}\u{9b}").field("f\u{2066}", in_type::UTF16, 0);
    let event = ModernEvent::new(Guid::new(7)).channel(11).at(header.after(1));
    let event =
        event.item(ExtendedItem::provider_traits(Traits::new("p\u{200f}"))).item(ExtendedItem::schema_tl(schema));
    let event = event.payload(Payload::new().utf16z("v\u{61c}\u{1b}"));
    TraceBuilder::new(header).log(0, event).build().bytes
}
