//! Walking and decoding allocates nothing per event: what is allocated does not grow with the events of a slice.
//!
//! A kernel trace and one of the .NET runtime are made in two lengths. All fields of all events are visited. The longer
//! trace may allocate for what comes once per buffer or slice, and no more.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test")]

use allocation_counter::measure;
use etwkit::decode::{Fit, Value, Visitor};
use etwkit::input::Input;
use etwkit::schema::Field;
use etwkit::trace::{Filter, Order, Trace};
use etwkit_synth::busy;

const SHORT: u32 = 2_000;
const LONG: u32 = 40_000;

/// Looks at every value, so that none is left out as unused.
#[derive(Default)]
struct ValueReader {
    values: u64,
    sum: u64,
}

impl Visitor for ValueReader {
    fn value(&mut self, _: usize, _: &Field, value: Value<'_>) {
        self.values += 1;
        self.sum = self.sum.wrapping_add(value.as_u64().unwrap_or(1));
    }
}

/// What a walk over all events found, and how often it allocated.
#[derive(Debug, Default)]
struct Walked {
    events: u64,
    values: u64,
    /// Allocations before the first event was there: the first slice.
    first: u64,
    /// Allocations from then on.
    later: u64,
    /// Allocations while fields were visited.
    visiting: u64,
}

fn walk(trace: &Trace, order: Order) -> Walked {
    let (mut walked, mut look) = (Walked::default(), ValueReader::default());
    let mut events = trace.events_in(order, &Filter::default());
    let mut done = false;
    while !done {
        let mut visiting = 0;
        let all = measure(|| match events.next().unwrap() {
            None => done = true,
            Some(event) => {
                let hook = event.raw().hook();
                assert!(event.schema().is_some() && event.fit() == Fit::Exact, "{:?} {hook:x?}", event.raw().key());
                let visit = measure(|| {
                    event.fields().for_each(|field| field.visit(&mut look));
                    std::hint::black_box(event.attribution());
                });
                visiting = visit.count_total;
            }
        });
        *(if walked.events == 0 { &mut walked.first } else { &mut walked.later }) += all.count_total;
        walked.visiting += visiting;
        walked.events += u64::from(!done);
    }
    walked.values = look.values;
    walked
}

fn check(name: &str, make: fn(u32) -> Vec<u8>) {
    for order in [Order::Time, Order::File] {
        let [short, long] = [SHORT, LONG].map(|count| {
            let source = Input::bytes("memory", make(count));
            let trace = Trace::open(source, etwkit_parsers::standard()).unwrap();
            (walk(&trace, order), trace.buffers().len() as u64)
        });
        println!("{name} {order:?}: {short:?}, {long:?}");
        assert!(short.0.events >= u64::from(SHORT) && long.0.events >= u64::from(LONG));
        assert!(long.0.values > 3 * long.0.events, "fields were not visited");
        assert_eq!((short.0.visiting, long.0.visiting), (0, 0), "visiting fields allocates");
        // Slices are made of buffers: a few allocations each at the very most, however many events they have.
        let most = 64 + 4 * long.1;
        assert!(long.0.later <= most && most < long.0.events / 10, "{} allocations, at most {most}", long.0.later);
        let (first, buffers) = (long.0.first.saturating_sub(short.0.first), long.1);
        assert!(first <= 64 + 2 * buffers, "{first} more allocations for the first slice");
    }
}

#[test]
fn kernel_events_allocate_nothing() {
    check("kernel", busy::kernel_events);
}

#[test]
fn runtime_events_allocate_nothing() {
    check("runtime", busy::runtime_events);
}
