//! One pass over the events that collects what a page shows.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

use etwkit::Result;
use etwkit::decode::Event;
use etwkit::sink::{Sink, Worker};
use etwkit::trace::{RunOptions, Trace};
use etwkit_analysis::Together;
use etwkit_browse::Extent;
use etwkit_check::Checker;
use etwkit_http_requests::{RequestCollector, has_server_events};
use etwkit_kernel_analyses::samples;
use etwkit_profile::weights::CpuSamples;
use etwkit_profile::{ProfileCollector, ProfileOptions, Unit};
use etwkit_spans::{Keep, SpanCollector, SpanOptions};

use crate::collect::{Both, Maybe, PartRows, Pulses, Samples};
use crate::lanes::Providers;
use crate::model::Page;
use crate::page::Collected;
use crate::tables::{Levels, PARTS, Part};
use crate::{ReportOptions, Section};

/// A sink for all events of a trace, without a filter, for programs that drive runs themselves, for instance to show
/// progress. [`page()`] drives it otherwise.
pub struct Pass<'t> {
    trace: &'t Trace,
    options: ReportOptions,
    extent: Extent,
    parts: Vec<&'static Part>,
    providers: Providers,
    sink: All<'t>,
}

/// What the pass consists of.
type All<'t> = Both<
    Both<Both<Together<'t>, Maybe<Checker<'t>>>, Both<Pulses, Maybe<Samples>>>,
    Both<Both<Maybe<Levels>, Maybe<ProfileCollector<'t>>>, Both<Maybe<SpanCollector>, Maybe<RequestCollector>>>,
>;

impl<'t> Pass<'t> {
    /// Begins. The trace must have been opened with parsers that keep stacks.
    ///
    /// # Errors
    ///
    /// For files that can no longer be read.
    pub fn new(trace: &'t Trace, options: &ReportOptions) -> Result<Self> {
        let extent = Extent::of(trace);
        let has_lanes = options.has(Section::Lanes);
        let is_wanted = |part: &&Part| {
            // Events are counted in any case: a tile states how many have a stack.
            let is_shown = options.has(part.section) || part.id == "events" || has_lanes && part.lanes.is_some();
            is_shown && (part.is_answerable)(trace)
        };
        let parts: Vec<&'static Part> = PARTS.iter().filter(is_wanted).collect();
        let mut together = Together::new(trace);
        add_all(&parts, &mut together)?;
        let providers = Providers::of(trace);
        let pulses = Pulses::new(trace, extent, providers.lane_of_type.clone());
        let samples = Samples::new(trace, extent).filter(|_| has_lanes);
        let levels = options.has(Section::Messages).then(|| Levels::new(extent, options.messages()));
        let spans = options.has(Section::Spans).then(|| {
            SpanCollector::new(trace, SpanOptions { keep: Keep::Longest(options.max_rows), ..SpanOptions::default() })
        });
        let requests = options.has(Section::Windows) && has_server_events(trace);
        let requests = requests.then(RequestCollector::default);
        let check = options.has(Section::Problems).then(|| Checker::new(trace));
        let sink = Both(
            Both(Both(together, Maybe(check)), Both(pulses, Maybe(samples))),
            Both(Both(Maybe(levels), Maybe(profile(trace, options)?)), Both(Maybe(spans), Maybe(requests))),
        );
        Ok(Self { trace, options: options.clone(), extent, parts, providers, sink })
    }

    /// Returns the page, after the run. Reads the first and the last events.
    ///
    /// # Errors
    ///
    /// For files that can no longer be read.
    pub fn finish(self) -> Result<Page> {
        let Self { trace, options, extent, parts, providers, sink } = self;
        let Both(
            Both(Both(together, Maybe(check)), Both(pulses, Maybe(samples))),
            Both(Both(Maybe(levels), Maybe(profile)), Both(Maybe(spans), Maybe(requests))),
        ) = sink;
        let rows = parts.into_iter().zip(together.into_rows());
        let parts = rows.map(|(part, rows)| PartRows::of(part, rows, extent, &options)).collect();
        Collected {
            trace,
            extent,
            parts,
            check: check.map(Checker::finish),
            providers,
            pulses,
            samples,
            levels: levels.map(Levels::table),
            profile: profile.map(ProfileCollector::finish),
            spans: spans.map(SpanCollector::finish),
            requests: requests.map(RequestCollector::finish),
        }
        .into_page(&options)
    }
}

/// Adds the analyses of all parts, in order.
fn add_all(parts: &[&'static Part], together: &mut Together<'_>) -> Result<()> {
    let mut rest = parts.iter().peekable();
    while let Some(part) = rest.next() {
        let is_followed = |next: &&&Part| next.id.strip_suffix("-each") == Some(part.id);
        match part.add_with_next.filter(|_| rest.next_if(is_followed).is_some()) {
            Some(add) => add(together)?,
            None => (part.add)(together)?,
        }
    }
    Ok(())
}

/// The collector of the profile, if the trace has samples.
fn profile<'t>(trace: &'t Trace, options: &ReportOptions) -> Result<Option<ProfileCollector<'t>>> {
    if !options.has(Section::Profile) || samples::INTEREST.events(trace) == 0 {
        return Ok(None);
    }
    let how = ProfileOptions { unit: Unit::Samples, has_timeline: false };
    Ok(Some(ProfileCollector::new(trace, Arc::new(CpuSamples::new(trace)?), how)))
}

impl fmt::Debug for Pass<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pass").field("parts", &self.parts.len()).finish_non_exhaustive()
    }
}

/// Works for a page on one thread.
pub struct PassWorker<'t>(<All<'t> as Sink>::Worker);

/// The results of a worker of a page.
pub struct PassBatch<'t>(<<All<'t> as Sink>::Worker as Worker>::Batch);

impl fmt::Debug for PassWorker<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PassWorker").finish_non_exhaustive()
    }
}

impl fmt::Debug for PassBatch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PassBatch").finish_non_exhaustive()
    }
}

impl<'t> Sink for Pass<'t> {
    type Worker = PassWorker<'t>;

    fn worker(&self) -> PassWorker<'t> {
        PassWorker(self.sink.worker())
    }

    fn accept(&mut self, batch: PassBatch<'t>) -> Result<ControlFlow<()>> {
        self.sink.accept(batch.0)
    }
}

impl<'t> Worker for PassWorker<'t> {
    type Batch = PassBatch<'t>;

    fn event(&mut self, event: &Event<'_>) -> Result<()> {
        self.0.event(event)
    }

    fn is_full(&self) -> bool {
        self.0.is_full()
    }

    fn is_overfull(&self) -> bool {
        self.0.is_overfull()
    }

    fn take(&mut self) -> PassBatch<'t> {
        PassBatch(self.0.take())
    }
}

/// Returns the page of a trace, which must have been opened with parsers that keep stacks.
///
/// # Errors
///
/// For files that can no longer be read.
pub fn page(trace: &Trace, options: &ReportOptions) -> Result<Page> {
    let mut pass = Pass::new(trace, options)?;
    trace.run(&RunOptions::default().threads(options.threads), &mut pass)?;
    pass.finish()
}
