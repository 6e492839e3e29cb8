//! Parsers: what makes schemas for events, and what reads facts about the traced system from events.
//!
//! A [`Parser`] is what a program registers in [`Parsers`]. It brings two kinds of parts to the first pass over a
//! trace:
//!
//! * a [`SchemaProvider`] makes schemas: kernel tables, manifests, TraceLogging metadata, TMF files, or your own;
//! * an [`Observer`] reads events in time order and notes what they state about the [`System`](crate::system::System):
//!   processes, images, stacks.
//!
//! Each trace has parts of its own. What does not change, such as a table, is read once in a process and shared by all
//! traces. So a set of parsers can be cloned and used for any number of traces.
//!
//! A provider that is `Clone` is a parser already: each trace gets a clone of it. To decode the events of one provider
//! takes this much, or less with [`SchemaTables`], where the schema is a text:
//!
//! ```
//! use etwkit::bytes::Guid;
//! use etwkit::event::RawEvent;
//! use etwkit::parser::{Claims, Parsers, SchemaProvider, TraceFacts};
//! use etwkit::schema::{Field, Scalar, Schema, SchemaSource, Wire};
//!
//! #[derive(Clone, Debug)]
//! struct Door;
//!
//! impl SchemaProvider for Door {
//!     fn name(&self) -> &str {
//!         "door"
//!     }
//!
//!     fn claims(&self) -> Claims {
//!         Claims::provider(Guid::from_u128(0x5e7a_1000_0001_4b1d_9c0d_e7a5_1d0c_0001))
//!     }
//!
//!     fn schema(&self, event: &RawEvent<'_>, _: &TraceFacts) -> etwkit::Result<Option<Schema>> {
//!         let mut schema = Schema::builder(SchemaSource::USER.into());
//!         schema.field(Field::new("Number", Wire::Scalar(Scalar::U32)));
//!         if event.id() == 100 { schema.build().map(Some) } else { Ok(None) }
//!     }
//! }
//!
//! let parsers = Parsers::none().with(Door);
//! assert_eq!(parsers.iter().map(|parser| parser.name()).collect::<Vec<_>>(), ["door"]);
//! ```

mod claims;
mod first_pass;
mod observer;
mod provider;
mod providers;
mod registry;
mod tables;

use std::any::Any;
use std::fmt::Debug;

pub use claims::Claims;
pub use first_pass::FirstPass;
pub use observer::Observer;
pub use provider::{SchemaProvider, TraceFacts};
pub use registry::Parsers;
pub use tables::SchemaTables;

pub(crate) use providers::Providers;

/// A parser: providers of schemas and observers that belong together, usually those of one crate.
///
/// Implement it where a parser has an observer or several parts. Where it is a single [`SchemaProvider`], implement
/// that and derive `Clone`.
pub trait Parser: Debug + Send + Sync {
    /// Returns a short name for diagnostics, such as `kernel` or `tracelogging`.
    fn name(&self) -> &str;

    /// Adds its parts to the first pass over one trace. They must know nothing of other traces: `self` stays as it is,
    /// so that the next trace begins in the same way.
    fn begin(&self, pass: &mut FirstPass);
}

impl<P: SchemaProvider + Clone + 'static> Parser for P {
    fn name(&self) -> &str {
        SchemaProvider::name(self)
    }

    fn begin(&self, pass: &mut FirstPass) {
        pass.add_provider(self.clone());
    }
}

/// A finding of a provider or an observer that is neither a schema nor part of the
/// [`System`](crate::system::System), such as a list of the symbol files that a trace names.
/// [`Trace::finding`](crate::trace::Trace::finding) returns it by its type.
pub type Finding = Box<dyn Any + Send + Sync>;
