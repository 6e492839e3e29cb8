//! All parsers of etwkit, in the order in which they are asked.

use etwkit::parser::Parsers;
use etwkit::schema::{Entry, Source, text};

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

/// Every built-in table, in the order of its text.
pub fn built_in() -> Vec<Entry> {
    let texts: &[&[&str]] = &[
        #[cfg(feature = "kernel")]
        etwkit_kernel::tables().texts(),
        #[cfg(feature = "clr")]
        etwkit_clr::clr().texts(),
    ];
    let read = |text: &&str| text::parse_with_origin(text, Source::BuiltIn.into()).unwrap_or_default();
    texts.iter().flat_map(|texts| texts.iter()).flat_map(read).collect()
}
