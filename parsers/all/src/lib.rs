//! All parsers of etwkit, in the order in which they are asked.

use etwkit::parser::Parsers;

/// Every parser whose feature is on: first what an event says of itself, then the built-in tables, then the schemas that
/// lie in the trace.
///
/// The tables go before the trace's own schemas, although they are of the traced machine: the tables were made from
/// Microsoft's manifests and correct those that do not describe their payload (`CLRStackWalk`), and their names are those
/// that `TraceEvent` uses. Where a table has only a lower version of an event, the trace's schema for its own is taken.
pub fn standard() -> Parsers {
    let parsers = Parsers::none();
    #[cfg(feature = "tracelogging")]
    let parsers = parsers.with(etwkit_tracelogging::TraceLogging).with(etwkit_tracelogging::StringOnly);
    #[cfg(feature = "kernel")]
    let parsers = parsers.with(etwkit_kernel::kernel());
    #[cfg(feature = "clr")]
    let parsers = parsers.with(etwkit_clr::clr());
    #[cfg(feature = "manifest")]
    let parsers = parsers.with(etwkit_manifest::EventSourceManifests::new());
    #[cfg(feature = "tei")]
    let parsers = parsers.with(etwkit_tei::TraceEventInfo::new());
    parsers
}
