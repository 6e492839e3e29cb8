//! What the schemas of a trace may cost together, also where they are given up half made, and what is listed of what is
//! wrong.
#![allow(clippy::unwrap_used, reason = "a test")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use etwkit::bytes::Guid;
use etwkit::error::{Error, Result};
use etwkit::event::RawEvent;
use etwkit::input::Input;
use etwkit::limits::{self, Limits};
use etwkit::parser::{Claims, FirstPass, Observer, Parser, Parsers, SchemaProvider, TraceFacts};
use etwkit::schema::{Names, Schema, SchemaSource as Origin};
use etwkit::system::System;
use etwkit::trace::{Trace, UndecodedReason};
use etwkit::{ErrorKind, EventType, ProblemKind};
use etwkit_synth::{Buffer, LogfileHeader, ModernEvent, TraceBuilder};

const PROVIDER: u128 = 0x3e0b_0000_0000_4000_8000_0000_0000_0077;

/// Gives up all schemas from an id on, as one does that is too large.
#[derive(Clone, Debug)]
struct GivesUp {
    from: u16,
    asked: Arc<AtomicUsize>,
}

impl SchemaProvider for GivesUp {
    fn name(&self) -> &'static str {
        "gives-up"
    }

    fn claims(&self) -> Claims {
        Claims::provider(Guid::from_u128(PROVIDER))
    }

    fn schema(&self, event: &RawEvent<'_>, _: &TraceFacts) -> Result<Option<Schema>> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        if event.id() >= self.from {
            return Err(Error::limit("bytes of a schema", limits::MAX_SCHEMA));
        }
        Schema::empty(Names::default(), Origin::USER.into()).map(Some)
    }
}

/// Returns the census of a trace of `events` kinds of events, and how often the parser was asked.
fn census(events: u16, from: u16) -> (Trace, usize) {
    let header = LogfileHeader { buffer_size: 64 << 10, ..LogfileHeader::default() };
    let event = |id| ModernEvent::new(etwkit_synth::Guid::new(PROVIDER)).id(id).at(header.t0 + i64::from(id));
    let buffer = (0..events).fold(Buffer::on(0), |buffer, id| buffer.event(event(id)));
    let bytes = TraceBuilder::new(header).buffer(buffer).build().bytes;
    let asked = Arc::default();
    let parsers = Parsers::none().with(GivesUp { from, asked: Arc::clone(&asked) });
    let trace = Trace::open(Input::bytes("made", bytes), parsers).unwrap();
    (trace, asked.load(Ordering::Relaxed))
}

/// How many schemas may be given up half made.
const MOST: usize = limits::MAX_SCHEMAS / (limits::MAX_SCHEMA / 4);

#[test]
fn schemas_that_are_given_up_are_paid_for() {
    let (trace, asked) = census(600, 0);
    assert_eq!(asked, MOST + 1);
    let told = |what: &str| trace.problems().iter().filter(|problem| problem.to_string().contains(what)).count();
    assert_eq!((told("bytes of a schema"), told("schemas of a trace")), (MOST, 1));
    let undecoded = trace.undecoded_types();
    let limited: u64 =
        undecoded.iter().filter(|types| types.missing == UndecodedReason::Limit).map(|types| types.events).sum();
    assert_eq!(limited, 600 - MOST as u64, "{undecoded:?}");
}

#[test]
fn a_few_that_are_given_up_leave_room_for_others() {
    let (trace, asked) = census(510, 500);
    assert_eq!(asked, 510);
    assert_eq!(trace.types().iter().filter(|row| row.schema().is_some()).count(), 500);
}

/// Cannot read any event, and states so.
#[derive(Debug)]
struct Refuses;

impl Parser for Refuses {
    fn name(&self) -> &'static str {
        "refuses"
    }

    fn begin(&self, pass: &mut FirstPass) {
        pass.add_observer(Self);
    }
}

