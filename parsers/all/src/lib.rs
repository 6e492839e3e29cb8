#![doc = include_str!("../README.md")]
//!
//! # Order
//!
//! Parsers are tried in this order; the first one that has a schema for the event's version provides it:
//!
//! 1. what an event states about itself: TraceLogging metadata, a lone string
//! 2. `.schema` files of the user, which are written to correct something
//! 3. corrections of manifests that do not describe what is written, built-in tables of the kernel and the .NET
//!    runtime, performance logs
//! 4. schemas in the trace or in a sibling file: EventSource manifests, `TRACE_EVENT_INFO`
//! 5. manifests and binaries of the user, then MOF files of the user; TMF and PDB files for WPP
//! 6. the bundled facts of registered providers
//!
//! The tables go before the trace's own schemas, although those are of the traced machine: they were made from
//! Microsoft's manifests, correct the ones that do not describe their payload (`CLRStackWalk`), and have the names that
//! TraceEvent uses. A schema for a lower version is used only if no provider has one for the event's own version.
//!
//! # Adding a parser
//!
//! A parser `door` needs these files; the engine and the program do not change:
//!
//! | file | what |
//! |---|---|
//! | `parsers/door/` | the crate: `Cargo.toml`, `src/lib.rs`, `README.md` and the licences; the workspace takes every folder |
//! | `parsers/all/src/lib.rs` | a row in the registry, at its place in the order |
//! | `parsers/all/Cargo.toml` | the feature, and `etwkit-door = { path = "../door", version = "..", optional = true }`, which a macro cannot write |
//! | `parsers/all/README.md` | a row in the table of features |
//! | `docs/api/` | what `cargo xtask api` writes |
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

#[cfg(all(feature = "manifest", feature = "mof", feature = "user", feature = "wpp"))]
mod brought;
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
    "kernel": stacks etwkit_kernel::ImageIdentities;
    "clr": mod clr = etwkit_clr; parser etwkit_clr::Clr;
        stacks etwkit_clr::ClrStacks; lists etwkit_clr::entries;
    "clr": stacks etwkit_clr::ClrMethods;
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
    "registered": parser etwkit_registered::KernelProcess; stacks etwkit_registered::ScriptMethods;
}

/// Returns the same parsers, and the one that keeps the PDB files and original names of images
/// ([`Image::pdb`](etwkit::system::Image)). [`with_stacks`] includes it.
#[cfg(feature = "kernel")]
pub fn with_image_identities(parsers: Parsers) -> Parsers {
    parsers.with(kernel::ImageIdentities)
}

/// Returns every parser whose feature is on.
pub fn standard() -> Parsers {
    with(Additions::default())
}
