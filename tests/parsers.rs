//! What programs may rely on when they bring parsers of their own.
#![allow(clippy::unwrap_used, reason = "a test")]

use etwkit::bytes::Guid;
use etwkit::error::{Error, Result};
use etwkit::event::RawEvent;
use etwkit::input::Input;
use etwkit::parser::{Claims, Finding, FirstPass, Observer, Parser, Parsers, SchemaProvider, TraceFacts};
use etwkit::schema::{Names, Schema, SchemaSource};
use etwkit::system::System;
use etwkit::trace::{Trace, UndecodedReason};
use etwkit_synth::{Buffer, LogfileHeader, ModernEvent, TraceBuilder};

const PROVIDER: u128 = 0x3e0b_0000_0000_4000_8000_0000_0000_0078;
const DEVICE: SchemaSource = SchemaSource::new("device", 45);

/// Returns a trace of events with these ids.
fn trace(ids: &[u16], parsers: Parsers) -> Trace {
    let header = LogfileHeader::default();
    let mut buffer = Buffer::on(0);
    for (at, id) in (1..).zip(ids) {
        buffer = buffer.event(ModernEvent::new(etwkit_synth::Guid::new(PROVIDER)).id(*id).at(header.t0 + at));
    }
    let bytes = TraceBuilder::new(header).buffer(buffer).build().bytes;
    Trace::open(Input::bytes("made", bytes), parsers).unwrap()
}

/// Makes a schema for each id that it learned from, and for no other one.
#[derive(Clone, Debug, Default)]
struct Device {
    learned: Vec<u16>,
}

impl SchemaProvider for Device {
    fn name(&self) -> &'static str {
        "device"
    }

    fn claims(&self) -> Claims {
        Claims::provider(Guid::from_u128(PROVIDER))
    }

    fn learns_from(&self) -> Claims {
        self.claims()
    }

    fn learn(&mut self, event: &RawEvent<'_>) -> Result<()> {
        self.learned.push(event.id());
        Ok(())
    }

    fn schema(&self, event: &RawEvent<'_>, _: &TraceFacts) -> Result<Option<Schema>> {
        let schema = || Schema::empty(Names::default().task("Device"), DEVICE.into());
        self.learned.contains(&event.id()).then(schema).transpose()
    }

    fn finish(self: Box<Self>) -> Option<Finding> {
        Some(Box::new(self.learned))
    }
}

/// Two observers of the same events: one that can read none, and one that counts.
#[derive(Debug)]
struct Observers;

impl Parser for Observers {
    fn name(&self) -> &'static str {
        "observers"
    }

    fn begin(&self, pass: &mut FirstPass) {
        pass.add_observer(Refuses);
        pass.add_observer(Count(0));
    }
}

#[derive(Debug)]
struct Refuses;

impl Observer for Refuses {
    fn interest(&self) -> Claims {
        Claims::event_id(2)
    }

    fn observe(&mut self, _: &RawEvent<'_>, _: &mut System) -> Result<()> {
        Err(Error::schema("not mine"))
    }
}

#[derive(Debug, PartialEq)]
struct Count(u64);

impl Observer for Count {
    fn interest(&self) -> Claims {
        Claims::event_id(1).with(Claims::event_id(2))
    }

    fn observe(&mut self, _: &RawEvent<'_>, _: &mut System) -> Result<()> {
        self.0 += 1;
        Ok(())
    }

    fn finish(self: Box<Self>) -> Option<Finding> {
        Some(self)
    }
}

#[test]
fn each_trace_begins_with_what_was_registered() {
    let parsers = Parsers::none().with(Device { learned: vec![7] });
    let first = trace(&[1, 2], parsers.clone());
    let second = trace(&[3], parsers);
    assert_eq!(first.finding::<Vec<u16>>().unwrap(), &[7, 1, 2]);
    assert_eq!(second.finding::<Vec<u16>>().unwrap(), &[7, 3]);
    assert!(second.finding::<Count>().is_none());
}

#[test]
fn an_event_that_one_part_cannot_read_reaches_the_others() {
    let trace = trace(&[1, 2, 2, 3], Parsers::none().with(Observers).with(Device::default()));
    assert_eq!(trace.finding(), Some(&Count(3)));
    assert_eq!(trace.finding::<Vec<u16>>().unwrap(), &[1, 2, 2, 3]);
    let notes = trace.problems().iter().filter(|problem| problem.to_string().contains("not mine"));
    assert_eq!(notes.count(), 2);
}

#[test]
fn sources_of_other_crates_are_listed_by_their_rank() {
    let user = etwkit_parsers::UserSchemas::parse(
        "provider \"P\" {3e0b0000-0000-4000-8000-000000000078}\nevent id 9 task \"Nine\" { }",
    );
    let trace = trace(&[1, 9], etwkit_parsers::standard().with_first(user.unwrap()).with(Device::default()));
    let sources: Vec<&str> = trace.sources().keys().map(|source| source.name()).collect();
    // The log-file header has a table.
    assert_eq!(sources, ["user", "device", "built-in"]);
}

#[test]
fn a_provider_that_claims_an_event_without_a_schema_is_known() {
    #[derive(Clone, Debug)]
    struct Silent(Claims);
    impl SchemaProvider for Silent {
        fn name(&self) -> &'static str {
            "silent"
        }

        fn claims(&self) -> Claims {
            self.0.clone()
        }

        fn schema(&self, _: &RawEvent<'_>, _: &TraceFacts) -> Result<Option<Schema>> {
            Ok(None)
        }
    }
    let provider = Claims::event_id(500).with(Claims::provider(Guid::from_u128(PROVIDER)));
    for (claims, reason) in [(provider, UndecodedReason::Event), (Claims::all(), UndecodedReason::Provider)] {
        let undecoded = trace(&[1], Parsers::none().with(Silent(claims))).undecoded_types();
        let types = undecoded.iter().find(|types| types.guid == Guid::from_u128(PROVIDER)).unwrap();
        assert_eq!(types.missing, reason);
    }
}
