//! Manifests: descriptions of a provider's events, in XML or compiled into a binary.
//!
//! [`EventSourceManifests`] learns the manifests that event sources of .NET write into the trace itself; [`Manifests`]
//! reads what a user has: `.man` and `.xml` files, binaries with a `WEVT_TEMPLATE` resource, folders of them.
//!
//! | module | owns |
//! |---|---|
//! | `chunks` | [`EventSourceManifests`]: manifests in the trace, put together from their chunks |
//! | `files` | [`Manifests`]: files of the user |
//! | `xml` | manifest text as a [`Provider`] |
//! | `wevt` | `WEVT_TEMPLATE` resources as a [`Provider`], message tables, PE files |
//! | `model` | [`Provider`]: what both forms state, and how an event of it becomes a schema |
//! | `store` | providers by GUID, events by id and version |
//!
//! Sources: `eventman.xsd`, `winmeta.xml` of the Windows SDK and Microsoft's documentation of the instrumentation
//! manifest; sections 9 and 10 of `docs/format`.

mod chunks;
mod files;
mod model;
mod store;
pub mod wevt;
pub mod xml;

pub use chunks::EventSourceManifests;
pub use files::Manifests;
pub use model::Provider;

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
