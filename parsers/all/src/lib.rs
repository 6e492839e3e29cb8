//! All parsers of etwkit, in the order in which they are asked.
//!
//! ```no_run
//! let trace = etwkit::trace::Trace::open("trace.etl", etwkit_parsers::standard())?;
//! # Ok::<(), etwkit::Error>(())
//! ```
//!
//! The order:
//!
//! 1. what an event says of itself: TraceLogging metadata, a lone string
//! 2. `.schema` files of the user, which are written to correct something
//! 3. corrections of manifests that do not describe what is written, built-in tables of the kernel and the .NET runtime,
//!    performance logs
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
//! All but `msfz` are on by default; without any, events come undecoded. Each crate is re-exported under the name of its
//! feature.
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
//! | `registered` | `etwkit-registered` | a thousand providers registered with Windows |
//! | `user` | `etwkit-user-schemas` | events described by `.schema` files of the user |
//! | `wpp` | `etwkit-wpp` | WPP messages through TMF and PDB files |
//! | `msfz` | `etwkit-wpp` | compressed PDB files (MSFZ) for `wpp`; needs a C compiler |
//!
//! # Adding a parser
//!
//! A parser `door` needs these files; the engine and the program do not change:
//!
//! | file | what |
//! |---|---|
//! | `parsers/door/Cargo.toml`, `parsers/door/src/lib.rs` | the crate; the workspace takes every folder of `parsers/` |
//! | `parsers/all/src/lib.rs` | a row in the registry below, and one in the table of features above |
//! | `parsers/all/Cargo.toml` | the feature and the optional dependency, which a macro cannot write |
//! | `Cargo.toml` | `etwkit-door = { path = "parsers/door", version = ".." }` in `[workspace.dependencies]` |
//! | `README.md` | a row in the table of features |
//!
//! All that `parsers/door/src/lib.rs` must have, if its schemas can be written down:
//!
//! ```
//! use etwkit::bytes::Guid;
//! use etwkit::parser::{FirstPass, Parser, SchemaTables};
//!
//! static TABLES: SchemaTables = SchemaTables::built_in(
//!     "door",
//!     &[Guid::from_u128(0x5e7a_1000_0001_4b1d_9c0d_e7a5_1d0c_0001)],
//!     &["provider \"Door\" {5e7a1000-0001-4b1d-9c0d-e7a51d0c0001}\nevent id 100 { Number u32 }"],
//! );
//!
//! #[derive(Debug, Default)]
//! pub struct Door;
//!
//! impl Parser for Door {
//!     fn name(&self) -> &str {
//!         "door"
//!     }
//!
//!     fn begin(&self, pass: &mut FirstPass) {
//!         pass.add_provider(&TABLES);
//!     }
//! }
//! ```
//!
//! Its row is `"door": mod door = etwkit_door; parser etwkit_door::Door;`.

mod registry;

use etwkit::parser::Parsers;
use etwkit::schema::SchemaEntry;

registry::registry! {
    "tracelogging": mod tracelogging = etwkit_tracelogging; parser etwkit_tracelogging::TraceLogging;
    "tracelogging": parser etwkit_tracelogging::StringOnly;
    "user": mod user = etwkit_user_schemas;
        /// `.schema` files.
        added schemas: etwkit_user_schemas::UserSchemas => UserSchemas;
    "registered": mod registered = etwkit_registered; parser etwkit_registered::Overrides;
    "kernel": mod kernel = etwkit_kernel; parser etwkit_kernel::Kernel;
        stacks etwkit_kernel::KernelStacks; lists etwkit_kernel::entries;
    "clr": mod clr = etwkit_clr; parser etwkit_clr::Clr;
        stacks etwkit_clr::ClrStacks; lists etwkit_clr::entries;
    "pdh": mod pdh = etwkit_pdh; parser etwkit_pdh::PerformanceLog;
    "manifest": mod manifest = etwkit_manifest; parser etwkit_manifest::EventSourceManifests;
    "tei": mod tei = etwkit_tei; parser etwkit_tei::TraceEventInfo;
    "manifest":
        /// Manifests: `.man` files, PE files with `WEVT_TEMPLATE` resources.
        added manifests: etwkit_manifest::Manifests => Manifests;
    "mof": mod mof = etwkit_mof;
        /// MOF files: classic providers.
        added mof: etwkit_mof::Mof => Mof;
    "wpp": mod wpp = etwkit_wpp;
        /// Definitions of WPP messages: TMF and PDB files.
        added symbols: etwkit_wpp::Symbols => etwkit_wpp::Wpp;
    "registered": parser etwkit_registered::Registered; lists etwkit_registered::entries;
}

/// Returns every parser whose feature is on.
pub fn standard() -> Parsers {
    with(Additions::default())
}

/// What Windows' own report calls the events and fields of classic classes, where the tables here use other names.
pub fn aliases() -> etwkit::output::Aliases {
    #[cfg(feature = "kernel")]
    return etwkit_kernel::aliases();
    #[cfg(not(feature = "kernel"))]
    etwkit::output::Aliases::default()
}

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
