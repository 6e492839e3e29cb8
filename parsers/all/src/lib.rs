//! All parsers of etwkit, in the order in which they are asked.
//!
//! 1. what an event says of itself: TraceLogging metadata, a lone string
//! 2. `.schema` files of the user, which are written to correct something
//! 3. built-in tables of the kernel and the .NET runtime, performance logs, and corrections of manifests that lie
//! 4. schemas in the trace or in a sibling file: EventSource manifests, `TRACE_EVENT_INFO`
//! 5. manifests and binaries of the user, then MOF files of the user; TMF and PDB files for WPP
//! 6. the bundled facts of registered providers
//!
//! The tables go before the trace's own schemas, although those are of the traced machine: they were made from
//! Microsoft's manifests, correct the ones that do not describe their payload (`CLRStackWalk`), and have the names that
//! TraceEvent uses. A schema for a lower version stands in only where nobody has one for the event's own.

//!
//! # Features
//!
//! All are on by default; without any, events come undecoded.
//!
//! | feature | crate | decodes |
//! |---|---|---|
//! | `kernel` | `etwkit-kernel` | events of the Windows kernel, and what merging adds |
//! | `clr` | `etwkit-clr` | events of the .NET runtime |
//! | `tracelogging` | `etwkit-tracelogging` | events that carry their schema; lone strings |
//! | `manifest` | `etwkit-manifest` | EventSource manifests in the trace; `.man` files and binaries of the user |
//! | `mof` | `etwkit-mof` | classic events by MOF files of the user |
//! | `pdh` | `etwkit-pdh` | counters and samples of performance logs (`.blg`) |
//! | `tei` | `etwkit-tei` | `TRACE_EVENT_INFO` of merged traces |
//! | `registered` | `etwkit-registered` | a thousand providers registered with Windows; `.schema` files of the user |
//! | `wpp` | `etwkit-wpp` | WPP messages through TMF and PDB files |

use etwkit::parser::Parsers;
use etwkit::schema::{SchemaEntry, SchemaSource, text};

#[cfg(feature = "manifest")]
pub use etwkit_manifest::Manifests;
#[cfg(feature = "mof")]
pub use etwkit_mof::Mof;
#[cfg(feature = "pdh")]
pub use etwkit_pdh as pdh;
#[cfg(feature = "registered")]
pub use etwkit_registered::UserSchemas;
#[cfg(feature = "wpp")]
pub use etwkit_wpp as wpp;

/// What a user adds to the parsers that are built in.
#[derive(Debug, Default)]
pub struct Additions {
    /// `.schema` files.
    #[cfg(feature = "registered")]
    pub schemas: UserSchemas,
    /// Manifests: `.man` files, PE files with `WEVT_TEMPLATE` resources.
    #[cfg(feature = "manifest")]
    pub manifests: Manifests,
    /// MOF files: classic providers.
    #[cfg(feature = "mof")]
    pub mof: Mof,
    /// Definitions of WPP messages: TMF and PDB files.
    #[cfg(feature = "wpp")]
    pub symbols: etwkit_wpp::Symbols,
}

impl Additions {
    /// Every schema that was added, in the order in which parsers are asked; an error for each that cannot be made. Of a
    /// symbol store there is nothing, since only a trace tells which of its files are meant.
    pub fn entries(&self) -> impl Iterator<Item = etwkit::Result<SchemaEntry>> + '_ {
        let all = std::iter::empty();
        #[cfg(feature = "registered")]
        let all = all.chain(self.schemas.entries().map(Ok));
        #[cfg(feature = "manifest")]
        let all = all.chain(self.manifests.entries());
        #[cfg(feature = "mof")]
        let all = all.chain(std::iter::once_with(|| self.mof.entries()).flat_map(each));
        #[cfg(feature = "wpp")]
        let all = all.chain(self.symbols.entries());
        all
    }
}

/// The entries of a list, or its error.
#[cfg(feature = "mof")]
fn each(list: etwkit::Result<Vec<SchemaEntry>>) -> impl Iterator<Item = etwkit::Result<SchemaEntry>> {
    let (entries, error) = match list {
        Ok(entries) => (entries, None),
        Err(error) => (Vec::new(), Some(Err(error))),
    };
    entries.into_iter().map(Ok).chain(error)
}