impl Observer for Refuses {
    fn interest(&self) -> Claims {
        Claims::provider(Guid::from_u128(PROVIDER))
    }

    fn observe(&mut self, _: &RawEvent<'_>, _: &mut System) -> Result<()> {
        Err(Error::limit("what is learned", 0))
    }
}

#[test]
fn what_cannot_be_observed_is_listed_up_to_a_limit_and_then_counted() {
    const MORE: u64 = 2_500;
    let header = LogfileHeader { buffer_size: 16 << 20, ..LogfileHeader::default() };
    let event = |at: u64| ModernEvent::new(etwkit_synth::Guid::new(PROVIDER)).id(7).at(header.t0 + at.cast_signed());
    let buffer = (0..limits::MAX_PROBLEMS as u64 + MORE).map(event).fold(Buffer::on(0), Buffer::event);
    let bytes = TraceBuilder::new(header).buffer(buffer).build().bytes;
    let trace = Trace::open(Input::bytes("made", bytes), Parsers::none().with(Refuses)).unwrap();
    let listed = trace.problems().iter().filter(|problem| problem.kind == ProblemKind::BadSchema).count();
    assert_eq!((listed, trace.unlisted_problems()), (limits::MAX_PROBLEMS, MORE));
    assert_eq!((trace.unlisted_damage(), trace.is_damaged()), (0, false), "a note is not damage");
}

#[test]
fn a_large_buffer_is_not_read_again_for_each_of_its_keys() {
    // To read 16 MiB for each of 100,000 keys takes minutes.
    const KEYS: u32 = 100_000;
    let header = LogfileHeader { buffer_size: 16 << 20, ..LogfileHeader::default() };
    let event = |n: u32| {
        let event = ModernEvent::new(etwkit_synth::Guid::new(PROVIDER)).id(n as u16).version((n >> 16) as u8);
        event.at(header.t0 + i64::from(n))
    };
    let buffer = (0..KEYS).map(event).fold(Buffer::on(0), Buffer::event);
    let bytes = TraceBuilder::new(header).buffer(buffer).build().bytes;
    let path = std::env::temp_dir().join(format!("etwkit-keys-{}.etl", std::process::id()));
    std::fs::write(&path, bytes).unwrap();
    let asked = Arc::default();
    let parsers = Parsers::none().with(GivesUp { from: u16::MAX, asked: Arc::clone(&asked) });
    let start = std::time::Instant::now();
    let trace = Trace::open(Input::open(&path).unwrap(), parsers).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
    let with = trace.types().iter().filter(|row| row.schema().is_some()).count();
    // One id of the first version is given up.
    assert_eq!((asked.load(Ordering::Relaxed), with), (KEYS as usize, KEYS as usize - 1));
}

fn open_with(fixture: &str, limits: Limits) -> Result<Trace> {
    let path = format!("{}/fixtures/{fixture}", env!("CARGO_MANIFEST_DIR"));
    Trace::open_with([path], etwkit_parsers::standard(), limits)
}

#[test]
fn callers_set_limits() {
    let has = |trace: &Trace, kind| trace.problems().iter().any(|problem| problem.kind == kind);
    let free = open_with("kernel-stacks.etl", Limits::default()).unwrap();
    assert!(!has(&free, ProblemKind::StateFull) && !has(&free, ProblemKind::BadSchema));
    let facts = open_with("kernel-stacks.etl", Limits::default().system_entries(0)).unwrap();
    assert!(has(&facts, ProblemKind::StateFull), "{:?}", facts.problems());
    let schemas = open_with("hello.etl", Limits::default().schemas(0)).unwrap();
    let is_limited = |row: &EventType| row.undecoded() == Some(UndecodedReason::Limit);
    assert!(schemas.types().iter().any(is_limited), "{:?}", schemas.problems());
    let error = open_with("hello.etl", Limits::default().files(0)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Limit { .. }), "{error}");
}
