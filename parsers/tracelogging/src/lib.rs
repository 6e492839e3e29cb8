//! TraceLogging: schemas that travel in the event.
//!
//! A TraceLogging event carries its own schema in extended item 11 (`EVENT_SCHEMA_TL`) and its provider's name in item
//! 12. [`TraceLogging`] compiles the item, [`StringOnly`] knows the events of `EventWriteString`, whose payload is one
//! text.
//!
//! | module | owns |
//! |---|---|
//! | `parser` | [`TraceLogging`]: names of the event that the metadata does not give |
//! | `string_only` | [`StringOnly`] |
//! | `compile` | the tree of fields as a [`Schema`](etwkit::schema::Schema) |
//! | `item` | the bytes of the item: size, tags, name, one field after the other |
//! | `types` | in-types and out-types, in terms of TDH |
//!
//! Source of all numbers and layouts: `TraceLoggingProvider.h` of the Windows SDK; section 11 of `docs/format`.
//!
//! ```
//! let item = [
//!     13, 0, // size, with itself
//!     0, // tags
//!     b'H', b'i', 0, // event name
//!     b'C', b'o', b'u', b'n', b't', 0, 8, // a uint32
//! ];
//! let schema = etwkit_tracelogging::compile(&item, etwkit::schema::Names::default())?;
//! assert_eq!(schema.names().task.as_deref(), Some("Hi"));
//! assert_eq!(&*schema.fields()[0].name, "Count");
//! # Ok::<(), etwkit::Error>(())
//! ```

mod compile;
mod item;
mod parser;
mod string_only;
mod types;

pub use compile::compile;
pub use parser::TraceLogging;
pub use string_only::StringOnly;

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
