//! All parsers of etwkit, in the order in which they are asked.

use etwkit::parser::Parsers;
use etwkit::schema::{Entry, Source, text};

/// Every parser whose feature is on: first what an event says of itself, then the built-in tables.
pub fn standard() -> Parsers {
    with(false)
}

/// The same, keeping stacks: those of kernel and runtime events that come in events of their own.
pub fn standard_with_stacks() -> Parsers {
    with(true)
}

fn with(stacks: bool) -> Parsers {
    let parsers = Parsers::none();
    #[cfg(feature = "tracelogging")]
    let parsers = parsers.with(etwkit_tracelogging::TraceLogging).with(etwkit_tracelogging::StringOnly);
    #[cfg(feature = "kernel")]
    let parsers = parsers.with(if stacks { etwkit_kernel::kernel().keeping_stacks() } else { etwkit_kernel::kernel() });
    #[cfg(feature = "clr")]
    let parsers = parsers.with(etwkit_clr::clr());
    #[cfg(feature = "clr")]
    let parsers = if stacks { parsers.with(etwkit_clr::ClrStacks::default()) } else { parsers };
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
