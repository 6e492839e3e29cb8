//! Declares analyses that keep a state for each process.

/// Declares an analysis: what it reads of an event, the state of each process, whether that joins events, and the rows of
/// all states.
macro_rules! analysis {
    (
        $(#[$meta:meta])*
        pub struct $name:ident: $fact:ty => $state:ty => $row:ty;
        interest $interest:expr;
        joins $joins:literal;
        rows $rows:expr;
    ) => {
        $(#[$meta])*
        #[derive(Debug, Default)]
        pub struct $name {
            processes: $crate::processes::Processes<$state>,
        }

        impl etwkit_analysis::Analysis for $name {
            type Fact = $fact;
            type Row = $row;

            const JOINS_EVENTS: bool = $joins;

            fn interest() -> etwkit_analysis::Interest {
                $interest
            }

            fn begin(_: &etwkit::trace::Trace) -> etwkit::error::Result<Self> {
                Ok(Self::default())
            }

            fn fact(event: &etwkit::decode::Event<'_>) -> Option<$fact> {
                <$fact>::of(event)
            }

            fn step(&mut self, mut fact: $fact, _: &etwkit::trace::Trace) {
                self.processes.of(&mut fact.origin).take(fact, true);
            }

            fn follow(&mut self, mut fact: $fact, _: &etwkit::trace::Trace) {
                self.processes.of(&mut fact.origin).take(fact, false);
            }

            fn excess(&self) -> u64 {
                self.processes.excess()
            }

            fn finish(self, _: &etwkit::trace::Trace) -> Vec<$row> {
                $rows(self.processes)
            }
        }
    };
}

pub(crate) use analysis;
