//! All parsers of etwkit, in the order in which they are asked.

use etwkit::parser::Parsers;

/// Every parser whose feature is on: first what an event says of itself, then the built-in tables.
pub fn standard() -> Parsers {
    let parsers = Parsers::none();
    #[cfg(feature = "tracelogging")]
    let parsers = parsers.with(etwkit_tracelogging::TraceLogging).with(etwkit_tracelogging::StringOnly);
    // Before all schemas of manifests, the ones in the trace among them.
    #[cfg(feature = "registered")]
    let parsers = parsers.with(etwkit_registered::overrides());
    #[cfg(feature = "kernel")]
    let parsers = parsers.with(etwkit_kernel::kernel());
    #[cfg(feature = "clr")]
    let parsers = parsers.with(etwkit_clr::clr());
    #[cfg(feature = "registered")]
    let parsers = parsers.with(etwkit_registered::Registered::new());
    parsers
}
