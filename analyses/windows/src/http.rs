//! HTTP requests by URL.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use etwkit::decode::Event;
use etwkit::error::Result;
use etwkit::event::EventKey;
use etwkit::trace::Trace;
use etwkit_analysis::{Analysis, Interest, Measures, Need, milliseconds};
use etwkit_http_requests::{Request, RequestCollector, RequestFact, has_server_events, is_server, server_events};

etwkit_analysis::row! {
    /// Requests of a verb and a URL.
    pub struct HttpRow {
        /// `GET`, `POST` and so on.
        verb: Option<String> as Text,
        /// URL, without what comes after a `?`.
        url: Option<String> as Text,
        /// Requests.
        requests: u64 as Count,
        /// Requests with a status from 400 to 499.
        client_errors: u64 as Count,
        /// Requests with a status from 500 on.
        server_errors: u64 as Count,
        /// Milliseconds from the first to the last event of the requests.
        elapsed_ms_sum: Option<f64> as Milliseconds,
        /// Milliseconds of the longest.
        elapsed_ms_max: Option<f64> as Milliseconds,
    }
}

/// Adds up the requests of each URL. A request is counted if the filter chooses the first of its events.
#[derive(Debug, Default)]
pub struct HttpByUrl {
    collector: RequestCollector,
}

#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    requests: u64,
    client_errors: u64,
    server_errors: u64,
    elapsed: Measures,
}

impl Analysis for HttpByUrl {
    type Fact = RequestFact;
    type Row = HttpRow;

    const JOINS_EVENTS: bool = true;

    fn interest() -> Interest {
        let need = Need::Keywords("the provider Microsoft-Windows-HttpService, IIS or iisnode");
        Interest { manifest: &[], classic: &[], need }
    }

    fn reads(key: &EventKey) -> bool {
        is_server(&key.provider)
    }

    fn events(trace: &Trace) -> u64 {
        server_events(trace)
    }

    fn begin(_: &Trace) -> Result<Self> {
        Ok(Self::default())
    }

    fn is_answerable(trace: &Trace) -> bool {
        has_server_events(trace)
    }

    fn fact(event: &Event<'_>) -> Option<RequestFact> {
        RequestFact::of(event)
    }

    fn step(&mut self, fact: RequestFact, _: &Trace) {
        self.collector.take(&fact, true);
    }

    fn follow(&mut self, fact: RequestFact, _: &Trace) {
        self.collector.take(&fact, false);
    }

    fn excess(&self) -> u64 {
        self.collector.beyond_limit()
    }

    fn finish(self, _: &Trace) -> Vec<HttpRow> {
        let mut sums: BTreeMap<(Option<String>, Option<String>), Sum> = BTreeMap::new();
        for request in self.collector.finish().rows {
            let (elapsed, class) = (milliseconds(request.first, request.last), status_class(&request));
            let url = request.url.map(|url| url.split('?').next().unwrap_or_default().to_owned());
            let sum = sums.entry((request.verb, url)).or_default();
            sum.requests += 1;
            sum.client_errors += u64::from(class == Some(4));
            sum.server_errors += u64::from(class.is_some_and(|class| class >= 5));
            sum.elapsed.add(Some(elapsed));
        }
        let mut rows: Vec<HttpRow> = sums.into_iter().map(row).collect();
        rows.sort_by_key(|row| Reverse(row.requests));
        rows
    }
}

/// Returns the hundreds of the status.
fn status_class(request: &Request) -> Option<u16> {
    let status = request.status.as_deref()?;
    let number: u16 = status.split('.').next()?.trim().parse().ok()?;
    Some(number / 100)
}

fn row(((verb, url), sum): ((Option<String>, Option<String>), Sum)) -> HttpRow {
    HttpRow {
        verb,
        url,
        requests: sum.requests,
        client_errors: sum.client_errors,
        server_errors: sum.server_errors,
        elapsed_ms_sum: sum.elapsed.sum(),
        elapsed_ms_max: sum.elapsed.max(),
    }
}
