//! All parsers of etwkit, in the order in which they are asked.

use etwkit::parser::Parsers;

/// Every parser whose feature is on: first what an event says of itself, then the built-in tables.
pub fn standard() -> Parsers {
    let parsers = built_in();
    #[cfg(feature = "wpp")]
    let parsers = parsers.with(etwkit_wpp::Wpp::default());
    parsers
}

/// As [`standard`], with definitions of WPP messages. The list of PDB files that the trace asks for is filled by the
/// census.
#[cfg(feature = "wpp")]
pub fn with_symbols(symbols: etwkit_wpp::Symbols) -> (Parsers, etwkit_wpp::Wanted) {
    let wpp = etwkit_wpp::Wpp::new(symbols);
    let wanted = wpp.wanted();
    (built_in().with(wpp), wanted)
}

fn built_in() -> Parsers {
    let parsers = Parsers::none();
    #[cfg(feature = "tracelogging")]
    let parsers = parsers.with(etwkit_tracelogging::TraceLogging).with(etwkit_tracelogging::StringOnly);
    #[cfg(feature = "kernel")]
    let parsers = parsers.with(etwkit_kernel::kernel());
    #[cfg(feature = "clr")]
    let parsers = parsers.with(etwkit_clr::clr());
    parsers
}
