//! All parsers of etwkit, in the order in which they are asked.

use etwkit::parser::Parsers;
use etwkit::schema::{Entry, Source, text};

/// Every parser whose feature is on: first what an event says of itself, then the built-in tables.
pub fn standard() -> Parsers {
    let parsers = without_symbols();
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
    (without_symbols().with(wpp), wanted)
}

fn without_symbols() -> Parsers {
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

/// The same parsers, and those that keep stacks which come in events of their own: of the kernel and the runtime.
pub fn with_stacks(parsers: Parsers) -> Parsers {
    #[cfg(feature = "kernel")]
    let parsers = parsers.with(etwkit_kernel::KernelStacks::default());
    #[cfg(feature = "clr")]
    let parsers = parsers.with(etwkit_clr::ClrStacks::default());
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
