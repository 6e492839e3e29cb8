//! Runs over a trace.

use etwkit::trace::{Filter, RunOptions};
use etwkit_analysis::Selection;
use etwkit_profile::{Profile, ProfileCollector, ProfileOptions, ThreadTime, ThreadTimeCollector, span_time};
use etwkit_spans::{Excess, Keep, Pair, SpanCollector, SpanOptions};

use super::weighing::Weighing;
use crate::failure::Failure;
use crate::session::Session;

/// Where a profile comes from.
pub(super) struct Source<'s> {
    pub(super) session: &'s Session,
    pub(super) options: &'s RunOptions,
    pub(super) profile: ProfileOptions,
}

impl Source<'_> {
    /// Returns the profile of what is weighed, and what was left out of spans.
    pub(super) fn collect(&self, weighing: Weighing) -> Result<(Profile, Excess), Failure> {
        match weighing {
            Weighing::Events(weigher) => {
                let collector = ProfileCollector::new(self.session.trace(), weigher, self.profile);
                let (mut collector, options) = collector.choosing(self.options);
                self.session.run(&options, &mut collector)?;
                Ok((collector.finish(), Excess::default()))
            }
            Weighing::Threads(kind) => Ok((self.threads(kind)?, Excess::default())),
            Weighing::Spans(pairs) => self.spans(pairs),
        }
    }

    fn threads(&self, kind: ThreadTime) -> Result<Profile, Failure> {
        let trace = self.session.trace();
        if Selection::of(trace, &self.options.filter).is_none() {
            let what = "the time of threads needs all events: no condition on single events applies";
            return Err(Failure::new(what).hint(
                "--since, --until, --pid, --process and --tid choose what is weighed, --include and --exclude frames",
            ));
        }
        let (mut collector, options) = ThreadTimeCollector::new(trace, kind, self.profile, self.options);
        self.session.run(&options, &mut collector)?;
        Ok(collector.finish())
    }

    fn spans(&self, pairs: Vec<Pair>) -> Result<(Profile, Excess), Failure> {
        let trace = self.session.trace();
        let asked = SpanOptions { pairs, keep: Keep::Tree, activity: None };
        let mut collector = SpanCollector::new(trace, asked);
        self.session.run(self.options, &mut collector)?;
        let spans = collector.finish();
        if spans.list().is_empty() && self.options.filter == Filter::default() {
            return Err(Failure::new("no spans").hint("no event is a start or a stop; --pair names others"));
        }
        Ok((span_time(trace, &spans, self.profile), spans.excess))
    }
}
