//! Batches of a run: workers hand them over when they are full.
#![allow(clippy::unwrap_used, reason = "a test")]

mod support;

use std::ops::ControlFlow;

use etwkit::decode::Event;
use etwkit::input::Input;
use etwkit::sink::{Sink, Worker};
use etwkit::trace::RunOptions;
use support::census;

/// A worker on one thread hands over its batch within a slice when it is full, and nothing comes after a stop.
#[test]
fn full_batches_are_handed_over_within_a_slice() {
    /// Batches of two events, of which it accepts so many.
    struct Pairs {
        stop_after: usize,
        batches: Vec<usize>,
    }
    struct Counting(usize);
    impl Worker for Counting {
        type Batch = usize;
        fn event(&mut self, _: &Event<'_>) -> etwkit::Result<()> {
            self.0 += 1;
            Ok(())
        }
        fn is_full(&self) -> bool {
            self.0 == 2
        }
        fn take(&mut self) -> usize {
            std::mem::take(&mut self.0)
        }
    }
    impl Sink for Pairs {
        type Worker = Counting;
        fn worker(&self) -> Counting {
            Counting(0)
        }
        fn accept(&mut self, events: usize) -> etwkit::Result<ControlFlow<()>> {
            self.batches.extend(Some(events).filter(|events| *events > 0));
            let is_end = self.batches.len() == self.stop_after;
            Ok(if is_end { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        }
    }
    let trace = census(Input::open(support::fixtures_folder().join("kernel-stacks.etl")).unwrap()).unwrap();
    let run = |stop_after| {
        let mut sink = Pairs { stop_after, batches: Vec::new() };
        trace.run(&RunOptions::default().threads(1), &mut sink).unwrap();
        sink.batches
    };
    let all = run(usize::MAX);
    assert!(all.len() > 5 && all.iter().rev().skip(1).all(|events| *events == 2), "{all:?}");
    assert_eq!(all.iter().sum::<usize>() as u64, trace.events_total());
    assert_eq!(run(3), [2, 2, 2]);
}