/// Every parser whose feature is on.
pub fn standard() -> Parsers {
    with(Additions::default()).0
}

/// As [`standard`], with what a user adds. The second part is filled by the census: what the trace asks for.
pub fn with(additions: Additions) -> (Parsers, Asked) {
    let parsers = Parsers::none();
    #[cfg(feature = "tracelogging")]
    let parsers = parsers.with(etwkit_tracelogging::TraceLogging).with(etwkit_tracelogging::StringOnly);
    #[cfg(feature = "registered")]
    let parsers = parsers.with(additions.schemas).with(etwkit_registered::overrides());
    #[cfg(feature = "kernel")]
    let parsers = parsers.with(etwkit_kernel::kernel());
    #[cfg(feature = "clr")]
    let parsers = parsers
        .with(etwkit_clr::clr())
        .with(etwkit_clr::NativeRuntime::default())
        .with(etwkit_clr::ClassicRuntime::default());
    #[cfg(feature = "pdh")]
    let (parsers, counters) = {
        let log = etwkit_pdh::PerformanceLog::default();
        let counters = log.counters();
        (parsers.with(log), counters)
    };
    #[cfg(feature = "manifest")]
    let parsers = parsers.with(etwkit_manifest::EventSourceManifests::new());
    #[cfg(feature = "tei")]
    let parsers = parsers.with(etwkit_tei::TraceEventInfo::new());
    #[cfg(feature = "manifest")]
    let parsers = parsers.with(additions.manifests);
    #[cfg(feature = "mof")]
    let parsers = parsers.with(additions.mof);
    #[cfg(feature = "wpp")]
    let (parsers, symbols) = {
        let wpp = etwkit_wpp::Wpp::new(additions.symbols);
        let symbols = wpp.wanted();
        (parsers.with(wpp), symbols)
    };
    let asked = Asked {
        #[cfg(feature = "wpp")]
        symbols,
        #[cfg(feature = "pdh")]
        counters,
    };
    #[cfg(feature = "registered")]
    let parsers = parsers.with(etwkit_registered::Registered::new());
    (parsers, asked)
}

/// What a trace asks for, and what else it turned out to hold; known after the census.
#[derive(Debug)]
pub struct Asked {
    /// PDB files of the WPP providers.
    #[cfg(feature = "wpp")]
    pub symbols: etwkit_wpp::Wanted,
    /// Counters of a performance log.
    #[cfg(feature = "pdh")]
    pub counters: etwkit_pdh::Counters,
}

/// The same parsers, and those that keep stacks which come in events of their own, of the kernel and the runtime, and parts
/// of stacks that lie in two events.
pub fn with_stacks(parsers: Parsers) -> Parsers {
    #[cfg(feature = "kernel")]
    let parsers = {
        use etwkit::event::Kind;
        use etwkit_kernel::InlineStacks;
        let parsers = parsers.with(etwkit_kernel::KernelStacks::default());
        let kinds = [Kind::Manifest, Kind::TraceLogging, Kind::StringOnly];
        kinds.into_iter().fold(parsers, |parsers, kind| parsers.with(InlineStacks::new(kind)))
    };
    #[cfg(feature = "clr")]
    let parsers = parsers.with(etwkit_clr::ClrStacks::default());
    parsers
}

/// Every schema that is built in, in the order in which parsers are asked: the tables of the kernel and the runtime
/// with the runtime's other forms, then those of registered providers and the bundled facts. One list a table or
/// provider, made when it is asked for: all of them together are large.
pub fn built_in() -> impl Iterator<Item = Vec<SchemaEntry>> {
    let texts = [
        &[] as &'static [&'static str],
        #[cfg(feature = "kernel")]
        etwkit_kernel::tables().texts(),
        #[cfg(feature = "clr")]
        etwkit_clr::clr().texts(),
    ];
    let read = |text: &&str| text::parse_with_origin(text, SchemaSource::BuiltIn.into()).unwrap_or_default();
    let all = texts.into_iter().flatten().map(read);
    #[cfg(feature = "clr")]
    let all = all.chain(std::iter::once_with(etwkit_clr::NativeRuntime::entries));
    #[cfg(feature = "clr")]
    let all = all.chain(std::iter::once_with(|| etwkit_clr::ClassicRuntime::default().entries()));
    #[cfg(feature = "registered")]
    let all = all.chain(etwkit_registered::entries());
    all
}
