//! What the schemas of a trace may cost together, also where they are given up half made.
#![allow(clippy::unwrap_used, reason = "a test")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use etwkit::bytes::Guid;
use etwkit::error::{Error, Result};
use etwkit::event::RawEvent;
use etwkit::limits;
use etwkit::parser::{Claims, Parser, Parsers, TraceFacts};
use etwkit::schema::{Names, Schema, Source as Origin};
use etwkit::source::Source;
use etwkit::trace::{Census, Missing, Trace};
use etwkit_synth::{Buffer, LogfileHeader, ModernEvent, TraceBuilder};

const PROVIDER: u128 = 0x3e0b_0000_0000_4000_8000_0000_0000_0077;

/// Gives up all schemas from an id on, as one does that is too large.
#[derive(Debug)]
struct GivesUp {
    from: u16,
    asked: Arc<AtomicUsize>,
}

impl Parser for GivesUp {
    fn name(&self) -> &'static str {
        "gives-up"
    }

    fn claims(&self) -> Claims<'_> {
        Claims::Providers(const { &[Guid::from_u128(PROVIDER)] })
    }

    fn schema(&self, event: &RawEvent<'_>, _: &TraceFacts) -> Result<Option<Schema>> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        if event.id() >= self.from {
            return Err(Error::limit("bytes of a schema", limits::MAX_SCHEMA));
        }
        Schema::empty(Names::default(), Origin::User.into()).map(Some)
    }
}

/// The census of a trace of `events` kinds of events, and how often the parser was asked.
fn census(events: u16, from: u16) -> (Census, usize) {
    let header = LogfileHeader { buffer_size: 64 << 10, ..LogfileHeader::default() };
    let event = |id| ModernEvent::new(etwkit_synth::Guid::new(PROVIDER)).id(id).at(header.t0 + i64::from(id));
    let buffer = (0..events).fold(Buffer::on(0), |buffer, id| buffer.event(event(id)));
    let bytes = TraceBuilder::new(header).buffer(buffer).build().bytes;
    let asked = Arc::default();
    let parsers = Parsers::none().with(GivesUp { from, asked: Arc::clone(&asked) });
    let census = Trace::open(Source::bytes("made", bytes), parsers).unwrap().census().unwrap();
    (census, asked.load(Ordering::Relaxed))
}

/// How many schemas may be given up half made.
const MOST: usize = limits::MAX_SCHEMAS / (limits::MAX_SCHEMA / 4);

#[test]
fn schemas_that_are_given_up_are_paid_for() {
    let (census, asked) = census(600, 0);
    assert_eq!(asked, MOST + 1);
    let told = |what: &str| census.problems().iter().filter(|problem| problem.to_string().contains(what)).count();
    assert_eq!((told("bytes of a schema"), told("schemas of a trace")), (MOST, 1));
    let gaps = census.gaps();
    let limited: u64 = gaps.iter().filter(|gap| gap.missing == Missing::Limit).map(|gap| gap.events).sum();
    assert_eq!(limited, 600 - MOST as u64, "{gaps:?}");
}

#[test]
fn a_few_that_are_given_up_leave_room_for_others() {
    let (census, asked) = census(600, 500);
    assert_eq!(asked, 600);
    assert_eq!(census.keys().filter(|(id, _)| census.schema(*id).is_some()).count(), 500);
}
