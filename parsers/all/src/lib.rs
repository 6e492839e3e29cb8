//! All parsers of etwkit, in the order in which they are asked.

use etwkit::parser::Parsers;

/// Every parser whose feature is on.
pub fn standard() -> Parsers {
    let parsers = Parsers::none();
    #[cfg(feature = "tracelogging")]
    let parsers =
        parsers.with(etwkit_tracelogging::TraceLogging).with(etwkit_tracelogging::StringOnly);
    parsers
}
